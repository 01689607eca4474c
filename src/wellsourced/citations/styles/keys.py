"""Citation keys: the one an entry came with, else surname + year + first word of the title; all different."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from wellsourced.citations.reference import Reference

NOT_IN_KEYS = re.compile(r"[\s,{}()\"#%=~\\'@]")
LONGEST = 80
MOST_TRIES = 100_000


def citation_keys(references: Sequence[Reference]) -> list[str]:
    """In the order of the references; of equal ones the second gets `a`, then `b` … `z`, then `z2`, `z3` …"""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    keys = []
    for reference in references:
        wanted = given_key(reference) or make_key(reference)
        key = wanted
        while key in taken and counts.get(wanted, 0) < MOST_TRIES:
            counts[wanted] = counts.get(wanted, 0) + 1
            key = wanted + _suffix(counts[wanted])
        taken.add(key)
        keys.append(key)
    return keys


def given_key(reference: Reference) -> str:
    key = reference.key or ""
    return key if key and len(key) <= 300 and not NOT_IN_KEYS.search(key) else ""


def make_key(reference: Reference) -> str:
    people = reference.authors or reference.editors
    surname = _plain((people[0].family or people[0].literal).split()[0]) if people and people[0].surname else ""
    first_word = next(filter(None, map(_plain, (reference.title or "").split())), "")
    year = str(reference.year) if reference.year is not None else ""
    return f"{surname or 'anon'}{year}{first_word}"[:LONGEST]


def _plain(text: str) -> str:
    split = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, split))


def _suffix(count: int) -> str:
    return chr(ord("a") + count - 1) if count <= 26 else f"z{count - 25}"
