"""Many Python threads at the same time, with and without a global lock."""

import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import carom


def test_an_interpreter_without_a_lock_stays_without():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has a global lock")
    assert not sys._is_gil_enabled()


def test_threads_share_laws_contacts_and_streams(steel):
    law = carom.model("flores-2011").law(**steel, restitution=0.5, calibration="exact")
    contact = law.touch(0.5)
    speeds = np.linspace(0.1, 1.0, 500)
    expected = law.collide(speeds).force_max, contact.force(1e-5, 0.1)
    start = threading.Barrier(8)

    def work(number):
        start.wait()
        for _ in range(20):
            assert np.array_equal(law.collide(speeds, threads=1).force_max, expected[0])
            assert contact.force(1e-5, 0.1) == expected[1]
            contact.c_function()
            law.collide(speeds).to_table().__arrow_c_stream__()
        return number

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(range(8))
