"""Texts made to keep one pattern busy: each of its repetitions filled to the brim, alone and after what leads to it."""

from __future__ import annotations

import re
import re._constants as tokens  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from typing import Any

REPEATS = (tokens.MAX_REPEAT, tokens.MIN_REPEAT, tokens.POSSESSIVE_REPEAT)
LONG = 20
END = "\n\x00"
GENERAL: tuple[str, ...] = (
    " ",
    "\n",
    "\t \n",
    "a",
    "A. ",
    "1",
    "1 ",
    "a,",
    "(",
    "[",
    "<",
    "<a ",
    "{",
    "&",
    "\\",
    '"',
    "'",
    ".",
    "-",
)
GENERAL += ("a ", "a-", "a.", "[a](", "**", "`", "http://a", "\u00e9", "\u4e2d", "A", "Aa ", "A, B. ", "://", "#", "|")
CATEGORIES = {
    tokens.CATEGORY_DIGIT: "1",
    tokens.CATEGORY_SPACE: " ",
    tokens.CATEGORY_WORD: "a",
    tokens.CATEGORY_NOT_DIGIT: "a",
    tokens.CATEGORY_NOT_SPACE: "a",
    tokens.CATEGORY_NOT_WORD: " ",
}


def hostile_texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Different texts of about this length."""
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    seen = set()
    for lead, unit in (*(("", unit) for unit in GENERAL), *pumps(parser.parse(pattern.pattern, flags), "")):
        for text in texts_of(lead, unit, length):
            if text not in seen:
                seen.add(text)
                yield text


def texts_of(lead: str, unit: str, length: int) -> Iterator[str]:
    if not unit:
        return
    pumped = unit * (length // len(unit))
    yield lead + pumped + END
    if lead:
        again = lead + unit * LONG
        yield again * (length // len(again)) + END
        yield (lead + unit) * (length // len(lead + unit)) + END
        yield lead * (length // len(lead)) + END


def pumps(parsed: Any, lead: str) -> Iterator[tuple[str, str]]:
    """What leads to each repetition, and what it repeats."""
    for code, value in parsed:
        if code in REPEATS:
            _least, most, body = value
            if most == tokens.MAXREPEAT or most >= LONG:
                for unit in samples(body):
                    yield lead, unit
            yield from pumps(body, lead)
        else:
            for inner in bodies(code, value):
                yield from pumps(inner, lead)
        lead += next(iter(samples([(code, value)])), "")


def bodies(code: Any, value: Any) -> list[Any]:
    if code is tokens.SUBPATTERN:
        return [value[3]]
    if code is tokens.BRANCH:
        return list(value[1])
    if code is tokens.ATOMIC_GROUP:
        return [value]
    if code in (tokens.ASSERT, tokens.ASSERT_NOT):
        return [value[1]] if value[0] >= 0 else []
    if code is tokens.GROUPREF_EXISTS:
        return [each for each in value[1:] if each]
    return []


def samples(parsed: Any) -> list[str]:
    """A few texts that a part matches."""
    results = [""]
    for code, value in parsed:
        ways = list(ways_of(code, value))[:4] or [""]
        results = [head + way for head in results for way in ways][:4]
    return results


def ways_of(code: Any, value: Any) -> list[str]:
    if code is tokens.LITERAL:
        return [chr(value)]
    if code in (tokens.ANY, tokens.NOT_LITERAL):
        return ["a", " "] if code is tokens.ANY or value != ord("a") else ["b"]
    if code is tokens.IN:
        return members(value)
    if code in REPEATS:
        return [way * max(1, value[0]) for way in samples(value[2])]
    if code is tokens.BRANCH:
        return [way for branch in value[1] for way in samples(branch)[:1]]
    return [way for body in bodies(code, value)[:1] for way in samples(body)] if code is not tokens.ASSERT_NOT else []


def members(value: Any) -> list[str]:
    """Characters of a class, different ones."""
    if value[0][0] is tokens.NEGATE:
        whole = re.compile("[" + "".join(escaped(item) for item in value) + "]", re.S)
        return [each for each in ("a", " ", "1", ".", ",", "(", "\n", "<") if whole.match(each)][:3]
    ways = []
    for code, item in value:
        ways.append(chr(item) if code is tokens.LITERAL else chr(item[0]) if code is tokens.RANGE else CATEGORIES[item])
    return list(dict.fromkeys([*ways[:2], *ways[-2:]]))


def escaped(item: Any) -> str:
    code, value = item
    if code is tokens.NEGATE:
        return "^"
    if code is tokens.LITERAL:
        return re.escape(chr(value))
    if code is tokens.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    names = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
    return names[str(value).removeprefix("CATEGORY_")]
