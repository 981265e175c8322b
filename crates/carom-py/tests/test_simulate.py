"""Scenes: the columns of the command, closed forms, and runs that are resumed."""

import subprocess
import sys

import numpy as np
import pytest

import carom

BALL = """
title = "A ball against the ground"
[simulation]
duration = "20 ms"
sample = "1 ms"
[ground]
[[body]]
name = "ball"
shape = "sphere"
radius = "20 mm"
mass = "0.54 kg"
position = [0, 0, "21 mm"]
velocity = [0, 0, "-0.5 m/s"]
[[contact]]
between = ["ball", "ground"]
law = "hunt-crossley-1975"
stiffness = 2.4144e10
exponent = 1.5
restitution = 0.7
calibration = "exact"
"""

GRAINS = """
[simulation]
duration = "2 ms"
gravity = 9.81
[grains]
count = 30
radius = "1 mm"
youngs = "5 MPa"
poisson = 0.3
density = 2500
width = ["8 mm", "8 mm"]
velocity = [0, 0, "-1 m/s"]
[grains.contact]
law = "tsuji-1992"
restitution = 0.8
friction = { coefficient = 0.3 }
"""


def test_an_impact_through_a_scene_is_the_librarys():
    ran = carom.simulate(BALL)
    law = carom.model("hunt-crossley-1975").law(
        mass=0.54, stiffness=2.4144e10, exponent=1.5, restitution=0.7, calibration="exact"
    )
    impact = law.collide(speed=0.5)
    events = ran.events
    assert list(events["event"]) == ["touch", "part"]
    assert events["speed_m_per_s"][1] == pytest.approx(0.35, rel=1e-8)
    assert events["force_max_N"][1] == pytest.approx(impact.force_max, rel=1e-6)
    assert np.isnan(events["force_max_N"][0])
    assert ran.trajectory["vz_m_per_s"][-1] == pytest.approx(0.35, rel=1e-8)
    assert abs(ran.energies["error_J"]).max() < 1e-9
    assert ran.energies.units["error_J"] == "J"
    # The curve of the force lies within a single sample interval of 1 ms and is nevertheless recorded.
    assert len(ran.contacts) > 20 and ran.contacts["force_N"].max() == pytest.approx(impact.force_max, rel=1e-2)
    assert ran.ledger["lost_J"][-1] == ran.energies["lost_in_contacts_J"][-1]
    assert ran.summary.finished is True and ran.summary.contacts[0].touches == 1
    between = {"trajectory_between", "energies_between"}
    more = {"joints", "accelerations", "sensors"}
    assert set(ran) == {"trajectory", "contacts", "energies", "events", "ledger"} | between | more
    assert "contacts" in dir(ran) and "rows" in repr(ran)
    with pytest.raises(AttributeError, match="trajectory"):
        ran.nothing


def test_columns_and_files_are_those_of_the_command(command, tmp_path, repository):
    path = repository / "scenes/oblique-impact.toml"
    report = carom.simulate(path, tmp_path / "python")
    assert report.finished
    subprocess.run([command, "simulate", path, "--out", tmp_path / "command"], check=True, capture_output=True)
    for file in (tmp_path / "command").iterdir():
        assert file.read_bytes() == (tmp_path / "python" / file.name).read_bytes(), file
    ran = carom.simulate(path)
    rows = (tmp_path / "python" / "energies.csv").read_text().splitlines()
    assert len(rows) == len(ran.energies) + 1
    assert float(rows[-1].split(",")[1]) == ran.energies["kinetic_J"][-1]
    with pytest.raises(carom.Error, match="overwrite=True"):
        carom.simulate(path, tmp_path / "python")


def test_a_run_that_is_interrupted_goes_on(tmp_path):
    # Under gravity the ball bounces until it rests, which takes many steps.
    scene = BALL.replace("20 ms", "2 s").replace('sample = "1 ms"', 'sample = "0.2 ms"\ngravity = 9.81')

    def stop(time, end):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carom.simulate(scene, progress=stop)
    seen = []
    carom.simulate(scene, tmp_path / "whole", format="parquet", progress=lambda time, end: seen.append((time, end)))
    assert seen[-1] == (2.0, 2.0)
    with pytest.raises(KeyboardInterrupt):
        carom.simulate(scene, tmp_path / "pieces", format="parquet", progress=stop)
    carom.simulate(scene, tmp_path / "pieces", resume=True)
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / "pieces" / file.name).read_bytes(), file


def test_grains_are_the_same_on_any_number_of_threads():
    one, two = carom.simulate(GRAINS, threads=1), carom.simulate(GRAINS, threads=2)
    assert set(one) == {"grains", "contacts", "energies"}
    assert one.grains["z_m"].tobytes() == two.grains["z_m"].tobytes()
    assert one.grains["grain"][-1] == 29
    assert one.energies["pairs"].max() > 0
    assert abs(one.energies["error_J"]).max() < 0.01 * one.energies["kinetic_J"].max()


ROTOR = """
[simulation]
duration = "1 s"
sample = "100 ms"
control_interval = "100 ms"
[[body]]
name = "rotor"
mass = 1
inertia = [1, 1, 2]
[[joint]]
name = "axle"
kind = "revolute"
between = ["rotor", "ground"]
[[motor]]
name = "m"
joint = "axle"
controller = true
[[sensor]]
name = "angle"
measure = "angle"
joint = "axle"
[[sensor]]
name = "spin"
measure = "angular_velocity"
body = "rotor"
"""


