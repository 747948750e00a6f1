"""The notebooks: executed, exported by nbconvert, and their globes turned in a real Chromium."""

import executing
import nbformat
import pytest
from browser import at_rest, open_browser, turn
from conftest import executed
from nbconvert import HTMLExporter


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.mark.parametrize("name", executing.NAMES)
def test_a_notebook_runs_and_its_globe_turns(name, browser, tmp_path):
    notebook = executed(name)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    exported = tmp_path / "notebook.html"
    exported.write_text(html)
    problems = []
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.on("pageerror", lambda error: problems.append(str(error)))
    # The exported notebook itself asks for scripts of the network, which the globe must not need.
    page.route("http*://**", lambda route: route.abort())
    page.goto(exported.as_uri())
    element = page.locator('iframe[title="map by dosnes"]').first
    element.scroll_into_view_if_needed()
    frame = element.content_frame
    frame.locator("canvas").first.wait_for()
    assert frame.locator("h1").inner_text() in str(notebook.cells)
    still = at_rest(page, element)
    turn(page, element)
    assert element.screenshot() != still, "the globe did not turn"
    assert problems == []
    page.close()


@pytest.mark.parametrize("name", executing.NAMES)
def test_notebooks_are_stored_without_results(name):
    for cell in nbformat.read(executing.FOLDER / f"{name}.ipynb", as_version=4).cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
