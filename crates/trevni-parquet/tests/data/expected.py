"""Writes what pyarrow reads of each file in parquet-testing to expected/NAME.jsonl, a row a line.

Dates, times and timestamps are integers, days or nanoseconds; decimals are texts; bytes are hexadecimal digits after 0x; floats that JSON
does not have are texts; maps are lists of pairs.
"""

import json
import math
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def value(scalar):
    kind = scalar.type
    if not scalar.is_valid:
        return None
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return scalar.value * NANOS[kind.unit]
    if pa.types.is_date32(kind):
        return scalar.value
    if pa.types.is_struct(kind):
        return {name: value(scalar[at]) for at, name in enumerate(field.name for field in kind)}
    if pa.types.is_map(kind):
        entries = scalar.values
        return [[value(entry[0]), value(entry[1])] for entry in entries or []]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [value(item) for item in scalar.values]
    found = scalar.as_py()
    if pa.types.is_floating(kind):
        found = float(found)
        return found if math.isfinite(found) else str(found)
    if pa.types.is_decimal(kind):
        return format(found, "f")
    return "0x" + found.hex() if isinstance(found, bytes) else found


here = pathlib.Path(__file__).parent
(here / "expected").mkdir(exist_ok=True)
for path in sorted((here / "parquet-testing").glob("*.parquet")):
    try:
        table = pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        print(path.name, error)
        continue
    lines = [
        json.dumps({name: value(table.column(at)[row]) for at, name in enumerate(table.column_names)}, ensure_ascii=False)
        for row in range(table.num_rows)
    ]
    (here / "expected" / f"{path.stem}.jsonl").write_text("".join(line + "\n" for line in lines))
