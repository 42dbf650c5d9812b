"""Conditions of polars as conditions of ``Reader.filter``.

polars computes each condition once more, on the rows that are left. So a condition here may keep more rows than that of
polars, but never fewer: what is not known to mean the same is left out.
"""

from __future__ import annotations

import datetime
import functools
import io
import json
import math
import warnings
from typing import TYPE_CHECKING, Any

from ._errors import UsageError
from ._expression import Expression, _Span, col, literal

if TYPE_CHECKING:
    import polars

_COMPARISONS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_TURNED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}
_UNITS = {"ms": 1000, "us": 1, "ns": 1}


class _Unknown(Exception):
    """This part has no counterpart."""


#: What trees of another version of polars may lead to.
_UNKNOWN = (_Unknown, LookupError, TypeError, ValueError, AttributeError)


def conditions_of(predicate: polars.Expr, reader: Any) -> list[Expression]:
    """Conditions that are all true wherever the predicate is."""
    try:
        tree = _tree(predicate)
    except Exception:
        return []
    known, translation = [], _Translation(reader)
    for part in _conjuncts(tree):
        try:
            known.append(translation.condition(part))
        except _UNKNOWN:
            pass
    return known


def condition_of(predicate: polars.Expr, reader: Any) -> Expression:
    """The condition that is true, false and unknown exactly where the predicate is."""
    translation, known = _Translation(reader), []
    for part in _conjuncts(_tree(predicate)):
        try:
            known.append(translation.condition(part))
        except _UNKNOWN:
            import polars

            part = polars.Expr.deserialize(io.StringIO(json.dumps(part)), format="json")
            raise UsageError(f"no condition for {part} of the polars expression; trevni.scan takes any") from None
    return functools.reduce(Expression.__and__, known)


def _tree(predicate: polars.Expr) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # this form of expressions may change, for which all below is prepared
        return json.loads(predicate.meta.serialize(format="json"))


def _conjuncts(tree: Any) -> list[Any]:
    parts, found = [tree], []
    while parts:
        part = parts.pop()
        pair = _one(part, "BinaryExpr")
        if pair is not None and pair.get("op") in ("And", "LogicalAnd"):
            parts += [pair.get("right"), pair.get("left")]
        else:
            found.append(part)
    return found


def _one(tree: Any, name: str) -> Any:
    return tree.get(name) if isinstance(tree, dict) and len(tree) == 1 else None


