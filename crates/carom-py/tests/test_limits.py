"""Inputs that are too large raise a MemoryError, and long computations can be interrupted."""

import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import carom

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc and sends signals")
LONG = np.linspace(0.1, 0.9, 300_000)


# Rust aborts the process, and the interpreter with it, when an allocation fails.
@linux
def test_results_without_room_are_a_memory_error_that_names_the_bytes(steel):
    law = carom.model("tsuji-1992").law(**steel, restitution=LONG)
    with pytest.raises(MemoryError, match=f"needs {LONG.size**2 * 14 * 8} bytes"):
        law.collide(LONG[:, None])
    with pytest.raises(MemoryError, match=f"needs {LONG.size**2 * 4 * 8} bytes"):
        law.force(LONG[:, None], speed=0.5)
    with pytest.raises(MemoryError, match="bytes"):
        carom.exact.epsilon(LONG, exponent=1 + LONG[:, None])
    with pytest.raises(MemoryError, match="bytes"):
        carom.exact.outcome(LONG, exponent=1 + LONG[:, None])
    # More rows than can be counted.
    huge = np.broadcast_to(1.0, (2**20, 1, 1, 1))
    axes = [np.moveaxis(huge, 0, axis) for axis in range(4)]
    with pytest.raises(MemoryError):
        carom.exact.outcome(axes[0], exponent=1 + axes[1], damping_exponent=axes[2], rate_exponent=axes[3])


def child(code):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Processes that a shell starts in the background ignore Ctrl-C, and their children inherit this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@linux
def test_a_limit_of_the_process_is_a_memory_error_too():
    process = child(
        """
        import resource
        import numpy as np
        import carom
        law = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=0.7)
        speed = np.linspace(0.1, 1.0, 5_000_000)
        now = int(open("/proc/self/statm").read().split()[0]) * 4096
        resource.setrlimit(resource.RLIMIT_AS, (now + 300_000_000, -1))
        try:
            law.collide(speed)
        except MemoryError as error:
            print("refused", "bytes" in str(error))
        print(law.collide(0.5).restitution)
        """
    )
    out, err = process.communicate(timeout=300)
    assert out.splitlines()[0] == "refused True" and len(out.splitlines()) == 2, err
    assert process.returncode == 0


# Regression: Ctrl-C was ignored for a whole minute, because signals were checked only after all rows.
@linux
@pytest.mark.parametrize(
    "work",
    [
        "law.collide(speed)",
        "law.force(1e-5, 0.1, speed=speed)",
        "carom.exact.outcome(0.1, exponent=1 + speed / 10)",
        "carom.rank(time=time, force=force, mass=0.54, speed=0.5, free=['exponent'], loss='cauchy')",
        "carom.fit('xiong-2014', time=time, force=force, mass=0.54, speed=0.5, bootstrap=10**6)",
    ],
)
def test_a_key_interrupts(work):
    process = child(
        f"""
        import sys
        import numpy as np
        import carom
        # A law that is found by trying, at another exponent in every row.
        speed = np.linspace(0.1, 9.0, 4_000_000)
        law = carom.model("adams-impact").law(mass=0.54, stiffness=2.4144e10, restitution=0.7, calibration="exact")
        course = carom.model("tsuji-1992").law(mass=0.54, stiffness=2e10, restitution=0.7).collide(0.5).trajectory(2000)
        time, force = course.time, course.force
        print("ready", flush=True)
        try:
            {work}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1.0)  # still computing
    process.send_signal(signal.SIGINT)
    # This takes a second on an idle machine. Regression: a fit drew all its bootstrap repeats before checking for signals.
    out, err = process.communicate(timeout=20)
    assert "interrupted" in out, err
