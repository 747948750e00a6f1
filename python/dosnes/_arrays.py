"""Arrays and sparse matrices in the form in which the extension takes them, without a copy where that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._dosnes import _GivenParts, _Parts

Matrix: TypeAlias = Any  # A sparse matrix or array of SciPy, which has no types.


def parts(matrix: Matrix) -> _GivenParts:
    """The parts of a matrix in compressed rows, with sorted columns. Only what has to change is copied."""
    if np.ndim(matrix) != 2:
        raise ValueError(f"the matrix must have rows and columns, but its shape is {matrix.shape}")
    csr = scipy.sparse.csr_array(matrix)
    if csr.dtype.kind not in "fiub":
        raise TypeError(f"the values of the matrix must be real numbers, not {csr.dtype}")
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    if csr.indices.dtype == np.int32:
        indices = csr.indices.view(np.uint32)
    else:
        indices = csr.indices.astype(np.uint32)
    values = np.require(csr.data, np.float64, ["C", "A"])
    return (csr.shape, csr.indptr.astype(np.uintp), np.require(indices, requirements=["C", "A"]), values)


def matrix(given: _Parts) -> Matrix:
    """A SciPy array from its parts."""
    shape, indptr, indices, values = given
    return scipy.sparse.csr_array(
        (values, indices, indptr.astype(np.int32) if len(values) < 2**31 else indptr), shape=shape
    )


def dense_points(x: Any) -> NDArray[Any]:
    """A 2-D array of float32 or float64; other numbers become float64."""
    array = np.asarray(x)
    if array.dtype.kind == "O":
        # Frames have objects where numbers may be missing.
        try:
            array = numbers(array)
        except (TypeError, ValueError):
            pass
    if array.dtype not in (np.float32, np.float64):
        if array.dtype.kind not in "fiub":
            raise TypeError(f"points must be numbers, not {array.dtype}; encode texts and categories as numbers first")
        array = array.astype(np.float64)
    if array.ndim != 2:
        raise ValueError(
            f"points must be a 2-D array with one row for each item, but this one has {array.ndim} dimensions"
        )
    return np.require(array, requirements="A")


def numbers(objects: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers in an array of objects, NaN for those that are missing. Texts are not read as numbers."""
    found = np.empty(objects.size)
    for place, value in enumerate(objects.ravel()):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{value!r} is a text, not a number")
        found[place] = np.nan if is_missing(value) else float(value)
    return found.reshape(objects.shape)


def is_missing(value: Any) -> bool:
    """Whether this is None, NaN, or the missing value of pandas, which cannot be compared."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(np.isscalar(value) and value != value)


def from_neighbors(precomputed_knn: Any, n: int | None = None) -> Matrix:
    """The nearest neighbours as a sparse matrix of distances. The pair is (indices, distances), each n × k."""
    try:
        indices, distances = precomputed_knn[0], precomputed_knn[1]
        indices, distances = np.asarray(indices), np.asarray(distances, dtype=np.float64)
    except (TypeError, IndexError, KeyError) as error:
        raise TypeError("precomputed_knn must be a pair of arrays: (indices, distances), each n × k") from error
    if indices.ndim != 2 or indices.shape != distances.shape:
        raise ValueError(
            f"precomputed_knn has indices of shape {indices.shape} and distances of shape {distances.shape}; "
            "both must be n × k"
        )
    if indices.dtype.kind not in "iu":
        swapped = distances.size and (distances == np.round(distances)).all()
        hint = "; the pair is (indices, distances), the other way round than scikit-learn's kneighbors has it"
        raise TypeError(
            f"the indices of precomputed_knn must be whole numbers, not {indices.dtype}{hint if swapped else ''}"
        )
    count, k = indices.shape
    if n is not None and n != count:
        raise ValueError(f"precomputed_knn has {count} rows, but the data have {n}")
    # Programs mark missing neighbours by -1.
    known = indices.ravel() >= 0
    rows = np.repeat(np.arange(count), k)[known]
    columns = indices.ravel()[known]
    if columns.size and columns.max() >= count:
        raise ValueError(f"precomputed_knn names row {columns.max()}, but there are only {count} rows")
    off_diagonal = rows != columns
    triplets = (distances.ravel()[known][off_diagonal], (rows[off_diagonal], columns[off_diagonal]))
    return scipy.sparse.csr_array(triplets, shape=(count, count))


def start_of(init: Any) -> NDArray[np.float64] | str | None:
    """The first positions: the name of a way to find them, or an array of float64."""
    if init is None or isinstance(init, str):
        return init
    array = np.asarray(init)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"init must be a text or an array of numbers, not {type(init).__name__}")
    if array.ndim != 2:
        raise ValueError(f"init must have one row of coordinates for each item, but it has {array.ndim} dimensions")
    return np.array(array, dtype=np.float64)


def seed_of(random_state: Any) -> int:
    """A seed from what scikit-learn and NumPy take: a number, a generator, or None for a new one each time."""
    if random_state is None:
        random_state = np.random.mtrand._rand
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, (bool, np.bool_)) or not isinstance(random_state, (int, np.integer)):
        raise TypeError(
            f"random_state must be a whole number, a generator of NumPy or None, not {type(random_state).__name__}"
        )
    if not 0 <= random_state < 2**64:
        raise ValueError(f"random_state is {random_state}, but it must be at least 0 and below 2**64")
    return int(random_state)
