"""Every type that DuckDB sends: with nulls, without rows, in several chunks."""

import io

import duckdb
import pytest

import trevni

duckdb.sql("set timezone = 'UTC'")
VALUES = {
    "boolean": "true",
    **{kind: f"5::{kind}" for kind in ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint")},
    "hugeint": "99999999999999999999::hugeint",
    "uhugeint": "5::uhugeint",
    "float": "0.5::float",
    "double": "0.1::double",
    "decimal(4, 1)": "1.5::decimal(4, 1)",
    "decimal(18, 3)": "-1.125::decimal(18, 3)",
    "decimal(38, 10)": "1.5::decimal(38, 10)",
    "varchar": "'naïve, and longer than twelve bytes'",
    "blob": r"'\x00\xFF'::blob",
    "bit": "'101'::bit",
    "date": "date '2024-02-29'",
    "time": "time '12:30:15.123456'",
    "timetz": "timetz '12:30:15+00'",
    "timestamp": "timestamp '2024-02-29 12:30:15.123456'",
    "timestamp_s": "timestamp_s '2024-02-29 12:30:15'",
    "timestamp_ms": "timestamp_ms '2024-02-29 12:30:15.123'",
    "timestamp_ns": "timestamp_ns '2024-02-29 12:30:15.123456789'",
    "timestamptz": "timestamptz '2024-02-29 12:30:15+00'",
    "interval": "interval '1 month 2 days 3 seconds'",
    "uuid": "'7f3e4d5c-0000-1111-2222-333344445555'::uuid",
    "enum": "'ok'::enum('sad', 'ok', 'happy')",
    "list": "[1, null, 3]",
    "lists": "[['a'], null, []]",
    "array": "[1, 2, 3]::integer[3]",
    "struct": "{'x': 1, 'y': [null, 'b']}",
    "map": "map {'a': 1, 'b': null}",
    "union": "union_value(number := 2)::union(number integer, word varchar)",
    "null": "null",
    "json": "'{\"a\": 1}'::json",
}


@pytest.mark.parametrize("name", VALUES)
def test_relations_come_back(name):
    value = VALUES[name]
    queries = [
        f"select {value} as a",
        f"select case when i % 3 = 1 then null else {value} end as a from range(5) t(i)",
        f"select {value} as a where false",
        f"select case when i % 3 = 1 then null else {value} end as a from range(5000) t(i)",
        f"select {{'s': case when i = 1 then null else {value} end}} as a from range(3) t(i)",
        f"select [{value}, null] as a from range(3) t(i)",
    ]
    for query in queries:
        file = io.BytesIO()
        try:
            relation = duckdb.sql(query)
            arrow = relation.to_arrow_table() if hasattr(relation, "to_arrow_table") else relation.arrow()
        except duckdb.Error as error:
            pytest.skip(f"DuckDB gives no Arrow for it: {error}")
        trevni.write(file, duckdb.sql(query))
        reader = trevni.open(file.getvalue())
        assert reader.to_arrow().equals(arrow) or reader.to_arrow().to_pylist() == arrow.to_pylist()
        assert reader.to_arrow().schema.equals(arrow.schema)
        reader.to_arrow().validate(full=True)
        back = trevni.open(file.getvalue(), unions="sparse")
        # As DuckDB reads its own Arrow, in which some types are others.
        own = duckdb.sql("select a::varchar from arrow").fetchall()
        assert duckdb.sql("select a::varchar from back").fetchall() == own