class _Translation:
    def __init__(self, reader: Any) -> None:
        import polars

        self.polars = polars
        stored = set(reader._as_stored())  # values of other columns are others than those of the file
        self.schema = {name: kind for name, kind in polars.Schema(reader.schema).items() if name in stored}

    def condition(self, tree: Any) -> Expression:
        """What is true, false and unknown exactly where the tree is."""
        pair = _one(tree, "BinaryExpr")
        if pair is not None:
            return self.binary(pair)
        name = _one(tree, "Column")
        if name is not None and self.schema[name] == self.polars.Boolean:
            return col(name) == True  # noqa: E712
        call = _one(tree, "Function")
        if call is not None:
            return self.function(call["input"], call["function"])
        raise _Unknown

    def binary(self, pair: Any) -> Expression:
        operator = pair["op"]
        if operator in ("And", "LogicalAnd"):
            return self.condition(pair["left"]) & self.condition(pair["right"])
        if operator in ("Or", "LogicalOr"):
            return self.condition(pair["left"]) | self.condition(pair["right"])
        left, right = pair["left"], pair["right"]
        if _one(left, "Column") is None:
            left, right, operator = right, left, _TURNED[operator]
        name, other = _one(left, "Column"), _one(right, "Column")
        if name is None:
            raise _Unknown
        if other is not None:
            return self.columns(name, operator, other)
        return self.compared(name, operator, self.value(right))

    def columns(self, left: str, operator: str, right: str) -> Expression:
        """Two columns of one type, in which NaN is a value like others."""
        kind = self.schema[left]
        if kind != self.schema[right] or not (kind.is_integer() or kind == self.polars.String or kind == self.polars.Date):
            raise _Unknown
        return Expression(f"({col(left)} {_COMPARISONS[operator]} {col(right)})")

    def compared(self, name: str, operator: str, value: Any) -> Expression:
        kind = self.schema[name]
        field = col(name)
        if isinstance(value, datetime.timedelta) and kind == self.polars.Duration:
            micros = (value.days * 86_400 + value.seconds) * 10**6 + value.microseconds
            return Expression(_Span(str(field), _COMPARISONS[operator], micros * 1000))
        text = self.fitted(kind, value, operator)
        if kind.is_float() and operator in ("Gt", "GtEq"):
            # NaN is greater than all numbers in polars, and no number is like it here.
            return ~Expression(f"({field} {'<=' if operator == 'Gt' else '<'} {text})")
        return Expression(f"({field} {_COMPARISONS[operator]} {text})")

    def function(self, parts: list[Any], function: Any) -> Expression:
        boolean = _one(function, "Boolean")
        if boolean == "Not":
            return ~self.condition(parts[0])
        name = _one(parts[0], "Column")
        if name is None:
            raise _Unknown
        kind = self.schema[name]
        if boolean == "IsNull":
            return col(name).is_null()
        if boolean == "IsNotNull":
            return col(name).is_not_null()
        within = _one(boolean, "IsIn")
        if within is not None and within.get("nulls_equal") is False:
            values = [self.fitted(kind, value, "Eq") for value in self.values(parts[1])]
            if not values:
                raise _Unknown
            return Expression(f"({col(name)} in ({', '.join(values)}))")
        between = _one(boolean, "IsBetween")
        if between is not None:
            closed = between["closed"]
            low = "GtEq" if closed in ("Both", "Left") else "Gt"
            high = "LtEq" if closed in ("Both", "Right") else "Lt"
            return self.compared(name, low, self.value(parts[1])) & self.compared(name, high, self.value(parts[2]))
        string = _one(function, "StringExpr")
        if string is not None and kind == self.polars.String:
            wanted = self.value(parts[1])
            if isinstance(wanted, str) and string == "StartsWith":
                return col(name).starts_with(wanted)
            if isinstance(wanted, str) and string == "EndsWith":
                return col(name).ends_with(wanted)
            contains = _one(string, "Contains")
            if isinstance(wanted, str) and contains is not None and contains["literal"] is True:
                return col(name).contains(wanted)
        raise _Unknown

    def value(self, tree: Any) -> Any:
        """A literal: a number, a text, a truth, a date, or an instant with its zone."""
        value = _one(tree, "Literal")
        dynamic = _one(value, "Dyn")
        if dynamic is not None:
            return _only(dynamic)
        scalar = _one(value, "Scalar")
        if scalar is None:
            raise _Unknown
        kind, value = next(iter(scalar.items()))
        if len(scalar) != 1 or value is None:
            raise _Unknown
        if kind in ("String", "Boolean", "Float32", "Float64") or kind.startswith(("Int", "UInt")):
            return value
        if kind == "Date":
            return datetime.date.fromordinal(719163 + value)
        if kind == "Datetime":
            number, unit, zone = value
            return _Instant(number, unit, zone)
        if kind == "Duration":
            number, unit = value
            if unit != "Microseconds":
                raise _Unknown
            return datetime.timedelta(microseconds=number)
        raise _Unknown

    def values(self, tree: Any) -> list[Any]:
        """A literal list, which polars writes as a stream of Arrow."""
        stream = bytes(_one(_one(_one(tree, "Literal"), "Scalar"), "List"))
        column = self.polars.read_ipc_stream(io.BytesIO(stream)).to_series()
        if column.dtype.is_nested():
            column = column.explode()
        if column.dtype.is_integer() or column.dtype in (self.polars.String, self.polars.Boolean):
            values = column.to_list()
        elif column.dtype.is_float() or column.dtype == self.polars.Date:
            values = column.to_list()
        else:
            raise _Unknown
        if any(value is None for value in values):
            raise _Unknown
        return values

    def fitted(self, kind: Any, value: Any, operator: str) -> str:
        """The text of a value that is compared with a column; only where both compare in the same way."""
        polars = self.polars
        if isinstance(value, bool):
            if kind == polars.Boolean:
                return literal(value)
        elif isinstance(value, str):
            if kind == polars.String:
                return literal(value)
            if kind in (polars.Categorical, polars.Enum) and operator in ("Eq", "NotEq"):
                return literal(value)
        elif isinstance(value, int):
            exact = {polars.Float32: 2**24, polars.Float64: 2**53}.get(kind.base_type())
            if kind.is_integer() or (exact is not None and abs(value) <= exact):
                return literal(value)
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise _Unknown
            if kind == polars.Float64 or (kind.is_integer() and abs(value) < 2**53):
                return literal(value)
            if kind == polars.Float32 and polars.Series([value], dtype=polars.Float32).item() == value:
                return literal(value)
        elif isinstance(value, _Instant):
            if kind == polars.Datetime and (kind.time_zone is None) == (value.zone is None):
                return value.text(kind.time_unit)
        elif isinstance(value, datetime.date):
            if kind == polars.Date:
                return literal(value)
        raise _Unknown


class _Instant:
    """An instant, or a time without a zone."""

    def __init__(self, number: int, unit: str, zone: Any) -> None:
        unit = {"Milliseconds": "ms", "Microseconds": "us", "Nanoseconds": "ns"}[unit]
        if unit == "ns" and number % 1000:
            raise _Unknown
        self.micros = number // 1000 if unit == "ns" else number * _UNITS[unit]
        self.zone = zone

    def text(self, unit: str) -> str:
        if unit == "ms" and self.micros % 1000:
            raise _Unknown
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=self.micros)
        return f"'{moment.isoformat()}{'' if self.zone is None else 'Z'}'"


def _only(values: dict[str, Any]) -> Any:
    """The one value of a dict."""
    (value,) = values.values()
    if isinstance(value, str):  # integers of more than 64 bits
        return int(value)
    return value
