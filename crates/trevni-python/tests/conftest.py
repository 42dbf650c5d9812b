import pathlib

import pyarrow as pa
import pytest

import trevni

DATA = pathlib.Path(__file__).resolve().parents[3] / "tests" / "data"


@pytest.fixture
def write(tmp_path):
    """Writes a table and opens the file."""

    def written(rows, name="rows.trv", **options):
        path = tmp_path / name
        trevni.write(path, rows, **options)
        return trevni.open(path)

    return written


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
