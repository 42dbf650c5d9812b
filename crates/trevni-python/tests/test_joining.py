"""Files whose Arrow types differ, as one table: all pairs of types, against pyarrow. `docs/datasets.md` says where we differ from it."""

import datetime as dt
import decimal
import itertools
import pathlib
import uuid

import polars as pl
import pyarrow as pa
import pytest

import trevni

D = decimal.Decimal
DOCS = pathlib.Path(__file__).parents[3] / "docs" / "datasets.md"
DAY = dt.date(1970, 1, 2)


def array(values, kind):
    return pa.array([*values, None], kind)


def instants(unit, zone=None):
    return array([1, -86_400], pa.timestamp(unit, zone))


def spans(unit):
    return array([1, -5], pa.duration(unit))


def dictionary(values, key):
    return pa.array([*values, None]).dictionary_encode().cast(pa.dictionary(key, pa.array(values).type))


ARRAYS = {
    "null": pa.nulls(2),
    "bool": array([True, False], pa.bool_()),
    "int8": array([-128, 127], pa.int8()),
    "int16": array([-(2**15), 2**15 - 1], pa.int16()),
    "int32": array([-(2**31), 2**31 - 1], pa.int32()),
    "int64": array([-(2**53), 2**53], pa.int64()),
    "uint8": array([0, 255], pa.uint8()),
    "uint16": array([2**16 - 1], pa.uint16()),
    "uint32": array([2**32 - 1], pa.uint32()),
    "uint64": array([7, 2**53], pa.uint64()),
    "float16": array([1.5, -0.25], pa.float16()),
    "float32": array([1.5, 1e30], pa.float32()),
    "float64": array([0.1, -1e300], pa.float64()),
    "decimal32_5_1": array([D("1.5"), D("-9999.9")], pa.decimal32(5, 1)),
    "decimal32_9_0": array([D(10**9 - 1)], pa.decimal32(9, 0)),
    "decimal64_15_2": array([D("-1.25")], pa.decimal64(15, 2)),
    "decimal128_5_1": array([D("1.5"), D("-9999.9")], pa.decimal128(5, 1)),
    "decimal128_5_2": array([D("1.25"), D("999.99")], pa.decimal128(5, 2)),
    "decimal128_38_0": array([D(10**38 - 1)], pa.decimal128(38, 0)),
    "decimal256_40_3": array([D("0.125")], pa.decimal256(40, 3)),
    "string": array(["x", "naïve"], pa.string()),
    "large_string": array(["y"], pa.large_string()),
    "string_view": array(["longer than twelve bytes"], pa.string_view()),
    "binary": array([b"x", b"\xff"], pa.binary()),
    "large_binary": array([b"y"], pa.large_binary()),
    "binary_view": array([b"\xfflonger than twelve bytes"], pa.binary_view()),
    "fixed_3": array([b"abc"], pa.binary(3)),
    "fixed_4": array([b"abcd"], pa.binary(4)),
    "date32": array([DAY, dt.date(9999, 12, 31)], pa.date32()),
    "date64": array([DAY], pa.date64()),
    "time32_s": array([dt.time(23, 59, 59)], pa.time32("s")),
    "time32_ms": array([dt.time(1, 2, 3, 4000)], pa.time32("ms")),
    "time64_us": array([dt.time(1, 2, 3, 4)], pa.time64("us")),
    "time64_ns": array([dt.time(1, 2, 3, 4)], pa.time64("ns")),
    "timestamp_s": instants("s"),
    "timestamp_ms": instants("ms"),
    "timestamp_us": instants("us"),
    "timestamp_ns": instants("ns"),
    "timestamp_s_utc": instants("s", "UTC"),
    "timestamp_us_utc": instants("us", "UTC"),
    "timestamp_us_paris": instants("us", "Europe/Paris"),
    "timestamp_ns_offset": instants("ns", "+05:30"),
    "duration_s": spans("s"),
    "duration_ms": spans("ms"),
    "duration_us": spans("us"),
    "duration_ns": spans("ns"),
    "interval": pa.array([pa.MonthDayNano([1, -2, 3]), None]),
    "dictionary_int8": dictionary(["x", "y"], pa.int8()),
    "dictionary_int32": dictionary(["z", "x"], pa.int32()),
    "dictionary_of_int64": dictionary([5, 6], pa.int32()),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array([5, None])),
    "list": array([[1, None], []], pa.list_(pa.int32())),
    "list_of_int64": array([[2**40]], pa.list_(pa.int64())),
    "large_list": array([[1]], pa.large_list(pa.int32())),
    "list_view": array([[1, 2]], pa.list_view(pa.int32())),
    "fixed_list_2": array([[1, None]], pa.list_(pa.int32(), 2)),
    "fixed_list_3": array([[1, 2, 3]], pa.list_(pa.int32(), 3)),
    "list_of_structs": array([[{"a": 1}, None]], pa.list_(pa.struct({"a": pa.int32()}))),
    "list_of_others": array([[{"b": "x"}]], pa.list_(pa.struct({"b": pa.string()}))),
    "struct_a": array([{"a": 1}, {"a": None}], pa.struct({"a": pa.int32()})),
    "struct_b": array([{"b": {"c": "x"}}], pa.struct({"b": pa.struct({"c": pa.string()})})),
    "struct_ab": array([{"b": {"d": 1}, "a": 2}], pa.struct({"b": pa.struct({"d": pa.int8()}), "a": pa.int64()})),
    "map": array([[("k", 1), ("k", None)]], pa.map_(pa.string(), pa.int32())),
    "map_of_int64": array([[("k", 2**40)], []], pa.map_(pa.string(), pa.int64())),
    "map_of_structs": array([[("k", {"a": 1})]], pa.map_(pa.string(), pa.struct({"a": pa.int32()}))),
    "map_of_others": array([[("k", {"b": 1})]], pa.map_(pa.string(), pa.struct({"b": pa.int32()}))),
    "uuid": array([b"a" * 16], pa.uuid()),
    "fixed_16": array([b"b" * 16], pa.binary(16)),
}


