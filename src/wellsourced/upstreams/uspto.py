"""USPTO Open Data Portal: United States patent applications and what became of them.

API: data.uspto.gov/apis, `X-API-KEY`. One request at a time is allowed for a key. It knows applications, so a hit has
one filing date and, once granted, a patent number; abstracts and claims are not there. Nothing found is a 404 in
JSON. CPC symbols hold padding blanks and cannot be searched by their beginning, so that filter is the caller's. Grants
since 2001 are B1 when they were not published before, else B2. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import BadInput, KeyRejected, RateLimited, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.database_query import ParsedQuery, parse_query
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_text,
    first_text,
    iso_from_text,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.patent_numbers import LAST_GRANT_BY_A, number_parts, patent_number, patent_page_url
from wellsourced.upstreams.helpers.replies import error_object, parse_object, raise_refusal
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="uspto",
    title="USPTO Open Data Portal",
    bases={"": "https://api.uspto.gov"},
    needs=(Setting("USPTO_API_KEY", "Key of the USPTO Open Data Portal.", secret=True),),
    pace=Pace(1, 1.0),
    timeout=20,
    preference=16,
    about="United States patents and applications with their status; no abstracts.",
)

CONTINUITY = "/api/v1/patent/applications/{}/continuity"
SEARCH = "/api/v1/patent/applications/search"
MOST_RESULTS = 100
MOST_TERMS = 12
FIRST_DAY, LAST_DAY = "1790-01-01", "2100-12-31"
MARKS = re.compile(r"[^\w\s.&'-]")
NOTHING_FOUND = "no matching records"
ABOUT = "applicationMetaData"


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    parsed = parse_query(query.text, _write_term, MOST_TERMS)
    notes = () if query.number else parsed.notes("The USPTO")
    search: dict[str, Any] = {
        "q": _number_query(query.number) if query.number else _write_query(parsed, query),
        "pagination": {"offset": 0, "limit": max(1, min(query.count, MOST_RESULTS))},
    }
    if query.year_from or query.year_to:
        first = f"{query.year_from:04}-01-01" if query.year_from else FIRST_DAY
        last = f"{query.year_to:04}-12-31" if query.year_to else LAST_DAY
        search["rangeFilters"] = [{"field": f"{ABOUT}.filingDate", "valueFrom": first, "valueTo": last}]
    reply = yield Request.post_json(SEARCH, search, headers={"X-API-KEY": access["USPTO_API_KEY"]})
    body = _parse_reply(reply)
    if body is None:
        return ResultSet((), notes=notes)
    rows, total = body["patentFileWrapperDataBag"], as_count(body["count"])
    if not isinstance(rows, list) or (not rows and total != 0):
        raise UpstreamChanged("The USPTO's answer announces applications and holds none.")
    patents_found = tuple(parse_rows(rows, _parse_patent))
    if query.number and patents_found and not patents_found[0].family:
        patents_found, notes = yield from _with_family(patents_found, notes, access)
    more = None if total is None else total > len(patents_found)
    return ResultSet(patents_found[: query.count], more_available=more, notes=notes, total=total)


def _with_family(
    found: tuple[Patent, ...], notes: tuple[str, ...], access: Access
) -> Steps[tuple[tuple[Patent, ...], tuple[str, ...]]]:
    """The first one with the applications it continues and those that continue it; not worth losing it for."""
    number = (found[0].application or "").removeprefix("US")
    try:
        reply = yield Request.get(CONTINUITY.format(number), headers={"X-API-KEY": access["USPTO_API_KEY"]})
        body = _parse_reply(reply)
        rows = objects_in(body.get("patentFileWrapperDataBag")) if body else ()
        family = tuple(line for row in rows for line in _parse_family(row))
    except WellsourcedError as error:
        return found, (*notes, f"The applications before and after it could not be read: {error.sentence}")
    return (replace(found[0], family=family), *found[1:]), notes


def _parse_family(row: Mapping[str, Any]) -> Iterator[str]:
    """`US10916753 2019-11-25 17248024 is a Continuation of 16695054 (Patented Case)`."""
    for side in ("parent", "child"):
        for link in objects_in(row.get(f"{side}ContinuityBag")):
            numbers = [as_text(link.get(f"{end}ApplicationNumberText")) for end in ("child", "parent")]
            if not all(numbers):
                continue
            granted = as_text(link.get(f"{side}PatentNumber"))
            status = as_text(link.get(f"{side}ApplicationStatusDescriptionText"))
            relation = as_text(link.get("claimParentageTypeCodeDescriptionText")) or "continues"
            said = (f"US{granted}" if granted else "", iso_from_text(link.get(f"{side}ApplicationFilingDate")) or "",
                    f"{numbers[0]} {relation} {numbers[1]}", f"({status})" if status else "")  # fmt: skip
            yield " ".join(filter(None, said))


def _write_query(parsed: ParsedQuery, query: PatentQuery) -> str:
    """Every word must occur; names of companies as a phrase, those of people in any order."""
    terms = parsed.conditions("OR")
    if query.assignee:
        terms.append(_quote_text(bare_company(query.assignee)))
    terms += [_quote_text(word) for word in (query.inventor or "").split()[:6]]
    wanted = " AND ".join(term for term in terms if term)
    if not wanted:
        raise BadInput("The USPTO needs a query, an assignee or an inventor to search for.")
    return wanted + "".join(f" AND NOT {term}" for term in parsed.unwanted)


def _number_query(number: str) -> str:
    office, digits, kind = number_parts(number)
    if office != "US":
        raise BadInput(f"The USPTO knows United States patents only; {number} is none.")
    is_application = len(digits) >= 10
    return (
        f"{ABOUT}.earliestPublicationNumber:US{digits}{kind or '*'}"
        if is_application
        else f"{ABOUT}.patentNumber:{digits}"
    )


def _write_term(text: str, is_phrase: bool) -> str:
    return _quote_text(text.lstrip("-"))


def _quote_text(text: str) -> str:
    bare = " ".join(MARKS.sub(" ", text).split())
    return f'"{bare}"' if bare else ""


def _parse_reply(reply: Reply) -> Mapping[str, Any] | None:
    """The answer's object, None for nothing found."""
    if reply.status >= 400:
        message = _error_message(reply)
        if reply.status == 404 and NOTHING_FOUND in message.lower():
            return None
        _raise_refusal(reply, message)
    return parse_object(reply, "The USPTO")


