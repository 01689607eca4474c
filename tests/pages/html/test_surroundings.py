"""Menus, heads, feet, asides and dialogs of a page are passed over, what belongs to its text is not."""

from __future__ import annotations

import pytest

from wellsourced.pages.html import blocks, dom, extract
from wellsourced.pages.html.surroundings import find_surroundings

PROSE = "Tea was carried over the mountains by mules, and every village on the way kept a share of it. "


def walked(markup: str) -> str:
    document = dom.parse(f"<body>{markup}</body>")
    outline = blocks.outline(document, passed_over=find_surroundings(document))
    assert outline
    return " ".join(block.text for block in outline.blocks)


@pytest.mark.parametrize(
    "around",
    [
        "<nav>Aside</nav>",
        "<div role=navigation><ul><li>Aside</ul></div>",
        "<header>Aside</header>",
        "<footer><p>Aside</footer>",
        "<aside>Aside</aside>",
        "<div role=banner>Aside</div>",
        "<div role=contentinfo>Aside</div>",
        "<section role=search>Aside</section>",
        "<dialog open>Aside</dialog>",
        "<div role=dialog>Aside</div>",
        "<main>Text<nav>Aside</nav></main>",
    ],
)
def test_surroundings_are_passed_over(around: str) -> None:
    assert walked(f"{around}<p>Text</p>").replace("Text", "").strip() == ""


@pytest.mark.parametrize(
    "markup",
    [
        "<article><header>By Ana</header>Text</article>",
        "<article>Text<footer>Notes</footer></article>",
        "<main><aside>A remark</aside></main>",
        "<blockquote>Text<footer>Ana Silva</footer></blockquote>",
        "<section><header>Heading</header>Text</section>",
        "<header><h1>Title</h1></header>",
        "<nav><main>Text</main></nav>",
        "<header><div role=main>Text</div></header>",
        "<div role=list>Text</div>",
    ],
)
def test_what_belongs_to_the_text_is_walked(markup: str) -> None:
    document = dom.parse(f"<body>{markup}</body>")
    assert find_surroundings(document) == []


def test_a_page_of_menus_has_no_text() -> None:
    links = "".join(f"<li><a href=/{number}>Department of things number {number}</a>" for number in range(40))
    page = extract.extract(f"<body><nav><ul>{links}</ul></nav><footer>Imprint</footer>".encode(), "https://e.example/")
    assert (page.markdown, page.quality) == ("", "partial")


def test_text_in_the_header_of_a_page_without_any_other_is_read() -> None:
    page = extract.extract(f"<body><header><p>{PROSE * 5}</p></header>".encode(), "https://e.example/")
    assert PROSE.strip() in page.markdown


def test_everything_visible_is_still_to_be_had() -> None:
    markup = f"<body><nav>The menu</nav><main><p>{PROSE * 5}</p></main><footer>The imprint</footer>"
    text = extract.visible_text(markup.encode(), "text/html; charset=utf-8")
    assert "The menu" in text
    assert "The imprint" in text


def test_surroundings_within_each_other_are_passed_over() -> None:
    assert walked("<header>" * 400 + "Aside" + "</header>" * 400 + "<p>Text</p>") == "Text"
