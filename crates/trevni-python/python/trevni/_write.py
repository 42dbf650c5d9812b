"""Folders of files, and files of Parquet."""

from __future__ import annotations

import datetime
import decimal
import os
import pathlib
import re
import urllib.parse
import uuid
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from ._errors import UsageError
from ._files import ENDINGS, NULL
from ._trevni import Reader, Writer, open, write

if TYPE_CHECKING:
    import pyarrow

#: Files that are open at a time.
OPEN_FILES = 100


def write_dataset(
    folder: str | os.PathLike[str],
    rows: Any,
    *,
    partition_by: str | Iterable[str] = (),
    existing: str = "error",
    rows_per_file: int | None = None,
    **options: Any,
) -> list[pathlib.Path]:
    """Writes rows to files of a folder, which ``Dataset`` reads as one, and returns their paths. It needs pyarrow.

    * ``partition_by``: columns whose values are the names of folders, ``day=2024-02-29``, and not in the files.
    * ``existing``: what becomes of column files in the folder: "error", "append", which keeps them, or "overwrite", which removes them
      when the new ones are there.
    * ``rows_per_file``: the most rows of a file; all of a folder unless it is said.
    * Other options are those of ``write``.

    The files have their names when all are whole; there are none where it raises.

    >>> [path.parent.name for path in trevni.write_dataset("by-carrier", trevni.open(flights), partition_by="carrier")]
    ['carrier=AA', 'carrier=B6', 'carrier=UA']
    >>> trevni.Dataset("by-carrier").columns
    ['delay', 'distance', 'carrier']
    """
    import pyarrow

    folder, keys = pathlib.Path(folder), [partition_by] if isinstance(partition_by, str) else list(partition_by)
    if existing not in ("error", "append", "overwrite"):
        raise ValueError(f'existing is "error", "append" or "overwrite", not {existing!r}')
    if rows_per_file is not None and rows_per_file < 1:
        raise ValueError(f"rows_per_file is at least 1, not {rows_per_file}")
    before = [path for ending in ENDINGS for path in folder.rglob(f"*{ending}") if not path.name.startswith(".")]
    if before and existing == "error":
        raise FileExistsError(f"{folder} has column files: existing is \"append\" or \"overwrite\"")
    parts = _Parts(folder, rows_per_file, options)
    with parts:
        for batch in _batches(pyarrow, rows):
            for name in keys:
                if batch.schema.get_field_index(name) < 0:
                    raise UsageError(f"partition_by: no column {name!r}; there are {', '.join(batch.schema.names)}")
            for place, some in _divided(pyarrow, batch, keys):
                parts.write(place, some)
        if not parts.files and not keys:  # a table without rows has columns
            parts.write("", batch)
    if existing == "overwrite":
        for path in before:
            path.unlink()
    return parts.named


def from_parquet(source: Any, file: Any, **options: Any) -> int:
    """Writes the rows of a Parquet file, which pyarrow reads, to a column file, and returns their number; options are those of ``write``.

    >>> import pyarrow.parquet
    >>> pyarrow.parquet.write_table(trevni.open(flights).to_arrow(), "flights.parquet")
    >>> trevni.from_parquet("flights.parquet", "copy.trv", codec="zstandard")
    3
    """
    import pyarrow
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(source) as parquet:
        reader = pyarrow.RecordBatchReader.from_batches(parquet.schema_arrow, parquet.iter_batches())
        return write(file, reader, **options)


def to_parquet(source: Any, file: Any, **options: Any) -> int:
    """Writes the rows of a reader, or of what ``open`` takes, to a Parquet file, and returns their number; options are those of
    ``pyarrow.parquet.ParquetWriter``.

    >>> trevni.to_parquet(flights, "flights.parquet", compression="zstd")
    3
    """
    import pyarrow
    import pyarrow.parquet

    reader = source if isinstance(source, Reader) else open(source)
    reader._check_unions("Parquet")
    count = 0
    with pyarrow.parquet.ParquetWriter(file, pyarrow.schema(reader.schema), **options) as parquet:
        for batch in reader.batches():
            parquet.write_batch(pyarrow.record_batch(batch))
            count += len(batch)
    return count


def _batches(pyarrow: Any, rows: Any) -> Iterator[pyarrow.RecordBatch]:
    if hasattr(rows, "__arrow_c_stream__"):
        reader = pyarrow.RecordBatchReader.from_stream(rows)
        yield from reader
        yield pyarrow.RecordBatch.from_pylist([], schema=reader.schema)
    elif hasattr(rows, "__arrow_c_array__"):
        yield pyarrow.record_batch(rows)
    elif isinstance(rows, Iterable) and not isinstance(rows, (str, bytes, dict)):
        is_empty = True
        for some in rows:
            is_empty = False
            yield from _batches(pyarrow, some)
        if is_empty:
            raise ValueError("there are no batches, so there are no columns")
    else:
        raise TypeError(f"a table or batches of a library that knows Arrow are needed, not {type(rows).__name__}")


