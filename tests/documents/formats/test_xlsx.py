"""Spreadsheets: strings, dates, hidden sheets, limits."""

from __future__ import annotations

from tests.documents import samples
from wellsourced.documents.document import ReadOptions
from wellsourced.documents.formats import xlsx

STYLES = (
    f'<styleSheet xmlns="{samples.S}"><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/>'
    '<numFmt numFmtId="171" formatCode="&quot;days&quot;0.00"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'
)
STRINGS = (
    f'<sst xmlns="{samples.S}"><si><t>Name</t></si>'
    "<si><r><t>東</t></r><r><t>京</t></r><rPh><t>とうきょう</t></rPh></si></sst>"
)
PARTS = {"xl/styles.xml": STYLES, "xl/sharedStrings.xml": STRINGS}


def test_values_are_shown_as_people_see_them() -> None:
    rows = (
        '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
        '<row><c r="A2" s="1"><v>43831</v></c><c r="B2" s="2"><v>43831.5</v></c><c r="C2" s="3"><v>5</v></c></row>'
        '<row><c t="b"><v>1</v></c><c t="inlineStr"><is><t>in</t></is></c><c><v>0.30000000000000004</v></c></row>'
        '<row><c r="A4" t="s"><v>99</v></c></row>'
    )
    found = xlsx.read(samples.xlsx({"One": rows, "Two": rows}, PARTS, hidden=["Two"]), ReadOptions(max_chars=10_000))
    assert found.text == (
        "## One\n\n| Name |  | 東京 |\n| --- | --- | --- |\n"
        "| 2020-01-01 | 2020-01-01 12:00:00 | 5 |\n| TRUE | in | 0.3 |"
    )
    assert found.notes == ("The hidden sheet 'Two' was left out.",)


def test_hours_passed_are_not_dates_and_escapes_are_read() -> None:
    styles = STYLES.replace('formatCode="yyyy\\-mm"', 'formatCode="[h]:mm"').replace('numFmtId="14"', 'numFmtId="46"')
    spans = '<c s="1"><v>2.25</v></c><c s="2"><v>-1.5</v></c>'
    rows = f'<row>{spans}<c t="inlineStr"><is><t>a_x000D_\n_x0041_</t></is></c></row>'
    found = xlsx.read(samples.xlsx({"One": rows}, {**PARTS, "xl/styles.xml": styles}), ReadOptions(max_chars=1000))
    assert "| 54:00:00 | -36:00:00 | a<br>A |" in found.text.replace("\r", "")


def test_units_early_days_formulas_and_columns_left_out() -> None:
    codes = ["0.0%", "&quot;$&quot;#,##0.00", "#,##0\\ [$€-407]", "[$CHF]\\ 0", "_-* #,##0.00\\ _€_-;[$-409]0"]
    listed = "".join(f'<numFmt numFmtId="{200 + index}" formatCode="{code}"/>' for index, code in enumerate(codes))
    used = "".join(f'<xf numFmtId="{number}"/>' for number in (9, 200, 201, 202, 203, 204, 14))
    styles = f'<styleSheet xmlns="{samples.S}"><numFmts>{listed}</numFmts><cellXfs>{used}</cellXfs></styleSheet>'
    shown = [(0, "0.07"), (1, "0.1234"), (2, "1234.5"), (3, "8"), (4, "9"), (5, "7.5"), (6, "1"), (6, "61"), (6, "-5")]
    cells = "".join(f'<c s="{style}"><v>{value}</v></c>' for style, value in shown)
    cells += (
        '<c><f>SUM(A1:B1)</f><v></v></c><c t="str"><f>""</f><v></v></c><c r="ZZ1" s="5"><v>1</v></c><c r="ABC1" s="5"/>'
    )
    found = xlsx.read(
        samples.xlsx({"One": f"<row>{cells}</row>"}, {**PARTS, "xl/styles.xml": styles}),
        ReadOptions(max_chars=1000),
    )
    assert found.text.splitlines()[2] == (
        "| 7% | 12.34% | $1234.5 | 8 € | CHF 9 | 7.5 | 1900-01-01 | 1900-03-01 | -5 | =SUM(A1:B1) |"
    )
    assert found.notes == ("Only the first 100 columns of the sheet 'One' are shown.",)
    assert found.truncated


def test_the_other_calendar() -> None:
    rows = '<row><c r="A1" s="1"><v>1</v></c></row>'
    body = samples.xlsx({"A": rows}, PARTS, settings='<workbookPr date1904="1"/>')
    assert "1904-01-02" in xlsx.read(body, ReadOptions(max_chars=100)).text


def test_rows_are_bounded() -> None:
    rows = "".join(f'<row><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, xlsx.MOST_ROWS + 50))
    found = xlsx.read(samples.xlsx({"Long": rows}, PARTS), ReadOptions(max_chars=10**6))
    assert found.truncated
    assert f"| {xlsx.MOST_ROWS} |" in found.text
    assert f"| {xlsx.MOST_ROWS + 1} |" not in found.text
