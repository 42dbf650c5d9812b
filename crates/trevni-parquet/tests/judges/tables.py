"""Tables of all types, and random ones."""

import datetime
import decimal
import functools
import math

import pyarrow as pa

D = decimal.Decimal


def columns():
    """A column of each type that Parquet can hold, three rows each, the second null."""
    made = {"bool": pa.array([True, None, False])}
    for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()):
        width = kind.bit_width - (0 if "u" in str(kind) else 1)
        made[str(kind)] = pa.array([2**width - 1, None, 0 if "u" in str(kind) else -(2**width)], kind)
    for kind in (pa.float16(), pa.float32(), pa.float64()):
        made[str(kind)] = pa.array([1.5, None, float("-inf")], kind)
    made["not a number"] = pa.array([float("nan"), None, -0.0])
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        made[str(kind)] = pa.array(["é🦀", None, "x" * 50], kind)
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        made[str(kind)] = pa.array([b"\x00\xff", None, b""], kind)
    made["fixed"] = pa.array([b"ab", None, b"\x00\x00"], pa.binary(2))
    made["date32"] = pa.array([0, None, -719_162], pa.date32())
    made["time32[ms]"] = pa.array([0, None, 86_399_999], pa.time32("ms"))
    for unit in ("us", "ns"):
        made[f"time64[{unit}]"] = pa.array([0, None, 7], pa.time64(unit))
    for unit in ("ms", "us", "ns"):
        for zone in (None, "UTC", "Europe/Paris"):
            made[f"timestamp[{unit}, {zone}]"] = pa.array([2**60 // 10**6, None, -1], pa.timestamp(unit, zone))
    for unit in ("s", "ms", "us", "ns"):
        made[f"duration[{unit}]"] = pa.array([2**40, None, -1], pa.duration(unit))
    decimals = [(pa.decimal32, 9), (pa.decimal64, 18), (pa.decimal128, 38), (pa.decimal256, 76)]
    for kind, digits in decimals:
        for precision in (digits // 2, digits):
            most, least = (D((sign, (9,) * precision, -1)) for sign in (0, 1))
            made[f"{kind.__name__}({precision})"] = pa.array([most, None, least], kind(precision, 1))
    made["dictionary"] = pa.array(["a", None, "b"]).dictionary_encode()
    made["dictionary of int8"] = made["dictionary"].cast(pa.dictionary(pa.int8(), pa.string()))
    made["list"] = pa.array([[1, None], None, []], pa.list_(pa.int32()))
    made["large list"] = pa.array([[1, None], None, []], pa.large_list(pa.int32()))
    made["fixed list"] = pa.array([[1, None], None, [3, 4]], pa.list_(pa.int32(), 2))
    made["list view"] = pa.array([[1, None], None, []], pa.list_view(pa.int32()))
    made["struct"] = pa.array([{"a": 1, "b": None}, None, {"b": "x"}], pa.struct([("a", pa.int8()), ("b", pa.string())]))
    made["map"] = pa.array([[("k", 1), ("l", None)], None, []], pa.map_(pa.string(), pa.int32()))
    made["map of lists"] = pa.array([[(1, ["a", None])], None, []], pa.map_(pa.int32(), pa.list_(pa.string())))
    made["null"] = pa.nulls(3)
    made["uuid"] = pa.array([b"0" * 16, None, b"1" * 16], pa.uuid())
    made["json"] = pa.array(["{}", None, "[1]"], pa.json_(pa.string()))
    deep = pa.list_(pa.struct([("a", pa.list_(pa.struct([("b", pa.map_(pa.string(), pa.int64()))])))]))
    made["deep"] = pa.array([[{"a": [{"b": [("k", None)]}, None, {"b": []}]}, None, {"a": None}], None, []], deep)
    return made


LEAVES = {
    pa.bool_(): [True, False],
    pa.int8(): [-128, 0, 127],
    pa.int32(): [-(2**31), -1, 0, 7],
    pa.int64(): [-(2**63), 1, 2**63 - 1],
    pa.uint16(): [0, 2**16 - 1],
    pa.uint64(): [0, 2**64 - 1],
    pa.float32(): [-0.0, 1.5, float("inf")],
    pa.float64(): [0.1, -1e300],
    pa.string(): ["", "a", "é🦀", "x" * 300],
    pa.large_string(): ["", "b"],
    pa.binary(): [b"", b"\x00\xff"],
    pa.binary(2): [b"ab", b"\x00\x00"],
    pa.timestamp("us", "UTC"): [0, -1, 10**15],
    pa.timestamp("ms"): [0, 10**12],
    pa.date32(): [0, -1, 20_000],
    pa.time64("us"): [0, 86_399_999_999],
    pa.decimal128(20, 3): [D("0.001"), D("-12345678901234567.891")],
}


def random_type(numbers, depth):
    if depth == 0 or numbers.random() < 0.4:
        return numbers.choice(list(LEAVES))
    inner = functools.partial(random_type, numbers, depth - 1)
    kind = numbers.randrange(3)
    if kind == 0:
        return pa.list_(pa.field("element", inner(), nullable=numbers.random() < 0.7))
    if kind == 1:
        return pa.map_(pa.string(), inner())
    names = numbers.sample(["a", "b", "c", "ö"], numbers.randint(1, 3))
    return pa.struct([pa.field(name, inner(), nullable=numbers.random() < 0.7) for name in names])


def random_value(numbers, field):
    if field.nullable and numbers.random() < 0.3:
        return None
    kind = field.type
    if kind in LEAVES:
        return numbers.choice(LEAVES[kind])
    count = numbers.choice([0, 1, 1, 2, 3])
    if pa.types.is_map(kind):
        return [(key, random_value(numbers, kind.item_field)) for key in numbers.sample("kmnop", count)]
    if pa.types.is_struct(kind):
        return {part.name: random_value(numbers, part) for part in kind}
    return [random_value(numbers, kind.value_field) for _ in range(count)]


def random_table(numbers):
    fields = []
    for name in numbers.sample(["a", "b", "c d", "ef"], numbers.randint(1, 4)):
        fields.append(pa.field(name, random_type(numbers, 3), nullable=numbers.random() < 0.7))
    rows = numbers.choice([1, 3, 20, 200])
    arrays = [pa.array([random_value(numbers, field) for _ in range(rows)], field.type) for field in fields]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def same(one, two):
    """Whether values are the same; those that are no number are."""
    if isinstance(one, float) and isinstance(two, float):
        return one == two and math.copysign(1, one) == math.copysign(1, two) or one != one and two != two
    if isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return list(one) == list(two) and all(same(one[key], two[key]) for key in one)
    if isinstance(one, datetime.datetime) and isinstance(two, datetime.datetime):
        return instant(one) == instant(two)
    return one == two and (one is None) == (two is None)


def instant(value):
    """An instant without its time zone."""
    return value if value.tzinfo is None else value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
