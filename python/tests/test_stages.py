"""The stages as functions, and the graphs of other packages."""

import igraph
import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import rustworkx
import scipy.sparse

import dosnes
from dosnes import DOSNES
from dosnes._graphs import adjacency


@pytest.fixture(scope="module")
def karate():
    return networkx.karate_club_graph()


def test_the_stages_one_by_one_give_the_map_of_the_estimator(clusters):
    similarities = dosnes.affinities(clusters, perplexity=10)
    p = dosnes.doubly_stochastic(similarities)
    globe = DOSNES(perplexity=10).fit(clusters)
    assert abs(p - globe.affinity_).max() < 1e-12
    # The radius of points is free; a matrix alone does not tell that it is of points.
    made = dosnes.embed(p, radius="free")
    assert made.space == "sphere" and made.converged
    assert made.kl_divergence == pytest.approx(globe.kl_divergence_, rel=1e-3)


def test_doubly_stochastic_is_symmetric_and_equal_on_every_graph(karate):
    star = networkx.star_graph(9)
    for graph in (karate, star, networkx.path_graph(7)):
        p = dosnes.doubly_stochastic(graph)
        assert isinstance(p, scipy.sparse.csr_array)
        assert np.allclose(p.sum(axis=0), 1) and abs(p - p.T).max() < 1e-15 and p.diagonal().max() == 0


def test_doubly_stochastic_takes_dense_sparse_and_dyadic_data():
    rng = np.random.default_rng(0)
    s = rng.random((20, 20))
    dense, sparse = dosnes.doubly_stochastic(s), dosnes.doubly_stochastic(scipy.sparse.csc_matrix(s))
    assert (dense != sparse).nnz == 0
    assert dosnes.doubly_stochastic(rng.poisson(1.0, (20, 8)) + 1.0, kind="dyadic").shape == (20, 20)


def test_embedding_p_continues_where_an_earlier_map_ended(clusters):
    p = dosnes.doubly_stochastic(dosnes.affinities(clusters, perplexity=10))
    first = dosnes.embed(p, space="plane", max_iter=250)
    again = dosnes.embed(p, space="plane", init=first.embedding, max_iter=20, early_exaggeration=1)
    assert first.embedding.shape == (150, 2) and again.n_iter == 20


def test_all_kinds_of_graphs_have_the_same_weights(karate):
    expected = networkx.to_scipy_sparse_array(karate, weight="weight", dtype=float)
    edges = [(a, b, w) for a, b, w in karate.edges(data="weight")]
    of_rustworkx = rustworkx.PyGraph()
    of_rustworkx.add_nodes_from(range(34))
    of_rustworkx.add_edges_from(edges)
    for graph in (karate, igraph.Graph.from_networkx(karate), of_rustworkx, expected):
        weights, nodes = adjacency(graph)
        assert abs(weights - expected).max() == 0 and len(nodes) == 34
    for frame in (
        pandas.DataFrame(edges, columns=["source", "target", "weight"]),
        polars.DataFrame(edges, schema=["from", "to", "weight"], orient="row"),
    ):
        weights, nodes = adjacency(frame)
        order = np.argsort(nodes)
        symmetric = (weights + weights.T).toarray()[np.ix_(order, order)]
        assert np.array_equal(symmetric, expected.toarray())


def test_directed_and_repeated_edges_and_missing_weights():
    graph = networkx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    weights, nodes = adjacency(graph)
    assert nodes == ["a", "b", "c"] and weights[0, 1] == 2 and weights[1, 0] == 0
    assert adjacency(networkx.Graph([("a", "b", {"weight": 3})]), weight=None)[0][0, 1] == 1
    digraph = rustworkx.PyDiGraph()
    digraph.add_nodes_from("abc")
    digraph.add_edge(0, 2, None)
    digraph.remove_node(1)
    weights, nodes = adjacency(digraph)
    assert nodes == [0, 2] and weights[0, 1] == 1 and weights[1, 0] == 0


def edges(**columns):
    return pandas.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"], **columns})


