"""Positions of the nodes of graphs, in the form that NetworkX and igraph have for layouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._estimator import DOSNES
from ._graphs import adjacency
from ._projections import equal_area


def networkx_layout(
    G: Any,
    weight: str | None = "weight",
    *,
    dim: int = 3,
    seed: Any = 0,
    scale: float = 1.0,
    store_pos_as: str | None = None,
    **options: Any,
) -> dict[Any, NDArray[np.float64]]:
    """Position the nodes of a NetworkX graph on a globe, or on an equal-area map of it.

    Parameters
    ----------
    G : graph
        A graph of NetworkX.
    weight : str or None
        The attribute of the edges that is their similarity; edges without it have 1. None: all have 1.
    dim : int
        3: points of a sphere with the radius `scale`. 2: an equal-area map of the sphere, for ``networkx.draw``.
    seed : int, generator or None
        The seed.
    scale : float
        The radius of the sphere.
    store_pos_as : str, optional
        Store the position of each node as this attribute of the node, too.
    **options
        Parameters of `DOSNES`. ``preset="layout"`` keeps more neighbours next to each other; totals are not made equal then.

    Returns
    -------
    pos : dict
        A position for each node. Nodes without an edge are spread evenly over the sphere.

    Examples
    --------
    >>> import networkx
    >>> import dosnes
    >>> G = networkx.karate_club_graph()
    >>> pos = dosnes.networkx_layout(G, dim=2, seed=7)
    >>> len(pos), pos[0].shape
    (34, (2,))
    """
    if store_pos_as is not None and not hasattr(G, "nodes"):
        raise TypeError(
            f"store_pos_as needs a graph of NetworkX, not {type(G).__name__}; the positions are returned, too"
        )
    weights, nodes = adjacency(G, weight)
    positions = _positions(weights, dim, seed, scale, options)
    pos = dict(zip(nodes, positions, strict=True))
    if store_pos_as is not None:
        for node, position in pos.items():
            G.nodes[node][store_pos_as] = position
    return pos


def igraph_layout(
    graph: Any, weight: str | None = "weight", *, dim: int = 3, seed: Any = 0, scale: float = 1.0, **options: Any
) -> Any:
    """Position the vertices of an igraph graph on a globe, or on an equal-area map of it.

    The parameters are those of `networkx_layout`.

    Returns
    -------
    layout : igraph.Layout
        For ``igraph.plot(graph, layout=layout)``, if `dim` is 2.

    Examples
    --------
    >>> import igraph
    >>> import dosnes
    >>> dosnes.igraph_layout(igraph.Graph.Famous("Zachary"), dim=2)
    <Layout with 34 vertices and 2 dimensions>
    """
    import igraph

    weights, _ = adjacency(graph, weight)
    positions = _positions(weights, dim, seed, scale, options)
    return igraph.Layout(positions.tolist(), dim=dim)


def _positions(weights: Any, dim: int, seed: Any, scale: float, options: dict[str, Any]) -> NDArray[np.float64]:
    if dim not in (2, 3):
        raise ValueError(f"dim is {dim!r}, but it must be 3 (a globe) or 2 (an equal-area map of it)")
    if isinstance(scale, bool) or not isinstance(scale, (int, float, np.integer, np.floating)):
        raise TypeError(f"scale must be a number, not {type(scale).__name__}")
    if not np.isfinite(scale):
        raise ValueError(f"scale is {scale}, but it must be finite")
    n, m = weights.shape
    if n != m:
        raise ValueError(f"the matrix of a graph must be square, n × n, but its shape is {(n, m)}")
    edges = weights.tocoo()
    wrong = np.flatnonzero(~((edges.data >= 0) & (edges.data < np.inf)))
    if len(wrong):
        row, column, value = edges.row[wrong[0]], edges.col[wrong[0]], edges.data[wrong[0]]
        raise ValueError(
            f"the weight in row {row}, column {column} is {value:g}; weights must be numbers that are at least 0"
        )
    present = (edges.data != 0) & (edges.row != edges.col)
    linked = np.zeros(n, dtype=bool)
    linked[edges.row[present]] = linked[edges.col[present]] = True
    connected = np.flatnonzero(linked)
    directions = np.zeros((n, 3))
    if len(connected) > 1:
        model = DOSNES(affinity="graph", random_state=seed, **options).fit(weights[connected][:, connected])
        directions[connected] = model.embedding_ / model.radius_
    alone = np.flatnonzero(~linked)
    directions[alone] = _evenly_spread(len(alone))
    return scale * (equal_area(directions) if dim == 2 and n else directions[:, :dim])


def _evenly_spread(n: int) -> NDArray[np.float64]:
    """Points on a Fibonacci spiral around the sphere."""
    place = np.arange(n)
    height = 1.0 - (2.0 * place + 1.0) / max(n, 1)
    angle = place * np.pi * (3.0 - np.sqrt(5.0))
    across = np.sqrt(1.0 - height**2)
    return np.stack([across * np.cos(angle), across * np.sin(angle), height], axis=1)
