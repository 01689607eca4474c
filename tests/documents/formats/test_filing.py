"""Filings: items told from their mentions, exact figures, and recorded ones whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellsourced.documents.content_kind import kind_of
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.filing import read
from wellsourced.pages.sections import find_section, list_headings

BOLD = '<div><span style="font-weight:700">{}</span></div>'
WORDS = "The harbour may silt up, and ships may stay away. " * 8
CONTENTS = "".join(
    f'<tr><td><a href="#{n}">Item {n}.</a></td><td><a href="#{n}">{title}</a></td><td>{page}</td></tr>'
    for page, (n, title) in enumerate((("1", "Business"), ("1A", "Risk Factors"), ("2", "Properties")))
)
ANNUAL = f"""<?xml version="1.0"?><html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body><div style="display:none">
<ix:header><ix:hidden><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="c">Quay Corp</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentType" contextRef="c">10-K</ix:nonNumeric></ix:hidden><ix:resources>
<xbrli:context id="c"><xbrli:period>
<xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>
{BOLD.format("FORM 10-K")}<table>{CONTENTS}</table>{BOLD.format("PART I")}
{BOLD.format("Item 1.&#160;&#160;Business")}<p>We keep a quay. See Item 1A. Risk Factors. {WORDS}</p>
<p>Item 2. of the lease is quoted here: {WORDS}</p>
<table><tr><td><b>Item 1A.</b></td><td><b>Risk Factors</b></td></tr></table>
{BOLD.format("Silt")}<p>{WORDS}Last risk.</p>
<p>7</p><hr/>{BOLD.format("ITEM 2 – PROPERTIES")}
<p>Net loss: (<ix:nonFraction name="us-gaap:NetIncomeLoss" contextRef="c" unitRef="usd" scale="6" sign="-"
format="ixt:num-dot-decimal">1,234.5</ix:nonFraction>)</p>{BOLD.format("SIGNATURES")}<p>Signed.</p></body></html>"""
QUARTER = f"""<html><body><p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM 10-Q</p>
<p>Commission File Number 1-1</p><b>PART I</b><p><b>Item 1. Financial Statements</b></p><p>{WORDS}</p>
<p><b>Item 2. Discussion</b></p><p>{WORDS}</p><b>PART II</b><p><b>Item 1. Legal Proceedings</b></p><p>None here.</p>
<p><b>Item 1A. Risk Factors</b></p><p>No change.</p></body></html>"""
FOREIGN = f"""<html><body><p><b>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</b></p><p><b>FORM 20-F</b></p>
<p>Commission file number: 001-00007</p>
<p>Which financial statement item is followed: Item 17 &#9744; Item 18 &#9744;</p>
<table><tr><td>ITEM 3.</td><td><a href="#i3">KEY INFORMATION</a></td><td>1</td></tr>
<tr><td></td><td>D.</td><td>Risk Factors</td><td>1</td></tr>
<tr><td>ITEM 4.</td><td><a href="#i4">INFORMATION ON THE COMPANY</a></td><td>9</td></tr></table><p><b>PART I</b></p>
<div id="i3"><font style="font-weight:bold">ITEM&#160;3.</font>
<font style="font-weight:bold">&#160;KEY INFORMATION</font>
</div><p><b>B. Capitalization and Indebtedness</b></p><p>Not applicable.</p>
<p><b>D. Risk Factors</b></p><p>{WORDS} See Item 4. Information on the Company. Last foreign risk.</p>
<div id="i4"><b>ITEM 4. INFORMATION ON THE COMPANY</b></div><p><b>A. History and Development</b></p><p>{WORDS}</p>
<p><b>D. Property, Plant and Equipment</b></p><p>{WORDS} Our plants.</p>
<p><b>ITEM 4A. UNRESOLVED STAFF COMMENTS</b></p><p>None.</p><p><b>PART II</b></p>
<p><b>ITEM 16G. CORPORATE GOVERNANCE</b></p><p>Home rules.</p><p><b>ITEM 18. FINANCIAL STATEMENTS</b></p><p>F-1.</p>
</body></html>"""
PROXY = f"""<html><body><p>UNITED STATES<br>SECURITIES AND EXCHANGE COMMISSION</p><p>SCHEDULE 14A</p>
<p>Filed by the Registrant &#9746;</p><p><b>TABLE OF CONTENTS</b></p>
<table><tr><td><a href="#p1">PROPOSAL NO. 1 &#8212; ELECTION OF DIRECTORS</a></td><td>4</td></tr>
<tr><td><a href="#cda">Compensation Discussion and Analysis</a></td><td>20</td></tr>
<tr><td><a href="#p2">PROPOSAL NO. 2 &#8212; RATIFICATION OF AUDITORS</a></td><td>44</td></tr></table>
<p id="p1"><b>PROPOSAL NO. 1 &#8212; ELECTION OF DIRECTORS</b></p><p>{WORDS}</p><p><b>Nominees</b></p><p>Ada Quay.</p>
<p id="cda">Compensation Discussion and Analysis</p><p>{WORDS} Pay follows tides.</p>
<p><b>Summary Compensation Table</b></p><table><tr><td>Name</td><td>Salary ($)</td></tr><tr><td>A. Quay</td>
<td>1,000</td>
</tr></table><p id="p2"><b>PROPOSAL NO. 2 &#8212; RATIFICATION OF AUDITORS</b></p><p>{WORDS} Vote for them.</p>
</body></html>"""
CURRENT = f"""<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body><p><b>UNITED STATES SECURITIES AND EXCHANGE
COMMISSION</b></p><p><b>FORM 8-K</b></p><p>Commission File Number 1-7</p><table><tr><td><b>Item 2.02</b></td>
<td><b>Results of Operations and Financial Condition.</b></td></tr></table><p>{WORDS} Exhibit 99.1 is furnished.</p>
<p><b>Item 5.02 Departure of Directors or Certain Officers.</b></p><p>{WORDS} He left.</p>
<p><b>Item&#160;9.01.&#160;Financial Statements and Exhibits.</b></p><p>(d) Exhibits</p><p><b>SIGNATURE</b></p>
<p>Me.</p>
</body></html>"""
OTHER_FORMS: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "20-F": (
        FOREIGN,
        ["PART I", "ITEM 3. KEY INFORMATION", "ITEM 4. INFORMATION ON THE COMPANY",
         "ITEM 4A. UNRESOLVED STAFF COMMENTS",
         "PART II", "ITEM 16G. CORPORATE GOVERNANCE", "ITEM 18. FINANCIAL STATEMENTS"],
        {"Item 3": "Last foreign risk.", "Item 3D": "Last foreign risk.", "item 4.D": "Our plants.", "Item 4A": "None.",
         "Item 16G": "Home rules.", "Risk Factors": "Last foreign risk."},
    ),
    "DEF 14A": (
        PROXY,
        ["PROPOSAL NO. 1 — ELECTION OF DIRECTORS", "Compensation Discussion and Analysis",
         "PROPOSAL NO. 2 — RATIFICATION OF AUDITORS"],
        {"Proposal 1": "Ada Quay.", "Compensation Discussion and Analysis": "| A. Quay | 1,000 |", "Nominees":
         "Ada Quay.", "Summary Compensation Table": "| A. Quay | 1,000 |", "Proposal No. 2": "Vote for them."},
    ),
    "8-K": (
        CURRENT,
        ["Item 2.02 Results of Operations and Financial Condition.", "Item 5.02 Departure of Directors or Certain "
         "Officers.", "Item 9.01. Financial Statements and Exhibits.", "SIGNATURE"],
        {"Item 2.02": "Exhibit 99.1 is furnished.", "Item 5.02": "He left.", "Item 9.01": "(d) Exhibits"},
    ),
}  # fmt: skip
OPTIONS = ReadOptions(max_chars=5_000_000)
FILINGS = "wire/more/sec-filings"
ANNUAL_ITEMS = "1 1A 1B 1C 2 3 4 5 6 7 7A 8"
RECORDED: dict[str, tuple[str, dict[str, str]]] = {
    "10-K-AAPL-0000320193-24-000123.trimmed.html": (
        ANNUAL_ITEMS,
        {
            "Item 1": "intended to be inactive textual references only.",
            "Item 1A": "material adverse impact on investor confidence and employee retention.",
            "Item 1B": "Unresolved Staff Comments\n\nNone.",
            "Cybersecurity": "see Item 1A of this Form 10-K under the heading “Risk Factors.”",
            "Item 7A": "changes in the fair values of the Company’s foreign currency derivatives.",
        },
    ),
    "10-K-GME-0001326380-24-000012.trimmed.html": (
        ANNUAL_ITEMS,
        {
            "item 1a": "our business, operations, financial condition and our stock price.",
            "Item 1C": "Committee has oversight responsibility for our cybersecurity program.",
            "Legal Proceedings": "included in this Form 10-K are incorporated by reference.",
            "Item 4": "MINE SAFETY DISCLOSURES\n\nNot applicable.",
            "Item 7": "for recent accounting standards and pronouncements.",
        },
    ),
    "10-K-NVDA-2025-02-26.trimmed.html": (
        f"{ANNUAL_ITEMS} 9 9A 9B 9C 10 11 12 13 14 15",
        {
            "Risk Factors": "choosing and to cause us to take other corporate actions they desire.",
            "Item 3": "for a discussion of our legal proceedings.",
            "Item 9A": "issues and instances of fraud, if any, within NVIDIA have been detected.",
            "Item 12": "Compensation Plan Information,\" and is hereby incorporated by reference.",
            "Part III": "Public Accounting Firm,” and is hereby incorporated by reference.",
        },
    ),
    "10-Q-AA-0001193125-18-236766.html": (
        "1 2 3 4 1 4 6",
        {
            "Part I, Item 1": "Pittsburgh, Pennsylvania\n\nAugust 2, 2018",
            "Item 3": "Consolidated Financial Statements in Part I Item 1 of this Form 10-Q.",
            "Controls and Procedures": "materially affect, the Company’s internal control over financial reporting.",
            "Part II, Item 1": "in Part I Item 1 of this Form 10-Q for additional information.",
            "Part II Item 6": "| 101.PRE | XBRL Taxonomy Extension Presentation Linkbase Document |",
        },
    ),
    "10-Q-HD-0000354950-23-000185.html": (
        "1 2 3 4 1 1A 2 5 6",
        {
            "Item 1A": "material changes in the risk factors discussed in the 2022 Form 10-K.",
            "Part I, Item 4": "materially affect, our internal control over financial reporting.",
            "Part II, Item 1": "corresponding fines we levy against our third-party installers.",
            "Item 5": "as each term is defined in Item 408(a) of the SEC’s Regulation S-K.",
            "Part I Item 2": "or cash flows, see Note 1 to our consolidated financial statements.",
        },
    ),
}  # fmt: skip

# Below the items: who is asked for, where it begins and where it ends.
BELOW = {
    "10-K-AAPL-0000320193-24-000123.trimmed.html": {
        "Note 4": ("##### Note 4 – Financial", "which accounted for 48% and 23%."),
        "MD&A": ("### Item 7.", "financial condition and operating results."),
        "Consolidated balance sheet": ("#### CONSOLIDATED BALANCE", "Notes to Consolidated Financial Statements."),
    },
    "10-K-GME-0001326380-24-000012.trimmed.html": {
        "Liquidity and Capital Resources": ("#### LIQUIDITY", "remaining under the repurchase authorization."),
        "Note 1": ("##### 1. General Information", "Actual results could differ from those estimates."),
    },
    "10-K-NVDA-2025-02-26.trimmed.html": {
        "Results of Operations": ("#### Results of Operations", "Report on Form 10-K for additional information."),
        "Human Capital": ("#### Human Capital Management", "for employees to rest and recharge."),
    },
    "10-Q-AA-0001193125-18-236766.html": {
        "Note E": ("##### E. Segment Information", "included in the Adjusted EBITDA of the reportable segments. |"),
        "Notes to Consolidated Financial Statements": ("#### Notes to the", "in the Tax section of Note N)."),
    },
    "10-Q-HD-0000354950-23-000185.html": {
        "Note 8": ("##### 8.CONTINGENCIES", "results of operations, or cash flows."),
        "Results of Operations": ("#### RESULTS OF OPERATIONS", "effective tax rate for the trailing twelve months."),
    },
}  # fmt: skip


def section(text: str, name: str) -> str:
    found = find_section(text, name)
    return text[found.start : found.end].strip()


def test_an_annual_report() -> None:
    assert kind_of(ANNUAL.encode(), "text/html", "https://a.example/k.htm") == "filing"
    text = read(ANNUAL.encode(), OPTIONS).text
    assert [(h.level, h.title) for h in list_headings(text)] == [
        (1, "Quay Corp 10-K"), (2, "PART I"), (3, "Item 1. Business"), (3, "Item 1A. Risk Factors"),
        (4, "Silt"), (3, "ITEM 2 – PROPERTIES"), (3, "SIGNATURES"), (2, "Figures stated in inline XBRL"),
    ]  # fmt: skip
    assert section(text, "Item 1A").endswith("Last risk.") and "Last risk" not in section(text, "Item 1")
    assert section(text, "item 2").endswith("Net loss: (1,234.5)")
    assert "- us-gaap:NetIncomeLoss: -1234500000 USD, 2024-01-01/2024-12-31" in text


def test_a_quarterly_report_counts_twice() -> None:
    text = read(QUARTER.encode(), OPTIONS).text
    assert section(text, "Part II, Item 1") == "### Item 1. Legal Proceedings\n\nNone here."
    assert section(text, "Item 1").startswith("### Item 1. Financial Statements")
    assert "PART II, Item 1. Legal Proceedings" in find_section(text, "Item 1").notes[0]


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_other_forms(form: str) -> None:
    html, outline, endings = OTHER_FORMS[form]
    assert kind_of(html.encode(), "text/html", "https://a.example/k.htm") == "filing"
    text = read(html.encode(), OPTIONS).text
    assert [heading.title for heading in list_headings(text) if heading.level <= 3] == outline
    for name, ending in endings.items():
        assert section(text, name).endswith(ending), name


@pytest.mark.parametrize("file", RECORDED)
def test_recorded_filings(file: str, shared: Path) -> None:
    body = (shared / FILINGS / file).read_bytes()
    assert kind_of(body, "text/html", f"https://a.example/{file}") == "filing"
    text = read(body, OPTIONS).text
    items, endings = RECORDED[file]
    found = [h.title.split()[1].rstrip(".") for h in list_headings(text) if h.title.upper().startswith("ITEM")]
    assert " ".join(found) == items
    for name, ending in endings.items():
        assert section(text, name).endswith(ending), name
        assert sum(h.level <= 3 and h.title.upper().startswith("ITEM") for h in list_headings(section(text, name))) == (
            1 if name != "Part III" else 5
        )

    for name, (start, ending) in BELOW[file].items():
        assert section(text, name).startswith(start) and section(text, name).endswith(ending), name


def test_figures_of_a_recorded_filing(shared: Path) -> None:
    text = read((shared / FILINGS / "10-K-AAPL-0000320193-24-000123.trimmed.html").read_bytes(), OPTIONS).text
    figures = section(text, "Figures stated in inline XBRL")
    for line in (
        "us-gaap:NetIncomeLoss: 93736000000 USD, 2023-10-01/2024-09-28",
        "us-gaap:Assets: 364980000000 USD, 2024-09-28",
        "us-gaap:EarningsPerShareDiluted: 6.08 USD per shares, 2023-10-01/2024-09-28",
    ):
        assert f"- {line}" in figures


def test_a_heading_with_nothing_below_it_says_what_comes_next() -> None:
    assert find_section("# A\n\n## B\n\n## C\n\nWords.", "B").notes == (
        "Nothing stands under this heading; 'C' (offset 11) comes next.",
    )


def test_what_is_no_filing() -> None:
    news = ANNUAL.replace("<body>", "<body><nav>Home</nav>")
    assert kind_of(news.encode(), "text/html", "https://a.example/") is None
    with pytest.raises(Unreadable):
        read(b"<html><body></body></html>", OPTIONS)