def test_frames_of_edges_are_read_as_other_programs_write_them(karate):
    for name in ("Weight", "value", "n"):
        weights, nodes = adjacency(edges(**{name: [1, 2, 3]}))
        assert nodes == ["a", "b", "c"] and weights[2, 0] == 3
    renamed = edges(weight=[1, 2, 3]).rename(columns={"source": "From ID", "target": "to_id"})
    # The ends are found by name wherever they are.
    for frame in (renamed, renamed[["weight", "to_id", "From ID"]], pyarrow.Table.from_pandas(renamed)):
        assert adjacency(frame)[0][1, 2] == 2
    nullable = edges(weight=pandas.array([1, 2, 3], dtype="Int64")).astype({"source": "category"})
    assert adjacency(nullable)[0][1, 2] == 2
    assert adjacency(edges(kind=["x", "y", "z"]))[0].sum() == 3
    with pytest.warns(UserWarning, match=r"all edges have the weight 1.*\['year'\].*rename") as caught:
        assert adjacency(edges(year=[1990, 1991, 1992]))[0].sum() == 3
    assert caught[0].filename == __file__, "the warning must point to the line of the caller"


def test_a_square_frame_is_a_matrix_and_no_list_of_edges(karate):
    matrix = networkx.to_pandas_adjacency(karate)
    weights, nodes = adjacency(matrix)
    assert nodes == list(karate) and abs(weights - networkx.to_scipy_sparse_array(karate)).max() == 0
    assert np.array_equal(DOSNES(affinity="graph").fit(matrix).embedding_, DOSNES().fit(karate).embedding_)
    assert adjacency(pandas.DataFrame([[5, 6], [6, 7]]))[1] == [5, 6, 7]


def test_similarities_of_a_graph_are_embedded_as_they_are(karate):
    of_graph, of_matrix = dosnes.embed(karate), dosnes.embed(networkx.to_scipy_sparse_array(karate))
    assert np.array_equal(of_graph.embedding, of_matrix.embedding)
    assert repr(of_graph).startswith("<dosnes.Map of 34 items in the space 'sphere': KL ")


def test_the_estimator_takes_graphs(karate):
    of_networkx = DOSNES().fit(karate)
    assert of_networkx.embedding_.shape == (34, 3) and of_networkx.n_features_in_ == 34
    of_igraph = DOSNES().fit(igraph.Graph.from_networkx(karate))
    assert np.array_equal(of_networkx.embedding_, of_igraph.embedding_)


def test_evaluate_knows_the_options_of_an_estimator(clusters):
    globe = DOSNES(perplexity=10).fit(clusters)
    classes = np.repeat(["a", "b", "c"], 50)
    measures = dosnes.evaluate(globe, clusters, classes=classes)
    assert float(measures["class_accuracy"]) > 0.95
    assert measures["kl"].value == pytest.approx(globe.kl_divergence_, rel=1e-6)
    assert measures["recall_10"].best == np.inf and measures["kl"].best is None
    by_array = dosnes.evaluate(globe.embedding_, clusters, perplexity=10, classes=[*classes[:-1], None])
    assert by_array["recall_10"].value == measures["recall_10"].value
    random = dosnes.evaluate(np.random.default_rng(0).normal(size=(150, 2)), clusters, perplexity=10)
    assert random["recall_10"].value < 0.3 < measures["recall_10"].value


def test_a_map_with_items_that_are_left_out_is_measured():
    graph = scipy.sparse.block_diag([np.roll(np.eye(30), 1, axis=1), np.zeros((1, 1))], format="csr")
    with pytest.warns(UserWarning):
        globe = DOSNES(affinity="graph").fit(graph)
    assert dosnes.evaluate(globe, graph)["recall_5"].value > 0.2


