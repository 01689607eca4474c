"""Flags and their reasons, entries that were not reached, and what speaks for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping

from tests.app import with_app
from tests.loopback.run import Internet
from tests.trust.judge import environment
from wellsourced.app import Application
from wellsourced.citations.bibliography_auditor import MOST_ENTRIES, BibliographyAudit
from wellsourced.citations.reference import Reference
from wellsourced.citations.webpage_citation import page_reference

TITLE = "Prospect Theory: An Analysis of Decision under Risk"


def audit(
    world: Mapping[str, str], wanted: list[tuple[Reference, str | None]], seconds: float = 40.0
) -> BibliographyAudit:
    progress_seen: list[float] = []

    async def progress(done: float, total: float | None, message: str) -> None:
        progress_seen.append(done)

    async def run(app: Application) -> BibliographyAudit:
        deadline = time.monotonic() + seconds
        auditor = app.services.bibliography_auditor
        return await auditor.audit(wanted, deadline=deadline, tenant="", progress=progress)

    found = with_app(world, run)
    assert progress_seen == sorted(progress_seen)
    return found


def test_each_flag_has_its_reason(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    site = f"{internet.base}/site/alpha"
    wanted: dict[str, tuple[Reference, str | None]] = {
        "": (page_reference("", TITLE, "Kahneman, D.; Tversky, A.", "Econometrica", "1979", "10.2307/1914185"), None),
        "retracted": (page_reference("", "", "", "", "", "10.1177/0956797614520714"), None),
        "not_found": (page_reference("", "Urban foxes and mange", "", "", "", "10.1371/notarealdoi"), None),
        "mismatch": (page_reference("", "Saving and the age of retirement", "", "", "", "10.2307/1914185"), None),
        "dead_link": (page_reference(f"{site}/gone", "Gone"), None),
        "unchecked": (page_reference("", "Chronik der Gemeinde Oberwiesen", "Huber, Josef", "", "1952"), None),
        "mischaracterized": (
            page_reference(f"{site}/harbour-tables", "harbour tables"),
            "Penguins hibernate beneath Antarctic glaciers throughout winter",
        ),
    }
    found = audit(environment(internet, quiet_environment), list(wanted.values()))
    assert ["".join(entry.flags) for entry in found.entries] == list(wanted)
    assert all(bool(entry.reasons) == bool(entry.flags) for entry in found.entries)
    assert found.counts() == dict.fromkeys(filter(None, wanted), 1) | {"ok": 1}
    unchecked = found.entries[5].reasons[0][1]
    assert "says nothing against it" in unchecked and "openalex" in unchecked


def test_what_was_finished_is_kept_when_the_time_is_up(
    internet: Internet, quiet_environment: Mapping[str, str]
) -> None:
    internet.control("/gold/crossref/works", status=400, times=1)
    internet.control("/gold/crossref/works/10.98000/bulk.7", latency_ms=20_000)
    wanted = [(page_reference("", "", "", "", "", f"10.98000/bulk.{number}"), None) for number in range(12)]
    started = time.monotonic()
    found = audit(environment(internet, quiet_environment), [*wanted], seconds=6.0)
    assert time.monotonic() - started < 18
    late = [entry.index for entry in found.entries if entry.flags]
    assert late == [7]
    assert found.entries[7].verification is None and "time was up" in found.entries[7].reasons[0][1]


def test_beyond_the_most_is_counted(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    wanted = [(Reference(doi="10.2307/1914185"), None)] * (MOST_ENTRIES + 3)
    found = audit(environment(internet, quiet_environment), [*wanted])
    assert (len(found.entries), found.skipped) == (MOST_ENTRIES, 3)
    assert internet.requests("/gold") <= 4, "one work is asked for once"
