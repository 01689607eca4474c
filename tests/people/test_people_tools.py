"""The five tools that keep something of a person: consent, isolation, limits, scripts, and the doors."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.app import content, with_app
from tests.mcp.stdio_client import StdioServer
from wellsourced.app import Application
from wellsourced.http.mcp_server import mcp_server
from wellsourced.identity import Identity
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.listings import Listings

ANNA, BERT = Identity("acme", "anna"), Identity("acme", "bert")
ON = {"MEMORY_ENABLED": "true", "USER_ANALYTICS_ENABLED": "true", "WORKSPACES_ENABLED": "true"}
CALLS: dict[str, dict[str, Any]] = {
    "get_my_analytics": {},
    "memory_save": {"note": "n"},
    "memory_recall": {},
    "workspace_contribute": {"workspace_id": "w", "note": "n"},
    "workspace_read": {"workspace_id": "w"},
}


async def ask(app: Application, who: Identity | None, tool: str, **arguments: Any) -> dict[str, Any]:
    return content(await app.call(tool, arguments, identity=who))


async def agree(app: Application, who: Identity, *purposes: str) -> None:
    for purpose in purposes:
        await app.services.people.consent.decide(who, purpose, granted=True, decided_from="test")


@pytest.mark.parametrize("everything", [["--all"], []])
def test_the_contract_is_kept(shared: Path, quiet_environment: Mapping[str, str], everything: list[str]) -> None:
    command = [sys.executable, str(shared / "contract" / "check.py"), *everything, sys.executable, "-m", "wellsourced"]
    checked = subprocess.run(command, env=dict(quiet_environment), capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout


def test_nobody_and_whoever_did_not_agree_are_refused_in_words(quiet_environment: dict[str, str]) -> None:
    async def script(app: Application) -> list[Any]:
        anonymous = [await ask(app, Identity("acme"), tool, **given) for tool, given in CALLS.items()]
        named = [await ask(app, ANNA, tool, **given) for tool, given in CALLS.items()]
        await agree(app, ANNA, "workspace")
        outside = [await ask(app, ANNA, tool, **CALLS[tool]) for tool in list(CALLS)[3:]]
        return [anonymous, named, outside, await app.services.personal_data.export("acme")]

    anonymous, named, outside, kept = with_app({**quiet_environment, **ON}, script)
    assert {told["status"] for told in anonymous} == {"unavailable"}
    assert {told["status"] for told in named} == {"no_consent"}
    assert {told["status"] for told in outside} == {"not_member"}
    assert all("STDIO_USER_ID" in told["reason"] for told in anonymous)
    assert all("/admin/consent" in told["reason"] for told in named)
    assert outside[1] == {**outside[1], "count": 0, "contributions": [], "trust": "untrusted-external-content"}
    assert {name: len(held) for name, held in kept["namespaces"].items() if held} == {"consent": 1}


def test_a_feature_that_is_off_keeps_nothing_for_python_either(quiet_environment: dict[str, str]) -> None:
    async def script(app: Application) -> dict[str, Any]:
        return await ask(app, None, "memory_save", note="n")

    told = with_app({**quiet_environment, "STDIO_USER_ID": "anna"}, script)
    assert told["status"] == "unavailable" and "MEMORY_ENABLED" in told["reason"]


def test_memories_are_found_again_by_topic_and_by_words_of_any_script(quiet_environment: dict[str, str]) -> None:
    notes = {
        "Äpfel": "Die Äpfel reifen im September.",
        "ÄPFEL": "Birnen reifen früher als Äpfel im September.",
        "果物": "東京の果物市場は築地から豊洲に移転した。",
        "": "Яблоки созревают осенью",
    }

    async def script(app: Application) -> dict[str, Any]:
        await agree(app, ANNA, "memory")
        await agree(app, BERT, "memory")
        for topic, note in notes.items():
            saved = await ask(app, ANNA, "memory_save", note=note, topic=topic, url="https://e.org/", tags=["obst", ""])
            assert saved["status"] == "ok" and saved["id"] and saved["createdAt"].endswith("Z")
        await ask(app, BERT, "memory_save", note="Äpfel von Bert")
        questions: dict[str, dict[str, Any]] = {
            "all": {},
            "one": {"limit": 1},
            "topic": {"topic": " äpfel "},
            "words": {"query": "apfel birnen september"},
            "tokyo": {"query": "豊洲"},
            "russian": {"query": "ЯБЛОКИ"},
            "both": {"topic": "果物", "query": "Äpfel"},
            "tag": {"query": "obst"},
        }
        return {name: await ask(app, ANNA, "memory_recall", **asked) for name, asked in questions.items()}

    told = with_app({**quiet_environment, **ON}, script)
    first, second, third, fourth = notes.values()
    found = {name: [entry["note"] for entry in answer["memories"]] for name, answer in told.items()}
    assert found == {
        "all": [fourth, third, second, first],
        "one": [fourth],
        "topic": [second, first],
        "words": [second, first],
        "tokyo": [third],
        "russian": [fourth],
        "both": [],
        "tag": [fourth, third, second, first],
    }
    assert told["all"]["trust"] == "user-asserted-content" and told["all"]["count"] == 4
    entry = told["one"]["memories"][0]
    assert entry.items() >= {"tenantId": "acme", "userId": "anna", "url": "https://e.org/", "tags": ["obst"]}.items()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "note is required"),
        ({"note": " \n"}, "note is required and must not be blank"),
        ({"note": "ä" * 32769}, "64 KB"),
        ({"note": "n", "topic": "t" * 201}, "topic must be 200 characters or less"),
        ({"note": "n", "tags": ["t"] * 2 + [str(n) for n in range(50)]}, "tags must be 50 or fewer"),
        ({"note": "n", "url": "u" * 5000}, "url must be 4096"),
        ({"note": "n", "url": "notes/today.txt"}, "url must be a web address such as https://"),
        ({"note": "n", "user": "bert"}, "no argument 'user'"),
    ],
)
def test_what_cannot_be_kept_is_told_in_a_sentence(
    quiet_environment: dict[str, str], arguments: dict[str, Any], said: str
) -> None:
    async def script(app: Application) -> Any:
        await agree(app, ANNA, "memory")
        return await app.call("memory_save", arguments, identity=ANNA)

    answer = with_app({**quiet_environment, **ON}, script)
    assert answer.is_error and said in (answer.error_text or "")


def test_members_read_what_others_shared_and_no_answer_grows_too_large(quiet_environment: dict[str, str]) -> None:
    async def script(app: Application) -> list[dict[str, Any]]:
        workspaces = app.services.people.workspaces
        for who in (ANNA, BERT):
            await agree(app, who, "workspace")
            await workspaces.add_member("room", who)
        for n in range(20):
            await ask(app, ANNA, "workspace_contribute", workspace_id="room", note=f"{n:02}" + "x" * 65000)
        seen = await ask(app, BERT, "workspace_read", workspace_id=" room ")
        await workspaces.remove_member("room", BERT)
        return [seen, await ask(app, BERT, "workspace_read", workspace_id="room")]

    seen, later = with_app({**quiet_environment, **ON}, script)
    assert [entry["note"][:2] for entry in seen["contributions"]] == [f"{n:02}" for n in range(19, 3, -1)]
    assert seen["count"] == 16 and "16" in seen["reason"]
    assert seen["contributions"][0].items() >= {"contributorTenant": "acme", "contributorUser": "anna"}.items()
    assert later["status"] == "not_member"


def test_calls_are_counted_for_those_who_agreed_and_without_their_words(quiet_environment: dict[str, str]) -> None:
    async def script(app: Application) -> list[dict[str, Any]]:
        await app.call("memory_recall", {"query": "geheim"}, identity=ANNA)
        await agree(app, ANNA, "analytics")
        empty = await ask(app, ANNA, "get_my_analytics")
        await asyncio.gather(*(app.call("memory_recall", {"query": "geheim"}, identity=ANNA) for _ in range(12)))
        await app.call("memory_save", {"nonsense": "geheim"}, identity=ANNA)
        counted = await ask(app, ANNA, "get_my_analytics")
        return [empty, counted, await ask(app, BERT, "get_my_analytics")]

    empty, counted, other = with_app({**quiet_environment, **ON}, script)
    assert empty["status"] == "empty" and other["status"] == "no_consent"
    usage = counted["analytics"]
    assert usage["toolCounts"] == {"get_my_analytics": 1, "memory_recall": 12, "memory_save": 1}
    assert usage["totalCalls"] == 14 and usage["recentTools"] == ["memory_save"] + ["memory_recall"] * 9
    assert usage["firstSeen"] <= usage["lastSeen"] and "geheim" not in json.dumps(counted)


def test_at_home_a_name_is_enough_and_a_no_stays_a_no(quiet_environment: dict[str, str]) -> None:
    environment = {**quiet_environment, **ON, "STDIO_USER_ID": "anna@home"}

    def saved(note: str) -> dict[str, Any]:
        with StdioServer(environment) as server:
            server.initialize()
            told = server.call("memory_save", {"note": note})
            result: dict[str, Any] = told["result"]["structuredContent"]
            return result

    assert saved("kept over a kill")["status"] == "ok"

    async def refuse(app: Application) -> list[dict[str, Any]]:
        recalled = await ask(app, None, "memory_recall")
        kept = await app.services.personal_data.export("default", "anna@home")
        shared = await ask(app, None, "workspace_read", workspace_id="w")
        over_http = await ask(app, Identity("default", "somebody"), "memory_recall")
        await app.services.people.consent.decide(app.local_user, "memory", granted=False, decided_from="test")
        return [recalled, kept["namespaces"]["consent"][0], shared, over_http]

    recalled, consent, shared, over_http = with_app(environment, refuse)
    assert [entry["note"] for entry in recalled["memories"]] == ["kept over a kill"]
    assert consent.items() >= {"purpose": "memory", "granted": True, "decidedFrom": "stdio"}.items()
    assert shared["status"] == "no_consent" and over_http["status"] == "no_consent"
    assert saved("not kept")["status"] == "no_consent"


@pytest.mark.parametrize("name", ["anonymous", "a b", "ä", "x" * 129, "a/b"])
def test_a_local_name_that_is_none_is_told_and_names_nobody(quiet_environment: dict[str, str], name: str) -> None:
    async def script(app: Application) -> tuple[bool, str]:
        return app.local_user.is_anonymous, " ".join(app.problems)

    is_nobody, problems = with_app({**quiet_environment, "STDIO_USER_ID": name}, script)
    assert is_nobody and "STDIO_USER_ID" in problems


def test_over_http_a_local_name_grants_nothing(
    quiet_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ON.items():  # what is offered is asked of the process's own environment
        monkeypatch.setenv(name, value)

    async def recall(app: Application) -> Any:
        async with Client(mcp_server(Dispatcher(app, Listings(app.settings))), mode="2026-07-28") as client:
            return (await client.call_tool("memory_recall", {})).structured_content

    assert with_app({**quiet_environment, **ON, "STDIO_USER_ID": "anna"}, recall)["status"] == "unavailable"
