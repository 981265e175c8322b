"""The reference data again, computed through Python: one by one and as columns."""

import csv
import json

import numpy as np
import pytest

import carom

KEYS = {
    "post_cr": "restitution_newton",
    "duration_s": "duration",
    "max_force_N": "force_max",
    "max_indentation_m": "indentation_max",
    "time_of_max_indentation_s": "time_of_indentation_max",
    "residual_indentation_m": "residual_indentation",
}


def cases(data):
    found = json.loads((data / "oracle.json").read_text())["cases"]
    return [case for case in found if "wang_gao" not in case]


@pytest.mark.parametrize("end, exit", [("outputs_end_at_X0", "indentation"), ("outputs_end_at_F0", "force")])
def test_impacts_agree_with_the_oracle(data, end, exit):
    compared = 0
    for case in cases(data):
        expected = case.get(end)
        if expected is None:
            continue
        given = case["inputs"]
        law = carom.model("power").law(
            mass=given["m0"],
            stiffness=given["k"],
            exponent=given["n"],
            damping_exponent=given["m"],
            rate_exponent=given["q"],
            damping=given["lambda"],
            exit=exit,
        )
        impact = law.collide(speed=given["v0"])
        for key, name in KEYS.items():
            if key in expected:
                assert getattr(impact, name) == pytest.approx(expected[key], rel=1e-10), (case["name"], key)
                compared += 1
    assert compared > 30


def test_one_call_with_arrays_for_every_parameter_agrees_with_the_oracle(data):
    chosen = cases(data)
    column = lambda name: np.array([case["inputs"][name] for case in chosen])
    law = carom.model("power").law(
        mass=column("m0"),
        stiffness=column("k"),
        exponent=column("n"),
        damping_exponent=column("m"),
        rate_exponent=column("q"),
        damping=column("lambda"),
        exit="indentation",
    )
    found = law.collide(speed=column("v0"))
    assert found.shape == (len(chosen),)
    for key, name in KEYS.items():
        for row, case in enumerate(chosen):
            expected = case["outputs_end_at_X0"].get(key)
            if expected is not None:
                assert getattr(found, name)[row] == pytest.approx(expected, rel=1e-10, abs=1e-18), (case["name"], key)


def rows(data):
    lines = [line for line in (data / "exact_eps.csv").read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


@pytest.mark.parametrize("exit, suffix", [("indentation", ""), ("force", "_F0")])
def test_exact_damping_agrees_with_the_table(data, exit, suffix):
    table = rows(data)
    column = lambda name: np.array([float(row[name] or "nan") for row in table])
    known = np.isfinite(column("eps" + suffix))
    exponents = {
        "exponent": column("n")[known],
        "damping_exponent": column("m")[known],
        "rate_exponent": column("q")[known],
        "exit": exit,
    }
    epsilon = carom.exact.epsilon(column("cr")[known], **exponents)
    np.testing.assert_allclose(epsilon, column("eps" + suffix)[known], rtol=1e-9)
    outcome = carom.exact.outcome(epsilon, **exponents)
    np.testing.assert_allclose(outcome["restitution"], column("cr")[known], rtol=1e-9)
    duration = {"": "tau_total", "_F0": "tau_F0"}[suffix]
    np.testing.assert_allclose(outcome["duration"], column(duration)[known], rtol=1e-9)
    np.testing.assert_allclose(outcome["indentation_max"], column("x_max" + suffix)[known], rtol=1e-9)


def test_the_closed_form_of_hunt_and_crossley_holds_for_every_exponent():
    e = np.linspace(0.2, 0.99, 40)  # below, 1 − εe consists of rounding errors only
    n = np.array([1.0, 1.5, 3.0])[:, None]
    epsilon = carom.exact.epsilon(e, exponent=n)
    # ε(1+e) = ln[(1+ε)/(1−εe)]
    np.testing.assert_allclose(epsilon * (1 + e), np.log((1 + epsilon) / (1 - epsilon * e)), rtol=1e-9)
