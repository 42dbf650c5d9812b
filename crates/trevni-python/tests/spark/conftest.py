"""Spark against files of trevni. Without pyspark or Java there is nothing to run here."""

import importlib.util
import os
import shutil
import sys

import pytest

MISSING = [
    name
    for name, is_there in (
        ("pyspark (pip install -r tests/spark/requirements.txt)", importlib.util.find_spec("pyspark") is not None),
        ("Java", shutil.which("java") is not None or "JAVA_HOME" in os.environ),
    )
    if not is_there
]
if MISSING:
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header():
    return f"spark: skipped without {' and '.join(MISSING)}" if MISSING else "spark: tested"


class Sessions:
    """One session at a time, of the master that is asked for."""

    def __init__(self):
        self.master, self.session = None, None

    def of(self, master, **more):
        if self.master != master:
            self.stop()
            self.master, self.session = master, started(master, more)
        return self.session

    def stop(self):
        if self.session is not None:
            self.session.stop()
            self.master, self.session = None, None


def started(master, more):
    from pyspark.sql import SparkSession

    import trevni.spark

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    options = {
        "spark.sql.python.filterPushdown.enabled": "true",
        "spark.sql.parquet.filterPushdown": "false",  # whose answer for NaN is not Spark's
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "America/New_York",
        "spark.sql.shuffle.partitions": "2",
        "spark.log.level": "OFF",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
        **more,
    }
    builder = SparkSession.builder.master(master).appName("trevni")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.dataSource.register(trevni.spark.TrevniDataSource)
    return session


@pytest.fixture(scope="session")
def sessions():
    sessions = Sessions()
    yield sessions
    sessions.stop()


@pytest.fixture
def spark(sessions):
    return sessions.of("local[2,3]")  # a task may fail twice
