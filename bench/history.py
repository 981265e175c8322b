"""Appends the results of benchmark runs to a history; `make bench-record` calls it.

    python3 bench/history.py           append the last run in bench/README.md to bench/HISTORY.csv
    python3 bench/history.py --past    write bench/HISTORY.csv afresh from every run in the history of the repository

A row is a time of carom with its date, version, commit, machine, table and method. Times of different machines cannot be
compared; `ratio`, the time divided by that of the Runge-Kutta loop with `powf` in the same table of the same run, can.
"""

import csv
import io
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "HISTORY.csv"
COLUMNS = ["date", "version", "commit", "machine", "table", "problem", "method", "time_s", "ratio"]
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def seconds(cell):
    """Returns a cell such as `7.14 µs` in seconds, or None if it is not a time."""
    found = re.fullmatch(r"([\d.]+) (ns|µs|ms|s)", cell)
    return float(found[1]) * UNITS[found[2]] if found else None


def rows(text):
    """Yields table, problem, method, time and ratio of every row about carom below "Last run"."""
    _, _, last = text.partition("## Last run")
    lines = last.strip().splitlines()
    machine = lines[0].strip() if lines else ""
    table = problem = ""
    block = []

    def finish():
        slow = next((time for method, time in block if method.startswith("RK4") and "powf" in method), None)
        for method, time in block:
            if method.startswith("carom"):
                yield table, problem, method.replace("`", ""), time, time / slow if slow else None
        block.clear()

    for line in lines[1:]:
        if line.startswith("#"):
            yield from ((machine, *row) for row in finish())
            table, problem = line.lstrip("# ").strip(), ""
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            times = [time for cell in cells[1:] if (time := seconds(cell)) is not None]
            if times:
                block.append((cells[0], times[0]))
        elif line.strip():
            yield from ((machine, *row) for row in finish())
            problem = line.strip()
    yield from ((machine, *row) for row in finish())


def git(*words):
    return subprocess.run(["git", *words], cwd=HERE.parent, capture_output=True, text=True).stdout


def version(text):
    found = re.search(r'^version = "(.*)"', text, re.M)
    return found[1] if found else ""


def entries(text, date, number, commit):
    for machine, table, problem, method, time, ratio in rows(text):
        shown = "" if ratio is None else f"{ratio:.4g}"
        yield [date, number, commit, machine, table, problem, method, f"{time:.4g}", shown]


def main():
    if "--past" in sys.argv:
        found, before = [], None
        for line in reversed(git("log", "--format=%h %cs", "--", "bench/README.md").splitlines()):
            commit, date = line.split()
            text = git("show", f"{commit}:bench/README.md")
            run = list(entries(text, date, version(git("show", f"{commit}:Cargo.toml")), commit))
            measured = [row[3:] for row in run]
            if measured and measured != before:
                found += run
                before = measured
        old = io.StringIO()
        csv.writer(old, lineterminator="\n").writerow(COLUMNS)
        FILE.write_text(old.getvalue(), encoding="utf-8")
    else:
        date = git("log", "-1", "--format=%cs").strip()
        here = version((HERE.parent / "Cargo.toml").read_text(encoding="utf-8"))
        text = (HERE / "README.md").read_text(encoding="utf-8")
        found = list(entries(text, date, here, git("rev-parse", "--short", "HEAD").strip()))
    with FILE.open("a", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(found)
    print(f"{len(found)} times added to {FILE.name}")


main()
