"""Files of two parts whose types differ, as they were written by an earlier version."""

import datetime as dt
import decimal
import pathlib

import polars as pl
import pytest

import trevni

INPUTS = pathlib.Path(__file__).parent / "inputs"
D = decimal.Decimal
MOMENT = dt.datetime(2023, 11, 14, 22, 13, 20)
ROWS = {
    "decimal_scales": ([D("1.50"), D("1.25")], "a > '1.3'", [D("1.50")]),
    "timestamp_units": ([MOMENT, MOMENT], "t > '2023-11-14T22:13:19'", [MOMENT, MOMENT]),
    "u64_and_negative": ([D(2**64 - 1), D(-3), D(7)], "a > 6", [D(2**64 - 1), D(7)]),
    "polars_enums": (["x", "z"], "a = 'z'", ["z"]),
    "nested_field_missing": ([{"a": 1, "b": None}, {"a": 2, "b": "x"}], "s.b is not null", [{"a": 2, "b": "x"}]),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_both_parts_are_read(name):
    rows, condition, matching = ROWS[name]
    dataset = trevni.Dataset(INPUTS / name)
    (column,) = dataset.columns
    table = dataset.to_arrow()
    table.validate(full=True)
    assert table[column].to_pylist() == rows == [row[column] for row in dataset]
    assert dataset.filter(condition).to_arrow()[column].to_pylist() == matching
    assert dataset.to_polars()[column].to_list() == rows
    lazy = trevni.scan(dataset)
    assert lazy.collect()[column].to_list() == rows
    assert lazy.filter(pl.col(column).is_not_null()).collect().height == len(rows)
