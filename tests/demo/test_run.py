"""The demo of a running server: one run at a time, ended with the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.demo.traces import assert_nothing_left, processes_with
from wellsourced.demo import DemoEvent, SharedDemo
from wellsourced.errors import RateLimited, UpstreamUnavailable


def test_one_at_a_time_and_nothing_after_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    asyncio.run(close_while_running(tmp_path))
    assert_nothing_left(tmp_path)


async def close_while_running(folder: Path) -> None:
    demo = SharedDemo()
    first = demo.run()
    begun = await anext(first)
    assert (begun.step, begun.title) == (1, "Begin a research trail")
    assert begun.as_json().keys() == {"step", "title", "text"}
    assert processes_with(folder)
    with pytest.raises(RateLimited, match="running for somebody else"):
        await anext(demo.run())
    following = asyncio.create_task(rest_of(first))
    await demo.close()
    with pytest.raises(UpstreamUnavailable, match="before it was done"):
        await following
    assert not demo.is_running


async def rest_of(events: AsyncIterator[DemoEvent]) -> list[DemoEvent]:
    return [event async for event in events]
