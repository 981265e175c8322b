"""Bodies, identification, fits, drop tests, advice, exports."""

import json
import os
import subprocess

import numpy as np
import pytest

import carom


def test_pairs_are_hertz():
    pair = carom.pair("sphere radius=12.7mm material=steel", "plane material=steel")
    steel = carom.material("steel")
    modulus = steel.youngs / (2 * (1 - steel.poisson**2))
    assert pair.stiffness == pytest.approx(4 / 3 * modulus * np.sqrt(0.0127), rel=1e-12)
    assert pair.mass == pytest.approx(steel.density * 4 / 3 * np.pi * 0.0127**3, rel=1e-12)
    assert pair.facts.radius == 0.0127
    law = carom.model("flores-2011").law(pair=pair, restitution=0.8)
    assert law.collide(speed=0.1).report.pair.stiffness == pair.stiffness


@pytest.mark.parametrize(
    "first, second, told",
    [
        ("sphere", "plane material=steel", "radius of body 1 is missing"),
        ("sphere radius=1cm material=steel", "sphere radius=1cm material=stel", "did you mean `steel`"),
        ("cube radius=1cm", "plane material=steel", "no shape `cube`"),
        ("sphere radius=1kg material=steel", "plane material=steel", "radius"),
        (3, "plane material=steel", "body must be"),
    ],
)
def test_bodies_that_make_no_sense_are_refused(first, second, told):
    with pytest.raises(carom.Error, match=told):
        carom.pair(first, second)


def test_identification_inverts_an_impact(steel):
    law = carom.model("hunt-crossley-1975").law(**steel, restitution=0.7568, calibration="exact")
    impact = law.collide(speed=0.5)
    found = carom.identify(
        mass=0.54, speed=0.5, restitution=impact.restitution, duration=impact.duration, duration_error=1e-6
    )
    assert found.pair.stiffness == pytest.approx(steel["stiffness"], rel=1e-9)
    assert found.uncertainty.stiffness > 0
    several = carom.identify(speeds=[0.1, 0.5, 1.0], restitutions=np.array([0.9, 0.8, 0.75]))
    assert several.to_dict()
    with pytest.raises(carom.Error, match="a measured number is missing"):
        carom.identify(mass=0.54, speed=0.5, restitution=0.7)
    with pytest.raises(TypeError, match="colour"):
        carom.identify(mass=0.54, colour="red")


def test_questions_that_make_no_sense_are_refused(steel):
    with pytest.raises(carom.Error, match="must be one number"):
        carom.identify(mass=0.54, speed=0.5, restitution=0.7, duration=[1e-4, 2e-4])
    with pytest.raises(carom.Error, match="a law is between two"):
        carom.model("hertz-1881").law(bodies="sphere radius=1cm material=steel")
    with pytest.raises(carom.Error, match="law must be made by"):
        carom.export("tsuji-1992", "lammps", speed=0.5)
    assert carom.exact.outcome(0.0).restitution == 1.0


def test_a_fit_finds_what_made_the_curve_within_its_errors(steel):
    law = carom.model("hunt-crossley-1975").law(**steel, damping=2e10)
    course = law.collide(speed=0.5).trajectory(400)
    rng = np.random.default_rng(3)
    noisy = course["force"] + rng.normal(0.0, 20.0, 400)
    found = carom.fit("hunt-crossley-1975", time=course["time"], force=noisy, mass=0.54, speed=0.5)
    assert set(found.estimates) >= {"stiffness", "damping"}
    for name, true in (("stiffness", steel["stiffness"]), ("damping", 2e10)):
        assert 0 < found.errors[name] < 0.1 * true
        assert abs(found.estimates[name] - true) < 4 * found.errors[name]
    assert len(found.points) > 100 and len(found.curve) > 100
    assert {row["name"] for row in found.to_table().rows()} == set(found.estimates)
    band = found.curve["upper"] - found.curve["lower"]
    assert np.all(band >= 0) and 0 < band.max() < 20.0  # the law is known more accurately than a single point with noise of 20 N
    figure = found.plot()
    assert len(figure.axes) == 2


