"""What Lance sends, and takes: every type of its, with nulls, without rows, in several fragments. Runs where pylance is installed."""

import datetime as dt
import decimal
import io

import pyarrow as pa
import pytest

import trevni

lance = pytest.importorskip("lance")

ROWS = {
    "boolean": pa.array([True, None, False]),
    "int8": pa.array([1, None, -1], pa.int8()),
    "int64": pa.array([1, None, -(2**60)]),
    "uint8": pa.array([1, None, 255], pa.uint8()),
    "uint64": pa.array([1, None, 2**64 - 1], pa.uint64()),
    "halffloat": pa.array([1.5, None, -2.0], pa.float16()),
    "float": pa.array([1.5, None, -2.0], pa.float32()),
    "double": pa.array([1.5, None, float("inf")]),
    "string": pa.array(["naïve, and longer than twelve bytes", None, ""]),
    "large string": pa.array(["a", None, ""], pa.large_string()),
    "binary": pa.array([b"\xff", None, b""]),
    "large binary": pa.array([b"\xff", None, b""], pa.large_binary()),
    "fixed binary": pa.array([b"abc", None, b"\0\0\0"], pa.binary(3)),
    "date": pa.array([dt.date(2024, 2, 29), None, dt.date(1, 1, 1)]),
    "time": pa.array([dt.time(12, 30, 15, 7), None, dt.time(0)]),
    "timestamp": pa.array([dt.datetime(2024, 2, 29), None, dt.datetime(1969, 1, 1)], pa.timestamp("us")),
    "zoned": pa.array([dt.datetime(2024, 2, 29), None, dt.datetime(1969, 1, 1)], pa.timestamp("ns", "Europe/Paris")),
    "duration": pa.array([dt.timedelta(1), None, dt.timedelta(-1)]),
    "decimal": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], pa.decimal128(10, 2)),
    "dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
    "list": pa.array([[1, None], None, []]),
    "vectors": pa.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], pa.list_(pa.float32(), 2)),
    "struct": pa.array([{"x": 1, "y": "b"}, {"x": None, "y": None}, {"x": 3, "y": ""}]),
    "list of structs": pa.array([[{"x": 1}], [], [{"x": None}]]),
}


@pytest.mark.parametrize("name", ROWS)
def test_datasets_come_back(tmp_path, name):
    column = ROWS[name]
    for at, rows in enumerate((pa.table({"a": column}), pa.table({"a": column.slice(1, 2)}), pa.table({"a": column.slice(0, 0)}))):
        dataset = lance.write_dataset(rows, tmp_path / f"{at}.lance", max_rows_per_file=1 if at == 0 else 1024)
        sent = dataset.to_table()
        file = io.BytesIO()
        # A dataset itself has no stream of Arrow; its scanner's batches do.
        assert trevni.write(file, dataset.scanner().to_reader()) == rows.num_rows
        reader = trevni.open(file.getvalue())
        assert reader.to_arrow().schema.equals(sent.schema) and reader.to_arrow().to_pylist() == sent.to_pylist()
        # It takes no streams of Arrow by their protocol, but pyarrow's readers and datasets.
        for source in (pa.RecordBatchReader.from_stream(reader), reader.dataset()):
            again = lance.write_dataset(source, tmp_path / f"{at}-again.lance", mode="overwrite")
            assert again.to_table().to_pylist() == sent.to_pylist()
