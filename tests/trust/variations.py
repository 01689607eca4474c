"""Citations made from records, rightly and wrongly, in fields and in words: how often the wrong ones are seen.

`python -m tests.trust.variations` prints the table. The records are those of the gold set and, where they lie beside
the project, recorded answers and real bibliographies.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from unicodedata import combining, normalize

from tests.trust.gold import RECORDED
from tests.trust.registries import crossref as gold_message
from tests.trust.registries import works
from wellsourced.citations.candidate_search import rate_candidate
from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.match.record_comparison import RecordComparison, compare_with_record
from wellsourced.citations.paper_reference import paper_title, reference_from_paper
from wellsourced.citations.parse.citation import parse_citation
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibliography import format_bibliography
from wellsourced.errors import WellsourcedError
from wellsourced.upstreams import crossref
from wellsourced.upstreams.types.paper import Author, Paper

SEED = 22
TYPES = {
    "article-journal": "journal-article",
    "paper-conference": "conference-paper",
    "chapter": "book-chapter",
    "thesis": "thesis",
}
STYLES = ("apa", "mla", "chicago", "ieee", "vancouver")
# Further manners: {f} family names first with initials, {g} given names first, {F} whole names.
MANNERS = (
    "{f}. {title}. {journal} {volume}, {pages} ({year}).",
    "{g}, {title}, {journal} {volume} ({year}) {pages}.",
    "{f}. {title}. {journal}. {year};{volume}({issue}):{pages}.",
    "{F}. {title}. In: {journal} {volume} ({year}), S. {pages}.",
    "{g}. {year}. {title}. {journal} {volume}, {issue} ({year}), {pages}.",
    "{f} ({year}) {title}. {journal} {volume}:{pages}",
    "{f}. {title} // {journal}. – {year}. – Т. {volume}. – № {issue}. – С. {pages}.",
    "{f}, {year}. {title}. {journal}, vol. {volume}, no. {issue}, pp. {pages}.",
    "{F}, “{title},” {journal} {volume} ({year}): {pages}.",
)
FALSE_NAMES = tuple(
    Name(family=family, given=given)
    for family, given in (
        ("Vandermeulen", "Katrien"), ("Oyelaran", "Babatunde"), ("Fitzwilliam", "Rupert"), ("Szczepaniak", "Marek"),
        ("Thorvaldsen", "Inga"), ("Abernathy", "Clive"), ("Quispe", "Yolanda"), ("Makhmudov", "Rustam"),
    )
)  # fmt: skip
FALSE_JOURNALS = (
    "Journal of Alpine Beekeeping", "Annals of Maritime Law", "The Lancet", "Transactions on Ceramic Engineering",
    "Quarterly Review of Puppetry", "International Journal of Hospital Catering",
)  # fmt: skip
FALSE_TITLES = (
    "Seasonal variation of plankton in brackish lagoons of the northern coast",
    "A survey of wage bargaining among dock workers after deregulation",
    "Thermal fatigue of welded joints in district heating pipes",
)


@dataclass
class Tally:
    seen: int = 0
    of: int = 0
    examples: list[str] = field(default_factory=list)

    def count(self, hit: bool, example: str) -> None:
        self.of += 1
        self.seen += hit
        if not hit:
            self.examples.append(example)

    @property
    def share(self) -> float:
        return self.seen / self.of if self.of else 1.0


@cache
def papers() -> tuple[Paper, ...]:
    found = [*_gold_papers(), *_recorded_papers(), *_bibliography_papers()]
    return tuple({(paper.title, paper.year): paper for paper in found}.values())


def _gold_papers() -> Iterator[Paper]:
    for doi in works():
        message = gold_message(doi)
        if message and message.get("title", [None])[0] and message.get("author"):
            yield crossref._parse_paper(message)


def _recorded_papers() -> Iterator[Paper]:
    for path in sorted((RECORDED / "crossref").glob("*.json")):
        message = json.loads(path.read_bytes()).get("message")
        for item in message.get("items", [message]) if isinstance(message, dict) else []:
            try:
                paper = crossref._parse_paper(item)
            except (WellsourcedError, KeyError):
                continue
            if paper_title(paper) and paper.authors and paper.year:
                yield paper


def _bibliography_papers() -> Iterator[Paper]:
    for path in sorted((RECORDED / "bibliography").glob("*/*.*")):
        try:
            entries = read_bibliography(path.read_text("utf-8", errors="replace")).entries
        except WellsourcedError:
            continue
        for entry in entries:
            if entry.title and entry.authors and entry.year and entry.type in TYPES:
                yield _paper(entry)


def _paper(entry: Reference) -> Paper:
    people = tuple(
        Author(literal=name.literal) if name.literal else Author(family=name.surname, given=name.given)
        for name in entry.authors
    )
    return Paper(
        title=entry.title or "",
        url="https://example.org/",
        source="crossref",
        doi=entry.doi,
        authors=tuple(person.name for person in people),
        author_names=people,
        journal=entry.container,
        year=entry.year,
        type=TYPES[entry.type],
        volume=entry.volume,
        issue=entry.issue,
        pages=entry.pages,
        publisher=entry.publisher,
    )


def cited(paper: Paper) -> Reference:
    kinds = {theirs: ours for ours, theirs in TYPES.items()}
    return replace(reference_from_paper(paper), type=kinds.get(paper.type or "", "article-journal"))


def written(reference: Reference, *, with_doi: bool = True) -> Iterator[str]:
    """The reference in words, in many manners."""
    for style in STYLES:
        yield format_bibliography([reference], style).strip()  # type: ignore[arg-type]
    people = [name for name in reference.authors[:6] if name.family] or list(reference.authors[:6])
    more = ", et al" if len(reference.authors) > 6 else ""
    parts = {
        "f": ", ".join(f"{name.surname} {_initials(name)}".strip() for name in people) + more,
        "g": ", ".join(f"{_initials(name, '. ')} {name.surname}".strip() for name in people) + more,
        "F": "; ".join(f"{name.surname}, {name.given}".strip(" ,") for name in people),
        "title": reference.title, "journal": reference.container, "volume": reference.volume,
        "issue": reference.issue or "2", "pages": reference.pages, "year": reference.year,
    }  # fmt: skip
    if all(parts.values()):
        tail = f" doi:{reference.doi}" if reference.doi and with_doi else ""
        yield from (manner.format(**parts) + tail for manner in MANNERS)


def _initials(name: Name, mark: str = "") -> str:
    return "".join(word[0] + mark for word in name.given.split()).strip()


Change = Callable[[Reference, random.Random], Reference | None]


def _other_year(reference: Reference, chance: random.Random) -> Reference | None:
    if not reference.year:
        return None
    year = reference.year + chance.choice((-1, 1)) * chance.randint(3, 12)
    return replace(reference, year=year, date=None) if year <= 2026 else replace(reference, year=reference.year - 5)


def _other_journal(reference: Reference, chance: random.Random) -> Reference | None:
    return replace(reference, container=chance.choice(FALSE_JOURNALS)) if reference.container else None


def _other_people(reference: Reference, chance: random.Random) -> Reference | None:
    count = len(reference.authors)
    if not 2 <= count <= 6:
        return None
    return replace(reference, authors=(reference.authors[0], *chance.sample(FALSE_NAMES, count - 1)))


def _other_first(reference: Reference, chance: random.Random) -> Reference | None:
    return replace(reference, authors=(chance.choice(FALSE_NAMES), *reference.authors[1:]))


def _all_other_people(reference: Reference, chance: random.Random) -> Reference | None:
    return replace(reference, authors=tuple(chance.sample(FALSE_NAMES, min(6, len(reference.authors)))))


def _other_title(reference: Reference, chance: random.Random) -> Reference | None:
    return replace(reference, title=chance.choice(FALSE_TITLES))


def _other_word(reference: Reference, chance: random.Random) -> Reference | None:
    words = (reference.title or "").split()
    places = [place for place, word in enumerate(words) if word.isalpha() and len(word) > 5]
    if len(words) < 4 or not places:
        return None
    words[chance.choice(places)] = chance.choice(("plankton", "bargaining", "district"))
    return replace(reference, title=" ".join(words))


def _other_place(reference: Reference, chance: random.Random) -> Reference | None:
    if not (reference.volume or "").isdigit() or not reference.pages:
        return None
    volume, page = int(reference.volume or 0) + chance.randint(7, 60), chance.randint(2000, 2900)
    return replace(reference, volume=str(volume), pages=f"{page}–{page + 11}")


WRONG: dict[str, Change] = {
    "year": _other_year,
    "journal": _other_journal,
    "co-authors": _other_people,
    "first author": _other_first,
    "all authors": _all_other_people,
    "title": _other_title,
    "one title word": _other_word,
    "volume and pages": _other_place,
}


def _with_initials(reference: Reference, _: random.Random) -> Reference | None:
    return replace(reference, authors=tuple(replace(n, given=_initials(n, ". ").strip()) for n in reference.authors))


def _et_al(reference: Reference, _: random.Random) -> Reference | None:
    return replace(reference, authors=reference.authors[:1], et_al=True) if len(reference.authors) > 2 else None


def _abbreviated(reference: Reference, _: random.Random) -> Reference | None:
    words = [w for w in (reference.container or "").split() if w.casefold() not in {"of", "the", "and", "for", "in"}]
    short = " ".join(word if len(word) < 6 else word[:5].rstrip("aeiou") + "." for word in words)
    return replace(reference, container=short) if len(words) > 1 else None


def _without_subtitle(reference: Reference, _: random.Random) -> Reference | None:
    head, mark, _rest = (reference.title or "").partition(": ")
    return replace(reference, title=head) if mark and len(head.split()) > 2 else None


def _a_year_later(reference: Reference, _: random.Random) -> Reference | None:
    return replace(reference, year=(reference.year or 0) + 1, date=None)


def _first_page(reference: Reference, _: random.Random) -> Reference | None:
    return replace(reference, pages=reference.pages.split("–")[0]) if reference.pages else None


def _shortened_pages(reference: Reference, _: random.Random) -> Reference | None:
    first, mark, last = (reference.pages or "").replace("-", "–").partition("–")
    is_long = mark and len(first) == len(last) > 2 and first[0] == last[0]
    return replace(reference, pages=f"{first}–{last[1:]}") if is_long else None


def _bare(reference: Reference, _: random.Random) -> Reference | None:
    return replace(reference, volume=None, issue=None, pages=None)


def _marks_off(reference: Reference, _: random.Random) -> Reference | None:
    people = tuple(replace(name, family=_plain(name.family), given=_plain(name.given)) for name in reference.authors)
    changed = replace(reference, authors=people, title=_plain(reference.title or ""))
    return changed if changed != reference else None


def _plain(text: str) -> str:
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter))


def _letters_turned(reference: Reference, chance: random.Random) -> Reference | None:
    """Two letters within one long word of the title."""
    words = (reference.title or "").split()
    long = [place for place, word in enumerate(words) if word.isalpha() and len(word) > 6]
    if len(words) < 4 or not long:
        return None
    word = words[place := chance.choice(long)]
    at = chance.randrange(1, len(word) - 2)
    words[place] = f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
    return replace(reference, title=" ".join(words))


def _neighbours_exchanged(reference: Reference, chance: random.Random) -> Reference | None:
    people = list(reference.authors)
    if len(people) < 2:
        return None
    place = chance.randrange(len(people) - 1)
    people[place : place + 2] = people[place + 1], people[place]
    return replace(reference, authors=tuple(people))


RIGHT: dict[str, Change] = {
    "marks off": _marks_off,
    "letters turned": _letters_turned,
    "two authors exchanged": _neighbours_exchanged,
    "as recorded": lambda reference, _: reference,
    "initials": _with_initials,
    "et al.": _et_al,
    "abbreviated journal": _abbreviated,
    "subtitle dropped": _without_subtitle,
    "a year later": _a_year_later,
    "first page": _first_page,
    "shortened pages": _shortened_pages,
    "without place": _bare,
    "in capitals": lambda reference, _: replace(reference, title=(reference.title or "").upper()),
}


def measure(taken: Sequence[Paper]) -> tuple[dict[str, Tally], dict[str, Tally]]:
    """What wrong citations are seen, and what right ones are left in peace; each in fields and in words."""
    chance = random.Random(SEED)
    wrong: dict[str, Tally] = defaultdict(Tally)
    right: dict[str, Tally] = defaultdict(Tally)
    for paper in taken:
        for name, change in RIGHT.items():
            if reference := change(cited(paper), chance):
                _play(paper, reference, name, right, expected=False)
        for name, change in WRONG.items():
            reference = change(cited(paper), chance)
            if reference and reference != cited(paper):
                _play(paper, reference, name, wrong, expected=True)
        other = chance.choice(taken)
        if other.title != paper.title:
            _play(other, replace(cited(paper), doi=other.doi), "DOI of another work", wrong, expected=True)
        for text in written(cited(paper), with_doi=False):
            for other in chance.sample(list(taken), 3):
                if other.title != paper.title:
                    rated = rate_candidate(parse_citation(text).reference, other, free_text=True)
                    wrong["invented, words"].count(not rated.is_meant, f"{text[:150]} ≠ {other.title}")
    return wrong, right


def _play(paper: Paper, reference: Reference, name: str, tallies: dict[str, Tally], *, expected: bool) -> None:
    found = compare_with_record(reference, paper, free_text=False)
    said = f"{paper.title[:70]}: {found.differences}"
    tallies[f"{name}, fields"].count(found.disagrees == expected, said)
    _count_unconfirmed(found, name, "fields", tallies)
    for text in written(reference):
        parsed = parse_citation(text)
        found = compare_with_record(parsed.reference, paper, free_text=parsed.free_text)
        tallies[f"{name}, words"].count(found.disagrees == expected, f"{text[:230]}: {found.differences}")
        _count_unconfirmed(found, name, "words", tallies)


def _count_unconfirmed(found: RecordComparison, name: str, manner: str, tallies: dict[str, Tally]) -> None:
    """A title in another language may be a translation of the record's: then the answer is uncertain, and says so."""
    if name == "title":
        is_told = found.disagrees or found.has_strange_title
        tallies[f"title, or uncertain, {manner}"].count(is_told, found.fields.title)


def main() -> int:
    """`examples every`: how many misses are shown, and that only each n-th record is taken."""
    many, every = map(int, [*sys.argv[1:3], *("0", "1")[len(sys.argv) - 1 :]])
    wrong, right = measure(papers()[::every])
    print(f"{len(papers()[::every])} records")
    for title, tallies in (("right, not accused", right), ("wrong, seen", wrong)):
        print(f"\n== {title}")
        for name, tally in sorted(tallies.items(), key=lambda item: (item[0].endswith("words"), item[0])):
            print(f"{name:<30}{tally.seen:>7} of {tally.of:>6}{tally.share:>9.4f}")
            for example in tally.examples[:many]:
                print(f"    {example}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
