"""Makes types.avro, and types.jsonl with the values below the logical types."""
import datetime, decimal, json, uuid
import fastavro
import fastavro._read_py as pure
schema = {
 "type": "record", "name": "Parcel", "namespace": "org.example.post", "doc": "What another implementation writes.",
 "fields": [
  {"name": "id", "type": "long", "default": 0, "doc": "number"},
  {"name": "size", "type": {"type": "enum", "name": "Size", "symbols": ["SMALL", "MEDIUM", "LARGE"], "default": "SMALL"}},
  {"name": "sizes", "type": {"type": "array", "items": "Size"}},
  {"name": "weight", "type": ["float", "null"]},
  {"name": "hash", "type": {"type": "fixed", "name": "Md5", "size": 16}},
  {"name": "labels", "type": {"type": "map", "values": ["null", "string"]}},
  {"name": "content", "type": ["null", "boolean", "int", "long", "double", "string", "bytes", "Md5", "Size",
     {"type": "array", "items": "int"}, {"type": "map", "values": "double"},
     {"type": "record", "name": "Book", "fields": [{"name": "title", "type": "string"}, {"name": "pages", "type": "int"}]},
     {"type": "record", "name": "Letter", "namespace": "", "aliases": ["Post"], "fields": [{"name": "pages", "type": {"type": "array", "items": "string"}}]}]},
  {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
  {"name": "tax", "type": {"type": "fixed", "name": "Tax", "size": 6, "logicalType": "decimal", "precision": 12, "scale": 4}},
  {"name": "day", "type": {"type": "int", "logicalType": "date"}},
  {"name": "clock", "type": {"type": "int", "logicalType": "time-millis"}},
  {"name": "clock_micros", "type": {"type": "long", "logicalType": "time-micros"}},
  {"name": "sent", "type": {"type": "long", "logicalType": "timestamp-millis"}},
  {"name": "seen", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
  {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
  {"name": "key", "type": {"type": "string", "logicalType": "uuid"}},
  {"name": "lasts", "type": {"type": "fixed", "name": "Lasts", "size": 12, "logicalType": "duration"}},
  {"name": "nothing", "type": "null"},
  {"name": "matrix", "type": {"type": "array", "items": {"type": "array", "items": "double"}}},
 ]}
def content(n):
    md5 = bytes((n * 7 + i) % 256 for i in range(16))
    return [None, True, 5, 2**40 + n, 0.5 * n, f"text {n}", b"\x00\xff", ("org.example.post.Md5", md5), ("org.example.post.Size", "LARGE"),
            [n, -n], {"a": n / 4}, ("org.example.post.Book", {"title": "Ünïcode ✓ 🦀", "pages": n}), ("Letter", {"pages": ["one", ""]})][n % 13]
UTC = datetime.timezone.utc
def row(n):
    return {"id": (-1) ** n * n * 10**9, "size": ["SMALL", "MEDIUM", "LARGE"][n % 3], "sizes": ["LARGE", "SMALL"][: n % 3],
     "weight": None if n % 4 == 0 else n / 8, "hash": bytes((n + i) % 256 for i in range(16)),
     "labels": {k: (None if i % 2 else f"{k}{n}") for i, k in enumerate(["zone", "area", "ø", "b"][: n % 5])},
     "content": content(n), "price": decimal.Decimal(n * 199 - 1000).scaleb(-2), "tax": decimal.Decimal(-n).scaleb(-4),
     "day": datetime.date(1969, 12, 1) + datetime.timedelta(days=n), "clock": datetime.time(n % 24, 59, 1, 5000),
     "clock_micros": datetime.time(n % 24, 0, 0, n), "sent": datetime.datetime(2026, 1, 1, tzinfo=UTC) + datetime.timedelta(milliseconds=n),
     "seen": None if n % 2 else datetime.datetime(1960, 1, 1, tzinfo=UTC) + datetime.timedelta(microseconds=n),
     "local": datetime.datetime(2000, 1, 1) + datetime.timedelta(hours=n), "key": uuid.UUID(int=n * 12345678901234567890),
     "lasts": n.to_bytes(4, "little") * 3, "nothing": None, "matrix": [[0.1, -0.0], [], [float(n)]][: n % 4]}
rows = [row(n) for n in range(26)]
with open("types.avro", "wb") as out:
    fastavro.writer(out, schema, rows, codec="deflate", sync_interval=1000, metadata={"origin": "fastavro"})
# Without logical types: what lies in the file.
pure.LOGICAL_READERS.clear()
with open("types.avro", "rb") as file, open("types.jsonl", "w") as out:
    for read in pure.reader(file):
        text = json.dumps(read, default=bytes.hex, ensure_ascii=False, separators=(",", ":"))
        out.write(text + "\n")
