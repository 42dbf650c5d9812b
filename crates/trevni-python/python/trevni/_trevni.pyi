from os import PathLike
from typing import Any, AsyncIterator, Awaitable, Iterable, Iterator, Literal, Mapping, Protocol, Sequence, TypedDict, final, overload

from ._expression import Expression
from ._schema import Field

__version__: str

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def seek(self, place: int, whence: int = 0, /) -> int: ...

class _Writable(Protocol):
    def write(self, data: bytes, /) -> int | None: ...

_Path = str | PathLike[str]
_Unions = Literal["sparse", "json", "string", "struct"]

class _Lost(TypedDict):
    file: PathLike[str] | None
    rows: range
    error: str

class Reader:
    """Rows and columns of a file: what `trevni.open` returns.

    Nothing is read before it is asked for. `select` and `filter` give new readers of fewer columns and rows. Libraries
    that know Arrow take a reader as it is, as often as they like: `polars.DataFrame(reader)`, `pyarrow.table(reader)`,
    `duckdb.sql("select * from reader")`.

    >>> import trevni
    >>> reader = trevni.open(flights)
    >>> reader.columns
    ['carrier', 'delay', 'distance']
    >>> late = reader.filter("delay > 60").select(["carrier"])
    >>> list(late)
    [{'carrier': 'AA'}]
    """
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def schema(self) -> Schema:
        """The names and types of the columns."""
    @property
    def avro_schema(self) -> str:
        """The schema of the rows as Avro has it, as JSON."""
    @property
    def num_rows(self) -> int:
        """The number of rows: those that `filter` left. The columns of its condition are read for this."""
    @property
    def metadata(self) -> dict[str, bytes]:
        """The metadata of the file, without those that belong to the format; of several files, those of the first."""
    @property
    def files(self) -> list[PathLike[str] | str]:
        """The paths of the files, of which there may be several in a dataset, or their URLs as strings; none for bytes."""
    @property
    def bytes_read(self) -> int:
        """How many bytes of blocks are read for the rows and columns of this reader."""
    @property
    def lost(self) -> list[_Lost]:
        """What is lost in damaged blocks of the columns of this reader, where it was opened with `salvage=True`: for each
        place the file, the numbers of its rows in the file, and what is wrong. Several may cost the same rows.
        """
    def select(self, columns: str | Iterable[str]) -> Reader:
        """A reader of some columns, in this order.

        A path such as "sender.host" names a field within a record or a list; names with dots and other characters are in back
        quotes: "sender.`first name`".

        >>> trevni.open(flights).select(["distance", "carrier"]).columns
        ['distance', 'carrier']
        """
    def filter(self, condition: Any) -> Reader:
        """A reader of the rows for which a condition is true: a string, made of `trevni.col`, or an expression of polars or pyarrow.

        Blocks that have no such rows are not read. The condition may name columns that `select` left out. Of other libraries' expressions
        those are taken that mean the same here for each value; of others an error says which part it is.

        >>> trevni.open(flights).filter("carrier = 'UA' or distance < 1000").num_rows
        2
        >>> trevni.open(flights).filter(trevni.col("delay").is_null()).num_rows
        1
        """
    def head(self, rows: int = 5) -> Reader:
        """A reader of the first rows.

        >>> trevni.open(flights).head(1).num_rows
        1
        """
    def sample(self, rows: int, seed: int | None = None) -> Reader:
        """A reader of some rows, chosen by chance, in their order; the same ones with the same `seed`.

        >>> trevni.open(flights).sample(2, seed=1).num_rows
        2
        """
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> Reader: ...
    def slice(self, offset: int, length: int | None = None) -> Reader:
        """A reader of some rows: `length` of these, or all, from the row `offset` on.

        >>> [row["carrier"] for row in trevni.open(flights).slice(1, 5)]
        ['UA', 'B6']
        """
    def to_arrow(self) -> Any:
        """All rows as a `pyarrow.Table`; the reader itself where pyarrow is not installed.

        >>> trevni.open(flights).to_arrow().num_rows
        3
        """
    def to_pandas(self) -> Any:
        """All rows as a `pandas.DataFrame`."""
    def to_polars(self) -> Any:
        """All rows as a `polars.DataFrame`."""
    def lazy(self) -> Any:
        """The rows as a `polars.LazyFrame`, which leaves columns and conditions to the file: `trevni.scan` of this reader.

        >>> trevni.open(flights).lazy().select("carrier").head(1).collect().rows()
        [('AA',)]
        """
    def dataset(self) -> Any:
        """The rows as a `pyarrow.dataset.Dataset`, which leaves columns and conditions to the file. DuckDB passes those of a query to it.

        >>> import duckdb
        >>> rows = trevni.open(flights).dataset()
        >>> duckdb.sql("select carrier from rows where distance > 2000").fetchall()
        [('UA',)]
        """
    def aggregate(self, aggregates: str | Iterable[str], by: str | Iterable[str] | None = None) -> RecordBatch:
        """What the rows come to, in one batch: aggregates such as "count()", "sum(distance)" or "late = quantile(delay, 0.9)", of all rows or of
        each group that has the same values of `by`.

        >>> trevni.open(flights).aggregate(["count()", "mean(distance)"]).to_list()
        [{'count': 3, 'mean_distance': 1502.6666666666667}]
        >>> trevni.open(flights).aggregate("n = count()", by="delay is null").to_list()
        [{'delay is null': False, 'n': 2}, {'delay is null': True, 'n': 1}]
        """
    def storage(self) -> list[dict[str, Any]]:
        """The columns of the files as they are stored, as dicts that make a table, such as `polars.DataFrame(reader.storage())`: `file`, `column`,
        `type`, `codec`, `checksum`, `blocks`, `bytes`, and `bytes_decompressed`. Fields of records and lists are columns of their own.

        >>> [(column["column"], column["type"], column["blocks"]) for column in trevni.open(flights).storage()][:2]
        [('carrier', 'string', 1), ('delay', 'int', 1)]
        """
    def zone_maps(self) -> list[dict[str, Any]]:
        """The blocks of the columns and what the files know of their values, as dicts that make a table: `file`, `column`, `block`, `first_row`,
        `rows`, `bytes`, `nulls`, `values`, `min`, `max`. Bounds are values as stored, so dates are days, and long strings are cut off.

        >>> [(block["column"], block["min"], block["max"]) for block in trevni.open(flights).zone_maps()]
        [('carrier', 'AA', 'UA'), ('delay', -3, 80), ('distance', 944.0, 2475.0)]
        """
    def batches(self, batch_size: int | None = None) -> Batches:
        """The rows in batches of at most `batch_size` rows, one at a time.

        >>> [batch.num_rows for batch in trevni.open(flights).batches(2)]
        [2, 1]
        """
    def row(self, number: int) -> dict[str, Any]:
        """One row as a dict, by its number among the rows of this reader; from the end if it is negative.

        Only the blocks with this row are read. Rows beside those that were asked for before are decoded with them, so that
        rows in their order, or nearly so, take less time each.

        >>> trevni.open(flights).row(1)
        {'carrier': 'UA', 'delay': None, 'distance': 2475.0}
        """
    def take(self, rows: Iterable[int]) -> RecordBatch:
        """Rows by their numbers among those of this reader, in the order of these, which may repeat; from the end if they are
        negative. Each block is decoded once.

        >>> trevni.open(flights).take([-1, 0, -1]).to_list()[1]
        {'carrier': 'AA', 'delay': 80, 'distance': 1089.0}
        """
    def explain(self) -> str:
        """What is read for the rows and columns of this reader, and what is skipped, as a text."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Rows: ...
    def __enter__(self) -> Reader: ...
    def __exit__(self, *exception: object) -> bool: ...

@final
class Dataset(Reader):
    """The files of a folder, read as one.

    Fields are matched by name; one that only some files have is null in the rows of the others. Where types differ, the column has one
    that has the values of all: the finer unit, the larger decimal, the categories of both. Types without a common type are an error.

    >>> trevni.Dataset(folder).num_rows
    6
    """
    def __new__(
        cls,
        files: _Path | Sequence[_Path],
        *,
        threads: int | None = None,
        memory: int | None = None,
        block_bytes: int | None = None,
        values: int | None = None,
        lenient: bool = False,
        salvage: bool = False,
        schema: str | _ArrowSchema | None = None,
        aliases: Mapping[str, str | Sequence[str]] | None = None,
        recursive: bool = False,
        partition_types: Mapping[str, str] | None = None,
        unions: _Unions | None = None,
        plain_nulls: bool = False,
        filesystem: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> Dataset: ...

@final
class RecordBatch:
    """Some rows, in columns. Any library that knows Arrow takes it: `pyarrow.record_batch(batch)`,
    `polars.DataFrame(batch)`.
    """
    @property
    def num_rows(self) -> int:
        """The number of rows."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def schema(self) -> Schema:
        """The names and types of the columns."""
    def to_arrow(self) -> Any:
        """The rows as a `pyarrow.RecordBatch`."""
    def to_list(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Batches(Iterator[RecordBatch], AsyncIterator[RecordBatch]):
    """Batches of rows, one at a time. A library that takes it whole gets those that are left. `async for` reads them in a thread."""
    @property
    def schema(self) -> Schema:
        """The names and types of the columns."""
    def __iter__(self) -> Batches: ...
    def __next__(self) -> RecordBatch: ...
    def __aiter__(self) -> Batches: ...
    def __anext__(self) -> Awaitable[RecordBatch]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Rows(Iterator[dict[str, Any]]):
    """Rows as dicts, one at a time."""
    def __iter__(self) -> Rows: ...
    def __next__(self) -> dict[str, Any]: ...

@final
class Schema:
    """The columns of a file: their names and types.

    Any library that knows Arrow takes it: `pyarrow.schema(schema)`, `polars.Schema(schema)`. It iterates over its fields, which have a
    `name`, a `type` as pyarrow writes it, and `nullable`.

    >>> schema = trevni.open(flights).schema
    >>> print(schema)
    carrier: string
    delay: int32
    distance: double
    >>> [field.name for field in schema if field.type == "int32"], schema["delay"].type
    (['delay'], 'int32')
    """
    @property
    def names(self) -> list[str]:
        """The names of the columns."""
    def to_arrow(self) -> Any:
        """The schema as a `pyarrow.Schema`."""
    def __arrow_c_schema__(self) -> object: ...
    def __iter__(self) -> Iterator[Field]: ...
    def __getitem__(self, key: str | int) -> Field: ...
    def __contains__(self, name: str) -> bool: ...
    def __len__(self) -> int: ...

class _ArrowSchema(Protocol):
    def __arrow_c_schema__(self) -> object: ...

@final
class Writer:
    """Writes batches to a file as they are made.

    `file`, and the options, are those of `write`; `schema` is that of the rows, of any library that knows Arrow. The file is there after
    `close`, or at the end of a `with` without an exception; otherwise there is none.

    >>> import io, pyarrow
    >>> file = io.BytesIO()
    >>> with trevni.Writer(file, pyarrow.schema([("n", pyarrow.int64())])) as writer:
    ...     for number in range(3):
    ...         writer.write(pyarrow.table({"n": [number]}))
    >>> len(trevni.open(file.getvalue()))
    3
    """
    def __new__(
        cls,
        file: _Path | _Writable,
        schema: _ArrowSchema,
        *,
        codec: str | None = None,
        level: int | None = None,
        column_codecs: Mapping[str, str] | None = None,
        checksum: str | None = None,
        metadata: Mapping[str, str | bytes] | None = None,
        block_size: int | None = None,
        row_group_size: int | None = None,
        zone_maps: bool = True,
        format: str | None = None,
        threads: int | None = None,
        overwrite: bool = True,
        compression: str | None = None,
        compact: bool = False,
        interchange: bool = False,
        filesystem: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> Writer: ...
    @property
    def num_rows(self) -> int | None:
        """The number of rows written so far; none of a writer that is closed."""
    def write(self, rows: _ArrowStream | _ArrowArray | Iterable[_ArrowStream | _ArrowArray]) -> None:
        """Appends the rows of a table, a batch, or a stream of batches."""
    def close(self) -> None:
        """Completes the file. A writer that is closed stays so."""
    def __enter__(self) -> Writer: ...
    def __exit__(self, *exception: object) -> bool: ...

def open(
    source: _Path | bytes | bytearray | memoryview | _Readable,
    *,
    threads: int | None = None,
    memory: int | None = None,
    block_bytes: int | None = None,
    values: int | None = None,
    lenient: bool = False,
    salvage: bool = False,
    schema: str | _ArrowSchema | None = None,
    aliases: Mapping[str, str | Sequence[str]] | None = None,
    unions: _Unions | None = None,
    plain_nulls: bool = False,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Reader:
    """Opens a file: a path, a URL, bytes, or an open file with `seek` and `read`. A folder is opened as a `Dataset`.

    Columns are decoded by as many threads as there are processors, or as `threads` says; an open file is read by one.
    What a file may take is limited; a `LimitError` says which keyword raises the limit. `memory` is the most bytes that are
    held at once of the open file, 256 MiB unless it is said: files with larger values need more. `block_bytes` is the size of
    a block after decompression, 1 GiB; `values` how many rows a file may have, and values be read in one pass, beyond 1,024
    for each of its bytes: 2,147,483,648.

    * `salvage=True` passes over rows in damaged blocks; `Reader.lost` says which.
    * `lenient=True` reads files that Impala's writer cut off, whose columns have one entry too many.
    * `schema` is an Arrow schema of any library: the columns that are read, in its order and types. Or it is the Avro schema, as
      JSON, of files with levels that do not say it.
    * `aliases` has other names of fields: with `{"user": "user_name"}`, the field `user_name` of a file that has no `user` is
      read as this. Names are paths; a list has several old ones.
    * `unions` says what a union is for libraries without unions: "json", a string with the value as JSON; "string", the value alone as a
      string; "struct", a struct with a field for each variant; "sparse", a sparse union, which DuckDB takes.
    * `plain_nulls=True` reads a field that is sometimes absent and sometimes null as null in both cases, and not as a struct
      with the field `some`.
    * `filesystem` is one of fsspec or of pyarrow, in which the path is. A URL such as "s3://bucket/file.trv" is opened by fsspec, with
      `storage_options`.

    >>> with trevni.open(flights) as reader:
    ...     len(reader)
    3
    """
def write(
    file: _Path | _Writable,
    rows: _ArrowStream | _ArrowArray | Iterable[_ArrowStream | _ArrowArray],
    *,
    codec: str | None = None,
    level: int | None = None,
    column_codecs: Mapping[str, str] | None = None,
    checksum: str | None = None,
    metadata: Mapping[str, str | bytes] | None = None,
    block_size: int | None = None,
    row_group_size: int | None = None,
    zone_maps: bool = True,
    format: str | None = None,
    threads: int | None = None,
    overwrite: bool = True,
    schema: str | None = None,
    compression: str | None = None,
    compact: bool = False,
    interchange: bool = False,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> int:
    """Writes rows to a file and returns their number.

    `file` is a path, or an open file with `write`; `rows` a table or stream of any library that knows Arrow, or an
    iterable of such batches, which are written as they come. The types of Arrow come back when the file is read. At a
    path, the file is there when it is whole; with `overwrite=False`, it must not be there before.

    * `codec`, or `compression`: "snappy" (the default), "zstandard" or "zstd", "deflate", "lz4", "bzip2", "typed", "typed-zstandard", "archive",
      "auto", "null" or "none"; `level` is that of the codecs that have levels, and `column_codecs` has those of single columns, by their
      paths. Files of the format "redelm" have other codecs, "gzip" for one; an error names those of a format.
    * `checksum`: "crc32", or "null", the default.
    * `metadata`: strings or bytes by their keys; those that begin with "trevni." and a few others are reserved.
    * `block_size`: bytes of a block before it is compressed, which is the least that is read.
    * `zone_maps=False` leaves out what conditions need to skip blocks.
    * `format`: "trevni", "levels" or "redelm"; of the last, `row_group_size` is in bytes.
    * `schema`: the Avro schema of the rows, as JSON, which is kept as it is: names, documentation, symbols of enums. Its types have
      to be those of the columns.
    * `compact=True` makes small files of many columns smaller; other implementations of Trevni cannot read them.
    * `interchange=True` writes what Avro's Java reads: the format trevni with snappy.
    * `threads`: how many encode columns; as many as there are processors, unless it is said.
    * `filesystem` is one of fsspec or of pyarrow, in which the path is. A URL is written by fsspec, with `storage_options`.

    >>> import io, pyarrow
    >>> file = io.BytesIO()
    >>> trevni.write(file, pyarrow.table({"word": ["the", "end"]}), codec="zstandard", metadata={"by": "me"})
    2
    >>> trevni.open(file.getvalue()).metadata
    {'by': b'me'}
    """

def _write_id() -> str: ...
def _part_name(write: str, number: int) -> str: ...
def _manifest(write: str, parts: Sequence[tuple[str, int, int]], snapshot: int | None = None) -> tuple[str, bytes]: ...
def _snapshot(folder: str, write: str, parts: Sequence[tuple[str, int, int]], schema: bytes) -> tuple[int, str, bytes]: ...
