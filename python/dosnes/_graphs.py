"""Graphs of other packages as sparse matrices. The packages themselves are imported only if their graphs are given."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._arrays import Matrix, is_missing, numbers
from ._watching import warn


def is_graph(thing: Any) -> bool:
    """Whether this is a graph of NetworkX, igraph or rustworkx."""
    return _package(thing) in ("networkx", "igraph", "rustworkx")


def is_frame(thing: Any) -> bool:
    """Whether this is a table of pandas, polars or pyarrow."""
    return hasattr(thing, "columns") and hasattr(thing, "__getitem__") and not hasattr(thing, "tocsr")


def _package(thing: Any) -> str:
    """The package of the first class that is not the user's own."""
    packages = [kind.__module__.partition(".")[0] for kind in type(thing).__mro__]
    return next((name for name in packages if name in ("networkx", "igraph", "rustworkx")), "")


def adjacency(graph: Any, weight: str | None = "weight") -> tuple[Matrix, list[Any]]:
    """The weights of a graph as a sparse matrix, and the names of its nodes in the order of the rows.

    A graph is one of NetworkX, igraph or rustworkx, a square matrix, a frame of pandas with the same names in its index and in its
    columns, or a frame of edges with columns such as source, target and weight. Edges without a weight have the weight 1.
    """
    if callable(weight):
        raise TypeError("weight must be the name of an attribute of the edges, or None, not a function")
    package = _package(graph)
    if package == "networkx":
        return _of_networkx(graph, weight)
    if package == "igraph":
        return _of_igraph(graph, weight)
    if package == "rustworkx":
        return _of_rustworkx(graph, weight)
    if is_frame(graph):
        names = _names_of_square(graph)
        if names is not None:
            return scipy.sparse.csr_array(np.asarray(graph, dtype=np.float64)), names
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
    weights = [_number(value, *ends) for value, ends in zip(weights, edges.tolist(), strict=True)]
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


# The usual names of the columns of edges, in lower case and without blanks and signs.
_ENDS = (
    ("source", "target"),
    ("sourceid", "targetid"),
    ("from", "to"),
    ("fromid", "toid"),
    ("origin", "destination"),
    ("src", "dst"),
    ("source", "destination"),
    ("sender", "receiver"),
    ("node1", "node2"),
    ("id1", "id2"),
    ("u", "v"),
)
_WEIGHTS = ("weight", "weights", "w", "count", "counts", "value", "n", "strength", "similarity", "score", "frequency")


def _names_of_square(frame: Any) -> list[Any] | None:
    """The names of the rows of a frame that is a matrix: of one with the same names in its index and in its columns."""
    index = getattr(frame, "index", None)
    if index is None or callable(index) or len(index) != len(frame.columns):
        return None
    names = list(index)
    # Two or three columns without names are edges, however many rows there are.
    unnamed = names in ([0, 1], [0, 1, 2])
    return names if names == list(frame.columns) and not unnamed else None


def column_names(frame: Any) -> list[Any]:
    # The columns of a table of pyarrow are the values.
    return list(getattr(frame, "column_names", frame.columns))


def _of_edges(frame: Any, weight: str | None) -> tuple[Matrix, list[Any]]:
    names = column_names(frame)
    plain = {re.sub(r"[\W_]", "", str(name).lower()): name for name in reversed(names)}
    ends = next(((plain[a], plain[b]) for a, b in _ENDS if a in plain and b in plain), None)
    if ends is None:
        if len(names) < 2:
            raise ValueError(f"a frame of edges needs two columns, such as source and target; this one has {names}")
        ends = (names[0], names[1])
    sources, targets = (_ends_of_edges(frame[name], name) for name in ends)
    weights = _weights_of_edges(frame, weight, [name for name in names if name not in ends], plain)
    # Nodes are numbered in the order in which they occur, as by the command.
    places: dict[Any, int] = {}
    numbered = [
        (places.setdefault(a, len(places)), places.setdefault(b, len(places)))
        for a, b in zip(sources, targets, strict=True)
    ]
    pairs = np.asarray(numbered, dtype=np.int64).reshape(-1, 2)
    return _square(pairs[:, 0], pairs[:, 1], weights, len(places), directed=True), list(places)


def _ends_of_edges(column: Any, name: Any) -> list[Any]:
    ends: list[Any] = np.asarray(column).tolist()
    for row, end in enumerate(ends):
        if is_missing(end):
            raise ValueError(f"the edge in row {row} has no {name!r}; leave such edges out, as by frame.dropna()")
    return ends


def _weights_of_edges(frame: Any, weight: str | None, others: list[Any], plain: dict[str, Any]) -> NDArray[np.float64]:
    ones = np.ones(len(frame))
    if weight is None:
        return ones
    name = weight
    if weight not in others:
        found = [plain[known] for known in _WEIGHTS if known in plain and plain[known] in others]
        if not found:
            unused = [other for other in others if np.asarray(frame[other]).dtype.kind in "fiu"]
            if unused:
                warn(
                    f"all edges have the weight 1, because none of the columns {unused} is called {weight!r}; rename the one with "
                    "the weights, or leave the columns out"
                )
            return ones
        name = found[0]
    column = np.asarray(frame[name])
    try:
        # Numbers that may be missing are objects; texts are not read as numbers, as little as by other packages.
        weights = column.astype(np.float64) if column.dtype.kind in "fiub" else numbers(column)
    except (TypeError, ValueError):
        raise TypeError(
            f"the weights of the edges, in the column {name!r}, must be numbers, not {column.dtype}"
        ) from None
    bad = np.flatnonzero(~(weights >= 0) | np.isinf(weights))
    if len(bad):
        raise ValueError(
            f"the weight of the edge in row {bad[0]} is {column[bad[0]]}, but weights must be finite numbers, and not negative"
        )
    return weights


def _number(value: Any, source: Any, target: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the weight of the edge from {source!r} to {target!r} is {value!r}, not a number") from None
    if not 0.0 <= number < np.inf:
        raise ValueError(
            f"the weight of the edge from {source!r} to {target!r} is {value!r}, but weights must be finite numbers, and not negative"
        )
    return number
