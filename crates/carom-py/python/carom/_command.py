"""The command `carom`, for `python -m carom` and the script that pip installs."""

from __future__ import annotations

import signal
import sys

from . import _carom


def main() -> None:
    """Runs the command with the arguments of this process and ends the process with its exit status."""
    # The command handles Ctrl-C itself; Python's handler would only record the signal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_carom.command(sys.argv[1:]))
