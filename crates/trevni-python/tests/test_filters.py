"""Conditions choose the rows that those of pyarrow choose, and blocks are skipped."""

import datetime as dt
import io
import random

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from samples import many_rows

import trevni

TABLE = many_rows(20_000)
COL = trevni.col

CASES = [
    ("id = 77", COL("id") == 77, pc.field("id") == 77),
    ("id < 100 or id >= 19000", (COL("id") < 100) | (COL("id") >= 19000), (pc.field("id") < 100) | (pc.field("id") >= 19000)),
    ("word = 'w007'", COL("word") == "w007", pc.field("word") == "w007"),
    ("word != 'w007'", COL("word") != "w007", pc.field("word") != "w007"),
    ("word is null", COL("word").is_null(), pc.field("word").is_null()),
    ("word is not null and small > 3", (COL("word") != None) & (COL("small") > 3), pc.field("word").is_valid() & (pc.field("small") > 3)),  # noqa: E711
    ("word in ('w001', 'w050')", COL("word").is_in(["w001", "w050"]), pc.field("word").isin(["w001", "w050"])),
    ("word starts with 'w09'", COL("word").starts_with("w09"), pc.starts_with(pc.field("word"), "w09")),
    ("word like 'w0_5'", COL("word").like("w0_5"), pc.match_like(pc.field("word"), "w0_5")),
    ("word ~ '[13]$'", COL("word").matches("[13]$"), pc.match_substring_regex(pc.field("word"), "[13]$")),
    ("value between 1.5 and 20", COL("value").between(1.5, 20), (pc.field("value") >= 1.5) & (pc.field("value") <= 20)),
    ("not (value > 50)", ~(COL("value") > 50), ~(pc.field("value") > 50)),
    ("even = true", COL("even") == True, pc.field("even")),  # noqa: E712
    ("single = 0.25", COL("single") == 0.25, pc.field("single") == 0.25),
    ("value * 2 + 1 > 200", COL("value") * 2 + 1 > 200, pc.field("value") * 2 + 1 > 200),
    ("id % 1000 = 5", COL("id") % 1000 == 5, None),
    ("small + id = 41", COL("small") + COL("id") == 41, pc.field("small") + pc.field("id") == 41),
]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    path = tmp_path_factory.mktemp("filters") / "rows.trv"
    trevni.write(path, TABLE, block_size=4096)
    return trevni.open(path)


@pytest.mark.parametrize("text, expression, expected", CASES, ids=[case[0] for case in CASES])
def test_rows_are_those_of_pyarrow(reader, text, expression, expected):
    if expected is None:
        rows = TABLE.filter(pa.array([n % 1000 == 5 for n in range(TABLE.num_rows)]))
    else:
        rows = TABLE.filter(expected)
    assert 0 < rows.num_rows < TABLE.num_rows
    for condition in [text, expression]:
        filtered = reader.filter(condition)
        assert filtered.to_arrow().equals(rows)
        assert len(filtered) == rows.num_rows
        assert filtered.select(["single"]).to_arrow().equals(rows.select(["single"]))
        # The condition may name what select left out.
        assert reader.select(["even"]).filter(condition).to_arrow().equals(rows.select(["even"]))


def test_filters_are_joined(reader):
    joined = reader.filter("id >= 100").filter(COL("id") < 200).filter("small is not null")
    assert joined.to_arrow().equals(TABLE.slice(100, 100).filter(pc.field("small").is_valid()))


def test_blocks_are_skipped(reader):
    whole = reader.bytes_read
    some = reader.filter("id between 5000 and 5100")
    assert 0 < some.bytes_read < whole / 10
    assert "skip" in some.explain()
    assert reader.select(["id"]).bytes_read < whole / 2


class Counting:
    """A file that counts what is read of it."""

    def __init__(self, path):
        self.file, self.count = open(path, "rb"), 0

    def seek(self, *place):
        return self.file.seek(*place)

    def read(self, size):
        self.count += size
        return self.file.read(size)


def counted(reader, query):
    file = Counting(reader.files[0])
    source = trevni.open(file)
    file.count = 0
    return query(source), file.count


