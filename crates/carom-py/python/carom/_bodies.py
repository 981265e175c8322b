"""Bodies and materials: from shapes to mass, stiffness and exponent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from . import _carom, reports
from ._carom import Error
from ._tables import Result, Table, table
from ._types import Quantity
from ._values import text

#: Shapes of bodies. A text such as `"sphere radius=12.7mm material=steel"` is also accepted as a body.
Shape: TypeAlias = Literal["sphere", "plane", "socket", "square-punch", "cylinder", "bore"]


class Body(dict[str, Any]):
    """A body as it was described: a dict with the keys of `carom.body`.

    >>> carom.body("sphere", radius="12.7 mm", material="steel")["radius"]
    '12.7 mm'
    """


def body(
    shape: Shape | str,
    *,
    radius: Quantity | None = None,
    length: Quantity | None = None,
    half_side: Quantity | None = None,
    material: str | None = None,
    youngs: Quantity | None = None,
    poisson: Quantity | None = None,
    density: Quantity | None = None,
    mass: Quantity | None = None,
) -> Body:
    """Describes a body: `sphere`, `plane`, `socket`, `square-punch`, `cylinder` or `bore`.

    Quantities are in SI units or texts with a unit. The material is given by name (`carom.materials()`), or by Young's modulus,
    Poisson's ratio and density. Everything may also be given in one text: `carom.body("sphere radius=12.7mm material=steel")`.

    >>> ball = carom.body("sphere", radius="12.7 mm", material="steel")
    >>> carom.pair(ball, "plane material=steel").exponent
    1.5
    """
    given = {
        "radius": radius,
        "length": length,
        "half_side": half_side,
        "material": material,
        "youngs": youngs,
        "poisson": poisson,
        "density": density,
        "mass": mass,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if not isinstance(shape, str):
        raise Error(f"shape = {shape!r} is not allowed: shape must be a word, such as sphere or plane")
    if "=" in shape or " " in shape.strip():
        read: dict[str, Any] = json.loads(_carom.body(shape))
        return Body({**{name: value for name, value in read.items() if value is not None}, **given})
    return Body(shape=shape, **given)


class Pair(Result):
    """Two bodies that touch: `mass`, `stiffness`, `exponent` and `facts` (effective radius, moduli, …) in SI.

    >>> pair = carom.pair("sphere radius=12.7mm material=steel", "plane material=steel")
    >>> pair.exponent, round(pair.facts["radius"], 4)
    (1.5, 0.0127)
    """

    mass: float
    stiffness: float
    exponent: float
    facts: Mapping[str, float]

    def __init__(self, bodies: Sequence[Body]):
        # A copy, so that later changes of a body do not affect the pair.
        self._description = text(list(bodies))
        super().__init__(json.loads(_carom.pair(self._description)))

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The two bodies, as they were described."""
        return tuple(Body(body) for body in json.loads(self._description))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Pair, (self.bodies,))


def _as_body(given: Body | Mapping[str, Any] | str) -> Body:
    if isinstance(given, str):
        return body(given)
    if isinstance(given, Mapping):
        return Body(given)
    raise Error(f"body = {given!r} is not allowed: body must be a carom.body, a dict or a text; see help(carom.body)")


def pair(first: Body | Mapping[str, Any] | str, second: Body | Mapping[str, Any] | str) -> Pair:
    """Computes mass, stiffness, exponent and facts of two bodies.

    >>> carom.pair("sphere radius=12.7mm material=steel", "plane material=steel").mass > 0
    True
    """
    return Pair([_as_body(first), _as_body(second)])


def bodies_of(
    pair: Pair | None, bodies: Sequence[Body | Mapping[str, Any] | str] | None
) -> tuple[Body, ...]:
    """Returns the bodies of a law."""
    if pair is not None and bodies is not None:
        raise Error("a pair and bodies together is not supported: a pair is two bodies; give one of them")
    if pair is not None:
        if not isinstance(pair, Pair):
            raise Error(f"pair = {pair!r} is not allowed: pair must be made by carom.pair; or give bodies=[…, …]")
        return pair.bodies
    if isinstance(bodies, (str, Mapping)):
        raise Error("bodies is one body: a law is between two; give bodies=[first, second]")
    return tuple(_as_body(given) for given in bodies or ())


class Material(reports.Material):
    """An isotropic elastic solid: id, name, youngs, poisson, density, yield_strength, source.

    >>> carom.material("steel").youngs > 1e11
    True
    """


def material(name: str) -> Material:
    """Returns a material of the table, by id or alias.

    >>> carom.material("bearing-steel").id
    'steel-52100'
    """
    return Material(json.loads(_carom.material(name)))


def materials() -> Table:
    """Returns all materials of which bodies can be made: typical values at room temperature, for a first estimate.

    >>> "steel-52100" in carom.materials()["id"]
    True
    """
    return table(
        json.loads(_carom.materials()),
        {"youngs": "Pa", "density": "kg/m^3", "yield_strength": "Pa"},
    )
