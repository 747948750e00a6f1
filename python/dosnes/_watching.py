"""What users see of a run while it goes on: a progress bar, their own callbacks, and warnings."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._dosnes import _Watch

Callback = Callable[[int, float, NDArray[np.float64]], object]


def threads_of(n_jobs: Any) -> int:
    """The number of threads, 0 for all cores. As in joblib, -1 means all cores, and -2 all but one."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)):
        raise TypeError(f"n_jobs must be a whole number or None, not {type(n_jobs).__name__}")
    if n_jobs < 0:
        return max(_cores() + 1 + int(n_jobs), 1)
    if not 1 <= n_jobs <= 1024:
        raise ValueError(f"n_jobs is {n_jobs}, but it must be from 1 to 1024, or -1 or None for all cores")
    return int(n_jobs)


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_callback(callbacks: Any) -> Callback | None:
    """One function that calls them all; it asks to stop if one of them does."""
    if callbacks is None:
        return None
    every: list[Any] = list(callbacks) if isinstance(callbacks, Iterable) else [callbacks]
    for callback in every:
        if not callable(callback):
            raise TypeError(
                f"callbacks must be functions of (iteration, error, embedding), not {type(callback).__name__}"
            )
    if not every:
        return None

    def call(iteration: int, error: float, embedding: NDArray[np.float64]) -> bool:
        return any([bool(callback(iteration, error, embedding)) for callback in every])

    return call


@contextmanager
def watch(n_jobs: Any = None, verbose: Any = 0, callbacks: Any = None, every: Any = 50) -> Iterator[_Watch]:
    """How a run is watched. The progress bar is closed at the end, however the run ends."""
    if isinstance(every, bool) or not isinstance(every, (int, np.integer)):
        raise TypeError(f"callbacks_every_iters must be a whole number, not {type(every).__name__}")
    if every < 1:
        raise ValueError(f"callbacks_every_iters is {every}, but it must be at least 1")
    bar = _bar() if verbose else None
    try:
        yield {
            "threads": threads_of(n_jobs),
            "progress": bar.update if bar else None,
            "callback": one_callback(callbacks),
            "every": int(every),
        }
    finally:
        if bar:
            bar.close()


def warn(text: str) -> None:
    """A warning that points to the line of the user's code, however deep in this package it was noticed."""
    level, frame = 1, sys._getframe()
    own = __name__.partition(".")[0]
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == own:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)


class _Lines:
    """One line for each stage, where tqdm is not installed."""

    def __init__(self) -> None:
        self._stage = ""

    def update(self, stage: str, fraction: float) -> None:
        if stage != self._stage:
            self._stage = stage
            print(f"[dosnes] {stage}", file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class _Tqdm:
    """A bar of tqdm, which is drawn as a widget in a notebook."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=100, bar_format="{l_bar}{bar}| {elapsed}")

    def update(self, stage: str, fraction: float) -> None:
        self._bar.set_description(stage, refresh=False)
        self._bar.n = round(100 * min(max(fraction, 0.0), 1.0))
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _bar() -> _Lines | _Tqdm:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Tqdm(tqdm)
