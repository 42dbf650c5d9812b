"""Conditions of Spark as conditions of ``Reader.filter``.

Spark does not evaluate a filter again that a source takes. So a filter is taken only where both mean the same for each
value of the column's type; of others, some still leave out blocks, and Spark evaluates them on the rows that are left.
"""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

from pyspark.sql import datasource as source
from pyspark.sql import types as spark

from .._expression import Expression, col

_OPERATORS = {
    source.EqualTo: "=",
    source.EqualNullSafe: "=",
    source.GreaterThan: ">",
    source.GreaterThanOrEqual: ">=",
    source.LessThan: "<",
    source.LessThanOrEqual: "<=",
}
_TEXTS = {
    source.StringStartsWith: "starts with",
    source.StringEndsWith: "ends with",
    source.StringContains: "contains",
}
_INTEGERS = (spark.ByteType, spark.ShortType, spark.IntegerType, spark.LongType)
_FLOATS = (spark.FloatType, spark.DoubleType)


class Unknown(Exception):
    """This filter has no counterpart."""


class Pushed:
    """A filter, what is true wherever it is, and whether that is true nowhere else."""

    def __init__(self, filter: source.Filter, schema: spark.StructType) -> None:
        self.filter = filter
        self.column = _attribute(filter)[0]
        self.condition, self.is_exact = _condition(filter, schema)

    def keeps_nulls(self) -> bool:
        """Whether rows are left where the column is null."""
        return _of_null(self.filter) is True


def _attribute(filter: Any) -> tuple[str, ...]:
    return _attribute(filter.child) if isinstance(filter, source.Not) else filter.attribute


def _of_null(filter: Any) -> bool | None:
    """What a filter makes of null; none where that is unknown."""
    if isinstance(filter, source.Not):
        inner = _of_null(filter.child)
        return None if inner is None else not inner
    if isinstance(filter, source.IsNull):
        return True
    if isinstance(filter, source.IsNotNull):
        return False
    if isinstance(filter, source.EqualNullSafe):
        return filter.value is None
    return None


def _condition(filter: Any, schema: spark.StructType) -> tuple[Expression, bool]:
    attribute = _attribute(filter)
    if len(attribute) != 1 or attribute[0] not in schema.names:
        # What lies in a record may be null where the record is.
        raise Unknown
    kind, field = schema[attribute[0]].dataType, col(attribute[0])
    if isinstance(filter, source.Not):
        return _negated(filter.child, kind, field)
    return _plain(filter, kind, field)


def _negated(filter: Any, kind: spark.DataType, field: Expression) -> tuple[Expression, bool]:
    if isinstance(filter, source.EqualNullSafe) and filter.value is not None:
        equal, is_exact = _plain(filter, kind, field)
        if not is_exact:
            raise Unknown
        return ~equal | field.is_null(), True
    condition, is_exact = _plain(filter, kind, field)
    if not is_exact:
        # The opposite of what is true for more rows is true for fewer.
        raise Unknown
    return ~condition, True


def _plain(filter: Any, kind: spark.DataType, field: Expression) -> tuple[Expression, bool]:
    if isinstance(filter, source.IsNull):
        return field.is_null(), True
    if isinstance(filter, source.IsNotNull):
        return field.is_not_null(), True
    if type(filter) in _TEXTS and isinstance(kind, spark.StringType):
        return Expression(f"({field} {_TEXTS[type(filter)]} {_literal(filter.value, kind)})"), True
    if isinstance(filter, source.In):
        return _within(filter, kind, field)
    operator = _OPERATORS.get(type(filter))
    if operator is None:
        raise Unknown
    if filter.value is None:
        if isinstance(filter, source.EqualNullSafe):
            return field.is_null(), True
        raise Unknown
    if isinstance(kind, _FLOATS):
        return _float(operator, filter.value, kind, field)
    return Expression(f"({field} {operator} {_literal(filter.value, kind)})"), True


def _within(filter: Any, kind: spark.DataType, field: Expression) -> tuple[Expression, bool]:
    values = [value for value in filter.value if value is not None]
    if len(values) < len(filter.value) or not values or isinstance(kind, _FLOATS):
        raise Unknown
    return Expression(f"({field} in ({', '.join(_literal(value, kind) for value in values)}))"), True


def _float(operator: str, value: Any, kind: spark.DataType, field: Expression) -> tuple[Expression, bool]:
    """In Spark, NaN is equal to itself and greater than all numbers; here no number is like it."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise Unknown
    text = repr(float(value))
    turned = {">": "<=", ">=": "<"}.get(operator)
    if turned is not None:
        return Expression(f"(not ({field} {turned} {text}))"), False
    return Expression(f"({field} {operator} {text})"), False


def _literal(value: Any, kind: spark.DataType) -> str:
    """The text of a value, where values of the column compare with it as in Spark."""
    from .._expression import literal

    if isinstance(kind, spark.BooleanType) and isinstance(value, bool):
        return literal(value)
    if isinstance(kind, _INTEGERS) and isinstance(value, int) and not isinstance(value, bool):
        return literal(value)
    if type(kind) is spark.StringType and kind == spark.StringType() and isinstance(value, str):
        return literal(value)
    if isinstance(kind, spark.DecimalType) and isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool):
        return literal(decimal.Decimal(value))
    is_instant = isinstance(value, datetime.datetime)
    if isinstance(kind, spark.DateType) and isinstance(value, datetime.date) and not is_instant:
        return literal(value)
    if isinstance(kind, spark.TimestampType) and is_instant and value.tzinfo is not None:
        return literal(value)
    if isinstance(kind, spark.TimestampNTZType) and is_instant and value.tzinfo is None:
        return literal(value)
    raise Unknown
