"""What Arrow's interface and Python's words ask for: requested schemas, metadata, errors."""

import datetime as dt
import decimal
import io
import re

import numpy
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import trevni

D = decimal.Decimal
ROWS = pa.table({"a": pa.array([1, None, 300]), "b": ["x", "y", None], "t": pa.array([1, 2, None], pa.timestamp("ms"))})


def again(rows, **options):
    file = io.BytesIO()
    trevni.write(file, rows, **options)
    return trevni.open(file.getvalue())


def sources():
    reader = again(ROWS)
    return {"reader": lambda: reader, "batches": reader.batches, "batch": lambda: next(reader.batches())}


@pytest.mark.parametrize("source", ["reader", "batches", "batch"])
@pytest.mark.parametrize(
    "schema",
    [
        [("a", pa.int16()), ("b", pa.string()), ("t", pa.timestamp("ms"))],
        [("a", pa.decimal128(20, 0)), ("b", pa.large_string()), ("t", pa.timestamp("ns"))],
        [("b", pa.string_view()), ("a", pa.int64())],
        [("b", pa.dictionary(pa.int8(), pa.string()))],
    ],
)
def test_requested_types_and_columns_are_given(source, schema):
    schema = pa.schema(schema)
    stream = pa.RecordBatchReader.from_stream(sources()[source](), schema=schema)
    assert stream.schema == schema
    assert stream.read_all().to_pylist() == ROWS.select(schema.names).cast(schema).to_pylist()


@pytest.mark.parametrize("source", ["reader", "batches", "batch"])
@pytest.mark.parametrize(
    "schema, message",
    [
        ([("a", pa.string())], 'requested_schema: column "a" is int64, which string cannot hold'),
        ([("b", pa.binary())], None),
        ([("b", pa.int64())], 'requested_schema: column "b" is string, which int64 cannot hold'),
        ([("t", pa.timestamp("s"))], 'requested_schema: column "t" is timestamp[ms], which timestamp[s] cannot hold'),
        ([("t", pa.timestamp("ms", "UTC"))], "cannot hold"),
        ([("a", pa.int64()), ("z", pa.int64())], 'requested_schema: no column "z"; there are a, b, t'),
    ],
)
def test_requests_that_cannot_be_met_name_the_column(source, schema, message):
    stream = sources()[source]()
    if message is None:
        assert pa.RecordBatchReader.from_stream(stream, schema=pa.schema(schema)).read_all()["b"].to_pylist() == [b"x", b"y", None]
        return
    with pytest.raises(trevni.UsageError, match=re.escape(message)):
        pa.RecordBatchReader.from_stream(stream, schema=pa.schema(schema))


def test_requested_integers_that_are_too_large_are_an_error():
    with pytest.raises(Exception, match="300"):
        pa.RecordBatchReader.from_stream(again(ROWS), schema=pa.schema([("a", pa.int8())])).read_all()


def field(name, **options):
    return pa.field(name, pa.int64(), **options)


BAD = {b"k": b"\xff"}


@pytest.mark.parametrize(
    "schema, message",
    [
        (pa.schema([field("a")], metadata=BAD), 'metadata key "k" of the table is not UTF-8'),
        (pa.schema([field("a", metadata=BAD)]), 'metadata key "k" of field a is not UTF-8'),
        (pa.schema([pa.field("s", pa.struct([field("x"), field("y", metadata=BAD)]))]), 'key "k" of field s.y is not UTF-8'),
        (pa.schema([pa.field("l", pa.list_(field("item", metadata={b"\xfe": b""})))]), "of field l.item is not UTF-8"),
    ],
)
def test_metadata_that_is_not_utf8_names_field_and_key(schema, message):
    table = schema.empty_table()
    for rows in (table, table.to_reader(), pa.RecordBatch.from_arrays([pa.array([], kind) for kind in schema.types], schema=schema)):
        with pytest.raises(trevni.ArrowError, match=message):
            trevni.write(io.BytesIO(), rows)


