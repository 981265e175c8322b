"""Recomputation of the numbers that papers print, as by `carom reproduce`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import _carom
from ._progress import Progress, progress_callback
from ._tables import Table, table
from .reports import Reproduction as ReproductionReport


class PaperFigure:
    """A figure of a reproduction: `name`, `caption`, and the drawing as SVG, which notebooks display."""

    def __init__(self, name: str, caption: str, svg: str):
        self.name, self.caption, self.svg = name, caption, svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<carom.PaperFigure {self.name}: {self.caption}>"


class Reproduction(ReproductionReport):
    """Reproduction of a paper, number by number: `checks`, `claims`, `tables`, and `figures`."""

    def __init__(self, data: dict[str, Any], figures: Sequence[PaperFigure] = ()):
        super().__init__(data)
        self._figures = list(figures)

    @property
    def figures(self) -> list[PaperFigure]:
        """Figures of the reproduction."""
        return list(self._figures)

    def to_table(self) -> Table:
        """Returns one row per printed number: its place, the printed and the recomputed value, and the verdict."""
        return table(self._data["checks"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (Reproduction, (self._data, self._figures))


def reproduce(paper: str | None = None, *, progress: Progress = None) -> list[Reproduction]:
    """Recomputes the numbers that papers print: all of them, or one. A verdict is `agrees`, `explained`, `differs` or `no-information`.

    >>> (found,) = carom.reproduce("ramaswamy-humbert")
    >>> found.to_table()["verdict"][0]
    'agrees'
    >>> found.figures[0].svg.startswith("<svg")
    True
    """
    with progress_callback(progress, "papers") as tell:
        reports, drawn = _carom.reproduce(paper, tell)
    return [
        Reproduction(report, [PaperFigure(*rest) for of, *rest in drawn if of == report["paper"]])
        for report in json.loads(reports)
    ]
