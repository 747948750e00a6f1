"""Ctrl-C stops a run within a second."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import sys, time
# Without tqdm, each stage is a line.
sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
import numpy as np
from dosnes import DOSNES, TSNE
import sklearn.utils.validation
x = np.random.default_rng(0).normal(size=(N, 50)).astype(np.float32)
try:
    ESTIMATOR.fit(x)
except KeyboardInterrupt:
    print("interrupted", time.process_time(), flush=True)
"""


def seconds_of(process):
    """The processor time that a process has used: unlike the time on the wall, it does not depend on other processes."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """The processor time that all processes of the machine have used: all columns but idle and waiting for disks."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="the processor time of a process is read as on Linux")
@pytest.mark.parametrize(
    ("estimator", "n", "stage"),
    [
        ("DOSNES(verbose=1)", 30_000, "neighbours"),
        ("DOSNES(verbose=1)", 30_000, "similarities"),
        ("DOSNES(verbose=1)", 30_000, "normalising"),
        ("DOSNES(verbose=1)", 30_000, "embedding"),
        ("TSNE(3, verbose=1)", 20_000, "embedding"),
        ("DOSNES(method='exact', verbose=1)", 8_000, "embedding"),
    ],
)
def test_ctrl_c_stops_within_a_second(estimator, n, stage):
    script = SCRIPT.replace("N,", f"{n},").replace("ESTIMATOR", estimator)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", script], **pipes) as process:
        assert any(line == f"[dosnes] {stage}\n" for line in process.stderr), "the stage was not reached"
        pressed, busy, started = seconds_of(process), busy_seconds(), time.monotonic()
        process.send_signal(signal.SIGINT)
        word, stopped = process.stdout.readline().split()
        waited, busy = time.monotonic() - started, busy_seconds() - busy
        assert word == "interrupted" and process.wait() == 0
    used = float(stopped) - pressed
    # The time in which other processes had the cores is not counted; on an idle machine there is none.
    of_others = max(busy - used, 0) / os.cpu_count()
    assert waited - of_others < 1, (
        f"{waited:.2f} s on the wall, {of_others:.2f} s of them for others, {used:.2f} s used"
    )
    # All cores for one second.
    assert used < os.cpu_count()
