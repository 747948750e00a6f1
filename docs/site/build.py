"""Builds the documentation without network: executes the notebooks, makes the pages of the gallery, and runs Sphinx.

`python docs/site/build.py FOLDER` writes FOLDER/html; `cargo xtask site` calls it.
"""

from __future__ import annotations

import base64
import html
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from executing import NAMES, ROOT, execute

HERE = Path(__file__).parent
# The examples that are part of the program.
DEMOS = ("flights", "films", "digits")


def build(folder: Path, executed: Callable[[str], Any] = execute) -> Path:
    """Builds the site; a warning of Sphinx is an error. Returns the folder with the pages."""
    source, made = folder / "source", folder / "html"
    for old in (source, made):
        shutil.rmtree(old, ignore_errors=True)
    pages = source / "extra/pages"
    pages.mkdir(parents=True)
    for page in HERE.glob("*.md"):
        shutil.copy(page, source)
    shutil.copy(HERE / "conf.py", source)
    (source / "growing.md").write_text(_local(ROOT / "docs/growing.md"))
    for name in DEMOS:
        command = [sys.executable, "-m", "dosnes", "demo", name, "--no-open", "-q", "-o", str(pages / f"{name}.html")]
        subprocess.run(command, check=True, cwd=ROOT / "python")
    (source / "notebooks").mkdir()
    for name in NAMES:
        notebook = Notebook(name, executed(name), pages)
        (source / f"notebooks/{name}.md").write_text(notebook.text())
        shutil.copy(ROOT / f"python/notebooks/{name}.ipynb", pages)
    options = ["-W", "--keep-going", "-q", "-E", "-b", "html", "-d", str(folder / "doctrees")]
    subprocess.run([sys.executable, "-m", "sphinx", *options, str(source), str(made)], check=True, cwd=ROOT / "python")
    return made


def _local(path: Path) -> str:
    """A page of the repository. Links to files that are not on the site become plain names."""
    return re.sub(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)", r"\1", path.read_text())


def frame(address: str, title: str) -> str:
    """A page with a globe inside of another one, and a link that opens it alone."""
    name = html.escape(title, quote=True)
    return (
        f'<iframe src="{address}" title="{name}" loading="lazy" allowfullscreen '
        f'style="width: 100%; height: 560px; border: 0; border-radius: 6px"></iframe>\n\n'
        f'<p><a href="{address}">Open this page alone</a></p>\n'
    )


class Notebook:
    """A notebook with its results as a page of Markdown. Its globes become pages of their own."""

    def __init__(self, name: str, notebook: Any, pages: Path) -> None:
        self.name, self.notebook, self.pages = name, notebook, pages
        self.globes = 0

    def text(self) -> str:
        parts = []
        for cell in self.notebook.cells:
            if cell.cell_type == "markdown":
                parts.append(cell.source)
                continue
            parts.append(f"```python\n{cell.source}\n```")
            parts.extend(self.result(output) for output in cell.outputs if output.get("name") != "stderr")
        parts.append(f'<p><a href="../pages/{self.name}.ipynb" download>Download this notebook</a></p>')
        return "\n\n".join(part for part in parts if part) + "\n"

    def result(self, output: Any) -> str:
        data = output.get("data", {})
        globe = re.search(r'srcdoc="([^"]*)"', data.get("text/html", ""))
        if globe:
            self.globes += 1
            page = f"{self.name}-{self.globes}.html"
            (self.pages / page).write_text(html.unescape(globe.group(1)))
            return frame(f"../pages/{page}", f"globe {self.globes} of the notebook")
        if "image/png" in data:
            picture = f"{self.name}-{output.get('execution_count') or len(list(self.pages.iterdir()))}.png"
            (self.pages / picture).write_bytes(base64.b64decode(data["image/png"]))
            return f'<img src="../pages/{picture}" alt="{html.escape(data.get("text/plain", "figure"), quote=True)}">'
        written = output.get("text") or data.get("text/plain", "")
        return f"```text\n{written.rstrip()}\n```" if written.strip() else ""


if __name__ == "__main__":
    print(build(Path(sys.argv[1]).resolve()) / "index.html")
