"""Tools: compute a globe of the cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._estimator import DOSNES
from .._projections import equal_area

# With more genes than this, principal components are used if they are there, as by scanpy.
_MANY_GENES = 50


def dosnes(
    adata: Any,
    *,
    neighbors_key: str | None = None,
    use_rep: str | None = None,
    key_added: str | None = None,
    rng: Any = None,
    copy: bool = False,
    **options: Any,
) -> Any:
    """Embed cells on a globe.

    The neighbour graph of ``scanpy.pp.neighbors`` is used if there is one, as by ``scanpy.tl.umap``. Otherwise neighbours are
    found in `use_rep`, in ``obsm["X_pca"]``, or in ``X``.

    Parameters
    ----------
    adata : AnnData
        The cells.
    neighbors_key : str, optional
        The key of the neighbour graph in ``uns``. None: "neighbors".
    use_rep : str, optional
        Find neighbours in ``obsm[use_rep]`` (or "X"), even if there is a neighbour graph.
    key_added : str, optional
        Where the results go. None: "X_dosnes" in ``obsm`` and "dosnes" in ``uns``.
    rng : int, generator or None
        The seed. None: 0.
    copy : bool
        Return a copy instead of writing to `adata`.
    **options
        Parameters of `dosnes.DOSNES`.

    Returns
    -------
    adata : AnnData or None
        The copy, if asked for. These fields are written:

        ``obsm["X_dosnes"]``
            Three coordinates on the sphere.
        ``obsm["X_dosnes_map"]``
            Two coordinates on an equal-area map of the sphere. Viewers plot the first two columns of a field: with x and y of
            the sphere, both hemispheres would lie on top of each other.
        ``uns["dosnes"]``
            Parameters, radius and KL divergence.
    """
    if not (hasattr(adata, "obsm") and hasattr(adata, "uns")):
        raise TypeError(f"adata must be an AnnData, not {type(adata).__name__}; dosnes.DOSNES is for arrays and frames")
    adata = adata.copy() if copy else adata
    data, affinity = _data(adata, neighbors_key, use_rep)
    if affinity == "precomputed" and options.get("affinity", affinity) not in ("precomputed", "graph"):
        raise ValueError(
            f"affinity={options['affinity']!r} is for points, but the neighbour graph of these cells is used; say which points by "
            'use_rep, such as use_rep="X_pca"'
        )
    if rng is not None and "random_state" in options:
        raise TypeError("rng and random_state both give the seed; use one of both")
    seed = options.pop("random_state", 0) if rng is None else rng
    model = DOSNES(**{"affinity": affinity, "random_state": seed, **options}).fit(data)
    place = key_added or "X_dosnes"
    adata.obsm[place] = model.embedding_
    adata.obsm[f"{place}_map"] = equal_area(model.embedding_)
    params: dict[str, str | int | float] = {"affinity": affinity}
    params |= {name: value for name, value in options.items() if isinstance(value, (str, int, float, bool))}
    if isinstance(seed, (int, np.integer)):
        params["random_state"] = int(seed)
    adata.uns[key_added or "dosnes"] = {
        "params": params,
        "radius": model.radius_,
        "kl_divergence": model.kl_divergence_,
        "n_iter": model.n_iter_,
    }
    return adata if copy else None


def _data(adata: Any, neighbors_key: str | None, use_rep: str | None) -> tuple[Any, str]:
    """What is embedded, and its kind for the estimator."""
    if use_rep is not None:
        if use_rep != "X" and use_rep not in adata.obsm:
            raise ValueError(f"use_rep={use_rep!r}: there is no such field in obsm; the fields are {list(adata.obsm)}")
        return (_in_memory(adata.X) if use_rep == "X" else adata.obsm[use_rep]), "entropic"
    key = neighbors_key or "neighbors"
    if key in adata.uns:
        place = adata.uns[key].get("connectivities_key", "connectivities")
        if place not in adata.obsp:
            raise ValueError(f"uns[{key!r}] names obsp[{place!r}], which is missing; run scanpy.pp.neighbors again")
        return adata.obsp[place], "precomputed"
    if neighbors_key is not None:
        raise ValueError(
            f"neighbors_key={neighbors_key!r}: there is no such entry in uns; run scanpy.pp.neighbors first"
        )
    if "X_pca" in adata.obsm and adata.n_vars > _MANY_GENES:
        return adata.obsm["X_pca"], "entropic"
    return _in_memory(adata.X), "entropic"


def _in_memory(x: Any) -> Any:
    """The matrix X, read from its file if the cells are backed by one."""
    if x is None:
        raise ValueError('adata has no X; say which points by use_rep, such as use_rep="X_pca"')
    if hasattr(x, "to_memory"):
        return x.to_memory()
    return x[()] if type(x).__module__.partition(".")[0] in ("h5py", "zarr") else x
