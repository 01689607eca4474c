"""BibTeX as it is written by people and programs, whole and broken."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.formats.bibtex_fields import parse_bibtex_name, parse_bibtex_names
from wellsourced.citations.reference import Name
from wellsourced.text.latex import decode_latex, encode_latex

LATEX = [
    (r"G{\"o}del, \'{E}tale, \c{c}a, Krej{\v{c}}{\'{\i}}", "Gödel, Étale, ça, Krejčí"),
    (r"{\ss} \o re {\AA}ngstr\"om \L{}\'od\'z", "ß øre Ångström Łódź"),
    (r"The {DNA} of $\alpha$-helices: H$_2$O at $10^{-3}$", "The DNA of α-helices: H₂O at 10⁻³"),
    (r"\textit{Natrix} \emph{and} {\bf bold} \textbf{x}y", "Natrix and bold xy"),
    (r"50\% \& more --- 1--2 ``quoted'' a~b", "50% & more — 1–2 “quoted” a b"),
    (r"\unknown{kept} \href{http://x.org}{shown}", "kept shown"),
    (r"D\\'ecoret", "Décoret"),
    ("plain", "plain"),
]
NAMES = [
    ("Donald E. Knuth", Name(family="Knuth", given="Donald E.")),
    ("Knuth, Donald E.", Name(family="Knuth", given="Donald E.")),
    ("Ludwig van Beethoven", Name(family="Beethoven", given="Ludwig", particle="van")),
    (
        r"Charles Louis Xavier Joseph de la Vall{\'e}e Poussin",
        Name(family="Vallée Poussin", given="Charles Louis Xavier Joseph", particle="de la"),
    ),
    ("de la Cruz, Juana", Name(family="Cruz", given="Juana", particle="de la")),
    ("King, Jr., Martin Luther", Name(family="King", given="Martin Luther", suffix="Jr.")),
    ("{World Health Organization}", Name(literal="World Health Organization")),
    ("{Barnes and Noble}", Name(literal="Barnes and Noble")),
    ("World Health Organization", Name(literal="World Health Organization")),
    (r"{\'E}mile Zola", Name(family="Zola", given="Émile")),
    ("family=Berg, given=Anna, prefix=von der", Name(family="Berg", given="Anna", particle="von der")),
    ("sudhin jacob", Name(family="jacob", given="sudhin")),
    ("Plato", Name(family="Plato")),
]
DOCUMENT = """
Free text, and a % comment.
@string{acm = "ACM " # {Press}}
@STRING(jx = {Journal of X})
@comment{ @article{hidden, title={no}} }
@inproceedings{child, author = "Doe, Jane and others", title = {Small {Things}}, crossref = PARENT, pages={3--9},
  month = "3~" # mar, year = 1999}
@Proceedings{parent, title = {Proc. of Things}, publisher = acm, year = 1998, doi = {10.1000/parent}, editor={Roe, R.}}
@xdata{common, language = {de}, publisher = {Muster}}
@book{b1, xdata={common}, title={Das Buch}, date={2011-05-25/2012-06}, author={Anna M{\\"u}ller}, location={Kiel}}
@misc{p1, title={A page}, howpublished={\\url{https://example.org/a_b}}, note={Accessed}, urldate={2020-01-02}}
@article{ax, title={Preprint}, eprint={2101.01234}, archiveprefix={arXiv}, journal = jx, number=4}
"""


@pytest.mark.parametrize(("written", "printed"), LATEX)
def test_latex_is_read(written: str, printed: str) -> None:
    assert decode_latex(written) == printed


@given(st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\u2063"), max_size=40))
def test_latex_is_written(text: str) -> None:
    assert decode_latex(encode_latex(text)) == text


@pytest.mark.parametrize(("written", "expected"), NAMES)
def test_names(written: str, expected: Name) -> None:
    assert parse_bibtex_name(written) == expected


def test_lists_of_names() -> None:
    names, more = parse_bibtex_names('A. Doe AND {X and Y} and Z{\\"u}nd, B. and others')
    assert [name.display for name in names] == ["A. Doe", "X and Y", "B. Zünd"] and more


def test_a_document() -> None:
    read = read_bibliography(DOCUMENT)
    assert read.format == "bibtex" and not read.problems
    child, parent, book, page, preprint = read.entries
    assert child.container == "Proc. of Things" and child.publisher == "ACM Press" and child.doi is None and child.et_al
    assert (
        child.date is not None
        and child.date.iso == "1999-03-03"
        and child.pages == "3–9"
        and child.title == "Small Things"
    )
    assert [name.family for name in child.editors] == ["Roe"] and parent.doi == "10.1000/parent"
    assert (book.publisher, book.language, book.place, book.year) == ("Muster", "de", "Kiel", 2011)
    assert book.extra["issued"] == "2011-05-25/2012-06"
    assert page.url == "https://example.org/a_b" and page.type == "webpage"
    assert page.accessed is not None and page.accessed.iso == "2020-01-02"
    assert preprint.arxiv == "2101.01234" and preprint.container == "Journal of X" and preprint.issue == "4"


BROKEN = [
    ("@article{a, title={Open, year=2001}\n@article{b, title={Whole}}", "Whole"),
    ("@article{a, title={No comma} year={2001}}\n@article{b, title={Whole}}", "Whole"),
    ("@article{a,\n title={Closed}} too much},\n year={2001}}\n@article{b, title={Whole}}", "Whole"),
    ('@article{a, title="Never closed, year=2001}\n\n@article{b, title={Whole}}', "Whole"),
    ("@article{a\n@article{b, title={Whole}}", "Whole"),
    ("}}}} @article{b, title={Whole}} {{{", "Whole"),
    ("@article{b,\n title = {Whole},\n year = 2001", "Whole"),
    ("@article{b title={Whole}, year=2001}", "Whole"),
    ("@article{b, title = {Whole, author = {Doe, J.}, year = 2001", "Whole"),
]


@pytest.mark.parametrize(("text", "title"), BROKEN)
def test_one_broken_entry_loses_nothing_else(text: str, title: str) -> None:
    assert read_bibliography(text, "bibtex").entries[-1].title == title


def test_damage_is_told() -> None:
    read = read_bibliography("\n@article{a, title={Open\n\n@article{b, title={Whole}}", "bibtex")
    assert [line for line, _ in read.problems] == [2] and "'a'" in read.problems[0][1] and len(read.entries) == 2


@pytest.mark.parametrize(
    "unit", ["@aa{k,\nab = {\n", "ab = {\n", "@%", "@comment{", "@aa{k,crossref={k}}\n", "{", '"', "a # ", "@aa{x="]
)
def test_hostile_documents_cost_little(unit: str) -> None:
    begun = time.thread_time()
    read_bibliography("@aa{k,\n" + unit * (60_000 // len(unit)), "bibtex")
    assert time.thread_time() - begun < 5


@given(st.text(alphabet="@a{}(),=\"\\#% \n1xy$^_~'", max_size=200))
def test_never_fails(text: str) -> None:
    read_bibliography(text, "bibtex")


@pytest.mark.parametrize(
    "entry", ["@article{a%sb, title = {x}}", "@article{a, title = {x%sy}}", "@article{a, title%s}"]
)
def test_long_runs_of_blanks_take_no_time(entry: str) -> None:
    before = time.thread_time()
    read_bibliography(entry % (" " * 60_000))
    assert time.thread_time() - before < 2
