"""What the Python layer costs: the same 70,000 points by the command and by the package, which give the same bytes.

`python_layer.py DOSNES [POINTS] [ROUNDS]`: the program, built in the same way as the extension. Times are processor times, and of
several rounds the smallest: other work on the machine hardly changes them. The calling thread of Python only prepares the data, listens
to Ctrl-C and takes the result, so its own processor time is the overhead; the difference to the command has the noise of two
long runs in it.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

DIMENSIONS = 50
THREADS = 2

FIT = """
import json, sys, time
import numpy as np
import sklearn.utils.validation
from dosnes import DOSNES
points = np.load("points.npy")
estimator = DOSNES(keep_model=False, n_jobs=int(sys.argv[1]))
own, whole = time.thread_time(), time.process_time()
estimator.fit(points)
own, whole = time.thread_time() - own, time.process_time() - whole
np.save("package.npy", estimator.embedding_)
print(json.dumps({"own": own, "whole": whole}))
"""


def seconds(command, folder):
    """The processor time of a command, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run(
        command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


def main(program, count=70_000, rounds=2):
    rng = np.random.default_rng(0)
    centres = 4 * rng.normal(size=(20, DIMENSIONS))
    points = (
        centres[rng.integers(0, 20, count)] + rng.normal(size=(count, DIMENSIONS))
    ).astype(np.float32)
    of_command, of_package = [], []
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "points.npy", points)
        options = [
            "--as",
            "points",
            "-q",
            "--threads",
            str(THREADS),
            "-o",
            "command.npy",
        ]
        for _ in range(rounds):
            of_command.append(
                seconds([program, "embed", "points.npy", *options], folder)[0]
            )
            _, printed = seconds([sys.executable, "-c", FIT, str(THREADS)], folder)
            of_package.append(json.loads(printed))
            files = [
                (Path(folder) / f"{name}.npy").read_bytes()
                for name in ("command", "package")
            ]
            assert files[0] == files[1], "the maps differ"
    own, whole = (min(run[name] for run in of_package) for name in ("own", "whole"))
    command = min(of_command)
    print(
        f"{count:,} points, {DIMENSIONS} columns, the smallest of {rounds} rounds, processor seconds"
    )
    print(f"  command, file to file     {command:8.2f}")
    print(
        f"  DOSNES.fit                {whole:8.2f}   {100 * (whole / command - 1):+.2f} %"
    )
    print(f"  of it the calling thread  {own:8.2f}   {100 * own / whole:.2f} %")


if __name__ == "__main__":
    os.environ.setdefault(
        "PYTHONPATH", str(Path(__file__).resolve().parents[1] / "python")
    )
    main(str(Path(sys.argv[1]).resolve()), *map(int, sys.argv[2:4]))
