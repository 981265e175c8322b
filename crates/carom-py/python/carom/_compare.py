"""Comparison of laws with measured impacts, as by `carom compare`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from . import _carom
from ._carom import Error
from ._choices import Calibration, Exit
from ._law import Model
from ._tables import Table, flatten, table
from ._values import as_list
from .reports import Comparison as ComparisonReport

#: Sort key of a comparison: the root mean square of all errors, one of them, or the names of the laws.
Sort: TypeAlias = Literal["score", "restitution", "duration", "force", "indentation", "name"]

_ERRORS = {
    "score": "score",
    "restitution": "restitution_error",
    "duration": "duration_error",
    "force": "force_max_error",
    "indentation": "indentation_max_error",
}


def _error(row: Mapping[str, Any], sort: str) -> float:
    """Returns the error of a law; infinite for a law that did not run, or if the quantity was not measured."""
    if sort not in _ERRORS:
        raise Error(f"no sort `{sort}`; use {', '.join(_ERRORS)} or name")
    error = row[_ERRORS[sort]]
    return math.inf if error is None else abs(error)


class Comparison(ComparisonReport):
    """An experiment, with a row for every law: its results and their deviations from the measurement.

    >>> found = carom.compare("steel-ball-0.5", laws=["hunt-crossley-1975", "flores-2011"])
    >>> found.experiment.speed, len(found.rows)
    (0.5, 2)
    >>> found.to_table()["law"][0] == found.rows[0].law
    True
    """

    def to_table(self) -> Table:
        """Returns one row per law, the best first; errors are relative (0.01 means 1 % too large)."""
        rows = [flatten(row) for row in self._data["rows"]]
        names = [name for name in rows[0] if not any(isinstance(row[name], (list, dict)) for row in rows)] if rows else []
        return table([{name: row[name] for name in names} for row in rows])


def compare(
    experiment: str,
    laws: Sequence[str | Model] | str | None = None,
    *,
    calibration: Calibration | None = None,
    exit: Exit | None = None,
    sort: Sort = "score",
) -> Comparison:
    """Compares laws (all unless given) with a measured impact; `carom.experiments()` lists these.

    The dissipation of a law follows from its published formula for the measured restitution, or from exact calibration if its
    source has no formula; elastic laws have none. `calibration` selects the same method for all laws.

    >>> carom.compare("steel-ball-0.5", ["hertz-1881", "flores-2011"], sort="restitution").rows[0].law
    'flores-2011'
    """
    names = [law if isinstance(law, str) else law.id for law in as_list(laws or ())]
    if laws is not None and not names:
        raise Error("laws = [] is not allowed: laws must name at least one; leave it out to compare them all")
    found = json.loads(_carom.compare(experiment, names, calibration, exit))
    rows = found["rows"]
    rows.sort(key=lambda row: row["law"] if sort == "name" else _error(row, sort))
    return Comparison(found)


def experiments() -> Table:
    """Returns the measured impacts: id, title, numbers (SI), source.

    >>> "steel-ball-0.5" in carom.experiments()["id"]
    True
    """
    units = {"mass": "kg", "speed": "m/s", "duration": "s", "force_max": "N", "indentation_max": "m"}
    return table(json.loads(_carom.experiments()), units)
