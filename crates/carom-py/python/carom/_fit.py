"""Fits: from measured columns to the parameters of a law, with their uncertainties."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _carom
from ._bodies import Body, Pair, bodies_of
from ._carom import Error
from ._choices import Calibration, Damper, Exit, Loss
from ._impact import FIELDS
from ._law import Model
from ._tables import Table, table
from ._types import Array, HasUnits, Quantity, Scalar
from ._units import Labels
from ._values import array, count, as_list, number, text
from .reports import FitReport, JointReport, Ranking as RankingReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Quantities that can be measured, and their units; the unit of a stiffness depends on the exponent.
_CURVES = {"time": "s", "force": "N", "acceleration": "m/s^2", "indentation": "m"}
_OUTCOMES = {
    "speed": "m/s",
    "mass": "kg",
    "stiffness": "",
    "requested": "",
    "restitution": "",
    "duration": "s",
    "force_max": "N",
    "indentation_max": "m",
}
# Properties that are reported for a fitted parameter.
_PARAMETER_COLUMNS = ("name", "unit", "value", "standard_error", "low_95", "high_95")
# Quantities of an impact that may be known.
_DESCRIPTION_FIELDS = (*FIELDS, "calibration", "damper", "exit")


class Fit(FitReport):
    """A fitted law: the impact with the fitted parameters (the keys of `carom fit --json`), and

    estimates, errors
        the free parameters and their standard errors, by name
    points, curve
        the fitted points with their residuals, and the curve of the law

    >>> course = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4e10).collide(0.5).trajectory(50)
    >>> fit = carom.fit("hertz-1881", time=course.time, force=course.force, mass=0.54, speed=0.5)
    >>> f"{fit.estimates['stiffness']:.3g}"
    '2.4e+10'
    """

    def __init__(self, report: Mapping[str, Any], columns: Sequence[Array], axis: str):
        super().__init__(report)
        self._curve, self._axis = columns, axis

    @property
    def estimates(self) -> dict[str, float]:
        """Fitted parameters by name (SI)."""
        return {p["name"]: p["value"] for p in self._data["parameters"]}

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors of the fitted parameters (SI); infinite where the data do not determine them."""
        return {
            p["name"]: np.inf if p["standard_error"] is None else p["standard_error"] for p in self._data["parameters"]
        }

    @property
    def points(self) -> Table:
        """Fitted points: measured force, and fitted minus measured force."""
        x, measured, residuals = self._curve[:3]
        return Table({self._axis: x, "force": measured, "residual": residuals}, {"force": "N", "residual": "N"})

    @property
    def curve(self) -> Table:
        """Curve of the fitted law from touch to the end of contact; `lower` and `upper` are the edges of its 95 % confidence band,
        if any parameter was free."""
        x, force, lower, upper = self._curve[3:]
        band = {"lower": lower, "upper": upper} if len(lower) else {}
        columns = {"force": force, **band}
        return Table({self._axis: x, **columns}, dict.fromkeys(columns, "N"))

    def to_table(self) -> Table:
        """Returns the fitted parameters: name, unit, value, standard error, and the 95 % confidence interval."""
        return table([{key: p[key] for key in _PARAMETER_COLUMNS} for p in self._data["parameters"]])

    def plot(self) -> Figure:
        """Draws points and law, and the residuals below; needs matplotlib."""
        from ._plot import draw_fit

        return draw_fit(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Fit, (self._data, self._curve, self._axis))


