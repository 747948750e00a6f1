"""The settings of Sphinx. build.py copies them beside the pages."""

import dosnes

project = "dosnes"
author = "the authors of dosnes"
version = release = dosnes.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "dosnes"
html_static_path: list[str] = []
# The pages with globes are copied as they are.
html_extra_path = ["extra"]
html_copy_source = False
html_show_sphinx = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "literal"
highlight_language = "python"
