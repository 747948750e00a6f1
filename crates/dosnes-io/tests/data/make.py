"""Makes the files in this folder with the tools that users make theirs with.

    python -m venv venv && venv/bin/pip install numpy scipy networkx pandas anndata h5py pyarrow
    venv/bin/python make.py

Every matrix holds 10 i + j at (i, j), unless said otherwise, so that the tests can state what they expect.
"""

import gzip
from pathlib import Path

import anndata
import h5py
import networkx as nx
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse as sp

HERE = Path(__file__).parent
ROWS, COLUMNS = 5, 3
X = 10.0 * np.arange(ROWS)[:, None] + np.arange(COLUMNS)[None, :]
NAMES = np.array(["ant", "bee", "çat", "dog", "eel"])
SPECIES = np.array(["insect", "insect", "mammal", "mammal", "fish"])
PLACES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [2.0, 2.0]])
DISTANCES = np.sqrt(((PLACES[:, None] - PLACES[None]) ** 2).sum(-1))
COUNTS = sp.csr_matrix((np.array([1, 2, 3, 4, 5, 6, 7]), (np.array([0, 0, 1, 2, 3, 4, 4]), np.array([0, 2, 1, 0, 2, 0, 1]))), shape=(ROWS, COLUMNS))


def numpy_files():
    np.save(HERE / "double.npy", X)
    np.save(HERE / "single_fortran.npy", np.asfortranarray(X.astype(np.float32)))
    np.save(HERE / "half.npy", X.astype(np.float16))
    np.save(HERE / "bytes.npy", X.astype(np.uint8))
    np.save(HERE / "long_big_endian.npy", X.astype(">i8"))
    np.save(HERE / "bool.npy", X % 2 == 1)
    np.save(HERE / "vector.npy", X[:, 0])
    np.save(HERE / "objects.npy", np.array([["a", 1], ["b", 2]], dtype=object))
    np.save(HERE / "distances.npy", DISTANCES)
    np.savez(HERE / "archive.npz", X=X, y=np.arange(ROWS), species=SPECIES, ids=NAMES, other=np.zeros((2, 2)))
    np.savez_compressed(HERE / "compressed.npz", data=X, label=SPECIES)
    np.savez(HERE / "two_matrices.npz", a=X, b=X)
    sp.save_npz(HERE / "csr.npz", COUNTS)
    sp.save_npz(HERE / "csc.npz", COUNTS.tocsc())
    sp.save_npz(HERE / "coo.npz", COUNTS.tocoo())


def matrix_market_files():
    scipy.io.mmwrite(HERE / "counts.mtx", COUNTS)
    scipy.io.mmwrite(HERE / "array.mtx", X)
    scipy.io.mmwrite(HERE / "distances_array.mtx", DISTANCES, symmetry="symmetric")
    graph = sp.coo_matrix(nx.to_scipy_sparse_array(nx.karate_club_graph()))
    scipy.io.mmwrite(HERE / "karate.mtx", graph, symmetry="symmetric")
    scipy.io.mmwrite(HERE / "karate_pattern.mtx", graph, symmetry="symmetric", field="pattern")


def graph_files():
    graph = nx.DiGraph()
    for name, species in zip(NAMES, SPECIES):
        graph.add_node(str(name), species=str(species), size=float(len(species)))
    graph.add_edge("ant", "bee", weight=2.5)
    graph.add_edge("bee", "ant", weight=1.0)
    graph.add_edge("çat", "dog", weight=4.0)
    graph.add_edge("dog", "eel", weight=0.5)
    graph.add_edge("eel", "eel", weight=3.0)
    nx.write_graphml(graph, HERE / "directed.graphml")
    nx.write_gexf(graph, HERE / "directed.gexf")
    nx.write_graphml(nx.karate_club_graph(), HERE / "karate.graphml")
    nx.write_gexf(nx.karate_club_graph(), HERE / "karate.gexf")
    nx.write_edgelist(graph, HERE / "networkx.edgelist")
    nx.write_edgelist(nx.karate_club_graph(), HERE / "karate_no_data.edgelist", data=False)
    nx.write_weighted_edgelist(nx.karate_club_graph(), HERE / "karate_weighted.txt")
    plain = nx.DiGraph((u, v, {"weight": d["weight"]}) for u, v, d in graph.edges(data=True))
    nx.write_pajek(plain, HERE / "networkx.net")


