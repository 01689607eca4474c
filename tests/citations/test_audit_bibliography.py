"""audit_bibliography through all layers: three documents, a list, a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.app import call, content, with_app
from tests.documents import samples
from tests.loopback.run import Internet
from tests.trust.judge import environment
from wellsourced.app import Application
from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.styles.bibliography import format_bibliography
from wellsourced.storage.library.store import document_id
from wellsourced.tool.sources import FoundSource, WorkDetails

BIBTEX = r"""
@article{lecun2015, title={Deep Learning}, author={LeCun, Yann and Bengio, Yoshua and Hinton, Geoffrey},
  journal={Nature}, year={2015}, doi={10.1038/nature14539}}
@article{gino2014, title={Evil Genius? How Dishonesty Can Lead to Greater Creativity},
  author={Gino, Francesca and others}, journal={Psychological Science}, year=2014, doi={10.1177/0956797614520714}}
@article{nobody2021, title={Urban foxes and the spread of mange}, author={Doe, J.}, year={2021},
  doi={10.1371/notarealdoi}}
@article{wrong2015, title={Household saving and the age of retirement}, year={1979}, doi={10.2307/1914185}}
@book{huber1952, title={Chronik der Gemeinde Oberwiesen}, author={Huber, Josef}, year={1952}}
this is no entry
"""
FLAGS = [[], ["retracted"], ["not_found"], ["mismatch"], ["unchecked"]]


@pytest.fixture
def world(internet: Internet, quiet_environment: Mapping[str, str]) -> dict[str, str]:
    return environment(internet, quiet_environment)


def audit(world: Mapping[str, str], **given: Any) -> dict[str, Any]:
    return content(call(world, "audit_bibliography", **given))


@pytest.mark.parametrize("format", ["bibtex", "ris", "csl-json"])
def test_documents_of_every_format(world: dict[str, str], format: Any) -> None:
    """What is exported in one style is audited in it."""
    entries = read_bibliography(BIBTEX).entries
    document = BIBTEX if format == "bibtex" else format_bibliography(entries, format)
    found = audit(world, bibliography=document)
    assert found["source"] == f"bibliography:{format}"
    by_title = {entry["title"].casefold(): entry for entry in found["entries"]}
    assert [by_title[(entry.title or "").casefold()]["flags"] for entry in entries] == FLAGS
    ones = dict.fromkeys(("retracted", "notFound", "mismatch", "unchecked", "ok"), 1)
    assert found["summary"] == {"total": 5, "deadLink": 0, "mischaracterized": 0, **ones}
    assert all(("reason" in entry) == bool(entry["flags"]) for entry in found["entries"])
    assert {entry["exists"] for entry in found["entries"]} == {True, False, None}


@pytest.mark.usefixtures("public_loopback")
def test_entries_with_claims_come_first(world: dict[str, str], internet: Internet) -> None:
    url = f"{internet.base}/site/alpha/harbour-tables"
    given = [
        {"url": url, "title": "harbour tables", "claim": "Penguins hibernate beneath Antarctic glaciers"},
        {"url": f"{internet.base}/site/alpha/gone", "title": "Gone"},
        {"date": "1999"},
        {"doi": "10.2307/1914185"},
    ]
    found = audit(world, entries=given, bibliography=BIBTEX)
    assert (found["source"], found["entryCount"]) == ("entries", 4)
    first, second, empty, third = found["entries"]
    assert (empty["index"], empty["flags"]) == (2, ["unchecked"]) and "nothing was given to search for" in empty[
        "reason"
    ]
    assert (first["flags"], first["claimSupport"], first["claimSourceUrl"]) == (
        ["mischaracterized"],
        "not_addressed",
        url,
    )
    assert (second["flags"], second["linkLive"], second["httpStatus"]) == (["dead_link"], False, 410)
    assert second["archivedUrl"]
    assert (third["flags"], third["exists"]) == ([], True)


def test_the_sources_of_a_session(world: dict[str, str]) -> None:
    async def run(app: Application) -> dict[str, Any]:
        step = {"searchStep": "look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "tides"}
        session = content(await app.call("sequential_search", step))["sessionId"]
        content(await app.call("verify_citation", {"citation": "10.2307/1914185"}))
        content(await app.call("web_search", {"query": "tides", "num_results": 3, "sessionId": session}))
        return content(await app.call("audit_bibliography", {"sessionId": session}))

    found = with_app(world, run)
    assert (found["source"], found["entryCount"]) == ("session", 3)
    assert all(entry["linkLive"] for entry in found["entries"])


def test_an_audited_session_is_exported_with_what_differs(world: dict[str, str]) -> None:
    """A note of a wrong page stands beside the source, as cited and as recorded, and a retraction too."""

    async def run(app: Application) -> list[str]:
        step = {"searchStep": "look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "tides"}
        session = content(await app.call("sequential_search", step))["sessionId"]
        sessions = app.services.sessions
        wrong = FoundSource(url="https://doi.org/10.1038/nature14539", title="Deep learning", doi="10.1038/nature14539",
                            author="LeCun, Yann", date="2001", work=WorkDetails(container="The Lancet"))  # fmt: skip
        evil = FoundSource(url="https://doi.org/10.1177/0956797614520714", doi="10.1177/0956797614520714",
                           title="Evil Genius? How Dishonesty Can Lead to Greater Creativity")  # fmt: skip
        await sessions.record_sources(app.local_user, session, [wrong, evil])
        content(await app.call("audit_bibliography", {"sessionId": session}))
        await sessions.drain()
        formats = ("markdown", "json", "html")
        exports = [await app.call("research_export", {"sessionId": session, "format": each}) for each in formats]
        return [str(content(answer)["document"]) for answer in exports]

    for document in with_app(world, run):
        assert "year: cited “2001”, recorded “2015”" in document
        assert "retract" in document


def test_too_many_are_told(world: dict[str, str]) -> None:
    found = audit(world, entries=[{"doi": "10.2307/1914185"}] * 1003)
    assert (found["entryCount"], found["skipped"]) == (1000, 3)
    assert "1000" in found["skippedNote"]


@pytest.mark.parametrize("given", [{}, {"bibliography": "no bibliography at all"}, {"entries": [{"date": "1999"}]}])
def test_nothing_to_audit_is_refused_in_words(world: dict[str, str], given: dict[str, Any]) -> None:
    answer = call(world, "audit_bibliography", **given)
    assert answer.is_error and len(answer.text) > 30


LISTED = """<html><head><title>A study of nets</title></head><body><article><h1>A study of nets</h1>
<p>Nets were studied at length by many, and this page says how, in sentences that go on for a while.</p>
<h2>References</h2>
<p>1. LeCun Y, Bengio Y, Hinton G. Deep learning. Nature. 2015;521:436-444. doi:10.1038/nature14539</p>
<p>2. Doe J. Urban foxes and the spread of mange. J Foxes. 2021;3:1-9. doi:10.1371/notarealdoi</p>
<p>3. LeCun, Y., Bengio, Y., &amp; Hinton, G. (2015). Deep learning. Nature, 521, 436–444.
https://doi.org/10.1038/nature14539</p></article></body></html>"""


