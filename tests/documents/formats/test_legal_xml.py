"""Judgments, statutes and regulations in XML: their headings, numbers and notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellsourced.documents.content_kind import kind_of
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.legal_xml import read
from wellsourced.pages.sections import find_section, list_headings

OPTIONS = ReadOptions(max_chars=5_000_000)
JUDGMENT = """<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><judgment><meta><identification>
<FRBRWork><FRBRdate date="2024-05-02"/><FRBRname value="Quay v Harbour Board"/></FRBRWork></identification></meta>
<header><p><span style="font-weight:bold">HIGH COURT</span></p><p>Before: A Judge</p></header><judgmentBody><decision>
<level><heading>Facts</heading><paragraph><num>1.</num><content><p>It silted<authorialNote marker="1"><p>See map.</p>
</authorialNote> up.</p></content></paragraph><paragraph><num>2.</num><content><p>It said:</p><embeddedStructure>
<p>No ships.</p></embeddedStructure><subparagraph><num>(a)</num><content><p>then</p></content></subparagraph></content>
</paragraph></level><level><content><p><span style="font-weight:bold">Held</span></p></content></level>
<paragraph><num>3.</num><content><p>Allowed.</p></content></paragraph></decision></judgmentBody></judgment></akomaNtoso>"""
ACT = """<Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation" RestrictStartDate="2024-01-01">
<Metadata><title>Quays Act 2020</title></Metadata><Primary><Body><Part><Number>Part 1</Number><Title>Quays</Title>
<P1group><Title>Duty to dredge</Title><P1 IdURI="http://www.legislation.gov.uk/id/ukpga/2020/9/section/4">
<Pnumber>4</Pnumber><P1para><P2><Pnumber>1</Pnumber><P2para><Text>A quay is dredged—</Text><P3><Pnumber>a</Pnumber>
<P3para><Text>yearly.</Text></P3para></P3></P2para></P2></P1para></P1></P1group></Part></Body></Primary></Legislation>"""
CASES: dict[str, tuple[list[str], dict[str, str]]] = {
    "wire/more/uk-caselaw/judgment-ewfc-2017-83.xml": (
        ["Y v Z & Ors", "Introduction", "Background", "Submissions", "Discussion and Decision"],
        {
            "Introduction": "I should determine the issue on consideration of the papers.",
            "Background": "Much turns on the circumstances of each case.",
            "Submissions": "making it clear that in doing so it was to save costs.",
            "Discussion": "to be agreed between the parties or subject to a detailed assessment.",
            "para 3": "skeleton argument on this issue was due on 12 June and Y’s on 19 June.",
        },
    ),
    "wire/more/uk-caselaw/judgment-ewhc-admin-2017-3409.xml": (
        ["Introduction", "Factual Background", "Ground 1", "Legal Principles", "Ground 2", "Ground 3", "Conclusion"],
        {
            "Introduction": "compensation for loss of profits resulting from such an error.",
            "Legal Principles": "Tesco Stores Ltd v Dundee City Council [2012] PTSR 983 at paragraph 19).",
            "Ground 2": "or the further letter dated 11 October 2017.",
            "Conclusion": "For all these reasons, I refuse the application for judicial review.",
            "[60]": "the primary arguments relied upon by the Claimant under ground 1 fails.",
        },
    ),
    "wire/more/ecfr/full-title-3.xml": (
        ["Title 3—The President", "§ 100.1 Ethical conduct standards and financial disclosure regulations."],
        {
            "§ 102.103": "or special character resulting from a permanent alteration.",
            "102.110": "(2) A description of any modifications made.",
            "Part 101": "[55 FR 46037, Nov. 1, 1990]",
            "section 101.4": "National Security Council appear at 32 CFR Ch. XXI.",
        },
    ),
    "wire/more/uk-legislation/part-uksi-2022-1406-part2-made.xml": (
        ["PART 2. WORKS PROVISIONS", "Article 6. Power to construct and maintain works"],
        {"art. 7": "to any extent downwards as may be found to be necessary or convenient."},
    ),
    "wire/more/uk-legislation/section-ukpga-2022-44-s4.xml": (["Section 4"], {"s. 4": "(such as a standing charge)."}),
    "wire/more/uk-legislation/crossheading-ukpga-2022-44.xml": (
        ["Section 4. Interpretation of sections 1 to 3"], {"section 4": "(such as a standing charge)."}
    ),
}  # fmt: skip


def section(text: str, name: str) -> str:
    found = find_section(text, name)
    return text[found.start : found.end].strip()


def test_a_judgment() -> None:
    assert kind_of(JUDGMENT.encode(), "application/xml", "https://a.example/data.xml") == "legal_xml"
    found = read(JUDGMENT.encode(), OPTIONS)
    assert found.title == "Quay v Harbour Board" and found.date and found.date.date().isoformat() == "2024-05-02"
    assert [h.title for h in list_headings(found.text)] == ["Quay v Harbour Board", "Facts", "Held", "Footnotes"]
    assert section(found.text, "paragraph 1") == "1. It silted[^1] up."
    assert section(found.text, "Facts").endswith("2. It said:\n\n> No ships.\n\n(a) then")
    assert section(found.text, "footnote 1") == "[^1] See map."


def test_an_act() -> None:
    found = read(ACT.encode(), OPTIONS)
    assert section(found.text, "section 4") == "### Section 4. Duty to dredge\n\n(1) A quay is dredged—\n\n(a) yearly."
    assert "2024-01-01" in found.notes[0]


@pytest.mark.parametrize("file", CASES)
def test_recorded_texts(file: str, shared: Path) -> None:
    body = (shared / file).read_bytes()
    assert kind_of(body, "application/xml", f"https://a.example/{file}") == "legal_xml"
    text = read(body, OPTIONS).text
    headings, endings = CASES[file]
    assert set(headings) <= {h.title for h in list_headings(text)}
    for name, ending in endings.items():
        assert section(text, name).endswith(ending), name


def test_what_is_none() -> None:
    assert kind_of(b"<article><p>x</p></article>", "text/html", "https://a.example/") is None
    with pytest.raises(Unreadable):
        read(b"<other/>", OPTIONS)
    with pytest.raises(Unreadable):
        read(b"<akomaNtoso><judgment/></akomaNtoso>", OPTIONS)
