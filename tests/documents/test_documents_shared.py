"""Every recorded document gives the right words in the right order, or the right refusal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from wellsourced.documents.content_kind import kind_of
from wellsourced.documents.document import Document
from wellsourced.errors import WellsourcedError
from wellsourced.sandbox.pool import WorkerPool

READ: dict[str, tuple[str, ...]] = {
    "csv-mskanji.csv": ("| 名前 | 年齢 | 住所 |", "| 髙橋淳 | 35 | 名古屋 |"),
    "docx-equations.docx": ("For $m=1$,", r"\frac{a}{λ}"),
    "docx-external-references.docx": ("INCLUDEPICTURE: [Image placeholder]",),
    "docx-footnotes.docx": ("prostoy[^1] text", "[^1]: snoska"),
    "docx-hyperlinks.docx": ("[awesome hyperlink](http://yahoo.com/)", "[third](http://yahoo.com/)"),
    "docx-numbered-list.docx": ("1) This", "    - a) Is", "- ii) Level", "6. six", "text box"),
    "docx-ole-embedded.docx": ("insert a worksheet",),
    "docx-paper-chinese-table.docx": ("# AutoGen", "# Introduction", "| 13 | 14 | 49e168b7", "Test Image"),
    "docx-phonetic-japanese.docx": ("東京(とうきょう)",),
    "docx-table-merged-cells.docx": ("| 4 |  | 6 |",),
    "docx-tracked-changes-all-features.docx": (
        "quick brown fox",
        "footnote[^1]",
        "[tika](",
        "# Heading1",
        "an endnote",
    ),
    "docx-tracked-changes-small.docx": ("insert this",),
    "docx-various-bidi-cjk.docx": ("- Bullet 1", "| Row 2 Col 1 |", "ゾルゲと尾崎、淡々と最期", "𐌲𐌿𐍄𐌹𐍃𐌺"),
    "epub-plain.epub": ("# Chapter 1", "- First item", "# Chapter 2", "| Table header | Table data |"),
    "odt-styles.odt": ("just a test", "1. One", "- First"),
    "pdf-4-pages.pdf": ("[Page 1]\n\nHello, here", "[Page 4]"),
    "pdf-angles.pdf": ("In the 21st century, the seas remain an unforgiving environment", "MECHANICAL", "MINING"),
    "pdf-arabic-cidtruetype.pdf": ("انواع الخطوط العربية",),
    "pdf-arabic-habibi.pdf": ("حَبيبي", "habibi"),
    "pdf-attachments.pdf": ("no sea takimata sanctus",),
    "pdf-broken-helloworld-bad.pdf": ("Hello, world!",),
    "pdf-broken-no-eof-scan-bad.pdf": ("pdf.js",),
    "pdf-broken-no-header-bug1606566.pdf": ("Bug 1606566",),
    "pdf-cjk-90ms-rksj.pdf": ("Hello ASCII", "日本語テスト"),
    "pdf-cjk-issue6387.pdf": ("あのイーハトーヴォのすきとおった風",),
    "pdf-cjk-vertical.pdf": ("日本語", "あいうえお"),
    "pdf-encrypted-r3-empty-password.pdf": ("pdf encryption test",),
    "pdf-form-acroform.pdf": ("Example for a Form", "First Name: Alice"),
    "pdf-form-latex.pdf": ("Name", "Submit"),
    "pdf-form-xfa-govdocs.pdf": ("National Park Service", "School_Name: my_school"),
    "pdf-incremental-updates.pdf": ("Testing Incremental",),
    "pdf-ligatures-copy-paste.pdf": ("abcdeffffiflffiffl",),
    "pdf-multicolumn-latex.pdf": (
        "# Two-Column Document",
        "consectetuer adipiscing elit. Ut purus",
        "nonummy eget, consectetuer id",
        "[Page 2]",
    ),
    "pdf-multilang.pdf": ("مرحبا بالعالم", "Привет, мир", "你好世界", "สวัสดีชาวโลก", "こんにちは世界"),
    "pdf-no-extract-permission.pdf": ("Hello World",),
    "pdf-ocr-layer-vicksburg.pdf": ("conspicuous and dangerous for use", "[Page 2]", "buried itself in tie earth"),
    "pdf-optional-hyphen.pdf": ("optionalhyphen",),
    "pdf-outline-latex.pdf": ("# Contents", "# 1 Foo", "# 9 Baz"),
    "pdf-overlapping-text.pdf": ("Text the first time", "Text the second time"),
    "pdf-paper-tracemonkey-a11y.pdf": (
        "# Trace-based Just-in-Time Type Specialization for Dynamic Languages",
        "more difficult to compile than statically typed ones",
        "## 1. Introduction",
        "and is used for the application logic of browser-based productivity",
        "Compilers for statically typed languages",
    ),
    "pdf-pdfa.pdf": ("The Crazy Ones", "And they have no respect for the status quo"),
    "pdf-table-borderless.pdf": ("| SKU-9201 |  | 780 | 778 |  | OK |", "| SKU-6678 | Software | $200.00 |"),
    "pdf-xmp-three-language-title.pdf": ("Hello World",),
    "pptx-broken-missing-rels.pptx": ("Presentation Title Text", "Subtitle Text"),
    "pptx-charts-groups-alt.pptx": ("Slide 2: 2cdda5c8", "[Image: The first page", "| ColA |", "| 2003 |", "Slide 6"),
    "pptx-comments.pptx": ("title", "subtitle"),
    "pptx-groups-table.pptx": ("MyTitle", "Text box1", "[tika](http://tika.apache.org/)", "- smart1"),
    "pptx-notes.pptx": ("Slide 1", "Notes:\n\nNotes", "Slide 2"),
    "pptx-table-cells.pptx": ("unladen swallows", "| merged cell |", "| g | h | i |"),
    "pptx-various-notes-cjk.pptx": ("| Row 2 Col 1 |", "- Bullet 3", "ゾルゲと尾崎", "𐌲𐌿𐍄𐌹𐍃𐌺"),
    "rtf-plain.rtf": ("Test d’indexation Word",),
    "xlsx-headers-footers.xlsx": ("| John Smith82 | 82 Corporate HQ |",),
    "xlsx-plain.xlsx": ("## Feuil1", "|  | 15 | 225 |"),
}
REFUSED = {
    "doc-word97.doc": "old binary format (.doc)",
    "docx-broken-truncated.docx": "damaged or cut short",
    "docx-encrypted-ole.docx": "password",
    "docx-images.docx": "no text",
    "docx-tables-nested.docx": "no text",
    "odt-not-a-zip.odt": "not of that format",
    "pdf-broken-bug1020226.pdf": "damaged",
    "pdf-broken-fuzzed-poppler-937.pdf": "damaged",
    "pdf-empty-page.pdf": "empty",
    "pdf-encrypted-forms.pdf": "encrypted",
    "pdf-encrypted-r6-user-password.pdf": "needs a password",
    "pdf-encrypted-user-password-libreoffice.pdf": "needs a password",
    "pdf-images-ccitt.pdf": "OCR",
    "pdf-scan-no-text.pdf": "OCR",
    "ppt-97.ppt": "old binary format (.ppt)",
    "pptx-encrypted-ole.pptx": "password",
    "random.bin": "unknown format",
    "xls-97.xls": "old binary format (.xls)",
}
ABSENT = {
    "docx-tracked-changes-small.docx": ("bibendum", "Donec "),
    "docx-tracked-changes-all-features.docx": ("frog", "Deleted paragraph1", "Del r1c1", "R2c1"),
}
FACTS = {
    "pdf-xmp-three-language-title.pdf": ("title", "Hello World"),
    "pdf-ocr-layer-vicksburg.pdf": ("author", "DSI"),
    "pdf-paper-tracemonkey-a11y.pdf": (
        "title",
        "Trace-based Just-in-Time Type Specialization for Dynamic Languages",
    ),
    "docx-tracked-changes-all-features.docx": ("title", "My Document Title"),
    "epub-plain.epub": ("title", "An ePub for Tika"),
    "xlsx-plain.xlsx": ("author", "Keith Bennett"),
    "pptx-charts-groups-alt.pptx": ("pages", 6),
    "pdf-outline-latex.pdf": ("pages", 4),
}


@pytest.fixture(scope="module")
def outcomes(shared: Path) -> dict[str, Document | str]:
    """All documents through the workers, two at a time."""

    paths = [path for path in sorted((shared / "documents").iterdir()) if path.suffix != ".md"]
    bodies = {path: path.read_bytes() for path in paths}

    async def one(workers: WorkerPool, path: Path) -> Document | str:
        body = bodies[path]
        try:
            kind = kind_of(body, "application/octet-stream", path.name)
            assert kind is not None
            return await workers.read_document(kind, body, max_chars=200_000)
        except WellsourcedError as refusal:
            return refusal.sentence

    async def run() -> dict[str, Document | str]:
        async with WorkerPool() as workers:
            found = await asyncio.gather(*(one(workers, path) for path in paths))
        return {path.name: outcome for path, outcome in zip(paths, found, strict=True)}

    return asyncio.run(run())


@pytest.mark.parametrize("name", sorted(READ))
def test_words_in_order(outcomes: dict[str, Document | str], name: str) -> None:
    found = outcomes[name]
    assert isinstance(found, Document), found
    place = 0
    for words in READ[name]:
        place = found.text.find(words, place)
        assert place >= 0, f"{words!r} is missing or out of order in {found.text[:2000]!r}"
    assert not any(words in found.text for words in ABSENT.get(name, ()))
    assert not any(char in found.text for char in "\x00\x02\ufffe\ufffd")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refusals(outcomes: dict[str, Document | str], name: str) -> None:
    sentence = outcomes[name]
    assert isinstance(sentence, str), f"was read: {sentence}"
    assert REFUSED[name] in sentence


@pytest.mark.parametrize("name", sorted(FACTS))
def test_facts(outcomes: dict[str, Document | str], name: str) -> None:
    field, value = FACTS[name]
    assert getattr(outcomes[name], field) == value


def test_every_document_is_accounted_for(outcomes: dict[str, Document | str]) -> None:
    assert set(outcomes) == set(READ) | set(REFUSED)
