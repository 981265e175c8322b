"""Types of arguments and results, for editors and type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


class HasUnits(Protocol):
    """A quantity of pint, unyt or a similar package: a magnitude and its units."""

    @property
    def magnitude(self) -> Any: ...

    @property
    def units(self) -> Any: ...


class HasArray(Protocol):
    """Types that NumPy can read: arrays, columns of pandas, arrays of xarray, quantities of astropy."""

    def __array__(self, *args: Any, **keywords: Any) -> NDArray[Any]: ...


#: One number in SI units, or a text with a unit such as `"12.7 mm"`.
Scalar: TypeAlias = Union[float, str, "np.floating[Any]", "np.integer[Any]"]
#: Numbers in an array or a list.
Numbers: TypeAlias = Union[HasArray, Sequence[float], Sequence[Sequence[float]], Sequence[HasUnits]]
#: A quantity as an argument: one value or many, with or without a unit.
Quantity: TypeAlias = Union[Scalar, Numbers, HasUnits]

# Type of a result: `float` for one impact, `Array` for many; `Any` where a type checker cannot tell.
if TYPE_CHECKING:
    from typing_extensions import TypeVar

    N = TypeVar("N", default=Any)
else:
    from typing import TypeVar

    N = TypeVar("N")
