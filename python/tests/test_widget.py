"""The widget: what Python sees of it, and the selection both ways in a real JupyterLab."""

import os
import re
import subprocess
import sys
import time

import nbformat
import numpy as np
import pytest
import traitlets
from browser import lasso, open_browser
from conftest import ROOT

import dosnes

CELLS = """
import numpy as np, dosnes
points = np.random.default_rng(0).normal(size=(120, 4))
globe = dosnes.DOSNES(perplexity=8).fit_transform(points)
globe[5] = np.nan
w = dosnes.widget(globe, color=points[:, 0], height=500)
seen = []
w.observe(lambda change: seen.append(change.new), "selection")
w
---
print("seen", len(w.selection), seen[-1] == w.selection, 5 in w.selection)
---
w.selection = [0, 4, 5, 6, 119]
---
w.focus = 6
"""


@pytest.fixture(scope="module")
def widget():
    positions = np.random.default_rng(0).normal(size=(50, 2))
    positions[3] = np.nan
    return dosnes.widget(positions)


def test_a_selection_is_read_set_and_observed(widget):
    seen = []
    widget.observe(lambda change: seen.append(change.new), "selection")
    for given, expected in (
        ([4, 2, 2], [2, 4]),
        (np.array([9, 7]), [7, 9]),
        (np.arange(50) >= 48, [48, 49]),
        ([], []),
    ):
        widget.selection = given
        assert widget.selection == expected == seen[-1]
    assert widget.page.html.startswith("<!doctype html>")


def test_rows_and_items_of_the_page_are_told_apart(widget):
    widget.selection = [2, 3, 4]
    # Row 3 has no place, so that the item 3 of the page is row 4.
    assert widget.get_state("selection")["selection"] == [2, 3]
    widget.set_state({"selection": [3, 48], "focus": 3})
    assert widget.selection == [4, 49] and widget.focus == 4
    widget.set_state({"focus": -1})
    assert widget.focus is None


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("selection", [50], "row 50, but the rows are 0 to 49"),
        ("selection", [-1], "row -1, but"),
        ("selection", "all", "rows of the data"),
        ("selection", [True] * 9, "rows of the data"),
        ("selection", [0.5], "rows of the data"),
        ("focus", 50, "focus is 50, but the rows are 0 to 49"),
    ],
)
def test_a_bad_selection_is_explained(widget, name, value, sentence):
    with pytest.raises(traitlets.TraitError, match=sentence):
        setattr(widget, name, value)


def test_without_anywidget_a_word_says_what_to_install():
    code = "import sys; sys.modules['anywidget'] = None; import dosnes; dosnes.widget([[0, 1], [1, 0], [2, 2]])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install anywidget" in run.stderr


@pytest.fixture
def laboratory(tmp_path):
    """The address of a JupyterLab with the notebook."""
    cells = [nbformat.v4.new_code_cell(cell.strip()) for cell in CELLS.split("---")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), tmp_path / "globe.ipynb")
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    folders["JUPYTERLAB_SETTINGS_DIR"] = folders["JUPYTERLAB_WORKSPACES_DIR"] = str(tmp_path / "lab")
    environment = {**os.environ, **folders, "IPYTHONDIR": str(tmp_path / "ipython"), "PYTHONPATH": str(ROOT / "python")}
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.port=0",
        "--IdentityProvider.token=",
        "--expose-app-in-browser",
    ]
    command = [sys.executable, "-m", "jupyterlab", *options, "--ServerApp.root_dir=."]
    log = tmp_path / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=output, stderr=output)
    try:
        started = time.monotonic()
        while not (found := re.search(r"http://(localhost|127\S*?):\d+", log.read_text())):
            assert server.poll() is None and time.monotonic() - started < 60, log.read_text()
            time.sleep(0.1)
        yield found.group()
    finally:
        # A first signal would wait for the kernel.
        server.kill()
        server.wait()


def test_a_selection_goes_both_ways_in_jupyterlab(laboratory, tmp_path):
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(f"{laboratory}/lab/tree/globe.ipynb?reset")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        # Without a kernel, JupyterLab would ask for one.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()

        def run():
            page.evaluate("void window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")

        run()
        element = page.locator('iframe[title="map by dosnes"]')
        element.wait_for()
        frame = element.content_frame
        frame.get_by_role("application").first.wait_for()
        lasso(page, element)
        words = frame.locator(".selection .words")
        selected = int(re.fullmatch(r"(\d+) of 119", words.inner_text()).group(1))
        assert 20 < selected < 119
        run()
        page.locator(".jp-OutputArea-output", has_text=f"seen {selected} True False").wait_for()
        run()
        # Row 5 has no place.
        frame.locator(".selection .words", has_text="4 of 119").wait_for()
        run()
        frame.locator(".details h2", has_text=re.compile("^6$")).wait_for()
