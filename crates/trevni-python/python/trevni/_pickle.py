"""Readers, schemas and batches made again from what ``pickle`` has stored."""

from __future__ import annotations

import io
from typing import Any

from . import _trevni


def reader(function: str, source: Any, options: dict[str, Any], steps: list[tuple[str, Any]]) -> Any:
    """A reader of the same files, of which the same columns and rows are chosen."""
    made = getattr(_trevni, function)(source, **options)
    for method, argument in steps:
        made = getattr(made, method)(argument)
    return made


def schema(file: bytes) -> Any:
    """The columns of a file."""
    return _trevni.open(file).schema


def batch(file: bytes) -> Any:
    """The rows of a file."""
    made = _trevni.open(file)
    return made.take(range(len(made)))


def file_of(schema: Any, rows: Any = None) -> bytes:
    """A file of some columns, and of a batch of rows."""
    file = io.BytesIO()
    with _trevni.Writer(file, schema) as writer:
        if rows is not None:
            writer.write(rows)
    return file.getvalue()
