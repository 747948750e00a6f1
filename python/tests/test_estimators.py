"""The estimators: their attributes, their inputs, and what they promise."""

import pickle
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import dosnes
from dosnes import DOSNES, TSNE
from dosnes._watching import threads_of


@pytest.fixture(scope="module")
def globe(clusters):
    return DOSNES(perplexity=10).fit(clusters)


def test_a_globe_has_its_attributes(globe, clusters):
    assert globe.embedding_.shape == (150, 3)
    assert np.allclose(np.linalg.norm(globe.embedding_, axis=1), globe.radius_)
    assert globe.lonlat_.shape == (150, 2)
    assert np.abs(globe.lonlat_[:, 1]).max() <= 90
    assert 0 < globe.kl_divergence_ < 10
    assert globe.n_iter_ > 10 and globe.converged_
    assert globe.n_features_in_ == 6
    assert len(globe.left_out_) == 0
    assert list(globe.get_feature_names_out()) == ["dosnes0", "dosnes1", "dosnes2"]


def test_the_similarities_are_doubly_stochastic(globe):
    p = globe.affinity_
    assert p.shape == (150, 150)
    assert np.allclose(p.sum(axis=0), 1) and np.allclose(p.sum(axis=1), 1)
    assert abs(p - p.T).max() < 1e-15
    assert globe.normalization_["cv_after"] < 1e-9


