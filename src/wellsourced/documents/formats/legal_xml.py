"""Judgments, statutes, regulations and articles in the XML of their publishers, with their headings and numbers.

Akoma Ntoso (Find Case Law, legislation.gov.uk), Crown Legislation Markup, the eCFR's and the Federal Register's own
markup, and JATS. The vocabularies differ in names only, so one walk reads all of them by a table. Recorded judgments,
sections and a title of the CFR, checked 2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, TextStart, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, local_name, parse_xml, text_of
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

LONGEST_HEADING = 200
DEEPEST_HEADING = 6
# Stands for no mark at all, where bold lines are nevertheless no headings: on the cover of a judgment.
PLAIN = "\x00"
BOLD = late_pattern(r"font-weight\s{0,3}:\s{0,3}(?:bold|[6-9]00)")
RULE = late_pattern(r"[\s_*–—-]+")
IN_URI = late_pattern(r"/(section|article|regulation|rule|paragraph|schedule|part|chapter)/([0-9A-Za-z]{1,12})(?:/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The names that a publisher's markup has for the parts of a text."""

    roots: frozenset[str]
    sections: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    headlines: Mapping[str, int] = field(default_factory=dict)
    notes: frozenset[str] = frozenset()
    quotes: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOCABULARIES = (
    Vocabulary(
        roots=_names("akomaNtoso"),
        sections=_names("level part chapter section article title subpart subchapter hcontainer crossheading"),
        heads=_names("heading subheading"),
        numbers=_names("num"),
        numbered=_names("paragraph subparagraph subsection item point"),
        texts=_names("p blockTitle listIntroduction wrapUp"),
        notes=_names("authorialNote"),
        quotes=_names("embeddedStructure embeddedText quotedStructure"),
        skipped=_names("meta"),
        titles=("FRBRWork/FRBRname/@value", "docTitle", "shortTitle"),
        authors=("TLCOrganization/@showAs",),
        dates=("FRBRWork/FRBRdate/@date",),
    ),
    Vocabulary(
        roots=_names("Legislation Part Chapter Pblock PsubBlock P1group P1 P2 Schedule Body EUBody Secondary Primary"),
        sections=_names(
            "Part Chapter Pblock PsubBlock P1group P1 P2group Schedule Schedules EUPart EUTitle EUChapter EUSection"
        ),
        heads=_names("Title TitleBlock Subtitle"),
        numbers=_names("Number Pnumber"),
        numbered=_names("P2 P3 P4 P5 ListItem"),
        texts=_names("Text Para"),
        notes=_names("Footnote"),
        quotes=_names("BlockAmendment"),
        skipped=_names("Metadata Contents Commentaries CommentaryRef MarginNotes Versions Resources"),
        titles=("Metadata/title",),
        dates=("Metadata/valid", "@RestrictStartDate"),
    ),
    Vocabulary(
        roots=_names("ECFR DIV1 DIV2 DIV3 DIV4 DIV5 DIV6 DIV7 DIV8 DIV9"),
        sections=_names("DIV1 DIV2 DIV3 DIV4 DIV5 DIV6 DIV7 DIV8 DIV9"),
        heads=_names("HEAD"),
        texts=_names("P FP PSPACE CITA HED EXTRACT"),
        headlines={"HD1": 5, "HD2": 6, "HD3": 6},
        notes=_names("FTNT"),
        dates=("VOLUME/@AMDDATE", "AMDDATE"),
    ),
    Vocabulary(
        roots=_names("RULE PRORULE NOTICE PRESDOCU PROCLA EXECORDR FEDREG"),
        sections=_names("SECTION PART SUBPART REGTEXT"),
        heads=_names("SUBJECT"),
        numbers=_names("SECTNO"),
        texts=_names("P FP AMDPAR AUTH SOURCE FRDOC BILCOD AGENCY CFR DEPDOC RIN TITLE"),
        headlines={"HD": 2},
        notes=_names("FTNT"),
        skipped=_names("PRTPAGE GPH SU FTREF"),
        titles=("PREAMB/SUBJECT",),
        authors=("PREAMB/AGENCY",),
    ),
    Vocabulary(
        roots=_names("article pmc-articleset"),
        sections=_names("sec abstract trans-abstract ack app ref-list"),
        heads=_names("title"),
        numbers=_names("label"),
        numbered=_names("ref"),
        texts=_names("p mixed-citation element-citation citation caption disp-quote"),
        notes=_names("fn"),
        skipped=_names("journal-meta contrib-group aff permissions history self-uri kwd-group funding-group counts"
                       " article-id article-categories pub-date volume issue fpage lpage custom-meta-group author-notes"
                       " object-id graphic alternatives xref-group title-group"),
        titles=("article-meta/title-group/article-title",),
        dates=(),
    ),
)  # fmt: skip
ROOT = late_pattern(
    r"(?:\s++|<\?xml[^>]{0,300}\?>|<!DOCTYPE[^>\[]{0,400}>|<!--.{0,2000}?-->|<\?[^>]{0,300}\?>)*+<(?:\w{1,20}:)?([\w-]{1,40})",
    re.S,
)
# Roots that could be of any XML are only taken with the sign of their publisher.
SIGNS = {
    "article": ("JATS", "NLM//DTD", "jats", "<front"),
    "Part": ("legislation.gov.uk",), "Chapter": ("legislation.gov.uk",), "P1": ("legislation.gov.uk",),
    "P2": ("legislation.gov.uk",), "Body": ("legislation.gov.uk",), "Schedule": ("legislation.gov.uk",),
    "Legislation": ("legislation.gov.uk",), "Primary": ("legislation.gov.uk",), "Secondary": ("legislation.gov.uk",),
    "Pblock": ("legislation.gov.uk",), "P1group": ("legislation.gov.uk",), "NOTICE": ("<PREAMB", "<AGENCY"),
    "RULE": ("<PREAMB", "<AGENCY"),
}  # fmt: skip


