"""The interactive globe in a notebook, and as a file."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _dosnes
from ._arrays import is_missing
from ._quality import Comparison, _coordinates

if TYPE_CHECKING:
    from ._widget import Widget

# The names of maps that have none.
_DEFAULT_NAME = "map"


class Page:
    """A self-contained page with one or several maps. It needs no network.

    In a notebook it shows itself. `save_html` writes the file, and `html` is its contents.
    """

    def __init__(self, contents: bytes, height: int, kept: NDArray[np.intp], n: int) -> None:
        self._contents = contents
        self._height = height
        # The rows that the items of the page are, of so many rows.
        self._kept = kept
        self._n = n

    @property
    def html(self) -> str:
        """The whole page."""
        return self._contents.decode()

    def save_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        path : Path
            The same.
        """
        place = Path(path)
        # A reader never sees half of a file.
        unfinished = place.with_name(f"{place.name}.part")
        unfinished.write_bytes(self._contents)
        unfinished.replace(place)
        return place

    def _repr_html_(self) -> str:
        # A page inside of a page: the styles of a notebook do not reach it, and exported notebooks keep it.
        return (
            f'<iframe title="map by dosnes" srcdoc="{html.escape(self.html, quote=True)}" allowfullscreen '
            f'style="width: 100%; height: {self._height}px; border: 0; border-radius: 6px"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<dosnes.Page of {len(self._contents):,} bytes; in a notebook it shows itself, save_html writes it>"


def show(
    map: Any,
    labels: Any = None,
    color: Any = None,
    images: Any = None,
    *,
    data: Any = None,
    title: str = "dosnes",
    subtitle: str = "",
    source: str = "",
    noun: str = "",
    height: int = 640,
) -> Page:
    """An interactive page of a map, or of several maps side by side.

    Parameters
    ----------
    map : estimator, Map, array, Comparison, or a list or dict of them
        What is shown. The keys of a dict are the names of the maps.
    labels : sequence of str, optional
        The name of each item.
    color : sequence or str, optional
        A value of each item, or the name of a column of `data`.
    images : array, optional
        An image of each item, n × height × width, or with 3 or 4 channels. Numbers from 0 to 255, or from 0.0 to 1.0.
    data : frame or dict, optional
        More columns to search, to colour by and to read for each item.
    title, subtitle, source : str
        What is written on the page.
    noun : str
        The word for the items, in the plural.
    height : int
        The height in a notebook, in pixels.

    Returns
    -------
    page : Page
        `widget` shows the same page, connected with Python.

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> page = dosnes.show(dosnes.DOSNES(perplexity=5).fit(points), color=points[:, 0])
    >>> page.html[:15]
    '<!doctype html>'
    """
    views = _views(map)
    n = len(views[0][2])
    for name, _, coordinates, _ in views:
        if len(coordinates) != n:
            raise ValueError(f"the map {name!r} has {len(coordinates)} items, but the first one has {n}")
    kept = np.flatnonzero(np.all([np.isfinite(view[2]).all(axis=1) for view in views], axis=0))
    if len(kept) == 0:
        raise ValueError("no item has finite coordinates on every map")
    columns = _columns(data, n)
    ids = [str(place) for place in range(n)]
    if labels is not None:
        texts = _texts(_of_length(labels, n, "labels"))
        if len(set(texts)) == n:
            ids = texts
        else:
            columns = {"label": texts, **columns}
    if isinstance(color, str):
        if color not in columns:
            raise ValueError(f"color={color!r}: there is no such column in data; the columns are {list(columns)}")
    elif color is not None:
        columns = {"color": _cells(_of_length(color, n, "color")), **columns}
        color = "color"
    caption = {"title": title, "subtitle": subtitle, "source": source, "noun": noun, "color": color}
    chosen = [(name, _select(cells, kept)) for name, cells in columns.items()]
    shown = [(name, space, np.ascontiguousarray(y[kept]), radius) for name, space, y, radius in views]
    affinities = _affinities(map, kept)
    sprites = None if images is None else _sprites(images, n, kept)
    contents = _dosnes.page(caption, [ids[place] for place in kept], chosen, shown, affinities, sprites)
    return Page(contents, int(height), kept, n)


def widget(map: Any, labels: Any = None, color: Any = None, images: Any = None, **options: Any) -> Widget:
    """The page of `show` as a widget of a notebook: Python reads and sets what is selected in it.

    It needs the package anywidget, and a notebook that is connected with Python. Exported notebooks show the pages of `show`, not
    widgets.

    Parameters
    ----------
    map, labels, color, images
        As for `show`.
    **options
        The other parameters of `show`.

    Returns
    -------
    widget : Widget
        ``widget.selection`` is the list of the highlighted rows. It can be read, set and observed.

    Examples
    --------
    >>> import numpy as np
    >>> import dosnes
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> w = dosnes.widget(dosnes.DOSNES(perplexity=5).fit(points))
    >>> w.observe(lambda change: print("selected", change.new), "selection")
    >>> w.selection = points[:, 0] > 1.5
    selected [16, 22, 56]
    """
    try:
        from ._widget import Widget
    except ImportError as error:
        raise ImportError(
            f"dosnes.widget needs the package anywidget (pip install anywidget): {error}; dosnes.show needs no other package"
        ) from error
    page = show(map, labels, color, images, **options)
    return Widget(page, page._kept, page._n, page._height)


View = tuple[str, str, NDArray[np.float64], "float | None"]


def _views(map: Any) -> list[View]:
    if isinstance(map, Comparison):
        return [(run.label, run.space, run.embedding, None) for run in map.runs]
    if isinstance(map, Mapping):
        views = [_view(one, str(name)) for name, one in map.items()]
    elif (
        isinstance(map, Sequence)
        and not isinstance(map, str)
        and len(map)
        and not np.isscalar(map[0])
        and _are_maps(map)
    ):
        views = [_view(one, None) for one in map]
    else:
        views = [_view(map, None)]
    if not views:
        raise ValueError("there is no map to show")
    return views


def _are_maps(maps: Sequence[Any]) -> bool:
    """Whether these are maps, and not the rows of one."""
    return all(not isinstance(one, Sequence) and np.ndim(getattr(one, "embedding_", one)) != 1 for one in maps)


def _view(map: Any, name: str | None) -> View:
    coordinates, space = _coordinates(map)
    radius = getattr(map, "radius_", getattr(map, "radius", None))
    own = type(map).__name__ if hasattr(map, "embedding_") else _DEFAULT_NAME
    return (name or own, space, coordinates, None if radius is None else float(radius))


def _affinities(map: Any, kept: NDArray[np.intp]) -> _dosnes.Affinities | None:
    """The similarities of the first map, if they are known and have just the items that are shown."""
    first: Any = map
    if isinstance(map, Mapping) and map:
        first = next(iter(map.values()))
    elif isinstance(map, (list, tuple)) and map:
        first = map[0]
    known: _dosnes.Affinities | None = getattr(first, "_affinities", None)
    return known if known is not None and np.array_equal(known.kept(), kept) else None


def _of_length(values: Any, n: int, what: str) -> Any:
    if np.ndim(values) != 1 or len(values) != n:
        raise ValueError(f"{what} must have one value for each of the {n} items; the shape is {np.shape(values)}")
    return values


def _columns(data: Any, n: int) -> dict[str, Any]:
    if data is None:
        return {}
    if not (hasattr(data, "columns") or isinstance(data, Mapping)):
        raise TypeError(f"data must be a frame or a dict of columns, not {type(data).__name__}")
    names = list(data.columns) if hasattr(data, "columns") else list(data)
    return {str(name): _cells(_of_length(data[name], n, f"the column {name!r}")) for name in names}


def _cells(values: Any) -> Any:
    """Numbers as an array, everything else as texts."""
    array = np.asarray(values)
    if array.dtype.kind in "fiu":
        return array.astype(np.float64)
    return _texts(values)


def _texts(values: Any) -> list[str]:
    return ["" if is_missing(value) else str(value) for value in np.asarray(values, dtype=object).tolist()]


def _select(cells: Any, rows: NDArray[np.intp]) -> Any:
    return cells[rows] if isinstance(cells, np.ndarray) else [cells[row] for row in rows]


def _sprites(images: Any, n: int, kept: NDArray[np.intp]) -> tuple[int, int, int, NDArray[np.uint8]]:
    array = np.asarray(images)
    if array.ndim == 3:
        array = array[..., None]
    if array.ndim != 4 or len(array) != n or array.shape[3] not in (1, 3, 4):
        raise ValueError(
            f"images must be {n} × height × width, or with 3 or 4 channels; the shape is {np.shape(images)}"
        )
    if array.dtype.kind == "f":
        array = array * (255.0 if array.size and np.nanmax(array) <= 1.0 else 1.0)
    elif array.dtype.kind not in "iu":
        raise TypeError(f"images must be numbers, not {array.dtype}")
    pixels = np.clip(np.nan_to_num(array[kept]), 0, 255).astype(np.uint8)
    _, height, width, channels = array.shape
    return (width, height, channels, np.ascontiguousarray(pixels).ravel())
