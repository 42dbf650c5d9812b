"""The files that a path of Spark stands for."""

from __future__ import annotations

import glob
import json
import os
import urllib.parse
from dataclasses import dataclass
from typing import Any, Mapping

from pyspark.sql.datasource import InputPartition

from .._errors import UsageError
from .._files import keys_of
from .._trevni import Dataset

NANOSECONDS = ("error", "truncate")
#: Names of Hadoop that fsspec has under another.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}


@dataclass
class File(InputPartition):
    """A file, which a task reads."""

    path: str
    #: The columns that the names of its folders say.
    keys: dict[str, str | None]


class Files:
    """The files of ``load``, and the options to read them with."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.paths = _paths(options)
        self.nanoseconds = options.get("nanoseconds", "error")
        if self.nanoseconds not in NANOSECONDS:
            raise UsageError(f"option nanoseconds is {' or '.join(NANOSECONDS)}, not {self.nanoseconds}")
        self.pushdown = _truth(options, "pushdown")
        columns = options.get("columns")
        self.columns = None if columns is None else [name.strip() for name in columns.split(",")]

    def found(self) -> list[File]:
        """The files; those of a folder are the parts of a dataset, which have columns by the names of their folders."""
        found: dict[str, File] = {}
        for path in self.paths:
            for one in _matching(path):
                is_url = "://" in one
                paths = [os.fspath(file) for file in Dataset(one).files] if is_url or os.path.isdir(one) else [one]
                for file in paths:
                    folders = os.path.relpath(file, one).split(os.sep)[:-1] if file != one and not is_url else []
                    found.setdefault(file, File(file, dict(keys_of(folders))))
        return list(found.values())


def local(options: Mapping[str, str]) -> str:
    """The folder to write to."""
    paths = _paths(options)
    if len(paths) != 1:
        raise UsageError("save takes one folder")
    if "://" in paths[0]:
        raise UsageError(f"{paths[0]}: save takes a folder of a file system that driver and executors share, not a URL")
    return paths[0]


def _truth(options: Mapping[str, str], name: str) -> bool:
    value = options.get(name, "false").lower()
    if value not in ("true", "false"):
        raise UsageError(f"option {name} is true or false, not {value}")
    return value == "true"


def _paths(options: Mapping[str, str]) -> list[str]:
    several = options.get("paths")
    paths = json.loads(several) if several else []
    one: Any = options.get("path")
    paths = paths or ([one] if one else [])
    if not paths:
        raise UsageError("format trevni needs a path: load(path), save(path)")
    return [_located(path) for path in paths]


def _located(path: str) -> str:
    """A path of this machine, or a URL as fsspec has it."""
    scheme, divider, rest = path.partition(":")
    if not divider or len(scheme) < 2 or "/" in scheme:
        return os.path.abspath(path)
    if scheme == "file":
        return os.path.abspath(urllib.parse.unquote(urllib.parse.urlsplit(path).path))
    return f"{_SCHEMES.get(scheme, scheme)}:{rest}"


def _matching(path: str) -> list[str]:
    if "://" in path or os.path.exists(path) or not glob.has_magic(path):
        return [path]
    found = sorted(glob.glob(path))
    if not found:
        raise FileNotFoundError(f"no file is like {path}")
    return found
