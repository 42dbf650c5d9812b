"""Unions for libraries without them, and nulls of two kinds as one."""

import io
import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import trevni

DENSE = pa.UnionArray.from_dense(
    pa.array([0, 1, 2, 0, 1], pa.int8()),
    pa.array([0, 0, 0, 1, 1], pa.int32()),
    [pa.array([1, None]), pa.array(["x", 'a "b"']), pa.array([{"k": [1.5, None]}])],
    ["number", "word", "record"],
)
SPARSE = pa.UnionArray.from_sparse(
    pa.array([0, 1, 2, 0, 1], pa.int8()),
    [
        pa.array([1, 2, 3, None, 5]),
        pa.array(["p", "x", "q", "r", 'a "b"']),
        pa.array([None, None, {"k": [1.5, None]}, None, None]),
    ],
    ["number", "word", "record"],
)
VALUES = [1, "x", {"k": [1.5, None]}, None, 'a "b"']
AS = {
    "json": [None if value is None else json.dumps(value, separators=(",", ":")) for value in VALUES],
    "string": ["1", "x", '{"k":[1.5,null]}', None, 'a "b"'],
    "struct": [
        {"number": 1, "word": None, "record": None},
        {"number": None, "word": "x", "record": None},
        {"number": None, "word": None, "record": {"k": [1.5, None]}},
        {"number": None, "word": None, "record": None},
        {"number": None, "word": 'a "b"', "record": None},
    ],
}


def data_of(rows):
    file = io.BytesIO()
    trevni.write(file, rows)
    return file.getvalue()


def tables():
    for union in (DENSE, SPARSE):
        yield pa.table({"u": union})
        yield pa.table({"u": union}).slice(1, 3)
        yield pa.table({"u": union}).slice(0, 0)
        offsets = pa.array([0, 2, 2, 5], pa.int32())
        yield pa.table({"l": pa.ListArray.from_arrays(offsets, union), "s": pa.StructArray.from_arrays([union.slice(0, 3)], ["u"])})


def plain(value, option):
    """The rows of a table with unions as they are with an option."""
    def of(value):
        return AS[option][VALUES.index(value)]

    if "u" in value:
        return {"u": of(value["u"])}
    return {"l": [of(item) for item in value["l"]], "s": {"u": of(value["s"]["u"])}}


