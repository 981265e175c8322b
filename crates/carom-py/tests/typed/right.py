"""Correct code: type checkers report no errors and infer the right types."""

import carom
import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

Array = npt.NDArray[np.float64]

model = carom.model("flores-2011")
law = model.law(mass=0.54, stiffness="2.4144e10 N/m^1.5", restitution=0.7, calibration="exact", exit="indentation")
assert_type(law, carom.Law[float])
impact = law.collide(speed=0.5)
assert_type(impact.force_max, float)
assert_type(impact.report.restitution.newton, float)
assert_type(law.collide(np.linspace(0.1, 1.0, 5)).force_max, Array)
assert_type(law.collide([0.1, 0.2]).duration, Array)
assert_type(law.force(1e-5, 0.1, speed=0.5), float)
contact = law.touch(0.5)
assert_type(contact.force(1e-5, 0.1), float)
assert_type(contact.force(np.array([1e-5]), 0.1), Array)
assert_type(carom.exact.epsilon(0.5), float)
assert_type(carom.exact.epsilon(np.linspace(0.5, 0.9, 3)), Array)
many = carom.model("tsuji-1992").law(mass=0.54, stiffness=2.4144e10, restitution=np.array([0.5, 0.6]))
many.collide(speed=0.5).force_max.mean()
plastic = carom.model("goldsmith-1960").law(mass=1.0, stiffness=1e9, permanent_indentation="10 um")


def largest(law: carom.Law, name: str) -> float:
    """Accepts a law of any kind, and uses one whose name is known only at run time."""
    other = carom.model(name).law(mass=1, stiffness=1e9, set={"radius": 0.01})
    return max(other.collide(1.0).force_max, float(np.max(law.collide(1.0).force_max)))


found = carom.identify(mass=0.54, speed=0.5, restitution=0.7568, duration="207 us")
assert_type(found.pair.stiffness, float)
