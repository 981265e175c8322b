"""Arrays: they broadcast, invalid ones are refused or handled correctly, and results do not depend on the number of threads."""

import fractions
import threading
import time

import numpy as np
import pytest

import carom


@pytest.fixture
def law(steel):
    return carom.model("flores-2011").law(**steel, restitution=0.7568, calibration="exact")


def test_the_example_of_the_guide(law):
    impact = law.collide(speed=0.5)
    assert impact.restitution == pytest.approx(0.7568, abs=1e-12)
    assert impact.force_max == pytest.approx(4447.984, abs=1e-3)
    assert impact.shape == () and impact.notes == []


def test_any_parameters_broadcast_against_each_other(steel):
    e = np.array([0.3, 0.6, 0.9])
    speed = np.array([[0.1], [0.5]])
    mass = np.array([0.1, 0.54]).reshape(2, 1, 1)
    law = carom.model("tsuji-1992").law(
        mass=mass, stiffness=steel["stiffness"], restitution=e, calibration="exact"
    )
    assert law.shape == (2, 1, 3)
    impacts = law.collide(speed=speed)
    assert impacts.shape == impacts.force_max.shape == (2, 2, 3)
    np.testing.assert_allclose(impacts.restitution, np.broadcast_to(e, (2, 2, 3)), rtol=1e-10)
    one = carom.model("tsuji-1992").law(
        mass=0.54, stiffness=steel["stiffness"], restitution=0.9, calibration="exact"
    ).collide(speed=0.1)
    assert impacts.force_max[1, 0, 2] == pytest.approx(one.force_max, rel=1e-12)
    assert impacts[1, 0, 2].force_max == one.force_max
    assert impacts[1].shape == (2, 3)
    np.testing.assert_array_equal(impacts[1].force_max, impacts.force_max[1])


def test_the_whole_catalogue_gives_as_columns_what_it_gives_one_by_one(steel):
    """Enough rows for the curve to be used, a few of which are compared; with parameters where a law has no default."""
    speeds = np.geomspace(0.05, 2.0, 300)
    tried = 0
    for id in carom.models()["id"]:
        for asked in ({"restitution": 0.7}, {"restitution": 0.7, "calibration": "exact"}, {}):
            try:
                law = carom.model(id).law(**steel, **asked)
                one = [law.collide(speed=v) for v in speeds[[0, 150, 299]]]
            except carom.Error:
                continue
            columns = law.collide(speed=speeds)
            for row, impact in zip((0, 150, 299), one):
                for name in ("restitution", "duration", "force_max", "indentation_max", "energy_lost_in_compression"):
                    expected = getattr(impact, name)
                    scale = impact.energy_initial if name.startswith("energy") else abs(expected)
                    found = getattr(columns, name)[row]
                    assert found == expected or abs(found - expected) <= 2e-10 * scale, (id, asked, name, row)
            tried += 1
    assert tried > 80


@pytest.mark.parametrize("name", ["restitution", "mass", "stiffness", "speed"])
def test_columns_of_each_number_take_the_short_way_and_the_long_way_alike(steel, name):
    column = {
        "restitution": np.linspace(0.2, 1.0, 600),
        "mass": np.geomspace(1e-3, 10.0, 600),
        "stiffness": np.geomspace(1e5, 1e11, 600),
        "speed": np.geomspace(1e-3, 10.0, 600),
    }[name]
    said = {"exponent": 1.5, "mass": 0.54, "stiffness": 2.4144e10, "restitution": 0.7, "speed": 0.5, name: column}
    for id in ("hunt-crossley-1975", "tsuji-1992", "jankowski-2005"):
        made = {key: value for key, value in said.items() if key != "speed"}
        impacts = carom.model(id).law(**made, calibration="exact").collide(said["speed"])
        np.testing.assert_allclose(impacts.restitution, np.broadcast_to(said["restitution"], 600), rtol=2e-10)
        for row in (0, 1, 300, 599):
            assert impacts.force_max[row] == pytest.approx(impacts[row].force_max, rel=2e-10)


