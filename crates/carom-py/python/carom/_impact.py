"""Results of impacts."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, cast

import numpy as np

from . import _carom
from ._carom import Error
from ._html import curve, facts, number
from ._tables import Table, import_optional
from ._types import Array, N
from ._values import as_list, shape_of, text
from .reports import Report

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UNITS: dict[str, str] = dict(_carom.outputs())
SHOWN_OUTPUTS = ("restitution_newton", "duration", "force_max", "indentation_max")
#: Name and labels of every axis.
Axis: TypeAlias = list[tuple[str, Any]]
_INPUT_UNITS = {"mass": "kg", "speed": "m/s", "external_force": "N"}


class Trajectory(Table):
    """The trajectory of an impact: time, indentation, rate, force, kinetic, stored and dissipated energy (SI).

    >>> course = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9).collide(1.0).trajectory(100)
    >>> len(course), course.units["force"], round(float(course.kinetic[0]), 9)
    (100, 'N', 0.5)
    """

    def __init__(self, columns: Mapping[str, Any], title: str = ""):
        units = {"time": "s", "indentation": "m", "rate": "m/s", "force": "N"}
        units.update(dict.fromkeys(("kinetic", "stored", "dissipated"), "J"))
        super().__init__(columns, units)
        self.title = title

    time: Array
    indentation: Array
    rate: Array
    force: Array
    kinetic: Array
    stored: Array
    dissipated: Array

    def plot(self, axes: tuple[Axes, Axes] | None = None, label: str | None = None) -> Figure:
        """Draws force over time and force over indentation; needs matplotlib (`pip install carom[plot]`)."""
        from ._plot import draw

        return draw(self, axes, label)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Trajectory, (self._columns, self.title))


def _result(name: str, about: str) -> Any:
    """Returns a property that reads a column of results; its type is declared where it is used."""
    return property(lambda impact: impact._column(name), doc=about)


class Impact(Generic[N]):
    """Results of one or many impacts: attributes are numbers, or arrays of one shape.

    restitution, restitution_newton, restitution_poisson, restitution_stronge
        rebound speed over impact speed (also as `restitution`), ratio of impulses, root of the ratio of works
    duration, indentation_max, time_of_indentation_max, force_max, time_of_force_max, residual_indentation
        in s, m and N; a contact that never ends has an infinite duration and a restitution of 0
    impulse_compression, impulse_restitution, energy_initial, energy_lost_in_compression, energy_lost_in_restitution
        in N·s and J

    A single impact also has `report`, the dictionary of `carom impact --json`, and `notes`. For many impacts, `impacts[i]` is a
    single one.

    >>> law = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4144e10)
    >>> impact = law.collide(speed=0.5)
    >>> impact.restitution, f"{impact.duration:.3g} s", impact.notes
    (1.0, '0.000203 s', [])
    >>> law.collide(speed=[0.1, 0.5]).force_max.shape
    (2,)
    """

    def __init__(
        self,
        spec: Mapping[str, Any],
        arrays: Mapping[str, Array],
        columns: Mapping[str, Any],
        report: dict[str, Any] | None = None,
        axes: Axis | None = None,
    ):
        self._spec, self._arrays, self._columns, self._report = dict(spec), dict(arrays), dict(columns), report
        self._axes = axes

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the arrays, () for one impact."""
        return shape_of(self._arrays) if self._arrays else ()

    restitution: N = _result("restitution_newton", "Rebound speed over impact speed: Newton's.")
    restitution_newton: N = _result("restitution_newton", "Rebound speed over impact speed.")
    restitution_poisson: N = _result("restitution_poisson", "Ratio of the impulses.")
    restitution_stronge: N = _result("restitution_stronge", "Root of the ratio of works.")
    duration: N = _result("duration", "Time of contact (s), infinite where it never ends.")
    indentation_max: N = _result("indentation_max", "Largest indentation (m).")
    time_of_indentation_max: N = _result("time_of_indentation_max", "Its time (s).")
    force_max: N = _result("force_max", "Largest force (N).")
    time_of_force_max: N = _result("time_of_force_max", "Its time (s).")
    residual_indentation: N = _result("residual_indentation", "Indentation at the end of contact (m).")
    impulse_compression: N = _result("impulse_compression", "Impulse of compression (N s).")
    impulse_restitution: N = _result("impulse_restitution", "Impulse of restitution (N s).")
    energy_initial: N = _result("energy_initial", "Energy of approach (J).")
    energy_lost_in_compression: N = _result("energy_lost_in_compression", "Energy lost in compression (J).")
    energy_lost_in_restitution: N = _result("energy_lost_in_restitution", "Energy lost in restitution (J).")

    def _column(self, name: str) -> N:
        if name not in self._columns:
            raise AttributeError(name)  # worded below
        return cast(N, self._columns[name])

    if not TYPE_CHECKING:  # otherwise a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            columns = self.__dict__.get("_columns", {})
            if name in UNITS:
                raise AttributeError(f"{name} is not among the outputs that were asked for: {', '.join(columns)}")
            raise AttributeError(f"Impact has no {name!r}; it has {', '.join(columns)}")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("one impact has no length")
        return self.shape[0]

    def __getitem__(self, index: Any) -> Impact[Any]:
        """Returns a part of many impacts; a single one is computed again, with its report and notes."""
        shape = self.shape
        if not shape:
            raise TypeError("one impact has no parts")
        chosen = {name: np.broadcast_to(value, shape)[index] for name, value in self._arrays.items()}
        if any(np.ndim(value) for value in chosen.values()):
            columns = {name: column[index] for name, column in self._columns.items()}
            return Impact(self._spec, {name: np.ascontiguousarray(value) for name, value in chosen.items()}, columns)
        spec = dict(self._spec)
        for name, value in chosen.items():
            set_quantity(spec, name, float(value))
        return compute_one(spec)

    @property
    def report(self) -> Report:
        """Complete report of one impact, with the keys of `carom impact --json`."""
        return Report(self._single("a report"))

    @property
    def notes(self) -> list[str]:
        """Notes on one impact, one sentence each."""
        return [note["message"] for note in self._single("notes")["notes"]]

    def _single(self, what: str) -> dict[str, Any]:
        if self._report is None:
            raise Error(f"{what} of {self.shape} impacts is not supported: choose one, for example impact[{self._first()}]")
        return self._report

    def _first(self) -> str:
        return ", ".join("0" for _ in self.shape) or "..."

    def trajectory(self, points: int = 200) -> Trajectory:
        """Returns the trajectory of one impact at `points` instants, equally spaced in time."""
        report = self._single("a trajectory")
        if isinstance(points, bool) or not isinstance(points, (int, np.integer)) or points < 0:
            raise Error(f"points = {points!r} is not allowed: points must be between 2 and 10000000; 200 draw a smooth curve")
        columns = dict(_carom.trajectory(text(self._spec), int(points)))
        return Trajectory(columns, f"{report['law']}, e = {report['restitution']['newton']:.4g}")

    def plot(self, axes: tuple[Axes, Axes] | None = None, label: str | None = None, points: int = 400) -> Figure:
        """Draws force over time and over indentation of one impact; needs matplotlib (`pip install carom[plot]`)."""
        return self.trajectory(points).plot(axes, label)

    def to_table(self) -> Table:
        """Returns the quantities that vary, and the results, as flat columns."""
        columns: dict[str, Any] = {}
        for name, value in self._arrays.items():
            columns[name] = np.broadcast_to(value, self.shape).ravel()
        for name, value in self._columns.items():
            columns[name] = np.ravel(value)
        usual = [name for name in SHOWN_OUTPUTS if name in self._columns] or list(self._columns)
        return Table(columns, {**_INPUT_UNITS, **UNITS}, [*self._arrays, *usual])

    def to_dict(self) -> dict[str, Any]:
        """Returns the report of one impact (the keys of `carom impact --json`), or a dict of arrays for many."""
        return dict(self._columns) if self._report is None else copy.deepcopy(self._report)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with one row per impact; needs pandas."""
        return self.to_table().to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """Returns an Arrow table with one row per impact; needs pyarrow."""
        return self.to_table().to_arrow()

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars DataFrame with one row per impact; needs polars."""
        return self.to_table().to_polars()

    def to_xarray(self) -> xarray.Dataset:
        """Returns a Dataset with the results over the axes of the arrays; needs xarray.

        Axes have the names and labels of the xarray arrays that were given, or the name and values of the only quantity that
        varies along them.

        >>> law = carom.model("hertz-1881").law(mass=[[1.0], [2.0]], stiffness=1e9)
        >>> law.collide(speed=[0.1, 0.2, 0.3]).to_xarray().force_max.dims
        ('mass', 'speed')
        """
        shape = self.shape
        axes = self._axes if self._axes is not None and len(self._axes) == len(shape) else self._named_axes()
        dims = tuple(name for name, _ in axes)
        coords: dict[str, Any] = {name: labels for name, labels in axes if labels is not None}
        data: dict[str, Any] = {}
        for name, value in self._arrays.items():
            if name not in coords:
                called = f"given_{name}" if name in self._columns or name in dims else name
                data[called] = (dims, np.broadcast_to(value, shape), {"units": _INPUT_UNITS.get(name, "")})
        for name, column in self._columns.items():
            data[name] = (dims, column, {"units": UNITS[name]})
        made: xarray.Dataset = import_optional("xarray").Dataset(data, coords, {"law": str(self._spec["law"])})
        return made

    def _named_axes(self) -> Axis:
        shape = self.shape
        axes: Axis = []
        for axis in range(len(shape)):
            alone = [
                (name, value.ravel())
                for name, value in self._arrays.items()
                if value.size == shape[axis] > 1 and value.ndim >= len(shape) - axis and value.shape[axis - len(shape)] > 1
            ]
            axes.append(alone[0] if len(alone) == 1 else (f"axis_{axis}", None))
        return axes

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Exports the results through the Arrow PyCapsule interface."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        if self._report is None:
            return self.to_table()._repr_html_()
        rows = [(name, number(float(self._columns[name]), UNITS[name])) for name in SHOWN_OUTPUTS]
        title = f"{self._report['law']} at {self._report['speed']:g} m/s"
        return facts(title, rows, self.notes, force_loop_svg(self._spec, "force"))

    def __repr__(self) -> str:
        if self._report is None:
            return f"<carom.Impact of shape {self.shape}>\n{self.to_table()!r}"
        lines = [f"  {name} {self._columns[name]:.6g} {UNITS[name]}".rstrip() for name in SHOWN_OUTPUTS]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join([f"<carom.Impact {self._report['law']} at {self._report['speed']:g} m/s>", *lines])

    def __reduce__(self) -> tuple[Any, ...]:
        return (Impact, (self._spec, self._arrays, self._columns, self._report, self._axes))


