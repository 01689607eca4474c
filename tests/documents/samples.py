"""Small documents made on the spot, in the shape of real ones."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PR = "http://schemas.openxmlformats.org/package/2006/relationships"

Line = tuple[float, float, float, str]


def archive(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return stream.getvalue()


def relations(items: Mapping[str, tuple[str, str]], external: Iterable[str] = ()) -> str:
    outside = set(external)
    rows = "".join(
        f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if key in outside else "")
        + "/>"
        for key, (kind, target) in items.items()
    )
    return f'<Relationships xmlns="{PR}">{rows}</Relationships>'


def docx(body: str, parts: Mapping[str, str | bytes] | None = None) -> bytes:
    main = f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>'
    return archive({"_rels/.rels": relations({"a": ("officeDocument", "word/document.xml")}),
                    "word/document.xml": main, **(parts or {})})  # fmt: skip


def pptx(slides: Mapping[str, str], order: Iterable[str], parts: Mapping[str, str | bytes] | None = None) -> bytes:
    order = list(order)
    ids = "".join(f'<p:sldId id="{256 + index}" r:id="k{name}"/>' for index, name in enumerate(order))
    return archive({
        "_rels/.rels": relations({"a": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst>{ids}</p:sldIdLst>'
        "</p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations({f"k{name}": ("slide", f"slides/{name}.xml") for name in order}),
        **{f"ppt/slides/{name}.xml": f'<p:sld xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"><p:cSld><p:spTree>{shapes}'
           "</p:spTree></p:cSld></p:sld>" for name, shapes in slides.items()},
        **(parts or {}),
    })  # fmt: skip


def shape(kind: str | None, *paragraphs: str) -> str:
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    lines = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return f"<p:sp><p:nvSpPr><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"


def pdf(pages: Iterable[Iterable[Line]], info: str = "", drawing: str = "") -> bytes:
    """Pages of lines (x, y, size, text) in Helvetica, in the order given."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", f"<<{info}>>"]
    kids = []
    for lines in pages:
        stream = drawing + "".join(
            f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({_escaped(text)}) Tj ET\n" for x, y, size, text in lines
        )
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {len(objects)} 0 R>>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>"
    return assemble(objects)


def assemble(objects: list[str]) -> bytes:
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(
        f"{place:010d} 00000 n \n" for place in offsets
    )
    trailer = f"trailer\n<</Root 1 0 R/Info 4 0 R/Size {len(objects) + 1}>>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + (table + trailer).encode("latin-1")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def many_pages(count: int) -> bytes:
    """A page tree whose branches all share one page: few bytes, very many pages."""
    stream = "BT /F1 12 Tf 1 0 0 1 72 700 Tm (Again and again the same page.) Tj ET"
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents 6 0 R>>"
    kids = " ".join(["5 0 R"] * count)
    return assemble([
        "<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", "<<>>", page,
        f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",
    ])  # fmt: skip


def xlsx(sheets: Mapping[str, str], parts: Mapping[str, str | bytes] | None = None, settings: str = "",
         hidden: Iterable[str] = ()) -> bytes:  # fmt: skip
    gone = set(hidden)
    listed = "".join(
        f'<sheet name="{name}" sheetId="{index}" r:id="s{index}"' + (' state="hidden"' if name in gone else "") + "/>"
        for index, name in enumerate(sheets, 1)
    )
    return archive({
        "_rels/.rels": relations({"a": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}">{settings}<sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            {f"s{index}": ("worksheet", f"worksheets/s{index}.xml") for index in range(1, len(sheets) + 1)}
            | {"st": ("sharedStrings", "sharedStrings.xml"), "sy": ("styles", "styles.xml")}
        ),
        **{f"xl/worksheets/s{index}.xml": f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData></worksheet>'
           for index, rows in enumerate(sheets.values(), 1)},
        **(parts or {}),
    })  # fmt: skip
