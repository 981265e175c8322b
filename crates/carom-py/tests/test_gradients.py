"""Derivatives of impacts: compared with differences and similarity laws, and through JAX and PyTorch."""

import pickle

import numpy as np
import pytest

import carom
from carom._gradient import OUTPUTS


def collide(model, said, speed, pressed):
    impact = carom.model(model).law(**said).collide(speed, external_force=pressed)
    return np.array([getattr(impact, output) for output in OUTPUTS])


def differences(model, said, name, speed=0.5, pressed=100.0):
    """Computes relative central differences of fourth order of whole impacts: d ln y/d ln x."""
    all = {**said, "speed": speed, "external_force": pressed}

    def at(factor):
        changed = {**all, name: all[name] * factor}
        return collide(model, {key: changed[key] for key in said}, changed["speed"], changed["external_force"])

    h = 1e-4
    return (8 * (at(1 + h) - at(1 - h)) - (at(1 + 2 * h) - at(1 - 2 * h))) / (12 * h) / at(1)


def test_every_law_has_the_derivatives_that_differences_show(steel):
    tried = 0
    for id in carom.models()["id"]:
        for asked in ({"restitution": 0.7, "calibration": "exact"}, {"restitution": 0.7}, {}):
            said = {**steel, **asked}
            try:
                law = carom.model(id).law(**said)
                law.collide(0.5, external_force=100.0)
            except carom.Error:
                continue
            names = ["mass", "stiffness", "speed", "external_force", *(["restitution"] if asked else [])]
            found = law.gradient(0.5, by=names, external_force=100.0)
            values = {**said, "speed": 0.5, "external_force": 100.0}
            for name in names:
                exact = np.array([getattr(found, o)[name] * values[name] / found.values[o] for o in OUTPUTS])
                np.testing.assert_allclose(exact, differences(id, said, name), rtol=0, atol=2e-5, err_msg=f"{id} {name}")
            tried += 1
            break
    assert tried > 50


def test_laws_of_similarity(steel):
    """Hertz: T ~ m^(2/5) K^(-2/5) v^(-1/5), F ~ m^(3/5) K^(2/5) v^(6/5), indentation ~ m^(2/5) K^(-2/5) v^(4/5)."""
    powers = {"mass": (0.4, 0.6, 0.4), "stiffness": (-0.4, 0.4, -0.4), "speed": (-0.2, 1.2, 0.8)}
    found = carom.model("hertz-1881").law(**steel).gradient(0.5, by=list(powers))
    values = {**steel, "speed": 0.5}
    for name, power in powers.items():
        for output, expected in zip(OUTPUTS[1:], power):
            slope = getattr(found, output)[name] * values[name] / found.values[output]
            assert slope == pytest.approx(expected, abs=1e-9), (name, output)
        assert found.restitution[name] * values[name] == pytest.approx(0.0, abs=1e-7)
    # With exact calibration the delivered restitution is the requested one at every speed.
    law = carom.model("flores-2011").law(**steel, restitution=0.4, calibration="exact")
    found = law.gradient(0.5, by=["restitution", "speed", "mass"])
    assert found.restitution["restitution"] == pytest.approx(1.0, abs=1e-7)
    assert abs(found.restitution["speed"]) < 1e-7 and abs(found.restitution["mass"]) < 1e-7


def test_bodies_parameters_and_edges():
    bodies = [carom.body("sphere", radius="10 mm", material="steel"), carom.body("plane", material="steel")]
    law = carom.model("hertz-1881").law(bodies=bodies)
    found = law.gradient(0.5, by="body_1.radius")
    # m ~ R³ and K ~ R^(1/2): T ~ R^(6/5 - 1/5).
    assert found.duration["body_1.radius"] * 0.01 / found.values["duration"] == pytest.approx(1.0, abs=1e-6)
    plastic = carom.model("goldsmith-1960").law(mass=1.0, stiffness=1e9, permanent_indentation="100 um")
    found = plastic.gradient(1.0, by="permanent_indentation")
    h = 1e-8
    up, down = (
        carom.model("goldsmith-1960").law(mass=1.0, stiffness=1e9, permanent_indentation=1e-4 + d).collide(1.0).restitution
        for d in (h, -h)
    )
    assert found.restitution["permanent_indentation"] == pytest.approx((up - down) / (2 * h), rel=1e-4)
    creeping = carom.model("tsuji-1992").law(mass=1.0, stiffness=1e9, damping=1e6, exit="indentation")
    found = creeping.gradient(1.0, by="stiffness")
    assert found.values["restitution"] == 0.0 and found.restitution["stiffness"] == 0.0
    assert np.isinf(found.values["duration"]) and np.isnan(found.duration["stiffness"])