def test_the_references_of_a_document_by_its_address(world: dict[str, str], internet: Internet) -> None:
    """Each is read out of words, and one that stands twice is told."""
    internet.control("/site/alpha/study", status=200, body=LISTED, headers={"content-type": "text/html"})
    found = audit(world, bibliography=f"{internet.base}/site/alpha/study")
    assert found["source"] == "bibliography:text"
    assert [entry["flags"] for entry in found["entries"]] == [[], ["not_found"], []]
    assert [entry.get("duplicateOf") for entry in found["entries"]] == [None, None, 0]


REFERENCES = (
    "References",
    "1. LeCun Y, Bengio Y, Hinton G. Deep learning. Nature. 2015;521:436-444. doi:10.1038/nature14539",
    "2. Doe J. Urban foxes and the spread of mange. J Foxes. 2021;3:1-9. doi:10.1371/notarealdoi",
)
TEXT = ("A study of nets", "Nets were studied at length by many, and this says how.", *REFERENCES)
WORD_FILE = samples.docx("".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in TEXT))
PDF_FILE = samples.pdf([[(50.0, 740.0 - 24 * place, 8.0, line) for place, line in enumerate(TEXT)]])


@pytest.mark.parametrize(
    ("name", "document", "kind"),
    [
        ("study.docx", WORD_FILE, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("study.pdf", PDF_FILE, "application/pdf"),
    ],
)
def test_the_references_of_files_by_address_and_from_the_library(
    world: dict[str, str], internet: Internet, name: str, document: bytes, kind: str
) -> None:
    internet.control(
        f"/site/alpha/{name}", status=200, body=document.decode("latin-1"), encoding="latin-1",
        headers={"content-type": kind},
    )  # fmt: skip
    url = f"{internet.base}/site/alpha/{name}"

    told: list[float] = []

    async def report(done: float, total: float | None, message: str) -> None:
        told.append(done)

    async def run(app: Application) -> list[dict[str, Any]]:
        by_address = content(await app.call("audit_bibliography", {"bibliography": url}, progress=report))
        await app.call("fetch", {"id": url})
        stored = await app.call("audit_bibliography", {"bibliography": document_id(url)}, progress=report)
        return [by_address, content(stored)]

    for found in with_app(world, run):
        assert [entry["flags"] for entry in found["entries"]] == [[], ["not_found"]], name
        assert [entry["index"] for entry in found["entries"]] == [0, 1]
        assert found["source"] == "bibliography:text" and "matchedTitle" in found["entries"][0]
    assert told.count(len(REFERENCES) - 1) >= 2, "both audits report to the end"


def test_differing_fields_stand_beside_the_recorded_ones(world: dict[str, str]) -> None:
    entry = "@article{a, title={Deep Learning}, journal={The Lancet}, year=2015, doi={10.1038/nature14539}}"
    checks = {check["field"]: check for check in audit(world, bibliography=entry)["entries"][0]["fieldChecks"]}
    assert (checks["container"]["cited"], checks["container"]["recorded"]) == ("The Lancet", "Nature")
    assert checks["container"]["result"] == "differs" and checks["container"]["grade"] == "slip"


def test_another_journal_is_never_called_a_form_of_the_name(world: dict[str, str]) -> None:
    """With another title the work is another one, which outweighs the journal."""
    entry = "@article{a, title={On mange}, author={Nobody, A}, journal={J. of Foxes}, doi={10.1038/nature14539}}"
    checks = {check["field"]: check for check in audit(world, bibliography=entry)["entries"][0]["fieldChecks"]}
    assert (checks["container"]["result"], checks["container"]["note"]) == ("differs", "Another name.")
