from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "VERSION",
    "Affinities",
    "Fit",
    "compare",
    "embed",
    "evaluate",
    "fit",
    "main",
    "normalize",
    "page",
    "similarities",
]

VERSION: Final[str]

# The parts of a sparse matrix in compressed rows: shape, indptr, indices, data.
_Parts: TypeAlias = tuple[tuple[int, int], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
_GivenParts: TypeAlias = tuple[tuple[int, int], NDArray[np.uintp], NDArray[np.uint32], NDArray[np.float64]]
_Given: TypeAlias = NDArray[np.float32] | NDArray[np.float64] | _GivenParts

class _Watch(TypedDict):
    threads: int
    progress: Callable[[str, float], object] | None
    callback: Callable[[int, float, NDArray[np.float64]], object] | None
    every: int

@final
class Affinities:
    def matrix(self) -> _Parts: ...
    def direct(self) -> _Parts: ...
    def kept(self) -> NDArray[np.int64]: ...
    def left_out(self) -> NDArray[np.int64]: ...
    def degrees(self) -> NDArray[np.float64]: ...
    def report(self) -> dict[str, Any]: ...

@final
class Fit:
    @property
    def affinities(self) -> Affinities: ...
    @property
    def components(self) -> int | None: ...
    @property
    def perplexity(self) -> float | None: ...
    @property
    def recall(self) -> float | None: ...
    @property
    def radius(self) -> float | None: ...
    @property
    def at_largest_radius(self) -> bool: ...
    @property
    def kl(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def converged(self) -> bool: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def repulsion(self) -> str: ...
    def coordinates(self) -> NDArray[np.float64]: ...

def fit(data: _Given, kind: str, options: dict[str, Any], watch: _Watch) -> Fit: ...
def similarities(data: _Given, kind: str, options: dict[str, Any], watch: _Watch) -> _Parts: ...
def normalize(data: _Given, kind: str, options: dict[str, Any], watch: _Watch) -> Affinities: ...
def embed(similarities: Affinities | _GivenParts, options: dict[str, Any], watch: _Watch) -> Fit: ...
def evaluate(
    map: NDArray[np.float64],
    space: str,
    given: tuple[_Given, str],
    options: dict[str, Any],
    classes: list[int | None] | None,
    watch: _Watch,
) -> dict[str, tuple[str, float, float | None, float | None]]: ...
def compare(
    methods: list[str],
    seeds: list[int],
    given: tuple[_Given, str],
    options: dict[str, Any],
    classes: list[int | None] | None,
    watch: _Watch,
) -> list[dict[str, Any]]: ...
def page(
    caption: dict[str, Any],
    ids: list[str],
    columns: list[tuple[str, NDArray[np.float64] | list[str]]],
    views: list[tuple[str, str, NDArray[np.float64], float | None]],
    affinities: Affinities | None,
    images: tuple[int, int, int, NDArray[np.uint8]] | None,
) -> bytes: ...
def main(arguments: list[str]) -> int: ...
