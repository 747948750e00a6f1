"""The notebooks: executed, exported by nbconvert, and their globes turned in a real Chromium."""

import html

import executing
import nbformat
import numpy as np
import pytest
from browser import at_rest, open_browser, turn
from conftest import executed
from nbconvert import HTMLExporter

import dosnes


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.mark.parametrize("name", executing.NAMES)
def test_a_notebook_runs_and_its_globe_turns(name, browser, tmp_path):
    notebook = executed(name)
    contents, _ = HTMLExporter().from_notebook_node(notebook)
    exported = tmp_path / "notebook.html"
    exported.write_text(contents)
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


# Where a notebook puts the output of a cell, which these programs show in a frame of their own: what the frame may do, and the policy
# of its contents, which the frame of the globe inherits. VS Code has this policy with its strictest setting.
FRAMES = {
    "vscode": (
        "allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-downloads",
        "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src https: http: data:; "
        "font-src https:; connect-src https:; child-src https: data:",
    ),
    "colab": ("allow-downloads allow-forms allow-pointer-lock allow-popups allow-same-origin allow-scripts", ""),
    "another origin": ("allow-scripts", ""),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_globe_turns_in_the_frames_of_other_programs(name, browser, tmp_path):
    sandbox, policy = FRAMES[name]
    points = np.random.default_rng(0).normal(size=(60, 3))
    images = np.random.default_rng(0).random((60, 5, 5))
    globe = dosnes.show(dosnes.DOSNES(perplexity=5).fit(points), color=points[:, 0], images=images, height=500)
    rules = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    cell = f"<!doctype html><html><head>{rules}</head><body>{globe._repr_html_()}</body></html>"
    outer = f'<!doctype html><iframe sandbox="{sandbox}" srcdoc="{html.escape(cell, quote=True)}" width=900 height=560></iframe>'
    (tmp_path / "cell.html").write_text(outer)
    problems, asked = [], []
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "cell.html").as_uri())
    element = page.locator("iframe").content_frame.locator('iframe[title="map by dosnes"]')
    element.content_frame.locator("canvas").first.wait_for()
    still = at_rest(page, element)
    turn(page, element)
    assert element.screenshot() != still, "the globe did not turn"
    assert problems == []
    assert all(url.startswith(("file:", "data:", "blob:", "about:")) for url in asked)
    page.close()
