"""Citations beside records: real records written in every style are never objected to, exchanged ones always."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.match.record_comparison import compare_with_record
from wellsourced.citations.paper_reference import paper_title, reference_from_paper
from wellsourced.citations.parse.citation import citation_from_reference, parse_citation
from wellsourced.citations.styles.bibliography import Style, format_bibliography
from wellsourced.citations.webpage_citation import page_reference
from wellsourced.errors import WellsourcedError
from wellsourced.text.titles import find_exchanged_words
from wellsourced.upstream import Access
from wellsourced.upstreams import crossref
from wellsourced.upstreams.types.paper import Author, Paper, PaperId

FOR_PEOPLE: tuple[Style, ...] = ("apa", "mla", "chicago", "ieee", "vancouver")
FOR_PROGRAMS: tuple[Style, ...] = ("bibtex", "ris", "csl-json")
PAPER = Paper(
    title="Groundwater recharge under changing land use in semi-arid catchments",
    url="https://doi.org/10.99041/recharge",
    source="crossref",
    doi="10.99041/recharge",
    authors=("Tesfaye Haile", "Mary Okoth"),
    year=2018,
    journal="Journal of Hydrology",
    volume="581",
    pages="124-139",
    type="journal-article",
)


def recorded_papers(shared: Path) -> Iterator[Paper]:
    for path in sorted((shared / "wire" / "crossref").glob("*.json")):
        message = json.loads(path.read_bytes()).get("message")
        items = message.get("items", [message]) if isinstance(message, dict) else []
        for item in items:
            answer = reply({"status": "ok", "message-type": "work", "message": item})
            try:
                doi = str(item.get("DOI"))
                paper = converse(crossref.record(PaperId("doi", doi), Access({})), answer)[1]
            except (WellsourcedError, KeyError):
                continue
            if paper_title(paper):
                yield paper


def test_real_records_in_every_style_are_not_objected_to(shared: Path) -> None:
    count = 0
    for paper in recorded_papers(shared):
        for style in FOR_PEOPLE:
            citation = parse_citation(format_bibliography([reference_from_paper(paper)], style))
            found = compare_with_record(citation.reference, paper, free_text=True)
            assert (citation.work, found.differences) == (PaperId("doi", paper.doi or ""), ()), (style, paper.title)
        for style in FOR_PROGRAMS:
            for entry in read_bibliography(format_bibliography([reference_from_paper(paper)], style)).entries:
                found = compare_with_record(entry, paper, free_text=False)
                assert (found.differences, found.title_match) == ((), "match"), (style, paper.title)
        count += 1
    assert count > 30


def test_the_identifier_of_another_work_is_always_seen(shared: Path) -> None:
    papers = list({paper.doi: paper for paper in recorded_papers(shared)}.values())
    for number, paper in enumerate(papers):
        other = papers[(number + 5) % len(papers)]
        cited = citation_from_reference(replace(reference_from_paper(paper), doi=other.doi)).reference
        assert compare_with_record(cited, other, free_text=False).disagrees, (paper.title, other.title)


HONEST = [
    ("Haile, T.; Okoth, M.", "Groundwater Recharge Under Changing Land Use in Semi-Arid Catchments", "2018"),
    ("Haile et al.", "Groundwater recharge under changing land use in semiarid catchments", "2019"),
    ("Okoth, Mary; Haile, Tesfaye", "Groundwater recharge under changing land use…", "2018"),
    ("Haile, T.", "Groundwater recharge under chan", "2018"),
    ("anonymous", "Groundwater recharge under changing land use in semi-arid catchments", "2018"),
    ("UNESCO", "Groundwater recharge under changing land use in semi-arid catchments", "2018"),
    ("", "GROUNDWATER RECHARGE UNDER CHANGING LAND USE IN SEMI-ARID CATCHMENTS", ""),
    ("Hydrology Working Group", "Ground-water recharge under changing land-use in semi-arid catchments", "2017"),
    ("Haile, T.", "地下水补给与土地利用变化", "2018"),
    ("Haile T and Okoth M", "Groundwater recharge under changing land use in semi-arid catchments", "2018"),
    ("Haile, Tesfaye", "Recharge des nappes et changement d'usage des sols dans les bassins semi-arides", "2018"),
]
FALSE = [
    ("Haile, T.; Okoth, M.", "Groundwater recharge under changing land use in tropical catchments", "2018"),
    ("Haile, T.; Okoth, M.", "Groundwater recharge under changing land use in semi-arid catchments", "2011"),
    ("Lindqvist, Maria; Okoth, M.", "Groundwater recharge under changing land use in semi-arid catchments", "2018"),
    ("Haile, T.; Okoth, M.", "Household saving and the age of retirement in Norway", "2018"),
    ("", "Groundwater recharge not under changing land use in semi-arid catchments", ""),
]


@pytest.mark.parametrize(("authors", "title", "year"), HONEST)
def test_honest_ways_of_citing(authors: str, title: str, year: str) -> None:
    assert compare_with_record(page_reference("", title, authors, "", year), PAPER, free_text=False).differences == ()


SUBTITLES = [
    ("Prospect theory: an analysis of decision under risk", "Prospect theory: the poetry of glaciers", "", True),
    ("Correction: Habitats of breeding gulls", "Correction: Visceral fat in obese subjects", "", True),
    ("Prospect theory: an analysis of decision under risk", "Prospect theory", "", False),
    ("Prospect theory: an analysis of decision under risk", "Prospect theory - Econometrica", "", False),
    ("Blink: the power of thinking without thinking", "Blink: how the mind decides in seconds", "book", False),
    ("Apoptosis of β-cells under stress in the pancreas", "The price of bread and the wages of sailors", "", True),
    ("Convention No. 189 on domestic workers", "Convention 189 on domestic workers", "", False),
    (
        "Über die Wirkung von Koffein auf das Gedächtnis älterer Menschen",
        "Die Geschichte der Eisenbahn in Sachsen",
        "",
        True,
    ),
    (
        "Über die Wirkung von Koffein auf das Gedächtnis älterer Menschen",
        "Ueber die Wirkung von Koffein auf das Gedaechtnis aelterer Menschen",
        "",
        False,
    ),
]


@pytest.mark.parametrize(("recorded", "cited", "kind", "differs"), SUBTITLES)
def test_subtitles_and_small_words(recorded: str, cited: str, kind: str, differs: bool) -> None:
    record = replace(PAPER, title=recorded, type=kind or PAPER.type)
    found = compare_with_record(page_reference("", cited, "Haile, T.", "", "2018"), record, free_text=False)
    free_text_match = compare_with_record(
        parse_citation(f"Haile, T. (2018). {cited}. J. Hydrol., 581, 124.").reference, record, free_text=True
    )
    assert (found.disagrees, free_text_match.disagrees) == (differs, differs)


def test_a_year_in_the_title_or_of_the_visit_is_not_the_year_of_the_work() -> None:
    record = replace(PAPER, title="Recharge of aquifers in 2018: a survey")
    text = "Haile, T. (2012). Recharge of aquifers in 2018: a survey. J. Hydrol. 581, 124. (Accessed: 3 March 2018)"
    assert compare_with_record(parse_citation(text).reference, record, free_text=True).fields.year == "mismatch"


@pytest.mark.parametrize("first", ["Putnam V", "Lenin VI", "शर्मा र", "العلوي م"])
def test_initials_that_look_like_numerals_or_have_no_capitals(first: str) -> None:
    family, given = first.split()
    record = replace(PAPER, author_names=(Author(family=family, given=given[0] + "ा" * (given == "र")),), authors=())
    found = compare_with_record(
        parse_citation(f"{first}. BIG DATA. Foreign Affairs. 2018;92(3):28–40.").reference, record, free_text=True
    )
    assert not any("first author" in said for said in found.differences)


@pytest.mark.parametrize(("authors", "title", "year"), FALSE)
def test_what_positively_differs(authors: str, title: str, year: str) -> None:
    assert (
        len(compare_with_record(page_reference("", title, authors, "", year), PAPER, free_text=False).differences) == 1
    )


LATIN = ("Haile", "Tesfaye", "Okoth", "Mary", PAPER.title, "Journal of Hydrology")
RUSSIAN = ("Иванов", "Илья", "Петров", "Пётр", "Кинетика окисления железа в морской воде", "Журнал физической химии")
CHINESE = ("王", "伟", "李", "娜", "基于深度学习的遥感图像识别研究", "计算机学报")
KOREAN = ("김", "철수", "이", "영희", "한국 청년의 주거 불안정에 관한 연구", "한국사회학")
JAPANESE = ("山田", "太郎", "鈴木", "花子", "日本における高齢者の社会参加に関する研究", "社会学評論")
MANNERS: list[tuple[tuple[str, ...], str]] = [
    (LATIN, "Haile, T. & Okoth, M. {title}. J. Hydrol. 581, 124–139 (2018)."),
    (LATIN, "T. Haile, M. Okoth, {title}, J. Hydrol. 581 (2018) 124–139."),
    (LATIN, "T. Haile, M. Okoth, {title}, J. Hydrol. 581 (2) (2018) 124–139, https://doi.org/10.99041/recharge."),
    (LATIN, "Haile, T.; Okoth, M. {title}. J. Hydrol. 2018, 581, 124–139."),
    (LATIN, "Haile T, Okoth M. {title}[J]. Journal of Hydrology, 2018, 581(2): 124-139."),
    (LATIN, "Haile T., Okoth M. {title} // Journal of Hydrology. – 2018. – Т. 581. – № 2. – С. 124–139."),
    (LATIN, "Haile, Tesfaye; Okoth, Mary: {title}. In: Journal of Hydrology. Band 581, Nr. 2, 2018, S. 124–139."),
    (LATIN, "HAILE, Tesfaye et OKOTH, Mary. {title}. Journal of Hydrology, 2018, vol. 581, no 2, p. 124-139."),
    (LATIN, "Haile, T & Okoth, M 2018, '{title}', Journal of Hydrology, vol. 581, no. 2, pp. 124-139."),
    (LATIN, "[HO18] T. Haile and M. Okoth. {title}. Journal of Hydrology, 581(2):124–139, 2018."),
    (LATIN, "Tesfaye Haile & Mary Okoth, {title}, 581 J. HYDROL. 124 (2018)."),
    (LATIN, "Tesfaye Haile, Mary Okoth: {title}. Journal of Hydrology 581, 124–139 (2018)."),
    (LATIN, "Tesfaye B. Haile, Mary Okoth and Qiang Wen. {title}. Journal of Hydrology, 581(2):124–139, 2018."),
    (LATIN, "HAILE, Tesfaye; OKOTH, Mary; WEN, Qiang et al. {title}. Journal of Hydrology, v. 581, p. 124–139, 2018."),
    (LATIN, "Haile T B, Okoth M, et al. {title}[J]. Journal of Hydrology, 2018, 581(2): 124-139."),
    (LATIN, "T. Haile, M. Okoth, {title}, J. Hydrol. 581 (2018) 26323524261430769."),
    (LATIN, "Tesfaye Haile, Mary Okoth, and Qiang Wen, “{title},” Journal of Hydrology 581 (2018): 124–139."),
    (LATIN, "See, e.g., T. Haile, M. Okoth, {title}, J. Hydrol. 581 (2018) 124–139."),
    (LATIN, "*Haile, T.*, & Okoth, M. (2018). **{title}**. _Journal of Hydrology_, 581, 124–139."),
    (LATIN, "[{title}](https://doi.org/10.99041/recharge) — Haile et al., Journal of Hydrology 2018"),
    (LATIN, '"{title}" by Tesfaye Haile and Mary Okoth, published in Journal of Hydrology (2018).'),
    (LATIN, "Haile, Tesfaye, and Mary Okoth. ``{title}.'' Journal of Hydrology 581, no. 2 (2018): 124–139."),
    (LATIN, 'Haile, Tesfaye; Okoth, Mary (12 March 2018). "{title}". Journal of Hydrology. 581 (2): 124–139.'),
    (LATIN, "Tesfaye Haile / Mary Okoth, {title}, in: Journal of Hydrology 581 (2018), H. 2, S. 124–139."),
    (LATIN, "T. Haile, M. Okoth, {title}, in «Journal of Hydrology», 581 (2018), pp. 124-139."),
    (LATIN, "Haile, Tesfaye/Okoth, Mary (2018): {title}. In: Journal of Hydrology 581 (2), S. 124–139."),
    (LATIN, "HAILE, Tesfaye B. and Mary Okoth. {title}. Journal of Hydrology. 2018, vol. 581, no. 2, pp. 124-139."),
    (LATIN, "HAILE, Tesfaye B.; OKOTH, M.; DE LA CRUZ, María A. {title}. Journal of Hydrology, v. 581, p. 124, 2018."),
    (LATIN, "haile tb, okoth m. {title}. j hydrol. 2018;581(2):124-139."),
    (RUSSIAN, "Иванов И. И., Петров П. П. {title} // Журнал физической химии. 2018. Т. 85, № 1. С. 12–18."),
    (RUSSIAN, "Иванов, И. И. {title} / И. И. Иванов, П. П. Петров // Журн. физ. химии. – 2018. – Т. 85. – С. 12-18."),
    (CHINESE, "王伟, 李娜. {title}[J]. 计算机学报, 2018, 42(1): 100-112."),
    (CHINESE, "王伟、李娜（2018）。{title}。计算机学报，42，100–112。"),
    (KOREAN, "김철수·이영희. 2018. 「{title}」. 『한국사회학』 52(1): 1-30."),
    (JAPANESE, "山田太郎・鈴木花子（2018）「{title}」『社会学評論』66(1), 20-37."),
    (JAPANESE, "山田太郎, 鈴木花子: {title}. 社会学評論 66: 20-37, 2018"),
]
OTHERS = {
    "Haile": ("Lindqvist", "Household saving and the age of retirement"),
    "Иванов": ("Сидоров", "История портовых городов средневековой Европы"),
    "王": ("陈", "城市交通拥堵的经济学分析"),
    "김": ("박", "도시 교통 정책의 경제적 효과 분석"),
    "山田": ("高橋", "中世ヨーロッパの港湾都市の歴史"),
}


PLACES = {
    "Haile": ("581", "124-139"),
    "Иванов": ("85", "12-18"),
    "王": ("42", "100-112"),
    "김": ("52", "1-30"),
    "山田": ("66", "20-37"),
}


@pytest.mark.parametrize(("work", "manner"), MANNERS)
def test_a_manner_of_citing_hides_nothing_and_accuses_nobody(work: tuple[str, ...], manner: str) -> None:
    """What is cited rightly agrees; another title, first author or year is seen, wherever they stand in the text."""
    first, given, second, other, title, journal = work
    names = (Author(family=first, given=given), Author(family=second, given=other))
    volume, pages = PLACES[first]
    record = replace(
        PAPER, title=title, author_names=names, authors=(), journal=journal, year=2018, volume=volume, pages=pages
    )
    cited = parse_citation(manner.format(title=title)).reference
    right = compare_with_record(cited, record, free_text=True)
    assert (right.differences, right.title_match) == ((), "match")
    stranger, another_title = OTHERS[first]
    for false in (
        replace(record, title=another_title),
        replace(record, author_names=(Author(family=stranger, given=other), names[1])),
        replace(record, year=2013),
    ):
        assert len(compare_with_record(cited, false, free_text=True).differences) == 1


NOT_TITLES = [
    "10.99041/recharge",
    "see Haile 2018 for details, doi:10.99041/recharge",
    "Haile et al. 2018 https://doi.org/10.99041/recharge",
    "J. Hydrol. 581, 124 (2018) 10.99041/recharge",
    "Haile et al. (2018), J. Hydrol. 581:124, 10.99041/recharge",
    "T. Haile et al. [RECHARGE Collaboration], J. Hydrol. 581, 124 (2018), doi:10.99041/recharge",
    "[12] 10.99041/recharge",
    "Haile T, Okoth M, … Wen Q (2018) 10.99041/recharge",
    "Haile, T., Okoth, M., & Wen, Q. doi:10.99041/recharge",
    "the study (Haile and Okoth 2018, 10.99041/recharge) says so",
    "M.-j. Haile and J.-w. Okoth, J. Hydrol., 2018, 581, e99, DOI: 10.99041/recharge",
]


@pytest.mark.parametrize("text", NOT_TITLES)
def test_words_around_an_identifier_are_not_taken_for_a_title(text: str) -> None:
    found = compare_with_record(parse_citation(text).reference, PAPER, free_text=True)
    assert (found.differences, found.title_match) == ((), "not_checked")


def test_a_journal_without_a_title_is_not_taken_for_one() -> None:
    text = "T. Haile and M. Okoth, Lancet Infect. Dis., 2018, 14, 245–251, DOI: 10.99041/recharge"
    record = replace(PAPER, journal="The Lancet Infectious Diseases", volume="14", pages="245-251")
    assert compare_with_record(parse_citation(text).reference, record, free_text=True).differences == ()


WORDS = [
    ("Vaccines cause allergic reactions", "Vaccines do not cause allergic reactions", True),
    ("Hypertension in pregnancy", "Hypotension in pregnancy", True),
    ("Report of 2018 on climate", "Report of 2019 on climate", True),
    ("U-Net: recurrent networks for image compression", "V-Net: residual networks for image segmentation", True),
    ("Ports of the 20th century", "Ports of the twentieth century", False),
    ("3D printing of bone", "Three-dimensional printing of bone", False),
    ("PTSD in veterans of two wars", "Post-traumatic stress disorder in veterans of two wars", False),
    ("Zur Groesse der Baeume im Wald", "Zur Größe der Bäume im Wald", False),
    ("PRISMA 2020: a guideline for narrative reviews", "PRISMA 2020: a guideline for systematic reviews", True),
    ("Recieving signals from pulsars", "Receiving signals from pulsars", False),
    ("Effects of caffeine on sleep", "Effects of caffeine on sleep: a review of trials", False),
    ("From matters of fact to squares of concern", "From matters of fact to matters of concern", True),
    ("A systematic review and meta-analyses of trials", "A systematic review and meta-analysis of trials", False),
]


@pytest.mark.parametrize(("cited", "recorded", "is_exchanged"), WORDS)
def test_exchanged_words(cited: str, recorded: str, is_exchanged: bool) -> None:
    assert (find_exchanged_words(cited, recorded) is not None) is is_exchanged
