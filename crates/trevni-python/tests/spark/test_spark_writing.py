"""Writes: rows are there once, whatever happens to tasks, and only when all are."""

import pathlib
import subprocess
import sys

import pyarrow as pa
import pytest

import trevni


def names(folder):
    return sorted(path.name for path in pathlib.Path(folder).iterdir() if not path.name.startswith("_trevni"))


def save(frame, folder, mode="append", **options):
    frame.write.format("trevni").mode(mode).options(**options).save(str(folder))


def numbers(folder, column="id"):
    return sorted(pa.table(trevni.Dataset(folder))[column].to_pylist())


def test_append_and_overwrite(spark, tmp_path):
    folder = tmp_path / "new" / "t"
    save(spark.range(0, 1000, 1, 4), folder, codec="zstandard", level="3", checksum="crc32")
    assert numbers(folder) == list(range(1000)) and len(names(folder)) == 4
    save(spark.range(1000, 1500), folder)
    assert numbers(folder) == list(range(1500))
    save(spark.range(7, 9, 1, 1), folder, "overwrite")
    assert numbers(folder) == [7, 8] and len(names(folder)) == 1
    # A table that is replaced by what is read from it.
    read = spark.read.format("trevni").load(str(folder))
    save(read.selectExpr("id * 2 as id"), folder, "overwrite")
    assert numbers(folder) == [14, 16]
    assert all(name.startswith("part-") and name.endswith(".trv") for name in names(folder))


def test_modes_are_those_of_spark(spark, tmp_path):
    """Spark has sources of this kind append and overwrite, and no more."""
    for mode in ("error", "ignore"):
        with pytest.raises(Exception, match='"Append" or "Overwrite"'):
            save(spark.range(3), tmp_path / "t", mode)
    assert not (tmp_path / "t").exists()


def test_types_come_back(spark, tmp_path):
    sql = """select id, cast(id as tinyint) b, id / 3D d, cast(id as decimal(12,3)) p, date '2013-06-01' day,
        timestamp '2013-06-01 05:00:00' at, timestamp_ntz '2013-06-01 05:00:00' wall, X'00ff' x, id % 2 = 0 even,
        if(id = 1, null, named_struct('n', id, 'l', array(map('k', id), null))) r, cast(null as string) none,
        make_dt_interval(1) span
        from range(3)"""
    frame = spark.sql(sql)
    save(frame.coalesce(1), tmp_path / "t")
    back = spark.read.format("trevni").load(str(tmp_path / "t"))
    assert dict(back.dtypes) == dict(frame.dtypes)
    assert sorted(map(str, back.collect())) == sorted(map(str, frame.collect()))


def test_no_rows_keep_their_columns(spark, tmp_path):
    empty = spark.range(10).where("id < 0").selectExpr("id", "'a' as s")
    save(empty, tmp_path / "t")
    assert trevni.Dataset(tmp_path / "t").columns == ["id", "s"] and numbers(tmp_path / "t") == []
    save(spark.range(5).selectExpr("id", "'a' as s"), tmp_path / "t")
    files = names(tmp_path / "t")
    save(empty, tmp_path / "t")
    assert names(tmp_path / "t") == files
    save(empty, tmp_path / "t", "overwrite")
    assert numbers(tmp_path / "t") == [] and len(names(tmp_path / "t")) == 1


def failing(marks, times):
    """A function that fails some times for one row; marks are files, as attempts share no memory."""

    def check(batches):
        import os

        for batch in batches:
            if 777 in batch["id"].to_pylist():
                for time in range(times):
                    try:
                        os.close(os.open(os.path.join(marks, str(time)), os.O_CREAT | os.O_EXCL))
                    except FileExistsError:
                        continue
                    raise RuntimeError("this row is not wanted")
            yield batch

    return check


def test_a_task_that_fails_is_tried_again(spark, tmp_path):
    (tmp_path / "marks").mkdir()
    rows = spark.range(0, 20_000, 1, 4).mapInArrow(failing(str(tmp_path / "marks"), 2), "id long")
    save(rows, tmp_path / "t")
    assert len(names(tmp_path / "marks")) == 2
    assert numbers(tmp_path / "t") == list(range(20_000))
    assert all(name.startswith("part-") for name in names(tmp_path / "t"))


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_a_write_that_fails_leaves_all_as_it_was(spark, tmp_path, mode):
    (tmp_path / "marks").mkdir()
    save(spark.range(5), tmp_path / "t")
    before = names(tmp_path / "t")
    rows = spark.range(0, 20_000, 1, 4).mapInArrow(failing(str(tmp_path / "marks"), 99), "id long")
    with pytest.raises(Exception, match="not wanted"):
        save(rows, tmp_path / "t", mode)
    # A task that runs on may leave a part, which does not count.
    assert set(before) <= set(names(tmp_path / "t")) and numbers(tmp_path / "t") == list(range(5))


