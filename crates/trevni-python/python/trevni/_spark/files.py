"""The files that a path of Spark stands for."""

from __future__ import annotations

import glob
import json
import os
import urllib.parse
from typing import Any, Mapping

from .._errors import UsageError
from .._trevni import Dataset

NANOSECONDS = ("error", "truncate")


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

    def names(self) -> list[str]:
        """The files, by name; those of a folder are the parts of a dataset."""
        found: list[str] = []
        for path in self.paths:
            for one in _matching(path):
                found += map(os.fspath, Dataset(one).files) if os.path.isdir(one) else [one]
        return list(dict.fromkeys(found))


def local(options: Mapping[str, str]) -> str:
    """The folder to write to."""
    paths = _paths(options)
    if len(paths) != 1:
        raise UsageError("save takes one folder")
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
    return [os.path.abspath(_without_scheme(path)) for path in paths]


def _without_scheme(path: str) -> str:
    scheme, divider, _ = path.partition(":")
    if not divider or len(scheme) < 2 or "/" in scheme:
        return path
    if scheme != "file":
        raise UsageError(f"{scheme} is no file system that Python reads: mount it, or copy the files")
    return urllib.parse.unquote(urllib.parse.urlsplit(path).path)


def _matching(path: str) -> list[str]:
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    found = sorted(glob.glob(path))
    if not found:
        raise FileNotFoundError(f"no file is like {path}")
    return found
