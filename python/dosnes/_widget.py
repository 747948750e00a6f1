"""The page as a widget of a notebook, whose selection Python reads and sets. Needs anywidget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import NDArray

from ._show import Page


class _Rows(traitlets.TraitType[list[int], Any]):
    """Rows of the data, each once and in order; also given as an array, or as one truth value for each row."""

    default_value: list[int] = []
    info_text = "rows of the data, or one truth value for each row"

    def validate(self, obj: Any, value: Any) -> list[int]:
        array = np.asarray(value)
        n = obj._n
        if array.dtype == bool and array.shape == (n,):
            array = np.flatnonzero(array)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            self.error(obj, value)
        rows = np.unique(array.astype(np.int64))
        if rows.size and not (0 <= rows[0] and rows[-1] < n):
            raise traitlets.TraitError(
                f"selection has row {rows[0] if rows[0] < 0 else rows[-1]}, but the rows are 0 to {n - 1}"
            )
        return [int(row) for row in rows]


def _items(rows: list[int], widget: Widget) -> list[int]:
    """The items of the page that these rows are. Rows without a place on the map are not on the page."""
    return [int(item) for item in np.flatnonzero(np.isin(widget._kept, rows))]


def _rows(items: list[int], widget: Widget) -> list[int]:
    return [int(row) for row in widget._kept[items]] if items else []


def _item(row: int | None, widget: Widget) -> int:
    found: Any = [] if row is None else np.flatnonzero(widget._kept == row)
    return int(found[0]) if len(found) else -1


def _row(item: int, widget: Widget) -> int | None:
    return None if item < 0 else int(widget._kept[item])


class Widget(anywidget.AnyWidget):
    """An interactive page in a notebook, connected with Python. `dosnes.widget` makes it.

    Attributes
    ----------
    selection : list of int
        The rows that are highlighted: by a lasso, a search, or classes and ranges of the legend. Empty if none are, that is, if
        nothing is filtered. It can be set, too, also to an array or to one truth value for each row. ``observe`` tells of changes.
    focus : int or None
        The row of the item that was clicked.
    page : Page
        The page itself, for `save_html`.
    """

    _esm = Path(__file__).with_name("_widget.js")
    _page = traitlets.Unicode().tag(sync=True)
    _height = traitlets.Int(640).tag(sync=True)
    selection = _Rows().tag(sync=True, to_json=_items, from_json=_rows)
    focus = traitlets.Int(None, allow_none=True).tag(sync=True, to_json=_item, from_json=_row)

    def __init__(self, page: Page, kept: NDArray[np.intp], n: int, height: int) -> None:
        self.page = page
        self._kept = kept
        self._n = n
        super().__init__(_page=page.html, _height=height)

    @traitlets.validate("focus")
    def _check_focus(self, proposal: Any) -> int | None:
        row = proposal["value"]
        if row is not None and not 0 <= row < self._n:
            raise traitlets.TraitError(f"focus is {row}, but the rows are 0 to {self._n - 1}")
        return None if row is None else int(row)
