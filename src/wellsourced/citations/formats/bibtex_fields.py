"""The fields of one BibTeX entry as a reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from wellsourced.citations.formats.extra_fields import CSL_OF_BIBTEX, LONGEST_EXTRA, MOST_EXTRAS, page_range
from wellsourced.citations.person_names import SUFFIX, are_initials, is_corporate, name_in_reading_order
from wellsourced.citations.reference import Name, Reference
from wellsourced.late_pattern import late_pattern
from wellsourced.text.identifiers import find_arxiv_id, find_doi, find_pmid, normalise_doi
from wellsourced.text.latex import decode_latex
from wellsourced.text.partial_dates import PartialDate, build_partial_date, parse_partial_date
from wellsourced.text.plain_text import strip_markup

TYPES = {
    "article": "article-journal", "periodical": "article-journal", "suppperiodical": "article-journal", "book": "book",
    "mvbook": "book", "collection": "book", "mvcollection": "book", "proceedings": "book", "mvproceedings": "book",
    "booklet": "pamphlet", "manual": "book", "reference": "book", "inbook": "chapter", "incollection": "chapter",
    "suppbook": "chapter", "suppcollection": "chapter", "bookinbook": "chapter", "inreference": "entry-encyclopedia",
    "inproceedings": "paper-conference", "conference": "paper-conference", "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis", "techreport": "report", "report": "report", "online": "webpage", "electronic": "webpage",
    "www": "webpage", "webpage": "webpage", "web_page": "webpage", "unpublished": "manuscript", "patent": "patent",
    "software": "software", "softwareversion": "software", "softwaremodule": "software", "codefragment": "software",
    "dataset": "dataset", "misc": "document", "newspaper": "article-newspaper", "magazine": "article-magazine",
    "preprint": "article", "jurisdiction": "legal_case", "legislation": "legislation", "legal": "legislation",
    "movie": "motion_picture", "video": "motion_picture", "audio": "song", "artwork": "graphic", "image": "graphic",
    "letter": "personal_communication", "standard": "standard", "performance": "performance", "review": "review",
}  # fmt: skip
GENRES = {"phdthesis": "PhD thesis", "mastersthesis": "Master's thesis"}
CONTAINERS = ("journaltitle", "journal", "booktitle", "maintitle", "eventtitle", "organization_site")
PUBLISHERS = ("publisher", "institution", "school", "university", "organization", "company")
PLACES = ("address", "location", "city")
LANGUAGES = ("language", "langid", "hyphenation")
# In these a backslash or a percent sign is meant literally.
VERBATIM_TEXT = "url doi file pdf eprint eprinttype archiveprefix primaryclass adsurl biburl urldate isbn issn ids"
VERBATIM = frozenset(VERBATIM_TEXT.split())
ARTICLES = ("article", "article-journal", "article-magazine", "article-newspaper")
PAIRS_SUBTITLE = (("title", "subtitle"), ("booktitle", "booksubtitle"), ("journaltitle", "journalsubtitle"))
UNESCAPED = late_pattern(r"\\([&%#_~{}$])")
URL_COMMAND = late_pattern(r"\\(?:url|path)\s{0,9}\{([^{}]{1,2000})\}")
PARAGRAPH = late_pattern(r"(?<![ \t])[ \t]*+\n[ \t\r]*+(?:\n[ \t\r]*+)+")
# Far beyond any abstract.
LONGEST_VALUE = 200_000
SHORT_DOI = late_pattern(r"10/[0-9a-z]{3,12}")
MOST_NAMES = 3_000
LONGEST_NAME = 2_000
AND = late_pattern(r"(?<!\s)\s+and(?=\s)|\A\s*and(?=\s)|(?<!\s)\s+and\s*\Z", re.IGNORECASE)
KEYED = late_pattern(r"(?<![a-z])(family|given|prefix|suffix)(?:-i)?\s{0,5}=\s{0,5}([^,]{0,200})")
SPECIAL = late_pattern(r"(?:(?<!\s)\s+)?\{\\")


class BibtexFields:
    """Values by name; each is taken once, and what nobody took is left for `extra`."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = dict(values)

    def raw(self, *names: str) -> str:
        """The first that says something, as written."""
        taken = [(name, self.values.pop(name)) for name in names if self.values.get(name, "").strip()]
        for name, value in taken[1:]:
            self.values[name] = value
        return taken[0][1] if taken else ""

    def text(self, *names: str) -> str | None:
        return readable(self.raw(*names)) or None

    def verbatim(self, *names: str) -> str | None:
        return literal(self.raw(*names)) or None


