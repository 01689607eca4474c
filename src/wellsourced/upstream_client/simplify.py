"""A question in plainer words, for an engine that found hardly anything."""

from __future__ import annotations

from wellsourced.text.terms import STOP_WORDS

OPERATOR_SIGNS = ('"', ":", "(", " OR ", " AND ", " -")


def simplified(query: str) -> str:
    """The query without filler words and closing punctuation; as it is when it uses operators of its own."""
    if any(sign in query for sign in OPERATOR_SIGNS):
        return query
    words = [word.strip("?!.,;") for word in query.split()]
    kept = [word for word in words if word and word.casefold() not in STOP_WORDS]
    return " ".join(kept) or query
