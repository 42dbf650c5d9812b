"""Files of pyarrow are read as pyarrow reads them, and it reads what is written."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tables import columns, random_table, same

import trevni

COLUMNS = columns()


def check(convert, path, expected=None):
    """A file of pyarrow is read as it reads it itself, or as the table that it wrote."""
    ours = trevni.open(convert(path)).to_arrow()
    ours.validate(full=True)
    theirs = pq.read_table(path)
    assert ours.column_names == theirs.column_names
    for name in ours.column_names:
        kinds = ours.schema.field(name).type, theirs.schema.field(name).type
        assert same(ours[name].to_pylist(), theirs[name].to_pylist()), (name, kinds)
    if expected is not None:
        assert ours.schema.types == expected.schema.types
    return ours


@pytest.mark.parametrize("store_schema", [True, False])
@pytest.mark.parametrize("name", list(COLUMNS))
def test_each_type_is_read(convert, tmp_path, name, store_schema):
    path = tmp_path / "file.parquet"
    table = pa.table({"c": COLUMNS[name]})
    pq.write_table(table, path, store_schema=store_schema)
    check(convert, path, table if store_schema else None)


@pytest.mark.parametrize("name", list(COLUMNS))
def test_each_type_is_written(convert, tmp_path, name):
    table = pa.table({"c": COLUMNS[name]})
    trevni.write(tmp_path / "file.trv", table)
    read = pq.read_table(convert(tmp_path / "file.trv"))
    read.validate(full=True)
    assert same(read["c"].to_pylist(), table["c"].to_pylist()), read.schema
    # A dictionary of other keys, and a list view, have no word in Parquet that pyarrow takes from here.
    assert read.schema.types == table.schema.types or name in ("dictionary of int8", "list view")


CASES = {
    "version 1.0": {"version": "1.0"},
    "version 2.4": {"version": "2.4"},
    "pages of version 2": {"data_page_version": "2.0", "compression": "zstd"},
    "many pages": {"data_page_size": 64, "write_batch_size": 8},
    "many pages of version 2": {"data_page_size": 64, "write_batch_size": 8, "data_page_version": "2.0"},
    "row groups": {"row_group_size": 37},
    "no dictionary": {"use_dictionary": False},
    "small dictionary": {"dictionary_pagesize_limit": 64},
    "page index": {"write_page_index": True},
    "checksums": {"write_page_checksum": True},
    "no statistics": {"write_statistics": False},
    "old lists": {"use_compliant_nested_type": False},
    "integers for decimals": {"store_decimal_as_integer": True},
    "milliseconds": {"coerce_timestamps": "ms", "allow_truncated_timestamps": True},
    "INT96": {"use_deprecated_int96_timestamps": True},
    "Spark": {"flavor": "spark"},
    **{codec: {"compression": codec} for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4")},
}


@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.parametrize("seed", range(3))
def test_each_option_is_read(convert, tmp_path, case, seed):
    numbers = random.Random(f"{case} {seed}")
    for number in range(3):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(random_table(numbers), path, **CASES[case])
        check(convert, path)
    # All types at once, many times, so that there are pages and row groups.
    table = pa.concat_tables([pa.table(COLUMNS)] * 40)
    path = tmp_path / "all.parquet"
    options = CASES[case]
    if case.startswith("version"):
        # These have no nanoseconds.
        table = table.select([name for name in table.column_names if "[ns" not in name])
    pq.write_table(table, path, **options)
    check(convert, path)


ENCODINGS = {
    "DELTA_BINARY_PACKED": [pa.int32(), pa.int64()],
    "DELTA_LENGTH_BYTE_ARRAY": [pa.string(), pa.binary()],
    "DELTA_BYTE_ARRAY": [pa.string(), pa.binary(), pa.binary(3)],
    "BYTE_STREAM_SPLIT": [pa.float32(), pa.float64(), pa.int32(), pa.int64(), pa.binary(3), pa.float16()],
    "PLAIN": [pa.int32(), pa.string(), pa.bool_()],
    "RLE": [pa.bool_()],
}


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_each_encoding_is_read(convert, tmp_path, encoding, version):
    numbers = random.Random(encoding)
    values = {"string": str, "binary": lambda n: str(n).encode(), "fixed_size_binary[3]": lambda n: f"{n % 1000:03}".encode()}
    columns = {}
    for kind in ENCODINGS[encoding]:
        make = values.get(str(kind), (lambda n: n % 3 == 0) if kind == pa.bool_() else lambda n: n % 2000)
        made = [None if numbers.random() < 0.1 else make(numbers.randrange(10**6)) for _ in range(3000)]
        columns[str(kind)] = pa.array(made, kind)
        columns[f"{kind}, no null"] = pa.array([make(n) for n in range(3000)], kind)
    path = tmp_path / "file.parquet"
    options = {"column_encoding": encoding, "use_dictionary": False, "data_page_version": version}
    pq.write_table(pa.table(columns), path, data_page_size=4096, **options)
    stored = pq.ParquetFile(path).metadata.row_group(0)
    assert all(encoding in stored.column(column).encodings for column in range(stored.num_columns))
    check(convert, path)


def test_instants_of_96_bits_are_read(convert, tmp_path):
    path = tmp_path / "file.parquet"
    table = pa.table({"at": pa.array([0, None, -1, 10**18, -(2**62)], pa.timestamp("ns"))})
    pq.write_table(table, path, use_deprecated_int96_timestamps=True, store_schema=False)
    assert pq.ParquetFile(path).schema.column(0).physical_type == "INT96"
    check(convert, path, table)


OPTIONS = [
    [],
    ["--property", "parquet.compression=SNAPPY"],
    ["--property", "parquet.compression=GZIP", "--property", "parquet.enable.dictionary=false"],
    ["--property", "parquet.compression=ZSTD", "--property", "parquet.page.size=128"],
    ["--property", "parquet.compression=LZ4_RAW", "--property", "parquet.block.size=512"],
]


@pytest.mark.parametrize("seed", range(60))
def test_random_tables_come_back(convert, tmp_path, seed):
    numbers = random.Random(seed)
    table = random_table(numbers)
    trevni.write(tmp_path / "file.trv", table)
    path = convert(tmp_path / "file.trv", *numbers.choice(OPTIONS))
    read = pq.read_table(path)
    read.validate(full=True)
    assert same(read.to_pylist(), table.to_pylist())
    assert read.schema.types == table.schema.types
    # And once around.
    again = trevni.open(convert(path, to=tmp_path / "again.trv")).to_arrow()
    assert same(again.to_pylist(), table.to_pylist())
