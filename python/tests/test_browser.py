"""The page inside of a notebook, executed and exported by nbconvert, opened and turned in a real Chromium."""

import os
import shutil

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

CELL = """
import numpy as np
import dosnes
points = np.random.default_rng(0).normal(size=(120, 4))
dosnes.show(dosnes.DOSNES(perplexity=8).fit(points), color=points[:, 0], title="In a notebook", height=500)
"""


@pytest.fixture(scope="module")
def chromium():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium: install one (Debian: apt-get install chromium), or say where it is by CHROMIUM=PATH")
    return path


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A notebook that was executed and exported."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    ExecutePreprocessor(timeout=120).preprocess(notebook)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    path = tmp_path_factory.mktemp("notebook") / "notebook.html"
    path.write_text(html)
    return path


def test_an_exported_notebook_shows_a_globe_that_turns(exported, chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--use-gl=swiftshader", "--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        # The exported notebook itself asks for scripts of the network, which the globe must not need.
        page.route("http*://**", lambda route: route.abort())
        page.goto(exported.as_uri())
        frame = page.frame_locator('iframe[title="map by dosnes"]')
        frame.locator("canvas").first.wait_for()
        assert "In a notebook" in frame.locator("body").inner_text()
        element = page.locator('iframe[title="map by dosnes"]')
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        # The first pictures of the page may still be moving.
        still = element.screenshot()
        for _ in range(50):
            page.wait_for_timeout(200)
            again = element.screenshot()
            if again == still:
                break
            still = again
        else:
            pytest.fail("the globe moves by itself")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 120, y + 30, steps=8)
        page.mouse.up()
        turned = element.screenshot()
        browser.close()
    assert turned != still, "the globe did not turn"
    assert problems == []
