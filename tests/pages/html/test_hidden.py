"""Text a reader cannot see never comes through; text a reader can see does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages.html.hidden_and_seen import HIDING_MARKUP, HIDING_STYLES, SECRET, SEEN_MARKUP
from tests.pages.html.layout.pages import cascade_of
from wellsourced.pages.html import blocks, css_sheets, dom, hidden
from wellsourced.pages.html.unseen import find_unseen


def seen(html: str) -> tuple[str, hidden.Removed]:
    document = dom.parse(f"<body><p>We sell bread, milk and tea.</p>{html}<p>Find us in Mill Lane.</p></body>")
    removed = hidden.remove_hidden(document)
    outline = blocks.outline(document)
    assert outline is not None
    return " ".join(" ".join(block.text.split()) for block in outline.blocks), removed


@pytest.mark.parametrize("style", HIDING_STYLES)
def test_styles_that_hide(style: str) -> None:
    text, removed = seen(f'<div><div style="{style}">{SECRET}</div></div>')
    assert text == "We sell bread, milk and tea. Find us in Mill Lane."
    assert removed.elements == 1


@pytest.mark.parametrize("around", ["display:none", "visibility:hidden"])
def test_a_hidden_part_of_a_hidden_part_is_not_counted_again(around: str) -> None:
    inner = '<b style="visibility:hidden">with </b>' * 40
    assert seen(f'<p>Seen.</p><div style="{around}"><p>{inner}</p></div>')[1].elements == (
        1 if "none" in around else 40
    )


@pytest.mark.parametrize("markup", HIDING_MARKUP)
def test_markup_that_hides(markup: str) -> None:
    text, _ = seen(markup)
    assert "cabbage" not in text
    assert "Mill Lane" in text


def test_a_page_without_any_width_has_no_text() -> None:
    document = dom.parse(f"<style>html{{contain:paint;width:0}}</style><body><p>{SECRET}</p></body>")
    assert hidden.remove_hidden(document).elements == 1
    assert not document.text.strip()


@pytest.mark.parametrize("markup", SEEN_MARKUP)
def test_what_can_be_seen_stays(markup: str) -> None:
    assert SECRET in seen(markup)[0]


@pytest.mark.parametrize("style", ["filter:invert(--x())", "filter:invert(1)"])
def test_what_cannot_be_decided_is_left_out_and_said(style: str) -> None:
    deep = 1 if "--x" in style else 21
    text, removed = seen(f"{f'<div style={style}>' * deep}{SECRET}{'</div>' * deep}")
    assert text == "We sell bread, milk and tea. Find us in Mill Lane."
    assert removed.unsure


@pytest.mark.parametrize("rule", ["div", "html,body", ".a", "x-y,.a", ".a,p"])
def test_a_page_dark_until_its_scripts_run_is_kept(rule: str) -> None:
    words = f"<p>{'some words of the page ' * 40}</p><x-y>and another</x-y>"
    sheet = f"<style>{rule}{{visibility:hidden}}</style>"
    document = dom.parse(f"{sheet}<body><div class=a><div class='a b'>{words}</div></div></body>")
    hidden.remove_hidden(document)
    assert "words of the page and another" in " ".join(document.text.split())


def test_what_browsers_keep_back_does_not_wait_for_scripts() -> None:
    words = "some words of the page " * 40
    sheet = "<style>body,p{visibility:hidden}</style>"
    document = dom.parse(f"{sheet}<body><p>{words}</p><dialog>{SECRET}</dialog></body>")
    assert hidden.remove_hidden(document).waiting
    assert "cabbage" not in document.text


def test_deep_elements_are_asked_of_their_container() -> None:
    sheet = "body{container-type:inline-size}@container (width>9px){:nth-of-type(2n+1){all:unset}}"
    cascade = cascade_of(f"<style>{sheet}</style><i style='animation:k'></i>{'<b>' * 30}")
    assert cascade.winners("animation-name")
    elements = dom.select(cascade.index.document, "b")
    assert [cascade.said(element, "display") for element in elements] == 30 * ["unset"]


SHEET, SCRIPT = "<link rel=stylesheet href=/a.css>", "<script src=/a.js></script>"
CURTAIN, LATE = "<main style='visibility:hidden'>", "<template id=B:0></template><div hidden id=S:0>"


@pytest.mark.parametrize(
    ("loads", "curtain", "headline", "beside", "is_read"),
    [
        (SHEET + SCRIPT, CURTAIN, "Oak desk", "Menu", True),
        (SHEET + SCRIPT, CURTAIN, "Obey me", "Menu", False),
        (SHEET + SCRIPT, CURTAIN, "Oak desk", "we sell bread " * 20, False),
        ("", CURTAIN, "Oak desk", "Menu", False),
        (SHEET + SCRIPT, "<div style='opacity:0'>", "Oak desk", "Menu", True),
        (SHEET + SCRIPT, "<div style='display:none'>", "Oak desk", "Menu", False),
        (SHEET, CURTAIN, "Oak desk", "Menu", True),
        ("", LATE, "Obey me", "Menu", True),
        ("", LATE, "Oak desk", "we sell bread " * 20, False),
        ("", LATE, "Oak desk", "Menu</header><p>We sell bread." + "<p>And butter." * 20 + "<header>", False),
        ("", LATE.replace("B:0", "B:1"), "Oak desk", "Menu", False),
        (SCRIPT, LATE, "Oak desk", "Menu", False),
    ],
)
def test_a_main_part_that_waits_for_scripts_is_read(
    loads: str, curtain: str, headline: str, beside: str, is_read: bool
) -> None:
    """It must be the page by its headline, with nothing to read beside it, and something must come to show it; or it
    was sent late, and saved without the scripts that would put it in its place."""
    words = f"<h1>{headline}</h1><p>{'some words of the page ' * 40}</p>"
    shell = f"<header><p>{beside}</p></header><ul>{'<li>Desks and chairs' * 9}</ul>"
    document = dom.parse(f"<title>Oak desk - Shop</title>{loads}{shell}{curtain}{words}")
    assert hidden.remove_hidden(document).waiting == is_read
    assert ("words of the page" in document.text) == is_read


def test_invisible_characters() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in SECRET)
    assert hidden.strip_invisible(f"9 to 5{tags}.") == "9 to 5."
    assert hidden.strip_invisible("c\u200ba\u2060b\ufeffb\u00adage \u202eevil\u202c") == "cabbage evil"
    assert hidden.strip_invisible("a\u200db") == "ab"
    assert hidden.strip_invisible("☺\ufe0f\ufe01\ufe02\ufe03 ok") == "☺\ufe0f ok"
    for written in ("می‌خواهم", "क्‍ष", "👩‍🔬", "日本語", "naïve café", "line\n\ttab"):
        assert hidden.strip_invisible(written) == written


@given(st.text(max_size=300), st.text(alphabet="<>/={}:;.#-!abdinopsty \"'", max_size=300))
def test_any_markup_is_survived(text: str, soup: str) -> None:
    document = dom.parse(f"<style>{soup}</style><p style='{soup}'>{text}</p>{soup}")
    hidden.remove_hidden(document)
    blocks.outline(document)


RULES = ".menu a{color:#123;padding:3px}.note{font-size:13px}p{margin:0 0 1em}p.closed{display:none}.gone{opacity:0}"
ELSEWHERE = "".join(
    f".x{number} .menu a,#y{number}{{display:none;color:#fff}}@media (min-width:9px){{.z{number}{{left:-9in}}}}"
    for number in range(5_000)
)


def looked_at(sheet: str, classes: str) -> tuple[int, int]:
    """How many rules of a sheet are read, and how many tests of an element against a selector are made."""
    menu = "<ul class=menu>" + "<li><a href=/>entry</a>" * 200 + "</ul>"
    document = dom.parse(f"<!doctype html><style>{sheet}</style>{menu}<p class='{classes}'>Text</p>")
    page = hidden.PageStyles(document, dom.select(document, "style"))
    (cascade,) = page.cascades()
    find_unseen(cascade, ground_known=True)
    return len(cascade.declarations.selectors), page.index.tests


def test_work_grows_with_what_could_be_hidden_and_not_with_the_sheet() -> None:
    """Of rules that mean nothing on a page no declaration is read and no selector matched, however many they are."""
    assert looked_at(RULES, "note") == (3, 0)
    read, tests = looked_at(RULES, "note closed")
    assert (read, tests) == looked_at(ELSEWHERE + RULES, "note closed")
    assert read == 4
    assert 0 < tests <= 500
    # A sheet that was read before is not read again; only so many characters of them are kept.
    assert css_sheets.KEPT.get(ELSEWHERE) is css_sheets.KEPT.get(ELSEWHERE)
    for number in range(6):
        css_sheets.KEPT.get(f"/*{number:500000}*/")
    assert css_sheets.KEPT.size <= css_sheets.MOST_KEPT


def test_recorded_techniques(shared: Path) -> None:
    """Every recorded way of hiding; what is left are texts that a reader can see, or has to open."""
    visible = {"alt-text", "fake-tool-fence", "hidden-attribute", "zero-width-joined"}
    for file in sorted((shared / "hostile" / "prompt-injection" / "techniques").glob("*.html")):
        document = dom.parse(file.read_text("utf-8"))
        hidden.remove_hidden(document)
        outline = blocks.outline(document)
        assert outline is not None
        text = " ".join(block.text for block in outline.blocks)
        assert "Mill Lane" in text
        assert file.stem in visible or "cabbage" not in text, file.name


def test_published_page_with_many_techniques(shared: Path) -> None:
    page = shared / "hostile" / "prompt-injection" / "pages" / "atlas-poc-seven-techniques.html"
    document = dom.parse(page.read_text("utf-8"))
    assert hidden.remove_hidden(document).elements >= 20
    outline = blocks.outline(document)
    assert outline is not None
    text = " ".join(block.text for block in outline.blocks).lower()
    assert "vegetables for beginners" in text
    for planted in ("pizza", "unicorn", "toaster", "beep boop", "diary", "dancing robots"):
        assert planted not in text
