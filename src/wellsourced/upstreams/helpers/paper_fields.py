"""What databases of papers and books share: the answer as a whole, names in parts, and the years of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Reply
from wellsourced.text.identifiers import find_isbn, normalise_doi
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.json_fields import as_count, as_text, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, raise_refusal
from wellsourced.upstreams.types.paper import Author, Paper, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

FIRST_YEAR, LAST_YEAR = 1000, 2200  # the other end of a range of which one was given
LUCENE_SIGNS = re.compile(r"[+&|!(){}\[\]^~*?:\\/<>=]|(?<!\S)-+|'(?!\w)|(?<!\w)'")
LUCENE_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})
FILTERS = ("open_access", "pdf_only", "full_text")


def paper_results(
    rows: Iterable[Any],
    parse: Callable[[Any], Paper],
    query: PaperQuery,
    total: Any,
    *,
    sent: Sequence[str] = (),
    title: str,
    notes: tuple[str, ...] = (),
) -> ResultSet[Paper]:
    """The rows as papers; an answer that announces some and holds none is no answer. `sent` are the filters applied."""
    papers = parse_rows(rows, parse)
    announced = as_count(total)
    if announced is None or (announced and not papers):
        raise UpstreamChanged(f"{title}'s answer announces {total!r:.40} works and holds {len(papers)}.")
    unsent = {name for name in FILTERS if getattr(query, name) and name not in sent}
    unsent |= {"source"} if query.source != "all" else set()
    return ResultSet(tuple(papers[: query.count]), frozenset(unsent), announced > len(papers), notes)


def object_or_refusal(reply: Reply, title: str) -> Mapping[str, Any]:
    """The JSON object of an answer. A refusal carries the service's own message, wherever it put it."""
    if reply.status >= 300:
        raise_keyless_refusal(reply, title)
    body = reply.json()
    if not isinstance(body, dict):
        raise UpstreamChanged(f"{title}'s answer is not an object.", detail=reply.summary)
    return body


def raise_keyless_refusal(reply: Reply, title: str) -> None:
    """A service that has no keys does not refuse one: 401 and 403 mean that it blocks us."""
    if reply.status in {401, 403}:
        reply.expect_ok()
    if reply.status == 404:
        raise UpstreamChanged(f"{title}'s search is not where it used to be.", detail=reply.summary)
    body = error_object(reply)
    said = next((body[name] for name in ("message", "error", "msg", "detail", "error_message") if body.get(name)), "")
    said = said.get("message") or said.get("msg") if isinstance(said, dict) else said
    raise_refusal(reply, title, as_text(said)[:300])


def split_name(name: str) -> Author:
    """`Nix, Garth` in its parts; a name written forwards stays whole, since nobody knows where it divides."""
    family, comma, given = name.partition(",")
    if comma and family.strip() and given.strip():
        return Author(family=family.strip(), given=given.strip())
    return Author(literal=name.strip().rstrip(","))


def authors_of(names: Iterable[str]) -> dict[str, Any]:
    """The fields of a `Paper` that name its authors; their parts only where all of them are known in parts."""
    people = [split_name(name) for name in names if name]
    in_parts = bool(people) and all(author.family for author in people)
    return {
        "authors": tuple(author.name for author in people),
        "author_names": tuple(people) if in_parts else (),
    }


def years_asked(query: PaperQuery) -> tuple[int, int] | None:
    """Both ends, where one was given."""
    if not query.year_from and not query.year_to:
        return None
    return query.year_from or FIRST_YEAR, query.year_to or LAST_YEAR


def doi_or_none(value: Any) -> str | None:
    return normalise_doi(value) or None if isinstance(value, str) else None


def isbn_among(values: Iterable[Any], wanted: str = "") -> str | None:
    """An ISBN with a right checksum: the wanted one if it is there, else one of thirteen digits, else any."""
    found = [isbn for value in values if isinstance(value, str) and (isbn := find_isbn(f"ISBN {value}"))]
    return next((isbn for isbn in found if isbn == wanted), None) or max(found, key=len, default=None)


def lucene_query(text: str) -> str:
    """The question for an index in Lucene's language: words and phrases stay, signs that could break it go."""
    wanted, unwanted = without_unwanted(text)
    wanted = wanted if wanted.count('"') % 2 == 0 else wanted.replace('"', " ")
    words = LUCENE_SIGNS.sub(" ", wanted).split()
    while words and words[-1] in LUCENE_OPERATORS:
        words.pop()
    while words and words[0] in LUCENE_OPERATORS:
        words.pop(0)
    if not any(map(str.isalnum, "".join(words))):
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    return " ".join(words) + "".join(f' NOT "{LUCENE_SIGNS.sub(" ", term)}"' for term in unwanted)
