"""Who the page says it belongs to: name, tagline, description, year, place; and its own profiles elsewhere.

schema.org's Organization is the authority; a page's meta tags come next. A title counts as a name only where the
domain confirms it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.model.brand import Findings, Value
from wellsourced.readers.brand.lines import clean
from wellsourced.readers.brand.page import BrandMarkup
from wellsourced.readers.structured import Declared, type_names

KIND_NAMES = (
    "corporation ngo localbusiness brand onlinebusiness onlinestore store airline library project school"
    " collegeoruniversity university hospital restaurant hotel professionalservice financialservice bank"
)
KINDS = frozenset(KIND_NAMES.split())
TITLE_BREAK = re.compile(r"\s+[|•·»«–—:-]\s+|\s*[|»«]\s*|:\s+")
LONGEST_NAME = 120
LONGEST_TEXT = 1000


def identity(page: BrandMarkup, domain: str) -> Findings:
    values: dict[str, Value] = {}
    told: Mapping[str, Any] = next(organisations(page.declared), {})
    found = {
        "name": _text(told.get("name"))[:LONGEST_NAME] or _site_name(page, domain),
        "tagline": _text(told.get("slogan")),
        "description": _text(told.get("description")) or page.declared.first("description", "og:description"),
        "industry": _text(told.get("industry")),
        "founded": _text(told.get("foundingDate")),
        "location": _place(told.get("address") or told.get("location")),
    }
    values |= {f"identity.{name}": clean(text)[:LONGEST_TEXT] for name, text in found.items() if clean(text)}
    return Findings(tier="homepage_meta", url=page.url, values=values)


def organisations(declared: Declared) -> Iterator[Mapping[str, Any]]:
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


def same_as(declared: Declared) -> list[str]:
    """Addresses that the page declares to be the same organisation or site elsewhere."""
    found: list[str] = []
    for thing in (*organisations(declared), *declared.of_type("website", "person")):
        value = thing.get("sameAs")
        listed = value if isinstance(value, list) else [value]
        found += [item.strip() for item in listed[:50] if isinstance(item, str) and item.strip()]
    return found


def letters(text: str) -> str:
    """Letters and digits alone, without case, accents and width: what two spellings of a name have in common."""
    plain = unicodedata.normalize("NFKD", text[:500]).casefold()
    return "".join(character for character in plain if character.isalnum())


def _site_name(page: BrandMarkup, domain: str) -> str:
    declared = clean(page.declared.first("og:site_name", "application-name", "apple-mobile-web-app-title"))
    if declared:
        return declared[:LONGEST_NAME]
    for site in page.declared.of_type("website"):
        if name := clean(_text(site.get("name"))):
            return name[:LONGEST_NAME]
    label = letters(domain.split(".")[0])
    parts = [part.strip() for part in TITLE_BREAK.split(page.title) if part.strip()]
    return next((part[:LONGEST_NAME] for part in parts if _confirms(label, letters(part))), "")


def _confirms(label: str, name: str) -> bool:
    """Whether a domain's first part is this name, or the name with a short ending such as `inc`."""
    is_start = label.startswith(name) and len(name) >= max(4, 0.6 * len(label))
    return bool(label) and (name == label or is_start)


def _text(value: Any) -> str:
    """A text, also where it is given in a list or with its language."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, Mapping):
        value = value.get("@value") or value.get("name") or ""
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _place(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, Mapping):
        return _text(value)
    if isinstance(value.get("address"), Mapping):
        return _place(value["address"])
    parts = [_text(value.get(name)) for name in ("addressLocality", "addressRegion", "addressCountry")]
    return ", ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))
