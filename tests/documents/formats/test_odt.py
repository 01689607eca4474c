"""OpenDocument: headings, lists, tables, notes, tracked deletions, passwords."""

from __future__ import annotations

import pytest

from tests.documents import samples
from wellsourced.documents.content_kind import kind_of
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.odt import read

NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:'
    'text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:s" xmlns:xlink="urn:x"'
)
CONTENT = f"""<office:document-content {NAMES}><office:automatic-styles><text:list-style style:name="L1">
<text:list-level-style-number text:level="1"/></text:list-style></office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region>
</text:tracked-changes><text:h text:outline-level="2">Kopf</text:h>
<text:p>a<text:s text:c="2"/>b<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p>
</text:note-body></text:note> <text:a xlink:href="https://e.org/">link</text:a></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p>
</text:list-item></text:list></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="1000000"/></table:table-row>
<table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>y</text:p></table:table-cell>
</table:table-row></table:table></office:text></office:body></office:document-content>"""


def test_text() -> None:
    body = samples.archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": CONTENT})
    assert read(body, ReadOptions(max_chars=10_000)).text == (
        "## Kopf\n\na  b[^1] [link](https://e.org/)\n\n1. one\n  - deep\n\n"
        "| x |  |\n| --- | --- |\n| y | y |\n\n[^1]: Note"
    )


LISTS = """<text:list-style style:name="L2"><text:list-level-style-number text:level="1"/>
<text:list-level-style-bullet text:level="2"/><text:list-level-style-number text:level="3"/></text:list-style>"""


def items(*texts: str, settings: str = "") -> str:
    listed = "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)
    return f'<text:list text:style-name="L2" {settings}>{listed}</text:list>'


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def rows(*cells: str, settings: str = "") -> str:
    inner = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    return f"<table:table><table:table-row {settings}>{inner}</table:table-row></table:table>"


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        (
            items(p("one") + items(p("dot") + items(p("deep"))), p("two")) + p("x")
            + items(p("three"), settings='text:continue-numbering="true"')
            + '<text:list text:style-name="L2"><text:list-item text:start-value="7"><text:p>seven</text:p>'
            "</text:list-item></text:list>",
            "1. one\n  - dot\n    1. deep\n2. two\n\nx\n\n3. three\n\n7. seven",
        ),
        (items('<text:h text:outline-level="2">Head</text:h>') + p("text"), "## Head\n\ntext"),
        (
            p("a<draw:frame><draw:text-box>" + p("b") + p("c") + "</draw:text-box></draw:frame>")
            + p("<draw:frame><svg:title>t</svg:title><svg:desc>a view</svg:desc></draw:frame>")
            + p("<text:title>Title field</text:title>"),
            "a\nb\n\nc\n\n[Image: a view]\n\nTitle field",
        ),
        (
            p("n<text:note><text:note-body>" + p("one") + p("two") + "</text:note-body></text:note>"),
            "n[^1]\n\n[^1]: one two",
        ),
        (
            rows(p("a") + items(p("x"), p("y")), rows(p("in"), p("side")), settings='table:number-rows-repeated="2"')
            + rows("").replace("<table:table-cell>", '<table:table-cell office:value="4.5">'),
            "| a<br>x<br>y | in / side |\n| --- | --- |\n| a<br>x<br>y | in / side |\n\n| 4.5 |\n| --- |",
        ),
    ],
)  # fmt: skip
def test_feature(body: str, markdown: str) -> None:
    names = f'{NAMES} xmlns:draw="urn:d" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    parts = {
        "content.xml": f"<office:document-content {names}><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        "styles.xml": f"<office:document-styles {NAMES}>{LISTS}</office:document-styles>",
    }
    assert read(samples.archive(parts), ReadOptions(max_chars=10_000)).text == markdown


def test_flat_file() -> None:
    about = "<office:meta><dc:title xmlns:dc='urn:dc'>Brot</dc:title></office:meta>"
    image = '<draw:image xmlns:draw="urn:d"><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image>'
    flat = CONTENT.replace("document-content", "document").replace("<office:automatic", f"{about}<office:automatic")
    body = ('<?xml version="1.0" encoding="UTF-8"?>\n' + flat.replace("Kopf", f"Kopf{image}")).encode()
    assert kind_of(body, "text/xml", "a.fodt") == "odt"
    found = read(body, ReadOptions(max_chars=10_000))
    assert found.title == "Brot"
    assert found.text.startswith("## Kopf\n\na  b[^1]")
    assert "iVBO" not in found.text


def test_rows_left_out_are_told() -> None:
    row = '<table:table-row table:number-rows-repeated="9999"><table:table-cell><text:p>x</text:p></table:table-cell>'
    content = CONTENT.replace("<table:table>", f'<table:table table:name="T">{row}</table:table-row>')
    found = read(samples.archive({"content.xml": content}), ReadOptions(max_chars=10**6))
    assert found.notes == ("Only the first 2000 rows of the table 'T' are shown.",)
    assert found.truncated


def test_password() -> None:
    body = samples.archive({"META-INF/manifest.xml": "<manifest:encryption-data/>", "content.xml": b"\x00\x01"})
    with pytest.raises(Unreadable, match="password"):
        read(body, ReadOptions(max_chars=100))
