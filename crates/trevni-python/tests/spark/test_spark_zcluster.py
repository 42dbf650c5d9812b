"""Two workers in processes of their own. Last, since a session of one master ends that of another."""

import os

import pyarrow as pa
import pytest

import trevni

MASTER = "local-cluster[2,1,1024]"


@pytest.fixture
def cluster(sessions):
    return sessions.of(MASTER, **{"spark.executor.memory": "512m", "spark.task.maxFailures": "4"})


def test_reading_and_writing_in_processes(cluster, tmp_path):
    for number in range(4):
        ids = list(range(number * 1000, number * 1000 + 1000))
        trevni.write(tmp_path / f"{number}.trv", pa.table({"id": ids, "word": [f"w{n % 10}" for n in ids]}))
    frame = cluster.read.format("trevni").load(str(tmp_path))
    found = frame.where("id >= 500 and word like 'w1%'").groupBy("word").count().collect()
    assert [tuple(row) for row in found] == [("w1", 350)]
    frame.repartition(3).write.format("trevni").mode("append").save(str(tmp_path / "out"))
    back = trevni.Dataset(tmp_path / "out")
    assert sorted(pa.table(back)["id"].to_pylist()) == list(range(4000)) and len(back.files) == 3


def test_an_executor_that_dies_while_it_writes(cluster, tmp_path):
    """A worker of Python is ended in the middle of its task, once; rows are there once."""
    mark = str(tmp_path / "mark")

    def dying(batches):
        for number, batch in enumerate(batches):
            if number == 3:
                try:
                    os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    os.kill(os.getpid(), 9)
            yield batch

    rows = cluster.range(0, 40_000, 1, 2).mapInArrow(dying, "id long")
    rows.write.format("trevni").mode("append").save(str(tmp_path / "out"))
    assert os.path.exists(mark)
    back = pa.table(trevni.Dataset(tmp_path / "out"))
    assert sorted(back["id"].to_pylist()) == list(range(40_000))
    assert not [name for name in os.listdir(tmp_path / "out") if name.startswith(".")]
