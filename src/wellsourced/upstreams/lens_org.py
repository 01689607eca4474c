"""The Lens: patents of a hundred offices, with legal status.

API: docs.api.lens.org, `Authorization: Bearer`. Queries are a part of Elasticsearch's language: term, terms, match,
match_phrase, range, bool and query_string are documented, and nothing else is sent. Nothing found may be a 404.
`application_reference.date` is the day of filing and can be searched; `legal_status` holds the day of grant. Written
after the provider's own documentation and sample; no recording exists. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from wellsourced.errors import BadInput, KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.database_query import parse_query
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    iso_from_text,
    number_or_text,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.patent_numbers import is_grant, number_parts, patent_page_url, with_padding_zero
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="lens",
    title="The Lens",
    bases={"": "https://api.lens.org"},
    needs=(Setting("LENS_API_TOKEN", "Access token of The Lens.", secret=True),),
    pace=Pace(10, 60.0),
    timeout=20,
    preference=14,
    about="Patents of all larger offices with legal status.",
)

SEARCH = "/patent/search"
MOST_RESULTS = 100
MOST_TERMS = 250
WANTED = (
    "lens_id",
    "jurisdiction",
    "doc_number",
    "kind",
    "date_published",
    "biblio",
    "legal_status",
    "abstract",
    "publication_type",
)
SEARCHED = ("title", "abstract", "claim")


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    search = {
        "query": {"bool": {"must": _query_conditions(query)}},
        "size": max(1, min(query.count, MOST_RESULTS)),
        "include": list(WANTED),
    }
    reply = yield Request.post_json(SEARCH, search, headers={"Authorization": f"Bearer {access['LENS_API_TOKEN']}"})
    if reply.status >= 400:
        _raise_unless_empty(reply)
        return ResultSet(())
    if reply.status == 204:
        return ResultSet(())
    body = reply.expect_ok().json()
    rows, total = body["data"], as_count(body["total"])
    if not isinstance(rows, list) or (not rows and total != 0):
        raise UpstreamChanged("The Lens announces patents and sends none.", detail=reply.summary)
    found = tuple(parse_rows(rows, _parse_patent))
    return ResultSet(found[: query.count], more_available=None if total is None else total > len(found))


def _query_conditions(query: PatentQuery) -> list[dict[str, Any]]:
    if query.number:
        office, digits, _ = number_parts(query.number)
        return [{"term": {"jurisdiction": office}}, {"terms": {"doc_number": [digits, digits.lstrip("0")]}}]
    found: list[dict[str, Any]] = []
    if query.text.strip():
        is_all = not (query.assignee or query.inventor or query.cpc)
        found.append(_require_all_words(_write_question(query.text, is_all), *SEARCHED))
    if query.assignee:
        found.append({"match_phrase": {"applicant.name": bare_company(query.assignee)}})
    if query.inventor:
        found.append(_require_all_words(_escape_operators(query.inventor), "inventor.name"))
    if not found and not query.cpc:
        raise BadInput("A patent search needs a query, an assignee, an inventor or a CPC code.")
    return [*found, *_query_limits(query)]


def _query_limits(query: PatentQuery) -> list[dict[str, Any]]:
    limits: list[dict[str, Any]] = []
    if query.cpc:
        limits.append({"query_string": {"query": f"class_cpc.symbol:{_cpc_condition(query.cpc)}*"}})
    if query.office:
        limits.append({"term": {"jurisdiction": query.office}})
    days = {"gte": f"{query.year_from:04}-01-01"} if query.year_from else {}
    days |= {"lte": f"{query.year_to:04}-12-31"} if query.year_to else {}
    if days:
        limits.append({"range": {"application_reference.date": days}})
    return limits


def _require_all_words(text: str, *names: str) -> dict[str, Any]:
    return {"query_string": {"query": text, "fields": list(names), "default_operator": "and"}}


def _cpc_condition(code: str) -> str:
    """The symbol with its stroke escaped; nothing else of it can be syntax."""
    bare = "".join(character for character in code.upper() if character.isalnum() or character == "/")
    if not bare:
        raise BadInput(f"cpc_code {code[:40]!r} is not understood; one looks like G06F or G06F3/01.")
    return bare.replace("/", "\\/")


def _write_question(text: str, is_all: bool) -> str:
    """The words; what is not wanted is enough only beside something that is."""
    question = parse_query(text, _write_term, MOST_TERMS)
    if not question.wanted and (is_all or not question.unwanted):
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    return " ".join([*question.conditions("OR"), *(f"NOT {term}" for term in question.unwanted)])


def _write_term(text: str, is_phrase: bool) -> str:
    bare = _strip_operators(text)
    return f'"{bare}"' if " " in bare or (is_phrase and bare) else bare


def _escape_operators(text: str) -> str:
    if not (kept := _strip_operators(text)):
        raise BadInput("The inventor's name holds nothing to search for; it needs at least one word.")
    return kept


def _strip_operators(text: str) -> str:
    """Without what the query language would take for syntax."""
    bare = "".join(character if character.isalnum() or character in " .'" else " " for character in text)
    return " ".join(word for word in bare.split() if word not in {"AND", "OR", "NOT"})


def _raise_unless_empty(reply: Reply) -> None:
    """A 404 of the service itself means that nothing was found; a page of somebody else does not."""
    if reply.status == 404 and reply.body.lstrip()[:1] in {b"{", b""}:
        return
    _raise_refusal(reply)


def _raise_refusal(reply: Reply) -> NoReturn:
    """The service speaks JSON: a page in its place says nothing about the token."""
    if reply.status in {401, 403} and reply.body.lstrip()[:1] != b"<":
        raise KeyRejected("The Lens does not accept the token.", detail=reply.summary)
    if reply.status == 429:
        wait = reply.headers.get("x-rate-limit-retry-after-seconds", "")
        seconds = float(wait) if wait.isascii() and wait.isdigit() else reply.retry_after
        raise RateLimited("The Lens: too many requests.", retry_after=seconds)
    if reply.status == 404:
        raise UpstreamChanged("The Lens's search is not where it used to be.", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"The Lens answered HTTP {reply.status}.")


def _parse_patent(row: Mapping[str, Any]) -> Patent:
    office, digits = as_text(row["jurisdiction"]), number_or_text(row["doc_number"])
    if not office or not digits:
        raise UpstreamChanged("The Lens sent a patent without its number.")
    number = with_padding_zero(f"{office}{digits}{as_text(row.get('kind'))}")
    biblio, legal = as_object(row.get("biblio")), as_object(row.get("legal_status"))
    parties = as_object(biblio.get("parties"))
    published = iso_from_text(row.get("date_published"))
    owners = _parse_names(parties.get("owners_all")) + _parse_names(parties.get("applicants"))
    return Patent(
        title=_english_text(biblio.get("invention_title")) or number,
        number=number,
        url=patent_page_url(number),
        source=PROVIDER.name,
        abstract=_english_text(row.get("abstract")) or None,
        assignees=tuple(dict.fromkeys(owners)),
        inventors=_parse_names(parties.get("inventors")),
        priority=iso_from_text(as_object(as_object(biblio.get("priority_claims")).get("earliest_claim")).get("date")),
        filed=iso_from_text(as_object(biblio.get("application_reference")).get("date")),
        published=published,
        granted=iso_from_text(legal.get("grant_date")) or (published if is_grant(number) else None),
        cpc=_cpc_symbols(as_object(biblio.get("classifications_cpc")).get("classifications")),
        status=as_text(legal.get("patent_status")).replace("_", " ").capitalize() or None,
    )


def _english_text(value: Any) -> str:
    texts = [(as_text(item.get("lang")), as_text(item.get("text"))) for item in objects_in(value)]
    ordered = sorted((pair for pair in texts if pair[1]), key=lambda pair: pair[0].lower() != "en")
    return ordered[0][1] if ordered else ""


def _parse_names(value: Any) -> tuple[str, ...]:
    names = (as_text(as_object(person.get("extracted_name")).get("value")) for person in objects_in(value))
    return tuple(dict.fromkeys(name for name in names if name))


def _cpc_symbols(value: Any) -> tuple[str, ...]:
    symbols = ("".join(as_text(item.get("symbol")).split()) for item in objects_in(value))
    return tuple(dict.fromkeys(symbol for symbol in symbols if symbol))
