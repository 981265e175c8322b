"""Runs the texts written by `carom export --to dem-engine` in DEM-Engine itself, on a GPU.

There are three steps, because the GPU is often in a machine other than the one that builds carom:

    python3 engines/dem_engine.py write FOLDER [LAW ...]   export laws, or the whole catalogue (needs the command `carom`)
    python3 engines/dem_engine.py run FOLDER [LAW ...]     run them (needs a CUDA GPU and the package `deme`, 3.0)
    python3 engines/dem_engine.py page FOLDER              write docs/dem-engine.md from the results

A case consists of 64 pairs of equal spheres that meet at 64 phases of the step. The restitution of a pair follows from the
velocities before and after the impact. FOLDER/results.json has the mean and the worst pair beside the values stated by `carom
export`.
"""

import concurrent.futures
import json
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAROM = pathlib.Path(os.environ.get("CAROM", ROOT / "target" / "debug" / "carom"))
PAIRS = 64
# Number of steps before the first pair touches, during which the contact list is rebuilt several times.
LEAD = 60


def write(folder, laws):
    """Exports every law with bodies and parameters that make it rebound: the text, and the results that carom states for it."""
    sys.path.insert(0, str(ROOT / "engines" / "lammps"))
    import check  # its folder is no package

    carom = check.Check(CAROM, folder, None, None, print)
    for law in laws or [model["id"] for model in carom.ask("models")]:
        spec, impact = check.rebounding_case(carom, law)
        if spec is None:
            print(f"{law}: no description was found with which it rebounds")
            continue
        words = [str(CAROM), "export", "--to", "dem-engine", *check.flags(spec)]
        export = subprocess.run([*words, "--json"], capture_output=True, text=True)
        if export.returncode != 0:
            print(f"{law}: {export.stderr.strip()}")
            continue
        out = folder / law
        out.mkdir(parents=True, exist_ok=True)
        (out / "stated.json").write_text(json.dumps({**json.loads(export.stdout), "speed": check.SPEED}))
    print(f"{len(list(folder.glob('*/stated.json')))} cases in {folder}")


def wildcards(text):
    """Returns the names of the variables that a contact stores, as declared in the text."""
    line = next(line for line in text.splitlines() if "SetPerContactWildcards" in line)
    return {name.strip().strip('"') for name in line.split("{")[1].split("}")[0].split(",")}


def touch_margin(text):
    """Returns the distance of the surfaces up to which a contact remains active, as stated in the text (m)."""
    line = next((line for line in text.splitlines() if "SetFamilyExtraMargin" in line), None)
    return float(line.split("family, ")[1].split(")")[0]) if line else 0.0


def impacts(folder):
    """Runs one case; returns the restitution of every pair, the time to compile and the time to run (s)."""
    import deme

    stated = json.loads((folder / "stated.json").read_text())
    text, speed, step = stated["text"], stated["speed"], stated["step"]["size"]
    settings = {it["name"]: it["value"] for it in stated["settings"]}
    radius = settings["radius"]

    solver = deme.DEMSolver(1)
    solver.SetVerbosity("ERROR")
    side = math.isqrt(PAIRS)
    width = 6.0 * radius * side
    solver.InstructBoxDomainDimension(width, width, 8.0 * radius)
    material = solver.LoadMaterial({"E": 1e9, "nu": 0.3, "mu": 0.0, "CoR": 1.0, "Crr": 0.0})
    solver.InstructBoxDomainBoundingBC("none", material)
    sphere = solver.LoadSphereType(settings["mass"], radius, material)
    lower, upper = [], []
    for pair in range(PAIRS):
        x, y = (6.0 * radius * (at + 0.5) - 0.5 * width for at in divmod(pair, side))
        gap = step * speed * (LEAD + pair / PAIRS)
        lower.append([x, y, -radius - 0.5 * gap])
        upper.append([x, y, radius + 0.5 * gap])
    below = solver.AddClumps(sphere, lower)
    below.SetVel([[0.0, 0.0, 0.5 * speed]] * PAIRS)
    above = solver.AddClumps(sphere, upper)
    above.SetVel([[0.0, 0.0, -0.5 * speed]] * PAIRS)
    watched = solver.Track(below), solver.Track(above)
    model = solver.DefineContactForceModel(text)
    model.SetMustHaveMatProp({"E", "nu", "mu"})
    model.SetMustPairwiseMatProp({"mu"})
    model.SetPerContactWildcards(wildcards(text))
    if touch_margin(text) > 0.0:
        solver.SetFamilyExtraMargin(0, touch_margin(text))
    solver.SetIntegrator("centered_difference")
    solver.SetInitTimeStep(step)
    solver.SetGravitationalAcceleration([0.0, 0.0, 0.0])
    solver.SetCDUpdateFreq(20)
    solver.SetMaxVelocity(4.0 * speed)
    solver.SetInitBinSize(4.0 * radius)
    began = time.time()
    solver.Initialize()
    compiled = time.time()
    print(f"{folder.name}: compiled", flush=True)
    solver.DoDynamicsThenSync(1.4 * stated["delivers"]["duration"] + (LEAD + 2) * step)
    ended = time.time()
    velocity = [[it[2] for it in map(tracker.Vel, range(PAIRS))] for tracker in watched]
    return [(b - a) / speed for a, b in zip(*velocity)], compiled - began, ended - compiled


def impacts_into_queue(case, queue):
    queue.put(impacts(case))


