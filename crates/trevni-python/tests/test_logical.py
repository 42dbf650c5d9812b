"""Conditions on dates, instants and decimals, with the values that Python has for them."""

import datetime as dt
import decimal
import io
import zoneinfo

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import trevni

UTC = dt.timezone.utc
COUNT = 5000
TABLE = pa.table(
    {
        "day": pa.array([n // 10 for n in range(COUNT)], pa.int32()).cast(pa.date32()),
        "instant": pa.array([n * 10**6 for n in range(COUNT)], pa.timestamp("us", "Europe/Paris")),
        "local": pa.array([n * 1000 for n in range(COUNT)], pa.timestamp("ms")),
        "time": pa.array([n for n in range(COUNT)], pa.time64("us")),
        "price": pa.array([decimal.Decimal(n) / 4 for n in range(COUNT)], pa.decimal128(9, 2)),
    }
)
CASES = [
    ("day", dt.date(1970, 3, 1)),
    ("instant", dt.datetime(1970, 1, 1, 1, 0, tzinfo=UTC)),
    ("instant", dt.datetime(1970, 1, 1, 5, 30, tzinfo=dt.timezone(dt.timedelta(hours=5)))),
    ("local", dt.datetime(1970, 1, 1, 0, 20)),
    ("time", dt.time(0, 0, 0, 1500)),
    ("price", decimal.Decimal("100.25")),
]


@pytest.fixture(scope="module")
def reader():
    file = io.BytesIO()
    trevni.write(file, TABLE, block_size=2048)
    return trevni.open(file.getvalue())


@pytest.mark.parametrize("name, value", CASES)
def test_values_of_python(reader, name, value):
    scalar = pa.scalar(value, TABLE.schema.field(name).type)
    ours, theirs = trevni.col(name), pc.field(name)
    for one, other in [
        (ours > value, theirs > scalar),
        (ours <= value, theirs <= scalar),
        (ours == value, theirs == scalar),
        (~(ours == value), theirs != scalar),
        (ours.is_in([value]), theirs == scalar),
    ]:
        expected = TABLE.filter(other)
        assert reader.filter(one).to_arrow().equals(expected), str(one)


def test_polars_pushes_dates_and_instants(reader):
    moments = {
        "day": dt.date(1970, 1, 5),
        "instant": dt.datetime(1970, 1, 1, 1, 10, tzinfo=zoneinfo.ZoneInfo("Europe/Paris")),
        "local": dt.datetime(1970, 1, 1, 0, 1),
    }
    for name, value in moments.items():
        predicate = pl.col(name) < value
        expected = pl.DataFrame(TABLE).filter(predicate)
        assert 0 < expected.height < COUNT
        assert trevni.scan(reader).filter(predicate).collect().equals(expected)
        condition = trevni._polars.conditions_of(predicate, reader)
        assert len(condition) == 1 and reader.filter(condition[0]).bytes_read < reader.bytes_read / 2
