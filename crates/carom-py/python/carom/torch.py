"""Impacts and forces for PyTorch programs, through which `backward()` differentiates.

>>> import carom.torch, torch
>>> law = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4144e10)
>>> speed = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
>>> force = carom.torch.impact(law)(speed=speed).force_max
>>> force.backward()                                            # dF_max/dv; F_max ~ v^(6/5)
>>> round(float(speed.grad * 0.5 / force), 9)
1.2

carom computes the results on the CPU and, together with them, their derivatives (`Law.gradient`). These are the exact derivatives
of the solution, not difference quotients, and of first order only. carom computes with 64 bits; results have the type and the
device of the tensors that were passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ._differentiable import Outcome, require_speed, forces, outcomes_and_derivatives
from ._law import Law

__all__ = ["Outcome", "force", "impact"]


class _Impact(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, law: Law[Any], names: tuple[str, ...], *values: Any) -> Any:
        asked = any(ctx.needs_input_grad)
        found, by = outcomes_and_derivatives(law, names, [value.detach().cpu().numpy() for value in values], asked)
        like = values[0]
        if by is not None:
            ctx.save_for_backward(torch.as_tensor(by).to(like))
        return torch.as_tensor(found).to(like)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        (by,) = ctx.saved_tensors
        # Results that are not used contribute nothing, even if their derivative does not exist.
        parts = torch.where(gradient == 0, torch.zeros_like(gradient), by * gradient)
        return None, None, *parts.sum(1).unbind()


class _Force(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, law: Any, delta: Any, rate: Any) -> Any:
        of_motion, of_tangent = law
        at = (delta.detach().cpu().numpy(), rate.detach().cpu().numpy())
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(torch.as_tensor(of_tangent(*at)).reshape(2, *delta.shape).to(delta))
        return torch.as_tensor(of_motion(*at)).reshape(delta.shape).to(delta)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        (tangent,) = ctx.saved_tensors
        return None, tangent[0] * gradient, tangent[1] * gradient


def _tensors(values: list[Any]) -> Any:
    """Returns tensors of the same type, device and shape."""
    given = [value for value in values if isinstance(value, torch.Tensor) and value.is_floating_point()]
    like = given[0] if given else torch.zeros((), dtype=torch.float64)
    made = [value.to(like) if isinstance(value, torch.Tensor) else torch.as_tensor(value).to(like) for value in values]
    return torch.broadcast_tensors(*made)


def impact(law: Law[Any]) -> Callable[..., Outcome]:
    """Returns the impact of a law as a function of keywords: `speed`, and other quantities of the law that are to be replaced.

    The keywords are those of `Law.gradient(by=…)`: quantities of the law, `external_force`, `body_1.radius` (with `**{…}`). The
    result has the fields restitution, duration, force_max and indentation_max. A contact that never ends has an infinite
    duration, whose derivative is NaN.
    """

    def collide(**quantities: Any) -> Outcome:
        require_speed(quantities)
        names = tuple(sorted(quantities))
        return Outcome(*_Impact.apply(law, names, *_tensors([quantities[name] for name in names])).unbind())

    return collide


def force(law: Law[Any], speed: float | None = None) -> Callable[[Any, Any], Any]:
    """Returns the force of a contact (`Law.touch(speed)`) as a function of indentation and rate, with the law's tangents."""
    functions = forces(law, speed)

    def push(delta: Any, rate: Any) -> Any:
        return _Force.apply(functions, *_tensors([delta, rate]))

    return push