def impacts_with_limit(case, limit):
    """Runs one case in a process of its own, which is terminated after a time limit (s)."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=impacts_into_queue, args=(case, queue), daemon=True)
    process.start()
    end = time.time() + limit
    while time.time() < end and (process.is_alive() or not queue.empty()):
        try:
            return case, queue.get(timeout=1.0)
        except Exception:  # nothing yet
            continue
    state = "no answer in time" if process.is_alive() else f"ended with status {process.exitcode}"
    process.kill()
    return case, state


def run(folder, laws, limit=400.0):
    """Runs the cases, as many at the same time as there are processors, and adds the results to FOLDER/results.json."""
    cases = [case.parent for case in sorted(folder.glob("*/stated.json")) if not laws or case.parent.name in laws]
    kept = folder / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() else {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in concurrent.futures.as_completed([pool.submit(impacts_with_limit, case, limit) for case in cases]):
            case, found = done.result()
            expected = json.loads((case / "stated.json").read_text())["delivers"]["restitution"]
            if isinstance(found, str):
                results[case.name] = {"carom": expected, "failed": found}
            else:
                restitutions, compiled, took = found
                mean = sum(restitutions) / len(restitutions)
                worst = max(restitutions, key=lambda it: abs(it - expected))
                results[case.name] = {"carom": expected, "mean": mean, "worst": worst}
                print(f"{case.name}: compiled in {compiled:.0f} s, ran in {took:.1f} s")
            print(case.name, results[case.name], flush=True)
            kept.write_text(json.dumps(results, indent=1))


PAGE = """# What DEM-Engine delivers

[`carom export --to dem-engine`](how-to/export.md) writes a law as the text of a contact model for DEM-Engine. This page is what these texts did
on a graphics card (NVIDIA H200, package `deme` 3.0.19, integrator `centered_difference`): for every law of the catalogue 64 pairs of
equal spheres that meet at 0.5 m/s at 64 phases of the step, 1000 steps in a contact. It is made by

```sh
python3 engines/dem_engine.py write FOLDER    # where carom is
python3 engines/dem_engine.py run FOLDER      # where the card is
python3 engines/dem_engine.py page FOLDER
```

{count} laws ran. The worst impact of all was off by {worst} of its restitution ({worst_law}).

- *Stated* is the largest error over the phase of the touch that carom computes for this scheme and step, and what single precision adds; a dash where the
  law has an internal state or a clock, which are not stepped there.
- DEM-Engine has positions as multiples of a length, the width of the domain over 2³⁷ or so, which are cut off after every step, and velocities and what a contact remembers in single precision.
  The force of a step does a work that is off by at most its size times that length; carom adds √N of the largest for N steps, for a domain 48 radii wide (these runs were 48 by 48 by 8), and √N·2⁻²⁴ for
  the velocities. It matters for stiff contacts of large spheres: most for the conformal laws, whose equivalent spheres have a radius of 4 m for 10 µm of indentation. Of what was added the worst law
  needed {needed:.2f} ({needed_law}).
- With its default integrator, `extended_taylor`, four of these texts (`hunt-crossley-1975`, `thornton-1997`, `xiong-2014`, `jkr-1971`) rebounded 0.23 to 0.34 % too fast in the mean: that scheme multiplies the energy of a spring by
  1 + (ωh)²/2 in each step h, which is π²/(4N) of the restitution for an impact in N steps, 0.25 % for N = 1000.

| law | carom | mean of 64 | worst of 64 | stated |
|---|---|---|---|---|
{rows}
"""


def rounding(stated):
    """Returns the part of a stated error that is due to discrete positions and single precision
    (`crates/carom/src/export/dem_engine.rs`)."""
    steps, e, law = stated["step"]["per_contact"], stated["delivers"]["restitution"], stated["expresses"]
    radius = next(it["value"] for it in stated["settings"] if it["name"] == "radius")
    work = stated["delivers"]["force_max"] * 48.0 * radius / 2.0**37
    return math.sqrt(steps) * (work / (law["mass"] * (e * stated["speed"]) ** 2) + 2.0**-24 / e)


def page(folder, _laws):
    """Writes the table of results into the documentation."""
    results = json.loads((folder / "results.json").read_text())
    rows, errors, needed = [], {}, {}
    for law, found in sorted(results.items()):
        expected = found["carom"]
        if "failed" in found:
            rows.append(f"| `{law}` | {expected:.6f} | {found['failed']} | | |")
            continue
        off = lambda it: f"{it:.6f} ({100.0 * (it / expected - 1.0):+.4f} %)"
        stated = json.loads((folder / law / "stated.json").read_text())
        bound = stated["step"]["restitution_error"]
        limit = "–" if bound is None else f"{100.0 * bound:.4f} %"
        rows.append(f"| `{law}` | {expected:.6f} | {off(found['mean'])} | {off(found['worst'])} | {limit} |")
        errors[law] = abs(found["worst"] / expected - 1.0)
        if bound is not None:
            added = rounding(stated)
            needed[law] = (errors[law] - (bound - added)) / added
            if errors[law] > bound:
                print(f"{law}: off by {errors[law]:.1e}, {bound:.1e} stated")
    law = max(errors, key=errors.get)
    most = max(needed, key=needed.get)
    text = PAGE.format(count=len(errors), needed=needed[most], needed_law=f"`{most}`", worst=f"{100.0 * errors[law]:.3f} %", worst_law=f"`{law}`", rows="\n".join(rows))
    (ROOT / "docs" / "dem-engine.md").write_text(text)


if __name__ == "__main__":
    verbs = {"write": write, "run": run, "page": page}
    if len(sys.argv) < 3 or sys.argv[1] not in verbs:
        sys.exit(__doc__)
    verbs[sys.argv[1]](pathlib.Path(sys.argv[2]), sys.argv[3:])
