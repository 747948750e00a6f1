"""Reference values for the quality measures: by scikit-learn and SciPy if they have the measure, otherwise by plain loops
over all items.

Run in this folder: python make_quality.py   (NumPy, SciPy, scikit-learn)
"""
import json
import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize_scalar
from scipy.stats import spearmanr
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_score

rng = np.random.default_rng(20130101)
out = {"made_with": f"numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}"}
n = 41
centres = rng.standard_normal((3, 5)) * 2
labels = rng.integers(0, 3, n)
x = (centres[labels] + rng.standard_normal((n, 5))).astype(np.float32).astype(float)
sphere = rng.standard_normal((n, 3)) + 2 * np.column_stack([np.cos(labels), np.sin(labels), labels - 1])
sphere = 3.7 * sphere / np.linalg.norm(sphere, axis=1, keepdims=True)
maps = {
    "plane": x[:, :2] + 0.5 * rng.standard_normal((n, 2)),
    "space": x[:, :3] + 0.5 * rng.standard_normal((n, 3)),
    "sphere": sphere,
}
# A graph with few different weights: ties everywhere, and one isolated item.
graph = np.triu(rng.random((n, n)) < 0.15, 1) * rng.integers(1, 4, (n, n)).astype(float)
graph[:, 7] = graph[7, :] = 0
graph = graph + graph.T
degrees = graph.sum(axis=1)
missing = np.where(rng.random(n) < 0.2, -1, labels)
out.update(
    n=n, points=x.tolist(), labels=labels.tolist(), labels_with_gaps=missing.tolist(), graph=graph.tolist(), maps={}
)


def distances(y, space):
    chord = np.sqrt(((y[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))
    if space == "sphere":
        radius = np.linalg.norm(y[0])
        return 2 * radius * np.arcsin(np.minimum(chord / (2 * radius), 1))
    return chord


def possible_ranks(nearness, i):
    """For each other item, the list of ranks (from 1) that it may have if ties are ordered at random."""
    others = [j for j in range(n) if j != i]
    ranks = {}
    for j in others:
        before = sum(nearness[i, k] < nearness[i, j] for k in others)
        equal = sum(nearness[i, k] == nearness[i, j] for k in others)
        ranks[j] = list(range(before + 1, before + equal + 1))
    return ranks


def neighborhoods(data, similar, y):
    """data: smaller is nearer; similar[i, j]: whether i and j have a positive similarity."""
    on_map = np.argsort(np.where(np.eye(n, dtype=bool), -1, y), axis=1, kind="stable")[:, 1:]
    at = {k: [] for k in (5, 10, 20)}
    curves = []
    for i in range(n):
        ranks = possible_ranks(data, i)
        chance = lambda j, k: np.mean([r <= k for r in ranks[j]])
        curves.append([sum(chance(j, k) for j in on_map[i, :k]) for k in range(1, n - 1)])
        similars = sum(similar[i, j] for j in range(n) if j != i)
        for k in at:
            k_i = min(k, similars)
            if k_i == 0:
                continue
            scale = 2 / (k_i * (2 * n - 3 * k_i - 1))
            inside, outside = on_map[i, :k_i], on_map[i, k_i:]
            at[k].append(
                [
                    sum(chance(j, k_i) for j in inside) / k_i,
                    1 - scale * sum(np.mean([max(0, r - k_i) for r in ranks[j]]) for j in inside),
                    1 - scale * sum(chance(j, k_i) * (p + 1) for p, j in enumerate(outside)),
                ]
            )
    sizes = np.arange(1, n - 1)
    rnx = ((n - 1) * np.mean(curves, axis=0) / sizes - sizes) / (n - 1 - sizes)
    auc = (rnx / sizes).sum() / (1 / sizes).sum()
    return {"at": {k: np.mean(v, axis=0).tolist() for k, v in at.items()}, "rnx": rnx.tolist(), "auc": float(auc)}


def accuracy(d, labels):
    known = [i for i in range(n) if labels[i] >= 0]
    right = 0
    for i in known:
        near = sorted((j for j in known if j != i), key=lambda j: d[i, j])[:10]
        votes = [labels[j] for j in near]
        best = max(votes, key=lambda c: (votes.count(c), -votes.index(c)))
        right += best == labels[i]
    return right / len(known)


def divergence(y, p, kernel):
    p = p / p.sum()
    d2 = ((y[:, None, :] - y[None, :, :]) ** 2).sum(axis=2)

    def kl(size):
        q = np.exp(-size**2 * d2) if kernel == "gaussian" else 1 / (1 + size**2 * d2)
        np.fill_diagonal(q, 0)
        on = p > 0
        return (p[on] * np.log(p[on] / (q / q.sum())[on])).sum(), q.sum(axis=1)

    best = minimize_scalar(lambda t: kl(np.exp(t))[0], bounds=(-10, 10), method="bounded", options={"xatol": 1e-10})
    sums, q_sums = p.sum(axis=1), kl(1)[1]
    return {
        "kl": kl(1)[0],
        "kl_at_best_size": best.fun,
        "best_size": float(np.exp(best.x)),
        "cv_p": sums.std() / sums.mean(),
        "cv_q": q_sums.std() / q_sums.mean(),
    }


data = distances(x, "points")
pairs = np.triu_indices(n, 1)
for space, y in maps.items():
    d = distances(y, space)
    entry = {
        "coordinates": y.tolist(),
        "of_points": neighborhoods(data, np.ones((n, n), bool), d),
        "of_graph": neighborhoods(-graph, graph > 0, d),
        "sklearn_trustworthiness": {k: trustworthiness(x, y, n_neighbors=k) for k in (5, 10, 20)},
        "sklearn_continuity": {k: trustworthiness(y, x, n_neighbors=k) for k in (5, 10, 20)},
        "spearman": spearmanr(data[pairs], d[pairs]).statistic,
        "accuracy": accuracy(d, labels),
        "accuracy_with_gaps": accuracy(d, missing),
        "sklearn_silhouette": silhouette_score(d, labels, metric="precomputed"),
        "sklearn_silhouette_with_gaps": silhouette_score(
            d[np.ix_(missing >= 0, missing >= 0)], missing[missing >= 0], metric="precomputed"
        ),
        "divergence": {kernel: divergence(y, graph, kernel) for kernel in ("cauchy", "gaussian")},
    }
    chord = distances(y, "points")
    tenth = np.sort(chord, axis=1)[:, 10]
    centrality = {"density": 1 / tenth}
    if space != "sphere":
        centrality["centre"] = -np.linalg.norm(y - y.mean(axis=0), axis=1)
    entry["crowding"] = {}
    for name, value in centrality.items():
        order = np.argsort(-value, kind="stable")
        inner = degrees[order[: n // 2]].sum() + degrees[order[n // 2]] / 2
        entry["crowding"][name] = [spearmanr(degrees, value).statistic, inner / degrees.sum()]
    out["maps"][space] = entry

with open("quality.json", "w") as f:
    json.dump(out, f)
