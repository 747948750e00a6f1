"""Globes of single cells, in the style of scanpy: `tl.dosnes` computes, `pl.dosnes` draws.

>>> import anndata, numpy as np
>>> import dosnes.scanpy as ds
>>> adata = anndata.AnnData(np.random.default_rng(0).normal(size=(60, 8)).astype("float32"))
>>> ds.tl.dosnes(adata)
>>> adata.obsm["X_dosnes"].shape, adata.obsm["X_dosnes_map"].shape
((60, 3), (60, 2))
"""

from . import pl, tl
from ._markers import marker_names

__all__ = ["marker_names", "pl", "tl"]