def in_struct(values):
    return pa.StructArray.from_arrays([values], ["v"])


def in_list(values):
    return pa.ListArray.from_arrays(pa.array([0, 1, len(values)], pa.int32()), values)


WAYS = {"top": lambda values: values, "struct": in_struct, "list": in_list}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file for each type and way of nesting."""
    folder = tmp_path_factory.mktemp("parts")
    for (way, nest), (name, values) in itertools.product(WAYS.items(), ARRAYS.items()):
        trevni.write(folder / f"{way}-{name}.trv", pa.table({"v": nest(values)}))
    return lambda way, name: folder / f"{way}-{name}.trv"


def ours(files, way, *names):
    """What the files are as one table, or the error."""
    paths = [files(way, name) for name in names]
    try:
        table = trevni.Dataset(paths).to_arrow()
    except trevni.ShapeError as error:
        text = str(error)
        assert str(paths[0]) in text and str(paths[1]) in text and "field v" in text
        return None
    table.validate(full=True)
    return table


def theirs(way, *names):
    """What pyarrow joins them to."""
    tables = [pa.table({"v": WAYS[way](ARRAYS[name])}) for name in names]
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return None


def plain(value):
    """A value whose equality is that of values of several types: strings are their bytes, nulls in structs are not there."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, uuid.UUID):
        return value.bytes
    return value.encode() if isinstance(value, str) else value


