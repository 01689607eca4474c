"""Links to a passage: `#:~:text=[prefix-,]start[,end][,-suffix]`, as the WICG text-fragments draft writes them.

A browser takes the first place where the words match, whole words only, whatever the case. So a passage that is not
the first of its kind gets the words before or after it, until it is. A long one is given by its first and last
words. Percent signs stand for everything but letters, digits and `_.~`: the draft gives `&`, `-` and `,` a meaning.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from wellsourced.text.terms import UNSPACED

LONGEST_WHOLE = 120
FEWEST_WORDS = 4
MOST_WORDS = 12
LOOK_AROUND = 300
DIRECTIVE = ":~:"

WORD = re.compile(r"\S+")
UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")
SPACES = re.compile(r"\s+")


def passage_link(url: str, text: str, start: int, end: int) -> str:
    """The address with a directive that leads to `text[start:end]`; the address alone where none would be right."""
    address, _, fragment = url.partition("#")
    own = fragment.partition(DIRECTIVE)[0]
    found = directive(text, start, end)
    if not found:
        return f"{address}#{own}" if own else address
    return f"{address}#{own}{DIRECTIVE}{found}"


def directive(text: str, start: int, end: int) -> str:
    """`text=…` for a passage of a plain text, "" when it cannot be told from another one."""
    passage = text[start:end]
    start, end = start + len(passage) - len(passage.lstrip()), start + len(passage.rstrip())
    if start >= end:
        return ""
    for context in range(MOST_WORDS):
        before, after = _last_words(text[:start], context), _first_words(text[end:], context)
        for first, last in _ends(text[start:end]):
            if _leads_to(text, (before, first, last, after), start, end):
                return _written(before, first, last, after)
    return ""


def _ends(passage: str) -> list[tuple[str, str]]:
    """The ways to give a passage: whole, or by its first and last words, ever more of them."""
    words = [found.span() for found in WORD.finditer(passage)]
    if len(passage) <= LONGEST_WHOLE or len(words) < 2 * FEWEST_WORDS or UNSPACED_CHARACTER.search(passage):
        return [(passage, "")]
    counts = range(FEWEST_WORDS, min(MOST_WORDS, len(words) // 2) + 1)
    return [(passage[: words[count - 1][1]], passage[words[-count][0] :]) for count in counts]


def _leads_to(text: str, parts: tuple[str, str, str, str], start: int, end: int) -> bool:
    """Whether the first place a browser would stop at is this passage."""
    before, first, last, after = (_pattern(part) for part in parts)
    opening = rf"{before}\s+({first})" if before else f"({first})"
    if last or not after:
        found = re.search(_bounded(opening), text, re.IGNORECASE)
        if not found or found.start(1) != start:
            return False
        if not last:
            return found.end(1) == end
        closing = rf"({last})\s+{after}" if after else f"({last})"
        stop = re.compile(_bounded(closing), re.IGNORECASE).search(text, found.end(1))
        return stop is not None and stop.end(1) == end
    found = re.search(_bounded(rf"{opening}\s+{after}"), text, re.IGNORECASE)
    return found is not None and found.span(1) == (start, end)


def _bounded(pattern: str) -> str:
    """Whole words only; scripts without spaces have no boundary that could be seen here."""
    return rf"(?<![^\W{UNSPACED}])(?:{pattern})(?![^\W{UNSPACED}])"


def _pattern(words: str) -> str:
    return r"\s+".join(re.escape(word) for word in words.split())


def _written(before: str, first: str, last: str, after: str) -> str:
    parts = [f"{_encoded(before)}-"] if before else []
    parts.append(_encoded(first))
    parts += [_encoded(last)] if last else []
    parts += [f"-{_encoded(after)}"] if after else []
    return "text=" + ",".join(parts)


def _encoded(words: str) -> str:
    return quote(SPACES.sub(" ", words.strip()), safe="", errors="replace").replace("-", "%2D")


def _last_words(text: str, count: int) -> str:
    words = text[-LOOK_AROUND:].split()
    return " ".join(words[-count:]) if count else ""


def _first_words(text: str, count: int) -> str:
    words = text[:LOOK_AROUND].split()
    return " ".join(words[:count]) if count else ""
