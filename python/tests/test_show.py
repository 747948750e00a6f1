"""Pages and figures."""

import html
import re

import matplotlib
import numpy as np
import pandas
import pytest

import dosnes

matplotlib.use("agg")


@pytest.fixture(scope="module")
def globe(clusters):
    return dosnes.DOSNES(perplexity=10).fit(clusters)


def test_a_page_is_one_file_without_network(globe, tmp_path):
    page = dosnes.show(
        globe, labels=[f"item {k}" for k in range(150)], color=np.repeat(["a", "b", "c"], 50), title="Three & more"
    )
    written = page.save_html(tmp_path / "globe.html")
    text = written.read_text()
    assert text == page.html and text.startswith("<!doctype html>")
    assert "Three &amp; more" in text
    assert not re.search(r'(src|href)="https?:', text)
    assert list(tmp_path.iterdir()) == [written], "no other file is left"


def test_a_notebook_shows_the_page_in_a_frame(globe):
    page = dosnes.show(globe, height=300)
    frame = page._repr_html_()
    inner = re.search(r'srcdoc="([^"]*)"', frame).group(1)
    assert html.unescape(inner) == page.html and "height: 300px" in frame
    assert "in a notebook it shows itself" in repr(page)


def test_several_maps_are_side_by_side(globe, clusters):
    flat = dosnes.TSNE(perplexity=10).fit(clusters)
    one, two = dosnes.show(globe), dosnes.show({"sphere": globe, "plane": flat})
    assert len(two.html) > len(one.html)
    assert dosnes.show([globe, flat]).html.count("TSNE") >= 1
    compared = dosnes.compare(clusters, perplexity=10)
    assert "t-SNE 2D" in dosnes.show(compared).html


def test_columns_images_and_repeated_labels(globe):
    frame = pandas.DataFrame({"type": pandas.Categorical(["x", "y", None] * 50), "size": np.arange(150)})
    images = np.random.default_rng(0).random((150, 4, 4))
    page = dosnes.show(globe, labels=["same"] * 150, data=frame, color="type", images=images)
    assert '"type"' in page.html and '"label"' in page.html
    assert dosnes.show(globe, images=(255 * images).astype(np.uint8)).html
    assert dosnes.show(globe, images=np.zeros((150, 4, 4, 3), np.uint8)).html


def test_items_without_a_position_are_left_out(clusters):
    array = dosnes.TSNE(perplexity=10).fit_transform(clusters)
    array[3] = np.nan
    assert dosnes.show(array, labels=[f"name {k}" for k in range(150)]).html


def test_figures_in_every_projection(globe, clusters):
    for projection in ("equal-earth", "mollweide", "equirectangular", "globe"):
        ax = dosnes.plot(globe, color=clusters[:, 0], projection=projection)
        offsets = ax.collections[0].get_offsets()
        assert len(offsets) == 150 and np.isfinite(offsets).all()
        matplotlib.pyplot.close(ax.figure)
    ax = dosnes.plot(
        dosnes.TSNE(perplexity=10, max_iter=5).fit(clusters),
        color=np.repeat(["a", "b", "c"], 50),
        labels=["first"] + [""] * 149,
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b", "c"]
    assert [text.get_text() for text in ax.texts] == ["first"]


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda g: dosnes.show("globe.csv"), TypeError, "not str"),
        (lambda g: dosnes.show([]), ValueError, "map"),
        (lambda g: dosnes.show({}), ValueError, "no map to show"),
        (lambda g: dosnes.show([g, np.zeros((9, 2))]), ValueError, "has 9 items, but the first one has 150"),
        (lambda g: dosnes.show(g, labels=["a"]), ValueError, "labels must have one value for each of the 150"),
        (lambda g: dosnes.show(g, color="type"), ValueError, "no such column"),
        (lambda g: dosnes.show(g, color=[1, 2]), ValueError, "color must have one value"),
        (lambda g: dosnes.show(g, data=[1, 2]), TypeError, "a frame or a dict"),
        (lambda g: dosnes.show(g, images=np.zeros((3, 4, 4))), ValueError, "images must be 150 × height × width"),
        (lambda g: dosnes.show(np.full((5, 2), np.nan)), ValueError, "no item has finite coordinates"),
        (lambda g: dosnes.plot(g, projection="mercator"), ValueError, "use one of equal-earth"),
        (lambda g: dosnes.plot(g, color=[1]), ValueError, "one value for each of the 150"),
        (lambda g: dosnes.plot(g, labels=["a"]), ValueError, "one text for each"),
        (lambda g: dosnes.plot(np.random.default_rng(0).normal(size=(9, 3))), ValueError, "no projection"),
    ],
)
def test_a_bad_argument_is_explained(globe, call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call(globe)
