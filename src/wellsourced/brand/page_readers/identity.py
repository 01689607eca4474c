"""Who the page says it belongs to: name, tagline, description, year, place; and its own profiles elsewhere.

schema.org's Organization is the authority; a page's meta tags come next. A title counts as a name only where the
domain confirms it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.text_lines import LONGEST_LINE
from wellsourced.brand.types import Findings, Value
from wellsourced.pages.html.structured_data import DeclaredData, type_names
from wellsourced.text.plain_text import strip_markup
from wellsourced.text.urls import host_of, registrable_domain

KIND_NAMES = (
    "corporation ngo localbusiness brand onlinebusiness onlinestore store airline library project school"
    " collegeoruniversity university hospital restaurant hotel professionalservice financialservice bank"
)
KINDS = frozenset(KIND_NAMES.split())
TITLE_BREAK = re.compile(r"(?<!\s)\s+[|•·»«–—:-]\s+|(?:(?<!\s)\s+)?[|｜»«]\s*|:\s+")
LONGEST_NAME = 120
LONGEST_TEXT = 1000


def identity(page: BrandMarkup, domain: str) -> Findings:
    own = organisations(page)

    def stated(name: str) -> str:
        return next(filter(None, (_text(each.get(name)) for each in own)), "")

    found = {
        "name": stated("name")[:LONGEST_NAME] or _site_name(page, domain),
        "tagline": stated("slogan"),
        "description": stated("description") or _text(page.declared.first("description", "og:description")),
        "industry": stated("industry"),
        "founded": stated("foundingDate"),
        "location": next(filter(None, (_place(each.get("address") or each.get("location")) for each in own)), ""),
    }
    values: dict[str, Value] = {f"identity.{name}": text[:LONGEST_TEXT] for name, text in found.items() if text}
    return Findings(tier="homepage_meta", url=page.url, values=values)


def organisations(page: BrandMarkup) -> list[Mapping[str, Any]]:
    """What the page declares of the one organisation it belongs to: the one that bears the site's name, else the first.

    An agency that built the site, or a company whose goods it sells, says with its address that it is another.
    """
    sites = [registrable_domain(host_of(url)) for url in _addresses(page)]
    labels = (site.split(".")[0] for site in sites)
    names = [letters(name) for name in (*labels, *_site_names(page.declared))]
    said = [*names, letters(page.title)]
    declared = [each for each in _declared(page.declared) if _bears(each, said) or not _is_elsewhere(each, sites)]
    named = [each for each in declared if _text(each.get("name"))]
    chosen = next((each for each in named if _bears(each, names)), named[0] if named else {})
    name = letters(_text(chosen.get("name")))
    rest = (each for each in declared if each is not chosen and letters(_text(each.get("name"))) in {name, ""})
    return [each for each in (chosen, *rest) if each]


def _addresses(page: BrandMarkup) -> list[str]:
    """Where the page is, and where it says it is."""
    return [page.url, *(url for url, _ in page.linked("canonical")), page.address(page.declared.first("og:url"))]


def _bears(thing: Mapping[str, Any], names: Sequence[str]) -> bool:
    own = letters(_text(thing.get("name")))
    return any(len(name) > 2 and len(own) > 2 and (name in own or own in name) for name in names)


def _is_elsewhere(thing: Mapping[str, Any], sites: Sequence[str]) -> bool:
    host = host_of(_text(thing.get("url")))
    return bool(host) and registrable_domain(host) not in sites


def _declared(declared: DeclaredData) -> Iterator[Mapping[str, Any]]:
    """The organisations a page declares: those that stand for themselves, then those that publish what it holds."""
    for thing in declared.things:
        if is_organisation(thing):
            yield thing
    for thing in declared.things:
        for relation in ("publisher", "brand", "provider", "about"):
            other = thing.get(relation)
            if isinstance(other, Mapping) and is_organisation(other):
                yield other


def is_organisation(thing: Mapping[str, Any]) -> bool:
    return any(name in KINDS or name.endswith(("organization", "business")) for name in type_names(thing))


def same_as(page: BrandMarkup) -> list[str]:
    """Addresses that the page declares to be the same organisation or site elsewhere, or the person whose page it is.

    Beside an organisation a person is an author.
    """
    found: list[str] = []
    own = organisations(page)
    for thing in (*own, *page.declared.of_type("website", *(() if own else ("person",)))):
        value = thing.get("sameAs")
        listed = value if isinstance(value, list) else [value]
        found += [item.strip() for item in listed[:50] if isinstance(item, str) and item.strip()]
    return found


def letters(text: str) -> str:
    """Letters and digits alone, without case, accents and width: what two spellings of a name have in common."""
    folded = unicodedata.normalize("NFKD", text[:500]).casefold()
    return "".join(character for character in folded if character.isalnum())


def _site_name(page: BrandMarkup, domain: str) -> str:
    if declared := next(_site_names(page.declared), ""):
        return declared[:LONGEST_NAME]
    label = letters(domain.split(".")[0])
    parts = [part.strip() for part in TITLE_BREAK.split(page.title) if part.strip()]
    return next((part[:LONGEST_NAME] for part in parts if _confirms(label, letters(part))), "")


def _site_names(declared: DeclaredData) -> Iterator[str]:
    names = [declared.first(name) for name in ("og:site_name", "application-name", "apple-mobile-web-app-title")]
    names += [_text(site.get("name")) for site in declared.of_type("website")]
    return filter(None, (strip_markup(name[:LONGEST_LINE]) for name in names))


def _confirms(label: str, name: str) -> bool:
    """Whether a domain's first part is this name, or the name with a short ending such as `inc`."""
    is_start = label.startswith(name) and len(name) >= max(4, 0.6 * len(label))
    return bool(label) and (name == label or is_start)


def _text(value: Any) -> str:
    """A text without markup, also where it is given in a list or with its language."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, Mapping):
        value = value.get("@value") or value.get("name") or ""
    return (
        strip_markup(str(value)[:LONGEST_LINE]) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    )


def _place(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, Mapping):
        return _text(value)
    if isinstance(value.get("address"), Mapping):
        return _place(value["address"])
    parts = [_text(value.get(name)) for name in ("addressLocality", "addressRegion", "addressCountry")]
    return ", ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))
