"""Free-text references in every usual style, taken apart into what is really there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.citations.parse.references import parse_reference
from wellsourced.citations.reference import Reference
from wellsourced.citations.styles.bibliography import format_bibliography
from wellsourced.text.partial_dates import PartialDate

CASES: list[tuple[str, dict[str, object]]] = [
    (
        "Frank, H. S. (1970). The structure of ordinary water. Science, 169(3946), 635–641. "
        "https://doi.org/10.1126/science.169.3946.635",
        {
            "a": "Frank|H. S.",
            "title": "The structure of ordinary water",
            "year": 1970,
            "container": "Science",
            "volume": "169",
            "issue": "3946",
            "pages": "635–641",
            "doi": "10.1126/science.169.3946.635",
            "type": "article-journal",
        },
    ),
    (
        "Smith, J., van der Berg, A. B., & O'Neil, C. (2019, March 4). Is it so? A study. Journal of Things, 12, e45.",
        {
            "a": "Smith|J.; van der Berg|A. B.; O'Neil|C.",
            "title": "Is it so? A study",
            "year": 2019,
            "container": "Journal of Things",
            "volume": "12",
            "pages": "e45",
        },
    ),
    (
        'Frank, Henry S. "The Structure of Ordinary Water." Science, vol. 169, no. 3946, 1970, pp. 635–641.',
        {
            "a": "Frank|Henry S.",
            "title": "The Structure of Ordinary Water",
            "year": 1970,
            "container": "Science",
            "volume": "169",
            "issue": "3946",
            "pages": "635–641",
        },
    ),
    (
        'Doe, John, and Jane Roe. "A Title." Modern Letters, vol. 3, 2001, pp. 1-9.',
        {"a": "Doe|John; Roe|Jane", "title": "A Title", "container": "Modern Letters", "volume": "3", "pages": "1–9"},
    ),
    (
        'Doe, John. 1994. "An Article Is It?" New Thinker 10: 5–12.',
        {
            "a": "Doe|John",
            "title": "An Article Is It?",
            "year": 1994,
            "container": "New Thinker",
            "volume": "10",
            "pages": "5–12",
        },
    ),
    (
        'Frank, Henry S. "The Structure of Ordinary Water." Science 169, no. 3946 (1970): 635–41.',
        {
            "a": "Frank|Henry S.",
            "container": "Science",
            "volume": "169",
            "issue": "3946",
            "year": 1970,
            "pages": "635–41",
        },
    ),
    (
        '[12] J. K. Author and A. Writer, "Fast things," IEEE Trans. Neural Netw., vol. 5, no. 2, pp. 10–20, Mar. '
        "2015, doi: 10.1109/x.1.",
        {
            "a": "Author|J. K.; Writer|A.",
            "title": "Fast things",
            "container": "IEEE Trans. Neural Netw.",
            "volume": "5",
            "issue": "2",
            "pages": "10–20",
            "year": 2015,
            "doi": "10.1109/x.1",
        },
    ),
    (
        "3. Corti R, Flammer AJ, Hollenberg NK, et al. Cocoa and cardiovascular health. Circulation. 2009 "
        "Mar;119(10):1433-41. PMID: 19289648",
        {
            "a": "Corti|R; Flammer|AJ; Hollenberg|NK",
            "title": "Cocoa and cardiovascular health",
            "container": "Circulation",
            "year": 2009,
            "volume": "119",
            "issue": "10",
            "pages": "1433–41",
            "pmid": "19289648",
            "et_al": True,
        },
    ),
    (
        "World Health Organization. (2023). Global report on health. https://example.org/report",
        {
            "a": "World Health Organization|",
            "title": "Global report on health",
            "year": 2023,
            "url": "https://example.org/report",
            "type": "webpage",
        },
    ),
    (
        "Berg, A. von der (2011). Ethik des Lesens (2nd ed.). Muster Verlag.",
        {
            "a": "Berg|A. von der",
            "title": "Ethik des Lesens",
            "edition": "2",
            "publisher": "Muster Verlag",
            "year": 2011,
            "type": "book",
        },
    ),
    (
        "Doe, John. 1990. Book of Days. Boston: Zardoz Press.",
        {
            "a": "Doe|John",
            "title": "Book of Days",
            "year": 1990,
            "place": "Boston",
            "publisher": "Zardoz Press",
            "type": "book",
        },
    ),
    (
        "Cruz, J. (1999). Wohin? In M. Ha (Ed.), Wege der Forschung (pp. 7–19). Nordlicht.",
        {
            "a": "Cruz|J.",
            "container": "Wege der Forschung",
            "pages": "7–19",
            "publisher": "Nordlicht",
            "type": "chapter",
        },
    ),
    (
        "Vaswani, A., Shazeer, N., et al. (2017). Attention is all you need. arXiv preprint arXiv:1706.03762.",
        {"title": "Attention is all you need", "arxiv": "1706.03762", "year": 2017, "et_al": True},
    ),
    (
        "Roe v. Wade, 410 U.S. 113 (1973)",
        {
            "type": "legal_case",
            "title": "Roe v. Wade",
            "container": "U.S.",
            "volume": "410",
            "pages": "113",
            "year": 1973,
        },
    ),
    (
        "See, e.g., United States v. Nixon, 418 U.S. 683, 94 S. Ct. 3090, 41 L. Ed. 2d 1039 (1974)",
        {"type": "legal_case", "title": "United States v. Nixon", "container": "U.S.", "volume": "418", "pages": "683"},
    ),
    (
        "Marbury v. Madison, 5 U.S. (1 Cranch) 137 (1803)",
        {"type": "legal_case", "title": "Marbury v. Madison", "container": "U.S.", "volume": "5", "pages": "137"},
    ),
    (
        "Vitamin D deficiency. Holick MF. N Engl J Med. 2007;357:266-81.",
        {"a": "Holick|MF", "title": "Vitamin D deficiency", "year": 2007, "volume": "357"},
    ),
    (
        "Okafor C, Lindqvist M. The “dark” side of the moon. Icarus. 2010;205:1-12.",
        {"a": "Okafor|C; Lindqvist|M", "title": "The “dark” side of the moon", "container": "Icarus"},
    ),
    (
        "J. P. Perdew, K. Burke, and M. Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996).",
        {
            "a": "Perdew|J. P.; Burke|K.; Ernzerhof|M.",
            "title": None,
            "container": "Phys. Rev. Lett.",
            "volume": "77",
            "pages": "3865",
            "year": 1996,
        },
    ),
    (
        "Knuth, Donald E. The Art of Computer Programming. Reading: Addison-Wesley, 1997.",
        {"a": "Knuth|Donald E.", "title": "The Art of Computer Programming", "publisher": "Addison-Wesley"},
    ),
    (
        "Łukasiewicz Ż., Wójcik P.: Wpływ suszy na plonowanie zbóż. Acta Agrophysica 2013, 20, 55–66.",
        {"a": "Łukasiewicz|Ż.; Wójcik|P.", "container": "Acta Agrophysica", "volume": "20", "pages": "55–66"},
    ),
    (
        'Smith, John "Deep learning of harbours", Nature, 2015.',
        {"a": "Smith|John", "title": "Deep learning of harbours", "year": 2015, "container": "Nature"},
    ),
    (
        "WHO. Global tuberculosis report 2020. Geneva: WHO; 2020.",
        {"title": "Global tuberculosis report 2020", "year": 2020},
    ),
    (
        "Mata v. Avianca, Inc., 678 F. Supp. 3d 443, 448 (S.D.N.Y. 2023)",
        {
            "type": "legal_case",
            "title": "Mata v. Avianca, Inc.",
            "container": "F. Supp. 3d",
            "pages": "443",
            "year": 2023,
        },
    ),
    (
        "R v Brown [1994] 1 AC 212",
        {"type": "legal_case", "title": "R v Brown", "container": "AC", "year": 1994, "pages": "212"},
    ),
    (
        "Иванов, И. И. (2015). История науки. Вестник, 3(2), 10–15.",
        {
            "a": "Иванов|И. И.",
            "title": "История науки",
            "container": "Вестник",
            "volume": "3",
            "issue": "2",
            "pages": "10–15",
        },
    ),
    ("Müller, K. (n.d.). Ohne Jahr. Verlag Muster.", {"a": "Müller|K.", "title": "Ohne Jahr", "year": None}),
    ("10.1038/nature12373", {"doi": "10.1038/nature12373", "title": None, "year": None}),
    ("https://example.org/page", {"url": "https://example.org/page", "title": None}),
    (
        "The structure of ordinary water",
        {"title": "The structure of ordinary water", "year": None, "container": None, "a": ""},
    ),
    (
        "Doe, J., 2019. Harvard title here. Journal of Style, 12(3), pp.1-2.",
        {
            "a": "Doe|J.",
            "title": "Harvard title here",
            "year": 2019,
            "volume": "12",
            "issue": "3",
            "pages": "1–2",
            "container": "Journal of Style",
        },
    ),
    (
        "Food and Drug Administration (2020). Guidance for industry. Retrieved May 3, 2021, from https://www.fda.gov/x",
        {"a": "Food and Drug Administration|", "title": "Guidance for industry", "url": "https://www.fda.gov/x"},
    ),
    ("", {"title": None, "doi": None, "a": ""}),
    ("Marbury v Madison 5 US 137 (1803)", {"type": "legal_case", "title": "Marbury v Madison", "year": 1803}),
    (
        "Jane Doe, Roe v. Wade in Retrospect, 96 Harv. L. Rev. 1 (1982)",
        {"type": "article-journal", "a": "Doe|Jane", "title": "Roe v. Wade in Retrospect", "year": 1982},
    ),
    (
        "Doe, J. (2020). “I felt alone”: Experiences of nurses on night duty. Nursing, 3(4), 5–6.",
        {"title": "“I felt alone”: Experiences of nurses on night duty", "container": "Nursing", "volume": "3"},
    ),
    (
        "Smith JA. Growth of E. coli vs. yeast in milk. Marine Biology. 2000;12(3):34-5.",
        {"title": "Growth of E. coli vs. yeast in milk", "container": "Marine Biology", "volume": "12"},
    ),
    (
        "Ada Mole, Ben Quay, and Cai Pier, Harbours of the North (Cambridge, MA: Quay Press, 2016), 45–47.",
        {"type": "book", "a": "Mole|Ada; Quay|Ben; Pier|Cai", "title": "Harbours of the North", "year": 2016},
    ),
    (
        "Ada Mole, Harbours of the North: A History (2nd edn, Quay Press 2016) 45.",
        {"type": "book", "a": "Mole|Ada", "title": "Harbours of the North: A History", "edition": "2", "year": 2016},
    ),
    ("Doe J. Title. Nature. https://doi.org/10.1038/\ns41586-020-2649-2", {"doi": "10.1038/s41586-020-2649-2"}),
    ("Doe J. Title. Nature. doi:10.1016/j.cell.2020.\n01.001. Epub", {"doi": "10.1016/j.cell.2020.01.001"}),
    ("Doe J. Title. Nature. doi:10.1016/j.cell.2020.01.001.\n2. Roe R.", {"doi": "10.1016/j.cell.2020.01.001"}),
    (
        "Mole A. Why dig? From ports to quays. Crit Inquiry. 2004;30(2):225-48.",
        {"title": "Why dig? From ports to quays", "container": "Crit Inquiry", "year": 2004},
    ),
    (
        "Mole A. Why dig a port? Crit Inquiry. 2004;30(2):225-48.",
        {"title": "Why dig a port?", "container": "Crit Inquiry"},
    ),
    ("M.-J. KIM, Y. LI, AND S. PARK, “DEEP BRAINS,” NATURE, 2019.", {"a": "KIM|M.-J.; LI|Y.; PARK|S."}),
]


def parsed_value(reference: Reference, name: str) -> object:
    if name == "a":
        return "; ".join(f"{author.surname}|{author.given}" for author in reference.authors)
    return getattr(reference, name)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_references(text: str, expected: dict[str, object]) -> None:
    reference = parse_reference(text)
    wrong = {
        name: (value, parsed_value(reference, name))
        for name, value in expected.items()
        if parsed_value(reference, name) != value
    }
    assert not wrong


def test_our_own_styles_are_understood() -> None:
    """What the writers write for people, the parser takes apart again."""
    source = parse_reference(CASES[0][0])
    for style in ("apa", "mla", "chicago", "ieee", "vancouver"):
        again = parse_reference(format_bibliography([source], style))
        assert (again.title, again.year, again.volume, again.issue) == (again.title, 1970, "169", "3946"), style
        assert (again.title or "").casefold() == (source.title or "").casefold(), style
        assert again.doi == source.doi and again.authors[0].family == "Frank" and again.container == "Science", style


@given(st.text(max_size=300))
def test_never_fails(text: str) -> None:
    reference = parse_reference(text)
    assert reference.year is None or 1 <= abs(reference.year) <= 2200


@pytest.mark.parametrize(
    "text",
    ["a, " * 50_000, "(" * 100_000, '"' * 100_000, "A. " * 50_000, "x v. " * 30_000, "1(" * 50_000, "http://" * 20_000],
)
def test_hostile_texts_cost_little(text: str) -> None:
    begun = time.thread_time()
    parse_reference(text)
    assert time.thread_time() - begun < 2


ACCESS_DATES = [
    "Accessed 3 Mar. 2021.",
    "(Accessed: 3 March 2021).",
    "Retrieved March 3, 2021, from https://x.example/a",
    "[cited 2021 Mar 3]",
    "abgerufen am 03.03.2021",
]


@pytest.mark.parametrize("accessed", ACCESS_DATES)
def test_the_day_of_access_is_not_the_year_of_the_work(accessed: str) -> None:
    found = parse_reference(f"Doe, J. “The tides of the northern bay.” Bay Watch. {accessed}")
    assert (found.accessed, found.year, found.container) == (PartialDate(2021, 3, 3), None, "Bay Watch")


@pytest.mark.parametrize(
    ("text", "title", "container", "volume", "pages"),
    [
        (
            "[1] Jane Doe and Jon Roe. 2019. Sparse things. IEEE Trans. Signal Process. 67, 13 (July 2019), 3547–3560.",
            "Sparse things", "IEEE Trans. Signal Process.", "67", "3547–3560",
        ),
        ("Doe J, ‘On the law of things’ (2015) 50 Modern Law Review 154", "On the law of things", "Modern Law Review",
         "50", "154"),
        ("Doe, J., Roe, R., 2016. A title of some length, in: Poe, E. (Ed.), The Book. Nordlicht, Kiel, pp. 3–9.",
         "A title of some length", "The Book", None, "3–9"),
        ("Huang, Y. ; Mucke, L.: Mechanisms and strategies. In: Cell Bd. 148 (2012), Nr. 6, S. 1204–1222",
         "Mechanisms and strategies", "Cell", "148", "1204–1222"),
        ("Doe, Jane. “On things.” Mother Jones [San Francisco], vol. 45, no. 1, 2020, pp. 42–43.", "On things",
         "Mother Jones", "45", "42–43"),
        ("Kostakos V, Poe E. Human factors: rethinking security in systems. In: Doe J, editor. The Book. Kiel: ACM;"
         " 2008. p. 3–8.", "Human factors: rethinking security in systems", None, None, "3–8"),
    ],
)  # fmt: skip
def test_styles_that_were_misread(text: str, title: str, container: str | None, volume: str | None, pages: str) -> None:
    read = parse_reference(text)
    assert (read.title, read.volume, read.pages) == (title, volume, pages)
    assert container is None or read.container == container


def test_family_names_in_capitals() -> None:
    read = parse_reference(
        "CORTI, Roberto, FLAMMER, Andreas J. and LÜSCHER, Thomas F., 2009. Cocoa and health. Circulation. Vol. 119."
    )
    assert [name.surname for name in read.authors] == ["CORTI", "FLAMMER", "LÜSCHER"]


# Title, family name in front, year and container of references in the manners of the world.
WORLD: list[tuple[str, str, str, int, str | None]] = [
    ("———. Harbours of the North. Cambridge: Quay Press, 2016.", "Harbours of the North", "", 2016, None),
    ("Mole, Ada, and Ben Quay, eds. Harbours of the North. London: Routledge, 2001.", "Harbours of the North", "",
     2001, None),
    ("A. Mole and B. Quay, Siltation of northern harbours, J. Fluid Mech., 5 207-229 (1988)",
     "Siltation of northern harbours", "Mole", 1988, "J. Fluid Mech."),
    ("COLLECTIF. Les ports du Nord. Paris, Gallimard, 1987.", "Les ports du Nord", "COLLECTIF", 1987, None),
    ("Smith,D., The tides of the northern bay, Nature, 12 (1999), 3-9.", "The tides of the northern bay", "Smith",
     1999, "Nature"),
    ("Müller, Hans; Weber, Karl: Verlandung nördlicher Häfen. In: Zeitschrift für Wasserbau 42 (2009), S. 12–19.",
     "Verlandung nördlicher Häfen", "Müller", 2009, "Zeitschrift für Wasserbau"),
    ("Müller, Hans (Hrsg.): Häfen des Nordens. Berlin: de Gruyter 2003.", "Häfen des Nordens", "", 2003, None),
    ("Иванов И. И., Петров П. П. Кинетика окисления железа в морской воде // Журнал физической химии. – 2015. – Т. 89. "
     "– № 3. – С. 10–15.", "Кинетика окисления железа в морской воде", "Иванов", 2015, "Журнал физической химии"),
    ("王伟, 李娜. 基于深度学习的遥感图像识别研究[J]. 计算机学报, 2018, 41(3): 581-594.",
     "基于深度学习的遥感图像识别研究", "王伟", 2018, "计算机学报"),
    ("山田太郎・鈴木花子（2018）「高齢者の社会参加」『社会学評論』52(3), 12-30.", "高齢者の社会参加",
     "山田太郎", 2018, "社会学評論"),
    ("Mole, A. Siltation in northern harbours. PhD thesis, University of Northhaven, 2012.",
     "Siltation in northern harbours", "Mole", 2012, None),
    ("R Core Team (2021). R: A language and environment for statistical computing. Vienna. URL https://www.R-project.org/.",
     "R: A language and environment for statistical computing", "R Core Team", 2021, None),
    ("Ada Mole, The Law of Quays, 96 Harv. L. Rev. 1 (1982).", "The Law of Quays", "Mole", 1982, "Harv. L. Rev."),
    ("Ada Mole, 'The Law of Quays' (2015) 50 Modern Law Review 154.", "The Law of Quays", "Mole", 2015,
     "Modern Law Review"),
    ("Mole A, Quay B. Siltation of harbours. In: Pier C, editor. Handbook of ports. 2nd ed. London: Routledge; 2001. "
     "p. 12-34.", "Siltation of harbours", "Mole", 2001, "Handbook of ports"),
    ('Mole, Ada. "Siltation." Encyclopedia of Ports, edited by Ben Quay, vol. 2, Routledge, 2001, pp. 12-34.',
     "Siltation", "Mole", 2001, "Encyclopedia of Ports"),
]  # fmt: skip


WORLD += [
    ("Novák, J. a Svoboda, P. Dějiny práva. 2. vyd. Praha: Linde, 2010.", "Dějiny práva", "Novák", 2010, None),
    ("Climate change. (2024, March 3). In Wikipedia. https://en.wikipedia.org/wiki/Climate_change", "Climate change",
     "", 2024, "Wikipedia"),
    ("Law Commission, Kidnapping and Related Offences (Law Com No 313, 2011) para 2.3.",
     "Kidnapping and Related Offences", "Law Commission", 2011, None),
    ("Петров А. В. Методы оптимизации систем : дис. ... канд. техн. наук : 05.13.01 / Петров Алексей. – М., 2010.",
     "Методы оптимизации систем", "Петров", 2010, None),
    ("Jane Doe1, John Roe2 and Max Lee1,3. Transfer learning for maps. In Proceedings of ICML, pages 12-20, 2019.",
     "Transfer learning for maps", "Doe", 2019, "Proceedings of ICML"),
    ("山田太郎「日本語の文法」『国語学』第12巻第3号、1998年、45-60頁。", "日本語の文法", "山田太郎", 1998, "国語学"),
    ("Steiner, A. (2008). Private Criticism in Readers’ Reviews on Amazon. Participations, 5(2).",
     "Private Criticism in Readers’ Reviews on Amazon", "Steiner", 2008, "Participations"),
    ("Adams, N. K., & Self, S. (2001). The 1600 eruption of Huaynaputina, southern Peru. Bulletin of Volcanology, 62, "
     "493–518.", "The 1600 eruption of Huaynaputina, southern Peru", "Adams", 2001, "Bulletin of Volcanology"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "title", "family", "year", "container"), WORLD)
def test_manners_of_the_world(text: str, title: str, family: str, year: int, container: str | None) -> None:
    read = parse_reference(text)
    first = read.authors[0].surname if read.authors else ""
    assert (read.title, first, read.year, read.container) == (title, family, year, container)


@pytest.mark.parametrize(
    ("text", "kind", "title", "number"),
    [
        ("ISO/IEC 27001:2022, Information security, cybersecurity and privacy protection — Requirements.", "standard",
         "Information security, cybersecurity and privacy protection — Requirements", "ISO/IEC 27001:2022"),
        ("IEEE Standard for Floating-Point Arithmetic, IEEE Std 754-2019, 2019.", "standard",
         "IEEE Standard for Floating-Point Arithmetic", "IEEE Std 754-2019"),
        ("Fielding R, Reschke J. Hypertext Transfer Protocol (HTTP/1.1): Semantics and Content. RFC 7231. IETF; 2014.",
         "standard", "Hypertext Transfer Protocol (HTTP/1.1): Semantics and Content", "RFC 7231"),
        ("DIN EN ISO 9001:2015-11: Qualitätsmanagementsysteme – Anforderungen. Berlin: Beuth, 2015.", "standard",
         "Qualitätsmanagementsysteme – Anforderungen", "DIN EN ISO 9001:2015-11"),
        ("BS 7671:2018. Requirements for Electrical Installations. London: IET.", "standard",
         "Requirements for Electrical Installations", "BS 7671:2018"),
        ("NIST SP 800-53 Rev. 5, Security and Privacy Controls for Information Systems, 2020.",
         "standard", "Security and Privacy Controls for Information Systems", "NIST SP 800-53 Rev. 5"),
        ("Smith, A., & Lee, B. (2019). Ocean temperature profiles (Version 2) [Data set]. Zenodo.", "dataset",
         "Ocean temperature profiles", None),
        ("R Core Team. (2022). R: A language and environment for statistical computing (Version 4.2) [Computer "
         "software]. R Foundation.", "software", "R: A language and environment for statistical computing", None),
        ("U.S. Patent No. 9,123,456. (2015). Method for cooling.", "patent", "Method for cooling",
         "U.S. Patent No. 9,123,456"),
        ("World Bank. World development report 2020. Technical report 1234, World Bank, Washington, 2020.", "report",
         "World development report 2020", None),
        ("Rossi M. Sediment transport in estuaries [dissertation]. Bologna: University of Bologna; 2011.", "thesis",
         "Sediment transport in estuaries", None),
        ("Doe J. Implementing ISO 9001 in small firms. Qual J. 2014;3(2):1-9.", "article-journal",
         "Implementing ISO 9001 in small firms", None),
    ],
)  # fmt: skip
def test_works_that_say_what_they_are(text: str, kind: str, title: str, number: str | None) -> None:
    read = parse_reference(text)
    assert (read.type, read.title, read.extra.get("number")) == (kind, title, number)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Karen A. Cooper, Jennifer L. Donovan, and Gary Williamson. 2007. Cocoa and health: a decade of research. "
         "British Journal of Nutrition 99, 1 (August 2007), 1–11.", ["Cooper", "Donovan", "Williamson"]),
        ("Duncan, Margaret Carlisle, and Michael A. Messner. “The Media Image of Sport.” Sport Letters, 2002.",
         ["Duncan", "Messner"]),
        ("Fulton, Jr., James E., Plewig, G., & Kligman, A. M. (1969). Effect of Chocolate on Acne Vulgaris. JAMA, 210.",
         ["Fulton", "Plewig", "Kligman"]),
        ("Hauck JD. Kultur, Sprache und Integration in der postkolonialen Ära. Zeitschrift. 2007;3:67–90.", ["Hauck"]),
        ("W. v. d. Aalst, Pi Calculus Versus Petri Nets: Let Us Eat Pie, BPTrends 3 (2005) 1–11.", ["v. d. Aalst"]),
        ("Intergovernmental Panel on Climate Change. (2021). The physical science basis. Cambridge University Press.",
         ["Intergovernmental Panel on Climate Change"]),
    ],
)  # fmt: skip
def test_names_by_the_order_they_stand_in(text: str, names: list[str]) -> None:
    assert [name.surname for name in parse_reference(text).authors] == names
