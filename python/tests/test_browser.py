"""The page inside of a notebook, executed and exported by nbconvert, opened and turned in a real Chromium."""

import nbformat
import pytest
from browser import at_rest, open_browser, turn
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

CELL = """
import numpy as np
import dosnes
points = np.random.default_rng(0).normal(size=(120, 4))
dosnes.show(dosnes.DOSNES(perplexity=8).fit(points), color=points[:, 0], title="In a notebook", height=500)
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A notebook that was executed and exported."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    ExecutePreprocessor(timeout=120).preprocess(notebook)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    path = tmp_path_factory.mktemp("notebook") / "notebook.html"
    path.write_text(html)
    return path


def test_an_exported_notebook_shows_a_globe_that_turns(exported):
    problems = []
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.on("pageerror", lambda error: problems.append(str(error)))
        # The exported notebook itself asks for scripts of the network, which the globe must not need.
        page.route("http*://**", lambda route: route.abort())
        page.goto(exported.as_uri())
        element = page.locator('iframe[title="map by dosnes"]')
        frame = element.content_frame
        frame.locator("canvas").first.wait_for()
        assert "In a notebook" in frame.locator("body").inner_text()
        element.scroll_into_view_if_needed()
        still = at_rest(page, element)
        turn(page, element)
        turned = element.screenshot()
    assert turned != still, "the globe did not turn"
    assert problems == []
