"""Figures for papers, with Matplotlib and the usual projections of the sphere."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._projections import middle, outline, project
from ._quality import _coordinates

# The two sides of a globe stand next to each other.
_SIDES = 2.1


def plot(
    map: Any,
    color: Any = None,
    *,
    labels: Any = None,
    projection: str = "equal-earth",
    center: Any = "auto",
    graticule: bool = True,
    ax: Any = None,
    s: Any = None,
    **options: Any,
) -> Any:
    """Draw a map with Matplotlib.

    Parameters
    ----------
    map : estimator, Map or array
        A map on the sphere, or in the plane.
    color : sequence, optional
        Numbers for a colour scale, or classes, which get a legend.
    labels : sequence of str, optional
        A text beside each item; empty texts are left out.
    projection : str
        "equal-earth" and "mollweide" (equal areas), "equirectangular", "globe" (from two opposite sides).
    center : "auto" or pair
        Longitude and latitude of the middle of the map, in degrees. "auto" cuts the sphere where few items are.
    graticule : bool
        Draw meridians and parallels.
    ax : matplotlib.axes.Axes, optional
        Where to draw. None: a new figure.
    s : float, optional
        The size of the points.
    **options
        Passed to ``Axes.scatter``.

    Returns
    -------
    ax : matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> import dosnes
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> ax = dosnes.plot(dosnes.DOSNES(perplexity=5).fit(points), color=points[:, 0])
    >>> ax.get_aspect()
    1.0
    """
    import matplotlib.pyplot as plt

    coordinates, space = _coordinates(map)
    if space == "space":
        raise ValueError("a map in space has no projection; draw it with Matplotlib's 3-D axes, or use dosnes.show")
    if ax is None:
        ax = plt.figure(figsize=(8, 4.2), layout="constrained").add_subplot()
    if space == "sphere":
        center = middle(coordinates) if isinstance(center, str) else center
        positions = _on_map(coordinates, projection, center)
        _background(ax, projection, center, graticule)
    else:
        positions = coordinates
    n = len(positions)
    size = np.clip(3000.0 / max(n, 1), 1.0, 30.0) if s is None else s
    _points(ax, positions, color, size, options)
    if labels is not None:
        if len(labels) != n:
            raise ValueError(f"labels must have one text for each of the {n} items, but there are {len(labels)}")
        for (x, y), text in zip(positions, labels, strict=True):
            if text and np.isfinite(x):
                ax.annotate(str(text), (x, y), xytext=(2, 2), textcoords="offset points", fontsize=6)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _on_map(points: Any, projection: str, center: Any) -> Any:
    """Two coordinates for each point; the far side of a globe stands to the right of the near one."""
    placed = project(points, projection, center)
    far = placed[:, 2] < 0
    # Seen from behind, east is on the other side.
    placed[far, 0] = _SIDES - placed[far, 0]
    return placed[:, :2]


def _background(ax: Any, projection: str, center: Any, graticule: bool) -> None:
    border = outline(projection)
    for shift in (0.0, _SIDES) if projection == "globe" else (0.0,):
        ax.fill(border[:, 0] + shift, border[:, 1], facecolor="#f4f6f8", edgecolor="#9aa5b1", linewidth=0.8, zorder=0)
    if graticule:
        for line in _graticule():
            drawn = _on_map(line, projection, center)
            # A line that leaves the map on one side comes back on the other.
            jumps = np.hypot(*np.diff(drawn, axis=0).T) > 0.5
            drawn[1:][jumps] = np.nan
            ax.plot(drawn[:, 0], drawn[:, 1], color="#d5dbe1", linewidth=0.4, zorder=0.5)


def _graticule() -> list[Any]:
    turn, rise = np.radians(np.arange(0, 361, 2)), np.radians(np.arange(-90, 91, 2))
    meridians = [
        np.stack([np.cos(rise) * np.cos(a), np.cos(rise) * np.sin(a), np.sin(rise)], axis=1)
        for a in np.radians(np.arange(-180, 180, 30))
    ]
    parallels = [
        np.stack([np.cos(b) * np.cos(turn), np.cos(b) * np.sin(turn), np.full_like(turn, np.sin(b))], axis=1)
        for b in np.radians((-60, -30, 0, 30, 60))
    ]
    return meridians + parallels


def _points(ax: Any, positions: Any, color: Any, size: Any, options: dict[str, Any]) -> None:
    style = {"linewidths": 0, "zorder": 2, **options}
    if color is None or isinstance(color, str):
        ax.scatter(positions[:, 0], positions[:, 1], s=size, c=color, **style)
        return
    if len(color) != len(positions):
        raise ValueError(
            f"color must have one value for each of the {len(positions)} items, but there are {len(color)}"
        )
    values = np.asarray(color)
    if values.dtype.kind in "fiu":
        drawn = ax.scatter(positions[:, 0], positions[:, 1], s=size, c=values, **style)
        ax.figure.colorbar(drawn, ax=ax, shrink=0.6)
        return
    texts = np.asarray([str(value) for value in values])
    for place, name in enumerate(sorted(set(texts))):
        rows = texts == name
        ax.scatter(positions[rows, 0], positions[rows, 1], s=size, color=f"C{place % 10}", label=name, **style)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, markerscale=2)
