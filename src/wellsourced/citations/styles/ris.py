"""RIS records that our reader reads back to the same reference; every value is one line, so none can begin a tag."""

from __future__ import annotations

from wellsourced.citations.formats.extra_fields import RIS_OF_CSL
from wellsourced.citations.formats.ris import TYPES
from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibtex import escape_controls

KINDS = {
    "article-journal": "JOUR", "article-magazine": "MGZN", "article-newspaper": "NEWS", "book": "BOOK",
    "classic": "CLSWK",
    "chapter": "CHAP", "paper-conference": "CPAPER", "thesis": "THES", "report": "RPRT", "webpage": "ELEC",
    "post-weblog": "BLOG", "software": "COMP", "dataset": "DATA", "manuscript": "UNPB", "patent": "PAT", "map": "MAP",
    "legal_case": "CASE", "bill": "BILL", "legislation": "STAT", "hearing": "HEAR", "standard": "STAND",
    "entry-encyclopedia": "ENCYC", "entry-dictionary": "DICT", "motion_picture": "MPCT", "song": "SOUND",
    "graphic": "ART", "figure": "FIGURE", "personal_communication": "PCOMM", "pamphlet": "PAMP", "article": "PREPRINT",
}  # fmt: skip
TEXTS = (
    ("VL", "volume"), ("IS", "issue"), ("PB", "publisher"), ("CY", "place"), ("ET", "edition"), ("LA", "language"),
    ("DO", "doi"), ("UR", "url"), ("PM", "pmid"),
)  # fmt: skip


def format_record(reference: Reference, key: str) -> str:
    kind = KINDS.get(reference.type, "GEN")
    lines = [("TY", kind), ("ID", key)]
    lines += [("X0", reference.type)] if TYPES.get(kind) != reference.type else []
    lines += [("TI", reference.title)] if reference.title else []
    lines += [("AU", _name(name)) for name in reference.authors] + ([("AU", "et al.")] if reference.et_al else [])
    lines += [("A2", _name(name)) for name in reference.editors]
    lines += _dates(reference) + _places(reference)
    lines += [(tag, value) for tag, field in TEXTS if (value := getattr(reference, field))]
    lines += [
        ("SN", number) for numbers in (reference.isbn, reference.issn) if numbers for number in numbers.split(", ")
    ]
    lines += [("C7", f"arXiv:{reference.arxiv}")] if reference.arxiv else []
    lines += [("KW", word) for word in reference.keywords]
    lines += [("N1", line) for line in (reference.note or "").split("\n") if line]
    text = "".join(f"{tag}  - {_one_line(value)}\n" for tag, value in lines + _extra(reference) if value)
    return f"{text}ER  - "


def _one_line(value: str) -> str:
    return escape_controls(" ".join(value.split()))


def _name(name: Name) -> str:
    """A comma at the end marks what must not be taken apart; commas inside it are doubled."""
    if not name.literal:
        return ", ".join(part for part in (name.surname, name.given, name.suffix) if part)
    is_safe = parse_person_name(name.literal) == name and ";" not in name.literal and "," not in name.literal
    return name.literal if is_safe else f"{name.literal.replace(',', ',,')},"


def _dates(reference: Reference) -> list[tuple[str, str]]:
    lines = [("PY", f"{reference.year:04}")] if reference.year is not None else []
    date = reference.date
    if date is not None and date.month:
        lines.append(("DA", f"{date.year:04}/{date.month:02}/{f'{date.day:02}' if date.day else ''}"))
    seen = reference.accessed
    return lines + ([("Y2", seen.iso.replace("-", "/"))] if seen else [])


def _places(reference: Reference) -> list[tuple[str, str]]:
    lines = [("T2", reference.container)] if reference.container else []
    pages = reference.pages or ""
    start, dash, end = pages.partition("–")
    if dash and start and end and "–" not in end and "," not in pages and start != end:
        return [*lines, ("SP", start), ("EP", end)]
    return [*lines, ("SP", pages)] if pages else lines


def _extra(reference: Reference) -> list[tuple[str, str]]:
    lines = []
    for name, value in sorted(reference.extra.items()):
        own = name if len(name) == 2 and name.isascii() and name.isupper() and name not in KINDS else None
        tag = RIS_OF_CSL.get(name) or own
        for line in value.split("\n"):
            lines.append((tag, line) if tag else ("C8", f"{name} = {line}"))
    return lines
