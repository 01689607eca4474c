"""How much text of which source goes into an answer of search_and_scrape, so that the whole of it keeps its size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wellsourced.search.scrape_output import PassagePlace, SearchAndScrapeOutput, SourceResult, measure_size
from wellsourced.search.source_assessment import RankedSource
from wellsourced.search.source_excerpt import Allowance, PassageRanking, share_out
from wellsourced.text.budget import truncate_text

if TYPE_CHECKING:
    from wellsourced.search.search_and_scrape import SearchAndScrapeInput

ATTEMPTS = 5
LINK_BYTES = 450
"""What the link to the whole takes up beside the answer."""
SLACK = 50
RULE = "\n\n---\n\n"
# A copy of another source's text is worth little beside it.
WEIGHT_OF_COPY = 0.05


def write_texts(
    frame: SearchAndScrapeOutput, ranked: Sequence[RankedSource], input: SearchAndScrapeInput
) -> tuple[SearchAndScrapeOutput, bytes | None]:
    """The answer with its texts, and where it gives only part of them, one with more of each for the link beside it, as
    JSON."""
    output = add_texts(frame, ranked, input)
    is_linked = input.may_have_link and any(source.truncated for source in output.sources)
    return output, with_whole_texts(output, ranked, input).to_json() if is_linked else None


def add_texts(
    frame: SearchAndScrapeOutput, ranked: Sequence[RankedSource], input: SearchAndScrapeInput
) -> SearchAndScrapeOutput:
    """The answer with as much text as fits: the passages on the question, the most to the most relevant."""
    limit = input.answer_bytes - (LINK_BYTES if input.may_have_link else 0)
    rankings = [rank_passages(each, input) for each in ranked]
    bytes_left = limit - len(frame.to_json())
    for _ in range(ATTEMPTS):
        shares = share_out(
            bytes_left, [each.need(bytes_left) for each in rankings], [text_weight(each) for each in ranked]
        )
        expected = [each.cost_of_place for each in rankings]
        output = fill_texts(frame, rankings, shares, input)
        excess = len(output.to_json()) - limit
        if excess <= 0:
            return output
        # What longer links than expected took up is counted with the passages from now on.
        longer = (each.cost_of_place - before for each, before in zip(rankings, expected, strict=True))
        known = sum(more * len(each.passages or ()) for more, each in zip(longer, output.sources, strict=True))
        bytes_left -= max(0, excess - known) + SLACK
    return without_text(frame, limit)


def rank_passages(each: RankedSource, input: SearchAndScrapeInput) -> PassageRanking:
    most = min(input.max_length_per_source, input.answer_bytes)
    page = each.source.reading.page
    return PassageRanking(page, each.content, each.spans, input.question, most, each.beyond, each.split)


def text_weight(each: RankedSource) -> float:
    """How much of the free space a source's text deserves."""
    return WEIGHT_OF_COPY if each.same_text_as else each.scores.relevance


def fill_texts(
    frame: SearchAndScrapeOutput,
    rankings: Sequence[PassageRanking],
    shares: Sequence[int],
    input: SearchAndScrapeInput,
) -> SearchAndScrapeOutput:
    sources = [
        source.model_copy(update=text_fields(ranking, Allowance(share, input.max_length_per_source)))
        for source, ranking, share in zip(frame.sources, rankings, shares, strict=True)
    ]
    combined = join_texts(sources, input.deduplicate) if input.wants_combined else ""
    combined, _ = truncate_text(combined, max_bytes=input.total_max_length)
    listed = sources if input.include_sources else [each.model_copy(update={"content": ""}) for each in sources]
    more = frame.more if any(each.truncated for each in sources) else None
    return frame.model_copy(
        update={
            "sources": listed,
            "combined_content": combined,
            "more": more,
            "size_metadata": measure_size(combined, listed),
        }
    )


def text_fields(ranking: PassageRanking, allowed: Allowance) -> dict[str, Any]:
    """What a source's part of the answer says, where it stands, and what was left out."""
    excerpt = ranking.excerpt(allowed)
    linked = zip(excerpt.places, ranking.links(excerpt.places), strict=True)
    return {
        "content": excerpt.text,
        "passages": [PassagePlace(start=start, end=end, link=link) for (start, end), link in linked] or None,
        "truncated": bool(excerpt.left) or None,
        "characters_left": excerpt.left or None,
        "next_offset": excerpt.next_offset,
    }


def with_whole_texts(
    output: SearchAndScrapeOutput, ranked: Sequence[RankedSource], input: SearchAndScrapeInput
) -> SearchAndScrapeOutput:
    """The same answer with each source's text as far as one may go, for those who fetch the resource."""
    sources = []
    for source, each in zip(output.sources, ranked, strict=False):
        text, cut = truncate_text(each.content, max_bytes=input.max_length_per_source)
        more = {
            "content": text,
            "truncated": cut or each.beyond > 0 or None,
            "characters_left": None,
            "next_offset": None,
        }
        sources.append(source.model_copy(update={**more, "passages": None}))
    size = measure_size("", sources)
    return output.model_copy(update={"sources": sources, "combined_content": "", "more": None, "size_metadata": size})


def join_texts(sources: Sequence[SourceResult], once: bool) -> str:
    """All texts in one; a copy of another source's text is left out where repeats are."""
    return RULE.join(each.content for each in sources if each.content and not (once and each.same_text_as))


def without_text(output: SearchAndScrapeOutput, limit: int) -> SearchAndScrapeOutput:
    """Not even what is said of the sources fits: the last ones go, then everything that is not required."""
    bare = output.model_copy(
        update={"more": None, "recommendations": None, "components": None, "notes": None, "hints": None}
    )
    sources = [
        SourceResult(url=each.url, content="", content_type=each.content_type, trust=each.trust, truncated=True)
        for each in output.sources
    ]
    while len((bare := bare.model_copy(update={"sources": sources})).to_json()) > limit and sources:
        sources = sources[:-1]
    return bare if len(bare.to_json()) <= limit else bare.model_copy(update={"scrape_failures": None})
