"""A mistake in the description is an error even if other parameters are arrays; a row without an impact is a row of the result."""

import numpy as np
import pytest

import carom

MASS = {"mass": np.array([0.5, 1.0]), "stiffness": 2.4144e10}


# Regression: `errors="nan"` also suppressed these errors, so that calibration="exakt" gave NaN in all rows.
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({**MASS, "restitution": 0.7, "calibration": "exakt"}, "did you mean `exact`"),
        ({**MASS, "restitution": [0.7, 0.8], "calibration": "exakt"}, "did you mean `exact`"),
        ({**MASS, "restitution": [np.nan, 2.0], "calibration": "exakt"}, "did you mean `exact`"),
        ({**MASS, "restitution": 0.7, "exit": "forse"}, "no exit `forse`"),
        ({**MASS, "restitution": 7.0}, "restitution = 7 is not allowed"),
        ({**MASS, "restitution": 0.7, "damping": [1.0, 2.0]}, "a restitution and a damping coefficient together"),
        ({**MASS, "calibration": "exact"}, "restitution is missing"),
        ({"mass": np.array([0.5, 1.0]), "restitution": 0.7}, "stiffness is missing"),
        ({**MASS, "stiffness": "2e10 N/m^2", "restitution": 0.7}, "stiffness must be a stiffness"),
        ({**MASS, "exponent": 77.0, "restitution": 0.7}, "exponent = 77 is not allowed"),
        ({**MASS, "restitution": 0.7, "frobnication": 3.0}, "frobnication"),
        ({**MASS, "restitution": 0.7, "bodies": ["sphere radius=1cm material=steel"] * 2}, "an effective mass together"),
        ({"bodies": [carom.body("sphere", radius=[0.01, 0.02], material="stel"), "plane material=steel"],
          "restitution": 0.7}, "did you mean `steel`"),
        ({"bodies": [carom.body("spere", radius=[0.01, 0.02], material="steel"), "plane material=steel"],
          "restitution": 0.7}, "did you mean `sphere`"),
    ],
)
def test_a_wrong_description_is_refused_by_law(said, why):
    with pytest.raises(carom.Error, match=why):
        carom.model("tsuji-1992").law(**said)


def test_a_wrong_number_for_all_rows_is_refused_by_collide():
    law = carom.model("tsuji-1992").law(**MASS, restitution=0.7)
    for speed in ("fast", "1 kg", -1.0, float("nan")):
        with pytest.raises(carom.Error, match="speed"):
            law.collide(speed, errors="nan")
    with pytest.raises(carom.Error, match="external_force"):
        law.collide([0.5, 1.0], external_force="1 m", errors="nan")
    with pytest.raises(carom.Error, match="exponent"):
        carom.exact.epsilon([0.5, 0.6], exponent=-3.0, errors="nan")


def test_rows_that_are_no_impact_are_still_rows():
    law = carom.model("tsuji-1992").law(**MASS, restitution=0.7)
    assert np.isnan(law.collide([1.0, -1.0], errors="nan").duration).tolist() == [False, True]
    assert np.isnan(law.collide([-1.0, np.nan], errors="nan").duration).all()
    bad = carom.model("tsuji-1992").law(mass=[-1.0, np.nan], stiffness=2e10, restitution=0.7)
    assert np.isnan(bad.collide(1.0, errors="nan").duration).all()
    with pytest.raises(carom.Error, match="mass"):
        bad.collide(1.0)
    half = carom.model("tsuji-1992").law(mass=1.0, stiffness=2e10, restitution=[2.0, 0.7])
    assert np.isnan(half.collide(1.0, errors="nan").duration).tolist() == [True, False]
    assert np.isnan(carom.exact.epsilon([0.5, 2.0], errors="nan")).tolist() == [False, True]
    assert carom.model("tsuji-1992").law(mass=np.empty(0), stiffness=2e10, restitution=0.7).collide(1.0).shape == (0,)
