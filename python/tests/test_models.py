"""New items on old maps, models and their files, maps that grow, and the rotation between two maps."""

import pickle
import subprocess

import igraph
import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

import dosnes
from dosnes import DOSNES


@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(5)
    centres = rng.normal(scale=6, size=(4, 6))
    return (centres[np.arange(260) % 4] + rng.normal(size=(260, 6))).astype(np.float32)


@pytest.fixture(scope="module")
def globe(cloud):
    return DOSNES(perplexity=12, random_state=3).fit(cloud[:220])


def degrees(a, b):
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


def test_new_points_come_to_their_own_clusters(globe, cloud):
    placed = globe.transform(cloud[220:])
    assert placed.shape == (40, 3) and np.allclose(np.linalg.norm(placed, axis=1), globe.radius_)
    nearest = np.argmax(placed @ globe.embedding_.T, axis=1)
    assert np.array_equal(nearest % 4, np.arange(220, 260) % 4)


def test_own_points_return_to_their_places(globe, cloud):
    assert np.median(degrees(globe.transform(cloud[:220]), globe.embedding_)) < 0.05


def test_a_place_does_not_depend_on_the_other_new_points(globe, cloud):
    together = globe.transform(cloud[220:])
    assert np.array_equal(globe.transform(cloud[220:][::-1]), together[::-1])
    assert np.array_equal(globe.transform(cloud[230:231]), together[10:11])


def test_the_misfit_tells_what_the_map_has_never_seen(globe, cloud):
    placed = globe.model_.transform(np.concatenate([cloud[220:], cloud[:5] + 100]))
    assert placed.misfit[:40].mean() < 0.8 and placed.misfit[40:].min() > 0.99
    assert placed.ids[:2] == ["0", "1"]


def test_the_model_is_the_file_of_the_command(program, tmp_path, cloud, globe):
    np.save(tmp_path / "old.npy", cloud[:220])
    np.save(tmp_path / "new.npy", cloud[220:])
    run = lambda *arguments: subprocess.run([program, *arguments, "-q"], check=True, cwd=tmp_path)
    options = ("--as", "points", "--perplexity", "12", "--seed", "3")
    run("embed", "old.npy", *options, "--model", "theirs.dosnes", "-o", "old.csv")
    dosnes.save_model(globe, tmp_path / "ours.dosnes")
    assert (tmp_path / "ours.dosnes").read_bytes() == (tmp_path / "theirs.dosnes").read_bytes()
    run("transform", "ours.dosnes", "new.npy", "--as", "points", "-o", "placed.npy")
    model = dosnes.load_model(tmp_path / "theirs.dosnes")
    assert model == globe.model_
    assert model.transform(cloud[220:]).embedding.tobytes() == np.load(tmp_path / "placed.npy").tobytes()
    (tmp_path / "new.csv").write_text("".join(f"n{row},{','.join(map(str, x))}\n" for row, x in enumerate(cloud[220:])))
    run("grow", "ours.dosnes", "new.csv", "--as", "points", "--model", "larger.dosnes")
    model.grow(cloud[220:], ids=[f"n{row}" for row in range(40)]).save(tmp_path / "grown.dosnes")
    assert (tmp_path / "grown.dosnes").read_bytes() == (tmp_path / "larger.dosnes").read_bytes()