def anndata_files():
    obs = pd.DataFrame(
        {
            "species": pd.Categorical(SPECIES),
            "score": np.linspace(0, 1, ROWS),
            "good": np.array([True, False, True, True, False]),
            "count": pd.array([1, None, 3, 4, 5], dtype="Int64"),
            "text": [f"note {i}" for i in range(ROWS)],
            "maybe": pd.Categorical(["a", None, "b", "a", "b"]),
        },
        index=NAMES,
    )
    graph = sp.csr_matrix(np.where(DISTANCES < 2.3, DISTANCES, 0))
    for name, x in [("dense", X.astype(np.float32)), ("csr", COUNTS.astype(np.float32)), ("csc", COUNTS.tocsc().astype(np.float32))]:
        data = anndata.AnnData(x, obs=obs)
        data.obsm["X_pca"] = PLACES
        data.obsp["connectivities"] = graph
        data.obsp["distances"] = graph
        data.write_h5ad(HERE / f"{name}.h5ad", compression="gzip" if name == "csr" else None)


def cell_files():
    genes = np.array([f"Gene{gene}" for gene in range(COLUMNS)], dtype="S")
    with h5py.File(HERE / "cells.h5", "w") as file:
        group = file.create_group("matrix")
        columns = COUNTS.T.tocsc()
        group["data"], group["indices"], group["indptr"] = columns.data, columns.indices, columns.indptr
        group["shape"] = np.array(columns.shape)
        group["barcodes"] = np.array([name.encode() for name in NAMES], dtype="S")
        group["features/name"] = genes
        group["features/id"] = genes
    with h5py.File(HERE / "cells.loom", "w") as file:
        file["matrix"] = COUNTS.T.toarray().astype(np.float32)
        file["col_attrs/CellID"] = np.array([name.encode() for name in NAMES], dtype="S")
        file["row_attrs/Gene"] = genes
        file.create_group("layers")


def matlab_files():
    cells = np.array(list(NAMES), dtype=object)
    variables = {"X": X, "y": np.arange(ROWS), "species": np.array(list(SPECIES), dtype=object), "names": cells, "note": "hello"}
    scipy.io.savemat(HERE / "dense.mat", variables)
    scipy.io.savemat(HERE / "compressed.mat", variables, do_compression=True)
    scipy.io.savemat(HERE / "integers.mat", {"A": X.astype(np.int16)})
    scipy.io.savemat(HERE / "sparse.mat", {"counts": COUNTS.astype(float)}, do_compression=True)
    with h5py.File(HERE / "version73.mat", "w", userblock_size=512) as file:
        file.create_dataset("X", data=X.T).attrs["MATLAB_class"] = np.bytes_("double")
        file.create_dataset("y", data=np.arange(ROWS, dtype=float)[:, None].T.reshape(1, ROWS)).attrs["MATLAB_class"] = np.bytes_("double")
        group = file.create_group("S")
        group.attrs["MATLAB_class"] = np.bytes_("double")
        group.attrs["MATLAB_sparse"] = np.uint64(ROWS)
        columns = COUNTS.tocsc()
        group["data"] = columns.data.astype(float)
        group["ir"] = columns.indices.astype(np.uint64)
        group["jc"] = columns.indptr.astype(np.uint64)
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
    with open(HERE / "version73.mat", "r+b") as file:
        file.write(header)


def tables():
    frame = pd.DataFrame(X, columns=["length", "width", "height"])
    frame.to_csv(HERE / "pandas_index.csv")
    frame.assign(species=SPECIES, name=NAMES, target=np.arange(ROWS) % 2).to_csv(HERE / "named.csv", index=False)
    frame.assign(name=NAMES).to_csv(HERE / "european.csv", index=False, sep=";", decimal=",")
    pd.DataFrame(DISTANCES, index=NAMES, columns=NAMES).to_csv(HERE / "distances.csv")
    pd.DataFrame(np.exp(-DISTANCES), index=NAMES, columns=NAMES).to_csv(HERE / "similarities.tsv", sep="\t")
    with gzip.GzipFile(HERE / "numbers.csv.gz", "wb", mtime=0) as file:
        np.savetxt(file, X, delimiter=",", header="made by NumPy")
    frame.assign(species=SPECIES, name=NAMES).to_parquet(HERE / "named.parquet")


if __name__ == "__main__":
    numpy_files()
    matrix_market_files()
    graph_files()
    anndata_files()
    cell_files()
    matlab_files()
    tables()
