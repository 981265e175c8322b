"""The examples run without a display and draw their figures."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import carom

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


STUDY = """
[impact]
law = "flores-2011"
mass = 0.54
stiffness = 2.4144e10
restitution = 0.7
[sampling]
count = 64
[[axis]]
parameter = "speed"
distribution = "uniform"
from = 0.1
to = 0.5
"""


@pytest.mark.parametrize("document", ["docs/how-to/python.md", "README.md", "crates/carom-py/README.md"])
def test_code_in_the_documents_runs(repository, tmp_path, monkeypatch, document):
    """Runs the blocks of a document one after the other, with the variables that the document assumes."""
    blocks = re.findall(r"```python\n(.*?)```", (repository / document).read_text(encoding="utf-8"), re.S)
    assert blocks
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    shutil.copytree(repository / "scenes", tmp_path / "scenes")
    course = carom.model("hunt-crossley-1975").law(mass=0.54, stiffness=2.4e10, damping=2e10).collide(0.5).trajectory(200)
    noise = np.random.default_rng(5).normal(0.0, 5.0, 200)
    names = {"t": course["time"], "f": course["force"] + noise, "client": None}
    names.update(delta=1e-5, rate=0.1, speed=0.5)
    for block in blocks:
        exec(compile(block, document, "exec"), names)
