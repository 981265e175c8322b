"""Conversion of quantities with units and arrays with labels from other packages.

carom computes with plain SI numbers in plain arrays. If a quantity of pint, astropy or unyt were converted to a number by
dropping its unit, it could be wrong by a power of ten; if two labelled columns were combined by position, they could be wrong
row by row. Therefore units are converted, and labels must agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _carom
from ._carom import Error

# Base units of pint, by its names for dimensions.
_PINT = {
    "[mass]": ("kilogram", "kg"),
    "[length]": ("meter", "m"),
    "[time]": ("second", "s"),
    "[current]": ("ampere", "A"),
    "[temperature]": ("kelvin", "K"),
    "[substance]": ("mole", "mol"),
    "[luminosity]": ("candela", "cd"),
}
# Unit of a dimensionless quantity of another package. An empty unit would mean a plain number, which carom takes to be in SI units.
_PURE_NUMBER = "m/m"


def of_package(value: object, *packages: str) -> bool:
    """Returns whether the class of a value, or one of its base classes, comes from one of these packages."""
    return any(kind.__module__.split(".")[0] in packages for kind in type(value).__mro__)


def is_labelled(value: object) -> bool:
    """Returns whether a value has labels: a Series or DataFrame of pandas, a DataArray of xarray."""
    return (of_package(value, "pandas") and hasattr(value, "iloc")) or (
        of_package(value, "xarray") and hasattr(value, "dims")
    )


def _powers(powers: Mapping[str, float]) -> str:
    """Returns powers of units in carom's notation."""
    return " ".join(f"{name}^{float(power):.12g}" for name, power in powers.items() if power) or _PURE_NUMBER


def _pint(name: str, value: Any) -> tuple[Any, str]:
    powers = {_PINT[kind]: power for kind, power in value.dimensionality.items() if kind in _PINT}
    strange = [kind for kind in value.dimensionality if kind not in _PINT]
    if strange:
        raise Error(f"{name} = {value} has the dimension {', '.join(strange)}, which carom does not know: give SI numbers")
    target = " * ".join(f"{long}**{float(power):.12g}" for (long, _), power in powers.items())
    unit = _powers({short: power for (_, short), power in powers.items()})
    return value.to(target or "dimensionless").magnitude, _base(name, unit)


def _astropy(name: str, value: Any) -> tuple[Any, str]:
    base = value.decompose()
    names = {str(unit): power for unit, power in zip(base.unit.bases, base.unit.powers)}
    # An angle counts as a pure number.
    names.pop("rad", None)
    return base.value * float(base.unit.scale), _base(name, _powers(names))


def _unyt(name: str, value: Any) -> tuple[Any, str]:
    base = value.in_base("mks")
    short = {f"({kind[1:-1]})": unit for kind, (_, unit) in _PINT.items()}
    powers = {str(kind): power for kind, power in base.units.dimensions.as_powers_dict().items() if str(kind) != "1"}
    return np.asarray(base), _base(name, _powers({short.get(kind, kind): power for kind, power in powers.items()}))


def units_of(name: str, value: Any) -> tuple[Any, str] | None:
    """Returns the plain numbers of a quantity and their unit in carom's notation; None if it has no unit."""
    if isinstance(value, (str, bytes, Mapping)) or type(value) in (float, int, bool, np.ndarray) or value is None:
        return None
    if is_labelled(value):
        if of_package(getattr(value, "dtype", None), "pint_pandas"):
            return _pint(name, value.array.quantity)
        # xarray may contain quantities, and both may give the unit of their numbers as a text.
        inner = units_of(name, value.data) if of_package(value, "xarray") else None
        unit_text = getattr(value, "attrs", {}).get("units")
        if inner is not None or not unit_text:
            return inner
        return _with_text_unit(name, np.asarray(value), unit_text)
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return _list_of_quantities(name, value.tolist())
    if isinstance(value, (list, tuple)):
        return _list_of_quantities(name, value)
    if of_package(value, "pint"):
        return _pint(name, value)
    if of_package(value, "astropy"):
        return _astropy(name, value)
    if of_package(value, "unyt"):
        return _unyt(name, value)
    unit = getattr(value, "units", None) or getattr(value, "unit", None)
    if unit is None or callable(unit):
        return None
    for attribute in ("magnitude", "value", "m"):
        plain = getattr(value, attribute, None)
        if isinstance(plain, (int, float, np.ndarray, np.number)):
            return _with_text_unit(name, np.asarray(plain), unit)
    if isinstance(value, (int, float)):
        return _with_text_unit(name, np.asarray(float(value)), unit)
    raise Error(
        f"{name} = {value!r} has a unit in a way that carom does not know: give SI numbers, a text with a unit, or a "
        "quantity of pint, astropy or unyt"
    )


