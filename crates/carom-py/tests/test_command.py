"""The command in the Python package, and functions that it shares with Python: regimes of a joint, papers."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import carom


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "carom", *arguments], capture_output=True, text=True)


def test_python_m_carom_is_the_command(command):
    for arguments in (["--version"], ["models", "hertz", "--json"], ["impact", "--help"], ["impact", "--law", "flores-2"], ["nonsense"]):
        ours = run(*arguments)
        theirs = subprocess.run([command, *arguments], capture_output=True, text=True)
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr), arguments


def test_without_arguments_the_command_shows_its_help():
    shown = run()
    assert shown.returncode == 2 and "Usage: carom" in shown.stdout + shown.stderr


def test_a_reader_that_has_seen_enough_is_no_failure():
    one = subprocess.Popen([sys.executable, "-m", "carom", "models", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    one.stdout.read(10)
    one.stdout.close()
    assert one.stderr.read() == b"" and one.wait() == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_command(tmp_path, repository):
    arguments = ["regimes", str(repository / "scenes/slider-crank.toml"), "--turns", "5000"]
    ran = subprocess.Popen([sys.executable, "-m", "carom", *arguments], stdout=subprocess.PIPE)
    with pytest.raises(subprocess.TimeoutExpired):
        ran.wait(2.0)
    ran.send_signal(signal.SIGINT)
    assert ran.wait(20.0) == -signal.SIGINT


def test_regimes_are_those_of_the_command(command, repository):
    scene = repository / "scenes/slider-crank.toml"
    words = ["--turns", "1", "--skip", "0", "--laws", "ideal,tsuji-1992", "--at", "30", "--json"]
    theirs = json.loads(subprocess.run([command, "regimes", scene, *words], capture_output=True, text=True, check=True).stdout)
    heard = []
    ours = carom.regimes(
        scene, ["ideal", carom.model("tsuji")], turns=1, skip=0, at=30.0, progress=lambda done, all: heard.append((done, all))
    )
    assert ours.to_dict() == theirs
    assert heard[0] == (0.0, 2.0) and heard == sorted(heard)
    table = ours.to_table()
    assert table["law"] == ["ideal", "tsuji-1992"] and table.units["force_max"] == "N"
    np.testing.assert_allclose(table["flight"] + table["impact"] + table["contact"], 1.0)
    path = ours.path("tsuji-1992")
    assert len(path) == 3600 and np.all(np.hypot(path["offset_x"], path["offset_y"]) < 0.6e-3)


def test_mistakes_in_regimes_are_sentences(repository):
    scene = repository / "scenes/slider-crank.toml"
    with pytest.raises(carom.Error, match="turns"):
        carom.regimes(scene, turns=0)
    with pytest.raises(carom.Error, match="wrist pin"):
        carom.regimes(scene, joint="wrist pins")
    with pytest.raises(carom.Error, match="hertz"):
        carom.regimes(scene, ["hertz-1882"], turns=1)
    with pytest.raises(carom.Error, match="no.such.toml"):
        carom.regimes("no such.toml")
    with pytest.raises(ZeroDivisionError):
        carom.regimes(scene, turns=1, progress=lambda done, all: 1 / 0)


def test_papers_are_those_of_the_command(command):
    theirs = subprocess.run([command, "reproduce", "ramaswamy-humbert", "--json"], capture_output=True, text=True, check=True).stdout
    (ours,) = carom.reproduce("ramaswamy-humbert")
    assert [ours.to_dict()] == json.loads(theirs)
    assert [figure.name for figure in ours.figures][0] == "ramaswamy-humbert-fig-1"
    assert ours.figures[0]._repr_svg_().startswith("<svg")
    with pytest.raises(carom.Error, match="zhang-2022"):
        carom.reproduce("zhang-2023")
