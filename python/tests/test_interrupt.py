"""Ctrl-C stops a run within a second."""

import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys, time
import numpy as np
from dosnes import DOSNES, TSNE
import sklearn.utils.validation
x = np.random.default_rng(0).normal(size=(N, 50)).astype(np.float32)
print("ready", flush=True)
try:
    ESTIMATOR.fit(x)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    ("estimator", "n", "after"),
    [
        ("DOSNES()", 30_000, 0.5),
        ("DOSNES()", 30_000, 4.0),
        ("TSNE(3)", 20_000, 4.0),
        ("DOSNES(method='exact')", 8_000, 4.0),
    ],
)
def test_ctrl_c_stops_within_a_second(estimator, n, after):
    script = SCRIPT.replace("N,", f"{n},").replace("ESTIMATOR", estimator)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        # The moment of the key press: early in the search for neighbours, or later.
        time.sleep(after)
        assert process.poll() is None, "the run ended before it could be interrupted"
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - pressed < 1.0
        assert process.wait() == 0
