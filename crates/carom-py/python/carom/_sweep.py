"""Studies: millions of cases from one description, computed here or on a cluster, with identical bytes in both cases.

Case number i of a study is a pure function of the study and i, and a partition of it encodes to the same bytes wherever it is
computed. Therefore there is only one loop: fragments are computed by threads of this process or by workers of a Dask cluster,
and this process writes them to the file in the order of their numbers.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from . import _carom
from ._carom import Error
from ._progress import Progress, progress_callback
from ._simulate import SceneValue, changes, read_scene
from ._tables import Result, Table
from ._values import count, as_list, threads as cores
from .reports import SweepSensitivity as Sensitivity

Study = str | os.PathLike[str]

# Largest number of cases that are kept in memory; more cases must be written to a file.
MAX_CASES_IN_MEMORY = 20_000_000


def study_text(study: Study) -> str:
    """Returns the TOML of a study, which is given as text, as the path of a file, or as the name of a built-in study."""
    if isinstance(study, str) and "\n" in study:
        return study
    path = Path(study)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Error(f"cannot read `{path}`: it is not text; name a study in TOML") from None
    except OSError as why:
        if isinstance(study, str) and path.suffix == "" and os.sep not in study:
            return _carom.builtin_study(study)
        raise Error(f"cannot read `{path}`: {why.strerror}; name a study in TOML") from None


# Description of a plan: `study`, `scene` or `bifurcation`, and the arguments.
Description = tuple[Any, ...]


@lru_cache(maxsize=4)
def _plan(description: Description) -> _carom.Plan:
    """Returns the plan of a study, which is made once in every process that works on it."""
    kind, *arguments = description
    arguments = [list(one) if isinstance(one, tuple) else one for one in arguments]
    make: Any = {"study": _carom.Plan, "scene": _carom.Plan.of_scene, "bifurcation": _carom.Plan.bifurcation}
    plan: _carom.Plan = make[kind](*arguments)
    return plan


def _fragment(description: Description, number: int, path: str) -> tuple[bytes, list[int], dict[str, int]]:
    """Computes a part of a file on a worker."""
    return _plan(description).fragment(number, path)


def _partition(description: Description, number: int) -> list[Any]:
    """Computes a part of a table on a worker."""
    return _plan(description).partition(number)


def _in_order(client: Any, threads: int, work: Callable[..., Any], numbers: range, *arguments: Any) -> Iterator[Any]:
    """Yields results in the order of their numbers, computed by workers or threads; a bounded number of them is computed ahead of
    the next one.

    When a worker of a cluster fails, its results are lost; Dask computes them again on another worker.
    """
    if client is None:
        pool: Any = ThreadPoolExecutor(threads)
        submit, ahead = pool.submit, 2 * threads + 2
    else:
        pool = None
        workers = max(1, sum(client.nthreads().values()))
        ahead = 2 * workers + 2

        def submit(*task: Any) -> Any:
            return client.submit(*task, pure=False, retries=5)

    waiting: deque[Any] = deque()
    try:
        for number in numbers:
            waiting.append(submit(work, arguments[0], number, *arguments[1:]))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
        if pool is not None:
            # After Ctrl-C, partitions in progress are not waited for.
            pool.shutdown(wait=False, cancel_futures=True)


class Sweep(Result):
    """Summary of a sweep that was written to a file: its path and size, the numbers of cases and partitions, how many of these an
    earlier run wrote, and the number of cases of each status; `carom.sweep(study, out="results.parquet").status` is, for
    example, `{"ok": 4}`.
    """

    path: str
    cases: int
    partitions: int
    resumed: int
    bytes: int
    status: Mapping[str, int]


@overload
def sweep(
    study: Study,
    client: Any = ...,
    *,
    over: Sequence[str] | str | None = ...,
    outputs: Sequence[str] | str = ...,
    set: Mapping[str, SceneValue] | None = ...,
    since: str | float = ...,
    out: None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> Table: ...


@overload
def sweep(
    study: Study,
    client: Any = ...,
    *,
    over: Sequence[str] | str | None = ...,
    outputs: Sequence[str] | str = ...,
    set: Mapping[str, SceneValue] | None = ...,
    since: str | float = ...,
    out: str | os.PathLike[str],
    threads: int | None = ...,
    overwrite: bool = ...,
    restart: bool = ...,
    progress: Progress = ...,
) -> Sweep: ...


def sweep(
    study: Study,
    client: Any = None,
    *,
    over: Sequence[str] | str | None = None,
    outputs: Sequence[str] | str = (),
    set: Mapping[str, SceneValue] | None = None,
    since: str | float = 0.0,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: Progress = None,
) -> Table | Sweep:
    """Computes a study like `carom sweep` (docs/how-to/sweeps.md): all cases as a table, or into the file `out`.

    study
        TOML as text, the path of a file, or the name of a built-in study; with `over` a scene
    client
        a `dask.distributed.Client`; without one, the threads of this process are used
    over
        keys of the scene that vary, as "wrist pin.clearance=0.1..1 mm:10" or "gap.law=hertz, tsuji"
    outputs, set, since
        results of the runs that are kept, keys of the scene that change in all of them, and the time before which results
        do not count; for scenes only
    out
        a file: .parquet, .csv or .arrow, with the same bytes as `carom sweep --out` writes, wherever they are computed. A
        run that was stopped is continued. Returns a summary: path, cases, bytes, status
    overwrite, restart
        replace a file of something else; discard a partial file of an earlier run
    progress
        True for a bar, or a function that is called with the numbers of cases done and of all cases

    >>> study = '''
    ... [impact]
    ... law = "hertz-1881"
    ... mass = 1.0
    ... stiffness = 1e9
    ... [sampling]
    ... count = 4
    ... [[axis]]
    ... parameter = "speed"
    ... distribution = "uniform"
    ... from = 0.1
    ... to = 0.5
    ... '''
    >>> len(carom.sweep(study))
    4
    """
    if over is None:
        if outputs or set or since:
            raise Error("outputs, set and since are of a scene: name what varies in it, over=\"wrist pin.clearance=0.1..1 mm:10\"")
        description = _study(study)
    else:
        text, folder = read_scene(study)
        axes = tuple(as_list(over))
        start = _carom.si("since", since, "s") if isinstance(since, str) else float(since)
        description = ("scene", text, folder, axes, changes(set), tuple(as_list(outputs)), start)
    return _compute(description, client, out, cores(threads), overwrite, restart, progress)


@overload
def bifurcation(
    scene: Study,
    over: str,
    client: Any = ...,
    *,
    section: Literal["turn", "touch"] = ...,
    joint: str | None = ...,
    body: str | None = ...,
    turns: int = ...,
    skip: int = ...,
    at: float = ...,
    period: float | None = ...,
    exponent: bool = ...,
    set: Mapping[str, SceneValue] | None = ...,
    out: None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> Table: ...


@overload
def bifurcation(
    scene: Study,
    over: str,
    client: Any = ...,
    *,
    section: Literal["turn", "touch"] = ...,
    joint: str | None = ...,
    body: str | None = ...,
    turns: int = ...,
    skip: int = ...,
    at: float = ...,
    period: float | None = ...,
    exponent: bool = ...,
    set: Mapping[str, SceneValue] | None = ...,
    out: str | os.PathLike[str],
    threads: int | None = ...,
    overwrite: bool = ...,
    restart: bool = ...,
    progress: Progress = ...,
) -> Sweep: ...


def bifurcation(
    scene: Study,
    over: str,
    client: Any = None,
    *,
    section: Literal["turn", "touch"] = "turn",
    joint: str | None = None,
    body: str | None = None,
    turns: int = 100,
    skip: int = 100,
    at: float = 0.0,
    period: float | None = None,
    exponent: bool = True,
    set: Mapping[str, SceneValue] | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    restart: bool = False,
    progress: Progress = None,
) -> Table | Sweep:
    """Computes the Poincaré section of a scene over a key that varies, and its largest Lyapunov exponent, as `carom bifurcation`
    does (docs/how-to/bifurcation.md). There is a row for each point; numbers that belong to a value of the key are the same in
    all its rows.

    over
        the key and its values, as "wrist pin.clearance=0.05..0.5 mm:100"
    section
        when points are taken: once per `turn` of the drive, or at every `touch` of the joint
    turns, skip, at, period
        number of turns in which points are taken, number of turns left out before them, the angle of the drive (degrees),
        and the duration of a turn (s) if it is not that of the drive
    out, client, threads, overwrite, restart, progress
        as for `sweep`
    """
    if section not in ("turn", "touch"):
        raise Error(f"no section `{section}`; use `turn` (once a turn of the drive) or `touch` (at every touch)")
    text, folder = read_scene(scene)
    description = (
        "bifurcation", text, folder, over, changes(set), section == "touch", joint, body, count("turns", turns), count("skip", skip),
        at / 360.0 % 1.0, period, exponent,
    )  # fmt: skip
    return _compute(description, client, out, cores(threads), overwrite, restart, progress)


def _study(study: Study) -> Description:
    """Returns a study, and the folder in which it is."""
    named = isinstance(study, str) and ("\n" in study or not Path(study).exists())
    return ("study", study_text(study), "." if named else str(Path(study).parent))


def _compute(
    description: Description,
    client: Any,
    out: str | os.PathLike[str] | None,
    number_of_threads: int,
    overwrite: bool,
    restart: bool,
    progress: Progress,
) -> Table | Sweep:
    plan = _plan(description)
    if out is None:
        with progress_callback(progress, plan.title) as tell:
            return _compute_in_memory(plan, description, client, number_of_threads, tell)
    path = os.fspath(out)
    sink = _carom.Sink(plan, path, overwrite, restart)
    status: dict[str, int] = {}
    first = plan.partitions if sink.next is None else sink.next
    done = first
    with progress_callback(progress, plan.title) as tell:
        for body, sizes, counts in _in_order(
            client, number_of_threads, _fragment, range(first, plan.partitions), description, path
        ):
            sink.append(body, sizes)
            done += 1
            for word, count in counts.items():
                status[word] = status.get(word, 0) + count
            if tell is not None:
                tell(plan.cases * done // plan.partitions, plan.cases)
    if sink.next is not None:
        sink.finish()
    return Sweep(
        {
            "path": path,
            "cases": plan.cases,
            "partitions": plan.partitions,
            "resumed": first,
            "bytes": os.path.getsize(path),
            "status": status,
        }
    )


def _compute_in_memory(plan: _carom.Plan, description: Description, client: Any, threads: int, progress: Any) -> Table:
    if plan.cases > MAX_CASES_IN_MEMORY:
        raise Error(f"{plan.cases} cases are too many to keep in memory: give out=\"results.parquet\", .csv or .arrow")
    parts: list[list[Any]] = []
    done = 0
    for part in _in_order(client, threads, _partition, range(plan.partitions), description):
        if not parts:  # the columns are known only now, and with them the columns into which the parts are joined
            _carom.room(f"a table of {plan.cases} cases", 2 * 8 * len(part) * plan.cases)
        parts.append(part)
        done += len(np.unique(part[0][2]))
        if progress is not None:
            progress(done, plan.cases)
    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    for pieces in zip(*parts):
        name, unit, _, words = pieces[0]
        values = np.concatenate([values for _, _, values, _ in pieces])
        columns[name] = values if words is None else np.array(words, dtype=object)[values].tolist()
        units[name] = unit
    return Table(columns, units)


def sensitivity(
    study: Study, *, samples: int = 4096, confidence: float = 0.95, threads: int | None = None
) -> Sensitivity:
    """Computes which uncertain input of a study, of impacts or of a scene, causes the variance of the results, as `carom
    sensitivity` does.

    >>> study = '''
    ... [impact]
    ... law = "hertz-1881"
    ... mass = 1.0
    ... [sampling]
    ... count = 64
    ... [[axis]]
    ... parameter = "stiffness"
    ... distribution = "uniform"
    ... from = 1e9
    ... to = 1.1e9
    ... [[axis]]
    ... parameter = "speed"
    ... distribution = "uniform"
    ... from = 0.1
    ... to = 0.5
    ... '''
    >>> found = carom.sensitivity(study, samples=64)
    >>> found.samples, len(found.groups)
    (64, 1)
    """
    return Sensitivity(json.loads(_plan(_study(study)).sensitivity(samples, confidence, cores(threads))))
