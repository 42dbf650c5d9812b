"""Types of Arrow as types of Spark, and batches as Spark takes them."""

from __future__ import annotations

from typing import Any, Mapping

import pyarrow as pa
from pyspark.sql import types as spark
from pyspark.sql.pandas.types import to_arrow_schema

from .._errors import UnsupportedError, UsageError
from .._trevni import Dataset
from .files import Files

_EXACT = {
    pa.bool_(): spark.BooleanType(),
    pa.int8(): spark.ByteType(),
    pa.int16(): spark.ShortType(),
    pa.int32(): spark.IntegerType(),
    pa.int64(): spark.LongType(),
    pa.uint8(): spark.ShortType(),
    pa.uint16(): spark.IntegerType(),
    pa.uint32(): spark.LongType(),
    pa.uint64(): spark.DecimalType(20, 0),
    pa.float16(): spark.FloatType(),
    pa.float32(): spark.FloatType(),
    pa.float64(): spark.DoubleType(),
    pa.date32(): spark.DateType(),
    pa.date64(): spark.DateType(),
    pa.null(): spark.NullType(),
}


def schema_of(files: Files) -> spark.StructType:
    """The columns of all files."""
    found = files.found()
    if not found:
        raise UsageError(f"there are no files in {', '.join(files.paths)}")
    columns = {field.name: field for field in pa.schema(Dataset([file.path for file in found]).schema)}
    # What folders say stands in the place of what files say.
    for key in {key: None for file in found for key in file.keys}:
        values = {value for file in found if (value := file.keys.get(key)) is not None}
        columns[key] = pa.field(key, next(kind for kind in (pa.int64(), pa.date32(), pa.string()) if _are(values, kind)))
    schema = spark.StructType([_field(field) for field in columns.values()])
    if files.columns is None:
        return schema
    missing = [name for name in files.columns if name not in schema.names]
    if missing:
        raise UsageError(f"no column {missing[0]}; there are {', '.join(schema.names)}")
    return spark.StructType([schema[name] for name in files.columns])


def _are(values: set[str], kind: pa.DataType) -> bool:
    """Whether strings are those of values of a type, to the letter: 01 is no number."""
    try:
        cast = [pa.scalar(value).cast(kind).cast(pa.string()).as_py() for value in values]
    except pa.ArrowInvalid:
        return False
    return cast == list(values)


def _field(field: pa.Field) -> spark.StructField:
    try:
        return spark.StructField(field.name, _type(field.type), nullable=True)
    except UnsupportedError as error:
        raise UnsupportedError(f"column {field.name}: {error}") from None


def _type(kind: pa.DataType) -> spark.DataType:
    """The type of Spark that holds all values of a type of Arrow."""
    is_a = pa.types
    if kind in _EXACT:
        return _EXACT[kind]
    if is_a.is_dictionary(kind):
        return _type(kind.value_type)
    if is_a.is_string(kind) or is_a.is_large_string(kind) or is_a.is_string_view(kind):
        return spark.StringType()
    if is_a.is_binary(kind) or is_a.is_large_binary(kind) or is_a.is_fixed_size_binary(kind) or is_a.is_binary_view(kind):
        return spark.BinaryType()
    if is_a.is_timestamp(kind):
        return spark.TimestampNTZType() if kind.tz is None else spark.TimestampType()
    if is_a.is_decimal(kind):
        if kind.precision > 38 or not 0 <= kind.scale <= kind.precision:
            raise UnsupportedError(f"Spark has no type for {kind}")
        return spark.DecimalType(kind.precision, kind.scale)
    if is_a.is_time(kind):
        return spark.TimeType(6)
    if is_a.is_duration(kind):
        return spark.DayTimeIntervalType()
    if is_a.is_struct(kind):
        return spark.StructType([_field(field) for field in kind])
    if is_a.is_map(kind):
        return spark.MapType(_type(kind.key_type), _type(kind.item_type), valueContainsNull=True)
    if is_a.is_list(kind) or is_a.is_large_list(kind) or is_a.is_fixed_size_list(kind):
        return spark.ArrayType(_type(kind.value_type), containsNull=True)
    if isinstance(kind, pa.BaseExtensionType):
        return _type(kind.storage_type)
    raise UnsupportedError(f"Spark has no type for {kind}")