def test_several_records_share_numbers(steel):
    law = carom.model("hunt-crossley-1975").law(**steel, damping=2e10)
    rng = np.random.default_rng(5)
    runs = []
    for speed in (0.3, 0.5, 0.9):
        course = law.collide(speed=speed).trajectory(200)
        noisy = course["force"] + rng.normal(0.0, 20.0, 200)
        runs.append({"time": course["time"], "force": noisy, "speed": speed, "name": f"{speed} m/s"})
    found = carom.fit_together("hunt-crossley-1975", runs, mass=0.54)
    assert set(found.estimates) == {"stiffness", "damping"}
    for name, true in (("stiffness", steel["stiffness"]), ("damping", 2e10)):
        assert abs(found.estimates[name] - true) < 4 * found.errors[name]
    assert [record["name"] for record in found.records] == ["0.3 m/s", "0.5 m/s", "0.9 m/s"]
    # Each record has a fit with a curve of its own.
    assert len(found.fits) == 3 and len(found.fits[2].points) > 100
    alone = carom.fit("hunt-crossley-1975", **{k: runs[0][k] for k in ("time", "force", "speed")}, mass=0.54)
    assert found.errors["damping"] < alone.errors["damping"]
    own = carom.fit_together("hunt-crossley-1975", runs, shared="stiffness", mass=0.54)
    assert set(own.estimates) == {"stiffness"}
    assert {row["record"] for row in own.to_table().rows()} == {"", "0.3 m/s", "0.5 m/s", "0.9 m/s"}
    with pytest.raises(carom.Error, match="clock and a zero of its own"):
        carom.fit_together("hunt-crossley-1975", runs, shared=["touch"], mass=0.54)
    with pytest.raises(carom.Error, match="no column `forces` in 0.3 m/s"):
        carom.fit_together("hunt-crossley-1975", [{**runs[0], "forces": runs[0]["force"]}, runs[1]], mass=0.54)
    with pytest.raises(carom.Error, match="records is one record"):
        carom.fit_together("hunt-crossley-1975", runs[0], mass=0.54)


def test_the_law_that_made_the_curve_explains_it_best(steel):
    law = carom.model("tsuji-1992").law(**steel, restitution=0.6, calibration="exact")
    course = law.collide(speed=0.5).trajectory(300)
    noisy = course["force"] + np.random.default_rng(4).normal(0.0, 10.0, 300)
    ranking = carom.rank(
        ["hunt-crossley-1975", "tsuji-1992", "kelvin-voigt-1865"],
        time=course["time"],
        force=noisy,
        mass=0.54,
        speed=0.5,
    )
    assert ranking.laws[0].law == "tsuji-1992" and ranking.best["law"] == "tsuji-1992"
    assert len(ranking.to_table()) == 3


def test_fits_of_whole_impacts_take_columns():
    speed = np.array([0.1, 0.2, 0.4, 0.8])
    law = carom.model("hunt-crossley-1975").law(mass=0.1, stiffness=1e8, damping=5e7)
    impacts = law.collide(speed=speed)
    outcomes = {"speed": speed, "restitution": impacts.restitution, "duration": impacts.duration}
    found = carom.fit("hunt-crossley-1975", outcomes=outcomes, mass=0.1)
    assert found.estimates["stiffness"] == pytest.approx(1e8, rel=1e-4)
    assert found.estimates["damping"] == pytest.approx(5e7, rel=1e-3)


@pytest.mark.parametrize(
    "measured",
    [
        {},
        {"time": [0.0, 1.0]},
        {"time": [0.0, 1.0], "force": [1.0]},
        {"time": [], "force": []},
        {"time": ["a", "b"], "force": [1.0, 2.0]},
        {"time": np.zeros((2, 2)), "force": np.zeros((2, 2))},
        {"time": np.full(50, np.nan), "force": np.full(50, np.nan)},
        {"time": np.linspace(0, 1, 50), "force": np.zeros(50)},
        {"outcomes": {"speed": [0.5], "colour": [1.0]}},
        {"outcomes": {"speed": [0.5], "restitution": [0.5]}, "time": [0.0]},
    ],
    ids=str,
)
def test_hostile_measurements_are_refused(measured):
    with pytest.raises(carom.Error):
        carom.fit("hunt-crossley-1975", mass=0.54, speed=0.5, **measured)


