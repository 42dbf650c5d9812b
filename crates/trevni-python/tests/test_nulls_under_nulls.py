"""What is under a null is no value, in whatever type, at whatever depth."""

import io
import pathlib

import pyarrow as pa
import pytest

import trevni

INPUTS = pathlib.Path(__file__).parent / "inputs"


def runs(values):
    return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(values) + 1), pa.int32()), values)


def dense(words):
    return pa.UnionArray.from_dense(
        pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()), [pa.array([1, 2]), words], ["i", "s"]
    )


def sparse(words):
    return pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), words], ["i", "s"])


WITH_NULLS = {
    "int": pa.array([1, None, 3]),
    "string": pa.array(["a", None, "b"]),
    "dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
    "null value": pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), pa.array(["a", None])),
    "record": pa.array([{"p": 1}, None, {"p": 2}]),
    "list": pa.array([[1], None, []]),
    "fixed list": pa.array([[1], None, [2]], pa.list_(pa.int8(), 1)),
}
#: Types that have no bitmap: their nulls are those of their parts.
OF_PARTS = {
    "runs": runs(pa.array([1, None, 2])),
    "runs of words": runs(pa.array(["a", None, "b"]).dictionary_encode()),
    "runs of records": runs(pa.array([{"p": 1}, None, {"p": 2}])),
    "dense": dense(pa.array([None], pa.string())),
    "sparse": sparse(pa.array(["a", None, "b"])),
}
WITHOUT = {
    "full runs": runs(pa.array([1, 5, 2])),
    "full dense": dense(pa.array(["a"])),
    "full dictionary": pa.array(["a", "b", "a"]).dictionary_encode(),
    "list of runs": pa.ListArray.from_arrays(pa.array([0, 1, 1, 3], pa.int32()), runs(pa.array([1, None, 2]))),
    "list of unions": pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), dense(pa.array([None], pa.string()))),
}
ALL = WITH_NULLS | OF_PARTS | WITHOUT
MASK = pa.array([False, True, False])


def within(array, nullable, mask=None):
    return pa.StructArray.from_arrays([array], fields=[pa.field("x", array.type, nullable=nullable)], mask=mask)


def covered(array, nullable):
    """The values where the second one is under a null."""
    record = within(array, nullable)
    masked = within(array, nullable, MASK)
    return {
        "record": masked,
        "two records": pa.StructArray.from_arrays([record], fields=[pa.field("i", record.type, nullable=False)], mask=MASK),
        "list": pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), masked),
        "fixed list": pa.FixedSizeListArray.from_arrays(
            record, type=pa.list_(pa.field("item", record.type, nullable=False), 1), mask=MASK
        ),
        "map": pa.MapArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), pa.array(["a", "b", "c"]), masked),
    }


def check(column, nullable=True):
    table = pa.table([column], schema=pa.schema([pa.field("c", column.type, nullable=nullable)]))
    for rows in (table, table.slice(1), table.slice(0, 2), table.slice(0, 0)):
        file = io.BytesIO()
        trevni.write(file, rows)
        reader = trevni.open(file.getvalue())
        result = reader.to_arrow()
        result.validate(full=True)
        assert result.schema == table.schema
        assert result.to_pylist() == rows.to_pylist() == list(reader)


@pytest.mark.parametrize("nullable", [True, False])
@pytest.mark.parametrize("name", ALL)
def test_values_under_nulls_are_written_and_read(name, nullable):
    for column in covered(ALL[name], nullable).values():
        check(column)


@pytest.mark.parametrize("name", OF_PARTS | WITHOUT)
def test_nulls_of_runs_and_unions_are_values_of_fields_that_are_not_nullable(name):
    check(within(ALL[name], False))
    check(ALL[name], False)
    array = ALL[name]
    check(pa.ListArray.from_arrays(pa.array([0, 1, 3], pa.int32()), array, type=pa.list_(pa.field("item", array.type, nullable=False))))


@pytest.mark.parametrize("name", WITH_NULLS)
def test_nulls_that_nothing_covers_are_refused(name):
    column = within(WITH_NULLS[name], False)
    with pytest.raises(trevni.TrevniError, match="field c"):
        trevni.write(io.BytesIO(), pa.table({"c": column}))


def test_a_file_with_runs_that_are_not_null_under_a_null_is_read():
    reader = trevni.open(INPUTS / "ree_not_null_under_null.trv")
    table = reader.to_arrow()
    table.validate(full=True)
    assert table.to_pylist() == [{"s": None}, {"s": {"i": {"x": 2}}}] == list(reader)
