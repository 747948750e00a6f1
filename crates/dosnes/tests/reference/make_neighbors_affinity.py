"""Reference values for neighbours, entropic affinities and principal components, from SciPy, openTSNE and scikit-learn.

Run it in an environment with these packages. It writes the CSV files to its own folder; their first line contains the versions.
"""

from pathlib import Path

import numpy as np
import openTSNE
import scipy
import scipy.sparse
import sklearn
from openTSNE import _tsne
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.manifold._t_sne import _joint_probabilities_nn

HERE = Path(__file__).parent
VERSIONS = f"# numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, openTSNE {openTSNE.__version__}"
PERPLEXITY = 5.0
NEIGHBORS = 15
COMPONENTS = 3


def write(name, header, rows):
    lines = [VERSIONS, "# " + header]
    lines += [",".join(v if isinstance(v, str) else repr(v.item() if hasattr(v, "item") else v) for v in row) for row in rows]
    (HERE / name).write_text("\n".join(lines) + "\n")


def nearest(distances):
    """Nearest first, ties by index, without the item itself, by distances in single precision."""
    rows = []
    for i, row in enumerate(distances.astype(np.float32)):
        order = [j for j in np.lexsort((np.arange(len(row)), row)) if j != i]
        rows.append(order[:NEIGHBORS])
    return np.array(rows)


def symmetric_entropic(costs, perplexity):
    """By definition: among all symmetric P with row sums 1 and row entropies ≥ ln(perplexity), the one with the smallest cost."""
    n = len(costs)
    upper = np.triu_indices(n, 1)

    def matrix(values):
        p = np.zeros((n, n))
        p[upper] = values
        return p + p.T

    def entropies(values):
        p = matrix(values)
        return -(p * np.log(np.where(p > 0, p, 1))).sum(axis=1)

    scale = costs.mean()
    solution = minimize(
        lambda values: (matrix(values) * costs).sum() / scale,
        np.full(len(upper[0]), 1 / (n - 1)),
        method="SLSQP",
        bounds=[(1e-12, 1)] * len(upper[0]),
        constraints=[
            {"type": "eq", "fun": lambda values: matrix(values).sum(axis=1) - 1},
            {"type": "ineq", "fun": lambda values: entropies(values) - np.log(perplexity)},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return matrix(solution.x)


def main():
    random = np.random.default_rng(20190128)
    centres = random.normal(scale=3, size=(4, 6))
    points = centres[random.integers(4, size=60)] + random.normal(size=(60, 6)) * [2, 1, 1, 0.5, 0.3, 0.1]
    points[random.random(points.shape) < 0.2] = 0  # for hamming and jaccard
    points[7] = points[3]  # a duplicate
    points = np.round(points, 3).astype(np.float32)
    write("neighbors_points.csv", "60 points of 6 coordinates", points.astype(np.float64).round(3))

    x = points.astype(np.float64)
    rows = []
    for metric, name in [("euclidean",) * 2, ("cosine",) * 2, ("correlation",) * 2, ("cityblock", "manhattan"), ("hamming",) * 2, ("jaccard",) * 2]:
        distances = cdist(x != 0, x != 0, metric) if metric == "jaccard" else cdist(x, x, metric)
        rows += [(name, i, *distances[i, nearest(distances)[i]]) for i in range(0, 60, 7)]
    write("neighbors_distances.csv", f"metric, item, distances to its {NEIGHBORS} nearest", rows)

    distances = cdist(x, x)
    neighbors = nearest(distances)
    near = np.take_along_axis(distances, neighbors, axis=1)
    conditional = _tsne.compute_gaussian_perplexity(near, np.array([PERPLEXITY]), perplexity_tol=1e-12, max_iter=1000)
    write(
        "affinity_conditional_opentsne.csv",
        f"item, neighbour, p of the neighbour given the item at perplexity {PERPLEXITY}",
        ((i, j, p) for i in range(60) for j, p in zip(neighbors[i], np.asarray(conditional)[i])),
    )

    indptr = np.arange(0, 60 * NEIGHBORS + 1, NEIGHBORS)
    graph = scipy.sparse.csr_matrix((near.ravel() ** 2, neighbors.ravel(), indptr), shape=(60, 60))
    joint = scipy.sparse.coo_matrix(_joint_probabilities_nn(graph, PERPLEXITY, 0))
    write("affinity_joint_sklearn.csv", f"item, item, joint p at perplexity {PERPLEXITY}, which sum to 1", zip(joint.row, joint.col, joint.data))

    few = x[:9]
    write("affinity_symmetric.csv", "symmetric entropic affinities of the first 9 points at perplexity 4", symmetric_entropic(cdist(few, few) ** 2, 4.0))

    pca = PCA(COMPONENTS, svd_solver="full").fit(x)
    write("pca_variances.csv", f"the {COMPONENTS} largest variances, then the total", [(v,) for v in [*pca.explained_variance_, x.var(axis=0, ddof=1).sum()]])
    write("pca_components.csv", f"{COMPONENTS} components, up to their sign", pca.components_)


if __name__ == "__main__":
    main()
