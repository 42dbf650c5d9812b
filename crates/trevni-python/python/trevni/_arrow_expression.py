"""Expressions of pyarrow as conditions of ``Reader.filter``.

pyarrow shows the parts of an expression only in the form in which it pickles them: a record batch of the literals and options, whose
metadata lists calls, fields and places of literals.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Callable

from ._errors import UsageError
from ._expression import Expression, _Span, call, col, literal


@dataclass
class Node:
    """A call with its parts, the names of a field, or a literal as a scalar of pyarrow."""

    name: str
    parts: list[Node] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    value: Any = None

    def __str__(self) -> str:
        if self.name == "field":
            return ".".join(self.value)
        if self.name == "literal":
            return repr(self.value.as_py())
        return f"{self.name}({', '.join(map(str, self.parts))})"


class Unknown(Exception):
    """This part has no counterpart."""

    def __init__(self, part: Any) -> None:
        super().__init__(str(part))


def condition_of(expression: Any, reader: Any) -> Expression:
    """The condition that is true, false and unknown exactly where the expression is."""
    try:
        return _Translation(reader).condition(tree_of(expression))
    except Unknown as unknown:
        raise UsageError(f"no condition for {unknown} of the pyarrow expression {expression}") from None


def conditions_of(expression: Any, reader: Any) -> tuple[list[Expression], bool]:
    """Conditions that are all true wherever the expression is, and whether it is true wherever they are."""
    known, is_all = [], True
    translation = _Translation(reader)
    for part in _conjuncts(tree_of(expression)):
        try:
            known.append(translation.condition(part))
        except Unknown:
            is_all = False
    return known, is_all


def fields_of(expression: Any) -> list[list[str]]:
    """The fields that an expression needs."""

    def fields(node: Node) -> list[list[str]]:
        return [node.value] if node.name == "field" else [one for part in node.parts for one in fields(part)]

    return fields(tree_of(expression))


def tree_of(expression: Any) -> Node:
    """The parts of an expression."""
    import pyarrow

    _, (pickled, *_) = expression.__reduce__()
    batch = pyarrow.ipc.open_file(pickled).get_batch(0)
    entries = iter(_metadata(batch.schema))

    def scalar(place: str) -> Any:
        return batch.column(int(place))[0]

    def node(kind: str, value: str) -> Node:
        if kind == "literal":
            return Node("literal", value=scalar(value))
        if kind == "field_ref":
            return Node("field", value=[value])
        if kind == "nested_field_ref":
            return Node("field", value=[next(entries)[1] for _ in range(int(value))])
        if kind != "call":
            raise Unknown(f"{kind} {value}")
        call = Node(value)
        for kind, inner in entries:
            if kind == "end":
                return call
            if kind == "options":
                options = scalar(inner)
                call.options = {name: options[name] for name in options.type.names}
            else:
                call.parts.append(node(kind, inner))
        raise Unknown(value)

    return node(*next(entries))


class _Schema(ctypes.Structure):
    """The structure of Arrow's C interface, as far as its metadata."""

    _fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("rest", ctypes.c_int64 * 6)]


def _metadata(schema: Any) -> list[tuple[str, str]]:
    """All entries in their order: a dict would have one of each key."""
    import pyarrow

    exported = _Schema()
    schema._export_to_c(ctypes.addressof(exported))
    try:
        place = exported.metadata

        def number() -> int:
            nonlocal place
            value = ctypes.c_int32.from_address(place).value
            place += 4
            return value

        def text() -> str:
            nonlocal place
            size = number()
            value = ctypes.string_at(place, size).decode()
            place += size
            return value

        return [(text(), text()) for _ in range(number() if place else 0)]
    finally:
        pyarrow.Schema._import_from_c(ctypes.addressof(exported))  # which releases it


def _conjuncts(tree: Node) -> list[Node]:
    if tree.name in ("and_kleene", "and"):
        return [one for part in tree.parts for one in _conjuncts(part)]
    return [tree]


