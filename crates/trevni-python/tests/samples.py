"""What several tests read or write. Not in `conftest.py`: the tests of Spark have a module of that name too."""

import pathlib

import pyarrow as pa

DATA = pathlib.Path(__file__).resolve().parents[3] / "tests" / "data"


def many_rows(count=20_000):
    """Rows of plain types, some of them null; sorted by `id`, so that blocks can be skipped."""
    return pa.table(
        {
            "id": pa.array(range(count), pa.int64()),
            "word": [None if n % 7 == 0 else f"w{n % 100:03}" for n in range(count)],
            "small": pa.array([None if n % 5 == 0 else n % 50 - 25 for n in range(count)], pa.int32()),
            "value": pa.array([None if n % 11 == 0 else (n * 37 % 1000) / 8 for n in range(count)], pa.float64()),
            "single": pa.array([(n % 64) / 4 for n in range(count)], pa.float32()),
            "even": pa.array([None if n % 13 == 0 else n % 2 == 0 for n in range(count)]),
        }
    )