def _raise_refusal(reply: Reply, message: str) -> NoReturn:
    if reply.status in {401, 403} and (message or not reply.summary.startswith("<")):
        raise KeyRejected(f"The USPTO does not accept the key: {message or f'HTTP {reply.status}'}")
    if reply.status == 404:
        raise UpstreamChanged("The USPTO's search is not where it used to be.", detail=reply.summary)
    if reply.status == 429:
        raise RateLimited("The USPTO allows one request at a time for a key.", retry_after=reply.retry_after)
    raise_refusal(reply, "The USPTO", message)


def _error_message(reply: Reply) -> str:
    body = error_object(reply)
    return first_text([body.get(name) for name in ("detailedMessage", "message", "error")])[:200]


def _parse_patent(row: Mapping[str, Any]) -> Patent:
    about = row[ABOUT]
    application = as_text(row.get("applicationNumberText"))
    published, granted = iso_from_text(about.get("earliestPublicationDate")), iso_from_text(about.get("grantDate"))
    number = _document_number(about)
    if not number and not application:
        raise UpstreamChanged("The USPTO's answer has an application without its number.")
    return Patent(
        title=as_text(about["inventionTitle"]) or number or application,
        number=number or f"US{application}",
        url=patent_page_url(number) if number else f"https://patentcenter.uspto.gov/applications/{application}",
        source=PROVIDER.name,
        assignees=tuple(dict.fromkeys(_parse_owners(row, about))),
        inventors=tuple(dict.fromkeys(_parse_inventors(about))),
        filed=iso_from_text(about.get("filingDate")),
        published=granted or published,
        granted=granted,
        cpc=tuple("".join(symbol.split()) for symbol in _text_list(about.get("cpcClassificationBag"))),
        status=as_text(about.get("applicationStatusDescriptionText")) or None,
        family=tuple(_parse_family(row)),
        legal_events=tuple(_parse_events(row)),
        application=f"US{application}" if application else None,
    )


def _parse_events(row: Mapping[str, Any]) -> list[str]:
    """What happened to the application, newest first."""
    events = (
        (iso_from_text(event.get("eventDate")) or "", as_text(event.get("eventDescriptionText")))
        for event in objects_in(row.get("eventDataBag"))
    )
    return sorted({f"{day} {said}" for day, said in events if day and said}, reverse=True)


def _document_number(about: Mapping[str, Any]) -> str:
    """The granted patent's number, else that of the published application, else ""."""
    earlier = patent_number(as_text(about.get("earliestPublicationNumber"))) or ""
    digits = as_text(about.get("patentNumber")).replace(",", "").upper()
    if not digits:
        return earlier
    marks = {"D": "S1", "RE": "E1", "PP": "P3" if earlier else "P2", "H": "H1"}
    kind = next((kind for mark, kind in marks.items() if digits.startswith(mark)), None)
    if kind is None and digits.isascii() and digits.isdigit():
        kind = "A" if int(digits) <= LAST_GRANT_BY_A else "B2" if earlier else "B1"
    return f"US{digits}{kind or ''}"


def _parse_owners(row: Mapping[str, Any], about: Mapping[str, Any]) -> Iterator[str]:
    names = [as_text(about.get("firstApplicantName"))]
    names += [as_text(applicant.get("applicantNameText")) for applicant in objects_in(about.get("applicantBag"))]
    for assignment in objects_in(row.get("assignmentBag")):
        names += [as_text(owner.get("assigneeNameText")) for owner in objects_in(assignment.get("assigneeBag"))]
    yield from filter(None, names)


def _parse_inventors(about: Mapping[str, Any]) -> Iterator[str]:
    names = [as_text(about.get("firstInventorName"))]
    names += [as_text(person.get("inventorNameText")) for person in objects_in(about.get("inventorBag"))]
    yield from filter(None, names)


def _text_list(value: Any) -> list[str]:
    return [text for item in (value if isinstance(value, list) else ()) if (text := as_text(item))]
