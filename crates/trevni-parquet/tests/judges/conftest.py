"""The converter of this crate: the program that CONVERT names, or else one that is built once."""

import json
import os
import pathlib
import subprocess

import pytest

CRATE = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    if "CONVERT" in os.environ:
        return os.environ["CONVERT"]
    command = ["cargo", "build", "--example", "convert", "--message-format", "json"]
    built = subprocess.run(command, cwd=CRATE, check=True, stdout=subprocess.PIPE, text=True)
    messages = map(json.loads, built.stdout.splitlines())
    return next(m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "convert")


@pytest.fixture
def convert(program):
    """Converts a file; of a Parquet file the other is a column file, and the other way round."""

    def converted(source, *options, to=None):
        to = to or source.with_suffix(".trv" if source.suffix == ".parquet" else ".parquet")
        done = subprocess.run([program, *options, source, to], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return to

    return converted
