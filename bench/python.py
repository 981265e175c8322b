"""Compares a million impacts from Python with the same call from Rust, alternately, as a ratio; and the time of single forces.

    make bench-python

Every round runs the Rust call (`crates/carom/examples/million.rs`) and the Python call on the same numbers. The least time of
each is compared, because other work on the machine can only increase it. Single forces are measured in processor time.
"""

import subprocess
import sys
import time
import timeit

import numpy as np

import carom

ROWS, ROUNDS = 1_000_000, 7


def uniform(seed, low, high):
    """Returns the random numbers of the Rust example, row by row in the same order."""
    a, c, mask = 6364136223846793005, 1442695040888963407, (1 << 64) - 1
    found = np.empty(ROWS)
    for i in range(ROWS):
        seed = (seed * a + c) & mask
        found[i] = low + (high - low) * (seed >> 11) / (1 << 53)
    return seed, found


def nanoseconds(statement, names, calls=200_000):
    """Returns the processor time of one call (ns)."""
    return min(timeit.repeat(statement, globals=names, timer=time.process_time, number=calls, repeat=ROUNDS)) / calls * 1e9


def main():
    example = sys.argv[1]
    seed, speed = uniform(1, 0.1, 0.6)
    _, restitution = uniform(seed, 0.5, 0.95)
    rust, python = [], []
    for _ in range(ROUNDS):
        output = subprocess.run([example, "1"], capture_output=True, text=True, check=True).stdout.split()
        rust.append(float(output[0]))
        start = time.perf_counter()
        law = carom.model("flores-2011").law(
            mass=0.54, stiffness=2.4144e10, restitution=restitution, calibration="exact"
        )
        impacts = law.collide(speed=speed)
        python.append(time.perf_counter() - start)
        assert abs(impacts.restitution.sum() - float(output[1])) < 1e-6
    print(f"Rust   {min(rust) * 1e3:7.1f} ms for {ROWS} impacts, all 14 numbers of each")
    print(f"Python {min(python) * 1e3:7.1f} ms")
    print(f"ratio  {min(python) / min(rust):7.3f} (best of {ROUNDS}; 1.3 is allowed)")
    law = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=0.7)
    names = {"law": law, "contact": law.touch(), "delta": 1e-5, "rate": 0.1}
    print(f"force  {nanoseconds('law.force(delta, rate)', names):7.0f} ns for law.force of two numbers (1000 is allowed)")
    print(f"       {nanoseconds('contact.force(delta, rate)', names):7.0f} ns for contact.force")


if __name__ == "__main__":
    main()
