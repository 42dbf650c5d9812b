"""Trevni column files for Python.

``open`` reads a file, ``write`` makes one of any table that knows Arrow, ``Dataset`` reads a folder of files as one and ``write_dataset``
writes one, ``read_table``, ``read_pandas`` and ``read_polars`` read one in a call, ``scan`` gives polars a lazy frame, and ``col`` makes
conditions for ``Reader.filter``.

>>> reader = trevni.open(flights)
>>> reader.filter("distance > 1000").select(["carrier"]).to_arrow().to_pylist()
[{'carrier': 'AA'}, {'carrier': 'UA'}]
"""

from ._errors import (
    ArrowError,
    CorruptError,
    InternalError,
    LimitError,
    ShapeError,
    TrevniError,
    UnsupportedError,
    UsageError,
)
from ._expression import Expression, call, col, item, path
from ._read import read_pandas, read_polars, read_table
from ._scan import scan
from ._schema import Field
from ._trevni import Batches, Dataset, Reader, RecordBatch, Rows, Schema, Writer, __version__, open, write
from ._write import from_parquet, to_parquet, write_dataset

__all__ = [
    "ArrowError",
    "Batches",
    "CorruptError",
    "Dataset",
    "Expression",
    "Field",
    "InternalError",
    "LimitError",
    "Reader",
    "RecordBatch",
    "Rows",
    "Schema",
    "ShapeError",
    "TrevniError",
    "UnsupportedError",
    "UsageError",
    "Writer",
    "__version__",
    "call",
    "col",
    "from_parquet",
    "item",
    "open",
    "path",
    "read_pandas",
    "read_polars",
    "read_table",
    "scan",
    "to_parquet",
    "write",
    "write_dataset",
]
