"""Reads queries, a line each, and prints how many seconds each takes, or why there is no answer."""

import sys
import time

import duckdb

folder, *tables = sys.argv[1:]
connection = duckdb.connect()
connection.execute("SET threads = 2")
for table in tables:
    connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{folder}/{table}/*.parquet')")
for line in sys.stdin:
    try:
        start = time.perf_counter()
        connection.execute(line).fetchall()
        print(time.perf_counter() - start, flush=True)
    except duckdb.Error as error:
        print(str(error).splitlines()[0], flush=True)
