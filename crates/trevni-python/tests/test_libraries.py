"""pyarrow, polars, pandas, DuckDB and DataFusion take readers as they are, and their tables are written."""

import io

import datafusion
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from samples import many_rows

import trevni

TABLE = many_rows(5000)


@pytest.fixture
def reader(write):
    return write(TABLE)


def back(rows):
    file = io.BytesIO()
    trevni.write(file, rows)
    return trevni.open(file.getvalue())


def test_pyarrow(reader):
    assert pa.table(reader).equals(TABLE)
    assert pa.RecordBatchReader.from_stream(reader).read_all().equals(TABLE)
    assert pa.table(reader).equals(pa.table(reader)), "a reader can be taken twice"
    assert pa.schema(reader) == pa.schema(reader.schema) == reader.schema.to_arrow() == TABLE.schema
    batch = next(reader.batches(10))
    assert pa.record_batch(batch).num_rows == 10
    assert pa.table(batch).equals(TABLE.slice(0, 10))


def test_pyarrow_asks_for_some_columns(reader):
    schema = pa.schema([TABLE.schema.field("value"), TABLE.schema.field("id")])
    capsule = reader.__arrow_c_stream__(schema.__arrow_c_schema__())
    stream = pa.RecordBatchReader._import_from_c_capsule(capsule)
    assert stream.read_all().equals(TABLE.select(["value", "id"]))


def test_polars(reader):
    frame = pl.DataFrame(reader)
    assert frame.equals(pl.DataFrame(TABLE)) and frame.equals(reader.to_polars())
    assert pl.Schema(reader.schema) == frame.schema
    assert pl.DataFrame(next(reader.batches(10))).height == 10
    assert pl.DataFrame(back(frame)).equals(frame)
    lazy = trevni.scan(reader.files[0]).filter(pl.col("small") == 3).select("id").collect()
    assert lazy.equals(frame.filter(pl.col("small") == 3).select("id"))


def test_polars_types_come_back():
    frame = pl.DataFrame(
        {
            "list": [[1, None], None, []],
            "array": pl.Series([[1, 2], None, [3, 4]], dtype=pl.Array(pl.Int16, 2)),
            "struct": [{"a": 1, "b": "x"}, {"a": None, "b": None}, None],
            "enum": pl.Series(["a", None, "b"], dtype=pl.Enum(["a", "b"])),
            "category": pl.Series(["a", None, "b"], dtype=pl.Categorical),
            "decimal": pl.Series(["1.25", None, "-3"]).cast(pl.Decimal(10, 2)),
            "duration": pl.Series([1, None, 2], dtype=pl.Duration("ms")),
            "time": pl.Series([1, None, 2], dtype=pl.Int64).cast(pl.Time),
            "binary": [b"a", None, b"\xff"],
        }
    )
    assert pl.DataFrame(back(frame)).equals(frame)
    assert trevni.scan(back(frame)).collect().equals(frame)


def test_pandas(reader):
    expected = TABLE.to_pandas()
    pd.testing.assert_frame_equal(reader.to_pandas(), expected)
    pd.testing.assert_frame_equal(pd.DataFrame.from_arrow(reader), pd.DataFrame.from_arrow(TABLE))
    pd.testing.assert_frame_equal(back(expected).to_pandas(), expected)
    indexed = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["a", "b"], name="key"))
    rows = back(pa.Table.from_pandas(indexed))
    pd.testing.assert_frame_equal(rows.to_pandas(), indexed)


def test_datafusion(reader):
    context = datafusion.SessionContext()
    frame = context.from_arrow(reader, "rows")
    assert frame.sort("id").to_arrow_table().equals(TABLE.sort_by("id"))
    counted = context.sql("select count(*), sum(id) from rows where small > 0").to_arrow_table()
    assert counted.to_pylist() == context.from_arrow(TABLE).filter(datafusion.col("small") > 0).aggregate(
        [], [datafusion.functions.count_star(), datafusion.functions.sum(datafusion.col("id"))]
    ).to_arrow_table().rename_columns(counted.column_names).to_pylist()
    assert back(frame.sort("id")).to_arrow().to_pylist() == TABLE.sort_by("id").to_pylist()


def test_duckdb(reader):
    """A reader is a table by the name of its variable, as often as one likes."""
    for _ in range(2):
        counted = duckdb.sql("select count(*), sum(id) from reader where small > 0").fetchall()
        assert counted == duckdb.sql("select count(*), sum(id) from TABLE_ where small > 0").fetchall()
    few = reader.filter("id < 10").select(["id", "word"])
    assert duckdb.sql("select * from few order by id desc limit 1").fetchall() == [(9, "w009")]
    joined = duckdb.sql("select count(*) from reader a join few b on a.id = b.id").fetchall()
    assert joined == [(10,)]
    rows = duckdb.sql("select id, word, [id] as list, {'a': id} as struct from reader order by id limit 3")
    assert list(back(rows)) == [
        {"id": 0, "word": None, "list": [0], "struct": {"a": 0}},
        {"id": 1, "word": "w001", "list": [1], "struct": {"a": 1}},
        {"id": 2, "word": "w002", "list": [2], "struct": {"a": 2}},
    ]


TABLE_ = TABLE


def test_duckdb_types_come_back():
    sql = """select * from (values
        (1::hugeint, 2::uhugeint, '2020-01-01'::date, '2020-01-01 01:02:03'::timestamp, '2020-01-01 01:02:03+00'::timestamptz,
         1.5::decimal(9, 2), 'x'::blob, uuid '00000000-0000-0000-0000-000000000001', interval 1 month, map {'a': 1}, [1, 2]),
        (null, null, null, null, null, null, null, null, null, null, null))
        as t(huge, uhuge, d, t, z, dec, b, u, i, m, l)"""
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    table = connection.sql(sql).to_arrow_table()
    rows = back(connection.sql(sql))
    assert rows.to_arrow().equals(table)
    assert connection.sql("select * from rows").to_arrow_table().equals(table)


def test_without_pyarrow(reader):
    """Where there is no pyarrow, the reader itself is what libraries take, and rows are read all the same."""
    import subprocess
    import sys

    code = f"""
import sys
sys.modules["pyarrow"] = None
import trevni, polars
reader = trevni.open({str(reader.files[0])!r})
assert reader.to_arrow() is reader
assert polars.DataFrame(reader).height == len(reader) == 5000
assert next(iter(reader))["id"] == 0
assert trevni.scan(reader).filter(polars.col("id") < 5).collect().height == 5
"""
    subprocess.run([sys.executable, "-c", code], check=True)