class Conforming:
    """Makes batches of files those of a table: names, order and types; a column that a file lacks is null."""

    def __init__(self, schema: spark.StructType, nanoseconds: str, keys: Mapping[str, str | None] = {}) -> None:
        self.schema = to_arrow_schema(schema, timezone="UTC")
        self.truncates = nanoseconds == "truncate"
        self.keys = keys

    def constants(self, rows: int) -> pa.Table:
        """A number of rows of the columns that have one value."""
        fields = [field for field in self.schema if field.name in self.keys]
        return pa.table([self.constant(field, rows) for field in fields], schema=pa.schema(fields))

    def constant(self, field: pa.Field, rows: int) -> pa.Array:
        value = pa.scalar(self.keys[field.name], pa.string())
        try:
            return pa.repeat(value.cast(field.type), rows)
        except pa.ArrowInvalid as error:
            raise UnsupportedError(f"column {field.name}, by the name of a folder: {error}") from None

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = [self.column(batch, field) for field in self.schema]
        if not columns:
            return pa.RecordBatch.from_struct_array(pa.array([{}] * batch.num_rows, pa.struct([])))
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def column(self, batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
        if field.name in self.keys:
            return self.constant(field, batch.num_rows)
        place = batch.schema.get_field_index(field.name)
        if place < 0:
            return pa.nulls(batch.num_rows, field.type)
        column = batch.column(place)
        try:
            return _cast(column, field.type, self.truncates)
        except pa.ArrowInvalid as error:
            hint = '; to cut them off: .option("nanoseconds", "truncate")' if "lose data" in str(error) else ""
            raise UnsupportedError(f"column {field.name}: {error}{hint}") from None


def _cast(array: pa.Array, kind: pa.DataType, truncates: bool) -> pa.Array:
    """An array as another type. Nothing is lost, but for nanoseconds where that is asked for."""
    if array.type == kind:
        return array
    if isinstance(array, pa.ExtensionArray):
        return _cast(array.storage, kind, truncates)
    is_a = pa.types
    if is_a.is_dictionary(array.type):
        return _cast(array.dictionary_decode(), kind, truncates)
    if is_a.is_struct(kind) and is_a.is_struct(array.type):
        return _struct(array, kind, truncates)
    if is_a.is_list(kind) and _is_list(array.type):
        # Fixed sizes become offsets; places that are null become empty.
        plain = array.cast(pa.list_(array.type.value_field))
        start, end = plain.offsets[0].as_py(), plain.offsets[-1].as_py()
        values = _cast(plain.values.slice(start, end - start), kind.value_type, truncates)
        return _lists(plain, start, pa.ListArray, [values], kind)
    if is_a.is_map(kind) and is_a.is_map(array.type):
        start, end = array.offsets[0].as_py(), array.offsets[-1].as_py()
        keys = _cast(array.keys.slice(start, end - start), kind.key_type, truncates)
        items = _cast(array.items.slice(start, end - start), kind.item_type, truncates)
        return _lists(array, start, pa.MapArray, [keys, items], kind)
    instants = is_a.is_temporal(array.type) and is_a.is_temporal(kind)
    return array.cast(kind, safe=not (instants and truncates))


def _is_list(kind: pa.DataType) -> bool:
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def _lists(lists: Any, start: int, made: Any, values: list[pa.Array], kind: pa.DataType) -> pa.Array:
    import pyarrow.compute as pc

    offsets = pc.subtract(lists.offsets, pa.scalar(start, pa.int32()))
    return made.from_arrays(offsets, *values, type=kind, mask=lists.is_null())


def _struct(array: pa.StructArray, kind: pa.StructType, truncates: bool) -> pa.StructArray:
    def child(field: pa.Field) -> pa.Array:
        place = array.type.get_field_index(field.name)
        if place < 0:
            return pa.nulls(len(array), field.type)
        return _cast(array.field(place), field.type, truncates)

    return pa.StructArray.from_arrays([child(field) for field in kind], fields=list(kind), mask=array.is_null())
