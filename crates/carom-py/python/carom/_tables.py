"""Results: columns of equal length, and nested reports. Both can be converted to dicts, pandas or Arrow tables."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import _carom

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    import xarray


def import_optional(module: str) -> Any:
    """Imports a module when it is first needed."""
    try:
        return importlib.import_module(module)
    except ImportError as why:
        name = module.split(".")[0]
        raise ImportError(f"this needs {name}, which carom does not: pip install {name}") from why


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    shown = str(value).replace("\n", " ")
    return shown if len(shown) <= 44 else shown[:43] + "…"


def _for_arrow(column: Any) -> Any:
    """Returns numbers as a contiguous array, and everything else as a list."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "fiu":
        return np.ascontiguousarray(column)
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


class Table(Mapping[str, Any]):
    """Columns of equal length, by name; `units` contains the units of their numbers.

    A mapping from names to columns (arrays of numbers, lists of anything else), and:

    >>> table = carom.materials()
    >>> len(table) > 40, table.units["youngs"], table.rows()[0]["id"] in table["id"]
    (True, 'Pa', True)
    >>> table.to_arrow().num_rows == len(table)
    True

    pandas and pyarrow are needed only for the conversion to them.
    """

    def __init__(
        self,
        columns: Mapping[str, Any],
        units: Mapping[str, str] | None = None,
        shown: Sequence[str] | None = None,
    ):
        self._columns = dict(columns)
        self.units = dict(units or {})
        self._brief = list(shown or columns)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("_columns", {})
        if name not in columns:
            raise AttributeError(f"{type(self).__name__} has no column {name!r}; it has {', '.join(columns)}")
        return columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __bool__(self) -> bool:
        return len(self) > 0

    def rows(self) -> list[dict[str, Any]]:
        """Returns one dict per row."""
        names, columns = list(self._columns), list(self._columns.values())
        return [dict(zip(names, row)) for row in zip(*columns)]

    def to_dict(self) -> dict[str, Any]:
        """Returns a dict of the columns."""
        return dict(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame; needs pandas."""
        frame: pandas.DataFrame = import_optional("pandas").DataFrame(self._columns)
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """Returns an Arrow table, without a copy of numbers; needs pyarrow. Units are metadata of the fields."""
        pyarrow = import_optional("pyarrow")
        arrays = [pyarrow.array(column) for column in self._columns.values()]
        fields = [
            pyarrow.field(name, value.type, metadata={"unit": unit} if (unit := self.units.get(name)) else None)
            for name, value in zip(self._columns, arrays)
        ]
        made: Any = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
        return made

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Exports the table through the Arrow PyCapsule interface, by which polars, pyarrow, duckdb, … read a table directly.
        Numbers are not copied, and none of these packages is needed to export.

        >>> import pyarrow
        >>> pyarrow.table(carom.materials()).schema.field("youngs").metadata
        {b'unit': b'Pa'}
        """
        columns = [
            (name, self.units.get(name, ""), _for_arrow(column)) for name, column in self._columns.items()
        ]
        return _carom.arrow_stream(columns)

    def to_polars(self) -> polars.DataFrame:
        """Returns a DataFrame of polars, without a copy of numbers; needs polars."""
        frame: polars.DataFrame = import_optional("polars").DataFrame(self)
        return frame

    def to_xarray(self, index: str | None = None) -> xarray.Dataset:
        """Returns a Dataset whose variables are the columns, over the row or over the column `index`; needs xarray.

        >>> law = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9)
        >>> law.collide(1.0).trajectory(50).to_xarray("time").force.dims
        ('time',)
        """
        if index is not None and index not in self._columns:
            raise _carom.Error(f"index = {index!r} is not allowed: it must be one of {', '.join(self._columns)}")
        dim = index or "row"

        def variable(name: str) -> tuple[Any, ...]:
            unit = self.units.get(name)
            return ((dim,), self._columns[name], {"units": unit} if unit else {})

        coords = {} if index is None else {index: variable(index)}
        data = {name: variable(name) for name in self._columns if name != index}
        made: xarray.Dataset = import_optional("xarray").Dataset(data, coords)
        return made

    def _shown(self) -> tuple[list[str], list[list[str]]]:
        total = len(self)
        shown = list(range(total)) if total <= 12 else [*range(8), *range(total - 3, total)]
        heads = [name + (f" ({unit})" if (unit := self.units.get(name)) else "") for name in self._brief]
        rows = [[_cell(self._columns[name][row]) for name in self._brief] for row in shown]
        if total > 12:
            rows.insert(8, ["…"] * len(heads))
        return heads, rows

    def __repr__(self) -> str:
        heads, rows = self._shown()
        widths = [max(map(len, column)) for column in zip(heads, *rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [heads, *rows]]
        hidden = [name for name in self._columns if name not in self._brief]
        more = f"; also {', '.join(hidden)}" if hidden else ""
        return "\n".join([*lines, f"[{len(self)} rows × {len(self._columns)} columns{more}]"])

    def _repr_html_(self) -> str:
        from html import escape

        heads, rows = self._shown()
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Table, (self._columns, self.units, self._brief))


def table(rows: Sequence[Mapping[str, Any]], units: Mapping[str, str] | None = None) -> Table:
    """Converts rows to columns; columns of numbers become arrays."""
    columns: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        column = [row[name] for row in rows]
        columns[name] = np.array(column) if all(isinstance(value, float) for value in column) else column
    return Table(columns, units)


def flatten(value: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """Joins nested names with `_`, as in `--csv` of the command."""
    cells: dict[str, Any] = {}
    for key, item in value.items():
        key = f"{name}_{key}" if name else key
        if isinstance(item, Mapping):
            cells.update(flatten(item, key))
        else:
            cells[key] = item
    return cells


def _html_rows(value: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, f"{len(item)} entries" if isinstance(item, list) else _cell(item)) for name, item in flatten(value).items()]


class Result(Mapping[str, Any]):
    """A report: a mapping with the keys of `--json` of the command, whose entries are attributes as well.

    `to_dict()` returns plain dicts and lists; `to_pandas()` and `to_arrow()` return one row with flat names.

    >>> report = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9).collide(1.0).report
    >>> report.restitution.newton, report["restitution"]["newton"], report.to_dict()["law"]
    (1.0, 1.0, 'hertz-1881')
    """

    def __init__(self, data: Mapping[str, Any]):
        self._data = dict(data)

    #: Classes of entries that are reports themselves, by name.
    _parts: ClassVar[Mapping[str, type[Result]]] = {}

    def _wrap(self, name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return self._parts.get(name, Result)(value)
        if isinstance(value, list):
            return [self._wrap(name, item) for item in value]
        return value

    def __getitem__(self, name: str) -> Any:
        return self._wrap(name, self._data[name])

    if not TYPE_CHECKING:  # otherwise a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            data = self.__dict__.get("_data", {})
            if name not in data:
                raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(data)}")
            return self._wrap(name, data[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain dicts and lists, which the caller may change."""
        return copy.deepcopy(self._data)

    def _repr_html_(self) -> str:
        if (rows := getattr(type(self), "to_table", None)) is not None:  # reports that are lists have this method
            return str(rows(self)._repr_html_())
        from ._html import facts

        return facts(type(self).__name__, _html_rows(self._data))

    def _row(self) -> dict[str, Any]:
        flat = flatten(self._data)
        return {name: value for name, value in flat.items() if not isinstance(value, list)}

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row; needs pandas."""
        frame: pandas.DataFrame = import_optional("pandas").DataFrame([self._row()])
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """Returns one row; needs pyarrow."""
        rows: pyarrow.Table = import_optional("pyarrow").Table.from_pylist([self._row()])
        return rows

    def __repr__(self) -> str:
        def lines(value: Mapping[str, Any], indent: str) -> Iterator[str]:
            for key, item in value.items():
                if isinstance(item, dict):
                    yield f"{indent}{key}:"
                    yield from lines(item, indent + "  ")
                elif isinstance(item, list) and item and isinstance(item[0], dict):
                    yield f"{indent}{key}: {len(item)} entries"
                else:
                    yield f"{indent}{key}: {_cell(item)}"

        return "\n".join(lines(self._data, ""))
