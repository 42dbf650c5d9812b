"""Readers: rows, columns, sources, threads."""

import io
import pathlib
import threading

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from samples import many_rows

import trevni


def test_columns_rows_and_length(write):
    table = many_rows(1000)
    reader = write(table)
    assert reader.columns == table.column_names == reader.schema.names
    assert (len(reader), reader.num_rows, len(reader.schema)) == (1000, 1000, 6)
    assert list(reader) == table.to_pylist()
    assert list(reader) == list(iter(reader)), "a reader can be read again"
    assert reader.to_arrow().equals(table)
    assert '"type":"record"' in reader.avro_schema.replace(" ", "")


def test_rows_by_number(write):
    table = many_rows(9000)
    reader = write(table, block_size=4096)
    for number in [0, 1, 4095, 4096, 8999, -1, -9000]:
        assert reader.row(number) == table.slice(number % 9000, 1).to_pylist()[0]
    for number in [9000, -9001, 2**62, -(2**63)]:
        with pytest.raises(IndexError, match=f"no row {number}: the reader has 9000 rows"):
            reader.row(number)
    filtered = reader.filter("id >= 100 and small = 3").select(["id"])
    expected = [row["id"] for row in table.to_pylist() if row["id"] >= 100 and row["small"] == 3]
    assert [filtered.row(number)["id"] for number in range(len(filtered))] == expected
    assert filtered.row(-1) == {"id": expected[-1]}


def test_rows_are_taken_in_the_order_that_was_asked_for(write):
    table = many_rows(9000)
    reader = write(table, block_size=4096)
    for numbers in [[], [8999, 0, 8999, 17], [-1, -9000], list(range(8000, 0, -37))]:
        expected = table.take(pa.array([number % 9000 for number in numbers], pa.int64()))
        taken = reader.take(numbers)
        assert pa.table(taken).equals(expected.combine_chunks()), numbers
    filtered = reader.filter("small = 3").select(["id"]).slice(5, 100)
    expected = table.filter(pc.field("small") == 3).select(["id"]).slice(5, 100)
    assert pa.table(filtered.take([99, 3, -1])).equals(expected.take([99, 3, 99]).combine_chunks())
    for number in [9000, -9001]:
        with pytest.raises(IndexError, match=f"no row {number}"):
            reader.take([0, number])


def test_select_has_the_order_that_was_asked_for(write):
    table = many_rows(100)
    reader = write(table)
    for names in [["value", "id"], ["word"], ["even", "id", "word"], table.column_names[::-1]]:
        assert reader.select(names).to_arrow().equals(table.select(names))
        assert reader.select(names).columns == names
    assert reader.select("word").columns == ["word"]
    assert reader.select(["id", "word"]).select(["value"]).columns == ["value"]
    assert [row.keys() for row in reader.select(["word", "id"])][0] == {"word": 0, "id": 0}.keys()


def test_nested_paths(write):
    table = pa.table({"s": [{"a": 1, "b": {"c": "x"}}, None], "l": [[{"a": 1, "b": 2}], []], "n": [1, 2]})
    reader = write(table)
    assert list(reader.select(["l.b", "s.b.c"])) == [
        {"l": [{"b": 2}], "s": {"b": {"c": "x"}}},
        {"l": [], "s": None},
    ]
    assert reader.select(["l.b", "s.b.c"]).columns == ["l", "s"]


@pytest.mark.parametrize("size", [1, 7, 1000, 10_000, None])
def test_batches(write, size):
    table = many_rows(5000)
    batches = list(write(table).batches(size))
    assert sum(len(batch) for batch in batches) == 5000
    assert size is None or max(len(batch) for batch in batches) <= size
    assert pa.Table.from_batches([pa.record_batch(batch) for batch in batches]).equals(table)
    assert batches[0].columns == table.column_names
    assert batches[0].to_arrow().num_rows == batches[0].num_rows
    with pytest.raises(ValueError):
        write(table).batches(0)


