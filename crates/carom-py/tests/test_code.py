"""Generated code: the Python code of every law of the catalogue, run with NumPy, yields the force of the library."""

import re

import numpy as np
import pytest

import carom

SPEED = 0.5
STEEL = "youngs=206GPa poisson=0.3 density=7850"
PAIRS = [
    (f"sphere radius=20mm mass=0.54kg {STEEL}", f"plane {STEEL}"),
    (f"square-punch half_side=5mm mass=0.54kg {STEEL}", f"plane {STEEL}"),
    (f"sphere radius=20mm mass=0.54kg {STEEL}", f"socket radius=20.2mm {STEEL}"),
    (f"cylinder radius=10mm length=20mm mass=0.54kg {STEEL}", f"plane {STEEL}"),
    (f"cylinder radius=10mm length=20mm mass=0.54kg {STEEL}", f"bore radius=10.2mm length=20mm {STEEL}"),
]
DAMPINGS = [{"restitution": 0.7}, {"restitution": 0.7, "calibration": "exact"}, {}]
# Values for steel at 0.5 m/s, by name or by unit.
SENSIBLE = {
    "unloading_stiffness": 5e10,
    "permanent_indentation": 3e-6,
    "yield_indentation": 3e-6,
    "equilibrium_shear_modulus": 8e10,
    "yield_strength": 1e9,
    "work_of_adhesion": 1e4,
    "Pa s": 2e5,
    "Pa*s": 2e5,
    "Pa": 1.5e9,
    "m/s": SPEED,
    "s/m": 0.3,
    "m": 1e-3,
    "m^2": 1e-4,
    "N/m^3": 1e15,
    "1/m": 3e4,
    "s": 1e-5,
    "1/s": 3e4,
}


def settings(model):
    """Returns sets of parameters: none; every parameter that has no default; all of these but one."""
    open = [entry for entry in model.parameters if entry.get("default") is None]
    every = {}
    for entry in open:
        value = SENSIBLE.get(entry["name"], SENSIBLE.get(entry["unit"], 0.5))
        low, high = (entry.get(end) for end in ("minimum", "maximum"))
        value = value if low is None else max(value, low)
        every[entry["name"]] = value if high is None else min(value, high)
    yield {}
    if every:
        yield every
    for left_out in every if len(every) > 1 else ():
        yield {name: value for name, value in every.items() if name != left_out}


def laws(model):
    """Returns laws of a model: each kind of dissipation once, for the first bodies that admit it."""
    found = {}
    for bodies in PAIRS:
        for numbers in settings(model):
            for damping in DAMPINGS:
                key = (damping.get("calibration"), "restitution" in damping, bool(numbers))
                if key in found:
                    continue
                try:
                    law = model.law(bodies=bodies, **damping, **numbers)
                    law.touch(SPEED)
                    law.collide(SPEED)
                except carom.Error:
                    continue
                found[key] = law
    return list(found.values())


class Printed:
    """The functions of a law's generated code, with the memory of a contact."""

    def __init__(self, law):
        text = law.code("python", speed=SPEED)
        functions = {}
        exec(text, functions)
        self.functions = {name: function for name, function in functions.items() if name.startswith(law.model.id.replace("-", "_"))}
        self.memory = {"speed": SPEED, "peak": 0.0, "time": 0.0, "internal": 0.0}
        searched = re.search(r"fixed at first touch; (\S+) at 0\.5 m/s", text)
        if searched:
            self.memory["damping"] = float(searched[1])
        elif self.function("touch"):
            self.memory["damping"] = self.call("touch")

    def function(self, suffix):
        return next((function for name, function in self.functions.items() if name.endswith("_" + suffix)), None)

    def call(self, suffix, **state):
        function = self.function(suffix)
        names = function.__wrapped__.__code__.co_varnames[: function.__wrapped__.__code__.co_argcount]
        known = {**self.memory, **state}
        return function(*(known[name] for name in names))


def near(found, expected, largest):
    """Compares up to rounding: NumPy's powers differ in their last digits, and spring and damper may nearly cancel."""
    return np.all(np.abs(found - expected) <= 1e-13 * np.abs(expected) + 1e-14 * largest)


@pytest.mark.filterwarnings("error")
def test_printed_python_is_the_force_of_every_law():
    random = np.random.default_rng(15)
    tried = set()
    for id in carom.models()["id"]:
        model = carom.model(id)
        for law in laws(model):
            tried.add(id)
            impact = law.collide(SPEED)
            depth, contact, printed = impact.indentation_max, law.touch(SPEED), Printed(law)
            # First loading with arrays of points. Out of contact `law.force` is 0, and the generated law is not evaluated there.
            delta = depth * random.uniform(0.0, 1.3, 2000)
            rate = SPEED * random.uniform(-1.5, 1.5, 2000)
            if printed.function("internal_rate") is None and "time" not in re.findall(r"^#   (\w+):", law.code("python"), re.M):
                expected = law.force(delta, rate, speed=SPEED)
                found = printed.call("force", delta=delta, rate=rate)
                assert near(found, expected, impact.force_max), law
            # A history: loading, unloading, reloading, with commits as the comment of the generated code describes.
            path = depth * np.concatenate([np.linspace(0.05, 1.0, 12), np.linspace(0.97, 0.2, 20), np.linspace(0.25, 1.1, 12)])
            rates = SPEED * np.concatenate([np.linspace(1.0, 0.0, 12), np.linspace(-0.1, -0.6, 20), np.linspace(0.5, 0.1, 12)])
            for step, (d, v) in enumerate(zip(path, rates)):
                time = step * 0.02 * impact.duration
                contact.time = printed.memory["time"] = time
                if contact.has_internal:
                    internal = random.uniform(0.0, 1.0) * d**1.5
                    contact.internal = printed.memory["internal"] = internal
                    found = printed.call("internal_rate", delta=d, rate=v)
                    assert found == pytest.approx(contact.internal_rate(d, v), rel=1e-13), law
                assert near(printed.call("force", delta=d, rate=v), contact.force(d, v), impact.force_max), (law, step)
                contact.commit(d, v)
                if printed.function("peak"):
                    printed.memory["peak"] = float(printed.call("peak", delta=d, rate=v))
                    assert printed.memory["peak"] == contact.peak, law
    assert tried == set(carom.models()["id"])


def test_numbers_are_arguments_where_none_are_given():
    text = carom.model("hertz-1881").code("python")
    functions = {}
    exec(text, functions)
    delta = np.linspace(0.0, 1e-4, 5)
    np.testing.assert_allclose(functions["hertz_1881_force"](delta, 0.0, 0.0, 2.4e10), 2.4e10 * delta**1.5, rtol=1e-14)
    assert "double stiffness" in carom.model("hertz-1881").code("c")


def test_what_cannot_be_printed_is_refused(steel):
    law = carom.model("hertz-1881").law(**steel)
    with pytest.raises(carom.Error, match="language"):
        law.code("fortran")
    many = carom.model("hertz-1881").law(mass=[0.5, 0.6], stiffness=2.4e10)
    with pytest.raises(carom.Error, match="single numbers"):
        many.code("c")
