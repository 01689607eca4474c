"""CourtListener: opinions of US courts, federal and state.

API: courtlistener.com/help/api/rest, v4 · Key: none for 100 searches a day; COURTLISTENER_API_TOKEN for more. Field
names are camelCase and snake_case mixed, addresses are relative. A plain query ranks by the text of the opinions, so
a case asked for by name goes through `case_name`, most cited first. How long a refusal lasts stands in its prose.
Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import (
    AuthRequired,
    BadInput,
    KeyRejected,
    NetworkFailed,
    NotFound,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.court_names import court_id, is_unknown_name
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    number_or_text,
    objects_in,
    parse_rows,
    texts_in,
)
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="courtlistener",
    title="CourtListener",
    bases={"": "https://www.courtlistener.com"},
    uses=(Setting("COURTLISTENER_API_TOKEN", "Token of CourtListener; raises the daily limit.", secret=True),),
    pace=Pace(2, 1.0),
    timeout=20.0,
    preference=10,
    about="US case law with citations and citation counts.",
    attribution="Free Law Project, CourtListener (courtlistener.com).",
)

SITE = "https://www.courtlistener.com"
LOOKUP = "/api/rest/v4/citation-lookup/"
LONGEST_PLACE = 200
# Found, several found, not found; other states say that the reporter is not known.
FOUND_OR_NOT = frozenset({200, 300, 404})
PAGE_SIZE = 20
SNIPPET_LENGTH = 500
CASE_NAME = re.compile(r"\S\s+vs?\.?\s+\S|^(?:in re|ex parte|(?:in the )?matter of)\s\S", re.IGNORECASE)
CITATION = re.compile(r"[0-9]{1,4} [A-Z][A-Za-z0-9.' ]{0,30}? [0-9]{1,6}")
STATUTE = re.compile(r"[0-9]{1,4} (?:U\.? ?S\.? ?C\b|C\.? ?F\.? ?R\b|Stat\b|Fed\. ?Reg\b)", re.IGNORECASE)
YEAR_AFTER = re.compile(r"(?:(?<!\s)\s+)?\([^()]{0,60}[0-9]{4}\)\.?$")
CITED_AFTER_NAME = re.compile(rf",\s*(?:[0-9]{{1,4}} [A-Z]|Nos?\. ).*|\s{CITATION.pattern}(?![0-9]).*")
DOCKET = re.compile(r"(?:Case |Docket )?Nos?\. ?([0-9A-Z][0-9A-Za-z:.-]{2,40})", re.IGNORECASE)
COURT = re.compile(r"[A-Za-z0-9_]{1,30}")
SEVERAL = re.compile(r"[;\n]")
CITING = re.compile(r"(?:cases )?(?:citing|cited by|that cite)[: ] ?(.{1,200})", re.IGNORECASE)
DOCKETS = re.compile(r"(?:dockets?|filings)(?: of)?: ?(.{1,300})", re.IGNORECASE)
MOST_CITATIONS, MOST_PARTIES, MOST_FILINGS = 10, 10, 5
SOME_FILINGS = "Of a docket only some filings that match are listed; its page has them all."
NAME_WORD = re.compile(r"[a-z0-9]{3,40}")
NAME_FILLERS = frozenset({"the", "and", "see", "inc", "ltd", "corp", "united", "states", "state", "people"})
YEAR = re.compile(r"\([^()]{0,60}([0-9]{4})\)")
OPINION_NUMBER = re.compile(r"/opinions/([0-9]{1,12})/")
WAIT = re.compile(r"available in ([0-9]{1,7}) second")


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give a legal topic, a case name or a citation in query.")
    filters = _filters(query)
    cited = [part.strip() for part in SEVERAL.split(text) if part.strip()]
    if 1 < len(cited) <= MOST_CITATIONS and all(CITATION.search(part) for part in cited):
        return (yield from _cases_cited(cited, filters, access))
    if named := DOCKETS.fullmatch(text):
        return (yield from _dockets({"q": named[1].strip()}, filters, query, access))
    if citing := CITING.fullmatch(text):
        return (yield from _cases_citing(citing[1], filters, query, access))
    results = yield from _search_cases(text, filters, query, access)
    number = _split_search(text).get("docket_number")
    if number and not results.items:
        return (yield from _dockets({"docket_number": number}, filters, query, access))
    if results.items or not filters["court"]:
        return results
    try:
        reply = yield _build_request({"court": filters["court"]}, access)
    except NetworkFailed:
        return results
    return replace(results, notes=(*results.notes, *_court_doubts(reply, filters["court"])))


def _dockets(
    asked: Mapping[str, Param], filters: Mapping[str, Param], query: CaseQuery, access: Access
) -> Steps[ResultSet[Case]]:
    """Cases as the federal courts keep them: parties, lawyers, judge, and what was filed."""
    reply = yield _build_request({**asked, **filters, "type": "r"}, access)
    body = _parse_reply(reply, has_token=bool(access["COURTLISTENER_API_TOKEN"]))
    rows = list_under(body, "results", PROVIDER.title)
    count = max(1, min(query.count, PAGE_SIZE))
    found = tuple(parse_rows(rows, _parse_docket)[:count])
    more = bool(body.get("next")) or len(rows) > count
    notes = (SOME_FILINGS,) if found else ()
    return ResultSet(found, more_available=more, total=as_count(body.get("count")), notes=notes)


def _parse_docket(row: Mapping[str, Any]) -> Case:
    path, name = as_text(row["docket_absolute_url"]), as_text(row["caseName"]) or as_text(row.get("case_name_full"))
    if not path.startswith("/") or not name:
        raise UpstreamChanged("CourtListener's answer has a docket without address or name.")
    url = SITE + path
    filed = (_filing(each) for each in objects_in(row.get("recap_documents")))
    ended = as_text(row.get("dateTerminated"))
    why = "; ".join(filter(None, (as_text(row.get("cause")), as_text(row.get("suitNature")))))
    return Case(
        case_name=name,
        url=url,
        origin=Origin(url=url, record=f"docket {row.get('docket_id') or path}", vintage=None),
        court=as_text(row.get("court")) or None,
        court_id=as_text(row.get("court_id")) or None,
        court_abbreviation=as_text(row.get("court_citation_string")) or None,
        date_filed=as_text(row.get("dateFiled")) or None,
        docket_number=as_text(row.get("docketNumber")) or None,
        status=f"terminated {ended}" if ended else None,
        judge=as_text(row.get("assignedTo")) or None,
        posture=why or None,
        attorneys="; ".join(texts_in(row.get("attorney")))[:SNIPPET_LENGTH] or None,
        parties=tuple(texts_in(row.get("party"))[:MOST_PARTIES]),
        docket_url=url,
        snippet=" · ".join(filter(None, list(filed)[:MOST_FILINGS])) or None,
    )


def _filing(row: Mapping[str, Any]) -> str:
    said = as_text(row.get("description")) or as_text(row.get("short_description"))
    number, day = number_or_text(row.get("document_number")), as_text(row.get("entry_date_filed"))
    return (
        " ".join(filter(None, (f"#{number}" if number else "", said[:120], f"({day})" if day else ""))) if said else ""
    )


def _cases_cited(cited: list[str], filters: Mapping[str, Param], access: Access) -> Steps[ResultSet[Case]]:
    """One decision for each citation, in their order; what is not there or goes by another name is said."""
    found: list[Case] = []
    notes: list[str] = []
    for part in cited:
        place = CITATION.search(part)
        assert place is not None
        case = yield from _case_at(place[0], filters, access)
        if case is None:
            notes.append(f"{part[:120]}: not in CourtListener, which does not prove that it does not exist.")
            continue
        found.append(replace(case, asked=part[:200]))
        notes += _citation_doubts(part, part[: place.start()], case)
    return ResultSet(tuple(found), more_available=False, notes=tuple(notes))


def _case_at(place: str, filters: Mapping[str, Param], access: Access) -> Steps[Case | None]:
    reply = yield _build_request({"citation": place, **filters}, access)
    rows = _parse_results(reply, CaseQuery(text=place, count=PAGE_SIZE), access).items
    plain = place.replace(" ", "").casefold()
    exact = (case for case in rows if any(each.replace(" ", "").casefold() == plain for each in case.citations))
    return next(exact, None)


def _citation_doubts(part: str, before: str, case: Case) -> Iterator[str]:
    """That the decision at this place has another name or year than was written: both are shown."""
    written = {word for word in NAME_WORD.findall(before.casefold()) if word not in NAME_FILLERS}
    if written and not written & set(NAME_WORD.findall(case.case_name.casefold())):
        yield f"{part[:120]}: the decision at this place is {case.case_name}, another name than the one written."
    year = YEAR.search(part)
    if year and case.date_filed and year[1] != case.date_filed[:4]:
        yield f"{part[:120]}: the decision at this place is of {case.date_filed}, not of {year[1]}."


def _cases_citing(place: str, filters: Mapping[str, Param], query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    """The decisions that cite the one at this place, most cited first."""
    cited = CITATION.search(place)
    case = (yield from _case_at(cited[0], filters={}, access=access)) if cited else None
    if case is None or not case.opinion_ids:
        raise NotFound(f"CourtListener has no decision at {place[:80]!r} whose citations could be looked for.")
    asked = " OR ".join(case.opinion_ids)
    reply = yield _build_request({"q": f"cites:({asked})", "order_by": "citeCount desc", **filters}, access)
    found = _parse_results(reply, query, access)
    return replace(found, notes=(f"These cite {case.case_name}, {cited[0] if cited else place}.", *found.notes))


def cases_at(place: str, access: Access) -> Steps[tuple[Case, ...] | None]:
    """The decisions at a place in a reporter such as `384 U.S. 436`, several where the abbreviation is that of several
    reporters, none where CourtListener has none there. None where it was not asked: this needs a token, and knows the
    reporters that it knows."""
    token = access["COURTLISTENER_API_TOKEN"]
    if not token:
        return None
    reply = yield Request.post_form(
        LOOKUP, {"text": place[:LONGEST_PLACE]}, headers={"Authorization": f"Token {token}"}
    )
    if reply.status >= 400:
        _raise_refusal(reply, has_token=True)
    rows = reply.json()
    if not isinstance(rows, list):
        raise UpstreamChanged("CourtListener's answer has no list of citations.")
    answers = list(objects_in(rows))
    if any(row.get("status") == 429 for row in answers):
        raise RateLimited("CourtListener: too many citations were looked up at once")
    if not any(row.get("status") in FOUND_OR_NOT for row in answers):
        return None
    return tuple(_parse_cluster(cluster) for row in answers for cluster in objects_in(row.get("clusters")))


def cluster_places(cluster: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a decision stands in the reporters."""
    places = (
        " ".join(filter(None, (number_or_text(place.get(part)) for part in ("volume", "reporter", "page"))))
        for place in objects_in(cluster.get("citations"))
    )
    return tuple(place for place in places if place)


