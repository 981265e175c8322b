"""Comparison of laws in joints with clearance, as by `carom regimes`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _carom
from ._choices import Calibration
from ._law import Model
from ._progress import Progress, progress_callback
from ._simulate import Scene, SceneValue, changes, read_scene
from ._tables import Table, table
from ._values import as_list, text
from .reports import RegimeStudy

_COLUMNS = {
    "time": "s",
    "offset": "m",
    "rate": "m/s",
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s^2",
}


class Regimes(RegimeStudy):
    """A joint with clearance under several laws: fractions of free flight, impact and lasting contact, Poincaré section, path."""

    def to_table(self) -> Table:
        """Returns one row per law: fractions of the time, contacts per turn, largest force (N), speed (m/s) and acceleration
        (m/s²).
        """
        rows = [
            {
                "law": law["law"],
                **law["regimes"],
                "acceleration_max": law["acceleration_max"],
                "repeats": law["repeats"],
            }
            for law in self._data["laws"]
        ]
        return table(rows, {"force_max": "N", "speed_max": "m/s", "acceleration_max": "m/s^2"})

    def section(self, law: str) -> Table:
        """Returns the Poincaré section of a law, with one row per turn."""
        return self._instants(law, "section")

    def path(self, law: str) -> Table:
        """Returns the last turn of a law, sample by sample."""
        return self._instants(law, "path")

    def _instants(self, law: str, what: str) -> Table:
        laws = {one["law"]: one for one in self._data["laws"]}
        if law not in laws:
            raise _carom.Error(f"law = {law!r} is not allowed: it must be one of {', '.join(laws)}")
        columns: dict[str, Any] = {}
        units: dict[str, str] = {}
        for name, unit in _COLUMNS.items():
            values = np.array([_numbers(instant[name]) for instant in laws[law][what]], dtype=np.float64)
            if values.ndim == 1:
                columns[name], units[name] = values, unit
                continue
            for axis, column in zip("xyz", values.T):
                columns[f"{name}_{axis}"], units[f"{name}_{axis}"] = np.ascontiguousarray(column), unit
        return Table(columns, units)


def _numbers(value: Any) -> Any:
    return [value["x"], value["y"], value["z"]] if isinstance(value, dict) else value


def regimes(
    scene: Scene,
    laws: Sequence[str | Model] | str = (),
    *,
    joint: str | None = None,
    calibration: Calibration | None = None,
    turns: int = 20,
    skip: int = 5,
    at: float = 0.0,
    body: str | None = None,
    set: Mapping[str, SceneValue] | None = None,
    progress: Progress = None,
) -> Regimes:
    """Compares laws in a joint with clearance over many turns of a driven mechanism, as `carom regimes` does.

    scene
        TOML as text, or the path of a file; files that it names are searched beside it
    laws
        laws for the joint, `"ideal"` for an ideal joint without a contact law; the scene's own law unless given
    joint
        the joint, by the name of its `[[clearance]]` or `[[contact]]`; the first unless given
    turns, skip
        number of turns to evaluate, and number of turns to leave out before them
    at
        angle of the drive at which the section is taken, in degrees
    body
        body whose acceleration is recorded; the first of the joint unless given
    set
        keys of the scene to change, as in `carom.simulate`
    progress
        True for a bar, or a function that is called with the numbers of turns done and of all turns

    >>> scene = '''
    ... [simulation]
    ... duration = "1 s"
    ... planar = true
    ... [[body]]
    ... name = "crank"
    ... mass = "1 kg"
    ... inertia = [1e-4, 1e-4, 1e-4]
    ... spin = [0, 0, "10 rad/s"]
    ... [[body]]
    ... name = "bob"
    ... mass = "1 kg"
    ... inertia = [1e-4, 1e-4, 1e-4]
    ... position = ["0.05 m", "0 m"]
    ... velocity = ["0 m/s", "0.5 m/s"]
    ... [[joint]]
    ... kind = "revolute"
    ... between = ["crank", "ground"]
    ... point = [0, 0]
    ... angle = { rate = "10 rad/s" }
    ... [[clearance]]
    ... name = "pin"
    ... kind = "revolute"
    ... between = ["bob", "crank"]
    ... point = ["0.05 m", "0 m"]
    ... radius = "10 mm"
    ... clearance = "0.5 mm"
    ... law = "tsuji-1992"
    ... stiffness = "1e9 N/m^1.5"
    ... restitution = 0.5
    ... '''
    >>> found = carom.regimes(scene, turns=1, skip=0)
    >>> found.joint, found.to_table()["law"], len(found.section("tsuji-1992"))
    ('pin', ['tsuji-1992'], 1)
    """
    content, folder = read_scene(scene)
    request = {
        "joint": joint,
        "laws": [law if isinstance(law, str) else law._given or law.id for law in as_list(laws)],
        "calibration": calibration,
        "turns": turns,
        "skip": skip,
        "at": at,
        "body": body,
    }
    with progress_callback(progress, "regimes") as tell:
        return Regimes(json.loads(_carom.regimes(content, changes(set), folder, text(request), tell)))
