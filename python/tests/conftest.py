"""What several tests need: the program, data, and real data that may not be bundled."""

import os
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))


@cache
def executed(name):
    """A notebook of the documentation with its results."""
    import executing

    return executing.execute(name)


@pytest.fixture(scope="session")
def program() -> Path:
    """The command `dosnes` that was built with the extension."""
    path = Path(os.environ.get("DOSNES_PROGRAM", ROOT / "target/checked/dosnes"))
    assert path.is_file(), f"{path} is missing; `cargo xtask python` builds it, or DOSNES_PROGRAM names another one"
    return path


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data that may not be bundled, as in the Rust tests."""
    folder = Path(os.environ.get("DOSNES_SHARED_DATA", ROOT / "../shared/data"))
    if not folder.is_dir():
        missing = f"{folder} is not a folder; DOSNES_SHARED_DATA can name another one"
        assert os.environ.get("DOSNES_REQUIRE_SHARED_DATA") != "1", missing
        pytest.skip(missing)
    return folder


@pytest.fixture(scope="session")
def clusters() -> np.ndarray:
    """Three clusters of 50 points in six dimensions."""
    rng = np.random.default_rng(3)
    centres = rng.normal(scale=6, size=(3, 6))
    return np.concatenate([centre + rng.normal(size=(50, 6)) for centre in centres]).astype(np.float32)