def test_a_frame_gives_the_model_names(program, tmp_path, cloud):
    frame = pandas.DataFrame(cloud[:120], columns=list("abcdef"), index=[f"item {row}" for row in range(120)])
    frame.to_csv(tmp_path / "frame.csv", index_label="id")
    command = [program, "embed", tmp_path / "frame.csv", "--as", "points", "-q", "-o", tmp_path / "map.csv"]
    subprocess.run([*command, "--model", tmp_path / "theirs.dosnes"], check=True)
    globe = DOSNES().fit(frame)
    assert globe.model_.ids[:2] == ["item 0", "item 1"] and globe.model_.feature_names == list("abcdef")
    assert dosnes.load_model(tmp_path / "theirs.dosnes") == globe.model_
    new = pandas.DataFrame(cloud[120:130], columns=list("abcdef"), index=[f"new {row}" for row in range(10)])
    expected = globe.transform(new)
    # A model finds its columns by name.
    placed = globe.model_.transform(new[list("fedcba")].assign(other=1))
    assert np.array_equal(placed.embedding, expected) and placed.ids[0] == "new 0"
    assert np.array_equal(globe.model_.transform(polars.from_pandas(new)).embedding, expected)
    assert globe.model_.grow(new).ids[-1] == "new 9"
    with pytest.raises(ValueError, match="missing in X, such as 'f'"):
        globe.model_.transform(new[list("abcde")])


def test_a_map_grows_and_the_old_items_stay(globe, cloud):
    strange = np.random.default_rng(0).normal(size=(30, 6)).astype(np.float32) + 40
    model = globe.model_
    for generation in (cloud[220:], strange):
        larger = model.grow(generation)
        assert larger.embedding[: len(model)].tobytes() == model.embedding.tobytes()
        model = larger
    assert len(model) == 290 and model.growth == (2, 70) and model.ids[-1] == "289"
    # A group that the map has never seen is a group on it.
    assert degrees(*np.broadcast_arrays(model.embedding[-30:], model.embedding[-30:].mean(axis=0))).max() < 60


def test_the_map_of_a_graph_grows_as_that_of_the_command(program, tmp_path):
    graph = networkx.karate_club_graph()
    graph.remove_nodes_from([8, 19, 30])
    model = DOSNES(random_state=0).fit(networkx.relabel_nodes(graph, str)).model_
    whole = networkx.relabel_nodes(networkx.karate_club_graph(), str)
    whole.add_edge("alone", "too")
    with pytest.warns(UserWarning, match="2 new nodes are left out.*'alone'"):
        larger = model.grow(whole)
    assert len(larger) == 34 and set(larger.ids[31:]) == {"8", "19", "30"}
    assert larger.embedding[:31].tobytes() == model.embedding.tobytes()
    model.save(tmp_path / "old.dosnes")
    networkx.write_graphml(whole, tmp_path / "whole.graphml")
    command = [program, "grow", "old.dosnes", "whole.graphml", "--model", "new.dosnes", "-q"]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert dosnes.load_model(tmp_path / "new.dosnes") == larger


def test_a_pickle_has_the_model_but_not_the_similarities(globe, cloud):
    pickled = pickle.dumps(globe)
    rows = 2 * cloud[:220].size
    assert len(pickled) < 2 * globe.embedding_.nbytes + rows + 24 * 220 + 4000
    again = pickle.loads(pickled)
    assert np.array_equal(again.transform(cloud[220:]), globe.transform(cloud[220:]))
    assert pickle.loads(pickle.dumps(globe.model_)) == globe.model_


def test_sparse_points(cloud):
    points = scipy.sparse.csr_array(np.where(abs(cloud) > 3, cloud, 0))
    globe = DOSNES(perplexity=12).fit(points[:220])
    dense = DOSNES(perplexity=12).fit(points[:220].toarray())
    assert np.median(degrees(globe.transform(points[220:]), dense.transform(points[220:].toarray()))) < 1e-3


def test_old_items_may_move_as_with_the_command(program, tmp_path, cloud, globe):
    globe.model_.save(tmp_path / "old.dosnes")
    (tmp_path / "new.csv").write_text("".join(f"n{row},{','.join(map(str, x))}\n" for row, x in enumerate(cloud[220:])))
    command = [program, "grow", "old.dosnes", "new.csv", "--as", "points", "--free", "--model", "larger.dosnes", "-q"]
    subprocess.run(command, check=True, cwd=tmp_path)
    larger = globe.model_.grow(cloud[220:], ids=[f"n{row}" for row in range(40)], free=True)
    assert larger == dosnes.load_model(tmp_path / "larger.dosnes")
    moved = dosnes.align(globe.embedding_, larger.embedding[:220]).moved
    assert 0 < np.median(moved) < 10


