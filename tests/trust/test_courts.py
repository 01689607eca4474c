"""Court citations of all kinds, singly and in a pasted list, on answers in the shape of CourtListener's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.app import content, with_app
from tests.loopback.run import Internet
from tests.trust.judge import environment
from wellsourced.app import Application

# What is cited, the decision that is meant ("" where none could be found), the status, and the fields that differ.
CITATIONS: tuple[tuple[str, str, str, set[str]], ...] = (
    ("Brown v. Bd. of Educ., 347 U.S. 483 (1954)", "Brown v. Board of Education", "confirmed", set()),
    ("Miranda v. Arizona, 384 U.S. 436, 86 S. Ct. 1602 (1966)", "Miranda v. Arizona", "confirmed", set()),
    ("See United States v. Cotterman, 709 F.3d 952, 957 (9th Cir. 2013)", "United States v. Cotterman", "confirmed",
     set()),
    ("In re Gault, 387 U.S. 1 (1967)", "In re Gault", "confirmed", set()),
    ("410 U.S. 113", "Roe v. Wade", "confirmed", set()),
    ("Obergefell v. Hodges", "Obergefell v. Hodges", "confirmed", set()),
    ("Roe, 410 U.S. at 120", "Roe v. Wade", "uncertain", set()),
    ("Mata v. Avianca, Inc., No. 22-cv-01461, 2023 WL 4114965 (S.D.N.Y. June 22, 2023)", "Mata v. Avianca, Inc.",
     "uncertain", set()),
    ("Miranda v. Arizona, 384 U.S. 463 (1966)", "Miranda v. Arizona", "uncertain", {"reporter"}),
    ("Roe v. Wade, 410 U.S. 113 (1993)", "Roe v. Wade", "uncertain", {"year"}),
    ("United States v. Cotterman, 709 F.3d 952 (2d Cir. 2013)", "United States v. Cotterman", "uncertain", {"court"}),
    ("Varghese v. China Southern Airlines Co., 925 F.3d 1339 (11th Cir. 2019)", "", "uncertain", set()),
    ("Doe v. Harbour Board, 2019 U.S. Dist. LEXIS 12345 (D. Mass. Jan. 4, 2019)", "", "not_found", set()),
    ("Donoghue v Stevenson [1932] UKHL 100", "", "uncertain", set()),
    ("[2017] UKSC 5", "", "uncertain", set()),
    ("Roe v Wade [2019] EWCA Civ 123, [2020] 1 WLR 45", "", "uncertain", set()),
    ("R v Dudley and Stephens (1884) 14 QBD 273", "", "uncertain", set()),
    ("Case C-131/12 Google Spain SL v AEPD [2014] ECLI:EU:C:2014:317", "", "uncertain", set()),
)  # fmt: skip


def test_court_citations_of_all_kinds(internet: Internet, quiet_environment: Mapping[str, str]) -> None:
    async def run(app: Application) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        singly = [content(await app.call("verify_citation", {"citation": text})) for text, *_ in CITATIONS]
        pasted = "References\n\n" + "\n".join(f"{place}. {text}" for place, (text, *_) in enumerate(CITATIONS[:14], 1))
        return singly, content(await app.call("audit_bibliography", {"bibliography": pasted}, inline=True))

    singly, audit = with_app(environment(internet, quiet_environment), run)
    wrong = []
    for (text, name, status, differing), found in zip(CITATIONS, singly, strict=True):
        record = (found.get("matchedRecord") or {}).get("title", "")
        differs = {field["field"] for field in found.get("fieldChecks", ()) if field["result"] == "differs"}
        if (record, found["verificationStatus"], differs) != (name, status, differing):
            wrong.append((text, record, found["verificationStatus"], differs))
    assert not wrong
    assert audit["entryCount"] == 14
    accused = {entry["index"] for entry in audit["entries"] if "mismatch" in entry["flags"]}
    assert accused == {place for place, (*_, differing) in enumerate(CITATIONS[:14]) if differing} | {11}
    assert all("outside the United States" in str(found) for found in singly[13:])
    assert not internet.requests("/gold/openalex") and not internet.requests("/gold/crossref"), "never among papers"
