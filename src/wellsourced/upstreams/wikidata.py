"""Wikidata: people, companies, courts, journals, medicines, with their identifiers in other databases.

API: wikidata.org/w/api.php (wbsearchentities, wbgetentities) · Key: none. Of statements the preferred count, else the
normal ones, deprecated ones never. A merged item comes back under its new id. Licence CC0. Entities recorded 2017 to
2026.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_web_address, objects_in, parse_rows
from wellsourced.upstreams.helpers.mediawiki import found_pages, parse_wiki_answer
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.helpers.search_operators import unsent_filters
from wellsourced.upstreams.types.entity import Entity, EntityQuery
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="wikidata",
    title="Wikidata",
    bases={"": "https://www.wikidata.org"},
    uses=(CONTACT,),
    pace=Pace(3),
    preference=98,
    automatic=False,
    good_at=("entity",),
    about="People, companies, journals, medicines and other things with their identifiers elsewhere.",
)

PAGE = "https://www.wikidata.org/wiki/"
DAY = 86400.0
MOST_ENTITIES = 20
ITEM = re.compile(r"Q[1-9][0-9]{0,11}")
LANGUAGE = re.compile(r"[a-z]{2,3}")
DISAMBIGUATION = "disambiguation page"
PROPERTIES = {
    "P496": "ORCID", "P1278": "LEI", "P5531": "CIK", "P236": "ISSN", "P3345": "RxCUI", "P356": "DOI", "P212":
    "ISBN", "P6782": "ROR", "P10283": "OpenAlex", "P214": "VIAF", "P213": "ISNI", "P227": "GND", "P244": "LCNAF",
    "P946": "ISIN", "P267": "ATC", "P662": "PubChem", "P715": "DrugBank", "P698": "PMID", "P818": "arXiv", "P345":
    "IMDb", "P434": "MusicBrainz", "P648": "OpenLibrary", "P1566": "GeoNames", "P402": "OSM", "P297": "ISO3166-1",
}  # fmt: skip
WEBSITE = "P856"


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    """The things with such a name; each hit lists the identifiers it is known by elsewhere."""
    language = (query.language or "en").lower()[:2]
    found = yield from entities(EntityQuery(name=query.text, language=language, count=query.count), access)
    hits = tuple(_as_hit(entity) for entity in found)
    return ResultSet(hits, unsent_filters(query, "language"), len(hits) >= query.count or None)


def entities(query: EntityQuery, access: Access) -> Steps[tuple[Entity, ...]]:
    """The items with such a name, in Wikidata's order; with `holding`, those that have such an identifier."""
    language = query.language if LANGUAGE.fullmatch(query.language) else "en"
    params: dict[str, Param] = {
        "action": "wbsearchentities",
        "search": query.name[:250],
        "language": language,
        "uselang": language,
        "type": "item",
        "limit": max(1, min(MOST_ENTITIES if query.holding else query.count, MOST_ENTITIES)),
        "format": "json",
    }
    reply = yield Request.get("/w/api.php", params, headers=identify(access))
    rows = list_under(parse_wiki_answer(reply, PROVIDER.title), "search", PROVIDER.title)
    wanted = parse_rows([row for row in rows if not _is_list_of_names(row)], _item_id)
    wanted = wanted or (yield from _items_with_words(query, access))
    if not wanted:
        return ()
    details: dict[str, Param] = {
        "action": "wbgetentities",
        "ids": "|".join(wanted[:MOST_ENTITIES]),
        "props": "labels|descriptions|aliases|claims",
        "languages": f"{language}|en" if language != "en" else "en",
        "format": "json",
    }
    reply = yield Request.get("/w/api.php", details, headers=identify(access), keep=DAY)
    known = parse_entities(reply, language)
    fitting = [entity for entity in known if not query.holding or set(query.holding) & entity.identifiers.keys()]
    return tuple(fitting[: query.count])


def _items_with_words(query: EntityQuery, access: Access) -> Steps[list[str]]:
    """Items that hold all the words somewhere: a name with a word too many is no start of any label."""
    params: dict[str, Param] = {
        "action": "query",
        "list": "search",
        "srsearch": query.name[:250],
        "srlimit": max(1, min(query.count, MOST_ENTITIES)),
        "format": "json",
    }
    reply = yield Request.get("/w/api.php", params, headers=identify(access))
    rows, _ = found_pages(parse_wiki_answer(reply, PROVIDER.title), PROVIDER.title)
    titles = (as_text(as_object(row).get("title")) for row in rows)
    return [title for title in titles if ITEM.fullmatch(title)]


def parse_entities(reply: Any, language: str = "en") -> list[Entity]:
    """The items of an answer; those that do not exist any more are left out."""
    listed = parse_wiki_answer(reply, PROVIDER.title)["entities"]
    if not isinstance(listed, dict):
        raise UpstreamChanged("Wikidata's answer has no entities.")
    rows = [row for row in listed.values() if not (isinstance(row, dict) and "missing" in row)]
    return parse_rows(rows, lambda row: _parse_entity(row, language))


def _item_id(row: Any) -> str:
    number = as_text(row["id"])
    if not ITEM.fullmatch(number):
        raise UpstreamChanged("Wikidata's answer has an item without its id.")
    return number


def _is_list_of_names(row: Any) -> bool:
    return DISAMBIGUATION in as_text(as_object(row).get("description")).lower()


def _parse_entity(row: Any, language: str) -> Entity:
    number = _item_id(row)
    claims = as_object(row["claims"])
    names = [text for entry in as_object(row.get("aliases")).values() for text in _values(entry)]
    identifiers = {scheme: value for code, scheme in PROPERTIES.items() for value in best_values(claims.get(code))[:1]}
    sites = best_values(claims.get(WEBSITE))
    return Entity(
        id=number,
        label=in_language(row.get("labels"), language) or number,
        url=f"{PAGE}{number}",
        description=in_language(row.get("descriptions"), language),
        aliases=tuple(dict.fromkeys(names))[:20],
        identifiers=identifiers,
        website=next((url for site in sites if (url := as_web_address(site))), None),
    )


def _values(entries: Any) -> Iterator[str]:
    return (text for entry in objects_in(entries) if (text := as_text(entry.get("value"))))


def in_language(texts: Any, language: str = "en") -> str:
    """The text in a language, else in English, else in whichever comes first; dumps of old put a list where none is."""
    by_code: Mapping[str, Any] = as_object(texts)
    choices = [by_code.get(language), by_code.get("en"), *by_code.values()]
    return next((text for entry in choices if (text := as_text(as_object(entry).get("value")))), "")


def best_snaks(statements: Any) -> list[Mapping[str, Any]]:
    """What statements say: the preferred ones, else the normal ones."""
    for rank in ("preferred", "normal"):
        snaks = (as_object(entry.get("mainsnak")) for entry in objects_in(statements) if entry.get("rank") == rank)
        if said := [snak for snak in snaks if snak.get("snaktype") == "value"]:
            return said
    return []


def best_values(statements: Any) -> Sequence[str]:
    """The texts among what statements say."""
    values = (as_object(snak.get("datavalue")).get("value") for snak in best_snaks(statements))
    return [text for value in values if (text := as_text(value))]


def _as_hit(entity: Entity) -> Hit:
    listed = " · ".join(f"{scheme} {value}" for scheme, value in entity.identifiers.items())
    extra = [listed, f"Website: {entity.website}" if entity.website else "", ", ".join(entity.aliases[:5])]
    return Hit(
        title=f"{entity.label} ({entity.id})",
        url=entity.url,
        snippet=entity.description,
        extra_snippets=tuple(filter(None, extra)),
    )