def write_map(path, names, coordinates):
    x, y, z = np.asarray(coordinates).T
    pandas.DataFrame({"id": names, "x": x, "y": y, "z": z}).to_csv(path, index=False)


def test_a_map_like_an_earlier_one_is_that_of_the_command(program, tmp_path, cloud):
    frame = pandas.DataFrame(cloud, columns=list("abcdef"), index=[f"item {row}" for row in range(260)])
    old = DOSNES(perplexity=12).fit(frame[:220])
    write_map(tmp_path / "old.csv", old.model_.ids, old.embedding_)
    frame.to_csv(tmp_path / "new.csv", index_label="id")
    options = ("--as", "points", "--perplexity", "12", "--seed", "1", "--like", "old.csv", "-q")
    command = [program, "embed", "new.csv", *options, "-o", "map.npy", "--model", "map.dosnes"]
    subprocess.run(command, check=True, cwd=tmp_path)
    theirs = np.load(tmp_path / "map.npy")
    known = np.full((260, 3), np.nan)
    known[:220] = old.embedding_
    for like in (old, old.model_, known):
        new = DOSNES(perplexity=12, random_state=1, like=like).fit(frame)
        assert new.embedding_.tobytes() == theirs.tobytes()
        assert new.model_ == dosnes.load_model(tmp_path / "map.dosnes")
        assert np.isnan(new.moved_[220:]).all() and np.median(new.moved_[:220]) < 10


def test_fixed_items_stay_as_with_the_command(program, tmp_path, cloud):
    places = {"3": (1.0, 2.0, -1.0), "40": (0.0, -3.0, 1.0), "77": (-2.0, 0.5, 0.5)}
    write_map(tmp_path / "places.csv", list(places), list(places.values()))
    np.save(tmp_path / "x.npy", cloud)
    options = ("--as", "points", "--perplexity", "12", "--fix", "places.csv", "-q", "-o", "map.npy")
    subprocess.run([program, "embed", "x.npy", *options], check=True, cwd=tmp_path)
    theirs = np.load(tmp_path / "map.npy")
    array = np.full((260, 3), np.nan)
    for row, place in places.items():
        array[int(row)] = place
    for fixed in (places, {int(row): place for row, place in places.items()}, array):
        globe = DOSNES(perplexity=12, fixed=fixed).fit(cloud)
        assert globe.embedding_.tobytes() == theirs.tobytes()
    assert degrees(globe.embedding_[[3, 40, 77]], np.array(list(places.values()))).max() < 1e-5
    lonlat = DOSNES(perplexity=12, fixed={3: (10, 20), 40: (-100, 60)}, max_iter=30).fit(cloud).lonlat_
    assert np.allclose(lonlat[[3, 40]], [(10, 20), (-100, 60)])


@pytest.mark.parametrize("sparse", [False, True])
def test_landmarks_are_those_of_the_command(program, tmp_path, cloud, sparse):
    np.save(tmp_path / "x.npy", cloud)
    options = ("--as", "points", "--perplexity", "12", "--landmarks", "90", "-q", "--model", "map.dosnes")
    subprocess.run([program, "embed", "x.npy", *options, "-o", "map.csv", "-o", "map.npy"], check=True, cwd=tmp_path)
    table = pandas.read_csv(tmp_path / "map.csv")
    given = scipy.sparse.csr_array(cloud) if sparse else cloud
    globe = DOSNES(perplexity=12, landmarks=90).fit(given)
    assert len(globe.landmarks_) == 90 == len(globe.model_)
    assert np.array_equal(np.flatnonzero(np.isnan(globe.misfit_)), globe.landmarks_)
    if not sparse:
        assert np.array_equal(np.flatnonzero(table["part"] == "landmark"), globe.landmarks_)
        assert np.allclose(globe.misfit_, table["misfit"], equal_nan=True)
        assert globe.model_ == dosnes.load_model(tmp_path / "map.dosnes")
        assert globe.embedding_.tobytes() == np.load(tmp_path / "map.npy").tobytes()
    # The others are in their clusters.
    rest = np.setdiff1d(np.arange(260), globe.landmarks_)
    nearest = globe.landmarks_[np.argmax(globe.embedding_[rest] @ globe.embedding_[globe.landmarks_].T, axis=1)]
    assert np.mean(nearest % 4 == rest % 4) > 0.97


