"""Many impacts: compares `carom sweep` with numba and JAX in one run, with the errors beside the times.

F = K*d^1.5*(1 + a*v), steel, each impact with its own speed and restitution. carom finds the exact damping itself and writes all
results to a file; the others are given the damping and keep their results in memory.

    python bench/sweep.py path/to/carom [--record bench/SWEEP.md]
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.integrate import solve_ivp

MASS, STIFFNESS, N = 0.54, 2.4144e10, 1.5
THREADS = os.cpu_count()
CASES = 4_000_000
HEADING = "## Last run"

STUDY = """
[impact]
law = "{law}"
mass = {mass}
stiffness = {stiffness}
calibration = "exact"
[sampling]
method = "random"
count = {count}
seed = 1
[[axis]]
parameter = "speed"
distribution = "uniform"
from = 0.1
to = 0.6
[[axis]]
parameter = "restitution"
distribution = "uniform"
from = 0.5
to = 0.95
"""


class Clock:
    """Measures elapsed time, and processor time of this process or its children, which other work does not affect."""

    def __init__(self, children=False):
        self.who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
        self.wall, self.cpu = time.perf_counter(), self.processor()

    def processor(self):
        used = resource.getrusage(self.who)
        return used.ru_utime + used.ru_stime

    def read(self):
        return time.perf_counter() - self.wall, self.processor() - self.cpu


def epsilon(e):
    """The exact damping of Hunt and Crossley's form: eps*(1 + e) = ln((1 + eps)/(1 - eps*e)), by bisection."""
    low, high = np.zeros_like(e), 1 / e * (1 - 1e-15)
    for _ in range(200):
        middle = 0.5 * (low + high)
        too_small = middle * (1 + e) > np.log((1 + middle) / (1 - middle * e))
        low, high = np.where(too_small, middle, low), np.where(too_small, high, middle)
    return 0.5 * (low + high)


def reference(eps):
    """Returns dimensionless restitution, duration, largest force and indentation, by DOP853 at 1e-13."""
    rows = []
    for value in eps:
        def right(_, s, value=value):
            x = max(s[0], 0.0)
            return [s[1], -x * np.sqrt(x) * (1 + value * s[1])]

        turn = lambda _, s: s[1]
        force = lambda _, s, value=value: 1.5 * np.sqrt(max(s[0], 0.0)) * s[1] * (1 + value * s[1]) + max(
            s[0], 0.0) ** 1.5 * value * right(0, s)[1]
        out = lambda t, s: s[0] if t > 0.1 else 1.0
        out.terminal = True
        run = solve_ivp(right, (0, 20), [0.0, 1.0], "DOP853", rtol=1e-13, atol=1e-15, max_step=0.05,
                        events=[turn, force, out])
        peak = [s[0] ** 1.5 * (1 + value * s[1]) for s in run.y_events[1] if s[0] > 1e-6]
        rows.append([-run.y_events[2][0][1], run.t_events[2][0], max(peak), run.y_events[0][0][0]])
    return np.array(rows)


def scales(speed):
    """Returns the length and time scales of the impacts."""
    length = (MASS * speed**2 / STIFFNESS) ** (1 / (N + 1))
    return length, length / speed


def to_si(found, speed):
    length, duration = scales(speed)
    return found * np.stack([np.ones_like(speed), duration, MASS * speed / duration, length], axis=1)


def by_carom(command, ending, law, count):
    import pyarrow.csv
    import pyarrow.parquet

    with tempfile.TemporaryDirectory() as folder:
        study, out = f"{folder}/study.toml", f"{folder}/out.{ending}"
        with open(study, "w") as file:
            file.write(STUDY.format(law=law, mass=MASS, stiffness=STIFFNESS, count=count))
        clock = Clock(children=True)
        words = [command, "sweep", study, "--out", out, "--threads", str(THREADS), "--json"]
        subprocess.run(words, check=True, stdout=subprocess.PIPE)
        seconds = clock.read()
        read = {"csv": pyarrow.csv.read_csv, "parquet": pyarrow.parquet.read_table}[ending]
        table = read(out)
    names = ["restitution_newton", "duration", "force_max", "indentation_max"]
    columns = [np.array(table.column(name)) for name in ["speed", "restitution", *names]]
    return seconds, columns[0], columns[1], np.stack(columns[2:], axis=1)


