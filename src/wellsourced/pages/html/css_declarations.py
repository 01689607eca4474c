"""The declarations in a text of styles: those of properties that can hide text, and of variables."""

from __future__ import annotations

from functools import lru_cache

from turbohtml._html import _css_parse_declarations

from wellsourced.pages.html.css_properties import SHORTHANDS, SOURCES, could_hide, longhands
from wellsourced.pages.html.css_values import refers, unescape

LONGEST_KNOWN = 100
MOST_BODIES = 8_000
WRITTEN = frozenset(name for sources in SOURCES.values() for name in sources)


@lru_cache(MOST_BODIES)
def read_declarations(text: str) -> tuple[tuple[str, str, bool, bool], ...]:
    """The valid declarations in a text of properties that matter here, shorthands taken apart, and of variables.

    Each with whether it is important, and whether it could hide.
    """
    return tuple([
        (longhand, part, important, hides)
        for name, value, important, *_ in _css_parse_declarations(text)
        for longhand, part, hides in _parts(name, value)
    ])  # fmt: skip


def handed_on(value: str) -> tuple[str, str]:
    """The shorthand that a value was handed on from as a whole, "" where it was none, and its own value."""
    name, colon, whole = value.partition(":")
    return (name, whole) if colon and name in SHORTHANDS else ("", value)


def _parts(name: str, value: str) -> tuple[tuple[str, str, bool], ...]:
    """The valid properties that a declaration sets."""
    if name not in WRITTEN:
        name = unescape(name).lower() if "\\" in name else name
        if name.startswith("--"):
            return ((name, value, False),)
        if name not in WRITTEN:
            return ()
    return (_known_longhands if len(value) <= LONGEST_KNOWN else _longhands)(name, value)


def _longhands(name: str, value: str) -> tuple[tuple[str, str, bool], ...]:
    parts = longhands(name, " ".join(unescape(value).lower().split()))
    return tuple((longhand, part, refers(part) or could_hide(longhand, part)) for longhand, part in parts)


# Pages say the same few things again and again.
_known_longhands = lru_cache(8192)(_longhands)