def test_advice_is_asked_as_on_the_command_line():
    advice = carom.advise(
        mass=0.54, stiffness=2.4144e10, speed="0.1..1 m/s", restitution=0.7568, purpose="granular"
    )
    assert advice.recommended[0].damping.damping_exponent == 0.25
    with pytest.raises(carom.Error, match="purpose"):
        carom.advise(mass=0.54, stiffness=2.4144e10, speed=0.5, purpose="fun")


def test_exports_deliver_what_was_asked_for(steel, tmp_path):
    law = carom.model("tsuji-1992").law(**steel, restitution=0.7568, calibration="exact")
    for engine in carom.engines()["id"]:
        deck = carom.export(law, engine, speed=0.5)
        assert deck.delivers.restitution == pytest.approx(0.7568, abs=1e-6), engine
        for path in deck.write(tmp_path):
            assert open(path, encoding="utf-8").read()
    with pytest.raises(carom.Error, match="no engine `lamps`"):
        carom.export(law, "lamps", speed=0.5)
    with pytest.raises(carom.Error, match="step must be a time"):
        carom.export(law, "lammps", speed=0.5, step="1 m")
    assert carom.export(law, "lammps", speed=0.5, step="100 ns").to_dict() == carom.export(law, "lammps", speed=0.5, step=1e-7).to_dict()
    with pytest.raises(carom.Error, match="single numbers"):
        carom.export(carom.model("tsuji-1992").law(**steel, restitution=[0.5, 0.6]), "lammps", speed=0.5)


def test_a_drop_test_is_that_of_the_command(command, tmp_path):
    table = tmp_path / "bounces.csv"
    table.write_text("measured by hand\n50;32\n40;25.6\n")
    ours = carom.drop(
        table, columns=["drop [mm]", "bounce [mm]"], skip=1, mass="67.4 g", contact_time="110 us", engine="mujoco", steps=20
    )
    told = subprocess.run(
        [command, "drop", table, "--columns", "drop [mm],bounce [mm]", "--skip", "1", "--mass", "67.4g"]
        + ["--contact-time", "110us", "--export", "mujoco", "--steps", "20", "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert ours.to_dict() == json.loads(told)
    assert ours.to_table()["restitution"] == pytest.approx([0.8, 0.8])
    assert [os.path.basename(path) for path in ours.export.write(tmp_path)] == [file.name for file in ours.export.files]
    with pytest.raises(carom.Error, match="engine is missing"):
        _ = carom.drop(drop=1.0, bounce=0.5).export
    with pytest.raises(carom.Error, match="cannot read"):
        carom.drop(tmp_path / "missing.wav")


@pytest.mark.parametrize(
    "ask, why",
    [
        (lambda: carom.model("flores-2011").law(mass=0.54, stifness=1e10), "no parameter `stifness`; did you mean `stiffness`"),
        (lambda: carom.model("flores-2011").law(mass=0.54, set=[1]), "set must be names with values"),
        (lambda: carom.model("hertz-1881").law(mass=1, stiffness=1e9).touch([1, 2]), "speed must be one number"),
        (lambda: carom.models(group="plastics"), "no group `plastics`"),
        (lambda: carom.body(3), "shape must be a word"),
        (lambda: carom.fit("hertz-1881", window=3), "window must be two times"),
        (lambda: carom.fit("hertz-1881", bootstrap=-1), "bootstrap must be a whole number"),
        (lambda: carom.bifurcation("[simulation]\n", "a.b=1, 2", section="turns"), "no section `turns`"),
        (lambda: carom.bifurcation("[simulation]\n", "a.b=1, 2", turns=-1), "turns must be a whole number"),
        (lambda: carom.simulate("[simulation]\n", set="simulation.duration=1 s"), "set must be names with values"),
        (lambda: carom.drop(drop=1.0, bounce=0.5, steps=20), "name it as well"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_mistakes_are_told_in_a_sentence(ask, why):
    with pytest.raises(carom.Error, match=why):
        ask()


def test_one_name_is_as_good_as_a_list_of_one():
    assert [row.law for row in carom.compare("steel-ball-0.5", "flores-2011").rows] == ["flores-2011"]
    law = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9)
    assert list(law.collide([0.1, 0.2], outputs="force_max").to_dict()) == ["force_max"]
