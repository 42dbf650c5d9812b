"""Every type that pyarrow sends: with nulls, without rows, sliced, in several chunks, within other types."""

import io
import pathlib
import sys

import pyarrow as pa
import pytest

import trevni

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from test_types import ARRAYS  # noqa: E402


def again(rows):
    file = io.BytesIO()
    trevni.write(file, rows)
    return trevni.open(file.getvalue()).to_arrow()


def forms(array):
    yield array
    yield array.slice(1)
    yield array.slice(2, 1)
    yield array.slice(0, 0)
    yield pa.chunked_array([array, array.slice(3), array.slice(1, 2)], array.type)
    yield pa.StructArray.from_arrays([array], ["x"]).slice(1)
    yield pa.StructArray.from_arrays([array], ["x"], mask=pa.array([True] + [False] * (len(array) - 1)))
    offsets = pa.array([0, 1, None, len(array)], pa.int32())
    yield pa.ListArray.from_arrays(offsets, array)
    yield pa.ListArray.from_arrays(offsets, array).slice(1, 2)
    yield pa.LargeListArray.from_arrays(offsets.cast(pa.int64()), array)
    yield pa.FixedSizeListArray.from_arrays(array, 1).slice(1)


@pytest.mark.parametrize("name", ARRAYS)
def test_tables_come_back(name):
    for array in forms(ARRAYS[name]):
        table = pa.table({"a": array})
        result = again(table)
        result.validate(full=True)
        assert result.schema == table.schema
        assert result.to_pylist() == table.to_pylist()
        if not isinstance(array, pa.ChunkedArray):
            assert again(table.to_reader()).to_pylist() == again(pa.record_batch([array], ["a"])).to_pylist() == table.to_pylist()