def test_the_rest_of_batches_is_a_stream(write):
    table = many_rows(5000)
    batches = write(table).batches(1000)
    first = next(batches)
    rest = pa.table(batches)
    assert first.num_rows + rest.num_rows == 5000
    assert rest.equals(table.slice(first.num_rows))
    assert list(batches) == []
    assert pa.schema(batches.schema) == table.schema


def test_sources(tmp_path):
    table = many_rows(3000)
    path = tmp_path / "rows.trv"
    trevni.write(path, table)
    data = path.read_bytes()
    with path.open("rb") as file:
        for source in [path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), file]:
            with trevni.open(source) as reader:
                assert reader.to_arrow().equals(table)
                assert reader.filter("id = 7").row(0)["id"] == 7
    assert trevni.open(path).files == [pathlib.Path(path)]
    assert trevni.open(data).files == []
    assert repr(trevni.open(data).select(["id"])) == "<trevni.Reader of bytes: id>"


def test_a_written_file_object_has_the_same_bytes(tmp_path):
    table = many_rows(3000)
    trevni.write(tmp_path / "rows.trv", table, threads=1)
    file = io.BytesIO()
    assert trevni.write(file, table, threads=1) == 3000
    # The identifier between blocks or columns is the same for all, so nothing of it is random.
    assert trevni.open(file.getvalue()).to_arrow().equals(trevni.open(tmp_path / "rows.trv").to_arrow())


def test_many_threads_at_once(write):
    table = many_rows(20_000)
    reader = write(table, codec="zstandard")
    shared = iter(reader.batches(100))
    wrong, seen = [], []

    def work(number):
        try:
            if not reader.select(["id", "word"]).to_arrow().equals(table.select(["id", "word"])):
                wrong.append("table")
            condition = f"id between {number * 10} and {number * 10 + 99}"
            if reader.filter(condition).num_rows != 100:
                wrong.append("filter")
            if reader.row(number)["id"] != number:
                wrong.append("row")
            for batch in shared:
                seen.extend(row["id"] for row in batch.to_list())
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=[number]) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sorted(seen) == list(range(20_000)), "each batch went to one thread"


def test_many_threads_share_a_file_object(tmp_path):
    table = many_rows(5000)
    trevni.write(tmp_path / "rows.trv", table)
    with (tmp_path / "rows.trv").open("rb") as file:
        reader = trevni.open(file)
        wrong = []

        def work():
            try:
                if not reader.to_arrow().equals(table):
                    wrong.append("table")
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_other_threads_run_while_a_file_is_written():
    """The producer waits for another thread of Python, which runs only if the interpreter is released."""
    table, ready = many_rows(100), threading.Event()

    def batches():
        yield table
        threading.Timer(0.01, ready.set).start()
        assert ready.wait(60)
        yield table

    assert trevni.write(io.BytesIO(), batches()) == 200


class Unseen:
    def __init__(self, rows):
        self.rows = rows

    def __arrow_c_stream__(self, requested_schema=None):
        return self.rows.__arrow_c_stream__()


def test_what_write_takes():
    table = many_rows(50)
    batch = table.to_batches()[0]
    own = io.BytesIO()
    trevni.write(own, table)
    reader = trevni.open(own.getvalue())
    several = [
        Unseen(table),
        [table.slice(0, 20), table.slice(20)],
        (part for part in table.to_batches(max_chunksize=7)),
        batch,
        [batch.slice(0, 1), Unseen(table.slice(1))],
        table.to_reader(),
        reader,
        reader.batches(9),
        list(reader.batches()),
        next(reader.batches()),
    ]
    for rows in several:
        file = io.BytesIO()
        assert trevni.write(file, rows) == 50
        assert trevni.open(file.getvalue()).to_arrow().equals(table), rows


