"""Wikidata: an item as its names, statements and identifiers.

API: wikidata.org, Special:EntityData for the item and wbgetentities for the names in its statements · Key: none. Of
statements the preferred count, else the normal ones. Dates carry a precision. Licence CC0. Recorded 2017 to 2026.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in
from wellsourced.upstreams.helpers.replies import error_object
from wellsourced.upstreams.wikidata import best_snaks, in_language

DOMAINS = ("wikidata.org",)
SITE = Provider(
    name="wikidata-pages",
    title="Wikidata",
    bases={"": "https://www.wikidata.org"},
    uses=(CONTACT,),
    pace=Pace(3),
    timeout=20.0,
    about="Items with their statements and identifiers.",
)
ENTITY = re.compile(r"[QP][1-9][0-9]{0,11}")
ASKED_AT_ONCE, MOST_NAMES, MOST_VALUES, MOST_ALIASES = 50, 150, 8, 20
TIME = re.compile(r"([+-])([0-9]{4,})-([0-9]{2})-([0-9]{2})T.*")
YEAR, MONTH, DAY = 9, 10, 11
UNNAMED = "Some names in the statements could not be looked up; they stand as numbers."


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_number(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    number = _number(address) if address else ""
    if not number:
        return None
    path, headers = f"/wiki/Special:EntityData/{number}.json", identify(access)
    entity = _entity((yield from send_request(Request.get(path, headers=headers))), number)
    claims = as_object(entity.get("claims"))
    wanted = list(dict.fromkeys((*claims, *_items_named(claims))))[:MOST_NAMES]
    groups = [wanted[start : start + ASKED_AT_ONCE] for start in range(0, len(wanted), ASKED_AT_ONCE)]
    form = {"action": "wbgetentities", "props": "labels", "languages": "en", "format": "json"}
    replies = yield from send_requests(
        [Request.get("/w/api.php", {**form, "ids": "|".join(ids)}, headers=headers) for ids in groups]
    )
    names = dict(pair for reply in replies for pair in _names(reply))
    return SitePage(page=_page(url, entity, claims, names, len(wanted)), extracted_by="wikidata:api")


def _number(address: WebUrl) -> str:
    is_page = len(address.segments) == 2 and address.segments[0] in {"wiki", "entity"}
    number = address.segments[1].removeprefix("Property:") if is_page else ""
    return number if ENTITY.fullmatch(number) else ""


def _entity(reply: Reply, number: str) -> Mapping[str, Any]:
    """The item; a merged one comes under its new number."""
    if reply.status == 404:
        raise NotFound(f"Wikidata has no item {number}.")
    listed = as_object(as_object(reply.expect_ok().json()).get("entities"))
    entity = as_object(listed.get(number)) or as_object(next(iter(listed.values()), None))
    if "missing" in entity:
        raise NotFound(f"Wikidata has no item {number}.")
    if not ENTITY.fullmatch(as_text(entity.get("id"))) or "labels" not in entity:
        raise UpstreamChanged("Wikidata's answer holds no item.", detail=reply.summary)
    return entity


def _items_named(claims: Mapping[str, Any]) -> Iterator[str]:
    for statements in claims.values():
        for snak in best_snaks(statements)[:MOST_VALUES]:
            value = as_object(as_object(snak.get("datavalue")).get("value"))
            if ENTITY.fullmatch(number := _item_of(value)):
                yield number


def _item_of(value: Mapping[str, Any]) -> str:
    """Dumps of old have the number alone."""
    old = value.get("numeric-id")
    named = as_text(value.get("id"))
    return named or (f"Q{old}" if type(old) is int and value.get("entity-type") == "item" else "")


def _names(reply: Reply | None) -> Iterator[tuple[str, str]]:
    listed = as_object(error_object(reply).get("entities")) if reply is not None and reply.status == 200 else {}
    return ((number, name) for number, each in listed.items() if (name := in_language(as_object(each).get("labels"))))


def _page(url: str, entity: Mapping[str, Any], claims: Mapping[str, Any], names: dict[str, str], wanted: int) -> Page:
    number = as_text(entity["id"])
    label, about = in_language(entity.get("labels")) or number, in_language(entity.get("descriptions"))
    english = objects_in(as_object(entity.get("aliases")).get("en"))
    aliases = list(filter(None, (as_text(each.get("value")) for each in english)))[:MOST_ALIASES]
    lines = [f"- {names.get(code, code)} ({code}): {said}" for code in claims if (said := _said(claims[code], names))]
    parts = (
        f"# {label} ({number})",
        about,
        f"Also known as: {', '.join(aliases)}" if aliases else "",
        "## Statements\n\n" + "\n".join(lines) if lines else "",
    )
    return Page(
        url=url,
        markdown="\n\n".join(filter(None, parts)),
        title=label,
        date=as_text(entity.get("modified"))[:10],
        site="Wikidata",
        description=about,
        notes=(UNNAMED,) if len(names) < wanted else (),
    )


def _said(statements: Any, names: Mapping[str, str]) -> str:
    snaks: Sequence[Mapping[str, Any]] = best_snaks(statements)
    values = [_value(as_object(snak.get("datavalue")).get("value"), names) for snak in snaks[:MOST_VALUES]]
    left = len(snaks) - MOST_VALUES
    return "; ".join(filter(None, values)) + (f"; and {left} more" if left > 0 else "")


def _value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return as_text(value)
    fields = as_object(value)
    if number := _item_of(fields):
        return f"{names[number]} ({number})" if number in names else number
    if when := TIME.fullmatch(as_text(fields.get("time"))):
        return _date(when, fields.get("precision"))
    if "latitude" in fields:
        return f"{fields.get('latitude')}, {fields.get('longitude')}"
    unit = as_text(fields.get("unit")).rpartition("/")[2]
    amount = as_text(fields.get("amount")).removeprefix("+")
    return " ".join(filter(None, (amount, names.get(unit, unit) if unit != "1" else ""))) or as_text(fields.get("text"))


def _date(when: re.Match[str], precision: Any) -> str:
    """As much of it as is known: `00` stands for an unknown day or month."""
    year = ("-" if when[1] == "-" else "") + when[2].lstrip("0").rjust(4, "0")
    if precision == DAY:
        return f"{year}-{when[3]}-{when[4]}"
    return f"{year}-{when[3]}" if precision == MONTH else year if precision == YEAR else f"about {year}"
