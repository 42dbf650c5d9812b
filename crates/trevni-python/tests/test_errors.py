"""Whatever goes wrong is an exception that says where; nothing crashes."""

import io
import random

import polars as pl
import pyarrow as pa
import pytest
from samples import DATA, many_rows

import trevni


def test_kinds_of_errors():
    kinds = ["Corrupt", "Unsupported", "Limit", "Shape", "Usage", "Arrow", "Internal"]
    for name in [f"{kind}Error" for kind in kinds]:
        error = getattr(trevni, name)
        assert issubclass(error, trevni.TrevniError) and error.__module__ == "trevni"


def test_texts_say_where(tmp_path, write):
    reader = write(many_rows(10), checksum="crc32")
    with pytest.raises(trevni.UsageError, match='rows.trv: no field "idd".*id'):
        reader.select(["idd"])
    with pytest.raises(trevni.UsageError, match='character 1: no field "idd"'):
        reader.filter("idd > 5")
    with pytest.raises(trevni.UsageError, match="character 6"):
        reader.filter("id > ")
    with pytest.raises(trevni.UsageError, match="character"):
        reader.filter("word > 5")
    data = bytearray(reader.files[0].read_bytes())
    data[-20] ^= 0xFF
    damaged = tmp_path / "damaged.trv"
    damaged.write_bytes(data)
    with pytest.raises(trevni.CorruptError, match="damaged.trv.*column"):
        trevni.open(damaged).to_arrow()
    with pytest.raises(trevni.CorruptError, match="damaged.trv"):
        list(trevni.open(damaged))
    with pytest.raises(trevni.CorruptError, match="column"):
        list(trevni.open(bytes(data)).batches())


def test_failures_of_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        trevni.open(tmp_path / "none.trv")
    assert (caught.value.filename, caught.value.errno) == (str(tmp_path / "none.trv"), 2)
    with pytest.raises(FileNotFoundError):
        trevni.write(tmp_path / "none" / "rows.trv", many_rows(1))
    with pytest.raises(trevni.UsageError, match="no .trv files"):
        trevni.open(tmp_path)
    for wrong in [5, None, object(), [1]]:
        with pytest.raises(TypeError):
            trevni.open(wrong)