def test_a_controller_is_called_at_its_instants_and_its_answer_held():
    times = []

    def controller(time, sensors):
        times.append(time)
        return {"m": 4 * (1 - sensors["angle"]) - 3 * sensors["spin"][2]}

    ran = carom.simulate(ROTOR, controller=controller)
    assert times == pytest.approx([0.1 * i for i in range(10)])
    # The exact recursion of a sampled double integrator.
    angle, rate = 0.0, 0.0
    for found in ran.joints["angle_rad"]:
        assert found == pytest.approx(angle, abs=1e-9)
        acceleration = (4 * (1 - angle) - 3 * rate) / 2
        angle, rate = angle + 0.1 * rate + 0.005 * acceleration, rate + 0.1 * acceleration
    held = carom.simulate(ROTOR, controller=lambda time, sensors: {"m": 2.0} if time == 0 else None)
    assert held.joints["angle_rad"][-1] == pytest.approx(0.5, abs=1e-12)
    with pytest.raises(ZeroDivisionError):
        carom.simulate(ROTOR, controller=lambda time, sensors: {"m": 1 / 0})
    for wrong in (3.0, {"m": "much"}, [("m", 1.0)], {"m": [1.0]}):
        with pytest.raises(carom.Error, match="the controller returned .*: it must return a torque"):
            carom.simulate(ROTOR, controller=lambda time, sensors: wrong)
    with pytest.raises(carom.Error, match="motors with a controller are m"):
        carom.simulate(ROTOR, controller=lambda time, sensors: {"n": 1.0})
    with pytest.raises(carom.Error, match="motor `m` without a controller"):
        carom.simulate(ROTOR)
    with pytest.raises(carom.Error, match="a motor with a controller"):
        carom.simulate(BALL, controller=controller)


def test_a_run_whose_controller_raises_goes_on_when_it_is_mended(tmp_path):
    def controller(time, sensors):
        return {"m": 4 * (1 - sensors["angle"]) - 3 * sensors["spin"][2]}

    def broken(time, sensors):
        if time > 0.45:
            raise KeyError("no such sensor")
        return controller(time, sensors)

    carom.simulate(ROTOR, tmp_path / "whole", controller=controller)
    with pytest.raises(KeyError, match="no such sensor") as raised:
        carom.simulate(ROTOR, tmp_path / "run", controller=broken)
    if sys.version_info >= (3, 11):
        assert "stopped at t = 0.5 s" in raised.value.__notes__[0] and "resume=True" in raised.value.__notes__[0]
    # Resuming with the same mistake, with an unknown motor, or without a controller does not damage the run.
    with pytest.raises(KeyError):
        carom.simulate(ROTOR, tmp_path / "run", controller=broken, resume=True)
    with pytest.raises(carom.Error, match="motors with a controller are m.*stopped at t = 0.5 s.*resume=True"):
        carom.simulate(ROTOR, tmp_path / "run", controller=lambda time, sensors: {"n": 1.0}, resume=True)
    with pytest.raises(carom.Error, match="motor `m` without a controller"):
        carom.simulate(ROTOR, tmp_path / "run", resume=True)
    carom.simulate(ROTOR, tmp_path / "run", controller=controller, resume=True)
    for table in ("trajectory.csv", "joints.csv", "sensors.csv", "energies.csv", "summary.json"):
        assert (tmp_path / "run" / table).read_bytes() == (tmp_path / "whole" / table).read_bytes()
    # At the first call nothing has been computed, so that no files are left.
    with pytest.raises(ZeroDivisionError):
        carom.simulate(ROTOR, tmp_path / "first", controller=lambda time, sensors: {"m": 1 / 0})
    carom.simulate(ROTOR, tmp_path / "first", controller=controller)


def test_keys_are_set_to_values_of_python():
    changed = {
        "simulation.planar": True,
        "simulation.sample": np.float64(0.05),
        "simulation.gravity": [0, "-2 m/s^2"],
        "rotor.position": (1.0, np.float64(2.0)),
        "rotor.velocity": np.array([0.5, 0.0]),
        "axle.friction": {"viscous": "0 N m s"},
    }
    ran = carom.simulate(ROTOR.replace("controller = true", "effort = { start = 1 }"), set=changed)
    assert len(ran.energies["time_s"]) == 21
    assert ran.trajectory["x_m"][0] == 1.0 and ran.trajectory["y_m"][0] == 2.0
    with pytest.raises(carom.Error, match="planar"):
        carom.simulate(ROTOR, set={"simulation.planar": "maybe"})


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(carom.Error, match="line 3.*duration"):
        carom.simulate("[simulation]\ngravity = 1\nduraton = 2\n")
    with pytest.raises(carom.Error, match="name a scene in TOML"):
        carom.simulate(tmp_path / "nothing.toml")
    with pytest.raises(carom.Error, match="csv, parquet, arrow"):
        carom.simulate(BALL, tmp_path / "out", format="xls")
    with pytest.raises(carom.Error, match="out="):
        carom.simulate(BALL, resume=True)
    with pytest.raises(carom.Error, match="no run that was stopped"):
        carom.simulate(BALL, tmp_path / "out", resume=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="cannot write"):
        carom.simulate(BALL, tmp_path / "file")
