"""The stages of the method as functions, which mirror those of the Rust library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from . import _dosnes
from ._arrays import Matrix, dense_points, from_neighbors, matrix, parts, seed_of, start_of
from ._graphs import adjacency, is_frame, is_graph
from ._mistakes import refuse
from ._watching import watch

# What `affinity` may say about data that are similarities already, and the library's word for it.
GIVEN = {"precomputed": "similarity", "graph": "graph", "dyadic": "dyadic"}


@dataclass(frozen=True)
class Map:
    """A map, with what is known about it.

    Attributes
    ----------
    embedding : array
        One row for each item. Items without any similarity to another one have NaN.
    space : str
        "sphere", "plane" or "space".
    radius : float or None
        The radius of the sphere.
    kl_divergence : float
        KL(P‖Q).
    n_iter : int
        Number of iterations.
    converged : bool
        Whether further iterations would change nothing that matters.
    """

    embedding: NDArray[np.float64]
    space: str
    radius: float | None
    kl_divergence: float
    n_iter: int
    converged: bool

    def __repr__(self) -> str:
        end = "" if self.converged else ", not converged"
        return (
            f"<dosnes.Map of {len(self.embedding):,} items in the space {self.space!r}: "
            f"KL {self.kl_divergence:.4f} after {self.n_iter} iterations{end}>"
        )


def prepare(
    X: Any, metric: str = "euclidean", affinity: str = "entropic", precomputed_knn: Any = None
) -> tuple[Any, str]:
    """The data in the form of the extension, and their kind."""
    if is_graph(X) or (affinity == "graph" and is_frame(X)):
        return parts(adjacency(X)[0]), "graph"
    if precomputed_knn is not None:
        return parts(from_neighbors(precomputed_knn)), "distance"
    kind = GIVEN.get(affinity, "points")
    if metric == "precomputed":
        if kind != "points":
            raise ValueError(
                f'metric="precomputed" says that X are distances, and affinity={affinity!r} that they are not'
            )
        kind = "distance"
    refuse(X)
    if scipy.sparse.issparse(X) or kind not in ("points", "distance"):
        return parts(X if scipy.sparse.issparse(X) else dense_points(X)), kind
    points = dense_points(X)
    return (points.astype(np.float32) if kind == "distance" else points), kind


def doubly_stochastic(
    S: Any,
    *,
    kind: str = "similarity",
    normalize: str = "auto",
    steps: int | None = None,
    diagonal: str = "zero",
    strict: bool = False,
    softness: float = 1.0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Matrix:
    """Make similarities doubly stochastic: every row and every column then has the sum 1.

    Parameters
    ----------
    S : sparse matrix, array or graph
        Similarities, n × n, ≥ 0. (S + Sᵀ)/2 is used.
    kind : str
        "similarity"; "graph" for the weights of edges; "dyadic" for n × m data such as documents × terms.
    normalize, steps, diagonal, strict, softness
        As for `DOSNES`.
    n_jobs, verbose
        As for `DOSNES`.

    Returns
    -------
    P : sparse array of shape (n, n)
        Symmetric, without a diagonal. Rows of items without any similarity to another one are empty.

    Examples
    --------
    >>> import numpy as np
    >>> from dosnes import doubly_stochastic
    >>> S = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 5], [1, 1, 5, 0]])
    >>> doubly_stochastic(S).sum(axis=1).round(6)
    array([1., 1., 1., 1.])
    """
    if kind not in GIVEN.values():
        raise ValueError(f'kind={kind!r}: use "similarity", "graph" or "dyadic"')
    affinity = next(name for name, known in GIVEN.items() if known == kind)
    given, kind = prepare(S, affinity=affinity)
    options = {"normalize": normalize, "steps": steps, "diagonal": diagonal, "strict": strict, "softness": softness}
    with watch(n_jobs, verbose) as watching:
        return matrix(_dosnes.normalize(given, kind, options, watching).matrix())


def affinities(
    X: Any,
    *,
    perplexity: float | None = None,
    n_neighbors: int | None = None,
    metric: str = "euclidean",
    affinity: str = "entropic",
    precomputed_knn: Any = None,
    pca: str | int = "auto",
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Matrix:
    """The symmetric similarities of points to their nearest neighbours, before they are made doubly stochastic.

    The parameters are those of `DOSNES`.

    Examples
    --------
    >>> import numpy as np
    >>> from dosnes import affinities
    >>> S = affinities(np.random.default_rng(0).normal(size=(40, 3)), perplexity=5)
    >>> S.shape, bool(abs(S - S.T).max() == 0)
    ((40, 40), True)
    """
    given, kind = prepare(X, metric, affinity, precomputed_knn)
    options = {
        "perplexity": perplexity,
        "n_neighbors": n_neighbors,
        "metric": metric if kind == "points" else None,
        "affinity": None if affinity in GIVEN else affinity,
        "pca": pca,
        "random_state": seed_of(random_state),
    }
    with watch(n_jobs, verbose) as watching:
        return matrix(_dosnes.similarities(given, kind, options, watching))


def embed(
    P: Any,
    *,
    space: str = "sphere",
    kernel: str = "cauchy",
    optimizer: str = "auto",
    method: str = "auto",
    radius: str | float = "auto",
    early_exaggeration: str | float = "auto",
    learning_rate: str | float = "auto",
    max_iter: int | None = None,
    init: Any = "auto",
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    callbacks: Any = None,
    callbacks_every_iters: int = 50,
) -> Map:
    """A map of similarities, which are used as they are.

    Parameters
    ----------
    P : sparse matrix, array or graph
        Symmetric similarities, n × n, ≥ 0: those of `doubly_stochastic`, or others.
    space : str
        "sphere", "plane" or "space".
    kernel, optimizer, method, radius, early_exaggeration, learning_rate, max_iter, init
        As for `DOSNES`.
    random_state, n_jobs, verbose, callbacks, callbacks_every_iters
        As for `DOSNES`.

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> S = dosnes.affinities(np.random.default_rng(0).normal(size=(40, 3)), perplexity=5)
    >>> dosnes.embed(dosnes.doubly_stochastic(S)).embedding.shape
    (40, 3)
    """
    refuse(P)
    given = parts(adjacency(P)[0] if is_graph(P) else P if scipy.sparse.issparse(P) else dense_points(P))
    options = {
        "space": space,
        "kernel": kernel,
        "optimizer": optimizer,
        "method": method,
        "radius": radius,
        "early_exaggeration": early_exaggeration,
        "learning_rate": learning_rate,
        "max_iter": max_iter,
        "init": start_of(init),
        "random_state": seed_of(random_state),
    }
    with watch(n_jobs, verbose, callbacks, callbacks_every_iters) as watching:
        found = _dosnes.embed(given, options, watching)
    return Map(of_all_items(found), space, found.radius, found.kl, found.iterations, found.converged)


def of_all_items(found: _dosnes.Fit) -> NDArray[np.float64]:
    """The coordinates of all items: NaN for those that are not on the map."""
    coordinates = found.coordinates()
    kept = found.affinities.kept()
    n = len(kept) + len(found.affinities.left_out())
    if n == len(kept):
        return coordinates
    every = np.full((n, coordinates.shape[1]), np.nan)
    every[kept] = coordinates
    return every
