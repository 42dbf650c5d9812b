"""Folders of files, as they are written; Parquet; aggregates; what files say of themselves."""

import asyncio
import datetime as dt
import decimal
import io
import re

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samples import DATA, many_rows

import trevni

ROWS = many_rows(1000)


def test_partitions_out_and_in(tmp_path):
    rows = pa.table(
        {
            "n": range(8),
            "day": pa.array([dt.date(2024, 2, 28 + n % 2) if n < 6 else None for n in range(8)]),
            "kind": ["a/b", "c d", "a/b", "c d", "..", "=", "", "é"],
            "hour": pa.array([1, 2, 1, 2, 1, 2, 1, 2], pa.int8()),
            "ok": [True, False] * 4,
        }
    )
    for key in ("day", "kind", "hour", "ok", ["hour", "ok"]):
        folder = tmp_path / "-".join([key] if isinstance(key, str) else key)
        keys = [key] if isinstance(key, str) else key
        for again in range(2):
            paths = trevni.write_dataset(folder, rows, partition_by=key, existing="append", codec="zstandard")
        dataset = trevni.Dataset(folder)
        assert dataset.columns == [name for name in rows.column_names if name not in keys] + keys
        assert len(dataset) == 16 and len(dataset.files) == 2 * len(paths)
        text = {True: "true", False: "false", None: None}
        found = dataset.to_arrow().sort_by("n").to_pylist()
        for one, expected in zip(found, [row for row in rows.to_pylist() for _ in range(2)]):
            for name in keys:
                expected[name] = text[expected[name]] if expected[name] in (True, False, None) and name == "ok" else expected[name] if expected[name] is None else str(expected[name])
            assert one == expected


def test_rows_stay_in_their_order_and_files_within_their_rows(tmp_path):
    batches = ROWS.to_batches(max_chunksize=130)
    paths = trevni.write_dataset(tmp_path / "rows", batches, rows_per_file=300)
    assert [path.name for path in paths] == [f"part-0000{n}.trv" for n in range(4)]
    assert [len(trevni.open(path)) for path in paths] == [300, 300, 300, 100]
    assert trevni.Dataset(tmp_path / "rows").to_arrow().equals(ROWS)
    with pytest.raises(FileExistsError, match='existing is "append" or "overwrite"'):
        trevni.write_dataset(tmp_path / "rows", ROWS)
    trevni.write_dataset(tmp_path / "rows", ROWS.slice(0, 5), existing="append")
    assert len(trevni.Dataset(tmp_path / "rows")) == 1005
    trevni.write_dataset(tmp_path / "rows", pl.DataFrame(ROWS.slice(0, 7)), existing="overwrite")
    assert len(trevni.Dataset(tmp_path / "rows")) == 7
    trevni.write_dataset(tmp_path / "none", ROWS.slice(0, 0))
    assert trevni.Dataset(tmp_path / "none").to_arrow().equals(ROWS.slice(0, 0))


def test_many_folders_at_once(tmp_path):
    trevni.write_dataset(tmp_path, ROWS.select(["id", "word"]).to_batches(max_chunksize=400), partition_by="word")
    dataset = trevni.Dataset(tmp_path)
    assert dataset.filter("word = 'w003'").select("id").to_arrow()["id"].to_pylist() == [n for n in range(3, 1000, 100) if n % 7]
    assert len(dataset) == 1000 and {len(list(folder.iterdir())) <= 3 for folder in tmp_path.iterdir()} == {True}


def test_a_folder_that_fails_has_no_files(tmp_path):
    def batches():
        yield ROWS.slice(0, 500)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        trevni.write_dataset(tmp_path / "rows", batches(), partition_by="even", rows_per_file=100)
    assert [path for path in (tmp_path / "rows").rglob("*") if path.is_file()] == []
    for wrong, message in [
        ({"partition_by": "none"}, "no column 'none'"),
        ({"partition_by": ["tags"]}, "column 'tags' is list"),
        ({"existing": "no"}, "existing is"),
        ({"rows_per_file": 0}, "rows_per_file is at least 1"),
        ({"partition_by": ["tags", "n"]}, "no column is left"),
    ]:
        with pytest.raises(ValueError, match=message):
            trevni.write_dataset(tmp_path / "rows", pa.table({"tags": [["a"]], "n": [1]}), **wrong)
    with pytest.raises(ValueError, match="there are no batches"):
        trevni.write_dataset(tmp_path / "rows", [])
    with pytest.raises(TypeError, match="not int"):
        trevni.write_dataset(tmp_path / "rows", 5)


