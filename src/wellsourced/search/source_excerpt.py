"""Which part of a source goes into an answer: its passages on the question, in order, each with its place and a link.

Places are characters of the page's markdown, which is what `offset` of scrape_page counts in. Text that another source
has already given is left out. A budget is shared out by weight, and every source gets a useful minimum first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from json.encoder import encode_basestring

from wellsourced.pages.document_pages import address_at
from wellsourced.pages.excerpt import BETWEEN_PASSAGES
from wellsourced.pages.page import Page
from wellsourced.text.budget import TEXT_LENGTH, byte_length, passages_by_rank, truncate_text
from wellsourced.text.passages import SplitText
from wellsourced.text.text_fragments import DIRECTIVE, FlatText, flatten_text, passage_link
from wellsourced.text.word_index import WordIndex, blank_unshown

LEAST_BYTES = 1_000
"""A source that was read gets this much, however little it counts: a paragraph or two."""
SMALLEST_PASSAGE = 120
"""Less than this is not worth another passage."""
LONGEST_RUN = 2_000
"""Passages that follow each other are one up to this length; beyond it a link leads nowhere in particular."""
MOST_FILLING = 200
"""Paragraphs that are tried where the passages on the question leave space."""
LINK_BYTES = 160
"""What a passage's place and link take up in an answer beside the address of its page, about."""
PLACE_BYTES = 40
"""What they take up beside a link whose length is known."""

MOST_OPENING, OPENING_LENGTH = 6, 1_200
"""Paragraphs at the beginning of a page that come right after its best passage, and their characters."""

