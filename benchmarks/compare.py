"""Compares dosnes with similar programs in one run; writes docs/benchmarks.md and docs/benchmarks.svg.

`compare.py DOSNES DATA OUT`: the program (the benchmark programs are in the same folder), the folder with
images/mnist70k.npz and graphs/debian12_deps_lcc.mtx.gz, and the output folder. `cargo xtask benchmark` calls it. Every
method runs in its own process with two threads; the system measures processor time and peak memory of the process.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from mixture import mixture

HERE = Path(__file__).parent
THREADS = "2"
NEIGHBORS = 15
QUERIES = 10_000
# Numbers of points of the mixture for each method, without those that would take more than a few minutes.
SIZES = {
    "dosnes": [1_000, 5_000, 20_000, 200_000, 1_000_000],
    "openTSNE": [1_000, 5_000, 20_000],
    "UMAP": [1_000, 5_000, 20_000],
    "UMAP-sphere": [1_000, 5_000, 20_000],
    "PaCMAP": [1_000, 5_000, 20_000],
    "scikit-learn": [1_000, 5_000],
    "original": [500, 1_000],
}
ON_MNIST = ["dosnes", "openTSNE", "UMAP-sphere", "UMAP", "PaCMAP"]
# The heading of the last section of the page.
LAYOUTS = "## Graph layout\n"
NAMES = {
    "dosnes": "dosnes (sphere)",
    "openTSNE": "openTSNE (plane, FFT)",
    "UMAP": "UMAP (plane)",
    "UMAP-sphere": "UMAP (sphere, haversine)",
    "PaCMAP": "PaCMAP (plane)",
    "scikit-learn": "scikit-learn t-SNE (plane)",
    "original": "the paper's algorithm, n² in NumPy",
}


def measure(command):
    """Runs a command; returns its output, wall seconds, processor seconds and peak memory in bytes."""
    threads = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"]
    environment = {**os.environ, **dict.fromkeys(threads, THREADS)}
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        out.seek(0)
        text = out.read().decode()
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return text, {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss * 1024}


def run(method, program, points, folder):
    """Runs one method on one file of points; returns its coordinates and measurements."""
    coordinates = folder / "coordinates.npy"
    if method == "dosnes":
        report = folder / "report.json"
        command = [program, "embed", points, "-o", coordinates, "--report", report, "--threads", THREADS, "-q"]
        _, result = measure(command)
        told = json.loads(report.read_text())
        result.update(kl=told["kl"], steps=told["iterations"])
    else:
        text, result = measure([sys.executable, HERE / "peers.py", method, points, coordinates])
        result.update(json.loads(text.strip().splitlines()[-1]))
    print(f"{method}: {points}: {result}", file=sys.stderr, flush=True)
    return np.load(coordinates), result


def neighbors(points, queries):
    """The nearest points of each query, without the query itself."""
    found = NearestNeighbors(n_neighbors=NEIGHBORS + 1).fit(points).kneighbors(points[queries], return_distance=False)
    return np.array([[j for j in row if j != i][:NEIGHBORS] for i, row in zip(queries, found)])


def quality(coordinates, queries, true, labels):
    """Share of the true neighbours that are neighbours on the map, and accuracy of a vote of the neighbours on the map."""
    mapped = neighbors(coordinates, queries)
    recall = np.mean([len(set(a) & set(b)) / NEIGHBORS for a, b in zip(true, mapped)])
    votes = [np.bincount(labels[row]).argmax() for row in mapped]
    return {"recall": float(recall), "accuracy": float(np.mean(votes == labels[queries]))}


def on_mnist(program, data, folder):
    """All methods on MNIST: dosnes from the images, the others from 50 principal components, as is usual."""
    file = data / "images" / "mnist70k.npz"
    archive = np.load(file)
    images, labels = archive["X"], archive["y"].astype(int)
    components = PCA(50, random_state=0).fit_transform(images.astype(np.float32)).astype(np.float32)
    points = folder / "mnist.npy"
    np.save(points, components)
    queries = np.random.default_rng(0).choice(len(labels), QUERIES, replace=False)
    true = neighbors(components, queries)
    results = {}
    for method in ON_MNIST:
        coordinates, result = run(method, program, file if method == "dosnes" else points, folder)
        if method == "dosnes":
            np.save(folder / "MNIST.npy", coordinates)
        results[method] = {**result, **quality(coordinates, queries, true, labels)}
    return results


def repulsion(program, map_file):
    """One step of repulsion on a map, on one core: time and error of each method, by radius."""
    alone = {**os.environ, "RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    text = subprocess.check_output([program.parent / "repulsion", map_file], text=True, env=alone)
    print(text, file=sys.stderr, flush=True)
    results = {}
    for line in text.splitlines():
        if radius := re.match(r"r +(\d+):", line):
            current = results[radius[1]] = {}
        elif step := re.match(r" +(\w+) +([\d.]+) ms, error ([\d.e-]+)", line):
            current[step[1]] = {"ms": float(step[2]), "error": float(step[3])}
    command = [sys.executable, HERE / "barnes_hut.py", map_file, *results]
    for radius, step in json.loads(subprocess.check_output(command, text=True, env=alone)).items():
        results[radius]["scikit-learn"] = step
    return results


def on_maps(program, data, folder):
    """One step of repulsion on the finished maps of MNIST and of Debian's packages."""
    debian = folder / "Debian.npy"
    subprocess.run([program, "embed", data / "graphs" / "debian12_deps_lcc.mtx.gz", "-o", debian, "-q"], check=True)
    return {name: repulsion(program, folder / f"{name}.npy") for name in ("MNIST", "Debian")}