def _with_text_unit(name: str, plain: Any, unit: object) -> tuple[Any, str]:
    """Returns numbers whose unit is given as a text, which carom must be able to read."""
    word = str(unit).replace("**", "^").strip()
    if word in ("", "1", "dimensionless"):
        return plain, _PURE_NUMBER
    return np.asarray(plain, dtype=np.float64) * _carom.factor(name, word), _base(name, word)


def _base(name: str, unit: str) -> str:
    """Returns the SI unit of the same dimension in its shortest form: N for kg m s^-2."""
    found = "1" if unit == _PURE_NUMBER else _carom.base(name, unit)
    return _PURE_NUMBER if found == "1" else found


def _list_of_quantities(name: str, values: Any) -> tuple[Any, str] | None:
    """Returns the numbers and the unit of a list of quantities, all of one dimension."""
    if all(type(value) in (float, int, str) for value in values):
        return None
    found = [units_of(name, value) for value in values]
    if all(one is None for one in found):
        return None
    if any(one is None for one in found):
        raise Error(f"{name} is a list of numbers with and without units: give all of them a unit, or none")
    units = {one[1] for one in found if one is not None}
    if len(units) > 1:
        raise Error(f"{name} is a list of quantities of different dimensions: {', '.join(sorted(units))}")
    return np.asarray([one[0] for one in found if one is not None], dtype=np.float64), units.pop()


class Labels:
    """Labels of the arrays that are combined; all must be the same, in the same order."""

    def __init__(self, others: Labels | None = None) -> None:
        self._first: tuple[str, Any] | None = None if others is None else others._first

    def axes(self) -> list[tuple[str, Any]] | None:
        """Returns names and labels of the axes, if there are labels."""
        return None if self._first is None else _axes(self._first[1])

    def add(self, name: str, value: Any) -> None:
        """Refuses a value whose labels are not those of the others."""
        if not is_labelled(value) or np.ndim(value) == 0:
            return
        labels = _labels(value)
        if self._first is None:
            self._first = (name, labels)
            return
        other, known = self._first
        if not _same(known, labels):
            raise Error(
                f"{other} and {name} have different labels, and would be put together by position: align them first "
                "(pandas: reindex or join, xarray: align or broadcast), or give plain arrays (to_numpy())"
            )


def _axes(labels: list[tuple[Any, Any]]) -> list[tuple[str, Any]]:
    return [(str(name) if name is not None else f"axis_{axis}", along) for axis, (name, along) in enumerate(labels)]


def _labels(value: Any) -> list[tuple[Any, Any]]:
    """Returns, for every axis, its name and the labels along it."""
    if of_package(value, "xarray"):
        return [(dim, np.asarray(value[dim]) if dim in value.coords else None) for dim in value.dims]
    return [(None, axis) for axis in value.axes]


def _same(one: list[tuple[Any, Any]], other: list[tuple[Any, Any]]) -> bool:
    if len(one) != len(other):
        return False
    for (name, labels), (again, more) in zip(one, other):
        if name != again or (labels is None) != (more is None):
            return False
        if labels is not None and not np.array_equal(np.asarray(labels), np.asarray(more)):
            return False
    return True
