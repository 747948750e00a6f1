"""New items on old maps: dosnes beside openTSNE and UMAP, in one run; writes the tables of docs/growing.md.

`growing.py DOSNES DATA OUT [SPLITS [IMAGES]]`: the program, the folder with images/mnist70k.npz, vectors/sklearn_digits.csv.gz,
singlecell/ and graphs/, the folder of growing.md, the number of splits of small data (10) and of images of MNIST (70,000, which take
an hour). A tenth of the items, chosen at random, is held out and placed on the map of the others. All programs get the same splits
and the same columns, and one thread. Times are processor times: other work on the machine hardly changes them. The page is written
after each data set.
"""

import csv
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

THREADS = 1
for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"]:
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402
from scipy.io import mmread  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.metrics import roc_auc_score  # noqa: E402
from sklearn.neighbors import NearestNeighbors  # noqa: E402

NEIGHBORS = 15
# Data with fewer items than this are divided several times.
SMALL = 5_000
# The maps without a class are made of this many images of MNIST, chosen at random: there are ten of them for each sample.
SAMPLE = 10_000
SAMPLES = 2
START, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"


def digits(data):
    with gzip.open(data / "vectors/sklearn_digits.csv.gz", "rt") as file:
        rows = [row for row in csv.reader(file) if row and row[0].replace(".", "").isdigit()]
    table = np.array(rows, dtype=float)
    return table[:, :-1].astype(np.float32), table[:, -1].astype(int)


def mnist(data):
    archive = np.load(data / "images/mnist70k.npz")
    return archive["X"].reshape(len(archive["y"]), -1).astype(np.float32), archive["y"].astype(int)


def labelled(names):
    known = sorted(set(names))
    return np.array([known.index(name) for name in names])


def reduced_cells(data):
    """The scaled genes as they are in the file."""
    import anndata

    adata = anndata.read_h5ad(data / "singlecell/pbmc68k_reduced.h5ad")
    x = adata.X.toarray() if hasattr(adata.X, "toarray") else adata.X
    return np.asarray(x, dtype=np.float32), labelled(list(adata.obs["bulk_labels"]))


def cells(data):
    """Counts as usual: the same total for each cell, log(1 + x)."""
    counts = mmread(data / "singlecell/pbmc3k_counts_2638x2000.mtx.gz").tocsr().astype(float)
    if counts.shape[0] == 2000:
        counts = counts.T.tocsr()
    totals = np.asarray(counts.sum(axis=1)).ravel()
    x = np.log1p(counts.multiply(np.median(totals) / totals[:, None]).toarray()).astype(np.float32)
    with open(data / "singlecell/pbmc3k_cells.csv") as file:
        return x, labelled([row["label"] for row in csv.DictReader(file)])


