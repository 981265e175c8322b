"""Identification, drop tests, advice and exports: functions that return a report with the keys of `--json` of the command."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np

from . import _carom, reports
from ._bodies import Body, Pair, bodies_of
from ._carom import Error
from ._choices import Engine, Exit, Integrator, Purpose
from ._law import Law
from ._tables import Table, table
from ._types import HasUnits, Quantity, Scalar
from ._units import Labels
from ._values import text
from .reports import Advice, Identification, SpeedFit


@overload
def identify(
    *,
    mass: Quantity,
    speed: Quantity,
    restitution: Quantity | None = ...,
    duration: Quantity | None = ...,
    force: Quantity | None = ...,
    indentation: Quantity | None = ...,
    mass_error: Quantity | None = ...,
    speed_error: Quantity | None = ...,
    restitution_error: Quantity | None = ...,
    duration_error: Quantity | None = ...,
    force_error: Quantity | None = ...,
    indentation_error: Quantity | None = ...,
    exponent: Quantity | None = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity | None = ...,
    exit: Exit | None = ...,
    published: bool = ...,
) -> Identification: ...


@overload
def identify(
    *,
    speeds: Quantity,
    restitutions: Quantity,
    mass: Quantity | None = ...,
    stiffness: Quantity | None = ...,
    exponent: Quantity | None = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity | None = ...,
    exit: Exit | None = ...,
) -> SpeedFit: ...


def identify(
    *,
    mass: Quantity | None = None,
    speed: Quantity | None = None,
    restitution: Quantity | None = None,
    duration: Quantity | None = None,
    force: Quantity | None = None,
    indentation: Quantity | None = None,
    mass_error: Quantity | None = None,
    speed_error: Quantity | None = None,
    restitution_error: Quantity | None = None,
    duration_error: Quantity | None = None,
    force_error: Quantity | None = None,
    indentation_error: Quantity | None = None,
    exponent: Quantity | None = None,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity | None = None,
    exit: Exit | None = None,
    published: bool = False,
    speeds: Quantity | None = None,
    restitutions: Quantity | None = None,
    stiffness: Quantity | None = None,
) -> Identification | SpeedFit:
    """Computes stiffness and damping from measured results exactly, with sensitivities and all other solutions.

    mass, speed
        effective mass and approach speed
    restitution, duration, force, indentation
        two of them, as measured; `restitution_error` and so on are their uncertainties
    exponent, damping_exponent, rate_exponent, exit
        of the law: 3/2, n, 1 and `force` unless given
    published
        True for the fits of Ramaswamy & Humbert instead of the exact relations
    speeds, restitutions
        several, instead of one speed and two results, to find which exponents fit; with `mass` and `stiffness` also the
        damping coefficients

    >>> found = carom.identify(mass=0.54, speed=0.5, restitution=0.7568, duration="207 us")
    >>> round(found.pair.stiffness / 1e10, 3)
    2.512
    """
    measured = {name: value for name, value in locals().items() if value is not None and value is not False}
    for name, value in measured.items():
        if name not in ("speeds", "restitutions") and np.ndim(value) > 0:
            raise Error(
                f"{name} of shape {np.shape(value)} is not allowed: {name} must be one number; identify one impact "
                "after the other, or give speeds and restitutions"
            )
    labels = Labels()
    for name in ("speeds", "restitutions"):
        labels.add(name, measured.get(name))
    if speeds is not None or restitutions is not None:
        return SpeedFit(json.loads(_carom.speeds(text(measured))))
    return Identification(json.loads(_carom.identify(text(measured))))


class DropTest(reports.CommandsDropEvaluated):
    """Results of a drop test: the keys of `carom drop --json`, such as `impacts`, `dependence`, `law` and `notes`.

    >>> found = carom.drop(drop="50mm", bounce="32mm", mass="67.4g", contact_time="110us", engine="mujoco", steps=20)
    >>> round(found.law.restitution, 3), round(found.engine_input.bounces[0].height_delivered, 4)
    (0.8, 0.032)
    """

    @property
    def export(self) -> Export:
        """Input for the requested simulator."""
        if "engine_input" not in self._data:
            raise Error("engine is missing: name the simulator that the law is written for, engine=\"mujoco\"")
        return Export(self._data["engine_input"]["export"])

    def to_table(self) -> Table:
        """Returns one row per impact: speed, restitution, their standard errors."""
        return table(self._data["impacts"])


def drop(
    file: str | os.PathLike[str] | None = None,
    *,
    drop: Quantity | Sequence[Quantity] | None = None,
    bounce: Quantity | Sequence[Quantity] | None = None,
    successive: bool | None = None,
    times: Quantity | Sequence[Quantity] | None = None,
    instants: Quantity | Sequence[Quantity] | None = None,
    height_error: Quantity | None = None,
    time_error: Quantity | None = None,
    mass: Quantity | None = None,
    mass_error: Quantity | None = None,
    diameter: Quantity | None = None,
    contact_time: Quantity | None = None,
    contact_time_error: Quantity | None = None,
    temperature: Quantity | None = None,
    gravity: Quantity | None = None,
    wander: Quantity | None = None,
    exponent: Quantity | None = None,
    start: Quantity | None = None,
    stop: Quantity | None = None,
    columns: Sequence[str] = (),
    skip: int = 0,
    engine: Engine | None = None,
    steps: Scalar | None = None,
    step: Scalar | HasUnits | None = None,
) -> DropTest:
    """Computes restitution over speed from a drop test, with standard errors, and a law with that restitution.

    file
        a recording (WAV) of a bouncing ball, or a table (CSV): heights of drop and bounce, times between bounces, instants,
        or a track
    drop, bounce
        heights, as a list or a text such as `"0.3,0.6,1.2m"`; `successive=True` if the bounces follow a single drop
    times, instants
        times between bounces, or instants on a clock
    height_error, time_error
        standard errors
    mass, diameter, contact_time, temperature, gravity, wander
        of the ball, the contact and the air, to correct for drag and the duration of contact; `mass_error` and
        `contact_time_error` are standard errors
    exponent
        n of the law, 3/2 unless given
    start, stop
        times before and after which the record is left out
    columns, skip
        for a table without a header: the names of its columns with units, `["time [ms]", "height [cm]", "-"]`, and the
        number of lines to leave out before it
    engine, steps, step
        write the law as input for another simulator (`carom.engines()` lists them), for this number of steps in one
        contact, or for this time step; the result contains it as `engine_input`, with the heights of the bounces there

    >>> found = carom.drop(drop="0.3,0.6,1.2m", bounce="0.21,0.40,0.76m", height_error="5mm")
    >>> round(found.impacts[0].restitution, 3)
    0.837
    """
    given = {
        "drop": drop, "bounce": bounce, "successive": successive, "times": times, "instants": instants,
        "height_error": height_error, "time_error": time_error, "mass": mass, "mass_error": mass_error,
        "diameter": diameter, "contact_time": contact_time, "contact_time_error": contact_time_error,
        "temperature": temperature, "gravity": gravity, "wander": wander, "exponent": exponent, "from": start, "to": stop,
    }
    measured = {name: value for name, value in given.items() if value is not None}
    record = None
    if file is not None:
        try:
            with open(file, "rb") as source:
                record = source.read()
        except OSError as why:
            raise Error(f"cannot read `{os.fspath(file)}`: {why.strerror}; name a recording (WAV) or a table (CSV)") from None
    if engine is None and (steps is not None or step is not None):
        raise Error("steps and step are of the input for a simulator: name it as well, engine=\"mujoco\"")
    engine_request = None if engine is None else (engine, text({"steps": steps, "step": step}))
    return DropTest(json.loads(_carom.drop_test(text(measured), record, list(columns), skip, engine_request)))


def advise(
    *,
    mass: Quantity | None = None,
    stiffness: Quantity | None = None,
    exponent: Quantity | None = None,
    pair: Pair | None = None,
    bodies: Sequence[Body | Mapping[str, Any] | str] | None = None,
    speed: Quantity | None = None,
    speed_max: Quantity | None = None,
    restitution: Quantity | None = None,
    speeds: Quantity | None = None,
    restitutions: Quantity | None = None,
    purpose: Purpose | None = None,
    exit: Exit | None = None,
    integrator: Integrator | None = None,
    tolerance: Quantity | None = None,
    step: Quantity | None = None,
    set: Mapping[str, Quantity] | None = None,
) -> Advice:
    """Recommends laws, parameters and a time step for a problem: every law of the catalogue is tried and judged.

    mass, stiffness, exponent, or pair, or bodies
        the colliding bodies
    speed, speed_max, or a text such as `"0.1..5 m/s"`
        range of approach speeds
    restitution, or speeds and restitutions
        requested restitution
    purpose, exit, integrator, tolerance, step
        purpose of the simulation, and how it is integrated
    set
        parameters of laws and facts of the pair, by name

    >>> advice = carom.advise(mass=0.54, stiffness=2.4144e10, speed="0.1..1 m/s", restitution=0.7568, purpose="granular")
    >>> advice.recommended[0].damping.damping_exponent
    0.25
    """
    arguments = {**locals(), "set": set or {}, "bodies": list(bodies_of(pair, bodies))}
    del arguments["pair"]
    return Advice(json.loads(_carom.advise(text(arguments))))


class Export(reports.Export):
    """Input for another program: `text`, `files`, what was `lost`, and the results that the program will deliver.

    >>> law = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=0.7568, calibration="exact")
    >>> [file.name for file in carom.export(law, "lammps", speed=0.5).files]
    ['in.impact.lmp']
    """

    def write(self, folder: str | os.PathLike[str] = ".") -> list[str]:
        """Writes all files into a folder, which is created if necessary, and returns their paths."""
        os.makedirs(folder, exist_ok=True)
        paths = []
        for file in self._data["files"]:
            path = os.path.join(folder, file["name"])
            with open(path, "w", encoding="utf-8") as out:
                out.write(file["text"])
            paths.append(path)
        return paths


def export(
    law: Law[float],
    engine: Engine,
    *,
    speed: Scalar | HasUnits,
    external_force: Scalar | HasUnits | None = None,
    steps: Scalar | None = None,
    step: Scalar | HasUnits | None = None,
    friction: Scalar | None = None,
    rolling_friction: Scalar | None = None,
    strict: bool = False,
) -> Export:
    """Returns an impact as input for another simulator, and the results that this simulator will deliver.

    `carom.engines()` lists the simulators. `speed` may be a range, `"1..4 m/s"`; the delivered restitution is then listed over
    it. `steps` is the number of steps in one contact, or `step` the time step, for which the damping is then chosen. `friction`
    and `rolling_friction` (couple over normal force and effective radius) are written if the engine supports them. `strict`
    refuses a law that the engine cannot express without loss.

    >>> law = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=0.7568, calibration="exact")
    >>> round(carom.export(law, "lammps", speed=0.5).delivers.restitution, 9)
    0.7568
    """
    if not isinstance(law, Law):
        raise Error(f"law = {law!r} is not allowed: law must be made by carom.model(…).law(…)")
    if law.shape:
        raise Error(f"an export of {law.shape} laws is not supported: make a law of single numbers for it")
    spec = {**law.spec.to_dict(), "speed": speed, "external_force": external_force}
    options = {"steps": steps, "step": step, "friction": friction, "rolling_friction": rolling_friction, "strict": strict}
    return Export(json.loads(_carom.export(text(spec), engine, text(options))))


def engines() -> Table:
    """Returns the programs for which carom writes input.

    >>> "lammps" in carom.engines()["id"]
    True
    """
    rows = json.loads(_carom.engines())
    return table([{name: row[name] for name in ("id", "title", "aliases", "version")} for row in rows])
