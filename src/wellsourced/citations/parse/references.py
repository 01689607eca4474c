"""One reference in free text, taken apart, whatever style it is in; decisions of courts by patterns of their own.

A learnt tagger says which part each word belongs to; here the parts become a `Reference`. Only what is really there is
returned. All patterns are bounded: the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from wellsourced.citations.formats.extra_fields import page_range
from wellsourced.citations.parse.authors import parse_authors
from wellsourced.citations.parse.kinds import REPORT, Kind, find_kind
from wellsourced.citations.parse.legal import parse_case, parse_foreign_number
from wellsourced.citations.parse.repairs import (
    EASTERN_QUOTED,
    EDGES,
    SENTENCE_END,
    SENTENCE_MARK,
    move_border,
    repair_imprint,
    repair_names,
)
from wellsourced.citations.parse.tagged_authors import authors_of, end_names
from wellsourced.citations.parse.tagger import Token, tag
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.identifiers import find_arxiv_id, find_doi, find_isbn, find_pmid
from wellsourced.text.partial_dates import PartialDate, parse_partial_date
from wellsourced.text.plain_text import strip_markup

# Bounds the work; a longer text is more than one reference.
LONGEST = 4_000
NUMBER = re.compile(
    r"\A\s*(?:\[[0-9]{1,4}\]|\[[^\W\d_][^\[\]]{0,60}[0-9]{2}[a-z]?\](?=\s)|\([0-9]{1,4}\)|[0-9]{1,3}\.(?=\s)|[•*–-]\s)\s*"
)
ADDRESS = re.compile(r"<?(https?://[^\s<>\"”]{3,2000}|www\.[^\s<>\"”]{4,500})>?", re.IGNORECASE)
ACCESSED = re.compile(
    r"[\s.,;(\[]{0,9}(?:\b(?:date )?(?:accessed|retrieved|viewed|visited|last accessed|abgerufen|consulté|"
    r"consultado|cited)\b"
    r"(?:\s(?:on|am|le|el))?:?)\s?("
    r"(?:[0-9]{1,2}(?:st|nd|rd|th)?[\s./,-]{1,2}|[^\W\d_]{3,10}\.?,?\s){0,3}[12][0-9]{3}"
    r"(?:[-/.][0-9]{1,2}[-/.][0-9]{1,2}|\s[^\W\d_]{3,9}\.?\s[0-9]{1,2})?)(?:,?\sfrom\b)?[\])]?:?(?=[.;\s)]|\Z)",
    re.IGNORECASE,
)  # fmt: skip
IDENTIFIERS = re.compile(
    r"(?:\bdoi\s?[:.]?\s?)?(?:https?://(?:dx\.)?doi\.org/)?\b10\.[0-9]{4,9}/[^\s]{1,300}|"
    r"\bdoi:\s?10/[a-z0-9]{3,12}\b|\bpm(?:c)?id:?\s?[a-z0-9]{1,12}"
    r"|\barxiv(?: preprint)?(?: arxiv)?:\s?[\w./-]{6,30}(?:\s?\[[\w.-]{2,20}\])?|\bisbn(?:-1[03])?:?\s?[0-9xX -]{9,20}"
    r"|\[(?:online|internet|en ligne|en línea)\]\.?"
    r"|\bavailable(?: from| at| online)?:?(?=\s|\Z)|\bretrieved from\b|\bURL:?", re.IGNORECASE,
)  # fmt: skip
# What a footnote says before the reference begins.
SIGNAL = re.compile(
    r"\A(?i:see(?:,?\s(?:also|generally|e\.g\.))?|cf\.?|compare|accord|but see|e\.g\.|siehe(?: auch)?|vgl\."
    r"|voir(?: aussi)?"
    r"|véase(?: también)?|veja|vedi|cfr\.?|см\.),?\s(?=[^\w\s]?[^\W\d_a-z])"
)

LINKED = re.compile(
    r"\[\W?([^\[\]]{3,500}?)\W?\]\(<?(https?://(?:[^\s()<>]|\([^\s()]{0,80}\)){3,2000})>?\)", re.IGNORECASE
)
EMPHASIS = re.compile(
    r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\w*])|(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)"
)
# At the end of a line; behind a point only where more than the number of the next entry follows.
BROKEN_DOI = re.compile(
    r"(\b10\.[0-9]{4,9}/)\s{1,3}(?=[^\s]{0,60}[0-9])"
    r"|(\b10\.[0-9]{4,9}/[^\s]{1,100}[-_/])\s{0,3}\n\s{0,9}(?=[a-z0-9]{0,30}[0-9])"
    r"|(\b10\.[0-9]{4,9}/[^\s]{1,100}\.)\s{0,3}\n\s{0,9}(?=[a-z0-9]{1,30}\.[a-z0-9])"
)

# `Smith,D., Title`: a blank was lost.
GLUED = re.compile(r"(?<=[a-zß-ÿ]),(?=[A-Z]\.)")
REPEATED_AUTHOR = re.compile(r"\A\s*(?:[—–―⸺⸻]{1,6}|-{3,6}|_{3,12})[.,:]?\s*")
FULL_WIDTH = str.maketrans(
    {
        "，": ", ",
        "。": ". ",
        "．": ". ",
        "：": ": ",
        "；": "; ",
        "（": " (",
        "）": ") ",
        "？": "? ",
        "！": "! ",
        "‑": "-",
        "‐": "-",
    }
)

THESIS = re.compile(
    r"\b(?:ph\.?\s?d\.?|doctoral|master'?s?|diss(?:ertation)?|thesis|thèse|tesis|tese|tesi|habilitation\w*|(?:diplom|magister|bachelor|master)arbeit|дис)\b",
    re.IGNORECASE,
)
# Said so plainly that it counts wherever the words stand.
THESIS_SAID = re.compile(
    r"(?:[.,:(\[]\s?|\A)(?:(?:ph\.?\s?d\.?|doctoral|master['’]?s) (?:thesis|dissertation)|thèse de doctorat"
    r"|tesis doctoral|(?:diplom|magister|doktor)arbeit|dissertation,|дис(?:с\.|\.)\s?(?:…|\.\.\.)?)",
    re.IGNORECASE,
)
IN_WORK = re.compile(r"(?:\A|[\s.,;:?!\"”’»])(?:in|dans|en|v)\b\s?:?\s*\Z", re.IGNORECASE)
ROLE = re.compile(r"[\s.,(\[]{0,9}(?:eds?|editors?|hrsg|éds?|coords?|orgs?|dirs?)\b", re.IGNORECASE)
ROLE_WORDS = re.compile(
    r"\A[\s(]*(?:(?:edited|ed\.|hrsg\.|herausgegeben|éd\.|edición)\s(?:by|von|par|de)|eds?\.|hrsg\.|под ред\.)\s*",
    re.IGNORECASE,
)
NO_DATE = re.compile(r"\s\((?=n\.\s?d\.?|o\.\s?J\.?|s\.\s?f\.?|[12][0-9]{3})")
YEAR = re.compile(r"(?<![0-9])(?:1[4-9]|20)[0-9]{2}(?![0-9])")
PAGES = re.compile(r"[^\W\d_]{0,20}[0-9][\w.]{0,20}(?:\s?[–‑—-]{1,2}\s?[^\W\d_]{0,5}[0-9][\w.]{0,20})?")
AND_OTHERS = re.compile(r"(?<=[\w.,;] )(?:и др\.|u\. ?a\.|a kol\.|i in\.|et coll\.|y otros|e altri|e outros)(?!\w)")
# `Novák, J. a Svoboda, P.`, `NOVÁK, Jan a Petr SVOBODA`: Czech, Slovak, Polish, Italian and Portuguese for `and`.
JOINED_BY_LETTER = re.compile(
    r"(?<=[^\W\d_a-z]\.) [aei] (?=[^\W\d_a-z]\w{1,30},? (?:[^\W\d_a-z]\.|[^\W\d_a-z]\w+))"
    r"|(?<=[^\W\d_A-Z]) [ai] (?=[^\W\d_a-z][^\W\d_A-Z]{1,20} [^\W\d_a-z]{3,30}[.:,])"
)
# `Jane Doe1, John Roe2,3 and Max Lee1*`: numbers of affiliations.
NAME_MARK = re.compile(r"(?<=[^\W\d_])[0-9]{1,2}(?:,[0-9]{1,2}){0,3}\*?")
MARKED_NAMES = re.compile(
    r"\A(?:[^\W\d_][^\d,;:()]{2,40}[0-9]{1,2}(?:,[0-9]{1,2}){0,3}\*?(?:, and|, &|,| and| &)\s){1,40}"
    r"[^\W\d_][^\d,;:()]{2,40}[0-9]{1,2}(?:,[0-9]{1,2}){0,3}\*?(?=[.,:]\s|\s\()"
)
SECTION = re.compile(r"§{1,2}\s?[0-9]{1,6}")
# `144 U. Pa. L. Rev. 2021 (1996)`, whose page may look like a year.
LAW_REVIEW = re.compile(
    r",\s(?P<volume>[0-9]{1,4})\s(?P<journal>[A-Z][\w.&’']{0,20}(?:\s[A-Z&][\w.&’']{0,20}){1,7})\s(?P<page>[0-9]{1,5})"
    r"(?:,\s[0-9–-]{1,12})?\s\((?:[A-Z][a-z]{2,8}\.?\s)?(?P<year>(?:1[89]|20)[0-9]{2})\)\W{0,3}\Z"
)
# Words behind a title, up to a comma, a bracket or a number.
UNTAGGED = re.compile(r"[\s.,;:”\"’»?!]{1,6}(?:[Ii]n:?\s)?(?P<name>[^\W\d_][^,;:(\[\d]{1,120}?)\s*(?=[,;:(\[\d]|\Z)")
LABELS_OF_NUMBERS = ("vol", "no.", "nr", "pp", "p.", "s.", "bd", "heft", "issue", "т.", "с.", "№")
MONTH = re.compile(
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|janv|févr|mars|avril|mai|juin|juil|août|märz|dez|okt)"
    r"[a-zéû]{0,6}\.?(?:\s[0-9]{1,4})?\Z",
    re.IGNORECASE,
)
QUOTES = "\"“„«‘'「『"
Tagged: TypeAlias = Sequence[tuple[Token, str]]
# Runs of a title or a journal that stand closer than this are one, interrupted by a word that was misread.
CLOSE = 2
SHORT_WORD, LONG_RUN = 8, 12
RUSSIAN = " // "
PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("„", "“"))


def parse_reference(text: str) -> Reference:
    """What the text says about the work; a text that says nothing gives an empty reference with `raw`."""
    whole = strip_markup(BROKEN_DOI.sub(r"\1\2\3", text[:LONGEST]))
    body = " ".join(_undressed(whole).translate(FULL_WIDTH).split())
    # Before everything else: a case name looks like a title, and its reporter like a journal.
    case = parse_case(body) or parse_foreign_number(whole)  # `[2017] UKSC 5` begins like a numbered entry
    identified = _identified(whole)
    if case is not None:
        return replace(identified, type=case.type, title=case.title, container=case.container, year=case.year,
        date=case.date,
                       volume=case.volume, pages=case.pages, extra=case.extra)  # fmt: skip
    body, accessed = _without_access(ADDRESS.sub(" ", _without_identifiers(body)))
    kind = find_kind(" ".join(body.split()).strip(" ,;"))
    if kind.type == "legislation":
        year = YEAR.search(SECTION.sub(" ", kind.text))
        return replace(identified, type=kind.type, title=kind.text.rstrip(" ."), year=int(year[0]) if year else None)
    read = _filled(replace(identified, accessed=accessed), kind.text)
    return _with_kind(read, kind) if kind.type else read


def _with_kind(read: Reference, kind: Kind) -> Reference:
    """Standards have a short title and seldom authors, so what stands first is the title where none was found."""
    is_untitled = kind.type in {"standard", "patent"} and not read.title
    names = () if is_untitled else read.authors
    if kind.type == "thesis":
        read = replace(read, container=None, volume=None, issue=None, pages=None)
    if kind.type == "article-journal" and not read.container:
        read = replace(read, container=read.publisher, publisher=None)
    return replace(
        read, type=kind.type or read.type, title=kind.title if is_untitled else read.title, authors=names,
        year=read.year or kind.year, extra={**read.extra, **kind.extra},
    )  # fmt: skip


def _undressed(text: str) -> str:
    """Without its number, the word of a footnote, emphasis and links in markdown, and the quotes of LaTeX."""
    text = GLUED.sub(", ", REPEATED_AUTHOR.sub("", NUMBER.sub("", text))).replace("``", "“").replace("''", "”")
    text = MARKED_NAMES.sub(lambda names: NAME_MARK.sub("", names[0]), JOINED_BY_LETTER.sub(" & ", text))
    return SIGNAL.sub("", EMPHASIS.sub("", AND_OTHERS.sub("et al.", LINKED.sub(r"“\1” \2 ", text))).lstrip())


def _identified(text: str) -> Reference:
    doi, arxiv = find_doi(text), find_arxiv_id(text)
    addresses = [found.rstrip(".,;)]") for found in ADDRESS.findall(text)]
    url = next((address for address in addresses if "doi.org/" not in address.lower()), None)
    return Reference(
        doi=doi, arxiv=arxiv, pmid=find_pmid(text), isbn=find_isbn(text), url=url, raw=text, is_from_text=True
    )


def _without_identifiers(text: str) -> str:
    return IDENTIFIERS.sub(" ", text)


def _without_access(text: str) -> tuple[str, PartialDate | None]:
    match = ACCESSED.search(text)
    date = parse_partial_date(match[1]) if match else None
    if match is None or date is None or date.month is None:  # `the most cited papers of 2018` were not visited then
        return text, None
    return text[: match.start()].rstrip(" .") + ". " + text[match.end() :].lstrip(" .)"), date


def _filled(reference: Reference, body: str) -> Reference:
    tagged = end_names(tag(body), body)
    names, et_al = authors_of(tagged, body)
    editors = _editors(tagged, body)
    if names and not editors and _are_editors(tagged, body):
        names, editors = (), names
    elif (
        editors and not names and tagged[0][1] == "E" and not ROLE.search(body[: _runs(tagged, "E", CLOSE)[0][1] + 12])
    ):
        names, editors = parse_authors(NO_DATE.split(body[slice(*_runs(tagged, "E", CLOSE)[0])])[0])[0], ()
    date = _date(tagged, body)
    edition = re.search(r"[0-9]{1,3}", _first(tagged, body, "N") or "")
    title, container = _titles(tagged, body)
    filled = replace(
        reference, title=title, authors=names, et_al=et_al, editors=editors, date=date, container=container,
        year=date.year if date else None, volume=_first(tagged, body, "V"), issue=_first(tagged, body, "I"),
        pages=_pages(tagged, body), edition=edition[0] if edition else None,
        publisher=_longest(tagged, body, "B"), place=_first(tagged, body, "W"),
    )  # fmt: skip
    filled = repair_imprint(_repair_places(repair_names(filled, body), tagged, body), body)
    return replace(filled, type=_type(filled, tagged, body))


def _repair_places(read: Reference, tagged: Tagged, body: str) -> Reference:
    if place := LAW_REVIEW.search(body):
        date = PartialDate(int(place["year"]))
        return replace(
            read, container=place["journal"], volume=place["volume"], pages=place["page"], year=date.year, date=date
        )
    if not read.volume and len(_runs(tagged, "P")) > 1:  # `581 (2018) 124`
        read = replace(read, volume=read.pages, pages=_pages(tagged, body, 1))
    if read.publisher and not read.container and read.volume and (read.issue or read.pages):
        return replace(read, container=read.publisher, publisher=None)
    whole = f"{read.publisher}. {read.container}"
    if read.publisher and read.container and read.volume and whole in body:  # `IEEE Trans. Signal Process. 67`
        return replace(read, container=_whole(body, body.find(whole), body.find(whole) + len(whole)), publisher=None)
    if read.publisher or not read.place:
        return read
    # One name alone is that of the publisher, or, behind a quoted title, of the journal.
    is_journal = not read.container and is_quoted(read.title, body)
    return replace(
        read,
        place=None,
        container=read.place if is_journal else read.container,
        publisher=None if is_journal else read.place,
    )


def _runs(tagged: Tagged, label: str, gap: int = 0) -> list[tuple[int, int]]:
    """Where the tokens of a label stand, as pairs of offsets; those with few tokens between them are one."""
    runs: list[tuple[int, int]] = []
    last = -2 - gap
    for place, (token, said) in enumerate(tagged):
        if said != label:
            continue
        if place - last <= gap + 1 and runs:
            runs[-1] = (runs[-1][0], token.end)
        else:
            runs.append((token.start, token.end))
        last = place
    return runs


def _first(tagged: Tagged, body: str, label: str) -> str | None:
    runs = _runs(tagged, label)
    return body[slice(*runs[0])].strip(EDGES) or None if runs else None


def _longest(tagged: Tagged, body: str, label: str) -> str | None:
    runs = _runs(tagged, label, CLOSE)
    if not runs:
        return None
    # The first that is long enough: notes and abstracts behind a reference have titles of their own.
    longest = max(end - start for start, end in runs)
    start, end = next(run for run in runs if run[1] - run[0] >= min(longest, LONG_RUN))
    return _whole(body, start, end) or None


def _whole(body: str, start: int, end: int) -> str:
    """With the bracket or quotation mark that closes or opens it, and the point of an abbreviation: `J. Phys.`"""
    text = body[start:end].strip(EDGES)
    for opening, closing in PAIRS:
        if text.count(opening) > text.count(closing) and body[end : end + 1] == closing:
            text += closing
        elif text.count(closing) > text.count(opening) and body[start - 1 : start] == opening:
            text = opening + text
    words = text.split()
    is_abbreviated = any(word.endswith(".") for word in words[:-1]) and len(words[-1]) < SHORT_WORD
    return f"{text}." if is_abbreviated and body[end : end + 1] == "." else text


def _titles(tagged: Tagged, body: str) -> tuple[str | None, str | None]:
    """The title and what it appeared in, parted where the tagger took both for one."""
    if (eastern := EASTERN_QUOTED.search(body)) is not None:
        return eastern[1], eastern[2] or _longest(tagged, body, "C")
    title, container = _longest(tagged, body, "T"), _longest(tagged, body, "C")
    if title and f"[{title}]" in body:  # a group behind the names
        title = None
    if title and RUSSIAN in title:
        title, _, behind = title.partition(RUSSIAN)
        container = container or behind.partition(" / ")[0].strip(EDGES)
    container = None if container and MONTH.match(container) else container
    if title and container:
        title, container = move_border(title, container, body)
    is_placed = is_quoted(title, body) or any(label in "VIP" for _, label in tagged)
    if title and not container and is_placed:
        title, container = _parted(title, tagged, body)
    elif container and not title and SENTENCE_END.search(container):
        title, _, container = container.rpartition(". ")
    return (title or "").strip(EDGES) or None, (container or "").removeprefix("In ") or None


def is_quoted(title: str | None, body: str) -> bool:
    place = body.find(title) if title else 0
    return place > 0 and body[place - 1] in QUOTES


def _parted(title: str, tagged: Tagged, body: str) -> tuple[str, str | None]:
    """A journal behind the title that got no label, or that got the title's."""
    end = _runs(tagged, "T", CLOSE)[-1][1]
    behind = UNTAGGED.match(body, end)
    first = next((token.start for token, label in tagged if label in "VIP"), len(body))
    is_name = behind and not behind["name"].casefold().startswith(LABELS_OF_NUMBERS) and not MONTH.match(behind["name"])
    if behind and is_name and behind.end("name") <= first:
        return title, behind["name"].strip(EDGES)
    ends = [end for end in SENTENCE_MARK.finditer(title) if len(title[: end.start()].split()) > 1]
    return (title[: ends[-1].end()].strip(EDGES), title[ends[-1].end() :].strip()) if ends else (title, None)