@pytest.mark.parametrize("option", AS)
@pytest.mark.parametrize("number", range(8))
def test_unions_enter_all_libraries(number, option, tmp_path):
    table = list(tables())[number]
    wanted = [plain(row, option) for row in table.to_pylist()]
    reader = trevni.open(data_of(table), unions=option)
    result = reader.to_arrow()
    result.validate(full=True)
    assert result.to_pylist() == wanted == list(reader)
    assert result.column_names == table.column_names == reader.columns
    assert reader.to_polars().to_dicts() == wanted
    assert trevni.scan(reader).collect().to_dicts() == wanted
    assert len(reader.to_pandas()) == len(wanted)
    assert duckdb.sql("select count(*) from reader").fetchall() == [(len(wanted),)]
    pq.write_table(result, tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == wanted
    assert [row for batch in reader.batches(2) for row in batch.to_list()] == wanted
    for place, row in enumerate(wanted):
        assert reader.row(place) == row
        assert reader.take([place]).to_list() == [row]


@pytest.mark.parametrize("number", range(8))
def test_sparse_unions_have_the_same_values(number):
    table = list(tables())[number]
    reader = trevni.open(data_of(table), unions="sparse")
    result = reader.to_arrow()
    result.validate(full=True)
    assert result.to_pylist() == table.to_pylist()
    if "u" in table.column_names:
        assert result.schema.field("u").type.mode == "sparse"
        assert duckdb.sql("select u from reader").fetchall() == [(row["u"],) for row in table.to_pylist()]
    assert trevni.open(data_of(table)).to_arrow().equals(table)


def test_unions_of_rows_with_any_values():
    rows = trevni.open(data_of(DENSE_WITH_NULL), unions="struct").to_arrow()
    assert rows.to_pylist() == [{"u": {"int": 1}}, {"u": None}]
    assert trevni.open(data_of(DENSE_WITH_NULL), unions="json").to_arrow().to_pylist() == [{"u": "1"}, {"u": None}]


DENSE_WITH_NULL = pa.table(
    {
        "u": pa.UnionArray.from_dense(
            pa.array([1, 0], pa.int8()), pa.array([0, 0], pa.int32()), [pa.nulls(1), pa.array([1], pa.int32())], ["null", "int"]
        )
    }
)


def test_values_are_written_as_json():
    children = {
        "instant": (pa.array([0], pa.timestamp("us", "Europe/Paris")), '"1970-01-01T00:00:00Z"'),
        "local": (pa.array([0], pa.timestamp("ms")), '"1970-01-01T00:00:00"'),
        "day": (pa.array([1], pa.date32()), '"1970-01-02"'),
        "decimal": (pa.array(["1.50"]).cast(pa.decimal128(5, 2)), '"1.50"'),
        "nan": (pa.array([float("nan")]), '"NaN"'),
        "float": (pa.array([0.1]), "0.1"),
        "large": (pa.array([2**64 - 1], pa.uint64()), "18446744073709551615"),
        "bytes": (pa.array([b"\x00\xff"]), '"00ff"'),
        "truth": (pa.array([True]), "true"),
        "map": (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8())), '{"a":1}'),
        "pairs": (pa.array([[(1, "a")]], pa.map_(pa.int8(), pa.string())), '[[1,"a"]]'),
        "category": (pa.array(["b"]).dictionary_encode(), '"b"'),
        "runs": (pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["r"])), '"r"'),
        "fixed": (pa.array([[1, None]], pa.list_(pa.int8(), 2)), "[1,null]"),
        "large_list": (pa.array([[1]], pa.large_list(pa.int8())), "[1]"),
        "view": (pa.array([[1]], pa.list_view(pa.int8())), "[1]"),
    }
    ids = pa.array(range(len(children)), pa.int8())
    offsets = pa.array([0] * len(children), pa.int32())
    union = pa.UnionArray.from_dense(ids, offsets, [array for array, _ in children.values()], list(children))
    data = data_of(pa.table({"u": union}))
    assert trevni.open(data, unions="json").to_arrow()["u"].to_pylist() == [text for _, text in children.values()]
    struct = trevni.open(data, unions="struct").to_arrow()
    struct.validate(full=True)
    for row, (name, (array, _)) in zip(struct["u"].to_pylist(), children.items()):
        value = row.pop(name)
        assert value == array.to_pylist()[0] or name == "nan"
        assert set(row.values()) == {None}


def test_errors_name_the_fields_and_the_option(tmp_path):
    path = tmp_path / "rows.trv"
    trevni.write(path, pa.table({"a": [1] * 5, "u": DENSE, "s": pa.StructArray.from_arrays([SPARSE], ["v"])}))
    reader = trevni.open(path)
    message = r'u, s\.v are unions, which {} has not: open the file with unions="json", "string" or "struct"'
    for library, use in (("polars", reader.to_polars), ("pandas", reader.to_pandas), ("polars", lambda: trevni.scan(path))):
        with pytest.raises(trevni.UnsupportedError, match=message.format(library)) as raised:
            use()
        assert str(path) in str(raised.value)
    assert reader.select("a").to_polars().height == 5
    with pytest.raises(ValueError, match='^unions is "sparse", "json", "string" or "struct", not "text"$'):
        trevni.open(path, unions="text")
    for opened in (trevni.Dataset(tmp_path, unions="json"), trevni.open(tmp_path, unions="json")):
        assert opened.filter("a = 1").select("u").to_polars()["u"].to_list() == AS["json"]


def test_absent_and_null_are_null_on_request():
    schema = json.dumps(
        {
            "type": "record",
            "name": "Row",
            "fields": [
                {
                    "name": "a",
                    "type": ["null", {"type": "record", "name": "Some", "fields": [{"name": "some", "type": ["null", "int"]}]}],
                }
            ],
        }
    )
    some = pa.struct([pa.field("some", pa.int32())])
    table = pa.table({"a": pa.array([{"some": 1}, {"some": None}, None], some)})
    assert schema and list(trevni.open(data_of(table))) == [{"a": {"some": 1}}, {"a": {"some": None}}, {"a": None}]
    reader = trevni.open(data_of(table), plain_nulls=True)
    assert reader.to_arrow().equals(pa.table({"a": pa.array([1, None, None], pa.int32())}))
    frame = reader.to_polars()
    assert frame.equals(pl.DataFrame({"a": pl.Series([1, None, None], dtype=pl.Int32)}))
    assert pd.isna(reader.to_pandas()["a"].iloc[1])