@pytest.fixture(scope="module")
def caves():
    return networkx.connected_caveman_graph(8, 8)


@pytest.mark.parametrize("kind", ["networkx", "igraph", "frame"])
def test_new_nodes_of_a_graph(caves, kind):
    newcomers = caves.copy()
    newcomers.add_edges_from((f"new {cave}", 8 * cave + node) for cave in (2, 5) for node in range(4))
    newcomers.add_edge("alone", "too")

    def given(graph):
        if kind == "networkx":
            return graph
        if kind == "igraph":
            converted = igraph.Graph.from_networkx(graph)
            converted.vs["name"] = [str(name) for name in converted.vs["_nx_name"]]
            return converted
        return pandas.DataFrame([(str(a), str(b)) for a, b in graph.edges], columns=["source", "target"])

    globe = DOSNES(affinity="graph").fit(given(caves))
    with pytest.warns(UserWarning, match="2 of 4 new items have no link"):
        placed = globe.model_.transform(given(newcomers))
    assert [name for name in placed.ids if name.startswith("new")] == ["new 2", "new 5"]
    for name, place in zip(placed.ids, placed.embedding, strict=True):
        if name.startswith("new"):
            nearest = globe.model_.ids[int(np.argmax(globe.embedding_ @ place))]
            assert int(nearest) // 8 == int(name.split()[1])
        else:
            assert np.isnan(place).all()
    with pytest.raises(ValueError, match="all nodes of this graph are on the map"):
        globe.transform(given(caves))


def test_new_rows_of_similarities_and_dyadic_data(caves):
    weights = networkx.to_scipy_sparse_array(caves, dtype=float)
    alone = scipy.sparse.block_diag([weights, np.zeros((1, 1))], format="csr")
    links = np.zeros((2, 65))
    links[0, 16:20] = links[1, 40:44] = 1
    with pytest.warns(UserWarning, match="1 of 65 items"):
        of_graph = DOSNES(affinity="graph").fit(alone)
    for globe, new in (
        (of_graph, links),
        (of_graph, scipy.sparse.csc_array(links)),
        (DOSNES(affinity="precomputed").fit(weights), links[:, :64]),
        (DOSNES(affinity="dyadic").fit(weights), links[:, :64]),
    ):
        nearest = np.nanargmax(globe.transform(new) @ globe.embedding_.T, axis=1)
        assert (nearest // 8).tolist() == [2, 5]


def test_maps_are_aligned(globe):
    quarter = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, -1]])
    turned = 2 * globe.embedding_ @ quarter.T
    found = dosnes.align(globe, turned)
    assert found.mirrored and np.allclose(found.rotation, quarter.T) and found.moved.max() < 1e-6
    assert np.allclose(found.embedding, 2 * globe.embedding_)
    assert np.array_equal(found.apply(turned), found.embedding)
    # By name, with items that are on one of the maps only, and without a place.
    turned[7] = np.nan
    names = np.arange(220)
    some = dosnes.align(globe.embedding_[20:], turned[:200], ids=(names[20:], names[:200]))
    assert np.isnan(some.moved[:20]).all() and some.moved[20:].max() < 1e-6
    assert "rotated and mirrored" in repr(some)