def _pages(tagged: Tagged, body: str, place: int = 0) -> str | None:
    """With the letters that touch the number: `fcaa014`."""
    runs = _runs(tagged, "P")
    if not runs:
        return None
    start, end = runs[place]
    while start and body[start - 1].isalpha():
        start -= 1
    found = PAGES.findall(body[start:end])
    return page_range(found[-1]) if found else None


def _editors(tagged: Tagged, body: str) -> tuple[Name, ...]:
    runs = _runs(tagged, "E", CLOSE)
    return parse_authors(ROLE_WORDS.sub("", body[slice(*runs[0])]).rstrip(")"))[0] if runs else ()


def _are_editors(tagged: Tagged, body: str) -> bool:
    """Whether the names in front are called editors."""
    end = max((token.end for token, label in tagged if label in "AaGgLl"), default=0)
    return ROLE.match(body[end : end + 12]) is not None


def _date(tagged: Tagged, body: str) -> PartialDate | None:
    """As tagged; else the last year that belongs to no other part."""
    for start, end in _runs(tagged, "D", 1):
        date = parse_partial_date(body[start:end])
        if date is not None and date.year:
            return date
        if year := YEAR.search(body[start:end]):
            return PartialDate(int(year[0]))
    free = [token.text for token, label in tagged if label in "O-KUSBW" and YEAR.fullmatch(token.text)]
    return PartialDate(int(free[-1])) if free else None


def _type(reference: Reference, tagged: Tagged, body: str) -> str:
    """The order matters: a thesis also has a publisher, a chapter also has pages."""
    numbered = reference.volume or reference.issue
    kind = " ".join(token.text for token, label in tagged if label in "KO")
    if THESIS.search(kind) or THESIS_SAID.search(body):
        return "thesis"
    if REPORT.search(kind) and not numbered:
        return "report"
    start = next((token.start for token, label in tagged if label == "C"), 0)
    if (
        reference.container
        and (reference.editors or IN_WORK.search(body[:start]))
        and not (numbered and not reference.editors)
    ):
        return "chapter"
    if reference.container and (numbered or reference.pages or not reference.url or reference.doi):
        return "article-journal"
    if reference.url and not reference.isbn and not reference.doi:
        return "webpage"
    if reference.arxiv and not reference.publisher:
        return "article"
    return "book" if reference.publisher or reference.isbn else "document"