def test_parquet_in_and_out(tmp_path):
    table = ROWS.append_column("kind", ROWS["word"].dictionary_encode()).replace_schema_metadata({"by": "me"})
    pq.write_table(table, tmp_path / "rows.parquet")
    assert trevni.from_parquet(tmp_path / "rows.parquet", tmp_path / "rows.trv", codec="typed") == 1000
    reader = trevni.open(tmp_path / "rows.trv")
    assert reader.to_arrow().equals(table) and reader.to_arrow().schema.metadata[b"by"] == b"me"
    assert trevni.to_parquet(reader.filter("id < 500"), tmp_path / "back.parquet", compression="zstd") == 500
    assert pq.read_table(tmp_path / "back.parquet").equals(table.slice(0, 500))
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([3, 0]), pa.array(["", "x"])], ["int", "string"])
    trevni.write(tmp_path / "union.trv", pa.table({"u": union}))
    with pytest.raises(trevni.UnsupportedError, match='u is a union, which Parquet has not: open the file with unions="json"'):
        trevni.to_parquet(tmp_path / "union.trv", tmp_path / "union.parquet")
    assert trevni.to_parquet(trevni.open(tmp_path / "union.trv", unions="json"), tmp_path / "union.parquet") == 2


def test_aggregates_are_those_of_duckdb(tmp_path):
    rows = ROWS.append_column("price", pa.array([decimal.Decimal(n) / 4 for n in range(1000)], pa.decimal128(9, 2)))
    rows = rows.append_column("day", pa.array([dt.date(2024, 1, 1) + dt.timedelta(days=n % 50) for n in range(1000)]))
    rows = rows.append_column("moment", pa.array([dt.datetime(2024, 1, 1) + dt.timedelta(hours=n) for n in range(1000)], pa.timestamp("ms")))
    trevni.write_dataset(tmp_path, rows, rows_per_file=300)
    dataset = trevni.Dataset(tmp_path)
    wanted = ["count()", "count(small)", "sum(id)", "mean(value)", "min(word)", "max(day)", "sum(price)", "max(moment)", "median(id)", "count_distinct(small)"]
    names = ["count", "count_small", "sum_id", "mean_value", "min_word", "max_day", "sum_price", "max_moment", "median_id", "count_distinct_small"]
    sql = "select {} count(*), count(small), sum(id)::bigint, avg(value), min(word), max(day), sum(price), max(moment), median(id), count(distinct small) from rows {}"
    for reader, where in [(dataset, ""), (dataset.filter("id > 700"), "where id > 700"), (dataset.filter("id > 5000"), None)]:
        batch = reader.aggregate(wanted)
        assert batch.columns == names
        expected = [tuple([0, 0, None, None, None, None, None, None, None, 0])] if where is None else duckdb.sql(sql.format("", where)).fetchall()
        (found,) = batch.to_list()
        assert all(one == two or one == pytest.approx(two) for one, two in zip(found.values(), expected[0], strict=True))
    batch = dataset.aggregate(["n = count()", "sum(id)"], by=["even", "month(day)"])
    expected = duckdb.sql("select even, month(day), count(*), sum(id)::bigint from rows group by all").fetchall()
    assert sorted(map(str, (tuple(row.values()) for row in batch.to_list()))) == sorted(map(str, expected))
    assert batch.columns == ["even", "month(day)", "n", "sum_id"]
    assert pl.DataFrame(batch).height == len(expected)
    with pytest.raises(trevni.UsageError, match="did you mean mean"):
        dataset.aggregate("meen(id)")
    with pytest.raises(trevni.UsageError, match="no field"):
        dataset.aggregate("sum(nothing)")
    with pytest.raises(trevni.UsageError, match="not a number"):
        dataset.aggregate("sum(word)")


