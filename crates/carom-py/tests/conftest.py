"""Fixtures shared by all tests."""

import os
import pathlib

os.environ.setdefault("MPLBACKEND", "agg")

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def repository():
    return REPOSITORY


@pytest.fixture(scope="session")
def data():
    return REPOSITORY / "crates/carom/tests/data"


@pytest.fixture(scope="session")
def command():
    """Returns the path of the command `carom`, which `make python` builds and passes in the variable CAROM."""
    path = pathlib.Path(os.environ.get("CAROM", REPOSITORY / "target/debug/carom"))
    assert path.exists(), f"no {path}: run `make python`, which builds it, or name one with CAROM=…"
    return path


@pytest.fixture
def steel():
    """Returns the steel ball of Zhang & Sharf: mass, stiffness, exponent."""
    return {"mass": 0.54, "stiffness": 2.4144e10, "exponent": 1.5}
