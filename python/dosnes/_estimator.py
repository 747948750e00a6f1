"""The estimators: maps on a sphere, and t-SNE in the plane and in space, with the interface of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _dosnes
from ._arrays import Matrix, from_neighbors, matrix, parts, seed_of, start_of
from ._graphs import adjacency, is_frame, is_graph
from ._mistakes import explained, refuse
from ._model import Model, names_of
from ._places import directions, earlier
from ._projections import lonlat
from ._stages import GIVEN, of_all_items
from ._watching import warn, watch

# Names that scikit-learn has for the same.
_SAME = {"barnes_hut": "tree"}


class _Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators share."""

    def _space_name(self) -> str:
        return "sphere"

    def _fixed(self) -> dict[str, Any]:
        """The options of the library that are not parameters of the estimator."""
        return {"space": self._space_name()}

    def fit(self, X: Any, y: Any = None) -> Any:
        """Compute a map of X.

        Parameters
        ----------
        X : array, sparse matrix, frame or graph
            One row for each item; or, depending on `metric` and `affinity`, distances, similarities, a graph, or dyadic data.
        y : ignored

        Returns
        -------
        self
        """
        given, kind, nodes = self._prepare(X)
        options = self._options(kind)
        names = self._names(X, given, kind, nodes)
        places = self._places(X, given, nodes)
        with watch(self.n_jobs, self.verbose, self.callbacks, self.callbacks_every_iters) as watching:
            found = _dosnes.fit(given, kind, options, names, places, watching)
        self._store(found)
        return self

    def _places(self, X: Any, given: Any, nodes: list[Any] | None) -> _dosnes._Places | None:
        """What is known of the places of items."""
        return None

    def _names(self, X: Any, given: Any, kind: str, nodes: list[Any] | None) -> _dosnes._Names | None:
        """The names that a model of the map needs; None if there shall be no model."""
        return None

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Compute a map of X, and return its coordinates.

        Parameters
        ----------
        X : array, sparse matrix, frame or graph
            As for `fit`.
        y : ignored

        Returns
        -------
        embedding : array of shape (n_items, n_components)
            The coordinates. Items without any similarity to another one have NaN.
        """
        return self.fit(X).embedding_

    def _options(self, kind: str) -> dict[str, Any]:
        options = self.get_params(deep=False)
        if kind != "points" or options["metric"] == "precomputed":
            options["metric"] = None
        if options["affinity"] in GIVEN:
            options["affinity"] = None
        if isinstance(options.get("method"), str):
            options["method"] = _SAME.get(options["method"], options["method"])
        options["init"] = start_of(options["init"])
        options["random_state"] = seed_of(self.random_state)
        return {**options, **self._fixed()}

    def _prepare(self, X: Any) -> tuple[Any, str, list[Any] | None]:
        """The data in the form of the extension, their kind, and the nodes of a graph."""
        if is_graph(X) or (self.affinity == "graph" and is_frame(X)):
            weights, nodes = adjacency(X)
            self.n_features_in_ = len(nodes)
            return parts(weights), "graph", nodes
        if self.precomputed_knn is not None:
            n = None if X is None else X.shape[0] if hasattr(X, "shape") else len(X)
            self.n_features_in_ = X.shape[1] if len(getattr(X, "shape", ())) == 2 else 1
            return parts(from_neighbors(self.precomputed_knn, n)), "distance", None
        if self.metric == "precomputed" and self.affinity in GIVEN:
            raise ValueError(
                f'metric="precomputed" says that X are distances, and affinity={self.affinity!r} that they are not; use one of them'
            )
        if not isinstance(self.metric, str):
            raise TypeError(
                f"metric must be a text, not {type(self.metric).__name__}; for distances of your own, give their matrix with "
                'metric="precomputed"'
            )
        kind = GIVEN.get(self.affinity, "points")
        if self.metric == "precomputed":
            kind = "distance"
        refuse(X)
        types = np.float32 if kind == "distance" and not scipy.sparse.issparse(X) else [np.float64, np.float32]
        try:
            X = validate_data(self, X, accept_sparse="csr", dtype=types, ensure_min_samples=2, ensure_min_features=1)
        except (TypeError, ValueError) as error:
            raise explained(error, X) from error
        if kind in ("similarity", "graph", "distance") and X.shape[0] != X.shape[1]:
            what = "distances" if kind == "distance" else "similarities"
            hint = (
                "; for a list of edges, give a frame with the columns source, target and weight"
                if kind == "graph"
                else ""
            )
            raise ValueError(f"X must be a square matrix of {what}, n × n, but its shape is {X.shape}{hint}")
        if scipy.sparse.issparse(X) or kind not in ("points", "distance"):
            return parts(X), kind, None
        return np.require(X, requirements="A"), kind, None

    def _store(self, found: _dosnes.Fit) -> None:
        kept, left_out = found.affinities.kept(), found.affinities.left_out()
        if len(left_out):
            warn(
                f"{len(left_out)} of {len(kept) + len(left_out)} items have no similarity to any other item; "
                "they are not on the map, and their coordinates are NaN (see left_out_)"
            )
        self.embedding_ = of_all_items(found)
        self.kl_divergence_ = found.kl
        self.n_iter_ = found.iterations
        self.converged_ = found.converged
        self.radius_ = found.radius
        self.left_out_ = left_out
        self._affinities = found.affinities

    @property
    def affinity_(self) -> Matrix:
        """The similarities that were embedded, as a sparse matrix over all items."""
        check_is_fitted(self, "embedding_")
        if self._affinities is None:
            raise AttributeError("affinity_ is not part of a pickle, which would be large; fit again to have it")
        return matrix(self._affinities.matrix())

    @property
    def normalization_(self) -> dict[str, Any]:
        """How the similarities were made equal: method, residual, and how unequal the totals were before and after."""
        check_is_fitted(self, "embedding_")
        if self._affinities is None:
            raise AttributeError("normalization_ is not part of a pickle; fit again to have it")
        return dict(self._affinities.report())

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __getstate__(self) -> dict[str, Any]:
        # The similarities are tens of times larger than the map.
        state = super().__getstate__()
        return {**state, "_affinities": None} if "_affinities" in state else dict(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed" or self.affinity in ("precomputed", "graph")
        tags.input_tags.positive_only = self.affinity in GIVEN
        tags.transformer_tags.preserves_dtype = []
        return tags


class DOSNES(_Embedding):
    """Doubly stochastic neighbor embedding on a sphere.

    Similarities are made doubly stochastic first, so that popular items do not crowd the centre of the map. A sphere has no
    centre at all.

    A fitted estimator keeps a model of its map, with which `transform` places new items: the map, the rows of the data (or
    their principal components) in half precision, and a few numbers for each item. Pickles have it, too; the similarities are not
    part of them. ``keep_model=False`` keeps the map alone.

    Parameters
    ----------
    perplexity : float, optional
        Effective number of neighbours, for points and distances. None: 30, or less for few items.
    n_neighbors : int, optional
        Number of nearest neighbours. None: three times the perplexity; 15 for ``affinity="neighbor-graph"``.
    metric : str
        "euclidean", "cosine", "correlation", "manhattan", "hamming", "jaccard"; "precomputed" if X are distances.
    affinity : str
        How distances become similarities: "entropic", "symmetric-entropic", "neighbor-graph". If X has them already:
        "precomputed" for similarities, "graph" for the weights of edges, "dyadic" for a matrix such as documents × terms.
    precomputed_knn : pair of arrays, optional
        Nearest neighbours from elsewhere: (indices, distances), each n × k.
    pca : "auto", "none" or int
        Reduce points to principal components first. "auto": 50 components if there are more than 100 columns.
    normalize : str
        "auto", "sinkhorn", "walk", "zass-shashua", "rows", "layout", "none".
    steps : int, optional
        Longest random walk whose similarities are made equal. 1: only the similarities themselves, as in the paper.
    diagonal : str
        "zero" or "dropped".
    strict : bool
        Fail if the similarities themselves have no exact scaling.
    softness : float
        With one step: how soft the scaling is where no exact one exists.
    preset : "layout", optional
        For drawing graphs: as many neighbours as possible stay next to each other; totals are not made equal.
    radius : "auto", "free" or float
        How large the sphere may become. "auto": at most the square root of the number of items; free for points.
    kernel : str
        "cauchy" (as in t-SNE) or "gaussian" (as in s-SNE).
    optimizer : str
        "auto", "both" or "paper".
    method : str
        How repulsion is computed: "auto", "exact", "harmonic", "tree" ("barnes_hut").
    early_exaggeration : float or "auto"
        Factor of the attraction at first.
    learning_rate : float or "auto"
        For ``optimizer="paper"``.
    max_iter : int, optional
        Largest number of iterations. None: 1500.
    init : "auto", "random", "spectral" or array
        Initial positions; an array has one row of three coordinates for each item.
    like : Model, fitted DOSNES or array, optional
        An earlier map, for data that changed: its items start at their places, and the new map is laid onto it. The items of a
        model are matched by name (the index of a frame, the nodes of a graph, or else the numbers of the rows); an array has one
        row for each item, NaN for new ones. ``early_exaggeration="auto"`` is then 1.
    fixed : dict or array, optional
        Items that stay at given directions while the others settle: a dictionary from names, or numbers of rows, to longitude and
        latitude in degrees or to x, y and z; or an array with one row for each item, NaN for those that are free.
    landmarks : int, optional
        For very many points: so many of them are embedded, and the others are placed on their map as `transform` does.
    keep_model : bool
        Keep what `transform` needs, which takes about a twentieth of the time. False saves memory and makes pickles smaller.
    random_state : int, generator or None
        The seed. The same seed gives the same bytes. None: a new one each time.
    n_jobs : int, optional
        Number of threads, which does not change the result. None: all cores.
    verbose : int
        1 shows a progress bar.
    callbacks : function or list of functions, optional
        Called as ``callback(iteration, error, embedding)``. If one returns True, the run stops, and its map is kept.
    callbacks_every_iters : int
        Number of iterations between two calls.

    Attributes
    ----------
    embedding_ : array of shape (n_items, 3)
        Points on the sphere. Items without any similarity to another one have NaN.
    lonlat_ : array of shape (n_items, 2)
        Longitude and latitude in degrees.
    radius_ : float
        The radius of the sphere.
    kl_divergence_ : float
        KL(P‖Q), the objective.
    affinity_ : sparse matrix
        The doubly stochastic similarities that were embedded.
    normalization_ : dict
        How they were made equal.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether further iterations would change nothing that matters.
    left_out_ : array
        The rows without any similarity to another item.
    moved_ : array of shape (n_items,)
        With `like`: the angle in degrees between the old and the new place of each item; NaN for new ones.
    landmarks_ : array
        With `landmarks`: the rows that were embedded. `affinity_`, `normalization_`, `kl_divergence_` and `model_` are theirs.
    misfit_ : array of shape (n_items,)
        With `landmarks`: how badly each of the others fits, from 0 to 1; NaN for the landmarks.
    model_ : Model
        The map with what is needed to place new items on it. There is none for distances, and with options that it would not
        know how to repeat; the error says which.

    Examples
    --------
    >>> import numpy as np
    >>> from dosnes import DOSNES
    >>> points = np.random.default_rng(0).normal(size=(80, 4))
    >>> globe = DOSNES(perplexity=8, random_state=7).fit(points)
    >>> globe.embedding_.shape
    (80, 3)
    >>> bool(np.allclose(np.linalg.norm(globe.embedding_, axis=1), globe.radius_))
    True
    >>> bool(np.allclose(globe.affinity_.sum(axis=1), 1))
    True
    """

    def __init__(
        self,
        *,
        perplexity: float | None = None,
        n_neighbors: int | None = None,
        metric: str = "euclidean",
        affinity: str = "entropic",
        precomputed_knn: Any = None,
        pca: str | int = "auto",
        normalize: str = "auto",
        steps: int | None = None,
        diagonal: str = "zero",
        strict: bool = False,
        softness: float = 1.0,
        preset: str | None = None,
        radius: str | float = "auto",
        kernel: str = "cauchy",
        optimizer: str = "auto",
        method: str = "auto",
        early_exaggeration: str | float = "auto",
        learning_rate: str | float = "auto",
        max_iter: int | None = None,
        init: Any = "auto",
        like: Any = None,
        fixed: Any = None,
        landmarks: int | None = None,
        keep_model: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Any = None,
        callbacks_every_iters: int = 50,
    ) -> None:
        self.perplexity = perplexity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.affinity = affinity
        self.precomputed_knn = precomputed_knn
        self.pca = pca
        self.normalize = normalize
        self.steps = steps
        self.diagonal = diagonal
        self.strict = strict
        self.softness = softness
        self.preset = preset
        self.radius = radius
        self.kernel = kernel
        self.optimizer = optimizer
        self.method = method
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.init = init
        self.like = like
        self.fixed = fixed
        self.landmarks = landmarks
        self.keep_model = keep_model
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callbacks = callbacks
        self.callbacks_every_iters = callbacks_every_iters

    @property
    def lonlat_(self) -> NDArray[np.float64]:
        """Longitude and latitude of each item, in degrees."""
        check_is_fitted(self, "embedding_")
        return lonlat(self.embedding_)

    @property
    def model_(self) -> Model:
        """The map with what is needed to place new items on it."""
        check_is_fitted(self, "embedding_")
        if self._model is None:
            raise AttributeError(f"this map has no model: {self._no_model}")
        return self._model

    def transform(self, X: Any) -> Any:
        """Place new items on the map, whose items do not move.

        New items do not act on each other: the place of one depends neither on the others nor on their order. A row that is one
        of the map's own returns to its place, up to the accuracy of the optimizer. ``model_.transform`` tells how well they fit,
        too.

        Parameters
        ----------
        X : array, sparse matrix, frame or graph
            Points or rows of dyadic data with the same columns as those of `fit`. For graphs and similarities: a matrix with a
            row for each new item and a column for each item of `fit`; or a graph, whose nodes with new names are placed.

        Returns
        -------
        embedding : array of shape (n_new, 3)
            The places of the new items. Those without any link to the map have NaN.
        """
        check_is_fitted(self, "embedding_")
        if self._model is None:
            raise ValueError(f"new items cannot be placed on this map: {self._no_model}")
        model = self._model
        if not (is_graph(X) or (self.affinity == "graph" and is_frame(X))):
            X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
            if model.kind in ("graph", "similarity") and len(self.left_out_):
                X = X[:, np.setdiff1d(np.arange(self.n_features_in_), self.left_out_)]
        return model.transform(X, n_jobs=self.n_jobs, verbose=self.verbose).embedding

    def _names(self, X: Any, given: Any, kind: str, nodes: list[Any] | None) -> _dosnes._Names | None:
        if not isinstance(self.keep_model, (bool, np.bool_)):
            raise TypeError(f"keep_model must be True or False, not {type(self.keep_model).__name__}")
        if not self.keep_model or kind == "distance":
            return None
        ids = _ids(X, given, nodes)
        columns = getattr(self, "feature_names_in_", None) if kind in ("points", "dyadic") else None
        return {"ids": ids, "columns": None if columns is None else [str(name) for name in columns]}

    def fit(self, X: Any, y: Any = None) -> Any:
        if self.landmarks is None:
            return super().fit(X, y)
        return self._fit_landmarks(X)

    fit.__doc__ = _Embedding.fit.__doc__

    def _places(self, X: Any, given: Any, nodes: list[Any] | None) -> _dosnes._Places | None:
        if self.like is None and self.fixed is None:
            return None
        if self.like is not None and self.fixed is not None:
            raise ValueError("fixed says where items are, and like would turn the map away from there; use one of both")
        ids = _ids(X, given, nodes)
        if self.like is not None:
            if not (isinstance(self.init, str) and self.init == "auto"):
                raise ValueError("like and init both say where the items start; use one of both")
            return {"like": earlier(self.like, ids), "fixed": None}
        return {"like": None, "fixed": directions(self.fixed, ids)}

    def _fit_landmarks(self, X: Any) -> Any:
        """Embeds the landmarks, and places the others on their map."""
        count = self.landmarks
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise TypeError(f"landmarks must be a whole number or None, not {type(count).__name__}")
        for name in ("like", "fixed"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name} cannot be combined with landmarks; use one of both")
        given, kind, nodes = self._prepare(X)
        if kind != "points":
            raise ValueError(f"landmarks are for points only, but X is of the kind {kind}")
        n = given[0][0] if isinstance(given, tuple) else len(given)
        if not 1 <= count < n:
            raise ValueError(f"landmarks is {count}, but it must be at least 1 and less than the {n} items")
        ids = _ids(X, given, nodes)
        columns = getattr(self, "feature_names_in_", None)
        named = None if columns is None else [str(name) for name in columns]
        with watch(self.n_jobs, self.verbose) as watching:
            rows = _dosnes.landmarks(given, int(count), watching)
        names: _dosnes._Names = {"ids": [ids[row] for row in rows], "columns": named}
        with watch(self.n_jobs, self.verbose, self.callbacks, self.callbacks_every_iters) as watching:
            found = _dosnes.fit(_rows(given, rows), kind, self._options(kind), names, None, watching)
        if found.model is None:
            raise ValueError(f"landmarks need a model, and this map has none: {found.no_model}")
        landmarks = rows[found.affinities.kept()]
        rest = np.setdiff1d(np.arange(n), landmarks)
        with watch(self.n_jobs, self.verbose) as watching:
            places, misfit = found.model.transform(_rows(given, rest), kind, watching)
        self._store(found)
        self.embedding_ = np.empty((n, 3))
        self.embedding_[landmarks], self.embedding_[rest] = found.coordinates(), places
        self.misfit_ = np.full(n, np.nan)
        self.misfit_[rest] = misfit
        self.landmarks_, self.left_out_ = landmarks, np.array([], dtype=np.int64)
        if not self.keep_model:
            self._model: Model | None = None
        return self

    def _store(self, found: _dosnes.Fit) -> None:
        super()._store(found)
        moved = found.moved()
        if moved is not None:
            self.moved_ = np.full(len(self.embedding_), np.nan)
            self.moved_[found.affinities.kept()] = moved
        self._model = None if found.model is None else Model(found.model)
        self._no_model = found.no_model or (
            "distances to other items would be needed, and a map of distances keeps none"
            if self.keep_model
            else "keep_model is False"
        )


def _ids(X: Any, given: Any, nodes: list[Any] | None) -> list[str]:
    """The names of the items: of the nodes of a graph, of the rows of a frame, or numbers."""
    n = given[0][0] if isinstance(given, tuple) else len(given)
    ids = [str(node) for node in nodes] if nodes is not None else names_of(X)
    if ids is None or len(ids) != n or len(set(ids)) != n:
        return [str(row) for row in range(n)]
    return ids


def _rows(given: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of points in the form of the extension."""
    return parts(matrix(given)[rows]) if isinstance(given, tuple) else given[rows]


