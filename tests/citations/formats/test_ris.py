"""RIS in its dialects, whole and broken."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.citations.formats.bibliography import decode_bibliography, read_bibliography
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.bibliography import format_bibliography

RECORD = """TY  - JOUR
AU  - van der Berg, Jan
A1  - World Health Organization
TI  - A title that goes
      on here
T2  - Journal of Things
PY  - 2014
DA  - 2014/06/01/
SP  - 99
EP  - 105
VL  - 30
IS  - 2
SN  - 0743-4618
M3  - doi: 10.3109/07434618.2014.906498
KW  - one
two; three
N1  - first
N1  - second
UR  - https://example.org/x
Y2  - 2015/01/02
ID  - k1
ZZ  - odd
ER  -
"""


def test_a_record() -> None:
    (entry,) = read_bibliography(RECORD).entries
    assert entry.authors == (
        Name(family="Berg", given="Jan", particle="van der"),
        Name(literal="World Health Organization"),
    )
    assert (
        entry.title == "A title that goes on here"
        and entry.container == "Journal of Things"
        and entry.type == "article-journal"
    )
    assert entry.date is not None and entry.date.iso == "2014-06-01" and entry.pages == "99–105"
    assert entry.doi == "10.3109/07434618.2014.906498" and entry.issn == "0743-4618" and entry.key == "k1"
    assert entry.keywords == ("one", "two", "three") and entry.note == "first\nsecond" and entry.extra["ZZ"] == "odd"
    assert entry.accessed is not None and entry.accessed.iso == "2015-01-02"


@pytest.mark.parametrize(
    "text",
    [
        RECORD.replace("  - ", " - "),
        RECORD.replace("\n", "\r\n"),
        "\ufeff\n\n" + RECORD,
        RECORD.replace("ER  -", "ER  - "),
        "1.\n" + RECORD,
        RECORD.replace("\n", "\r"),
        decode_bibliography(RECORD.encode("utf-16")),
        decode_bibliography(b"\xef\xbb\xbf" + RECORD.encode()),
    ],
)
def test_dialects_say_the_same(text: str) -> None:
    (expected,), (entry,) = read_bibliography(RECORD).entries, read_bibliography(text).entries
    assert (entry.title, entry.authors, entry.date, entry.pages, entry.doi, entry.keywords) == (
        expected.title,
        expected.authors,
        expected.date,
        expected.pages,
        expected.doi,
        expected.keywords,
    )


def test_what_is_broken_is_told_and_the_rest_read() -> None:
    read = read_bibliography(
        "\ufeff\r\n \nTY  - JOUR\nTI  - One\nTY  - BOOK\nTI  - Two\nER  - \nTI  - Three\nER  - \nTY  - JOUR\nER  - \n",
        "ris",
    )
    assert [entry.title for entry in read.entries] == ["One", "Two", "Three"]
    assert [line for line, _ in read.problems] == [3, 8, 10]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("AU  - Shannon,Claude E.", Name(family="Shannon", given="Claude E.")),
        ("AU  - Fanning E.", Name(family="Fanning", given="E.")),
        ("AU  - Catarina Barata", Name(family="Barata", given="Catarina")),
        ("AU  - King, Martin, Jr.", Name(family="King", given="Martin", suffix="Jr.")),
        ("AU  - Madonna Band,", Name(literal="Madonna Band")),
        ("AU  - Smith,, Jones,, Inc,", Name(literal="Smith, Jones, Inc")),
        ("AU  - Мария Иванова", Name(family="Иванова", given="Мария")),
    ],
)
def test_names(line: str, expected: Name) -> None:
    (entry,) = read_bibliography(f"TY  - JOUR\n{line}\nER  - \n").entries
    assert entry.authors == (expected,)


def test_web_of_science() -> None:
    text = (
        "FN Clarivate\nVR 1.0\nPT J\nAU Doe, J\n   Roe, R\nAF Doe, Jane\n   Roe, Rita\nTI A long\n   "
        "title\nSO THINGS\nPY 2004\nVL 3\nBP 1\nEP 9\nDI 10.1000/x\nER\n\nEF\n"
    )
    (entry,) = read_bibliography(text).entries
    assert [name.display for name in entry.authors] == ["Jane Doe", "Rita Roe"] and entry.title == "A long title"
    assert (entry.container, entry.year, entry.pages, entry.doi) == ("THINGS", 2004, "1–9", "10.1000/x")


@pytest.mark.parametrize("unit", ["TY  - JOUR\n", "KW  - a;b\n", "more\n", "SN  - 1\n", "AU  - A, B\n", "N1  - 10.\n"])
def test_hostile_documents_cost_little(unit: str) -> None:
    begun = time.thread_time()
    read_bibliography("TY  - JOUR\n" + unit * (300_000 // len(unit)), "ris")
    assert time.thread_time() - begun < 5


@given(st.text(alphabet="TYAUER -\n1x,;", max_size=200))
def test_never_fails(text: str) -> None:
    read_bibliography(text, "ris")


def test_pubmed_s_own_export() -> None:
    text = (
        "PMID- 26017442\nOWN - NLM\nTI  - Deep learning\n      in few words.\nPG  - 436-44\n"
        "LID - 10.1038/nature14539 [doi]\nFAU - LeCun, Yann\nAU  - LeCun Y\nFAU - Bengio, Yoshua\nAU  - Bengio Y\n"
        "JT  - Nature\nDP  - 2015 May 28\nVI  - 521\n\nPMID- 1\nTI  - Another\nAU  - Doe J\n"
    )
    read = read_bibliography(text)
    first, second = read.entries
    assert (first.title, first.doi, first.pmid) == ("Deep learning in few words.", "10.1038/nature14539", "26017442")
    assert [name.family for name in first.authors] == ["LeCun", "Bengio"]
    assert (first.container, first.year, first.volume, first.pages) == ("Nature", 2015, "521", "436–44")
    assert (second.pmid, second.authors[0].family, read.problems) == ("1", "Doe", ())


def test_one_address_of_several_and_the_dates_of_patents() -> None:
    lines = "TY  - {}\nTI  - T\nUR  - https://a.example/1; https://a.example/2\nY2  - 2020/01/02\nER  -\n"
    patent, page = (read_bibliography(lines.format(type_)).entries[0] for type_ in ("PAT", "ELEC"))
    assert (patent.url, patent.accessed) == ("https://a.example/1", None)
    assert page.accessed is not None


def test_particles_survive_the_round_trip() -> None:
    names = (
        Name(family="Gogh", given="Vincent", particle="van"), Name(family="Hooft", given="Gerard", particle="’t"),
        Name(family="Cruz", given="Juana", particle="de la"), Name(family="Van Speybroeck", given="V."),
        Name(family="King", given="Martin Luther", suffix="Jr."), Name(literal="World Health Organization"),
    )  # fmt: skip
    written = format_bibliography([Reference(type="book", title="A book", authors=names)], "ris")
    assert read_bibliography(written, "ris").entries[0].authors == names
