"""Files by URLs and in file systems of fsspec and pyarrow."""

import pathlib
import pickle

import fsspec
import pyarrow as pa
import pyarrow.fs
import pytest
from samples import many_rows

import trevni

ROWS = many_rows(1000)


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    yield system
    system.rm("/", recursive=True)


def test_urls(memory, tmp_path):
    assert trevni.write("memory://data/rows.trv", ROWS, codec="zstandard") == 1000
    reader = trevni.open("memory://data/rows.trv")
    assert reader.to_arrow().equals(ROWS) and reader.files == ["memory:///data/rows.trv"]
    assert trevni.read_table("memory://data/rows.trv", columns=["word"], filters="id = 7").to_pylist() == [{"word": None}]
    assert pickle.loads(pickle.dumps(reader.filter("id < 5"))).num_rows == 5
    assert trevni.scan("memory://data/rows.trv").select("id").collect().height == 1000
    with trevni.Writer("memory://data/more.trv", ROWS.schema) as writer:
        writer.write(ROWS)
        assert not memory.exists("/data/more.trv")
    assert len(trevni.open("memory://data")) == 2000
    with pytest.raises(ZeroDivisionError), trevni.Writer("memory://data/none.trv", ROWS.schema):
        1 / 0
    assert not memory.exists("/data/none.trv")
    with pytest.raises(FileExistsError, match="memory:///data/rows.trv exists"):
        trevni.write("memory://data/rows.trv", ROWS, overwrite=False)
    with pytest.raises(FileNotFoundError):
        trevni.open("memory://data/other.trv")
    with pytest.raises(trevni.UsageError, match='^memory:///data/rows.trv: no field "n"'):
        reader.select("n")
    url = (tmp_path / "rows.trv").as_uri()
    assert trevni.write(url, ROWS) == 1000 and len(trevni.open(url)) == 1000
    assert len(trevni.open(url, storage_options={"auto_mkdir": False})) == 1000
    with pytest.raises(TypeError, match="give one of both"):
        trevni.open("x", filesystem=memory, storage_options={})


def test_folders_and_patterns(memory):
    for place in ("day=2024-02-28/part-2.trv", "day=2024-02-28/part-10.trv", "day=a%2Fb/x.trv", "day=__HIVE_DEFAULT_PARTITION__/x.trv"):
        trevni.write(f"memory://logs/{place}", ROWS.slice(0, 10))
    trevni.write("memory://logs/_hidden/x.trv", ROWS)
    memory.pipe("/logs/day=1/notes.txt", b"no rows")
    dataset = trevni.Dataset("memory://logs")
    assert [file.rpartition("logs/")[2] for file in dataset.files] == [
        "day=2024-02-28/part-2.trv",
        "day=2024-02-28/part-10.trv",
        "day=__HIVE_DEFAULT_PARTITION__/x.trv",
        "day=a%2Fb/x.trv",
    ]
    assert dataset.aggregate("count()", by="day").to_list() == [
        {"day": "2024-02-28", "count": 20},
        {"day": None, "count": 10},
        {"day": "a/b", "count": 10},
    ]
    assert dataset.filter("day = '2024-02-28'").bytes_read == dataset.head(20).bytes_read
    assert len(trevni.Dataset("memory://logs/day=*/part-*.trv")) == 20
    assert len(trevni.Dataset(["memory://logs/day=2024-02-28/part-2.trv", "memory://logs/day=2024-02-28"])) == 30
    assert len(pickle.loads(pickle.dumps(dataset)).filter("id = 3")) == 4
    trevni.write("memory://logs/other/x.trv", ROWS.slice(0, 1))
    with pytest.raises(trevni.UsageError, match="data in the folder other; recursive=True reads it"):
        trevni.Dataset("memory://logs")
    assert len(trevni.Dataset("memory://logs", recursive=True)) == 41
    with pytest.raises(FileNotFoundError, match="no file is named memory:///logs/none"):
        trevni.Dataset("memory://logs/none*.trv")


@pytest.mark.parametrize("system", [pa.fs.LocalFileSystem(), fsspec.filesystem("file")], ids=["pyarrow", "fsspec"])
def test_file_systems(tmp_path, system):
    path = str(tmp_path / "a" / "rows.trv")
    assert trevni.write(path, ROWS, filesystem=system) == 1000
    assert trevni.open(path, filesystem=system).to_arrow().equals(ROWS)
    assert trevni.open(pathlib.Path(path), filesystem=system).filter("id > 990").num_rows == 9
    assert len(trevni.open(str(tmp_path / "a"), filesystem=system)) == 1000
    assert len(trevni.Dataset(str(tmp_path / "a" / "*.trv"), filesystem=system)) == 1000
    with pytest.raises(FileNotFoundError):
        trevni.open(path + "x", filesystem=system)
