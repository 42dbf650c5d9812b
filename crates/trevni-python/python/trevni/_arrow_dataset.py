"""A reader as a dataset of pyarrow, through which DuckDB and others leave columns and conditions to the file.

They know such a table by its class. pyarrow's own datasets read files of the formats that it knows, so this one is a dataset of one file
in Arrow's format: the rows of the reader, made where a library asks for that file and not for a scanner.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ._arrow_expression import conditions_of, fields_of
from ._expression import path

if TYPE_CHECKING:
    import pyarrow.dataset

    from ._trevni import Reader


def dataset(reader: Reader) -> pyarrow.dataset.Dataset:
    """The rows of a reader as a dataset of pyarrow."""
    return _dataset_class()(reader)


class _AsFile:
    """The rows as a file in Arrow's format, for pyarrow's adapter of file systems."""

    protocol = "trevni"

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def isfile(self, path: str) -> bool:
        return True

    def info(self, path: str) -> dict[str, Any]:
        return {"type": "file", "size": None}

    def open(self, path: str, mode: str = "rb") -> Any:
        import pyarrow

        table = pyarrow.table(self.reader)
        file = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        return pyarrow.BufferReader(file.getvalue())


@functools.cache
def _dataset_class() -> type:
    import pyarrow
    import pyarrow.dataset
    from pyarrow.fs import FSSpecHandler, PyFileSystem

    Scanner = pyarrow.dataset.Scanner

    class Dataset(pyarrow.dataset.FileSystemDataset):
        """Rows of column files as a dataset of pyarrow: what ``Reader.dataset`` returns."""

        def __init__(self, reader: Reader) -> None:
            form = pyarrow.dataset.IpcFileFormat()
            files = PyFileSystem(FSSpecHandler(_AsFile(reader)))
            fragment = form.make_fragment("rows.arrow", filesystem=files)
            super().__init__([fragment], pyarrow.schema(reader.schema), form, filesystem=files)
            self._reader = reader

        def scanner(self, columns: Any = None, filter: Any = None, batch_size: int | None = None, **_options: Any) -> Any:
            """A scanner of some columns and rows, for which only these are read; other options are without effect."""
            rows, names, rest = self._reader, columns, filter
            if filter is not None:
                rows, rest = self._filtered(filter)
            if isinstance(columns, dict):
                names = [name for value in columns.values() for name, *_ in fields_of(value)]
            if names is not None:
                if rest is not None:
                    names = [*names, *(name for name, *_ in fields_of(rest))]
                names = dict.fromkeys(names) or self.schema.names[:1]  # rows without columns are counted by one
                rows = rows.select([path(name) for name in names])
            stream = pyarrow.RecordBatchReader.from_stream(rows if batch_size is None else rows.batches(batch_size))
            return Scanner.from_batches(stream, columns=columns, filter=rest)

        def count_rows(self, filter: Any = None, **options: Any) -> int:
            """The number of rows for which a condition is true."""
            if filter is None:
                return len(self._reader)
            rows, rest = self._filtered(filter)
            return len(rows) if rest is None else super().count_rows(filter=filter, **options)

        def filter(self, expression: Any) -> Any:
            """A dataset of the rows for which a condition is true; it has to be one of the file's."""
            return Dataset(self._reader.filter(expression))

        @property
        def files(self) -> list[str]:
            """The paths of the files."""
            return [str(file) for file in self._reader.files]

        def _filtered(self, condition: Any) -> tuple[Reader, Any]:
            """The rows that the file finds, and the condition where these may be too many."""
            rows = self._reader
            known, is_all = conditions_of(condition, rows)
            for part in known:
                rows = rows.filter(part)
            return rows, None if is_all else condition

        def __reduce__(self) -> Any:
            return dataset, (self._reader,)

        def __repr__(self) -> str:
            return f"<trevni dataset of {self._reader!r}>"

    return Dataset
