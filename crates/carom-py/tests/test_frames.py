"""Impacts and tables for other packages: Arrow streams, polars, xarray, and only the requested results."""

import gc

import numpy as np
import pyarrow
import pytest
import xarray

import carom


@pytest.fixture
def impacts(steel):
    law = carom.model("flores-2011").law(**steel, restitution=[[0.5], [0.7]], calibration="exact")
    return law.collide(speed=np.array([0.1, 0.2, 0.3]))


def test_an_arrow_stream_has_the_memory_of_the_arrays():
    numbers = np.arange(5.0)
    read = pyarrow.table(carom.Table({"x": numbers}, {"x": "m"}))
    (piece,) = read["x"].chunks
    assert piece.buffers()[1].address == numbers.ctypes.data
    assert read.schema.field("x").metadata == {b"unit": b"m"}


def test_memory_that_was_lent_outlives_the_table():
    def lent():
        return pyarrow.table(carom.Table({"x": np.arange(1000.0)}))

    read = lent()
    gc.collect()
    assert read["x"].to_pylist() == list(range(1000))


def test_all_kinds_of_columns_become_arrow():
    columns = {
        "real": np.array([1.5, 2.5]),
        "single": np.array([1.5, 2.5], dtype=np.float32),
        "integer": np.array([1, 2]),
        "unsigned": np.array([1, 2], dtype=np.uint32),
        "text": ["eins", "zwei Δ"],
        "some_text": ["a", None],
        "truth": [True, None],
        "counts": [7, None],
        "some_real": [0.5, None],
        "lists": [["a", "b"], []],
        "array_of_text": np.array(["a", "b"], dtype=object),
    }
    read = pyarrow.table(carom.Table(columns))
    read.validate(full=True)
    for name, column in columns.items():
        assert read[name].to_pylist() == list(column), name
    assert read.schema.field("lists").type.value_type == pyarrow.large_string()
    assert read["some_text"].null_count == 1
    # Columns as a stream, as polars reads them.
    assert pyarrow.RecordBatchReader.from_stream(carom.Table(columns)).read_all().column_names == list(columns)


def test_arrow_reads_as_pyarrow_makes_it(impacts):
    for table in (carom.models(), carom.materials(), carom.experiments(), impacts.to_table()):
        assert pyarrow.table(table).to_pylist() == table.to_arrow().to_pylist()
    assert len(pyarrow.table(carom.Table({"x": np.array([])}))) == 0


def test_a_column_that_arrow_has_no_type_for_is_named():
    with pytest.raises(carom.Error, match="the column odd has no type in Arrow"):
        carom.Table({"odd": [object()]}).__arrow_c_stream__()
    with pytest.raises(carom.Error, match="b has 1 rows, others 2"):
        carom.Table({"a": [1, 2], "b": [1]}).__arrow_c_stream__()


def test_streams_that_nobody_reads_and_streams_that_are_read_twice():
    for _ in range(100):
        carom.Table({"x": np.arange(10.0)}).__arrow_c_stream__()
    reader = pyarrow.RecordBatchReader.from_stream(carom.Table({"x": np.arange(10.0)}))
    assert reader.read_all().num_rows == 10
    assert reader.read_all().num_rows == 0


def test_polars_reads_a_table_without_pyarrow(impacts):
    polars = pytest.importorskip("polars")
    frame = impacts.to_polars()
    assert frame.shape == (6, 2 + len(impacts.to_dict()))
    assert frame["force_max"].to_list() == impacts.force_max.ravel().tolist()
    assert polars.DataFrame(carom.models())["id"][0] == "hooke-1678"


def test_xarray_names_the_axes_after_what_varies_along_them(impacts):
    data = impacts.to_xarray()
    assert data.force_max.dims == ("restitution", "speed") and data.attrs["law"] == "flores-2011"
    assert data.force_max.attrs["units"] == "N"
    np.testing.assert_array_equal(data.speed, [0.1, 0.2, 0.3])
    assert float(data.force_max.sel(restitution=0.7, speed=0.2)) == impacts[1, 1].force_max
    # Two quantities along one axis do not give it a name.
    both = carom.model("hertz-1881").law(mass=[1.0, 2.0], stiffness=[1e9, 2e9]).collide(1.0).to_xarray()
    assert both.force_max.dims == ("axis_0",) and both["mass"].values.tolist() == [1.0, 2.0]
    one = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9).collide(1.0).to_xarray()
    assert one.force_max.shape == ()


def test_labels_of_xarray_come_back():
    speeds = xarray.DataArray([0.1, 0.2], dims="run", coords={"run": ["slow", "fast"]})
    data = carom.model("hertz-1881").law(mass=1.0, stiffness=1e9).collide(speeds).to_xarray()
    assert data.force_max.dims == ("run",) and data.run.values.tolist() == ["slow", "fast"]
    assert data["speed"].values.tolist() == [0.1, 0.2]


def test_outputs_are_the_columns_that_were_asked_for(steel):
    law = carom.model("tsuji-1992").law(**steel, restitution=0.5)
    speeds = np.linspace(0.1, 1.0, 1000)
    whole, part = law.collide(speeds), law.collide(speeds, outputs=["force_max", "restitution"])
    assert list(part.to_dict()) == ["restitution_newton", "force_max"]
    np.testing.assert_array_equal(part.force_max, whole.force_max)
    np.testing.assert_array_equal(part.restitution, whole.restitution)
    assert part[7].duration == whole[7].duration
    with pytest.raises(AttributeError, match="duration is not among the outputs"):
        part.duration
    with pytest.raises(carom.Error, match="outputs = 'forze_max' is not allowed: .*force_max"):
        law.collide(speeds, outputs=["forze_max"])
    with pytest.raises(carom.Error, match="list of names"):
        law.collide(speeds, outputs=[])
