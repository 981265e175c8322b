"""Differentiable impacts: derivatives of restitution, duration, force_max and indentation_max by quantities of the description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, cast

import numpy as np

from . import _carom
from ._tables import Table
from ._types import Array, N
from ._values import shape_of, text

#: Results that are differentiated.
OUTPUTS: tuple[str, ...] = tuple(_carom.gradient_outputs())


class Gradient(Generic[N]):
    """Derivatives of one or many impacts: for every result a mapping from the names of quantities to derivatives (SI).

    values
        the results themselves, by name: restitution, duration, force_max, indentation_max
    restitution, duration, force_max, indentation_max
        their derivatives, by the names of the quantities

    >>> law = carom.model("hunt-crossley-1975").law(mass=0.54, stiffness=2.4e10, restitution=0.6, calibration="exact")
    >>> found = law.gradient(0.5, by=["restitution", "speed"])
    >>> round(found.restitution["restitution"], 6), abs(found.restitution["speed"]) < 1e-8
    (1.0, True)
    """

    def __init__(self, values: Mapping[str, N], by: Mapping[str, Mapping[str, N]]):
        self.values = dict(values)
        self._by = {name: dict(slopes) for name, slopes in by.items()}

    @property
    def restitution(self) -> Mapping[str, N]:
        """Derivatives of the restitution."""
        return self._by["restitution"]

    @property
    def duration(self) -> Mapping[str, N]:
        """Derivatives of the duration of contact; NaN where it is infinite."""
        return self._by["duration"]

    @property
    def force_max(self) -> Mapping[str, N]:
        """Derivatives of the largest force."""
        return self._by["force_max"]

    @property
    def indentation_max(self) -> Mapping[str, N]:
        """Derivatives of the largest indentation."""
        return self._by["indentation_max"]

    def to_table(self) -> Table:
        """Returns one row per impact: the results, and columns such as `force_max_by_speed`."""
        columns: dict[str, Any] = {name: np.ravel(cast(Any, value)) for name, value in self.values.items()}
        for name, slopes in self._by.items():
            columns.update({f"{name}_by_{quantity}": np.ravel(cast(Any, slope)) for quantity, slope in slopes.items()})
        return Table(columns)

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()

    def __repr__(self) -> str:
        return f"<carom.Gradient by {', '.join(self.restitution)}>\n{self.to_table()!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Gradient, (self.values, self._by))


def differentiate(
    spec: Mapping[str, Any], arrays: Mapping[str, Array], by: Sequence[str], threads: int, lenient: bool
) -> Gradient[Any]:
    """Computes the derivatives by these quantities, which are arrays or are given in the description."""
    columns = dict(arrays)
    first = {name: float(np.ravel(values)[0]) if values.size else 1.0 for name, values in arrays.items()}
    for name in by:
        if name not in columns:
            columns[name] = np.asarray(_carom.value_in(text(_complete(spec, first)), name))
    shape = shape_of(columns)
    places = [list(columns).index(name) for name in by]
    found = _carom.gradients(
        text(spec), list(columns), list(columns.values()), list(shape), places, threads, lenient
    )
    numbers = cast(list[Any], [float(column) for column in found] if shape == () else found)
    values = dict(zip(OUTPUTS, numbers))
    slopes = {
        output: {name: numbers[len(OUTPUTS) * (1 + i) + place] for i, name in enumerate(by)}
        for place, output in enumerate(OUTPUTS)
    }
    return Gradient(values, slopes)


def _complete(spec: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, Any]:
    """Returns the description with the numbers of one row."""
    from ._impact import set_quantity

    whole = dict(spec)
    for name, value in values.items():
        set_quantity(whole, name, value)
    return whole
