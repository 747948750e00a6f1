"""The documentation as a site: it is built without a warning, its links lead somewhere, and its globes turn."""

import csv
import os
import re
import shutil
import subprocess
from html import unescape
from urllib.parse import unquote

import build
import pytest
from browser import at_rest, open_browser, turn
from conftest import ROOT, executed
from sklearn.datasets import load_iris

import dosnes


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    # A warning of Sphinx is an error here.
    return build.build(tmp_path_factory.mktemp("site"), executed)


def test_links_lead_somewhere_and_nothing_is_loaded_from_the_network(site):
    pages = [page for page in site.rglob("*.html") if page.parent.name != "pages"]
    assert len(pages) > 10
    for page in pages:
        # A page names its own parts in code, too.
        text = re.sub(r"<pre>.*?</pre>", "", page.read_text(), flags=re.S)
        assert not re.search(r'<(script|img|iframe|source)[^>]* src="(https?:)?//', text), page
        assert not re.search(r'<link[^>]* rel="(stylesheet|preload|icon)"[^>]* href="(https?:)?//', text), page
        for link in re.findall(r' (?:href|src)="([^"]*)"', text):
            address, _, part = unquote(unescape(link)).partition("#")
            if re.match(r"(https?|mailto|data):", address):
                continue
            goal = (page.parent / address.partition("?")[0]) if address else page
            assert goal.is_file(), f"{page.relative_to(site)}: {link}"
            assert not part or f'id="{part}"' in goal.read_text(), f"{page.relative_to(site)}: {link}"


def test_the_reference_has_all_public_names(site):
    text = (site / "api.html").read_text()
    for name in set(dosnes.__all__) - {"__version__"}:
        assert f'id="dosnes.{name}"' in text, name


def test_the_globes_of_the_gallery_turn(site):
    asked = []
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "gallery.html").as_uri())
        frames = page.locator("iframe")
        assert frames.count() == 5
        for place in range(frames.count()):
            element = frames.nth(place)
            element.scroll_into_view_if_needed()
            element.content_frame.get_by_role("application").first.wait_for()
        element = frames.nth(2)
        element.scroll_into_view_if_needed()
        still = at_rest(page, element)
        turn(page, element)
        assert element.screenshot() != still, "the globe did not turn"
    assert asked and all(url.startswith(("file:", "data:", "blob:")) for url in asked)


def test_the_commands_of_the_page_for_r_work(program, tmp_path):
    iris = load_iris()
    with (tmp_path / "iris.csv").open("w", newline="") as file:
        # Texts are quoted, as by write.csv.
        table = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        table.writerow(["id", "Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width", "Species"])
        for row, (x, kind) in enumerate(zip(iris.data, iris.target_names[iris.target], strict=True)):
            table.writerow([str(row + 1), *map(float, x), str(kind)])
    text = (ROOT / "docs/site/r.md").read_text()
    words = re.search(r'system2\("dosnes", c\("embed", "iris.csv", (.*?)\)\)', text).group(1)
    subprocess.run([program, "embed", "iris.csv", *re.findall(r'"(.*?)"', words)], check=True, cwd=tmp_path)
    assert (tmp_path / "iris.html").is_file()
    options = ["--perplexity", "30", "--seed", "7", "--as", "points", "-q", "-o", "globe.csv"]
    subprocess.run([program, "embed", "iris.csv", *options], check=True, cwd=tmp_path)
    with (tmp_path / "globe.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 150 and {"id", "x", "y", "z", "lat", "lon"} <= set(rows[0])


# What the page for R promises of its function.
OF_R = """
stopifnot(identical(rownames(globe), rownames(iris)), all(is.finite(globe$lon)), file.exists("iris.html"))
for (map in list(of_distances, of_similarities)) stopifnot(identical(rownames(map), rownames(iris)))
if (requireNamespace("Matrix", quietly = TRUE)) {
  sparse <- Matrix::Matrix(outer(1:40, 1:9, function(i, j) (i * j) %% 7), sparse = TRUE)
  unnamed <- dosnes(sparse)
  rownames(sparse) <- paste0("cell", 1:40)
  named <- dosnes(sparse)
  stopifnot(identical(rownames(unnamed), as.character(1:40)), identical(rownames(named), rownames(sparse)))
  stopifnot(identical(named$x, unnamed$x), nrow(dosnes(sparse, as = "dyadic")) == 40)
}
if (requireNamespace("igraph", quietly = TRUE)) {
  stopifnot(identical(rownames(dosnes(igraph::make_graph("Zachary"))), as.character(1:34)))
  alone <- dosnes(igraph::graph_from_literal(A-B, B-C, C-A, C-D, D-E, F))
  stopifnot(identical(rownames(alone), LETTERS[1:6]), identical(is.na(alone$x), LETTERS[1:6] == "F"))
}
"""


def test_the_page_for_r_runs_in_r(program, tmp_path):
    if shutil.which("Rscript") is None:
        pytest.skip("no R: install it (Debian: apt-get install r-base-core r-cran-matrix r-cran-igraph)")
    blocks = re.findall(r"```r\n(.*?)```", (ROOT / "docs/site/r.md").read_text(), re.S)
    assert len(blocks) == 3
    script = tmp_path / "page.R"
    # There is nobody to look at a browser.
    script.write_text("browseURL <- invisible\n" + "\n".join(blocks) + OF_R)
    environment = {**os.environ, "PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]])}
    run = subprocess.run(["Rscript", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
