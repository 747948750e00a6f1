"""KL(P‖Q) that openTSNE and scikit-learn reach in the plane with their defaults, from the affinities of dosnes.

Run in this folder, with P written by `dosnes normalize FILE --normalize none -o P.npz` (the counts of pbmc3k with `--as
points`), and the points from which it was computed, for the start by principal components, which is the default of both:

    python make_tsne.py digits=P.npz,points.npy pbmc3k=P.npz,points.npy      (NumPy, SciPy, scikit-learn, openTSNE)
"""
import json
import sys

import numpy as np
import openTSNE
import scipy.sparse
import sklearn
from sklearn.manifold import TSNE, _t_sne

SEEDS = range(5)


def kl(p, y):
    """KL of the coordinates y by definition, in double precision."""
    y = np.asarray(y, dtype=np.float64)
    z = -float(len(y))
    for row in y:
        z += (1 / (1 + ((y - row) ** 2).sum(axis=1))).sum()
    p = p.tocoo()
    v, i, j = p.data[p.data > 0], p.row[p.data > 0], p.col[p.data > 0]
    d2 = ((y[i] - y[j]) ** 2).sum(axis=1)
    return float((v * np.log(v * (1 + d2) * z)).sum())


def by_opentsne(p, x, seed):
    affinities = openTSNE.affinity.PrecomputedAffinities(p, normalize=False)
    start = openTSNE.initialization.pca(x, random_state=seed)
    return openTSNE.TSNE(random_state=seed).fit(affinities=affinities, initialization=start)


def by_scikit_learn(p, x, seed):
    # scikit-learn accepts only distances or points, so its own affinities are replaced.
    _t_sne._joint_probabilities_nn = lambda *_: p
    return TSNE(random_state=seed).fit_transform(x)


out = {"made_with": f"openTSNE {openTSNE.__version__}, scikit-learn {sklearn.__version__}"}
for argument in sys.argv[1:]:
    name, files = argument.split("=")
    affinities, points = files.split(",")
    p = scipy.sparse.load_npz(affinities).tocsr()
    p = p / p.sum()
    x = np.load(points)
    out[name] = {"openTSNE": [], "scikit-learn": []}
    for seed in SEEDS:
        for program, run in [("openTSNE", by_opentsne), ("scikit-learn", by_scikit_learn)]:
            out[name][program].append(kl(p, run(p, x, seed)))
            # After each run, so that the results of a run that is ended early are usable.
            with open("tsne.json", "w") as f:
                json.dump(out, f, indent=1)
                f.write("\n")
