"""The rotation that lays one map onto another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dosnes
from ._model import Model
from ._quality import _coordinates


class Alignment:
    """A rotation, with a reflection if that is better, and what it does to a map.

    Attributes
    ----------
    embedding : array of shape (n, 3)
        The new map after the rotation.
    rotation : array of shape (3, 3)
        An orthogonal matrix R; the position b of an item becomes R b.
    mirrored : bool
        Whether R mirrors the map.
    moved : array of shape (n,)
        The angle in degrees between the old and the new place of each item, after the rotation. NaN for items that are
        not on both maps.
    """

    def __init__(self, inner: _dosnes.Alignment, embedding: NDArray[np.float64], moved: NDArray[np.float64]) -> None:
        self._inner = inner
        self.embedding = embedding
        self.moved = moved

    @property
    def rotation(self) -> NDArray[np.float64]:
        """The orthogonal matrix."""
        return np.array(self._inner.rotation)

    @property
    def mirrored(self) -> bool:
        """Whether the matrix mirrors."""
        return self._inner.mirrored

    def apply(self, map: Any) -> NDArray[np.float64]:
        """Another map after the same rotation.

        Parameters
        ----------
        map : estimator, Map, Model or array
            A map on a sphere.

        Returns
        -------
        embedding : array of shape (n, 3)
        """
        return self._inner.apply(_on_sphere(map, "the map"))

    def __repr__(self) -> str:
        how = "rotated and mirrored" if self.mirrored else "rotated"
        return f"<dosnes.Alignment: {how}; half of the items moved by less than {np.nanmedian(self.moved):.2f} degrees>"


def align(old: Any, new: Any, *, ids: tuple[Sequence[Any], Sequence[Any]] | None = None) -> Alignment:
    """Lay a new map onto an old one by a rotation, so that they can be compared item by item.

    A map on a sphere may be rotated and mirrored without any change of what it shows. The sum of the distances is minimised, not
    of their squares: if most items kept their places, those that moved do not turn the others.

    Parameters
    ----------
    old, new : estimator, Map, Model or array
        Maps on spheres. Row i of both is the same item, unless there are names. Items without a place are left out.
    ids : pair of sequences, optional
        The names of the items of the old and of the new map. None: models are matched by their own names, other maps by row.

    Returns
    -------
    alignment : Alignment

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> old = np.random.default_rng(0).normal(size=(50, 3))
    >>> old /= np.linalg.norm(old, axis=1, keepdims=True)
    >>> turned = old @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    >>> bool(np.allclose(dosnes.align(old, turned).embedding, old))
    True
    """
    a, b = _on_sphere(old, "the old map"), _on_sphere(new, "the new map")
    if ids is None and isinstance(old, Model) and isinstance(new, Model):
        ids = (old.ids, new.ids)
    if ids is not None:
        rows, others = _common(ids, len(a), len(b))
    elif len(a) == len(b):
        rows = others = np.arange(len(a))
    else:
        raise ValueError(
            f"the old map has {len(a)} items and the new one {len(b)}; say which are the same by ids=(old_names, new_names)"
        )
    known = np.isfinite(a[rows]).all(axis=1) & np.isfinite(b[others]).all(axis=1)
    rows, others = rows[known], others[known]
    if len(rows) < 3:
        raise ValueError(f"the maps have {len(rows)} items in common, but a rotation needs at least 3")
    found = _dosnes.align(np.ascontiguousarray(a[rows]), np.ascontiguousarray(b[others]))
    moved = np.full(len(b), np.nan)
    moved[others] = found.moved()
    return Alignment(found, found.apply(b), moved)


def _on_sphere(map: Any, what: str) -> NDArray[np.float64]:
    coordinates, space = _coordinates(map)
    if space != "sphere":
        raise ValueError(f"{what} is not on a sphere around the origin; only such maps can be aligned by a rotation")
    return np.ascontiguousarray(coordinates)


def _common(ids: Any, n: int, m: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows of the items that are on both maps, in the order of the new one."""
    if len(ids) != 2 or (len(ids[0]), len(ids[1])) != (n, m):
        raise ValueError(f"ids must be a pair: {n} names of the old map, and {m} names of the new one")
    place = {name: row for row, name in enumerate(ids[0])}
    pairs = [(place[name], row) for row, name in enumerate(ids[1]) if name in place]
    both = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return both[:, 0], both[:, 1]
