"""A page's title: of its headings, what it declares and the parts of its title tag, the one most like a headline.

Each candidate is described by a few figures from 0 to 1, weighted with what `training/learn_titles.py` learnt. No rule
alone will do: a heading may be the site's name or a slogan, a declared title may be written for search engines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from wellsourced.late_dataclass import dataclass

BREAK = re.compile(r"(?<!\s)\s+[|•·»–—:/-]\s+|(?:(?<!\s)\s+)?[|｜»]\s*|:\s+")
# One of these is in every such mark, and most titles have none.
MARKS = frozenset("|•·»–—:/-｜")
# Learnt by training/learn_titles.py: first heading, later heading, title tag, declared title, headline, start of the
# tag, its words in the declared title and the reverse, the address's words in it and the reverse, a single word,
# length up to twelve words, a site's name on its front page, a separator in it, the end of a longer title, a
# heading that is the headline; of the first heading whether it is all in the tag, hardly in the tag, the only one, an
# article's; of part of a title whether only a site's name was cut off, never one, something at a colon.
WEIGHTS = (
    *(2.08, 0.74, 0.43, 0.39, 0.0, 0.93, 1.54, 0.73, 0.53, 1.43, -0.93, 1.65, 0.83, -1.3, -0.53, 2.0),
    *(-0.44, -0.36, 0.46, 0.91, 1.37, 1.02, -2.11),
)
WORD = re.compile(r"\w+")
ENDING = re.compile(r"\.\w{2,5}$")
MOST_PARTS = 8
HARDLY = 0.3
SHORTEST_NAME = 4
SHORTEST_PART = 3
NO_HEADING = (0.0,) * 4
NOT_CUT = (0.0,) * 3
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
    is_article: bool = False


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


def site_in_tag(tag: str, url: str) -> str:
    """The end of a title tag, or its start, that is the host's name written out; "" where neither is."""
    host = _host_letters(url)
    ends = [part for part in reversed(_ends(tag[:LONGEST])) if len(_letters(part)) >= SHORTEST_NAME]
    return next((part for part in ends if _letters(part) in host or host == _letters(ENDING.sub("", part))), "")


def _host_letters(url: str) -> str:
    return _letters((urlsplit(url).hostname or "").removeprefix("www.").rpartition(".")[0])


def _letters(text: str) -> str:
    return "".join(WORD.findall(text.lower()))


def _ends(text: str) -> tuple[str, ...]:
    """The first and the last of several parts."""
    parts = BREAK.split(text) if not MARKS.isdisjoint(text) else ()
    return (parts[0], parts[-1]) if len(parts) > 1 else ()


def _parts(text: str) -> Iterator[str]:
    """What stands before a mark that separates a title from a site's name, and behind it."""
    for place in list(BREAK.finditer(text))[:MOST_PARTS] if not MARKS.isdisjoint(text) else ():
        yield text[: place.start()].strip()
        yield text[place.end() :].strip()


def _rest(title: str, part: str) -> str:
    """What is left of a title without its start or end; "" where the part is neither."""
    if title.startswith(part):
        return title[len(part) :].strip()
    return title[: -len(part)].strip() if title.endswith(part) else ""


@lru_cache(256)
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
        self.lesser = [_words(text) for text in sources.lesser]
        self.headlines = [_words(text) for text in sources.headlines]
        self.whole = [text.lower() for text in (sources.tag, *sources.offered)]
        self.cuttable = [text for text in dict.fromkeys((*self.whole, *map(str.lower, sources.headlines))) if text]
        self.host = _host_letters(sources.url)
        self.site_words = _words(sources.site)
        self.is_article = sources.is_article

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
            float(words not in self.headings and not MARKS.isdisjoint(text) and bool(BREAK.search(text))),
            float(any(title.endswith(text.lower()) and len(title) > len(text) + 2 for title in self.whole)),
            float(words in self.headlines and (words in self.headings or words in self.lesser)),
            *(self._heading_figures(words) if words in self.headings[:1] else NO_HEADING),
            *(self._cut_figures(text) if words not in self.headings else NOT_CUT),
        ]

    def _heading_figures(self, words: frozenset[str]) -> tuple[float, ...]:
        in_tag = _share(words, self.tag)
        is_article = self.is_article and any(words & named for named in (self.tag, self.slug, *self.headlines))
        return float(in_tag == 1), float(in_tag < HARDLY), float(len(self.headings) == 1), float(is_article)

    def _cut_figures(self, text: str) -> tuple[float, ...]:
        """Whether nothing but a site's name was cut off, never one, and whether something at a colon."""
        rests = [rest for title in self.cuttable if (rest := _rest(title, text.lower()))]
        named = [self._names_site(rest) for rest in rests]
        at_colon = any(rest[0] == ":" or rest[-1] == ":" for rest in rests)
        return (float(all(named)), float(not any(named)), float(at_colon)) if rests else NOT_CUT

    def _names_site(self, text: str) -> bool:
        letters, words = _letters(text), _words(text)
        by_host = (len(letters) >= SHORTEST_PART and letters in self.host) or (self.host and self.host in letters)
        by_words = words <= self.site_words or (self.site_words and self.site_words <= words)
        return bool(words and (by_host or by_words))
