"""Conditions that are built with operators of Python. They are texts of the language of ``Reader.filter``."""

from __future__ import annotations

import datetime
import decimal
import functools
import ipaddress
import math
import uuid
from typing import Any, Iterable

from ._errors import UsageError

#: Types of Python that are IP addresses or networks.
ADDRESSES = (
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
)


class Expression:
    """A field, a value computed from fields, or a condition: what ``col`` makes.

    >>> print((trevni.col("delay") > 60) & ~trevni.col("carrier").is_in(["UA", "B6"]))
    ((`delay` > 60) and (not (`carrier` in ('UA', 'B6'))))
    """

    __slots__ = ("_parts",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *parts: str | Expression | _Span) -> None:
        self._parts: list[str | _Span] = []
        for part in parts:
            self._parts += part._parts if isinstance(part, Expression) else [part]

    def __str__(self) -> str:
        return "".join(str(part) for part in self._parts)

    def __repr__(self) -> str:
        return f"<trevni.Expression {self}>"

    def _for(self, reader: Any) -> str:
        """The text for the columns of a reader, whose durations may be of any unit."""
        return "".join(part if isinstance(part, str) else part.text(reader) for part in self._parts)

    def __bool__(self) -> bool:
        raise TypeError("a condition is no truth: join conditions with & | ~, not with and, or, not")

    def __eq__(self, other: Any) -> Expression:  # type: ignore[override]
        return self.is_null() if other is None else self._joined("=", other)

    def __ne__(self, other: Any) -> Expression:  # type: ignore[override]
        return self.is_not_null() if other is None else self._joined("!=", other)

    def __lt__(self, other: Any) -> Expression:
        return self._joined("<", other)

    def __le__(self, other: Any) -> Expression:
        return self._joined("<=", other)

    def __gt__(self, other: Any) -> Expression:
        return self._joined(">", other)

    def __ge__(self, other: Any) -> Expression:
        return self._joined(">=", other)

    def __and__(self, other: Expression) -> Expression:
        return self._joined("and", other)

    def __or__(self, other: Expression) -> Expression:
        return self._joined("or", other)

    def __invert__(self) -> Expression:
        return Expression("(not ", self, ")")

    def __add__(self, other: Any) -> Expression:
        return self._joined("+", other)

    def __sub__(self, other: Any) -> Expression:
        return self._joined("-", other)

    def __mul__(self, other: Any) -> Expression:
        return self._joined("*", other)

    def __truediv__(self, other: Any) -> Expression:
        return self._joined("/", other)

    def __mod__(self, other: Any) -> Expression:
        return self._joined("%", other)

    def __radd__(self, other: Any) -> Expression:
        return Expression("(", _literal(other), " + ", self, ")")

    def __rsub__(self, other: Any) -> Expression:
        return Expression("(", _literal(other), " - ", self, ")")

    def __rmul__(self, other: Any) -> Expression:
        return Expression("(", _literal(other), " * ", self, ")")

    def __neg__(self) -> Expression:
        return Expression("(-", self, ")")

    def __abs__(self) -> Expression:
        return call("abs", self)

    def __round__(self, digits: int | None = None) -> Expression:
        return call("round", self) if digits is None else call("round", self, digits)

    def __getitem__(self, key: int | str) -> Expression:
        """An item of a list by its place, which is negative from the end, or the value of a key of a map."""
        if isinstance(key, bool) or not isinstance(key, (int, str)):
            raise TypeError(f"an item has a number and an entry a string, not {type(key).__name__}")
        return Expression(self, f"[{literal(key)}]")

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression("(", _literal(other), " / ", self, ")")

    def is_null(self) -> Expression:
        """Where there is no value."""
        return Expression("(", self, " is null)")

    def is_not_null(self) -> Expression:
        """Where there is a value."""
        return Expression("(", self, " is not null)")

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Where the value is one of these."""
        values = list(values)
        if not values:  # of which nothing is one, a null neither
            return Expression("(", self, " is null and ", self, " is not null)")
        if any(_span(value) is not None for value in values):
            return functools.reduce(Expression.__or__, [self == value for value in values])
        return Expression("(", self, f" in ({', '.join(literal(value) for value in values)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """Where the value is one of these or between them."""
        if _span(low) is not None or _span(high) is not None:
            return (self >= low) & (self <= high)
        return Expression("(", self, " between ", _literal(low), " and ", _literal(high), ")")

    def starts_with(self, start: str) -> Expression:
        """Where the string begins so."""
        return Expression("(", self, " starts with ", _literal(start), ")")

    def ends_with(self, end: str) -> Expression:
        """Where the string ends so."""
        return Expression("(", self, " ends with ", _literal(end), ")")

    def contains(self, part: Any) -> Expression:
        """Where the string has this in it, or the list an item like this.

        >>> trevni.open(flights).filter(trevni.col("carrier").contains("A")).num_rows
        2
        """
        return call("contains", self, part)

    def like(self, pattern: str) -> Expression:
        """Where the string fits a pattern of SQL: ``%`` for any characters, ``_`` for one."""
        return Expression("(", self, " like ", _literal(pattern), ")")

    def ilike(self, pattern: str) -> Expression:
        """As ``like``, where small and capital letters are alike."""
        return Expression("(", self, " ilike ", _literal(pattern), ")")

    def matches(self, regex: str) -> Expression:
        """Where a regular expression is found in the string."""
        return Expression("(", self, " ~ ", _literal(regex), ")")

    def any(self, condition: Expression) -> Expression:
        """Where a condition is true of an item of the list: ``trevni.item``, or ``trevni.item("field")`` of a list of records.

        >>> print(trevni.col("tags").any(trevni.item() == "new"))
        any(`tags`, (item = 'new'))
        """
        return call("any", self, condition)

    def all(self, condition: Expression) -> Expression:
        """Where a condition is true of all items of the list."""
        return call("all", self, condition)

    def cast(self, to: type | str) -> Expression:
        """The value as an ``int``, ``float`` or ``str``, a ``datetime.date`` or ``datetime.datetime``; null where it is not one.

        >>> trevni.open(flights).filter(trevni.col("distance").cast(int) == 944).num_rows
        1
        """
        function = _CASTS.get(to)
        if function is None:
            name = to.__name__ if isinstance(to, type) else repr(to)
            raise ValueError(f"cast takes int, float, str, datetime.date or datetime.datetime, not {name}")
        return call(function, self)

    def lower(self) -> Expression:
        """The string in small letters."""
        return call("lower", self)

    def upper(self) -> Expression:
        """The string in capital letters."""
        return call("upper", self)

    def len(self) -> Expression:
        """The number of characters of the string, of items of the list, or of entries of the map."""
        return call("len", self)

    def _joined(self, operator: str, other: Any) -> Expression:
        span = _span(other)
        if span is not None and operator in _COMPARISONS:
            return Expression(_Span(str(self), operator, span))
        return Expression("(", self, f" {operator} ", _literal(other), ")")


#: Operators that a duration may be compared with, and what is true of whole numbers where the duration is not one of its unit.
_COMPARISONS = {"=": None, "!=": None, "<": "<=", "<=": "<=", ">": ">", ">=": ">"}
_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


class _Span:
    """A comparison of a field with a duration, whose number is known with the unit of the column."""

    def __init__(self, field: str, operator: str, nanoseconds: int) -> None:
        self.field, self.operator, self.nanoseconds = field, operator, nanoseconds

    def __str__(self) -> str:
        return f"({self.field} {self.operator} {datetime.timedelta(microseconds=self.nanoseconds / 1000)})"

    def text(self, reader: Any) -> str:
        unit = reader._duration_unit(self.field)
        if unit is None:
            raise UsageError(f"{self.field} is no column of durations, which a timedelta is compared with")
        number, rest = divmod(self.nanoseconds, _NANOSECONDS[unit])
        if rest == 0:
            return f"({self.field} {self.operator} {number})"
        if self.operator in ("=", "!="):  # no number of the unit is equal; a null stays unknown
            return f"({self.field} {'!=' if self.operator == '=' else '='} {self.field})"
        return f"({self.field} {_COMPARISONS[self.operator]} {number})"


def _span(value: Any) -> int | None:
    """The nanoseconds of a duration of Python, pandas or numpy; None of other values."""
    if isinstance(value, datetime.timedelta):
        micros = (value.days * 86_400 + value.seconds) * 10**6 + value.microseconds
        return micros * 1000 + getattr(value, "nanoseconds", 0)
    if type(value).__module__ == "numpy" and type(value).__name__ == "timedelta64":
        return int(value.astype("timedelta64[ns]").astype("int64"))
    return None


#: What ``cast`` calls for a type.
_CASTS: dict[Any, str] = {
    int: "int",
    float: "float",
    str: "text",
    datetime.date: "date",
    datetime.datetime: "timestamp",
    "int": "int",
    "float": "float",
    "str": "text",
    "date": "date",
    "datetime": "timestamp",
}


def _literal(value: Any) -> str | Expression:
    return value if isinstance(value, Expression) else literal(value)


def col(*names: str) -> Expression:
    """A field by its name; with more names, a field within it. Names may have any characters.

    >>> trevni.open(flights).filter(trevni.col("distance") - 1000 > 100).row(0)["carrier"]
    'UA'
    """
    if not names:
        raise TypeError("col needs a name")
    return Expression(path(*names))


def item(*names: str) -> Expression:
    """An item of a list, or a field of it, in the condition of ``any`` and ``all``."""
    return Expression(".".join(["item", *([path(*names)] if names else [])]))


def call(function: str, *values: Any) -> Expression:
    """A function of the language, such as ``year`` or ``coalesce``, of fields and values.

    >>> trevni.open(flights).filter(trevni.call("coalesce", trevni.col("delay"), 0) == 0).num_rows
    1
    """
    if not function.isidentifier():
        raise ValueError(f"{function!r} is no name of a function")
    parts: list[str | Expression] = [function, "("]
    for value in values:
        parts += [", "] if len(parts) > 2 else []
        parts.append(_literal(value))
    return Expression(*parts, ")")


def path(*names: str) -> str:
    """The path of a field, for ``select``: the names from the outermost to its own, which may have any characters.

    >>> trevni.path("sender", "first.name")
    '`sender`.`first.name`'
    """
    return ".".join("`" + name.replace("`", "``") + "`" for name in names)


def literal(value: Any) -> str:
    """The text of a value in a condition."""
    if isinstance(value, Expression):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} cannot be compared with")
        return repr(value)
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (bytes, bytearray)):
        try:
            return literal(bytes(value).decode())
        except UnicodeDecodeError:
            raise ValueError("bytes in a condition must be UTF-8") from None
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
            return f"'{value.isoformat()}Z'"
        return f"'{value.isoformat()}'"
    if isinstance(value, (datetime.date, datetime.time)):
        return f"'{value.isoformat()}'"
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} cannot be compared with")
        return f"'{value:f}'"
    if isinstance(value, (uuid.UUID, *ADDRESSES)):
        return f"'{value}'"
    if type(value).__module__ == "numpy" and type(value).__name__ == "datetime64":
        return f"'{value}'"
    item = getattr(value, "item", None)  # a number of numpy
    if callable(item) and type(value).__module__ == "numpy":
        return literal(item())
    raise TypeError(f"a {type(value).__name__} cannot be compared with")


def condition_of(condition: Any, reader: Any) -> str:
    """The text of a condition for the columns of a reader, also of an expression of polars or pyarrow."""
    module, name = type(condition).__module__.partition(".")[0], type(condition).__name__
    if isinstance(condition, Expression):
        made = condition
    elif (module, name) == ("polars", "Expr"):
        from ._polars import condition_of as of_polars

        made = of_polars(condition, reader)
    elif (module, name) == ("pyarrow", "Expression"):
        from ._arrow_expression import condition_of as of_pyarrow

        made = of_pyarrow(condition, reader)
    else:
        raise TypeError(f"a condition is a string, made of trevni.col, or an expression of polars or pyarrow, not {name}")
    return made._for(reader)
