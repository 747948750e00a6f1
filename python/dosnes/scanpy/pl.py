"""Plotting: the cells on an equal-area map of the globe."""

from __future__ import annotations

from typing import Any


def dosnes(adata: Any, *, color: Any = None, key: str = "X_dosnes", **options: Any) -> Any:
    """Draw the cells on an equal-area map of their globe.

    Parameters
    ----------
    adata : AnnData
        Cells with the results of ``dosnes.scanpy.tl.dosnes``.
    color : str or list of str, optional
        Genes or columns of ``obs``, as for ``scanpy.pl.umap``.
    key : str
        The field of ``obsm`` with the globe.
    **options
        Passed to ``scanpy.pl.embedding``.

    Returns
    -------
    What ``scanpy.pl.embedding`` returns.
    """
    import scanpy

    if f"{key}_map" not in adata.obsm:
        raise ValueError(f"obsm has no {key + '_map'!r}; run dosnes.scanpy.tl.dosnes(adata) first")
    return scanpy.pl.embedding(adata, basis=f"{key}_map", color=color, **options)
