"""Every type that pandas sends: with nulls, without rows, sliced, with an index."""

import datetime as dt
import decimal
import io

import numpy
import pandas as pd
import pyarrow as pa
import pytest

import trevni

D = decimal.Decimal
COLUMNS = {
    "bool": pd.Series([True, False, True]),
    "int8": pd.Series([1, -2, 3], dtype="int8"),
    "uint64": pd.Series([0, 2**64 - 1, 3], dtype="uint64"),
    "Int32": pd.Series([1, None, 3], dtype="Int32"),
    "UInt8": pd.Series([1, None, 255], dtype="UInt8"),
    "boolean": pd.Series([True, None, False], dtype="boolean"),
    "float32": pd.Series([0.5, numpy.nan, numpy.inf], dtype="float32"),
    "Float64": pd.Series([0.5, None, 1e300], dtype="Float64"),
    "object strings": pd.Series(["a", None, "naïve"], dtype="object"),
    "str": pd.Series(["a", None, "naïve"]),
    "string": pd.Series(["a", None, "b"], dtype="string"),
    "bytes": pd.Series([b"a", None, b"\xff"], dtype="object"),
    "nothing": pd.Series([None, None, None], dtype="object"),
    "decimals": pd.Series([D("1.50"), None, D("-3.25")], dtype="object"),
    "dates": pd.Series([dt.date(2024, 2, 29), None, dt.date(1, 1, 1)], dtype="object"),
    "times": pd.Series([dt.time(1, 2, 3), None, dt.time(0)], dtype="object"),
    "lists": pd.Series([[1, 2], None, []], dtype="object"),
    "dicts": pd.Series([{"x": 1}, None, {"x": 2}], dtype="object"),
    "datetime64[s]": pd.Series(pd.to_datetime(["2024-02-29", None, "1969-01-01"]).astype("datetime64[s]")),
    "datetime64[ns]": pd.Series(pd.to_datetime(["2024-02-29", None, "1969-01-01"]).astype("datetime64[ns]")),
    "datetime64[us, zone]": pd.Series(pd.to_datetime(["2024-02-29", None, "1969-01-01"]).tz_localize("Europe/Paris")),
    "timedelta64": pd.Series(pd.to_timedelta([1, None, -3], "s")),
    "category": pd.Series(["b", None, "a"], dtype=pd.CategoricalDtype(["c", "b", "a"], ordered=True)),
    "category of integers": pd.Series([3, None, 1], dtype=pd.CategoricalDtype([3, 2, 1])),
    "category without values": pd.Series([None, None, None], dtype="category"),
    "period": pd.Series(pd.period_range("2024-01", periods=3, freq="M")),
    "interval": pd.Series(pd.interval_range(0, 3)),
    "pyarrow decimal": pd.Series([D("1.5"), None, D("2")], dtype=pd.ArrowDtype(pa.decimal128(5, 1))),
    "sparse": pd.Series([0, 0, 1], dtype="int64").astype(pd.SparseDtype("int64")).sparse.to_dense(),
}
INDEXES = {
    "range": None,
    "words": ["x", "y", "z"],
    "several": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["p", None]),
    "category": pd.CategoricalIndex(["m", "n", "m"], categories=["o", "n", "m"], ordered=True),
}


def again(frame):
    file = io.BytesIO()
    trevni.write(file, frame)
    return trevni.open(file.getvalue())


@pytest.mark.parametrize("index", INDEXES)
@pytest.mark.parametrize("name", COLUMNS)
def test_frames_come_back(name, index):
    whole = pd.DataFrame({"a": COLUMNS[name].array}, index=INDEXES[index])
    for frame in (whole, whole.iloc[1:], whole.iloc[1:2], whole.iloc[:0], pd.concat([whole, whole.iloc[1:]])):
        # What pyarrow alone makes of it: it has no memory of some types of pandas either.
        wanted = pa.Table.from_pandas(frame)
        reader = again(frame)
        assert reader.to_arrow().schema.equals(wanted.schema, check_metadata=True)
        assert reader.to_arrow().equals(wanted)
        pd.testing.assert_frame_equal(reader.to_pandas(), wanted.to_pandas())
