"""Reference values for normalisation, objective and the paper's optimizer: by scikit-learn, or by plain dense NumPy
transcriptions of the paper's formulas that are independent of the Rust code.

Run in this folder: python make_method.py   (NumPy, scikit-learn)
"""
import json
import numpy as np
import sklearn
from scipy.spatial.distance import squareform
from sklearn.manifold._t_sne import _kl_divergence

rng = np.random.default_rng(20190801)
out = {"made_with": f"numpy {np.__version__}, scikit-learn {sklearn.__version__}"}


def random_similarity(n, density, spread):
    """Symmetric, zero diagonal, weights over several orders of magnitude."""
    s = np.exp(spread * rng.standard_normal((n, n))) * (rng.random((n, n)) < density)
    s = np.triu(s, 1)
    ring = np.arange(n)
    s[ring[:-1], ring[1:]] += 0.1
    s[0, n - 1] += 0.1
    return s + s.T


def triplets(m):
    i, j = np.nonzero(m)
    return [[int(a), int(b), float(m[a, b])] for a, b in zip(i, j)]


# Sinkhorn-Knopp as the paper prints it: P <- u^(-1/2) P u^(-1/2) on the full matrix.
s = random_similarity(20, 0.6, 2.0)
p = s.copy()
for _ in range(200_000):
    u = p.sum(axis=1)
    if np.abs(u - 1).max() < 1e-14:
        break
    p = p / np.sqrt(u[:, None] * u[None, :])
out["sinkhorn"] = {"n": 20, "similarity": triplets(s), "scaled": triplets(p)}

# The two-step walk, equations (3) and (4), with loops over the full matrix.
b = rng.integers(0, 4, (12, 9)) * (rng.random((12, 9)) < 0.4)
b[np.arange(12), rng.integers(0, 9, 12)] += 1
b = b.astype(float)
a = b / b.sum(axis=1, keepdims=True)
walk = np.zeros((12, 12))
for i in range(12):
    for j in range(12):
        for k in range(9):
            if a[:, k].sum() > 0:
                walk[i, j] += a[i, k] * a[j, k] / a[:, k].sum()
np.fill_diagonal(walk, 0.0)
out["walk"] = {"rows": 12, "columns": 9, "incidence": triplets(b), "without_diagonal": triplets(walk)}

# KL and its gradient: scikit-learn's for the Cauchy kernel, a plain transcription for the Gaussian.
p = random_similarity(15, 0.5, 1.0)
p /= p.sum()
cases = []
for d in (2, 3):
    y = rng.standard_normal((15, d))
    kl, gradient = _kl_divergence(y.ravel(), squareform(p, checks=False), 1, 15, d)
    cases.append({"kernel": "cauchy", "y": y.tolist(), "kl": float(kl), "gradient": gradient.reshape(15, d).tolist()})
    difference = y[:, None, :] - y[None, :, :]
    q = np.exp(-(difference**2).sum(axis=2))
    np.fill_diagonal(q, 0.0)
    q /= q.sum()
    on = p > 0
    kl = (p[on] * np.log(p[on] / q[on])).sum()
    gradient = 4 * ((p - q)[:, :, None] * difference).sum(axis=1)
    cases.append({"kernel": "gaussian", "y": y.tolist(), "kl": float(kl), "gradient": gradient.tolist()})
out["objective"] = {"n": 15, "p": triplets(p), "cases": cases}

# The paper's algorithm: t-SNE's update in three coordinates, then centre, then everything to the mean radius.
n = 25
p = random_similarity(n, 0.5, 1.5)
for _ in range(100_000):
    u = p.sum(axis=1)
    p = p / np.sqrt(u[:, None] * u[None, :])
    if np.abs(u - 1).max() < 1e-15:
        break
out_p = p.copy()
p = p / p.sum()
y = 1e-4 * rng.standard_normal((n, 3))
start = y.copy()
radius = np.linalg.norm(y, axis=1).mean()
y = y / np.linalg.norm(y, axis=1, keepdims=True) * radius
increment = np.zeros((n, 3))
gains = np.ones((n, 3))
# Without the gradient's factor 4 this is n / exaggeration.
learning_rate = n / 4 / 4
steps = []
for iteration in range(50):
    difference = y[:, None, :] - y[None, :, :]
    kernel = 1 / (1 + (difference**2).sum(axis=2))
    np.fill_diagonal(kernel, 0.0)
    q = kernel / kernel.sum()
    exaggerated = 4 * p
    gradient = 4 * (((exaggerated - q) * kernel)[:, :, None] * difference).sum(axis=1)
    same = (gradient > 0) == (increment > 0)
    gains = np.maximum(np.where(same, gains * 0.8, gains + 0.2), 0.01)
    increment = 0.5 * increment - learning_rate * gains * gradient
    y = y + increment
    y = y - y.mean(axis=0)
    lengths = np.linalg.norm(y, axis=1)
    y = y / lengths[:, None] * lengths.mean()
    steps.append(y.tolist())
out["paper"] = {"n": n, "p": triplets(out_p), "start": start.tolist(), "steps": steps}

with open("method.json", "w") as f:
    json.dump(out, f)
