"""RIS bibliographies in the dialects of EndNote, Zotero, Mendeley, Reference Manager, Scopus, Citavi and publishers.

Facts: the RIS specification of Reference Manager, EndNote's tag table, and what exporters really write. DA tells the
date before PY, and PY before Y1; T2 is the container except for books, where it is the series.
"""

from __future__ import annotations

import re

from wellsourced.citations.formats.extra_fields import CSL_OF_RIS, LONGEST_EXTRA, MOST_EXTRAS, page_range
from wellsourced.citations.formats.ris_lines import RisRecord, split_records
from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.identifiers import find_arxiv_id, find_doi, find_pmid, is_isbn, normalise_doi
from wellsourced.text.partial_dates import PartialDate, parse_partial_date
from wellsourced.text.plain_text import strip_markup

TYPES = {
    "JOUR": "article-journal", "EJOU": "article-journal", "JFULL": "article-journal", "ABST": "article-journal",
    "INPR": "article-journal", "MGZN": "article-magazine", "NEWS": "article-newspaper", "BOOK": "book", "EBOOK": "book",
    "EDBOOK": "book", "SER": "book", "CLSWK": "classic", "ANCIENT": "classic", "CHAP": "chapter", "ECHAP": "chapter",
    "ENCYC": "entry-encyclopedia", "DICT": "entry-dictionary", "CONF": "paper-conference", "CPAPER": "paper-conference",
    "THES": "thesis", "RPRT": "report", "GOVDOC": "report", "STAND": "standard", "PAT": "patent", "ELEC": "webpage",
    "ICOMM": "webpage", "WEB": "webpage", "BLOG": "post-weblog", "COMP": "software", "DATA": "dataset",
    "AGGR": "dataset",
    "UNPB": "manuscript", "MANSCPT": "manuscript", "PCOMM": "personal_communication", "CASE": "legal_case",
    "BILL": "bill", "UNBILL": "bill", "STAT": "legislation", "LEGAL": "legislation", "HEAR": "hearing", "MAP": "map",
    "MPCT": "motion_picture", "VIDEO": "motion_picture", "ADVS": "motion_picture", "SOUND": "song",
    "MUSIC": "musical_score",
    "ART": "graphic", "FIGURE": "figure", "CHART": "figure", "SLIDE": "graphic", "PAMP": "pamphlet", "EQUA": "document",
    "GRANT": "document", "DBASE": "dataset", "CTLG": "book", "GEN": "document", "PREPRINT": "article",
}  # fmt: skip
NAMED_TYPES = {
    "journal article": "article-journal", "article": "article-journal", "book": "book", "book section": "chapter",
    "conference proceedings": "paper-conference", "conference paper": "paper-conference", "thesis": "thesis",
    "report": "report", "web page": "webpage", "webpage": "webpage", "newspaper article": "article-newspaper",
}  # fmt: skip
BOOKS = ("book", "classic")
AUTHORS = ("AU", "A1")
TITLES = ("TI", "T1", "CT")
CONTAINERS = ("T2", "JF", "BT", "JO", "J1", "JA", "J2")
NOT_A_NAME = re.compile(r"\A\s*(?:et al\.?|others)\s*\Z", re.IGNORECASE)
NUMBER_OF = re.compile(r"([0-9]{1,9})\[pmid\]")
ISSN = re.compile(r"\b[0-9]{4}-?[0-9]{3}[0-9Xx]\b")
NOTES = ("N1", "RN")


class RisTags:
    """The values of a record by tag; what nobody took is left for `extra`."""

    def __init__(self, record: RisRecord) -> None:
        self.values: dict[str, list[list[str]]] = {}
        for tag, lines in record.values:
            self.values.setdefault(tag, []).append(lines)

    def first(self, *tags: str) -> str | None:
        """The first value that says something; its other values stay."""
        for tag in tags:
            for position, lines in enumerate(self.values.get(tag, [])):
                text = strip_markup(" ".join(lines))
                if text:
                    del self.values[tag][position]
                    return text
        return None

    def all(self, *tags: str) -> list[str]:
        taken = [lines for tag in tags for lines in self.values.pop(tag, [])]
        return [text for lines in taken if (text := strip_markup(" ".join(lines)))]

    def lines(self, *tags: str) -> list[str]:
        taken = [line for tag in tags for lines in self.values.pop(tag, []) for line in lines]
        return [text for line in taken if (text := strip_markup(line))]

    def peek(self, *tags: str) -> str:
        return " ".join(line for tag in tags for lines in self.values.get(tag, []) for line in lines)


