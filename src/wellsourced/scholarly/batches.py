"""DOIs in handfuls, each small enough to be asked for in one request.

OpenAlex takes 50 alternatives and an address of 4 KB; Crossref's records are large, and 40 of them are a megabyte or
two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

FEWEST, MOST = 4, 40
LONGEST = 3_000
AROUND_EACH = len("doi%3A%2C")


def batch_dois(dois: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """A rest of very few is left out: one by one they come as quickly, and OpenAlex charges for lists alone."""
    return (batch for batch in _filled(dois) if len(batch) >= FEWEST)


def _filled(dois: Iterable[str]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    length = 0
    for doi in dois:
        size = len(quote(doi, safe="")) + AROUND_EACH
        if batch and (len(batch) == MOST or length + size > LONGEST):
            yield tuple(batch)
            batch, length = [], 0
        batch.append(doi)
        length += size
    yield tuple(batch)