def test_columns_and_blocks_that_are_not_needed_are_not_read(reader):
    _, whole = counted(reader, lambda rows: rows.to_arrow())
    rows, one = counted(reader, lambda rows: rows.select(["small"]).to_arrow())
    assert rows.num_rows == 20_000 and one < whole / 2
    rows, few = counted(reader, lambda rows: rows.filter("id >= 19950").to_arrow())
    assert rows.num_rows == 50 and few < whole / 5
    row, single = counted(reader, lambda rows: rows.row(12_345))
    assert row["id"] == 12_345 and single < whole / 5


def test_polars_pushes_columns_and_conditions(reader):
    _, whole = counted(reader, lambda rows: trevni.scan(rows).collect())
    query = lambda rows: trevni.scan(rows).filter(pl.col("id") > 19_950).select("small").collect()  # noqa: E731
    rows, few = counted(reader, query)
    assert rows.height == 49 and few < whole / 10
    rows, one = counted(reader, lambda rows: trevni.scan(rows).select("small").collect())
    assert rows.height == 20_000 and one < whole / 2
    rows, count = counted(reader, lambda rows: trevni.scan(rows).select(pl.len()).collect())
    assert rows.item() == 20_000 and count < whole / 10
    rows, head = counted(reader, lambda rows: trevni.scan(rows).head(5).collect())
    assert rows.height == 5 and head < whole / 5
    plan = trevni.scan(reader).filter(pl.col("id") > 19_950).select("small").explain()
    assert "PROJECT 2/6" in plan and "SELECTION" in plan


def test_names_and_texts_are_quoted():
    table = pa.table({"odd `name`, x": ["it's", "a\\b", '"', "`"], "a.b": [1, 2, 3, 4], "and": [1, 2, 3, 4], "": [4, 3, 2, 1]})
    file = io.BytesIO()
    trevni.write(file, table)
    reader = trevni.open(file.getvalue())
    for number, text in enumerate(table.column(0).to_pylist()):
        assert reader.filter(COL("odd `name`, x") == text).to_arrow().equals(table.slice(number, 1))
    assert reader.filter(COL("a.b") == 2).to_arrow().equals(table.slice(1, 1))
    assert reader.filter(COL("and") == 3).to_arrow().equals(table.slice(2, 1))


def test_expressions_are_no_truths():
    with pytest.raises(TypeError, match="&"):
        COL("a") == 1 and COL("b") == 2
    with pytest.raises(TypeError, match="cannot be compared"):
        COL("a") == object()
    with pytest.raises(ValueError):
        COL("a") == float("nan")
    with pytest.raises(TypeError):
        COL()
    assert str(~(COL("a", "b") > 1) | COL("c").is_in([])) == "((not (`a`.`b` > 1)) or (`c` is null and `c` is not null))"
    assert str(1 - COL("a") / 2 * (3 + COL("b"))) == "(1 - ((`a` / 2) * (3 + `b`)))"


NAN = float("nan")
ODD = pl.DataFrame(
    {
        "f": [1.0, NAN, None, -0.0, 0.0, float("inf"), float("-inf"), 0.1],
        "g": pl.Series([0.1, NAN, None, 1.5, 16777217.0, 0.0, -1.0, 0.25], dtype=pl.Float32),
        "i": [0, 1, None, -5, 2**53, 2**53 + 1, -(2**63), 2**63 - 1],
        "u": pl.Series([0, 1, None, 5, 2**64 - 1, 2**63, 7, 8], dtype=pl.UInt64),
        "s": ["", "a", None, "b", "ab", "ä", "a'b", "z"],
        "b": [True, False, None, True, False, None, True, False],
        "d": pl.Series([0, 1, None, -1, 10_000, 20_000, -20_000, 3], dtype=pl.Int32).cast(pl.Date),
        "t": pl.Series([0, 1, None, -1, 10**15, 2 * 10**15, 1001, 1000], dtype=pl.Int64).cast(pl.Datetime("us")),
        "z": pl.Series([0, 1, None, -1, 10**12, 2 * 10**12, 7, 8], dtype=pl.Int64).cast(pl.Datetime("ms", "UTC")),
        "c": pl.Series(["x", "y", None, "x", "z", "y", "x", "y"], dtype=pl.Categorical),
        "e": pl.Series(["x", "y", None, "x", "z", "y", "x", "y"], dtype=pl.Enum(["z", "y", "x"])),
    }
)

