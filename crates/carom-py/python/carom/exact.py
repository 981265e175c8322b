"""The theory of power laws, which all have the same dimensionless impact.

For F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ and effective mass m, measured in L = (m·v₀²/K)^(1/(n+1)), every impact is

    x″ + xⁿ + ε·xᵐ·|x′|^q·sgn x′ = 0,   x(0) = 0, x′(0) = 1,   ε = c·L^(m+1)·v₀^(q−2)/m

and depends on (n, m, q, ε) alone. All arguments broadcast; computations use all cores.

>>> round(carom.exact.restitution(carom.exact.epsilon(0.7)), 12)
0.7
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

from . import _carom
from ._choices import Exit
from ._tables import Result, Table
from ._types import Array, Numbers, Quantity
from ._units import Labels
from ._values import array, shape_of, threads as cores

#: Treatment of invalid rows: raise the error of the first one, or return NaN for them.
Errors: TypeAlias = Literal["raise", "nan"]

__all__ = ["Outcome", "epsilon", "outcome", "restitution"]

_NAMES = (
    "restitution",
    "duration",
    "indentation_max",
    "time_of_indentation_max",
    "force_max",
    "time_of_force_max",
    "residual_indentation",
)


class Outcome(Result):
    """Dimensionless impact with one ε, in units of L, L/v₀ and m·v₀²/L.

    >>> carom.exact.outcome(0.0).restitution
    1.0
    """

    restitution: float
    duration: float
    indentation_max: float
    time_of_indentation_max: float
    force_max: float
    time_of_force_max: float
    residual_indentation: float


def _ask(
    what: str, name: str, given: object, n: object, m: object, q: object, exit: str, errors: str, threads: int | None
) -> list[Any]:
    labels = Labels()
    values = {
        "exponent": array("exponent", n, "", labels),
        "damping_exponent": array("damping_exponent", n if m is None else m, "", labels),
        "rate_exponent": array("rate_exponent", q, "", labels),
        name: array(name, given, "", labels),
    }
    shape = shape_of(values)
    found = _carom.exact(what, list(values.values()), list(shape), exit, cores(threads), lenient(errors))
    return [float(column) for column in found] if shape == () else found


def lenient(errors: str) -> bool:
    """Returns whether invalid rows become NaN."""
    if errors not in ("raise", "nan"):
        raise _carom.Error(f"no errors `{errors}`; use `raise` (an error for the first invalid row) or `nan` (NaN for invalid rows)")
    return errors == "nan"


@overload
def epsilon(
    restitution: float,
    *,
    exponent: float = ...,
    damping_exponent: float | None = ...,
    rate_exponent: float = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> float: ...


@overload
def epsilon(
    restitution: Numbers,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Array: ...


@overload
def epsilon(
    restitution: Quantity,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Any: ...


def epsilon(
    restitution: Quantity,
    *,
    exponent: Quantity = 1.5,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity = 1.0,
    exit: Exit = "force",
    errors: Errors = "raise",
    threads: int | None = None,
) -> Any:
    """Computes the ε that delivers this restitution, in (0, 1], when contact ends at zero `exit` (`force` or `indentation`).

    `damping_exponent` is n unless given (Hunt–Crossley laws).

    >>> round(carom.exact.epsilon(0.5, damping_exponent=0.25), 10)
    0.5708136788
    """
    return _ask(
        "epsilon", "restitution", restitution, exponent, damping_exponent, rate_exponent, exit, errors, threads
    )[0]


@overload
def outcome(
    epsilon: float,
    *,
    exponent: float = ...,
    damping_exponent: float | None = ...,
    rate_exponent: float = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Outcome: ...


@overload
def outcome(
    epsilon: Numbers,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Table: ...


@overload
def outcome(
    epsilon: Quantity,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Any: ...


def outcome(
    epsilon: Quantity,
    *,
    exponent: Quantity = 1.5,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity = 1.0,
    exit: Exit = "force",
    errors: Errors = "raise",
    threads: int | None = None,
) -> Table | Outcome:
    """Computes all results of the dimensionless impact with this ε: columns, or numbers for a single ε.

    If the bodies creep and never separate, the restitution is 0, the duration infinite and the rest NaN.

    >>> round(carom.exact.outcome(0.1).restitution, 6)
    0.937476
    """
    found = _ask("outcome", "epsilon", epsilon, exponent, damping_exponent, rate_exponent, exit, errors, threads)
    columns: dict[str, Any] = dict(zip(_NAMES, found))
    return Outcome(columns) if isinstance(found[0], float) else Table(columns)


@overload
def restitution(
    epsilon: float,
    *,
    exponent: float = ...,
    damping_exponent: float | None = ...,
    rate_exponent: float = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> float: ...


@overload
def restitution(
    epsilon: Numbers,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Array: ...


@overload
def restitution(
    epsilon: Quantity,
    *,
    exponent: Quantity = ...,
    damping_exponent: Quantity | None = ...,
    rate_exponent: Quantity = ...,
    exit: Exit = ...,
    errors: Errors = ...,
    threads: int | None = ...,
) -> Any: ...


def restitution(
    epsilon: Quantity,
    *,
    exponent: Quantity = 1.5,
    damping_exponent: Quantity | None = None,
    rate_exponent: Quantity = 1.0,
    exit: Exit = "force",
    errors: Errors = "raise",
    threads: int | None = None,
) -> Any:
    """Computes the restitution that ε delivers; 0 if the bodies never separate.

    >>> carom.exact.restitution(0.0)
    1.0
    """
    return _ask("outcome", "epsilon", epsilon, exponent, damping_exponent, rate_exponent, exit, errors, threads)[0]
