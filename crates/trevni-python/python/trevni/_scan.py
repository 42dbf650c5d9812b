"""Lazy frames of polars, which leave columns and conditions to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from ._errors import UsageError
from ._expression import path
from ._polars import conditions_of
from ._trevni import Reader, open

if TYPE_CHECKING:
    import polars


def scan(source: Any, **options: Any) -> polars.LazyFrame:
    """A ``polars.LazyFrame`` of a file, a folder, bytes, or a reader; options are those of ``open``.

    Only the columns that the query needs are read, and of these only the blocks that can have rows for its filters. DuckDB
    passes its columns and filters to lazy frames too.

    >>> import polars
    >>> trevni.scan(flights).filter(polars.col("distance") > 2000).select("carrier").collect().rows()
    [('UA',)]
    """
    import polars
    from polars.io.plugins import register_io_source

    reader = source if isinstance(source, Reader) else open(source, **options)
    reader._check_unions("polars")
    schema = polars.Schema(reader.schema)

    def batches(
        columns: list[str] | None,
        predicate: polars.Expr | None,
        row_count: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        rows = reader if row_count is None else reader.slice(0, row_count)  # polars counts before it filters
        if predicate is not None:
            for condition in conditions_of(predicate, rows):
                try:
                    rows = rows.filter(condition)
                except UsageError:  # which polars may still compute
                    pass
        if columns is not None:
            needed = list(columns)
            if predicate is not None:
                needed += [name for name in predicate.meta.root_names() if name not in needed]
            rows = rows.select([path(name) for name in needed])
        for batch in rows.batches(batch_size):
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if columns is None else frame.select(columns)

    return register_io_source(batches, schema=schema, is_pure=True)
