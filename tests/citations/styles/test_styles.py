"""Bibliographies written out: as the style guides have them, and read back without loss."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibliography import STYLES, Style, distinct_references, format_bibliography
from wellsourced.citations.styles.common import shorten_pages_chicago, shorten_pages_vancouver
from wellsourced.citations.webpage_citation import cite_page, page_reference, split_authors
from wellsourced.errors import BadInput
from wellsourced.text.partial_dates import PartialDate
from wellsourced.text.plain_text import one_line

ARTICLE = Reference(
    type="article-journal",
    title="The Structure of Ordinary Water",
    authors=(Name(family="Frank", given="Henry S."),),
    year=1970,
    container="Science",
    volume="169",
    issue="3946",
    pages="635–641",
    doi="10.1126/science.169.3946.635",
)
BOOK = Reference(
    type="book",
    title="Ethik des Lesens",
    edition="2",
    publisher="Muster",
    place="Berlin",
    year=2011,
    isbn="9783161484100",
    authors=(
        Name(family="Berg", given="Anna-Maria", particle="von der"),
        Name(family="Roe", given="John", suffix="Jr."),
    ),
)
CHAPTER = Reference(
    type="chapter",
    title="Wohin?",
    container="Wege der Forschung",
    editors=(Name(family="Ha", given="Min"),),
    pages="7–19",
    authors=(Name(family="Cruz", given="Sor Juana", particle="de la"),),
    year=1999,
    publisher="Nordlicht",
    place="Kiel",
)
PAGE = Reference(
    type="webpage",
    title="Global report",
    authors=(Name(literal="World Health Organization"),),
    year=2023,
    date=PartialDate(2023, 5, 4),
    container="WHO",
    url="https://example.org/r?a=1&b_c=2",
)
MANY = Reference(
    type="book", title="Crowd", year=2020, authors=tuple(Name(family=f"F{n:02}", given="Ann") for n in range(23))
)

DOI = "doi:10.1126/science.169.3946.635"
PROGRAMS = ("bibtex", "biblatex", "ris", "csl-json")
RENDERED: list[tuple[Style, Reference, str]] = [
    (
        "apa",
        ARTICLE,
        "Frank, H. S. (1970). The Structure of Ordinary Water. Science, 169(3946), 635–641. "
        "https://doi.org/10.1126/science.169.3946.635",
    ),
    (
        "mla",
        ARTICLE,
        'Frank, Henry S. "The Structure of Ordinary Water." Science, vol. 169, no. 3946, 1970, pp. '
        "635–41, "
        "https://doi.org/10.1126/science.169.3946.635.",
    ),
    (
        "chicago",
        ARTICLE,
        'Frank, Henry S. 1970. "The Structure of Ordinary Water." Science 169 (3946): 635–41. '
        "https://doi.org/10.1126/science.169.3946.635.",
    ),
    (
        "ieee",
        ARTICLE,
        '[1] H. S. Frank, "The Structure of Ordinary Water," Science, vol. 169, no. 3946, pp. '
        "635–641, 1970, "
        "doi: 10.1126/science.169.3946.635.",
    ),
    (
        "vancouver",
        ARTICLE,
        "1. Frank HS. The Structure of Ordinary Water. Science. 1970;169(3946):635–41. "
        "doi:10.1126/science.169.3946.635",
    ),
    ("apa", BOOK, "von der Berg, A.-M., & Roe, J., Jr. (2011). Ethik des Lesens (2nd ed.). Muster."),
    ("mla", BOOK, "von der Berg, Anna-Maria, and John Roe Jr. Ethik des Lesens. 2nd ed., Muster, 2011."),
    ("chicago", BOOK, "Berg, Anna-Maria von der, and John Roe Jr. 2011. Ethik des Lesens. 2nd ed. Muster."),
    ("chicago-notes", BOOK, "Berg, Anna-Maria von der, and John Roe Jr. Ethik des Lesens. 2nd ed. Muster, 2011."),
    ("harvard", BOOK, "von der Berg, A.-M. and Roe, J., Jr. (2011) Ethik des Lesens. 2nd ed. Berlin: Muster."),
    (
        "ama",
        ARTICLE,
        "1. Frank HS. The Structure of Ordinary Water. Science. 1970;169(3946):635-641. " + DOI,
    ),
    (
        "acm",
        ARTICLE,
        "[1] Henry S. Frank. 1970. The Structure of Ordinary Water. Science 169, 3946 (1970), 635–641. https://doi.org/10.1126/science.169.3946.635",
    ),
    ("nature", ARTICLE, "1. Frank, H. S. The Structure of Ordinary Water. Science 169, 635–641 (1970)."),
    ("ieee", BOOK, "[1] A.-M. von der Berg and J. Roe Jr., Ethik des Lesens, 2nd ed. Berlin: Muster, 2011."),
    ("vancouver", BOOK, "1. von der Berg AM, Roe J Jr. Ethik des Lesens. 2nd ed. Berlin: Muster; 2011."),
    ("apa", CHAPTER, "de la Cruz, S. J. (1999). Wohin? In M. Ha (Ed.), Wege der Forschung (pp. 7–19). Nordlicht."),
    (
        "mla",
        CHAPTER,
        'de la Cruz, Sor Juana. "Wohin?" Wege der Forschung, edited by Min Ha, Nordlicht, 1999, pp. 7–19.',
    ),
    (
        "chicago",
        CHAPTER,
        'Cruz, Sor Juana de la. 1999. "Wohin?" In Wege der Forschung, edited by Min Ha. Nordlicht.',
    ),
    ("apa", PAGE, "World Health Organization. (2023, May 4). Global report. WHO. https://example.org/r?a=1&b_c=2"),
    ("mla", PAGE, 'World Health Organization. "Global Report." WHO, 4 May 2023, https://example.org/r?a=1&b_c=2.'),
    (
        "vancouver",
        PAGE,
        "1. World Health Organization. WHO [Internet]. 2023. Global report. Available from: "
        "https://example.org/r?a=1&b_c=2",
    ),
    ("apa", Reference(doi="10.5555/only"), "(N.d.). https://doi.org/10.5555/only"),
    ("apa", Reference(type="book", title="Ilias", year=-750), "Ilias. (750 B.C.E.)."),
    ("mla", Reference(type="book", title="Ilias", year=-750), "Ilias. 750 BC."),
    (
        "apa",
        Reference(type="webpage", title="Opening hours", url="https://example.org/h"),
        "Opening hours. (n.d.). Retrieved https://example.org/h",
    ),
    (
        "chicago",
        Reference(
            type="paper-conference",
            title="Paths",
            authors=(Name(family="Doe", given="J."),),
            year=2007,
            container="Proceedings of Mining",
            pages="330–339",
            extra={"collection-title": "KDD '07"},
        ),
        'Doe, J. 2007. "Paths." Proceedings of Mining, KDD \'07, 330–39.',
    ),
    (
        "mla",
        Reference(
            type="article-journal",
            title="Paths",
            authors=(Name(family="Doe", given="J."),),
            year=2007,
            container="Mining",
            volume="9",
            issue="3",
            extra={"number": "1042"},
        ),
        'Doe, J. "Paths." Mining, vol. 9, no. 3, no. 1042, 2007.',
    ),
    (
        "apa",
        Reference(title="山の音", authors=(Name(family="川端", given="康成"),), year=1954),
        "川端康成. (1954). 山の音.",
    ),
]


@pytest.mark.parametrize(("style", "reference", "expected"), RENDERED)
def test_entries_as_the_guides_have_them(style: Style, reference: Reference, expected: str) -> None:
    assert format_bibliography([reference], style) == expected


def test_many_authors() -> None:
    assert format_bibliography([MANY], "apa").startswith("F00, A., F01, A.,")
    assert "F18, A., … F22, A. (2020)" in format_bibliography([MANY], "apa")
    assert format_bibliography([MANY], "mla").startswith("F00, Ann, et al. Crowd.")
    assert "Ann F02, et al. 2020." in format_bibliography([MANY], "chicago")
    assert format_bibliography([MANY], "ieee").startswith("[1] A. F00 et al., Crowd")
    assert "F05 A, et al. Crowd" in format_bibliography([MANY], "vancouver")


def test_same_bytes_no_hidden_dates_and_sorting() -> None:
    works = [PAGE, ARTICLE, BOOK, CHAPTER, PAGE]
    for style in STYLES:
        text = format_bibliography(works, style)
        assert text == format_bibliography(list(works), style)
        assert not re.search(r"Retrieved [A-Z]|Accessed|accessed|urldate|cited", text)
    assert len(distinct_references(works)) == 4
    lines = format_bibliography(works, "apa").split("\n\n")
    assert [line.split(",")[0].split(".")[0] for line in lines] == [
        "de la Cruz",
        "Frank",
        "von der Berg",
        "World Health Organization",
    ]
    seen = replace(PAGE, accessed=PartialDate(2025, 3, 2))
    assert "Retrieved" not in format_bibliography([seen], "apa")
    undated = replace(seen, year=None, date=None)
    assert "Retrieved March 2, 2025, from https://example.org" in format_bibliography([undated], "apa")


def test_keys_are_made_and_never_collide() -> None:
    works = [
        Reference(title="Attention is", year=2017, authors=(Name(family="Vaswani"),), url=f"https://e.org/{n}")
        for n in range(29)
    ]
    keys = re.findall(r"@\w+\{([^,]+),", format_bibliography(works, "bibtex"))
    assert len(set(keys)) == 29
    assert {"vaswani2017attention", "vaswani2017attentiona", "vaswani2017attentionz", "vaswani2017attentionz2"} <= set(
        keys
    )
    assert format_bibliography([Reference(title="Ödipus")], "bibtex").startswith("@misc{anonodipus,")


def test_values_cannot_break_out() -> None:
    evil = Reference(
        title="50% of {x} & \\input{y} $z$ #1_a~^\nER  - \nTY  - BOOK", authors=(Name(literal="A & B, Inc."),)
    )
    assert (
        r"50\% of \{x\} \& \textbackslash{}input\{y\} \$z\$ \#1\_a\textasciitilde{}\textasciicircum{}"
        in format_bibliography([evil], "bibtex")
    )
    ris = format_bibliography([evil], "ris")
    assert [line[:5] for line in ris.split("\n")].count("TY  -") == 1 and ris.endswith("ER  - ")
    assert not any("\n" in format_bibliography([evil], style) for style in STYLES if style not in PROGRAMS)
    assert json.loads(format_bibliography([evil], "csl-json"))[0]["author"] == [{"literal": "A & B, Inc."}]
    with pytest.raises(BadInput, match="apa, mla"):
        format_bibliography([], "turabian")  # type: ignore[arg-type]


words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)


def clean(text: str) -> bool:
    return bool(text) and one_line(text) == text and not re.search("[\ue000-\ue004\u2063]", text)


lines = st.lists(words, min_size=1, max_size=6).map(" ".join).map(one_line).filter(clean)
letters = st.from_regex(r"[A-ZÄÉ][a-zäéß]{1,8}(-[A-Z][a-z]{1,5})?", fullmatch=True)
people = st.builds(
    Name,
    family=letters,
    given=st.from_regex(r"[A-Z][a-zö]{1,6}( [A-Z]\.)?", fullmatch=True),
    particle=st.sampled_from(["", "", "van der", "de la", "von"]),
    suffix=st.sampled_from(["", "", "Jr.", "III"]),
)
groups = st.lists(letters, min_size=1, max_size=4).map(lambda parts: Name(literal=" ".join(["The", *parts])))
names = st.lists(people | groups, max_size=4).map(tuple)
dates = st.one_of(
    st.none(),
    st.builds(PartialDate, st.integers(1000, 2100)),
    st.builds(PartialDate, st.integers(1000, 2100), st.integers(1, 12)),
    st.builds(PartialDate, st.integers(1000, 2100), st.integers(1, 12), st.integers(1, 28)),
)
numbers = st.integers(1, 9999).map(str)
optional_lines = st.none() | lines
keyword = st.from_regex(r"[A-Za-zäé]{2,8}( [a-z]{2,6})?", fullmatch=True)


@st.composite
def references(draw: st.DrawFn) -> Reference:
    when = draw(dates)
    return Reference(
        type=draw(
            st.sampled_from(
                ["article-journal", "chapter", "paper-conference", "thesis", "report", "webpage", "dataset", "post"]
            )
        ),
        title=draw(lines),
        authors=draw(names),
        editors=draw(names),
        year=when.year if when else None,
        date=when,
        container=draw(optional_lines),
        publisher=draw(optional_lines),
        volume=draw(st.none() | numbers),
        issue=draw(st.none() | numbers),
        pages=draw(st.sampled_from([None, "12–19", "e120", "7", "1–3, 9"])),
        doi=draw(st.sampled_from([None, "10.1000/xyz(12)_3"])),
        isbn=draw(st.sampled_from([None, "9783161484100"])),
        url=draw(st.sampled_from([None, "https://example.org/a_b?c=%20&d=1#e"])),
        issn=draw(st.sampled_from([None, "1234-5679"])),
        arxiv=draw(st.sampled_from([None, "2101.01234v2", "hep-th/9901001"])),
        pmid=draw(st.sampled_from([None, "12345678"])),
        edition=draw(st.none() | numbers),
        place=draw(optional_lines),
        language=draw(st.sampled_from([None, "de", "en-GB"])),
        accessed=draw(dates),
        keywords=tuple(dict.fromkeys(draw(st.lists(keyword, max_size=3)))),
        et_al=draw(st.booleans()),
        note=draw(st.sampled_from([None, "Erste Zeile\nZweite & letzte"])),
        key="key1",
        extra=draw(
            st.dictionaries(
                st.sampled_from(["abstract", "collection-title", "genre", "eigenes-feld"]), lines, max_size=3
            )
        ),
    )


def written_fields(reference: Reference) -> dict[str, object]:
    return {name: getattr(reference, name) for name in Reference.__dataclass_fields__ if name not in {"raw"}}


@settings(max_examples=75, deadline=None)
@given(references(), st.sampled_from(["bibtex", "ris", "csl-json"]))
def test_writing_and_reading_loses_nothing(reference: Reference, style: Style) -> None:
    written = format_bibliography([reference], style)
    result = read_bibliography(written, style)  # type: ignore[arg-type]
    assert not result.problems
    (again,) = result.entries
    before, after = written_fields(reference), written_fields(again)
    if reference.et_al and not reference.authors:
        before["et_al"] = after["et_al"]
    assert after == before, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jane Doe", ["Doe|Jane"]),
        ("Jane Doe and John Roe", ["Doe|Jane", "Roe|John"]),
        ("Doe, Jane; Roe, John", ["Doe|Jane", "Roe|John"]),
        ("Jane Doe, John Roe", ["Doe|Jane", "Roe|John"]),
        ("Doe, Jane; Roe, John and Poe, Ann", ["Doe|Jane", "Roe|John", "Poe|Ann"]),
        ("Reuters; Jane Doe; Food and Drug Administration", ["Reuters|", "Doe|Jane", "Food and Drug Administration|"]),
        ("王小明; 李四;", ["王小明|", "李四|"]),
        ("佐藤健、高橋美咲", ["佐藤健|", "高橋美咲|"]),
        ("김철수, 이영희", ["김철수|", "이영희|"]),
        ("王, 伟", ["王|伟"]),
        ("By Ludwig van Beethoven", ["van Beethoven|Ludwig"]),
        ("World Health Organization", ["World Health Organization|"]),
        ("Johnson & Johnson", ["Johnson & Johnson|"]),
        ("Food and Drug Administration", ["Food and Drug Administration|"]),
        ("Reuters", ["Reuters|"]),
        ("", []),
        ("Мария Иванова", ["Иванова|Мария"]),
        ("Courtney Banks", ["Banks|Courtney"]),
        ("de la Cruz, Juana", ["de la Cruz|Juana"]),
        ("European Central Bank", ["European Central Bank|"]),
        ("José Ortega y Gasset", ["Ortega y Gasset|José"]),
    ],
)
def test_authors_of_pages(text: str, expected: list[str]) -> None:
    assert [f"{name.surname}|{name.given}" for name in split_authors(text)] == expected


def test_a_page_is_cited() -> None:
    cited = cite_page(
        "https://example.org/x", "Über 50% & mehr", "Jane Doe", "The Site", "2024-05-03", date(2025, 1, 2)
    )
    assert cited == {
        "apa": "Doe, J. (2024, May 3). Über 50% & mehr. The Site. Retrieved January 2, 2025, from "
        "https://example.org/x",
        "mla": 'Doe, Jane. "Über 50% & mehr." The Site, 3 May 2024, https://example.org/x. Accessed 2 Jan. 2025.',
        "bibtex": "@misc{doe2024uber,\n  author = {Doe, Jane},\n  title = {Über 50\\% \\& mehr},\n  howpublished "
        "= {The Site},\n"
        "  year = {2024},\n  url = {https://example.org/x},\n  urldate = {2025-01-02},\n}",
    }
    bare = cite_page("https://example.org/y")
    assert bare["apa"] == "(N.d.). Retrieved https://example.org/y" and "urldate" not in bare["bibtex"]
    assert page_reference("https://e.org", doi="https://doi.org/10.1/X").type == "webpage"
    assert page_reference("https://e.org", doi="https://doi.org/10.1234/X").doi == "10.1234/x"


def test_page_ranges_of_the_official_suite(shared: Path) -> None:
    text = (shared / "wire" / "csl-test-suite" / "page_Chicago.txt").read_text("utf-8")
    result = re.search(r">>=+ RESULT =+>>(.*?)<<", text, re.DOTALL)
    source = re.search(r">>=+ INPUT =+>>(.*?)<<=", text, re.DOTALL)
    assert result is not None and source is not None
    expected = re.findall(r"at (\S+)", result[1])
    read = read_bibliography(source[1]).entries
    # The suite has the fifteenth edition; later ones shorten `1496–1504` too.
    later = {"1496–1504": "1496–504", "2787–2816": "2787–816"}
    assert [shorten_pages_chicago(entry.pages or "") for entry in read] == [later.get(one, one) for one in expected]
    assert shorten_pages_vancouver("1433–1441") == "1433–41"