def test_what_a_lost_attempt_has_written_is_not_seen(tmp_path):
    """Two attempts of one task write; the driver hears of one of them."""
    from pyspark.sql.types import LongType, StructType
    from trevni.spark import TrevniWriter

    writer = TrevniWriter(str(tmp_path / "t"), StructType().add("id", LongType()), False, {})
    batch = pa.record_batch({"id": [1, 2, 3]})
    attempts = [writer.write(iter([batch])) for _ in range(2)]
    paths = [attempt.parts[0][0] for attempt in attempts]
    assert paths[0] != paths[1] and trevni.open(tmp_path / "t" / paths[0]).num_rows == 3
    writer.commit([attempts[1]])
    assert numbers(tmp_path / "t") == [1, 2, 3]
    assert len(names(tmp_path / "t")) == 1
    # One that writes on after all has ended.
    writer.write(iter([batch]))
    assert numbers(tmp_path / "t") == [1, 2, 3]
    other = TrevniWriter(str(tmp_path / "t"), StructType().add("id", LongType()), False, {})
    other.commit([other.write(iter([batch]))])
    assert numbers(tmp_path / "t") == [1, 1, 2, 2, 3, 3]


def test_a_driver_that_dies_leaves_all_or_nothing(tmp_path):
    """Whatever is done before the snapshot is stored changes nothing; afterwards the new rows are there, and no others."""
    from pyspark.sql.types import LongType, StructType
    from trevni.spark import TrevniWriter

    schema = StructType().add("id", LongType())
    first = TrevniWriter(str(tmp_path / "t"), schema, False, {})
    first.commit([first.write(iter([pa.record_batch({"id": [1, 2]})])) for _ in range(2)])
    writer = TrevniWriter(str(tmp_path / "t"), schema, True, {})
    parts = [writer.write(iter([pa.record_batch({"id": [number]})])) for number in range(5)]
    assert numbers(tmp_path / "t") == [1, 1, 2, 2]
    for call in ("os.replace", "os.link", "trevni._spark.write._remove"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(call, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                writer.commit(parts)
        # Not committed; then committed, and nothing was removed yet.
        assert numbers(tmp_path / "t") == ([1, 1, 2, 2] if call.startswith("os.") else [0, 1, 2, 3, 4])
    other = TrevniWriter(str(tmp_path / "t"), schema, True, {})
    other.commit([other.write(iter([pa.record_batch({"id": [9]})]))])
    assert numbers(tmp_path / "t") == [9]


@pytest.mark.parametrize("is_first", [True, False])
def test_two_overwrites_at_once(tmp_path, is_first):
    """The second one commits just before or after the first one does."""
    import os

    from pyspark.sql.types import LongType, StructType
    from trevni.spark import TrevniWriter

    def writer(overwrite=True):
        return TrevniWriter(str(tmp_path / "t"), StructType().add("id", LongType()), overwrite, {})

    def parts(writer, number):
        return [writer.write(iter([pa.record_batch({"id": [number]})]))]

    old, one, two = writer(False), writer(), writer()
    old.commit(parts(old, 0))
    of_one, of_two = parts(one, 1), parts(two, 2)
    link = os.link
    with pytest.MonkeyPatch.context() as patch:

        def linked(*names):
            patch.undo()
            if is_first:
                link(*names)
            two.commit(of_two)
            if not is_first:
                link(*names)

        patch.setattr(os, "link", linked)
        one.commit(of_one)
    last = [2] if is_first else [1]
    assert numbers(tmp_path / "t") == last
    # As Spark does where a commit fails after its snapshot was stored.
    (two if is_first else one).abort([])
    assert numbers(tmp_path / "t") == last


def test_an_abort_after_a_commit_that_failed(tmp_path):
    from pyspark.sql.types import LongType, StructType
    from trevni.spark import TrevniWriter

    schema = StructType().add("id", LongType())
    first, other = (TrevniWriter(str(tmp_path / "t"), schema, overwrite, {}) for overwrite in (False, True))
    first.commit([first.write(iter([pa.record_batch({"id": [1]})]))])
    before = sorted(path.name for path in (tmp_path / "t").rglob("*"))
    parts = [other.write(iter([pa.record_batch({"id": [2]})]))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.link", lambda *_: (_ for _ in ()).throw(OSError("the disk is full")))
        with pytest.raises(OSError, match="full"):
            other.commit(parts)
    other.abort(parts)
    assert sorted(path.name for path in (tmp_path / "t").rglob("*") if path.name != "_trevni_table") == before
    assert numbers(tmp_path / "t") == [1]


def test_folders_of_values(spark, tmp_path):
    rows = spark.sql("""select id, id % 3 as n, if(id % 5 = 0, null, concat('a/b ', id % 2)) as s, date'2024-02-28' + int(id % 2) as day
        from range(200)""")
    save(rows.repartition(3), tmp_path / "t", partition_by="day, s")
    assert names(tmp_path / "t") == ["day=2024-02-28", "day=2024-02-29"]
    back = spark.read.format("trevni").load(str(tmp_path / "t"))
    assert dict(back.dtypes) == dict(rows.dtypes) and back.columns == ["id", "n", "day", "s"]
    assert sorted(map(str, back.select(rows.columns).collect())) == sorted(map(str, rows.collect()))
    save(rows.where("id < 4"), tmp_path / "t", "overwrite", partition_by="day, s")
    assert numbers(tmp_path / "t") == [0, 1, 2, 3]
    for options, wanted in [({"partition_by": "x"}, "no column x"), ({"partition_by": "id,n,s,day"}, "no column is left")]:
        with pytest.raises(Exception, match=wanted):
            save(rows, tmp_path / "u", **options)


def writer_of(folder, overwrite=True):
    from pyspark.sql.types import LongType, StructType
    from trevni.spark import TrevniWriter

    return TrevniWriter(str(folder), StructType().add("id", LongType()), overwrite, {})


def commit(writer, number):
    writer.commit([writer.write(iter([pa.record_batch({"id": [number]})]))])


def test_what_was_added_between_two_overwrites_is_removed(tmp_path):
    import os

    for number, overwrite in enumerate([False, True, False, True]):
        commit(writer_of(tmp_path / "t", overwrite), number)
    for snapshot in (tmp_path / "t" / "_trevni_table").iterdir():
        os.utime(snapshot, (0, 0))
    commit(writer_of(tmp_path / "t"), 4)
    assert numbers(tmp_path / "t") == [4]
    # The last snapshot, and the one before, which was the last one until now.
    assert len(names(tmp_path / "t")) == 2


def test_file_systems_without_hard_links(tmp_path, monkeypatch):
    import errno

    def link(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", link)
    for number in range(3):
        commit(writer_of(tmp_path / "t"), number)
    assert numbers(tmp_path / "t") == [2]


def test_a_disk_that_is_full_leaves_no_halves(tmp_path, monkeypatch):
    commit(writer_of(tmp_path / "t"), 1)
    before = sorted(tmp_path.rglob("*"))
    writer = writer_of(tmp_path / "t")
    parts = [writer.write(iter([pa.record_batch({"id": [2]})]))]

    def half(path, content):
        path.write_text("half")
        raise OSError("No space left on device")

    monkeypatch.setattr(pathlib.Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space"):
        writer.commit(parts)
    writer.abort(parts)
    assert sorted(tmp_path.rglob("*")) == before and numbers(tmp_path / "t") == [1]


def test_what_is_replaced_stays_for_a_week(spark, tmp_path):
    """The first overwrite makes a folder a table with snapshots, whose earlier moments SQL can ask for."""
    import os
    import time

    table = tmp_path / "t" / "_trevni_table"
    save(spark.range(3), tmp_path / "t")
    for number in range(3):
        save(spark.range(number + 1).repartition(1), tmp_path / "t", "overwrite")
    save(spark.range(7, 8), tmp_path / "t")
    assert numbers(tmp_path / "t") == [0, 1, 2, 7]
    assert names(table) == [f"{number:020}.snapshot" for number in (1, 2, 3)]
    week = time.time() - 7 * 24 * 60 * 60
    for number, age in [(1, 5), (2, 5), (3, -60)]:
        os.utime(table / f"{number:020}.snapshot", (week - age, week - age))
    kept = set(names(tmp_path / "t")) - set(pa.table(trevni.open(table / f"{1:020}.snapshot"))["path"].to_pylist())
    save(spark.range(9, 10), tmp_path / "t", "overwrite")
    assert numbers(tmp_path / "t") == [9]
    assert names(table) == [f"{number:020}.snapshot" for number in (2, 3, 4)]
    assert kept < set(names(tmp_path / "t"))


@pytest.mark.parametrize(
    "options, wanted", [({"codec": "zip"}, "zip"), ({"level": "high"}, "level"), ({"format": "orc"}, "orc")]
)
def test_options_that_cannot_be(spark, tmp_path, options, wanted):
    with pytest.raises(Exception, match=wanted):
        save(spark.range(3), tmp_path / "t", **options)
    assert not (tmp_path / "t").exists() or names(tmp_path / "t") == []


def test_a_folder_that_is_a_file(spark, tmp_path):
    (tmp_path / "t").write_text("text")
    with pytest.raises(Exception, match="is a file"):
        save(spark.range(3), tmp_path / "t", "overwrite")
    assert (tmp_path / "t").read_text() == "text"


def test_spark_is_imported_only_where_it_is_asked_for():
    code = "import sys, trevni; assert not any(name.startswith('pyspark') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
