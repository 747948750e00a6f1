"""How good maps are, and maps by several methods on the same data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dosnes
from ._arrays import is_missing, seed_of
from ._model import Model
from ._stages import GIVEN, Map, prepare
from ._watching import watch

# The options of similarities and of their normalisation.
_OPTIONS = (
    "perplexity",
    "n_neighbors",
    "metric",
    "affinity",
    "precomputed_knn",
    "pca",
    "normalize",
    "steps",
    "diagonal",
    "strict",
    "softness",
    "kernel",
    "radius",
    "random_state",
)


@dataclass(frozen=True)
class Measure:
    """A measured number.

    Attributes
    ----------
    value : float
        The number.
    label : str
        What it is.
    margin : float or None
        Half of the 95 % confidence interval, if it was measured on a sample.
    best : float or None
        The best value; infinity if higher is better, None if no value is.
    """

    value: float
    label: str
    margin: float | None
    best: float | None

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Run:
    """A map by one method, and its measures."""

    method: str
    label: str
    space: str
    seed: int
    embedding: NDArray[np.float64]
    measures: dict[str, Measure]

    def __repr__(self) -> str:
        return f"<{self.label}, seed {self.seed}: {len(self.embedding):,} items, {len(self.measures)} measures>"


@dataclass(frozen=True)
class Comparison:
    """Maps by several methods.

    Attributes
    ----------
    runs : list of Run
        The maps, in the order of the methods.
    """

    runs: list[Run]

    def __getitem__(self, method: str) -> Run:
        """The first map of a method."""
        for run in self.runs:
            if run.method == method:
                return run
        raise KeyError(f"there is no map by {method!r}; the methods are {sorted({run.method for run in self.runs})}")

    def to_pandas(self) -> Any:
        """A table: one row for each measure, one column for each method, with the mean over the seeds."""
        import pandas

        return pandas.DataFrame.from_dict(self._table(), orient="index")

    def _table(self) -> dict[str, dict[str, float]]:
        """The measures by their labels, and for each the mean over the seeds by the label of the method."""
        labels = {run.method: run.label for run in self.runs}
        keys = {key: measure.label for run in self.runs for key, measure in run.measures.items()}
        rows = {}
        for key, label in keys.items():
            cells = {}
            for method, column in labels.items():
                values = [run.measures[key].value for run in self.runs if run.method == method and key in run.measures]
                cells[column] = float(np.mean(values)) if values else np.nan
            rows[label] = cells
        return rows

    def __repr__(self) -> str:
        table = self._table()
        columns = list(dict.fromkeys(run.label for run in self.runs))
        first = max((len(label) for label in table), default=0)
        widths = [max(len(column), 8) for column in columns]
        lines = [" " * first + "".join(f"  {name:>{width}}" for name, width in zip(columns, widths, strict=True))]
        for label, cells in table.items():
            numbers = ["" if np.isnan(cells[name]) else f"{cells[name]:.4g}" for name in columns]
            lines.append(f"{label:<{first}}" + "".join(f"  {n:>{w}}" for n, w in zip(numbers, widths, strict=True)))
        return "\n".join(lines)


def evaluate(
    map: Any,
    X: Any,
    *,
    space: str | None = None,
    classes: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    **options: Any,
) -> dict[str, Measure]:
    """Measure how good a map is.

    Parameters
    ----------
    map : estimator, Map or array
        A fitted `DOSNES` or `TSNE`, a `Map`, or an array with one row of coordinates for each item.
    X : array, sparse matrix, frame or graph
        The data of the map, as for `DOSNES.fit`.
    space : str, optional
        "sphere", "plane" or "space". None: known from the map; for an array, by its columns and their lengths.
    classes : array, optional
        The class of each item; None and NaN mean that it has none.
    n_jobs, verbose
        As for `DOSNES`.
    **options
        How similarities are computed and normalised: the parameters of `DOSNES`. Those of an estimator are known.

    Returns
    -------
    measures : dict
        Names of measures, such as "recall_10", "trustworthiness_10", "kl", and their values.

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> globe = dosnes.DOSNES(perplexity=5).fit(points)
    >>> 0 < float(dosnes.evaluate(globe, points)["recall_10"]) <= 1
    True
    """
    known = _known_options(map)
    chosen = {**known, **_checked(options)}
    coordinates, own_space = _coordinates(map)
    given, settings = _settings(X, chosen)
    with watch(n_jobs, verbose) as watching:
        found = _dosnes.evaluate(coordinates, space or own_space, given, settings, class_numbers(classes), watching)
    return _measures(found)


def compare(
    X: Any,
    methods: Iterable[str] = ("dosnes", "tsne-2d"),
    *,
    classes: Any = None,
    seeds: Iterable[int] = (0,),
    n_jobs: int | None = None,
    verbose: int = 0,
    **options: Any,
) -> Comparison:
    """Make maps of the same data by several methods, and measure each.

    Parameters
    ----------
    X : array, sparse matrix, frame or graph
        As for `DOSNES.fit`.
    methods : list of str
        "dosnes", "rows", "tsne-2d", "tsne-3d", "ssne-2d", "ssne-3d", "mds-2d", "mds-3d", "mds-sphere".
    classes : array, optional
        The class of each item.
    seeds : list of int
        One map is made for each seed.
    n_jobs, verbose
        As for `DOSNES`.
    **options
        How similarities are computed and normalised: the parameters of `DOSNES`.

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> dosnes.compare(points, ["dosnes", "tsne-2d"], perplexity=5)["tsne-2d"].embedding.shape
    (60, 2)
    """
    if isinstance(methods, str):
        methods = [methods]
    numbers = [seed_of(seed) for seed in seeds]
    if not numbers:
        raise ValueError("seeds is empty, but there must be at least one seed")
    given, settings = _settings(X, _checked(options))
    with watch(n_jobs, verbose) as watching:
        found = _dosnes.compare(list(methods), numbers, given, settings, class_numbers(classes), watching)
    runs = []
    for entry in found:
        measures = _measures(entry["measures"])
        if entry["stress"] is not None:
            measures["stress"] = Measure(entry["stress"], "Kruskal's stress", None, None)
        runs.append(Run(entry["method"], entry["label"], entry["space"], entry["seed"], entry["embedding"], measures))
    return Comparison(runs)


def class_numbers(classes: Any) -> list[int | None] | None:
    """Classes of any kind as numbers, in the order in which they occur."""
    if classes is None:
        return None
    known: dict[Any, int] = {}
    values = np.asarray(classes, dtype=object).ravel().tolist()
    return [None if is_missing(value) else known.setdefault(value, len(known)) for value in values]


def _measures(found: dict[str, Any]) -> dict[str, Measure]:
    return {key: Measure(value, label, margin, best) for key, (label, value, margin, best) in found.items()}


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"there is no option {name!r} here; the options are {', '.join(_OPTIONS)}")
    return options


def _known_options(map: Any) -> dict[str, Any]:
    if not hasattr(map, "get_params"):
        return {}
    return {name: value for name, value in map.get_params(deep=False).items() if name in _OPTIONS}


def _settings(X: Any, options: dict[str, Any]) -> tuple[tuple[Any, str], dict[str, Any]]:
    settings = dict(options)
    metric, affinity = settings.pop("metric", "euclidean"), settings.pop("affinity", "entropic")
    given, kind = prepare(X, metric, affinity, settings.pop("precomputed_knn", None))
    settings["metric"] = metric if kind == "points" else None
    settings["affinity"] = None if affinity in GIVEN else affinity
    settings["random_state"] = seed_of(settings.get("random_state", 0))
    return (given, kind), settings


def _coordinates(map: Any) -> tuple[NDArray[np.float64], str]:
    """The coordinates of a map, and its space."""
    if isinstance(map, Map):
        return map.embedding, map.space
    if isinstance(map, Model):
        return map.embedding, "sphere"
    if hasattr(map, "embedding_"):
        return np.asarray(map.embedding_, dtype=np.float64), map._space_name()
    if hasattr(map, "get_params"):
        raise ValueError(f"this {type(map).__name__} is not fitted yet; call fit first")
    array = np.asarray(map)
    if array.dtype.kind not in "fiu":
        raise TypeError(
            f"a map must be a fitted estimator, a Map, a Model or an array of numbers, not {type(map).__name__}"
        )
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"a map has two or three coordinates for each item; the shape is {array.shape}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    if array.shape[1] == 2:
        return array, "plane"
    lengths = np.linalg.norm(array, axis=1)
    lengths = lengths[np.isfinite(lengths)]
    on_sphere = lengths.size > 0 and np.allclose(lengths, lengths.mean(), rtol=1e-6)
    return array, "sphere" if on_sphere else "space"
