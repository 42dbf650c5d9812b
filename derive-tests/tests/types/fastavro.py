"""Parses Avro schemas, one to a line, with fastavro; prints number and reason of each that it refuses."""

import json
import sys

from fastavro import parse_schema

for number, line in enumerate(sys.stdin):
    try:
        parse_schema(json.loads(line))
    except Exception as error:
        print(number, type(error).__name__, str(error).replace("\n", " ")[:300], sep="\t")
