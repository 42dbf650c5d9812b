#!/usr/bin/env python3
"""The command line beside DuckDB and the Parquet tools of Rust, doing the same work.

Needs `cargo build --release -p trevni-cli`, Python with the package `duckdb`, and, where they are to be
measured too, `cargo install pqrs --locked` and `cargo install parquet --features cli`. Tools that are not
found are left out.

    python3 benchmarks/cli.py --flights flights.csv --wordnet wordnet.jsonl --report benchmarks/results/cli.md

Each piece of work is done by all tools once, then again, so often as asked; the medians count. Wall time and
CPU time are those of the whole process; for DuckDB they are those of the statement alone, without starting
Python and importing the library.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DUCKDB = """
import duckdb, json, os, resource, sys, time
def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
database = duckdb.connect()
before, start = cpu(), time.perf_counter()
database.execute(sys.argv[1]).fetchall()
print(json.dumps([time.perf_counter() - start, cpu() - before]), file=sys.stderr)
"""


def once(command):
    """Wall and CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr.decode()[-400:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def duckdb_once(statement):
    done = subprocess.run([sys.executable, "-c", DUCKDB, statement], capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{statement}: {done.stderr.decode()[-400:]}")
    wall, cpu = json.loads(done.stderr.decode().strip().splitlines()[-1])
    return wall, cpu


def found(name, folder):
    path = shutil.which(name, path=folder) if folder else None
    return path or shutil.which(name)


def version(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip().splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flights", required=True, type=Path, help="flights.csv of nycflights13, 336,776 rows, null is NA")
    parser.add_argument("--wordnet", required=True, type=Path, help="synsets of WordNet as JSON lines")
    parser.add_argument("--trevni", default="target/release/trevni", help="the binary")
    parser.add_argument("--peers", help="folder with pqrs, parquet-fromcsv and parquet-read")
    parser.add_argument("--large", type=int, metavar="ROWS", default=0, help="also ask a file of at least so many flights, beside DuckDB's own file")
    parser.add_argument("--times", type=int, default=7, help="repetitions")
    parser.add_argument("--report", type=Path, help="writes the tables between the marks in this file")
    options = parser.parse_args()
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        works = list(pieces(options, folder))
        lines = [machine(options, duckdb.__version__), ""]
        lines += ["| work | tool | wall, ms | CPU, ms | ours ÷ theirs, wall | ours ÷ theirs, CPU |", "|---|---|--:|--:|--:|--:|"]
        for name, contestants in works:
            times = {tool: [] for tool, _ in contestants}
            for repetition in range(options.times + 1):
                for tool, run in contestants:
                    taken = run()
                    # The first time warms caches.
                    if repetition:
                        times[tool].append(taken)
            medians = {
                tool: tuple(statistics.median(one[part] for one in taken) for part in (0, 1))
                for tool, taken in times.items()
            }
            own = medians[contestants[0][0]]
            for tool, (wall, cpu) in medians.items():
                ratios = " | " if tool == contestants[0][0] else f"{own[0] / wall:.2f} | {own[1] / cpu:.2f}"
                lines.append(f"| {name} | {tool} | {wall * 1000:.0f} | {cpu * 1000:.0f} | {ratios} |")
                print(lines[-1], flush=True)
                name = ""
        lines += ["", *sizes(folder)]
    report = "\n".join(lines)
    print(report)
    if options.report:
        text = options.report.read_text()
        start, end = "<!-- cli -->\n", "<!-- /cli -->"
        head, rest = text.split(start)
        options.report.write_text(head + start + report + "\n" + end + rest.split(end, 1)[1])


def pieces(options, folder):
    trevni = [options.trevni, "-q"]
    pqrs, fromcsv, read = (found(name, options.peers) for name in ("pqrs", "parquet-fromcsv", "parquet-read"))
    flights, wordnet = options.flights, options.wordnet
    out = folder / "out"

    def ours(*arguments):
        return "trevni", lambda: once([*trevni, *map(str, arguments)])

    def duck(statement, label="DuckDB"):
        return label, lambda: duckdb_once(statement)

    def peer(label, path, *arguments):
        return [(label, lambda: once([path, *map(str, arguments)]))] if path else []

    csv = f"read_csv('{flights}', nullstr='NA')"
    json_all = f"read_json('{wordnet}', sample_size=-1)"
    # What the works below read.
    once([*trevni, "convert", str(flights), "--null", "NA", "-o", str(folder / "flights.trv")])
    once([*trevni, "convert", str(wordnet), "-o", str(folder / "wordnet.trv")])
    duckdb_once(f"COPY (FROM {csv}) TO '{folder}/flights.parquet' (FORMAT parquet, COMPRESSION snappy)")
    duckdb_once(f"COPY (FROM {json_all}) TO '{folder}/wordnet.parquet' (FORMAT parquet, COMPRESSION snappy)")
    # parquet-fromcsv takes no text for null, and wants the schema.
    empty = folder / "flights_empty.csv"
    empty.write_text(flights.read_text().replace(",NA", ","))
    schema = folder / "flights.schema"
    texts = {"carrier", "tailnum", "origin", "dest", "time_hour"}
    names = flights.open().readline().strip().replace('"', "").split(",")
    fields = "".join(
        f"  OPTIONAL {'BYTE_ARRAY' if name in texts else 'INT64'} {name}{' (UTF8)' if name in texts else ''};\n" for name in names
    )
    schema.write_text("message flights {\n" + fields + "}\n")

    yield "convert flights.csv", [
        ours("convert", flights, "--null", "NA", "-o", out, "--force"),
        duck(f"COPY (FROM {csv}) TO '{out}' (FORMAT parquet, COMPRESSION snappy)"),
    ]
    avro = folder / "flights.avsc"
    avro.write_text(subprocess.run([*trevni, "schema", "-f", "avro", folder / "flights.trv"], capture_output=True, text=True, check=True).stdout)
    yield "convert flights.csv, schema given", [
        ours("convert", flights, "--null", "NA", "-s", avro, "-o", out, "--force"),
        *peer("parquet-fromcsv", fromcsv, "-s", schema, "-i", empty, "-o", out, "--has-header", "-c", "snappy"),
    ]
    yield "convert wordnet.jsonl", [
        ours("convert", wordnet, "-o", out, "--force"),
        duck(f"COPY (FROM {json_all}) TO '{out}' (FORMAT parquet, COMPRESSION snappy)", "DuckDB"),
    ]
    for name in ("flights", "wordnet"):
        parquet = folder / f"{name}.parquet"
        yield f"cat {name}, JSON lines", [
            ours("cat", folder / f"{name}.trv"),
            duck(f"COPY (FROM '{parquet}') TO '/dev/null' (FORMAT json)"),
            *peer("pqrs", pqrs, "cat", "--json", parquet),
            *peer("parquet-read", read, "--json", parquet),
        ]
    parquet = folder / "flights.parquet"
    yield "cat flights, CSV", [
        ours("cat", "-f", "csv", folder / "flights.trv"),
        duck(f"COPY (FROM '{parquet}') TO '/dev/null' (FORMAT csv)"),
        *peer("pqrs", pqrs, "cat", "--csv", parquet),
    ]
    yield "count", [
        ours("count", folder / "flights.trv"),
        duck(f"SELECT count(*) FROM '{parquet}'"),
        *peer("pqrs", pqrs, "rowcount", parquet),
    ]
    yield "count -w 'dep_delay > 60'", [
        ours("count", "-w", "dep_delay > 60", folder / "flights.trv"),
        duck(f"SELECT count(*) FROM '{parquet}' WHERE dep_delay > 60"),
    ]
    yield "query: group by origin, mean", [
        ours("query", folder / "flights.trv", "-w", "dep_delay > 60", "-b", "origin", "-a", "count(),mean(dep_delay)", "-s", "-count"),
        duck(f"SELECT origin, count(*) AS n, mean(dep_delay) FROM '{parquet}' WHERE dep_delay > 60 GROUP BY 1 ORDER BY n DESC"),
    ]
    yield "query: group by carrier and month, 5 aggregates", [
        ours("query", folder / "flights.trv", "-b", "carrier,month", "-a", "count(),mean(arr_delay),max(distance),min(dep_time),sum(air_time)"),
        duck(
            "SELECT carrier, month, count(*), mean(arr_delay), max(distance), min(dep_time), sum(air_time) "
            f"FROM '{parquet}' GROUP BY 1, 2"
        ),
    ]


    if options.large:
        yield from large(options, folder, ours, duck)


def large(options, folder, ours, duck):
    """Questions to a file of many rows, which is in memory, beside a file of DuckDB and one of Parquet."""
    header, rows = options.flights.read_bytes().split(b"\n", 1)
    times = -(-options.large // rows.count(b"\n"))
    csv, own, database, parquet = (folder / f"large.{ending}" for ending in ("csv", "trv", "duckdb", "parquet"))
    with csv.open("wb") as file:
        file.write(header + b"\n")
        for _ in range(times):
            file.write(rows)
    once([options.trevni, "-q", "convert", str(csv), "--null", "NA", "--codec", "typed", "-o", str(own)])
    attached = f"ATTACH '{database}' AS large"
    duckdb_once(f"{attached}; CREATE TABLE large.flights AS FROM read_csv('{csv}', nullstr='NA')")
    duckdb_once(f"{attached} (READ_ONLY); COPY large.flights TO '{parquet}' (FORMAT parquet, COMPRESSION zstd)")
    csv.unlink()
    count = times * rows.count(b"\n")

    def asked(name, arguments, columns, condition=""):
        return f"{name}, {count:,} flights", [
            ours(*arguments),
            duck(f"{attached} (READ_ONLY); SELECT {columns} FROM large.flights {condition}", "DuckDB, own file"),
            duck(f"SELECT {columns} FROM '{parquet}' {condition}", "DuckDB, Parquet"),
        ]

    yield asked("sum(distance)", ["query", own, "-a", "sum(distance)"], "sum(distance)")
    yield asked("count where dep_delay > 60", ["count", "-w", "dep_delay > 60", own], "count(*)", "WHERE dep_delay > 60")
    yield asked("count where carrier is UA", ["count", "-w", 'carrier == "UA"', own], "count(*)", "WHERE carrier = 'UA'")
    yield asked("rows where dep_delay > 900", ["cat", "-w", "dep_delay > 900", own], "*", "WHERE dep_delay > 900")


def sizes(folder):
    yield "| file | bytes |"
    yield "|---|--:|"
    for name in ("flights.trv", "flights.parquet", "wordnet.trv", "wordnet.parquet"):
        yield f"| {name}, snappy | {(folder / name).stat().st_size:,} |"
    for name in ("large.trv", "large.duckdb", "large.parquet"):
        if (folder / name).exists():
            yield f"| {name} | {(folder / name).stat().st_size:,} |"


def machine(options, duckdb_version):
    model = "unknown"
    if Path("/proc/cpuinfo").exists():
        model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), model)
    tools = [version([options.trevni, "--version"]), f"DuckDB {duckdb_version}"]
    pqrs = found("pqrs", options.peers)
    tools += [version([pqrs, "--version"])] if pqrs else []
    tools += ["parquet tools of parquet-rs"] if found("parquet-read", options.peers) else []
    system = f"{platform.system()} {platform.release()}"
    return f"{model}, {os.cpu_count()} cores, {system}; {', '.join(tools)}; medians of {options.times} runs."


main()
