"""A check says how things stand when it is asked for, not how they stood when somebody asked before."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.app import content, with_app
from tests.loopback.literature import Work
from tests.loopback.run import Internet
from tests.loopback.upstreams.crossref import item
from wellsourced.app import Application


@dataclass(frozen=True)
class Withdrawn(Work):
    """The same work after its journal has retracted it."""

    is_retracted = True


CLEAN, RETRACTED = Work("tides", 1), Withdrawn("tides", 1)


def retract(internet: Internet) -> None:
    reply = {"status": "ok", "message-type": "work", "message": item(RETRACTED)}
    internet.control(
        "/crossref/works", status=200, headers={"content-type": "application/json"}, body=json.dumps(reply)
    )


QUESTIONS: dict[str, dict[str, Any]] = {
    "verify_citation": {"citation": CLEAN.doi},
    "audit_bibliography": {"bibliography": f"@article{{tides, doi={{{CLEAN.doi}}}, title={{{CLEAN.title}}}}}"},
}


def is_retracted(found: dict[str, Any]) -> bool:
    entry = found["entries"][0] if "entries" in found else found
    return bool(entry.get("retractionStatus", {}).get("retracted") or "retracted" in entry.get("flags", ()))


@pytest.mark.parametrize("tool", QUESTIONS)
def test_a_work_retracted_since_is_seen_by_the_next_check(
    environment: dict[str, str], internet: Internet, tool: str
) -> None:
    async def check_twice(app: Application) -> tuple[dict[str, Any], dict[str, Any]]:
        before = content(await app.call(tool, QUESTIONS[tool]))
        await asyncio.sleep(1.1)  # the moment of a check is told to the second
        retract(internet)
        return before, content(await app.call(tool, QUESTIONS[tool]))

    before, after = with_app(environment, check_twice)
    assert (is_retracted(before), is_retracted(after)) == (False, True)
    assert before["checkedAt"] < after["checkedAt"]


def test_identical_checks_in_flight_ask_once(environment: dict[str, str], internet: Internet) -> None:
    async def ask_together(app: Application) -> list[dict[str, Any]]:
        asked = (app.call("verify_citation", QUESTIONS["verify_citation"]) for _ in range(4))
        return [content(answer) for answer in await asyncio.gather(*asked)]

    internet.control("/crossref", latency_ms=300)
    found = with_app(environment, ask_together)
    assert all(answer["exists"] is True for answer in found)
    assert internet.requests("/crossref") == 1
