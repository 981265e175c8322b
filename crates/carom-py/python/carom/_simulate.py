"""Scenes of bodies that touch, or of many grains, as `carom simulate` runs them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _carom
from ._carom import Error
from ._choices import Format
from ._progress import Progress, progress_callback
from ._tables import Table, import_optional
from ._values import mapping, threads as cores
from .reports import BedSummary, Summary

if TYPE_CHECKING:
    import xarray

Scene = str | os.PathLike[str]

#: Value of a key of a scene: a text as in the scene ("2 s", "[0, 0, 1]"), or a number, a flag, a list or a table.
SceneValue = str | float | Sequence[Any] | Mapping[str, Any]

_MOTION = {
    "position": ("x_m", "y_m", "z_m"),
    "rotation": ("qw", "qx", "qy", "qz"),
    "velocity": ("vx_m_per_s", "vy_m_per_s", "vz_m_per_s"),
    "angular_velocity": ("wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"),
}


class Simulation(Mapping[str, Table]):
    """Results of a scene: `summary`, and its tables by name.

    A scene of bodies has the tables trajectory, accelerations, joints, sensors, contacts, energies, events and ledger, and
    trajectory_between and energies_between while bodies touch; a bed of grains has grains, contacts and energies.
    docs/reference/tables.md lists their columns.

    >>> ran = carom.simulate('''
    ... [simulation]
    ... duration = "1 s"
    ... gravity = "10 m/s^2"
    ... [[body]]
    ... name = "stone"
    ... shape = "sphere"
    ... radius = "1 cm"
    ... mass = "1 kg"
    ... ''')
    >>> round(float(ran.energies["kinetic_J"][-1]), 6), len(ran.contacts)
    (50.0, 0)
    """

    trajectory: Table
    trajectory_between: Table
    accelerations: Table
    joints: Table
    sensors: Table
    contacts: Table
    energies: Table
    energies_between: Table
    events: Table
    ledger: Table
    grains: Table

    def __init__(self, summary: Summary | BedSummary, tables: dict[str, Table]):
        self.summary = summary
        self._tables = tables

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    if not TYPE_CHECKING:  # otherwise a type checker would accept any name

        def __getattr__(self, name: str) -> Table:
            tables = self.__dict__.get("_tables", {})
            if name not in tables:
                raise AttributeError(f"this simulation has no table {name!r}; it has {', '.join(tables)}")
            return tables[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._tables]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def arrays(self) -> dict[str, Any]:
        """Returns the motion of a scene of bodies as arrays: `time` (times), `body` (names), and over times, bodies and components
        `position` (m), `rotation` (unit quaternion w, x, y, z), `velocity` (m/s) and `angular_velocity` (rad/s).

        The arrays are copies; `trajectory` contains the same data as a table.

        >>> ball = '''
        ... [simulation]
        ... duration = "1 s"
        ... sample = "0.5 s"
        ... gravity = "10 m/s^2"
        ... [[body]]
        ... name = "stone"
        ... shape = "sphere"
        ... radius = "1 cm"
        ... mass = "1 kg"
        ... '''
        >>> motion = carom.simulate(ball).arrays()
        >>> motion["body"], motion["velocity"].shape, motion["velocity"][-1, 0].round(9).tolist()
        (['stone'], (3, 1, 3), [0.0, 0.0, -10.0])
        """
        if "trajectory" not in self._tables:
            raise Error("a bed of grains has no table of bodies: its grains are in the table grains")
        rows = self._tables["trajectory"]
        names = list(dict.fromkeys(rows["body"]))
        time = np.asarray(rows["time_s"])[:: max(1, len(names))]
        found: dict[str, Any] = {"time": time, "body": names}
        for name, columns in _MOTION.items():
            stacked = np.stack([np.asarray(rows[column]) for column in columns], axis=-1)
            found[name] = stacked.reshape(len(time), len(names), len(columns))
        return found

    def to_xarray(self) -> xarray.Dataset:
        """Returns the motion of a scene of bodies as a Dataset over time, body and component; needs xarray."""
        motion = self.arrays()
        units = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s", "rotation": ""}
        data = {
            name: (("time", "body", "component_of_rotation" if name == "rotation" else "component"), motion[name], {"units": unit})
            for name, unit in units.items()
        }
        places = {"component": list("xyz"), "component_of_rotation": list("wxyz")}
        made: xarray.Dataset = import_optional("xarray").Dataset(
            data, {"time": ("time", motion["time"], {"units": "s"}), "body": motion["body"], **places}
        )
        return made

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} {len(table)}" for name, table in self._tables.items())
        return f"<carom.Simulation {self.summary.title!r}, rows: {sizes}>"


def read_scene(scene: Scene) -> tuple[str, str]:
    """Returns the text of a scene, and the folder of the files that it names."""
    if isinstance(scene, str) and "\n" in scene:
        return scene, "."
    path = Path(scene)
    try:
        return path.read_text(encoding="utf-8"), str(path.parent)
    except UnicodeDecodeError:
        raise Error(f"cannot read `{path}`: it is not text; name a scene in TOML") from None
    except OSError as why:
        raise Error(f"cannot read `{path}`: {why.strerror}; name a scene in TOML") from None


def changes(keys: Mapping[str, SceneValue] | None) -> tuple[str, ...]:
    """Returns keys of a scene with their values in the form of the command."""
    data = mapping("set", keys, '"simulation.duration": "2 s"')
    return tuple(f"{place}={value if isinstance(value, str) else _toml(value)}" for place, value in data.items())


def _toml(value: Any) -> str:
    """Returns a value in the notation of TOML."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value)


