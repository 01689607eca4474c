"""Exports: complete, deterministic, and harmless whatever the sources are called."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from wellsourced.errors import NetworkFailed
from wellsourced.identity import Identity
from wellsourced.sessions.export import LinkState, export
from wellsourced.sessions.session import RequestOutcome, Session
from wellsourced.sessions.session_json import source_from, source_json
from wellsourced.sessions.steps import StepInput, with_step
from wellsourced.tool.sources import FoundSource, SourceEvidence

NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
LATER = datetime(2026, 5, 6, 9, 0, 0, tzinfo=UTC)
HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)> [x](javascript:alert(1)) `</style>` \u202eevil'
TAGS = {"html", "meta", "title", "style", "main", "h1", "h2", "h3", "h4", "ul", "ol", "li", "p", "b", "bdi", "span"}
TAGS |= {"time", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "blockquote", "a", "footer"}


def taken(number: int, text: str, **fields: object) -> StepInput:
    return StepInput(description=text, number=number, next_step_needed=number < 6, **fields)  # type: ignore[arg-type]


def trail() -> Session:
    session = Session(
        id="1f0c1a52-0000-4000-8000-000000000000",
        owner=Identity("acme", "anna"),
        goal="How much do heat pumps save in old houses?",
        created_at=NOW,
        last_used=NOW,
        summary="Savings depend on insulation.\nTwo studies agree.",
    )
    for one in (
        taken(1, "Find field studies of heat pumps in houses built before 1980.", confidence="medium"),
        taken(2, "Read the two German field studies.", reasoning="They measured, not modelled.", knowledge_gap="Noise"),
        taken(3, "Compare with gas.", rejected_approaches=("Vendor brochures", "Forum posts")),
        taken(4, "Compare with district heating.", branch_id="district", branch_from_step=2),
        taken(5, "Prices per kWh in Vienna.", branch_id="district"),
        taken(4, "Compare with gas, newer prices.", revises_step=3, resolved_gaps=("Noise",), confidence="high"),
        taken(5, "أسعار الكهرباء في المدن القديمة", knowledge_gap="Costs of grid upgrades in old quarters?"),
        taken(6, "結論をまとめる。" * 12),
    ):
        session = with_step(session, one, NOW, 200)
    return replace(session, sources=SOURCES, outcomes=OUTCOMES)


SOURCES = (
    FoundSource(
        url="https://www.example.org/field-study?id=1&x=2",
        title="Wärmepumpen in Bestandsgebäuden: Ergebnisse eines Feldtests",
        type="academic",
        author="Günther, D.; Miara, M.",
        date="2020-07-01",
        doi="10.24406/publica-fhg-300381",
        found_in_step=2,
        verified=True,
        verified_at="2026-05-06T08:00:00Z",
        evidence=(
            SourceEvidence(
                quote="Die Jahresarbeitszahl lag im Mittel bei 3,1.", claim="Heat pumps reach 3 in old houses"
            ),
            SourceEvidence(
                quote="Kein Gerät brauchte den Heizstab nennenswert.", claim="The heating rod is rarely needed"
            ),
        ),
    ),
    FoundSource(
        url="https://news.example.com/heat",
        title="Heat pumps beat gas in trial",
        type="news",
        date="2025-11-02",
        after_step=3,
        http_status=404,
        verified=False,
        archived_url="https://web.archive.org/web/2025/https://news.example.com/heat",
        evidence=(SourceEvidence(quote="average coefficient of 3.2", claim="Heat pumps reach 3 in old houses"),),
    ),
    FoundSource(
        url="https://journal.example/retracted",
        title="Savings of 80 %",
        type="academic",
        retraction="2024-03-01, data could not be verified",
        found_in_step=2,
    ),
    FoundSource(url="https://vendor.example/brochure", title="Save 90 %!", rejected="an advertisement"),
    FoundSource(url="https://journal.example/slip", title="Savings of 8 %", type="academic", retraction="correction"),
    FoundSource(url="https://journal.example/gone", type="academic", retraction="retraction (2024-05-06)"),
    FoundSource(url="https://عربي.example/سعر", title="أسعار الكهرباء", type="web", after_step=5),
)
OUTCOMES = (
    RequestOutcome(success=False, error_kind="blocked", url="https://walled.example/study"),
    RequestOutcome(success=True, url="https://www.example.org/field-study?id=1&x=2"),
)


def exported(session: Session, format: str) -> str:
    document = asyncio.run(export(session, format, now=LATER)).document  # type: ignore[arg-type]
    return document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)


class Seen(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("format", ["markdown", "json", "html"])
def test_everything_is_told(format: str) -> None:
    document = exported(trail(), format)
    seen = Seen(document)
    text = seen.text + repr(seen.attributes) if format == "html" else document.replace("\\", "")
    for word in (
        *("How much do heat pumps save", "insulation", "German field studies", "They measured, not modelled"),
        *(
            "Vendor brochures",
            "district",
            "أسعار الكهرباء في المدن القديمة",
            "結論をまとめる",
            "grid upgrades",
            "Noise",
        ),
        *(
            "Feldtests",
            "Günther",
            "10.24406/publica-fhg-300381",
            "Jahresarbeitszahl",
            "rarely needed",
            "walled.example",
        ),
        *("data could not be verified", "an advertisement", "acme", "2026-05-06T07:08:09Z"),
    ):
        assert word in text, word


def test_the_reports_say_what_became_of_steps_and_sources() -> None:
    page = Seen(exported(trail(), "html")).text
    report = exported(trail(), "markdown")
    for text in (page, report.replace("\\", "")):
        for words in (
            *("superseded by step 4", "revises step 3", "branch district from step 2", "closed in step 4"),
            *("dead link (HTTP 404)", "live on 2026-05-06", "retracted: 2024-03-01", "refused to be read"),
            *("corrected", "retracted (2024-05-06)"),
        ):
            assert words in text, words
        assert text.count("retracted:") == 1, "a correction is no retraction"
    assert "### Step 4 (branch district from step 2)" in report
    assert report.startswith("# How much do heat pumps save in old houses?\n\n- Session: `1f0c1a52")
    assert "1. [Wärmepumpen in Bestandsgebäuden: Ergebnisse eines Feldtests](https://www.example.org/" in report


@pytest.mark.parametrize("format", ["markdown", "html", "json"])
def test_a_quotation_keeps_which_way_it_points_and_a_source_how_it_stands(format: str) -> None:
    otherwise = SourceEvidence(
        quote="The tower is 300 m tall.",
        claim="It is 330 m tall",
        stance="differs",
        differs="figure: “330 m” / “300 m”",
    )
    source = FoundSource(url="https://a.example/x", evidence=(otherwise,), standing=("A press release.",))
    text = exported(replace(trail(), sources=(source,)), format)
    assert "330 m” / “300 m" in text and "A press release." in text
    assert ("differs" if format == "json" else "The source says otherwise") in text
    assert source_from(json.loads(json.dumps(source_json(source)))) == source


def test_quotes_lead_to_the_passage_and_archived_copies_are_there() -> None:
    links = [value for name, value in Seen(exported(trail(), "html")).attributes if name == "href"]
    assert "https://www.example.org/field-study?id=1&x=2#:~:text=Die%20Jahresarbeitszahl%20lag" in "".join(links)
    assert "https://web.archive.org/web/2025/https://news.example.com/heat" in links


@pytest.mark.parametrize("format", ["markdown", "json", "html"])
def test_the_same_session_gives_the_same_bytes(format: str) -> None:
    assert exported(trail(), format) == exported(replace(trail(), last_used=LATER, revision=9), format)


def test_hostile_text_stays_text() -> None:
    bad = FoundSource(
        url="javascript:alert(1)//" + HOSTILE,
        title=HOSTILE,
        type=HOSTILE,
        author=HOSTILE,
        date=HOSTILE,
        doi=HOSTILE,
        retraction=HOSTILE,
        verified=False,
        archived_url="data:text/html," + HOSTILE,
        evidence=(SourceEvidence(quote=HOSTILE, claim=HOSTILE, link="javascript:alert(1)"),),
    )
    quoting = replace(bad, url='https://e.org/"onmouseover="alert(1)', rejected=HOSTILE)
    session = replace(
        trail(),
        goal=HOSTILE,
        summary=HOSTILE,
        sources=(bad, quoting),
        outcomes=(RequestOutcome(success=False, url="javascript:alert(1)", error_kind=HOSTILE),),
    )
    session = with_step(
        session,
        taken(7, HOSTILE + "\n# heading", reasoning=HOSTILE, branch_id=HOSTILE, knowledge_gap=HOSTILE),
        NOW,
        200,
    )
    page = exported(session, "html")
    seen = Seen(page)
    assert seen.tags <= TAGS
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "src"]
    assert all(value.startswith(("http://", "https://")) for name, value in seen.attributes if name == "href")
    assert "\u202e" not in page
    report = exported(session, "markdown")
    assert "<script" not in report.replace("\\<", "") and "](javascript:" not in report.replace("\\]", "")
    assert "\n# heading" not in report


def test_links_are_checked_by_whoever_is_asked_and_only_in_the_export() -> None:
    async def check(urls: Sequence[str]) -> Mapping[str, LinkState]:
        assert len(urls) == len(SOURCES)
        return {
            urls[0]: LinkState(
                alive=False, http_status=410, archived_url="https://archive.example/1", checked_at=LATER
            ),
            urls[1]: LinkState(alive=True, checked_at=LATER),
            urls[2]: LinkState(alive=None),
        }

    async def fail(urls: Sequence[str]) -> Mapping[str, LinkState]:
        raise NetworkFailed("no network")

    session = trail()
    checked = asyncio.run(export(session, "json", check, LATER)).document
    assert isinstance(checked, dict)
    first, second, third, *_ = checked["sources"]
    assert (first["verified"], first["httpStatus"], first["archivedUrl"]) == (False, 410, "https://archive.example/1")
    assert second["verified"] is True and "verified" not in third
    assert session == trail()
    assert asyncio.run(export(session, "html", fail, LATER)).document == exported(session, "html")


def test_it_fits_a_phone_and_a_desk(tmp_path: Path) -> None:
    """Chromium lays the page out in a frame of that width and tells whether anything sticks out."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("no Chromium")
    long = FoundSource(url="https://example.org/" + "x" * 300, title="W" * 200, type="web", after_step=1)
    page = exported(replace(trail(), sources=(*SOURCES, long)), "html")
    for width in (320, 390, 1280):
        frame = tmp_path / f"{width}.html"
        frame.write_text(
            f'<meta charset=utf-8><iframe id=f style="width:{width}px;height:900px" srcdoc="{escape(page)}"></iframe>'
            "<script>f.onload=()=>{let d=f.contentDocument.documentElement;"
            "document.title=d.scrollWidth+' '+d.clientWidth+' '+d.scrollHeight}</script>",
            encoding="utf-8",
        )
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
        command = [chromium, *flags, "--window-size=1400,1000", "--virtual-time-budget=3000", "--dump-dom"]
        done = subprocess.run([*command, frame.as_uri()], check=True, timeout=60, capture_output=True, text=True)
        told = re.search(r"<title>(\d+) (\d+) (\d+)</title>", done.stdout)
        assert told, done.stdout[-500:]
        wide, room, high = map(int, told.groups())
        assert wide <= room, f"{wide} in {room} at {width}"
        assert high > 1500
