"""Globes of single cells."""

import anndata
import matplotlib
import numpy as np
import pandas
import pytest
import scanpy
import scipy.sparse
from sklearn.neighbors import kneighbors_graph

import dosnes.scanpy as ds

matplotlib.use("agg")


@pytest.fixture(scope="module")
def cells(shared_data):
    return scanpy.read_h5ad(shared_data / "singlecell/pbmc68k_reduced.h5ad")


@pytest.fixture(scope="module")
def mapped(cells):
    return ds.tl.dosnes(cells, copy=True)


def test_the_neighbour_graph_is_used(cells, mapped):
    assert "X_dosnes" not in cells.obsm, "a copy must not change the original"
    assert mapped.obsm["X_dosnes"].shape == (700, 3) and mapped.obsm["X_dosnes_map"].shape == (700, 2)
    entry = mapped.uns["dosnes"]
    assert entry["params"] == {"random_state": 0, "affinity": "precomputed"}
    assert np.allclose(np.linalg.norm(mapped.obsm["X_dosnes"], axis=1), entry["radius"])


def test_cell_types_stay_together(mapped):
    y = mapped.obsm["X_dosnes"] / mapped.uns["dosnes"]["radius"]
    types = mapped.obs["bulk_labels"].to_numpy()
    nearest = np.argsort(-(y @ y.T), axis=1)[:, 1:11]
    assert (types[nearest] == types[:, None]).mean() > 0.6


def test_other_sources_keys_and_seeds(cells):
    adata = cells.copy()
    assert ds.tl.dosnes(adata, use_rep="X_pca", key_added="globe", rng=5, perplexity=20) is None
    assert adata.obsm["globe"].shape == (700, 3) and adata.obsm["globe_map"].shape == (700, 2)
    assert adata.uns["globe"]["params"] == {"perplexity": 20, "random_state": 5, "affinity": "entropic"}
    del adata.uns["neighbors"]
    ds.tl.dosnes(adata, rng=5, perplexity=20)
    assert np.array_equal(adata.obsm["X_dosnes"], adata.obsm["globe"])
    adata.uns["other"] = {"connectivities_key": "other_connectivities"}
    adata.obsp["other_connectivities"] = kneighbors_graph(adata.obsm["X_pca"], 10)
    ds.tl.dosnes(adata, neighbors_key="other", max_iter=3, random_state=5)
    assert adata.uns["dosnes"]["params"]["random_state"] == 5
    assert adata.uns["dosnes"]["params"]["affinity"] == "precomputed"


def test_views_and_files_are_read_where_they_are(cells, mapped, tmp_path):
    view = cells[cells.obs["bulk_labels"] == "CD19+ B"]
    with pytest.warns(anndata.ImplicitModificationWarning):
        ds.tl.dosnes(view)
    assert view.obsm["X_dosnes"].shape == (view.n_obs, 3) and "X_dosnes" not in cells.obsm
    bare = anndata.AnnData(cells.X[:, :40].copy())
    ds.tl.dosnes(bare, max_iter=5)
    for x in (bare.X, scipy.sparse.csr_matrix(bare.X)):
        anndata.AnnData(x).write_h5ad(tmp_path / "backed.h5ad")
        backed = anndata.read_h5ad(tmp_path / "backed.h5ad", backed="r")
        ds.tl.dosnes(backed, max_iter=5)
        assert backed.obsm["X_dosnes"].shape == (700, 3)
        if not scipy.sparse.issparse(x):
            assert np.array_equal(backed.obsm["X_dosnes"], bare.obsm["X_dosnes"])
        backed.file.close()
    mapped.write_h5ad(tmp_path / "graph.h5ad")
    graph = anndata.read_h5ad(tmp_path / "graph.h5ad", backed="r")
    ds.tl.dosnes(graph)
    assert np.array_equal(graph.obsm["X_dosnes"], mapped.obsm["X_dosnes"])
    graph.file.close()


def test_the_result_is_written_and_read(mapped, tmp_path):
    mapped.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert np.array_equal(again.obsm["X_dosnes"], mapped.obsm["X_dosnes"])
    assert again.uns["dosnes"]["params"]["random_state"] == 0


def test_the_cells_are_drawn(mapped):
    ax = ds.pl.dosnes(mapped, color="bulk_labels", show=False)
    assert len(ax.collections[0].get_offsets()) == 700
    with pytest.raises(ValueError, match="run dosnes.scanpy.tl.dosnes"):
        ds.pl.dosnes(mapped, key="X_globe")


def test_clusters_are_named_by_their_marker_genes(mapped):
    names = ds.marker_names(mapped, "bulk_labels", n_genes=2)
    assert set(names) == set(mapped.obs["bulk_labels"].cat.categories)
    assert "CD79A" in names["CD19+ B"] or "CD74" in names["CD19+ B"] or "CD79B" in names["CD19+ B"]
    assert all(len(name.split(", ")) == 2 for name in names.values())


def test_a_bad_argument_is_explained(cells):
    for options, sentence in (
        ({"use_rep": "X_umapp"}, "no such field in obsm"),
        ({"neighbors_key": "other"}, "run scanpy.pp.neighbors first"),
        ({"perplexity": "x"}, "perplexity must be a number"),
        ({"affinity": "entropic"}, "is for points, but the neighbour graph.*use_rep="),
        ({"rng": 1, "random_state": 2}, "both give the seed"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            ds.tl.dosnes(cells, **options)
    with pytest.raises(TypeError, match="adata must be an AnnData, not ndarray"):
        ds.tl.dosnes(np.ones((9, 4)))
    with pytest.raises(ValueError, match="adata has no X"):
        ds.tl.dosnes(anndata.AnnData(obs=pandas.DataFrame(index=["a", "b", "c"])))
    with pytest.raises(ValueError, match="no such column in obs"):
        ds.marker_names(cells, "cluster")
