"""Pages and widgets in a real marimo."""

import os
import re
import subprocess
import sys
import time

import pytest
from browser import at_rest, lasso, open_browser, turn
from conftest import ROOT

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import dosnes
    import marimo as mo
    import numpy as np

    points = np.random.default_rng(0).normal(size=(120, 4))
    globe = dosnes.DOSNES(perplexity=8).fit(points)
    return dosnes, globe, mo, points


@app.cell
def _(dosnes, globe, points):
    dosnes.show(globe, color=points[:, 0], height=400)
    return


@app.cell
def _(dosnes, globe, mo):
    w = mo.ui.anywidget(dosnes.widget(globe, height=640))
    w
    return (w,)


@app.cell
def _(mo, w):
    mo.md(f"rows: {len(w.widget.selection)}, focus: {w.widget.focus}")
    return


@app.cell
def _(mo, w):
    def choose(_):
        w.widget.selection = [0, 4, 5, 6]

    button = mo.ui.button(label="choose four", on_change=choose)
    button
    return (button,)


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def marimo(tmp_path):
    """The address of a marimo that runs the notebook as an app."""
    (tmp_path / "globe.py").write_text(NOTEBOOK)
    options = ["--headless", "--no-token", "--port", "0", "--no-skew-protection"]
    command = [sys.executable, "-m", "marimo", "-y", "run", "globe.py", *options]
    home = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT / "python")}
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
        server.kill()
        server.wait()


def test_a_page_turns_and_a_selection_goes_both_ways_in_marimo(marimo):
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 1800})
        page.set_default_timeout(60_000)
        page.goto(marimo)
        frames = page.locator('iframe[title="map by dosnes"]')
        frames.nth(1).content_frame.get_by_role("application").first.wait_for()
        shown, widget = frames.nth(0), frames.nth(1)
        still = at_rest(page, shown)
        turn(page, shown)
        assert shown.screenshot() != still, "the globe did not turn"
        page.get_by_text("rows: 0, focus: None").wait_for()
        page.get_by_role("button", name="choose four").click()
        words = widget.content_frame.locator(".selection .words", has_text="of 120")
        four = re.compile("^4 of 120")
        words.filter(has_text=four).wait_for()
        lasso(page, widget)
        words.filter(has_not_text=four).wait_for()
        selected = words.inner_text().split()[0]
        page.get_by_text(f"rows: {selected}, focus: None").wait_for()
