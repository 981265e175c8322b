"""The examples run, headless, and draw their figures."""

import os
import subprocess
import sys

import pytest

STORIES = {
    "why_half_became_two_thirds": {"damping.png", "loops.png", "delivered.png"},
    "identify_a_ball": {"record.png", "fit.png", "predictions.png"},
    "scipy_bouncing": set(),
}
OPTIONAL = {"jax_callback": "jax", "exudyn_user_force": "exudyn"}


def run(repository, name, folder):
    script = repository / "examples/python" / f"{name}.py"
    told = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", script, folder],
        capture_output=True,
        text=True,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


@pytest.mark.parametrize("name", STORIES)
def test_stories_run_and_draw(repository, tmp_path, name):
    assert run(repository, name, tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == STORIES[name]
    assert all(path.stat().st_size > 10_000 for path in tmp_path.iterdir())


@pytest.mark.parametrize("name, needs", OPTIONAL.items())
def test_couplings_run_where_the_other_program_is_installed(repository, tmp_path, name, needs):
    pytest.importorskip(needs)
    assert run(repository, name, tmp_path)
