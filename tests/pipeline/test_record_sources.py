"""Recording behind the answer: never in its way, and nothing lost at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.app import content, with_app
from tests.storage.records.memory_store import MemoryRecordStore, memory_session_store
from wellsourced.app import Application
from wellsourced.errors import NetworkFailed
from wellsourced.identity import Identity
from wellsourced.pipeline.record_sources import RecordSources, successes
from wellsourced.sessions.session_store import SessionStore
from wellsourced.sessions.sessions import Sessions
from wellsourced.sessions.steps import StepInput
from wellsourced.storage.sealer import Sealer
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call
from wellsourced.tool.registry import load

BODY = (
    b'{"urls":["https://e.org/"],"query":"q","resultCount":1,"results":[{"title":"T","url":"https://e.org/",'
    b'"snippet":"s","displayLink":"e.org"}],"trust":"x"}'
)


class HeldSessions(SessionStore):
    """Stores nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__(MemoryRecordStore(), Sealer(bytes(32)))
        self.free = asyncio.Event()

    async def add(self, *arguments: Any, **named: Any) -> Any:
        await self.free.wait()
        return await super().add(*arguments, **named)


def search_call(session_id: str) -> Call:
    tool = load("web_search")
    arguments = {"query": "q", "sessionId": session_id}
    call = Call(tool=tool, arguments=arguments)
    call.input = tool.input.model_validate(arguments)
    return call


def test_each_of_several_engines_that_answered_did_well() -> None:
    call = search_call("s")
    call.trace.attempted, call.trace.used = ["brave", "exa", "searxng"], "exa+searxng"
    assert [(told.provider, told.success) for told in successes(call)] == [
        ("brave", False),
        ("exa", True),
        ("searxng", True),
    ]


@pytest.mark.parametrize("body", [BODY, b'{"something":"else"}'])
def test_the_answer_does_not_wait_and_a_kept_body_is_read(body: bytes) -> None:
    async def answer(call: Call) -> ToolAnswer:
        call.cached = True
        return ToolAnswer(body)

    async def main() -> None:
        store = HeldSessions()
        sessions = Sessions(store)
        record = RecordSources(lambda: sessions)
        first = StepInput(description="x", number=1, next_step_needed=True)
        id = (await sessions.take_step(Identity(), first)).session.id
        assert (await asyncio.wait_for(record(search_call(id), answer), 10)).body == body
        store.free.set()
        await record.drain()
        found = await sessions.fetch(Identity(), id)
        assert [source.title for source in found.sources] == (["T"] if body is BODY else [])
        assert found.outcomes == ()

    asyncio.run(main())


def test_a_session_that_does_not_exist_is_told_to_its_caller_alone(environment: Mapping[str, str]) -> None:
    async def script(app: Application) -> list[dict[str, Any]]:
        step = {"searchStep": "x", "stepNumber": 1, "nextStepNeeded": True}
        known = content(await app.call("sequential_search", step))["sessionId"]
        asked: list[dict[str, str]] = [{"sessionId": "made-up"}, {"sessionId": "made-up"}, {"sessionId": known}, {}]
        return [content(await app.call("web_search", {"query": "tides", **more})) for more in asked]

    first, kept, recorded, plain = with_app(environment, script)
    assert "names no research session" in first["notes"][-1] and kept["notes"] == first["notes"]
    assert "notes" not in recorded and plain == recorded
    assert {**first, "notes": None} == {**plain, "notes": None}


def test_a_failure_is_recorded_and_still_a_failure() -> None:
    async def fail(call: Call) -> ToolAnswer:
        call.trace.attempted = ["a", "b"]
        raise NetworkFailed("gone")

    async def main() -> None:
        sessions = Sessions(memory_session_store())
        first = StepInput(description="x", number=1, next_step_needed=True)
        id = (await sessions.take_step(Identity(), first)).session.id
        with pytest.raises(NetworkFailed):
            await RecordSources(lambda: sessions)(search_call(id), fail)
        found = await sessions.fetch(Identity(), id)
        assert [(o.provider, o.error_kind, o.success) for o in found.outcomes] == [
            ("a", "network", False),
            ("b", "network", False),
        ]

    asyncio.run(main())


def test_what_waits_when_the_application_closes_is_stored(environment: Mapping[str, str]) -> None:
    async def search(app: Application) -> str:
        step = {"searchStep": "x", "stepNumber": 1, "nextStepNeeded": True}
        id = str(content(await app.call("sequential_search", step))["sessionId"])
        await app.call("web_search", {"query": "tides", "sessionId": id})
        return id

    async def look(app: Application, id: str) -> int:
        return len(content(await app.call("get_research_session", {"sessionId": id}))["sources"])

    id = with_app(environment, search)
    assert with_app(environment, lambda app: look(app, id)) == 5
