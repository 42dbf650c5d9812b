"""What Spark reads is what is in the files."""

import datetime
import decimal

import pyarrow as pa
import pyarrow.parquet
import pytest

import trevni

UTC = datetime.timezone.utc


def load(spark, path, **options):
    return spark.read.format("trevni").options(**options).load(str(path))


def rows(frame):
    return [tuple(row) for row in frame.collect()]


def test_one_file_is_one_split(spark, tmp_path):
    for number in range(3):
        trevni.write(tmp_path / f"{number}.trv", pa.table({"n": list(range(number * 10_000, number * 10_000 + 10_000))}))
    frame = load(spark, tmp_path)
    assert frame.rdd.getNumPartitions() == 3
    assert frame.selectExpr("count(*)", "sum(n)", "min(n)").first() == (30_000, sum(range(30_000)), 0)
    assert load(spark, tmp_path / "1.trv").rdd.getNumPartitions() == 1


def test_paths_of_several_kinds(spark, tmp_path):
    for name in ("a.trv", "b.trv", ".hidden.trv", "c.txt"):
        (tmp_path / "odd folder %20").mkdir(exist_ok=True)
        trevni.write(tmp_path / "odd folder %20" / name, pa.table({"name": [name]}))
    folder = tmp_path / "odd folder %20"
    both = [("a.trv",), ("b.trv",)]
    assert sorted(rows(load(spark, folder))) == both
    assert sorted(rows(load(spark, f"{folder}/*.trv"))) == both
    assert sorted(rows(load(spark, folder.as_uri()))) == both
    assert rows(load(spark, folder / "[b].trv")) == [("b.trv",)]
    several = spark.read.format("trevni").load([str(folder / "a.trv"), str(folder / "b.trv")])
    assert sorted(rows(several)) == both


def test_urls_are_opened_by_fsspec(spark, tmp_path):
    for number in range(2):
        trevni.write(tmp_path / f"{number}.trv", pa.table({"n": [number]}))
    assert sorted(rows(load(spark, f"local://{tmp_path}"))) == [(0,), (1,)]
    assert rows(load(spark, f"local://{tmp_path}/1.trv")) == [(1,)]
    with pytest.raises(Exception, match="not a URL"):
        spark.range(3).write.format("trevni").mode("append").save("s3a://bucket/t")


def test_folders_say_columns(spark, tmp_path):
    for day, number in [("2024-02-28", 1), ("2024-02-29", 2), (None, 3)]:
        folder = tmp_path / f"day={day or '__HIVE_DEFAULT_PARTITION__'}" / f"n={number}"
        folder.mkdir(parents=True)
        trevni.write(folder / "a.trv", pa.table({"x": [number * 10, number * 10 + 1]}))
    frame = load(spark, tmp_path)
    assert frame.dtypes == [("x", "bigint"), ("day", "date"), ("n", "bigint")]
    days = [datetime.date(2024, 2, 28), datetime.date(2024, 2, 29), None]
    expected = [(10 * n + at, day, n) for n, day in enumerate(days, 1) for at in range(2)]
    assert sorted(rows(frame), key=str) == sorted(expected, key=str)
    for pushdown in ("false", "true"):
        for condition in ["day = date'2024-02-29'", "day is null", "n > 1 and x = 31", "n in (1, 3)", "not n = 2", "day is null or x = 10"]:
            found = rows(load(spark, tmp_path, pushdown=pushdown).where(condition))
            wanted = rows(spark.createDataFrame(expected, "x long, day date, n long").where(condition))
            assert sorted(found, key=str) == sorted(wanted, key=str), condition
    assert rows(load(spark, tmp_path, columns="day").where("day is not null").distinct().orderBy("day")) == [(day,) for day in days[:2]]
    # Files that no filter leaves are no splits.
    for condition, splits in [("n = 2", 1), ("day is null", 1), ("n in (1, 3)", 2)]:
        assert load(spark, tmp_path, pushdown="true").where(condition).rdd.getNumPartitions() == splits, condition
    assert rows(load(spark, tmp_path, pushdown="true").where("n > 9")) == []


