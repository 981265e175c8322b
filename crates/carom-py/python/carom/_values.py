"""Arguments: one number or text for all rows, or an array."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np

from . import _carom
from ._carom import Error
from ._types import Array
from ._units import Labels, units_of

T = TypeVar("T")

def threads(requested: int | None) -> int:
    """Returns the number of threads that was given, or that of the cores of this process."""
    if requested is None:
        if hasattr(os, "sched_getaffinity"):
            return max(1, len(os.sched_getaffinity(0)))
        return os.cpu_count() or 1
    if isinstance(requested, bool) or not isinstance(requested, int) or not 1 <= requested <= 1024:
        raise Error(
            f"threads = {requested} is not allowed: threads must be between 1 and 1024; leave it out to use all cores"
        )
    return requested


def as_list(names: str | Iterable[T]) -> list[str | T]:
    """Returns a list of names; a single name may be given without a list.

    >>> from carom._values import as_list
    >>> as_list("force_max"), as_list(("force_max", "duration"))
    (['force_max'], ['force_max', 'duration'])
    """
    return [names] if isinstance(names, str) else list(names)


def mapping(name: str, value: object, example: str) -> dict[str, Any]:
    """Returns names with their values, or raises an error that shows how they are written."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Error(f"{name} = {value!r} is not allowed: {name} must be names with values; write for example {name}={{{example}}}")
    return dict(value)


def count(name: str, value: object) -> int:
    """Returns a non-negative integer."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**63:
        raise Error(f"{name} = {value!r} is not allowed: {name} must be a whole number from 0 on")
    return int(value)


def _refuse(name: str, value: object) -> Error:
    shown = repr(value)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    return Error(
        f"{name} = {shown} is not allowed: {name} must be a number, text with a unit or an array of numbers; "
        "convert it to float64 (SI units) first"
    )


def numbers(name: str, value: object) -> Array:
    """Returns plain numbers in C order; float64 arrays that already have this form are returned unchanged."""
    if isinstance(value, np.ma.MaskedArray):
        raise Error(
            f"{name} is a masked array, whose mask would be lost: give {name}.filled(nan) with errors='nan', or leave "
            "the masked rows out"
        )
    try:
        found = np.asarray(value)
    except (TypeError, ValueError):  # ragged lists and the like
        raise _refuse(name, value) from None
    if found.dtype.kind not in "fiu":
        raise _refuse(name, value)
    return np.require(found, np.float64, ["C", "A"])


def array(name: str, value: object, unit: str, labels: Labels | None = None) -> Array:
    """Returns numbers in the SI unit `unit` ("" for a pure number), for the duration of a call."""
    if labels is not None:
        labels.add(name, value)
    found = units_of(name, value)
    if found is None:
        return numbers(name, value)
    plain = numbers(name, found[0])
    _carom.si(name, _with_unit(_any(plain), found[1]), unit)  # refuses a quantity of another dimension
    return plain


def _any(values: Array) -> float:
    """Returns one number of an array, for a message."""
    flat = values.ravel()
    place = int(np.argmax(np.isfinite(flat))) if flat.size else 0
    return float(flat[place]) if flat.size and np.isfinite(flat[place]) else 1.0


def _with_unit(value: float, unit: str) -> str:
    return f"{value!r} {unit}"


def quantity(name: str, value: object) -> tuple[float | str | Array, str]:
    """Returns a number, a text with a unit, or an array of at least one axis; for an array also the unit that it was given with.

    An array is a read-only copy, so that results computed from it remain valid.
    """
    if isinstance(value, str):
        return value, ""
    if isinstance(value, (bool, np.bool_)) or value is None:
        raise _refuse(name, value)
    if type(value) in (int, float):
        try:
            return float(value), ""  # type: ignore[arg-type]
        except OverflowError:
            raise _refuse(name, value) from None
    with_unit = units_of(name, value)
    found = numbers(name, value if with_unit is None else with_unit[0])
    unit = "" if with_unit is None else with_unit[1]
    if found.ndim == 0:
        return (_with_unit(float(found), unit) if unit else float(found)), ""
    kept = np.array(found, order="C", copy=True)
    kept.setflags(write=False)
    return kept, unit


class Arguments:
    """Arguments by kind: single quantities, arrays, the units of arrays, and their labels."""

    def __init__(self, values: Mapping[str, object], others: Arguments | None = None):
        self.single: dict[str, float | str] = {}
        self.arrays: dict[str, Array] = {} if others is None else dict(others.arrays)
        self.units: dict[str, str] = {} if others is None else dict(others.units)
        self.labels: Labels = Labels(None if others is None else others.labels)
        for name, value in values.items():
            if value is None:
                continue
            found, unit = quantity(name, value)
            if isinstance(found, np.ndarray):
                self.labels.add(name, value)
                self.arrays[name] = found
                self.units[name] = unit
            else:
                self.single[name] = found

    def check(self, spec: Mapping[str, object]) -> None:
        """Refuses a description that is invalid for all rows, and arrays with units of another dimension."""
        if self.arrays:
            units = [self.units.get(name, "") for name in self.arrays]
            shape = list(shape_of(self.arrays))
            _carom.check_rows(text(spec), list(self.arrays), list(self.arrays.values()), shape, units)


def number(name: str, value: object, unit: str) -> float | None:
    """Returns one number in the SI unit `unit`, from a number, a text or a quantity; None if nothing was given."""
    if value is None:
        return None
    found, _ = quantity(name, value)
    if isinstance(found, np.ndarray):
        raise Error(f"{name} of shape {found.shape} is not allowed: {name} must be one number, or a text with a unit")
    return _carom.si(name, found, unit) if isinstance(found, str) else found


def shape_of(arrays: Mapping[str, Array]) -> tuple[int, ...]:
    """Returns the shape to which all arrays broadcast."""
    try:
        return np.broadcast_shapes(*(value.shape for value in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {value.shape}" for name, value in arrays.items())
        # NumPy raises the same error for compatible shapes whose product is too large to be counted.
        axes = zip_longest(*(value.shape[::-1] for value in arrays.values()), fillvalue=1)
        if all(len(set(axis) - {1}) <= 1 for axis in axes):
            raise MemoryError(f"the arrays broadcast to more rows than can be counted: {shapes}") from None
        raise Error(
            f"the arrays do not broadcast to one shape: {shapes}; axes are aligned at the last one, each as long as "
            "the others or 1"
        ) from None


def _plain(value: Any, name: str = "a value") -> Any:
    """Converts a value for JSON. Numbers that JSON cannot represent become text, which is refused in the same way as on the
    command line; quantities become text with their unit."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, str(key)) for key, item in value.items() if item is not None}
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    found = units_of(name, value)
    if found is not None:
        plain, unit = numbers(name, found[0]).tolist(), found[1]
        return [_with_unit(one, unit) for one in plain] if isinstance(plain, list) else _with_unit(plain, unit)
    if isinstance(value, (list, tuple)):
        return [_plain(item, name) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), name)
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (int, float)):
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist(), name)
    raise _refuse(name, value)


def text(values: Mapping[str, object] | list[Any]) -> str:
    """Returns a description as JSON."""
    return json.dumps(_plain(values), allow_nan=False)
