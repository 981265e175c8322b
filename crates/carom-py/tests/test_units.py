"""Quantities with units, arrays with labels, and arrays that are changed afterwards."""

import pickle

import numpy as np
import pandas
import pint
import pytest
import xarray

import carom

ureg = pint.UnitRegistry()


class Duck:
    """An object with a value and a unit, like astropy's quantities for programs that do not know astropy."""

    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.value, dtype=dtype)


def tsuji(**said):
    given = {"mass": 0.54, "stiffness": 2.4144e10, "restitution": 0.7, "calibration": "exact", **said}
    return carom.model("tsuji-1992").law(**{name: value for name, value in given.items() if value is not None})


# Regression: 100 cm/s was read as 100 m/s, because the unit was silently ignored.
@pytest.mark.parametrize("speed", [ureg.Quantity(100, "cm/s"), ureg.Quantity(3.6, "km/h"), Duck(100.0, "cm / s")])
def test_a_speed_with_a_unit_is_converted(speed):
    assert tsuji().collide(speed).duration == pytest.approx(tsuji().collide(1.0).duration, rel=1e-14)


def test_arrays_with_units_are_converted_wherever_they_enter(steel):
    cm = ureg.Quantity(np.array([50.0, 100.0, 200.0]), "cm/s")
    plain = tsuji().collide([0.5, 1.0, 2.0])
    for speed in (cm, list(cm), Duck(np.array([50.0, 100.0, 200.0]), "cm/s"), xarray.DataArray(cm, dims="x")):
        np.testing.assert_allclose(tsuji().collide(speed).duration, plain.duration, rtol=1e-14)
    said = xarray.DataArray([50.0, 100.0, 200.0], dims="x", attrs={"units": "cm/s"})
    np.testing.assert_allclose(tsuji().collide(said).duration, plain.duration, rtol=1e-14)
    law = tsuji(mass=ureg.Quantity([540.0, 1080.0], "g"), stiffness=ureg.Quantity(2.4144e4, "N/mm**1.5") * 10**1.5)
    np.testing.assert_allclose(
        law.collide(1.0).duration, tsuji(mass=[0.54, 1.08]).collide(1.0).duration, rtol=1e-13
    )
    many = tsuji(stiffness=ureg.Quantity([2.4144e10], "N/m**1.5"))
    assert many.collide(1.0).duration[0] == pytest.approx(plain.duration[1])
    # Forces, contacts, exact relations, bodies.
    um = ureg.Quantity([10.0, 20.0], "um")
    np.testing.assert_allclose(tsuji().force(um, ureg.Quantity(10, "cm/s")), tsuji().force([1e-5, 2e-5], 0.1))
    assert tsuji().touch(ureg.Quantity(50, "cm/s")).speed == 0.5
    assert carom.exact.epsilon(ureg.Quantity(50, "percent")) == pytest.approx(carom.exact.epsilon(0.5))
    inch = carom.body("sphere", radius=ureg.Quantity(0.5, "inch"), material="steel")
    assert carom.pair(inch, "plane material=steel").mass == pytest.approx(
        carom.pair("sphere radius=12.7mm material=steel", "plane material=steel").mass
    )
    bodies = [carom.body("sphere", radius=ureg.Quantity([0.5, 1.0], "inch"), material="steel"), "plane material=steel"]
    found = carom.model("hertz-1881").law(bodies=bodies).collide(1.0).duration
    assert found[0] == pytest.approx(carom.model("hertz-1881").law(pair=carom.pair(inch, bodies[1])).collide(1.0).duration)


