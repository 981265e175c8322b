"""`python -m carom` is the command `carom`."""

from ._command import main

if __name__ == "__main__":
    main()
