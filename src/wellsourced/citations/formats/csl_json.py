"""CSL-JSON: what citation processors, Zotero, Pandoc and Crossref exchange.

Facts: the CSL 1.0.2 data schema. Real files have numbers for texts, texts for lists and dates in every shape, so
each item is read for itself and a member of an unexpected type is as good as absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.citations.formats.extra_fields import LONGEST_EXTRA, MOST_EXTRAS, page_range
from wellsourced.citations.person_names import parse_person_name, split_particle
from wellsourced.citations.reference import Name, Reference
from wellsourced.late_pattern import late_pattern
from wellsourced.text.identifiers import find_arxiv_id, find_doi, find_pmid, normalise_doi
from wellsourced.text.partial_dates import PartialDate, build_partial_date, parse_partial_date
from wellsourced.text.plain_text import strip_markup

LISTS = ("items", "references", "results", "data")
ITEM_START = late_pattern(r"(?:\A|[\[,}\n])\s{0,200}(?=\{\s{0,200}\")")
MOST_FAILURES = 100
DEEPEST_RAW = 2_000
SHORT_DOI = late_pattern(r"10/[0-9a-z]{3,12}", re.IGNORECASE)
SURROGATE_ESCAPE = late_pattern(r"\\u[dD][89a-fA-F]")
OWN_TEXT = """
    type title author editor issued container-title publisher volume issue page doi url isbn issn arxiv pmid
    edition publisher-place language accessed note keyword id citation-key custom
"""
OWN = frozenset(OWN_TEXT.split())
Problems = list[tuple[int, str]]


def read_csl_json(text: str, most: int) -> tuple[list[Reference], Problems]:
    """References in the order of the list, and a sentence for every item that is none."""
    found: list[Reference] = []
    problems: Problems = []
    has_halves = SURROGATE_ESCAPE.search(text) is not None
    for number, item in enumerate(_items(text, problems), start=1):
        if len(found) >= most:
            problems.append((number, f"Only the first {most} items were read."))
            break
        if not isinstance(item, dict):
            problems.append((number, f"Item {number} is not an object; a CSL item is one, with members such as title."))
        elif not item:
            problems.append((number, f"Item {number} is empty."))
        else:
            found.append(reference_from_item(_well_formed(item) if has_halves else item))
    return found, problems


def _well_formed(item: dict[str, Any]) -> Any:
    """Half of a surrogate pair, which an escape can bring in, becomes a question mark: no text of ours holds one."""
    return json.loads(json.dumps(item, ensure_ascii=False).encode("utf-8", "replace"))


def _items(text: str, problems: Problems) -> list[Any]:
    try:
        whole = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        problems.append(
            (1, f"The text is not valid JSON ({str(error)[:120]}); the items that could be read were kept.")
        )
        return list(_salvaged(text))
    if isinstance(whole, list):
        return whole
    if isinstance(whole, dict):
        return next((whole[name] for name in LISTS if isinstance(whole.get(name), list)), [whole])
    return [whole]


def _salvaged(text: str) -> Iterator[Any]:
    """Whole objects out of a damaged list; after many failures it is left alone."""
    decoder = json.JSONDecoder()
    position, failures = 0, 0
    while failures < MOST_FAILURES and (match := ITEM_START.search(text, position)) is not None:
        try:
            item, position = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            failures += 1
            position = match.end() + 1
            continue
        if "type" in item or "title" in item:
            yield item


def reference_from_item(item: Mapping[str, Any]) -> Reference:
    members = {_member(name): value for name, value in item.items() if isinstance(name, str)}
    date, undated = _date(members.get("issued"))
    authors = _names(members.get("author"))
    doi, url, note = _doi(members), text_of(members.get("url")), text_of(members.get("note"))
    return Reference(
        type=text_of(members.get("type")) or "document", title=text_of(members.get("title")), authors=authors,
        editors=_names(members.get("editor")), year=date.year if date else None, date=date,
        container=text_of(members.get("container-title")), publisher=text_of(members.get("publisher")),
        volume=text_of(members.get("volume")), issue=text_of(members.get("issue")),
        pages=page_range(text_of(members.get("page")) or "") or None, doi=doi, url=url,
        isbn=text_of(members.get("isbn")),
        issn=text_of(members.get("issn")), arxiv=_arxiv(members, note), pmid=_pmid(members, note),
        edition=text_of(members.get("edition")), place=text_of(members.get("publisher-place")),
        language=text_of(members.get("language")), accessed=_date(members.get("accessed"))[0], note=note,
        keywords=_keywords(members.get("keyword")),
        key=text_of(members.get("citation-key")) or text_of(members.get("id")),
        raw=json.dumps(item, ensure_ascii=False)[:LONGEST_EXTRA], et_al=bool(_custom(members).get("et-al")),
        extra=_extra(members) | undated,
    )  # fmt: skip


def text_of(value: Any) -> str | None:
    """Text or a number; of a list, its texts together. Formatting tags are taken out."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return str(value) if abs(value) < 1e15 else None
    if isinstance(value, list):
        return ", ".join(text for part in value[:20] if not isinstance(part, list) and (text := text_of(part))) or None
    if not isinstance(value, str):
        return None
    return "\n".join(line for part in value.split("\n") if (line := strip_markup(part))) or None


