"""One reference in free text, taken apart: APA, MLA, Chicago, Harvard, Vancouver, IEEE, and decisions of courts.

Styles are distinguished by what cannot be anything else: a year in brackets behind the names, a title in quotation
marks, `2020;12(3):45`. Only what is really there is returned; a part that could be another is left out.
All patterns are bounded: the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wellsourced.citations.parse.authors import parse_authors
from wellsourced.citations.parse.leading_authors import (
    is_journal_alone,
    is_only_volume_and_pages,
    is_whole_name,
    split_leading_authors,
)
from wellsourced.citations.parse.legal import parse_case
from wellsourced.citations.parse.publication_details import PublicationDetails, parse_details, parse_imprint
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
    r"\bpm(?:c)?id:?\s?[a-z0-9]{1,12}"
    r"|\barxiv(?: preprint)?(?: arxiv)?:\s?[\w./-]{6,30}(?:\s?\[[\w.-]{2,20}\])?|\bisbn(?:-1[03])?:?\s?[0-9xX -]{9,20}"
    r"|\[(?:online|internet|en ligne|en línea)\]\.?"
    r"|\bavailable(?: from| at| online)?:?(?=\s|\Z)|\bretrieved from\b|\bURL:?", re.IGNORECASE,
)  # fmt: skip
WHEN = (
    r"(?:(?:1[4-9]|20)[0-9]{2}[a-z]?(?:[–/-][0-9]{2,4})?|n\.\s?d\.?|in press"
    r"|forthcoming|o\.\s?[JD]\.|s\.\s?[ad]\.|б\.\s?г\.)"
)
# `12 March` or `March 12,` before the year, as in Wikipedia.
DAY = r"(?:[0-9]{1,2}\.?\s)?[^\W\d_]{3,10}\.?(?:\s[0-9]{1,2},)?\s"

# APA, Harvard: `Doe, J. (2020, May 3). Title. Rest`.
IN_BRACKETS = re.compile(
    rf"\A(?P<names>.{{2,3000}}?)(?<![\s,])[\s,]*+(?<![0-9])[(\[（](?P<date>(?:{DAY})?{WHEN}(?:[,;]\s[^()\[\]]{{2,40}})?)[)"
    rf"\]）]\s?[.,:]?\s*(?P<rest>.*)\Z"
)
# MLA, Chicago, IEEE: `Doe, J. “Title.” Rest`.
IN_QUOTES = re.compile(
    r"\A(?P<names>.{0,3000}?)(?<![\s,:])[\s,:]*+[\"“„«「『](?P<title>[^\"“”«»」』]{3,800}?)[.,]?[\"”“»」』](?!\w)"
    r"[.,:]?\s*(?P<rest>.*)\Z"
)
IN_SINGLE_QUOTES = re.compile(
    r"\A(?P<names>.{0,3000}?)(?<![\s,:])[\s,:]*+(?<!\w)['‘](?P<title>[^\s'’](?:[^'’]|(?<=\w)['’](?=\w)){2,800}?)[.,]?['’](?=[.,;]?(?:\s|\Z))[.,:]?\s*(?P<rest>.*)\Z"
)
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

IN_COLON = re.compile(r"[.,?!]\s[Ii]n\s?:\s")
LAW_JOURNAL = re.compile(
    r"\A\W{0,3}\((?P<year>(?:1[5-9]|20)[0-9]{2})\)\s(?P<volume>[0-9]{1,4})(?:\([0-9]{1,3}\))?\s"
    r"(?P<journal>[^\W\d_a-z][^0-9]{1,120}?)\s(?P<page>[0-9]{1,5})\W{0,6}\Z"
)
ACRONYM = re.compile(r"[A-Z]{2,12}")
# `Smith,D., Title`: a blank was lost.
GLUED = re.compile(r"(?<=[a-zß-ÿ]),(?=[A-Z]\.)")
REPEATED_AUTHOR = re.compile(r"\A\s*(?:[—–―⸺⸻]{1,6}|-{3,6}|_{3,12})[.,:]?\s*")
# Elsevier: `Title, in: Doe, J. (Ed.), Book`; physics: `Title, in Book (2016), pp. 3–4`.
IN_BEHIND_COMMA = re.compile(
    r",\s(?P<rest>in(?::\s|\s(?=[^\W\d_a-z][^()]{2,300}\([^()]{0,120}(?:1[5-9]|20)[0-9]{2}\)))(?s:.{3,}))\Z"
)
IN_BEHIND_COMMA_MARK = ", in"
# `Title (Publisher, 2005)` and nothing behind it.
IMPRINT_AT_END = re.compile(r"\s\((?P<imprint>[^\W\d_a-z][^()]{1,150}?),?\s(?P<year>(?:1[5-9]|20)[0-9]{2})\)\Z")
BRACKET_BEHIND_JOURNAL = re.compile(r"\s\[[^\[\]]{2,60}\]\Z")
BEFORE_A_TITLE = re.compile(r"(?:\A|[.,:;)\]）、0-9])\s*\Z")
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
# Chicago author-date: `Doe, Jane. 2020. Title. Rest`.
BEHIND_NAMES = re.compile(rf"\A(?P<names>[^0-9]{{2,3000}}?)[,.]\s(?P<date>{WHEN})[.,:]\s(?P<rest>.{{4,}})\Z")
# A span of years belongs to the subject of a title, not to when the work appeared.
SPAN = re.compile(r"[0-9][–/-]")

# Vancouver: `Doe J, Roe R. Title. Journal. 2020;12(3):45`.
MEDICAL = re.compile(
    r"\A(?P<names>[^.]{2,3000}(?<![A-Z])(?:\s[A-Z]{1,3}(?:\s(?:Jr|Sr))?)?|"
    r"[^.]{2,3000}et al)\.\s(?P<title>.{4,900}?)(?!(?<=\b[A-Z])\.\s[a-z])(?!(?<=\bvs)\.)[.?]\s"
    r"(?P<rest>[^.;]{2,150}(?:\.[^;]{0,100})?[0-9]{4}[^;]{0,20};.*)\Z"
)
YEAR_AT_END = re.compile(r"\s\(?((?:1[5-9]|20)[0-9]{2})[a-z]?\)?\.?\Z")
STOP = re.compile(r"(?<=[.?!。？！])\s+|(?<=[。？！])")
# A full stop behind one of these ends no sentence.
ABBREVIATION = re.compile(
    r"(?:\b[^\W\d_]|\b(?:vs|st|dr|mr|mrs|ms|jr|sr|vol|no|pp|ed|eds|etc|cf|u\.s|u\.k|e\.g|i\.e|al|fig|ca|"
    r"approx|sp|spp|var|inc|ltd|co|univ|bd|nr|hrsg))\.\Z",
    re.IGNORECASE,
)
IN_BOOK = re.compile(r"\A\s*(?:in|dans|en|v)\b\s?:?\s(?P<rest>.+)\Z", re.IGNORECASE)
# Names behind the title: `“Title” by Jane Doe, published in …`, `“Title” — Doe et al., …`.
BYLINE = re.compile(
    r"\A(?:by|von|par|por)\s(?P<names>[^()\"“”]{2,300}?)[.,]?\s"
    r"(?:\(|(?:(?:published|publié|erschienen|publicado)\s)?(?:in|dans|en)\s)"
    r"|\A[—–-]\s(?P<others>[^()\"“”,;]{2,60}\set\sal\b)\.?,?"
)

EDITORS_FIRST = re.compile(
    r"\A(?P<names>.{2,400}?)[\s,]*\((?:eds?|hrsg|editors?)\.?\)[.,:]?\s(?P<rest>.+)\Z", re.IGNORECASE
)
EDITORS_AFTER = re.compile(
    r",?\s(?:edited by|ed\. by|hrsg\. von)\s(?P<names>[^,.]{2,200}(?:\.\s[A-Z][^,.]{1,60})?)", re.IGNORECASE
)
THESIS = re.compile(r"\b(?:ph\.?\s?d\.?|doctoral|master'?s?|diss(?:ertation)?|thesis|habilitation)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReferenceParts:
    """A reference cut at its anchors; the rest is still one piece."""

    names: str = ""
    title: str | None = None
    date: str = ""
    rest: str = ""
    is_quoted: bool = False


def parse_reference(text: str) -> Reference:
    """What the text says about the work; a text that says nothing gives an empty reference with `raw`."""
    whole = strip_markup(BROKEN_DOI.sub(r"\1\2\3", text[:LONGEST]))
    body = " ".join(_undressed(whole).translate(FULL_WIDTH).split())
    # Before everything else: a case name looks like a title, and its reporter like a journal.
    case = parse_case(body)
    identified = _identified(whole)
    if case is not None:
        return replace(identified, type=case.type, title=case.title, container=case.container, year=case.year,
        date=case.date,
                       volume=case.volume, pages=case.pages, extra=case.extra)  # fmt: skip
    body, accessed = _without_access(ADDRESS.sub(" ", _without_identifiers(body)))
    body = " ".join(body.split()).strip(" ,;")
    return _filled(replace(identified, accessed=accessed), _cut(body))


def _undressed(text: str) -> str:
    """Without its number, the word of a footnote, emphasis and links in markdown, and the quotes of LaTeX."""
    text = GLUED.sub(", ", REPEATED_AUTHOR.sub("", NUMBER.sub("", text))).replace("``", "“").replace("''", "”")
    return SIGNAL.sub("", EMPHASIS.sub("", LINKED.sub(r"“\1” \2 ", text)).lstrip())


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


def _cut(body: str) -> ReferenceParts:
    """By the first anchor that is there; quotation marks tell more than anything else."""
    quoted = _quoted(body)
    dated = IN_BRACKETS.match(body)
    dated = None if dated and is_only_volume_and_pages(dated["rest"]) else dated
    if dated and (quoted is None or len(dated["names"]) < len(quoted["names"])) and _are_names(dated["names"]):
        inside = _quoted(dated["rest"]) if quoted else None
        if inside and not inside["names"].strip():
            return ReferenceParts(dated["names"], inside["title"], dated["date"], inside["rest"], True)
        return _titled(dated["names"], dated["date"], dated["rest"])
    if quoted:
        names, date = _dated_names(quoted["names"])
        byline = None if names else BYLINE.match(quoted["rest"])
        names = (byline["names"] or byline["others"]) if byline else names
        return ReferenceParts(names, quoted["title"], date, quoted["rest"][byline.end() if byline else 0 :], True)
    return _unmarked(body)


def _quoted(body: str) -> re.Match[str] | None:
    """A title in quotation marks; a quoted word in the middle of a sentence is none."""
    match = IN_QUOTES.match(body) or IN_SINGLE_QUOTES.match(body)
    if match is None or body[match.end("title") + 1 : match.end("title") + 2] == ":":  # `“I felt alone”: a survey of …`
        return None
    mark = match.start("title") - 1
    is_whole = len(match["title"].split()) > 2 and len(match["names"].split()) < 7
    return match if is_whole or BEFORE_A_TITLE.search(body[max(0, mark - 8) : mark]) else None


def _unmarked(body: str) -> ReferenceParts:
    match = BEHIND_NAMES.match(body)
    if (
        match
        and _are_names(match["names"])
        and not (is_only_volume_and_pages(match["rest"]) or SPAN.search(match["date"]))
    ):
        return _titled(match["names"], match["date"], match["rest"])
    medical = MEDICAL.match(body)
    if medical:
        names, (title_text, behind) = medical["names"], _medical_title(medical)
        is_turned = _looks_like_people(title_text) and not _looks_like_people(names)
        return (
            ReferenceParts(title_text, names, "", behind)
            if is_turned
            else ReferenceParts(names, title_text, "", behind)
        )
    # No anchor at all: how the names in front are written has to show where they end.
    opened = split_leading_authors(body)
    if opened:
        is_told = opened.title != ""
        return (
            ReferenceParts(opened.names, opened.title, "", opened.rest)
            if is_told
            else _titled(opened.names, "", opened.rest)
        )
    front, rest = _first_sentence(body)
    if rest and front and _are_names(front) and (_looks_like_people(front) or _is_one_person(front, rest)):
        title, after = _whole_title(rest)
        return ReferenceParts(front, title, "", after)
    return ReferenceParts("", front, "", rest)


def _medical_title(match: re.Match[str]) -> tuple[str, str]:
    """With what follows a question, unless that is the journal, behind which the year stands."""
    if match.string[match.end("title")] != "?":
        return match["title"], match["rest"]
    title, rest = _whole_title(f"{match['title']}? {match['rest']}")
    return (title, rest) if title and not rest[:4].isdigit() else (f"{match['title']}?", match["rest"])


def _titled(names: str, date: str, text: str) -> ReferenceParts:
    if is_journal_alone(text):
        return ReferenceParts(names, None, date, text)
    inside = IN_BEHIND_COMMA.search(text) if IN_BEHIND_COMMA_MARK in text else None
    if inside and inside.start() > 3:
        return ReferenceParts(names, _trimmed(text[: inside.start()]), date, inside["rest"])
    title, rest = _whole_title(text)
    imprint = IMPRINT_AT_END.search(title) if title and not rest else None
    if title and imprint:
        return ReferenceParts(
            names, _trimmed(title[: imprint.start()]), date, f"{imprint['imprint']}, {imprint['year']}"
        )
    return ReferenceParts(names, title, date, rest)


def _dated_names(names: str) -> tuple[str, str]:
    match = YEAR_AT_END.search(names.rstrip(" ."))
    return (names[: match.start()], match[1]) if match else (names, "")


def _are_names(text: str) -> bool:
    """Not a sentence: what stands before the year is a list of people or a short name of an organisation."""
    if IN_COLON.search(text):
        return False
    return len(text.split()) <= 12 or text.count(",") + text.count(";") >= len(text.split()) // 6


def _looks_like_people(text: str) -> bool:
    names, et_al = parse_authors(text)
    if et_al or not names or len(text.split()) < 2:
        return et_al or ACRONYM.fullmatch(text) is not None
    are_whole = all(name.given or len(name.display.split()) < 2 for name in names)
    return are_whole and ("," in text or ";" in text or all(_has_initial(name) for name in names))


def _is_one_person(front: str, rest: str) -> bool:
    """`Tihomir Radev. Updating the widget. Journal, 2022`: a whole name, and both a title and a place behind it."""
    title, place = _whole_title(rest)
    words = (title or "").split()
    is_titled = len(words) > len(front.split()) and any(word.islower() for word in words)
    return bool(place) and is_titled and is_whole_name(front)


def _has_initial(name: Name) -> bool:
    return name.given.rstrip(".").isupper() and len(name.given) < 8


def _first_sentence(text: str) -> tuple[str | None, str]:
    """Up to a stop that ends no abbreviation and stands in no brackets."""
    for match in STOP.finditer(text):
        front = text[: match.start()]
        if (
            ABBREVIATION.search(front[-12:])
            or front.count("(") > front.count(")")
            or front.count("[") > front.count("]")
        ):
            continue
        return _trimmed(front), text[match.end() :]
    return _trimmed(text), ""


def _whole_title(text: str) -> tuple[str | None, str]:
    """A question goes on with its subtitle, when something is left behind that."""
    title, rest = _first_sentence(text)
    more, after = _first_sentence(rest)
    if title and more and after and title.endswith(("?", "!")) and not IN_BOOK.match(rest):
        return f"{title} {more}", after
    return title, rest


def _trimmed(title: str) -> str | None:
    return title.strip().rstrip(".,;:。").strip() or None


def _filled(reference: Reference, parts: ReferenceParts) -> Reference:
    names, et_al = parse_authors(parts.names)
    parts = replace(parts, rest=_in_usual_order(parts.rest))
    in_book = IN_BOOK.match(parts.rest)
    editors, rest = _editors(in_book["rest"] if in_book else parts.rest)
    details = parse_details(rest)
    title, details = _title(parts, details)
    date = parse_partial_date(parts.date) or (PartialDate(details.year) if details.year else None)
    filled = replace(
        reference, title=title, authors=names, et_al=et_al, editors=editors, year=date.year if date else None,
        date=date,
        volume=details.volume, issue=details.issue, pages=details.pages, edition=details.edition,
    )  # fmt: skip
    return _placed(filled, details, bool(in_book), parts)


def _in_usual_order(rest: str) -> str:
    """Lawyers set year and volume before the journal: `(2015) 50 Journal 154` is `Journal 50, 154 (2015)`."""
    match = LAW_JOURNAL.match(rest)
    return "{journal} {volume}, {page} ({year})".format(**match.groupdict()) if match else rest


def _title(parts: ReferenceParts, details: PublicationDetails) -> tuple[str | None, PublicationDetails]:
    """An edition in brackets behind the title of a book belongs to the book."""
    own = parse_details(parts.title or "")
    match = re.search(
        r"(?:(?<!\s)\s+)?\((?:[^()]{0,30}\bed(?:ition|n)?\b\.?|[^()]{0,20}Aufl\.?|Vol\.[^()]{0,20})\)\s*\Z",
        parts.title or "",
    )
    if match is None or parts.title is None:
        return parts.title, details
    details.edition = details.edition or own.edition
    return parts.title[: match.start()].strip(), details


def _editors(text: str) -> tuple[tuple[Name, ...], str]:
    first = EDITORS_FIRST.match(text)
    if first:
        return parse_authors(first["names"])[0], first["rest"]
    after = EDITORS_AFTER.search(text)
    if after:
        return parse_authors(after["names"])[0], text[: after.start()] + text[after.end() :]
    return (), text


def _placed(reference: Reference, details: PublicationDetails, in_book: bool, parts: ReferenceParts) -> Reference:
    """What stood before the numbers is a journal, a book, a site or a publisher,
    as the rest of the reference has it."""
    rest = BRACKET_BEHIND_JOURNAL.sub("", details.rest.removeprefix("In ").strip(" ,")) or None
    # The order matters: a thesis also has a publisher, a chapter also has pages.
    if THESIS.search(parts.rest):
        return replace(reference, type="thesis", publisher=rest)
    if in_book and (reference.editors or not (details.volume or details.issue)):
        book, after = _first_sentence(re.sub(r"(?:(?<!\s)\s+)?\(\s*\Z", "", details.rest))
        tail = after or _behind(parts.rest)
        place, publisher = parse_imprint(tail) if tail else (None, None)
        return replace(
            reference, type="chapter", container=(book or "").strip(" ,(") or None, place=place, publisher=publisher
        )
    if details.volume or details.issue or (details.pages and rest) or (parts.is_quoted and rest):
        is_page = not (details.volume or details.issue or details.pages) and reference.url and not reference.doi
        return replace(reference, type="webpage" if is_page else "article-journal", container=rest)
    if reference.url and not reference.isbn and not reference.doi:
        return replace(reference, type="webpage", container=rest)
    if reference.arxiv and not rest:
        return replace(reference, type="article")
    place, publisher = parse_imprint(rest) if rest else (None, None)
    return replace(
        reference, type="book" if publisher or reference.isbn else "document", place=place, publisher=publisher
    )


def _behind(rest: str) -> str:
    """The imprint behind the pages of a chapter: `(pp. 7–19). Nordlicht.`"""
    match = re.search(r"\)\.\s([^()]{3,120})\Z|(?:[0-9][.,])\s([^\W\d_][^()0-9]{2,100}?)(?:,\s[0-9]{4})?\.?\Z", rest)
    return (match[1] or match[2] or "").strip(" .") if match else ""