def all_types():
    moment = datetime.datetime(2013, 6, 1, 5, 30, 0, 123456)
    struct = pa.struct([("x", pa.int32()), ("tags", pa.list_(pa.string()))])
    return pa.table(
        {
            "yes": pa.array([True, None, False]),
            "i8": pa.array([-128, None, 127], pa.int8()),
            "i16": pa.array([-(2**15), None, 2**15 - 1], pa.int16()),
            "i32": pa.array([-(2**31), None, 2**31 - 1], pa.int32()),
            "i64": pa.array([-(2**63), None, 2**63 - 1], pa.int64()),
            "u8": pa.array([0, None, 255], pa.uint8()),
            "u16": pa.array([0, None, 65535], pa.uint16()),
            "u32": pa.array([0, None, 2**32 - 1], pa.uint32()),
            "u64": pa.array([0, None, 2**64 - 1], pa.uint64()),
            "f16": pa.array([1.5, None, -0.25], pa.float16()),
            "f32": pa.array([1.5, None, -0.25], pa.float32()),
            "f64": pa.array([1e300, None, -0.0], pa.float64()),
            "text": ["ünï", None, ""],
            "large": pa.array(["a", None, "b"], pa.large_string()),
            "category": pa.array(["x", None, "x"]).dictionary_encode(),
            "bytes": [b"\x00\xff", None, b""],
            "fixed": pa.array([b"abc", None, b"xyz"], pa.binary(3)),
            "day": pa.array([datetime.date(1582, 10, 15), None, datetime.date(9999, 12, 31)]),
            "instant": pa.array([moment, None, datetime.datetime(1969, 12, 31)], pa.timestamp("us", "UTC")),
            "wall": pa.array([moment, None, datetime.datetime(1969, 12, 31)], pa.timestamp("us")),
            "millis": pa.array([1, None, -1], pa.timestamp("ms", "Europe/Berlin")),
            "time": pa.array([datetime.time(1, 2, 3), None, datetime.time(23, 59, 59, 999999)], pa.time64("us")),
            "price": pa.array([decimal.Decimal("12.34"), None, decimal.Decimal("-0.01")], pa.decimal128(10, 2)),
            "span": pa.array([datetime.timedelta(days=1), None, datetime.timedelta(seconds=-1)], pa.duration("us")),
            "list": [[1, None, 3], None, []],
            "pair": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
            "record": pa.array([{"x": 1, "tags": ["a", None]}, None, {"x": None, "tags": None}], struct),
            "records": pa.array([[{"x": 1, "tags": []}], None, [None]], pa.list_(struct)),
            "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())),
            "deep": pa.array([[[["a"]], None], None, [[]]], pa.list_(pa.list_(pa.list_(pa.string())))),
        }
    )


def test_types(spark, tmp_path):
    table = all_types()
    trevni.write(tmp_path / "types.trv", table)
    frame = load(spark, tmp_path / "types.trv")
    assert dict(frame.dtypes) == {
        "yes": "boolean",
        "i8": "tinyint",
        "i16": "smallint",
        "i32": "int",
        "i64": "bigint",
        "u8": "smallint",
        "u16": "int",
        "u32": "bigint",
        "u64": "decimal(20,0)",
        "f16": "float",
        "f32": "float",
        "f64": "double",
        "text": "string",
        "large": "string",
        "category": "string",
        "bytes": "binary",
        "fixed": "binary",
        "day": "date",
        "instant": "timestamp",
        "wall": "timestamp_ntz",
        "millis": "timestamp",
        "time": "time(6)",
        "price": "decimal(10,2)",
        "span": "interval day to second",
        "list": "array<bigint>",
        "pair": "array<int>",
        "record": "struct<x:int,tags:array<string>>",
        "records": "array<struct<x:int,tags:array<string>>>",
        "map": "map<string,bigint>",
        "deep": "array<array<array<string>>>",
    }
    found = frame.toArrow().to_pylist()
    wanted = table.to_pylist()
    assert len(found) == len(wanted) == 3
    for one, other in zip(found, wanted):
        for name in table.column_names:
            assert plain(one[name]) == plain(other[name]), name
    # Row by row, too, where values are objects.
    for one, other in zip(frame.select("record", "records", "map", "price", "day").collect(), wanted):
        assert one["price"] == other["price"] and one["day"] == other["day"]
        assert (one["map"] or {}) == dict(other["map"] or [])


