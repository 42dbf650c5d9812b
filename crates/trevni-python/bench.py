"""Times and sizes of trevni and of others for the same rows, as a table.

    pip install pyarrow polars pylance vortex-data
    python bench.py flights.csv --columns carrier,dep_delay,distance --filter "distance > 2500"

The file is CSV with names of columns, JSON with a row on each line, or Parquet; it may be compressed. Each number is CPU time of the process on one
core: the least of several runs, in which all contestants take turns, so that what else the machine does falls on all alike. Files are in
the cache. Each contestant has its defaults; Parquet has zstandard, since that is what people choose. What is not installed is left out.
"""

import os

for name in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS", "LANCE_CPU_THREADS", "LANCE_IO_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["LANCE_LOG"] = "error"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import argparse
import importlib
import operator
import pathlib
import platform
import random
import shutil
import tempfile
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.feather
import pyarrow.json
import pyarrow.parquet

import trevni

pa.set_cpu_count(1)
pa.set_io_thread_count(1)
OPERATORS = {">": operator.gt, "<": operator.lt, "=": operator.eq}


class Trevni:
    name = "trevni"

    def __init__(self, codec=None):
        self.codec = codec
        if codec is not None:
            self.name = f"trevni, {codec}"

    def write(self, path, table):
        trevni.write(path, table, codec=self.codec, threads=1)

    def read(self, path, columns=None):
        reader = trevni.open(path, threads=1)
        return (reader if columns is None else reader.select(columns)).to_arrow()

    def filter(self, path, column, sign, value):
        made = {">": trevni.Expression.__gt__, "<": trevni.Expression.__lt__, "=": trevni.Expression.__eq__}[sign]
        return trevni.open(path, threads=1).filter(made(trevni.col(column), value)).to_arrow()

    def take(self, path, rows):
        return pa.record_batch(trevni.open(path, threads=1).take(rows))


class Parquet:
    name = "Parquet, zstd (pyarrow)"

    def write(self, path, table):
        pa.parquet.write_table(table, path, compression="zstd")

    def read(self, path, columns=None):
        return pa.parquet.read_table(path, columns=columns, use_threads=False)

    def filter(self, path, column, sign, value):
        return pa.parquet.read_table(path, filters=OPERATORS[sign](pc.field(column), value), use_threads=False)

    def take(self, path, rows):
        return ds.dataset(path).take(pa.array(rows), use_threads=False)


class Feather:
    name = "Feather, zstd (pyarrow)"

    def write(self, path, table):
        pa.feather.write_feather(table, path, compression="zstd")

    def read(self, path, columns=None):
        return pa.feather.read_table(path, columns=columns, use_threads=False)

    def filter(self, path, column, sign, value):
        return ds.dataset(path, format="feather").to_table(filter=OPERATORS[sign](pc.field(column), value), use_threads=False)

    def take(self, path, rows):
        return ds.dataset(path, format="feather").take(pa.array(rows), use_threads=False)


class Polars:
    name = "Parquet (polars)"

    def __init__(self):
        self.polars = importlib.import_module("polars")

    def write(self, path, table):
        self.polars.DataFrame(table).write_parquet(path)

    def read(self, path, columns=None):
        return self.polars.read_parquet(path, columns=columns)

    def filter(self, path, column, sign, value):
        return self.polars.scan_parquet(path).filter(OPERATORS[sign](self.polars.col(column), value)).collect()

    def take(self, path, rows):
        return self.polars.scan_parquet(path).select(self.polars.all().gather(rows)).collect()


class Lance:
    name = "Lance"

    def __init__(self):
        self.lance = importlib.import_module("lance")

    def write(self, path, table):
        self.lance.write_dataset(table, path, mode="overwrite")

    def read(self, path, columns=None):
        return self.lance.dataset(str(path)).to_table(columns=columns)

    def filter(self, path, column, sign, value):
        return self.lance.dataset(str(path)).to_table(filter=f"`{column}` {sign} {value!r}")

    def take(self, path, rows):
        return self.lance.dataset(str(path)).take(rows)


class Vortex:
    name = "Vortex"

    def __init__(self):
        self.vortex = importlib.import_module("vortex")

    def write(self, path, table):
        self.vortex.io.write(self.vortex.array(table), str(path))

    def read(self, path, columns=None):
        return self.vortex.open(str(path)).scan(projection=columns).read_all().to_arrow_table()

    def filter(self, path, column, sign, value):
        expression = OPERATORS[sign](self.vortex.expr.column(column), value)
        return self.vortex.open(str(path)).scan(expr=expression).read_all().to_arrow_table()

    def take(self, path, rows):
        return self.vortex.open(str(path)).scan(indices=self.vortex.array(pa.array(rows, pa.uint64()))).read_all().to_arrow_table()


def contestants():
    for make in (Trevni, lambda: Trevni("typed"), lambda: Trevni("typed-zstandard"), Parquet, Feather, Polars, Lance, Vortex):
        try:
            yield make()
        except ImportError as missing:
            print(f"left out: {missing}")


def rows_of(path):
    name = path.name.removesuffix(".zst").removesuffix(".gz")
    if name.endswith(".parquet"):
        table = pa.parquet.read_table(path)
    else:
        options = pa.csv.ConvertOptions(null_values=["", "NA"], strings_can_be_null=True)
        with pa.input_stream(str(path)) as file:
            if name.endswith((".json", ".jsonl")):
                table = pa.json.read_json(file, read_options=pa.json.ReadOptions(block_size=1 << 26))
            else:
                table = pa.csv.read_csv(file, convert_options=options)
    # Parquet has no instants in seconds, and would return others; some have no columns that are always null.
    fields = [field for field in table.schema if not pa.types.is_null(field.type)]
    fields = [field.with_type(pa.timestamp("us", field.type.tz)) if pa.types.is_timestamp(field.type) else field for field in fields]
    return table.select([field.name for field in fields]).cast(pa.schema(fields))


