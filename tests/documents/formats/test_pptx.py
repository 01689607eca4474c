"""Presentations: order, bullets, tables, notes."""

from __future__ import annotations

from tests.documents import samples
from wellsourced.documents.document import ReadOptions
from wellsourced.documents.formats.pptx import read


def test_slides_come_in_presentation_order() -> None:
    slides = {f"slide{number}": samples.shape("title", f"Title {number}") for number in range(1, 13)}
    shown = [*(f"slide{number}" for number in range(1, 12)), "slide12"]
    shown[0], shown[3] = shown[3], shown[0]
    found = read(samples.pptx(slides, shown), ReadOptions(max_chars=10_000))
    assert found.pages == 12
    titles = [line.partition(": ")[2] for line in found.text.splitlines() if line.startswith("## ")]
    assert titles == [f"Title {name.removeprefix('slide')}" for name in shown]


def test_bullets_tables_and_notes() -> None:
    table = (
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>"
        + "".join(
            "<a:tr>" + "".join(f"<a:tc {merge}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"
                               for text, merge in row) + "</a:tr>"
            for row in ([("A", ""), ("B", "")], [("1", ""), ("swallowed", 'hMerge="1"')], [("2", ""), ("3", "")])
        )
        + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )  # fmt: skip
    power = '</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>5'
    body = (
        samples.shape("body", "First", "Zweitens, 日本")
        + samples.shape("sldNum", "99")
        + samples.shape(None, f"Loose 10{power}")
        + table
    )
    notes = (
        f'<p:notes xmlns:p="{samples.P}" xmlns:a="{samples.A}"><p:cSld><p:spTree>{samples.shape("body", "Say this")}'
    )
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": samples.relations({"n": ("notesSlide", "../notesSlides/notesSlide1.xml")}),
        "ppt/notesSlides/notesSlide1.xml": notes + "</p:spTree></p:cSld></p:notes>",
    }
    text = read(samples.pptx({"slide1": body}, ["slide1"], parts), ReadOptions(max_chars=10_000)).text
    assert text == (
        "## Slide 1\n\n- First\n- Zweitens, 日本\n\nLoose 10^5\n\n| A | B |\n| --- | --- |\n| 1 |  |\n| 2 | 3 |\n\n"
        "Notes:\n\nSay this"
    )
