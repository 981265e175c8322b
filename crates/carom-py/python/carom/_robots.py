"""Checks of robot files of other simulators."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _carom
from ._carom import Error
from ._tables import Table
from ._types import Quantity
from ._values import text
from .reports import Fix, RobotFileReport

_UNITS = {"speed": "m/s", "duration": "s", "penetration": "m", "force_max": "N", "mass": "kg", "step": "s"}
_COLUMNS = ("speed", "restitution", "duration", "penetration", "force_max", "mass")


class Check(Table):
    """Results of the contacts of a robot file: a row for every pair and speed.

    `findings` is a table of remarks with the lines of the file; `report` contains everything, including the parameters that the
    engine combines. If `restitution=` is given, `fix` describes what was changed, and what the new file delivers.
    """

    findings: Table
    report: RobotFileReport
    fix: Fix | None

    def __init__(self, report: dict[str, Any], fix: dict[str, Any] | None):
        pairs = report["pairs"]
        names = list(zip(*(pair["geometries"] for pair in pairs))) or [(), ()]
        columns: dict[str, Any] = {"geometry_1": list(names[0]), "geometry_2": list(names[1])}
        for name in _COLUMNS:
            values = [pair[name] for pair in pairs]
            columns[name] = np.array([np.nan if value is None else value for value in values], dtype=float)
        super().__init__(columns, {name: _UNITS[name] for name in _COLUMNS if name in _UNITS})
        keys = ("kind", "line", "message", "advice")
        found = report["findings"]
        self.findings = Table({key: [one.get(key) for one in found] for key in keys})
        self.report = RobotFileReport(report)
        self.fix = None if fix is None else Fix(fix)
        self._parts = (report, fix)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Check, self._parts)


def check(
    path: str | os.PathLike[str],
    *,
    speed: Quantity = 1.0,
    pair: Sequence[str] | Sequence[Sequence[str]] | None = None,
    mass: Quantity | None = None,
    engine: str | None = None,
    step: Quantity | None = None,
    root: str | os.PathLike[str] | None = None,
    restitution: Quantity | None = None,
    fix: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
) -> Check:
    """Computes what the contacts of a robot file (MJCF, SDF, URDF) deliver with the contact, integrator and step of its engine.

    speed
        approach speeds
    pair
        two names of geometries, or a list of such pairs; all that can touch unless given
    mass, engine, step
        effective mass, engine and time step, instead of those of the file
    root
        folder from which files may be included; that of the file unless given
    restitution, fix
        searches the parameters that deliver a restitution, and writes the file with them; nothing else in it changes.
        Included files whose parameters change are written beside it
    overwrite
        replaces existing files

    >>> robot = '''<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    ...   <body><freejoint/><geom name="ball" size="0.05" mass="1"/></body></worldbody></mujoco>'''
    >>> with open("ball.xml", "w") as file:                                         # doctest: +SKIP
    ...     file.write(robot)
    >>> carom.check("ball.xml", speed=[0.5, 1, 2]).restitution                      # doctest: +SKIP
    >>> carom.check("ball.xml", restitution=0.7, fix="bouncing.xml").fix.delivered  # doctest: +SKIP
    """
    if fix is not None and restitution is None:
        raise Error("restitution is missing: say which one the fixed file should deliver")
    pairs: list[Any] = [] if pair is None else [pair] if len(pair) == 2 and isinstance(pair[0], str) else list(pair)
    given_speed: Any = speed
    speeds = [given_speed] if np.ndim(given_speed) == 0 else list(given_speed)
    spec = {
        "speed": speeds,
        "pair": [f"{first},{second}" for first, second in pairs],
        "mass": mass,
        "engine": engine,
        "step": step,
        "restitution": restitution,
    }
    report, fixed = _carom.check_robot(os.fspath(path), None if root is None else os.fspath(root), text(spec))
    if fixed is None:
        return Check(json.loads(report), None)
    found, content, included = fixed
    if fix is not None:
        written = {Path(fix).parent / name: text for name, text in included} | {Path(fix): content}
        there = next((file for file in written if file.exists()), None)
        if there is not None and not overwrite:
            raise Error(f"`{there}` exists: name a file in another folder, or replace what is there with overwrite=True")
        for file, content in written.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8", newline="")
    return Check(json.loads(report), json.loads(found))
