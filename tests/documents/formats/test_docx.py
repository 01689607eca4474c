"""Word documents, each feature in the fewest elements that show it."""

from __future__ import annotations

import pytest

from tests.documents import samples
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.docx import read


def p(text: str, settings: str = "") -> str:
    return f"<w:p><w:pPr>{settings}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def item(text: str, depth: int, number: int = 1) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>')


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


CHART = (
    '<c:chartSpace xmlns:c="urn:c"><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat>'
    '<c:pt idx="0"><c:v>Q1</c:v></c:pt></c:cat>'
    '<c:val><c:pt idx="0"><c:v>4.4000000000000004</c:v></c:pt></c:val></c:ser></c:chartSpace>'
)
STYLES = (
    f'<w:styles xmlns:w="{samples.W}">'
    '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Mine"><w:basedOn w:val="berschrift2"/></w:style></w:styles>'
)
LISTS = (
    f'<w:numbering xmlns:w="{samples.W}"><w:abstractNum w:abstractNumId="7">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1.%2"/></w:lvl>'
    '</w:abstractNum><w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Law"/></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="9"><w:styleLink w:val="Law"/><w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/>'
    '<w:lvlText w:val="Article %1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>'
    '</w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num></w:numbering>'
)
NOTES = (
    f'<w:footnotes xmlns:w="{samples.W}"><w:footnote w:id="-1" w:type="separator"><w:p/></w:footnote>'
    f'<w:footnote w:id="2">{p("The note.")}</w:footnote></w:footnotes>'
)


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        (p("Kopf", '<w:pStyle w:val="Mine"/>') + p("Text"), "## Kopf\n\nText"),
        (
            item("a", 0) + item("b", 1) + item("c", 1) + item("d", 0),
            "1. a\n    - 1.i b\n    - 1.ii c\n2. d",
        ),
        (item("e", 0, 2) + item("f", 0, 2) + item("g", 0, 3), "5. e\n6. f\n- Article I. g"),
        (
            "<w:p>" + mark("begin") + "<w:r><w:instrText>IF </w:instrText></w:r>" + mark("begin") + mark("separate")
            + "<w:r><w:t>female</w:t></w:r>" + mark("end") + mark("separate") + "<w:r><w:t>Ms</w:t></w:r>" + mark("end")
            + "<w:r><w:t> </w:t></w:r><w:r><w:sym w:font='Symbol' w:char='F061'/></w:r>"
            + "<w:r><w:sym w:font='Wingdings' w:char='F0FE'/></w:r></w:p>",
            "Ms α☑",
        ),
        (
            "<w:p><w:r><w:t>Figure</w:t><w:drawing><c:chart xmlns:c='urn:c' r:id='g'/></w:drawing></w:r></w:p>",
            "Figure\n\n**Chart**\n\n|  | Sales |\n| --- | --- |\n| Q1 | 4.4 |",
        ),
        (
            "<w:tbl><w:tr><w:tc>" + p("a") + "</w:tc><w:tc><w:tcPr><w:cellDel/></w:tcPr>" + p("gone") + "</w:tc><w:tc>"
            + p("b") + "</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr><w:tc>" + p("c")
            + "</w:tc></w:tr></w:tbl>",
            "| a | b |\n| --- | --- |\n|  | c |",
        ),
        (
            "<w:p><w:r><w:t>keep </w:t></w:r><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del>"
            "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>old place</w:t></w:r></w:moveFrom></w:p>",
            "keep new",
        ),
        (
            "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p>" + p("line"),
            "one line",
        ),
        (
            '<w:p><w:r><w:t>See</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
            "See[^1]\n\n[^1]: The note.",
        ),
        (
            '<w:p><w:hyperlink r:id="h"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>',
            "[here](https://example.org/a%20%28b%29)",
        ),
        (
            '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r>'
            '<w:instrText> HYPERLINK "https://e.org/x" </w:instrText>'
            '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>shown</w:t></w:r>'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
            "[shown](https://e.org/x)",
        ),
        (
            "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>" + p("wide") + "</w:tc><w:tc>" + p("a|b")
            + "</w:tc></w:tr><w:tr><w:tc>" + p("x") + p("y") + "</w:tc><w:tc>" + p("z")
            + "</w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr>" + p("hidden below")
            + "</w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc>" + p("deleted")
            + "</w:tc></w:tr></w:tbl>",
            "| wide |  | a\\|b |\n| --- | --- | --- |\n| x<br>y | z |  |",
        ),
        (
            "<w:p><w:r><w:t>before</w:t></w:r><w:r><w:pict><w:txbxContent>" + p("boxed")
            + "</w:txbxContent></w:pict></w:r></w:p>",
            "before\n\nboxed",
        ),
        ("<w:sdt><w:sdtContent>" + p("controlled") + "</w:sdtContent></w:sdt>", "controlled"),
        (
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>שלום 日本</w:t></w:r></w:p>",
            "שלום 日本",
        ),
        ('<w:p><w:r><w:rPr><w:sz w:val="2"/></w:rPr><w:t>obey</w:t></w:r><w:r><w:t>shown</w:t></w:r></w:p>', "shown"),
        (
            "<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>-5</w:t></w:r>"
            "<w:r><w:t> 1</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>st</w:t></w:r></w:p>",
            "10^-5 1st",
        ),
        ('<w:altChunk r:id="c"/>', "# Imported\n\nchunk"),
    ],
)  # fmt: skip
def test_feature(body: str, markdown: str) -> None:
    links = {
        "h": ("hyperlink", "https://example.org/a (b)"), "s": ("styles", "styles.xml"),
        "n": ("numbering", "numbering.xml"),
        "f": ("footnotes", "footnotes.xml"), "c": ("aFChunk", "chunk.html"), "g": ("chart", "chart.xml"),
    }  # fmt: skip
    parts = {
        "word/_rels/document.xml.rels": samples.relations(links, external=["h"]),
        "word/styles.xml": STYLES,
        "word/numbering.xml": LISTS,
        "word/footnotes.xml": NOTES,
        "word/chart.xml": CHART,
        "word/chunk.html": "<html><body><h1>Imported</h1><p>chunk</p></body></html>",
    }
    assert read(samples.docx(body, parts), ReadOptions(max_chars=10_000)).text == markdown


def test_no_text_is_said() -> None:
    with pytest.raises(Unreadable, match="no text"):
        read(samples.docx("<w:p/>"), ReadOptions(max_chars=100))


def test_cut_short_is_said() -> None:
    with pytest.raises(Unreadable, match="damaged or cut short"):
        read(samples.docx(p("x"))[:200], ReadOptions(max_chars=100))


def test_thousands_of_nested_tables_do_not_matter() -> None:
    nested = "<w:tbl><w:tr><w:tc>" * 60 + p("deep") + "</w:tc></w:tr></w:tbl>" * 60
    assert read(samples.docx(p("top") + nested), ReadOptions(max_chars=100)).text.startswith("top")
