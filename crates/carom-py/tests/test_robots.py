"""Robot files."""

import pickle

import numpy as np
import pytest

import carom

BALL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 1"><freejoint/><geom name="ball" size="0.05" mass="1"/></body>  <!-- kept -->
  </worldbody>
</mujoco>
"""


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(BALL)
    return path


def test_a_file_becomes_a_table(ball):
    found = carom.check(ball, speed=[0.5, "2 m/s"])
    assert list(found.geometry_1) == ["floor", "floor"] and len(found) == 2
    assert found.mass == pytest.approx([1.0, 1.0])
    assert np.all(found.penetration > 0) and found.units["force_max"] == "N"
    assert found.report.engine == "mujoco"
    assert len(pickle.loads(pickle.dumps(found))) == 2
    assert carom.check(ball, pair=("ball", "floor")).speed == pytest.approx([1.0])


def test_a_file_is_fixed_and_nothing_else_changes(ball, tmp_path):
    out = tmp_path / "fixed.xml"
    found = carom.check(ball, restitution=0.6, fix=out)
    assert found.fix.delivered == pytest.approx(0.6, abs=0.005)
    assert carom.check(out).restitution == pytest.approx([0.6], abs=0.005)
    assert "<!-- kept -->" in out.read_text()


def test_wrong_questions_are_refused(ball, tmp_path):
    with pytest.raises(carom.Error, match="no geometry `bal`"):
        carom.check(ball, pair=("bal", "floor"))
    with pytest.raises(carom.Error, match="restitution is missing"):
        carom.check(ball, fix=tmp_path / "out.xml")
    with pytest.raises(carom.Error, match="cannot read"):
        carom.check(tmp_path / "missing.xml")


def test_numbers_in_an_included_file_are_changed_in_a_copy_of_it(tmp_path):
    """Regression: the changed file was written without the included one, which kept the old numbers."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/ball.xml").write_text(
        '<mujocoinclude><body pos="0 0 1"><freejoint/><geom name="ball" size="0.05" mass="1" solref="0.02 1"/></body></mujocoinclude>'
    )
    (tmp_path / "robot.xml").write_text(
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" solref="0.02 1"/>'
        '<include file="parts/ball.xml"/></worldbody></mujoco>'
    )
    out = tmp_path / "fixed" / "robot.xml"
    found = carom.check(tmp_path / "robot.xml", restitution=0.6, fix=out)
    assert [one.name for one in found.fix.included] == ["parts/ball.xml"]
    assert carom.check(out).restitution == pytest.approx([0.6], abs=0.005)
    with pytest.raises(carom.Error, match="exists"):
        carom.check(tmp_path / "robot.xml", restitution=0.6, fix=out)
    carom.check(tmp_path / "robot.xml", restitution=0.7, fix=out, overwrite=True)
    assert carom.check(out).restitution == pytest.approx([0.7], abs=0.005)
