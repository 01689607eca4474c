"""Two hundred entries against registries that take a tenth of a second for each answer.

The ideal is that of asking for each work singly, as many at once as an audit does; records in batches undercut it.
"""

from __future__ import annotations

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
