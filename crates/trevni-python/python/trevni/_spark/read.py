"""Reading: one file is one split."""

from __future__ import annotations

import io
from typing import Any, Iterable, Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from .._expression import path
from .._trevni import Reader, open, write
from .files import File, Files
from .filters import Pushed, Unknown
from .types import Conforming, _type


class TrevniReader(DataSourceReader):
    """Reads the columns of a schema."""

    def __init__(self, files: Files, schema: StructType) -> None:
        self.files = files
        self.schema = schema
        self.pushed: list[Pushed] = []

    def partitions(self) -> list[InputPartition]:
        return [file for file in self.files.found() if self._may_have_rows(file)]

    def _may_have_rows(self, file: File) -> bool:
        """Whether the filters leave rows, by what the names of folders say."""
        pushed = [pushed for pushed in self.pushed if pushed.column in file.keys]
        if not pushed:
            return True
        schema = StructType([self.schema[name] for name in file.keys if name in self.schema.names])
        row, bytes = Conforming(schema, self.files.nanoseconds, file.keys).constants(1), io.BytesIO()
        write(bytes, row)
        rows = open(bytes)
        for one in pushed:
            rows = rows.filter(one.condition)
        return len(rows) > 0

    def read(self, partition: InputPartition) -> Iterator[Any]:
        if not isinstance(partition, File):
            return  # where there are no splits, Spark reads one of its own
        reader = open(partition.path)
        rows = self._filtered(reader, partition)
        if rows is None:
            return
        present = [name for name in self.schema.names if name in reader.columns and name not in partition.keys]
        conforming = Conforming(self.schema, self.files.nanoseconds, partition.keys)
        # A file of none of the columns still has its number of rows.
        rows = rows.select([path(name) for name in present or reader.columns[:1]])
        for batch in rows.batches(10_000):
            yield conforming.batch(pa.record_batch(batch))

    def _filtered(self, reader: Reader, file: File) -> Reader | None:
        """The rows that the filters leave; none where there can be none."""
        kinds = {field.name: field.type for field in pa.schema(reader.schema)}
        rows = reader
        for pushed in self.pushed:
            if pushed.column in file.keys:
                continue  # Spark evaluates it
            kind = kinds.get(pushed.column)
            if kind is None:  # all null
                if not pushed.keeps_nulls():
                    return None
            elif _is(kind, self.schema[pushed.column].dataType):
                rows = rows.filter(pushed.condition)
        return rows


class FilteringReader(TrevniReader):
    """As ``TrevniReader``, and takes filters of Spark."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Takes the filters that mean the same here; those that only leave out blocks are Spark's, too."""
        kinds = self._kinds()
        for filter in filters:
            try:
                pushed = Pushed(filter, self.schema)
            except (Unknown, TypeError, ValueError):
                yield filter
                continue
            self.pushed.append(pushed)
            if not pushed.is_exact or not kinds.get(pushed.column, False):
                pushed.is_exact = False
                yield filter

    def _kinds(self) -> dict[str, bool]:
        """Columns, and whether all files that have them have them in the type of the schema."""
        same = dict.fromkeys(self.schema.names, True)
        for file in self.files.found():
            same.update(dict.fromkeys(file.keys, False))
            for field in pa.schema(open(file.path).schema):
                if field.name in same and not _is(field.type, self.schema[field.name].dataType):
                    same[field.name] = False
        return same


def _is(kind: pa.DataType, wanted: Any) -> bool:
    """Whether a type of Arrow is a type of Spark."""
    try:
        return bool(_type(kind) == wanted)
    except Exception:
        return False