def test_metadata_of_schemas_comes_back():
    metadata = {b"": b"", "naïve".encode(): "☃".encode(), b"avro.schema": b"no schema", b"trevni.x": b"y", b"arrow.schema": b"{}"}
    schema = pa.schema([field("a", metadata=metadata)], metadata=metadata)
    assert again(schema.empty_table()).to_arrow().schema.equals(schema, check_metadata=True)


@pytest.mark.parametrize("key", ["avro.schema", "arrow.schema", "arrow.dictionaries", "serde.schema", "trevni.x"])
def test_reserved_keys_are_refused(key):
    with pytest.raises(trevni.UsageError, match=f'^metadata key "{key}" is reserved$'):
        again(ROWS, metadata={key: "x"})


@pytest.mark.parametrize(
    "metadata, message",
    [
        ({"a": 1}, 'metadata["a"] is a str or bytes, not int'),
        ({"a": None}, 'metadata["a"] is a str or bytes, not NoneType'),
        ({1: "a"}, "a key of metadata is a str, not int: 1"),
        ([("a", "b")], "metadata is a dict, not list"),
        ("a", "metadata is a dict, not str"),
    ],
)
def test_metadata_of_other_types_is_a_type_error(metadata, message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        again(ROWS, metadata=metadata)


def test_negative_sizes_are_value_errors():
    reader, data = again(ROWS), io.BytesIO()
    trevni.write(data, ROWS)
    calls = {
        "block_size is at least 1": lambda: again(ROWS, block_size=-1),
        "row_group_size is at least 1": lambda: again(ROWS, format="redelm", row_group_size=0),
        "threads is at least 0": lambda: again(ROWS, threads=-1),
        "memory is at least 0": lambda: trevni.open(data.getvalue(), memory=-1),
        "block_bytes is at least 0": lambda: trevni.open(data.getvalue(), block_bytes=-1),
        "values is at least 0": lambda: trevni.open(data.getvalue(), values=-7),
        "offset is at least 0": lambda: reader.slice(-1),
        "length is at least 0": lambda: reader.slice(0, -2),
        "batch_size is at least 1": lambda: reader.batches(0),
    }
    for message, call in calls.items():
        with pytest.raises(ValueError, match=f"^{message}, not -?[0-9]$"):
            call()


@pytest.mark.parametrize(
    "rows, message",
    [
        (pl.Series("a", [1]), "Series is one column of int64, not a table: give series.to_frame()"),
        (pd.Series([1.5]), "Series is one column of double, not a table: give series.to_frame()"),
        (pa.array(["x"]), 'StringArray is one column of string, not a table: give pyarrow.table({"name": it})'),
        (pa.chunked_array([[1]]), 'ChunkedArray is one column of int64, not a table: give pyarrow.table({"name": it})'),
        (pl.LazyFrame({"a": [1]}), "LazyFrame has no rows yet: give those of its collect()"),
        ({"a": [1]}, "dict is no table: give pyarrow.table(dict), polars.DataFrame(dict) or pandas.DataFrame(dict)"),
        ([{"a": 1}], "dict is no table: give pyarrow.table(dict), polars.DataFrame(dict) or pandas.DataFrame(dict)"),
    ],
)
def test_what_is_no_table_says_what_to_give(rows, message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        again(rows)


def improper(precision, scale, numbers):
    """Decimals that Avro has no words for."""
    plain = pa.array([None if number is None else D(number) for number in numbers], pa.decimal128(precision, 0))
    return pa.Array.from_buffers(pa.decimal128(precision, scale), len(plain), plain.buffers())


@pytest.mark.parametrize("precision, scale", [(3, 4), (2, 9), (5, -2), (38, -3), (1, 1), (5, 2), (38, 38)])
def test_conditions_on_decimals_of_any_scale(precision, scale, tmp_path):
    numbers = [-9, -1, 0, 1, 2, 3, 9, None]
    array = improper(precision, scale, numbers)
    values = array.to_pylist()
    nested = pa.StructArray.from_arrays([array], ["d"])
    reader = again(pa.table({"d": array, "s": nested, "e": array.dictionary_encode()}))
    for limit in values[:-1]:
        for name in ("<", "<=", "=", "!=", ">", ">="):
            python = {"<": "__lt__", "<=": "__le__", "=": "__eq__", "!=": "__ne__", ">": "__gt__", ">=": "__ge__"}[name]
            wanted = [value for value in values[:-1] if getattr(value, python)(limit)]
            for text in (f"d {name} '{limit:f}'", f"s.d {name} '{limit:f}'", f"e {name} '{limit:f}'"):
                assert reader.filter(text).to_arrow()["d"].to_pylist() == wanted, text
            assert [row["d"] for row in reader.filter(getattr(trevni.col("d"), python)(limit))] == wanted
    assert reader.filter("d is null").num_rows == 1


def test_decimals_of_too_many_digits_are_refused():
    reader = again(pa.table({"d": pa.array([], pa.decimal256(70, -10)), "n": pa.array([], pa.int8())}))
    with pytest.raises(trevni.UsageError, match=r"^field d: no condition can be on decimal256\(70, -10\)$"):
        reader.filter("d > 5")
    assert reader.filter("n > 5").num_rows == 0


SPANS = [dt.timedelta(seconds=s) for s in (-2, 0, 1, 2, 3)]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_compare_with_timedelta(unit):
    column = pa.array([*SPANS, None], pa.duration(unit))
    reader = again(pa.table({"d": column, "s": pa.StructArray.from_arrays([column], ["d"])}))
    limits = [*SPANS, dt.timedelta(seconds=1.5), dt.timedelta(microseconds=-1), dt.timedelta(days=400)]
    limits += [pd.Timedelta(1_500_000_001, "ns"), numpy.timedelta64(1500, "ms"), numpy.timedelta64(2, "s")]
    for limit in limits:
        exact = pd.Timedelta(limit)
        for field in (trevni.col("d"), trevni.col("s", "d")):
            for condition, wanted in [
                (field < limit, lambda d: d < exact),
                (field <= limit, lambda d: d <= exact),
                (field > limit, lambda d: d > exact),
                (field >= limit, lambda d: d >= exact),
                (field == limit, lambda d: d == exact),
                (field != limit, lambda d: d != exact),
                (~(field == limit), lambda d: d != exact),
                (field.is_in([limit, dt.timedelta(0)]), lambda d: d == exact or d == dt.timedelta(0)),
                (field.between(dt.timedelta(0), limit), lambda d: dt.timedelta(0) <= d <= exact),
            ]:
                found = reader.filter(condition).to_arrow()["d"].cast(pa.duration("us")).to_pylist()
                assert found == [span for span in SPANS if wanted(pd.Timedelta(span))], (str(condition), limit)


def test_durations_of_files_of_several_units(tmp_path):
    for number, unit in enumerate(["s", "ms", "us"]):
        trevni.write(tmp_path / f"{number}.trv", pa.table({"d": pa.array(SPANS, pa.duration(unit))}))
    dataset = trevni.Dataset(tmp_path)
    found = dataset.filter(trevni.col("d") > dt.timedelta(seconds=1.5)).to_arrow()["d"].to_pylist()
    assert found == [span for span in SPANS if span > dt.timedelta(seconds=1.5)] * 3


def test_a_timedelta_compares_with_durations_only():
    with pytest.raises(trevni.UsageError, match="^`a` is no column of durations, which a timedelta is compared with$"):
        again(ROWS).filter(trevni.col("a") > dt.timedelta(1))
    with pytest.raises(TypeError, match="timedelta"):
        trevni.col("a") + dt.timedelta(1)


def test_instants_compare_with_those_of_numpy():
    moments = numpy.array(["2024-02-29T12:00", "2024-03-01"], "datetime64[ns]")
    reader = again(pa.table({"t": pa.array(moments, pa.timestamp("us"))}))
    for unit in ("D", "s", "us", "ns"):
        assert reader.filter(trevni.col("t") >= numpy.datetime64("2024-03-01", unit)).num_rows == 1