def is_same(one, two):
    """Whether values are the same; a decimal may be the nearest float."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(is_same(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(is_same, one, two))
    return one == (float(two) if isinstance(one, float) and isinstance(two, D) else two)


def kind_of(name):
    return ARRAYS[name].type


def is_decimal(kind):
    return pa.types.is_decimal(kind)


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def is_bytes(kind):
    is_of = [pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary]
    return any(of(kind) for of in is_of)


def is_view(kind):
    return pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)


def is_any_list(kind):
    of = [pa.types.is_list, pa.types.is_large_list, pa.types.is_list_view, pa.types.is_fixed_size_list]
    return any(is_kind(kind) for is_kind in of)


def is_number(kind):
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or is_decimal(kind)


def encoded(kind):
    return pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind)


def documented(one, two):
    """The line of the table in `docs/datasets.md` that says why we differ from pyarrow for two types; none where there is none."""
    pair = (one, two)
    if any(map(is_number, pair)) and all(is_number(kind) or encoded(kind) for kind in pair):
        if any(map(encoded, pair)):
            return "dictionary or runs beside plain values"
        integers = [kind for kind in pair if pa.types.is_integer(kind)]
        if len(integers) == 2 and any(kind == pa.uint64() for kind in pair):
            return "uint64 beside integers with a sign"
        if any(map(is_decimal, pair)):
            return "decimal beside integers, floats or decimals"
        return "integers beside small floats"
    if any(map(encoded, pair)):
        return "dictionary or runs beside plain values"
    if all(is_text(kind) or is_bytes(kind) for kind in pair) and any(map(is_view, pair)):
        return "views beside others"
    if all(map(pa.types.is_timestamp, pair)) and all(kind.tz for kind in pair):
        return "instants of two zones"
    if any(map(pa.types.is_list_view, pair)) or all(map(is_any_list, pair)) or all(map(pa.types.is_map, pair)):
        return "list views, maps"
    if pa.uuid() in pair:
        return "extension type beside its storage"
    return None


PAIRS = list(itertools.product(ARRAYS, ARRAYS))


@pytest.mark.parametrize("way", WAYS)
def test_pairs_of_types_are_those_of_pyarrow_or_documented(files, way):
    faults = []
    seen = set()
    for one, two in PAIRS:
        table, expected = ours(files, way, one, two), theirs(way, one, two)
        if table is None:
            if expected is not None:
                faults.append(f"{one} and {two}: an error, pyarrow has {expected.schema.field(0).type}")
            continue
        # Values are those of the parts, whatever the type.
        parts = [trevni.open(files(way, name)).to_arrow().column("v").to_pylist() for name in (one, two)]
        read = plain(table.column("v").to_pylist())
        if not is_same(read, plain(list(itertools.chain(*parts)))):
            faults.append(f"{one} and {two}: {read} are not {parts}")
        same = expected is not None and expected.schema.field(0).type == table.schema.field(0).type
        if not same:
            why = documented(kind_of(one), kind_of(two))
            seen.add(why)
            if why is None:
                kind = None if expected is None else expected.schema.field(0).type
                faults.append(f"{one} and {two}: {table.schema.field(0).type}, pyarrow has {kind}")
    assert not faults, "\n".join(faults)
    table = DOCS.read_text(encoding="utf-8")
    assert [why for why in sorted(seen) if f"\n| {why} |" not in table] == []


def test_order_does_not_matter(files):
    for one, two in itertools.combinations(ARRAYS, 2):
        if "struct" in one or "struct" in two or "others" in two:
            continue  # the order of fields is that of the files
        first, second = ours(files, "top", one, two), ours(files, "top", two, one)
        assert (first is None) == (second is None), (one, two)
        assert first is None or first.schema == second.schema, (one, two)


def write(folder, *parts):
    for number, part in enumerate(parts):
        trevni.write(folder / f"p{number}.trv", part)
    return trevni.Dataset(folder)


def test_integers_with_and_without_sign(tmp_path):
    dataset = write(tmp_path, pa.table({"a": pa.array([2**64 - 1], pa.uint64())}), pa.table({"a": [-3, None]}))
    assert dataset.to_arrow().schema.field("a").type == pa.decimal128(20, 0)
    assert dataset.to_arrow().to_pylist() == [{"a": D(2**64 - 1)}, {"a": D(-3)}, {"a": None}]
    assert dataset.to_polars()["a"].to_list() == [D(2**64 - 1), D(-3), None]


def test_units_of_instants_and_spans(tmp_path):
    moment = dt.datetime(2023, 11, 14, 22, 13, 20)
    table = [
        pa.table({"t": pa.array([moment], pa.timestamp(unit)), "d": pa.array([dt.timedelta(seconds=3)], pa.duration(unit))})
        for unit in ("ms", "us", "s")
    ]
    dataset = write(tmp_path, *table)
    assert dataset.to_arrow().schema == pa.schema({"t": pa.timestamp("us"), "d": pa.duration("us")})
    assert dataset.to_arrow().to_pylist() == 3 * [{"t": moment, "d": dt.timedelta(seconds=3)}]


def test_scales_of_decimals(tmp_path):
    parts = [pa.array([D("1.5")], pa.decimal128(5, 1)), pa.array([D("1.25")], pa.decimal128(5, 2))]
    dataset = write(tmp_path, *(pa.table({"a": part}) for part in parts))
    assert dataset.to_arrow().schema.field("a").type == pa.decimal128(6, 2)
    assert [row["a"] for row in dataset] == [D("1.50"), D("1.25")]


def test_nested_fields_that_a_part_lacks(tmp_path):
    dataset = write(tmp_path, pa.table({"s": [{"a": 1}]}), pa.table({"s": [{"a": 2, "b": ["x"]}]}), pa.table({"t": [1]}))
    assert dataset.row(0) == {"s": {"a": 1, "b": None}, "t": None}
    assert dataset.filter("s.b is not null").to_arrow().to_pylist() == [{"s": {"a": 2, "b": ["x"]}, "t": None}]
    assert [row["s"] for row in dataset.select(["s.b"])] == [{"b": None}, {"b": ["x"]}, None]


def test_categories_of_polars(tmp_path):
    enums = [pl.Series(values, dtype=pl.Enum(categories)) for values, categories in [(["x", None], "xy"), (["z", "x"], "zx")]]
    frame = write(tmp_path, *(pl.DataFrame({"a": enum}) for enum in enums)).to_polars()
    assert frame["a"].to_list() == ["x", None, "z", "x"]
    assert frame.schema == {"a": pl.Enum(["x", "y", "z"])}


def test_categories_beside_strings(tmp_path):
    enum = pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum(["x", "y"]))})
    frame = write(tmp_path, enum, pl.DataFrame({"a": ["other"]})).to_polars()
    assert (frame["a"].to_list(), frame.schema) == (["x", "other"], {"a": pl.String})


def test_files_without_rows_fit_anything(tmp_path):
    dataset = write(tmp_path, pa.table({"a": pa.array([], pa.int64())}), pa.table({"a": ["x"], "b": [1]}))
    assert dataset.to_arrow().to_pylist() == [{"a": "x", "b": 1}]
    assert dataset.filter("a = 'x'").num_rows == 1


def test_integers_that_no_float_is_equal_to_are_errors(tmp_path):
    dataset = write(tmp_path, pa.table({"a": [1, 2**53 + 1]}), pa.table({"a": [1.5]}))
    with pytest.raises(trevni.ShapeError, match="p0.trv: field a: an integer above 2⁵³ has no equal in Float64"):
        dataset.to_arrow()


def test_instants_too_far_away_for_the_finer_unit_are_errors(tmp_path):
    parts = [pa.array([2**60], pa.timestamp("ms")), pa.array([1], pa.timestamp("ns"))]
    dataset = write(tmp_path, *(pa.table({"a": part}) for part in parts))
    with pytest.raises(trevni.TrevniError, match="p0.trv: .*[Oo]verflow"):
        dataset.to_arrow()


def test_types_without_a_common_one_name_both_files(tmp_path):
    with pytest.raises(trevni.ShapeError) as error:
        write(tmp_path, pa.table({"s": [{"a": 1}]}), pa.table({"t": [1]}), pa.table({"s": [{"a": "x"}]}))
    text = f"{tmp_path}/p2.trv: field s.a is Utf8 here and Int64 in {tmp_path}/p0.trv, which have no type in common"
    assert str(error.value) == text


CONDITIONS = [
    ("duration_s", "duration_us", "v = 1000000", [1]),
    ("date32", "date64", "v > '2000-01-01T00:00:00'", [dt.date(9999, 12, 31)]),
    ("timestamp_s", "timestamp_ns", "v > '1970-01-01T00:00:00.5'", [dt.datetime(1970, 1, 1, 0, 0, 1)]),
    ("decimal128_5_1", "decimal128_5_2", "v = 1.25 or v = 1.5", [D("1.5"), D("1.25")]),
    ("uint64", "int64", "v < 0 or v = 7", [D(7), D(-(2**53))]),
    ("float32", "float64", "v = 0.1", [0.1]),
    ("string", "binary", "v is not null", [b"x", "naïve".encode(), b"x", b"\xff"]),
    ("dictionary_int8", "string_view", "v starts with 'x' or v like '%bytes'", ["x", "longer than twelve bytes"]),
    ("null", "int8", "v > 0", [127]),
]


@pytest.mark.parametrize("one, two, condition, expected", CONDITIONS)
@pytest.mark.parametrize("way", ["top", "struct"])
def test_conditions_are_those_of_the_joined_values(files, way, one, two, condition, expected):
    path = "v" if way == "top" else "v.v"
    condition = condition.replace("v ", f"{path} ")
    dataset = trevni.Dataset([files(way, one), files(way, two)]).filter(condition)
    found = dataset.to_arrow().column("v").to_pylist()
    found = found if way == "top" else [value["v"] for value in found]
    if one == "duration_s":
        expected = [dt.timedelta(seconds=1)]
    assert found == expected
    assert dataset.num_rows == len(expected)
