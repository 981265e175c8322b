"""A law in an integrator of SciPy: a ball that bounces under gravity, by scipy.integrate.solve_ivp.

The law is a force only. The program determines by events whether there is contact: in flight the ball falls until it touches,
then `law.touch(speed)` fixes what the law must remember of the touch, and the contact is integrated until the bodies separate.
"""

import numpy as np
from scipy.integrate import solve_ivp

import carom

GRAVITY, MASS = 9.80665, 0.057
law = carom.model("hunt-crossley-1975").law(mass=MASS, stiffness=2.6e5, restitution=0.7, calibration="exact")


def bounce(speed):
    """Integrates from touch to separation; returns rebound speed and duration."""
    contact = law.touch(speed)

    def motion(_, state):
        delta, rate = state
        return [rate, GRAVITY - contact.force(max(delta, 0.0), rate) / MASS]

    def jacobian(_, state):
        stiffness, damping = contact.tangent(max(state[0], 0.0), state[1])
        return [[0.0, 1.0], [-stiffness / MASS, -damping / MASS]]

    # With this law the force vanishes together with the indentation. For a law that would pull before (m < n, such as tsuji-1992)
    # the event is zero force instead, because contacts do not pull.
    def separates(_, state):
        return state[0]

    separates.terminal, separates.direction = True, -1.0
    found = solve_ivp(
        motion, (0.0, 1.0), [0.0, speed], method="Radau", jac=jacobian, events=separates, rtol=1e-9, atol=1e-12
    )
    return -found.y[1, -1], found.t[-1]


def main(bounces=6, height=1.0):
    speed, time, found = np.sqrt(2 * GRAVITY * height), 0.0, []
    for _ in range(bounces):
        after, contact = bounce(speed)
        expected = law.collide(speed=speed, external_force=MASS * GRAVITY)
        found.append((time, speed, after / speed, expected.restitution))
        print(f"t = {time:.3f} s  hit at {speed:.3f} m/s  e = {after / speed:.5f}  (collide: {expected.restitution:.5f})")
        time += contact + 2 * after / GRAVITY
        speed = after
    return np.array(found)


if __name__ == "__main__":
    found = main()
    np.testing.assert_allclose(found[:, 2], found[:, 3], rtol=1e-5)
