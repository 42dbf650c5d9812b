"""The values of a dictionary are data: all of them, in their order, with those that no row has."""

import io
import itertools

import numpy
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import trevni


def again(rows, **options):
    file = io.BytesIO()
    trevni.write(file, rows, **options)
    return trevni.open(file.getvalue())


def categorical(values, categories, ordered=False):
    return pd.DataFrame({"a": pd.Categorical(values, categories=categories, ordered=ordered)})


def dictionary(keys, values, key_type=pa.int8(), ordered=False):
    return pa.DictionaryArray.from_arrays(pa.array(keys, key_type), values, ordered=ordered)


CATEGORIES = {
    "strings": ["lo", "mid", "hi"],
    "words with signs": ["", "naïve", "a b", "1"],
    "integers": [3, 1, 2],
    "floats": [0.5, -0.0, 1e300],
    "booleans": [True, False],
    "instants": list(pd.to_datetime(["2024-02-29", "1969-12-31", "2000-01-01"])),
    "one": ["only"],
    "none": [],
}


@pytest.mark.parametrize("name, ordered", list(itertools.product(CATEGORIES, [False, True])))
def test_categories_of_pandas_stay(name, ordered):
    categories = CATEGORIES[name]
    some = [categories[-1], None, categories[0], categories[-1]] if categories else [None, None]
    for values in (some, categories[:1], [None, None], []):
        frame = categorical(values, categories, ordered)
        column = again(frame).to_pandas()["a"]
        pd.testing.assert_series_equal(column, pa.table(frame).to_pandas()["a"])
        if categories and values != []:
            assert list(column.cat.categories) == categories
        assert column.cat.ordered == ordered


def test_the_greatest_is_that_of_the_order():
    frame = categorical(["hi", "lo", "hi"], ["lo", "mid", "hi"], ordered=True)
    column = again(frame).to_pandas()["a"]
    assert (column.max(), column.min(), list(column.cat.categories)) == ("hi", "lo", ["lo", "mid", "hi"])


@pytest.mark.parametrize("ordered", [False, True])
def test_tables_without_rows_have_categories(ordered):
    frame = categorical([], ["b", "a"], ordered)
    column = again(frame).to_pandas()["a"]
    assert (list(column.cat.categories), column.cat.ordered, len(column)) == (["b", "a"], ordered, 0)
    table = pa.table(categorical(["b"], ["b", "a"], ordered)).slice(0, 0)
    assert list(again(table).to_pandas()["a"].cat.categories) == ["b", "a"]
    frame = categorical(["a", "b"], ["b", "a"], ordered).assign(n=[1, 2])
    none = again(frame).filter("n > 2")
    assert list(none.to_pandas()["a"].cat.categories) == ["b", "a"]
    assert list(pa.table(none).to_pandas()["a"].cat.categories) == ["b", "a"]


def test_intervals_are_categories():
    frame = pd.DataFrame({"a": pd.cut([1.0, 2.0, 9.0], [0, 2, 4, 10])})
    array, result = (table["a"].chunk(0) for table in (pa.table(frame), again(frame).to_arrow()))
    # Arrow for Rust has no extension types within dictionaries.
    assert (result.dictionary, result.indices) == (array.dictionary.storage, array.indices)
    assert result.type.ordered


VALUES = {
    "int64": pa.array([3, 1, 2]),
    "uint8": pa.array([3, 1, 2], pa.uint8()),
    "float32": pa.array([float("inf"), 1.5, -0.0], pa.float32()),
    "decimal": pa.array(["1.5", "-2", "0"]).cast(pa.decimal128(5, 2)),
    "date": pa.array([3, 1, 2], pa.date32()),
    "zoned": pa.array([3, 1, 2], pa.timestamp("ns", "Europe/Paris")),
    "duration": pa.array([3, 1, 2], pa.duration("s")),
    "binary": pa.array([b"\xff", b"", b"a"]),
    "fixed": pa.array([b"ab", b"cd", b"ef"], pa.binary(2)),
    "large": pa.array(["c", "b", "a"], pa.large_string()),
    "view": pa.array(["c", "longer than twelve bytes", "a"], pa.string_view()),
    "bool": pa.array([False, True]),
    "records": pa.array([{"x": 1, "y": None}, {"x": None, "y": "a"}, {"x": 1, "y": "b"}]),
    "lists": pa.array([[1, None], [], [2]]),
}


@pytest.mark.parametrize("key", [pa.int8(), pa.uint16(), pa.int32(), pa.uint64()])
@pytest.mark.parametrize("name", VALUES)
def test_dictionaries_of_all_values_come_back(name, key):
    values = VALUES[name]
    size = len(values)
    for ordered, keys in itertools.product([False, True], [[size - 1, None, 0], [0], [None]]):
        array = dictionary(keys, values, key, ordered)
        result = again(pa.table({"a": array})).to_arrow()["a"]
        assert result.type == array.type and result.chunk(0).equals(array), (ordered, keys)


