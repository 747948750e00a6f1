"""A bad argument raises an exception with a sentence that helps, never a panic."""

import anndata
import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse

import dosnes
from dosnes import DOSNES, TSNE

X = np.random.default_rng(0).normal(size=(30, 4))
S = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
STAR = scipy.sparse.csr_array(networkx.to_scipy_sparse_array(networkx.star_graph(5)).astype(float))


def changed(row, column, value, x=X):
    x = np.array(x)
    x[row, column] = value
    return x


def fit(data=X, **options):
    return lambda: DOSNES(**options).fit(data)


CASES = [
    (fit(perplexity="thirty"), TypeError, "perplexity must be a number, not str"),
    (fit(perplexity=True), TypeError, "perplexity must be a number, not bool"),
    (fit(perplexity=50), ValueError, "too large for 30 items.*use perplexity=9.6 or less"),
    (fit(perplexity=0.5), ValueError, "perplexity is 0.5, but"),
    (fit(perplexity=float("nan")), ValueError, "perplexity is NaN, but"),
    (fit(n_neighbors=0), ValueError, "n_neighbors is 0, but it must be at least 1"),
    (fit(n_neighbors=-3), ValueError, "n_neighbors is -3, but it must not be negative"),
    (fit(n_neighbors=30), ValueError, "30 items allow at most 29"),
    (fit(metric="euclid"), ValueError, 'there is no metric "euclid"; use one of euclidean, cosine'),
    (fit(metric=2), TypeError, "metric must be a text, not int"),
    (fit(affinity="gaussian"), ValueError, 'there is no affinity "gaussian"'),
    (fit(pca=0), ValueError, "pca is 0, but it must be at least 1"),
    (fit(pca=5), ValueError, "5 principal components were asked for, but 30 × 4 data has at most 4"),
    (fit(pca="yes"), ValueError, 'use "auto", "none" or a number'),
    (fit(normalize="rowwise"), ValueError, 'there is no normalisation "rowwise"'),
    (fit(steps=0), ValueError, "steps is 0, but"),
    (fit(STAR, affinity="graph", strict=True), ValueError, "no exact doubly stochastic scaling exists.*strict=False"),
    (fit(softness=0.0), ValueError, "softness is 0, but it must be above 0"),
    (fit(preset="drawing"), ValueError, 'use "layout" or None'),
    (fit(preset="layout", radius="free"), ValueError, "sets radius itself"),
    (fit(radius="big"), ValueError, 'use "auto", "free" or the largest radius'),
    (fit(radius=0.1), ValueError, "radius is 0.1, but it must be at least 1"),
    (fit(kernel="student"), ValueError, "use one of cauchy, gaussian"),
    (fit(optimizer="adam"), ValueError, "use one of auto, both, paper"),
    (fit(method="fft"), ValueError, "method is fft, but the grid lies in the plane"),
    (fit(early_exaggeration=0.2), ValueError, "early_exaggeration is 0.2, but it must be at least 1"),
    (fit(early_exaggeration="much"), ValueError, 'use "auto" or a number'),
    (fit(learning_rate=-1), ValueError, "learning_rate is -1, but it must be above 0"),
    (fit(max_iter=2.5), TypeError, "max_iter must be a whole number, not float"),
    (fit(max_iter=-1), ValueError, "max_iter is -1, but it must not be negative"),
    (fit(init="pca"), ValueError, '"random", "spectral" or an array'),
    (fit(init=X), ValueError, "has 4 columns, but there are 3 coordinates"),
    (fit(init=X[:9, :3]), ValueError, "has 9 items, but 30 are needed"),
    (fit(random_state=-1), ValueError, "random_state is -1, but it must be at least 0"),
    (fit(random_state="seven"), TypeError, "random_state must be a whole number"),
    (fit(n_jobs=0), ValueError, "n_jobs is 0, but it must be from 1"),
    (fit(n_jobs="all"), TypeError, "n_jobs must be a whole number"),
    (fit(callbacks="print"), TypeError, "callbacks must be functions"),
    (fit(callbacks_every_iters=0), ValueError, "callbacks_every_iters is 0"),
    (fit(changed(3, 2, np.nan)), ValueError, "NaN"),
    (fit(X[:1]), ValueError, "minimum of 2"),
    (fit(changed(3, slice(None), 0.0), metric="cosine"), ValueError, "row 3.*cosine distance.*not defined"),
    (fit(X, metric="precomputed"), ValueError, r"square matrix of distances.*\(30, 4\)"),
    (fit(changed(2, 5, -1.0, S), metric="precomputed"), ValueError, "distance in row 2, column 5 is -1"),
    (fit(changed(2, 5, -1.0, S), affinity="precomputed"), ValueError, "similarity in row 2, column 5 is -1"),
    (fit(S, metric="precomputed", affinity="precomputed"), ValueError, "use one of them"),
    (fit(np.eye(5), affinity="precomputed"), ValueError, "only 0 of 5 items have a similarity"),
    (fit(precomputed_knn=5), TypeError, "pair of arrays"),
    (fit(precomputed_knn=(np.zeros((30, 2), int), np.zeros((30, 3)))), ValueError, "both must be n × k"),
    (fit(precomputed_knn=(np.full((30, 2), 99), np.ones((30, 2)))), ValueError, "names row 99"),
    (fit(precomputed_knn=(np.zeros((9, 2), int), np.ones((9, 2)))), ValueError, "9 rows, but the data have 30"),
    (
        fit(precomputed_knn=(np.ones((30, 2)), np.zeros((30, 2), int))),
        TypeError,
        "the other way round than scikit-learn",
    ),
    (fit("iris.csv"), TypeError, "not a text or the name of a file.*read the file first"),
    (fit(anndata.AnnData(X)), TypeError, "use dosnes.scanpy.tl.dosnes"),
    (fit(polars.DataFrame(X).lazy()), TypeError, "use X.collect"),
    (fit(np.ma.masked_greater(X, 1)), ValueError, "masked values.*fill them"),
    (
        fit(pandas.DataFrame({"a": [1, 2, 3], "kind": list("xyz")})),
        ValueError,
        r"\['kind'\] are not numbers.*affinity=",
    ),
    (fit(polars.DataFrame({"a": list("xyz"), "b": list("yzx")})), ValueError, r"\['a', 'b'\] are not numbers"),
    (lambda: TSNE(4).fit(X), ValueError, "n_components is 4"),
    (lambda: TSNE("2").fit(X), TypeError, "n_components must be 2 or 3, not str"),
    (lambda: TSNE(method="harmonic").fit(X), ValueError, "harmonics need the sphere"),
    (lambda: DOSNES().affinity_, Exception, "not fitted"),
    (fit(None), TypeError, "X is None"),
    (fit(row for row in X.tolist()), TypeError, "X is a generator, which can be read only once"),
    (fit({"a": [1, 2, 3]}), TypeError, "X is a dict; use a frame"),
    (fit(metric=lambda a, b: 1.0), TypeError, "metric must be a text, not function.*precomputed"),
    (fit(metric=None), TypeError, "metric must be a text, not NoneType"),
    (fit(np.array([[0, 1], [1, 2], [2, 0]]), affinity="graph"), ValueError, "for a list of edges, give a frame"),
    (lambda: dosnes.affinities(np.ma.masked_greater(X, 1)), ValueError, "masked values.*fill them"),
    (lambda: dosnes.embed("P.mtx"), TypeError, "not a text or the name of a file"),
    (lambda: dosnes.doubly_stochastic(scipy.sparse.coo_array(X[:, 0])), ValueError, "must have rows and columns"),
    (lambda: dosnes.save_model(DOSNES(), "map.dosnes"), ValueError, "this DOSNES is not fitted yet"),
    (lambda: dosnes.save_model(DOSNES(keep_model=False).fit(X), "map.dosnes"), ValueError, "keep_model is False"),
    (lambda: dosnes.networkx_layout(networkx.path_graph(4), weight=len), TypeError, "weight must be the name"),
    (lambda: dosnes.networkx_layout(networkx.path_graph(4), scale=np.nan), ValueError, "scale is nan"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), CASES, ids=[str(k) for k in range(len(CASES))])
def test_a_bad_argument_is_explained(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_there_are_thirty_and_more():
    assert len(CASES) >= 30
