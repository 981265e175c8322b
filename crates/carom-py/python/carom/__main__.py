"""Runs the command `carom` as `python -m carom`."""

from ._command import main

if __name__ == "__main__":
    main()
