# SPDX-License-Identifier: GPL-2.0-only
"""Runs the LAMMPS plugin and compares it with carom and with itself; `engines/run.py` calls `section`.

- collisions of two grains with every law of the catalogue, at 1000 and at 4000 steps per contact, with `carom impact`;
- impacts of a ball on walls of every kind, flat and curved, with `carom impact` of the same shapes;
- beds of 600 grains that fall and settle on 1, 2 and 4 processes, with carom's own beds (`beds.py`);
- oblique impacts and a rolling ball, with closed forms;
- two grains in contact that cross the boundary between two processes, with the same on one process;
- a run that is continued from a restart file, with one that is not;
- the time of a step of 10 000 grains, with LAMMPS's own Hertz-Mindlin law.
"""

import json
import lzma
import math
import pathlib
import resource
import subprocess

import oblique
from beds import BED, SEEDS, WORDS, beds, data, ensemble, lattice, table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPEED = 0.5
STEEL = {"youngs": 2.06e11, "poisson": 0.3, "density": 7850}

# Admissible difference of restitution between carom and LAMMPS at 1000 steps per contact, relative to the approach speed.
TOLERANCE = 1e-3
# Largest admissible time of a step, divided by that with LAMMPS's own law.
TIME_RATIO = 1.5


class Check:
    """Programs, folders and the failed checks."""

    def __init__(self, carom, work, venv, environment, say):
        self.carom, self.work, self.venv, self.env, self.say = carom, work, venv, environment, say
        self.plugin = work / "plugin" / "caromplugin.so"
        self.wrong = []
        self.processor_time = 0.0  # of the last run of LAMMPS (s)

    def require(self, condition, sentence):
        if not condition:
            self.wrong.append(sentence)
            self.say(f"   wrong: {sentence}")

    def build(self):
        """Builds the C library as released, and the plugin with it."""
        self.say("== building the LAMMPS plugin")
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "-p", "carom-c"], cwd=ROOT, check=True)
        subprocess.run([ROOT / ".ci" / "install-c", self.work / "carom", "release"], check=True, capture_output=True)
        build = [self.venv / "bin" / "python", ROOT / "engines" / "lammps" / "build.py"]
        subprocess.run([*build, "--carom", self.work / "carom", "--out", self.plugin.parent], check=True, capture_output=True)

    def lammps(self, name, text, ranks=1, files=()):
        """Returns the output of LAMMPS for an input. The plugin is loaded through the environment, as after an installation."""
        folder = self.work / "lammps-plugin" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "in.lmp").write_text(text)
        for file, content in files:
            (folder / file).write_text(content)
        env = dict(self.env, LAMMPS_PLUGIN_PATH=str(self.plugin.parent))
        command = ["lmp", "-in", "in.lmp", "-log", "none"]
        if ranks > 1:
            command = ["mpiexec", "-n", str(ranks), str(self.venv / "bin" / "lmp"), *command[1:]]
        command[0] = str(self.venv / "bin" / command[0])
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=1200)
        self.processor_time = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        (folder / "output.txt").write_text(done.stdout + done.stderr)
        if done.returncode:
            last = " / ".join(line for line in done.stdout.splitlines() if "ERROR" in line)
            raise RuntimeError(f"LAMMPS refused {folder / 'in.lmp'}: {last or done.stderr[-300:]}")
        return done.stdout

    def ask(self, *words):
        """Returns the answer of the command, or None if it refuses."""
        done = subprocess.run([str(self.carom), *words, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else None


def values(text, name):
    """Returns the numbers that follow a name at the beginning of a line."""
    return [[float(word) for word in line.split()[1:]] for line in text.splitlines() if line.startswith(name + " ")]


# Every law of the catalogue -------------------------------------------------------------------------------------------


def pairs():
    """Returns pairs of steel bodies, one of which is suitable for each law."""
    plane = {"shape": "plane", **STEEL}
    roller = {"shape": "cylinder", "radius": 0.01, "length": 0.02, **STEEL}
    of = lambda a, b: [{**a, "mass": 0.54}, b]
    return [
        of({"shape": "sphere", "radius": 0.02, **STEEL}, plane),
        of({"shape": "square-punch", "half_side": 0.005, **STEEL}, plane),
        of({"shape": "sphere", "radius": 0.02, **STEEL}, {"shape": "socket", "radius": 0.0202, **STEEL}),
        of(roller, plane),
        of(roller, {"shape": "bore", "radius": 0.0102, "length": 0.02, **STEEL}),
    ]


def plausible_value(parameter):
    """Returns a plausible value of a parameter without default for these bodies."""
    by_name = {"unloading_stiffness": 4e10, "permanent_indentation": 3e-6, "yield_indentation": 3e-6,
               "work_of_adhesion": 1e4}
    by_unit = {"Pa s": 2e5, "Pa*s": 2e5, "Pa": 1.5e9, "m/s": SPEED, "m": 1e-3, "m^2": 1e-4, "N/m^3": 1e15, "1/m": 3e4,
               "s": 1e-5, "1/s": 3e4}
    value = by_name.get(parameter["name"], by_unit.get(parameter["unit"], 0.5))
    low, high = parameter["minimum"], parameter["maximum"]
    return min(max(value, low if low is not None else value), high if high is not None else value)


def flags(spec):
    """Returns a description as options of the command."""
    words = ["--law", spec["law"], "--speed", str(SPEED)]
    for body in spec["bodies"]:
        words += ["--body", " ".join([body["shape"], *(f"{k}={v}" for k, v in body.items() if k != "shape")])]
    for name in ("restitution", "calibration"):
        if name in spec:
            words += [f"--{name}", str(spec[name])]
    for name, value in spec.get("set", {}).items():
        words += ["--set", f"{name}={value!r}"]
    return words


def rebounding_case(check, model):
    """Returns a description with which a law of this model rebounds, and its impact."""
    parameters = check.ask("model", model)["parameters"]
    everything = {p["name"]: plausible_value(p) for p in parameters if p["default"] is None}
    for bodies in pairs():
        for set_ in ({}, everything):
            for asked in ({"restitution": 0.7, "calibration": "exact"}, {"restitution": 0.7}, {}):
                spec = {"law": model, "bodies": bodies, "set": set_, **asked}
                impact = check.ask("impact", *flags(spec))
                if impact and impact["restitution"]["newton"] > 0 and math.isfinite(impact["duration"] or math.inf):
                    return spec, impact
    return None, None


TWO_GRAINS = """
clear
units si
atom_style sphere
atom_modify map array
boundary f f f
comm_modify vel yes
region box block -1 1 -1 1 -1 1
create_box 1 box
create_atoms 1 single {left!r} 0 0
create_atoms 1 single {right!r} 0 0
set group all diameter 0.2
set group all mass {mass!r}
group left id 1
group right id 2
velocity left set {half!r} 0 0
velocity right set -{half!r} 0 0
pair_style carom
pair_coeff * * json {file}
neighbor 0.01 bin
fix motion all nve/sphere
timestep {step!r}
thermo 1000000
run {count}
variable e equal (vx[2]-vx[1])/{speed!r}
print "restitution {name} ${{e}}"
"""


def two_grains(name, spec, impact, steps):
    """Returns the input in which two equal grains touch after a fraction of a step."""
    step = impact["duration"] / steps
    gap = 0.37 * step * SPEED
    file = f"{spec['law']}.json"
    return file, TWO_GRAINS.format(left=-0.1 - gap / 2, right=0.1 + gap / 2, mass=2 * impact["pair"]["mass"],
                                   half=SPEED / 2, file=file, step=step, count=int(1.3 * steps), speed=SPEED, name=name)


def check_catalogue(check):
    """Compares every law between two grains."""
    cases = {}
    for model in check.ask("models"):
        spec, impact = rebounding_case(check, model["id"])
        if spec is None:
            check.require(False, f"{model['id']}: no description was found with which it rebounds")
            continue
        cases[model["id"]] = (spec, impact)
    text, files = "", []
    for model, (spec, impact) in cases.items():
        for steps in (1000, 4000):
            file, part = two_grains(f"{model} {steps}", spec, impact, steps)
            text += part
            files.append((file, json.dumps(spec)))
    found = {}
    for line in check.lammps("catalogue", text, files=files).splitlines():
        words = line.split()
        if len(words) == 4 and words[0] == "restitution":
            found[words[1], int(words[2])] = float(words[3])
    rows, worst = [], {1000: 0.0, 4000: 0.0}
    for model, (spec, impact) in cases.items():
        stated = impact["restitution"]["newton"]
        off = {steps: found[model, steps] / stated - 1 for steps in (1000, 4000)}
        for steps, error in off.items():
            worst[steps] = max(worst[steps], abs(error))
        check.require(abs(off[1000]) <= TOLERANCE, f"{model}: {found[model, 1000]} in LAMMPS, {stated} by carom")
        rows.append(f"| `{model}` | {stated:.6f} | {found[model, 1000]:.6f} | {100 * off[1000]:+.1e} | {100 * off[4000]:+.1e} |")
    # A force that jumps at touch limits the order to one; with most laws it is two.
    check.require(worst[4000] < 0.3 * worst[1000], f"the largest error falls from {worst[1000]:.1e} to {worst[4000]:.1e} only")
    return rows, worst


# Walls ---------------------------------------------------------------------------------------------------------------

ONE_BALL = """
clear
units si
atom_style sphere
atom_modify map array
boundary f f f
comm_modify vel yes
region box block -1 1 -1 1 -1 1
create_box 1 box
create_atoms 1 single {x!r} 0 0
set group all diameter 0.02
set group all density 7850
velocity all set {speed!r} 0 0
pair_style carom
pair_coeff * * {words}
{wall} {words}
fix motion all nve/sphere
timestep {step!r}
variable depth equal x[1]-{place!r}
thermo_style custom step v_depth f_wall
thermo_modify format float %.12g
thermo 1
run {count}
variable e equal -vx[1]/{speed!r}
print "restitution ${{e}}"
"""


def check_walls(check):
    """Compares a steel ball at plane and curved walls, inside and outside, with `carom impact` for the same shape."""
    body = "youngs=2.06e11 poisson=0.3 density=7850"

    def impact(wall):
        return check.ask("impact", "--law", "tsuji-1992", "--restitution", "0.6", "--calibration", "exact", "--exit", "force",
                         "--speed", str(SPEED), "--body", f"sphere radius=0.01 {body}", "--body", f"{wall} {body}")

    words = "law tsuji-1992 restitution 0.6 calibration exact exit force youngs 2.06e11 poisson 0.3"
    plane, heavy = impact("plane"), "mass=1e12"
    region = "\nfix wall all wall/carom region wall"
    # The radius is small, so that the curvature has an effect.
    kinds = {
        "plane": ("fix wall all wall/carom xplane NULL 0.1", 0.1, plane),
        "region of a block": ("region wall block -0.1 0.1 -0.1 0.1 -0.1 0.1" + region, 0.1, plane),
        "in a cylinder": ("fix wall all wall/carom zcylinder 0.03", 0.03, impact("bore radius=0.03 length=1")),
        "in a region of a cylinder": ("region wall cylinder z 0 0 0.03 -0.5 0.5" + region, 0.03, impact("bore radius=0.03 length=1")),
        "in a region of a sphere": ("region wall sphere 0 0 0 0.03" + region, 0.03, impact("socket radius=0.03")),
        "outside a region of a cylinder": ("region wall cylinder z 0.13 0 0.03 -0.5 0.5 side out" + region, 0.1,
                                           impact(f"cylinder radius=0.03 length=1 {heavy}")),
        "outside a region of a sphere": ("region wall sphere 0.13 0 0 0.03 side out" + region, 0.1, impact(f"sphere radius=0.03 {heavy}")),
    }
    text = ""
    for wall, place, stated in kinds.values():
        step = stated["duration"] / 1000
        text += ONE_BALL.format(x=place - 0.01 - 0.37 * step * SPEED, place=place - 0.01, speed=SPEED, words=words, wall=wall,
                                step=step, count=1300)
    output = check.lammps("walls", text)
    found = [row[0] for row in values(output, "restitution")]
    depths = [max(row[1] for row in table(part)) for part in output.split("\nrestitution ")[: len(found)]]
    rows = []
    for (kind, (_, _, stated)), e, depth in zip(kinds.items(), found, depths, strict=True):
        check.require(abs(e / 0.6 - 1) <= TOLERANCE, f"{kind}: restitution {e} instead of 0.6")
        off = depth / stated["indentation_max"] - 1
        check.require(abs(off) <= TOLERANCE, f"{kind}: indentation {depth} m instead of {stated['indentation_max']} m")
        rows.append(f"{kind} {e:.6f} ({100 * (stated['indentation_max'] / plane['indentation_max'] - 1):+.2f} %, off by {100 * off:+.1e} %)")
    return rows


# Exports -------------------------------------------------------------------------------------------------------------

EXPORTED = {
    "hunt-crossley-1975": "--mass 0.54 --stiffness 2.4144e10 --restitution 0.2 --calibration exact",
    "thornton-1997": "--body|sphere radius=5mm material=steel|--body|plane material=steel|--set|limiting_pressure=1.5GPa",
    "jkr-1971": "--body|sphere radius=50um material=glass|--body|plane material=glass|--set|work_of_adhesion=0.1N/m",
}


def run_exported(check):
    """Runs the input of `carom export --to lammps --plugin` unchanged."""
    rows = []
    for law, words in EXPORTED.items():
        words = words.split("|") if "|" in words else words.split()
        deck = check.ask("export", "--to", "lammps", "--plugin", "--law", law, "--speed", "0.5", *words)
        check.require(deck is not None, f"{law} is not exported")
        if deck is None:
            continue
        e = values(check.lammps(f"exported-{law}", deck["text"]), "restitution")[-1][0]
        stated = deck["delivers"]["restitution"]
        check.require(abs(e / stated - 1) <= deck["step"]["restitution_error"], f"exported {law}: {e} instead of {stated}")
        rows.append(f"`{law}` {e:.6f} ({stated:.6f} said)")
    return rows


# Contact history that moves between processes ------------------------------------------------------------------------

CROSSING = """
clear
units si
atom_style sphere
atom_modify map array
boundary p p p
comm_modify vel yes
processors {processors}
region box block -0.1 0.1 -0.1 0.1 -0.1 0.1
create_box 1 box
create_atoms 1 single {ax!r} {ay!r} 0
create_atoms 1 single {bx!r} {by!r} 0
set group all diameter 0.02
set group all density 2500
group first id 1
group second id 2
velocity first set {first}
velocity second set {second}
set atom 1 omega 0 0 30
pair_style carom
pair_coeff * * {words} friction 0.3 tangential 1e5
neighbor 0.002 bin
neigh_modify every 1 delay 0 check no
fix motion all nve/sphere
timestep 1e-7
thermo 1000000
run {count}
variable a equal vx[1]
variable b equal vy[1]
variable c equal vx[2]
variable d equal vy[2]
print "velocities {name} ${{a}} ${{b}} ${{c}} ${{d}} $(nbuild)"
"""


def check_process_boundary(check):
    """Compares two grains in contact that cross the boundary between two processes, with their contact along it and across it, with
    the same grains on one process; every step rebuilds the neighbour list."""
    laws = {
        "hunt-crossley-1975": "law hunt-crossley-1975 restitution 0.5 calibration exact youngs 1e9 poisson 0.3",
        "thornton-1997": "law thornton-1997 set limiting_pressure 3e7 youngs 1e9 poisson 0.3",
        "xiong-2014": "law xiong-2014 mass 5.2e-3 stiffness 5e7 exponent 1.5 set relaxation 3e3 set b1 2e-4",
    }
    text = ["", ""]
    speed, drift = 1.0, 20.0
    for law, words in laws.items():
        for way in ("along", "across"):
            normal = (0, 1) if way == "along" else (1, 0)
            # The pair moves along x so that its centre crosses the boundary x = 0 in the middle of the contact.
            start = -drift * 1.0e-4
            a, b = ([start - 0.01 * s * normal[0], -0.01 * s * normal[1]] for s in (1, -1))
            velocity = lambda s: f"{drift + s * 0.5 * speed * normal[0]!r} {s * 0.5 * speed * normal[1]!r} 0"
            for ranks, processors in ((1, "1 1 1"), (2, "2 1 1")):
                text[ranks - 1] += CROSSING.format(processors=processors, ax=a[0], ay=a[1], bx=b[0], by=b[1], words=words,
                                                   first=velocity(1), second=velocity(-1), count=6000, name=f"{law}/{way}")
    found = []
    for ranks in (1, 2):
        rows = {}
        for line in check.lammps(f"crossing-{ranks}", text[ranks - 1], ranks).splitlines():
            if line.startswith("velocities "):
                words = line.split()
                rows[words[1]] = [float(word) for word in words[2:]]
        found.append(rows)
    worst = 0.0
    for name, alone in found[0].items():
        rebound = max(abs(alone[0] - alone[2]), abs(alone[1] - alone[3]))
        check.require(0.2 < rebound < 0.95 * speed, f"crossing {name}: they part at {rebound} m/s")
        check.require(alone[4] > 5000, f"crossing {name}: {alone[4]} neighbour lists")
        off = max(abs(x - y) for x, y in zip(alone, found[1][name])) / speed
        worst = max(worst, off)
        check.require(off < 1e-9, f"crossing {name}: velocities differ by {off:.1e} on two processes")
    check.require(len(found[0]) == 2 * len(laws) == len(found[1]), "crossing: runs are missing")
    return worst


def check_restart(check):
    """Compares a bed in the middle of its fall that continues with one that continues from a restart file, on 1, 2 and 4
    processes."""
    files = [("bed.data", data(lattice(600, 0.02, 1e-3), 1e-3, (0.02, 0.02, 0.06)))]
    # With more processes than cores most of the time is spent waiting, so that the run on four processes is short.
    before, after = 5000, 300
    text = BED.format(words=WORDS, processors="1 1 1", step=1e-5, every=100)
    whole = check.lammps("restart", text + f"run {before}\nwrite_restart bed.restart\nrun {after}\n", files=files)
    one, found = table(whole)[-1], {}
    for ranks, processors in ((1, "1 1 1"), (2, "2 1 1"), (4, "2 2 1")):
        again = BED.format(words=WORDS, processors=processors, step=1e-5, every=100)
        again = again.replace("read_data bed.data", "read_restart ../restart/bed.restart") + f"run {after}\n"
        other = table(check.lammps(f"restart-{ranks}", again, ranks))[-1]
        check.require(one[0] == other[0] == before + after, f"restart ended at steps {one[0]} and {other[0]}")
        found[ranks] = max(abs(x / y - 1) for x, y in zip(one[2:], other[2:]))
        check.require(found[ranks] < 1e-9, f"restart on {ranks} processes: energies differ by {found[ranks]:.1e}")
    return found


# Time ----------------------------------------------------------------------------------------------------------------

TIMED = """
units si
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data bed.data
neighbor 0.0003 bin
neigh_modify delay 0
{contacts}
fix 1 all nve/sphere
fix 2 all gravity 9.81 vector 0 0 -1
timestep 1e-5
thermo 1000000
run {steps}
"""
HERTZ = "hertz/material 5e6 0.7 0.3 tangential mindlin/force NULL 0.0 0.5 damping coeff_restitution"
TSUJI = "law tsuji-1992 restitution 0.7 calibration exact youngs 5e6 poisson 0.3 friction 0.5 tangential_damping 0"
CONTACTS = {
    "LAMMPS": f"pair_style granular\npair_coeff * * {HERTZ}\nfix 3 all wall/gran granular {HERTZ} zplane 0 NULL",
    "carom": f"pair_style carom\npair_coeff * * {TSUJI}\nfix 3 all wall/carom zplane 0 NULL {TSUJI}",
}


def timing(check, repeats=3):
    """Returns the processor time of a step of the settled bed of 10 000 grains (s): a long run less a short one, alternately, the
    least of several."""
    with lzma.open(ROOT / "bench" / "settled_bed_10k.txt.xz", "rt") as file:
        # The file is in nanometres.
        places = [[1e-9 * float(word) for word in line.split()] for line in file if line.strip()]
    files = [("bed.data", data(places, 1e-3, (0.04, 0.04, max(z for _, _, z in places) + 0.01)))]
    best = {}
    for _ in range(repeats):
        for name, contacts in CONTACTS.items():
            spent = []
            for steps in (200, 1200):
                check.lammps(f"time-{name}", TIMED.format(contacts=contacts, steps=steps), files=files)
                spent.append(check.processor_time)
            best[name] = min(best.get(name, math.inf), (spent[1] - spent[0]) / 1000)
    return best


# Text of the document ------------------------------------------------------------------------------------------------


def section(check):
    """Returns a section of docs/engines.md, and the failed checks."""
    check.build()
    check.say("== LAMMPS with the plugin")
    rows, worst = check_catalogue(check)
    at_walls = check_walls(check)
    by_export = run_exported(check)
    bed_rows, found = beds(check)
    if check.wrong:
        return "", check.wrong
    many = ensemble(check, found)
    apart = check_process_boundary(check)
    continued = check_restart(check)
    export = lambda words: check.ask("export", "--to", "lammps", "--plugin", *words.split())
    execute = lambda name, text: check.lammps(f"oblique-{name}", text)
    sliding, off = oblique.sentence(oblique.measure("lammps-plugin", export, execute), check.say)
    check.require(off <= oblique.TOLERANCE, f"friction or rolling friction is off by {off:.1e}")
    times = timing(check)
    ratio = times["carom"] / times["LAMMPS"]
    check.require(ratio <= TIME_RATIO, f"a step takes {ratio:.2f} times as long as with LAMMPS's own law")
    if check.wrong:
        return "", check.wrong
    text = f"""
## LAMMPS with carom's plugin (`pair_style carom`)

The engine runs the law itself: [how](how-to/lammps-plugin.md). Two equal grains meet 0.37 of a step after the start, with every law of the catalogue; errors of the
restitution in percent, at 1000 steps in a contact (at most {100 * worst[1000]:.2g}) and at 4000 (at most {100 * worst[4000]:.2g}). Where the force begins smoothly the
error falls with the square of the step, where it jumps at touch (a constant damper, an adhesive pull) with the step.

| law | `carom impact` | LAMMPS | error % | 4000 steps |
|---|---|---|---|---|
{chr(10).join(rows)}

A steel ball at walls, restitution 0.6 asked for (in brackets the largest indentation by `carom impact` against that at a plane, and by how much LAMMPS's is off):
{"; ".join(at_walls)}. The radius of the curved ones is three times that of the ball.

Input of `carom export --to lammps --plugin`: {", ".join(by_export)}.

{sliding.strip()}

A bed of 600 grains (`tsuji-1992`, friction, rolling resistance) that falls into a box and settles, steps of 10 µs. *Early* is the largest difference of the kinetic
energy from that of one process in the first 0.02 s, over its largest value; later the motion of single grains depends on every digit. Half the step changes the early
energy by {found["step"]:.1e} in LAMMPS and by {found["own step"]:.1e} in carom; the two differ by {found["off"]:.1e} with this step, by {found["off, finer"]:.1e} with half of it, and by {found["continued"]:.1e} if
that is continued to a step of nothing. On 2 and 4 processes all energies are those of one process to the end, within what half the step changes.

| run | early | kinetic at the end (J) | height at the end (J) | stored at the end (J) |
|---|---|---|---|---|
{chr(10).join(bed_rows)}

Which grains touch in the end is chance: of {1 + len(SEEDS)} beds that begin with other shifts, carom's are higher by {100 * many["height"][0]:+.2f} ± {100 * many["height"][1]:.2f} % and store
{100 * many["stored energy"][0]:+.2f} ± {100 * many["stored energy"][1]:.2f} % more energy, in the indentations and in the tangential springs, than LAMMPS's with the plugin.

Two grains in contact that pass the border of two processes, with a new neighbour list at every step, part with the velocities of one process within {apart:.0e} (three laws,
along the border and across it). A bed that goes on from a restart file has the energies of one that was not interrupted within
{", ".join(f"{off:.0e} on {ranks}" for ranks, off in continued.items())} processes.

A step of the settled bed of 10 000 grains takes {1e3 * times["carom"]:.2g} ms of one processor, and {1e3 * times["LAMMPS"]:.2g} ms with LAMMPS's own `granular hertz/material` and Mindlin's
friction: {ratio:.2f} times as long.
"""
    return text, []