class JointFit(JointReport):
    """Several records fitted together: the keys of `carom fit a.csv b.csv --json` (`shared`, `records`, `statistics`, `notes`),
    and

    estimates, errors
        the shared parameters and their standard errors, by name
    fits
        the fit of every record, with its own parameters, points and curve

    >>> law = carom.model("hunt-crossley-1975").law(mass=0.54, stiffness=2.4e10, damping=2e10)
    >>> courses = {v: law.collide(v).trajectory(60) for v in (0.5, 1.5)}
    >>> runs = [{"time": c.time, "force": c.force, "speed": v} for v, c in courses.items()]
    >>> fit = carom.fit_together("hunt-crossley-1975", runs, mass=0.54)
    >>> f"{fit.estimates['damping']:.3g}"
    '2e+10'
    """

    def __init__(self, report: Mapping[str, Any], curves: Sequence[Sequence[Array]], axes: Sequence[str]):
        super().__init__(report)
        self._curves, self._axes = curves, axes

    @property
    def estimates(self) -> dict[str, float]:
        """Shared parameters by name (SI)."""
        return {p["name"]: p["value"] for p in self._data["shared"]}

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors of the shared parameters (SI); infinite where the data do not determine them."""
        return {p["name"]: np.inf if p["standard_error"] is None else p["standard_error"] for p in self._data["shared"]}

    @property
    def fits(self) -> list[Fit]:
        """Fits of the records, which include the shared parameters."""
        return [Fit(*one) for one in zip(self._data["records"], self._curves, self._axes, strict=True)]

    def to_table(self) -> Table:
        """Returns all parameters: the record (empty for shared ones), and the columns of `Fit.to_table`."""
        names = {p["name"] for p in self._data["shared"]}
        numbers = [("", p) for p in self._data["shared"]]
        for record in self._data["records"]:
            numbers += [(record["name"], p) for p in record["parameters"] if p["name"] not in names]
        return table([{"record": record, **{key: p[key] for key in _PARAMETER_COLUMNS}} for record, p in numbers])

    def __reduce__(self) -> tuple[Any, ...]:
        return (JointFit, (self._data, self._curves, self._axes))


class Ranking(RankingReport):
    """Laws in the order of the evidence for them; `best` is the complete fit of the first.

    >>> course = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4e10).collide(0.5).trajectory(50)
    >>> found = carom.rank(["hertz-1881", "hooke-1678"], time=course.time, force=course.force, mass=0.54, speed=0.5)
    >>> found.best.law
    'hertz-1881'
    """

    def __init__(self, report: Mapping[str, Any], columns: Sequence[Array], axis: str):
        super().__init__(report)
        self._curve, self._axis = columns, axis

    @property
    def best(self) -> Fit:  # type: ignore[override]
        """Fit of the best law."""
        return Fit(self._data["best"], self._curve, self._axis)

    def to_table(self) -> Table:
        """Returns one row per law."""
        rows: list[dict[str, Any]] = self._data["laws"]
        keep = [k for k in rows[0] if not isinstance(rows[0][k], (list, dict))] if rows else []
        return table([{k: row[k] for k in keep} for row in rows])

    def __reduce__(self) -> tuple[Any, ...]:
        return (Ranking, (self._data, self._curve, self._axis))


def _columns(
    measured: Mapping[str, Any], outcomes: Any, exponent: Any
) -> tuple[list[tuple[str, Array]], str]:
    given = {name: value for name, value in measured.items() if value is not None}
    if outcomes is not None:
        if given:
            raise Error("a curve and outcomes of whole impacts together is not supported: fit one of them")
        if hasattr(outcomes, "to_dict") and hasattr(outcomes, "columns"):  # a pandas DataFrame
            outcomes = {name: outcomes[name] for name in outcomes.columns}
        given = dict(outcomes)
        for name in given:
            if name not in _OUTCOMES:
                raise Error(f"no outcome `{name}`; there are {', '.join(_OUTCOMES)}")
    n = number("exponent", exponent, "")
    units = {**_CURVES, **_OUTCOMES, "stiffness": f"N/m^{1.5 if n is None else n:g}"}
    labels = Labels()
    columns = [(name, np.atleast_1d(array(name, value, units[name], labels))) for name, value in given.items()]
    shapes = {name: column.shape for name, column in columns}
    if any(len(shape) != 1 for shape in shapes.values()) or len(set(shapes.values())) > 1:
        told = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise Error(f"the measured columns do not fit together: {told}; they have one axis of the same length")
    return columns, "indentation" if "indentation" in given else "time"


def _description_json(
    law: str,
    known: Mapping[str, Any],
    pair: Pair | None,
    bodies: Any,
) -> str:
    spec: dict[str, Any] = {"law": law, "bodies": list(bodies_of(pair, bodies))}
    for name, value in known.items():
        if name in _DESCRIPTION_FIELDS:
            spec[name] = value
        elif value is not None:
            spec.setdefault("set", {})[name] = value
    return text(spec)


def _options(
    free: Sequence[str] | str,
    loss: str,
    bootstrap: int,
    seed: int,
    window: tuple[Any, Any] | None,
    impact: int | None,
    touch: object,
    reference: Mapping[str, float] | None,
    gravity: bool,
) -> str:
    if window is not None and (not isinstance(window, Sequence) or isinstance(window, str) or len(window) != 2):
        raise Error(f"window = {window!r} is not allowed: window must be two times, either may be None; write for example (0, 1e-3)")
    low, high = window or (None, None)
    return text(
        {
            "free": as_list(free),
            "loss": loss,
            "bootstrap": count("bootstrap", bootstrap),
            "seed": count("seed", seed),
            "from": number("window", low, "s"),
            "to": number("window", high, "s"),
            "impact": None if impact is None else count("impact", impact),
            "touch": number("touch", touch, "s"),
            "reference": [[name, value] for name, value in (reference or {}).items()],
            "gravity": gravity,
        }
    )


def fit(
    law: str | Model,
    *,
    time: Quantity | None = None,
    force: Quantity | None = None,
    acceleration: Quantity | None = None,
    indentation: Quantity | None = None,
    outcomes: Any = None,
    pair: Pair | None = None,
    bodies: Sequence[Body | Mapping[str, Any] | str] | None = None,
    gravity: bool = False,
    free: Sequence[str] | str = (),
    loss: Loss = "squares",
    bootstrap: int = 0,
    seed: int = 0,
    window: tuple[Scalar | HasUnits | None, Scalar | HasUnits | None] | None = None,
    impact: int | None = None,
    touch: Scalar | HasUnits | None = None,
    reference: Mapping[str, float] | None = None,
    mass: Quantity | None = None,
    speed: Quantity | None = None,
    stiffness: Quantity | None = None,
    exponent: Quantity | None = None,
    restitution: Quantity | None = None,
    damping: Quantity | None = None,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity | None = None,
    external_force: Quantity | None = None,
    calibration: Calibration | None = None,
    damper: Damper | None = None,
    exit: Exit | None = None,
    set: Mapping[str, Quantity] | None = None,
) -> Fit:
    """Fits the parameters of a law to measured columns (SI; NaN where a value is missing), with their uncertainties.

    time and force, time and acceleration, indentation and force
        a curve, in any order; the impact in it is found, and its zero and sign as well
    outcomes
        instead, a dict or DataFrame of whole impacts: columns speed, restitution, duration, force_max,
        indentation_max, mass, stiffness, requested
    mass, speed, stiffness, exponent, restitution, damping, …
        known quantities, as in `Model.law`; quantities that are needed but not known are fitted
    set
        known parameters of the law, by name
    gravity
        True for a drop test: the weight, effective mass times 9.80665 m/s², acts during contact
    free
        names of parameters that are fitted although they are known or have a default, such as `exponent`
    loss
        `squares`, `huber`, `soft-l1` or `cauchy`
    bootstrap, seed
        number of repeated fits for bootstrap intervals, and seed of the random numbers
    window, impact, touch
        the part of a record (s), which impact in it, and the time of touch if it is known
    reference
        other parameter values with which the fit is compared

    >>> law = carom.model("hunt-crossley-1975").law(mass=0.54, stiffness=2.4144e10, restitution=0.8, calibration="exact")
    >>> course = law.collide(0.5).trajectory(400)
    >>> found = carom.fit("hunt-crossley-1975", time=course.time, force=course.force, mass=0.54, speed=0.5)
    >>> round(found.estimates["stiffness"] / 1e10, 3)
    2.414
    """
    arguments = locals()
    columns, axis = _columns({name: arguments[name] for name in _CURVES}, outcomes, exponent)
    known = {**{name: arguments[name] for name in _DESCRIPTION_FIELDS}, **(set or {})}
    options = _options(free, loss, bootstrap, seed, window, impact, touch, reference, gravity)
    name = law.id if isinstance(law, Model) else law
    report, found = _carom.fit(_description_json(name, known, pair, bodies), options, columns)
    return Fit(json.loads(report), found, axis)


def fit_together(
    law: str | Model,
    records: Sequence[Mapping[str, Any]],
    *,
    shared: Sequence[str] | str = (),
    pair: Pair | None = None,
    bodies: Sequence[Body | Mapping[str, Any] | str] | None = None,
    gravity: bool = False,
    free: Sequence[str] | str = (),
    loss: Loss = "squares",
    bootstrap: int = 0,
    seed: int = 0,
    mass: Quantity | None = None,
    speed: Quantity | None = None,
    stiffness: Quantity | None = None,
    exponent: Quantity | None = None,
    restitution: Quantity | None = None,
    damping: Quantity | None = None,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity | None = None,
    external_force: Quantity | None = None,
    calibration: Calibration | None = None,
    damper: Damper | None = None,
    exit: Exit | None = None,
    set: Mapping[str, Quantity] | None = None,
) -> JointFit:
    """Fits one law to several records at once, with parameters that they share.

    records
        a mapping for each: its columns as in `fit` (time and force, time and acceleration, indentation and force, or
        outcomes), quantities known only for this record (such as its speed or mass), and a name
    shared
        names of the parameters that all records share [all of the law, but not the speed]; times of touch and zeros
        of a sensor are never shared
    mass, speed, stiffness, exponent, restitution, damping, …, set
        quantities known for all records, as in `fit`

    The other arguments are those of `fit`.
    """
    given = locals()
    known = {name: given[name] for name in (*_DESCRIPTION_FIELDS, "set") if given[name] is not None}
    name = law.id if isinstance(law, Model) else law
    arguments, axes = [], []
    if isinstance(records, Mapping):
        raise Error("records is one record: give a list of them, each with its columns, such as [{\"time\": t, \"force\": f}, …]")
    for i, record in enumerate(records):
        own = {**known, **record}
        title = str(own.pop("name", f"record {i + 1}"))
        measured = {column: own.pop(column, None) for column in _CURVES}
        outcomes = own.pop("outcomes", None)
        columns, axis = _columns(measured, outcomes, own.get("exponent"))
        more = own.pop("set", None) or {}
        for other, value in own.items():
            if other not in _DESCRIPTION_FIELDS and np.ndim(value) > 0:
                raise Error(f"no column `{other}` in {title}; there are {', '.join(_CURVES)} and outcomes")
        arguments.append((title, _description_json(name, {**own, **more}, pair, bodies), columns))
        axes.append(axis)
    options = _options(free, loss, bootstrap, seed, None, None, None, None, gravity)
    report, curves = _carom.fit_together(arguments, options, as_list(shared))
    return JointFit(json.loads(report), curves, axes)


def rank(
    laws: Sequence[str | Model] | str | None = None,
    *,
    time: Quantity | None = None,
    force: Quantity | None = None,
    acceleration: Quantity | None = None,
    indentation: Quantity | None = None,
    outcomes: Any = None,
    pair: Pair | None = None,
    bodies: Sequence[Body | Mapping[str, Any] | str] | None = None,
    gravity: bool = False,
    free: Sequence[str] | str = (),
    loss: Loss = "squares",
    window: tuple[Scalar | HasUnits | None, Scalar | HasUnits | None] | None = None,
    impact: int | None = None,
    touch: Scalar | HasUnits | None = None,
    mass: Quantity | None = None,
    speed: Quantity | None = None,
    stiffness: Quantity | None = None,
    exponent: Quantity | None = None,
    restitution: Quantity | None = None,
    damping: Quantity | None = None,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity | None = None,
    external_force: Quantity | None = None,
    calibration: Calibration | None = None,
    damper: Damper | None = None,
    exit: Exit | None = None,
    set: Mapping[str, Quantity] | None = None,
) -> Ranking:
    """Fits these laws (all unless given) and orders them by Akaike's criterion, to find which law explains the data.

    For a few outcomes that criterion does not exist; the laws are then ordered by the leave-one-out error, which `criterion`
    and `notes` state.

    >>> law = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=0.6, calibration="exact")
    >>> course = law.collide(0.5).trajectory(400)
    >>> ranked = carom.rank(["hertz-1881", "tsuji-1992"], time=course.time, force=course.force, mass=0.54, speed=0.5)
    >>> ranked.best.law
    'tsuji-1992'
    """
    arguments = locals()
    from ._catalogue import models

    columns, axis = _columns({name: arguments[name] for name in _CURVES}, outcomes, exponent)
    known = {**{name: arguments[name] for name in _DESCRIPTION_FIELDS}, **(set or {})}
    names = models()["id"] if laws is None else [law if isinstance(law, str) else law.id for law in as_list(laws)]
    if not names:
        raise Error("laws = [] is not allowed: laws must name at least one; leave it out to try them all")
    options = _options(free, loss, 0, 0, window, impact, touch, None, gravity)
    report, found = _carom.rank(_description_json(names[0], known, pair, bodies), options, columns, names)
    return Ranking(json.loads(report), found, axis)
