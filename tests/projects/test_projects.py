"""Projects through the page's endpoints and the store: what is added, found again, shared with nobody, and erased."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import wellsourced
from tests.app import content, sentence, with_app
from tests.loopback.run import Internet
from tests.web.requests import PageClient, Reply, with_page
from wellsourced.app import Application
from wellsourced.errors import NotFound
from wellsourced.identity import Identity
from wellsourced.projects.export import write_wacz
from wellsourced.projects.wacz_check import wacz_problems
from wellsourced.projects.wacz_read import WaczFile
from wellsourced.tool.sources import FoundSource, SourceEvidence

TIDES = "The sea rises and falls twice a day, and the harbour keeps a table of it."
MASTERS = "Masters of ships have used such tables for 400 years, and they still do."
YEARS = "used such tables for 400 years"
ASKED = ("CACHE_DIR", "ALLOW_PRIVATE_IPS", "CHROME_PATH")
ANNA, BERT = Identity("t", "anna"), Identity("t", "bert")


@pytest.fixture
def reading(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def serve(
    internet: Internet, path: str = "/site/alpha/tides", body: str = "", title: str = "On tides", **more: Any
) -> str:
    text = body or f"<p>{TIDES}</p><p>{MASTERS}</p><p>{'Nobody knows who wrote the first of them. ' * 20}</p>"
    markup = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{text}</article></body></html>"
    headers = {"content-type": "text/html; charset=utf-8", **more.pop("headers", {})}
    internet.control(path, status=200, body=markup, headers=headers, **more)
    return internet.base + path


async def post(client: PageClient, path: str, **given: Any) -> Any:
    reply = await client.request("POST", f"/api/projects{path}", given)
    assert reply.status == 200, reply.body
    return reply.json


async def get(client: PageClient, path: str) -> Any:
    reply: Reply = await client.request("GET", f"/api/projects{path}")
    assert reply.status == 200, reply.body
    return reply.json


def test_a_project_from_its_start_to_its_end(reading: Mapping[str, str], internet: Internet) -> None:
    url = serve(internet)

    async def script(client: PageClient) -> None:
        started = await post(client, "", name="  Tides  of old ", question="Who used tables?", tags=["sea"])
        path = f"/{started['projectId']}"
        assert started["name"] == "Tides of old"
        source = (await post(client, f"{path}/add", kind="source", url=url))["added"][0]
        assert (source["title"], source["capture"]) == ("On tides", 1)
        quote = (await post(client, f"{path}/add", kind="quote", url=url, quote="used such tables for 400 years"))[
            "added"
        ]
        assert (quote[0]["quote"], quote[0]["receipt"]) == ("used such tables for 400 years", 1)
        await post(client, f"{path}/add", kind="citation", text="LeCun Y. Deep learning. 2015. doi:10.1038/nature14539")
        text = base64.b64encode(b"Minutes of the harbour board. " * 20).decode()
        file = (await post(client, f"{path}/add", kind="file", name="minutes.txt", content=text))["added"][0]
        of_file = await post(
            client, f"{path}/add", kind="quote", item=file["item"], quote="Minutes of the harbour board"
        )
        assert of_file["added"][0]["receipt"] == 2
        shown = await get(client, path)
        assert shown["counts"] == {"source": 1, "quote": 2, "citation": 1, "file": 1}
        assert [item["kind"] for item in shown["items"]] == ["source", "quote", "citation", "file", "quote"]
        assert internet.requests("/site/alpha") == 1  # the quotation was found in the capture
        assert (await get(client, f"{path}/receipts"))["chain"] == {"ok": True, "problems": []}
        seen = await get(client, f"{path}/captures/1?quote=twice%20a%20day&q=masters")
        assert TIDES in seen["text"] and seen["quotation"]["status"] == "word_for_word" and seen["passages"]
        assert (await get(client, f"{path}/captures"))["total"] == 2
        await post(client, f"{path}/tag", item=1, tags=["read"])
        await post(client, f"{path}/remove", item=3)
        await post(client, f"{path}/archive")
        assert (await get(client, ""))["projects"] == []
        listed = await get(client, "?archived=true")
        assert listed["projects"][0]["counts"] == {"source": 1, "quote": 2, "file": 1} and listed["quota"]["used"] > 500
        assert await post(client, f"{path}/delete") == {"deleted": True, "captures": 2}
        assert (await client.request("GET", f"/api/projects{path}")).status == 404

    with_page(reading, script)


def test_what_cannot_be_kept_is_refused_in_words(reading: Mapping[str, str], internet: Internet) -> None:
    url = serve(internet)
    internet.control("/site/wall", status=403, body="Access denied")

    async def script(client: PageClient) -> None:
        path = "/" + (await post(client, "", name="Tides"))["projectId"]
        asked: list[tuple[str, dict[str, Any], int, str]] = [
            ("", {"name": "tides"}, 400, "already"),
            ("", {"name": " "}, 400, "needs a name"),
            ("/nothing/add", {"kind": "source", "url": url}, 404, "Yours are 'Tides'"),
            (f"{path}/add", {"kind": "thing"}, 400, "kind must be"),
            (
                f"{path}/add",
                {"kind": "quote", "url": url, "quote": "used such tables for 500 years"},
                400,
                "It says: “",
            ),
            (
                f"{path}/add",
                {"kind": "quote", "url": url, "quote": "the moon is a harsh mistress"},
                400,
                "do not stand",
            ),
            (f"{path}/add", {"kind": "file", "name": "a.txt", "content": "?"}, 400, "base64"),
            (f"{path}/add", {"kind": "source", "url": internet.base + "/site/wall"}, 502, "Blocked"),
            (f"{path}/add", {"kind": "session", "sessionId": "none"}, 404, "Session not found"),
            (f"{path}/tag", {"item": 99, "tags": []}, 404, "no item 99"),
        ]
        for where, given, status, says in asked:
            reply = await client.request("POST", f"/api/projects{where}", given)
            assert (reply.status, says in reply.json["error"]) == (status, True), (given, reply.json)
        assert (await get(client, path))["counts"] == {"source": 1}  # the page of the quotations, which was read

    with_page(reading, script)


def test_a_full_quota_is_said_before_anything_is_read(reading: Mapping[str, str], internet: Internet) -> None:
    big = serve(
        internet, "/site/alpha/big", body="".join(f"<p>{hash((n, 'x'))} of {hash((n, 'y'))}</p>" for n in range(40_000))
    )
    small = serve(internet, "/site/alpha/small")

    async def script(client: PageClient) -> None:
        path = "/" + (await post(client, "", name="Tides"))["projectId"]
        noted = await post(client, f"{path}/add", kind="source", url=big)
        assert "CAPTURE_MAX_MB" in noted["notes"][0]
        refused = await client.request("POST", f"/api/projects{path}/add", {"kind": "source", "url": small})
        assert refused.status == 400 and "Nothing more is captured" in refused.json["error"]
        assert internet.requests("/site/alpha/small") == 0

    with_page({**reading, "CAPTURE_MAX_MB": "1"}, script)


def test_projects_are_their_owners_and_go_with_them(reading: Mapping[str, str], internet: Internet) -> None:
    url = serve(internet)

    async def script(app: Application) -> None:
        projects = app.services.projects
        annas = await projects.start(ANNA, "Tides")
        added = await projects.collector.add_source(annas, url, time.monotonic() + 60)
        await projects.start(BERT, "Tides")
        with pytest.raises(NotFound):
            await projects.find(BERT, annas.id)
        exported = await app.services.personal_data.export("t", "anna")
        assert exported["namespaces"]["projects"][0]["captures"][0]["digest"] == added.project.captures[1].digest
        assert (await app.services.personal_data.erase("t", "anna"))["deleted"]["projects"] == 1
        assert not await projects.heads(ANNA) and await projects.heads(BERT)
        with pytest.raises(NotFound):
            await projects.captures.read(added.project, added.project.captures[1])

    with_app(reading, script)


def test_the_same_body_is_kept_once(reading: Mapping[str, str], internet: Internet) -> None:
    url, copy = serve(internet), serve(internet, "/site/bravo/tides")

    async def script(app: Application) -> None:
        projects, until = app.services.projects, time.monotonic() + 60
        project = await projects.start(ANNA, "Tides")
        project = (await projects.collector.add_source(project, url, until)).project
        project = (await projects.collector.add_source(project, copy, until)).project
        first, second = project.captures[1], project.captures[2]
        assert (second.same_as, second.digest) == (1, first.digest)
        assert await projects.captures.reply(project, second) == await projects.captures.reply(project, first)
        assert (await projects.captures.read(project, second)).page.url == copy

    with_app(reading, script)


def test_an_assistant_captures_quotes_and_reads_again(reading: Mapping[str, str], internet: Internet) -> None:
    """Through the tools alone: a session that belongs to a project, a quotation, the page from its capture."""
    url = serve(internet)

    async def script(app: Application) -> None:
        step = {"searchStep": "Read on tides", "stepNumber": 1, "nextStepNeeded": True, "project": "Tides"}
        session = content(await app.call("sequential_search", step))["sessionId"]
        first = content(await app.call("scrape_page", {"url": url, "quote": YEARS, "sessionId": session}))
        kept = first["projectCapture"]
        assert (kept["project"], kept["capture"], kept["receipt"]) == ("Tides", 1, 1)
        unread = content(await app.call("scrape_page", {"url": url, "quote": "the moon", "project": "tides"}))
        assert "do not stand in the page" in " ".join(unread["notes"])
        serve(internet, body="<p>Everything is different now, and nobody knows why it had to be.</p>" * 5)
        again = content(await app.call("scrape_page", {"url": url, "project": "@Tides", "quote": YEARS}))
        assert again["content"] == first["content"] and again["quotation"] == first["quotation"]
        assert "not from the network" in " ".join(again["notes"])
        asked = {"sessionId": "project:Tides", "verify_links": True}
        exported = content(await app.call("research_export", asked))
        assert f"“{YEARS}”" in exported["document"] and exported["drift"]["counts"]["gone"] == 1
        missing = await app.call("scrape_page", {"url": url + "-never-read", "project": "@Tides"})
        assert "no capture of" in sentence(missing)
        projects = app.services.projects
        project = await projects.find(app.local_user, "Tides")
        assert [item.kind for item in project.listed()] == ["session", "source", "quote"]
        assert project.captures[1].session_id == session
        out = io.BytesIO()
        await write_wacz(projects, project, out, session)
        with WaczFile(out, "session.wacz") as wacz:
            assert list(wacz.captures) == [1] and list(wacz_problems(wacz)) == []

    with_app(reading, script)


def test_a_session_is_kept_with_its_evidence(reading: Mapping[str, str], internet: Internet) -> None:
    url = serve(internet)

    async def script(app: Application) -> None:
        step = {"searchStep": "Read on tides", "stepNumber": 1, "nextStepNeeded": True}
        session = content(await app.call("sequential_search", step))["sessionId"]
        evidence = (
            SourceEvidence(quote=TIDES, claim="Twice a day"),
            SourceEvidence(quote="Never said by anybody at all"),
        )
        found = FoundSource(url=url, retraction="retraction 2024-01-02", evidence=evidence)
        await app.services.sessions.record_sources(app.local_user, session, [found])
        project = await app.services.projects.start(app.local_user, "Tides")
        added = await app.services.projects.collector.add_session(project, session, time.monotonic() + 60)
        assert [item.kind for item in added.items] == ["session", "source", "quote"]
        assert [mark.mark for mark in added.items[1].marks] == ["retracted"] and "not taken over" in added.notes[0]
        assert added.items[2].claim == "Twice a day"

    with_app(reading, script)


def test_the_same_in_python(reading: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    url = serve(internet)
    with wellsourced.open_sync(**{name.lower(): value for name, value in reading.items() if name in ASKED}) as research:
        research.start_project("Tides", "Who used tables?")
        (quote,) = research.add_to_project("Tides", url, quote=YEARS)
        assert quote["receipt"] == 1 and research.watch_project("Tides")["counts"]["unchanged"] == 1
        research.export_project("Tides", tmp_path / "tides.html", "html")
        report = (tmp_path / "tides.html").read_text("utf-8")
        assert '<a href="#receipt-1">receipt 1</a>' in report and "id=receipt-1" in report and "#:~:text=" in report
        assert research.show_project("tides")["counts"] == {"source": 1, "quote": 1}
        assert research.delete_project("Tides") == 1 and research.list_projects() == []
