"""Helpers for contacts: conversion of arrays, restoring of copies, and C functions for compiled loops."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._carom import CFunction, Contact, Error
from ._tables import import_optional
from ._types import Array
from ._units import Labels, units_of
from ._values import numbers, shape_of

if TYPE_CHECKING:
    from ._law import Law


def motion_arrays(delta: object, rate: object) -> tuple[list[Array], list[int]]:
    """Returns indentations and rates as arrays of plain numbers, and the shape to which they broadcast."""
    labels = Labels()
    values = {}
    for name, value in (("delta", delta), ("rate", rate)):
        if units_of(name, value) is not None:
            raise Error(f"{name} has a unit: a contact takes plain numbers in SI units; convert it first, to m or m/s")
        labels.add(name, value)
        values[name] = numbers(name, value)
    return list(values.values()), list(shape_of(values))


def restore_contact(spec: str, law: Law[float] | None, speed: float, memory: tuple[float, float, float]) -> Contact:
    """Restores a contact that was pickled or copied."""
    made = Contact(spec) if law is None else law.touch(speed)
    made._remember(*memory)
    return made


def ctypes_function(function: CFunction) -> Any:
    """Returns the function for ctypes, which numba calls as well: its last argument is `function.contact`."""
    kind = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * function.arguments, ctypes.c_void_p)
    made: Any = kind(function.address)
    made.contact = function  # keeps the contact alive as long as its function
    return made


def low_level_callable(function: CFunction) -> Any:
    """Returns the function as a `scipy.LowLevelCallable`; needs SciPy."""
    return import_optional("scipy").LowLevelCallable(ctypes_function(function), ctypes.c_void_p(function.contact))
