"""One iteration of scikit-learn's Barnes-Hut repulsion on a map on the sphere, at several radii: `barnes_hut.py MAP.npy RADIUS…`.

One thread, θ = 0.5. Prints a line of JSON: for each radius the CPU time in milliseconds of the faster of two runs, and the
relative L2 error of the tangential forces on a thousand points against exact sums.
"""

import json
import sys
import time

import numpy as np
from sklearn.manifold import _barnes_hut_tsne

SAMPLE = 1_000
THETA = 0.5


def exact(y, at):
    """Σ_j q² (y_i − y_j) for the points i in `at`."""
    forces = np.empty((len(at), 3))
    for row, i in enumerate(at):
        d = y[i] - y
        q = 1 / (1 + np.square(d).sum(axis=1))
        forces[row] = np.square(q) @ d
    return forces


def barnes_hut(y):
    """The gradient of a map with zero similarities, which is the repulsion only, and its CPU time in milliseconds."""
    n = len(y)
    y = np.ascontiguousarray(y, dtype=np.float32)
    gradient = np.zeros((n, 3), dtype=np.float32)
    similarities = np.zeros(n, dtype=np.float32)
    neighbors, starts = (np.arange(n) + 1) % n, np.arange(n + 1)
    fastest = np.inf
    for _ in range(2):
        started = time.process_time()
        _barnes_hut_tsne.gradient(
            similarities, y, neighbors, starts, gradient, THETA, 3, 0, dof=1, compute_error=False, num_threads=1
        )
        fastest = min(fastest, time.process_time() - started)
    return gradient.astype(float), 1000 * fastest


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    u = np.load(sys.argv[1]).astype(float)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    at = np.random.default_rng(0).choice(len(u), min(SAMPLE, len(u)), replace=False)

    def tangential(forces):
        return forces - (forces * u[at]).sum(axis=1, keepdims=True) * u[at]

    results = {}
    for r in map(float, sys.argv[2:]):
        gradient, milliseconds = barnes_hut(r * u)
        true, found = tangential(exact(r * u, at)), tangential(-gradient[at])
        # The gradient has an additional factor 4/Z: the best factor is used.
        found *= (found * true).sum() / np.square(found).sum()
        results[f"{r:g}"] = {"ms": milliseconds, "error": float(np.linalg.norm(found - true) / np.linalg.norm(true))}
    print(json.dumps(results))


if __name__ == "__main__":
    main()
