"""Assesses each source that was read: its quality, its type, how near it is to a claim, whether it is a copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from wellsourced.evidence.claims import ClaimEvidence, NearSentence, Stance, find_evidence
from wellsourced.evidence.difference import Difference
from wellsourced.evidence.duplicates import DeduplicatedText, SourceText, prepare_text
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.evidence.source_quality import QualityScore, score_quality
from wellsourced.evidence.source_type import SourceClassification, classify_source
from wellsourced.evidence.standing import CitedWork, Standing
from wellsourced.pages.attempts import Reading
from wellsourced.pages.document_pages import address_at
from wellsourced.pages.page import Page
from wellsourced.text.budget import score_passages
from wellsourced.text.dates import parse_moment
from wellsourced.text.passages import SplitText
from wellsourced.text.text_fragments import passage_link
from wellsourced.text.word_index import WordIndex
from wellsourced.upstreams.types.search import Hit

LEAST_RELEVANCE = 0.3
RANKED_LENGTH = 4_000
"""Characters of a page that most answers have no room for."""


@dataclass(frozen=True, slots=True)
class SourceQuestion:
    """What the sources are wanted for."""

    text: str
    claim: str | None
    reputation: ReputationTable
    quote: str | None = None

    @property
    def whole(self) -> str:
        """By which passages are chosen."""
        return whole_question(self.claim, self.quote, self.text)


def whole_question(*parts: str | None) -> str:
    return " ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence near a claim, what it says of it, its place in the page as scrape_page counts it, and a link to it."""

    text: str
    start: int
    end: int
    link: str
    stance: Stance
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class LinkedEvidence:
    """What a source says of a claim, with the places of the key sentences."""

    found: ClaimEvidence
    sentences: tuple[LinkedSentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSource:
    """A source that was read, with what can be assessed without knowing the others."""

    hit: Hit
    reading: Reading
    scores: QualityScore
    kind: SourceClassification
    evidence: LinkedEvidence | None
    prepared: SourceText | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSource:
    """`spans` are the places in the page's markdown of what is left of the source once what others say in the same
    words is taken out; `removed` counts the paragraphs that were. `beyond` counts characters behind those at hand."""

    source: ReadSource
    spans: tuple[tuple[int, int], ...]
    removed: int = 0
    beyond: int = 0
    same_text_as: str | None = None
    same_publisher_as: str | None = None
    standings: tuple[Standing, ...] = ()
    split: SplitText | None = None
    """The page's markdown in passages, where it is known and all of it is left."""

    @property
    def content(self) -> str:
        """What is left."""
        markdown = self.source.reading.page.markdown
        if not self.removed:
            return markdown
        return "".join(markdown[start:end] for start, end in self.spans).rstrip()

    def within(self, reach: int) -> RankedSource:
        """The same with no more of the page than so many characters."""
        reading = self.source.reading
        page = reading.page
        if len(page.markdown) <= reach:
            return self
        start = replace(page, markdown=page.markdown[:reach], plain=page.plain[:reach])
        return replace(
            self,
            source=replace(self.source, reading=replace(reading, page=start)),
            split=None,
            spans=tuple((one, min(other, reach)) for one, other in self.spans if one < reach),
            beyond=sum(other - max(one, reach) for one, other in self.spans if other > reach),
        )

    @property
    def scores(self) -> QualityScore:
        return self.source.scores

    @property
    def is_independent(self) -> bool:
        return self.same_text_as is None and self.same_publisher_as is None


@dataclass(frozen=True, slots=True)
class RankedSources:
    """The sources, best first, and the works that several of them cite."""

    sources: list[RankedSource]
    cited: tuple[CitedWork, ...] = ()


def find_linked_evidence(claim: str, page: Page, quote: str = "") -> LinkedEvidence:
    found = find_evidence(claim, page.plain or page.markdown, quote)
    index = WordIndex(page.markdown)
    return LinkedEvidence(found, tuple(link_sentence(near, page, index) for near in found.key_sentences))


def link_sentence(near: NearSentence, page: Page, index: WordIndex) -> LinkedSentence:
    sentence = near.sentence
    start, end = index.locate(sentence.text) or (sentence.start, sentence.end)
    link = passage_link(address_at(page, start), page.plain or page.markdown, sentence.start, sentence.end)
    return LinkedSentence(sentence.text, start, end, link, near.stance, near.differences)


def assess_source(
    hit: Hit, reading: Reading, question: SourceQuestion, evidence: LinkedEvidence | None = None
) -> ReadSource:
    """Everything for which the other sources need not be known, so that it can be done while they are still read."""
    page, now = reading.page, datetime.now(UTC)
    text, title = page.plain or page.markdown, page.title or hit.title
    published = parse_moment(page.date, now) or hit.published_at
    return ReadSource(
        hit=hit,
        reading=reading,
        scores=score_quality(question.text, title, text, page.url, published, now, question.reputation),
        kind=classify_source(page.url, page.structured, reputation=question.reputation),
        evidence=evidence,
        prepared=prepare_passages(page, question.whole),
    )


def prepare_passages(page: Page, question: str) -> SourceText | None:
    """The page's passages, ranked where not all of them will be given, and what tells whether it is a copy."""
    prepared = prepare_text(page.url, page.markdown)
    if prepared and prepared.split and len(page.markdown) > RANKED_LENGTH:
        score_passages(prepared.split, question)
        prepared.split.forget_words()
    return prepared


def order_sources(read: Sequence[ReadSource], *, relevant_only: bool) -> list[ReadSource]:
    """Best first. Copies are looked for in this order, so that the best copy is the one that keeps its text."""
    ranked = sorted(read, key=lambda each: -each.scores.overall)
    return [each for each in ranked if not relevant_only or each.scores.relevance >= LEAST_RELEVANCE]


def ranked_source(each: ReadSource, mark: DeduplicatedText, standings: tuple[Standing, ...] = ()) -> RankedSource:
    return RankedSource(
        source=each,
        spans=mark.spans,
        removed=mark.removed,
        same_text_as=mark.same_text_as,
        same_publisher_as=mark.same_publisher_as,
        standings=standings,
        split=None if mark.removed else mark.split,
    )
