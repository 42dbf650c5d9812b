"""Files that are elsewhere: by URLs, which fsspec opens, and in file systems of fsspec and pyarrow."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import tempfile
import urllib.parse
import urllib.request
from typing import Any, Iterable, Iterator

from ._errors import UsageError

#: How names of column files end.
ENDINGS = (".trv", ".redelm")
#: The name of a folder whose key is null.
NULL = "__HIVE_DEFAULT_PARTITION__"


def file(source: Any, filesystem: Any, storage_options: Any) -> tuple[str, Any] | None:
    """The name of a file and the open file; None of a folder and of a pattern."""
    system, path, name = _place(source, filesystem, storage_options)
    if _is_pattern(path) or system.is_folder(path):
        return None
    return name(path), system.open(path)


def files(sources: Any, filesystem: Any, storage_options: Any, recursive: bool) -> list[tuple[str, Any, list[tuple[str, str | None]]]]:
    """The files of a folder, of a pattern, or of a list of them: their names, open files, and what the names of their folders say."""
    found = []
    for source in sources if isinstance(sources, (list, tuple)) else [sources]:
        system, path, name = _place(source, filesystem, storage_options)
        here = []
        if _is_pattern(path):
            whole = re.compile("/".join(fnmatch.translate(part)[: -len(r"\Z")] if part else "" for part in path.split("/")) + r"\Z")
            base = path[: re.search(r"[*?\[]", path).start()].rpartition("/")[0]  # type: ignore[union-attr]
            depth = path.count("/")
            here = [(one, []) for one in system.files(base) if one.count("/") == depth and whole.match(one)]
        elif system.is_folder(path):
            here = list(_of_folder(system, path.rstrip("/"), recursive))
        else:
            here = [(path, [])]
        if not here:
            raise UsageError(f"{name(path)}: no files that end in .trv or .redelm") if not _is_pattern(path) else FileNotFoundError(
                f"no file is named {name(path)}"
            )
        here.sort(key=lambda one: _natural(one[0]))
        found += [(name(one), system.open(one), keys) for one, keys in here]
    return found


def target(file: Any, filesystem: Any, storage_options: Any, overwrite: bool) -> Any:
    """What a file is written to: the path of one of this machine, or an object that is sent when it is complete."""
    if filesystem is None and storage_options is None and str(file).startswith("file://"):
        return urllib.request.url2pathname(urllib.parse.urlsplit(file).path)
    system, path, name = _place(file, filesystem, storage_options)
    if not overwrite and system.exists(path):
        raise FileExistsError(f"{name(path)} exists")
    return Upload(system, path)


class Upload:
    """A file that is written here, and sent to where it belongs when it is complete."""

    def __init__(self, system: _System, path: str) -> None:
        self.system, self.path = system, path
        self.file = tempfile.SpooledTemporaryFile(max_size=1 << 24)
        self.write = self.file.write

    def _complete(self) -> None:
        self.file.seek(0)
        with self.system.open_for_writing(self.path) as to:
            shutil.copyfileobj(self.file, to, 1 << 20)
        self.file.close()


class _System:
    """A file system of fsspec."""

    def __init__(self, system: Any) -> None:
        self.system = system

    def is_folder(self, path: str) -> bool:
        return bool(self.system.isdir(path))

    def exists(self, path: str) -> bool:
        return bool(self.system.exists(path))

    def files(self, path: str) -> list[str]:
        return list(self.system.find(path))

    def open(self, path: str) -> Any:
        return self.system.open(path, "rb")

    def open_for_writing(self, path: str) -> Any:
        parent = path.rpartition("/")[0]
        if parent:
            self.system.makedirs(parent, exist_ok=True)
        return self.system.open(path, "wb")


class _ArrowSystem(_System):
    """A file system of pyarrow."""

    def is_folder(self, path: str) -> bool:
        return self._kind(path) == 3  # FileType.Directory

    def exists(self, path: str) -> bool:
        return self._kind(path) != 0

    def files(self, path: str) -> list[str]:
        from pyarrow.fs import FileSelector

        return [one.path for one in self.system.get_file_info(FileSelector(path, recursive=True)) if one.is_file]

    def open(self, path: str) -> Any:
        return self.system.open_input_file(path)

    def open_for_writing(self, path: str) -> Any:
        parent = path.rpartition("/")[0]
        if parent:
            self.system.create_dir(parent, recursive=True)
        return self.system.open_output_stream(path)

    def _kind(self, path: str) -> int:
        return int(self.system.get_file_info([path])[0].type)


def _place(source: Any, filesystem: Any, storage_options: Any) -> tuple[_System, str, Any]:
    """The file system of a source, the path in it, and what makes a name of a path."""
    text = os.fspath(source)
    if not isinstance(text, str):
        raise TypeError(f"a path or a URL is needed, not {type(source).__name__}")
    if filesystem is not None:
        if storage_options is not None:
            raise TypeError("storage_options are those of a URL, whose file system they choose: give one of both")
        if hasattr(filesystem, "open_input_file"):
            return _ArrowSystem(filesystem), text, str
        return _System(filesystem), filesystem._strip_protocol(text), filesystem.unstrip_protocol
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{text}: URLs are opened by fsspec, which is not installed (pip install fsspec)") from None
    system, path = fsspec.core.url_to_fs(text, **(storage_options or {}))
    return _System(system), path, system.unstrip_protocol


def _is_pattern(path: str) -> bool:
    return re.search(r"[*?\[]", path) is not None


def _of_folder(system: _System, folder: str, recursive: bool) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """The files of a folder and of those in it whose names are `key=value`; of all with `recursive`."""
    for path in system.files(folder):
        *folders, last = path[len(folder) :].lstrip("/").split("/")
        is_hidden = any(part.startswith(".") or part.startswith("_") and "=" not in part for part in [*folders, last])
        if is_hidden or not last.endswith(ENDINGS):
            continue
        other = next((part for part in folders if "=" not in part), None)
        if other is not None and not recursive:
            raise UsageError(f"{folder}: there is data in the folder {other}; recursive=True reads it")
        yield path, keys_of(folders)


def keys_of(folders: Iterable[str]) -> list[tuple[str, str | None]]:
    """What the names of folders say, `key=value`; None where the key is null."""
    keys = (part.split("=", 1) for part in folders if "=" in part)
    return [(urllib.parse.unquote(key), None if value == NULL else urllib.parse.unquote(value)) for key, value in keys]


def _natural(path: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path)]
