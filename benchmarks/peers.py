"""Runs one other program on one input, as its users would: `peers.py METHOD INPUT.npy OUTPUT.npy`.

Prints one line of JSON with the method's own measures of its result. Every method uses its defaults, except for the number
of threads, which is always two.
"""

import json
import sys

import numpy as np

THREADS = 2


def opentsne(x):
    import openTSNE

    embedding = openTSNE.TSNE(n_jobs=THREADS, random_state=0, negative_gradient_method="fft").fit(x)
    return np.asarray(embedding), {"kl": float(embedding.kl_divergence)}


def scikit_learn(x):
    from sklearn.manifold import TSNE

    tsne = TSNE(n_jobs=THREADS, random_state=0)
    return tsne.fit_transform(x), {"kl": float(tsne.kl_divergence_)}


def umap_plane(x):
    import umap

    return umap.UMAP(n_jobs=THREADS).fit_transform(x), {}


def umap_sphere(x):
    import umap

    angles = umap.UMAP(n_jobs=THREADS, output_metric="haversine").fit_transform(x)
    theta, phi = angles[:, 0], angles[:, 1]
    return np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=1), {}


def pacmap_plane(x):
    import pacmap

    return pacmap.PaCMAP(random_state=0).fit_transform(x), {}


def original(x):
    """The paper's algorithm over all pairs in NumPy, as in the authors' code, with entropic affinities."""
    from scipy.sparse import csr_matrix
    import openTSNE

    p = openTSNE.affinity.PerplexityBasedNN(x, perplexity=30, n_jobs=THREADS).P
    p = csr_matrix(p).toarray()
    for _ in range(100):
        u = p.sum(axis=1)
        p /= np.sqrt(u[:, None] * u[None, :])
    p /= p.sum()
    n = len(p)
    generator = np.random.default_rng(0)
    y = generator.normal(size=(n, 3)) * 1e-4
    velocity, gains = np.zeros_like(y), np.ones_like(y)
    rate = n / 4
    for step in range(1000):
        q = 1 / (1 + np.square(y[:, None, :] - y[None, :, :]).sum(axis=2))
        np.fill_diagonal(q, 0)
        z = q.sum()
        w = (p * (4 if step < 100 else 1) - q / z) * q
        gradient = w.sum(axis=1)[:, None] * y - w @ y
        gains = np.where((gradient > 0) == (velocity > 0), np.maximum(gains * 0.8, 0.01), gains + 0.2)
        velocity = (0.5 if step < 250 else 0.8) * velocity - rate * gains * gradient
        y += velocity
        y -= y.mean(axis=0)
        lengths = np.linalg.norm(y, axis=1)
        y *= (lengths.mean() / lengths)[:, None]
    q = 1 / (1 + np.square(y[:, None, :] - y[None, :, :]).sum(axis=2))
    np.fill_diagonal(q, 0)
    stored = p > 0
    kl = float((p[stored] * np.log(p[stored] / q[stored])).sum() + np.log(q.sum()))
    return y, {"kl": kl}


METHODS = {
    "openTSNE": opentsne,
    "scikit-learn": scikit_learn,
    "UMAP": umap_plane,
    "UMAP-sphere": umap_sphere,
    "PaCMAP": pacmap_plane,
    "original": original,
}

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in METHODS:
        sys.exit(__doc__ + "METHOD is one of " + ", ".join(METHODS))
    coordinates, measures = METHODS[sys.argv[1]](np.load(sys.argv[2]))
    np.save(sys.argv[3], np.asarray(coordinates, dtype=np.float64))
    print(json.dumps(measures))
