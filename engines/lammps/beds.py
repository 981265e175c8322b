# SPDX-License-Identifier: GPL-2.0-only
"""Beds of 600 grains that fall into a box and settle, in LAMMPS with the plugin and in carom; called by `check.py`."""

import concurrent.futures
import math
import os
import subprocess

WORDS = "law tsuji-1992 restitution 0.6 calibration exact youngs 5e6 poisson 0.3 friction 0.4 rolling_arm 1e-5"

SCENE = """
[simulation]
duration = {duration!r}
gravity = "9.81 m/s^2"
step = {step!r}
sample = {sample!r}

[grains]
file = "bed.txt"
radius = 1e-3
youngs = 5e6
poisson = 0.3
density = 2500
width = [0.02, 0.02]

[grains.contact]
law = "tsuji-1992"
restitution = 0.6
calibration = "exact"
friction = {{ coefficient = 0.4, mindlin = true }}
rolling = {{ arm = 1e-5 }}
"""

BED = """
units si
atom_style sphere
atom_modify map array
boundary f f f
comm_modify vel yes
processors {processors}
read_data bed.data
neighbor 0.0003 bin
neigh_modify delay 0
pair_style carom
pair_coeff * * {words}
fix motion all nve/sphere
fix weight all gravity 9.81 vector 0 0 -1
fix xwall all wall/carom xplane 0 0.02 {words}
fix ywall all wall/carom yplane 0 0.02 {words}
fix floor all wall/carom zplane 0 NULL {words}
timestep {step!r}
compute spin all erotate/sphere
variable height equal 9.81*mass(all)*xcm(all,z)
variable stored equal pe+f_xwall+f_ywall+f_floor
variable kinetic equal ke+c_spin
variable time equal step*dt
thermo_style custom step v_time v_kinetic v_height v_stored ke pe
thermo_modify format float %.15g
thermo {every}
"""


def table(text):
    """Returns the rows of the thermodynamic output."""
    rows = []
    for line in text.splitlines():
        try:
            row = [float(word) for word in line.split()]
        except ValueError:
            continue
        if len(row) > 2:
            rows.append(row)
    return rows


def lattice(count, width, radius, seed=12345):
    """Returns positions of grains that will fall: a lattice with small displacements, the same on every machine."""
    pitch, places, state = 2.3 * radius, [], seed
    across = int((width - 2 * radius) / pitch) + 1

    def shift():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return (state / 2**31 - 0.5) * 0.25 * radius

    for n in range(count):
        layer, rest = divmod(n, across * across)
        row, column = divmod(rest, across)
        places.append([1.15 * radius + pitch * k + shift() for k in (column, row, layer)])
    return places