def read_ris(text: str, most: int) -> tuple[list[Reference], list[tuple[int, str]]]:
    """References in the order of the file, and a sentence for every record that was damaged."""
    found: list[Reference] = []
    problems: list[tuple[int, str]] = []
    for record in split_records(text):
        if len(found) >= most:
            problems.append((record.line, f"Only the first {most} records were read."))
            break
        read = reference_from_tags(record)
        found += [read] if read else []
        problems += _problem(record, read)
    return found, problems


def reference_from_tags(record: RisRecord) -> Reference | None:
    tags = RisTags(record)
    type_ = _type(tags)
    authors, et_al = _authors(record, tags)
    date, written = _date(tags)
    title = tags.first(*TITLES) or (tags.first("BT", "T2") if type_ in BOOKS else None)
    doi = _doi(tags)
    read = Reference(
        type=type_, title=title, authors=authors, editors=_people(tags.lines("A2", "ED")), et_al=et_al,
        year=date.year if date else None, date=date, container=_container(tags, type_),
        publisher=tags.first("PB"), volume=tags.first("VL", "VO"), issue=_issue(tags, type_), pages=_pages(tags),
        doi=doi, url=_address(tags), isbn=_numbers(tags, True, type_), issn=_numbers(tags, False, type_),
        arxiv=_arxiv(tags), pmid=_pmid(tags), edition=tags.first("ET"), place=tags.first("CY", "PP"),
        language=tags.first("LA"),
        accessed=_accessed(tags, type_), note="\n".join(tags.lines(*NOTES)) or None, keywords=_keywords(tags),
        key=tags.first("ID", "LB"), raw="\n".join(record.raw)[:LONGEST_EXTRA], extra=_extra(tags) | written,
    )  # fmt: skip
    return read if read.identifies_something or read.container or read.note or read.extra else None


def _problem(record: RisRecord, read: Reference | None) -> list[tuple[int, str]]:
    if read is None:
        return [(record.line, "The record says nothing about a work.")]
    if not any(tag == "TY" for tag, _ in record.values):
        return [(record.line, "The record has no type (TY); the rest of it was read.")]
    return [] if record.has_end else [(record.line, "The record does not end (ER is missing); what is there was read.")]


def _type(tags: RisTags) -> str:
    declared = [value.strip() for value in tags.all("TY")]
    own = tags.first("X0")
    last = declared[-1] if declared else ""
    return own or TYPES.get(last.upper()) or NAMED_TYPES.get(last.casefold()) or "document"


def _authors(record: RisRecord, tags: RisTags) -> tuple[tuple[Name, ...], bool]:
    """AU and A1 in the order in which they stand, for exporters mix them."""
    values = [" ".join(lines) for tag, lines in record.values if tag in AUTHORS]
    tags.all(*AUTHORS)
    names = [value for value in values if not NOT_A_NAME.match(value)]
    return _people(names), len(names) < len(values)


def _people(values: list[str]) -> tuple[Name, ...]:
    names = [_name(text) for value in values for part in _several(value) if (text := strip_markup(part))]
    return tuple(name for name in names if name.display)


def _several(value: str) -> list[str]:
    return value.split(";") if ";" in value else [value]


def _name(text: str) -> Name:
    """A comma at the end marks an organisation, and two commas are one inside its name, as in EndNote."""
    if text.endswith(",") and (",," in text or text.count(",") == 1):
        return Name(literal=text[:-1].replace(",,", ","))
    return parse_person_name(text.rstrip(","))


def _date(tags: RisTags) -> tuple[PartialDate | None, dict[str, str]]:
    written = {tag: value for tag in ("DA", "PY", "Y1") if (value := tags.first(tag))}
    dates = {tag: parse_partial_date(value) for tag, value in written.items()}
    best = dates.get("DA") or dates.get("PY") or dates.get("Y1")
    finer = next((date for date in dates.values() if best and date and date.year == best.year and date.month), best)
    finer = finer if best is None or best.month is None else best
    strange = " ".join(value for tag, value in written.items() if dates[tag] is None and value.strip("0/"))
    return finer, ({"issued": strange} if strange and finer is None else {})


