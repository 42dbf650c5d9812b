"""Tables of random types come back, and random conditions find the rows that pyarrow finds."""

import functools
import io
import random

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from samples import many_rows

import trevni

LEAVES = {
    pa.bool_(): [True, False],
    pa.int8(): [-128, 0, 127],
    pa.int32(): [-(2**31), -1, 0, 7],
    pa.int64(): [-(2**63), 1, 2**63 - 1],
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
    pa.dictionary(pa.int16(), pa.string()): ["x", "y", "zz"],
    pa.duration("ms"): [0, -5],
}


def random_type(numbers, depth):
    if depth == 0 or numbers.random() < 0.4:
        return numbers.choice(list(LEAVES))
    inner = functools.partial(random_type, numbers, depth - 1)
    kind = numbers.randrange(4)
    if kind == 0:
        return pa.list_(pa.field("item", inner(), nullable=numbers.random() < 0.7))
    if kind == 1:
        return pa.large_list(inner())
    if kind == 2:
        return pa.map_(pa.string(), inner())
    names = numbers.sample(["a", "b", "c", "a.b", "ö"], numbers.randint(1, 3))
    return pa.struct([pa.field(name, inner(), nullable=numbers.random() < 0.7) for name in names])


def random_value(numbers, field):
    if field.nullable and numbers.random() < 0.3:
        return None
    kind = field.type
    if kind in LEAVES:
        return numbers.choice(LEAVES[kind])
    count = numbers.choice([0, 1, 1, 2, 5])
    if pa.types.is_map(kind):
        return [(numbers.choice("kmn"), random_value(numbers, kind.item_field)) for _ in range(count)]
    if pa.types.is_struct(kind):
        return {part.name: random_value(numbers, part) for part in kind}
    return [random_value(numbers, kind.value_field) for _ in range(count)]


def random_table(numbers):
    fields = []
    for name in numbers.sample(["a", "b", "c.d", "e f", "", "and"], numbers.randint(1, 4)):
        fields.append(pa.field(name, random_type(numbers, 3), nullable=numbers.random() < 0.7))
    rows = numbers.choice([0, 1, 3, 20, 200])
    arrays = [pa.array([random_value(numbers, field) for _ in range(rows)], field.type) for field in fields]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


@pytest.mark.parametrize("seed", range(150))
def test_tables_come_back(seed):
    numbers = random.Random(seed)
    table = random_table(numbers)
    if numbers.random() < 0.5 and table.num_rows:
        table = table.slice(numbers.randrange(table.num_rows))
    codec = numbers.choice(["null", "snappy", "zstandard", "lz4"])
    file = io.BytesIO()
    trevni.write(file, table, codec=codec, block_size=numbers.choice([512, 65536]), threads=numbers.choice([1, 2]))
    reader = trevni.open(file.getvalue(), threads=numbers.choice([1, 2]))
    read = reader.to_arrow()
    read.validate(full=True)
    assert read.schema == table.schema
    assert read.to_pylist() == table.to_pylist()
    assert list(reader) == table.to_pylist()
    names = numbers.sample(table.column_names, numbers.randint(0, table.num_columns))
    names = [name for name in names if name and "." not in name]
    assert reader.select(names).to_arrow().to_pylist() == table.select(names).to_pylist()
    if table.num_rows:
        row = numbers.randrange(table.num_rows)
        assert reader.row(row) == table.slice(row, 1).to_pylist()[0]


TABLE = many_rows(2000)
VALUES = {"id": [0, 5, 700, 1999], "word": ["w000", "w050", "w"], "small": [-25, 0, 3], "value": [0.0, 4.625, 99.5]}


def random_condition(numbers, depth):
    """A condition of ours and of pyarrow."""
    if depth and numbers.random() < 0.6:
        one, two = random_condition(numbers, depth - 1), random_condition(numbers, depth - 1)
        kind = numbers.randrange(3)
        if kind == 0:
            return one[0] & two[0], one[1] & two[1]
        if kind == 1:
            return one[0] | two[0], one[1] | two[1]
        return ~one[0], ~one[1]
    name = numbers.choice(list(VALUES))
    ours, theirs = trevni.col(name), pc.field(name)
    value, other = numbers.choices(VALUES[name], k=2)
    return numbers.choice(
        [
            lambda: (ours == value, theirs == value),
            lambda: (ours != value, theirs != value),
            lambda: (ours < value, theirs < value),
            lambda: (ours >= value, theirs >= value),
            lambda: (ours.between(value, other), (theirs >= value) & (theirs <= other)),
            lambda: (ours.is_null(), theirs.is_null()),
            lambda: (ours.is_not_null(), theirs.is_valid()),
        ]
    )()


@pytest.fixture(scope="module")
def reader():
    file = io.BytesIO()
    trevni.write(file, TABLE, block_size=1024)
    return trevni.open(file.getvalue())


@pytest.mark.parametrize("seed", range(150))
def test_conditions_find_the_same_rows(reader, seed):
    ours, theirs = random_condition(random.Random(seed), 3)
    expected = TABLE.filter(theirs)
    filtered = reader.filter(ours)
    assert filtered.to_arrow().equals(expected)
    assert len(reader.filter(str(ours))) == expected.num_rows
