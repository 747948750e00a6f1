"""Maps that are kept: new items on an old map, and maps that grow without moving."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from . import _dosnes
from ._arrays import Matrix, dense_points, matrix, parts
from ._graphs import adjacency, column_names, is_frame, is_graph
from ._mistakes import refuse
from ._projections import lonlat
from ._watching import warn, watch


@dataclass(frozen=True)
class Placed:
    """New items on an old map.

    Attributes
    ----------
    embedding : array of shape (n_new, 3)
        Their places. Items without any link to the map have NaN.
    misfit : array of shape (n_new,)
        How badly each item fits, from 0 to 1: the share of the map's own items that fit better.
    ids : list of str
        Their names.
    """

    embedding: NDArray[np.float64]
    misfit: NDArray[np.float64]
    ids: list[str]

    def __repr__(self) -> str:
        return f"<dosnes.Placed: {len(self.ids):,} new items; embedding, misfit and ids have one entry for each>"


class Model:
    """A map on a sphere, with all that is needed to place new items on it and to let it grow.

    A fitted `DOSNES` has one as ``model_``, and `load_model` reads one from a file. It is the same file as that of the
    command (``dosnes embed --model``). It has the rows of the data, or their principal components, in half precision.

    Examples
    --------
    >>> import numpy as np
    >>> from dosnes import DOSNES
    >>> points = np.random.default_rng(0).normal(size=(90, 4))
    >>> model = DOSNES(perplexity=8).fit(points[:80]).model_
    >>> len(model), model.kind, model.n_features_in
    (80, 'points', 4)
    >>> model.transform(points[80:]).embedding.shape
    (10, 3)
    >>> larger = model.grow(points[80:])
    >>> len(larger), bool((larger.embedding[:80] == model.embedding).all())
    (90, True)
    """

    def __init__(self, inner: _dosnes.Model) -> None:
        self._inner = inner

    @property
    def ids(self) -> list[str]:
        """The names of the items of the map."""
        return self._inner.ids()

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns of the data; empty if they have none."""
        return self._inner.columns()

    @property
    def embedding(self) -> NDArray[np.float64]:
        """The places of the items, n × 3."""
        return self._inner.coordinates()

    @property
    def lonlat(self) -> NDArray[np.float64]:
        """Longitude and latitude of the items, in degrees."""
        return lonlat(self.embedding)

    @property
    def radius(self) -> float:
        """The radius of the sphere."""
        return self._inner.radius

    @property
    def kind(self) -> str:
        """The kind of data: "points", "graph", "similarity" or "dyadic"."""
        return self._inner.kind

    @property
    def n_features_in(self) -> int:
        """Number of columns of new items; for graphs and similarities, one for each item of the map."""
        return self._inner.dimensions

    @property
    def growth(self) -> tuple[int, int]:
        """How often the map has grown, and by how many items in total."""
        return self._inner.growth

    def transform(self, X: Any, *, n_jobs: int | None = None, verbose: int = 0) -> Placed:
        """Place new items on the map, whose items do not move.

        New items do not act on each other: the place of one depends neither on the others nor on their order.

        Parameters
        ----------
        X : array, sparse matrix, frame or graph
            Points or rows of dyadic data with the columns of the map's data. For graphs and similarities: a matrix with a row
            for each new item and a column for each item of the map; or a graph of NetworkX, igraph or rustworkx. Its
            nodes that are not on the map are the new ones; nodes are matched by name.
        n_jobs, verbose
            As for `DOSNES`.

        Returns
        -------
        placed : Placed
        """
        if self.kind in ("graph", "similarity") and (is_graph(X) or is_frame(X)):
            return self._transform_graph(X, n_jobs, verbose)
        names = names_of(X) or [str(row) for row in range(_rows(X))]
        if self.kind == "points":
            with watch(n_jobs, verbose) as watching:
                embedding, misfit = self._inner.transform(self._columns(X), "points", watching)
            return Placed(embedding, misfit, names)
        given = self._columns(X)
        links = given if scipy.sparse.issparse(given) else scipy.sparse.csr_array(dense_points(given))
        return self._transform_links(links, names, n_jobs, verbose)

    def grow(
        self,
        X: Any,
        ids: Iterable[Any] | None = None,
        *,
        free: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> Model:
        """Add new items to the map. The old ones keep their places to the last bit, or may move a little.

        Parameters
        ----------
        X : array, sparse matrix, frame or graph
            Points or rows of dyadic data with the columns of the map's data. For graphs and similarities: a graph of NetworkX,
            igraph or rustworkx, or a frame of edges, in which nodes that are not on the map are the new ones; or a matrix with a
            row for each new item, and a column for each item of the map followed by one for each new item.
        ids : sequence of str, optional
            The names of the new items. None: the index of a pandas frame, or else numbers that continue those of the map. A
            graph has its own names.
        free : bool
            Let the old items move where the new ones need room. Each is held at its place by a spring, and the map is laid onto
            the old one afterwards; `align` tells how far they moved.
        n_jobs, verbose
            As for `DOSNES`.

        Returns
        -------
        model : Model
            The old items followed by the new ones.
        """
        if not isinstance(free, (bool, np.bool_)):
            raise TypeError(f"free must be True or False, not {type(free).__name__}")
        if self.kind in ("graph", "similarity") and (is_graph(X) or is_frame(X)):
            return self._grow_graph(X, free, n_jobs, verbose)
        count = _rows(X)
        if ids is None:
            ids = names_of(X) or range(len(self), len(self) + count)
        names = [str(name) for name in ids]
        if len(names) != count:
            raise ValueError(f"ids has {len(names)} names, but there are {count} new items")
        known = sorted(set(names) & set(self.ids)) or sorted({name for name in names if names.count(name) > 1})
        if known:
            raise ValueError(
                f"{len(known)} of the new items have names that are used already, such as {known[0]!r}; give them others by ids="
            )
        given = self._columns(X)
        if self.kind != "points":
            given = parts(given if scipy.sparse.issparse(given) else scipy.sparse.csr_array(dense_points(given)))
        with watch(n_jobs, verbose) as watching:
            return Model(self._inner.grow(names, given, self.kind, free, watching))

    def _grow_graph(self, graph: Any, free: bool, n_jobs: int | None, verbose: int) -> Model:
        weights, nodes = adjacency(graph)
        names = [str(node) for node in nodes]
        links, rows, unlinked, _ = self._inner.connect(names, parts(weights), self.kind, True)
        if unlinked:
            warn(
                f"{len(unlinked)} new nodes are left out, because no path connects them with the map, such as "
                f"{names[unlinked[0]]!r}"
            )
        if not rows:
            raise ValueError(
                "this graph has no new nodes that are connected with the map; new nodes are those with other names"
            )
        with watch(n_jobs, verbose) as watching:
            grown = self._inner.grow([names[row] for row in rows], parts(matrix(links)), self.kind, free, watching)
        return Model(grown)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file with the extension .dosnes.

        Parameters
        ----------
        path : path
            The file. It is written whole or not at all.
        """
        self._inner.save(path)

    def _columns(self, X: Any) -> Any:
        """The columns of new items in the order of the map's data, in the form of the extension."""
        refuse(X)
        names = self.feature_names
        if is_frame(X) and names:
            columns = column_names(X)
            own = [str(name) for name in columns]
            missing = [name for name in names if name not in own]
            if missing:
                raise ValueError(
                    f"{len(missing)} of the {len(names)} columns of the map's data are missing in X, such as {missing[0]!r}"
                )
            chosen = [column for name in names for column in columns if str(column) == name]
            # A table of pyarrow has a method for it.
            X = X.select(chosen) if hasattr(X, "column_names") else X[chosen]
        if self.kind != "points":
            return X
        return parts(X) if scipy.sparse.issparse(X) else dense_points(X)

    def _transform_graph(self, graph: Any, n_jobs: int | None, verbose: int) -> Placed:
        weights, nodes = adjacency(graph)
        names = [str(node) for node in nodes]
        links, rows, unlinked, _ = self._inner.connect(names, parts(weights), self.kind, False)
        new = sorted(rows + unlinked)
        if not new:
            raise ValueError("all nodes of this graph are on the map already; new nodes are those with other names")
        # A row for each new node, empty for those without a link.
        place = {row: at for at, row in enumerate(new)}
        spread = scipy.sparse.csr_array(
            (np.ones(len(rows)), ([place[row] for row in rows], np.arange(len(rows)))), shape=(len(new), len(rows))
        )
        return self._transform_links(spread @ matrix(links), [names[row] for row in new], n_jobs, verbose)

    def _transform_links(self, links: Matrix, names: list[str], n_jobs: int | None, verbose: int) -> Placed:
        """Places items by their similarities to the items of the map."""
        links = scipy.sparse.csr_array(links)
        linked = np.flatnonzero(abs(links).sum(axis=1) > 0)
        embedding = np.full((links.shape[0], 3), np.nan)
        misfit = np.full(links.shape[0], np.nan)
        if len(linked) < links.shape[0]:
            warn(
                f"{links.shape[0] - len(linked)} of {links.shape[0]} new items have no link to the map; "
                "they have no place there, and their coordinates are NaN"
            )
        if len(linked):
            with watch(n_jobs, verbose) as watching:
                placed = self._inner.transform(parts(links[linked]), self.kind, watching)
            embedding[linked], misfit[linked] = placed
        return Placed(embedding, misfit, names)

    def __len__(self) -> int:
        return len(self._inner)

    def __repr__(self) -> str:
        return f"<dosnes.Model of {len(self):,} items, made of {self.kind}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._inner.to_bytes() == other._inner.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_bytes, (self._inner.to_bytes(),))


def _from_bytes(contents: bytes) -> Model:
    return Model(_dosnes.Model.from_bytes(contents))


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file: one of `save_model`, or of the command ``dosnes embed --model``.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    model : Model
    """
    return Model(_dosnes.load_model(path))


def save_model(model: Any, path: str | os.PathLike[str]) -> None:
    """Write the model of a map to a file, which `load_model` and the command read.

    Parameters
    ----------
    model : Model or fitted DOSNES
        What is written.
    path : path
        The file, with the extension .dosnes. It is written whole or not at all.
    """
    if hasattr(model, "get_params") and not hasattr(model, "embedding_"):
        raise ValueError(f"this {type(model).__name__} is not fitted yet; call fit first")
    if getattr(model, "_no_model", None) and model._model is None:
        raise ValueError(f"this map has no model: {model._no_model}")
    own = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(own, Model):
        raise TypeError(f"a model is one of dosnes.Model or a fitted DOSNES, not {type(model).__name__}")
    own.save(path)


def names_of(X: Any) -> list[str] | None:
    """The names of the rows of a pandas frame, if they are all different."""
    index = getattr(X, "index", None) if is_frame(X) else None
    if index is None or not getattr(index, "is_unique", False):
        return None
    return [str(name) for name in index]


def _rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
