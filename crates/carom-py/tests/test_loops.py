"""Forces in loops: single numbers, arrays, copies, and C functions."""

import copy
import gc
import pickle
import subprocess
import sys

import numpy as np
import pytest

import carom


@pytest.fixture
def law(steel):
    return carom.model("flores-2011").law(**steel, restitution=0.7)


def test_one_number_is_that_of_an_array(law):
    deltas = np.linspace(-1e-6, 3e-5, 7)
    for speed in (0.5, 1.0, 0.5):
        many = law.force(deltas, 0.1, speed=speed)
        for delta, force in zip(deltas, many):
            for kind in (float, np.float64):
                assert law.force(kind(delta), 0.1, speed=speed) == force
    assert np.isnan(law.force(float("nan"), 0.1, speed=0.5))
    # Values cached for the next call are not part of the law.
    assert repr(pickle.loads(pickle.dumps(law))) == repr(law)
    with pytest.raises(carom.Error, match="speed is missing"):
        law.force(1e-5, 0.1)
    with pytest.raises(carom.Error, match="threads"):
        law.force(1e-5, 0.1, speed=0.5, threads=-1)
    with pytest.raises(carom.Error, match="speed"):
        law.force(1e-5, 0.1, speed=-0.5)
    rows = carom.model("flores-2011").law(mass=0.54, stiffness=[1e10, 2e10], restitution=0.7)
    assert rows.force(1e-5, 0.1, speed=0.5).shape == (2,)


def test_contacts_take_arrays(law):
    contact = law.touch(0.5)
    delta, rate = np.linspace(-1e-6, 2e-5, 5)[:, None], np.array([-0.2, 0.0, 0.3])
    forces, (stiffness, damping), stored = contact.force(delta, rate), contact.tangent(delta, rate), contact.stored(delta)
    assert forces.shape == stiffness.shape == damping.shape == (5, 3) and stored.shape == (5, 1)
    for i in range(5):
        assert stored[i, 0] == contact.stored(delta[i, 0])
        for j in range(3):
            assert forces[i, j] == contact.force(delta[i, 0], rate[j])
            assert (stiffness[i, j], damping[i, j]) == contact.tangent(delta[i, 0], rate[j])
    assert contact.force([1e-5, 2e-5], 0.1).tolist() == [contact.force(1e-5, 0.1), contact.force(2e-5, 0.1)]
    assert contact.force(np.zeros((0, 3)), 0.1).shape == (0, 3)
    assert isinstance(contact.force(np.float32(1e-5), 0), float)
    with pytest.raises(carom.Error, match="do not broadcast"):
        contact.force([1e-5, 2e-5], [0.1, 0.2, 0.3])
    pint = pytest.importorskip("pint")
    with pytest.raises(carom.Error, match="SI units"):
        contact.force(pint.UnitRegistry().Quantity([1.0, 2.0], "mm"), 0.1)


def test_contacts_travel_with_what_they_remember():
    plastic = carom.model("walton-braun-1986").law(mass=0.54, stiffness=1e7, exponent=1.0, restitution=0.5).touch(0.5)
    plastic.commit(2e-4, 0.1)
    plastic.time = 3e-5
    for again in (pickle.loads(pickle.dumps(plastic)), copy.copy(plastic), copy.deepcopy(plastic)):
        assert (again.peak, again.time, again.speed) == (plastic.peak, 3e-5, 0.5)
        assert again.force(1e-4, -0.1) == plastic.force(1e-4, -0.1)
        again.commit(3e-4, 0.1)
        assert again.peak > plastic.peak


def test_a_contact_of_an_own_law_is_made_again_in_another_process(tmp_path):
    text = 'name = "stiffening"\nspring = "K*delta + K3*delta^3"\n[parameters]\nK = "1 kN/m"\nK3 = "1 GN/m^3"'
    contact = carom.model(text).law(mass=2, restitution=0.5).touch(1.0)
    (tmp_path / "contact").write_bytes(pickle.dumps(contact))
    code = f"import pickle; print(repr(pickle.load(open({str(tmp_path / 'contact')!r}, 'rb')).force(1e-3, 0.1)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(told.stdout) == contact.force(1e-3, 0.1)


def test_functions_of_c_are_the_contact(law):
    contact = law.touch(0.5)
    functions = {what: contact.c_function(what) for what in ("force", "stiffness", "damping", "force_at_rest")}
    call = {what: function.ctypes() for what, function in functions.items()}
    for delta, rate in ((1e-5, 0.1), (1e-5, -0.2), (-1e-6, 0.1), (float("nan"), 0.0)):
        expected = (contact.force(delta, rate), *contact.tangent(delta, rate))
        found = tuple(call[what](delta, rate, functions[what].contact) for what in ("force", "stiffness", "damping"))
        np.testing.assert_array_equal(found, expected)
        at_rest = call["force_at_rest"](delta, functions["force_at_rest"].contact)
        np.testing.assert_array_equal(at_rest, contact.force(delta, 0.0))
    with pytest.raises(carom.Error, match="did you mean `force`"):
        contact.c_function("forc")


def test_a_number_that_stands_for_no_contact_makes_nan(law):
    function = law.touch(0.5).c_function()
    address, number = function.address, function.contact
    call = carom._contact.ctypes.CFUNCTYPE(*[carom._contact.ctypes.c_double] * 3, carom._contact.ctypes.c_void_p)(address)
    assert call(1e-5, 0.1, number) > 0
    del function
    gc.collect()
    other = law.touch(1.0).c_function()  # occupies the same slot
    for wrong in (number, 0, 1, 2**40, -1):
        assert np.isnan(call(1e-5, 0.1, wrong))
    assert call(1e-5, 0.1, other.contact) == law.touch(1.0).force(1e-5, 0.1)


def test_scipy_integrates_the_function_of_c():
    from scipy.integrate import quad

    contact = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9).touch()
    integrand = contact.c_function("force_at_rest").low_level_callable()
    gc.collect()
    assert quad(integrand, 0.0, 1e-4)[0] == pytest.approx(contact.stored(1e-4), rel=1e-7)


def test_numba_compiles_a_loop_with_it(law):
    numba = pytest.importorskip("numba")
    contact = law.touch(0.5)
    function = contact.c_function()
    force, number, mass = function.ctypes(), function.contact, contact.mass

    @numba.njit
    def rebound(speed, steps, step):
        """Velocity Verlet; the rate at the middle of the step is used in place of that at its end."""
        delta, rate = 0.0, speed
        for _ in range(steps):
            half = rate - 0.5 * step * force(delta, rate, number) / mass
            delta += step * half
            if delta <= 0.0:
                break
            rate = half - 0.5 * step * force(delta, half, number) / mass
        return -half / speed

    impact = law.collide(0.5)
    assert rebound(0.5, 100_000, impact.duration / 20_000) == pytest.approx(impact.restitution, abs=1e-3)
