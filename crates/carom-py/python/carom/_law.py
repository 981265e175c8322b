"""Models of the catalogue, and laws with their parameters."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Generic, overload

import numpy as np

from . import _carom
from ._bodies import Body, Pair, bodies_of
from ._carom import Contact, Error
from ._choices import Calibration, Damper, Exit, Language, Output
from ._gradient import Gradient, differentiate
from ._html import facts
from ._impact import FIELDS, Impact, compute_many, compute_one, force_loop_svg, set_quantity, requested_outputs
from ._tables import Result, Table, table
from ._types import Array, N, Numbers, Quantity, Scalar
from ._values import Arguments, array, as_list, mapping, number, quantity, shape_of, text, threads as cores
from .exact import Errors, lenient

_PLACEHOLDERS = {"restitution": 0.5, "external_force": 0.0}
# Types of numbers that need no conversion.
_PLAIN = (float, np.float64)


class Model:
    """A law of the catalogue. `carom.model(id)` finds one; `help()` shows its derivation, limits and reference.

    >>> carom.model("tsuji-1992").velocity_free
    True
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    year: int
    group: str
    input: str
    exit: str
    velocity_free: bool | None
    restitution_min: float
    restitution_max: float
    low_speed: bool
    doi: str | None
    equation: str
    derivation: str
    validity: str
    remarks: str
    reference: str
    parameters: tuple[Mapping[str, Any], ...]
    #: Argument of `carom.model` for laws that are not in the catalogue, which another process reads again.
    _given: str | None = None

    @overload
    def law(
        self,
        *,
        pair: Pair | None = ...,
        bodies: Sequence[Body | Mapping[str, Any] | str] | None = ...,
        mass: Scalar | None = ...,
        stiffness: Scalar | None = ...,
        exponent: Scalar | None = ...,
        restitution: Scalar | None = ...,
        damping: Scalar | None = ...,
        calibration: Calibration | None = ...,
        damper: Damper | None = ...,
        exit: Exit | None = ...,
        set: Mapping[str, Scalar] | None = ...,
    ) -> Law[float]: ...

    @overload
    def law(
        self,
        *,
        pair: Pair | None = ...,
        bodies: Sequence[Body | Mapping[str, Any] | str] | None = ...,
        mass: Quantity | None = ...,
        stiffness: Quantity | None = ...,
        exponent: Quantity | None = ...,
        restitution: Quantity | None = ...,
        damping: Quantity | None = ...,
        calibration: Calibration | None = ...,
        damper: Damper | None = ...,
        exit: Exit | None = ...,
        set: Mapping[str, Quantity] | None = ...,
    ) -> Law[Any]: ...

    def law(
        self,
        *,
        pair: Pair | None = None,
        bodies: Sequence[Body | Mapping[str, Any] | str] | None = None,
        mass: Quantity | None = None,
        stiffness: Quantity | None = None,
        exponent: Quantity | None = None,
        restitution: Quantity | None = None,
        damping: Quantity | None = None,
        calibration: Calibration | None = None,
        damper: Damper | None = None,
        exit: Exit | None = None,
        set: Mapping[str, Quantity] | None = None,
    ) -> Law[Any]:
        """Returns the law for two bodies, for which impacts can be computed.

        Quantities are numbers in SI units, texts with a unit (`"12.7 mm"`), quantities of pint, astropy or unyt, which are
        converted, or arrays, which broadcast. Arrays are copied. Labelled arrays (pandas, xarray) must have the same labels.
        Errors that do not depend on the values of single rows are raised here.

        pair, bodies
            two bodies (`carom.pair`, `carom.body`), instead of mass, stiffness and exponent
        mass
            effective mass m1·m2/(m1+m2) in kg
        stiffness, exponent
            K and n of F = K·δⁿ; n is 3/2 unless given
        restitution, calibration
            requested restitution, and how the damping follows from it: by the `published` formula of the law or `exact`
            (delivered = requested)
        damping
            the damping coefficient itself, in the unit of the law
        damper
            `linear-equivalent`: the damper that delivers a restitution at every speed with any spring; the law's own unless
            given
        exit
            end of contact: at zero `force` or at zero `indentation`; the law's own unless given
        set
            parameters of the law (`parameters` lists them) and facts of the pair, by name. The parameters of a law are also
            keywords of its own `law`

        >>> law = carom.model("goldsmith-1960").law(mass=1.0, stiffness=1e9, permanent_indentation="10 um")
        >>> round(law.collide(1.0).residual_indentation, 9)
        1e-05
        >>> same = carom.model("goldsmith-1960").law(mass=1.0, stiffness=1e9, set={"permanent_indentation": 1e-5})
        >>> same.collide(1.0).restitution == law.collide(1.0).restitution
        True
        """
        values: dict[str, Any] = {
            "mass": mass,
            "stiffness": stiffness,
            "exponent": exponent,
            "restitution": restitution,
            "damping": damping,
            **mapping("set", set, '"radius": 0.01'),
        }
        words = {"law": self.id, "calibration": calibration, "damper": damper, "exit": exit}
        for name, word in words.items():
            if word is not None and not isinstance(word, str):
                raise Error(f"{name} = {word!r} is not allowed: {name} must be a word; write it in quotes")
        return Law(self, words, values, bodies_of(pair, bodies))

    def deliveries(self) -> Table:
        """Returns requested restitutions, those that the published formula delivers, and the exact ε.

        >>> "requested" in carom.model("hunt-crossley-1975").deliveries()
        True
        """
        return table(json.loads(_carom.deliveries(self.id))["rows"])

    def code(self, language: Language) -> str:
        """Returns the force as functions in `c`, `cuda`, `python` (NumPy) or `latex`, with a comment on their use.

        The numbers of the law are arguments of the functions; in `Law.code` they are constants, and quantities that are fixed
        at first touch are functions of the speed.

        >>> "double" in carom.model("hertz-1881").code("c")
        True
        """
        return _carom.code(text({"law": self.id}), language)

    def _repr_html_(self) -> str:
        rows = [("equation", self.equation), ("validity", self.validity), ("reference", self.reference)]
        return facts(f"{self.id}: {self.title}", [(name, " ".join(values.split())) for name, values in rows])

    def __repr__(self) -> str:
        return f"<carom.Model {self.id}: {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from ._catalogue import model

        return (model, (self._given or self.id,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


class Law(Generic[N]):
    """A law with its parameters, which computes impacts, and forces for other integrators.

    Sign convention: delta > 0 in contact, rate > 0 while approaching, force > 0 when it pushes. Where the bodies do not touch
    (delta < 0; for adhesive laws below the indentation at which the neck breaks) force, tangents and stored energy are 0.

    >>> law = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9)
    >>> round(law.force(1e-4), 9)
    1000.0
    >>> law.collide(speed=1.0).restitution
    1.0
    """

    def __init__(
        self,
        model: Model,
        words: Mapping[str, str | None],
        values: Mapping[str, Any],
        bodies: Sequence[Mapping[str, Any]] = (),
    ):
        self.model = model
        spec: dict[str, Any] = {name: word for name, word in words.items() if word is not None}
        # The arrays are copied, so that later changes of them do not affect the law.
        self._arguments = arguments = Arguments(values)
        plain, kept = [], []
        for number, body in enumerate(bodies, 1):
            properties: dict[str, Any] = {}
            whole: dict[str, Any] = {}
            for name, value in body.items():
                if name in ("shape", "material"):
                    properties[name] = whole[name] = value
                    continue
                called = f"{name} of body {number}"
                found, unit = quantity(called, value)
                whole[name] = found
                if isinstance(found, np.ndarray):
                    arguments.labels.add(called, value)
                    arguments.arrays[f"body_{number}.{name}"] = found
                    arguments.units[f"body_{number}.{name}"] = unit
                else:
                    properties[name] = found
            plain.append(properties)
            kept.append(whole)
        self._arrays = arguments.arrays
        self._made = (dict(words), {**arguments.single, **{name: arguments.arrays[name] for name in values if name in arguments.arrays}}, kept)
        if plain:
            spec["bodies"] = plain
        for name, one in arguments.single.items():
            if name in FIELDS:
                spec[name] = one
            else:
                spec.setdefault("set", {})[name] = one
        self._spec = spec
        self._touched: tuple[float | None, Contact] | None = None  # the last contact for which a single force was computed
        self.shape  # arrays that do not broadcast are refused here
        # Everything else that does not depend on a row is checked here as well.
        self._check_spelling()
        if self._arrays:
            self._check_names()
            arguments.check(spec)
        else:
            _carom.check(text(spec))

    @property
    def _known(self) -> builtins.set[str]:
        """Names of the quantities of this law."""
        return {*FIELDS, *(entry["name"] for entry in self.model.parameters), *(name for name, *_ in _carom.facts())}

    def _check_spelling(self) -> None:
        """Reports a misspelt name before the parameter for which it stands is reported as missing."""
        strange = [name for name in self._spec.get("set", ()) if name not in self._known]
        for name in strange:
            if near := get_close_matches(name, self._known, 1, 0.75):
                raise Error(f"no parameter `{name}`; did you mean `{near[0]}`?")

    def _check_names(self) -> None:
        for name in self._arrays:
            if name not in self._known and not name.startswith("body"):
                spec = dict(self._spec)
                for other in self._arrays:
                    set_quantity(spec, other, _PLACEHOLDERS.get(other, 1.0))
                _carom.check(text(spec))

    @cached_property
    def _needs_speed(self) -> bool:
        return bool(self._arrays) or _carom.needs_speed(text(self._spec))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape to which the parameters broadcast, () for one law."""
        return shape_of(self._arrays) if self._arrays else ()

    @overload
    def collide(
        self,
        speed: Scalar,
        *,
        external_force: Scalar | None = ...,
        errors: Errors = ...,
        threads: int | None = ...,
        outputs: Sequence[Output] | None = ...,
    ) -> Impact[N]: ...

    @overload
    def collide(
        self,
        speed: Numbers,
        *,
        external_force: Quantity | None = ...,
        errors: Errors = ...,
        threads: int | None = ...,
        outputs: Sequence[Output] | None = ...,
    ) -> Impact[Array]: ...

    @overload
    def collide(
        self,
        speed: Quantity,
        *,
        external_force: Quantity | None = ...,
        errors: Errors = ...,
        threads: int | None = ...,
        outputs: Sequence[Output] | None = ...,
    ) -> Impact[Any]: ...

    def collide(
        self,
        speed: Quantity,
        *,
        external_force: Quantity | None = None,
        errors: Errors = "raise",
        threads: int | None = None,
        outputs: Sequence[Output] | None = None,
    ) -> Impact[Any]:
        """Computes the impact at this approach speed (m/s): one impact, or many if any quantity is an array.

        `external_force` (N) presses the bodies together during contact. With `errors="nan"` invalid rows yield NaN instead of
        raising the error of the first one; errors that all rows have in common are still raised. The results do not depend on
        `threads`. For many impacts `outputs` names the results to keep; the others take no memory.

        >>> law = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9)
        >>> list(law.collide([0.1, 0.2], outputs=["restitution", "force_max"]).to_dict())
        ['restitution_newton', 'force_max']
        """
        arguments = Arguments({"speed": speed, "external_force": external_force}, self._arguments)
        spec = {**self._spec, **arguments.single}
        number_of_threads, go_on = cores(threads), lenient(errors)
        if outputs is not None:
            requested_outputs(outputs)
        if not arguments.arrays:
            return compute_one(spec)
        arguments.check(spec)
        return compute_many(spec, arguments.arrays, number_of_threads, go_on, outputs, arguments.labels.axes())

    def gradient(
        self,
        speed: Quantity,
        by: Sequence[str] | str,
        *,
        external_force: Quantity | None = None,
        errors: Errors = "raise",
        threads: int | None = None,
    ) -> Gradient[Any]:
        """Computes exact derivatives of restitution, duration and peaks of an impact by quantities of the description.

        by
            quantities by name: `mass`, `stiffness`, `exponent`, `restitution`, `damping`, `speed`, `external_force`, a
            parameter of the law, a property of a body (`body_1.radius`)

        >>> law = carom.model("hertz-1881").law(mass=0.54, stiffness=2.4144e10)
        >>> found = law.gradient(0.5, by=["stiffness", "speed"])
        >>> round(found.duration["speed"] * 0.5 / found.values["duration"], 8)     # T ~ v^(-1/5)
        -0.2
        """
        arguments = Arguments({"speed": speed, "external_force": external_force}, self._arguments)
        spec = {**self._spec, **arguments.single}
        arguments.check(spec)
        return differentiate(spec, arguments.arrays, as_list(by), cores(threads), lenient(errors))

    def touch(self, speed: Scalar | None = None) -> Contact:
        """Returns one contact of this law, with the quantities that are fixed at first touch.

        Laws whose damping depends on the approach speed need the speed at first touch; others do not.

        >>> contact = carom.model("tsuji-1992").law(mass=1.0, stiffness=1e9, restitution=0.5).touch()
        >>> contact.force(1e-4, 0.0) > 0.0
        True
        """
        if self._arrays:
            raise Error(f"one contact of {self.shape} laws is not supported: make a law of single numbers for it")
        return Contact(text({**self._spec, "speed": self._speed(number("speed", speed, "m/s"))}), self)

    def _speed(self, speed: object) -> object:
        if speed is not None:
            return speed
        if self._needs_speed:
            raise Error(
                f"speed is missing: the force of `{self.model.id}` depends on the approach speed at first touch; give "
                "speed=…, or make a contact with touch(speed) when the bodies meet"
            )
        return 1.0

    def _forces(self, delta: object, rate: object, speed: object, threads: int | None) -> tuple[list[Array], bool]:
        arguments = Arguments({"speed": self._speed(speed)}, self._arguments)
        spec = {**self._spec, **arguments.single}
        rows = arguments.arrays
        if any(arguments.units.values()):
            arguments.check(spec)
        motion = {"delta": array("delta", delta, "m", arguments.labels), "rate": array("rate", rate, "m/s", arguments.labels)}
        shape = shape_of({**rows, **motion})
        values = [*rows.values(), *motion.values()]
        found = _carom.forces(text(spec), list(rows), values, list(shape), cores(threads))
        return found, shape == ()

    @overload
    def force(
        self, delta: Scalar, rate: Scalar = ..., *, speed: Scalar | None = ..., threads: int | None = ...
    ) -> N: ...

    @overload
    def force(
        self, delta: Quantity, rate: Quantity = ..., *, speed: Quantity | None = ..., threads: int | None = ...
    ) -> Any: ...

    def force(
        self, delta: Quantity, rate: Quantity = 0.0, *, speed: Quantity | None = None, threads: int | None = None
    ) -> Any:
        """Computes the contact force (N) at this indentation (m) and rate (m/s); all arguments broadcast.

        `speed` is the approach speed at first touch, for laws whose damping it fixes. Plastic laws are evaluated with the
        memory of a first loading; for another history, use `touch`.

        >>> law = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9)
        >>> law.force([0.0, 1e-4]).round(9).tolist()
        [0.0, 1000.0]
        """
        # Loops call this function with single numbers, so the contact for the last speed is kept.
        if type(delta) in _PLAIN and type(rate) in _PLAIN and threads is None:
            touched = self._touched
            if touched is not None and (speed is None or type(speed) is float) and touched[0] == speed:
                return touched[1].force(delta, rate)  # type: ignore[arg-type]
            if (speed is None or type(speed) is float) and not self._arrays:
                contact = Contact(text({**self._spec, "speed": self._speed(speed)}))
                self._touched = (speed, contact)
                return contact.force(delta, rate)  # type: ignore[arg-type]
        found, one = self._forces(delta, rate, speed, threads)
        return float(found[0]) if one else found[0]

    __call__ = force

    @overload
    def tangent(
        self, delta: Scalar, rate: Scalar = ..., *, speed: Scalar | None = ..., threads: int | None = ...
    ) -> tuple[N, N]: ...

    @overload
    def tangent(
        self, delta: Quantity, rate: Quantity = ..., *, speed: Quantity | None = ..., threads: int | None = ...
    ) -> Any: ...

    def tangent(
        self, delta: Quantity, rate: Quantity = 0.0, *, speed: Quantity | None = None, threads: int | None = None
    ) -> Any:
        """Computes the tangents ∂F/∂δ (N/m) and ∂F/∂δ̇ (N·s/m), for implicit solvers; they are always finite.

        They are one-sided where the law has a kink: at delta = 0 from inside the contact. A term that is infinitely steep
        there, such as a damper with the root of delta, or infinitely steep at rest, such as one with the root of the rate,
        counts as 0 at exactly that point.

        >>> law = carom.model("hooke-1678").law(mass=1.0, stiffness=1e6, exponent=1.0)
        >>> law.tangent(1e-4)
        (1000000.0, 0.0)
        """
        found, one = self._forces(delta, rate, speed, threads)
        return (float(found[1]), float(found[2])) if one else (found[1], found[2])

    @overload
    def stored(
        self, delta: Scalar, *, speed: Scalar | None = ..., threads: int | None = ...
    ) -> N: ...

    @overload
    def stored(
        self, delta: Quantity, *, speed: Quantity | None = ..., threads: int | None = ...
    ) -> Any: ...

    def stored(self, delta: Quantity, *, speed: Quantity | None = None, threads: int | None = None) -> Any:
        """Computes the energy (J) that an infinitely slow unloading from this indentation would return.

        >>> law = carom.model("hooke-1678").law(mass=1.0, stiffness=1e6, exponent=1.0)
        >>> round(law.stored(1e-3), 12)
        0.5
        """
        found, one = self._forces(delta, 0.0, speed, threads)
        return float(found[3]) if one else found[3]

    def code(self, language: Language, *, speed: Scalar | None = None) -> str:
        """Returns the force as functions in `c`, `cuda`, `python` (NumPy) or `latex`, to paste into a program.

        A comment states equation, reference, units, signs and which quantities of a contact must be remembered. The speed (m/s)
        is needed only if the damping is found by a search at first touch; the comment contains the damping for this speed.

        >>> "def " in carom.model("hooke-1678").law(mass=1.0, stiffness=1e6, exponent=1.0).code("python")
        True
        """
        if self._arrays:
            raise Error(f"code of {self.shape} laws is not supported: make a law of single numbers for it")
        spec = self._spec if speed is None else {**self._spec, "speed": speed}
        return _carom.code(text(spec), language)

    @property
    def spec(self) -> Result:
        """Description, with the keys of a request to carom; arrays are left out."""
        return Result(self._spec)

    def __repr__(self) -> str:
        values = {**{k: v for k, v in self._spec.items() if k != "law"}}
        values.update({name: f"array{value.shape}" for name, value in self._arrays.items()})
        return f"<carom.Law {self.model.id} {', '.join(f'{name}={value}' for name, value in values.items())}>"

    def _repr_html_(self) -> str:
        values = {name: value for name, value in self._spec.items() if name != "law"}
        values.update({name: f"array of shape {value.shape}" for name, value in self._arrays.items()})
        rows = [("equation", " ".join(self.model.equation.split())), *((name, str(value)) for name, value in values.items())]
        loop = "" if self._arrays else force_loop_svg({**self._spec, "speed": 1.0}, "force at 1 m/s")
        return facts(f"{self.model.id}: {self.model.title}", rows, (), loop)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Law, (self.model, *self._made))