def force_loop_svg(spec: Mapping[str, Any], title: str) -> str:
    """Returns force over indentation of an impact as SVG; empty if there is no such impact."""
    try:
        course = dict(_carom.trajectory(text(spec), 120))
    except Error:
        return ""
    return curve(course["indentation"], course["force"], ("indentation", "m"), (title, "N"))


def set_quantity(spec: dict[str, Any], name: str, value: float) -> None:
    """Sets a quantity: a field of the description, a property of a body, or a parameter by name."""
    if name in FIELDS:
        spec[name] = value
    elif name.startswith("body") and "." in name:
        which, key = name.split(".", 1)
        bodies = [dict(body) for body in spec["bodies"]]
        bodies[int(which.removeprefix("body_")) - 1][key] = value
        spec["bodies"] = bodies
    else:
        spec["set"] = {**spec.get("set", {}), name: value}


FIELDS = (
    "mass",
    "stiffness",
    "exponent",
    "speed",
    "restitution",
    "damping",
    "damping_exponent",
    "rate_exponent",
    "external_force",
)


def compute_one(spec: Mapping[str, Any]) -> Impact[float]:
    """Computes one impact."""
    report, numbers = _carom.impact(text(spec))
    return Impact(spec, {}, dict(zip(UNITS, numbers)), json.loads(report))


def compute_many(
    spec: Mapping[str, Any],
    arrays: Mapping[str, Array],
    threads: int,
    lenient: bool,
    outputs: Sequence[str] | None,
    axes: Axis | None,
) -> Impact[Array]:
    """Computes the impacts of all rows."""
    shape = shape_of(arrays)
    names = list(UNITS) if outputs is None else requested_outputs(outputs)
    places = [place for place, name in enumerate(UNITS) if name in names]
    found = _carom.collide(text(spec), list(arrays), list(arrays.values()), list(shape), threads, lenient, places)
    return Impact(spec, arrays, dict(zip([name for name in UNITS if name in names], found)), None, axes)


def requested_outputs(outputs: Sequence[str] | str) -> list[str]:
    """Returns the results that were requested by name; `restitution` is Newton's."""
    names = ["restitution_newton" if name == "restitution" else name for name in as_list(outputs)]
    for name in names:
        if name not in UNITS:
            raise Error(f"outputs = {name!r} is not allowed: outputs must be some of {', '.join(UNITS)}")
    if not names:
        raise Error('outputs must be a list of names, such as outputs=["restitution", "force_max"]')
    return names
