"""Files of DuckDB are read as DuckDB reads them, and it reads what is written."""

import random

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tables import columns, random_table, same

import trevni

COLUMNS = columns()  # DuckDB has no decimals of 76 digits

VALUES = {
    "boolean": "true",
    "tinyint": "(-128)::tinyint",
    "smallint": "(-1)::smallint",
    "integer": "7::integer",
    "bigint": "(-9223372036854775808)::bigint",
    "utinyint": "255::utinyint",
    "usmallint": "65535::usmallint",
    "uinteger": "4294967295::uinteger",
    "ubigint": "18446744073709551615::ubigint",
    "hugeint": "170141183460469231731687303715884105727::hugeint",
    "uhugeint": "340282366920938463463374607431768211455::uhugeint",
    "float": "'inf'::float",
    "double": "0.1::double",
    "not a number": "'nan'::double",
    "decimal of 16 bits": "(-155.5)::decimal(4,1)",
    "decimal of 32 bits": "(-1.55)::decimal(9,2)",
    "decimal of 64 bits": "1.555::decimal(18,3)",
    "decimal of 128 bits": "(-12345678901234567890.5)::decimal(38,4)",
    "varchar": "'é🦀'",
    "blob": "'\\x00\\xFF'::blob",
    "bit": "'10101'::bit",
    "date": "date '2020-02-29'",
    "date before Christ": "date '0044-03-15 (BC)'",
    "time": "time '12:34:56.789012'",
    "time_ns": "time_ns '12:34:56.789012345'",
    "timestamp_s": "timestamp_s '2020-01-01 00:00:01'",
    "timestamp_ms": "timestamp_ms '2020-01-01 00:00:01.5'",
    "timestamp": "timestamp '2020-01-01 00:00:01.000005'",
    "timestamp_ns": "timestamp_ns '2020-01-01 00:00:01.000000005'",
    "interval": "interval '1 year 2 days 3 seconds'",
    "uuid": "uuid '67e55044-10b1-426f-9247-bb680e5fe0c8'",
    "enum": "'ok'::mood",
    "json": "'{\"a\":1}'::json",
    "bignum": "123456789012345678901234567890::bignum",
    "list": "[1, null, 3]",
    "array": "[1, 2]::integer[2]",
    "struct": "{'a': 1, 'b': null::varchar}",
    "map": "map {'k': 1, 'l': null}",
    "union": "union_value(num := 2)",
    "lists": "[[1], [], null]",
    "deep": "map {1: {'x': [date '2020-01-01']}}",
    "intervals in lists": "[{'a': interval '5 months'}]",
    "null": "null",
}


@pytest.fixture
def database():
    database = duckdb.connect()
    database.sql("create type mood as enum ('sad', 'ok')")
    database.sql("set timezone = 'UTC'")
    return database


def check(database, convert, path):
    """DuckDB finds in the columns what it finds in its own file, and in Parquet that is made of them."""
    columns = convert(path)
    ours = trevni.open(columns).to_arrow()
    ours.validate(full=True)
    theirs = database.sql(f"select * from read_parquet('{path}')").fetchall()
    assert same(database.sql("select * from ours").fetchall(), theirs), ours.schema
    again = convert(columns, to=path.with_name("again.parquet"))
    assert same(database.sql(f"select * from read_parquet('{again}')").fetchall(), theirs), ours.schema


READ = [(name, version) for name in VALUES for version in ("v1", "v2")]
READ.remove(("uinteger", "v2"))  # see below


@pytest.mark.parametrize(("name", "version"), READ)
def test_each_type_is_read(database, convert, tmp_path, name, version):
    path = tmp_path / "file.parquet"
    rows = f"select {VALUES[name]} c union all select null union all select {VALUES[name]}"
    database.sql(f"copy ({rows}) to '{path}' (format parquet, parquet_version {version})")
    check(database, convert, path)


def test_instants_with_time_zones_are_read(database, convert, tmp_path):
    path = tmp_path / "file.parquet"
    database.sql(f"copy (select timestamptz '2020-01-01 00:00:01+01' c, timetz '12:00:00+02' d) to '{path}'")
    ours = trevni.open(convert(path)).to_arrow()
    assert ours.equals(pq.read_table(path))
    assert str(ours["c"].type) == "timestamp[us, tz=UTC]"


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("codec", ["uncompressed", "snappy", "gzip", "zstd", "lz4", "lz4_raw", "brotli"])
def test_each_codec_is_read(database, convert, tmp_path, codec, version):
    path = tmp_path / "file.parquet"
    rows = """select i, i % 7 as few, 'text ' || (i % 100) as word, i / 7 as share, [i, i + 1] as list,
              case when i % 3 = 0 then null else {'a': i, 'b': 'x' || i} end as inner from range(10000) t(i)"""
    options = f"format parquet, codec '{codec}', parquet_version {version}, row_group_size 3000"
    database.sql(f"copy ({rows}) to '{path}' ({options})")
    check(database, convert, path)


def test_a_difference_that_pyarrow_refuses_is_an_error(database, convert, tmp_path):
    path = tmp_path / "file.parquet"
    rows = "select 4294967295::uinteger c union all select null"
    database.sql(f"copy ({rows}) to '{path}' (format parquet, parquet_version v2)")
    with pytest.raises(RuntimeError, match="first value too large"):
        convert(path)
    with pytest.raises(OSError):
        pq.read_table(path)


@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "decimal256(76)"])
def test_each_type_is_written(database, convert, tmp_path, name):
    table = pa.table({"c": COLUMNS[name]})
    trevni.write(tmp_path / "file.trv", table)
    path = convert(tmp_path / "file.trv")
    read = database.sql(f"select * from read_parquet('{path}')").arrow().read_all()
    assert same(values(read["c"]), values(table["c"])), (read.schema, table.schema)


def values(column):
    """What DuckDB has no type for is another one to it: of instants, zones; of spans, numbers; of floats, few bits."""
    made = column.to_pylist()
    kind = str(column.type)
    if "timestamp" in kind:
        return column.cast("timestamp[ns]").cast("int64").to_pylist()
    if "duration" in kind:
        return column.cast("int64").to_pylist()
    if "uuid" in kind:
        return [None if value is None else str(value) for value in made]
    return made


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_come_back(database, convert, tmp_path, seed):
    table = random_table(random.Random(seed))
    trevni.write(tmp_path / "file.trv", table)
    path = convert(tmp_path / "file.trv", "--property", f"parquet.page.size={random.Random(seed).choice([64, 65536])}")
    read = database.sql(f"select * from read_parquet('{path}')").arrow().read_all()
    assert same(read.to_pylist(), database.from_arrow(table).arrow().read_all().to_pylist())
