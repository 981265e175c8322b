"""Type checkers know the argument and result types of carom: they accept correct code and find mistakes."""

import json
import keyword
import os
import pathlib
import re
import subprocess
import sys

import mypy.api
import pytest

import carom
from carom import reports, stubs

TYPED = pathlib.Path(__file__).parent / "typed"
WRONG = {
    number: line.split("# mistake: ")[1]
    for number, line in enumerate((TYPED / "wrong.py").read_text().splitlines(), 1)
    if "# mistake: " in line
}


def mypy_finds(repository):
    """Returns the lines with errors, by file."""
    out, err, _ = mypy.api.run(
        ["--strict", "--config-file=", "--cache-dir", str(repository / "target/mypy-typed"), "--no-error-summary", str(TYPED)]
    )
    assert not err, err
    return [(name, int(line)) for name, line in re.findall(r"(\w+)\.py:(\d+): error", out)], out


def pyright_finds(repository):
    """Returns the same for pyright, which contains its program and needs no further files."""
    pytest.importorskip("pyright")
    told = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", str(TYPED)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    if not told.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {told.stderr[-200:]}")
    found = [entry for entry in json.loads(told.stdout)["generalDiagnostics"] if entry["severity"] == "error"]
    return [(pathlib.Path(entry["file"]).stem, entry["range"]["start"]["line"] + 1) for entry in found], told.stdout


@pytest.mark.parametrize("checker", [mypy_finds, pyright_finds])
def test_every_mistake_is_found_and_nothing_else(checker, repository):
    assert len(WRONG) >= 6
    found, told = checker(repository)
    assert [line for file, line in found if file == "right"] == [], told
    assert {line for file, line in found if file == "wrong"} == set(WRONG), told


def test_right_programs_run():
    subprocess.run([sys.executable, TYPED / "right.py"], check=True)


def declared(kind):
    """Returns the fields of a report, including those of its base classes."""
    return {name for base in kind.__mro__ for name in getattr(base, "__annotations__", {})}


def shapes(value, kind, where):
    """Checks that every entry of a report is declared and has the declared type."""
    taken = {*dir(carom.Result), *keyword.kwlist}  # entries with these names are not attributes
    for name in value:
        assert name in declared(kind) or name in taken, f"{where}.{name}"
        entry = value[name]
        for one in entry if isinstance(entry, list) else [entry]:
            if isinstance(one, carom.Result) and type(one) is not carom.Result:
                shapes(one, type(one), f"{where}.{name}")


def test_reports_have_the_fields_that_their_classes_declare(steel):
    law = carom.model("hunt-crossley-1975").law(**steel, restitution=0.5)
    impact = law.collide(speed=0.5)
    course = impact.trajectory(60)
    fit = carom.fit("hertz-1881", time=course.time, force=course.force, mass=0.54, speed=0.5)
    for report in (
        impact.report,
        fit,
        carom.rank(["hertz-1881"], time=course.time, force=course.force, mass=0.54, speed=0.5),
        carom.identify(mass=0.54, speed=0.5, restitution=0.7568, duration="207 us"),
        carom.identify(speeds=[0.1, 0.5, 1.0], restitutions=[0.9, 0.8, 0.75]),
        carom.advise(mass=0.54, stiffness=2.4144e10, speed="0.1..1 m/s", restitution=0.7568),
        carom.export(carom.model("tsuji-1992").law(**steel, restitution=0.7), "lammps", speed=0.5),
        carom.material("steel"),
        carom.compare("steel-ball-0.5", ["hertz-1881"]),
        carom.pair("sphere radius=1cm material=steel", "plane material=steel"),
        carom.exact.outcome(0.1),
        carom.simulate("[simulation]\nduration = '0.1 s'\n[[body]]\nname = 'a'\nshape = 'sphere'\nradius = '1 cm'\nmass = '1 kg'\n").summary,
    ):
        shapes(report, type(report), type(report).__name__)
    assert isinstance(impact.report.restitution, reports.RestitutionReport)


def test_what_is_generated_is_up_to_date(command):
    fields = subprocess.run([command, "reference", "fields"], capture_output=True, text=True, check=True).stdout
    for path, text in stubs.files(fields).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run `make bless` and read the diff"


def test_attributes_of_impacts_are_the_outputs():
    assert set(carom._impact.UNITS) <= set(dir(carom.Impact))