class TSNE(_Embedding):
    """t-SNE in the plane or in space, with the same search for neighbours and the same similarities as `DOSNES`.

    It is the fair baseline: the only differences are that the similarities are not made doubly stochastic, and the space.
    The parameters are those of `DOSNES`; ``n_components`` is 2 or 3, ``method`` is "auto", "exact", "fft" (in the plane) or
    "tree", and ``max_iter=None`` means 1000.

    Examples
    --------
    >>> import numpy as np
    >>> from dosnes import TSNE
    >>> points = np.random.default_rng(0).normal(size=(80, 4))
    >>> TSNE(perplexity=8).fit_transform(points).shape
    (80, 2)
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float | None = None,
        n_neighbors: int | None = None,
        metric: str = "euclidean",
        affinity: str = "entropic",
        precomputed_knn: Any = None,
        pca: str | int = "auto",
        kernel: str = "cauchy",
        optimizer: str = "auto",
        method: str = "auto",
        early_exaggeration: str | float = "auto",
        learning_rate: str | float = "auto",
        max_iter: int | None = None,
        init: Any = "auto",
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Any = None,
        callbacks_every_iters: int = 50,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.affinity = affinity
        self.precomputed_knn = precomputed_knn
        self.pca = pca
        self.kernel = kernel
        self.optimizer = optimizer
        self.method = method
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.init = init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callbacks = callbacks
        self.callbacks_every_iters = callbacks_every_iters

    def _space_name(self) -> str:
        if isinstance(self.n_components, bool) or not isinstance(self.n_components, (int, np.integer)):
            raise TypeError(f"n_components must be 2 or 3, not {type(self.n_components).__name__}")
        if self.n_components not in (2, 3):
            raise ValueError(
                f"n_components is {self.n_components}, but t-SNE here has 2 or 3; DOSNES is for the sphere"
            )
        return "plane" if self.n_components == 2 else "space"

    def _fixed(self) -> dict[str, Any]:
        return {**super()._fixed(), "normalize": "none"}
