"""Files as tables of one library, in one call, as libraries have it for other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from ._expression import Expression
from ._trevni import Reader, open

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def read_table(
    source: Any,
    columns: str | Iterable[str] | None = None,
    filters: str | Expression | None = None,
    **options: Any,
) -> pyarrow.Table:
    """A file, a folder or bytes as a ``pyarrow.Table``; options are those of ``open``.

    >>> trevni.read_table(flights, columns=["carrier"], filters="distance > 2000").to_pylist()
    [{'carrier': 'UA'}]
    """
    return _read(source, columns, filters, options).to_arrow()


def read_pandas(
    source: Any,
    columns: str | Iterable[str] | None = None,
    filters: str | Expression | None = None,
    **options: Any,
) -> pandas.DataFrame:
    """As ``read_table``, as a ``pandas.DataFrame``."""
    return _read(source, columns, filters, options).to_pandas()


def read_polars(
    source: Any,
    columns: str | Iterable[str] | None = None,
    filters: str | Expression | None = None,
    **options: Any,
) -> polars.DataFrame:
    """As ``read_table``, as a ``polars.DataFrame``."""
    return _read(source, columns, filters, options).to_polars()


def _read(source: Any, columns: Any, filters: Any, options: dict[str, Any]) -> Reader:
    reader = source if isinstance(source, Reader) else open(source, **options)
    if filters is not None:
        reader = reader.filter(filters)
    return reader if columns is None else reader.select(columns)
