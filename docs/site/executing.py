"""Executes the notebooks of the documentation."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "python/notebooks"
# The order in which they are read.
NAMES = ("vectors", "graph", "single_cell", "text")


def execute(name: str) -> nbformat.NotebookNode:
    """A notebook with its results. An error in a cell is raised."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    paths = [str(ROOT / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return notebook