def test_what_cannot_be_written(tmp_path):
    path = tmp_path / "rows.trv"
    for wrong in [5, None, "text", b"bytes", {"a": [1]}, [1], [{"a": 1}], pa.array([1])]:
        with pytest.raises((TypeError, trevni.ArrowError)):
            trevni.write(path, wrong)
    with pytest.raises(ValueError, match="no batches"):
        trevni.write(path, [])
    with pytest.raises(ValueError, match='no codec "zip": there are null, deflate'):
        trevni.write(path, many_rows(1), codec="zip")
    with pytest.raises(trevni.TrevniError, match="other columns"):
        trevni.write(path, [pa.table({"a": [1]}), pa.table({"b": [1]})])
    with pytest.raises(trevni.TrevniError, match="field s"):
        trevni.write(path, pa.table({"s": pa.array([2**31 // 1000 + 1], pa.int32()).cast(pa.time32("s"))}))
    with pytest.raises(trevni.TrevniError):
        trevni.write(path, pa.table([pa.array([1]), pa.array([2])], ["a", "a"]))
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


class Strange(Exception):
    pass


def test_exceptions_of_producers_come_through(tmp_path):
    path = tmp_path / "rows.trv"

    def failing():
        yield many_rows(10)
        raise Strange("in the producer")

    with pytest.raises(Strange, match="in the producer"):
        trevni.write(path, failing())

    def failing_at_once():
        raise Strange("at once")
        yield

    with pytest.raises(Strange, match="at once"):
        trevni.write(path, failing_at_once())

    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            raise Strange("no stream")

    with pytest.raises(Strange, match="no stream"):
        trevni.write(path, Failing())
    with pytest.raises(Strange, match="no stream"):
        trevni.write(path, [many_rows(1), Failing()])

    # Over the C interface, only the text passes.
    def batches():
        yield from many_rows(10).to_batches()
        raise Strange("in pyarrow's reader")

    stream = pa.RecordBatchReader.from_batches(many_rows(10).schema, batches())
    with pytest.raises(trevni.ArrowError, match="in pyarrow's reader"):
        trevni.write(path, stream)
    assert list(tmp_path.iterdir()) == []


def test_a_stream_is_taken_once():
    stream = many_rows(10).to_reader()
    trevni.write(io.BytesIO(), stream)
    assert trevni.write(io.BytesIO(), stream) == 0, "pyarrow's reader has no more rows"
    capsule = many_rows(10).__arrow_c_stream__()

    class Again:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    trevni.write(io.BytesIO(), Again())
    with pytest.raises(trevni.ArrowError, match="released"):
        trevni.write(io.BytesIO(), Again())


def test_capsules_of_other_names_are_refused():
    class Wrong:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.schema([]).__arrow_c_schema__()

    class No:
        def __arrow_c_array__(self, requested_schema=None):
            return 5

    for rows in [Wrong(), No()]:
        with pytest.raises((TypeError, ValueError)):
            trevni.write(io.BytesIO(), rows)
    with pytest.raises((TypeError, ValueError)):
        reader = trevni.open(written(many_rows(1)))
        reader.__arrow_c_stream__("no capsule")


def written(table, **options):
    file = io.BytesIO()
    trevni.write(file, table, **options)
    return file.getvalue()


def test_exceptions_of_file_objects_come_through():
    data = written(many_rows(1000))

    class Broken(io.BytesIO):
        broken = False

        def read(self, size=-1):
            if self.broken:
                raise Strange("read")
            return super().read(size)

        def write(self, data):
            raise Strange("write")

    file = Broken(data)
    reader = trevni.open(file)
    file.broken = True
    for use in [lambda: reader.to_arrow(), lambda: list(reader), lambda: list(reader.batches()), lambda: reader.row(5)]:
        with pytest.raises(Strange, match="read"):
            use()
    with pytest.raises(OSError, match="read"):
        pa.table(reader)
    with pytest.raises(Strange, match="write"):
        trevni.write(Broken(), many_rows(1))

    class Short(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 7))

    assert len(list(trevni.open(Short(data)))) == 1000
    with pytest.raises((OSError, trevni.TrevniError)):
        class Lying(io.BytesIO):
            def seek(self, place, whence=0):
                end = super().seek(place, whence)
                return end + 1000 if whence == 2 else end

        list(trevni.open(Lying(data)))


def test_errors_reach_the_consumers_of_streams(tmp_path):
    data = bytearray(written(many_rows(1000), checksum="crc32", codec="null"))
    data[len(data) // 2] ^= 0xFF
    reader = trevni.open(bytes(data))
    with pytest.raises(trevni.CorruptError):
        reader.to_arrow()
    with pytest.raises(pa.ArrowException, match="column"):
        pa.table(reader)
    with pytest.raises(pl.exceptions.PolarsError, match="column"):
        pl.DataFrame(reader)
    with pytest.raises(Exception, match="column"):
        trevni.scan(reader).collect()


def use(data):
    """Reads all in several ways; only exceptions of ours may come."""
    try:
        reader = trevni.open(data, threads=1)
        reader.to_arrow().validate(full=True)
        len(reader), reader.schema, reader.metadata, reader.avro_schema, repr(reader)
        for _ in reader:
            pass
        if len(reader):
            reader.row(len(reader) // 2)
        return True
    except (trevni.TrevniError, OSError):
        return False


def test_damaged_files_are_errors():
    random_numbers = random.Random(7)
    nested = pa.table(
        {
            "l": [[{"a": 1, "b": "x"}, None], None, []] * 20,
            "d": pa.array(["x", None, "y"] * 20).dictionary_encode(),
            "t": pa.array([1, None, 2**40] * 20, pa.timestamp("us", "UTC")),
            "m": pa.array([[("a", 1)], None, []] * 20, pa.map_(pa.string(), pa.int32())),
        }
    )
    outcomes = {True: 0, False: 0}
    for options in [{}, {"checksum": "crc32", "codec": "zstandard"}, {"format": "levels"}, {"format": "redelm"}]:
        try:
            data = written(nested, **options)
        except trevni.TrevniError:
            data = written(nested.select(["l", "d", "t"]), **options)
        assert use(data)
        for _ in range(250):
            damaged = bytearray(data)
            for _ in range(random_numbers.choice([1, 1, 2, 8])):
                damaged[random_numbers.randrange(len(damaged))] = random_numbers.randrange(256)
            outcomes[use(bytes(damaged))] += 1
        for end in random_numbers.sample(range(len(data)), 40):
            assert not use(data[:end])
    assert outcomes[False] > 300, outcomes


def test_the_bad_files_of_the_repository():
    bad = [*DATA.rglob("bad_*.trv"), *(DATA / "redelm" / "bad").glob("*.redelm")]
    assert len(bad) > 20
    for path in bad:
        with pytest.raises(trevni.TrevniError) as caught:
            list(trevni.open(path))
        assert path.name in str(caught.value)


def test_arrays_that_are_not_what_their_type_says(tmp_path):
    offsets = pa.array([0, 1, 2], pa.int32()).buffers()[1]
    texts = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"a\xff"))
    keys = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int8()), pa.array(["x"]), safe=False)
    decreasing = pa.array([0, 2, 1], pa.int32()).buffers()[1]
    backwards = pa.StringArray.from_buffers(2, decreasing, pa.py_buffer(b"abc"))
    for array in [texts, keys, backwards, pa.StructArray.from_arrays([texts], ["inner"])]:
        with pytest.raises(trevni.ArrowError, match="field odd is not what its type says"):
            trevni.write(tmp_path / "rows.trv", pa.table({"odd": array}))
    assert list(tmp_path.iterdir()) == []


def test_values_beyond_the_memory_that_is_allowed():
    file = io.BytesIO()
    trevni.write(file, pa.table({"text": ["x" * 1_000_000, "y"]}), codec="null")
    with pytest.raises(trevni.LimitError, match=r"\(to raise it: memory\)$"):
        trevni.open(file.getvalue(), memory=100_000).to_arrow()
    with pytest.raises(trevni.LimitError, match=r"\(to raise it: block_bytes\)$"):
        trevni.open(file.getvalue(), block_bytes=100_000).to_arrow()
    for reader in [trevni.open(file.getvalue(), memory=10_000_000), trevni.open(file.getvalue())]:
        assert len(reader.row(0)["text"]) == 1_000_000


def test_more_values_than_are_allowed(tmp_path):
    file = tmp_path / "nulls.trv"
    trevni.write(file, pa.table({"v": pa.nulls(2_000_000, pa.int32())}))
    assert trevni.open(file).to_arrow().num_rows == 2_000_000
    for source in [file, tmp_path]:
        with pytest.raises(trevni.LimitError, match=r"\(to raise it: values\)$"):
            trevni.open(source, values=1_000).to_arrow()
