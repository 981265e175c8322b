"""Printed results can be used as input: the coefficient of a report yields the same impact again."""

import pytest

import carom


def given_back(id, steel, first):
    """Returns the law with the damping of a report, through the parameter name given in the report."""
    damping = first["damping"]
    return carom.model(id).law(
        **steel, exit=first["exit"], **{damping["parameter"]: damping["coefficient"]}
    )


def test_a_printed_coefficient_makes_the_same_impact_in_the_whole_catalogue(steel):
    """Regression: ristow-1992 and others printed c of the force but expected a part of it as input, so that 0.6 became 0.849."""
    seen = set()
    for id in carom.models()["id"]:
        try:
            law = carom.model(id).law(**steel, restitution=0.6, calibration="exact")
            first = law.collide(speed=0.5)
        except carom.Error:
            continue
        report = first.report
        if not report["damping"]["coefficient"]:
            continue
        again = given_back(id, steel, report).collide(speed=0.5)
        assert again.restitution == pytest.approx(first.restitution, rel=1e-10), id
        assert again.force_max == pytest.approx(first.force_max, rel=1e-10), id
        contact = law.touch(0.5)
        assert contact.damping == pytest.approx(report["damping"]["coefficient"], rel=1e-12), id
        seen.add(id)
    assert {"ristow-1992", "lee-herrmann-1993", "alizadeh-2013", "yigit-2011"} <= seen
