"""What is often given by mistake instead of numbers, and what to do then."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse

from ._graphs import column_names, is_frame


def refuse(thing: Any) -> None:
    """Raises an exception for things that are often given instead of numbers, with what to do."""
    if isinstance(thing, (str, bytes, os.PathLike)):
        raise TypeError(
            f"X must be data, not a text or the name of a file ({thing!r}); read the file first, as by pandas.read_csv, or use the "
            "command: dosnes embed FILE"
        )
    if thing is None:
        raise TypeError("X is None, but a map needs data: one row for each item")
    if isinstance(thing, Iterator):
        raise TypeError(
            f"X is a {type(thing).__name__}, which can be read only once; use a list or an array of its rows"
        )
    # One format of sparse matrices is a dictionary, too.
    if isinstance(thing, Mapping) and not scipy.sparse.issparse(thing):
        raise TypeError(f"X is a {type(thing).__name__}; use a frame, such as pandas.DataFrame(X), or an array")
    package = type(thing).__module__.partition(".")[0]
    # Views of their matrices are of the same package.
    if package == "anndata" and hasattr(thing, "obsm"):
        raise TypeError(
            'X is an AnnData; use dosnes.scanpy.tl.dosnes(adata), or a part of it, such as adata.obsm["X_pca"]'
        )
    if package == "polars" and hasattr(thing, "collect"):
        raise TypeError("X is a LazyFrame, which has no values yet; use X.collect()")
    if isinstance(thing, np.ma.MaskedArray) and np.ma.is_masked(thing):
        raise ValueError(
            "X has masked values, and a map needs all values; fill them (X.filled(value)), or leave their rows out"
        )


def explained(error: Exception, thing: Any) -> Exception:
    """The error of a check, with the columns of a frame that are not numbers."""
    if not is_frame(thing):
        return error
    texts = [name for name in column_names(thing) if not _is_numeric(thing[name])]
    if not texts:
        return error
    return type(error)(
        f'the columns {texts} are not numbers; leave them out or encode them as numbers, or use affinity="graph" if these are edges '
        f"({error})"
    )


def _is_numeric(column: Any) -> bool:
    values = np.asarray(column)
    if values.dtype.kind != "O":
        return values.dtype.kind in "fiub"
    return all(value is None or not isinstance(value, str) and np.isscalar(value) for value in values[:1000])
