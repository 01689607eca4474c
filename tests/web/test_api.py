"""The answers to the page: outcomes that stay apart, a live audit, bounded streams."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import pytest

from tests.loopback.run import Internet
from tests.trust.judge import environment as of_the_record
from tests.web.requests import SAME_ORIGIN, PageClient, Reply, with_page
from wellsourced.demo import DemoEvent, SharedDemo
from wellsourced.errors import RateLimited
from wellsourced.http.request_context import RequestContext
from wellsourced.web import audit_stream, health
from wellsourced.web.page_files import POLICY
from wellsourced.web.sse import event

BIBTEX = r"""
@article{lecun2015, title={Deep Learning}, author={LeCun, Yann}, year={2015}, doi={10.1038/nature14539}}
@article{gino2014, title={Evil Genius? How Dishonesty Can Lead to Greater Creativity}, year=2014,
  doi={10.1177/0956797614520714}}
@article{nobody2021, title={Urban foxes and the spread of mange}, year={2021}, doi={10.1371/notarealdoi}}
@book{huber1952, title={Chronik der Gemeinde Oberwiesen}, author={Huber, Josef}, year={1952}}
"""
FLAGS = [[], ["retracted"], ["not_found"], ["unchecked"]]


async def call(client: PageClient, tool: str, **arguments: object) -> Reply:
    return await client.request("POST", "/api/call", {"tool": tool, "arguments": arguments})


def test_outcomes_stay_apart(environment: Mapping[str, str], internet: Internet) -> None:
    async def script(client: PageClient) -> None:
        found = await call(client, "web_search", query="solar panels", provider="searxng")
        assert found.json["content"]["results"]
        nothing = await call(client, "web_search", query="nothing", provider="searxng")
        assert nothing.json["content"]["hints"]["reason"]
        wrong = await call(client, "web_search", query="")
        assert (wrong.status, wrong.json["error"]["kind"]) == (200, "validation")
        assert "query" in wrong.json["error"]["sentence"]
        internet.control("/searxng", status=429, headers={"Retry-After": "7"})
        limited = (await call(client, "web_search", query="tides", provider="searxng")).json["error"]
        assert (limited["kind"], limited["retryable"]) == ("rate_limited", True)
        assert "{" not in limited["sentence"]

    with_page(environment, script)


def test_what_is_asked_wrongly_is_answered_with_a_sentence(quiet_environment: Mapping[str, str]) -> None:
    asked: list[tuple[str, object, int]] = [
        ("call", b"{", 400),
        ("call", b"[" * 100_000, 400),
        ("call", [], 400),
        ("call", {"tool": "no_such_tool"}, 404),
        ("call", {"tool": ["web_search"]}, 404),
        ("call", {"tool": "answer"}, 404),
        ("call", {"tool": "web_search", "arguments": []}, 400),
        ("audit", {"bibliography": ""}, 400),
        ("audit", {"bibliography": "no entry here"}, 400),
        ("audit", {"bibliography": "@article{empty,}"}, 400),
        ("demo", {}, 404),
    ]

    async def script(client: PageClient) -> None:
        for path, given, status in asked:
            reply = await client.request("POST", f"/api/{path}", given)
            assert (reply.status, len(reply.json["error"]) > 10) == (status, True), (path, given)
        assert (await client.request("GET", "/api/library?q=%21%21")).status == 400

    with_page(quiet_environment, script)


@pytest.mark.parametrize("most_calls", [50, 2])
def test_an_audit_fills_in_entry_by_entry(
    internet: Internet, quiet_environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, most_calls: int
) -> None:
    """Whether entries are asked about one by one or in portions, each finding comes to its own entry."""
    monkeypatch.setattr(audit_stream, "MOST_CALLS", most_calls)
    log, context = (
        Path(quiet_environment["CACHE_DIR"]) / "audit.jsonl",
        RequestContext("r1", "192.0.2.7", ("audit_bibliography",)),
    )

    async def script(client: PageClient) -> None:
        reply = await client.request("POST", "/api/audit", {"bibliography": BIBTEX}, context=context)
        names = [name for name, _ in reply.events]
        assert names == ["list", *["entry"] * 4, "done"]
        titles = [entry["title"] for entry in reply.events[0][1]["entries"]]
        entries = sorted((data for name, data in reply.events if name == "entry"), key=lambda entry: entry["index"])
        assert [entry["title"] for entry in entries] == titles
        assert [entry["flags"] for entry in entries] == FLAGS
        reply = (await client.request("GET", "/api/health")).json
        assert reply["offers"]["unpaywall"] == "free copies"
        seen = reply["tools"]["tools"]
        assert seen["audit_bibliography"]["totalCalls"] == min(4, most_calls)

    with_page({**of_the_record(internet, quiet_environment), "AUDIT_OUTPUT_PATH": str(log)}, script)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["request_id"], line["source_ip"]) for line in lines] == [("r1", "192.0.2.7")] * min(4, most_calls)


def test_an_audit_beyond_the_quota_says_so_and_says_nothing_against_the_entries(
    quiet_environment: Mapping[str, str],
) -> None:
    async def script(client: PageClient) -> None:
        await call(client, "format_bibliography", sources=[{"title": "x"}])
        reply = await client.request("POST", "/api/audit", {"bibliography": BIBTEX})
        entries = [data for name, data in reply.events if name == "entry"]
        assert [entry["flags"] for entry in entries] == [["unchecked"]] * 4
        assert all("limit" in entry["reason"] and entry["exists"] is None for entry in entries)

    with_page({**quiet_environment, "MAX_CALLS_PER_DAY": "1"}, script)


def test_events_tell_changes_and_only_so_many_may_listen(
    quiet_environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "MOST_STREAMS", 2)
    monkeypatch.setattr(health, "CHECK_SECONDS", 0.02)
    monkeypatch.setattr(health, "HEARTBEAT_SECONDS", 0.1)

    told: list[bytes] = []

    def noted(name: str, data: Mapping[str, object]) -> bytes:
        told.append(event(name, data))
        return told[-1]

    monkeypatch.setattr(health, "event", noted)

    async def script(client: PageClient) -> None:
        streams = [asyncio.create_task(client.request("GET", "/api/events", listen_for=3.0)) for _ in range(3)]
        while len(told) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await call(client, "format_bibliography", sources=[{"title": "x"}])
        replies = sorted(await asyncio.gather(*streams), key=lambda reply: reply.status)
        assert [reply.status for reply in replies] == [200, 200, 503]
        assert replies[0].headers["content-type"].startswith("text/event-stream")
        first, *_, last = [data["tools"]["tools"] for _, data in replies[0].events]
        assert (first, last["format_bibliography"]["totalCalls"]) == ({}, 1)
        assert b"\n\n:\n\n" in replies[0].body
        assert (await client.request("GET", "/api/events", listen_for=0.1)).status == 200

    with_page(quiet_environment, script)


def test_a_call_is_watched_part_by_part(environment: Mapping[str, str], internet: Internet) -> None:
    """What was found, each source as it is read, who failed, and last the answer that has them all."""
    internet.control("/site/bravo", status=403)
    given = {
        "tool": "search_and_scrape",
        "arguments": {"query": "solar panels", "claim": "Panels cool", "num_results": 3},
    }

    async def script(client: PageClient) -> None:
        events = (await client.request("POST", "/api/stream", given)).events
        names = [name for name, _ in events if name != "progress"]
        assert names[0] == "found" and names[-1] == "answer"
        parts = {name: [data for each, data in events if each == name] for name in names}
        answer = parts["answer"][0]["content"]
        assert {each["url"] for each in parts["source"]} == {each["url"] for each in answer["sources"]}
        assert all(each["evidence"] and not each["content"] for each in parts["source"])
        assert parts["failure"] == answer["scrapeFailures"]
        wrong = (await client.request("POST", "/api/stream", {"tool": "web_search", "arguments": {}})).events
        assert wrong[-1][1]["error"]["kind"] == "validation"
        assert (await client.request("POST", "/api/stream", {"tool": "no_such_tool"})).status == 404

    with_page({**environment, "ALLOW_PRIVATE_IPS": "true"}, script)


def test_an_image_comes_through_the_guard_or_not_at_all(environment: Mapping[str, str], internet: Internet) -> None:
    internet.control("/site/alpha/a.png", status=200, body="PNG", headers={"Content-Type": "image/png"})
    internet.control("/site/alpha/b.png", status=200, body="<html>", headers={"Content-Type": "text/html"})
    site = f"{internet.base}/site/alpha"

    async def allowed(client: PageClient) -> None:
        image = await client.request("POST", "/api/image", {"url": f"{site}/a.png"})
        assert (image.status, image.body, image.headers["content-type"]) == (200, b"PNG", "image/png")
        assert "sandbox" in image.headers["content-security-policy"]
        assert (await client.request("POST", "/api/image", {"url": f"{site}/b.png"})).status == 502
        for url in ("javascript:alert(1)", "file:///etc/passwd", None):
            assert (await client.request("POST", "/api/image", {"url": url})).status == 400
        assert (await client.request("GET", "/api/image")).status == 405

    async def refused(client: PageClient) -> None:
        image = await client.request("POST", "/api/image", {"url": f"{site}/a.png"})
        assert (image.status, "loopback" in image.json["error"]) == (502, True)

    with_page({**environment, "ALLOW_PRIVATE_IPS": "true"}, allowed)
    with_page(environment, refused)


def test_a_corrected_bibliography_changes_only_what_was_chosen(quiet_environment: Mapping[str, str]) -> None:
    given = "@article{b, title={Wrong}, author={Doe, Jane}, year={1999}, note={mine}}\n@book{a, title={Right}}"
    fixes = {"0": {"title": "Deep Learning", "year": "2015", "authors": "Yann LeCun; Geoffrey Hinton"}}

    async def script(client: PageClient) -> None:
        reply = await client.request("POST", "/api/corrected", {"bibliography": given, "fixes": fixes})
        first, second = reply.json["document"].strip().split("\n\n")
        assert first.startswith("@article{b,") and second.startswith("@book{a,")
        assert "LeCun, Yann and Hinton, Geoffrey" in first and "2015" in first and "mine" in first
        assert "Wrong" not in first and "Deep Learning" in first.replace("{", "").replace("}", "")
        wrong: list[object] = [{"bibliography": given}, {"bibliography": given, "fixes": {"0": "x"}}, {"fixes": {}}]
        for body in wrong:
            assert (await client.request("POST", "/api/corrected", body)).status == 400

    with_page(quiet_environment, script)


def test_the_library_takes_documents_tags_and_leave(quiet_environment: Mapping[str, str]) -> None:
    document = {"name": "minutes.txt", "content": b64encode(b"The wall was agreed upon by nine votes.").decode()}

    async def script(client: PageClient) -> None:
        made = (await client.request("POST", "/api/library/upload", {**document, "tags": ["Harbour"]})).json
        path = f"/api/library/{made['id']}"
        found = (await client.request("GET", "/api/library?q=votes&kind=file&tag=harbour")).json["entries"]
        assert [(entry["id"], entry["title"], entry["tags"]) for entry in found] == [
            (made["id"], "minutes.txt", ["harbour"])
        ]
        assert (await client.request("POST", f"{path}/tag", {"tags": ["walls"]})).status == 200
        assert (await client.request("GET", "/api/library?tag=harbour")).json["entries"] == []
        assert "nine votes" in (await client.request("GET", path)).json["text"]
        assert (await client.request("POST", f"{path}/delete", {})).json == {"deleted": 1}
        assert (await client.request("POST", f"{path}/delete", {})).status == 404
        for body in ({"name": "x"}, {"name": "x", "content": "?"}, {**document, "tags": "x"}):
            assert (await client.request("POST", "/api/library/upload", body)).status == 400

    with_page(quiet_environment, script)


class FailingDemo(SharedDemo):
    """A demonstration of two steps, the second of which fails."""

    async def run(self) -> AsyncGenerator[DemoEvent]:
        yield DemoEvent(1, "Ask", "It was asked.")
        raise RateLimited("Somebody else is at it.")


def test_the_demo_is_told_step_by_step(quiet_environment: Mapping[str, str]) -> None:
    async def script(client: PageClient) -> None:
        assert (await client.request("GET", "/api/about")).json["demo"] is True
        reply = (await client.request("POST", "/api/demo", {})).events
        step = {"step": 1, "title": "Ask", "text": "It was asked."}
        assert reply == [("step", step), ("failed", {"error": "Somebody else is at it."})]

    with_page(quiet_environment, script, FailingDemo())


def test_the_page_comes_from_the_package_under_its_policy(quiet_environment: Mapping[str, str]) -> None:
    async def script(client: PageClient) -> None:
        page = await client.request("GET", "/")
        assert (page.status, page.headers["content-security-policy"]) == (200, POLICY)
        assert "'unsafe" not in POLICY and "http" not in POLICY
        assert b"style=" not in page.body and b"<script>" not in page.body
        script_file = await client.request("GET", "/static/main.js")
        assert script_file.headers["content-type"].startswith("text/javascript")
        again = await client.request(
            "GET", "/static/main.js", headers={**SAME_ORIGIN, "if-none-match": script_file.headers["etag"]}
        )
        assert (again.status, again.body) == (304, b"")
        for name in ("nothing.js", "..%2Fpage.py", "../page.py"):
            assert (await client.request("GET", f"/static/{name}")).status == 404

    with_page(quiet_environment, script)