def coordinates(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    places = np.array([[float(row[axis]) for axis in "xyz"] for row in rows])
    return places, np.array([float(row.get("misfit", "nan")) for row in rows])


class Dosnes:
    name = "dosnes"

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def run(self, *arguments):
        subprocess.run([self.program, *map(str, arguments), "-q"], check=True)

    def fit(self, x):
        np.save(self.folder / "old.npy", x)
        self.run("embed", self.folder / "old.npy", "--as", "points", "-o", self.folder / "old.csv", "--model", self.model)
        return coordinates(self.folder / "old.csv")[0]

    @property
    def model(self):
        return self.folder / "map.dosnes"

    def transform(self, x):
        np.save(self.folder / "new.npy", x)
        self.run("transform", self.model, self.folder / "new.npy", "-o", self.folder / "new.csv")
        places, self.misfit = coordinates(self.folder / "new.csv")
        return places


class Reduced:
    """Wide data as 50 principal components, as dosnes does by itself."""

    def reduce(self, x):
        self.pca = PCA(50, svd_solver="randomized", random_state=0).fit(x) if x.shape[1] > 100 else None
        return self.reduced(x)

    def reduced(self, x):
        return x if self.pca is None else self.pca.transform(x)


class OpenTsne(Reduced):
    name = "openTSNE"

    def fit(self, x):
        import openTSNE

        tsne = openTSNE.TSNE(n_jobs=THREADS, random_state=0, negative_gradient_method="fft")
        self.map = tsne.fit(self.reduce(x))
        return np.asarray(self.map)

    def transform(self, x):
        return np.asarray(self.map.transform(self.reduced(x)))


class Umap(Reduced):
    name = "UMAP"

    def fit(self, x):
        import umap

        self.map = umap.UMAP(n_jobs=THREADS)
        return self.map.fit_transform(self.reduce(x))

    def transform(self, x):
        return self.map.transform(self.reduced(x))


class NoMap(Reduced):
    """The columns themselves: what is lost here, no map can win back."""

    name = "no map"

    def fit(self, x):
        return self.reduce(x)

    def transform(self, x):
        return self.reduced(x)


def processor_seconds():
    """Of this process and of those that it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def accuracy(old, old_classes, new, new_classes, own):
    """The share of items whose class is the most frequent one of their nearest old items."""
    search = NearestNeighbors(n_neighbors=NEIGHBORS + own).fit(old)
    nearest = search.kneighbors(new, return_distance=False)[:, own:]
    votes = np.array([np.bincount(row).argmax() for row in old_classes[nearest]])
    return float(np.mean(votes == new_classes))


def measure(method, x, y, seed=0):
    order = np.random.default_rng(seed).permutation(len(y))
    new, old = order[: len(y) // 10], order[len(y) // 10 :]
    old_map = method.fit(x[old])
    started = processor_seconds()
    new_map = method.transform(x[new])
    seconds = processor_seconds() - started
    row = {
        "training": accuracy(old_map, y[old], old_map, y[old], 1),
        "transformed": accuracy(old_map, y[old], new_map, y[new], 0),
        "milliseconds": 1000 * seconds / len(new),
    }
    if isinstance(method, Dosnes):
        again = method.transform(x[old])
        unit = [places / np.linalg.norm(places, axis=1, keepdims=True) for places in (old_map, again)]
        angles = np.degrees(np.arccos(np.clip(np.sum(unit[0] * unit[1], axis=1), -1, 1)))
        row["own"] = float(np.median(angles))
        row["bytes"] = method.model.stat().st_size
        row["bound"] = len(old) * (24 + 2 * (50 if x.shape[1] > 100 else x.shape[1]))
    return row


def novelty(method, x, y, left_out, seed=0):
    """How well the misfit tells a class that was left out from held-out items of the others."""
    generator = np.random.default_rng(seed)
    known = generator.permutation(np.flatnonzero(y != left_out))
    held, old = known[: len(known) // 10], known[len(known) // 10 :]
    strange = np.flatnonzero(y == left_out)
    method.fit(x[old])
    method.transform(np.concatenate([x[held], x[strange]]))
    return float(roc_auc_score(np.r_[np.zeros(len(held)), np.ones(len(strange))], method.misfit))


def read_table(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def unit_vectors(path, name):
    vectors = {row[name]: np.array([float(row[axis]) for axis in "xyz"]) for row in read_table(path)}
    return {item: vector / np.linalg.norm(vector) for item, vector in vectors.items()}


def angles_between(a, b):
    return np.degrees(np.arccos(np.clip(np.sum(a * b, axis=-1), -1, 1)))


def best_rotation(a, b):
    """The rotation, or reflection, of `a` onto `b` with the least sum of angles."""
    weights = np.ones(len(a))
    for _ in range(60):
        left, _, right = np.linalg.svd((a * weights[:, None]).T @ b)
        rotation = left @ right
        weights = 1 / np.maximum(angles_between(a @ rotation, b), 1)
    return rotation


def kilometres_to_nearest(places, items, earth):
    """The median distance on the earth to the ten nearest on the map, for these items."""
    names = sorted(places)
    map_vectors, earth_vectors = (np.array([source[name] for name in names]) for source in (places, earth))
    found = []
    for item in items:
        nearest = np.argsort(-map_vectors @ places[item])[1:11]
        found.append(np.median(6371 * np.radians(angles_between(earth_vectors[nearest], earth[item]))))
    return float(np.median(found))


def flights(method, data, splits):
    """30 airports are left out, and placed by their flights: where they are, against the map of all airports."""
    routes = read_table(data / "graphs/vega_flights-airport.csv")
    start, end = list(routes[0])[:2]
    earth = {}
    for row in read_table(data / "graphs/vega_flights_airport_nodes.csv"):
        lon, lat = (np.radians(float(row[column])) for column in ("lon", "lat"))
        earth[row["iata"]] = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])

    def mapped(name, chosen, *arguments):
        path = method.folder / f"{name}.csv"
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, list(routes[0]))
            writer.writeheader()
            writer.writerows(chosen)
        result = method.folder / f"{name}-map.csv"
        method.run(*(path if argument is None else argument for argument in arguments), "-o", result)
        return unit_vectors(result, "id")

    everything = mapped("all", routes, "embed", None, "--as", "graph")
    rows = []
    for seed in range(splits):
        left_out = set(np.random.default_rng(seed).choice(sorted(everything), 30, replace=False))
        known = [route for route in routes if route[start] not in left_out and route[end] not in left_out]
        fresh = [route for route in routes if (route[start] in left_out) != (route[end] in left_out)]
        old = mapped("old", known, "embed", None, "--as", "graph", "--model", method.model)
        new = mapped("new", fresh, "transform", method.model, None)
        common, placed = (sorted(set(part) & set(everything)) for part in (old, set(new) & left_out))
        rotation = best_rotation(np.array([old[name] for name in common]), np.array([everything[name] for name in common]))

        def moved(places, names, rotation=rotation):
            turned = np.array([places[name] for name in names]) @ rotation
            return float(np.median(angles_between(turned, np.array([everything[name] for name in names]))))

        rows.append(
            {
                "new": moved(new, placed),
                "others": moved(old, common),
                "kilometres": kilometres_to_nearest(old | new, placed, earth),
                "kilometres on the map of all": kilometres_to_nearest(everything, placed, earth),
            }
        )
        print("flights", seed, json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def mean_of(rows):
    return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}


class Tables:
    """The tables of the page."""

    def __init__(self, page, splits):
        self.page, self.splits = page, splits
        self.programs = [
            "| data | splits | program | 15-NN of the map's items | of new items | processor ms a new item |",
            "|---|---:|---|---:|---:|---:|",
        ]
        self.airports = []
        self.own = ["| data | own places, median | model | 1.3 × (coordinates + kept rows) |", "|---|---:|---:|---:|"]
        self.classes = ["| data | " + " | ".join(map(str, range(10))) + " | mean |", "|---|" + "---:|" * 11]

    def compare(self, title, methods, x, y):
        splits = self.splits if len(y) < SMALL else 1
        rows = {method: [] for method in methods}
        for seed in range(splits):
            for method in methods:
                rows[method].append(measure(method, x, y, seed))
                print(title, seed, method.name, json.dumps(rows[method][-1]), file=sys.stderr, flush=True)
        for method in methods:
            row = mean_of(rows[method])
            of_items = f"{row['training']:.4f} | {row['transformed']:.4f} | {row['milliseconds']:.2f}"
            self.programs.append(f"| {title} | {splits} | {method.name} | {of_items} |")
            if "own" in row:
                size = f"{row['bytes'] / 1e6:.3f} MB | {1.3 * row['bound'] / 1e6:.3f} MB"
                self.own.append(f"| {title} | {row['own']:.3f}° | {size} |")
        self.write()

    def recognise(self, title, method, x, y):
        found = [novelty(method, x, y, left_out) for left_out in range(10)]
        print(title, found, file=sys.stderr, flush=True)
        cells_of_row = " | ".join(f"{auc:.3f}" for auc in found)
        self.classes.append(f"| {title} | {cells_of_row} | {np.mean(found):.3f} |")
        self.write()

    def place_airports(self, rows):
        columns = {key: np.array([row[key] for row in rows]) for key in rows[0]}
        self.airports = [
            f"30 of 305 airports, left out and placed by their flights; {len(rows)} splits.",
            "",
            "| median of a split | median of the splits | middle half of the splits |",
            "|---|---:|---:|",
        ]
        titles = {
            "new": "new airports, from their place on the map of all",
            "others": "the other airports, from theirs",
            "kilometres": "km to the ten nearest, new airports",
            "kilometres on the map of all": "the same on the map of all",
        }
        for key, values in columns.items():
            unit, digits = ("km", 0) if key.startswith("kilometres") else ("°", 1)
            low, middle, high = (f"{value:.{digits}f}" for value in np.quantile(values, [0.25, 0.5, 0.75]))
            self.airports.append(f"| {titles[key]} | {middle} {unit} | {low} to {high} {unit} |".replace(" °", "°"))
        self.write()

    def write(self):
        versions = ", ".join(f"{name} {version(name)}" for name in ["openTSNE", "umap-learn"])
        parts = [self.programs, self.own, self.airports, ["AUC of the misfit for a class that was left out:", "", *self.classes]]
        text = f"Measured with {versions}.\n\n" + "\n\n".join("\n".join(part) for part in parts if part) + "\n"
        before, rest = self.page.read_text().split(START)
        self.page.write_text(before + START + text + END + rest.split(END)[1])


def main():
    program, data, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    splits = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    images = int(sys.argv[5]) if len(sys.argv) > 5 else 70_000
    tables = Tables(out / "growing.md", splits)
    with tempfile.TemporaryDirectory() as folder:
        dosnes = Dosnes(program, folder)
        small = {
            "digits (1,797 × 64)": digits(data),
            "pbmc68k (700 × 765)": reduced_cells(data),
            "pbmc3k (2,638 × 2,000)": cells(data),
        }
        tables.place_airports(flights(dosnes, data, 4 * splits))
        tables.recognise("digits", dosnes, *digits(data))
        for title, (x, y) in small.items():
            tables.compare(title, [dosnes, OpenTsne(), Umap(), NoMap()], x, y)
        x, y = mnist(data)
        for seed in range(1, SAMPLES + 1):
            sample = np.random.default_rng(seed).permutation(len(y))[:SAMPLE]
            tables.recognise(f"{SAMPLE:,} of MNIST", dosnes, x[sample], y[sample])
        sample = np.random.default_rng(0).permutation(len(y))[:images]
        tables.compare(f"MNIST ({images:,} × 784)", [dosnes, OpenTsne(), Umap(), NoMap()], x[sample], y[sample])


if __name__ == "__main__":
    main()
