"""Conditions of other libraries: expressions of pyarrow and polars, and what DuckDB passes to a dataset."""

import datetime as dt
import decimal
import pickle
import random

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pytest
from samples import many_rows

import trevni

COUNT = 3000


def table():
    rows = many_rows(COUNT)
    day = pa.array([None if n % 17 == 0 else n % 400 for n in range(COUNT)], pa.int32()).cast(pa.date32())
    when = pa.array([n * 86_400_000_000 // 7 for n in range(COUNT)], pa.int64())
    more = {
        "day": day,
        "instant": when.cast(pa.timestamp("us", "UTC")),
        "local": when.cast(pa.timestamp("us")),
        "nanos": when.cast(pa.timestamp("ns")),
        "price": pa.array([None if n % 19 == 0 else decimal.Decimal(n % 300) / 4 for n in range(COUNT)], pa.decimal128(9, 2)),
        "took": pa.array([n % 90 for n in range(COUNT)], pa.int64()).cast(pa.duration("s")),
        "kind": pa.array([None if n % 23 == 0 else "abc"[n % 3] for n in range(COUNT)]).dictionary_encode(),
        "not": pa.array([float("nan") if n % 29 == 0 else n / 7 for n in range(COUNT)]),
        "odd name.x": pa.array([n % 10 for n in range(COUNT)], pa.int64()),
        "of": pa.array([None if n % 31 == 0 else {"n": n % 5, "t": f"t{n % 4}"} for n in range(COUNT)]),
        "tags": pa.array([[f"t{i}" for i in range(n % 4)] for n in range(COUNT)]),
    }
    for name, column in more.items():
        rows = rows.append_column(name, column)
    return rows


ROWS = table()


def same(one, other):
    """Whether tables are equal, NaN too."""
    places = [place for place, name in enumerate(one.schema.names) if name == "not"]
    for place in places:
        numbers = [rows.column(place).fill_null(-1).combine_chunks().view(pa.int64()) for rows in (one, other)]
        if not numbers[0].equals(numbers[1]):
            return False
    return one.schema.equals(other.schema) and one.drop_columns(["not"] * len(places)).equals(other.drop_columns(["not"] * len(places)))


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    path = tmp_path_factory.mktemp("pushdown") / "rows.trv"
    trevni.write(path, ROWS, block_size=4096)
    return trevni.open(path)


F = pc.field
UTC = dt.timezone.utc

OF_PYARROW = [
    F("id") > 100,
    pc.scalar(100) >= F("id"),
    (F("id") > 100) & (F("id") <= 2000),
    (F("small") == 3) | F("word").is_null(),
    ~(F("small") == 3),
    ~((F("small") == 3) & F("even")),
    F("even"),
    ~F("even"),
    F("even") == False,  # noqa: E712
    F("word") == "w007",
    F("word") != "w007",
    F("word").isin(["w001", "w099", "none"]),
    ~F("word").isin(["w001", "w099"]),
    F("word").isin(["w001", None]),
    ~F("word").isin(["w001", None]),
    F("word").isin(pa.array([], pa.string())),
    F("small").isin([1, 2, -7]),
    F("word").is_valid(),
    F("value") > 50,
    F("value") == 50.125,
    F("single") < 2.5,
    F("not") > 100.0,
    F("not") != 100.0,
    ~(F("not") > 100.0),
    F("small") < F("odd name.x"),
    F("id") + 5 > F("odd name.x") * 100,
    F("id") - F("odd name.x") < 10,
    F("value") / 2.0 > 30.0,
    pc.starts_with(F("word"), "w0"),
    pc.ends_with(F("word"), "9"),
    pc.match_substring(F("word"), "05"),
    pc.match_like(F("word"), "w_5%"),
    pc.match_like(F("word"), "W_5%", ignore_case=True),
    pc.match_substring_regex(F("word"), "^w[0-3]5"),
    pc.utf8_length(F("word")) > 3,
    pc.utf8_upper(F("word")) == "W042",
    F("day") > dt.date(1970, 12, 1),
    F("day") == dt.date(1970, 12, 1),
    pc.year(F("day")) == 1971,
    F("instant") >= pa.scalar(dt.datetime(1970, 2, 1, tzinfo=UTC), pa.timestamp("us", "UTC")),
    F("instant") < pa.scalar(dt.datetime(1970, 2, 1, tzinfo=UTC), pa.timestamp("us", "Europe/Paris")),
    F("local") < dt.datetime(1970, 2, 1, 3, 25, 42, 857142),
    F("nanos") == pa.scalar(12342857142000, pa.timestamp("ns")),
    F("nanos") > pa.scalar(12342857142999, pa.timestamp("ns")),
    F("price") > pa.scalar(decimal.Decimal("30.25"), pa.decimal128(9, 2)),
    F("took") > pa.scalar(dt.timedelta(seconds=30), pa.duration("s")),
    F("took") > pa.scalar(dt.timedelta(milliseconds=30_500), pa.duration("ms")),
    F("kind") == "b",
    F("odd name.x") == 3,
    F("of", "n") == 3,
    F("of", "t").isin(["t1", "t2"]),
    F("small").cast(pa.float64()) > 2.5,
    (F("word") > "w05") & pc.invert(F("id") < 90) & (F("single") >= 1),
]


@pytest.mark.parametrize("expression", OF_PYARROW, ids=str)
def test_expressions_of_pyarrow(reader, expression):
    expected = ROWS.filter(expression)
    assert same(reader.filter(expression).to_arrow(), expected)
    assert same(reader.dataset().to_table(filter=expression), expected)
    some = reader.dataset().scanner(columns=["id"], filter=expression)
    assert some.to_table().equals(expected.select(["id"]))
    assert reader.dataset().count_rows(filter=expression) == expected.num_rows


UNKNOWN_OF_PYARROW = [
    (pc.is_nan(F("not")), "is_nan"),
    (F("tags") == pa.scalar(["t0"]), "equal"),
    (pc.list_value_length(F("tags")) > 2, "list_value_length"),
    (F("word").is_null(nan_is_null=True), "is_null"),
    (F("id") / 7 > 3, "divide_checked"),
    (pc.starts_with(F("word"), "W", ignore_case=True), "starts_with"),
    ((F("id") > 10) & (pc.sqrt(F("value")) > 3), "sqrt"),
]


@pytest.mark.parametrize("expression, part", UNKNOWN_OF_PYARROW, ids=str)
def test_what_only_pyarrow_computes(reader, expression, part):
    with pytest.raises(trevni.UsageError, match=rf"^no condition for .*{part}\(.* of the pyarrow expression "):
        reader.filter(expression)
    try:
        expected = ROWS.filter(expression)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return
    assert same(reader.dataset().to_table(filter=expression), expected)
    assert reader.dataset().count_rows(filter=expression) == expected.num_rows


C = pl.col
OF_POLARS = [
    C("id") > 100,
    (C("small") == 3) | C("word").is_null(),
    ~(C("small") == 3),
    C("even"),
    C("word").is_in(["w001", "w099"]),
    C("word").str.starts_with("w0"),
    C("word").str.ends_with("9"),
    C("word").str.contains("05", literal=True),
    C("not") > 100.0,
    C("not") <= 100.0,
    C("id").is_between(10, 20),
    C("small") < C("small"),
    C("id") == C("odd name.x"),
    C("took") > dt.timedelta(seconds=30),
    C("took") <= dt.timedelta(milliseconds=30_500),
    C("day") > dt.date(1970, 12, 1),
    (C("id") > 5) & (C("word") == "w007") & ~C("even"),
]


@pytest.mark.parametrize("predicate", OF_POLARS, ids=str)
def test_expressions_of_polars(reader, predicate):
    rows = reader.select(["id", "word", "small", "even", "not", "odd name.x".join("``"), "took", "day"])
    expected = rows.to_polars().filter(predicate)
    assert rows.filter(predicate).to_polars().equals(expected)
    assert rows.lazy().filter(predicate).collect().equals(expected)


def test_what_only_polars_computes(reader):
    for predicate, part in [(C("value").sqrt() > 3, "sqrt"), ((C("id") > 5) & C("word").str.contains("w.*"), "contains")]:
        with pytest.raises(trevni.UsageError, match=f"^no condition for .*{part}.* of the polars expression; trevni.scan takes any$"):
            reader.filter(predicate)
    with pytest.raises(TypeError, match="^a condition is a string, made of trevni.col, or an expression of polars or pyarrow, not int$"):
        reader.filter(5)


QUERIES = [
    "select count(*) from {}",
    "select count(*) from {} where small > 3",
    "select kind, count(*) from {} group by kind order by kind",
    "select word, sum(value) from {} group by word order by word",
    "select id from {} where word = 'w007' and id between 100 and 900",
    "select id from {} where word in ('w001', 'w002') order by id",
    "select id from {} where word not in ('w001', 'w002') order by id",
    "select id from {} where word like 'w00%' order by id",
    "select id from {} where value > 30 and \"not\" > 100 order by id",
    "select id from {} where word is null or small = 3 order by id",
    "select id from {} where day >= date '1970-12-01' and instant < timestamptz '1971-01-01 00:00:00+00' order by id",
    "select id from {} where price > 30.25 order by id",
    "select id, \"of\".t from {} where \"of\".n = 3 order by id",
    "select max(id) from {} where kind = 'b'",
    "select a.id from {} a join {} b using (id) where b.word = 'w010' order by all",
    "select id from {} order by value desc nulls last, id limit 5",
    "select len(tags), count(*) from {} group by all order by all",
]


@pytest.mark.parametrize("query", QUERIES)
def test_duckdb_takes_a_dataset(reader, query):
    rows = reader.dataset()  # noqa: F841
    expected = duckdb.sql(query.format(*["ROWS"] * 2)).fetchall()
    assert expected and duckdb.sql(query.format(*["rows"] * 2)).fetchall() == expected


def test_duckdb_leaves_columns_and_conditions_to_the_file(reader, monkeypatch):
    asked = []
    rows = reader.dataset()
    scanner = type(rows).scanner
    monkeypatch.setattr(type(rows), "scanner", lambda self, *args, **options: asked.append(options) or scanner(self, *args, **options))
    assert duckdb.sql("select count(*) from rows").fetchall() == [(COUNT,)]
    assert duckdb.sql("select word from rows where id > 2990").fetchall() == [(word,) for word in ROWS["word"][2991:].to_pylist()]
    assert [options["columns"] for options in asked] == [["id"], ["word"]]
    assert str(asked[1]["filter"]) == "(id > 2990)"
    known, is_all = trevni._arrow_expression.conditions_of(asked[1]["filter"], reader)
    assert (len(known), is_all) == (1, True)
    few = reader.filter(known[0]).select("word")
    assert few.bytes_read < reader.select("word").bytes_read / 2


def test_datasets_do_what_those_of_pyarrow_do(reader, tmp_path):
    rows, other = reader.dataset(), ds.dataset(ROWS)
    assert isinstance(rows, ds.Dataset) and rows.schema.equals(ROWS.schema)
    assert same(rows.to_table(), ROWS) and rows.count_rows() == COUNT
    assert rows.head(7, columns=["id"]).equals(ROWS.select(["id"]).slice(0, 7))
    assert same(rows.take([5, 3, 5]), ROWS.take([5, 3, 5]))
    columns = {"twice": F("id") * 2, "w": F("word")}
    assert rows.to_table(columns=columns, filter=F("small") > 3).equals(other.to_table(columns=columns, filter=F("small") > 3))
    assert rows.to_table(columns=[]).num_rows == COUNT and rows.to_table(columns=[], filter=pc.is_nan(F("not"))).num_rows == 104
    assert [batch.num_rows for batch in rows.to_batches(columns=["id"], batch_size=1000)] == [1000] * 3
    few = rows.filter(F("id") < 10)
    assert same(few.to_table(), ROWS.slice(0, 10)) and few.count_rows() == 10
    assert few.filter(F("id") > 4).count_rows() == 5
    assert same(pickle.loads(pickle.dumps(few)).to_table(), few.to_table())
    assert rows.files == [str(reader.files[0])]
    ds.write_dataset(few, tmp_path / "out", format="parquet")
    assert same(ds.dataset(tmp_path / "out").to_table(), few.to_table())
    assert pl.scan_pyarrow_dataset(rows).filter(pl.col("id") == 4).select("id").collect().rows() == [(4,)]


def test_what_asks_a_dataset_for_its_file_gets_all_rows(reader):
    rows = reader.filter("id < 100").select(["id", "word"])
    expected = ROWS.slice(0, 100).select(["id", "word"])
    dataset = rows.dataset()
    assert ds.Scanner.from_dataset(dataset).to_table().equals(expected)
    assert ds.dataset([dataset, dataset]).count_rows() == 200
    assert dataset.sort_by([("id", "descending")]).to_table().num_rows == 100
    assert dataset.join(dataset, "id", right_suffix="_2").to_table().num_rows == 100
    assert [fragment.to_table().equals(expected) for fragment in dataset.get_fragments()] == [True]
    assert str(dataset.partition_expression) == "true"


def test_conditions_are_not_on_values_that_are_made_of_others(tmp_path):
    """Regression: a condition on the text of a union was one on the union itself, which has no such value."""
    union = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([3, 0, 7]), pa.array(["", "x", ""])], ["int", "string"])
    path = tmp_path / "rows.trv"
    trevni.write(path, pa.table({"u": union, "n": [1, 2, 3]}))
    reader = trevni.open(path, unions="string")
    assert trevni.scan(reader).filter(pl.col("u") == "3").collect().rows() == [("3", 1)]
    rows = reader.dataset()
    assert duckdb.sql("select n from rows where u = '3'").fetchall() == [(1,)]
    assert rows.to_table(filter=F("u") == "3").to_pylist() == [{"u": "3", "n": 1}]
    with pytest.raises(trevni.UsageError, match="no condition for"):
        reader.filter(pl.col("u") == "3")
    with pytest.raises(trevni.UsageError, match="no condition for"):
        reader.filter(F("u") == "3")


def test_random_expressions_of_pyarrow(reader):
    chance = random.Random(7)
    leaves = [expression for expression in OF_PYARROW if str(expression) != "even"]

    def tree(depth):
        if depth == 0:
            return chance.choice(leaves)
        kind = chance.randrange(3)
        if kind == 0:
            return ~tree(depth - 1)
        return tree(depth - 1) & tree(depth - 1) if kind == 1 else tree(depth - 1) | tree(depth - 1)

    for _ in range(60):
        expression = tree(chance.randrange(1, 4))
        assert reader.filter(expression).select("id").to_arrow().equals(ROWS.filter(expression).select(["id"])), str(expression)
