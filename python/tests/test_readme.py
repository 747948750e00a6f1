"""The Python of the READMEs and of the site works as printed."""

import re
import warnings

import matplotlib
import pytest
from conftest import ROOT

matplotlib.use("agg")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("README.md", "digits.html"),
        ("python/README.md", "digits.html"),
        ("docs/site/index.md", "iris.html"),
        ("docs/site/guide.md", None),
    ],
)
def test_the_python_of_the_pages_runs(name, written, tmp_path, monkeypatch):
    text = (ROOT / name).read_text()
    blocks = [
        (text[: match.start()].count("\n") + 2, match.group(1))
        for match in re.finditer(r"```python\n(.*?)```", text, re.S)
    ]
    assert blocks, f"{name} has no block of Python"
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for line, block in blocks:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # The numbers of lines are those of the page.
            exec(compile("\n" * (line - 1) + block, name, "exec"), names)
    assert written is None or (tmp_path / written).is_file()


def test_every_page_with_python_is_among_them():
    pages = {f"docs/site/{page.name}" for page in (ROOT / "docs/site").glob("*.md") if "```python" in page.read_text()}
    assert pages == {"docs/site/index.md", "docs/site/guide.md"}


def test_the_readme_names_what_there_is():
    import dosnes

    text = (ROOT / "python/README.md").read_text()
    for name in set(re.findall(r"dosnes\.([a-z_]+|[A-Z]+)\(", text)):
        assert hasattr(dosnes, name), name
