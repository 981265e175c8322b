"""No memory is retained beyond the results in use."""

import gc
import sys

import numpy as np
import pytest

import carom


def resident():
    """Returns the resident memory in bytes."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_does_not_grow_with_use(steel):
    speed = np.linspace(0.1, 1.0, 50_000)

    def use():
        law = carom.model("flores-2011").law(**steel, restitution=0.7, calibration="exact")
        impacts = law.collide(speed=speed)  # 5.6 MB of results
        law.force(speed * 1e-5, 0.1, speed=0.5)
        impacts[7].trajectory(2000)
        contact = law.touch(0.5)
        contact.commit(1e-5, 0.1)
        for bad in (dict(speed=-1.0), dict(speed=np.array([0.5, np.nan])), dict(speed="fast")):
            with pytest.raises(carom.Error):
                law.collide(**bad)
        carom.exact.epsilon(np.linspace(0.1, 0.9, 300), damping_exponent=0.3)

    for _ in range(5):
        use()
    gc.collect()
    before = resident()
    for _ in range(30):
        use()
    gc.collect()
    # One leaked set of columns per round would amount to 170 MB.
    assert resident() - before < 20e6


def test_results_outlive_the_law_that_made_them(steel):
    force = carom.model("hertz-1881").law(**steel).collide(np.linspace(0.1, 1.0, 1000)).force_max
    gc.collect()
    assert force.flags.writeable and np.all(np.diff(force) > 0)