def readable(value: str) -> str:
    """Decoded, each paragraph on one line."""
    if not value:
        return ""
    lines = (strip_markup(decode_latex(part)) for part in PARAGRAPH.split(value[:LONGEST_VALUE].replace("\r\n", "\n")))
    return "\n".join(line for line in lines if line)


def literal(value: str) -> str:
    """An address or an identifier: only the escapes are undone."""
    if not value:
        return ""
    match = URL_COMMAND.search(value)
    text = match[1] if match else value.strip().removeprefix("{").removesuffix("}")
    return UNESCAPED.sub(r"\1", " ".join(text.split()))


def reference_from_fields(kind: str, key: str, values: Mapping[str, str], raw: str) -> Reference:
    fields = BibtexFields(values)
    type_ = TYPES.get(kind, "document")
    _join_subtitles(fields)
    date, undated = _date(fields)
    url, note = _address(fields)
    authors, et_al = parse_bibtex_names(fields.raw("author"))
    editors, _ = parse_bibtex_names(fields.raw("editor"))
    is_article = type_ in ARTICLES
    return Reference(
        type=_refined(kind, type_, fields, url), title=fields.text("title"), authors=authors, editors=editors,
        et_al=et_al,
        year=date.year if date else None, date=date, container=_container(fields, type_),
        publisher=fields.text(*PUBLISHERS),
        volume=fields.text("volume"), issue=fields.text("number", "issue") if is_article else fields.text("issue"),
        pages=_pages(fields), doi=_doi(fields), url=url, isbn=fields.verbatim("isbn"), issn=fields.verbatim("issn"),
        arxiv=_arxiv(fields), pmid=_pmid(fields, note), edition=fields.text("edition"), place=fields.text(*PLACES),
        language=fields.text(*LANGUAGES), accessed=_day(fields.verbatim("urldate", "lastchecked", "accessed",
        "lastvisited")),
        note=note, keywords=keywords(fields.text("keywords", "keyword", "tags") or ""), key=key or None, raw=raw,
        extra=_extra(fields, kind) | undated,
    )  # fmt: skip


def keywords(text: str) -> tuple[str, ...]:
    mark = ";" if ";" in text else ","
    return tuple(dict.fromkeys(word for part in text.split(mark) if (word := part.strip())))[:500]


def _join_subtitles(fields: BibtexFields) -> None:
    for title, subtitle in PAIRS_SUBTITLE:
        if fields.values.get(title) and fields.values.get(subtitle):
            joint = " " if fields.values[title].rstrip("} ").endswith(("?", "!", ":", ".")) else ": "
            fields.values[title] += joint + fields.values.pop(subtitle)


def _refined(kind: str, type_: str, fields: BibtexFields, url: str | None) -> str:
    """What `@misc` and a few others really are, where the entry says so."""
    declared = fields.values.get("x-type", "").strip()
    if declared:
        return str(fields.values.pop("x-type")).strip()
    if kind in {"misc", "unpublished"} and (fields.values.get("eprint") or fields.values.get("archiveprefix")):
        return "article"
    return "webpage" if kind == "misc" and url and not fields.values.get("doi") else type_


def _container(fields: BibtexFields, type_: str) -> str | None:
    if type_ == "book" and not fields.values.get("journal"):
        return None if fields.values.get("title") else fields.text("booktitle")
    return fields.text(*CONTAINERS)


