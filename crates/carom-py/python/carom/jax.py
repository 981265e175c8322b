"""Impacts and forces for JAX programs, compatible with `jax.grad`, `jax.jvp`, `jax.jit` and `jax.vmap`.

>>> import carom.jax, jax
>>> jax.config.update("jax_enable_x64", True)
>>> law = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4144e10)
>>> impact = carom.jax.impact(law)
>>> by_speed = jax.grad(lambda v: impact(speed=v).force_max)(0.5)       # dF_max/dv; F_max ~ v^(6/5)
>>> round(float(by_speed * 0.5 / impact(speed=0.5).force_max), 9)
1.2

A callback to carom computes the results and, together with them, their derivatives (`Law.gradient`). These are the exact
derivatives of the solution, not difference quotients. Only first derivatives exist; JAX refuses to differentiate them again. carom
computes with 64 bits, whatever the precision of JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._differentiable import Outcome, require_speed, forces, outcomes_and_derivatives
from ._law import Law

__all__ = ["Outcome", "force", "impact"]


def impact(law: Law[Any]) -> Callable[..., Outcome]:
    """Returns the impact of a law as a function of keywords: `speed`, and other quantities of the law that are to be replaced.

    The keywords are those of `Law.gradient(by=…)`: quantities of the law, `external_force`, `body_1.radius` (with `**{…}`). The
    result has the fields restitution, duration, force_max and indentation_max. A contact that never ends has an infinite
    duration, whose derivative is NaN.
    """

    def of(names: tuple[str, ...]) -> Any:
        def call(slopes: bool, *values: Any) -> Any:
            shape, kind = jnp.shape(values[0]), jnp.result_type(float)
            outcomes = jax.ShapeDtypeStruct((*shape, 4), kind)
            by = jax.ShapeDtypeStruct((*shape, 4, len(names)), kind)

            def ask(*values: Any) -> Any:
                found, derivatives = outcomes_and_derivatives(law, names, values, slopes)
                found = np.moveaxis(found, 0, -1).astype(kind)
                if derivatives is None:
                    return found
                return found, np.moveaxis(derivatives, (0, 1), (-1, -2)).astype(kind)

            return jax.pure_callback(ask, (outcomes, by) if slopes else outcomes, *values, vmap_method="broadcast_all")

        @jax.custom_jvp
        def outcome(*values: Any) -> Any:
            return call(False, *values)

        @outcome.defjvp
        def _(values: Any, moved: Any) -> Any:
            found, by = call(True, *values)
            return found, sum(by[..., i] * move[..., None] for i, move in enumerate(moved))

        return outcome

    def collide(**quantities: Any) -> Outcome:
        require_speed(quantities)
        names = tuple(sorted(quantities))
        values = jnp.broadcast_arrays(*[jnp.asarray(quantities[name], jnp.result_type(float)) for name in names])
        found = of(names)(*values)
        return Outcome(*(found[..., i] for i in range(4)))

    return collide


def force(law: Law[Any], speed: float | None = None) -> Callable[[Any, Any], Any]:
    """Returns the force of a contact (`Law.touch(speed)`) as a function of indentation and rate, with the law's tangents."""
    of_motion, of_tangent = forces(law, speed)

    def call(ask: Callable[[Any, Any], Any], first: tuple[int, ...], delta: Any, rate: Any) -> Any:
        kind, shape = jnp.result_type(float), jnp.shape(delta)

        def answer(delta: Any, rate: Any) -> Any:
            found = np.moveaxis(ask(delta, rate).reshape((*first, *np.shape(delta))), range(len(first)), range(-len(first), 0))
            return found.astype(kind)

        return jax.pure_callback(answer, jax.ShapeDtypeStruct((*shape, *first), kind), delta, rate, vmap_method="broadcast_all")

    @jax.custom_jvp
    def broadcast(delta: Any, rate: Any) -> Any:
        return call(of_motion, (), delta, rate)

    @broadcast.defjvp
    def _(values: Any, moved: Any) -> Any:
        tangent = call(of_tangent, (2,), *values)
        return broadcast(*values), tangent[..., 0] * moved[0] + tangent[..., 1] * moved[1]

    def push(delta: Any, rate: Any) -> Any:
        kind = jnp.result_type(float)
        return broadcast(*jnp.broadcast_arrays(jnp.asarray(delta, kind), jnp.asarray(rate, kind)))

    return push
