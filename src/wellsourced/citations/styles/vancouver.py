"""Vancouver: the numbered reference list of medical journals. Facts: Citing Medicine (NLM), citation sequence."""

from __future__ import annotations

from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.common import (
    MONTHS,
    double_quotes,
    is_part_of_work,
    issue_number,
    join_sentences,
    journal_name,
    labelled_volume,
    numbered_edition,
    shorten_pages_vancouver,
    undated_words,
    year_with_era,
)
from wellsourced.citations.styles.name_lists import NameRule, write_names
from wellsourced.text.partial_dates import PartialDate

PEOPLE = NameRule(initial="", comma=" ", and_two=", ", and_more=", ", most=6, shown=6, et_al=", et al")
BOOK_PARTS = frozenset({"chapter", "paper-conference", "entry-encyclopedia", "entry-dictionary"})
SERIALS = frozenset({"article-journal", "article-magazine", "article-newspaper", "post-weblog"})


def format_entry(reference: Reference) -> str:
    people = format_names(reference.authors or reference.editors, reference.et_al)
    if reference.editors and not reference.authors:
        people = _with_role(reference)
    text = join_sentences([people, *_titles(reference), *_source(reference)])
    return " ".join(part for part in (text, *_identifiers(reference)) if part)


def format_names(people: tuple[Name, ...], et_al: bool = False) -> str:
    return write_names(people, PEOPLE, et_al)


def _titles(reference: Reference) -> list[str | None]:
    """A page of a site stands behind the site; all that is only online says so."""
    has_container = bool(reference.container)
    title = (
        reference.container if reference.type == "webpage" and has_container else double_quotes(reference.title or "")
    )
    genre = f" [{reference.extra['genre']}]" if reference.extra.get("genre") else ""
    is_online = (
        reference.url and (reference.type == "webpage" or not has_container) and reference.type not in BOOK_PARTS
    )
    return [f"{title}{genre}{' [Internet]' if is_online else ''}" if title else None]


def _source(reference: Reference) -> list[str | None]:
    number = reference.extra.get("collection-number")
    series = "; ".join(
        part for part in (reference.extra.get("collection-title"), f"no. {number}" if number else "") if part
    )
    count = reference.extra.get("number-of-pages") if reference.type == "book" else None
    if reference.type in SERIALS:
        return [*_journal(reference)]
    page = shorten_pages_vancouver(reference.pages) if reference.type != "book" else ""
    imprint = ": ".join(part for part in (reference.place, reference.publisher) if part)
    date = f"{year_with_era(reference.year)}" if reference.year is not None else undated_words(reference)
    date += f"{' ' if date else ''}[cited {_date(reference.accessed)}]" if reference.accessed and reference.url else ""
    return [
        *_book(reference),
        "; ".join(part for part in (imprint, date) if part),
        f"p. {page}" if page else f"{count} p." if count else None,
        f"({series})" if series else None,
        reference.title if reference.type == "webpage" and reference.container else None,
    ]


def _book(reference: Reference) -> list[str | None]:
    editors = _second_names(reference)
    edition = numbered_edition(reference)
    if reference.type == "webpage":
        return []
    if not is_part_of_work(reference):
        volume = labelled_volume(reference, "Vol.")
        if reference.type in BOOK_PARTS:
            return [f"In: {join_sentences([edition, editors])}" if edition or editors else "In", volume]
        return [edition, editors, volume]
    online = " [Internet]" if reference.url else ""
    book = f"{reference.container}{online}"
    inside = join_sentences([editors, book, edition]) if reference.type in BOOK_PARTS else ""
    return [f"In: {inside}" if inside else book]


def _second_names(reference: Reference) -> str | None:
    return _with_role(reference) if reference.editors and reference.authors else None


def _with_role(reference: Reference) -> str:
    people = format_names(reference.editors)
    stop = "." if people.endswith("et al") else ""
    return f"{people}{stop}, {'editors' if len(reference.editors) > 1 else 'editor'}"


def _journal(reference: Reference) -> list[str | None]:
    name = journal_name(reference).replace(".", "")
    is_numbered = reference.doi or reference.pmid or "PMCID" in reference.extra
    online = " [Internet]" if reference.url and not is_numbered and name else ""
    cited = f" [cited {_date(reference.accessed)}]" if reference.accessed and reference.url and not is_numbered else ""
    date = f"{_date(reference.date, reference.year) or undated_words(reference)}{cited}"
    pages = reference.extra.get("number") or shorten_pages_vancouver(reference.pages)
    volume = f"{reference.volume or ''}{f'({issue_number(reference)})' if reference.issue else ''}"
    where = ":".join(part for part in (volume, pages) if part)
    return [
        _second_names(reference),
        f"{name}{online}" if name else None,
        ";".join(part for part in (date, where) if part),
    ]


def _date(date: PartialDate | None, year: int | None = None) -> str:
    if date is None:
        return year_with_era(year) if year is not None else ""
    month = MONTHS[date.month - 1][:3] if date.month else ""
    return " ".join(part for part in (year_with_era(date.year), month, str(date.day or "")) if part)


def _identifiers(reference: Reference) -> list[str]:
    central = reference.extra.get("PMCID")
    is_numbered = reference.type == "article-journal" and (reference.doi or reference.pmid or central)
    numbers = [f"PubMed PMID: {reference.pmid}"] if reference.pmid else []
    numbers += [f"PubMed Central PMCID: {central}"] if central else []
    archive = reference.extra.get("archive")
    return [
        *([f"Located at: {archive}."] if archive else []),
        *([f"Available from: {reference.url}"] if reference.url and not is_numbered else []),
        *([f"doi:{reference.doi}"] if reference.doi else []),
        *([f"{'; '.join(numbers)}."] if numbers else []),
        *(
            [f"Available from: https://arxiv.org/abs/{reference.arxiv}"]
            if reference.arxiv and not (reference.url or reference.doi)
            else []
        ),
    ]
