"""Files that the real packages write are read as what was put into them.

    python3 crates/dosnes-io/tests/packages.py target/release/dosnes

Packages that are not installed are skipped, and named in the end.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

ITEMS, COLUMNS = 40, 3
NODES, EDGES = 34, 78
skipped, failed = set(), []


def has(*packages):
    missing = {name for name in packages if importlib.util.find_spec(name) is None}
    skipped.update(missing)
    return not missing


def check(program, path, kind, n, columns=None, options=()):
    run = subprocess.run([program, "info", "--json", str(path), *options], capture_output=True, text=True)
    if run.returncode != 0:
        failed.append(f"{path.name}: {run.stderr.strip()}")
        return
    info = json.loads(run.stdout)
    found = (info["kind"], info["n"], info["columns"] if columns else None)
    if found != (kind, n, columns):
        failed.append(f"{path.name}: {found} instead of {(kind, n, columns)}: {info['detected']}")


def tables(folder):
    """One table of 40 points with names and a label."""
    import numpy
    import pandas

    numbers = numpy.random.default_rng(0).normal(size=(ITEMS, COLUMNS))
    table = pandas.DataFrame(numbers, columns=["u", "v", "w"])
    table.insert(0, "name", [f"item {k}" for k in range(ITEMS)])
    table["label"] = ["a", "b"] * (ITEMS // 2)
    table.to_csv(folder / "plain.csv", index=False)
    table.to_csv(folder / "index.csv")
    table.to_csv(folder / "european.csv", sep=";", decimal=",", index=False)
    table.to_csv(folder / "utf16.csv", encoding="utf-16", index=False)
    for ending in ["gz", "bz2", "xz", "zip"]:
        table.to_csv(folder / f"packed.csv.{ending}", index=False)
    for orient in ["records", "columns", "split", "table"]:
        table.to_json(folder / f"{orient}.json", orient=orient)
    table.to_json(folder / "lines.jsonl", orient="records", lines=True)
    if has("openpyxl"):
        table.to_excel(folder / "book.xlsx", index=False)
    if has("polars"):
        import polars

        polars.DataFrame(table.to_dict("list")).write_csv(folder / "polars.tsv", separator="\t")
    return numbers


def matrices(folder, numbers):
    import numpy

    numpy.save(folder / "numpy.npy", numbers)
    numpy.savez(folder / "numpy.npz", X=numbers, y=numpy.arange(ITEMS))
    numpy.savetxt(folder / "savetxt.txt", numbers)
    if has("scipy"):
        import scipy.io

        scipy.io.savemat(folder / "scipy.mat", {"X": numbers})
    if has("anndata"):
        import anndata

        anndata.AnnData(numbers).write_h5ad(folder / "cells.h5ad")
    if has("sklearn"):
        import sklearn.datasets

        sklearn.datasets.dump_svmlight_file(numbers, numpy.arange(ITEMS) % 2, str(folder / "points.svmlight"))


def graphs(folder):
    import networkx

    graph = networkx.karate_club_graph()
    networkx.write_gml(graph, folder / "networkx.gml")
    networkx.write_graphml(graph, folder / "networkx.graphml")
    networkx.write_gexf(graph, folder / "networkx.gexf")
    networkx.write_pajek(graph, folder / "networkx.net")
    networkx.write_adjlist(graph, folder / "networkx.adjlist")
    networkx.write_edgelist(graph, folder / "networkx.edgelist")
    (folder / "nodelink.json").write_text(json.dumps(networkx.node_link_data(graph)))
    (folder / "cytoscape.json").write_text(json.dumps(networkx.cytoscape_data(graph)))
    if has("igraph"):
        import igraph

        other = igraph.Graph.from_networkx(graph)
        other.write_gml(str(folder / "igraph.gml"))
        other.write_dot(str(folder / "igraph.dot"))
        other.write_ncol(str(folder / "igraph.ncol"), names=None, weights=None)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        points, networks = folder / "points", folder / "networks"
        points.mkdir()
        networks.mkdir()
        if has("numpy", "pandas"):
            matrices(points, tables(points))
        if has("networkx"):
            graphs(networks)
        files = sorted(points.iterdir()), sorted(networks.iterdir())
        for path in files[0]:
            check(program, path, "points", ITEMS, COLUMNS)
        for path in files[1]:
            check(program, path, "graph", NODES)
    print(f"{len(files[0]) + len(files[1])} files of real packages were read")
    if skipped:
        print("not installed, and skipped:", ", ".join(sorted(skipped)))
    for problem in failed:
        print("wrong:", problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