def size_of(path):
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path.is_dir() else path.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("--columns", default="carrier,dep_delay,distance", help="the columns that are read alone")
    parser.add_argument("--filter", default="distance > 2500", help="a column, one of > < =, and a number or a word")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--duckdb", action="store_true", help="how long DuckDB takes on its own Parquet and on what trevni gives it")
    options = parser.parse_args()
    table = rows_of(options.rows).combine_chunks()
    column, sign, value = options.filter.split(maxsplit=2)
    value = int(value) if value.lstrip("-").isdigit() else value
    print(f"{options.rows.name}: {table.num_rows:,} rows, {table.num_columns} columns; columns {options.columns}; {options.filter}. trevni "
          f"{trevni.__version__}, pyarrow {pa.__version__}, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        work = by_duckdb if options.duckdb else measure
        work(pathlib.Path(folder), table, options.columns.split(","), (column, sign, value), options.runs)


def measure(folder, table, columns, condition, runs):
    all_of_them = list(contestants())
    paths = {one.name: folder / f"{number}.file" for number, one in enumerate(all_of_them)}
    some = sorted(random.Random(1).sample(range(table.num_rows), min(1000, table.num_rows)))
    found = table.filter(OPERATORS[condition[1]](pc.field(condition[0]), condition[2])).num_rows
    work = {
        "write": lambda one, path: one.write(folder / "new.file", table),
        "read": lambda one, path: one.read(path),
        "columns": lambda one, path: one.read(path, columns),
        "filter": lambda one, path: one.filter(path, *condition),
        "1,000 rows": lambda one, path: one.take(path, some),
    }
    rows = {"read": table.num_rows, "columns": table.num_rows, "filter": found, "1,000 rows": len(some)}
    best, failed = {}, set()
    for one in all_of_them:
        one.write(paths[one.name], table)
    for run in range(runs + 1):
        for kind, call in work.items():
            for one in all_of_them:
                if (one.name, kind) in failed:
                    continue
                new = folder / "new.file"
                shutil.rmtree(new) if new.is_dir() else new.unlink(missing_ok=True)
                start = time.process_time()
                try:
                    made = call(one, paths[one.name])
                except Exception as error:
                    print(f"{one.name}, {kind}: {type(error).__name__}: {str(error)[:120]}")
                    failed.add((one.name, kind))
                    continue
                took = time.process_time() - start
                if run == 0:  # which warms, and is looked at
                    assert kind == "write" or len(made) == rows[kind], (one.name, kind, len(made), rows[kind])
                else:
                    best[one.name, kind] = min(took, best.get((one.name, kind), took))
    print(f"| CPU ms, {table.num_rows:,} rows | {' | '.join(work)} | bytes |")
    print(f"|---|{'--:|' * (len(work) + 1)}")
    for one in all_of_them:
        times = (best.get((one.name, kind)) for kind in work)
        cells = ["–" if took is None else f"{took * 1000:.1f}" if took < 0.1 else f"{took * 1000:.0f}" for took in times]
        print(f"| {one.name} | {' | '.join(cells)} | {size_of(paths[one.name]):,} |")
    ratios = [f"{best['trevni', kind] / best[Parquet.name, kind]:.2f}" for kind in work]
    print(f"| trevni ÷ Parquet, zstd | {' | '.join(ratios)} | {size_of(paths['trevni']) / size_of(paths[Parquet.name]):.2f} |")


def by_duckdb(folder, table, columns, condition, runs):
    import duckdb

    trevni.write(folder / "rows.trv", table)
    pa.parquet.write_table(table, folder / "rows.parquet", compression="zstd")
    reader = trevni.open(folder / "rows.trv", threads=1)
    rows, lazy = reader.dataset(), reader.lazy()  # noqa: F841
    key, number = columns[:2]
    tables = {"DuckDB's Parquet": f"'{folder}/rows.parquet'", "dataset()": "rows", "lazy()": "lazy", "reader": "reader"}
    queries = {
        "count(*)": "select count(*) from {}",
        f"count and mean by {key}": f"select {key}, count(*), avg({number}) from {{}} group by {key}",
        f"two columns, {condition[0]} {condition[1]} {condition[2]}": f"select {key}, {number} from {{}} where {condition[0]} {condition[1]} {condition[2]!r}",
    }
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    best, results = {}, {}
    for run in range(runs + 1):
        for query, sql in queries.items():
            for name, source in tables.items():
                start = time.process_time()
                made = connection.sql(sql.format(source)).fetchall()
                took = time.process_time() - start
                assert len(made) == results.setdefault(query, len(made))
                if run > 0:
                    best[query, name] = min(took, best.get((query, name), took))
    print(f"| CPU ms | {' | '.join(tables)} | dataset() ÷ Parquet |")
    print(f"|---|{'--:|' * (len(tables) + 1)}")
    for query in queries:
        times = [best[query, name] * 1000 for name in tables]
        print(f"| {query} | {' | '.join(f'{took:.1f}' for took in times)} | {times[1] / times[0]:.2f} |")


if __name__ == "__main__":
    main()
