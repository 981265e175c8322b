"""Functions that `carom.jax` and `carom.torch` share: results and derivatives as NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _carom
from ._carom import Error
from ._gradient import OUTPUTS, differentiate
from ._law import Law
from ._types import Array
from ._values import threads as cores


class Outcome(NamedTuple):
    """Results of an impact (SI), as arrays or tensors of the calling package."""

    restitution: Any
    duration: Any
    force_max: Any
    indentation_max: Any


def outcomes_and_derivatives(law: Law[Any], names: Sequence[str], values: Sequence[Any], slopes: bool) -> tuple[Array, Array | None]:
    """Returns outcomes of shape (4, …) and derivatives of shape (quantities, 4, …), with these quantities in place of the law's
    own.
    """
    arrays = {**law._arrays, **{name: np.array(value, dtype=np.float64) for name, value in zip(names, values)}}
    found = differentiate(law._spec, arrays, list(names) if slopes else [], cores(None), False)
    outcomes = np.stack([np.asarray(found.values[output]) for output in OUTPUTS])
    if not slopes:
        return outcomes, None
    columns = [[np.asarray(getattr(found, output)[name]) for output in OUTPUTS] for name in names]
    return outcomes, np.stack([np.stack(column) for column in columns])


def forces(law: Law[Any], speed: float | None) -> tuple[Callable[[Any, Any], Array], Callable[[Any, Any], Array]]:
    """Returns the force, and its tangents stacked, as functions of arrays."""
    contact = law.touch(speed)

    def force(delta: Any, rate: Any) -> Array:
        return contact.force(np.atleast_1d(np.asarray(delta, np.float64)), np.asarray(rate, np.float64))

    def tangent(delta: Any, rate: Any) -> Array:
        return np.stack(contact.tangent(np.atleast_1d(np.asarray(delta, np.float64)), np.asarray(rate, np.float64)))

    return force, tangent


def require_speed(quantities: dict[str, Any]) -> None:
    """Refuses an impact without a speed."""
    if "speed" not in quantities:
        raise Error("speed is missing: give speed=…, the approach speed at touch in m/s")