def test_compare_makes_and_measures_maps(clusters):
    found = dosnes.compare(clusters, ["dosnes", "tsne-2d", "mds-2d"], seeds=[1, 2], perplexity=10)
    assert [(run.method, run.seed) for run in found.runs] == [
        ("dosnes", 1),
        ("dosnes", 2),
        ("tsne-2d", 1),
        ("tsne-2d", 2),
        ("mds-2d", 1),
    ]
    table = found.to_pandas()
    assert list(table.columns) == ["DOSNES", "t-SNE 2D", "MDS 2D"] and "recall at 10" in table.index
    assert "stress" in found["mds-2d"].measures
    assert np.array_equal(
        found["tsne-2d"].embedding, dosnes.TSNE(perplexity=10, random_state=1).fit_transform(clusters)
    )


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda x: dosnes.doubly_stochastic("x"), TypeError, "not a text or the name of a file"),
        (lambda x: dosnes.doubly_stochastic(x, kind="points"), ValueError, '"similarity", "graph" or "dyadic"'),
        (lambda x: dosnes.doubly_stochastic(x), ValueError, "as many rows as columns"),
        (lambda x: dosnes.doubly_stochastic(np.eye(3) * 1j), TypeError, "must be numbers, not complex"),
        (lambda x: dosnes.embed(np.triu(np.ones((5, 5)))), ValueError, "not symmetric: row 0, column 1"),
        (lambda x: dosnes.embed(np.ones((5, 5)), space="torus"), ValueError, "use one of sphere, plane, space"),
        (lambda x: dosnes.affinities(x[0]), ValueError, "2-D array"),
        (lambda x: dosnes.affinities(x.astype(str)), TypeError, "encode texts"),
        (lambda x: dosnes.evaluate(DOSNES(), x), ValueError, "not fitted yet"),
        (lambda x: dosnes.evaluate(x[:9, :2], x), ValueError, "the map has 9 items, but 150 are needed"),
        (lambda x: dosnes.evaluate(x, x), ValueError, "two or three coordinates"),
        (lambda x: dosnes.evaluate("map.csv", x), TypeError, "not str"),
        (lambda x: dosnes.evaluate(x[:, :2], x, perplexitty=5), TypeError, "no option 'perplexitty'"),
        (lambda x: dosnes.evaluate(x[:, :2], x, classes=[1, 2]), ValueError, "classes has 2 items, but 150"),
        (lambda x: dosnes.compare(x, ["umap"]), ValueError, 'there is no method "umap"'),
        (lambda x: dosnes.compare(x, seeds=[]), ValueError, "at least one seed"),
        (lambda x: adjacency(7), TypeError, "not int"),
        (lambda x: adjacency(networkx.Graph([(0, 1, {"weight": "far"})])), TypeError, "from 0 to 1 is 'far'"),
        (
            lambda x: adjacency(networkx.Graph([("a", "b", {"weight": -1})])),
            ValueError,
            "from 'a' to 'b' is -1, but weights",
        ),
        (
            lambda x: adjacency(networkx.Graph([("a", "b", {"weight": np.nan})])),
            ValueError,
            "is nan, but weights must be",
        ),
        (lambda x: adjacency(pandas.DataFrame({"source": [1]})), ValueError, "needs two columns"),
        (lambda x: adjacency(edges(target=["b", None, "a"])), ValueError, "the edge in row 1 has no 'target'"),
        (lambda x: adjacency(edges(source=[1.0, 2.0, np.nan])), ValueError, "the edge in row 2 has no 'source'"),
        (lambda x: adjacency(edges(source=pandas.array([1, None, 2], dtype="Int64"))), ValueError, "row 1 has no"),
        (lambda x: adjacency(edges(weight=["1", "2", "3"])), TypeError, "in the column 'weight', must be numbers"),
        (lambda x: adjacency(edges(weight=[1, np.nan, 3])), ValueError, "the edge in row 1 is nan, but weights must"),
        (lambda x: adjacency(edges(count=[1, 2, -3])), ValueError, "the edge in row 2 is -3, but weights must"),
        (lambda x: dosnes.embed(x @ x.T, init=[["a"]]), TypeError, "init must be a text or an array of numbers"),
        (lambda x: dosnes.embed(x @ x.T, init=[0.0]), ValueError, "one row of coordinates for each item"),
    ],
)
def test_a_bad_argument_is_explained(clusters, call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call(clusters)


def test_numbers_in_objects_are_numbers_also_where_they_may_be_missing(clusters):
    frame = pandas.DataFrame(clusters).round(3)
    expected = dosnes.affinities(frame.to_numpy(np.float64), perplexity=10)
    assert abs(dosnes.affinities(frame.convert_dtypes(), perplexity=10) - expected).max() == 0
    missing = frame.convert_dtypes()
    missing.iloc[3, 1] = pandas.NA
    with pytest.raises(ValueError, match="row 3, column 1 is NaN"):
        dosnes.affinities(missing)


def test_classes_and_labels_may_be_missing_as_in_pandas(clusters):
    globe = DOSNES(perplexity=10, max_iter=40).fit(clusters)
    classes = pandas.array([pandas.NA, *range(1, len(clusters))], dtype="Int64") % 3
    assert 0 < float(dosnes.evaluate(globe, clusters, classes=classes)["class_accuracy"]) <= 1
    assert dosnes.show(globe, color=classes).html.startswith("<!doctype html>")
