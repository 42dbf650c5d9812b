"""Tables for notebooks."""

from __future__ import annotations

import html
from typing import Any, Iterable

#: Rows that are shown.
ROWS = 10
#: Characters of a value that are shown.
WIDTH = 80


def of_reader(reader: Any) -> str:
    """The first rows of a reader."""
    rows = reader.head(ROWS + 1)
    shown = rows.head(ROWS)
    more = "<p>…</p>" if len(rows) > ROWS else ""
    return _table(reader.schema, shown) + more


def of_batch(batch: Any) -> str:
    """The first rows of a batch."""
    rows = batch.to_list()
    return _table(batch.schema, rows[:ROWS]) + ("<p>…</p>" if len(rows) > ROWS else "")


def of_schema(schema: Any) -> str:
    """The columns, one a row."""
    lines = [(field.name, field.type, "null" if field.nullable else "not null") for field in schema]
    return f"<table><tbody>{''.join(map(_line, lines))}</tbody></table>"


def _table(schema: Any, rows: Iterable[dict[str, Any]]) -> str:
    names = [field.name for field in schema]
    head = "".join(f"<th>{_short(field.name)}<br><small>{_short(field.type)}</small></th>" for field in schema)
    lines = "".join(_line([row[name] for name in names]) for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _line(values: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<td>{_short(value)}</td>' for value in values)}</tr>"


def _short(value: Any) -> str:
    text = "null" if value is None else str(value)
    return html.escape(text if len(text) <= WIDTH else text[: WIDTH - 1] + "…")