def by_numba(eps):
    import numba

    @numba.njit(parallel=True, cache=False)
    def run(eps, steps, out):
        for i in numba.prange(eps.size):
            e = eps[i]
            # The steps cover slightly more than the undamped contact; the end is interpolated within the last step.
            h = 3.218065459719 * (1 + 0.25 * e) / steps
            x, v, t, force, depth = 0.0, 1.0, 0.0, 0.0, 0.0
            while True:
                k1 = -x * np.sqrt(x) * (1 + e * v)
                x2 = x + 0.5 * h * v
                v2 = v + 0.5 * h * k1
                y = max(x2, 0.0)
                k2 = -y * np.sqrt(y) * (1 + e * v2)
                x3 = x + 0.5 * h * v2
                v3 = v + 0.5 * h * k2
                y = max(x3, 0.0)
                k3 = -y * np.sqrt(y) * (1 + e * v3)
                x4 = x + h * v3
                v4 = v + h * k3
                y = max(x4, 0.0)
                k4 = -y * np.sqrt(y) * (1 + e * v4)
                x1 = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
                v1 = v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
                if x1 <= 0.0:
                    s = x / (x - x1)
                    out[i, 0] = -(v + s * (v1 - v))
                    out[i, 1] = t + s * h
                    break
                x, v, t = x1, v1, t + h
                force = max(force, x * np.sqrt(x) * (1 + e * v))
                depth = max(depth, x)
            out[i, 2] = force
            out[i, 3] = depth

    out = np.empty((eps.size, 4))
    numba.set_num_threads(THREADS)
    run(eps[:1000], 100, out[:1000])
    clock = Clock()
    run(eps, 100, out)
    return clock.read(), out


def by_diffrax(eps, tolerance):
    import jax

    jax.config.update("jax_enable_x64", True)
    import diffrax
    import jax.numpy as jnp
    import optimistix

    def right(_, s, e):
        x = jnp.maximum(s[0], 0.0)
        return jnp.stack([s[1], -x * jnp.sqrt(x) * (1 + e * s[1])])

    term = diffrax.ODETerm(right)
    event = diffrax.Event(lambda t, y, args, **_: jnp.where(t > 0.1, y[0], 1.0),
                          optimistix.Newton(1e-10, 1e-10))

    @jax.jit
    @jax.vmap
    def run(e):
        found = diffrax.diffeqsolve(
            term, diffrax.Tsit5(), 0.0, 20.0, 0.01, jnp.array([0.0, 1.0]), args=e, max_steps=256, event=event,
            saveat=diffrax.SaveAt(t1=True, steps=True),
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance))
        x = jnp.where(jnp.isfinite(found.ys[:, 0]), jnp.maximum(found.ys[:, 0], 0.0), 0.0)
        v = jnp.where(jnp.isfinite(found.ys[:, 1]), found.ys[:, 1], 0.0)
        last = jnp.argmax(jnp.where(jnp.isfinite(found.ts), found.ts, -1.0))
        force = jnp.max(x * jnp.sqrt(x) * (1 + e * v))
        return jnp.stack([-found.ys[last, 1], found.ts[last], force, jnp.max(x)])

    run(eps).block_until_ready()
    clock = Clock()
    out = run(eps).block_until_ready()
    return clock.read(), np.array(out)


def main():
    command = sys.argv[1]
    count = int(os.environ.get("CASES", CASES))
    lines = []

    def row(name, seconds, cases, found, exact):
        errors = [f"{error:.0e}" for error in np.max(np.abs(found / exact - 1), axis=0)]
        wall, cpu = (spent / cases for spent in seconds)
        lines.append((name, wall, cpu, errors))
        print(name, f"{1e9 * wall:.0f} ns", f"{1e9 * cpu:.0f} ns", errors, file=sys.stderr)

    checked = slice(0, 200)
    exact = None
    for ending in ["parquet", "csv"]:
        seconds, speed, restitution, found = by_carom(command, ending, "hunt-crossley-1975", count)
        eps = epsilon(restitution)
        if exact is None:
            exact = to_si(reference(eps[checked]), speed[checked])
        row(f"`carom sweep`, exact damping found, all written as {ending}", seconds, count, found[checked], exact)
    si = lambda found: to_si(found[checked], speed[checked])
    seconds, found = by_numba(eps)
    row("numba `prange`, RK4 with 100 steps, damping given, not written", seconds, count, si(found), exact)
    few = eps[:50_000]
    for tolerance in [1e-6, 1e-9]:
        seconds, found = by_diffrax(few, tolerance)
        row(f"diffrax `vmap`, Tsit5 {tolerance:.0e}, damping given, not written", seconds, few.size, si(found), exact)

    first = lines[0][2]
    text = f"{count:_} impacts, {THREADS} threads.\n\n".replace("_", " ")
    head = ["method", "per impact", "processor time", "against carom", "restitution", "duration", "peak force", "peak indentation"]
    text += "| " + " | ".join(head) + " |\n|" + "---|" + "---:|" * (len(head) - 1) + "\n"
    for name, wall, cpu, errors in lines:
        cells = [name, f"{1e9 * wall:.0f} ns", f"{1e9 * cpu:.0f} ns", f"{cpu / first:.2g} ×", *errors]
        text += "| " + " | ".join(cells) + " |\n"
    print(text)
    if "--record" in sys.argv:
        path = sys.argv[sys.argv.index("--record") + 1]
        with open(path) as file:
            above = file.read().split(HEADING)[0]
        with open(path, "w") as file:
            file.write(f"{above}{HEADING}\n\n{text}")


if __name__ == "__main__":
    main()
