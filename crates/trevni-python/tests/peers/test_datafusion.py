"""Every type that DataFusion sends: with nulls, without rows, in several batches."""

import io

import datafusion
import pyarrow as pa
import pytest

import trevni

TYPES = ["boolean", "tinyint", "smallint", "int", "bigint", "tinyint unsigned", "bigint unsigned", "float", "double"]
VALUES = {
    **{kind: f"cast(1 as {kind})" for kind in TYPES},
    "decimal": "cast(1.5 as decimal(10, 2))",
    "wide decimal": "cast(1.5 as decimal(50, 2))",
    "varchar": "'naïve, and longer than twelve bytes'",
    "bytea": "cast('ab' as bytea)",
    "date": "date '2024-02-29'",
    "time": "time '12:30:15'",
    "timestamp": "timestamp '2024-02-29T12:30:15'",
    "zoned": "arrow_cast(timestamp '2024-02-29T12:30:15', 'Timestamp(Millisecond, Some(\"Europe/Paris\"))')",
    "interval": "interval '1 month 2 days'",
    "duration": "arrow_cast(5, 'Duration(Second)')",
    "view": "arrow_cast('a', 'Utf8View')",
    "large": "arrow_cast('a', 'LargeUtf8')",
    "list": "[1, 2]",
    "struct": "named_struct('x', 1, 'y', 'b')",
    "map": "map(['a'], [1])",
    "null": "null",
}


@pytest.mark.parametrize("name", VALUES)
def test_frames_come_back(name):
    value = VALUES[name]
    context = datafusion.SessionContext()
    maybe = value if name == "null" else f"case when i = 1 then null else {value} end"
    for query in (f"select {value} as a", f"select {maybe} as a from (values (0), (1), (2)) t(i)", f"select {value} as a limit 0"):
        frame = context.sql(query)
        table = pa.table(frame)
        file = io.BytesIO()
        trevni.write(file, context.sql(query))
        reader = trevni.open(file.getvalue())
        assert reader.to_arrow().schema.equals(table.schema)
        assert reader.to_arrow().equals(table)
        again = context.from_arrow(reader, name=f"t{len(query)}") if table.num_rows else None
        if again is not None:
            assert pa.table(again).to_pylist() == table.to_pylist()


def test_dictionaries_have_all_values():
    categories = pa.DictionaryArray.from_arrays(pa.array([2, None], pa.int8()), pa.array(["a", "b", "c"]))
    frame = datafusion.SessionContext().from_arrow(pa.table({"a": categories}))
    file = io.BytesIO()
    trevni.write(file, frame)
    assert trevni.open(file.getvalue()).to_arrow()["a"].chunk(0).equals(categories)


def test_several_batches():
    batches = [[pa.record_batch({"a": [1, None]})], [pa.record_batch({"a": [3]}), pa.record_batch({"a": pa.array([], pa.int64())})]]
    frame = datafusion.SessionContext().create_dataframe(batches)
    file = io.BytesIO()
    assert trevni.write(file, frame) == 3
    assert sorted(trevni.open(file.getvalue()).to_arrow()["a"].to_pylist(), key=str) == [1, 3, None]
