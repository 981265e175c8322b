"""Progress of long computations: a bar in a notebook or on a terminal, or a function of the user."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, Union

#: True for a bar, False for none, or a function that is called with the amount done and the total. If it is not given, a notebook
#: shows a bar for computations that take longer than a second.
Progress: TypeAlias = Union[bool, Callable[[Any, Any], None], None]

# Time between two drawings, and time before the first drawing if no bar was requested (s).
_DRAW_INTERVAL, _FIRST_DRAW_DELAY = 0.1, 1.0


def _in_notebook() -> bool:
    """Returns whether the output of this process is displayed in a notebook."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class _Bar:
    """A bar that redraws itself at intervals, and is removed at the end."""

    def __init__(self, title: str, delay: float):
        self._title, self._next = title, time.monotonic() + delay
        self._notebook = _in_notebook()
        self._handle: Any = None
        self._drawn = False

    def __call__(self, done: float, all: float) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _DRAW_INTERVAL
        share = min(1.0, done / all) if all > 0 else 1.0
        self._draw(share)

    def _draw(self, share: float) -> None:
        self._drawn = True
        if self._notebook:
            from html import escape

            self._show(f'<progress value="{share:.4f}" max="1"></progress> {escape(self._title)} {share:.0%}')
            return
        full = round(24 * share)
        sys.stderr.write(f"\r{'█' * full}{'░' * (24 - full)} {share:4.0%} {self._title}")
        sys.stderr.flush()

    def _show(self, markup: str) -> None:
        from IPython.display import HTML, display  # type: ignore[import-not-found,unused-ignore]

        if self._handle is None:
            self._handle = display(HTML(markup), display_id=True)
        else:
            self._handle.update(HTML(markup))

    def close(self) -> None:
        if not self._drawn:
            return
        if self._notebook:
            self._show("")
        else:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


@contextmanager
def progress_callback(progress: Progress, title: str) -> Iterator[Callable[[Any, Any], None] | None]:
    """Yields the function that the computation calls with its progress, or None.

    >>> from carom._progress import progress_callback
    >>> with progress_callback(lambda done, all: print(f"{done} of {all}"), "a study") as tell:
    ...     tell(1, 2)
    1 of 2
    """
    if callable(progress):
        yield progress
        return
    requested = progress is True and (_in_notebook() or sys.stderr.isatty())
    if not requested and (progress is not None or not _in_notebook()):
        yield None
        return
    bar = _Bar(title, 0.0 if requested else _FIRST_DRAW_DELAY)
    try:
        yield bar
    finally:
        bar.close()
