"""Records fetched ahead spare requests and change nothing else, whatever becomes of the batches."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, TypeAlias

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from tests.trust import registries
from tests.trust.gold import cases
from tests.trust.judge import citation_of, environment
from wellsourced.app import Application
from wellsourced.citations.bibliography_auditor import AuditedEntry
from wellsourced.citations.reference import Reference
from wellsourced.scholarly.doi_services import DoiServices
from wellsourced.tool.call import no_progress

Rule: TypeAlias = dict[str, Any]
Outcomes: TypeAlias = list[tuple[Any, ...]]

SECONDS = 60.0
STRANGER = "10.98000/bulk.1"


def references(base: str) -> list[Reference]:
    """Works of the gold set that have DOIs, and one that no filter can name."""
    known = [citation_of(case, base) for case in cases() if not case.world]
    named = {one.work.value: one.reference for one in known if one.work and one.work.scheme == "doi" and not one.url}
    return [*list(named.values())[::3], Reference(doi="10.98000/a,b|c")]


def outcome_of(entry: AuditedEntry) -> tuple[Any, ...]:
    found = entry.verification
    assert found, entry.problem
    return entry.reference.doi, entry.reasons, found.exists, found.status, found.integrity, found.record, found.possible


def audited(internet: Internet, world: Mapping[str, str]) -> Outcomes:
    async def run(app: Application) -> Outcomes:
        wanted = [(reference, None) for reference in references(internet.base)]
        deadline = time.monotonic() + SECONDS
        auditor = app.services.bibliography_auditor
        found = await auditor.audit(wanted, deadline=deadline, tenant="", progress=no_progress)
        return [outcome_of(entry) for entry in found.entries]

    return with_app(world, run)


def half() -> dict[str, str]:
    """What each registry says when it answers for half of the works, for one nobody asked for, and for one twice."""
    known = [doi for doi in registries.works() if registries.crossref(doi) and registries.openalex(doi)]
    dois = [*known[::2], STRANGER, known[0]]
    items, rows = [registries.crossref(doi) for doi in dois], [registries.openalex(doi) for doi in dois]
    listed = {"status": "ok", "message-type": "work-list", "message": {"total-results": len(items), "items": items}}
    return {"crossref": json.dumps(listed), "openalex": json.dumps({"meta": {"count": len(rows)}, "results": rows})}


def rules(becoming: str) -> dict[str, Rule]:
    """For each registry's first batch, which is asked for before anything else."""
    if becoming == "half of them":
        return {name: {"status": 200, "body": body, "times": 1} for name, body in half().items()}
    failing: Rule = {"status": 500, "times": 3}
    garbage: Rule = {"status": 200, "body": "\x00{[<", "times": 1}
    return dict.fromkeys(("crossref", "openalex"), failing if becoming == "failing" else garbage)


def test_the_outcomes_are_those_of_asking_singly(
    internet: Internet, quiet_environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = {**environment(internet, quiet_environment), "CIRCUIT_FAILURE_THRESHOLD": "3"}

    async def nothing(*anything: object) -> None: ...

    with monkeypatch.context() as patched:
        patched.setattr(DoiServices, "prefetch", nothing)
        singly = audited(internet, {**world, "CACHE_DIR": f"{world['CACHE_DIR']}-singly"})
    requests = {"singly": internet.requests("/gold")}
    for becoming in ("", "failing", "garbage", "half of them"):
        internet.reset()
        for name, rule in rules(becoming).items() if becoming else ():
            internet.control(f"/gold/{name}/works", **rule)
        found = audited(internet, {**world, "CACHE_DIR": f"{world['CACHE_DIR']}-{becoming}"})
        requests[becoming] = internet.requests("/gold")
        assert found == singly, becoming
    assert len(singly) > 20 and len({reason for _, reasons, *_ in singly for reason, _ in reasons}) >= 3
    assert requests[""] < requests["half of them"] < requests["singly"]
    assert all(requests[becoming] <= requests["singly"] + 10 for becoming in requests), requests