def test_questions_convert_too():
    plain = carom.identify(mass=0.54, speed=0.5, restitution=0.7568, duration=207e-6)
    found = carom.identify(
        mass=ureg.Quantity(540, "g"), speed=ureg.Quantity(50, "cm/s"), restitution=0.7568, duration=ureg.Quantity(207, "us")
    )
    assert found.pair.stiffness == pytest.approx(plain.pair.stiffness, rel=1e-12)
    speeds, e = np.array([0.1, 0.5, 2.0]), [0.9, 0.85, 0.8]
    assert carom.identify(speeds=ureg.Quantity(100 * speeds, "cm/s"), restitutions=e).to_dict() == (
        carom.identify(speeds=speeds, restitutions=e).to_dict()
    )
    law = carom.model("hunt-crossley-1975").law(mass=0.54, stiffness=2.4144e10, restitution=0.7)
    course = law.collide(0.5).trajectory(300)
    known = dict(mass=ureg.Quantity(540, "g"), speed=ureg.Quantity(0.5, "m/s"))
    fitted = carom.fit(
        "hunt-crossley-1975",
        time=ureg.Quantity(1e3 * course.time, "ms"),
        force=ureg.Quantity(1e-3 * course.force, "kN"),
        touch=ureg.Quantity(0, "ms"),
        **known,
    )
    assert fitted.pair.stiffness == pytest.approx(2.4144e10, rel=1e-3)
    rows = {"speed": ureg.Quantity([50.0], "cm/s"), "restitution": [0.7]}
    told = carom.fit("hunt-crossley-1975", outcomes=rows, stiffness=2.4144e10, mass=0.54)
    assert told.speed == pytest.approx(0.5)
    advice = carom.advise(mass=ureg.Quantity(540, "g"), stiffness=2.4144e10, speed=ureg.Quantity(50, "cm/s"), restitution=0.7)
    assert advice.recommended


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: tsuji().collide(ureg.Quantity(3, "kg")), r"speed must be a speed, in m/s.*`kg` measures a mass, in kg"),
        (lambda: tsuji().collide(ureg.Quantity([3.0, 4.0], "kg")), r"speed must be a speed, in m/s.*`kg` measures a mass, in kg"),
        (lambda: tsuji().collide(Duck(3.0, "kg")), r"speed must be a speed, in m/s"),
        (lambda: tsuji().collide(ureg.Quantity(3, "")), r"speed must be a speed, in m/s"),
        (lambda: tsuji().collide([1.0, 2.0], external_force=ureg.Quantity(3, "m")), "external_force must be a force"),
        (lambda: tsuji(mass=ureg.Quantity([1.0, 2.0], "cm")), "mass must be a mass, in kg"),
        (lambda: tsuji(stiffness=ureg.Quantity([1e6, 2e6], "N/m")), r"stiffness must be a stiffness, in N/m\^1.5"),
        (lambda: tsuji(restitution=ureg.Quantity([0.5, 0.6], "m")), "restitution must be a pure number"),
        (lambda: tsuji().force(ureg.Quantity([1.0], "kg")), "delta must be a length, in m"),
        (lambda: tsuji().tangent(1e-5, ureg.Quantity(1.0, "m")), "rate must be a speed"),
        (lambda: tsuji().touch(ureg.Quantity(1, "m")), "speed must be a speed"),
        (lambda: tsuji().touch(1.0).force(ureg.Quantity(1, "um"), 0.1), "plain numbers in SI units"),
        (lambda: carom.exact.epsilon(ureg.Quantity([0.5], "m")), "restitution must be a pure number"),
        (lambda: carom.fit("tsuji-1992", time=ureg.Quantity([0.0, 1.0], "kg"), force=[0, 1]), "time must be a time"),
        (lambda: carom.pair(carom.body("sphere", radius=ureg.Quantity(1, "kg"), material="steel"), "plane material=steel"),
         "radius of body 1 must be a length"),
        (lambda: tsuji(mass=[ureg.Quantity(1, "kg"), 2.0]), "with and without units"),
        (lambda: tsuji(mass=[ureg.Quantity(1, "kg"), ureg.Quantity(1, "m")]), "different dimensions"),
        (lambda: tsuji(mass=Duck(1.0, "furlong")), "no unit `furlong`"),
        (lambda: carom.identify(mass=ureg.Quantity(1, "s"), speed=1, restitution=0.7, duration=1e-4), "mass must be a mass"),
    ],
)
def test_a_unit_of_another_dimension_is_refused_and_both_are_named(wrong, said):
    with pytest.raises(carom.Error, match=said):
        wrong()


