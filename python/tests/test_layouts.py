"""Layouts for NetworkX and igraph, and projections of the sphere."""

import igraph
import networkx
import numpy as np
import pytest

import dosnes


def test_a_layout_of_networkx_is_on_the_unit_sphere_or_on_a_map():
    graph = networkx.relabel_nodes(networkx.karate_club_graph(), str)
    globe = dosnes.networkx_layout(graph, seed=3, store_pos_as="where")
    assert list(globe) == list(graph)
    assert np.allclose([np.linalg.norm(position) for position in globe.values()], 1)
    assert np.array_equal(graph.nodes["0"]["where"], globe["0"])
    flat = dosnes.networkx_layout(graph, dim=2, seed=3, scale=10)
    assert np.abs(np.array(list(flat.values()))[:, 0]).max() <= 27.1
    networkx.draw_networkx_edges(graph, flat)


def test_small_and_disconnected_graphs_have_a_layout():
    assert dosnes.networkx_layout(networkx.empty_graph(0)) == {}
    for graph in (
        networkx.empty_graph(1),
        networkx.empty_graph(5),
        networkx.path_graph(2),
        networkx.Graph([(0, 1), (1, 2), (5, 5)]),
    ):
        for dim in (2, 3):
            pos = dosnes.networkx_layout(graph, dim=dim)
            assert set(pos) == set(graph) and np.isfinite(np.array(list(pos.values()))).all()


def test_the_layout_keeps_communities_together():
    graph = networkx.planted_partition_graph(4, 20, 0.4, 0.01, seed=1)
    pos = np.array(list(dosnes.networkx_layout(graph, preset="layout").values()))
    nearest = np.argsort(-(pos @ pos.T), axis=1)[:, 1:6]
    assert (nearest // 20 == np.arange(80)[:, None] // 20).mean() > 0.9


def test_igraph_has_a_layout_of_its_own_kind():
    graph = igraph.Graph.Famous("Zachary")
    layout = dosnes.igraph_layout(graph, dim=2, seed=1)
    assert isinstance(layout, igraph.Layout) and layout.dim == 2 and len(layout) == 34
    same = dosnes.networkx_layout(graph.to_networkx(), dim=2, seed=1)
    assert np.allclose(layout.coords, list(same.values()))
    with pytest.raises(ValueError, match="dim is 4"):
        dosnes.igraph_layout(graph, dim=4)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: dosnes.networkx_layout(networkx.path_graph(3), dim="2"), ValueError, "dim is '2', but it must be 3"),
        (lambda: dosnes.networkx_layout(networkx.path_graph(3), scale="big"), TypeError, "scale must be a number"),
        (lambda: dosnes.networkx_layout(np.ones((3, 2))), ValueError, r"square, n × n, but its shape is \(3, 2\)"),
        (lambda: dosnes.networkx_layout(np.array([[0, np.nan], [np.nan, 0]])), ValueError, "row 0, column 1"),
        (lambda: dosnes.networkx_layout(np.array([[0, -1, 1], [-1, 0, 1], [1, 1, 0]])), ValueError, "is -1"),
        (lambda: dosnes.networkx_layout(np.ones((3, 3)), store_pos_as="pos"), TypeError, "needs a graph of NetworkX"),
    ],
)
def test_a_bad_argument_is_explained(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_equal_area_maps_have_equal_areas():
    # As many of the evenly spread points are in each part of the map as its area says.
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40_000, 3))
    for projection in ("equal-earth", "mollweide"):
        x, y, _ = dosnes._projections.project(points, projection, (20.0, 40.0)).T
        inner = np.abs(x) < 0.5
        share = (inner & (np.abs(y) < 0.5)).mean()
        assert share == pytest.approx(1 / (4 * np.pi), rel=0.05), projection


def test_the_cut_goes_where_few_points_are():
    rng = np.random.default_rng(0)
    # Around longitude 180, where the cut of a map with the centre 0 is.
    points = np.array([-1.0, 0.0, 0.0]) + rng.normal(scale=0.2, size=(500, 3))
    flat = dosnes.equal_area(points)
    assert np.ptp(flat[:, 0]) < 3 and np.ptp(dosnes.equal_area(points, (0.0, 0.0))[:, 0]) > 4
    with pytest.raises(ValueError, match="three coordinates"):
        dosnes.equal_area(points[:, :2])
    with pytest.raises(TypeError, match="longitude and latitude"):
        dosnes.equal_area(points, 5)


def test_longitudes_and_latitudes_are_those_of_the_command(program, tmp_path):
    import subprocess

    import pandas

    np.savetxt(
        tmp_path / "x.csv", np.random.default_rng(0).normal(size=(50, 3)), delimiter=",", header="a,b,c", comments=""
    )
    subprocess.run([program, "embed", "x.csv", "-q", "-o", "map.csv"], check=True, cwd=tmp_path)
    table = pandas.read_csv(tmp_path / "map.csv")
    assert np.allclose(dosnes.lonlat(table[["x", "y", "z"]]), table[["lon", "lat"]])
