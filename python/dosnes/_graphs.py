"""Graphs of other packages as sparse matrices. The packages themselves are imported only if their graphs are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from ._arrays import Matrix


def is_graph(thing: Any) -> bool:
    """Whether this is a graph of NetworkX, igraph or rustworkx."""
    return _package(thing) in ("networkx", "igraph", "rustworkx")


def is_frame(thing: Any) -> bool:
    """Whether this is a table of pandas or polars."""
    return hasattr(thing, "columns") and hasattr(thing, "__getitem__") and not hasattr(thing, "tocsr")


def _package(thing: Any) -> str:
    """The package of the first class that is not the user's own."""
    packages = [kind.__module__.partition(".")[0] for kind in type(thing).__mro__]
    return next((name for name in packages if name in ("networkx", "igraph", "rustworkx")), "")


def adjacency(graph: Any, weight: str | None = "weight") -> tuple[Matrix, list[Any]]:
    """The weights of a graph as a sparse matrix, and the names of its nodes in the order of the rows.

    A graph is one of NetworkX, igraph or rustworkx, a square sparse matrix, or a frame of edges with columns such as
    source, target and weight. Edges without a weight have the weight 1.
    """
    package = _package(graph)
    if package == "networkx":
        return _of_networkx(graph, weight)
    if package == "igraph":
        return _of_igraph(graph, weight)
    if package == "rustworkx":
        return _of_rustworkx(graph, weight)
    if is_frame(graph):
        return _of_edges(graph, weight)
    if scipy.sparse.issparse(graph) or isinstance(graph, np.ndarray):
        csr = scipy.sparse.csr_array(graph)
        return csr, list(range(csr.shape[0]))
    raise TypeError(
        "a graph must be a graph of NetworkX, igraph or rustworkx, a square matrix, or a frame of edges, "
        f"not {type(graph).__name__}"
    )


def _square(rows: Any, columns: Any, weights: Any, n: int, directed: bool) -> Matrix:
    rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    weights = np.asarray(weights, dtype=np.float64)
    if not directed:
        other = rows != columns
        rows, columns = np.concatenate([rows, columns[other]]), np.concatenate([columns, rows[other]])
        weights = np.concatenate([weights, weights[other]])
    return scipy.sparse.csr_array((weights, (rows, columns)), shape=(n, n))


def _of_networkx(graph: Any, weight: str | None) -> tuple[Matrix, list[Any]]:
    nodes = list(graph)
    places = {node: place for place, node in enumerate(nodes)}
    rows, columns, weights = [], [], []
    for source, target, value in graph.edges(data=weight, default=1.0) if weight else graph.edges(data="", default=1.0):
        rows.append(places[source])
        columns.append(places[target])
        weights.append(_number(value, source, target))
    return _square(rows, columns, weights, len(nodes), graph.is_directed()), nodes


def _of_igraph(graph: Any, weight: str | None) -> tuple[Matrix, list[Any]]:
    n = graph.vcount()
    edges = np.asarray(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = graph.es[weight] if weight and weight in graph.es.attributes() else [1.0] * len(edges)
    weights = [_number(value, *ends) for value, ends in zip(weights, edges, strict=True)]
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else list(range(n))
    return _square(edges[:, 0], edges[:, 1], weights, n, graph.is_directed()), names


def _of_rustworkx(graph: Any, weight: str | None) -> tuple[Matrix, list[Any]]:
    # Removed nodes leave gaps in the numbers.
    nodes = list(graph.node_indices())
    places = {node: place for place, node in enumerate(nodes)}
    rows, columns, weights = [], [], []
    for source, target, value in graph.weighted_edge_list():
        if isinstance(value, dict):
            value = value.get(weight, 1.0)
        rows.append(places[source])
        columns.append(places[target])
        weights.append(1.0 if value is None or weight is None else _number(value, source, target))
    directed = hasattr(graph, "in_degree")
    return _square(rows, columns, weights, len(nodes), directed), nodes


# The usual names of the columns of edges.
_ENDS = (("source", "target"), ("from", "to"), ("origin", "destination"), ("src", "dst"), ("node1", "node2"))


def _of_edges(frame: Any, weight: str | None) -> tuple[Matrix, list[Any]]:
    names = [str(name) for name in frame.columns]
    lower = {name.lower(): name for name in names}
    ends = next(((lower[a], lower[b]) for a, b in _ENDS if a in lower and b in lower), None)
    if ends is None:
        if len(names) < 2:
            raise ValueError(f"a frame of edges needs two columns, such as source and target; this one has {names}")
        ends = (names[0], names[1])
    sources, targets = (np.asarray(frame[name]).tolist() for name in ends)
    if weight and weight in names:
        weights = np.asarray(frame[weight])
        if weights.dtype.kind not in "fiub":
            raise TypeError(f"the weights of the edges must be numbers, not {weights.dtype}")
    else:
        weights = np.ones(len(sources))
    # Nodes are numbered in the order in which they occur, as by the command.
    places: dict[Any, int] = {}
    numbered = [
        (places.setdefault(a, len(places)), places.setdefault(b, len(places)))
        for a, b in zip(sources, targets, strict=True)
    ]
    pairs = np.asarray(numbered, dtype=np.int64).reshape(-1, 2)
    return _square(pairs[:, 0], pairs[:, 1], weights, len(places), directed=True), list(places)


def _number(value: Any, source: Any, target: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the weight of the edge from {source!r} to {target!r} is {value!r}, not a number") from None
