"""Whether a source deals with what it is cited for: its text held against the claim. Coverage, never a verdict.

"not_addressed" is said only of a text that was read whole. An abstract, or a page that was only partly read, can show
that a claim is dealt with, but not that it is not.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.citations.link_checker import CheckedLink
from wellsourced.errors import WellsourcedError
from wellsourced.evidence.claims import Stance, find_evidence
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.standing import Standing, page_standings
from wellsourced.pages.reader import Reader
from wellsourced.scholarly.papers import Papers
from wellsourced.upstreams.types.paper import Paper

Support: TypeAlias = Literal["addressed", "partially_addressed", "not_addressed", "source_unavailable"]

# Shorter pages are usually notices, log-in forms or abstracts.
FEWEST_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    claim: str
    support: Support
    evidence: tuple[str, ...] = ()
    stances: tuple[Stance, ...] = ()
    standings: tuple[Standing, ...] = ()
    source_url: str | None = None
    contrast: bool = False
    differences: tuple[Difference, ...] = ()
    quotation: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CitedText:
    url: str
    words: str
    is_whole: bool
    standings: tuple[Standing, ...] = ()


class ClaimChecker:
    def __init__(self, papers: Papers, reader: Reader) -> None:
        self._papers = papers
        self._reader = reader

    async def check(
        self,
        claim: str,
        *,
        url: str | None,
        link: CheckedLink | None,
        record: Paper | None,
        tenant: str,
        deadline: float,
        quote: str | None = None,
    ) -> ClaimCheck:
        failures: list[str] = []
        async for text in self._texts(url, link, record, tenant, deadline, failures):
            evidence = await self._reader.workers.run(find_evidence, claim, text.words, quote or "")
            if evidence.coverage == "not_addressed" and not text.is_whole:
                failures.append(f"Only a part of {text.url} could be read, and it does not deal with the claim.")
                continue
            return ClaimCheck(
                claim=claim,
                support=evidence.coverage,
                evidence=tuple(near.sentence.text for near in evidence.key_sentences),
                stances=tuple(near.stance for near in evidence.key_sentences),
                standings=text.standings,
                source_url=text.url,
                contrast=evidence.contrast,
                differences=evidence.differences,
                quotation=evidence.quotation.status if evidence.quotation else None,
                reason=evidence.note or None,
            )
        why = " ".join(dict.fromkeys(failures)) or "There is no address at which the source could be read."
        return ClaimCheck(claim=claim, support="source_unavailable", reason=why)

    async def _texts(
        self,
        url: str | None,
        link: CheckedLink | None,
        record: Paper | None,
        tenant: str,
        deadline: float,
        failures: list[str],
    ) -> AsyncIterator[CitedText]:
        """The page itself or its copy in the archive, then a free copy of the work, then its abstract."""
        for address in source_addresses(url, link):
            try:
                reading = await self._reader.read(address, tenant=tenant, deadline=deadline)
            except WellsourcedError as error:
                failures.append(error.sentence)
                continue
            page = reading.page
            is_whole = reading.quality == "complete" and page.word_count >= FEWEST_WORDS
            standings = await self._reader.workers.run(page_standings, page)
            yield CitedText(address, page.plain or page.markdown, is_whole, standings)
        identifier = paper_identifier(record)
        if identifier:
            try:
                full = await self._papers.full_text(identifier, tenant=tenant, deadline=deadline)
                yield CitedText(full.page.url, full.page.plain or full.page.markdown, full.is_checked)
            except WellsourcedError as error:
                failures.append(error.sentence)
        if record and record.abstract:
            yield CitedText(record.url, f"{record.title}. {record.abstract}", False)


def source_addresses(url: str | None, link: CheckedLink | None) -> Iterator[str]:
    if link and link.is_dead:
        if link.archived_url:
            yield link.archived_url
    elif url:
        yield url


def paper_identifier(record: Paper | None) -> str | None:
    if record is None:
        return None
    if record.ids.arxiv:
        return f"arXiv:{record.ids.arxiv}"
    return record.doi or (f"PMID:{record.ids.pmid}" if record.ids.pmid else None)
