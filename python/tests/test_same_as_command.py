"""The same input, options and seed give the same bytes as the command."""

import subprocess

import numpy as np
import pandas
import pytest
import scipy.io
import scipy.sparse

from dosnes import DOSNES, TSNE


def command(program, folder, data, *options):
    """The map that the command makes of a file."""
    out = folder / "map.npy"
    subprocess.run([program, "embed", data, "-q", "-o", out, *options], check=True)
    return np.load(out)


@pytest.fixture(scope="module")
def cloud():
    return np.random.default_rng(1).normal(size=(1200, 12)) * np.arange(1, 13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
def test_points(program, tmp_path, cloud, dtype):
    points = (100 * cloud).astype(dtype)
    np.save(tmp_path / "x.npy", points)
    theirs = command(program, tmp_path, tmp_path / "x.npy", "--seed", "7", "--perplexity", "20", "--as", "points")
    assert DOSNES(perplexity=20, random_state=7).fit_transform(points).tobytes() == theirs.tobytes()


def test_points_with_a_large_offset(program, tmp_path, cloud):
    points = cloud[:300] + 1.7e9
    np.save(tmp_path / "x.npy", points)
    theirs = command(program, tmp_path, tmp_path / "x.npy", "--as", "points")
    assert DOSNES().fit_transform(points).tobytes() == theirs.tobytes()


def test_wide_points_with_another_metric(program, tmp_path):
    points = np.random.default_rng(1).normal(size=(200, 150)).astype(np.float32)
    np.save(tmp_path / "x.npy", points)
    for metric in ("cosine", "euclidean"):
        theirs = command(program, tmp_path, tmp_path / "x.npy", "--metric", metric, "--as", "points")
        assert DOSNES(metric=metric).fit_transform(points).tobytes() == theirs.tobytes()


def test_tsne_in_the_plane_and_in_space(program, tmp_path, cloud):
    points = cloud[:200]
    np.save(tmp_path / "x.npy", points)
    for columns, space in ((2, "plane"), (3, "space")):
        options = ("--normalize", "none", "--space", space, "--iterations", "200", "--as", "points")
        theirs = command(program, tmp_path, tmp_path / "x.npy", *options)
        assert TSNE(columns, max_iter=200).fit_transform(points).tobytes() == theirs.tobytes()


def test_a_graph_by_its_edges(program, tmp_path):
    rng = np.random.default_rng(2)
    edges = pandas.DataFrame(
        {"source": rng.integers(0, 60, 400), "target": rng.integers(0, 60, 400), "weight": rng.integers(1, 9, 400)}
    )
    edges = edges[edges.source != edges.target].drop_duplicates(["source", "target"])
    edges.to_csv(tmp_path / "edges.csv", index=False)
    for options, parameters in (
        ((), {}),
        (("--preset", "layout"), {"preset": "layout"}),
        (("--steps", "1"), {"steps": 1}),
    ):
        theirs = command(program, tmp_path, tmp_path / "edges.csv", "--as", "graph", *options)
        ours = DOSNES(affinity="graph", **parameters).fit_transform(edges)
        assert ours.tobytes() == theirs.tobytes()


def test_similarities_distances_and_dyadic_data(program, tmp_path, cloud):
    points = cloud[:150, :3]
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    for name, data, options in (
        ("similarity", np.exp(-squared / 100), {"affinity": "precomputed"}),
        ("distance", np.sqrt(squared), {"metric": "precomputed"}),
        ("dyadic", np.random.default_rng(5).poisson(0.5, (90, 40)) + np.eye(90, 40), {"affinity": "dyadic"}),
    ):
        np.save(tmp_path / "x.npy", data)
        theirs = command(program, tmp_path, tmp_path / "x.npy", "--as", name)
        assert DOSNES(**options).fit_transform(data).tobytes() == theirs.tobytes(), name


def test_a_sparse_matrix(program, tmp_path):
    counts = scipy.sparse.random_array((300, 80), density=0.1, rng=np.random.default_rng(0), format="csr")
    counts = counts + scipy.sparse.eye_array(300, 80, format="csr")
    scipy.io.mmwrite(tmp_path / "x.mtx", scipy.sparse.coo_matrix(counts), precision=17)
    theirs = command(program, tmp_path, tmp_path / "x.mtx", "--as", "points")
    assert DOSNES().fit_transform(counts).tobytes() == theirs.tobytes()