def is_legal_xml(start: TextStart) -> bool:
    match = ROOT.match(start.text)
    if match is None or not any(match[1] in vocabulary.roots for vocabulary in VOCABULARIES):
        return False
    return match[1] not in SIGNS or any(sign in start.text for sign in SIGNS[match[1]])


FORMAT = DocumentFormat(kind="legal_xml", is_markup=True, matches_text=is_legal_xml)


def read(body: bytes, options: ReadOptions) -> Document:
    root = parse_xml(body, "the text")
    vocabulary = next((each for each in VOCABULARIES if local_name(root) in each.roots), None)
    if vocabulary is None:
        raise Unreadable("The XML is of no kind that is read here.")
    reader = LegalReader(vocabulary, options.max_chars)
    title = _first(root, vocabulary.titles)
    reader.output.add(f"# {title}" if title else "")
    reader.walk(root, 2 if title else 1)
    reader.write_notes()
    if not reader.output.text:
        raise Unreadable("The document holds no text.")
    return Document(
        text=reader.output.text,
        content_type="xml",
        title=title or leading_title(reader.output.text) or None,
        author=_first(root, vocabulary.authors) or None,
        date=parse_timestamp(_first(root, vocabulary.dates)),
        notes=tuple(_version_notes(root)),
        truncated=reader.output.truncated,
    )


def leading_title(markdown: str) -> str:
    """The heading that a text begins with."""
    first = markdown[:LONGEST_HEADING].partition("\n")[0]
    return first.lstrip("# ") if first.startswith("#") else ""


def _first(root: Element, paths: tuple[str, ...]) -> str:
    """The first text at a path of local names; `@name` at its end is an attribute."""
    for path in paths:
        *names, last = path.split("/")
        wanted = [*names, *([] if last.startswith("@") else [last])]
        for element in _at(root, wanted):
            value = (attribute(element, last[1:]) or "") if last.startswith("@") else text_of(element)
            if value.strip():
                return " ".join(value.split())[:500]
    return ""


def _at(root: Element, names: list[str]) -> Iterator[Element]:
    """Elements with the last of these names inside one of the first, anywhere in the head of the text."""
    if not names:
        yield root
        return
    for element in root.iter("*"):
        if local_name(element) == names[0]:
            if len(names) == 1:
                yield element
            else:
                yield from _at(element, names[1:])


def _version_notes(root: Element) -> Iterator[str]:
    if start := root.get("RestrictStartDate"):
        yield f"This is the text as it stands from {start}; other dates may have another wording."
    if (root.get("Status") or "").lower() in {"prospective", "repealed"}:
        yield f"The publisher marks this text as {root.get('Status').lower()}."