LITERALS = {
    "f": [0, 0.0, 1, 0.1, NAN, float("inf"), -1, 2**60],
    "g": [0, 0.1, 0.25, 1.5, NAN, 16777217, pl.lit(0.1, pl.Float64), pl.lit(0.1, pl.Float32)],
    "i": [0, 1.5, 2**53, float(2**53), -5, 2**63 - 1, NAN, pl.lit(3, pl.Int8)],
    "u": [0, 5, 2**63, 2**64 - 1, 1.5],
    "s": ["", "a", "b", "zz", "ä", "a'b"],
    "b": [True, False],
    "d": [dt.date(1970, 1, 1), dt.date(1997, 5, 19), dt.datetime(1970, 1, 1, 12)],
    "t": [dt.datetime(1970, 1, 1), dt.datetime(2001, 9, 9, 1, 46, 40), dt.datetime(1970, 1, 1, 0, 0, 0, 1), dt.date(1970, 1, 1)],
    "z": [dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc), dt.datetime(2001, 9, 9, 1, 46, 40, 1, tzinfo=dt.timezone.utc)],
    "c": ["x", "q"],
    "e": ["x", "y"],
}
OPERATORS = ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "eq_missing", "ne_missing"]


def predicates(random_numbers):
    """Each operator with each literal; then some at random, joined."""
    simple = []
    for name, literals in LITERALS.items():
        column = pl.col(name)
        for value in literals:
            for operator in OPERATORS:
                simple.append(getattr(column, operator)(value))
            simple.append(column.is_between(value, value))
            simple.append(column.is_between(value, value, closed="left"))
            simple.append(pl.lit(value) > column if not isinstance(value, pl.Expr) else value > column)
        values = [value for value in literals if type(value) is type(literals[0])]
        simple += [column.is_null(), column.is_not_null(), column.is_in(values[:2])]
    simple += [pl.col("b"), ~pl.col("b"), pl.col("s").str.starts_with("a"), pl.col("s").str.contains("b")]
    simple += [pl.col("f").is_nan(), pl.col("f") > pl.col("i"), pl.col("i").abs() > 1, pl.col("s").str.len_bytes() == 1]
    yield from simple
    for _ in range(300):
        one, two, three = random_numbers.choices(simple, k=3)
        yield random_numbers.choice([one & two, one | two, ~one, ~(one & two), (one | ~two) & three, ~(one | two)])


def test_polars_finds_the_same_rows_as_without_us(tmp_path):
    path = tmp_path / "odd.trv"
    trevni.write(path, ODD)
    frame = trevni.scan(path)
    assert frame.collect().equals(ODD, null_equal=True)
    compared = 0
    for predicate in predicates(random.Random(5)):
        try:
            expected = ODD.lazy().filter(predicate).collect()
        except pl.exceptions.PolarsError:
            continue
        found = frame.filter(predicate).collect()
        assert found.equals(expected), predicate
        compared += 1
    assert compared > 700, compared


def test_polars_slices_after_filters(tmp_path):
    path = tmp_path / "rows.trv"
    trevni.write(path, TABLE)
    ours, theirs = trevni.scan(path), pl.DataFrame(TABLE).lazy()
    queries = [
        lambda frame: frame.filter(pl.col("small") > 0).head(3),
        lambda frame: frame.head(100).filter(pl.col("small") > 0),
        lambda frame: frame.slice(10, 5),
        lambda frame: frame.select(pl.col("value").sum(), pl.len()),
        lambda frame: frame.group_by("small").agg(pl.col("id").max()).sort("small"),
        lambda frame: frame.filter(pl.col("word").is_in(["w001"])).select("id").sort("id", descending=True).head(4),
        lambda frame: frame.with_columns(x=pl.col("id") * 2).filter(pl.col("x") < 50).select("x", "word"),
        lambda frame: frame.join(frame.select("id", y=pl.col("value")), on="id").filter(pl.col("y") > 124).sort("id"),
    ]
    for query in queries:
        assert query(ours).collect().equals(query(theirs).collect())
