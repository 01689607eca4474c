"""Plays the gold set through the verifier and holds what comes out against what should.

The registries are those of the gold file, over HTTP on the loopback. Cases of the world `outage` are played with all
registries in trouble, on an application of their own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.app import with_app
from tests.loopback.run import Internet
from tests.loopback.upstreams.gold import registry_environment
from tests.trust.gold import Case, Group
from wellsourced.app import Application
from wellsourced.citations.bibliography_auditor import AuditedEntry, Flag
from wellsourced.citations.parse.citation import ParsedCitation, citation_from_reference, parse_citation
from wellsourced.citations.verification import Verification
from wellsourced.citations.webpage_citation import page_reference

IN_TROUBLE = ("/gold/crossref", "/gold/doi", "/gold/openalex", "/gold/arxiv", "/gold/semanticscholar", "/gold/pubmed")
SECONDS = 60.0
AT_ONCE = 8
ACCUSATIONS: frozenset[Flag] = frozenset({"retracted", "dead_link", "not_found", "mismatch", "mischaracterized"})


@dataclass(frozen=True)
class Played:
    case: Case
    found: Verification

    @property
    def flags(self) -> tuple[Flag, ...]:
        return AuditedEntry(index=0, reference=self.found.cited, verification=self.found).flags

    @property
    def is_accused(self) -> bool:
        """Whether anything is held against the citation, beyond what is true of it."""
        expected = {"retracted"} if self.case.expect.retracted else set()
        return bool(set(self.flags) & ACCUSATIONS - expected)

    @property
    def wrong(self) -> list[str]:
        expect, found = self.case.expect, self.found
        kind = found.retraction.kind if found.retraction else None
        checks = {
            f"exists is {found.exists}": found.exists == expect.exists,
            f"against is {kind}": kind == expect.against,
            f"mismatch is {'mismatch' in self.flags}": ("mismatch" in self.flags) == expect.mismatch,
            f"status is {found.status}": expect.status in (None, found.status),
        }
        return [said for said, is_right in checks.items() if not is_right]


def environment(internet: Internet, quiet: Mapping[str, str]) -> dict[str, str]:
    return {
        **quiet,
        **internet.environment(),
        **registry_environment(internet.base),
        "ALLOW_PRIVATE_IPS": "true",
        "CHROME_PATH": "disabled",
        "CIRCUIT_FAILURE_THRESHOLD": "1000",
        "TOOL_TIMEOUT": "120s",
    }


def play(cases: Sequence[Case], internet: Internet, quiet: Mapping[str, str]) -> list[Played]:
    """Every case, those of a troubled world last and apart."""
    settings = environment(internet, quiet)
    calm = [case for case in cases if not case.world]
    troubled = [case for case in cases if case.world == "outage"]
    played = with_app(settings, lambda app: _play(app, calm, internet.base)) if calm else []
    if troubled:
        for prefix in IN_TROUBLE:
            internet.control(prefix, status=503, body="Service Unavailable")
        elsewhere = {**settings, "CACHE_DIR": f"{settings['CACHE_DIR']}-outage"}
        played += with_app(elsewhere, lambda app: _play(app, troubled, internet.base))
    return played


async def _play(app: Application, cases: Sequence[Case], base: str) -> list[Played]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(case: Case) -> Played:
        async with turns:
            deadline = time.monotonic() + SECONDS
            citation = citation_of(case, base)
            thorough = case.entry is None
            verifier = app.services.citation_verifier
            return Played(case, await verifier.verify(citation, deadline=deadline, thorough=thorough))

    return list(await asyncio.gather(*(one(case) for case in cases)))


def citation_of(case: Case, base: str) -> ParsedCitation:
    if case.entry is None:
        return parse_citation(case.text.replace("{base}", base))
    said = {name: value.replace("{base}", base) for name, value in case.entry.items()}
    fields = [said.get(name, "") for name in ("url", "title", "author", "site", "date", "doi")]
    return citation_from_reference(page_reference(*fields))


Says: TypeAlias = Callable[[Played], bool]


@dataclass(frozen=True)
class Rate:
    """How often something was said, how often rightly, and how often it should have been."""

    right: int
    said: int
    due: int

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.due if self.due else 1.0


def rates(played: Sequence[Played]) -> dict[str, Rate]:
    return {
        "exists": _rate(played, lambda one: one.found.exists is True, lambda one: one.case.expect.exists is True),
        "does not exist": _rate(
            played, lambda one: one.found.exists is False, lambda one: one.case.expect.exists is False
        ),
        "retracted": _rate(played, lambda one: "retracted" in one.flags, lambda one: one.case.expect.retracted),
        "concern or correction": _rate(
            played,
            lambda one: one.found.retraction is not None and not one.found.retraction.retracted,
            lambda one: one.case.expect.against is not None and not one.case.expect.retracted,
        ),
        "mismatch": _rate(played, lambda one: "mismatch" in one.flags, lambda one: one.case.expect.mismatch),
    }


def _rate(played: Sequence[Played], said: Says, due: Says) -> Rate:
    return Rate(
        right=sum(1 for one in played if said(one) and due(one)),
        said=sum(1 for one in played if said(one)),
        due=sum(1 for one in played if due(one)),
    )


def falsely_accused(played: Sequence[Played]) -> list[Played]:
    innocent: tuple[Group, ...] = ("real", "hurt", "uncheckable")
    return [one for one in played if one.case.group in innocent and one.is_accused]