# Regression: two Series were combined by position, regardless of their labels.
def test_labels_that_differ_are_refused():
    speed = pandas.Series([0.5, 1.0, 2.0], index=["a", "b", "c"])
    mass = pandas.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])
    found = tsuji(mass=mass).collide(speed).duration
    np.testing.assert_array_equal(found, tsuji(mass=mass.to_numpy()).collide(speed.to_numpy()).duration)
    with pytest.raises(carom.Error, match="mass and speed have different labels"):
        tsuji(mass=mass).collide(speed[::-1])
    with pytest.raises(carom.Error, match="mass and restitution have different labels"):
        tsuji(mass=mass, restitution=pandas.Series([0.5, 0.6, 0.7]))
    with pytest.raises(carom.Error, match="delta and rate have different labels"):
        tsuji().force(speed * 1e-5, mass[::-1])
    along, across = xarray.DataArray([0.5, 1.0], dims="x"), xarray.DataArray([1.0, 2.0], dims="y")
    with pytest.raises(carom.Error, match="different labels"):
        tsuji(mass=across).collide(along)
    with pytest.raises(carom.Error, match="different labels"):
        tsuji(mass=across.rename(y="x").assign_coords(x=[1, 2])).collide(along.assign_coords(x=[2, 1]))
    with pytest.raises(carom.Error, match="different labels"):
        carom.exact.epsilon(speed / 3, exponent=mass[::-1])
    with pytest.raises(carom.Error, match="different labels"):
        carom.fit("tsuji-1992", time=speed, force=mass[::-1], mass=1)
    with pytest.raises(carom.Error, match="different labels"):
        carom.identify(speeds=speed, restitutions=(mass / 4)[::-1])
    # Plain arrays are combined by position; so is one labelled array with plain ones.
    assert tsuji(mass=mass).collide([0.5, 1.0, 2.0]).shape == (3,)


# Regression: a law kept a reference to the caller's array, so that later changes made its results and parameters inconsistent.
def test_arrays_that_change_afterwards_change_nothing():
    mass, speed, radius = np.array([0.5, 1.0]), np.array([0.5, 1.0]), np.array([0.01, 0.02])
    law = tsuji(mass=mass)
    impacts = law.collide(speed)
    before = impacts.to_table().to_pandas()
    again = pickle.dumps(law)
    mass[:] = 100.0
    speed[:] = -1.0
    pandas.testing.assert_frame_equal(impacts.to_table().to_pandas(), before)
    assert impacts[1].duration == impacts.duration[1]
    np.testing.assert_array_equal(law.collide([0.5, 1.0]).duration, impacts.duration)
    np.testing.assert_array_equal(pickle.loads(again).collide([0.5, 1.0]).duration, impacts.duration)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(law)).collide([0.5, 1.0]).duration, impacts.duration)
    ball = carom.body("sphere", radius=radius, material="steel")
    rolled = carom.model("hertz-1881").law(bodies=[ball, "plane material=steel"])
    first = rolled.collide(1.0).duration.copy()
    radius[:] = 1.0
    ball["radius"] = 5.0
    np.testing.assert_array_equal(rolled.collide(1.0).duration, first)
    steel = carom.body("sphere", radius=0.01, material="steel")
    pair = carom.pair(steel, "plane material=steel")
    duration = carom.model("hertz-1881").law(pair=pair).collide(1.0).duration
    steel["radius"] = pair.bodies[0]["radius"] = pair.to_dict()["mass"] = 1.0
    law.spec.to_dict()["stiffness"] = 1.0
    np.testing.assert_array_equal(law.collide([0.5, 1.0]).duration, impacts.duration)
    assert carom.model("hertz-1881").law(pair=pair).collide(1.0).duration == duration
