"""The Python of the READMEs works as printed."""

import re
import warnings

import matplotlib
import pytest
from conftest import ROOT

matplotlib.use("agg")


@pytest.mark.parametrize("name", ["README.md", "python/README.md"])
def test_the_python_of_the_readme_runs(name, tmp_path, monkeypatch):
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
            # The numbers of lines are those of the README.
            exec(compile("\n" * (line - 1) + block, name, "exec"), names)
    assert (tmp_path / "digits.html").is_file()


def test_the_readme_names_what_there_is():
    import dosnes

    text = (ROOT / "python/README.md").read_text()
    for name in set(re.findall(r"dosnes\.([a-z_]+|[A-Z]+)\(", text)):
        assert hasattr(dosnes, name), name
