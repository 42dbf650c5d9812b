"""Writing: each task writes a part under a hidden name, and the driver makes the parts visible when all are whole."""

from __future__ import annotations

import io
import os
import shutil
import uuid
from dataclasses import dataclass
from typing import Any, Iterator, Mapping

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from .._errors import UsageError
from .._trevni import Dataset, write

_TEXTS = ("codec", "checksum", "format")
_NUMBERS = ("level", "block_size", "row_group_size")


@dataclass
class Part(WriterCommitMessage):
    """What a task has written; no path where it had no rows."""

    task: int
    path: str | None
    rows: int


class TrevniWriter(DataSourceArrowWriter):
    """Writes one part a task into a folder."""

    def __init__(self, folder: str, schema: StructType, overwrite: bool, options: Mapping[str, str]) -> None:
        self.folder = folder
        self.schema = schema
        self.overwrite = overwrite
        self.options = _options(options)
        # Chosen once, for all attempts of all tasks.
        self.write_id = uuid.uuid4().hex
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise UsageError(f"{folder} is a file: rows are saved to a folder")
        # Wrong options and types fail here, not in each task.
        write(io.BytesIO(), self._empty(), **self.options)
        # Tasks do not make it: one that goes on after all has ended finds no place to write to.
        os.makedirs(self.hidden)

    def _empty(self) -> pa.Table:
        return to_arrow_schema(self.schema, timezone="UTC").empty_table()

    @property
    def hidden(self) -> str:
        return os.path.join(self.folder, f".trevni-{self.write_id}")

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Writes the rows of a task. Each attempt has a file of its own, so none disturbs another."""
        context = TaskContext.get()
        task = context.partitionId() if context is not None else 0
        first = next((batch for batch in iterator if batch.num_rows), None)
        if first is None:
            return Part(task, None, 0)
        path = os.path.join(self.hidden, f"{task:05}-{uuid.uuid4().hex}.trv")
        rows = write(path, _chained(first, iterator), **self.options)
        return Part(task, path, rows)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Gives the parts their names, and takes away what they replace."""
        parts = sorted((part for part in messages if isinstance(part, Part)), key=lambda part: part.task)
        paths = [part.path for part in parts if part.path is not None]
        before = _visible(self.folder)
        if not paths and (self.overwrite or not before):
            # No rows, but columns.
            empty = os.path.join(self.hidden, "00000.trv")
            write(empty, self._empty(), **self.options)
            paths = [empty]
        for number, path in enumerate(paths):
            os.rename(path, os.path.join(self.folder, f"part-{self.write_id}-{number:05}.trv"))
        if self.overwrite:
            for path in before:
                os.remove(path)
        self._clear()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Takes away what tasks have written."""
        self._clear()

    def _clear(self) -> None:
        """What attempts have left that did not end in time goes too."""
        shutil.rmtree(self.hidden, ignore_errors=True)


def _chained(first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest


def _visible(folder: str) -> list[str]:
    """The files of a folder that readers see."""
    if not any(name.endswith((".trv", ".redelm")) and not name.startswith(".") for name in os.listdir(folder)):
        return []
    return [os.fspath(path) for path in Dataset(folder).files]


def _options(options: Mapping[str, str]) -> dict[str, Any]:
    known: dict[str, Any] = {name: options[name] for name in _TEXTS if name in options}
    for name in _NUMBERS:
        if name in options:
            try:
                known[name] = int(options[name])
            except ValueError:
                raise UsageError(f"option {name} is a number, not {options[name]}") from None
    return known
