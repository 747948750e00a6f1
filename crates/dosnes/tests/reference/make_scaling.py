"""Reference values for classical scaling: scikit-learn's ClassicalMDS if it is available, otherwise an eigendecomposition
by NumPy, of Euclidean distances and of shortest paths over a graph (SciPy).

Run in this folder: python make_scaling.py   (NumPy, SciPy, scikit-learn)
"""
import json
import numpy as np
import scipy
from scipy.sparse.csgraph import shortest_path

rng = np.random.default_rng(19520101)
n = 30
x = rng.standard_normal((n, 5))
euclidean = np.sqrt(((x[:, None] - x[None]) ** 2).sum(axis=2))
s = np.triu((rng.random((n, n)) < 0.12) * rng.integers(1, 30, (n, n)), 1).astype(float)
s[np.arange(n - 1), np.arange(1, n)] += 2
s = s + s.T
off = s[s > 0]
largest = off.max()
lengths = np.where(s > 0, 1 - s / largest, 0)
lengths[s == largest] = lengths[(s > 0) & (s < largest)].min() / 2
paths = shortest_path(np.where(s > 0, lengths, 0), directed=False)


def classical(d, dimensions):
    centring = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ d**2 @ centring)
    y = vectors[:, ::-1][:, :dimensions] * np.sqrt(np.maximum(values[::-1][:dimensions], 0))
    return y * np.where(y[np.abs(y).argmax(axis=0), np.arange(dimensions)] < 0, -1, 1)


out = {"made_with": f"numpy {np.__version__}, scipy {scipy.__version__}", "n": n}
try:
    from sklearn.manifold import ClassicalMDS
    import sklearn

    out["made_with"] += f", scikit-learn {sklearn.__version__}"
    for d in (euclidean, paths):
        theirs = ClassicalMDS(n_components=3, metric="precomputed").fit_transform(d)
        ours = classical(d, 3)
        signs = np.sign((theirs * ours).sum(axis=0))
        assert np.abs(theirs * signs - ours).max() < 1e-9, "scikit-learn and NumPy disagree"
except ImportError:
    pass
out["similarity"] = [[int(i), int(j), float(s[i, j])] for i, j in zip(*np.nonzero(s))]
out["cases"] = [{"distances": d.tolist(), "y": classical(d, 3).tolist()} for d in (euclidean, paths)]
with open("scaling.json", "w") as f:
    json.dump(out, f)
