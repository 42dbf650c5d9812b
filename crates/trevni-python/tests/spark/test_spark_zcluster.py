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


@pytest.mark.parametrize("whole", [False, True])
def test_two_executors_that_die_while_they_write(cluster, tmp_path, whole):
    """The worker of each of two tasks is ended in the middle, once, or its executor; rows are there once."""
    marks = str(tmp_path)

    def executor(pid):
        """The process of Java that a worker of Python belongs to."""
        while True:
            with open(f"/proc/{pid}/stat") as stat:
                pid = int(stat.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{pid}/comm") as comm:
                if comm.read().strip() == "java":
                    return pid

    def dying(batches):
        from pyspark import TaskContext

        task = TaskContext.get().partitionId()
        for number, batch in enumerate(batches):
            if number == 3:
                try:
                    os.close(os.open(f"{marks}/mark-{task}", os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    os.kill(executor(os.getpid()) if whole else os.getpid(), 9)
            yield batch

    rows = cluster.range(0, 40_000, 1, 2).mapInArrow(dying, "id long")
    rows.write.format("trevni").mode("append").save(str(tmp_path / "out"))
    assert len([name for name in os.listdir(marks) if name.startswith("mark-")]) == 2
    back = pa.table(trevni.Dataset(tmp_path / "out"))
    assert sorted(back["id"].to_pylist()) == list(range(40_000))
