"""What a schema iterates over."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """A column: its name, its type as pyarrow writes it, and whether it may be null."""

    name: str
    type: str
    nullable: bool