def _divided(pyarrow: Any, batch: pyarrow.RecordBatch, keys: list[str]) -> Iterator[tuple[str, pyarrow.RecordBatch]]:
    """The rows of a batch by their folders."""
    if not keys:
        if batch.num_rows:
            yield "", batch
        return
    rest = [name for name in batch.schema.names if name not in keys]
    if not rest:
        raise UsageError("partition_by: no column is left for the files")
    columns = {name: batch.column(name) for name in keys}
    plain = {name: column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column for name, column in columns.items()}
    for name, column in plain.items():
        if pyarrow.types.is_nested(column.type) or pyarrow.types.is_binary(column.type) or pyarrow.types.is_large_binary(column.type):
            raise UsageError(f"partition_by: column {name!r} is {column.type}, which is no name of a folder")
    rows = pyarrow.array(range(batch.num_rows), pyarrow.int64())
    numbered = pyarrow.table([*plain.values(), rows], names=[*(f"key {at}" for at in range(len(keys))), "row"])
    grouped = numbered.group_by(numbered.column_names[:-1], use_threads=False).aggregate([("row", "list")])
    for at in range(grouped.num_rows):
        values = (grouped[f"key {place}"][at].as_py() for place in range(len(keys)))
        place = "/".join(f"{urllib.parse.quote(key, safe='')}={_name_of(value)}" for key, value in zip(keys, values))
        yield place, batch.select(rest).take(grouped["row_list"][at].values)


def _name_of(value: Any) -> str:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        value = value.isoformat()
    elif isinstance(value, decimal.Decimal):
        value = f"{value:f}"
    # Spaces and the like stay readable; dots alone would be other folders.
    name = urllib.parse.quote(str(value), safe=" !$&'()+,;@[]~")
    return name.replace(".", "%2E") if set(name) == {"."} else name


class _Parts:
    """Files that get their names when all are whole."""

    def __init__(self, folder: pathlib.Path, rows_per_file: int | None, options: dict[str, Any]) -> None:
        self.folder, self.rows_per_file, self.options = folder, rows_per_file, options
        self.writers: dict[str, Writer] = {}
        self.files: list[tuple[str, pathlib.Path]] = []
        self.named: list[pathlib.Path] = []

    def write(self, place: str, batch: pyarrow.RecordBatch) -> None:
        at = 0
        while True:
            writer = self.writers.pop(place, None) or self._new(place, batch.schema)
            self.writers[place] = writer  # the last that was written to
            room = batch.num_rows if self.rows_per_file is None else self.rows_per_file - writer.num_rows
            writer.write(batch.slice(at, room))
            at += room
            if writer.num_rows == self.rows_per_file:
                self.writers.pop(place).close()
            if at >= batch.num_rows:
                return

    def _new(self, place: str, schema: pyarrow.Schema) -> Writer:
        if len(self.writers) == OPEN_FILES:
            self.writers.pop(next(iter(self.writers))).close()
        folder = self.folder / place
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f".part-{uuid.uuid4().hex}"
        self.files.append((place, file))
        return Writer(file, schema, **self.options)

    def __enter__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def __exit__(self, kind: Any, *_exception: Any) -> None:
        writers, self.writers = self.writers, {}
        try:
            if kind is None:
                for writer in writers.values():
                    writer.close()
                self._name()
        finally:
            for _, file in self.files:
                file.unlink(missing_ok=True)

    def _name(self) -> None:
        """Gives each file the next number of its folder that no file has."""
        ending = ".redelm" if self.options.get("format") == "redelm" else ".trv"
        next_number: dict[str, int] = {}
        for place, file in sorted(self.files, key=lambda one: one[0]):
            folder = self.folder / place
            if place not in next_number:
                numbers = [int(found[1]) for path in folder.iterdir() if (found := re.match(r"part-(?:\w-)?(\d+)\.", path.name))]
                next_number[place] = max(numbers, default=-1) + 1
            while True:
                path = folder / f"part-{next_number[place]:05}{ending}"
                next_number[place] += 1
                try:
                    os.link(file, path)  # unlike a renaming, it replaces no file of another writer
                    break
                except FileExistsError:
                    continue
                except OSError:  # a file system without links
                    if not path.exists():
                        file.rename(path)
                        break
            self.named.append(path)