def plain(value):
    if isinstance(value, dict):
        return sorted((key, plain(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    return bytes(value) if isinstance(value, bytearray) else value


def test_nested_values_within_slices(spark, tmp_path):
    """More batches than one, with nulls at every level."""
    count = 5000
    lists = [None if n % 7 == 0 else [{"k": m, "v": None if m % 2 else [str(n)]} for m in range(n % 4)] for n in range(count)]
    kind = pa.list_(pa.struct([("k", pa.int64()), ("v", pa.list_(pa.string()))]))
    trevni.write(tmp_path / "n.trv", pa.table({"n": range(count), "l": pa.array(lists, kind)}))
    found = load(spark, tmp_path / "n.trv").where("n >= 1234").toArrow().sort_by("n").to_pylist()
    assert [row["l"] for row in found] == lists[1234:]


def test_nanoseconds_are_not_lost_by_accident(spark, tmp_path):
    trevni.write(tmp_path / "n.trv", pa.table({"t": pa.array([1_000_000_001], pa.timestamp("ns", "UTC"))}))
    with pytest.raises(Exception, match="nanoseconds"):
        load(spark, tmp_path / "n.trv").collect()
    cut = load(spark, tmp_path / "n.trv", nanoseconds="truncate")
    assert cut.toArrow()["t"].to_pylist()[0].astimezone(UTC) == datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)


def test_columns_that_are_named_are_read_alone(spark, tmp_path):
    """Spark asks Python data sources for all columns; a schema and an option say which are wanted."""
    trevni.write(tmp_path / "c.trv", pa.table({"a": [1, 2], "b": ["x", "y"], "c": [0.5, None]}))
    assert rows(load(spark, tmp_path, columns="c, a")) == [(0.5, 1), (None, 2)]
    named = spark.read.format("trevni").schema("b string, missing int, a int").load(str(tmp_path))
    assert rows(named) == [("x", None, 1), ("y", None, 2)]
    assert load(spark, tmp_path).select("b").where("a = 2").collect() == [("y",)]
    with pytest.raises(Exception, match="no column z; there are a, b, c"):
        load(spark, tmp_path, columns="z").collect()


def test_files_whose_columns_differ(spark, tmp_path):
    trevni.write(tmp_path / "1.trv", pa.table({"id": pa.array([1, 2], pa.int32()), "old": ["a", "b"]}))
    trevni.write(tmp_path / "2.trv", pa.table({"id": pa.array([3, 2**40], pa.int64()), "new": [True, None]}))
    frame = load(spark, tmp_path)
    assert dict(frame.dtypes) == {"id": "bigint", "old": "string", "new": "boolean"}
    everything = [(1, "a", None), (2, "b", None), (3, None, True), (2**40, None, None)]
    assert sorted(rows(frame), key=lambda row: row[0]) == everything
    for condition, wanted in [
        ("id >= 2", [2, 3, 2**40]),
        ("old is null", [3, 2**40]),
        ("old is not null", [1, 2]),
        ("new is null", [1, 2, 2**40]),
        ("not (old <=> 'a')", [2, 3, 2**40]),
        ("old <> 'a'", [2]),
        ("new", [3]),
        ("not new", []),
        ("old in ('b', 'c')", [2]),
        ("id = 2 and old like 'b%'", [2]),
    ]:
        assert sorted(row.id for row in frame.where(condition).select("id").collect()) == wanted, condition


def test_files_without_rows(spark, tmp_path):
    for number in range(2):
        trevni.write(tmp_path / f"{number}.trv", pa.table({"a": pa.array([], pa.int32()), "s": pa.array([], pa.string())}))
    frame = load(spark, tmp_path)
    assert frame.count() == 0 and frame.where("a > 1").collect() == [] and dict(frame.dtypes) == {"a": "int", "s": "string"}


@pytest.mark.parametrize(
    "path, wanted",
    [("none", "none"), ("none/*.trv", "no file is like"), ("empty", "no "), ("text.trv", "text.trv"), ("hdfs://host/a", "hdfs")],
)
def test_what_cannot_be_read(spark, tmp_path, path, wanted):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.trv").write_text("no columns")
    with pytest.raises(Exception) as failure:
        load(spark, path if ":" in path else tmp_path / path).collect()
    assert wanted in str(failure.value)


def test_damage_is_an_error_with_the_name_of_the_file(spark, tmp_path):
    path = tmp_path / "damaged.trv"
    trevni.write(path, pa.table({"a": [str(n) for n in range(5000)]}), codec="deflate", checksum="crc32")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(Exception, match="damaged.trv"):
        load(spark, path).collect()


def test_frames_that_serve_several_queries(spark, tmp_path):
    """Spark hands a reader with filters from one query on to the next, so filters reach files only where that is asked for."""
    trevni.write(tmp_path / "f.trv", pa.table({"n": list(range(100))}))
    frame = load(spark, tmp_path)
    assert rows(frame.where("n > 97")) == [(98,), (99,)]
    assert frame.count() == 100
    assert sorted(rows(frame.where("n < 1").unionAll(frame.where("n = 50")))) == [(0,), (50,)]
    joined = frame.where("n < 3").alias("a").join(frame.where("n > 1").alias("b"), "n")
    assert rows(joined) == [(2,)]
    with pytest.raises(Exception, match="pushdown is true or false"):
        load(spark, tmp_path, pushdown="maybe").collect()