def by_size(program, folder, written):
    """Times every method at every size, dosnes first; `written` is called after each size with all results so far."""
    results = {method: {} for method in SIZES}
    peers = [method for method in SIZES if method != "dosnes"]
    for methods in (["dosnes"], peers):
        for n in sorted({n for method in methods for n in SIZES[method]}):
            points = folder / "mixture.npy"
            np.save(points, mixture(n)[0])
            for method in methods:
                if n in SIZES[method]:
                    results[method][n] = run(method, program, points, folder)[1]
            written(results)


def exponent(results):
    """The power of n with which processor time grows from 20,000 points on."""
    sizes = [n for n in results if n >= 20_000]
    return float(np.polyfit(np.log(sizes), np.log([results[n]["cpu"] for n in sizes]), 1)[0])


def plot(results, file):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "dosnes"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for method, sizes in results.items():
        strong = method == "dosnes"
        axes.plot(
            list(sizes),
            [result["cpu"] for result in sizes.values()],
            marker="o",
            markersize=4,
            linewidth=2.4 if strong else 1.2,
            color="#D55E00" if strong else None,
            zorder=3 if strong else 2,
            label=NAMES[method],
        )
    axes.set(xscale="log", yscale="log", xlabel="points", ylabel="processor seconds, all of the run")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(file, metadata={"Date": None})


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def steps_table(maps):
    """The table of single steps: milliseconds of the harmonic sums, the times of other methods relative to that, and errors."""
    lines = [
        "| map | radius | harmonics, ms | error | Barnes-Hut of scikit-learn | error | our own tree | error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, radii in maps.items():
        for radius, steps in radii.items():
            own = steps["harmonic"]
            cells = [f"{own['ms']:.0f}", f"{own['error']:.0e}"]
            for other in (steps["scikit-learn"], steps["tree"]):
                cells += [f"{other['ms'] / own['ms']:.1f} times as long", f"{other['error']:.0e}"]
            lines.append(f"| {name} | {radius} | " + " | ".join(cells) + " |")
    return lines


def write(mnist, maps, machine, sizes, program, out):
    own = mnist["dosnes"]
    lines = [
        "# Benchmarks",
        "Do not edit: `cargo xtask benchmark` writes this file (the last section: `cargo xtask study`). All numbers are from one run on one machine. Compare ratios, not",
        "seconds: another machine, or other programs running at the same time, change every number.",
        "",
        f"Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}. Two threads for every method. Versions: "
        + ", ".join([subprocess.check_output([program, "--version"], text=True).strip()]
                    + [f"{name} {version(name)}" for name in ("openTSNE", "umap-learn", "pacmap", "scikit-learn", "numpy")])
        + ".",
        "",
        "## MNIST, 70,000 × 784",
        "dosnes reads the images and computes the principal components itself. The other methods start from 50 components, which",
        "were computed before the measurement. Recall: share of the 15 nearest neighbours in the 50 components that are among",
        f"the 15 nearest on the map ({QUERIES:,} points). Accuracy: majority vote of the 15 nearest neighbours on the map. Each",
        "method has its own KL, for its own P.",
        "",
        "| method | processor s | times dosnes | wall s | peak memory | KL | recall | accuracy |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for method, r in mnist.items():
        kl = f"{r['kl']:.3f}" if "kl" in r else ""
        lines.append(
            f"| {NAMES[method]} | {r['cpu']:.0f} | {r['cpu'] / own['cpu']:.1f} | {r['wall']:.0f} | {r['memory'] / 1e9:.2f} GB"
            f" | {kl} | {r['recall']:.3f} | {r['accuracy']:.3f} |"
        )
    lines += [
        "",
        "## One step of repulsion",
        "One step on the finished maps of MNIST (70,000 points) and of the dependencies of Debian 12 (56,884 packages), scaled",
        "to four radii, on one core. Both trees use θ = 0.5. The error is the relative L2 error of the tangential forces,",
        "compared with exact sums.",
        "",
        *steps_table(maps),
        "",
        "## The gap to the machine",
        "`cargo run --release -p dosnes-benchmarks --bin machine`:",
        "",
        "```text",
        *machine.splitlines(),
        "```",
        "",
        "A matrix product reads its factors from memory. Legendre sums compute them by a recurrence, in which each term depends",
        "on the term before. Their loops have a few hundred terms at most, so the start and the end of a loop cost as much as",
        "many terms; at high degrees this matters less. Attraction is not limited by memory bandwidth: each pair of 8 bytes",
        "needs a gather of the position of the other point, a division and a logarithm, and these take most of the time.",
        "",
        "## From a thousand points to a million",
        "The points come from `benchmarks/mixture.py`: 50 dimensions, structure at three scales, groups of very different sizes.",
        "Processor seconds:",
        "",
        "![Processor seconds against the number of points](benchmarks.svg)",
        "",
    ]
    columns = sorted({n for results in sizes.values() for n in results})
    sizes = {method: results for method, results in sizes.items() if results}
    lines.append("| method | " + " | ".join(f"{n:,}" for n in columns) + " |")
    lines.append("|---" * (len(columns) + 1) + "|")
    for method, results in sizes.items():
        cells = [f"{results[n]['cpu']:.1f}" if n in results else "" for n in columns]
        lines.append(f"| {NAMES[method]} | " + " | ".join(cells) + " |")
    if 1_000_000 in sizes.get("dosnes", {}):
        largest = sizes["dosnes"][1_000_000]
        lines += [
            "",
            f"From 20,000 points on, the processor time of dosnes grows as n^{exponent(sizes['dosnes']):.2f}. A million points"
            f" took {largest['wall'] / 60:.1f} minutes of wall time and {largest['memory'] / 1e9:.1f} GB of memory.",
        ]
    lines.append("")
    page = out / "benchmarks.md"
    # The table of graph layouts is made by `cargo xtask study`, and stays as it is.
    _, heading, layouts = page.read_text().partition(LAYOUTS)
    page.write_text("\n".join(lines) + "\n" + heading + layouts)
    plot(sizes, out / "benchmarks.svg")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, data, out = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        out.mkdir(exist_ok=True)
        machine = subprocess.check_output([program.parent / "machine"], text=True)
        mnist = on_mnist(program, data, folder)
        maps = on_maps(program, data, folder)
        # Written again after every size, so that an interrupted run keeps its measurements.
        by_size(program, folder, lambda sizes: write(mnist, maps, machine, sizes, program, out))


if __name__ == "__main__":
    main()
