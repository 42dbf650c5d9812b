"""Filters: rows are those that Spark finds in Parquet, and what is taken from Spark means the same."""

import datetime
import decimal
import functools
import itertools
import random

import pyarrow as pa
import pyarrow.parquet
import pytest

pytest.importorskip("pyspark")
from pyspark.sql import datasource as source  # noqa: E402

import trevni  # noqa: E402
from trevni._spark.files import Files  # noqa: E402
from trevni._spark.types import schema_of  # noqa: E402
from trevni.spark import FilteringReader  # noqa: E402

NAN = float("nan")


def table(count=3000):
    """Rows with nulls, and values at the ends of types."""
    chosen = random.Random(7)

    def pick(*values):
        return [chosen.choice(values) for _ in range(count)]

    day, moment = datetime.date(2013, 6, 1), datetime.datetime(2013, 6, 1, 4, 0, 0, 1)
    return pa.table(
        {
            "id": pa.array(range(count), pa.int64()),
            "i": pa.array(pick(None, 0, 1, 2, 3, -1, 2**31 - 1, -(2**31)), pa.int32()),
            "l": pa.array(pick(None, 0, 1, 2, 2**53 + 1, 2**63 - 1, -(2**63)), pa.int64()),
            "h": pa.array(pick(None, 0, 1, -3), pa.int16()),
            "b": pa.array(pick(None, 0, 1, -3), pa.int8()),
            "f": pa.array(pick(None, 0.0, -0.0, 1.5, 0.1, NAN, float("inf"), float("-inf")), pa.float32()),
            "d": pa.array(pick(None, 0.0, -0.0, 1.5, 0.1, NAN, float("inf"), float("-inf")), pa.float64()),
            "s": pick(None, "", "a", "A", "ab", "abc", "b%", "_x", "it's", "ä", "z\U0001f600", "\uffff", "a\x00"),
            "t": pick(None, True, False),
            "x": pa.array(pick(None, b"", b"a", b"\xff"), pa.binary()),
            "day": pa.array(pick(None, day, day + datetime.timedelta(1), datetime.date(1, 1, 1))),
            "at": pa.array(pick(None, moment, moment + datetime.timedelta(microseconds=1)), pa.timestamp("us", "UTC")),
            "wall": pa.array(pick(None, moment, moment + datetime.timedelta(hours=1)), pa.timestamp("us")),
            "p": pa.array(pick(None, *map(decimal.Decimal, ("0.00", "1.50", "-1.50", "99999999.99"))), pa.decimal128(10, 2)),
            "r": pa.array(pick(None, {"n": None}, {"n": 1}, {"n": 2}), pa.struct([("n", pa.int32())])),
            "u": pa.array(pick(None, 0, 1, 2**32 - 1), pa.uint32()),
            "c": pa.array(pick(None, "a", "b")).dictionary_encode(),
            "e": pa.nulls(count, pa.string()),
        }
    )


VALUES = {
    "i": ["0", "1", "-1", "2147483647"],
    "l": ["0", "2", "9007199254740993", "9223372036854775807"],
    "h": ["0S", "1S", "5S"],
    "b": ["0Y", "-3Y"],
    "f": ["float(0)", "float(1.5)", "float('nan')", "float('inf')", "float(-0.0)", "float(0.1)"],
    "d": ["0D", "1.5D", "double('nan')", "double('-inf')", "-0D", "0.1D"],
    "s": ["''", "'a'", "'ab'", "'it\\'s'", "'ä'", "'B'", "'\\uffff'"],
    "day": ["date '2013-06-01'", "date '0001-01-01'", "date '2020-01-01'"],
    "at": ["timestamp '2013-06-01 00:00:00.000001'", "timestamp '2013-06-01 00:00:00'"],
    "wall": ["timestamp_ntz '2013-06-01 04:00:00.000001'", "timestamp_ntz '2014-01-01 00:00:00'"],
    "p": ["cast(1.50 as decimal(10,2))", "cast(0 as decimal(10,2))"],
    "x": ["X'61'", "X''"],
    "u": ["1L", "4294967295L"],
    "c": ["'a'", "'z'"],
    "e": ["'a'"],
}
LIKE = ["s like 'a%'", "s like '%b'", "s like '%b%'", "s like 'it\\'%'", "not s like 'a%'", "s like '%'", "startswith(s, 'b%')"]
LIKE += ["contains(s, '_')", "endswith(s, '%')", "not endswith(s, '')", "c like 'a%'", "contains(s, 'ä')", "not contains(s, 'a')"]
OTHER = ["t", "not t", "t is null", "t is not null", "r is null", "r is not null", "r.n = 1", "not r.n = 1", "r.n is null"]
OTHER += ["s = 'a' or i = 1", "i in (1, null)", "not i in (1, null)", "i in (0, 1, 2)", "not i in (0, 1)", "s in ('a', '', 'ä')"]
OTHER += ["not s in ('a')", "d in (0D, double('nan'))", "not d in (0D)", "day in (date '2013-06-01')", "i <=> null", "not i <=> null"]
OTHER += ["b + 1 = 2", "l = d", "not (i > 0 and i < 2)", "id between 100 and 110", "id = -1", "i = 1 and s > 'a' and d >= 0.1 and t"]


