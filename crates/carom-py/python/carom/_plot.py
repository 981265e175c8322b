"""Draws figures with matplotlib, if it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._fit import Fit
    from ._impact import Trajectory

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def prefix_of(values: Any) -> tuple[float, str]:
    """Returns the prefix with which the largest value is between 1 and 1000."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return next(((factor, prefix) for factor, prefix in _PREFIXES if largest >= factor), (1.0, ""))


def pyplot() -> Any:
    """Returns matplotlib.pyplot, or raises an error that says how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as why:
        raise ImportError("figures need matplotlib: pip install carom[plot], or pip install matplotlib") from why
    return plt


def close_figure(figure: Figure) -> Figure:
    """Closes a figure that is returned, so that a notebook does not draw it twice."""
    plt = pyplot()
    if "inline" in str(plt.get_backend()):
        plt.close(figure)
    return figure


def draw(course: Trajectory, axes: Any, label: str | None) -> Figure:
    """Draws force over time, and the loop of force over indentation, whose area is the energy lost."""
    fresh = axes is None
    if fresh:
        plt = pyplot()
        _, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), sharey=True, layout="constrained")
    left, right = axes
    # Later curves use the units of the first one.
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
    return close_figure(figure) if fresh else figure


def draw_fit(fit: Fit) -> Figure:
    """Draws measured points, the fitted law, and the residuals."""
    plt = pyplot()
    points, curve = fit.points, fit.curve
    if len(points) == 0:
        raise ValueError("a fit to numbers of whole impacts has no curve to draw")
    axis = next(iter(points))
    (x_factor, x_prefix), (f_factor, f_prefix) = prefix_of(points[axis]), prefix_of(points["force"])
    figure: Figure
    figure, (upper, lower) = plt.subplots(
        2, 1, figsize=(6.4, 4.8), sharex=True, height_ratios=[3, 1], layout="constrained"
    )
    upper.plot(points[axis] / x_factor, points["force"] / f_factor, ".", ms=3, color="0.5", label="measured")
    upper.plot(curve[axis] / x_factor, curve["force"] / f_factor, label=str(fit["law"]))
    if "lower" in curve:
        edges = (curve[edge] / f_factor for edge in ("lower", "upper"))
        upper.fill_between(curve[axis] / x_factor, *edges, alpha=0.25, linewidth=0, label="95 % confidence")
    lower.plot(points[axis] / x_factor, points["residual"] / f_factor, ".", ms=3, color="0.5")
    lower.axhline(0.0, color="C0", linewidth=1)
    upper.set_ylabel(f"force ({f_prefix}N)")
    lower.set_ylabel("residual")
    lower.set_xlabel(f"{axis} ({x_prefix}{'s' if axis == 'time' else 'm'})")
    upper.legend(frameon=False)
    for panel in (upper, lower):
        panel.grid(alpha=0.25)
        panel.spines[["top", "right"]].set_visible(False)
    return close_figure(figure)
