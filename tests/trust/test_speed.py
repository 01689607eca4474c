"""Two hundred entries against registries that take a tenth of a second for each answer.

The ideal is that of asking for each work singly, as many at once as an audit does; records in batches undercut it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from tests.app import content, with_app
from tests.loopback.run import Internet
from tests.trust.judge import environment
from wellsourced.app import Application
from wellsourced.citations.bibliography_auditor import AT_ONCE
from wellsourced.scholarly.record_cache import LARGEST_BATCH

ENTRIES = 200
ANSWER_SECONDS = 0.1
IDEAL = ENTRIES / AT_ONCE * ANSWER_SECONDS
ALLOWED = 4
"""Times the ideal; 0.43 was measured on a busy machine, and one after the other it would be eight."""


def entries() -> list[dict[str, str]]:
    return [
        {
            "title": f"Siltation of the harbour of Northhaven, part {number}",
            "author": f"Mole, Ada {number}",
            "date": str(1900 + number % 120),
            "site": "Journal of Quays",
            "doi": f"10.98000/bulk.{number}",
        }
        for number in range(ENTRIES + 1)
    ]


def bibtex(count: int) -> str:
    """Seven in ten have a DOI, two a PMID, one an arXiv id."""
    ids = ("doi = {{10.98000/bulk.{0}}}", "pmid = {{9{0:07}}}", "eprint = {{2301.{0:05}}}, archiveprefix = {{arXiv}}")
    return "\n".join(
        f"@article{{k{number}, title = {{Siltation of the harbour of Northhaven, part {number}}}, "
        f"author = {{Mole, Ada {number}}}, year = {{{1900 + number % 120}}}, "
        f"{ids[(0, 0, 1, 0, 0, 2, 0, 1, 0, 0)[number % 10]].format(number)}}}"
        for number in range(1, count + 1)
    )


def audit_bib(internet: Internet, world: Mapping[str, str], count: int) -> tuple[dict[str, Any], int, list[float]]:
    """What the audit says, how many requests it took, and the steps that were reported."""
    told: list[float] = []

    async def report(done: float, total: float | None, message: str) -> None:
        told.append(done)

    async def run(app: Application) -> dict[str, Any]:
        arguments = {"bibliography": bibtex(count), "format": "bibtex"}
        return content(await app.call("audit_bibliography", arguments, inline=True, progress=report))

    found = with_app({**environment(internet, world), "TOOL_TIMEOUT": "600s"}, run)
    return found, internet.requests("/gold"), told


def test_identifiers_of_all_kinds_are_looked_up_in_batches(
    internet: Internet, quiet_environment: Mapping[str, str]
) -> None:
    count = 80
    found, requests, told = audit_bib(internet, quiet_environment, count)
    assert found["summary"]["ok"] == found["entryCount"] == count, found["summary"]
    assert told == sorted(told) and told[-1] == count and len(told) >= count / 10
    # Two batches each of Crossref and OpenAlex, one each of PubMed and arXiv: sixty a thousand.
    assert requests <= 8, requests


def test_a_long_list_takes_little_more_than_its_answers(
    internet: Internet, quiet_environment: Mapping[str, str]
) -> None:
    internet.control("/gold", latency_ms=ANSWER_SECONDS * 1000)

    async def timed(app: Application) -> tuple[dict[str, Any], float, int]:
        """One entry first: libraries are loaded and the registries' pace is known."""
        await app.call("audit_bibliography", {"entries": entries()[:1]})
        before, started = internet.requests("/gold"), time.monotonic()
        answer = await app.call("audit_bibliography", {"entries": entries()[1:]}, inline=True)
        took = time.monotonic() - started
        return content(answer), took, internet.requests("/gold") - before

    found, took, requests = with_app(environment(internet, quiet_environment), timed)
    print(f"{ENTRIES} entries: {took:.2f} s, {took / IDEAL:.2f} times the ideal of {IDEAL:.2f} s, {requests} requests")
    assert found["summary"]["ok"] == found["entryCount"] == ENTRIES
    assert requests == 2 * ENTRIES / LARGEST_BATCH, "records and flags in batches, and none of them asked for again"
    assert internet.stats()["most_in_flight"]["/gold"] <= 2, "one request at a time for each registry"
    assert took < ALLOWED * IDEAL


def main() -> int:
    """`python -m tests.trust.test_speed 1000`: how many requests the audit of a .bib takes."""
    with Internet() as internet, tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        found, requests, told = audit_bib(internet, {"CACHE_DIR": folder}, int(sys.argv[1]))
    print(f"{found['summary']}, {requests} requests, {len(told)} reports, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
