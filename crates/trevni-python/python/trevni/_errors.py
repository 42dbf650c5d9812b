"""What can go wrong. Failures of files and disks are OSError, as everywhere in Python."""


class TrevniError(Exception):
    """What is wrong with a file, with rows or with a call; its text says where."""


class CorruptError(TrevniError, ValueError):
    """The bytes of a file are not what the format says."""


class UnsupportedError(TrevniError, NotImplementedError):
    """The file is well formed, but needs more than this build has; or a type cannot be stored."""


class LimitError(TrevniError):
    """The file needs more than the reader's limits allow; the text says which keyword of `open` raises the limit."""


class ShapeError(TrevniError, ValueError):
    """Rows do not fit the columns, or are larger than the format can hold."""


class UsageError(TrevniError, ValueError):
    """The call asks for what cannot be, such as a column that is not there."""


class ArrowError(TrevniError, ValueError):
    """Another library failed to give its rows, or gave rows that are none."""


class InternalError(TrevniError, RuntimeError):
    """A fault of this package: please report it."""


for _class in list(globals().values()):
    if isinstance(_class, type):
        _class.__module__ = "trevni"