def test_results_do_not_depend_on_the_number_of_threads(steel):
    rng = np.random.default_rng(1)
    e, v = rng.uniform(0.2, 0.99, 20_000), rng.uniform(0.01, 3.0, 20_000)
    law = carom.model("zhang-2022").law(
        **steel, restitution=e, calibration="exact", damping_exponent=1.2, rate_exponent=0.9
    )
    one = law.collide(v, threads=1)
    for threads in (2, 3, 16):
        other = law.collide(v, threads=threads)
        for name in one.to_dict():
            np.testing.assert_array_equal(one.to_dict()[name], other.to_dict()[name])


def test_the_lock_is_released_while_impacts_are_computed():
    """Another Python thread runs during a batch, which is impossible while the lock is held."""
    pair = carom.pair("sphere radius=1cm material=steel", "plane material=steel")
    law = carom.model("thornton-1997").law(pair=pair, restitution=0.7, calibration="exact")
    instants, stop = [], threading.Event()

    def watch():
        while not stop.wait(0.001):
            instants.append(time.perf_counter())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        rows, start, end = 100, 0.0, 0.0
        while end - start < 0.2:
            rows *= 2
            speeds = np.linspace(0.1, 1.0, rows)
            start = time.perf_counter()
            law.collide(speeds, threads=1)
            end = time.perf_counter()
    finally:
        stop.set()
        watcher.join()
    middle = (start + 0.25 * (end - start), start + 0.75 * (end - start))
    assert any(middle[0] < instant < middle[1] for instant in instants)


def test_bodies_may_have_columns_too():
    radii = np.array([0.005, 0.01, 0.02])
    ball = carom.body("sphere", radius=radii, material="steel")
    impacts = carom.model("hertz-1881").law(bodies=[ball, "plane material=steel"]).collide(speed=0.1)
    for radius, force in zip(radii, impacts.force_max):
        pair = carom.pair(carom.body("sphere", radius=float(radius), material="steel"), "plane material=steel")
        one = carom.model("hertz-1881").law(pair=pair).collide(speed=0.1)
        assert force == pytest.approx(one.force_max, rel=1e-12)
    # Hertz: at a given speed the force is proportional to the square of the radius.
    np.testing.assert_allclose(impacts.force_max / impacts.force_max[0], (radii / radii[0]) ** 2, rtol=1e-9)


# Invalid arrays.


def test_zero_length_gives_zero_length(law):
    for empty in (np.array([]), np.zeros((3, 0)), []):
        impacts = law.collide(speed=empty)
        assert impacts.restitution.shape == np.shape(empty)
        assert len(impacts.to_table()) == 0
    assert carom.exact.epsilon(np.array([])).shape == (0,)
    assert law.force(np.array([]), 0.1, speed=0.5).shape == (0,)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -0.5, 0.0])
@pytest.mark.parametrize("rows", [3, 1000])
def test_a_value_that_cannot_be_is_named_with_its_place(law, bad, rows):
    speed = np.full((rows, 2), 0.5)
    speed[rows - 2, 1] = bad
    with pytest.raises(carom.Error, match=rf"speed = .* must be .* \(at index \[{rows - 2}, 1\]\)"):
        law.collide(speed=speed)
    found = law.collide(speed=speed, errors="nan")
    expected = np.zeros((rows, 2), bool)
    expected[rows - 2, 1] = True
    np.testing.assert_array_equal(np.isnan(found.restitution), expected)
    with pytest.raises(carom.Error):
        law.collide(speed=bad)


def test_the_first_of_several_bad_rows_is_told_on_any_number_of_threads(law):
    speed = np.full(100_000, 0.5)
    speed[[17_000, 55_555, 99_999]] = -1.0
    for threads in (1, 2, 7):
        with pytest.raises(carom.Error, match=r"\[17000\]"):
            law.collide(speed=speed, threads=threads)