class LegalReader:
    """Walks the tree once; numbers and titles wait until the block they stand before is written."""

    def __init__(self, vocabulary: Vocabulary, max_chars: int) -> None:
        self.names = vocabulary
        self.output = MarkdownOutput(max_chars)
        self.notes: list[str] = []
        self.number = ""
        self.mark = ""

    def walk(self, root: Element, level: int) -> None:
        for child in [root] if local_name(root) in self.names.sections else root:
            self.read_element(child, level)

    def read_element(self, element: Element, level: int, around: str = "") -> None:
        """`around` is the title of what stands around an element, which takes it over where it has none itself."""
        tag = local_name(element)
        if not tag or tag in self.names.skipped or self.output.full:
            return
        if tag in self.names.notes:
            self.note(element)
        elif tag == "header":
            # Its last line may be the heading of what follows.
            self.marked(element[:-1], level, PLAIN)
            self.children(element[-1:], level)
        elif tag in self.names.quotes:
            self.marked(element, level, "> ")
        elif tag in self.names.sections:
            self.section(element, level, around)
        elif tag in self.names.headlines:
            self.headline(element, self.names.headlines[tag])
        elif tag in self.names.numbered:
            self.number = f"{self.number} {_numbering(element, self.names.numbers)}".strip()
            self.children(element, level)
            self.flush()
        elif tag in self.names.texts:
            self.text(element, level)
        elif tag in {"table", "Tabular", "GPOTABLE"}:
            self.table(element)
        else:
            self.children(element, level)

    def marked(self, elements: Iterable[Element], level: int, mark: str) -> None:
        before, self.mark = self.mark, mark
        self.children(elements, level)
        self.mark = before

    def children(self, elements: Iterable[Element], level: int, around: str = "") -> None:
        for child in elements:
            if local_name(child) not in self.names.numbers and local_name(child) not in self.names.heads:
                self.read_element(child, level, around)

    def section(self, element: Element, level: int, around: str) -> None:
        number, title = _numbering(element, self.names.numbers), self.title_of(element)
        members = [child for child in element if local_name(child) in self.names.sections]
        if local_name(element) == "P1group" and len(members) == 1:
            # The title belongs to the one section in the group, which has the number.
            self.children(element, level, title)
            return
        label = _label_in_uri(element) or number
        heading = ". ".join(filter(None, (label.rstrip("."), title or around)))
        if heading:
            self.output.add(f"{'#' * min(level, DEEPEST_HEADING)} {heading[:LONGEST_HEADING]}")
        self.children(element, level + bool(heading))

    def title_of(self, element: Element) -> str:
        heads = (child for child in element if local_name(child) in self.names.heads)
        return ": ".join(filter(None, (self.line(head) for head in heads)))

    def headline(self, element: Element, level: int) -> None:
        source = attribute(element, "SOURCE") or ""
        deeper = int(source[2]) if re.fullmatch(r"HD[1-3]", source) else 0
        self.output.add(f"{'#' * min(level + deeper, DEEPEST_HEADING)} {self.line(element)}")

    def text(self, element: Element, level: int) -> None:
        words = self.line(element)
        inner = [child for child in element if local_name(child) in self.names.texts | self.names.numbered]
        if inner:
            self.children(element, level)
            return
        if not words or RULE.fullmatch(words):
            return
        if not self.number and not self.mark and _is_bold(element, words):
            self.output.add(f"{'#' * min(level, DEEPEST_HEADING)} {words}")
            return
        line = f"{self.number} {words}".strip()
        self.number = ""
        self.output.add(f"{self.mark.strip(PLAIN)}{line}")

    def flush(self) -> None:
        """A number without text behind it: repealed paragraphs are printed so."""
        if self.number:
            self.output.add(self.number)
        self.number = ""

    def table(self, element: Element) -> None:
        for row in element.iter("*"):
            if local_name(row).lower() in {"tr", "row", "boxhd"}:
                cells = [text for cell in row if (text := self.line(cell))]
                self.output.add(" | ".join(cells))

    def line(self, element: Element) -> str:
        """The text of a block on one line, with a mark where a note stands."""
        return " ".join("".join(self.pieces(element)).split())

    def pieces(self, element: Element) -> Iterator[str]:
        yield element.text or ""
        for child in element:
            tag = local_name(child)
            if tag in self.names.notes:
                yield self.note(child)
            elif tag and tag not in self.names.skipped:
                yield from self.pieces(child)
            yield child.tail or ""

    def note(self, element: Element) -> str:
        number = attribute(element, "marker") or str(len(self.notes) + 1)
        self.notes.append(f"[^{number}] {text_of(element)}")
        return f"[^{number}]"

    def write_notes(self) -> None:
        if self.notes:
            self.output.add("## Footnotes")
        for note in self.notes:
            self.output.add(note)


def _numbering(element: Element, numbers: frozenset[str]) -> str:
    """The number of a paragraph as printed: statutes give it bare and print `(1)`, judgments print `1.`."""
    number = next((text_of(child) for child in element if local_name(child) in numbers), "")
    if local_name(element) in {"P2", "P3", "P4", "P5"} and number.isalnum():
        return f"({number})"
    return number


def _label_in_uri(element: Element) -> str:
    """`Section 4` from the address of the section, since the markup itself only has the number."""
    if local_name(element) != "P1":
        return ""
    match = IN_URI.search(attribute(element, "IdURI") or attribute(element, "DocumentURI") or "")
    return f"{match[1].capitalize()} {match[2]}" if match else ""


def _is_bold(element: Element, words: str) -> bool:
    """A short line that is bold as a whole is a heading, whatever the markup calls it."""
    if len(words) > 120 or words.endswith((".", ":", ";", ",")) or not any(map(str.isalpha, words)):
        return False
    if (element.text or "").strip():
        return False
    spans = [child for child in element if local_name(child) == "span"]
    return bool(spans) and all(BOLD.search(span.get("style") or "") and not (span.tail or "").strip() for span in spans)
