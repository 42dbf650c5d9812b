"""Paths: what is written for a field means it in ``select`` and ``filter``, and what files of a dataset call it."""

import itertools

import pyarrow as pa
import pytest

import trevni

# Names that mean something in paths, or look as if they did.
NAMES = ["a", "a.b", "", " ", "`", "\\", "a`b", "[]", "key", "value", "ä", "_0", "0", "item", "null", "*", "!,"]


def quoted(*names):
    """The paths that are written for names: in back quotes where they have to be, in back quotes everywhere, with ``\\``."""
    yield trevni.path(*names)
    yield ".".join("`" + name.replace("`", "``") + "`" if name != "a" else name for name in names)
    if all(names):
        yield ".".join("".join("\\" + letter for letter in name) for name in names)


def test_each_name_is_found_in_select_and_filter(write):
    table = pa.table({name: [number, -number] for number, name in enumerate(NAMES, 1)})
    reader = write(table)
    for (number, name), other in zip(enumerate(NAMES, 1), NAMES[3:] + NAMES[:3]):
        for path in quoted(name):
            assert reader.select([path]).to_arrow().equals(table.select([name])), path
            assert reader.filter(f"{path} = {number}").num_rows == 1, path
            assert reader.select([trevni.path(other), path]).columns == [other, name]
        assert reader.filter(trevni.col(name) == -number).row(0)[other] < 0


@pytest.mark.parametrize("kind", ["struct", "list", "null"])
def test_names_within_records_and_lists(write, kind):
    pairs = list(itertools.product(NAMES[:8], NAMES[:8]))
    record = lambda outer: {inner: pairs.index((outer, inner)) for inner in NAMES[:8]}  # noqa: E731
    around = {"struct": lambda row: row, "list": lambda row: [row, row], "null": lambda row: row}[kind]
    rows = [{outer: around(record(outer)) for outer in NAMES[:8]}]
    if kind == "null":
        rows.append({outer: None for outer in NAMES[:8]})
    reader = write(pa.Table.from_pylist(rows))
    for number, (outer, inner) in enumerate(pairs):
        for path in quoted(outer, inner):
            found = reader.select([path]).to_arrow().to_pylist()[0]
            assert found == {outer: around({inner: number})}, path
            if kind == "list":
                assert reader.filter(f"any({trevni.path(outer)}, {trevni.path(inner)} = {number})").num_rows == 1
            else:
                assert reader.filter(f"{path} = {number}").num_rows == 1, path


def test_fields_come_in_the_order_of_the_paths(write):
    table = pa.table({"r": [{"x": 1, "y": 2, "z": 3}], "n": [1], "l": [[{"p": 1, "q": 2}]]})
    reader = write(table)
    found = reader.select(["l.q", "r.z", "n", "r.x", "l.p"])
    assert found.columns == ["l", "r", "n"]
    rows = found.to_arrow()
    assert [field.name for field in rows.schema.field("r").type] == ["z", "x"]
    assert rows.to_pylist() == [{"l": [{"q": 2, "p": 1}], "r": {"z": 3, "x": 1}, "n": 1}]
    with pytest.raises(trevni.UsageError, match='no field "r.xx"; did you mean "r.x"'):
        reader.select(["r.xx"])
    with pytest.raises(trevni.UsageError, match="a back quote has no end"):
        reader.select(["`r"])


def test_dots_separate_names_where_they_can(write):
    reader = write(pa.table({"a.b": [1], "a": [{"b": 2}], "c.d": [3]}))
    assert reader.select(["a.b"]).to_arrow().to_pylist() == [{"a": {"b": 2}}]
    assert reader.select(["`a.b`", "c.d"]).to_arrow().to_pylist() == [{"a.b": 1, "c.d": 3}]
    polars = pytest.importorskip("polars")
    lazy = trevni.scan(reader.files[0]).select("a.b", "c.d").collect()
    assert lazy.equals(polars.DataFrame({"a.b": [1], "c.d": [3]}))


def test_other_names_of_fields(tmp_path):
    old, new = tmp_path / "a.trv", tmp_path / "b.trv"
    trevni.write(old, pa.Table.from_pylist([{"user_name": "ada", "at": {"postcode": 1}}]))
    trevni.write(new, pa.Table.from_pylist([{"user": "bob", "at": {"zip": 2}}]))
    plain = trevni.Dataset(tmp_path)
    assert plain.columns == ["user_name", "at", "user"]
    aliases = {"user": "user_name"}
    aliases["at.zip"] = ["at.code", "at.postcode"]
    for files in [tmp_path, [old, new]]:
        dataset = trevni.Dataset(files, aliases=aliases)
        rows = [{"user": "ada", "at": {"zip": 1}}, {"user": "bob", "at": {"zip": 2}}]
        assert dataset.to_arrow().to_pylist() == rows
        assert [row["user"] for row in dataset.filter("at.zip < 2")] == ["ada"]
        assert dataset.filter(trevni.col("user") == "ada").select(["at.zip"]).row(0) == {"at": {"zip": 1}}
    assert trevni.open(old, aliases={"user": "user_name"}).columns == ["user", "at"]
    assert trevni.open(tmp_path, aliases=aliases).num_rows == 2
    with pytest.raises(trevni.UsageError, match="user_nam"):
        trevni.Dataset(tmp_path, aliases={"x": "user_nam"})


def test_folders_of_partitions_are_columns(tmp_path):
    for day, hour in [("2024-02-28", 7), ("2024-02-29", 23), ("__HIVE_DEFAULT_PARTITION__", 0)]:
        folder = tmp_path / f"day={day}" / f"hour={hour}"
        folder.mkdir(parents=True)
        trevni.write(folder / "part-00000.trv", pa.table({"id": [hour, hour + 100]}))
    dataset = trevni.open(tmp_path)
    assert dataset.columns == ["id", "day", "hour"]
    assert dataset.filter("day = '2024-02-29'").to_arrow().to_pylist() == [
        {"id": 23, "day": "2024-02-29", "hour": "23"},
        {"id": 123, "day": "2024-02-29", "hour": "23"},
    ]
    assert dataset.filter("day is null").select(["id"]).to_arrow().to_pylist() == [{"id": 0}, {"id": 100}]
    typed = trevni.Dataset(tmp_path, partition_types={"hour": "int"})
    assert typed.schema.to_arrow().field("hour").type == pa.int32()
    assert typed.filter("hour between 5 and 9").select(["hour", "id"]).to_arrow().to_pylist() == [
        {"hour": 7, "id": 7},
        {"hour": 7, "id": 107},
    ]
    with pytest.raises(trevni.UsageError, match="day=2024-02-28"):
        trevni.Dataset(tmp_path, partition_types={"day": "int"})
    (tmp_path / "old").mkdir()
    trevni.write(tmp_path / "old" / "x.trv", pa.table({"id": [5]}))
    with pytest.raises(trevni.UsageError, match="old"):
        trevni.open(tmp_path)
    assert trevni.Dataset(tmp_path, recursive=True).num_rows == 7