HEADING = "#"
NO_BLANK = re.compile(r"\S")
COMMON_MARKUP = re.compile(r"^(?:#{1,6}|>|[ ]{0,8}(?:-|\d{1,9}\.))[ ]|[\[*`]|\](?:\([^\s()]{0,2000}\))?", re.MULTILINE)
NO_MARKUP = re.compile(r"[^\[\]()*_`#|>!\\\n\s-][^\[\]()*_`#|>!\\\n]*")
SHORTEST_HEAD, HEADS_TRIED, PLACES_TRIED = 4, 5, 3
"""Characters of the first words of a passage, at how many places with them it is looked for, and how many of its own
places and of its lines a link is made of."""
LEAST_WEIGHT = 0.05

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """`places` are those of the passages; `left` counts the characters not given, from `next_offset` on."""

    text: str
    places: tuple[Span, ...]
    left: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Bytes for one source: in the encoded answer with its links, and of the text alone."""

    in_answer: int
    of_text: int


class PassageRanking:
    """A source's passages in the order in which they are given while they fit."""

    def __init__(
        self,
        page: Page,
        content: str,
        spans: Sequence[Span],
        question: str,
        most: int,
        beyond: int = 0,
        split: SplitText | None = None,
    ) -> None:
        """`beyond` counts the characters of the source that are not in the page that is given here; `split` is the
        content in passages, where it was split before."""
        self._page = page
        self._beyond = beyond
        self._content = content
        self._split = split
        self._spans = spans
        self._question = question
        self._most = most
        self._links: dict[Span, str] = {}
        self._encoded: dict[Span, int] = {}
        self._flat: FlatText | None = None
        self._flat_end = 0
        self.length = sum(end - start for start, end in spans)
        self.cost_of_place = LINK_BYTES + len(page.url)
        """What a passage takes up beside its text, as far as is known: letters of other scripts make long links."""

    def need(self, limit: int) -> int:
        """Bytes of an answer with all of it; where that is beyond the limit, at least more than the limit."""
        return len(self._content) if len(self._content) > limit else self._need

    @cached_property
    def _need(self) -> int:
        runs = -(-self.length // LONGEST_RUN)
        return _encoded_bytes(self._content) + runs * self.cost_of_place + self._beyond

    def excerpt(self, allowed: Allowance) -> SourceExcerpt:
        limit = allowed.in_answer
        fits = not self._beyond and self.need(limit) <= limit and byte_length(self._content) <= allowed.of_text
        chosen = self._spans if fits else list(self._take(allowed))
        runs = tuple(self._without_blanks(run) for run in _join_neighbours(chosen, self._page.markdown))
        left = 0 if fits else self._count_left(runs) + self._beyond
        return SourceExcerpt(self._write(runs), runs, left, self._next_offset(runs) if left else None)

    def links(self, places: Sequence[Span]) -> list[str]:
        """The address of each place; that of the page where its words are not found in what the page shows."""
        # The last first: what it needs of the page's text in flat form is enough for the others.
        for place in reversed(places):
            if place not in self._links:
                made = self._links[place] = self._make_link(*place)
                self.cost_of_place = max(self.cost_of_place, PLACE_BYTES + len(made))
        return [self._links[place] for place in places]

    def _make_link(self, start: int, end: int) -> str:
        plain, address = self._page.plain or self._page.markdown, address_at(self._page, start)
        pieces = (self._page.markdown[start:end], *self._page.markdown[start:end].split("\n"))
        places = (self._locate(piece, plain) for piece in pieces if piece.strip())
        # Of a passage that stands there twice, its first line may be the first of its kind.
        for place in islice(filter(None, places), PLACES_TRIED):
            link = passage_link(address, plain, *place, self._flat_until(place[1]))
            if DIRECTIVE in link:
                return link
        return passage_link(address, "", 0, 0)

    def _locate(self, piece: str, plain: str) -> Span | None:
        """Its place in what is shown: where the first words without markup between them stand there, else anywhere."""
        if found := _find_without_markup(piece, plain):
            return found
        shown = blank_unshown(piece)
        pieces = ((match.start(), match[0].rstrip()) for match in NO_MARKUP.finditer(shown))
        lead, head = next(((lead, head) for lead, head in pieces if len(head) >= SHORTEST_HEAD), (0, ""))
        at = plain.find(head) if head else -1
        if at < 0 and "\n" in piece:
            return None  # a table, mostly: its lines are tried next, and spare an index of the page
        for _ in range(HEADS_TRIED):
            if at < 0:
                break
            begin = max(0, at - lead)
            found = WordIndex(plain[begin : at + len(piece)]).locate(shown)
            if found and begin + found[0] < at + len(head):
                return begin + found[0], begin + found[1]
            at = plain.find(head, at + len(head))
        return self._index.locate(shown)

    def _flat_until(self, end: int) -> FlatText:
        """What is shown, flat, so far that a link to a passage with this end can be made."""
        if self._flat is None or end > self._flat_end:
            self._flat_end = end if self._flat is None else 2 * end
            self._flat = flatten_text(self._page.plain or self._page.markdown, self._flat_end)
        return self._flat

    @cached_property
    def _index(self) -> WordIndex:
        return WordIndex(self._page.plain or self._page.markdown)

    def _in_order(self) -> Iterator[Span]:
        """The best passage, how the page begins, the others; then what follows the best one, and what precedes it."""
        ranked = passages_by_rank(self._in_passages, self._question, self._most)
        best = (self._with_body(self._place(each.start, each.end)) for each in ranked)
        first = list(islice(best, 1))
        yield from (*first, *self._opening)
        yield from best
        begin = first[0][0] if first else 0
        following = bisect_left(self._blocks, (begin, begin))
        yield from self._blocks[following : following + MOST_FILLING]
        yield from self._blocks[:following][-MOST_FILLING:]

    @cached_property
    def _in_passages(self) -> SplitText:
        return self._split or SplitText(self._content[:TEXT_LENGTH])

    @property
    def _opening(self) -> list[Span]:
        """The first paragraphs, which mostly say what a page is about and sum it up."""
        reached = next((start for start, _ in self._blocks), 0)
        return [block for block in self._blocks[:MOST_OPENING] if block[1] - reached <= OPENING_LENGTH]

    @cached_property
    def _blocks(self) -> list[Span]:
        """The paragraphs, each with the headings above it: a heading alone tells nothing."""
        blocks: list[Span] = []
        opened: int | None = None
        for start, end in self._spans:
            begin = start if opened is None else opened
            if self._page.markdown.startswith(HEADING, start):
                opened = begin
            else:
                blocks.append((begin, end))
                opened = None
        return blocks

    def _with_body(self, place: Span) -> Span:
        """A heading together with what stands below it."""
        if not self._page.markdown.startswith(HEADING, place[0]):
            return place
        number = bisect_right(self._blocks, (place[0], len(self._page.markdown))) - 1
        block = self._blocks[number] if number >= 0 else place
        return (place[0], block[1]) if place[0] < block[1] <= place[1] + LONGEST_RUN else place

    def _place(self, start: int, end: int) -> Span:
        """A place of what is left of the page as one of the page."""
        if self._content is self._page.markdown:
            return start, end
        number = bisect_right(self._reached, start)
        shift = (
            self._spans[number][0] - (self._reached[number - 1] if number else 0) if number < len(self._spans) else 0
        )
        return start + shift, end + shift

    @cached_property
    def _reached(self) -> list[int]:
        """How much is left of the page up to the end of each span."""
        return list(accumulate(end - start for start, end in self._spans))

    @cached_property
    def _stripped(self) -> list[int]:
        """How long each span is without the blanks around it."""
        return [len(self._page.markdown[start:end].strip()) for start, end in self._spans]

    def _take(self, allowed: Allowance) -> Iterator[Span]:
        answer_left, text_left = allowed.in_answer, allowed.of_text
        taken: list[Span] = []
        # Passages that follow each other share a place and a link.
        begins, followers = set[int](), set[int]()
        for start, end in self._in_order():
            space = min(answer_left, text_left)
            if space < SMALLEST_PASSAGE and taken:
                return
            if end - start > space and taken:
                continue
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            begin, follower = self._skip_blanks(start), self._skip_blanks(end)
            is_joined = begin in followers or follower in begins
            cost = self.cost_of_place * (end - start) // LONGEST_RUN if is_joined else self.cost_of_place
            space = min(answer_left - cost, text_left)
            if end - start > space and taken:
                continue
            text = self._page.markdown[start:end]
            if (size := self._encoded_size((start, end))) > space and not taken:
                text = truncate_text(text, max_bytes=space * byte_length(text) // size, marker="")[0]
                end = start + len(text)
                size = self._encoded_size((start, end))
            if text.strip() and size <= space:
                answer_left -= size + cost
                text_left -= byte_length(text) + byte_length(BETWEEN_PASSAGES)
                taken.append((start, end))
                begins.add(begin)
                followers.add(follower)
                yield start, end

    def _skip_blanks(self, position: int) -> int:
        found = NO_BLANK.search(self._page.markdown, position)
        return found.start() if found else len(self._page.markdown)

    def _encoded_size(self, span: Span) -> int:
        if span not in self._encoded:
            self._encoded[span] = _encoded_bytes(self._page.markdown[span[0] : span[1]])
        return self._encoded[span]

    def _without_blanks(self, run: Span) -> Span:
        text = self._page.markdown[run[0] : run[1]]
        return run[0] + len(text) - len(text.lstrip()), run[0] + len(text.rstrip())

    def _write(self, runs: Sequence[Span]) -> str:
        """The passages with a sign wherever something between them is left out."""
        parts: list[str] = []
        reached = runs[0][0] if runs else 0
        for start, end in runs:
            gap = self._page.markdown[reached:start]
            parts += [BETWEEN_PASSAGES if gap.strip() else gap, self._page.markdown[start:end]]
            reached = end
        return "".join(parts)

    def _count_left(self, runs: Sequence[Span]) -> int:
        """Characters of what is left of the page that no passage has; blanks around them do not count."""
        left, position = 0, 0
        covered = [*runs, (self._spans[-1][1], self._spans[-1][1])] if self._spans else []
        for number, (span_start, span_end) in enumerate(self._spans):
            if position < len(covered) and covered[position][0] >= span_end:
                left += self._stripped[number]
                continue
            reached = span_start
            while position < len(covered) and reached < span_end:
                start, end = covered[position]
                left += len(self._page.markdown[reached : max(reached, min(start, span_end))].strip())
                reached = max(reached, min(end, span_end)) if start < span_end else span_end
                position += end <= span_end and start < span_end
        return left

    def _next_offset(self, runs: Sequence[Span]) -> int:
        """The first place that was not given."""
        reached = self._spans[0][0] if self._spans else 0
        for start, end in runs:
            if self._page.markdown[reached:start].strip():
                break
            reached = end
        return reached


def share_out(total: int, needs: Sequence[int], weights: Sequence[float]) -> list[int]:
    """What each gets of a total: the least that is useful first, the rest by weight, nobody more than it needs."""
    least = min(LEAST_BYTES, max(0, total) // max(1, len(needs)))
    shares = [min(need, least) for need in needs]
    hungry = [number for number, need in enumerate(needs) if shares[number] < need]
    while hungry:
        left, whole = total - sum(shares), sum(max(LEAST_WEIGHT, weights[number]) for number in hungry)
        parts = {number: int(left * max(LEAST_WEIGHT, weights[number]) / whole) for number in hungry}
        satisfied = [number for number in hungry if shares[number] + parts[number] >= needs[number]]
        for number in satisfied or hungry:
            shares[number] = min(needs[number], shares[number] + parts[number])
        hungry = [number for number in hungry if number not in satisfied] if satisfied else []
    return shares


def _find_without_markup(piece: str, plain: str) -> Span | None:
    """From the first word to the last, where it has no markup but the most common, and so stands in what is shown."""
    bare = COMMON_MARKUP.sub("", piece)
    start, end = 0, len(bare)
    while start < end and not bare[start].isalnum():
        start += 1
    while end > start and not bare[end - 1].isalnum():
        end -= 1
    at = plain.find(bare[start:end]) if end - start >= SHORTEST_HEAD else -1
    return (at, at + end - start) if at >= 0 else None


def _join_neighbours(spans: Sequence[Span], text: str) -> list[Span]:
    """In order; those with nothing but blanks between them become one, up to a length."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and end - joined[-1][0] <= LONGEST_RUN and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        elif text[start:end].strip():
            joined.append((start, end))
    return joined


def _encoded_bytes(text: str) -> int:
    return len(encode_basestring(text).encode("utf-8", "replace"))