def _member(name: str) -> str:
    lowered = name.lower()
    return lowered if lowered in OWN else name


def _custom(members: Mapping[str, Any]) -> Mapping[str, Any]:
    custom = members.get("custom")
    return custom if isinstance(custom, dict) else {}


def names_from_text(text: str) -> tuple[Name, ...]:
    """People whom a reference has no field for, as `_extra` kept them, or in words."""
    if not text.startswith("["):
        return _names(text) if text else ()
    try:
        return _names(json.loads(text))
    except ValueError:
        return ()


def _names(value: Any) -> tuple[Name, ...]:
    values = (
        value
        if isinstance(value, list)
        else re.split(r"(?:(?<!\s)\s+)?;\s*", value)
        if isinstance(value, str)
        else [value]
    )
    return tuple(name for part in values if (name := _name(part)) is not None and name.display)


def _name(value: Any) -> Name | None:
    if isinstance(value, str):
        return parse_person_name(strip_markup(value))
    if not isinstance(value, dict):
        return None
    part = {name: text_of(value.get(name)) or "" for name in ("family", "given", "suffix", "literal", "name")}
    if part["literal"] or (part["name"] and not part["family"]):
        return Name(literal=part["literal"]) if part["literal"] else parse_person_name(part["name"])
    if not part["family"]:
        return Name(literal=part["given"])
    if value.get("isInstitution") or (value.get("fieldMode") == 1 and not part["given"]):
        return Name(literal=part["family"])
    particle, family = text_of(value.get("non-dropping-particle")) or "", part["family"]
    if "non-dropping-particle" not in value:
        particle, family = split_particle(family)
    given = " ".join(word for word in (part["given"], text_of(value.get("dropping-particle"))) if word)
    return Name(family=family, given=given, particle=particle, suffix=part["suffix"])


def _date(value: Any) -> tuple[PartialDate | None, dict[str, str]]:
    """The (first) date, and under `issued` what it says beyond that: a range, a season, or words."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return _told(parse_partial_date(str(value)), str(value))
    if not isinstance(value, dict):
        return None, {}
    parts = [part for part in _lists(value.get("date-parts")) if part]
    date = (
        build_partial_date(*parts[0][:3])
        if parts
        else build_partial_date(value.get("year"), value.get("month"), value.get("day"))
    )
    words = next((text for name in ("raw", "literal", "string") if (text := text_of(value.get(name)))), None)
    if date is None and words:
        return _told(parse_partial_date(words), words)
    more = [made.iso for part in parts[1:2] if (made := build_partial_date(*part[:3]))]
    season = text_of(value.get("season"))
    notes = ([f"{date.iso}/{more[0]}"] if date and more else []) + ([f"season {season}"] if season else [])
    notes += ["circa"] if value.get("circa") else []
    return date, ({"issued": ", ".join(notes)} if notes else {})


def _told(date: PartialDate | None, words: str) -> tuple[PartialDate | None, dict[str, str]]:
    return date, ({} if date and date.iso == words.strip() else {"issued": strip_markup(words)})


def _lists(value: Any) -> list[list[Any]]:
    values = value if isinstance(value, list) else []
    if values and not isinstance(values[0], list):
        values = [values]
    return [part for part in values if isinstance(part, list)]


def _doi(members: Mapping[str, Any]) -> str | None:
    written = text_of(members.get("doi")) or ""
    short = written.lower().removeprefix("https://doi.org/")
    return normalise_doi(written) or find_doi(written) or (short if SHORT_DOI.fullmatch(short) else None)


def _arxiv(members: Mapping[str, Any], note: str | None) -> str | None:
    number = text_of(members.get("number")) or ""
    return find_arxiv_id(text_of(members.get("arxiv")) or text_of(_custom(members).get("arxiv")) or "") or (
        find_arxiv_id(number) if number.lower().startswith("arxiv") else find_arxiv_id(f"{note or ''}")
    )


def _pmid(members: Mapping[str, Any], note: str | None) -> str | None:
    own = text_of(members.get("pmid")) or ""
    return own if own.isdigit() else find_pmid(own) or find_pmid(note or "")


def _keywords(value: Any) -> tuple[str, ...]:
    text = text_of(value) if isinstance(value, str) else None
    if text is not None:
        value = text.split(";" if ";" in text else ",")
    words = (strip_markup(word) for word in (value if isinstance(value, list) else []) if isinstance(word, str))
    return tuple(dict.fromkeys(word for word in words if word))[:500]


def _extra(members: Mapping[str, Any]) -> dict[str, str]:
    left = {name: value for name, value in members.items() if name not in OWN}
    left |= {name: value for name, value in _custom(members).items() if name not in {"et-al", "arxiv"}}
    texts: dict[str, str] = {}
    for name, value in list(left.items())[:MOST_EXTRAS]:
        text = text_of(value) or (
            json.dumps(value, ensure_ascii=False)[:DEEPEST_RAW] if isinstance(value, dict | list) and value else ""
        )
        if text:
            texts[name] = text[:LONGEST_EXTRA]
    if members.get("doi") and not _doi(members):
        texts["DOI"] = text_of(members["doi"]) or ""
    return {name: text for name, text in texts.items() if text}
