"""The answer of search_and_scrape from the sources that were read: ranked, compared with each other, with texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellsourced.evidence.difference_part import difference_parts
from wellsourced.evidence.standing import Standing, compare_pages, standing_parts
from wellsourced.pages.work_details import own_doi, work_of
from wellsourced.search.answer_texts import write_texts
from wellsourced.search.result_components import make_components, recommend_sources
from wellsourced.search.scrape_output import CitedWorkPart, KeySentence, Scores, SearchAndScrapeOutput, SourceResult
from wellsourced.search.source_assessment import LinkedSentence, RankedSource, RankedSources, ReadSource, ranked_source
from wellsourced.tool.base import UNTRUSTED

if TYPE_CHECKING:
    from wellsourced.search.search_and_scrape import SearchAndScrapeInput

MOST_PRIMARY = 3
READ_CHARACTERS = 500_000
"""How far into a source passages are looked for, unless more text is asked for: a book. What is left is counted."""


def write_answer(
    frame: SearchAndScrapeOutput,
    read: Sequence[ReadSource],
    notices: Sequence[Standing | None],
    input: SearchAndScrapeInput,
    recommends: bool,
    has_components: bool,
) -> tuple[SearchAndScrapeOutput, bytes | None]:
    """The frame with the sources, which come best first, each with what was published against it; and more of their
    texts as JSON, where the answer gives only part of them."""
    ranked = rank_sources(read, notices, drop_repeats=input.deduplicate)
    sources, cited = ranked.sources, ranked.cited
    independent = sum(each.is_independent for each in sources)
    parts = {
        "sources": [source_result(each) for each in sources],
        "summary": frame.summary.model_copy(update={"independent_sources": independent}),
        "primary_sources": [CitedWorkPart(url=work.url, cited_by=list(work.cited_by)) for work in cited[:MOST_PRIMARY]]
        or None,
        "recommendations": (recommend_sources(sources) or None) if recommends else None,
        "components": make_components(sources) if has_components and sources else None,
    }
    reach = max(READ_CHARACTERS, input.max_length_per_source)
    return write_texts(frame.model_copy(update=parts), [each.within(reach) for each in sources], input)


def rank_sources(
    read: Sequence[ReadSource], notices: Sequence[Standing | None], *, drop_repeats: bool
) -> RankedSources:
    """With what each has in common with better ones and how it stands beside them."""
    pages, prepared = tuple(each.reading.page for each in read), [each.prepared for each in read]
    compared = compare_pages(pages, drop_repeats, prepared)
    ranked = map(ranked_source, read, compared.texts, compared.standings.of_sources)
    noted = [
        replace(each, standings=(notice, *each.standings)) if notice else each
        for each, notice in zip(ranked, notices, strict=True)
    ]
    return RankedSources(noted, compared.standings.cited)


def source_result(each: RankedSource) -> SourceResult:
    """What is said of a source, without its text."""
    page = each.source.reading.page
    return SourceResult(
        url=page.url,
        title=page.title or each.source.hit.title or None,
        author=page.author or None,
        published_at=page.date or None,
        content="",
        content_type=page.content_type,
        trust=UNTRUSTED,
        scores=Scores(**{name: getattr(each.scores, name) for name in Scores.model_fields}),
        source_type=each.source.kind.source_type,
        authority_tier=each.source.kind.authority_tier,
        domain_category=each.source.kind.domain_category,
        doi=own_doi(page),
        work=work_of(page).known() or None,
        same_text_as=each.same_text_as,
        same_publisher_as=each.same_publisher_as,
        standing=standing_parts(each.standings),
        **claim_fields(each),
    )


def claim_fields(each: RankedSource) -> dict[str, Any]:
    """What the source says near the claim, word for word, with a link to each place."""
    if each.source.evidence is None:
        return {}
    evidence = each.source.evidence.found
    near = [found.sentence for found in evidence.key_sentences]
    return {
        "claim_signal": evidence.signal,
        "claim_coverage": evidence.coverage,
        "contrast_signal": evidence.contrast,
        "differences": difference_parts(evidence.differences),
        "quotation": evidence.quotation.status if evidence.quotation else None,
        "claim_note": evidence.note or None,
        "key_sentences": [sentence.text for sentence in near],
        "evidence": [
            evidence_part(found, [sentence.text for sentence in near]) for found in each.source.evidence.sentences
        ],
    }


def evidence_part(found: LinkedSentence, listed: list[str]) -> KeySentence:
    """A sentence that stands among the key sentences already is named by its place there."""
    part = KeySentence.from_record(found, differences=difference_parts(found.differences))
    if found.text not in listed:
        return part
    return part.model_copy(update={"text": None, "key_sentence": listed.index(found.text)})
