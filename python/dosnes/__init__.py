"""Doubly stochastic neighbor embedding on spheres: similarity data as a globe.

>>> import numpy as np
>>> import dosnes
>>> points = np.random.default_rng(0).normal(size=(60, 5))
>>> globe = dosnes.DOSNES(perplexity=5).fit_transform(points)
>>> globe.shape
(60, 3)

`DOSNES` and `TSNE` are scikit-learn estimators. `doubly_stochastic`, `affinities` and `embed` are the stages, `evaluate` and
`compare` measure maps, `show`, `widget` and `plot` draw them. `load_model` and `align` are for
maps that are kept and compared. `networkx_layout` and `igraph_layout` place the nodes of graphs, and
`dosnes.scanpy` is for single cells.

The same input, options and seed give the same bytes as the command
`dosnes`, on any number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._dosnes import VERSION as __version__

if TYPE_CHECKING:
    from ._align import Alignment as Alignment
    from ._align import align as align
    from ._estimator import DOSNES as DOSNES
    from ._estimator import TSNE as TSNE
    from ._layouts import igraph_layout as igraph_layout
    from ._layouts import networkx_layout as networkx_layout
    from ._model import Model as Model
    from ._model import Placed as Placed
    from ._model import load_model as load_model
    from ._model import save_model as save_model
    from ._plot import plot as plot
    from ._projections import equal_area as equal_area
    from ._projections import lonlat as lonlat
    from ._quality import Comparison as Comparison
    from ._quality import Measure as Measure
    from ._quality import compare as compare
    from ._quality import evaluate as evaluate
    from ._show import Page as Page
    from ._show import show as show
    from ._show import widget as widget
    from ._stages import Map as Map
    from ._stages import affinities as affinities
    from ._stages import doubly_stochastic as doubly_stochastic
    from ._stages import embed as embed

# Where each name is defined. scikit-learn and SciPy take most of a second to import: they are imported with the first use.
_PLACES = {
    "DOSNES": "_estimator",
    "TSNE": "_estimator",
    "Alignment": "_align",
    "Comparison": "_quality",
    "Map": "_stages",
    "Measure": "_quality",
    "Model": "_model",
    "Page": "_show",
    "Placed": "_model",
    "affinities": "_stages",
    "align": "_align",
    "compare": "_quality",
    "doubly_stochastic": "_stages",
    "embed": "_stages",
    "equal_area": "_projections",
    "evaluate": "_quality",
    "igraph_layout": "_layouts",
    "load_model": "_model",
    "lonlat": "_projections",
    "networkx_layout": "_layouts",
    "plot": "_plot",
    "save_model": "_model",
    "show": "_show",
    "widget": "_show",
}

__all__ = [
    "DOSNES",
    "TSNE",
    "Alignment",
    "Comparison",
    "Map",
    "Measure",
    "Model",
    "Page",
    "Placed",
    "affinities",
    "align",
    "compare",
    "doubly_stochastic",
    "embed",
    "equal_area",
    "evaluate",
    "igraph_layout",
    "load_model",
    "lonlat",
    "networkx_layout",
    "plot",
    "save_model",
    "show",
    "widget",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'dosnes' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
