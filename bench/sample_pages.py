"""A made-up web to measure on: pages of several layouts, scripts and sizes, a document and search answers.

All of it is the same on every run. A page carries its number in the lead of its main text, so that an answer can be
checked for holding the right page.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from html import escape

from tests.documents.samples import pdf

SIZES = (10_000, 30_000, 80_000, 200_000)
RESULTS = 10
DIGITS = 10
PLACE = "#" * DIGITS

VOCABULARIES = tuple(
    words.split()
    for words in (
        "harbour tide mason ledger orchard signal copper lantern winter bridge quarry measure vessel market granary "
        "survey pupil engine river wage canal the of and with under after before while nearly seldom rises holds keeps",
        "Hafen Flut Maurer Ernte Brücke Gemeinde Zoll Werkstatt Mühle Straße Winter Kanal Prüfung und mit unter nach "
        "während selten beinahe steigt hält misst verzeichnet größer früher",
        "гавань прилив каменщик урожай мост община пошлина мастерская мельница зима канал проверка и под после пока "
        "редко почти растёт держит измеряет записывает раньше",
        "ميناء مد بناء حصاد جسر قرية رسم ورشة طاحونة شتاء قناة فحص و تحت بعد قبل نادرا يرتفع يحفظ يقيس يسجل",
        "港 潮位 石工 収穫 橋 村役場 関税 工房 水車 冬季 運河 調査 観測 記録 上昇 維持 測定 以前 ほとんど まれに",
    )
)


class TextGenerator:
    """Writes prose and its surroundings from one vocabulary, always the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._words = VOCABULARIES[seed % len(VOCABULARIES)]

    def words(self, count: int) -> str:
        return " ".join(self._chance.choices(self._words, k=count))

    def sentence(self) -> str:
        return f"{self.words(self._chance.randint(7, 22)).capitalize()}, {self._chance.randint(2, 999)}."

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self._chance.randint(2, 6)))

    def linked(self) -> str:
        """A paragraph with the links and emphases that prose on the web has."""
        target = self._chance.randint(1, 9999)
        return f'<p>{self.paragraph()} <a href="/page/{target}">{self.words(2)}</a> <em>{self.words(1)}</em>.</p>\n'

    def menu(self, entries: int) -> str:
        rows = (f'<li class="entry"><a href="/part/{row}">{self.words(2)}</a></li>' for row in range(entries))
        return f"<nav><ul>{''.join(rows)}</ul></nav>\n"

    def table(self, rows: int) -> str:
        row = "<tr>" + "".join(f"<td>{self.words(2)} {self._chance.randint(1, 999)}</td>" for _ in range(4)) + "</tr>"
        return f"<table>{row * rows}</table>\n"

    def script(self, size: int) -> str:
        return f"<script>var kept = {json.dumps(self.words(size // 8), ensure_ascii=False)};</script>\n"


def news(author: TextGenerator, lead: str, prose: str) -> str:
    byline = '<p class="byline">A. Writer, <time datetime="2026-03-04">4 March 2026</time></p>'
    return f"<article><h1>{author.words(7)}</h1>{byline}{lead}{prose}</article><aside>{author.menu(12)}</aside>"


def manual(author: TextGenerator, lead: str, prose: str) -> str:
    listing = f"<pre><code>measure(depth, {author.words(1)!r})\n  keep(ledger)\n</code></pre>"
    return f'<div class="side">{author.menu(60)}</div><main><h1>{author.words(4)}</h1>{lead}{listing}{prose}</main>'


def encyclopedia(author: TextGenerator, lead: str, prose: str) -> str:
    notes = "".join(f"<li>{escape(author.sentence())}</li>" for _ in range(20))
    heading = f"<h1>{author.words(3)}</h1>"
    return f'<div id="content">{heading}{lead}{author.table(12)}{prose}<ol class="notes">{notes}</ol></div>'


def blog(author: TextGenerator, lead: str, prose: str) -> str:
    """Nothing but nested divs, and what readers wrote below."""
    comments = "".join(f'<div class="comment"><div>{author.paragraph()}</div></div>' for _ in range(8))
    return f'<div><div><div class="post"><h1>{author.words(6)}</h1>{lead}{prose}</div></div>{comments}</div>'


LAYOUTS: tuple[Callable[[TextGenerator, str, str], str], ...] = (news, manual, encyclopedia, blog)
PAGES = len(LAYOUTS) * len(SIZES) * len(VOCABULARIES)
STEP = 37
"""Shares no factor with PAGES: pages in a row are of all layouts, scripts and sizes."""


@cache
def template(index: int) -> bytes:
    """One of the pages, with a place for its number."""
    author = TextGenerator(index)
    layout, size = LAYOUTS[index % len(LAYOUTS)], SIZES[index // len(LAYOUTS) % len(SIZES)]
    lead = f"<p>{author.sentence()} {PLACE}. {author.sentence()}</p>\n"
    script = author.script(size // 5)
    body = layout(author, lead, generate_prose(author, size * 4 // 5))
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{author.words(5)}</title>{script}</head>'
        f"<body>{author.menu(25)}{body}<footer>{author.menu(15)}</footer></body></html>"
    ).encode()


def generate_prose(author: TextGenerator, size: int) -> str:
    """Prose of about so many bytes."""
    made, length = [], 0
    while length < size:
        made.append(f"<h2>{author.words(4)}</h2>\n" + "".join(author.linked() for _ in range(3)))
        length += len(made[-1].encode())
    return "".join(made)


def page_mark(number: int) -> str:
    """What a page or document with this number holds, and no other."""
    return f"{number:0{DIGITS}d}"


def page(number: int) -> bytes:
    return template(number * STEP % PAGES).replace(PLACE.encode(), page_mark(number).encode())


@cache
def document_template() -> bytes:
    """Four pages of English: the document's font has no other letters."""
    author = TextGenerator(0)
    lines = [[(72.0, 720.0 - 16 * row, 11.0, author.words(11)) for row in range(40)] for _ in range(4)]
    lines[0].insert(0, (72.0, 740.0, 11.0, PLACE))
    return pdf(lines)


def document(number: int) -> bytes:
    return document_template().replace(PLACE.encode(), page_mark(number).encode())


@cache
def snippet(seed: int) -> str:
    return TextGenerator(seed).paragraph()


def search_answer(query: str, base: str) -> bytes:
    """What SearXNG says as JSON; the results follow from the number that the query ends in."""
    digits = query.rpartition(" ")[2]
    first = int(digits) * RESULTS if digits.isdecimal() else 0
    results = [
        {
            "url": f"{base}/page/{number}",
            "title": f"{query}, part {number}",
            "content": f"What was written about {query}: {snippet(number % 7)}",
            "engine": "made",
            "score": 1.0,
            "category": "general",
        }
        for number in range(first, first + RESULTS)
    ]
    return json.dumps({"query": query, "number_of_results": RESULTS, "results": results}).encode()
