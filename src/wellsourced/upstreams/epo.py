"""EPO Open Patent Services: patents of a hundred offices, with dates, parties and abstracts.

API: ops.epo.org, version 3.2. Key and secret buy a token for twenty minutes (`expires_in` is a text), which is asked
for within the conversation and kept nowhere. Queries are CQL, at most ten terms; nothing found is a 404 with a fault.
Inventors are listed surname first, so every part of a name is asked for by itself.
There is no search by day of filing: the range sent is one of publication that must hold what was filed in the years
asked for, and the rest is left to the caller. A publication is a grant only when its kind code says so. A spent quota
is HTTP 403 with `X-Rejection-Reason`. Checked 2026-11-15.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from wellsourced.errors import (
    BadInput,
    Blocked,
    KeyRejected,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.assignees import bare_company
from wellsourced.upstreams.helpers.database_query import ParsedQuery, parse_query
from wellsourced.upstreams.helpers.epo_records import (
    RECORDS,
    application_number,
    parse_citations,
    parse_standard_number,
)
from wellsourced.upstreams.helpers.json_fields import parse_rows
from wellsourced.upstreams.helpers.patent_numbers import is_grant, number_parts, patent_page_url, with_padding_zero
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="epo",
    title="European Patent Office",
    bases={"": "https://ops.epo.org"},
    needs=(
        Setting("EPO_OPS_CONSUMER_KEY", "Consumer key of EPO Open Patent Services.", secret=True),
        Setting("EPO_OPS_CONSUMER_SECRET", "Consumer secret of EPO Open Patent Services.", secret=True),
    ),
    pace=Pace(5, 10.0),
    timeout=20,
    preference=12,
    about="Patents of all larger offices with filing and grant dates.",
)

TOKEN, SEARCH = "/3.2/auth/accesstoken", "/3.2/rest-services/published-data/search/biblio"
SERVICES, NUMBERS = "/3.2/rest-services/", "/3.2/rest-services/number-service/application/original/{}/docdb"
AS_INPADOC = "Legal events are those of INPADOC; the status follows from them and is not an office's statement."
MOST_RESULTS = 100
MOST_TERMS, MOST_WORDS, MOST_NAMES = 10, 8, 4
YEARS_TO_PUBLICATION = 2  # the search knows days of publication, the query asks for years of filing
HOUR, WEEK = 3600.0, 7 * 86_400.0
MARKS = re.compile(r"[^\w\s.&+-]")
CPC = re.compile(r"[A-HY]\d{2}[A-Z](?:\d{1,4}(?:/\d{1,6})?)?")
NOTHING_FOUND = "EntityNotFound"
IMAGE = "<IMAGE>"


def patents(query: PatentQuery, access: Access) -> Steps[ResultSet[Patent]]:
    limits = list(_query_limits(query))
    parsed = parse_query("" if query.number else query.text, _write_term, min(MOST_WORDS, MOST_TERMS - len(limits)))
    cql = _write_query(parsed, limits)
    if not cql:
        raise BadInput("A patent search needs a query, an assignee, an inventor or a CPC code.")
    notes = parsed.notes(f"The {PROVIDER.title}")
    token = yield from _fetch_token(access)
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/xml"}
    span = f"1-{max(1, min(query.count, MOST_RESULTS))}"
    reply = yield Request.get(SEARCH, {"q": cql, "Range": span}, headers=headers)
    root = _parse_reply(reply)
    if root is None and query.number and (applied := (yield from _application(query.number, headers))):
        reply = yield Request.get(SEARCH, {"q": f"ap={applied}", "Range": span}, headers=headers)
        root = _parse_reply(reply)
        notes = (*notes, f"No publication has this number; it was looked for as that of an application, {applied}.")
    if root is None:
        return ResultSet((), notes=notes)
    patents_found = tuple(parse_rows(root.iter("exchange-document"), _parse_patent))
    total = _total_count(root)
    if not patents_found and total != 0:
        raise UpstreamChanged("The EPO's answer announces documents and describes none.", detail=reply.summary)
    if query.number and patents_found:
        patents_found, notes = yield from _with_records(patents_found, notes, headers)
    more = None if total is None else total > len(patents_found)
    return ResultSet(patents_found[: query.count], more_available=more, notes=notes)


def _with_records(
    patents_found: tuple[Patent, ...], notes: tuple[str, ...], headers: Mapping[str, str]
) -> Steps[tuple[tuple[Patent, ...], tuple[str, ...]]]:
    """The first document with claims, family and legal events; worth having, not worth losing the patent for."""
    first = patents_found[0]
    office, digits, kind = number_parts(first.number)
    number = ".".join(filter(None, (office, digits, kind)))
    fields: dict[str, Any] = {}
    try:
        for name, (path, parse) in RECORDS.items():
            root = _parse_reply((yield Request.get(SERVICES + path.format(number), headers=headers)))
            fields[name] = parse(root) if root is not None else ()
    except WellsourcedError as error:
        notes = (*notes, f"Not all of the patent's record could be read: {error.sentence}")
    if fields.get("claims") == ():
        notes = (*notes, f"The EPO has no full text of {first.number}; its page on Google Patents may.")
    notes += (AS_INPADOC,) if fields.get("legal_events") else ()
    return (replace(first, **fields), *patents_found[1:]), notes


def _application(number: str, headers: Mapping[str, str]) -> Steps[str]:
    """The number as the EPO writes that of an application, or ""; people have those of applications too."""
    office, digits, kind = number_parts(number)
    try:
        reply = yield Request.get(NUMBERS.format(f"{office}.({digits}).{kind or 'A'}"), headers=headers)
        root = _parse_reply(reply)
    except WellsourcedError:
        return ""
    office, digits, _ = number_parts(parse_standard_number(root) if root is not None else "")
    return office + digits


def _fetch_token(access: Access) -> Steps[str]:
    pair = f"{access['EPO_OPS_CONSUMER_KEY']}:{access['EPO_OPS_CONSUMER_SECRET']}"
    headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    reply = yield Request.post_form(TOKEN, {"grant_type": "client_credentials"}, headers=headers)
    if reply.status in {400, 401}:
        raise KeyRejected("The EPO does not accept the consumer key and secret.", detail=reply.summary)
    if reply.status >= 400:
        _raise_refusal(reply)
    token = reply.expect_ok().json()["access_token"]
    if not isinstance(token, str) or not token:
        raise UpstreamChanged("The EPO's answer holds no token.")
    return token


def _write_query(parsed: ParsedQuery, limits: Sequence[str]) -> str:
    wanted = " and ".join([*parsed.conditions("or", "ta="), *limits])
    return wanted + "".join(f" not ta={term}" for term in parsed.unwanted) if wanted else ""


def _query_limits(query: PatentQuery) -> Iterator[str]:
    if query.number:
        office, digits, _ = number_parts(query.number)
        yield f"pn={office}{digits}"
        return
    if query.assignee and (name := _quote_text(bare_company(query.assignee))):
        yield f"pa={name}"
    names = [_quote_text(name) for name in (query.inventor or "").split()[:MOST_NAMES]]
    yield from (f"in={name}" for name in names if name)
    if query.cpc:
        yield f"cpc={_cpc_condition(query.cpc)}"
    if query.office:
        yield f"pn={query.office}"
    if query.year_from or query.year_to:
        last = (query.year_to or 9997) + YEARS_TO_PUBLICATION
        yield f'pd within "{query.year_from or 1800:04}0101 {last:04}1231"'


def _write_term(text: str, is_phrase: bool) -> str:
    return _quote_text(text.lstrip("-"))


def _quote_text(text: str) -> str:
    bare = " ".join(MARKS.sub(" ", text).split())
    return f'"{bare}"' if bare else ""


def _cpc_condition(code: str) -> str:
    bare = "".join(code.split()).upper()
    if not CPC.fullmatch(bare):
        raise BadInput(f"cpc_code {code[:40]!r} is not understood; one looks like G06F or G06F3/01.")
    return bare


def _parse_reply(reply: Reply) -> Element | None:
    """The tree of an answer, None for nothing found."""
    if reply.status == 404 and NOTHING_FOUND in reply.text[:2000]:
        return None
    if reply.status >= 400:
        _raise_refusal(reply)
    root = parse_xml(reply.expect_ok().body)
    if root.tag != "world-patent-data":
        raise UpstreamChanged(f"The EPO's answer is a {root.tag[:40]}, not patent data.", detail=reply.summary)
    return root


def _raise_refusal(reply: Reply) -> NoReturn:
    reason = reply.headers.get("x-rejection-reason", "")
    if reply.status == 429 or reason or (reply.status == 403 and "fair use" in reply.text[:2000].lower()):
        wait = reply.retry_after or (WEEK if "PerWeek" in reason else HOUR if reason else None)
        raise RateLimited(f"The EPO's quota is used up ({reason or 'too many requests'}).", retry_after=wait)
    if reply.status == 400 and "invalid_access_token" in reply.text[:1000]:
        raise UpstreamUnavailable("The EPO does not accept the token it gave.", detail=reply.summary)
    if reply.status in {400, 413}:
        raise UpstreamUnavailable(f"The EPO refused the query: {_error_message(reply)}", detail=reply.summary)
    if reply.status == 403:
        raise Blocked("The EPO refuses to answer.", detail=reply.summary)
    if reply.status == 404:
        raise UpstreamChanged("The EPO's search is not where it used to be.", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"The EPO answered HTTP {reply.status}.")


def _error_message(reply: Reply) -> str:
    try:
        return text_at(parse_xml(reply.body), "message")[:200] or reply.summary
    except UpstreamChanged:
        return reply.summary


def _total_count(root: Element) -> int | None:
    search = root.find("biblio-search")
    count = search.get("total-result-count", "") if search is not None else ""
    return int(count) if count.isdecimal() and len(count) < 10 else None


def _parse_patent(document: Element) -> Patent:
    office, digits = document.get("country", ""), document.get("doc-number", "")
    if not office or not digits:
        raise UpstreamChanged("The EPO's answer has a document without a number.")
    number = with_padding_zero(f"{office}{digits}{document.get('kind', '')}")
    data = document.find("bibliographic-data")
    published = _parse_date(data, "publication-reference")
    return Patent(
        title=_english_text(data, "invention-title") or number,
        number=number,
        url=patent_page_url(number),
        source=PROVIDER.name,
        abstract=_english_text(document, "abstract") or None,
        assignees=_parse_names(data, "applicant"),
        inventors=_parse_names(data, "inventor"),
        priority=min(_list_dates(data, "priority-claims/priority-claim"), default=None),
        filed=_parse_date(data, "application-reference"),
        published=published,
        granted=published if is_grant(number) else None,
        cpc=tuple(dict.fromkeys(_cpc_symbols(data))),
        cites=parse_citations(data) if data is not None else (),
        application=application_number(data) or None,
    )


def _parse_date(data: Element | None, path: str) -> str | None:
    """The first day given: formats differ in whether they tell it."""
    return next(_list_dates(data, path), None)


def _list_dates(data: Element | None, path: str) -> Iterator[str]:
    for date in data.iterfind(f"{path}/document-id/date") if data is not None else ():
        day = text_of(date)
        if len(day) == 8 and day.isdecimal() and day.isascii():
            yield f"{day[:4]}-{day[4:6]}-{day[6:]}"


def _english_text(parent: Element | None, tag: str) -> str:
    """Titles and abstracts come once for each language."""
    texts = [(child.get("lang", ""), text_of(child)) for child in parent.iterfind(tag)] if parent is not None else []
    ordered = sorted((pair for pair in texts if pair[1]), key=lambda pair: pair[0].lower() != "en")
    return ordered[0][1].replace(IMAGE, "").strip() if ordered else ""


def _parse_names(data: Element | None, role: str) -> tuple[str, ...]:
    """Names as filed; where only the normal form is given, that. Originals are written `SANDEL, Klaus`."""
    path = f"parties/{role}s/{role}"
    people = list(data.iterfind(path)) if data is not None else []
    original = [person for person in people if person.get("data-format") == "original"] or people
    names = (text_at(person, f"{role}-name/name").strip(" ,;") for person in original)
    return tuple(dict.fromkeys(name for name in names if name))


def _cpc_symbols(data: Element | None) -> Iterator[str]:
    for entry in data.iterfind("patent-classifications/patent-classification") if data is not None else ():
        scheme = entry.find("classification-scheme")
        if scheme is None or not scheme.get("scheme", "").startswith("CPC"):
            continue
        part = {name: text_at(entry, name) for name in ("section", "class", "subclass", "main-group", "subgroup")}
        if part["section"] and part["main-group"]:
            yield f"{part['section']}{part['class']}{part['subclass']}{part['main-group']}/{part['subgroup']}"
