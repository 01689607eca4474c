"""search and fetch through all layers, as connectors call them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app import content, error, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.identity import Identity
from wellsourced.storage.library.store import NewDocument, document_id
from wellsourced.tool.answer import ToolAnswer

ANNA, BEN = Identity("acme", "anna"), Identity("acme", "ben")


@pytest.fixture
def surroundings(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def only_item(answer: ToolAnswer) -> dict[str, Any]:
    """The contract: exactly one content item, of type text, holding the JSON."""
    assert not answer.is_error, answer.error_text
    (item,) = answer.content()
    assert item["type"] == "text"
    decoded: dict[str, Any] = json.loads(item["text"])
    return decoded


def test_search_gives_ids_titles_and_addresses_and_fetch_opens_them(
    surroundings: dict[str, str], internet: Internet
) -> None:
    async def script(app: Application) -> tuple[ToolAnswer, ToolAnswer]:
        found = await app.call("search", {"query": "solar panels"})
        return found, await app.call("fetch", {"id": only_item(found)["results"][0]["id"]})

    found, opened = with_app(surroundings, script)
    results = only_item(found)["results"]
    assert len(results) == 10
    assert all(set(result) == {"id", "title", "url"} for result in results)
    assert [result["id"] for result in results] == [document_id(result["url"]) for result in results]
    document = only_item(opened)
    assert set(document) == {"id", "title", "text", "url", "metadata"}
    assert (document["id"], document["url"]) == (results[0]["id"], results[0]["url"])
    assert document["title"].startswith("solar panels 1")
    assert "This is part 5 of the report on solar panels 1" in document["text"]
    about = document["metadata"]
    assert (about["author"], about["date"], about["site"]) == ("Ada Example", "2026-11-01", "alpha")
    assert about["sourceType"] and all(isinstance(value, str) for value in about.values())


def test_ids_survive_a_restart(surroundings: dict[str, str], internet: Internet) -> None:
    found = with_app(surroundings, lambda app: app.call("search", {"query": "solar panels"}))
    result = only_item(found)["results"][3]
    opened = with_app(surroundings, lambda app: app.call("fetch", {"id": result["id"]}))
    assert only_item(opened)["url"] == result["url"]


def test_what_was_read_is_found_again_though_the_web_has_nothing_and_the_site_is_down(
    surroundings: dict[str, str], internet: Internet
) -> None:
    url = f"{internet.base}/site/alpha/tides-of-brest"

    async def script(app: Application) -> tuple[ToolAnswer, ToolAnswer, ToolAnswer]:
        read = await app.call("fetch", {"id": url})
        internet.control("/site/alpha", status=500, body="down")
        internet.control("/searxng", status=200, headers={"content-type": "text/html"}, body="<html>no</html>")
        internet.control("/duckduckgo", fault="reset")
        internet.control("/open", fault="reset")
        found = await app.call("search", {"query": "report on tides of brest"})
        return read, found, await app.call("fetch", {"id": document_id(url)})

    read, found, again = with_app(surroundings, script)
    assert only_item(read)["id"] == document_id(url)
    assert only_item(found)["results"] == [{"id": document_id(url), "title": only_item(read)["title"], "url": url}]
    assert only_item(again)["text"] == only_item(read)["text"]
    assert only_item(again)["metadata"]["retrievedAt"].endswith("Z")


def test_private_documents_are_found_and_opened_by_their_owner_alone(
    surroundings: dict[str, str], internet: Internet
) -> None:
    private = NewDocument(
        url="file:///home/anna/solar%20notes.txt", text="My own notes on solar panels.", title="Notes", kind="file",
        tenant="acme", user="anna", private=True,
    )  # fmt: skip

    async def script(app: Application) -> list[ToolAnswer]:
        await app.services.library.add([private])
        calls = [("search", {"query": "solar panels"}), ("fetch", {"id": private.id})]
        return [await app.call(tool, arguments, identity=reader) for reader in (ANNA, BEN) for tool, arguments in calls]

    found, opened, others, refused = with_app(surroundings, script)
    assert private.id in {result["id"] for result in only_item(found)["results"]}
    assert (only_item(opened)["text"], only_item(opened)["metadata"]["kind"]) == (private.text, "file")
    assert private.id not in {result["id"] for result in only_item(others)["results"]}
    assert error(refused)["kind"] == "not_found"


def test_nothing_found_is_an_empty_list(surroundings: dict[str, str]) -> None:
    found = with_app(surroundings, lambda app: app.call("search", {"query": "nothing"}))
    assert only_item(found) == {"results": []}


FAILURES: list[tuple[str, dict[str, Any], str]] = [
    ("search", {}, "query is required"),
    ("search", {"query": ""}, "query is required"),
    ("search", {"query": " \u3000\n"}, "query is required"),
    ("search", {"query": "x", "count": 3}, "no argument"),
    ("fetch", {}, "id is required"),
    ("fetch", {"id": "   "}, "id is required"),
    ("fetch", {"id": "nosuchdocument00"}, "No document has the id"),
    ("fetch", {"id": "ftp://example.org/"}, "No document has the id"),
    ("fetch", {"id": "http://169.254.169.254/latest/meta-data"}, "URL rejected"),
    ("fetch", {"id": "{base}/site/alpha/missing"}, "Not found"),
]


@pytest.mark.parametrize(("tool", "arguments", "says"), FAILURES)
def test_failures_are_clear_errors(
    surroundings: dict[str, str], internet: Internet, tool: str, arguments: dict[str, Any], says: str
) -> None:
    filled = {
        name: value.replace("{base}", internet.base) if isinstance(value, str) else value
        for name, value in arguments.items()
    }
    answer = with_app(surroundings, lambda app: app.call(tool, filled))
    assert answer.is_error and says in answer.text


def test_a_web_that_cannot_be_asked_is_an_error_and_not_an_empty_list(
    surroundings: dict[str, str], internet: Internet
) -> None:
    internet.control("/searxng", fault="reset")
    internet.control("/duckduckgo", block="duckduckgo")
    internet.control("/open", status=403)
    answer = with_app(surroundings, lambda app: app.call("search", {"query": "solar panels"}))
    assert answer.is_error


def test_without_a_library_both_work_all_the_same(surroundings: dict[str, str], internet: Internet) -> None:
    async def script(app: Application) -> ToolAnswer:
        found = content(await app.call("search", {"query": "solar panels"}))
        return await app.call("fetch", {"id": found["results"][0]["id"]})

    assert only_item(with_app({**surroundings, "LIBRARY_ENABLED": "false"}, script))["text"]
