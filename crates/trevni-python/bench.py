"""Times of trevni and of pyarrow's Parquet for the same rows, one run after the other, as a table.

    python bench.py flights.csv

The file is CSV with names of columns, or Parquet; it may be compressed. Times are the least of several runs, in ns a row, of the
whole process (wall) with one thread and with all. Both read from the same disk, with its cache warm, and both compress with
zstandard at level 1; Parquet has its default options otherwise. Writing is to a new file; trevni waits until it is on disk, so
a second line has it in memory.
"""

import argparse
import io
import os
import pathlib
import platform
import tempfile
import time

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import trevni


def best(work, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def rows_of(path):
    if path.suffix == ".parquet":
        table = pa.parquet.read_table(path)
    else:
        options = pa.csv.ConvertOptions(null_values=["", "NA"], strings_can_be_null=True)
        with pa.input_stream(str(path)) as file:
            table = pa.csv.read_csv(file, convert_options=options)
    # Parquet has no instants in seconds, and would return others.
    millis = [
        field.with_type(pa.timestamp("ms", field.type.tz)) if pa.types.is_timestamp(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(millis))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("--columns", default="carrier,dep_delay,distance", help="the columns that are read alone")
    parser.add_argument("--times", type=int, default=3, help="how often the rows are repeated")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    table = rows_of(options.rows)
    table = pa.concat_tables([table] * options.times).combine_chunks()
    columns = options.columns.split(",")
    print(f"{table.num_rows:,} rows, {table.num_columns} columns; trevni {trevni.__version__}, pyarrow {pa.__version__}, "
          f"Python {platform.python_version()}, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory() as folder:
        measure(pathlib.Path(folder), table, columns, options.runs)


def measure(folder, table, columns, runs):
    ours, theirs = folder / "rows.trv", folder / "rows.parquet"

    def write_ours(target, threads):
        trevni.write(target, table, codec="zstandard", level=1, threads=threads)

    def write_theirs(target):
        pa.parquet.write_table(table, target, compression="zstd", compression_level=1)

    def read_ours(threads, columns=None):
        reader = trevni.open(ours, threads=threads)
        return (reader if columns is None else reader.select(columns)).to_arrow()

    def read_theirs(threads, columns=None):
        return pa.parquet.read_table(theirs, columns=columns, use_threads=threads > 1)

    write_ours(ours, 1)
    write_theirs(theirs)
    assert read_ours(1).equals(table) and read_theirs(1).equals(table)
    assert read_ours(1, columns).equals(read_theirs(1, columns))
    every = os.cpu_count() or 1
    work = [
        ("read all, 1 thread", lambda: read_ours(1), lambda: read_theirs(1)),
        (f"read all, {every} threads", lambda: read_ours(every), lambda: read_theirs(every)),
        (f"read {len(columns)} columns, 1 thread", lambda: read_ours(1, columns), lambda: read_theirs(1, columns)),
        (f"read {len(columns)} columns, {every} threads", lambda: read_ours(every, columns), lambda: read_theirs(every, columns)),
        ("write to memory, 1 thread", lambda: write_ours(io.BytesIO(), 1), lambda: write_theirs(io.BytesIO())),
        (f"write to memory, {every} threads", lambda: write_ours(io.BytesIO(), every), lambda: write_theirs(io.BytesIO())),
        ("write to disk, 1 thread", lambda: write_ours(folder / "new.trv", 1), lambda: write_theirs(folder / "new.parquet")),
    ]
    print("| ns a row | trevni | pyarrow.parquet | ratio |")
    print("|---|---|---|---|")
    for name, one, other in work:
        one, other = (best(part, runs) / table.num_rows * 1e9 for part in (one, other))
        print(f"| {name} | {one:.0f} | {other:.0f} | {one / other:.2f} |")
    sizes = [path.stat().st_size for path in (ours, theirs)]
    print(f"| bytes of the file | {sizes[0]:,} | {sizes[1]:,} | {sizes[0] / sizes[1]:.2f} |")


if __name__ == "__main__":
    main()
