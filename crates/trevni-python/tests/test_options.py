"""Options for files that are damaged, cut off, or say too little; schemas that are given."""

import inspect
import io
import re
import json

import duckdb
import pyarrow as pa
import pytest
from samples import DATA, many_rows

import trevni


def damaged(rows, places, **options):
    """A file with bits flipped at places, which are shares of its length."""
    file = io.BytesIO()
    trevni.write(file, rows, checksum="crc32", block_size=1024, **options)
    data = bytearray(file.getvalue())
    for place in places:
        data[int(len(data) * place)] ^= 1
    return bytes(data)


def test_rows_in_damaged_blocks_are_passed_over():
    table = many_rows(5000).select(["id", "word"])
    data = damaged(table, [0.3, 0.9], codec="null")
    with pytest.raises(trevni.CorruptError):
        trevni.open(data).to_arrow()
    reader = trevni.open(data, salvage=True)
    lost = reader.lost
    assert len(lost) == 2 and all(place["file"] is None and "checksum" in place["error"] for place in lost)
    gone = {row for place in lost for row in place["rows"]}
    left = [row for number, row in enumerate(table.to_pylist()) if number not in gone]
    assert 0 < len(gone) < 2500
    assert reader.to_arrow().to_pylist() == left
    assert list(reader) == left
    assert len(reader) == len(left)
    assert reader.row(-1) == left[-1] and reader.row(len(left) // 2) == left[len(left) // 2]
    # Only the columns that are read count.
    columns = {name for name in table.column_names if reader.select([name]).lost}
    assert columns == {"id", "word"} or sum(len(reader.select([name]).lost) for name in columns) == 2


def test_files_of_a_folder_are_salvaged(tmp_path):
    table = many_rows(3000).select(["id"])
    (tmp_path / "part-0.trv").write_bytes(damaged(table, []))
    (tmp_path / "part-1.trv").write_bytes(damaged(table, [0.5]))
    for reader in (trevni.open(tmp_path, salvage=True), trevni.Dataset(tmp_path, salvage=True)):
        (place,) = reader.lost
        assert place["file"] == tmp_path / "part-1.trv"
        assert len(reader.to_arrow()) == 6000 - len(place["rows"])
    assert trevni.scan(tmp_path, salvage=True).collect().height == 6000 - len(place["rows"])
    assert trevni.open(tmp_path / "part-0.trv", salvage=True).lost == []
    with pytest.raises(trevni.UsageError, match="salvage"):
        trevni.open(tmp_path / "part-0.trv").lost


def test_files_that_were_cut_off_are_read():
    path = DATA / "levels" / "impala-writer" / "size_limit_lenient.trv"
    with pytest.raises(trevni.TrevniError):
        trevni.open(path).to_arrow()
    rows = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    assert trevni.open(path, lenient=True).to_arrow().num_rows == len(rows)


def test_a_schema_is_given_to_files_that_do_not_say_it():
    file = io.BytesIO()
    trevni.write(file, pa.table({"id": [1, 2]}, schema=pa.schema([pa.field("id", pa.int64(), False)])), format="levels")
    schema = '{"type": "record", "name": "R", "fields": [{"name": "id", "type": "long"}]}'
    reader = trevni.open(file.getvalue(), schema=schema)
    assert json.loads(reader.avro_schema)["name"] == "R"
    assert [row["id"] for row in reader] == [1, 2]
    with pytest.raises(trevni.TrevniError, match="schema"):
        trevni.open(file.getvalue(), schema='{"type": "record"}')


SCHEMA = """{"type": "record", "name": "Trip", "namespace": "org.example", "doc": "a trip", "fields": [
    {"name": "day", "type": ["null", {"type": "enum", "name": "Day", "symbols": ["SAT", "SUN"]}], "doc": "of departure"},
    {"name": "km", "type": ["null", "double"], "default": null}]}"""


def test_a_schema_is_kept_as_it_is(write):
    reader = write(pa.table({"day": ["SUN", None, "SAT"], "km": [1.5, 2.5, None]}), schema=SCHEMA)
    schema = json.loads(reader.avro_schema)
    assert (schema["name"], schema["namespace"]) == ("Trip", "org.example")
    assert schema["fields"][0]["type"][1]["symbols"] == ["SAT", "SUN"]
    assert "of departure" in reader.files[0].read_bytes().decode(errors="replace")
    assert reader.to_arrow().to_pylist()[0] == {"day": "SUN", "km": 1.5}


def test_a_schema_of_other_types_is_an_error(write):
    for rows, message in [
        ({"day": ["SUN"], "km": [1]}, "Float64 or null, the rows have"),
        ({"day": ["SUN"]}, "has 2 columns, the rows have 1"),
        ({"day": ["SUN"], "mi": [1.5]}, '"km": .* the rows have "mi"'),
    ]:
        with pytest.raises(trevni.ShapeError, match=message):
            write(pa.table(rows), schema=SCHEMA)
    with pytest.raises(trevni.ShapeError, match="MON"):
        write(pa.table({"day": ["MON"], "km": [1.5]}), schema=SCHEMA)
    with pytest.raises(trevni.TrevniError, match="JSON"):
        write(pa.table({"day": ["MON"]}), schema="{")


class Counted(io.BytesIO):
    reads = 0

    def read(self, *size):
        self.reads += 1
        return super().read(*size)


def test_rows_beside_each_other_are_decoded_together():
    table = many_rows(3000)
    rows = table.to_pylist()
    file = Counted()
    trevni.write(file, table, codec="zstandard")
    reader = trevni.open(file)
    steps = {
        "forward": range(3000),
        "backward": range(2999, -1, -1),
        "by threes": range(0, 3000, 3),
        "back and forth": [number // 2 if number % 2 else 2999 - number // 2 for number in range(200)],
    }
    for name, numbers in steps.items():
        file.reads = 0
        assert [reader.row(number) for number in numbers] == [rows[number] for number in numbers], name
        if name != "back and forth":
            assert file.reads < 400, name
    assert [reader.filter("id >= 10").row(number)["id"] for number in (0, 1, 2, -1)] == [10, 11, 12, 2999]


def test_a_row_needs_no_other_row_to_be_whole():
    table = many_rows(4000).select(["id"])
    data = damaged(table, [0.5], codec="null")
    reader = trevni.open(data)
    found = set()
    for number in range(4000):
        try:
            assert reader.row(number) == {"id": number}
            found.add(number)
        except trevni.CorruptError:
            pass
    (place,) = trevni.open(data, salvage=True).lost
    assert found == set(range(4000)) - set(place["rows"])


def test_duckdb_passes_columns_and_filters_to_a_lazy_frame(tmp_path):
    # What is not asked for is damaged: reading it would be an error.
    table = pa.table({"id": range(5000), "word": [f"w{n}" for n in range(5000)], "value": [n / 4 for n in range(5000)]})
    path = tmp_path / "rows.trv"
    path.write_bytes(damaged(table, [0.3, 0.6, 0.95], codec="null"))
    lost = {name: {row for place in trevni.open(path, salvage=True).select([name]).lost for row in place["rows"]} for name in table.column_names}
    whole = [name for name in table.column_names if not lost[name]]
    lazy = trevni.scan(path)
    with pytest.raises(Exception, match="checksum"):
        duckdb.sql("select count(word) + count(id) + count(value) from lazy").fetchall()
    assert "id" not in whole or duckdb.sql("select sum(id) from lazy").fetchall() == [(sum(range(5000)),)]
    # Blocks of rows that the filter rules out are not read.
    name = next(name for name in ("value", "word") if lost[name])
    first = min(lost["id"] | lost[name])
    assert first > 100
    rows = duckdb.sql(f"select id, {name} from lazy where id < 100 order by id").fetchall()
    assert rows == [(row["id"], row[name]) for row in table.slice(0, 100).to_pylist()]


def test_codecs_are_those_that_the_docstring_names():
    (line,) = re.findall(r"\* `codec`, or `compression`: (.*?); `level`", inspect.getdoc(trevni.write).replace("\n  ", " "))
    names = re.findall(r'"([a-z0-9-]+)"( \(the default\))?', line)
    codecs = {}
    for name, is_default in names:
        for options in [{"codec": name}, *([{}] if is_default else [])]:
            file = io.BytesIO()
            trevni.write(file, pa.table({"n": range(1000)}), **options)
            (column,) = trevni.open(file.getvalue()).storage()
            codecs.setdefault(name, column["codec"])
            assert codecs[name] == column["codec"]
    assert {"snappy": "snappy", "zstd": "zstandard", "none": "null", "archive": "archive"}.items() <= codecs.items()
    with pytest.raises(ValueError, match="no codec gzip; it has") as error:
        trevni.write(io.BytesIO(), pa.table({"n": [1]}), codec="gzip")
    assert trevni.write(io.BytesIO(), pa.table({"n": [1]}), codec="gzip", format="redelm") == 1
    assert set(codecs.values()) <= set(re.findall(r"[a-z0-9-]+", str(error.value)))