def data(places, radius, box):
    """Returns a LAMMPS data file."""
    rows = "\n".join(f"{i + 1} 1 {2 * radius!r} 2500 {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(places))
    bounds = "\n".join(f"0 {edge!r} {axis}lo {axis}hi" for edge, axis in zip(box, "xyz"))
    return f"grains\n\n{len(places)} atoms\n1 atom types\n\n{bounds}\n\nAtoms # sphere\n\n{rows}\n"


def carom_bed(check, name, places, step, duration, sample):
    """Runs carom's own bed; returns time, kinetic, potential and stored energy."""
    folder = check.work / "lammps-plugin" / f"bed-carom-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bed.txt").write_text("".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in places))
    (folder / "scene.toml").write_text(SCENE.format(duration=duration, step=step, sample=sample))
    command = [str(check.carom), "simulate", "scene.toml", "--out", "results", "--overwrite", "--format", "csv", "--threads", "1"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    lines = (folder / "results" / "energies.csv").read_text().splitlines()
    names = lines[0].split(",")
    return [[float(line.split(",")[names.index(name)]) for name in ("time_s", "kinetic_J", "potential_J", "stored_J")]
            for line in lines[1:]]


def lammps_bed(check, name, places, step, duration, sample, ranks=1, processors="1 1 1"):
    """Runs the same bed in LAMMPS."""
    files = [("bed.data", data(places, 1e-3, (0.02, 0.02, 0.06)))]
    text = BED.format(words=WORDS, processors=processors, step=step, every=round(sample / step))
    text += f"run {round(duration / step)}\n"
    rows = table(check.lammps(f"bed-{name}", text, ranks, files))
    return [row[1:] for row in rows if len(row) == 7]


def task_executor():
    """Returns an executor that runs as many tasks at the same time as there are processors."""
    return concurrent.futures.ThreadPoolExecutor(os.cpu_count())


def largest_difference(runs, others, scale):
    """Returns the largest difference of the kinetic energies of two runs, divided by a scale."""
    return max(abs(a[1] - b[1]) for a, b in zip(runs, others)) / scale


def beds(check):
    """Compares a bed of 600 grains that falls and settles: in carom, and in LAMMPS on 1, 2 and 4 processes and with half the
    step.

    The effect of the step is measured by halving it. Runs on several processes must agree within this effect until the end.
    carom's own bed can be compared in this way only in the beginning, before the motion of single grains depends on every digit:
    the difference of the two programs decreases with the step, and extrapolated to a step of zero it must be less than the effect
    of halving."""
    places, step, duration, sample = lattice(600, 0.02, 1e-3), 1e-5, 0.2, 0.01
    early = round(0.02 / sample)
    with task_executor() as pool:
        whole = (duration, sample)
        runs = {
            "carom": pool.submit(carom_bed, check, "whole", places, step, *whole),
            "1 process": pool.submit(lammps_bed, check, "1", places, step, *whole),
            "2 processes": pool.submit(lammps_bed, check, "2", places, step, *whole, 2, "2 1 1"),
            "half the step": pool.submit(lammps_bed, check, "half", places, step / 2, *whole),
        }
        finer = pool.submit(carom_bed, check, "finer", places, step / 2, 0.04, sample)
        # With more processes than cores most of the time is spent waiting, so that the run on four processes is short.
        four = pool.submit(lammps_bed, check, "4", places, step, 0.04, sample, 4, "2 2 1")
    runs, finer, four = {name: run.result() for name, run in runs.items()}, finer.result(), four.result()
    one, n = runs["1 process"], len(runs["carom"])
    scale = max(row[1] for row in one)
    for name, rows in runs.items():
        check.require(len(rows) == n, f"bed, {name}: {len(rows)} rows instead of {n}")
        check.require(rows[-1][1] < 1e-3 * scale, f"bed, {name}: not settled, {rows[-1][1]:.1e} J")
    check.require(len(four) == 5, f"bed on 4 processes: {len(four)} rows instead of 5")
    if check.wrong:
        return [], {}
    half = runs["half the step"]
    by_step = [max(abs(a[k] - b[k]) for a, b in zip(one, half)) for k in (1, 2, 3)]
    for name, run in (("2", runs["2 processes"]), ("4", four)):
        apart = largest_difference(one[:early + 1], run, scale)
        check.require(apart < 1e-9, f"bed on {name} processes: kinetic energy differs by {apart:.1e} from one process")
        for k, what in ((1, "kinetic"), (2, "potential"), (3, "stored")):
            off = max(abs(a[k] - b[k]) for a, b in zip(one, run))
            check.require(off <= by_step[k - 1], f"bed on {name} processes: {what} energy differs by {off:.1e} J, half the step by {by_step[k - 1]:.1e} J")
    own = runs["carom"]
    found = dict.fromkeys(("own step", "step", "off", "off, finer", "continued"), 0.0)
    for at in range(1, early + 1):
        fine, apart, apart_finer = own[at][1] - finer[at][1], own[at][1] - one[at][1], finer[at][1] - half[at][1]
        by_half = one[at][1] - half[at][1]
        continued = 2 * apart_finer - apart
        check.require(abs(continued) <= abs(fine) + abs(by_half), f"bed, {own[at][0]:g} s: kinetic energy differs by {apart:.1e} J from carom's, with "
                      f"half the step by {apart_finer:.1e} J; half the step changes it by {fine:.1e} and {by_half:.1e} J")
        for name, value in zip(found, (fine, by_half, apart, apart_finer, continued)):
            found[name] = max(found[name], abs(value) / scale)
    rows = [f"| {name} | {largest_difference(one[:early + 1], run, scale):.1e} | {run[-1][1]:.1e} | {run[-1][2]:.6e} | {run[-1][3]:.4e} |" for name, run in runs.items()]
    rows.append(f"| 4 processes, 0.04 s | {largest_difference(one, four, scale):.1e} | | | |")
    return rows, {**found, "carom": own, "LAMMPS": one}


# Seeds of beds with different initial displacements, which show how far two settled beds differ by chance.
SEEDS = (1, 22, 333, 4444, 55555)


def ensemble(check, first):
    """Compares height and stored energy of settled beds that begin with different displacements, in carom and in LAMMPS: the
    difference of the means, and its standard error. Which grains touch in the end is random, so that single beds differ by some
    per cent."""
    step, duration = 1e-5, 0.2
    ends = {name: [first[name][-1]] for name in ("carom", "LAMMPS")}
    with task_executor() as pool:
        for seed in SEEDS:
            places = lattice(600, 0.02, 1e-3, seed)
            for name, bed in (("carom", carom_bed), ("LAMMPS", lammps_bed)):
                ends[name].append(pool.submit(bed, check, f"seed-{seed}", places, step, duration, duration))
    ends = {name: [rows[0], *(run.result()[-1] for run in rows[1:])] for name, rows in ends.items()}
    found = {}
    for column, what in ((2, "height"), (3, "stored energy")):
        means, errors = {}, {}
        for name, rows in ends.items():
            numbers = [row[column] for row in rows]
            means[name] = sum(numbers) / len(numbers)
            spread = math.sqrt(sum((x - means[name]) ** 2 for x in numbers) / (len(numbers) - 1))
            errors[name] = spread / math.sqrt(len(numbers))
        off = means["carom"] / means["LAMMPS"] - 1
        error = math.hypot(*errors.values()) / means["LAMMPS"]
        # By chance, two means of six differ by more than this about once in a hundred times.
        check.require(abs(off) < 3 * error, f"{1 + len(SEEDS)} beds: the {what} of carom's is {100 * off:+.2f} % off, {100 * error:.2f} % is chance")
        found[what] = (off, error)
    return found
