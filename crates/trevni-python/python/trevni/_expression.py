"""Conditions that are built with operators of Python. They are texts of the language of ``Reader.filter``."""

from __future__ import annotations

import datetime
import decimal
import ipaddress
import math
import uuid
from typing import Any, Iterable

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

    __slots__ = ("_text",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<trevni.Expression {self._text}>"

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
        return Expression(f"(not {self._text})")

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
        return Expression(f"({literal(other)} + {self._text})")

    def __rsub__(self, other: Any) -> Expression:
        return Expression(f"({literal(other)} - {self._text})")

    def __rmul__(self, other: Any) -> Expression:
        return Expression(f"({literal(other)} * {self._text})")

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression(f"({literal(other)} / {self._text})")

    def is_null(self) -> Expression:
        """Where there is no value."""
        return Expression(f"({self._text} is null)")

    def is_not_null(self) -> Expression:
        """Where there is a value."""
        return Expression(f"({self._text} is not null)")

    def is_in(self, values: Iterable[Any]) -> Expression:
        """Where the value is one of these."""
        values = [literal(value) for value in values]
        if not values:  # of which nothing is one, a null neither
            return Expression(f"({self._text} is null and {self._text} is not null)")
        return Expression(f"({self._text} in ({', '.join(values)}))")

    def between(self, low: Any, high: Any) -> Expression:
        """Where the value is one of these or between them."""
        return Expression(f"({self._text} between {literal(low)} and {literal(high)})")

    def starts_with(self, start: str) -> Expression:
        """Where the text begins so."""
        return Expression(f"({self._text} starts with {literal(start)})")

    def like(self, pattern: str) -> Expression:
        """Where the text fits a pattern of SQL: ``%`` for any characters, ``_`` for one."""
        return Expression(f"({self._text} like {literal(pattern)})")

    def matches(self, regex: str) -> Expression:
        """Where a regular expression is found in the text."""
        return Expression(f"({self._text} ~ {literal(regex)})")

    def _joined(self, operator: str, other: Any) -> Expression:
        return Expression(f"({self._text} {operator} {literal(other)})")


def col(*names: str) -> Expression:
    """A field by its name; with more names, a field within it. Names may have any characters.

    >>> trevni.open(flights).filter(trevni.col("distance") - 1000 > 100).row(0)["carrier"]
    'UA'
    """
    if not names:
        raise TypeError("col needs a name")
    return Expression(path(*names))


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
    item = getattr(value, "item", None)  # a number of numpy
    if callable(item) and type(value).__module__ == "numpy":
        return literal(item())
    raise TypeError(f"a {type(value).__name__} cannot be compared with")
