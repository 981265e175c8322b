"""A law inside a compiled JAX program, with derivatives: `jax.pure_callback` and a custom rule.

JAX traces the rest of the program; the force itself is computed by carom on arrays, through a callback. The derivatives of the
callback are the tangents of the law, so that `jax.grad`, `jax.jvp` and `jax.jit` work with it.
"""

import jax
import jax.numpy as jnp
import numpy as np

import carom

jax.config.update("jax_enable_x64", True)


def as_jax(law, speed):
    """Returns the force of `law` for this approach speed as a differentiable function of delta and rate."""

    def shaped(delta, rate):
        return jax.ShapeDtypeStruct(jnp.broadcast_shapes(jnp.shape(delta), jnp.shape(rate)), jnp.float64)

    @jax.custom_jvp
    def force(delta, rate):
        ask = lambda d, r: np.asarray(law.force(np.asarray(d), np.asarray(r), speed=speed))
        return jax.pure_callback(ask, shaped(delta, rate), delta, rate, vmap_method="broadcast_all")

    @force.defjvp
    def _(primals, tangents):
        delta, rate = primals
        out = shaped(delta, rate)
        ask = lambda d, r: tuple(map(np.asarray, law.tangent(np.asarray(d), np.asarray(r), speed=speed)))
        by_delta, by_rate = jax.pure_callback(ask, (out, out), delta, rate, vmap_method="broadcast_all")
        return force(delta, rate), by_delta * tangents[0] + by_rate * tangents[1]

    return force


def main():
    mass, speed = 0.54, 0.5
    law = carom.model("flores-2011").law(
        mass=mass, stiffness=2.4144e10, restitution=0.7568, calibration="exact"
    )
    force = as_jax(law, speed)
    impact = law.collide(speed=speed)
    steps = 4000
    step = 1.2 * impact.duration / steps

    @jax.jit
    def rebound(speed):
        def advance(state, _):
            delta, rate = state
            # Velocity Verlet during contact, free flight afterwards.
            push = lambda d, r: jnp.where(d > 0.0, jnp.maximum(force(jnp.maximum(d, 0.0), r), 0.0), 0.0)
            half = rate - 0.5 * step * push(delta, rate) / mass
            delta = delta + step * half
            return (delta, half - 0.5 * step * push(delta, half) / mass), None

        (_, rate), _ = jax.lax.scan(advance, (0.0, speed), None, length=steps)
        return -rate

    found = rebound(speed) / speed
    print(f"restitution {found:.5f}, collide {impact.restitution:.5f}")
    print(f"d(rebound)/d(speed) {jax.jvp(rebound, (speed,), (1.0,))[1]:.4f}")
    return float(found), impact.restitution


if __name__ == "__main__":
    found, expected = main()
    assert abs(found - expected) < 1e-3
