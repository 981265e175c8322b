"""HTML that notebooks show for impacts, laws and reports: small tables and a curve, in the colours of the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from ._plot import prefix_of


def number(value: float, unit: str = "") -> str:
    """Formats a number with five digits and a prefix of its unit.

    >>> from carom._html import number
    >>> number(0.00020312, "s"), number(0.5), number(float("inf"), "s")
    ('203.12 µs', '0.5', 'inf s')
    """
    factor, prefix = prefix_of(value) if unit in ("s", "m", "N", "J", "N s") and np.isfinite(value) else (1.0, "")
    return f"{value / factor:.5g} {prefix}{unit}".strip()


def facts(title: str, rows: Iterable[tuple[str, str]], notes: Iterable[str] = (), beside: str = "") -> str:
    """Returns a title, a table of two columns, notes below and a drawing beside them."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows
    )
    note_markup = "".join(f"<div><em>note</em> {escape(note)}</div>" for note in notes)
    left = f"<div><strong>{escape(title)}</strong><table>{cells}</table>{note_markup}</div>"
    return f'<div style="display:flex;gap:2em;align-items:center;flex-wrap:wrap">{left}{beside}</div>'


def curve(x: Any, y: Any, across: tuple[str, str], up: tuple[str, str]) -> str:
    """Returns a curve as SVG, with names and units of both axes and their largest values."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = x[finite], y[finite]
    if x.size < 2:
        return ""
    width, height = 240.0, 140.0
    low, high = min(0.0, float(y.min())), float(y.max())
    wide, tall = float(np.ptp(x)) or 1.0, high - low or 1.0
    points = " ".join(
        f"{width * (a - x.min()) / wide:.1f},{height * (high - b) / tall:.1f}" for a, b in zip(x, y)
    )
    base = height * high / tall
    return (
        f'<svg width="280" height="190" viewBox="-10 -22 {width + 30:.0f} {height + 50:.0f}" role="img" '
        f'font-family="sans-serif" font-size="11" fill="currentColor"><title>{escape(up[0])} over {escape(across[0])}</title>'
        f'<path d="M0 {base:.1f}H{width:.0f}M0 0V{height:.0f}" stroke="currentColor" opacity="0.4"/>'
        f'<polyline points="{points}" fill="none" stroke="#0a84c6" stroke-width="1.8"/>'
        f'<text x="0" y="-8">{escape(up[0])}, up to {escape(number(high, up[1]))}</text>'
        f'<text x="{width:.0f}" y="{height + 16:.0f}" text-anchor="end">'
        f"{escape(across[0])}, up to {escape(number(float(x.max()), across[1]))}</text></svg>"
    )