def test_options_of_write(tmp_path):
    table = many_rows(5000)
    sizes = {}
    for codec in ["null", "snappy", "deflate", "bzip2", "zstandard", "lz4"]:
        path = tmp_path / f"{codec}.trv"
        trevni.write(path, table, codec=codec, checksum="crc32")
        assert trevni.open(path).to_arrow().equals(table)
        sizes[codec] = path.stat().st_size
    assert sizes["zstandard"] < sizes["snappy"] < sizes["null"]
    path = tmp_path / "options.trv"
    trevni.write(
        path, table, codec="zstandard", level=19, column_codecs={"id": "null"}, block_size=1024, zone_maps=False
    )
    assert trevni.open(path).to_arrow().equals(table)
    assert path.stat().st_size != sizes["zstandard"]
    with pytest.raises(FileExistsError):
        trevni.write(path, table, overwrite=False)
    trevni.write(path, table.slice(0, 1))
    assert len(trevni.open(path)) == 1
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".trv"] * 7, "no temporary files are left"


def test_datasets(tmp_path):
    table = many_rows(3000)
    for part in range(3):
        trevni.write(tmp_path / f"part-{part}.trv", table.slice(part * 1000, 1000))
    for dataset in [trevni.Dataset(tmp_path), trevni.open(tmp_path), trevni.Dataset(sorted(tmp_path.iterdir()))]:
        assert isinstance(dataset, trevni.Dataset) and isinstance(dataset, trevni.Reader)
        assert dataset.to_arrow().equals(table)
        assert pa.table(dataset).equals(table)
        assert [file.name for file in dataset.files] == ["part-0.trv", "part-1.trv", "part-2.trv"]
        assert [dataset.row(number)["id"] for number in [0, 999, 1000, 2999, -1]] == [0, 999, 1000, 2999, 2999]
        some = dataset.filter("id between 990 and 1009").select(["word", "id"])
        assert some.columns == ["word", "id"]
        assert some.to_arrow().equals(table.slice(990, 20).select(["word", "id"]))


def test_datasets_whose_parts_differ(tmp_path):
    trevni.write(tmp_path / "a.trv", pa.table({"n": pa.array([1, 2], pa.int32()), "old": ["x", None]}))
    trevni.write(tmp_path / "b.trv", pa.table({"n": pa.array([2**40, None], pa.int64()), "new": [1.5, 2.5]}))
    dataset = trevni.Dataset(tmp_path)
    expected = [
        {"n": 1, "old": "x", "new": None},
        {"n": 2, "old": None, "new": None},
        {"n": 2**40, "old": None, "new": 1.5},
        {"n": None, "old": None, "new": 2.5},
    ]
    assert list(dataset) == dataset.to_arrow().to_pylist() == expected
    assert list(dataset.select(["new"])) == [{"new": row["new"]} for row in expected]
    assert list(dataset.filter("n > 1").select(["n"])) == [{"n": 2}, {"n": 2**40}]
    assert list(dataset.filter("new > 2 or old = 'x'").select(["n"])) == [{"n": 1}, {"n": None}]
    assert dataset.filter(trevni.col("new").is_null()).num_rows == 2
    assert dataset.row(2) == expected[2]


def test_slices_of_rows(write):
    table = many_rows(9000)
    reader = write(table)
    for offset, length in [(0, 5), (4000, 500), (8999, 10), (9000, 1), (10, None), (0, 0), (2**60, 2**60)]:
        some = reader.slice(offset, length)
        expected = table.slice(min(offset, 9000), length)
        assert some.to_arrow().equals(expected)
        assert len(some) == expected.num_rows
    filtered = reader.filter("small = 3").slice(10, 5)
    assert filtered.to_arrow().equals(table.filter(pc.field("small") == 3).slice(10, 5))
    first = reader.slice(0, 100).filter("small > 0").select(["id"])
    assert first.to_arrow().equals(table.slice(0, 100).filter(pc.field("small") > 0).select(["id"]))
