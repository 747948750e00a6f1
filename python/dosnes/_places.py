"""What is known of the places of items before a map is made: an earlier map, or fixed directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._model import Model
from ._quality import _coordinates

# A rotation needs this many items in common.
LEAST_COMMON = 3


def earlier(like: Any, ids: list[str]) -> NDArray[np.float64]:
    """The places of the items on an earlier map: n × 3, NaN for those that are not on it."""
    model = like if isinstance(like, Model) else getattr(like, "_model", None)
    coordinates, space = _coordinates(like if model is None else model)
    if space != "sphere":
        raise ValueError("like is not a map on a sphere around the origin; only such a map can be continued")
    if model is not None:
        rows = {name: row for row, name in enumerate(model.ids)}
        places = np.full((len(ids), 3), np.nan)
        for item, name in enumerate(ids):
            if name in rows:
                places[item] = coordinates[rows[name]]
        how = "items are matched by name"
    elif len(coordinates) == len(ids):
        places, how = np.array(coordinates, dtype=np.float64), "rows with NaN are not known"
    else:
        raise ValueError(
            f"like has {len(coordinates)} items, but the data have {len(ids)}; give an array with a row for each item (NaN for new "
            "ones), or a Model, whose items are matched by name"
        )
    common = int(np.isfinite(places).all(axis=1).sum())
    if common < LEAST_COMMON:
        raise ValueError(
            f"like and the data have {common} items in common, but a rotation needs at least {LEAST_COMMON}; {how}"
        )
    return places


def directions(fixed: Any, ids: list[str]) -> NDArray[np.float64]:
    """The directions of fixed items: n × 3, NaN for those that are free."""
    if isinstance(fixed, Mapping):
        rows = {name: row for row, name in enumerate(ids)}
        unknown = [name for name in fixed if str(name) not in rows]
        if unknown:
            raise ValueError(
                f"{len(unknown)} of the {len(fixed)} fixed items are not in the data, such as {unknown[0]!r}; use the names of the "
                "items, or the numbers of their rows"
            )
        given = np.full((len(ids), 3), np.nan)
        for name, place in fixed.items():
            given[rows[str(name)]] = _direction(place, name)
    else:
        array = np.asarray(fixed)
        if array.dtype.kind not in "fiu":
            raise TypeError(
                f"fixed must be a dictionary of directions or an array of numbers, not {type(fixed).__name__}"
            )
        if array.ndim != 2 or array.shape[0] != len(ids) or array.shape[1] not in (2, 3):
            raise ValueError(
                f"fixed must have a row for each of the {len(ids)} items, with longitude and latitude or x, y and z (NaN for free "
                f"items), but its shape is {array.shape}"
            )
        given = np.array([_direction(row, item) for item, row in enumerate(array)])
    if not np.isfinite(given).all(axis=1).any():
        raise ValueError("fixed has no direction, so nothing can be fixed")
    return given


def _direction(place: Any, name: Any) -> NDArray[np.float64]:
    """x, y, z from longitude and latitude in degrees, or as they are."""
    direction: NDArray[np.float64] = np.asarray(place, dtype=np.float64)
    if direction.shape not in ((2,), (3,)):
        raise ValueError(
            f"the direction of {name!r} must be longitude and latitude in degrees, or x, y and z; its shape is {direction.shape}"
        )
    if len(direction) == 2:
        longitude, latitude = np.radians(direction)
        across = np.cos(latitude)
        direction = np.array([across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)])
    if np.isfinite(direction).all() and not direction.any():
        raise ValueError(f"{name!r} is fixed at the centre, which is no direction; leave it out")
    return direction
