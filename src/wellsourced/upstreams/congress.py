"""Congress.gov: bills of the US Congress by number, the newest bills by words of their titles, reports of its services.

API: api.congress.gov, v3 · Key: DATA_GOV_API_KEY. There is no search by words: the bills changed last are listed, and
those with the words in their titles shown. Addresses in answers are those of the interface. Recorded 2023 to 2026.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.index_words import fold_text
from wellsourced.text.terms import significant_terms
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.data_gov import DATA_GOV_KEY, raise_data_gov_refusal
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    iso_from_text,
    number_or_text,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.replies import list_under, parse_object, web_link
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="congress",
    title="Congress.gov",
    bases={"": "https://api.congress.gov"},
    needs=(DATA_GOV_KEY,),
    pace=Pace(1, 1.0),
    timeout=20.0,
    preference=46,
    automatic=False,
    about="Bills of the US Congress by number with actions and texts; the newest by words of their titles.",
)
SITE = "https://www.congress.gov"
TYPES = {
    "hr": ("H.R.", "house-bill"), "s": ("S.", "senate-bill"), "hjres": ("H.J.Res.", "house-joint-resolution"),
    "sjres": ("S.J.Res.", "senate-joint-resolution"), "hconres": ("H.Con.Res.", "house-concurrent-resolution"),
    "sconres": ("S.Con.Res.", "senate-concurrent-resolution"), "hres": ("H.Res.", "house-resolution"),
    "sres": ("S.Res.", "senate-resolution"),
}  # fmt: skip
BILL = re.compile(
    r"\b(h\.? ?r|h\.? ?j\.? ?res|s\.? ?j\.? ?res|h\.? ?con\.? ?res|s\.? ?con\.? ?res|h\.? ?res|s\.? ?res|s)"
    r"\.? ?([0-9]{1,5})\b",
    re.IGNORECASE,
)
CONGRESS = re.compile(
    r"\b(?<![.-])([0-9]{2,3})(?:st|nd|rd|th)(?: congress)?\b|\bcongress ([0-9]{2,3})\b", re.IGNORECASE
)
REPORT = re.compile(r"(?:CRS )?(?:report )?((?:R[LSI]?|I[FGN]|LSB|TE)[0-9]{4,6}|[0-9]{2}-[0-9]{3,4})", re.IGNORECASE)
COMMITTEE = re.compile(r"(?:reports of )?(?:committee )?(house|senate|joint)[ /]([a-z]{4}[0-9]{2})", re.IGNORECASE)
MOST_LISTED, MOST_ACTIONS, MOST_TEXTS, SUMMARY_LENGTH = 250, 5, 3, 800
NO_SEARCH = "Congress.gov has no search by words: these are bills among the {count} changed last with such titles."


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    text = " ".join(query.text.split())
    if not text:
        raise BadInput("Give a bill such as H.R. 3076 117th, the number of a report of CRS, or words of a title.")
    if report := REPORT.fullmatch(text):
        body = yield from _look_up(f"/v3/crsreport/{report[1].upper()}", access)
        found = () if body is None else (_parse_crs_report(body["CRSReport"]),)
        return ResultSet(found, more_available=False, total=len(found))
    if committee := COMMITTEE.fullmatch(text):
        path = f"/v3/committee/{committee[1].lower()}/{committee[2].lower()}/reports"
        body = yield from _ask(path, access, limit=query.count)
        rows = list_under(body, "reports", PROVIDER.title)
        return ResultSet(tuple(parse_rows(rows, _parse_committee_report)[: query.count]), total=_total(body))
    named = CONGRESS.search(text)
    number = int(named[1] or named[2]) if named else (access.now.year - 1789) // 2 + 1
    if bill := BILL.search(text):
        return (yield from _one_bill(number, re.sub(r"[. ]", "", bill[1]).lower(), bill[2], access))
    return (yield from _newest_bills(number, CONGRESS.sub(" ", text), query, access))


def _one_bill(congress: int, kind: str, number: str, access: Access) -> Steps[ResultSet[Case]]:
    path = f"/v3/bill/{congress}/{kind}/{number}"
    body = yield from _look_up(path, access)
    if body is None:
        return ResultSet((), total=0, notes=(f"Congress.gov has no {TYPES[kind][0]} {number} of congress {congress}.",))
    actions = yield from _part(f"{path}/actions", "actions", access)
    texts = yield from _part(f"{path}/text", "textVersions", access)
    case = _parse_bill(body["bill"], tuple(_action(row) for row in objects_in(actions))[:MOST_ACTIONS])
    return ResultSet((case,), more_available=False, total=1, notes=_text_notes(texts))


def _newest_bills(congress: int, words: str, query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    start, end = parse_bounds(query.date_from, query.date_to)
    window: dict[str, Param] = {
        "fromDateTime": f"{start}T00:00:00Z" if start else None,
        "toDateTime": f"{end}T23:59:59Z" if end else None,
    }
    body = yield from _ask(f"/v3/bill/{congress}", access, limit=MOST_LISTED, sort="updateDate desc", **window)
    rows = list_under(body, "bills", PROVIDER.title)
    listed = parse_rows(rows, _parse_bill)
    wanted = [fold_text(term) for term in significant_terms(words)]
    found = [case for case in listed if all(_has_word(case.case_name, term) for term in wanted)]
    more = len(found) > query.count or bool(as_object(body.get("pagination")).get("next"))
    not_applied = frozenset({"jurisdiction"}) if query.court else frozenset[str]()
    notes = (NO_SEARCH.format(count=len(listed)),) if wanted else ()
    return ResultSet(tuple(found[: query.count]), not_applied, more_available=more, notes=notes)


def _has_word(title: str, start: str) -> bool:
    return any(word.startswith(start) for word in re.findall(r"[^\W_]+", fold_text(title)))


def _request(path: str, access: Access, params: Mapping[str, Param]) -> Request:
    return Request.get(path, {"format": "json", **params}, headers={"X-Api-Key": access[DATA_GOV_KEY.name]})


def _ask(path: str, access: Access, **params: Param) -> Steps[dict[str, Any]]:
    return _parse_reply((yield _request(path, access, params)))


def _look_up(path: str, access: Access) -> Steps[dict[str, Any] | None]:
    """The answer, None where there is no such thing."""
    reply = yield _request(path, access, {})
    is_unknown = reply.status == 404 and reply.body.lstrip()[:1] == b"{"
    return None if is_unknown else _parse_reply(reply)


def _part(path: str, name: str, access: Access) -> Steps[Any]:
    """What stands beside the bill: worth having, not worth losing the bill for."""
    try:
        return (yield from _ask(path, access, limit=20)).get(name)
    except WellsourcedError:
        return []


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 300:
        raise_data_gov_refusal(reply, PROVIDER.title)
    return parse_object(reply, PROVIDER.title)


def _total(body: Mapping[str, Any]) -> int | None:
    return as_count(as_object(body.get("pagination")).get("count"))


def _parse_bill(row: Any, actions: tuple[str, ...] = ()) -> Case:
    kind, number = as_text(row["type"]).lower(), number_or_text(row["number"]) or ""
    congress, title = as_count(row["congress"]), as_text(row["title"])
    if kind not in TYPES or not number.isdigit() or not congress or not title:
        raise UpstreamChanged("Congress.gov's answer has a bill without number or title.")
    short, path = TYPES[kind]
    url = f"{SITE}/bill/{_ordinal(congress)}-congress/{path}/{number}"
    laws = [f"Pub. L. {law}" for each in objects_in(row.get("laws")) if (law := as_text(each.get("number")))]
    sponsors = [
        f"Sponsor: {name}" for each in objects_in(row.get("sponsors")) if (name := as_text(each.get("fullName")))
    ]
    updated = as_text(row.get("updateDate")) or None
    return Case(
        case_name=title,
        url=url,
        origin=Origin(url=url, record=f"{short} {number}, {_ordinal(congress)} Congress", vintage=updated),
        citations=(f"{short} {number}, {_ordinal(congress)} Cong.", *laws),
        court=as_text(row.get("originChamber")) or None,
        date_filed=as_text(row.get("introducedDate")) or None,
        docket_number=f"{short} {number}",
        status=_action(as_object(row.get("latestAction"))) or None,
        snippet=" · ".join(filter(None, dict.fromkeys((*sponsors, *actions)))) or None,
        source=PROVIDER.name,
    )


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _action(row: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (as_text(row.get("actionDate")), as_text(row.get("text")))))


def _text_notes(versions: Any) -> tuple[str, ...]:
    """Where the newest texts are, read with scrape_page."""
    found = []
    for version in objects_in(versions):
        links = {as_text(each.get("type")): web_link(each.get("url")) for each in objects_in(version.get("formats"))}
        if link := links.get("Formatted Text") or links.get("PDF"):
            found.append(f"Text, {as_text(version.get('type')) or 'version'}: {link}")
    return tuple(found[:MOST_TEXTS])


def _parse_crs_report(row: Any) -> Case:
    number, title = as_text(row["id"]), as_text(row["title"])
    if not number or not title:
        raise UpstreamChanged("Congress.gov's answer has a report without number or title.")
    url = f"{SITE}/crs-report/{number}"
    authors = ", ".join(filter(None, (as_text(each.get("author")) for each in objects_in(row.get("authors")))))
    summary = " ".join(filter(None, (f"By {authors}." if authors else "", as_text(row.get("summary")))))
    return Case(
        case_name=title,
        url=next((link for each in objects_in(row.get("formats")) if (link := web_link(each.get("url")))), url),
        origin=Origin(url=url, record=f"CRS report {number}", vintage=as_text(row.get("updateDate")) or None),
        court="Congressional Research Service",
        date_filed=iso_from_text(row.get("publishDate")),
        docket_number=number,
        status=as_text(row.get("status")) or None,
        snippet=summary[:SUMMARY_LENGTH] or None,
        source=PROVIDER.name,
    )


def _parse_committee_report(row: Any) -> Case:
    citation, congress = as_text(row["citation"]), as_count(row["congress"])
    if not citation or not congress:
        raise UpstreamChanged("Congress.gov's answer has a report without its citation.")
    number, chamber = number_or_text(row.get("number")) or "", as_text(row.get("chamber")).lower()
    url = f"{SITE}/congressional-report/{_ordinal(congress)}-congress/{chamber}-report/{number}"
    return Case(
        case_name=citation,
        url=url,
        origin=Origin(url=url, record=citation, vintage=as_text(row.get("updateDate")) or None),
        citations=(citation,),
        court=as_text(row.get("chamber")) or None,
        source=PROVIDER.name,
    )
