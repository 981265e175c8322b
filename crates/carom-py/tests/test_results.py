"""Results can be converted to dicts, pandas and Arrow, copied and pickled."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pyarrow
import pytest

import carom


@pytest.fixture
def impacts(steel):
    law = carom.model("flores-2011").law(**steel, restitution=[[0.5], [0.7]], calibration="exact")
    return law.collide(speed=np.array([0.1, 0.2, 0.3]))


def test_one_impact_is_the_report_of_the_command(steel):
    impact = carom.model("hunt-crossley-1975").law(**steel, restitution=0.5).collide(speed=0.5)
    report = impact.to_dict()
    assert report["restitution"]["newton"] == impact.restitution
    assert impact.report.restitution.requested == 0.5
    assert "restitution_missed" in [note["kind"] for note in report["notes"]]
    assert "note: the published formula delivers 0.66" in repr(impact)
    assert impact.to_pandas()["force_max"][0] == impact.force_max


def test_many_impacts_are_flat_tables_with_what_differed(impacts):
    frame = impacts.to_pandas()
    assert list(frame.columns[:3]) == ["restitution", "speed", "restitution_newton"] and len(frame) == 6
    assert frame["speed"].tolist() == [0.1, 0.2, 0.3] * 2
    np.testing.assert_array_equal(frame["force_max"], impacts.force_max.ravel())
    table = impacts.to_arrow()
    assert table.num_rows == 6 and table.field("force_max").metadata == {b"unit": b"N"}
    assert table["force_max"].to_pylist() == impacts.force_max.ravel().tolist()
    assert set(impacts.to_dict()) == set(carom._impact.UNITS)


def test_arrow_reads_tables_through_capsules(impacts):
    assert pyarrow.table(impacts).num_rows == 6
    assert pyarrow.table(carom.models())["id"][0].as_py() == "hooke-1678"
    assert pyarrow.table(carom.materials()).num_rows > 40


def test_everything_pickles_and_copies(impacts, steel):
    law = carom.model("flores-2011").law(**steel, restitution=0.5)
    impact = law.collide(speed=0.5)
    pair = carom.pair("sphere radius=1cm material=steel", "plane material=steel")
    for thing in (law, impact, impacts, impact.trajectory(10), carom.materials(), pair, impact.report):
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing) and repr(again) == repr(thing)
        assert repr(copy.deepcopy(thing)) == repr(thing)


def test_attributes_that_do_not_exist_say_which_do(impacts):
    with pytest.raises(AttributeError, match="force_max"):
        impacts.force
    with pytest.raises(AttributeError, match="youngs"):
        carom.materials().young
    with pytest.raises(AttributeError, match="newton"):
        impacts[0, 0].report.restitution.newtons
    assert "force_max" in dir(impacts)


def test_neither_pandas_nor_arrow_nor_matplotlib_is_imported_unless_asked_for():
    code = (
        "import sys, carom; carom.model('hertz-1881').law(mass=1, stiffness=1e9).collide([.1,.2]); carom.models();"
        "print([m for m in ('pandas','pyarrow','matplotlib','scipy','distributed') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_what_is_missing_is_named(steel, monkeypatch):
    impact = carom.model("hertz-1881").law(**steel).collide(speed=0.5)
    for module, ask in (("pandas", impact.to_pandas), ("pyarrow", impact.to_arrow), ("matplotlib.pyplot", impact.plot)):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=module.split(".")[0]):
            ask()