def _table(columns: list[Any]) -> Table:
    values: dict[str, Any] = {}
    units: dict[str, str] = {}
    for name, unit, column, words in columns:
        values[name] = column if words is None else np.array(words, dtype=object)[column]
        units[name] = unit
    return Table(values, units)


#: Controls motors: a function of the time and the readings of the sensors that returns torques or forces by the names of the
#: motors.
Controller = Callable[[float, dict[str, Any]], Mapping[str, float] | None]


@overload
def simulate(
    scene: Scene,
    out: None = ...,
    *,
    set: Mapping[str, SceneValue] | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
    controller: Controller | None = ...,
) -> Simulation: ...


@overload
def simulate(
    scene: Scene,
    out: str | os.PathLike[str],
    *,
    set: Mapping[str, SceneValue] | None = ...,
    format: Format | None = ...,
    threads: int | None = ...,
    resume: bool = ...,
    overwrite: bool = ...,
    progress: Progress = ...,
    controller: Controller | None = ...,
) -> Summary | BedSummary: ...


def simulate(
    scene: Scene,
    out: str | os.PathLike[str] | None = None,
    *,
    set: Mapping[str, SceneValue] | None = None,
    format: Format | None = None,
    threads: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: Progress = None,
    controller: Controller | None = None,
) -> Simulation | Summary | BedSummary:
    """Runs a scene like `carom simulate` (docs/reference/tables.md): returns its tables as columns, or writes files to the folder
    `out`.

    scene
        TOML as text, or the path of a file; files that it names are searched beside it
    out
        a folder, to which the same files as by `carom simulate --out` are written. The summary is returned
    set
        keys of the scene to change, with their values: `{"simulation.duration": "2 s", "grains.contact.restitution": 0.7}`
    format
        of these files: "csv", "parquet" or "arrow"
    threads
        for a bed of grains; the results do not depend on it
    resume, overwrite
        continue a stopped run in the folder; replace the files in it
    progress
        True for a bar, or a function that is called at intervals with the time reached and the time at the end (s)
    controller
        f(time, sensors) for the motors with `controller = true`. It is called at 0, T, 2T, … with T the
        `control_interval` of the scene, with the readings of the sensors at that time: a number, or (x, y, z). It returns
        the torques (N m) or forces (N) of motors by name, which are held until the next call (a zero-order hold); steps
        end at these times. A motor that is left out keeps its value, and all do so if the function returns None

    >>> scene = '''
    ... [simulation]
    ... duration = "1 s"
    ... gravity = "10 m/s^2"
    ... [[body]]
    ... name = "stone"
    ... shape = "sphere"
    ... radius = "1 cm"
    ... mass = "1 kg"
    ... '''
    >>> ran = carom.simulate(scene)
    >>> round(float(ran.trajectory["z_m"][-1]), 9)
    -5.0
    >>> longer = carom.simulate(scene, set={"simulation.duration": "2 s"})
    >>> round(float(longer.trajectory["z_m"][-1]), 9)
    -20.0
    """
    text, folder = read_scene(scene)
    path = None if out is None else os.fspath(out)
    if path is None and (resume or overwrite or format is not None):
        raise Error("resume, overwrite and format are about the files of a folder: give out=\"run\" as well")
    number = cores(threads)
    with progress_callback(progress, "simulation") as tell:
        summary, tables = _carom.simulate(text, list(changes(set)), folder, path, format, resume, overwrite, number, tell, controller)
    data = json.loads(summary)
    report = Summary(data) if "contacts" in data else BedSummary(data)
    if tables is None:
        return report
    return Simulation(report, {name: _table(columns) for name, columns in tables})