def test_aggregates_of_files_whose_types_differ(tmp_path):
    trevni.write(tmp_path / "a.trv", pa.table({"n": pa.array([1, 2], pa.int32()), "t": pa.array([1, 2], pa.duration("s"))}))
    trevni.write(tmp_path / "b.trv", pa.table({"n": pa.array([2**40], pa.int64()), "t": pa.array([3], pa.duration("ms"))}))
    dataset = trevni.Dataset(tmp_path)
    assert dataset.aggregate("sum(n)").to_list() == [{"sum_n": 2**40 + 3}]
    with pytest.raises(trevni.UnsupportedError, match="field t has other types in some of the files"):
        dataset.aggregate("max(t)")


def test_what_files_say_of_themselves(tmp_path):
    trevni.write(tmp_path / "rows.trv", ROWS.append_column("tags", pa.array([["a"]] * 1000)), block_size=1024, codec="zstandard", checksum="crc32")
    reader = trevni.open(tmp_path / "rows.trv")
    columns = pl.DataFrame(reader.storage())
    assert columns["column"].to_list()[:3] == ["id", "word", "small"] and set(columns["codec"]) == {"zstandard"}
    assert set(columns["checksum"]) == {"crc32"} and columns["bytes"].sum() + 4 * columns["blocks"].sum() == reader.bytes_read  # with checksums
    assert (columns["bytes_decompressed"] > 0).all() and set(columns["file"]) == {str(tmp_path / "rows.trv")}
    zones = pd.DataFrame(reader.zone_maps())
    ids = zones[zones["column"] == "id"]
    assert len(ids) == columns.filter(pl.col("column") == "id")["blocks"].item() >= 3
    assert (ids["min"] == ids["first_row"]).all() and (ids["max"] == ids["first_row"] + ids["rows"] - 1).all()
    words = [zone for zone in reader.zone_maps() if zone["column"] == "word"]
    assert words[0]["min"] == "w000" and sum(zone["nulls"] for zone in words) == ROWS["word"].null_count
    assert {zone["min"] for zone in trevni.open(reader.files[0]).zone_maps() if zone["column"] == "even"} == {False}
    for file in (DATA.parent / "golden").rglob("*.trv"):
        assert len(trevni.open(file).storage()) > 0 and isinstance(trevni.open(file).zone_maps(), list)


def test_interchange_is_what_java_reads(tmp_path):
    rows = pa.table({"n": [1, 2, 3]})
    trevni.write(tmp_path / "a.trv", rows, interchange=True)
    assert {column["codec"] for column in trevni.open(tmp_path / "a.trv").storage()} == {"snappy"}
    for other in ({"codec": "typed"}, {"compact": True}, {"format": "levels"}, {"column_codecs": {"n": "lz4"}}):
        with pytest.raises(ValueError, match="interchange is the format trevni with snappy"):
            trevni.write(tmp_path / "b.trv", rows, interchange=True, **other)
    assert not (tmp_path / "b.trv").exists()


def test_compact_files(tmp_path):
    wide = pa.table({f"c{n}": [n] for n in range(300)})
    trevni.write(tmp_path / "plain.trv", wide)
    trevni.write(tmp_path / "compact.trv", wide, compact=True)
    assert trevni.open(tmp_path / "compact.trv").to_arrow().equals(wide)
    assert (tmp_path / "compact.trv").stat().st_size < (tmp_path / "plain.trv").stat().st_size / 4
    with pytest.raises(ValueError, match="compact is for files of the format trevni"):
        trevni.write(tmp_path / "x.trv", wide, compact=True, format="levels")