def _pages(fields: BibtexFields) -> str | None:
    text = fields.text("pages", "eid", "article-number")
    return page_range(text) or None if text else None


def _date(fields: BibtexFields) -> tuple[PartialDate | None, dict[str, str]]:
    """The date, and under `issued` what was written when that says more or something else."""
    whole, year = literal(fields.raw("date")), literal(fields.raw("year"))
    month, day = readable(fields.raw("month")), literal(fields.raw("day"))
    date = parse_partial_date(whole) or _composed(year, month, day)
    written = whole or " ".join(part for part in (year, month) if part)
    is_told = date is None or "/" in whole or (whole[len(date.iso) :].strip() != "" and whole[:4] == date.iso[:4])
    return date, ({"issued": written} if written and is_told else {})


def _composed(year: str, month: str, day: str) -> PartialDate | None:
    date = parse_partial_date(year)
    if date is None or date.month is not None or not month:
        return date
    digits = re.search(r"[0-9]{1,2}", month)
    is_number = month.strip().isdigit()
    return build_partial_date(date.year, month, day or (digits[0] if digits and not is_number else None))


def _day(text: str | None) -> PartialDate | None:
    return parse_partial_date(text) if text else None


def _address(fields: BibtexFields) -> tuple[str | None, str | None]:
    """The address and the note; `howpublished` is one or the other."""
    url, note, how = fields.verbatim("url"), fields.raw("note"), fields.raw("howpublished")
    match = URL_COMMAND.search(how) or re.search(r"(https?://[^\s{}]{3,2000})", how)
    if match:
        url = url or literal(match[1])
    elif how:
        fields.values["organization_site"] = how
    inside = URL_COMMAND.search(note)
    return url or (literal(inside[1]) if inside else None), readable(note) or None


def _doi(fields: BibtexFields) -> str | None:
    written = fields.verbatim("doi") or ""
    short = written.lower().removeprefix("https://doi.org/")
    found = normalise_doi(written) or find_doi(written) or (short if SHORT_DOI.fullmatch(short) else None)
    if written and not found:
        fields.values["DOI"] = written
    return found


def _arxiv(fields: BibtexFields) -> str | None:
    archive = (fields.values.get("archiveprefix") or fields.values.get("eprinttype") or "").strip().lower()
    own = literal(fields.values.get("arxivid") or fields.values.get("arxiv") or "")
    eprint = literal(fields.values.get("eprint", ""))
    found = find_arxiv_id(own) or (find_arxiv_id(eprint) if archive in {"arxiv", ""} else None)
    if found:
        for name in ("archiveprefix", "eprinttype", "arxivid", "arxiv", "eprint"):
            fields.values.pop(name, None)
    return found


def _pmid(fields: BibtexFields, note: str | None) -> str | None:
    own = fields.values.get("pmid", "").strip(" {}")
    if own.isdigit():
        del fields.values["pmid"]
        return own
    eprint = fields.values.get("eprint", "").strip(" {}")
    if fields.values.get("eprinttype", "").lower() in {"pubmed", "pmid"} and eprint.isdigit():
        return eprint
    return find_pmid(note or "")


def _extra(fields: BibtexFields, kind: str) -> dict[str, str]:
    left: dict[str, str] = {}
    for name, value in list(fields.values.items())[:MOST_EXTRAS]:
        is_literal = name in VERBATIM or name.startswith(("bdsk-", "date-"))
        text = (literal if is_literal else readable)(value[:LONGEST_EXTRA])
        if text:
            left[CSL_OF_BIBTEX.get(name, name)] = text
    if kind in GENRES:
        left.setdefault("genre", GENRES[kind])
    return left


