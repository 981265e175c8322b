"""Own laws: from a file, from a text, in another process, and the linear-equivalent damper."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import carom

TEXT = """
name = "python-buffer"
spring = "K*delta^n + K3*delta^3"
damper = "c*delta*rate"
[parameters]
K = { unit = "N/m^n", default = 4.9e6 }
n = 1.3
K3 = "2e11 N/m^3"
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "buffer.toml"
    file.write_text(TEXT)
    return str(file)


def test_a_law_file_is_a_model(path):
    model = carom.model(path)
    assert model.id == "python-buffer"
    assert [p["name"] for p in model.parameters] == ["K", "K3", "n"]
    law = model.law(mass=0.2, restitution=0.65, calibration="exact")
    for speed in (0.1, 2.0):
        assert law.collide(speed).restitution_newton == pytest.approx(0.65, abs=1e-9)


def test_arrays_of_parameters(path):
    found = carom.model(path).law(mass=0.2, restitution=0.65, calibration="exact", K3=np.array([0.0, 2e11])).collide(2.0)
    assert found.force_max[1] > found.force_max[0]
    np.testing.assert_allclose(found.restitution_newton, 0.65, atol=1e-9)


def _restitution(law):
    return float(law.collide(1.0).restitution_newton)


def test_another_process_reads_it_again(path):
    law = carom.model(path).law(mass=0.2, restitution=0.5, calibration="exact")
    again = pickle.loads(pickle.dumps(law))
    assert _restitution(again) == pytest.approx(0.5, abs=1e-9)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_restitution, law).result() == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("speed", [0.01, 1.0])
def test_the_linear_equivalent_damper(speed):
    law = carom.model("hertz-1881").law(mass=0.5, stiffness=1e9, restitution=0.4, damper="linear-equivalent")
    assert law.collide(speed).restitution_newton == pytest.approx(0.4, abs=1e-10)
    same = carom.model("hertz-1881+linear-equivalent").law(mass=0.5, stiffness=1e9, restitution=0.4)
    assert same.collide(speed).restitution_newton == pytest.approx(0.4, abs=1e-10)


@pytest.mark.parametrize(
    "text, words",
    [
        ('name = "x"\nspring = "K*delta + F"\n[parameters]\nK = "1 N/m"\nF = "2 kg"', "adds"),
        ('name = "x"\nspring = "1/delta"', "spring"),
        ("no-such-file.toml", "no-such-file.toml"),
    ],
)
def test_wrong_laws_are_errors(text, words):
    with pytest.raises(carom.Error, match=words):
        carom.model(text).law(mass=1.0)
