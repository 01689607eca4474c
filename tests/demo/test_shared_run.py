"""The demo of a running server: one at a time, and gone when the server goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.demo.traces import assert_nothing_left, processes_with
from wellsourced.demo import DemoStand, Event
from wellsourced.errors import RateLimited, UpstreamUnavailable


def test_one_at_a_time_and_nothing_after_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    asyncio.run(close_while_running(tmp_path))
    assert_nothing_left(tmp_path)


async def close_while_running(folder: Path) -> None:
    stand = DemoStand()
    first = stand.run()
    begun = await anext(first)
    assert (begun.step, begun.title) == (1, "Begin a research trail")
    assert begun.as_json().keys() == {"step", "title", "text"}
    assert processes_with(folder)
    with pytest.raises(RateLimited, match="running for somebody else"):
        await anext(stand.run())
    following = asyncio.create_task(rest_of(first))
    await stand.close()
    with pytest.raises(UpstreamUnavailable, match="before it was done"):
        await following
    assert not stand.is_running


async def rest_of(events: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in events]
