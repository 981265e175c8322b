"""What was said, sorted: one number or text for all rows, or an array."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._carom import Error

Array = NDArray[np.float64]


def threads(asked: int | None) -> int:
    """As many as asked for, or as there are cores for this process."""
    if asked is None:
        if hasattr(os, "sched_getaffinity"):
            return max(1, len(os.sched_getaffinity(0)))
        return os.cpu_count() or 1
    if isinstance(asked, bool) or not isinstance(asked, int) or not 1 <= asked <= 1024:
        raise Error(
            f"threads = {asked} is not allowed: threads must be between 1 and 1024; leave it out to use all cores"
        )
    return asked


def _refuse(name: str, value: object) -> Error:
    shown = repr(value)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    return Error(
        f"{name} = {shown} is not allowed: {name} must be a number, text with a unit or an array of numbers; "
        "convert it to float64 (SI units) first"
    )


def array(name: str, value: object) -> Array:
    """Numbers in C order; float64 arrays that already are come back as they are."""
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


def quantity(name: str, value: object) -> float | str | Array:
    """A number, a text with a unit, or an array of at least one axis."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)) or value is None:
        raise _refuse(name, value)
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            raise _refuse(name, value) from None
    found = array(name, value)
    return float(found) if found.ndim == 0 else found


def split(said: Mapping[str, object]) -> tuple[dict[str, float | str], dict[str, Array]]:
    """Single quantities and arrays; what is None was not said."""
    single: dict[str, float | str] = {}
    arrays: dict[str, Array] = {}
    for name, value in said.items():
        if value is None:
            continue
        found = quantity(name, value)
        if isinstance(found, np.ndarray):
            arrays[name] = found
        else:
            single[name] = found
    return single, arrays


def shape_of(arrays: Mapping[str, Array]) -> tuple[int, ...]:
    """The shape that all arrays broadcast to."""
    try:
        return np.broadcast_shapes(*(value.shape for value in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {value.shape}" for name, value in arrays.items())
        raise Error(
            f"the arrays do not broadcast to one shape: {shapes}; axes are aligned at the last one, each as long as "
            "the others or 1"
        ) from None


def _plain(value: Any) -> Any:
    """What JSON can say. Numbers that it cannot become text, whose refusal is the one of the command line."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (np.integer, np.floating)):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    raise _refuse("a value", value)


def text(said: Mapping[str, object] | list[Any]) -> str:
    """A description as JSON."""
    return json.dumps(_plain(said), allow_nan=False)
