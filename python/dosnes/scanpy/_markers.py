"""Names of clusters by their marker genes."""

from __future__ import annotations

from typing import Any


def marker_names(
    adata: Any, groupby: str, *, n_genes: int = 3, method: str = "t-test", **options: Any
) -> dict[str, str]:
    """A name for each cluster: the genes that distinguish it best from the other cells.

    Parameters
    ----------
    adata : AnnData
        The cells. Nothing is written to it.
    groupby : str
        The column of ``obs`` with the clusters.
    n_genes : int
        Number of genes in a name.
    method : str
        The test of ``scanpy.tl.rank_genes_groups``.
    **options
        Passed to ``scanpy.tl.rank_genes_groups``.

    Returns
    -------
    names : dict
        The clusters, and names such as "CD3D, IL7R, LTB". ``adata.obs[groupby].map(names)`` has the name of each cell.
    """
    import scanpy

    if groupby not in adata.obs:
        raise ValueError(f"groupby={groupby!r}: there is no such column in obs; the columns are {list(adata.obs)}")
    if n_genes < 1:
        raise ValueError(f"n_genes is {n_genes}, but it must be at least 1")
    ranked = scanpy.tl.rank_genes_groups(adata, groupby, method=method, n_genes=n_genes, copy=True, **options)
    names = ranked.uns["rank_genes_groups"]["names"]
    return {group: ", ".join(str(row[group]) for row in names[:n_genes]) for group in names.dtype.names}
