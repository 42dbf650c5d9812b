"""Files that the program writes, as other libraries read them, and theirs, as the program reads them.

TREVNI is the program, with Parquet.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
from datetime import date, datetime
from pathlib import Path

import duckdb
import fastavro
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

TREVNI = os.environ["TREVNI"]

ROWS = [
    {"id": 1, "name": "Ada, \"A\"", "score": 0.5, "ok": True},
    {"id": 2, "name": "Zoë\nline", "score": None, "ok": False},
    {"id": -3, "name": "", "score": -1e300, "ok": True},
    {"id": 9007199254740993, "name": "平", "score": 2.0, "ok": False},
]
SCHEMA = pa.schema(
    [("id", pa.int64()), ("name", pa.string()), ("score", pa.float64()), ("ok", pa.bool_())]
)
PACKED = {".gz": gzip, ".xz": lzma, ".bz2": bz2}


def run(*args, stdin=None):
    done = subprocess.run([TREVNI, "-q", *map(str, args)], input=stdin, capture_output=True)
    assert done.returncode == 0, (args, done.stderr.decode())
    return done.stdout


def of_cells(rows):
    """Rows of cells, which are strings; empty ones are null but for names."""
    kinds = {"id": int, "score": float, "ok": lambda text: text == "true"}
    return [
        {key: kinds[key](cell) if key in kinds and cell else (None if key in kinds else cell) for key, cell in row.items()}
        for row in rows
    ]


def text(path):
    with PACKED.get(path.suffix, io).open(path, "rt", encoding="utf-8", newline="") as file:
        return file.read()


def ending(path):
    return next(ending for ending in path.suffixes if ending not in PACKED)


def read(path):
    """The rows of a file, as a library other than ours reads them."""
    kind = ending(path)
    if kind == ".csv":
        return of_cells(csv.DictReader(io.StringIO(text(path))))
    if kind == ".tsv":
        return of_cells(csv.DictReader(io.StringIO(text(path)), delimiter="\t"))
    if kind == ".json":
        return json.loads(text(path))
    if kind == ".jsonl":
        return [json.loads(line) for line in text(path).splitlines()]
    if kind == ".avro":
        with path.open("rb") as file:
            return list(fastavro.reader(file))
    if kind == ".parquet":
        columns = duckdb.sql(f"select * from '{path}'")
        assert pa.parquet.read_table(path).to_pylist() == columns.to_arrow_table().to_pylist()
        return pa.parquet.read_table(path).to_pylist()
    if kind == ".arrows":
        return pa.ipc.open_stream(path.read_bytes()).read_all().to_pylist()
    if kind == ".feather":
        return pa.feather.read_table(path).to_pylist()
    return pa.ipc.open_file(path.read_bytes()).read_all().to_pylist()


def write(path):
    """Writes the rows as a library other than ours writes them."""
    table, kind = pa.Table.from_pylist(ROWS, SCHEMA), ending(path)
    open_text = lambda: PACKED.get(path.suffix, io).open(path, "wt", encoding="utf-8", newline="")
    if kind in (".csv", ".tsv"):
        with open_text() as file:
            cells = csv.writer(file, delimiter="," if kind == ".csv" else "\t")
            cells.writerow(SCHEMA.names)
            show = lambda value: "" if value is None else value
            cells.writerows([show(value) for value in row.values()] for row in ROWS)
    elif kind == ".json":
        with open_text() as file:
            json.dump(ROWS, file, indent=2)
    elif kind == ".jsonl":
        with open_text() as file:
            file.writelines(json.dumps(row) + "\n" for row in ROWS)
    elif kind == ".avro":
        kinds = [("id", "long"), ("name", "string"), ("score", ["null", "double"]), ("ok", "boolean")]
        fields = [{"name": name, "type": type} for name, type in kinds]
        with path.open("wb") as file:
            fastavro.writer(file, {"type": "record", "name": "Row", "fields": fields}, ROWS, codec="deflate")
    elif kind == ".parquet":
        pa.parquet.write_table(table, path)
    elif kind == ".feather":
        pa.feather.write_feather(table, path)
    else:
        start = pa.ipc.new_stream if kind == ".arrows" else pa.ipc.new_file
        with start(path, SCHEMA) as file:
            file.write_table(table, max_chunksize=3)


ENDINGS = [".csv", ".tsv", ".json", ".jsonl", ".avro", ".parquet", ".arrow", ".arrows", ".feather"]
ENDINGS += [kind + packed for kind in (".csv", ".jsonl") for packed in PACKED]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for kind in ENDINGS:
        write(folder / f"in{kind}")
    run("convert", folder / "in.arrow", "-o", folder / "in.trv")
    return folder


def without_nulls(rows):
    """JSON may leave a field out that is null, and an empty string of CSV may be null."""
    return [{key: value for key, value in row.items() if value not in (None, "")} for row in rows]


@pytest.mark.parametrize("kind", ENDINGS)
def test_others_are_read(files, kind):
    rows = [json.loads(line) for line in run("cat", files / f"in{kind}").splitlines()]
    assert without_nulls(rows) == without_nulls(ROWS)
    first = run("head", "-n", "1", "-f", "csv", files / f"in{kind}")
    assert list(csv.reader(io.StringIO(first.decode())))[1] == ["1", 'Ada, "A"', "0.5", "true"]
    piped = run("count", "-", stdin=(files / f"in{kind}").read_bytes())
    assert piped == run("count", files / f"in{kind}") == b"4\n"


@pytest.mark.parametrize("kind", ENDINGS)
def test_others_read_what_is_written(files, tmp_path, kind):
    commands = [["cat"], ["head"], ["tail"], ["sample", "--seed", "1"], ["query"], ["convert"]]
    if not kind.endswith(tuple(PACKED)):
        commands += [["merge"], ["recode"]]
    for number, command in enumerate(commands):
        path = tmp_path / f"out{number}{kind}"
        source = files / ("in.trv" if kind != ".trv" else "in.avro")
        run(*command, source, "-o", path)
        assert without_nulls(read(path)) == without_nulls(ROWS), command


@pytest.mark.parametrize("kind", ENDINGS)
def test_others_become_others(files, tmp_path, kind):
    for to in [".csv", ".json", ".avro", ".parquet", ".arrow"]:
        if kind != to:
            path = tmp_path / f"out{to}"
            run("convert", files / f"in{kind}", "-o", path)
            assert without_nulls(read(path)) == without_nulls(ROWS), to


def test_types_are_those_of_the_source(files, tmp_path):
    path = tmp_path / "q.parquet"
    run("query", files / "in.trv", "-c", "id,half=score/2,ok,name", "-s", "id", "-o", path)
    types = dict(duckdb.sql(f"select column_name, column_type from (describe '{path}')").fetchall())
    assert types == {"id": "BIGINT", "half": "DOUBLE", "ok": "BOOLEAN", "name": "VARCHAR"}


def test_dictionaries_and_batches(files, tmp_path):
    words = pa.array(["a", "b", None, "a"] * 500).dictionary_encode()
    table = pa.table({"word": words, "when": pa.array(range(2000), pa.timestamp("us", "UTC")), "of": [[1], []] * 1000})
    for number, start in enumerate([pa.ipc.new_file, pa.ipc.new_stream]):
        for codec in [None, "lz4", "zstd"]:
            path = tmp_path / "in.arrow"
            with start(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as file:
                file.write_table(table, max_chunksize=300)
            for kind in [".arrow", ".arrows", ".parquet"]:
                back = tmp_path / f"out{number}{codec}{kind}"
                run("convert", path, "-o", tmp_path / "t.trv", "--force")
                run("convert", tmp_path / "t.trv", "-o", back)
                found = read(back)
                assert found == table.to_pylist(), (start, codec, kind)


def test_dates_in_cells_are_dates_to_others(tmp_path):
    cells = {
        "day": ["2024-01-31", "0999-12-31", ""],
        "minute": ["2024-01-31 10:00", "2024-01-31 10:30", "1969-12-31 23:59"],
        "second": ["2024-01-31 10:00:00", "2024-01-31 10:00:59", "1969-12-31 23:59:59.250"],
        "utc": ["2024-01-31T10:00:00Z", "2024-01-31T10:00:00.000250Z", "1969-12-31T23:59:59Z"],
        "js": ["2024-01-31T10:00:00.000Z", "2024-01-31T10:00:00.250Z", "1969-12-31T23:59:59.000Z"],
        "text": ["2024-01-31", "2024-02-30", ""],
    }
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([cells, *zip(*cells.values())])
    for ending in (".parquet", ".arrow", ".avro"):
        path = tmp_path / f"out{ending}"
        run("convert", tmp_path / "in.csv", "-o", path)
        rows = read(path)
        for name, texts in cells.items():
            kind = date if name == "day" else datetime
            expected = [None if text == "" else text if name == "text" else kind.fromisoformat(text) for text in texts]
            assert [row[name] for row in rows] == expected, (ending, name)
    run("convert", tmp_path / "in.csv", "-o", tmp_path / "out.trv")
    assert run("cat", "-f", "csv", tmp_path / "out.trv").decode() == (tmp_path / "in.csv").read_text()