def test_types_on_reading(tmp_path):
    trevni.write(tmp_path / "rows.trv", ROWS)
    wanted = pa.schema([("word", pa.dictionary(pa.int16(), pa.string())), ("small", pa.int64()), ("id", pa.int32())])
    reader = trevni.open(tmp_path / "rows.trv", schema=wanted)
    assert reader.to_arrow().equals(ROWS.select(["word", "small", "id"]).cast(wanted))
    assert str(reader.schema).splitlines()[0] == "word: dictionary<values=string, indices=int16, ordered=0>"
    some = reader.filter("value > 50 and id > 10").select(["id"])
    expected = ROWS.filter((pa.compute.field("value") > 50) & (pa.compute.field("id") > 10))
    assert some.to_arrow().equals(expected.select(["id"]).cast(pa.schema([("id", pa.int32())])))
    assert trevni.read_polars(tmp_path / "rows.trv", schema=pl.Schema({"id": pl.Int16}))["id"].dtype == pl.Int16
    assert trevni.open(tmp_path / "rows.trv", schema=reader.schema).schema == reader.schema
    assert trevni.Dataset(tmp_path, schema=wanted).to_arrow().schema == wanted
    for wrong, message in [
        (pa.schema([("none", pa.int8())]), "schema: no column \"none\"; there are id, word"),
        (pa.schema([("word", pa.int8())]), 'schema: column "word" is string, which int8 cannot hold'),
    ]:
        with pytest.raises(trevni.UsageError, match=re.escape(message)):
            trevni.open(tmp_path / "rows.trv", schema=wrong)
    with pytest.raises(TypeError, match="a schema has __arrow_c_schema__, which int has not"):
        trevni.open(tmp_path / "rows.trv", schema=5)
    trevni.write(tmp_path / "more.trv", pa.table({"id": [2**40]}))
    with pytest.raises(trevni.TrevniError, match="id"):
        trevni.open(tmp_path / "more.trv", schema=pa.schema([("id", pa.int32())])).to_arrow()


TYPES = [
    pa.null(), pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.string(), pa.large_string(), pa.string_view(),
    pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(3), pa.date32(), pa.date64(), pa.time32("s"), pa.time64("ns"), pa.timestamp("us"),
    pa.timestamp("ms", "Europe/Paris"), pa.duration("ns"), pa.month_day_nano_interval(), pa.decimal32(5, 2), pa.decimal64(12, 3),
    pa.decimal128(20, 4), pa.decimal256(50, 5), pa.list_(pa.int8()), pa.large_list(pa.field("x", pa.int8(), nullable=False)),
    pa.list_view(pa.string()), pa.large_list_view(pa.string()), pa.list_(pa.float32(), 3),
    pa.struct([("a", pa.int8()), pa.field("b", pa.list_(pa.string()), nullable=False)]),
    pa.map_(pa.string(), pa.int32()), pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.string(), ordered=True),
    pa.run_end_encoded(pa.int32(), pa.string()), pa.dense_union([pa.field("i", pa.int8()), pa.field("s", pa.string())]),
    pa.sparse_union([pa.field("i", pa.int8()), pa.field("s", pa.string())], [5, 7]),
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_schemas_have_the_names_of_pyarrow(kind):
    file = io.BytesIO()
    trevni.Writer(file, pa.schema([("x", kind)])).close()
    (field,) = trevni.open(file.getvalue()).schema
    assert field == trevni.Field("x", str(kind), True)


def test_schemas_are_sequences_of_fields(tmp_path):
    trevni.write(tmp_path / "rows.trv", ROWS)
    schema = trevni.open(tmp_path / "rows.trv").schema
    assert [field.name for field in schema] == schema.names == ROWS.column_names
    assert schema["word"] == schema[1] == schema[-5] == ("word", "string", True)
    assert "word" in schema and "none" not in schema
    for wrong, error in [("none", KeyError), (6, IndexError), (-7, IndexError), (1.5, TypeError)]:
        with pytest.raises(error):
            schema[wrong]


def test_notebooks_show_tables(tmp_path):
    rows = pa.table({"<b>": ["<script>", None] + ["x" * 200] * 10, "n": range(12)})
    trevni.write(tmp_path / "rows.trv", rows)
    reader = trevni.open(tmp_path / "rows.trv")
    shown = reader._repr_html_()
    assert shown.count("<tr>") == 11 and "<td>&lt;script&gt;</td><td>0</td>" in shown and "&lt;b&gt;" in shown
    assert "<small>int64</small>" in shown and shown.endswith("<p>…</p>") and "x" * 81 not in shown
    assert reader.head(2)._repr_html_().endswith("<td>null</td><td>1</td></tr></tbody></table>")
    assert reader.take([1])._repr_html_() == reader[1:2]._repr_html_()
    assert reader.schema._repr_html_().count("<tr>") == 2


def test_batches_in_an_event_loop(tmp_path):
    trevni.write(tmp_path / "rows.trv", ROWS)

    async def counts():
        return [batch.num_rows async for batch in trevni.open(tmp_path / "rows.trv").batches(300)]

    async def two():
        return await asyncio.gather(counts(), counts())

    assert asyncio.run(two()) == [[300, 300, 300, 100]] * 2
