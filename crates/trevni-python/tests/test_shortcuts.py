"""What libraries have for other formats: one call, slices, patterns, other names of codecs."""

import io

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import trevni

ROWS = pa.table({"n": list(range(100)), "word": [f"w{n}" for n in range(100)]})


@pytest.fixture
def path(tmp_path):
    trevni.write(tmp_path / "rows.trv", ROWS)
    return tmp_path / "rows.trv"


def test_tables_in_one_call(path):
    for source in (path, str(path), path.read_bytes(), path.parent, trevni.open(path)):
        assert trevni.read_table(source).equals(ROWS)
        some = trevni.read_table(source, columns=["word"], filters="n >= 98")
        assert some.to_pylist() == [{"word": "w98"}, {"word": "w99"}]
    assert trevni.read_table(path, filters=trevni.col("n") < 0).num_rows == 0
    frame = trevni.read_pandas(path, columns="n", threads=1)
    pd.testing.assert_frame_equal(frame, ROWS.select(["n"]).to_pandas())
    assert trevni.read_polars(path).equals(pl.DataFrame(ROWS))


@pytest.mark.parametrize(
    "rows",
    [slice(None), slice(3), slice(-3, None), slice(5, 9), slice(-5, -2), slice(90, 1000), slice(9, 5), slice(3, 50, 7), slice(-50, None, 9)],
)
def test_slices_are_those_of_lists(path, rows):
    reader = trevni.open(path)
    assert list(reader[rows]) == ROWS.to_pylist()[rows]
    odd = reader.filter("n % 2 = 1")
    assert list(odd[rows]) == ROWS.to_pylist()[1::2][rows]


def test_rows_by_number(path):
    reader = trevni.open(path)
    assert (reader[0], reader[-1]) == (ROWS.to_pylist()[0], ROWS.to_pylist()[-1])
    for number in (100, -101):
        with pytest.raises(IndexError, match=f"there is no row {number}"):
            reader[number]
    with pytest.raises(TypeError, match="^a row has a number or is in a slice, not str; select takes names$"):
        reader["n"]
    with pytest.raises(ValueError, match="^a step is at least 1, not -1$"):
        reader[::-1]


def test_heads_and_samples(path):
    reader = trevni.open(path)
    assert list(reader.head()) == ROWS.to_pylist()[:5]
    assert (reader.head(0).num_rows, reader.head(1000).num_rows) == (0, 100)
    sample = [row["n"] for row in reader.sample(10, seed=3)]
    assert len(set(sample)) == 10 and sample == sorted(sample)
    assert sample == [row["n"] for row in reader.sample(10, seed=3)]
    assert reader.sample(1000).num_rows == 100
    assert {row["n"] % 2 for row in reader.filter("n % 2 = 1").sample(20)} == {1}
    for call in (lambda: reader.head(-1), lambda: reader.sample(-1)):
        with pytest.raises(ValueError, match="^rows is at least 0, not -1$"):
            call()


@pytest.mark.parametrize("name, codec", [("zstd", b"zstandard"), ("zstandard", b"zstandard"), ("typed-zstd", b"typed-zstandard"), ("none", b"null")])
def test_codecs_have_the_names_of_other_formats(name, codec):
    files = []
    for option in ("codec", "compression"):
        file = io.BytesIO()
        trevni.write(file, ROWS, **{option: name})
        assert trevni.open(file.getvalue()).to_arrow().equals(ROWS)
        files.append(file.getvalue())
    assert files[0] == files[1] and (codec == b"null" or codec in files[0])
    trevni.write(io.BytesIO(), ROWS, column_codecs={"word": name})
    with pytest.raises(TypeError, match="^codec and compression are the same: give one$"):
        trevni.write(io.BytesIO(), ROWS, codec=name, compression=name)


def test_datasets_of_one_file_and_of_patterns(path):
    trevni.write(path.parent / "more.trv", ROWS.slice(0, 3))
    (path.parent / "notes.txt").write_text("no rows")
    assert len(trevni.Dataset(path)) == 100
    assert len(trevni.Dataset(str(path.parent / "*.trv"))) == 103
    assert [file.name for file in trevni.Dataset(path.parent / "*o*.trv").files] == ["more.trv", "rows.trv"]
    with pytest.raises(FileNotFoundError, match=r"no file is named .*x\*\.trv"):
        trevni.Dataset(str(path.parent / "x*.trv"))


def test_a_writer_takes_batches_as_they_are_made(tmp_path):
    path = tmp_path / "rows.trv"
    with trevni.Writer(path, ROWS.schema, compression="zstd", metadata={"by": "me"}) as writer:
        for batch in ROWS.to_batches(30):
            writer.write(batch)
        writer.write(pl.DataFrame({"n": [1], "word": ["x"]}).to_arrow().cast(ROWS.schema))
        assert writer.num_rows == 101 and not path.exists()
    assert (len(trevni.open(path)), trevni.open(path).metadata) == (101, {"by": b"me"})
    assert writer.num_rows is None
    with pytest.raises(trevni.UsageError, match="the writer is closed"):
        writer.write(ROWS)
    writer.close()
    file = io.BytesIO()
    with trevni.Writer(file, trevni.open(path).schema) as writer:
        pass
    assert trevni.open(file.getvalue()).to_arrow().schema == ROWS.schema


def test_a_writer_leaves_no_file_where_it_fails(tmp_path):
    path = tmp_path / "rows.trv"
    with pytest.raises(ZeroDivisionError):
        with trevni.Writer(path, ROWS.schema) as writer:
            writer.write(ROWS)
            1 / 0
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(trevni.ShapeError, match="field n: the batch has other columns than the writer's schema"):
        with trevni.Writer(path, ROWS.schema) as writer:
            writer.write(ROWS.select(["word", "n"]).rename_columns(["n", "word"]))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError, match="^a schema has __arrow_c_schema__, which dict has not$"):
        trevni.Writer(path, {"n": int})
    path.write_bytes(b"")
    with pytest.raises(FileExistsError):
        trevni.Writer(path, ROWS.schema, overwrite=False)
