"""A whole bibliography, checked entry by entry: side by side, within the time there is, every flag with its reason.

Evidence of a trouble and absence of evidence are kept apart: an entry that nobody could check is `unchecked`, which
says nothing against it. What was finished when the time was up is kept; the rest is marked as not reached.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from wellsourced.citations.citation_verifier import CitationVerifier
from wellsourced.citations.claim_checker import ClaimCheck, ClaimChecker
from wellsourced.citations.parse.citation import citation_from_reference, paper_id_of
from wellsourced.citations.reference import Reference
from wellsourced.citations.verification import Verification
from wellsourced.scholarly.papers import Papers

Flag: TypeAlias = Literal["retracted", "dead_link", "not_found", "mismatch", "unchecked", "mischaracterized"]
ProgressReport: TypeAlias = Callable[[float, float | None, str], Awaitable[None]]

# What one call can check in its time, with records in batches; the rest is counted as skipped.
MOST_ENTRIES = 1_000
# Politeness: the same few registries answer for nearly all entries.
AT_ONCE = 8
# Of the time there is, what fetching records ahead may take at most.
AHEAD_SHARE = 1 / 3
# One slow entry must not use up the time of the others.
ENTRY_SECONDS = 25.0
# Left for writing the answer once the checks stop.
CLOSING_SECONDS = 2.0
OWN_FAULT = "The entry could not be checked because of a fault on our side, which says nothing against it."
OUT_OF_TIME = "The time was up before this entry was reached; audit it again, or fewer entries at once."


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedEntry:
    """`verification` is None for an entry that was not checked, for the reason in `problem`."""

    index: int
    reference: Reference
    verification: Verification | None = None
    claim: ClaimCheck | None = None
    problem: str = OUT_OF_TIME

    @property
    def flags(self) -> tuple[Flag, ...]:
        return tuple(dict.fromkeys(flag for flag, _ in self.reasons))

    @property
    def reasons(self) -> list[tuple[Flag, str]]:
        if self.verification is None:
            return [("unchecked", self.problem)]
        # "unchecked" is only a flag where nothing else was said for or against the entry.
        return [*problem_reasons(self.verification), *claim_reasons(self.claim)] or unchecked_reason(self.verification)


@dataclass(frozen=True, slots=True, kw_only=True)
class BibliographyAudit:
    entries: tuple[AuditedEntry, ...]
    skipped: int = 0

    def counts(self) -> Counter[str]:
        counted: Counter[str] = Counter(flag for entry in self.entries for flag in entry.flags)
        counted["ok"] = sum(1 for entry in self.entries if not entry.flags)
        return counted


class BibliographyAuditor:
    def __init__(self, verifier: CitationVerifier, claims: ClaimChecker, papers: Papers) -> None:
        self._verifier = verifier
        self._claims = claims
        self._papers = papers

    async def audit(
        self, wanted: Sequence[tuple[Reference, str | None]], *, deadline: float, tenant: str, progress: ProgressReport
    ) -> BibliographyAudit:
        """Each reference with the claim it is cited for, if any."""
        taken = wanted[:MOST_ENTRIES]
        entries = [AuditedEntry(index=index, reference=reference) for index, (reference, _) in enumerate(taken)]
        turns, done = asyncio.Semaphore(AT_ONCE), 0
        stop = deadline - CLOSING_SECONDS
        # Batches first: most of the checks below are then answered by the record cache.
        await self._prefetch([reference for reference, _ in taken], stop)

        async def run(index: int) -> None:
            nonlocal done
            async with turns:
                entries[index] = await self._check_safely(entries[index], taken[index][1], stop, tenant)
            done += 1
            await progress(done, len(taken), f"checked {done} of {len(taken)}")

        tasks = [asyncio.ensure_future(run(index)) for index in range(len(taken))]
        try:
            if tasks:
                finished, _ = await asyncio.wait(tasks, timeout=max(0.1, stop - time.monotonic()))
                for task in finished:
                    task.result()
        finally:
            # Also on cancellation by the client, so that no check goes on without a reader.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return BibliographyAudit(entries=tuple(entries), skipped=len(wanted) - len(taken))

    async def _prefetch(self, references: Sequence[Reference], stop: float) -> None:
        """Many records in few requests. It spares time and nothing else, so no fault in it may cost an answer."""
        now = time.monotonic()
        try:
            works = [work for work in map(paper_id_of, references) if work]
            await self._papers.doi_services.prefetch(works, now + (stop - now) * AHEAD_SHARE)
        except Exception:
            logger.exception("The records of a bibliography could not be fetched ahead.")

    async def _check_safely(self, entry: AuditedEntry, claim: str | None, deadline: float, tenant: str) -> AuditedEntry:
        try:
            return await self._check_entry(entry, claim, deadline, tenant)
        except Exception:  # one entry that trips us must not cost the others their answers
            logger.exception("An entry of a bibliography could not be checked.")
            return replace(entry, problem=OWN_FAULT)

    async def _check_entry(self, entry: AuditedEntry, claim: str | None, deadline: float, tenant: str) -> AuditedEntry:
        limit = min(deadline, time.monotonic() + ENTRY_SECONDS)
        citation = citation_from_reference(entry.reference, free_text=entry.reference.is_from_text)
        verification = await self._verifier.verify(citation, deadline=limit, tenant=tenant, thorough=False)
        if not claim:
            return replace(entry, verification=verification)
        checked = await self._claims.check(
            claim, url=citation.url, link=verification.link, record=verification.record, tenant=tenant, deadline=limit
        )
        return replace(entry, verification=verification, claim=checked)


def problem_reasons(verification: Verification) -> list[tuple[Flag, str]]:
    """What was found that speaks against relying on the entry as it stands."""
    reasons: list[tuple[Flag, str]] = []
    retraction = verification.retraction
    if retraction and retraction.retracted:
        when = f" on {retraction.date}" if retraction.date else ""
        notice = f" Notice: {retraction.notice_doi}." if retraction.notice_doi else ""
        alone = " Crossref lists no notice; look at the publisher's page." if retraction.source == "openalex" else ""
        reasons.append(("retracted", f"The work was retracted{when} (source: {retraction.source}).{notice}{alone}"))
    if verification.exists is False and verification.kind != "url":
        identifier = verification.cited.doi or verification.cited.arxiv or verification.cited.pmid or ""
        reasons.append(("not_found", f"{identifier} is not registered; the entry may be invented or mistyped."))
    reasons += [("mismatch", sentence) for sentence in verification.differences if verification.exists is not False]
    if verification.link and verification.link.is_dead:
        copy = " An archived copy exists." if verification.link.archived_url else ""
        reasons.append(("dead_link", f"{verification.link.reason or 'The link is dead.'}{copy}"))
    return reasons


def claim_reasons(claim: ClaimCheck | None) -> list[tuple[Flag, str]]:
    if claim is None or claim.support != "not_addressed":
        return []
    return [("mischaracterized", f"The source at {claim.source_url} does not deal with the claim it is cited for.")]


def unchecked_reason(verification: Verification) -> list[tuple[Flag, str]]:
    """An entry that nothing spoke for and nothing against."""
    is_live = verification.link is not None and verification.link.live is True
    if verification.comparison and verification.comparison.has_strange_title and verification.exists:
        return [("unchecked", f"{verification.caveat or ''} This says nothing against the entry.".strip())]
    if verification.exists or is_live:
        return []
    notes = " ".join(f"{item.source}: {item.finding}." for item in verification.evidence)
    return [
        ("unchecked", f"The entry could not be confirmed, which says nothing against it. {notes}".replace("..", "."))
    ]
