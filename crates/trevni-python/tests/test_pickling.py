"""Readers, datasets, schemas and batches are made again in other processes."""

import copy
import io
import multiprocessing
import pickle

import pyarrow as pa
import pytest
from samples import many_rows

import trevni

ROWS = many_rows(1000)


def again(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trevni.write("rows.trv", ROWS)
    return tmp_path / "rows.trv"


def test_readers_have_their_columns_and_rows(path, monkeypatch, tmp_path):
    reader = trevni.open("rows.trv", threads=1, values=100_000)
    some = reader.filter("id > 100").select(["word", "id"]).filter(trevni.col("word") < "w050")[10:50:3]
    made = [reader, some, reader.sample(10, seed=2), reader.head(0), trevni.Dataset("rows.trv"), trevni.open(path.parent)]
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")  # a pickle has the whole path
    for thing in made:
        for other in (again(thing), copy.copy(thing), copy.deepcopy(thing)):
            assert type(other) is type(thing) and other.to_arrow().equals(thing.to_arrow())
    assert again(some).columns == ["word", "id"] and len(again(some)) == 14


def test_options_are_kept(path, tmp_path):
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([3, 0]), pa.array(["", "x"])], ["int", "string"])
    trevni.write(tmp_path / "u.trv", pa.table({"u": union}))
    assert again(trevni.open(tmp_path / "u.trv", unions="json")).to_arrow().to_pylist() == [{"u": "3"}, {"u": '"x"'}]
    wanted = pa.schema([("word", pa.large_string()), ("id", pa.int32())])
    assert again(trevni.open(path, schema=wanted)).to_arrow().schema == wanted
    folder = tmp_path / "parts" / "day=3"
    folder.mkdir(parents=True)
    trevni.write(folder / "a.trv", ROWS)
    dataset = trevni.Dataset(tmp_path / "parts", partition_types={"day": "int"}, aliases={"i": "id"})
    assert again(dataset).schema == dataset.schema and "day: int32" in str(dataset.schema)
    assert again(dataset.filter("day = 3")).num_rows == 1000


def test_bytes_are_in_the_pickle_and_open_files_are_not(path):
    data = path.read_bytes()
    for source in (data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert again(trevni.open(source).filter("id < 3")).num_rows == 3
    with open(path, "rb") as file, pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(trevni.open(file))


def test_schemas_and_batches(path):
    reader = trevni.open(path)
    schema = again(reader.schema)
    assert schema == reader.schema and pa.schema(schema) == ROWS.schema
    batch = reader.take([5, 3, 5])
    assert again(batch).to_list() == batch.to_list() and again(batch).schema == batch.schema
    empty = reader.take([])
    assert again(empty).to_list() == [] and again(empty).schema == empty.schema


def rows_of(reader):
    return reader.to_arrow().num_rows


def test_other_processes_read(path):
    reader = trevni.open(path)
    parts = [reader.slice(at, 250) for at in range(0, 1000, 250)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(rows_of, parts) == [250] * 4