def test_many_at_once_and_what_cannot_be(steel):
    speeds = np.array([0.1, 0.5, 2.0])
    law = carom.model("flores-2011").law(**steel, restitution=[[0.5], [0.9]])
    names = ["speed", "stiffness", "mass", "restitution"]
    many = law.gradient(speeds, by=names)
    assert many.force_max["speed"].shape == (2, 3) == many.values["restitution"].shape
    one = carom.model("flores-2011").law(**steel, restitution=0.9).gradient(0.5, by=names)
    for name in names:
        assert many.force_max[name][1, 1] == one.force_max[name]
    assert many.to_table()["force_max_by_speed"].shape == (6,)
    again = pickle.loads(pickle.dumps(many))
    np.testing.assert_array_equal(again.duration["mass"], many.duration["mass"])
    single = carom.model("flores-2011").law(**steel, restitution=0.9)
    for by, told in (("colour", "colour"), ("damping", "damping is missing"), ("law", "number|missing")):
        with pytest.raises(carom.Error, match=told):
            single.gradient(0.5, by=by)
    undamped = carom.model("hunt-crossley-1975").law(**steel, damping=0.0)
    with pytest.raises(carom.Error, match="damping = 0 .*small number instead of 0"):
        undamped.gradient(0.5, by="damping")


def test_jax_differentiates_impacts(steel):
    jax = pytest.importorskip("jax")
    import carom.jax

    jax.config.update("jax_enable_x64", True)
    law = carom.model("flores-2011").law(**steel, restitution=0.7)
    impact = carom.jax.impact(law)
    exact = law.gradient(0.5, by=["speed", "stiffness"])

    def loss(speed, stiffness):
        found = impact(speed=speed, stiffness=stiffness)
        return found.force_max * found.restitution**2

    by = jax.jit(jax.grad(loss, argnums=(0, 1)))(0.5, steel["stiffness"])
    for found, name in zip(by, ("speed", "stiffness")):
        e, force = exact.values["restitution"], exact.values["force_max"]
        expected = e**2 * exact.force_max[name] + 2 * e * force * exact.restitution[name]
        assert float(found) == pytest.approx(expected, rel=1e-12)
    speeds = jax.numpy.array([0.1, 0.5, 2.0])
    mapped = jax.vmap(jax.grad(lambda v: impact(speed=v).duration))(speeds)
    np.testing.assert_allclose(mapped, law.gradient(np.asarray(speeds), by="speed").duration["speed"], rtol=1e-12)
    h = 1e-6
    expected = (law.collide(0.5 + h).duration - law.collide(0.5 - h).duration) / (2 * h)
    assert float(mapped[1]) == pytest.approx(expected, rel=1e-6)
    force = carom.jax.force(law, 0.5)
    contact = law.touch(0.5)
    assert tuple(map(float, jax.grad(force, argnums=(0, 1))(1e-5, 0.1))) == pytest.approx(contact.tangent(1e-5, 0.1))
    assert float(jax.jvp(force, (1e-5, 0.1), (1.0, 0.0))[1]) == pytest.approx(contact.tangent(1e-5, 0.1)[0])
    assert jax.vmap(force, (0, None))(speeds * 1e-5, 0.1).shape == (3,)
    with pytest.raises(carom.Error, match="speed is missing"):
        impact(stiffness=1e10)


def test_torch_differentiates_impacts(steel):
    torch = pytest.importorskip("torch")
    import carom.torch

    law = carom.model("flores-2011").law(**steel, restitution=0.7)
    impact = carom.torch.impact(law)
    speed = torch.tensor([0.1, 0.5], dtype=torch.float64, requires_grad=True)
    e = torch.tensor(0.6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda v, e: impact(speed=v, restitution=e).restitution, (speed, e), eps=1e-5, atol=1e-6
    )
    impact(speed=speed, restitution=e).force_max.sum().backward()
    other = carom.model("flores-2011").law(**steel, restitution=0.6)
    found = other.gradient([0.1, 0.5], by=["speed", "restitution"])
    np.testing.assert_allclose(speed.grad.numpy(), found.force_max["speed"], rtol=1e-12)
    assert float(e.grad) == pytest.approx(found.force_max["restitution"].sum(), rel=1e-12)
    for name in ("hertz-1881", "tsuji-1992", "hunt-crossley-1975", "lankarani-nikravesh-1990"):
        one = carom.model(name).law(**steel, restitution=None if name == "hertz-1881" else 0.8)
        v = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
        carom.torch.impact(one)(speed=v).duration.backward()
        assert float(v.grad) == pytest.approx(one.gradient(0.5, by="speed").duration["speed"], rel=1e-12)
    delta = torch.tensor(1e-5, dtype=torch.float64, requires_grad=True)
    carom.torch.force(law, 0.5)(delta, 0.1).backward()
    assert float(delta.grad) == pytest.approx(law.touch(0.5).tangent(1e-5, 0.1)[0])