def test_clusters_stay_together(globe):
    y = globe.embedding_
    nearest = NearestNeighbors(n_neighbors=6).fit(y).kneighbors(y, return_distance=False)[:, 1:]
    assert (nearest // 50 == np.arange(150)[:, None] // 50).mean() > 0.98


def test_tsne_is_in_the_plane_or_in_space(clusters):
    assert TSNE(perplexity=10).fit_transform(clusters).shape == (150, 2)
    space = TSNE(3, perplexity=10).fit(clusters)
    assert space.embedding_.shape == (150, 3) and space.radius_ is None


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(globe, clusters):
    for jobs in (1, 2, 5):
        again = DOSNES(perplexity=10, n_jobs=jobs).fit_transform(clusters)
        assert again.tobytes() == globe.embedding_.tobytes()


def test_seeds_are_numbers_generators_or_none(clusters):
    fit = lambda seed: DOSNES(init="random", random_state=seed, max_iter=5).fit_transform(clusters)
    assert not np.array_equal(fit(0), fit(1))
    assert np.array_equal(fit(np.random.default_rng(4)), fit(np.random.default_rng(4)))
    assert np.array_equal(fit(np.random.RandomState(4)), fit(np.random.RandomState(4)))
    assert not np.array_equal(fit(None), fit(None))


def test_inputs_with_the_same_numbers_give_the_same_map(globe, clusters):
    names = [f"gene {k}" for k in range(6)]
    pandas_frame = pandas.DataFrame(clusters, columns=names)
    for same in (
        clusters.astype(np.float64),
        np.asfortranarray(clusters),
        clusters[::-1][::-1],
        clusters.tolist(),
        pandas_frame,
        polars.DataFrame(clusters, schema=names),
    ):
        assert np.array_equal(DOSNES(perplexity=10).fit_transform(same), globe.embedding_)
    assert list(DOSNES(max_iter=1).fit(pandas_frame).feature_names_in_) == names


def test_sparse_points_give_a_map_in_every_format():
    rng = np.random.default_rng(0)
    dense = rng.poisson(0.4, size=(80, 30)).astype(np.float64) + np.eye(80, 30)
    maps = [
        DOSNES(perplexity=8, metric="cosine").fit_transform(form(dense))
        for form in (
            scipy.sparse.csr_array,
            scipy.sparse.csc_matrix,
            scipy.sparse.coo_array,
            scipy.sparse.bsr_array,
            scipy.sparse.lil_array,
            scipy.sparse.dok_array,
            long_indices,
        )
    ]
    assert maps[0].shape == (80, 3)
    assert all(np.array_equal(maps[0], other) for other in maps[1:])


def long_indices(dense):
    sparse = scipy.sparse.csr_array(dense)
    sparse.indices, sparse.indptr = sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    for part in (sparse.indices, sparse.indptr, sparse.data):
        part.setflags(write=False)
    return sparse


def test_unusual_arrays_give_the_map_of_their_numbers(tmp_path):
    # Whole numbers are the same in every type.
    points = np.random.default_rng(2).integers(-9, 9, size=(60, 5))
    expected = DOSNES(max_iter=20).fit_transform(points.astype(np.float64))
    unaligned = np.zeros(points.size * 8 + 1, np.uint8)[1:].view(np.float64).reshape(points.shape)
    unaligned[:] = points
    assert not unaligned.flags.aligned
    np.save(tmp_path / "points.npy", points.astype(np.float32))
    for same in (
        points,
        points.astype(np.int8),
        points.astype(np.float16),
        points.astype(">f8"),
        points.astype(">f4"),
        points.astype(np.longdouble),
        points.astype(object),
        points[::-1].astype(np.float32)[::-1],
        np.ma.array(points),
        unaligned,
        np.load(tmp_path / "points.npy", mmap_mode="r"),
        pandas.DataFrame(points).convert_dtypes(),
        pandas.DataFrame(points).astype("category").astype(float),
        pandas.DataFrame(points, index=[0] * 60),
    ):
        assert np.array_equal(DOSNES(max_iter=20).fit_transform(same), expected)


def test_unsorted_and_repeated_entries_of_a_sparse_matrix_are_put_in_order():
    rows, columns = [0, 0, 1, 2, 0], [2, 1, 0, 0, 2]
    messy = scipy.sparse.csr_array((np.ones(5), np.array([2, 1, 2, 0, 0]), np.array([0, 3, 4, 5])), shape=(3, 3))
    tidy = scipy.sparse.coo_array((np.ones(5), (rows, columns)), shape=(3, 3)).tocsr()
    before = messy.indices.copy()
    fit = lambda x: DOSNES(affinity="precomputed").fit_transform(x)
    assert np.array_equal(fit(messy), fit(tidy))
    assert np.array_equal(messy.indices, before), "the input must not change"


def test_precomputed_distances_similarities_and_neighbours(clusters):
    distances = pairwise_distances(clusters.astype(np.float64))
    by_distances = DOSNES(perplexity=10, metric="precomputed").fit_transform(distances)
    assert by_distances.shape == (150, 3)
    found = NearestNeighbors(n_neighbors=31).fit(clusters).kneighbors(clusters)
    by_neighbours = DOSNES(perplexity=10, precomputed_knn=(found[1], found[0])).fit_transform(clusters)
    without_points = DOSNES(perplexity=10, precomputed_knn=(found[1], found[0])).fit_transform(None)
    assert np.array_equal(without_points, by_neighbours)
    of_points = DOSNES(perplexity=10).fit_transform(clusters)
    angles = lambda y: (y @ y.T) / np.linalg.norm(y, axis=1)[:, None] ** 2
    for other in (by_distances, by_neighbours):
        assert np.corrcoef(angles(other).ravel(), angles(of_points).ravel())[0, 1] > 0.99
    similarities = np.exp(-(distances**2) / 20)
    globe = DOSNES(affinity="precomputed").fit(similarities)
    assert np.allclose(globe.affinity_.sum(axis=1), 1)


def test_items_without_similarities_have_nan_and_a_warning():
    ring = scipy.sparse.csr_array(np.roll(np.eye(8), 1, axis=1))
    alone = scipy.sparse.block_diag([ring, np.zeros((2, 2))], format="csr")
    with pytest.warns(UserWarning, match="2 of 10 items have no similarity") as caught:
        globe = DOSNES(affinity="graph").fit(alone)
    assert caught[0].filename == __file__, "the warning must point to the line of the caller"
    assert list(globe.left_out_) == [8, 9]
    assert np.isnan(globe.embedding_[8:]).all() and np.isfinite(globe.embedding_[:8]).all()


def test_frames_come_out_if_asked_for(clusters):
    frame = (
        DOSNES(max_iter=2)
        .set_output(transform="pandas")
        .fit_transform(pandas.DataFrame(clusters, index=range(50, 200)))
    )
    assert list(frame.columns) == ["dosnes0", "dosnes1", "dosnes2"] and frame.index[0] == 50
    frame = TSNE(max_iter=2).set_output(transform="polars").fit_transform(clusters)
    assert frame.columns == ["tsne0", "tsne1"] and frame.shape == (150, 2)


def test_it_works_in_a_pipeline_and_can_be_cloned(clusters):
    pipeline = make_pipeline(StandardScaler(), DOSNES(perplexity=10, max_iter=3))
    assert pipeline.fit_transform(clusters).shape == (150, 3)
    assert clone(DOSNES(perplexity=7)).get_params()["perplexity"] == 7


def test_options_are_searched_with_several_processes(clusters):
    classes = np.repeat([0, 1, 2], 50)
    steps = [("map", DOSNES(max_iter=30)), ("class", KNeighborsClassifier())]
    search = GridSearchCV(Pipeline(steps), {"map__perplexity": [5, 10]}, cv=3, n_jobs=2, error_score="raise")
    assert search.fit(clusters, classes).best_score_ > 0.9
    for backend in ("loky", "threading"):
        maps = joblib.Parallel(n_jobs=2, backend=backend)(
            joblib.delayed(DOSNES(perplexity=10).fit_transform)(clusters) for _ in range(3)
        )
        assert all(np.array_equal(one, maps[0]) for one in maps)


def test_negative_numbers_of_threads_are_those_of_joblib():
    cores = joblib.cpu_count()
    assert [threads_of(jobs) for jobs in (None, -1, 3)] == [0, 0, 3]
    assert threads_of(-2) == max(cores - 1, 1) and threads_of(-1000) == 1


def test_pickles_of_the_map_alone_are_small(clusters):
    globe = DOSNES(perplexity=10, keep_model=False).fit(clusters)
    pickled = pickle.dumps(globe)
    assert len(pickled) < globe.embedding_.nbytes + 4000
    again = pickle.loads(pickled)
    assert np.array_equal(again.embedding_, globe.embedding_) and again.kl_divergence_ == globe.kl_divergence_
    with pytest.raises(AttributeError, match="not part of a pickle"):
        again.affinity_
    assert globe.affinity_.nnz > 0


def test_the_library_gets_the_numbers_themselves_and_not_a_copy(clusters):
    for points in (clusters, clusters.astype(np.float64), np.asfortranarray(clusters), clusters[::2, ::2]):
        given, _, _ = DOSNES()._prepare(points)
        assert np.shares_memory(given, points) and given.dtype == points.dtype
    sparse = scipy.sparse.csr_array(np.eye(9) + np.roll(np.eye(9), 1, axis=1))
    (_, _, columns, values), _, _ = DOSNES(affinity="precomputed")._prepare(sparse)
    assert np.shares_memory(columns, sparse.indices) and np.shares_memory(values, sparse.data)


def test_the_input_does_not_change_and_may_be_read_only(clusters):
    points = clusters.copy()
    points.setflags(write=False)
    DOSNES(max_iter=2).fit(points)
    assert np.array_equal(points, clusters)


def test_callbacks_see_the_map_and_can_stop_it(clusters):
    seen = []

    def callback(iteration, error, embedding):
        seen.append((iteration, error, embedding.shape))
        return iteration >= 20

    globe = DOSNES(perplexity=10, callbacks=callback, callbacks_every_iters=10).fit(clusters)
    assert [iteration for iteration, _, _ in seen] == [10, 20]
    assert seen[0][2] == (150, 3)
    assert globe.n_iter_ == 20 and not globe.converged_


def test_an_exception_in_a_callback_is_raised(clusters):
    def callback(iteration, error, embedding):
        raise LookupError("in the callback")

    with pytest.raises(LookupError, match="in the callback"):
        DOSNES(callbacks=[callback], callbacks_every_iters=1).fit(clusters)


def test_progress_is_shown_on_the_standard_error(clusters, capfd):
    DOSNES(verbose=1, perplexity=10).fit(clusters)
    shown = capfd.readouterr()
    assert "embedding" in shown.err and shown.out == ""


def test_other_threads_run_meanwhile():
    points = np.random.default_rng(0).normal(size=(3000, 10)).astype(np.float32)
    ticks = 0
    done = threading.Event()

    def count():
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    started = time.monotonic()
    DOSNES(n_jobs=1, max_iter=200).fit(points)
    seconds = time.monotonic() - started
    done.set()
    thread.join()
    # With the lock held, there would be a handful.
    assert ticks > 5 * seconds


def test_it_works_after_a_fork():
    script = """
import multiprocessing, numpy as np
from dosnes import DOSNES
x = np.random.default_rng(0).normal(size=(100, 4))
def run(seed):
    return DOSNES(max_iter=5, random_state=seed).fit_transform(x).shape
run(0)
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(run, range(3)))
"""
    out = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert out.stdout.strip() == "[(100, 3), (100, 3), (100, 3)]"


def test_importing_is_quick_and_imports_nothing_heavy():
    script = "import time; t = time.perf_counter(); import dosnes; s = time.perf_counter() - t; import sys; print(s, *[m for m in ('numpy', 'scipy', 'sklearn', 'pandas') if m in sys.modules])"
    best, heavy = 1.0, []
    for _ in range(5):
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
        best, heavy = min(best, float(out[0])), out[1:]
    assert best < 0.15 and heavy == []


def test_the_names_of_the_module_are_listed():
    assert set(dosnes.__all__) <= set(dir(dosnes)) and "DOSNES" in dir(dosnes)
    with pytest.raises(AttributeError, match="no attribute 'UMAP'"):
        dosnes.UMAP
