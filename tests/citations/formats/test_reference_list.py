"""Lists of references in plain text, EndNote's XML and PubMed's format, read entry by entry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.formats.bibtex_fields import parse_bibtex_name
from wellsourced.citations.formats.reference_list import split_references
from wellsourced.citations.reference import Name
from wellsourced.errors import BadInput

PAPER = """We thank nobody. See Smith (2010) for more.

References

Smith, J., & Doe, A. (2010). A study of things. Journal of Things, 4(2), 10–20. https://doi.org/10.1000/abc
Jones, K. (2011). Another study that has a long title and
   goes on. Nature, 5, 1–2.
———. (2012). Yet another. Science, 7, 3–4.

Appendix A
Table 1 shows 2010 and 2011.
"""
NUMBERED = "[1] Smith J, Doe A. A study. J Things. 2010;4(2):10-20.\n[2] Roe R. B study of\nthings. Nature. 2011;3:1-5."
ENDNOTE = """<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style>Doe, Jane</style></author></authors></contributors><titles><title>A <style>title
</style></title><secondary-title>Nature</secondary-title></titles><pages>1-5</pages><volume>3</volume><dates><year>2010
</year></dates><electronic-resource-num>10.1000/x</electronic-resource-num></record></records></xml>"""
NBIB = "PMID- 1234\nTI  - A title\nFAU - Doe, Jane\nDP  - 2010 Jan\nTA  - Nature\nLID - 10.1000/x [doi]\n"


def test_the_references_of_a_paper() -> None:
    read = read_bibliography(PAPER)
    assert (read.format, read.problems) == ("text", ())
    assert [(entry.title, entry.year, entry.authors[0].family) for entry in read.entries] == [
        ("A study of things", 2010, "Smith"),
        ("Another study that has a long title and goes on", 2011, "Jones"),
        ("Yet another", 2012, "Jones"),
    ]
    assert all(entry.is_from_text for entry in read.entries)


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_entries_added_behind_numbered_ones_are_read_too(gap: str) -> None:
    added = (
        "Roe, R. (2011). Thinking of tides. Kiel: Nordlicht.\nPoe, E., & Lee, K. (1950). Machinery. Mind, 59, 433–460."
    )
    text = f"1. Doe J. On quays.\nJ Quays. 2010;11(3):245-50.\n2. Lee K. On maps. Maps. 2019;2:12-20.{gap}{added}"
    read = read_bibliography(text).entries
    assert [entry.title for entry in read] == ["On quays", "On maps", "Thinking of tides", "Machinery"]


def test_numbers_part_the_entries() -> None:
    assert [entry.title for entry in read_bibliography(NUMBERED).entries] == ["A study", "B study of things"]
    assert len(split_references("1. Doe J. A. 2010.\n2. Roe R. B. 2011.\n3. Poe E. C. 2012.")) == 3


@pytest.mark.parametrize("text", [ENDNOTE, NBIB])
def test_exports_of_other_programs(text: str) -> None:
    (entry,) = read_bibliography(text).entries
    assert (entry.title, entry.year, entry.doi) == ("A title", 2010, "10.1000/x")
    assert entry.authors == (Name(family="Doe", given="Jane"),)


def test_a_bomb_in_xml_is_refused() -> None:
    with pytest.raises(BadInput, match="entities"):
        read_bibliography('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><xml><records/></xml>', "endnote-xml")


LEGAL = """Roe v. Wade, 410 U.S. 113, 120 (1973).
Cass R. Sunstein, On the Expressive Function of Law, 144 U. Pa. L. Rev. 2021 (1996).
42 U.S.C. § 1983 (2018).
Human Rights Act 1998, s 15(1)(b).
Directive 2003/98/EC of the European Parliament and of the Council on the re-use of public sector information.
DIN EN ISO 9001:2015-11: Qualitätsmanagementsysteme – Anforderungen
SCHULZE, Karl: Untersuchungen zur Tragfähigkeit. München, Technische Universität, Dissertation, 2003
Id. at 125."""


def test_laws_standards_and_law_reviews_stand_one_a_line() -> None:
    read = read_bibliography(LEGAL, "text")
    kinds = ["legal_case", "article-journal", *["legislation"] * 3, "standard", "thesis"]
    assert [entry.type for entry in read.entries] == kinds
    assert [entry.year for entry in read.entries] == [1973, 1996, 2018, 1998, 2003, 2015, 2003]
    review = read.entries[1]
    assert (review.container, review.volume, review.pages) == ("U. Pa. L. Rev.", "144", "2021")
    assert read.complaints == ["Piece 8: This is no reference: 'Id. at 125.'."]


def test_words_broken_at_the_end_of_a_line_are_whole_again() -> None:
    text = "[1] C. E. Shannon, “A mathematical theory of communi-\n    cation,” Bell Syst. Tech. J., 1948.\n"
    text += "[2] B. Doe, “On other things,” 1950."
    assert read_bibliography(text, "text").entries[0].title == "A mathematical theory of communication"


def test_a_dash_repeats_the_author_and_not_who_was_named_behind_it() -> None:
    text = "Foucault, Michel. Discipline and Punish. New York: Vintage Books, 1977.\n"
    text += "———, and Noam Chomsky. The Debate. New York: New Press, 2006.\n"
    text += "———. The History of Sexuality. New York: Pantheon, 1978."
    names = [[name.surname for name in entry.authors] for entry in read_bibliography(text, "text").entries]
    assert names == [["Foucault"], ["Foucault", "Chomsky"], ["Foucault"]]


def test_the_marks_of_chinese_references() -> None:
    text = "[1] 何龄修. 读顾城《南明史》[J]. 中国史研究, 1998, (3): 167-173.\n"
    text += "[2] 王明亮. 关于工程的进展[EB/OL]. (1998-08-16). http://a.example/b."
    first, second = read_bibliography(text, "text").entries
    assert (first.type, first.title, first.container) == ("article-journal", "读顾城《南明史》", "中国史研究")
    assert (second.type, second.title) == ("webpage", "关于工程的进展")


def test_what_names_no_work_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="no line of it looks like a reference"):
        read_bibliography("hello world")


def test_a_comment_line_does_not_swallow_the_entry_behind_it() -> None:
    read = read_bibliography("@Comment % old\n@article{a, title={T}, year=2010}\n@article{b, title={U}, year=2011}")
    assert [entry.key for entry in read.entries] == ["a", "b"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ivanov, V.", Name(family="Ivanov", given="V.")),
        ("Van Speybroeck, V.", Name(family="Van Speybroeck", given="V.")),
        ("family=Berg, prefix=van, useprefix=true, given=A", Name(family="Berg", given="A", particle="van")),
        ("Smith, Jr., John", Name(family="Smith", given="John", suffix="Jr.")),
    ],
)
def test_names_keep_their_parts(written: str, expected: Name) -> None:
    assert parse_bibtex_name(written) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="[]()1234567890.\n Aab—-/:", max_size=400))
def test_any_text_is_split_without_loss_of_order(text: str) -> None:
    pieces = split_references(text)
    assert all(piece == " ".join(piece.split()) for piece in pieces)