def test_dictionaries_within_other_types_come_back():
    inner = dictionary([2, None, 0], pa.array(["c", "b", "a"]), ordered=True)
    other = dictionary([0, 0, 1], pa.array([7, 8, 9]))
    record = pa.StructArray.from_arrays([inner, other], ["x", "y"])
    offsets = pa.array([0, 1, 3], pa.int32())
    table = pa.table(
        {
            "record": record.slice(1),
            "list": pa.ListArray.from_arrays(offsets, record),
            "map": pa.MapArray.from_arrays(offsets, dictionary([0, 1, 0], pa.array(["p", "q", "r"])), inner),
            "union": pa.UnionArray.from_dense(
                pa.array([1, 0], pa.int8()), pa.array([0, 2], pa.int32()), [inner, other], ["i", "o"]
            ),
            "runs": pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), inner.slice(0, 2)),
        }
    )
    reader = again(table)
    assert reader.to_arrow().equals(table)
    assert reader.select(["map", "list.y"]).to_arrow()["list"].to_pylist() == [
        [{"y": 7}],
        [{"y": 7}, {"y": 8}],
    ]
    record = reader.select(["record.y"]).to_arrow()["record"].chunk(0)
    assert record.field("y").dictionary.to_pylist() == [7, 8, 9]


def test_batches_may_have_dictionaries_of_their_own():
    one = pa.table({"a": dictionary([1, 0], pa.array(["a", "b"]))})
    two = pa.table({"a": dictionary([0, 2], pa.array(["c", "b", "d"]))})
    result = again(iter([one, two])).to_arrow()["a"]
    assert result.to_pylist() == ["b", "a", "c", "d"]
    assert result.chunk(0).dictionary.to_pylist() == ["a", "b", "c", "d"]


def test_the_order_of_all_batches_is_kept():
    def table(values, key=0):
        return pa.table({"a": dictionary([key], pa.array(values), ordered=True)})

    longer = again(iter([table(["lo", "hi"], 1), table(["lo", "mid", "hi"]), table(["mid", "hi"])])).to_pandas()["a"]
    assert (list(longer.cat.categories), longer.max()) == (["lo", "mid", "hi"], "hi")
    for other in (["hi", "lo"], ["lo", "mid"]):
        with pytest.raises(trevni.ShapeError, match="^field a: the batches have ordered dictionaries that do not have one"):
            again(iter([table(["lo", "hi"]), table(other)]))


def test_more_values_than_keys_count_are_those_of_the_batches():
    tables = [pa.table({"a": dictionary([99], pa.array([str(n) for n in range(at, at + 100)]))}) for at in (0, 500)]
    result = again(iter(tables)).to_arrow()["a"]
    assert (result.to_pylist(), result.type) == (["99", "599"], tables[0].schema.field("a").type)


def test_many_categories_stay():
    categories = [f"c{number}" for number in range(200_000)]
    column = again(categorical(["c7", "c199999"], categories)).to_pandas()["a"]
    assert list(column.cat.categories) == categories


def test_nulls_among_the_values_are_nulls():
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), pa.array(["b", None, "a"]))
    result = again(pa.table({"a": array})).to_arrow()["a"].chunk(0)
    assert (result.to_pylist(), result.dictionary.to_pylist()) == (["b", None, "a"], ["b", "a"])


@pytest.mark.parametrize("format", ["trevni", "levels", "redelm"])
def test_all_formats_keep_them(format):
    frame = categorical(["hi"], ["lo", "hi"], ordered=True)
    reader = again(frame, format=format)
    assert list(reader.to_pandas()["a"].cat.categories) == ["lo", "hi"]
    assert reader.metadata == {}


def parts(folder, *all_categories, ordered=True):
    for number, categories in enumerate(all_categories):
        trevni.write(folder / f"{number}.trv", categorical(categories[:1], categories, ordered))
    dataset = trevni.Dataset(folder)
    column = dataset.to_pandas()["a"]
    assert column.tolist() == [categories[0] for categories in all_categories]
    assert dataset.take([-1]).to_list() == [{"a": all_categories[-1][0]}]
    return list(column.cat.categories), column.cat.ordered


def test_files_with_one_order_have_it_together(tmp_path):
    assert parts(tmp_path, ["lo", "hi"], ["lo", "mid", "hi"], ["mid"]) == (["lo", "mid", "hi"], True)


def test_files_with_two_orders_have_none_together(tmp_path):
    assert parts(tmp_path, ["x", "y"], ["z", "x"]) == (["x", "y", "z"], False)


def test_files_without_an_order_have_the_categories_of_all(tmp_path):
    assert parts(tmp_path, ["x", "y"], ["z", "x"], ordered=False) == (["x", "y", "z"], False)


def test_enums_of_polars_and_duckdb_have_all_values():
    import duckdb

    frame = pl.DataFrame({"a": pl.Series(["y", None], dtype=pl.Enum(["x", "y", "z"]))})
    reader = again(frame)
    assert reader.to_polars().equals(frame) and reader.to_polars().schema == frame.schema
    assert reader.to_arrow()["a"].chunk(0).dictionary.to_pylist() == ["x", "y", "z"]
    duckdb.sql("create or replace type mood as enum ('sad', 'ok', 'happy')")
    reader = again(duckdb.sql("select 'happy'::mood as m union all select null"))
    assert reader.to_arrow()["m"].chunk(0).dictionary.to_pylist() == ["sad", "ok", "happy"]
    assert sorted(duckdb.sql("select m from reader").fetchall(), key=str) == [("happy",), (None,)]


def test_slices_and_samples_have_all_categories():
    frame = categorical(numpy.array(["b", "a", "c"] * 5000), ["d", "c", "b", "a"])
    reader = again(frame)
    for some in (reader.slice(1, 2), reader.filter("a = 'c'"), reader.select("a")):
        assert list(some.to_pandas()["a"].cat.categories) == ["d", "c", "b", "a"]
    taken = reader.take([14_999, 0, 14_999]).to_arrow().column(0)
    assert (taken.to_pylist(), taken.dictionary.to_pylist()) == (["c", "b", "c"], ["d", "c", "b", "a"])