def parse_bibtex_names(value: str) -> tuple[tuple[Name, ...], bool]:
    """The names, and whether the list ends with `and others`."""
    parts = [part.strip().strip(",;").strip() for part in _outside_braces(" ".join(value.split()))[:MOST_NAMES]]
    others = bool(parts) and parts[-1].lower() in {"others", "et al.", "et al"}
    names = (parse_bibtex_name(part) for part in (parts[:-1] if others else parts) if part)
    return tuple(name for name in names if name.display), others


def parse_bibtex_name(text: str) -> Name:
    text = text[:LONGEST_NAME]
    if _is_whole_group(text) or (text.startswith("{") and _is_whole_group(text.split(",")[0]) and text.endswith(",")):
        return Name(literal=_clean(text.rstrip(",")))
    keyed = dict(KEYED.findall(text))
    if "family" in keyed:
        parts = {name: _clean(part) for name, part in keyed.items()}
        return Name(family=parts["family"], given=parts.get("given", ""), particle=parts.get("prefix", ""),
                    suffix=parts.get("suffix", ""))  # fmt: skip
    pieces = _split_commas(text)
    if len(pieces) == 1:
        return _without_comma(text)
    if (
        len(pieces) == 2
        and SUFFIX.fullmatch(_clean(pieces[1]))
        and not are_initials(_clean(pieces[0]), _clean(pieces[1]))
    ):
        name = _without_comma(pieces[0])
        return Name(
            family=name.family, given=name.given, particle=name.particle, literal=name.literal, suffix=_clean(pieces[1])
        )
    return _with_commas(pieces)


def _with_commas(pieces: list[str]) -> Name:
    family, given = pieces[0], pieces[-1]
    suffix = pieces[1] if len(pieces) > 2 else ""
    particle, bare = ("", _clean(family)) if _is_whole_group(family) else _particle(family)
    return Name(family=bare, given=_clean(given), particle=particle, suffix=_clean(suffix))


def _particle(family: str) -> tuple[str, str]:
    """Words in braces are never particles."""
    words = _words(family)
    count = 0
    while count < len(words) - 1 and _clean(words[count])[:1].islower() and not words[count].startswith("{"):
        count += 1
    return _clean(" ".join(words[:count])), _clean(" ".join(words[count:]))


def _without_comma(text: str) -> Name:
    words = _words(text)
    clean = _clean(text)
    if len(words) == 1:
        return Name(family=clean)
    if is_corporate(clean) and not any(_is_whole_group(word) for word in words):
        return Name(literal=clean)
    if _is_whole_group(words[-1]):
        return Name(family=_clean(words[-1]), given=_clean(" ".join(words[:-1])))
    return name_in_reading_order([cleaned for word in words if (cleaned := _clean(word))] or [clean])


def _clean(text: str) -> str:
    return strip_markup(decode_latex(text))


def _is_whole_group(text: str) -> bool:
    """`{Barnes and Noble}`, but not `{\\'E}mile`, nor `{A} and {B}`."""
    if not text.startswith("{") or SPECIAL.match(text):
        return False
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return position == len(text) - 1
    return False


def _outside_braces(value: str) -> list[str]:
    """Split at `and` outside braces."""
    parts, start = [], 0
    spans = _levels(value)
    for match in AND.finditer(value):
        if spans[match.start()] == 0 and spans[match.end() - 1] == 0:
            parts.append(value[start : match.start()])
            start = match.end()
    return [*parts, value[start:]]


def _levels(value: str) -> list[int]:
    depth, levels = 0, []
    for character in value:
        depth = max(0, depth + (character == "{") - (character == "}"))
        levels.append(depth)
    return levels or [0]


def _split_commas(text: str) -> list[str]:
    return _split(text, lambda character: character == ",")


def _words(text: str) -> list[str]:
    return [word for word in _split(text, lambda character: character.isspace() or character == "~") if word]


def _split(text: str, is_mark: Callable[[str], bool]) -> list[str]:
    parts, start, depth = [], 0, 0
    for position, character in enumerate(text):
        depth = max(0, depth + (character == "{") - (character == "}"))
        if depth == 0 and is_mark(character):
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]
