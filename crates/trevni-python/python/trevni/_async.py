"""Batches for ``async for``."""

from __future__ import annotations

import asyncio
from typing import Any


async def next_batch(batches: Any) -> Any:
    """The next batch, read by a thread meanwhile."""
    batch = await asyncio.to_thread(next, batches, None)
    if batch is None:
        raise StopAsyncIteration
    return batch
