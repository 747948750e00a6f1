"""Positions on the sphere as longitudes, latitudes and maps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The coefficients of Equal Earth (Šavrič, Patterson, Jenny 2018).
_A = (1.340264, -0.081106, 0.000893, 0.003796)


def lonlat(points: Any) -> NDArray[np.float64]:
    """Longitude and latitude in degrees of points of a sphere around the origin.

    >>> lonlat([[0.0, 2.0, 0.0], [0.0, 0.0, -2.0]])
    array([[ 90.,   0.],
           [  0., -90.]])
    """
    points = _three_columns(points)
    x, y, z = points.T
    angles: NDArray[np.float64] = np.stack([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))], axis=1)
    return np.degrees(angles)


def equal_area(points: Any, center: tuple[float, float] | str = "auto") -> NDArray[np.float64]:
    """An equal-area map of the whole sphere (Equal Earth), two coordinates for each point.

    `center` is the longitude and latitude in the middle of the map, in degrees. "auto" cuts the sphere where few points are.

    >>> equal_area([[1.0, 0.0, 0.0]], center=(0.0, 0.0))
    array([[0., 0.]])
    """
    return project(points, "equal-earth", center)[:, :2]


def project(points: Any, projection: str, center: tuple[float, float] | str = "auto") -> NDArray[np.float64]:
    """The position of each point on a map, and whether it is on the near side (above 0) of a globe."""
    points = _three_columns(points)
    if projection not in PROJECTIONS:
        raise ValueError(f"projection={projection!r}: use one of {', '.join(PROJECTIONS)}")
    turned = _turned(points, middle(points) if isinstance(center, str) else _center(center))
    return np.stack(PROJECTIONS[projection](*turned.T), axis=1) + 0.0


def outline(projection: str) -> NDArray[np.float64]:
    """The border of a map, as a closed line."""
    turn = np.linspace(-np.pi, np.pi, 361)
    if projection == "globe":
        return np.stack([np.cos(turn), np.sin(turn)], axis=1)
    latitude = np.linspace(-np.pi / 2, np.pi / 2, 181)
    sides = []
    for east in (1.0, -1.0):
        longitude, height = east * (np.pi - 1e-9), east * latitude
        side = (np.cos(height) * np.cos(longitude), np.cos(height) * np.sin(longitude), np.sin(height))
        sides.append(np.stack(PROJECTIONS[projection](*side)[:2], axis=1))
    return np.concatenate([*sides, sides[0][:1]])


def middle(points: Any) -> tuple[float, float]:
    """The longitude and latitude of a centre for which few points are near the cut on the other side of the sphere."""
    points = _three_columns(points)
    points = points[np.isfinite(points).all(axis=1)]
    points = points[:: max(1, len(points) // 4000)]
    if len(points) == 0:
        return (0.0, 0.0)
    best, fewest = (0.0, 0.0), len(points) + 1
    for latitude in range(-60, 61, 20):
        for longitude in range(-180, 180, 15):
            turned = _turned(points, (longitude, latitude))
            near_cut = int(((turned[:, 0] < 0) & (np.abs(turned[:, 1]) < _NEAR_CUT)).sum())
            if near_cut < fewest:
                best, fewest = (float(longitude), float(latitude)), near_cut
    return best


# Points that are nearer to the cut than this count as cut, in radii.
_NEAR_CUT = 0.12


def _equal_earth(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    longitude = np.arctan2(y, x)
    m = np.sqrt(3.0) / 2.0
    t = np.arcsin(m * np.clip(z, -1.0, 1.0))
    t2 = t * t
    slope = _A[0] + 3.0 * _A[1] * t2 + t2**3 * (7.0 * _A[2] + 9.0 * _A[3] * t2)
    height = t * (_A[0] + _A[1] * t2 + t2**3 * (_A[2] + _A[3] * t2))
    return longitude * np.cos(t) / (m * slope), height, np.ones_like(longitude)


def _mollweide(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    longitude = np.arctan2(y, x)
    # Solves e − sin e = s for the cap beyond the latitude: this form does not cancel at the poles.
    s = np.pi * (x * x + y * y) / (1.0 + np.abs(z))
    e = np.cbrt(6.0 * s)
    small = e < 0.05
    start = np.where(small, 1.0, e)
    for _ in range(6):
        start = start - (start - np.sin(start) - s) / (1.0 - np.cos(start))
    half = np.where(small, e * (1.0 + e * e / 60.0), start) / 2.0
    root = np.sqrt(2.0)
    return 2.0 * root / np.pi * longitude * np.sin(half), np.sign(z) * root * np.cos(half), np.ones_like(longitude)


def _equirectangular(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    longitude = np.arctan2(y, x)
    return longitude, np.arcsin(np.clip(z, -1.0, 1.0)), np.ones_like(longitude)


def _globe(x: Any, y: Any, z: Any) -> tuple[Any, Any, Any]:
    return y, z, x


# The position on the map and the side, for a direction (towards the viewer, east, north).
PROJECTIONS = {
    "equal-earth": _equal_earth,
    "mollweide": _mollweide,
    "equirectangular": _equirectangular,
    "globe": _globe,
}


def _center(center: Any) -> tuple[float, float]:
    try:
        longitude, latitude = (float(part) for part in center)
    except (TypeError, ValueError):
        raise TypeError('center must be "auto" or a pair of longitude and latitude in degrees') from None
    return longitude, latitude


def _three_columns(points: Any) -> NDArray[np.float64]:
    array: NDArray[np.float64] = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"points of a sphere have three coordinates; the shape is {array.shape}")
    return array


def _turned(points: NDArray[np.float64], center: tuple[float, float]) -> NDArray[np.float64]:
    """Directions, with the point `center` turned to longitude and latitude 0."""
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    directions = np.divide(points, lengths, out=np.full_like(points, np.nan), where=lengths > 0)
    longitude, latitude = np.radians(center)
    x, y, z = directions.T
    east = np.cos(longitude) * y - np.sin(longitude) * x
    towards = np.cos(longitude) * x + np.sin(longitude) * y
    ahead = np.sin(latitude) * z + np.cos(latitude) * towards
    return np.stack([ahead, east, np.cos(latitude) * z - np.sin(latitude) * towards], axis=1)