@pytest.mark.parametrize(
    "hostile",
    [
        ["a", "b"],
        np.array(["0.5", "0.6"]),
        np.array([0.5, None], dtype=object),
        [[0.1, 0.2], [0.3]],
        np.array([1 + 1j]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.array([True, False]),
        np.zeros(2, dtype=[("a", float)]),
        {"a": 1.0},
        {0.5, 0.6},
        object(),
        None,
        True,
        b"0.5",
        10**400,
        fractions.Fraction(1, 2),
        lambda: 0.5,
        np.ma.masked_array([0.5, 0.6], mask=[False, True]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_numbers_is_refused(law, steel, hostile):
    with pytest.raises((carom.Error, TypeError)):
        law.collide(speed=hostile)
    if hostile is not None:
        with pytest.raises((carom.Error, TypeError)):
            carom.model("flores-2011").law(**{**steel, "restitution": hostile}).collide(speed=0.5)


def test_shapes_that_do_not_fit_are_refused(steel):
    with pytest.raises(carom.Error, match=r"do not broadcast.*mass \(2,\).*restitution \(3,\)"):
        carom.model("flores-2011").law(mass=[1.0, 2.0], stiffness=1e9, restitution=[0.5, 0.6, 0.7])
    law = carom.model("flores-2011").law(**steel, restitution=[0.5, 0.6, 0.7])
    with pytest.raises(carom.Error, match="do not broadcast"):
        law.collide(speed=[0.1, 0.2])
    with pytest.raises(carom.Error, match="do not broadcast"):
        law.force([1e-5, 2e-5], 0.1, speed=0.5)


def test_layout_and_kind_of_numbers_do_not_matter(law):
    base = np.linspace(0.1, 1.0, 24)
    expected = law.collide(speed=base).force_max
    wide = np.zeros((24, 3))
    wide[:, 1] = base
    read_only = base.copy()
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"x" + base.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    for same in (
        wide[:, 1],
        base[::-1][::-1],
        read_only,
        unaligned,
        base.astype(">f8"),
        base.astype(np.longdouble),
        base.tolist(),
        tuple(base.tolist()),
        base.view(type("Sub", (np.ndarray,), {})),
        memoryview(base),
    ):
        np.testing.assert_array_equal(law.collide(speed=same).force_max, expected)
    np.testing.assert_array_equal(law.collide(speed=base[::-1]).force_max, expected[::-1])
    grid = base.reshape(4, 6)
    np.testing.assert_array_equal(law.collide(speed=np.asfortranarray(grid)).force_max, expected.reshape(4, 6))
    np.testing.assert_array_equal(law.collide(speed=grid.T).force_max, expected.reshape(4, 6).T)
    single = base.astype(np.float32)
    np.testing.assert_array_equal(law.collide(single).force_max, law.collide(single.astype(float)).force_max)
    np.testing.assert_array_equal(law.collide([1, 2]).force_max, law.collide([1.0, 2.0]).force_max)
    assert law.collide(np.float32(0.5)).shape == law.collide(np.array(0.5)).shape == ()


def test_large_columns_are_copied_once_and_results_not_at_all(steel):
    """Results keep a copy of their inputs, which is the only additional memory."""
    import tracemalloc

    speed = np.random.default_rng(0).uniform(0.1, 1.0, 1_000_000)
    law = carom.model("hertz-1881").law(**steel)
    tracemalloc.start()
    impacts = law.collide(speed=speed)
    current, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # NumPy reports its allocations to tracemalloc: one column of 8 MB, and nothing else of that size.
    assert peak < 10_000_000
    np.testing.assert_array_equal(impacts._arrays["speed"], speed)


def test_inputs_are_left_as_they_were(law):
    speed = np.linspace(0.1, 1.0, 1000)
    before = speed.copy()
    law.collide(speed=speed)
    np.testing.assert_array_equal(speed, before)


@pytest.mark.parametrize("threads", [0, -1, 2.5, "two", 10**9])
def test_threads_that_make_no_sense_are_refused(law, threads):
    with pytest.raises(carom.Error, match="threads"):
        law.collide(speed=[0.5, 0.6], threads=threads)