OPERATORS = ["=", "<>", "<", "<=", ">", ">=", "<=>"]


def conditions():
    number = 0
    for column, values in VALUES.items():
        for value in values:
            number += 1
            condition = f"{column} {OPERATORS[number % 7]} {value}"
            yield f"not ({condition})" if number % 3 == 0 else condition
    yield from (f"{column} is {kind}" for column, kind in zip(VALUES, itertools.cycle(["null", "not null"])))
    yield from LIKE
    yield from OTHER


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filters")
    rows = table()
    trevni.write(folder / "t.trv", rows, block_size=2000)
    pa.parquet.write_table(rows, folder / "t.parquet")
    return folder


def test_rows_are_those_that_spark_finds_in_parquet(spark, files):
    """All conditions in one job for each format: a job takes longer than the rows."""
    names = sorted(name for name in table(1).column_names)
    parquet = spark.read.parquet(str(files / "t.parquet"))
    schema = spark.read.format("trevni").load(str(files / "t.trv")).schema
    assert sorted(schema.names) == names

    def ours():
        """A frame for one query, as filters ask for."""
        return spark.read.format("trevni").option("pushdown", "true").schema(schema).load(str(files / "t.trv"))

    every = list(enumerate(conditions()))
    assert len(every) > 90
    # What is unknown is not true.
    theirs = parquet.selectExpr("id", *[f"({condition}) as c{number}" for number, condition in every]).toArrow().to_pylist()
    with_rows = 0
    for start in range(0, len(every), 40):
        some = every[start : start + 40]
        found = {number: [] for number, _ in some}
        parts = [ours().where(condition).selectExpr(f"{number} as number", "id") for number, condition in some]
        for row in functools.reduce(lambda one, other: one.unionAll(other), parts).toArrow().to_pylist():
            found[row["number"]].append(row["id"])
        for number, condition in some:
            wanted = [row["id"] for row in theirs if row[f"c{number}"] is True]
            assert sorted(found[number]) == sorted(wanted), condition
            with_rows += bool(wanted)
    assert with_rows > 60


def pushed(files, *filters):
    path = str(files / "t.trv")
    options = Files({"path": path})
    reader = FilteringReader(options, schema_of(options))
    left = list(reader.pushFilters(list(filters)))
    return reader, left


EXACT = [
    source.EqualTo(("i",), 1),
    source.EqualNullSafe(("i",), None),
    source.EqualNullSafe(("s",), "a"),
    source.GreaterThan(("l",), 2**53),
    source.GreaterThanOrEqual(("h",), 1),
    source.LessThan(("day",), datetime.date(2013, 6, 2)),
    source.LessThanOrEqual(("p",), decimal.Decimal("1.50")),
    source.In(("s",), ("a", "b")),
    source.IsNull(("r",)),
    source.IsNotNull(("d",)),
    source.StringStartsWith(("s",), "a%"),
    source.StringEndsWith(("s",), "'"),
    source.StringContains(("s",), "_"),
    source.EqualTo(("t",), True),
    source.EqualTo(("at",), datetime.datetime(2013, 6, 1, tzinfo=datetime.timezone.utc)),
    source.EqualTo(("wall",), datetime.datetime(2013, 6, 1)),
]


@pytest.mark.parametrize("filter", EXACT + [source.Not(filter) for filter in EXACT], ids=str)
def test_filters_that_spark_does_not_evaluate_again(files, filter):
    reader, left = pushed(files, filter)
    assert left == [] and len(reader.pushed) == 1 and reader.pushed[0].is_exact


RESIDUAL = [
    (source.GreaterThan(("d",), 1.0), True),  # NaN is greater in Spark
    (source.EqualTo(("f",), 1.5), True),
    (source.Not(source.EqualTo(("d",), 1.5)), False),
    (source.EqualTo(("d",), NAN), False),
    (source.In(("d",), (1.5,)), False),
    (source.In(("i",), (1, None)), False),
    (source.In(("i",), ()), False),
    (source.EqualTo(("r", "n"), 1), False),
    (source.EqualTo(("none",), 1), False),
    (source.EqualTo(("x",), b"a"), False),
    (source.EqualTo(("i",), "1"), False),
    (source.EqualTo(("s",), 1), False),
    (source.EqualTo(("i",), None), False),
    (source.EqualTo(("r",), {"n": 1}), False),
]


@pytest.mark.parametrize("filter, helps", RESIDUAL, ids=str)
def test_filters_that_spark_evaluates_too(files, filter, helps):
    reader, left = pushed(files, filter)
    assert len(left) == 1 and left[0] is filter
    assert len(reader.pushed) == int(helps)


def test_blocks_are_left_out(files):
    reader, _ = pushed(files, source.In(("id",), (17,)))
    (split,) = reader.partitions()
    (batch,) = reader.read(split)
    assert batch.num_rows == 1 and batch["id"].to_pylist() == [17]
    whole = trevni.open(files / "t.trv")
    some = whole.filter(reader.pushed[0].condition).select(["id"])
    assert some.to_arrow().num_rows == 1 and 0 < some.bytes_read < whole.select(["id"]).to_arrow().nbytes
