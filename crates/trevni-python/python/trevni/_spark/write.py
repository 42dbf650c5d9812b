"""Writing: tasks write parts that do not count, and the driver stores a manifest, by which all of them count at once; or a snapshot of these alone."""

from __future__ import annotations

import errno
import io
import os
import pathlib
import time
import uuid
from dataclasses import dataclass
from typing import Any, Iterator, Mapping

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from .._errors import UsageError
from .._files import ENDINGS
from .._trevni import Dataset, Writer, _manifest, _part_name, _snapshot, _write_id, open, write
from .._write import OPEN_FILES, _divided

_TEXTS = ("codec", "checksum", "format")
_NUMBERS = ("level", "block_size", "row_group_size")
#: The folder of manifests, and that of snapshots.
_WRITES, _TABLE = "_trevni_writes", "_trevni_table"
#: Seconds for which what an overwrite replaces can still be read.
_KEPT = 7 * 24 * 60 * 60


@dataclass
class Parts(WriterCommitMessage):
    """What a task has written: of each part the path in the folder, rows and bytes."""

    task: int
    parts: list[tuple[str, int, int]]


class TrevniWriter(DataSourceArrowWriter):
    """Writes one part a task into a folder, or one for each folder of its values."""

    def __init__(self, folder: str, schema: StructType, overwrite: bool, options: Mapping[str, str]) -> None:
        self.folder = folder
        self.schema = schema
        self.overwrite = overwrite
        self.options = _options(options)
        self.keys = [name.strip() for name in options.get("partition_by", "").split(",") if name.strip()]
        # Chosen once, for all attempts of all tasks.
        self.write_id = _write_id()
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise UsageError(f"{folder} is a file: rows are saved to a folder")
        for name in self.keys:
            if name not in schema.names:
                raise UsageError(f"option partition_by: no column {name}; there are {', '.join(schema.names)}")
        # Wrong options and types fail here, not in each task.
        write(io.BytesIO(), self._empty(), **self.options)
        for _ in _divided(pa, _row(self._empty().schema), self.keys):
            pass
        os.makedirs(folder, exist_ok=True)

    def _empty(self) -> pa.Table:
        return to_arrow_schema(self.schema, timezone="UTC").empty_table()

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Writes the rows of a task. Each attempt has files of its own, so none disturbs another."""
        context = TaskContext.get()
        task = _Task(self, context.partitionId() if context is not None else 0)
        try:
            for batch in iterator:
                for place, rows in _divided(pa, batch, self.keys):
                    task.write(place, rows)
            return task.end()
        except BaseException:
            task.remove()
            raise

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Stores the manifest or the snapshot."""
        tasks = sorted((task for task in messages if isinstance(task, Parts)), key=lambda task: task.task)
        parts = [part for task in tasks for part in task.parts]
        before = _visible(self.folder)
        if not parts and not self.keys and (self.overwrite or not before):
            # No rows, but columns.
            name = _part_name(self.write_id, 0)
            path = os.path.join(self.folder, name)
            write(path, self._empty(), **self.options)
            parts = [(name, 0, os.path.getsize(path))]
        is_table = bool(_snapshots(self.folder))
        if self.overwrite and (before or is_table):
            self._replace(parts)
            if is_table:
                _expire(self.folder)
            else:
                for path in before:
                    _remove(path)
        else:
            _store(self.folder, *_manifest(self.write_id, parts))
        self._clear({path for path, _, _ in parts})

    def _replace(self, parts: list[tuple[str, int, int]]) -> None:
        """Stores a snapshot of these parts alone: a reader sees the rows that were there before, or these."""
        columns = io.BytesIO()
        write(columns, self._empty().drop_columns(self.keys))
        while True:
            number, name, snapshot = _snapshot(self.folder, self.write_id, parts, columns.getvalue())
            _store(self.folder, *_manifest(self.write_id, parts, number))
            try:
                _store(self.folder, name, snapshot, is_new=True)
                return
            except FileExistsError:  # another change was faster, and is replaced
                pass

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Takes away what tasks have written. Spark asks for it after a commit that fails, too: then readers may see the parts."""
        if not any(f"part-w{self.write_id}-" in os.path.basename(path) for path in _visible(self.folder)):
            _remove(os.path.join(self.folder, _manifest(self.write_id, [])[0]))
            self._clear(set())

    def _clear(self, kept: set[str]) -> None:
        """Takes away the parts of this write that do not count. One that an attempt writes later stays, and does not count."""
        folder = pathlib.Path(self.folder)
        for path in folder.rglob(f"part-w{self.write_id}-*"):
            if path.relative_to(folder).as_posix() not in kept:
                path.unlink(missing_ok=True)


class _Task:
    """The parts of an attempt."""

    def __init__(self, writer: TrevniWriter, number: int) -> None:
        self.of, self.number = writer, number
        self.writers: dict[str, tuple[str, Writer]] = {}
        self.parts: list[tuple[str, int, int]] = []
        self.paths: list[str] = []

    def write(self, place: str, rows: pa.RecordBatch) -> None:
        path, writer = self.writers.pop(place, None) or self._new(place, rows.schema)
        self.writers[place] = (path, writer)  # the last that was written to
        writer.write(rows)

    def _new(self, place: str, schema: pa.Schema) -> tuple[str, Writer]:
        if len(self.writers) == OPEN_FILES:
            self._close(next(iter(self.writers)))
        name = _part_name(self.of.write_id, self.number)
        path = f"{place}/{name}" if place else name
        file = os.path.join(self.of.folder, path)
        if place:
            os.makedirs(os.path.dirname(file), exist_ok=True)
        self.paths.append(file)
        return path, Writer(file, schema, **self.of.options)

    def _close(self, place: str) -> None:
        path, writer = self.writers.pop(place)
        rows = writer.num_rows
        writer.close()
        self.parts.append((path, rows, os.path.getsize(os.path.join(self.of.folder, path))))

    def end(self) -> Parts:
        for place in list(self.writers):
            self._close(place)
        return Parts(self.number, self.parts)

    def remove(self) -> None:
        self.writers.clear()
        for path in self.paths:
            pathlib.Path(path).unlink(missing_ok=True)


def _store(folder: str, name: str, content: bytes, is_new: bool = False) -> None:
    """Stores a file in one step; fails if ``is_new`` and there is one of its name."""
    path = pathlib.Path(folder, name)
    path.parent.mkdir(exist_ok=True)
    whole = path.parent / f".{uuid.uuid4().hex}"
    try:
        whole.write_bytes(content)
        if is_new and _link(whole, path):
            return
        os.replace(whole, path)
    finally:
        whole.unlink(missing_ok=True)


def _link(whole: pathlib.Path, path: pathlib.Path) -> bool:
    """Gives a file another name, which must be new; false where the file system has no hard links and the name is free."""
    try:
        os.link(whole, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        if path.exists():
            raise FileExistsError(path) from error
        return False
    return True


def _snapshots(folder: str) -> list[pathlib.Path]:
    """The snapshots of a folder, the last one last."""
    return sorted(pathlib.Path(folder, _TABLE).glob("*.snapshot"))


def _expire(folder: str) -> None:
    """Removes the files that only such snapshots have as were replaced a week ago."""
    snapshots = _snapshots(folder)
    limit = time.time() - _KEPT
    replaced = 0
    while replaced + 1 < len(snapshots) and snapshots[replaced + 1].stat().st_mtime < limit:
        replaced += 1
    if replaced:
        kept = {path for snapshot in snapshots[replaced:] for path in _paths(snapshot)}
        gone = {path for snapshot in snapshots[:replaced] for path in _paths(snapshot)}
        # What was added between two snapshots is in neither: its manifest lists it, and the first that is kept names its write.
        for write in open(snapshots[replaced]).metadata["table.writes"].decode().split():
            gone.update(path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob(f"part-w{write}-*"))
        for path in gone - kept:
            _remove(os.path.join(folder, path))
        for snapshot in snapshots[:replaced]:
            _remove(snapshot)


def _paths(snapshot: pathlib.Path) -> list[str]:
    """The parts of a snapshot."""
    paths: list[str] = pa.table(open(snapshot).select(["path"]))["path"].to_pylist()
    return paths


def _remove(path: str | os.PathLike[str]) -> None:
    pathlib.Path(path).unlink(missing_ok=True)


def _row(schema: pa.Schema) -> pa.RecordBatch:
    """A row of nulls."""
    return pa.record_batch([pa.nulls(1, field.type) for field in schema], names=schema.names)


def _visible(folder: str) -> list[str]:
    """The files of a folder that readers see."""
    if not any(pathlib.Path(folder).rglob(f"*{ending}") for ending in ENDINGS):
        return []
    try:
        return [os.fspath(path) for path in Dataset(folder).files]
    except (UsageError, FileNotFoundError):  # there are parts that do not count, and no others
        return []


def _options(options: Mapping[str, str]) -> dict[str, Any]:
    known: dict[str, Any] = {name: options[name] for name in _TEXTS if name in options}
    for name in _NUMBERS:
        if name in options:
            try:
                known[name] = int(options[name])
            except ValueError:
                raise UsageError(f"option {name} is a number, not {options[name]}") from None
    return known