_COMPARISONS = {"equal": "=", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ARITHMETIC = {
    "add": "+",
    "add_checked": "+",
    "subtract": "-",
    "subtract_checked": "-",
    "multiply": "*",
    "multiply_checked": "*",
}
#: Functions of strings that find one, and those of the language.
_FINDING: dict[str, Callable[[Expression, str], Expression]] = {
    "starts_with": Expression.starts_with,
    "ends_with": Expression.ends_with,
    "match_substring": Expression.contains,
    "match_like": Expression.like,
    "match_substring_regex": Expression.matches,
}
_OF_STRINGS = {"utf8_lower": "lower", "utf8_upper": "upper", "utf8_length": "len"}
_OF_DATES = ("year", "month", "day", "quarter")


class _Translation:
    def __init__(self, reader: Any) -> None:
        import pyarrow

        self.types = pyarrow.types
        self.schema = pyarrow.schema(reader.schema)
        self.stored = set(reader._as_stored())

    def condition(self, node: Node) -> Expression:
        name, parts = node.name, node.parts
        if name in ("and_kleene", "and"):
            return self.condition(parts[0]) & self.condition(parts[1])
        if name in ("or_kleene", "or"):
            return self.condition(parts[0]) | self.condition(parts[1])
        if name == "invert":
            return ~self.condition(parts[0])
        if name in _COMPARISONS:
            return self.compared(node)
        if name == "is_null" and not node.options["nan_is_null"].as_py():
            return self.place(parts[0])[0].is_null()
        if name == "is_valid":
            return self.place(parts[0])[0].is_not_null()
        if name == "is_in":
            return self.within(node)
        if name == "if_else":
            return self.where_there(node)
        if name in _FINDING:
            return self.finding(node)
        if name == "field":
            place, kind = self.place(node)
            if kind == "bool":
                return place == True  # noqa: E712
        raise Unknown(node)

    def compared(self, node: Node) -> Expression:
        operator, (left, right) = _COMPARISONS[node.name], node.parts
        if left.name == "literal":
            left, right, operator = right, left, _TURNED[operator]
        value, kind = self.value(left)
        if right.name != "literal":
            other, other_kind = self.value(right)
            if kind != other_kind or kind in ("binary", "duration"):
                raise Unknown(node)
            return Expression("(", value, f" {operator} ", other, ")")
        if right.value.type.equals(self.null()) or not right.value.is_valid:
            raise Unknown(node)
        return self.with_literal(node, value, kind, operator, right.value)

    def with_literal(self, node: Node, value: Expression, kind: str, operator: str, scalar: Any) -> Expression:
        other = self.kind(scalar.type)
        if kind != other and {kind, other} != {"integer", "float"} and (kind, other) != ("decimal", "integer"):
            raise Unknown(node)
        if kind == "duration":
            nanoseconds = scalar.cast("int64").as_py() * _NANOSECONDS[scalar.type.unit]
            return Expression(_Span(str(value), operator, nanoseconds))
        return Expression("(", value, f" {operator} ", self.literal(node, scalar), ")")

    def literal(self, node: Node, scalar: Any) -> str:
        kind = self.kind(scalar.type)
        if kind in ("instant", "naive"):
            return "'" + _instant(node, scalar.value, scalar.type.unit) + ("Z'" if kind == "instant" else "'")
        if kind == "time" and scalar.type.unit == "ns" and scalar.value % 1000:
            raise Unknown(node)
        try:
            return literal(scalar.as_py())
        except (TypeError, ValueError):
            raise Unknown(node) from None

    def within(self, node: Node) -> Expression:
        place, kind = self.value(node.parts[0])
        values = node.options["value_set"].values
        if node.options["null_matching_behavior"].as_py() != 0 or kind == "duration":
            raise Unknown(node)
        equal = [self.literal(node, one) for one in values if one.is_valid and self.kind(one.type) == kind]
        if len(equal) + values.null_count != len(values):
            raise Unknown(node)
        found = Expression("(", place, f" in ({', '.join(equal)}))") if equal else None
        if values.null_count:  # a null is one of them
            return place.is_null() if found is None else place.is_null() | found
        return place.is_null() & place.is_not_null() if found is None else place.is_not_null() & found

    def where_there(self, node: Node) -> Expression:
        """What is null where a value is null: DuckDB's form of ``in``."""
        there, found, otherwise = node.parts
        is_form = (
            there.name == "is_valid"
            and found.name == "is_in"
            and str(there.parts[0]) == str(found.parts[0])
            and otherwise.name == "literal"
            and not otherwise.value.is_valid
        )
        if not is_form:
            raise Unknown(node)
        place, kind = self.value(found.parts[0])
        values = found.options["value_set"].values
        equal = [self.literal(node, one) for one in values if one.is_valid and self.kind(one.type) == kind]
        if not equal or len(equal) != len(values):
            raise Unknown(node)
        return Expression("(", place, f" in ({', '.join(equal)}))")

    def finding(self, node: Node) -> Expression:
        value, kind = self.value(node.parts[0])
        if kind != "string":
            raise Unknown(node)
        pattern = node.options["pattern"].as_py()
        if isinstance(pattern, bytes):
            pattern = pattern.decode()
        if node.options["ignore_case"].as_py():
            if node.name != "match_like":
                raise Unknown(node)
            return value.ilike(pattern)
        return _FINDING[node.name](value, pattern)

    def value(self, node: Node) -> tuple[Expression, str]:
        """An expression, and the kind of its values."""
        if node.name == "field":
            return self.place(node)
        if node.name in _ARITHMETIC:
            sides = [self.number(part) for part in node.parts]
            kinds = [kind for _, kind in sides]
            if not set(kinds) <= {"integer", "float"}:
                raise Unknown(node)
            whole = Expression("(", sides[0][0], f" {_ARITHMETIC[node.name]} ", sides[1][0], ")")
            return whole, "float" if "float" in kinds else "integer"
        if node.name in ("divide", "divide_checked"):  # of integers it cuts off the fraction
            sides = [self.number(part) for part in node.parts]
            if all(kind == "float" for _, kind in sides):
                return Expression("(", sides[0][0], " / ", sides[1][0], ")"), "float"
            raise Unknown(node)
        if node.name == "cast":
            value, kind = self.value(node.parts[0])
            to = self.kind(node.options["to_type"].type)
            if kind == to and kind in ("string", "integer"):
                return value, kind
            if kind == "integer" and to == "float":
                return call("float", value), to
            raise Unknown(node)
        if node.name in _OF_STRINGS or node.name in _OF_DATES:
            value, kind = self.value(node.parts[0])
            if node.name in _OF_STRINGS and kind == "string":
                return call(_OF_STRINGS[node.name], value), "integer" if node.name == "utf8_length" else "string"
            if node.name in _OF_DATES and kind in ("date", "naive"):
                return call(node.name, value), "integer"
        raise Unknown(node)

    def number(self, node: Node) -> tuple[Expression, str]:
        if node.name != "literal":
            return self.value(node)
        kind = self.kind(node.value.type)
        if kind not in ("integer", "float") or not node.value.is_valid:
            raise Unknown(node)
        return Expression(self.literal(node, node.value)), kind

    def place(self, node: Node) -> tuple[Expression, str]:
        """A field, and the kind of its values."""
        if node.name != "field":
            return self.value(node)
        if node.value[0] not in self.stored:  # its values are others than those of the file
            raise Unknown(node)
        kind, names = None, node.value
        for name in names:
            place = (self.schema if kind is None else kind).get_field_index(name)
            if place < 0 or kind is not None and not self.types.is_struct(kind):
                raise Unknown(node)
            kind = (self.schema if kind is None else kind).field(place).type
        return col(*names), self.kind(kind)

    def kind(self, kind: Any) -> str:
        """Values of one kind compare as they are; those of others have to be cast first."""
        types = self.types
        if types.is_dictionary(kind):
            return self.kind(kind.value_type)
        if types.is_timestamp(kind):
            return "naive" if kind.tz is None else "instant"
        kinds = {
            "integer": types.is_integer,
            "float": types.is_floating,
            "string": lambda kind: types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind),
            "bool": types.is_boolean,
            "decimal": types.is_decimal,
            "date": types.is_date32,
            "time": types.is_time,
            "duration": types.is_duration,
            "binary": lambda kind: types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind),
        }
        return next((name for name, is_kind in kinds.items() if is_kind(kind)), "other")

    def null(self) -> Any:
        import pyarrow

        return pyarrow.null()


_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def _instant(node: Node, number: int, unit: str) -> str:
    import datetime

    seconds, rest = divmod(number * _NANOSECONDS[unit], 10**9)
    try:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    except OverflowError:
        raise Unknown(node) from None
    return f"{moment.isoformat()}.{rest:09}" if rest else moment.isoformat()
