"""Every type that polars sends: with nulls, without rows, sliced, in several chunks."""

import datetime as dt
import decimal
import io

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import trevni

D = decimal.Decimal
MOMENT = dt.datetime(2024, 2, 29, 12, 30, 15, 123000)
INTEGERS = [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64]
VALUES = {
    "null": (pl.Null, [None, None]),
    "boolean": (pl.Boolean, [True, False]),
    **{str(kind): (kind, [0, 127]) for kind in INTEGERS},
    "float32": (pl.Float32, [0.5, float("inf")]),
    "float64": (pl.Float64, [0.1, -1e300]),
    "string": (pl.String, ["", "naïve, and longer than twelve bytes"]),
    "binary": (pl.Binary, [b"", b"\x00\xff"]),
    "date": (pl.Date, [dt.date(1, 1, 1), dt.date(2024, 2, 29)]),
    "time": (pl.Time, [dt.time(0), dt.time(23, 59, 59, 999999)]),
    "datetime ms": (pl.Datetime("ms"), [MOMENT, dt.datetime(1969, 1, 1)]),
    "datetime us": (pl.Datetime("us", "Europe/Paris"), [MOMENT, dt.datetime(1969, 1, 1)]),
    "datetime ns": (pl.Datetime("ns", "UTC"), [MOMENT, dt.datetime(1969, 1, 1)]),
    "duration ms": (pl.Duration("ms"), [dt.timedelta(1), dt.timedelta(-1)]),
    "duration ns": (pl.Duration("ns"), [dt.timedelta(1), dt.timedelta(-1)]),
    "decimal": (pl.Decimal(20, 3), [D("1.500"), D("-99.125")]),
    "categorical": (pl.Categorical, ["b", "a"]),
    "enum": (pl.Enum(["z", "b", "a"]), ["b", "a"]),
    "list": (pl.List(pl.Int32), [[1, None], []]),
    "list of null": (pl.List(pl.Null), [[None], []]),
    "lists": (pl.List(pl.List(pl.String)), [[["a"], None, []], []]),
    "array": (pl.Array(pl.Int16, 2), [[1, None], [3, 4]]),
    "array of null": (pl.Array(pl.Null, 2), [[None, None], [None, None]]),
    "struct": (pl.Struct({"x": pl.Int8, "y": pl.String}), [{"x": 1, "y": None}, {"x": None, "y": "b"}]),
    "struct of null": (pl.Struct({"x": pl.Null, "y": pl.List(pl.Null)}), [{"x": None, "y": [None]}, {"x": None, "y": None}]),
    "list of structs": (pl.List(pl.Struct({"x": pl.Null, "e": pl.Enum(["q", "p"])})), [[{"x": None, "e": "p"}], []]),
}


def again(frame):
    file = io.BytesIO()
    trevni.write(file, frame)
    return trevni.open(file.getvalue())


@pytest.mark.parametrize("name", VALUES)
def test_frames_come_back(name):
    kind, values = VALUES[name]
    one = pl.DataFrame({"a": pl.Series(values, dtype=kind, strict=False)})
    whole = pl.DataFrame({"a": pl.Series([values[0], None, *values, None], dtype=kind, strict=False)})
    chunked = pl.concat([one, whole, one.clear(), whole.slice(1, 2)], rechunk=False)
    nested = whole.select(pl.struct("a").alias("s"), pl.concat_list("a").alias("l"))
    for frame in (one, whole, whole.clear(), whole.slice(1, 3), whole.tail(1), chunked, chunked.slice(2, 4), nested, nested.slice(2)):
        reader = again(frame)
        result = reader.to_polars()
        assert result.schema == frame.schema
        assert_frame_equal(result, frame)
        assert_frame_equal(trevni.scan(reader).collect(), frame)
        reader.to_arrow().validate(full=True)
        assert len(list(reader)) == frame.height


def test_types_that_are_not_those_of_arrow_are_named():
    with pytest.raises(trevni.UnsupportedError, match='^field b has a type "_pli128" that Arrow has not'):
        again(pl.DataFrame({"a": [1], "b": pl.Series([2**100], dtype=pl.Int128)}))
