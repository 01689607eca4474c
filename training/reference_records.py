"""Records to learn references from, as CSL-JSON: what a folder of PubMed files and bibliographies holds, and works of
other kinds and languages put together out of it.

    python -m training.reference_records ITEMS.json PUBMED.xml.gz... BIBLIOGRAPHY.bib... [--most 24000]

Needs faker (names and sentences of many languages), at training time only. Repeatable: the seed is fixed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from faker import Faker

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.styles.csl_json import format_item

Item = dict[str, Any]
SEED = 22
LOCALES_TEXT = """
    de_DE fr_FR es_ES it_IT pt_BR nl_NL pl_PL cs_CZ sv_SE da_DK fi_FI hu_HU tr_TR ro_RO
    ru_RU uk_UA bg_BG el_GR zh_CN zh_TW ja_JP ko_KR en_GB en_US en_IN id_ID vi_VN
"""
LOCALES = tuple(LOCALES_TEXT.split())
EASTERN = {"zh_CN", "zh_TW", "ja_JP", "ko_KR"}
PUBLISHERS = tuple(
    line.split("|")
    for line in """Cambridge University Press|Cambridge;Oxford University Press|Oxford;Springer|Berlin;Routledge|London
Wiley|Hoboken, NJ;Elsevier|Amsterdam;MIT Press|Cambridge, MA;Harvard University Press|Cambridge, Mass.
University of Chicago Press|Chicago;Gallimard|Paris;Suhrkamp|Frankfurt am Main;De Gruyter|Berlin;Brill|Leiden
Penguin Books|Harmondsworth;Sage|Thousand Oaks, CA;Academic Press|New York;Наука|Москва;人民出版社|北京;岩波書店|東京
Presses universitaires de France|Paris;Mohr Siebeck|Tübingen;Il Mulino|Bologna;Siglo XXI|México;IEEE|Piscataway
ACM|New York, NY, USA;Association for Computational Linguistics|Online;World Bank|Washington, DC;OECD|Paris
O'Reilly Media|Sebastopol;Taylor & Francis|Abingdon;McGraw-Hill|New York;Macmillan|Basingstoke;Duncker & Humblot|Berlin
Kluwer Academic Publishers|Dordrecht;Columbia University Press|New York;Лань|Санкт-Петербург;Verlag C.H. Beck|München
US Government Printing Office|Washington;UNESCO|Paris;Stanford University|Stanford, CA;Vandenhoeck & Ruprecht|Göttingen
RAND Corporation|Santa Monica;World Health Organization|Geneva;ETH Zürich|Zürich;Universität Wien|Wien;Seuil|Paris
National Bureau of Economic Research|Cambridge, MA;University of Toronto|Toronto
Plenum Press|New York;高等教育出版社|北京"""
    .replace("\n", ";").split(";")
)  # fmt: skip
THESES = ("PhD thesis", "Doctoral dissertation", "Ph.D. diss.", "Master's thesis", "Dissertation", "Thèse de doctorat",
          "Habilitationsschrift", "Diss.", "Tesis doctoral")  # fmt: skip
REPORTS = ("Technical report", "Working paper", "Policy paper", "Discussion paper", "Research report", "Tech. Rep.")
GROUPS = ("World Health Organization", "European Commission", "OECD", "U.S. Department of Energy", "UNESCO", "IPCC",
          "R Core Team", "The Economist", "American Psychological Association", "Statistisches Bundesamt",
          "International Organization for Standardization", "COLLECTIF", "National Research Council")  # fmt: skip
SITES = ("BBC News", "The Guardian", "Wikipedia", "GitHub", "Zenodo", "Our World in Data", "Le Monde", "Spiegel Online",
         "Nature News", "Stack Overflow", "The New York Times")  # fmt: skip
PARTICLES = ("van der ", "van ", "von ", "de ", "de la ", "De ", "di ", "El ", "dos ", "Van ", "ten ", "Al ", "Di ",
             "O’", "O'", "Mac", "Mc", "D’", "De", "La")  # fmt: skip
MONTHS_KNOWN = 0.3
SERIES = ("Lecture Notes in Computer Science", "Springer Series in Statistics", "Beck'sche Reihe", "Que sais-je ?",
          "Oxford World's Classics", "Studies in Logic", "Series in Physics")  # fmt: skip


def pubmed_items(path: Path) -> Iterator[Item]:
    with gzip.open(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == "PubmedArticle":
                if item := _pubmed_item(element):
                    yield item
                element.clear()


def _pubmed_item(element: ElementTree.Element) -> Item | None:
    def text(path: str) -> str:
        found = element.find(path)
        return " ".join("".join(found.itertext()).split()) if found is not None else ""

    title = text(".//VernacularTitle") or text(".//ArticleTitle").strip("[]")
    people = [
        {"family": one.findtext("LastName"), "given": one.findtext("ForeName") or one.findtext("Initials") or ""}
        if one.findtext("LastName")
        else {"literal": one.findtext("CollectiveName") or ""}
        for one in element.findall(".//AuthorList/Author")
    ]
    year = re.search(r"\d{4}", text(".//PubDate/Year") or text(".//PubDate/MedlineDate"))
    if not title or not people or year is None or not text(".//MedlinePgn"):
        return None
    return {
        "type": "article-journal", "title": title.rstrip("."), "author": people, "issued": {"date-parts": [[year[0]]]},
        "container-title": text(".//Journal/Title"), "container-title-short": text(".//ISOAbbreviation"),
        "volume": text(".//Volume"), "issue": text(".//Issue"), "page": _whole(text(".//MedlinePgn")),
        "DOI": text(".//ELocationID[@EIdType='doi']"), "language": text(".//Language")[:2],
    }  # fmt: skip


def _whole(pages: str) -> str:
    first, mark, last = pages.split(";")[0].split(",")[0].partition("-")
    return f"{first}-{first[: len(first) - len(last)]}{last}" if mark else first


def bibliography_items(path: Path) -> Iterator[Item]:
    for entry in read_bibliography(path.read_text("utf-8", errors="replace")).entries:
        if entry.title:
            yield format_item(entry, "x")


class Mixer:
    """Works of other kinds and languages, out of the parts of known ones."""

    def __init__(self, items: list[Item]) -> None:
        self.chance = random.Random(SEED)
        self.items = items
        Faker.seed(SEED)
        self.faker = {locale: Faker(locale) for locale in LOCALES}

    def mixed(self, item: Item) -> Item:
        """One in two as it is; the others become a book, a chapter, a thesis … or speak another language."""
        chance, item = self.chance, {name: value for name, value in item.items() if value}
        if chance.random() < 0.16:
            self._translate(item, chance.choice(LOCALES))
        if item["type"] == "article-journal" and chance.random() < 0.5:
            getattr(self, f"_{chance.choice(KINDS)}")(item)
        self._change_people(item)
        if chance.random() < 0.35:
            item["title"] = " ".join(item["title"].split()[: chance.randint(1, 6)]).rstrip(" ,:;.")
        self._mark_title(item)
        if chance.random() < MONTHS_KNOWN and item.get("issued"):
            year = item["issued"]["date-parts"][0][0]
            day = [year, chance.randint(1, 12), chance.randint(1, 28)]
            item["issued"] = {"date-parts": [day[: chance.randint(2, 3)]]}
        return item

    def _change_people(self, item: Item) -> None:
        """Organisations, short lists, nobody; particles and suffixes."""
        chance, choice = self.chance, self.chance.random()
        if choice < 0.06:
            item["author"] = [{"literal": chance.choice(GROUPS)}]
        elif choice < 0.4:
            item["author"] = item.get("author", [])[: chance.randint(1, 2)]
        elif choice < 0.43:
            item.pop("author", None)
        pointed, whole = chance.random() < 0.6, chance.random() < 0.3
        for person in item.get("author", ()):
            if person.get("family"):
                self._change_person(person, pointed=pointed, whole=whole)

    def _change_person(self, person: Item, *, pointed: bool, whole: bool) -> None:
        chance = self.chance
        if whole:
            self._complete(person)
        if pointed:
            person["given"] = re.sub(r"\b([A-Z])(?=\s|\Z)", r"\1.", person.get("given", ""))
        if chance.random() < 0.06:
            person["family"] = f"{chance.choice(PARTICLES)}{person['family']}"
        elif chance.random() < 0.03:
            person["family"] += f"{chance.choice(' -')}{self._other_name('family')}"
        elif chance.random() < 0.015:
            person["suffix"] = chance.choice(("Jr.", "Sr.", "III", "II"))

    def _complete(self, person: Item) -> None:
        """Second given names, written out or not; not every list has initials."""
        if " " not in person.get("given", ""):
            second = (
                self._other_name("given").split()[0]
                if self.chance.random() < 0.6
                else "JMSAR"[self.chance.randrange(5)]
            )
            person["given"] = f"{person.get('given', '')} {second}".strip()

    def _other_name(self, part: str) -> str:
        people = [one[part] for one in self.chance.choice(self.items).get("author", ()) if one.get(part)]
        return self.chance.choice(people) if people else "Jean"

    def _mark_title(self, item: Item) -> None:
        """Questions, quoted words and second sentences, which look like the end of a title."""
        chance, other = self.chance, self.chance.choice(self.items)["title"].split()
        more = " ".join(other[: chance.randint(1, 6)]).rstrip(".,:;")
        choice = chance.random()
        if choice < 0.05:
            item["title"] += "?"
        elif choice < 0.08:
            item["title"] += f"? {more}"
        elif choice < 0.11:
            item["title"] = f"“{item['title']}”: {more}"
        elif choice < 0.14:
            item["title"] += f". {more}"
        elif choice < 0.16:
            item["title"] += f" : {more}"
        elif choice < 0.2:
            item["title"] += f", {chance.randint(1800, 1950)}–{chance.randint(1950, 2010)}"
        elif choice < 0.28 and len(other) > 3:
            joined = chance.choice(("and", "&", "und", "et"))
            item["title"] = f"{other[0].strip('[(,.:')}, {other[1].strip(',.:;')} {joined} {item['title']}"
        elif choice < 0.31 and len(other) > 3:
            item["title"] = f"{item['title']} in “{more}”"
        elif choice < 0.34 and len(other) > 3:
            item["title"] = f"{more}: {item['title']}, {other[-1].strip('.,')}"

    def _translate(self, item: Item, locale: str) -> None:
        fake, chance = self.faker[locale], self.chance
        item["title"] = fake.sentence(chance.randint(3, 10)).rstrip(".。")
        if chance.random() < 0.4:
            item["title"] += f": {fake.sentence(chance.randint(3, 7)).rstrip('.。')}"
        item["author"] = [self._person(locale) for _ in range(chance.choice((1, 1, 2, 2, 3, 5)))]
        item["language"] = locale[:2]

    def _person(self, locale: str) -> Item:
        fake = self.faker[locale]
        if locale in EASTERN:
            return {"literal": fake.last_name() + fake.first_name()}
        return {"family": fake.last_name(), "given": fake.first_name()}

    def _imprint(self, item: Item) -> None:
        for name in ("container-title", "container-title-short", "volume", "issue", "page", "ISSN"):
            item.pop(name, None)
        publisher, place = self.chance.choice(PUBLISHERS)
        item |= {"publisher": publisher} | ({"publisher-place": place} if self.chance.random() < 0.7 else {})
        if self.chance.random() < 0.7:
            item.pop("DOI", None)

    def _book(self, item: Item) -> None:
        self._imprint(item)
        item["type"] = "book"
        if self.chance.random() < 0.25:
            item["edition"] = str(self.chance.randint(2, 9))
        if self.chance.random() < 0.2:
            item["editor"] = item.pop("author", [])
        if self.chance.random() < 0.15:
            item |= {
                "collection-title": self.chance.choice(SERIES),
                "collection-number": str(self.chance.randint(1, 90)),
            }

    def _chapter(self, item: Item) -> None:
        pages = item.get("page")
        other = self.chance.choice(self.items)
        self._imprint(item)
        item |= {"type": self.chance.choice(("chapter", "chapter", "paper-conference")), "page": pages,
                 "container-title": other["title"].rstrip(".")}  # fmt: skip
        if self.chance.random() < 0.7:
            item["editor"] = other.get("author", [])[: self.chance.randint(1, 3)]

    def _thesis(self, item: Item) -> None:
        self._imprint(item)
        item |= {"type": "thesis", "genre": self.chance.choice(THESES), "author": item.get("author", [])[:1]}

    def _report(self, item: Item) -> None:
        self._imprint(item)
        item |= {"type": "report", "genre": self.chance.choice(REPORTS), "number": str(self.chance.randint(1, 3000))}

    def _webpage(self, item: Item) -> None:
        self._imprint(item)
        kind = self.chance.choice(
            ("webpage", "post-weblog", "article-newspaper", "article-magazine", "dataset", "software")
        )
        words = re.findall("[a-z]+", item["title"].lower())[:3]
        day = [self.chance.randint(1995, 2025), self.chance.randint(1, 12), self.chance.randint(1, 28)]
        item |= {"type": kind, "container-title": self.chance.choice(SITES), "issued": {"date-parts": [day]},
                 "URL": f"https://www.example.org/{'-'.join(words)}"}  # fmt: skip
        item["accessed"] = {"date-parts": [[day[0] + 1, *day[1:]]]}
        item.pop("publisher", None)


KINDS = ("book", "book", "book", "chapter", "chapter", "chapter", "thesis", "report", "webpage", "webpage")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("target", type=Path)
    options.add_argument("sources", type=Path, nargs="+")
    options.add_argument("--most", type=int, default=24_000)
    given = options.parse_args()
    items = [
        item
        for path in given.sources
        for item in (pubmed_items(path) if path.suffix == ".gz" else bibliography_items(path))
    ]
    random.Random(SEED).shuffle(items)
    mixer = Mixer(items)
    mixed = [mixer.mixed(item) for item in items[: given.most]]
    numbered = [item | {"id": str(number)} for number, item in enumerate(mixed)]
    given.target.write_text(json.dumps(numbered, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