def _parse_cluster(cluster: Mapping[str, Any]) -> Case:
    path = as_text(cluster["absolute_url"])
    if not path:
        raise UpstreamChanged("CourtListener's answer has a decision without an address.")
    url = SITE + path if path.startswith("/") else path
    return Case(
        case_name=as_text(cluster.get("case_name")) or as_text(cluster.get("case_name_full")),
        url=url,
        origin=Origin(url=url, record=f"cluster {cluster.get('id') or path}", vintage=None),
        citations=cluster_places(cluster),
        date_filed=as_text(cluster.get("date_filed")) or None,
        citation_count=as_count(cluster.get("citation_count")),
        status=as_text(cluster.get("precedential_status")) or None,
        judge=as_text(cluster.get("judges")) or None,
        posture=as_text(cluster.get("posture")) or as_text(cluster.get("procedural_history")) or None,
        docket_url=_docket_url(cluster.get("docket_id")),
        opinion_ids=tuple(OPINION_NUMBER.findall(" ".join(texts_in(cluster.get("sub_opinions"))))),
    )


def _search_cases(text: str, filters: Mapping[str, Param], query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    reply = yield _build_request({**_split_search(text), **filters}, access)
    results = _parse_results(reply, query, access)
    if results.items or not _split_search(text).get("case_name"):
        return results
    reply = yield _build_request({"q": text, **filters}, access)
    wider = _parse_results(reply, query, access)
    where = " within the filters" if any(filters.values()) else ""
    note = f"No case goes by this name{where}; these opinions hold the words."
    return replace(wider, notes=(note,) if wider.items else ())


def _court_doubts(reply: Reply, court: Param) -> Iterator[str]:
    """An unknown court is no error upstream: it has no opinions, whatever they are about."""
    try:
        rows = as_object(reply.json()).get("results") if reply.status == 200 else None
    except UpstreamChanged:
        return
    if rows == []:
        yield (
            f"CourtListener has no opinion at all of {str(court)[:40]!r}, so it may know no such court; "
            "ids of courts look like scotus, ca9 or ny."
        )


def _split_search(text: str) -> dict[str, Param]:
    """A citation and a case name have parameters of their own; a statute is looked for in the opinions."""
    bare = YEAR_AFTER.sub("", text)
    if docket := DOCKET.fullmatch(bare):
        return {"docket_number": docket[1]}
    if CITATION.fullmatch(bare) and not STATUTE.match(bare):
        return {"citation": bare}
    if CASE_NAME.search(text):
        return {"case_name": CITED_AFTER_NAME.sub("", bare).strip(" ,"), "order_by": "citeCount desc"}
    return {"q": text}


def _filters(query: CaseQuery) -> dict[str, Param]:
    court = court_id(query.court or "")
    if court and (is_unknown_name(court) or not all(COURT.fullmatch(part) for part in court.split())):
        raise BadInput(
            f"jurisdiction is {court[:40]!r}; give a federal court by name, or "
            "the id of a court such as scotus, ca9, nysd or ny."
        )
    start, end = parse_bounds(query.date_from, query.date_to)
    return {
        "court": court or None,
        "filed_after": start.isoformat() if start else None,
        "filed_before": end.isoformat() if end else None,
    }


def _build_request(asked: Mapping[str, Param], access: Access) -> Request:
    token = access["COURTLISTENER_API_TOKEN"]
    headers = {"Authorization": f"Token {token}"} if token else {}
    return Request.get("/api/rest/v4/search/", {"type": "o", **asked}, headers=headers)


def _parse_results(reply: Reply, query: CaseQuery, access: Access) -> ResultSet[Case]:
    body = _parse_reply(reply, has_token=bool(access["COURTLISTENER_API_TOKEN"]))
    rows = body["results"]
    if not isinstance(rows, list):
        raise UpstreamChanged("CourtListener's answer has no list of results.")
    count = max(1, min(query.count, PAGE_SIZE))
    items = tuple(parse_rows(rows, _parse_any)[:count])
    more = bool(body.get("next")) or len(rows) > count
    return ResultSet(items, more_available=more, total=as_count(body.get("count")))


def _parse_any(row: Mapping[str, Any]) -> Case:
    """A result of the search, or a cluster as the lists of objects have it."""
    return _parse_cluster(row) if "case_name" in row and "caseName" not in row else _parse_case(row)


def _parse_case(row: Mapping[str, Any]) -> Case:
    path = row["absolute_url"]
    if not isinstance(path, str) or not path:
        raise UpstreamChanged("CourtListener's answer has a case without an address.")
    url = SITE + path if path.startswith("/") else path
    listed = row.get("citation")
    opinion = next(objects_in(row.get("opinions")), {})
    seen = as_text(as_object(row.get("meta")).get("timestamp")) or None
    return Case(
        case_name=as_text(row["caseName"]) or as_text(row.get("caseNameFull")),
        url=url,
        origin=Origin(url=url, record=f"cluster {row.get('cluster_id') or path}", vintage=seen),
        citations=tuple(as_text(place) for place in (listed if isinstance(listed, list) else ()) if as_text(place)),
        court=as_text(row.get("court")) or None,
        court_id=as_text(row.get("court_id")) or None,
        court_abbreviation=as_text(row.get("court_citation_string")) or None,
        date_filed=as_text(row.get("dateFiled")) or None,
        docket_number=as_text(row.get("docketNumber")) or None,
        citation_count=as_count(row.get("citeCount")),
        status=as_text(row.get("status")) or None,
        judge=as_text(row.get("judge")) or None,
        posture=as_text(row.get("posture")) or as_text(row.get("procedural_history")) or None,
        attorneys=as_text(row.get("attorney"))[:SNIPPET_LENGTH] or None,
        docket_url=_docket_url(row.get("docket_id")),
        opinion_ids=tuple(_opinion_ids(row.get("opinions"))),
        snippet=as_text(opinion.get("snippet"))[:SNIPPET_LENGTH] or None,
    )


def _docket_url(number: Any) -> str | None:
    return f"{SITE}/docket/{number}/" if type(number) is int else None


def _opinion_ids(opinions: Any) -> Iterator[str]:
    for opinion in objects_in(opinions):
        if type(opinion.get("id")) is int:
            yield str(opinion["id"])


def _parse_reply(reply: Reply, *, has_token: bool) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply, has_token=has_token)
    return parse_object(reply, "CourtListener")


def _raise_refusal(reply: Reply, *, has_token: bool) -> NoReturn:
    message = _error_message(reply)
    if reply.status == 429:
        raise RateLimited(
            f"CourtListener: {message or 'too many requests'}", retry_after=_seconds_to_wait(reply, message)
        )
    if message and reply.status in {401, 403}:
        if not has_token:
            raise AuthRequired(f"CourtListener does not answer this without COURTLISTENER_API_TOKEN: {message}")
        raise KeyRejected(f"CourtListener does not accept the token: {message}")
    if message and reply.status == 400:
        raise BadInput(f"CourtListener does not understand the query: {message}")
    reply.expect_ok()
    raise UpstreamUnavailable(f"CourtListener answered HTTP {reply.status}.")


def _error_message(reply: Reply) -> str:
    return as_text(error_object(reply).get("detail"))[:200]


def _seconds_to_wait(reply: Reply, message: str) -> float | None:
    """The header, or the seconds named in the sentence; a daily refusal names hours' worth of them."""
    named = WAIT.search(message)
    return reply.retry_after if reply.retry_after is not None else float(named[1]) if named else None
