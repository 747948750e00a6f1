"""Files that the real packages write are read as what was put into them: the same items, names and values.

    python3 crates/dosnes-io/tests/packages.py target/release/dosnes

`cargo xtask roundtrip` installs the packages first. Packages and programs that are not installed are skipped, and named in
the end. Values are compared by the similarities that the program makes of them (`dosnes normalize --normalize none`), since
these change if any value does.
"""

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ITEMS, COLUMNS = 40, 3
NAMES = [f"item {k}" for k in range(ITEMS)]
skipped, failed, read = set(), [], []


def has(*packages):
    missing = {name for name in packages if importlib.util.find_spec(name) is None}
    skipped.update(missing)
    return not missing


def entries(path):
    """The entries of a symmetric Matrix Market file, relative to their sum."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")][1:]
    values = {tuple(map(int, line.split()[:2])): float(line.split()[2]) for line in lines}
    total = sum(values.values())
    return {place: value / total for place, value in values.items()}


def similarities(program, path, options=()):
    """What the program makes of a file: similarities and names. None if it refuses the file."""
    matrix, names = path.parent / "P.mtx", path.parent / "P.txt"
    command = [program, "normalize", str(path), "--normalize", "none", "-q", "-o", str(matrix), "--names", str(names)]
    run = subprocess.run([*command, *options], capture_output=True, text=True)
    if run.returncode != 0:
        failed.append(f"{path.name}: {run.stderr.strip()}")
        return None
    return entries(matrix), names.read_text().splitlines()


def check(program, path, expected, names=None, options=(), tolerance=1e-6):
    """The file has the expected similarities between its items, and their names in this order."""
    read.append(path.name)
    found = similarities(program, path, options)
    if found is None:
        return
    values, found_names = found
    if names is not None and found_names != names:
        failed.append(f"{path.name}: the names begin with {found_names[:3]} instead of {names[:3]}")
        return
    wrong = [place for place in values.keys() | expected.keys()
             if abs(values.get(place, 0) - expected.get(place, 0)) > tolerance * max(expected.values())]
    if wrong:
        place = min(wrong)
        failed.append(f"{path.name}: {len(wrong)} similarities differ, at {place}: {values.get(place)} instead of "
                      f"{expected.get(place)}")


def tables(folder, numbers):
    """One table of 40 points with names and a label."""
    import pandas

    table = pandas.DataFrame(numbers, columns=["u", "v", "w"])
    table.insert(0, "name", NAMES)
    table["label"] = ["a", "b"] * (ITEMS // 2)
    table.to_csv(folder / "plain.csv", index=False)
    table.to_csv(folder / "index.csv")
    table.to_csv(folder / "european.csv", sep=";", decimal=",", index=False)
    table.to_csv(folder / "utf16.csv", encoding="utf-16", index=False)
    for ending in ["gz", "bz2", "xz", "zip"]:
        table.to_csv(folder / f"packed.csv.{ending}", index=False)
    for orient in ["records", "columns", "split", "table"]:
        table.to_json(folder / f"{orient}.json", orient=orient, double_precision=15)
    table.to_json(folder / "lines.jsonl", orient="records", lines=True, double_precision=15)
    if has("openpyxl"):
        table.to_excel(folder / "book.xlsx", index=False)
    if has("polars"):
        import polars

        frame = polars.DataFrame(table.to_dict("list"))
        frame.write_csv(folder / "polars.tsv", separator="\t")
        frame.write_ndjson(folder / "polars.jsonl")
    if has("pyarrow"):
        import pyarrow
        import pyarrow.csv

        pyarrow.csv.write_csv(pyarrow.Table.from_pandas(table, preserve_index=False), folder / "pyarrow.csv")


def matrices(folder, numbers):
    """The same points without names, or with names where the format has them."""
    import numpy

    numpy.save(folder / "numpy.npy", numbers)
    numpy.savez(folder / "numpy.npz", X=numbers, y=numpy.arange(ITEMS))
    numpy.savetxt(folder / "savetxt.txt", numbers)
    if has("scipy"):
        import scipy.io
        import scipy.sparse

        scipy.io.savemat(folder / "scipy.mat", {"X": numbers})
        scipy.io.mmwrite(folder / "scipy_dense.mtx", numbers)
        scipy.sparse.save_npz(folder / "scipy_sparse.npz", scipy.sparse.csr_matrix(numbers))
    if has("sklearn"):
        import sklearn.datasets

        sklearn.datasets.dump_svmlight_file(numbers, numpy.arange(ITEMS) % 2, str(folder / "points.svmlight"))


def cells(folder, numbers):
    import anndata
    import pandas

    data = anndata.AnnData(numbers, obs=pandas.DataFrame(index=NAMES))
    data.write_h5ad(folder / "anndata.h5ad")
    if has("scipy"):
        import scipy.sparse

        for name, form in [("csr", scipy.sparse.csr_matrix), ("csc", scipy.sparse.csc_matrix)]:
            anndata.AnnData(form(numbers), obs=pandas.DataFrame(index=NAMES)).write_h5ad(folder / f"anndata_{name}.h5ad")


def prepared_cells(program, folder, numbers):
    """Cells after scanpy's preparation: the matrix, the principal components and the graph of neighbours are all there."""
    import anndata
    import pandas
    import scanpy
    import scipy.sparse

    data = anndata.AnnData(numbers.copy(), obs=pandas.DataFrame({"louvain": pandas.Categorical(["a", "b"] * (ITEMS // 2))}, index=NAMES))
    data.raw = data
    data.layers["scaled"] = numbers * 2
    scanpy.pp.pca(data, n_comps=2)
    scanpy.pp.neighbors(data, n_neighbors=10)
    path = folder / "scanpy.h5ad"
    data.write_h5ad(path)
    graph = scipy.sparse.coo_array(data.obsp["connectivities"])
    lower = graph.row > graph.col
    total = graph.data[lower].sum()
    expected = {(int(i) + 1, int(j) + 1): float(v) / total for i, j, v in zip(graph.row[lower], graph.col[lower], graph.data[lower])}
    check(program, path, expected, NAMES, options=["--array", "obsp/connectivities"])


def of_r(folder, numbers):
    """What R writes; R has no part in Python's packages."""
    if shutil.which("Rscript") is None:
        skipped.add("R")
        return
    import numpy

    numpy.savetxt(folder / "numbers.txt", numbers)
    script = """
        x <- as.matrix(read.table("numbers.txt"))
        rownames(x) <- paste("item", 0:(nrow(x) - 1)); colnames(x) <- c("u", "v", "w")
        options(digits = 15)
        write.csv(x, "r_csv.csv"); write.csv2(x, "r_csv2.csv")
        write.table(x, "r_table.txt"); write.table(x, "r_table.tsv", sep = "\\t", quote = FALSE)
        write.table(x, "r_col_names.tsv", sep = "\\t", col.names = NA)
    """
    subprocess.run(["Rscript", "-e", script], cwd=folder, check=True, capture_output=True)
    (folder / "numbers.txt").unlink()


def graphs(program, folder):
    """A weighted graph with names, written by NetworkX and igraph."""
    import networkx

    graph = networkx.karate_club_graph()
    plain = networkx.Graph((str(a), str(b), {"weight": d["weight"]}) for a, b, d in graph.edges(data=True))
    names = [str(node) for node in plain]
    place = {name: k + 1 for k, name in enumerate(names)}
    total = sum(d["weight"] for _, _, d in plain.edges(data=True))

    def expected(weighted):
        size = total if weighted else plain.number_of_edges()
        pairs = ((max(place[a], place[b]), min(place[a], place[b]), d["weight"]) for a, b, d in plain.edges(data=True))
        return {(i, j): (weight if weighted else 1) / size for i, j, weight in pairs}

    networkx.write_gml(plain, folder / "networkx.gml")
    networkx.write_graphml(plain, folder / "networkx.graphml")
    networkx.write_gexf(plain, folder / "networkx.gexf")
    networkx.write_pajek(plain, folder / "networkx.net")
    networkx.write_edgelist(plain, folder / "networkx.edgelist")
    networkx.write_weighted_edgelist(plain, folder / "networkx.edges")
    (folder / "nodelink.json").write_text(json.dumps(networkx.node_link_data(plain)))
    (folder / "adjacency.json").write_text(json.dumps(networkx.adjacency_data(plain)))
    (folder / "cytoscape.json").write_text(json.dumps(networkx.cytoscape_data(plain)))
    if has("pandas"):
        networkx.to_pandas_edgelist(plain).to_csv(folder / "pandas.csv", index=False)
        networkx.to_pandas_adjacency(plain).to_csv(folder / "pandas_matrix.csv")
    if has("igraph"):
        import igraph

        other = igraph.Graph.from_networkx(plain, vertex_attr_hashable="name")
        other.write_graphml(str(folder / "igraph.graphml"))
        other.write_ncol(str(folder / "igraph.ncol"), names="name", weights="weight")
        other.write_pajek(str(folder / "igraph.net"))
        other.write_gml(str(folder / "igraph.gml"))
        other.write_dot(str(folder / "igraph.dot"))
    # An edge list has its nodes in the order of the edges, and igraph calls the nodes of some formats by their numbers.
    for path in sorted(p for p in folder.iterdir() if not p.name.startswith("P.")):
        numbered = path.name in {"igraph.graphml", "igraph.gml", "igraph.dot"}
        found = None if numbered else names
        if path.suffix in {".edgelist", ".edges", ".ncol"} or path.name == "pandas.csv":
            check_by_name(program, path, expected(True), names)
        else:
            check(program, path, expected(True), found)
    networkx.write_adjlist(plain, folder / "networkx.adjlist")
    check_by_name(program, folder / "networkx.adjlist", expected(False), names)


def check_by_name(program, path, expected, names):
    """The same for files that may have another order of the items."""
    read.append(path.name)
    found = similarities(program, path)
    if found is None:
        return
    values, found_names = found
    if sorted(found_names) != sorted(names):
        failed.append(f"{path.name}: the names are {sorted(found_names)[:3]}… instead of {sorted(names)[:3]}…")
        return
    place = {name: k + 1 for k, name in enumerate(names)}
    number = [place[name] for name in found_names]
    sorted_values = {}
    for (i, j), value in values.items():
        a, b = number[i - 1], number[j - 1]
        sorted_values[max(a, b), min(a, b)] = value
    wrong = [p for p in sorted_values.keys() | expected.keys()
             if abs(sorted_values.get(p, 0) - expected.get(p, 0)) > 1e-6 * max(expected.values())]
    if wrong:
        failed.append(f"{path.name}: {len(wrong)} weights differ, at {min(wrong)}")


def main(program):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        parts = {part: folder / part for part in ["reference", "named", "plain", "networks", "cells"]}
        for part in parts.values():
            part.mkdir()
        if has("numpy"):
            import numpy

            numbers = numpy.round(numpy.random.default_rng(0).normal(size=(ITEMS, COLUMNS)), 6)
            reference = parts["reference"] / "reference.csv"
            lines = [",".join(["name", "u", "v", "w"]), *(",".join([n, *map(repr, map(float, row))]) for n, row in zip(NAMES, numbers))]
            reference.write_text("\n".join(lines) + "\n")
            found = similarities(program, reference)
            if found is None:
                print("wrong:", failed[-1])
                return 1
            expected = found[0]
            if has("pandas"):
                tables(parts["named"], numbers)
                if has("anndata"):
                    cells(parts["named"], numbers)
            of_r(parts["named"], numbers)
            matrices(parts["plain"], numbers)
            numbered = [str(k) for k in range(ITEMS)]
            for path in sorted(parts["named"].iterdir()):
                # pandas writes its own row numbers in front, which are the ids then; the names travel along.
                has_index = path.name in {"index.csv", "split.json", "table.json"}
                check(program, path, expected, numbered if has_index else NAMES)
            for path in sorted(parts["plain"].iterdir()):
                check(program, path, expected, options=["--as", "points"])
            if has("scanpy", "pandas"):
                prepared_cells(program, parts["cells"], numbers)
        if has("networkx"):
            graphs(program, parts["networks"])
    print(f"{len(read)} files of real packages were read")
    if skipped:
        print("not installed, and skipped:", ", ".join(sorted(skipped)))
    for problem in failed:
        print("wrong:", problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
