"""Acronyms in a query, quoted so that a search service takes them as they stand and does not stem them.

Only the acronym itself is quoted: `effect of CRISPR on wheat` becomes `effect of "CRISPR" on wheat`. A query that is
all in capitals, quoted already, or written with operators is left alone.
"""

from __future__ import annotations

import re

# With operators the query is already in the service's own language.
OPERATORS = frozenset({"AND", "OR", "NOT"})
LONGEST_QUERY = 2_000
# More capitals than this are shouting or a table heading, not acronyms.
MOST_QUOTED = 5
EDGES = "()[]{},;:.!?'’"


def quote_acronyms(query: str) -> str:
    words = query[:LONGEST_QUERY].split()
    if '"' in query or OPERATORS.intersection(words) or len(query) > LONGEST_QUERY:
        return query
    marked = [_core(word) for word in words]
    acronyms = [core for core in marked if is_acronym(core)]
    if not 0 < len(acronyms) <= MOST_QUOTED or len(acronyms) == len(words):
        return query
    return " ".join(
        word.replace(core, f'"{core}"', 1) if core in acronyms else word
        for word, core in zip(words, marked, strict=True)
    )


def is_acronym(word: str) -> bool:
    """`CRISPR`, `COVID-19`, `GPT-4`; not `I`, `2024` or `BERT's`."""
    parts = re.split(r"[-‐‑/]", word)
    letters = sum(character.isupper() for character in word)
    return letters >= 2 and all(part.isalnum() and part == part.upper() for part in parts)


def _core(word: str) -> str:
    return word.strip(EDGES)
