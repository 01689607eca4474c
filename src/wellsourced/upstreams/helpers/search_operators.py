"""Search operators: writing the filters into the query text, and judging results by them afterwards.

Quotes, a leading minus and `site:` are understood by every general engine. What the user typed is never rewritten;
when an engine limits the length, the user's words are cut first, at a word, so that the filters survive.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from wellsourced.late_pattern import late_pattern
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import site_parts
from wellsourced.upstreams.types.search import WebQuery

QUOTED_OR_WORD = late_pattern(r"""["“”„«]([^"“”„«»]*)["“”»]|([^\s,，、;]+)""")
NEEDS_QUOTES = late_pattern(r"[\s:()|]")
DATE_END = late_pattern(r"\s(?:[—–·|-]|\.\.\.|…)\s|:\s")
LONGEST_DATE = 40  # characters before which the mark behind a date stands
FILTERS = ("time_range", "date_from", "date_to", "language", "country", "exact_terms")
FOLDED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "\u00ad": None})
UNSPACED_SCRIPTS = (
    "CJK ",
    "HIRAGANA",
    "KATAKANA",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
    "TIBETAN ",
    "JAVANESE ",
    "HANGUL ",
)


def compose_query(
    query: WebQuery, *, sites: bool = True, exact: bool = True, exclude: bool = True, limit: int | None = None
) -> str:
    """The query with its filters as operators, in at most `limit` characters."""
    text = _sendable(query.text).strip()
    filters = [*_exact(query if exact else None), *_excluded(query if exclude else None)]
    wanted = [_site(site) for site in query.sites] if sites else []
    if limit is None:
        return _join_within_limit(text, filters, wanted)
    least = min(len(text), limit // 3)
    while wanted and len(_join_within_limit("", filters, wanted)) + least + 1 > limit:
        wanted.pop()
    while filters and len(_join_within_limit("", filters, wanted)) + least + 1 > limit:
        filters.pop()
    suffix = _join_within_limit("", filters, wanted)
    length = limit - len(suffix) - 1 if suffix else limit
    return " ".join(part for part in (cut_at_word(text, length), suffix) if part)


def unsent_filters(query: WebQuery, *sent: str) -> frozenset[str]:
    """The filters of a query that an engine has no control for; those in `sent` it has."""
    unsent = {name for name in FILTERS if getattr(query, name) and name not in sent}
    unsent |= {"safe"} if query.safe != "medium" and "safe" not in sent else set()
    wants_order = getattr(query, "sort_by", "") == "date" and "sort_by" not in sent
    return frozenset(unsent | ({"sort_by"} if wants_order else set()))


def leading_date(snippet: str, now: datetime) -> datetime | None:
    """The date that engines put before a snippet: `Mar 3, 2024 — The tide …`, `2 days ago · …`."""
    end = DATE_END.search(snippet[:LONGEST_DATE])
    return parse_moment(snippet[: end.start()], now) if end else None


def split_excluded(text: str | None) -> list[str]:
    """The unwanted words and phrases of a list with spaces or commas; quoted phrases stay together."""
    found = (" ".join((match[1] or match[2] or "").split()) for match in QUOTED_OR_WORD.finditer(text or ""))
    terms = (term.strip("\"'“”„«»").removeprefix("-").strip() for term in found)
    return list(dict.fromkeys(term for term in terms if term))


def matches_exact(phrase: str | None, *texts: str) -> bool:
    """Whether one of the texts holds the phrase, as whole words where the script has words."""
    wanted = _folded(phrase or "").strip('"').strip()
    return not wanted or any(_contains_phrase(_folded(text), wanted) for text in texts)


def contains_excluded(terms: str | Iterable[str] | None, *texts: str) -> bool:
    """Whether one of the texts holds one of the unwanted terms."""
    unwanted = split_excluded(terms) if terms is None or isinstance(terms, str) else list(terms)
    return any(term.strip() and matches_exact(term, *texts) for term in unwanted)


def cut_at_word(text: str, length: int) -> str:
    """At most `room` characters, ended at a word, or between whole characters where there are no spaces."""
    if len(text) <= length:
        return text
    end = max(length, 0)
    while end > 0 and _belongs_to_previous(text[end], text[end - 1]):
        end -= 1
    head = text[:end] if text[end].isspace() else text[:end].rpartition(" ")[0] or text[:end]
    return _without_open_quote(head.rstrip())


def _exact(query: WebQuery | None) -> Iterator[str]:
    phrase = " ".join((query.exact_terms or "").replace('"', " ").split()) if query else ""
    if phrase:
        yield _sendable(f'"{phrase}"')


def _excluded(query: WebQuery | None) -> Iterator[str]:
    for term in split_excluded(query.exclude_terms) if query and query.exclude_terms else []:
        yield _sendable(f'-"{term}"' if NEEDS_QUOTES.search(term) else f"-{term}")


def _site(site: str) -> str:
    host, path = site_parts(site)
    return _sendable(f"site:{host}{path}" if host else f"site:{''.join(site.split())}")


def _sendable(text: str) -> str:
    """Without lone surrogates, which JSON can carry and an address cannot."""
    return text.encode("utf-8", "ignore").decode()


def _join_within_limit(text: str, filters: list[str], sites: list[str]) -> str:
    place = [f"({' OR '.join(sites)})"] if len(sites) > 1 else sites
    return " ".join(part for part in (text, *filters, *place) if part)


def _belongs_to_previous(character: str, previous: str) -> bool:
    joined = unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Mc", "Me"}
    return bool(joined) or character == "\u200d" or previous == "\u200d"


def _without_open_quote(text: str) -> str:
    return text.rpartition('"')[0].rstrip() if text.count('"') % 2 else text


def _folded(text: str) -> str:
    """Compatibility forms, case, quotes, dashes and white space made equal."""
    folded = unicodedata.normalize("NFKC", text).translate(FOLDED).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _contains_phrase(text: str, wanted: str) -> bool:
    starts_word, ends_word = _is_spaced(wanted[0]), _is_spaced(wanted[-1])
    for found in _occurrences(wanted, starts_word).finditer(text):
        start, end = found.start(), found.start() + len(wanted)
        begins = not starts_word or start == 0 or not _is_spaced(text[start - 1])
        if begins and not (end < len(text) and _continues_word(text[end], ends_word)):
            return True
    return False


@lru_cache(maxsize=256)
def _occurrences(wanted: str, starts_word: bool) -> re.Pattern[str]:
    """Places where the phrase begins, overlapping ones too; the look-behind keeps long repetitions cheap."""
    behind = f"(?<![A-Za-z0-9_{re.escape(wanted[0])}])" if starts_word else ""
    return re.compile(f"{behind}(?={re.escape(wanted)})")


def _continues_word(following: str, ends_word: bool) -> bool:
    is_mark = unicodedata.category(following).startswith("M")
    return is_mark or (ends_word and _is_spaced(following))


def _is_spaced(character: str) -> bool:
    """Whether a character is part of a word in a script that sets words apart; Korean ties particles to its words."""
    if not (character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")):
        return False
    return not unicodedata.name(character, "").startswith(UNSPACED_SCRIPTS)
