"""BibTeX entries, in biblatex's vocabulary where BibTeX has no word,
that our reader reads back to the same reference."""

from __future__ import annotations

import html
import re

from wellsourced.citations.formats.bibtex_fields import reference_from_fields as read_back
from wellsourced.citations.formats.extra_fields import BIBTEX_OF_CSL
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.dates import ENGLISH_MONTHS
from wellsourced.text.latex import encode_latex
from wellsourced.text.plain_text import strip_markup

KINDS = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article", "book": "book",
    "chapter": "incollection", "paper-conference": "inproceedings", "thesis": "thesis", "report": "techreport",
    "webpage": "misc", "software": "software", "dataset": "dataset", "manuscript": "unpublished", "patent": "patent",
    "pamphlet": "booklet", "standard": "standard", "entry-encyclopedia": "inreference", "legal_case": "jurisdiction",
}  # fmt: skip
BIBLATEX_KINDS = {"techreport": "report", "conference": "inproceedings"}
BIBLATEX_NAMES = {"journal": "journaltitle", "address": "location", "archiveprefix": "eprinttype", "year": "date"}
THESES = {"PhD thesis": "phdthesis", "Master's thesis": "mastersthesis"}
JOURNALS = ("article", "article-journal", "article-magazine", "article-newspaper")
NOT_IN_NAMES = re.compile(r"[^a-z0-9_:.+-]")
TEXTS = (
    ("volume", "volume"),
    ("edition", "edition"),
    ("publisher", "publisher"),
    ("place", "address"),
    ("language", "language"),
)
LITERALS = (("isbn", "isbn"), ("issn", "issn"), ("doi", "doi"), ("url", "url"), ("pmid", "pmid"))
LITERAL_ESCAPES = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def format_entry(reference: Reference, key: str) -> str:
    kind = KINDS.get(reference.type, "misc")
    kind = THESES.get(reference.extra.get("genre", ""), kind) if kind == "thesis" else kind
    fields = _fields(reference)
    if read_back(kind, "", dict(fields), "").type != reference.type:
        fields.append(("x-type", reference.type))
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields)
    return f"@{kind}{{{key},\n{lines}}}"


def format_biblatex_entry(reference: Reference, key: str) -> str:
    """The same entry in the names that biblatex prefers, which our reader knows as well."""
    opening, _, body = format_entry(reference, key).partition("\n")
    kind = opening[1:].split("{")[0]
    lines = body.split("\n")
    has_date = any(line.startswith("  date = ") for line in lines)
    dropped = ("  year = ", "  month = ") if has_date else ()
    kept = [_biblatex_line(line) for line in lines if not line.startswith(dropped or ("\0",))]
    return "\n".join([f"@{BIBLATEX_KINDS.get(kind, kind)}{opening[1 + len(kind) :]}", *kept])


def _biblatex_line(line: str) -> str:
    name, mark, value = line.partition(" = ")
    return (
        f"  {BIBLATEX_NAMES.get(name.strip(), name.strip())}{mark}{value}" if mark and line.startswith("  ") else line
    )


def escape_text(value: str) -> str:
    """Escaped for LaTeX; lines become paragraphs."""
    return "\n\n".join(encode_latex(escape_controls(line)) for line in value.split("\n"))


def escape_controls(value: str) -> str:
    """What would be taken for markup on reading is written as entities."""
    return value if strip_markup(value) == value else html.escape(value, quote=False)


def format_names(people: tuple[Name, ...], et_al: bool) -> str:
    return " and ".join([*(_name(name) for name in people), *(["others"] if et_al else [])])


def _name(name: Name) -> str:
    if name.literal:
        return f"{{{escape_text(name.literal)}}}"
    family = _guarded(name.family)
    front = f"{escape_text(name.particle)} {family}".strip()
    if name.suffix:
        return f"{front}, {escape_text(name.suffix)}, {_grouped(name.given)}"
    return f"{front}, {_grouped(name.given)}" if name.given or " " in name.family else front


def _guarded(family: str) -> str:
    """A family name that BibTeX would take apart is held together."""
    starts_low = family[:1].islower() and " " in family
    return (
        f"{{{escape_text(family)}}}" if starts_low or _grouped(family) != escape_text(family) else escape_text(family)
    )


def _grouped(part: str) -> str:
    is_split = re.search(r"[,~]|(?:\A|\s)and(?:\s|\Z)", part, re.IGNORECASE)
    return f"{{{escape_text(part)}}}" if is_split else escape_text(part)


def _fields(reference: Reference) -> list[tuple[str, str]]:
    fields = [
        ("author", format_names(reference.authors, reference.et_al)),
        ("editor", format_names(reference.editors, False)),
    ]
    fields += [
        ("title", escape_text(reference.title or "")),
        (_container(reference), escape_text(reference.container or "")),
    ]
    fields += _dates(reference)
    fields += [(name, escape_text(getattr(reference, field) or "")) for field, name in TEXTS]
    fields += [("number" if reference.type in JOURNALS else "issue", escape_text(reference.issue or ""))]
    fields += [("pages", escape_text(reference.pages or "").replace("–", "--"))]
    fields += [(name, (getattr(reference, field) or "").translate(LITERAL_ESCAPES)) for field, name in LITERALS]
    fields += [("eprint", reference.arxiv or ""), ("archiveprefix", "arXiv" if reference.arxiv else "")]
    fields += [("note", escape_text(reference.note or "")), ("keywords", escape_text(_keywords(reference.keywords)))]
    written = [(name, value) for name, value in fields if value]
    return written + _extra(reference, {name for name, _ in written})


def _container(reference: Reference) -> str:
    """`howpublished` could be mistaken for an address, and then is not used."""
    if reference.type in JOURNALS or reference.type == "book":
        return "journal"
    if reference.type in {"chapter", "paper-conference", "entry-encyclopedia"}:
        return "booktitle"
    is_site = reference.type == "webpage" and "://" not in (reference.container or "")
    return "howpublished" if is_site else "journaltitle"


def _dates(reference: Reference) -> list[tuple[str, str]]:
    fields = [("year", str(reference.year))] if reference.year is not None else []
    date = reference.date
    if date is not None and (date.month or date.year < 1000):
        fields.append(("date", date.iso))
    if date is not None and date.month and date.year >= 1000:
        fields.append(("month", ENGLISH_MONTHS[date.month - 1]))
    return fields + ([("urldate", reference.accessed.iso)] if reference.accessed else [])


def _keywords(words: tuple[str, ...]) -> str:
    has_comma = any("," in word for word in words)
    return "; ".join(words) + (";" if len(words) == 1 else "") if has_comma else ", ".join(words)


def _extra(reference: Reference, taken: set[str]) -> list[tuple[str, str]]:
    fields = []
    for own, value in sorted(reference.extra.items()):
        name = NOT_IN_NAMES.sub("-", BIBTEX_OF_CSL.get(own, own).lower())
        name = name if name[:1].isalpha() and name not in taken else f"x-{name}"
        if own in {"issued", "DOI"} or name in taken:
            continue
        taken.add(name)
        fields.append((name, escape_text(value)))
    return fields