def _address(tags: RisTags) -> str | None:
    """The first address: some programs write several into one field, with semicolons between them."""
    text = tags.first("UR", "L2")
    first, separator, rest = (text or "").partition("; ")
    return first.strip() if separator and rest.lstrip().startswith(("http://", "https://")) else text


def _accessed(tags: RisTags, type_: str) -> PartialDate | None:
    """When it was looked at. For patents Y2 is the date of the application."""
    text = tags.first(*(("RD",) if type_ == "patent" else ("Y2", "RD")))
    return parse_partial_date(text) if text else None


def _container(tags: RisTags, type_: str) -> str | None:
    if type_ in BOOKS:
        series = tags.first("T2")
        if series and not tags.peek("T3"):
            tags.values["T3"] = [[series]]
        return None
    return tags.first(*CONTAINERS)


def _issue(tags: RisTags, type_: str) -> str | None:
    """EndNote has the number of an article's issue in M1."""
    is_number = tags.peek("M1").strip().isdigit() and type_.startswith("article")
    return tags.first("IS", "CP", *(["M1"] if is_number else []))


def _pages(tags: RisTags) -> str | None:
    start, end = tags.first("SP"), tags.first("EP")
    if start and end and end != start:
        return f"{page_range(start)}–{page_range(end)}"
    return page_range(start or end or "") or None


def _doi(tags: RisTags) -> str | None:
    """DO, or a DOI in one of the fields where exporters hide it."""
    own = tags.first("DO", "DI")
    found = (normalise_doi(own) or find_doi(own)) if own else ""
    if own and not found:
        tags.values.setdefault("DOI", []).append([own])
    return found or find_doi(tags.peek("M3", "L3", "N1", "UR")[:5_000])


def _numbers(tags: RisTags, wants_isbn: bool, type_: str) -> str | None:
    """SN holds both; which it is shows in the checksum, or else in the type."""
    kept: list[str] = []
    left: list[list[str]] = []
    for lines in tags.values.get("SN", []):
        value = strip_markup(" ".join(lines))
        digits = "".join(character for character in value if character.isalnum())
        looks_isbn = (
            is_isbn(digits[:13]) or is_isbn(digits[:10]) or not (ISSN.search(value) or type_ not in (*BOOKS, "chapter"))
        )
        (kept.append(value) if looks_isbn == wants_isbn and value else left.append(lines))
    tags.values["SN"] = left
    return ", ".join(kept) or None


def _arxiv(tags: RisTags) -> str | None:
    found = find_arxiv_id(tags.peek("C7", "AN", "M1"))
    if found:
        tags.values = {
            tag: [lines for lines in values if found not in " ".join(lines)] for tag, values in tags.values.items()
        }
    return found


def _pmid(tags: RisTags) -> str | None:
    own = tags.first("PM")
    if own and own.isdigit():
        return own
    marked = NUMBER_OF.search(tags.peek("U1", "U2", "C1")[:500])
    accession = tags.peek("AN").strip()
    if marked is None and "pubmed" in tags.peek("DB", "DP").casefold() and accession.isdigit():
        return accession
    return marked[1] if marked else find_pmid(tags.peek("N1", "AN")[:2_000])


def _keywords(tags: RisTags) -> tuple[str, ...]:
    words = [word.strip() for line in tags.lines("KW") for word in line.split(";")]
    return tuple(dict.fromkeys(word for word in words if word))[:500]


def _extra(tags: RisTags) -> dict[str, str]:
    named = {"N2": "abstract"}
    left: dict[str, str] = {}
    for tag, values in list(tags.values.items())[:MOST_EXTRAS]:
        lines = [text for value in values if (text := strip_markup(" ".join(value)))]
        for line in lines:
            own, _, rest = line.partition(" = ")
            is_ours = tag == "C8" and rest and " " not in own
            name = own if is_ours else named.get(tag) or CSL_OF_RIS.get(tag, tag)
            text = rest if is_ours else line
            left[name] = f"{left[name]}\n{text}" if name in left else text
    return {name: text[:LONGEST_EXTRA] for name, text in left.items()}