def test_models_are_aligned_by_their_names(cloud, tmp_path, program):
    frame = pandas.DataFrame(cloud, index=[f"item {row}" for row in range(260)])
    old = DOSNES(perplexity=12).fit(frame[:220]).model_
    new = DOSNES(perplexity=12, random_state=1).fit(frame[:39:-1]).model_
    found = dosnes.align(old, new)
    assert np.isfinite(found.moved).sum() == 180 and found.embedding.shape == (220, 3)
    for name, model in (("old", old), ("new", new)):
        x, y, z = model.embedding.T
        pandas.DataFrame({"id": model.ids, "x": x, "y": y, "z": z}).to_csv(tmp_path / f"{name}.csv", index=False)
    subprocess.run([program, "align", "old.csv", "new.csv", "-o", "aligned.npy", "-q"], check=True, cwd=tmp_path)
    assert np.allclose(np.load(tmp_path / "aligned.npy"), found.embedding, rtol=0, atol=1e-9 * new.radius)


def test_models_are_shown_and_measured(globe, cloud):
    assert "<!doctype html>" in dosnes.show(globe.model_).html
    assert dosnes.evaluate(globe.model_, cloud[:220], perplexity=12)["recall_10"].value > 0.3
    assert repr(globe.model_) == "<dosnes.Model of 220 items, made of points>"
    assert globe.model_.lonlat.shape == (220, 2) and globe.model_.n_features_in == 6


NO_MODEL = [
    ({"keep_model": False}, "keep_model is False"),
    ({"affinity": "neighbor-graph"}, 'needs affinity="entropic"'),
    ({"metric": "jaccard"}, 'metric="jaccard"'),
    ({"normalize": "rows"}, 'use normalize="auto"'),
    ({"callbacks": lambda *_: True, "callbacks_every_iters": 1}, "a callback stopped the run"),
]


@pytest.mark.parametrize(("options", "reason"), NO_MODEL)
def test_a_map_without_a_model_says_why(cloud, options, reason):
    globe = DOSNES(perplexity=12, max_iter=5, **options).fit(np.abs(cloud))
    with pytest.raises(ValueError, match=reason):
        globe.transform(cloud)
    with pytest.raises(AttributeError, match=reason):
        globe.model_


