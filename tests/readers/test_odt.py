"""OpenDocument: headings, lists, tables, notes, tracked deletions, passwords."""

from __future__ import annotations

import pytest

from tests.readers import made
from wellsourced.readers.odt import read
from wellsourced.readers.refusal import Unreadable

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
    body = made.archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": CONTENT})
    assert read(body, max_chars=10_000).text == (
        "## Kopf\n\na  b[^1] [link](https://e.org/)\n\n1. one\n  - deep\n\n"
        "| x |  |\n| --- | --- |\n| y | y |\n\n[^1]: Note"
    )


def test_password() -> None:
    body = made.archive({"META-INF/manifest.xml": "<manifest:encryption-data/>", "content.xml": b"\x00\x01"})
    with pytest.raises(Unreadable, match="password"):
        read(body, max_chars=100)
