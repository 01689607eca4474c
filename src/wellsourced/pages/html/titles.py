"""A page's title: of its headings, what it declares and the parts of its title tag, the one most like a headline.

Each candidate is described by a few figures from 0 to 1, weighted with what `training/learn_titles.py` learnt. No rule
alone will do: a heading may be the site's name or a slogan, a declared title may be written for search engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

BREAK = re.compile(r"(?<!\s)\s+[|•·»–—:-]\s+|(?:(?<!\s)\s+)?[|｜»]\s*|:\s+")
# Learnt by training/learn_titles.py: first heading, later heading, title tag, declared title, headline, start of the
# tag, its words in the declared title and the reverse, the address's words in it and the reverse, a single word,
# length up to twelve words, a site's name on its front page, a separator in it.
WEIGHTS = (2.46, 1.01, -0.71, 0.31, 0.58, 1.44, 1.52, 0.98, 1.12, 0.81, -0.93, 1.44, 0.76, -0.4)
WORD = re.compile(r"\w+")
ENDING = re.compile(r"\.\w{2,5}$")
MOST_PARTS = 8
LONGEST = 500


@dataclass(frozen=True, slots=True)
class TitleSources:
    """Where titles stand in a page: its headings, its title tag, what it declares."""

    headings: Sequence[str]
    lesser: Sequence[str]
    tag: str
    offered: Sequence[str]
    headlines: Sequence[str]
    site: str
    url: str


def choose_title(sources: TitleSources) -> str:
    best, most = "", float("-inf")
    for text, figures in describe_candidates(sources):
        score = sum(map(float.__mul__, figures, WEIGHTS))
        if score > most:
            best, most = text, score
    return best


def describe_candidates(sources: TitleSources) -> Iterator[tuple[str, list[float]]]:
    """Every text that may be the title, and its figures; the site's name is one on the front page alone."""
    known = Known(sources)
    texts = {text: words for text in _candidates(sources) if (words := _words(text))}
    site = _words(sources.site)
    for text, words in texts.items():
        if words != site or known.site or len(texts) == 1:
            yield text, known.figures(text, words)


def _candidates(sources: TitleSources) -> Iterator[str]:
    yield from (text for text in sources.headings if len(text) <= LONGEST)
    whole = [text[:LONGEST] for text in (sources.tag, *sources.offered, *sources.headlines) if text]
    yield from (text for text in whole if sources.site.lower() not in _ends(text.lower()))
    yield from (text for text in sources.lesser if len(text) <= LONGEST)
    for text in dict.fromkeys(whole):
        yield from _parts(text)


def _ends(text: str) -> tuple[str, ...]:
    """The first and the last of several parts."""
    parts = BREAK.split(text)
    return (parts[0], parts[-1]) if len(parts) > 1 else ()


def _parts(text: str) -> Iterator[str]:
    """What stands before a mark that separates a title from a site's name, and behind it."""
    for place in list(BREAK.finditer(text))[:MOST_PARTS]:
        yield text[: place.start()].strip()
        yield text[place.end() :].strip()


def _words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.lower()))


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


class Known:
    """What candidates are compared with."""

    def __init__(self, sources: TitleSources) -> None:
        path = unquote(urlsplit(sources.url).path).strip("/")
        last = ENDING.sub("", path.rpartition("/")[2]).replace("_", " ")
        self.slug = frozenset(word for word in _words(last) if not word.isdecimal())
        self.site = _words(sources.site) if not path else frozenset()
        self.title = sources.tag
        self.tag = _words(sources.tag)
        self.offered = [_words(text) for text in sources.offered]
        self.headings = [_words(text) for text in sources.headings]
        self.headlines = [_words(text) for text in sources.headlines]

    def figures(self, text: str, words: frozenset[str]) -> list[float]:
        """In the order of WEIGHTS."""
        offered = next((known for known in (*self.offered, self.tag, *self.headlines) if known), frozenset())
        return [
            float(words in self.headings[:1]),
            float(words in self.headings[1:] and words != self.headings[0]),
            float(words == self.tag),
            float(words in self.offered),
            float(words in self.headlines),
            float(self.title.startswith(text)),
            _share(words, offered),
            _share(offered, words),
            _share(self.slug, words) if self.slug else 0.5,
            _share(words, self.slug),
            float(len(words) == 1),
            min(1.0, len(words) / 12),
            float(bool(words) and words <= self.site),
            float(bool(BREAK.search(text))),
        ]