def test_a_map_of_distances_has_no_model(caves):
    distances = networkx.floyd_warshall_numpy(caves)
    with pytest.raises(ValueError, match="a map of distances keeps none"):
        DOSNES(metric="precomputed").fit(distances).transform(distances)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda g, x: DOSNES().transform(x), Exception, "not fitted"),
        (lambda g, x: g.transform(x[:, :5]), ValueError, "X has 5 features, but DOSNES is expecting 6"),
        (lambda g, x: g.model_.transform(x[:, :5]), ValueError, "have 5 columns, but those of the map have 6"),
        (lambda g, x: g.model_.transform(x * np.nan), ValueError, "row 0"),
        (lambda g, x: g.model_.transform(x[0]), ValueError, "2-D array"),
        (lambda g, x: g.model_.grow(x[:2], ids=["a"]), ValueError, "ids has 1 names, but there are 2 new items"),
        (lambda g, x: g.model_.grow(x[:2], ids=["0", "a"]), ValueError, "used already, such as '0'"),
        (lambda g, x: g.model_.grow(x[:2], ids=["a", "a"]), ValueError, "used already, such as 'a'"),
        (lambda g, x: DOSNES(keep_model="yes").fit(x), TypeError, "keep_model must be True or False"),
        (
            lambda g, x: DOSNES().fit(networkx.path_graph(20)).model_.grow(networkx.path_graph(9)),
            ValueError,
            "no new nodes that are connected with the map",
        ),
        (lambda g, x: g.model_.grow(x[:2], free="yes"), TypeError, "free must be True or False"),
        (lambda g, x: DOSNES(like=g, init="random").fit(x), ValueError, "like and init both say"),
        (lambda g, x: DOSNES(like=g, fixed={0: (1, 2)}).fit(x), ValueError, "use one of both"),
        (lambda g, x: DOSNES(like=x[:, :2]).fit(x), ValueError, "like is not a map on a sphere"),
        (lambda g, x: DOSNES(like=g.embedding_).fit(x), ValueError, "like has 220 items, but the data have 260"),
        (
            lambda g, x: DOSNES(like=g.model_).fit(pandas.DataFrame(x, index=[f"a{k}" for k in range(260)])),
            Exception,
            "0 items in common",
        ),
        (lambda g, x: DOSNES(fixed={"x": (1, 2)}).fit(x), ValueError, "not in the data, such as 'x'"),
        (lambda g, x: DOSNES(fixed={0: (0, 0, 0)}).fit(x), ValueError, "at the centre"),
        (lambda g, x: DOSNES(fixed={0: 5}).fit(x), ValueError, "longitude and latitude in degrees, or x, y and z"),
        (lambda g, x: DOSNES(fixed="north").fit(x), TypeError, "a dictionary of directions"),
        (lambda g, x: DOSNES(fixed=x[:5, :3]).fit(x), ValueError, "a row for each of the 260 items"),
        (lambda g, x: DOSNES(fixed={0: (1, 2)}, optimizer="paper").fit(x), ValueError, "moves all items"),
        (lambda g, x: DOSNES(landmarks=2.5).fit(x), TypeError, "landmarks must be a whole number"),
        (lambda g, x: DOSNES(landmarks=260).fit(x), ValueError, "less than the 260 items"),
        (lambda g, x: DOSNES(landmarks=9, like=g).fit(x), ValueError, "like cannot be combined with landmarks"),
        (lambda g, x: DOSNES(landmarks=9).fit(networkx.path_graph(20)), ValueError, "for points only"),
        (lambda g, x: DOSNES(landmarks=90, affinity="neighbor-graph").fit(x), ValueError, "landmarks need a model"),
        (lambda g, x: dosnes.load_model("nothing.dosnes"), FileNotFoundError, "nothing.dosnes"),
        (lambda g, x: dosnes.load_model(__file__), ValueError, "test_models.py"),
        (lambda g, x: dosnes.save_model(g, "map.csv"), ValueError, ".dosnes"),
        (lambda g, x: dosnes.save_model(x, "map.dosnes"), TypeError, "not ndarray"),
        (lambda g, x: dosnes.align(g, x[:, :2]), ValueError, "the new map is not on a sphere"),
        (lambda g, x: dosnes.align(g, g.embedding_[:9]), ValueError, "220 items and the new one 9.*ids="),
        (lambda g, x: dosnes.align(g, g, ids=("ab", "cd")), ValueError, "ids must be a pair: 220 names"),
        (lambda g, x: dosnes.align(g.embedding_[:2], g.embedding_[:2]), ValueError, "2 items in common"),
    ],
)
def test_a_bad_argument_is_explained(globe, cloud, call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call(globe, cloud)


def test_columns_of_every_kind_of_frame_are_found_by_name(cloud):
    names = list("abcdef")
    model = DOSNES(perplexity=12, max_iter=60).fit(pandas.DataFrame(cloud[:220], columns=names)).model_
    expected = model.transform(cloud[220:]).embedding
    turned = pandas.DataFrame(cloud[220:], columns=names)[names[::-1]]
    for frame in (turned, polars.from_pandas(turned), pyarrow.Table.from_pandas(turned)):
        assert np.array_equal(model.transform(frame).embedding, expected)


def test_new_items_among_few_wide_rows_come_to_their_class():
    # 120 rows of six classes in 400 columns, mostly noise, which the principal components of 120 rows follow.
    rng = np.random.default_rng(2)
    centres = rng.normal(scale=0.2, size=(6, 400))
    rows = centres[np.arange(420) % 6] + rng.normal(size=(420, 400))
    globe = DOSNES(perplexity=10).fit(rows[:120])
    votes = np.argsort(-globe.transform(rows[120:]) @ globe.embedding_.T, axis=1)[:, :9] % 6
    right = [np.bincount(row).argmax() == at % 6 for at, row in enumerate(votes, start=120)]
    # 0.39 if new scores are compared with the scores of the map's own rows as they are.
    assert np.mean(right) > 0.45
    assert np.allclose(globe.transform(rows[:120]), globe.embedding_)
