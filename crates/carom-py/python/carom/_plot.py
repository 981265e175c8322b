"""Figures, with matplotlib where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._impact import Trajectory

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def prefix_of(values: Any) -> tuple[float, str]:
    """The prefix that keeps the largest value between 1 and 1000."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return next(((factor, prefix) for factor, prefix in _PREFIXES if largest >= factor), (1.0, ""))


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as why:
        raise ImportError("figures need matplotlib: pip install carom[plot], or pip install matplotlib") from why
    return plt


def draw(course: Trajectory, axes: Any, label: str | None) -> Figure:
    """Force over time, and the loop of force over indentation whose area is the energy lost."""
    fresh = axes is None
    if fresh:
        plt = pyplot()
        _, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), sharey=True, layout="constrained")
    left, right = axes
    # What is drawn second has the units of what was drawn first.
    units: dict[str, tuple[float, str]] = getattr(left, "_carom_units", {})
    for name in ("time", "indentation", "force"):
        units.setdefault(name, prefix_of(course[name]))
    left._carom_units = units
    time, depth, force = (course[name] / units[name][0] for name in ("time", "indentation", "force"))
    (line,) = left.plot(time, force, label=label)
    right.plot(depth, force, color=line.get_color(), label=label)
    right.fill(depth, force, color=line.get_color(), alpha=0.12, linewidth=0)
    left.set_xlabel(f"time ({units['time'][1]}s)")
    left.set_ylabel(f"force ({units['force'][1]}N)")
    right.set_xlabel(f"indentation ({units['indentation'][1]}m)")
    for axis in (left, right):
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
        if label:
            axis.legend(frameon=False)
    figure: Figure = left.figure
    if fresh and course.title:
        figure.suptitle(course.title, fontsize="medium")
    return figure
