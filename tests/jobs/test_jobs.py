"""Thirteen jobs as people bring them, each done whole through the tools on the loopback internet.

A job asserts what the person needed. Where more is wanted than the tools give today, its docstring says what.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.app import content, error, sentence, with_app
from tests.loopback.literature import Work
from tests.loopback.run import Internet
from wellsourced.app import Application

OFFICES = {"EPO_OPS_CONSUMER_KEY": "office-key", "EPO_OPS_CONSUMER_SECRET": "office-secret", "USPTO_API_KEY": "us-key"}
Ask = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def world(keyed_environment: dict[str, str]) -> dict[str, str]:
    return {**keyed_environment, **OFFICES, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def do(world: dict[str, str], job: Callable[[Ask], Awaitable[Any]]) -> Any:
    async def run(app: Application) -> Any:
        async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
            return content(await app.call(tool, arguments))

        return await job(ask)

    return with_app(world, run)


def test_audit_a_bibliography(world: dict[str, str]) -> None:
    """Forty real works and one that was made up: the one is named with its reason, and the forty are in order."""
    works = [Work("tides and currents", 1), Work("retracted ginger", 1), *(Work(f"topic{n}", 1) for n in range(38))]
    entries = [f"@article{{w{n}, title={{{w.title}}}, doi={{{w.doi}}}, year={w.year}}}" for n, w in enumerate(works)]
    invented = "@article{ghost, title={Nothing at all}, doi={10.1000/nope}}"
    found = do(world, lambda ask: ask("audit_bibliography", bibliography="\n".join([*entries, invented])))
    assert found["entryCount"] == 41
    by_flag = {
        flag: [e["title"] for e in found["entries"] if flag in e["flags"]] for flag in ("retracted", "not_found")
    }
    assert by_flag == {"retracted": [works[1].title], "not_found": ["Nothing at all"]}
    assert all(entry.get("reason") for entry in found["entries"] if entry["flags"])
    assert found["summary"]["ok"] == 39


def test_brand_of_a_site(world: dict[str, str], internet: Internet) -> None:
    """The designer gets the name and where each finding was read; what was not found is said to be missing."""
    found = do(world, lambda ask: ask("brand_research", url=f"{internet.base}/site/alpha/tides"))
    assert found["identity"]["name"] == "alpha"
    assert found["sources"][0]["fields"] and found["coverage"]["colors"] == "none"


def tokens(*answers: dict[str, Any]) -> int:
    """What the longest of the answers costs a model, at four bytes a token."""
    return max(len(json.dumps(answer, ensure_ascii=False).encode()) // 4 for answer in answers)


def test_a_place_to_eat(world: dict[str, str], environment: dict[str, str]) -> None:
    """Address, telephone and hours, with a key and without; without one the contributors of the map are named."""
    place = do(world, lambda ask: ask("local_search", query="mill", near="Oslo"))["places"][0]
    assert place["address"] and place["phone"] and place["hours"]
    keyless = {**environment, "OPENSTREETMAP_CONTACT_EMAIL": "desk@example.org"}
    found = do(keyless, lambda ask: ask("local_search", query="seafood restaurants", near="Oslo"))
    near, far = found["places"]
    assert (near["name"], near["hours"]) == ("Fjord Kitchen", ["Mo-Fr 11:00-22:00", "Sa 12:00-23:00"])
    assert (
        near["address"]
        and near["phone"]
        and near["distance"] < far["distance"]
        and found["provider"] == "openstreetmap"
    )
    assert any("OpenStreetMap contributors" in note for note in found["notes"]) and tokens(found) <= 4000


def test_the_risk_factors_of_an_annual_report(world: dict[str, str], internet: Internet) -> None:
    """The filing is found, its outline read, and Item 1A comes whole and alone, in parts that fit."""

    async def job(ask: Ask) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
        filings = await ask("filing_search", ticker="QRRY", form_type="10-K")
        url = filings["filings"][0]["url"].replace("https://www.sec.gov", f"{internet.base}/edgar/www")
        outline = await ask("scrape_page", url=url, outline=True, max_tokens=200)
        parts: list[dict[str, Any]] = []
        while not parts or parts[-1].get("nextOffset"):
            offset = parts[-1]["nextOffset"] if parts else 0
            parts.append(await ask("scrape_page", url=url, section="Item 1A", offset=offset, max_tokens=3000))
        return filings, parts, outline

    filings, parts, outline = do(world, job)
    assert [h["title"] for h in outline["outline"] if h["level"] == 3] == [
        "Item 1. Business", "Item 1A. Risk Factors", "Item 2. Properties", "Item 3. Legal Proceedings",
    ]  # fmt: skip
    whole = "\n\n".join(part["content"].removesuffix("[content truncated]").strip() for part in parts)
    assert whole.startswith("### Item 1A. Risk Factors") and whole.endswith("End of Risk Factors.")
    assert whole.count("Currents may change") == 120 and len(parts) > 1 and "offset=" in parts[0]["notes"][-1]
    assert tokens(filings, outline, *parts) <= 4000


def test_three_case_citations(world: dict[str, str]) -> None:
    """One that is right, one that is not there, one under another name: each is answered, and nothing is a verdict."""
    cited = (
        "Ferry v. Harbor Board, 401 U.S. 999 (1971)",
        "Doe v. Roe, 402 U.S. 1 (1971)",
        "Smith v. Jones, 188 F.3d 1001 (1999)",
    )
    found = do(world, lambda ask: ask("legal_search", query="; ".join(cited)))
    assert [(case["caseName"], case["asked"].split(",")[0]) for case in found["cases"]] == [
        ("Ferry v. Harbor Board", "Ferry v. Harbor Board"), ("Lighthouse Keepers v. Ferry", "Smith v. Jones"),
    ]  # fmt: skip
    assert "Free Law Project" in found["attribution"][0]
    missing, renamed = found["notes"]
    assert missing.startswith("Doe v. Roe") and "does not prove" in missing
    assert "another name" in renamed and tokens(found) <= 4000


def test_the_parties_of_a_case(world: dict[str, str]) -> None:
    """Who sues whom, before which judge, and what was filed: in the docket, found by words and by the court's name."""
    asked = {"query": "dockets: lighthouse", "jurisdiction": "Ninth Circuit"}
    docket = do(world, lambda ask: ask("legal_search", **asked))["cases"][0]
    assert docket["parties"] == ["Lighthouse Keepers", "Ferry"] and docket["judge"] == "J. Reef"
    assert docket["snippet"] == "#1 COMPLAINT (1999-06-30)" and docket["url"].endswith("/docket/509/x/")


def test_connector_search_then_fetch(world: dict[str, str]) -> None:
    async def job(ask: Ask) -> tuple[str, str]:
        result = (await ask("search", query="tides"))["results"][0]
        return result["title"], (await ask("fetch", id=result["id"]))["text"]

    title, text = do(world, job)
    assert title and "tides" in text


def test_a_branched_session_is_taken_up_again(world: dict[str, str]) -> None:
    """Begun, left and taken up by another process; the follow-up queries are short and about what is missing."""
    goal = "Find out whether tidal power plants pay for themselves within twenty years"

    async def begin(ask: Ask) -> dict[str, Any]:
        first = await ask(
            "sequential_search", searchStep="Look for costs", stepNumber=1, researchGoal=goal, nextStepNeeded=True
        )
        await ask(
            "sequential_search",
            searchStep="Another way",
            stepNumber=2,
            sessionId=first["sessionId"],
            branchId="subsidies",
            branchFromStep=1,
            knowledgeGap="Figures on maintenance costs in Norway",
            nextStepNeeded=True,
        )
        return first

    session = do(world, begin)["sessionId"]
    again = do(world, lambda ask: ask("get_research_session", sessionId=session))
    assert session in json.dumps(again) and "subsidies" in json.dumps(again)
    closing = do(
        world,
        lambda ask: ask(
            "sequential_search",
            searchStep="Sum up",
            stepNumber=3,
            sessionId=session,
            nextStepNeeded=False,
            depth="standard",
        ),
    )
    for query in closing["refinementQueries"]:
        assert len(query.split()) <= 11 and "Find out" not in query
    assert any("maintenance costs" in query and "Norway" in query for query in closing["refinementQueries"])


@pytest.mark.usefixtures("public_loopback")
def test_a_journalist_checks_and_keeps_a_page(world: dict[str, str], internet: Internet) -> None:
    """The page is alive, deals with the claim in words of its own, and a copy is there.

    Wanted besides: a check of an exact quote, and a link to the passage with each piece of evidence.
    """
    url = f"{internet.base}/site/alpha/tides"

    async def job(ask: Ask) -> tuple[dict[str, Any], dict[str, Any]]:
        checked = await ask("verify_citation", citation=url, claim="The figure for tides was checked.")
        return checked, await ask("archive_source", url=url)

    checked, kept = do({**world, "IA_ACCESS_KEY": "key", "IA_SECRET_KEY": "secret"}, job)
    assert (
        checked["linkLive"] is True
        and checked["checkedAt"]
        and "figure for tides" in " ".join(checked["claimEvidence"])
    )
    assert kept["snapshotUrl"].startswith("https://web.archive.org/")


def test_a_patent_attorney_looks_for_prior_art(world: dict[str, str]) -> None:
    """Numbers, owners, dates and where to read on; the one that matters with its claims and what it cites."""
    one = do(world, lambda ask: ask("patent_search", query="US10165245B2", search_type="specific"))
    claims = one["patents"][0]["claims"]
    assert claims == ["1. A device comprising a turbine.", "2. The device of claim 1."]
    assert one["patents"][0]["cites"][0].startswith("US1234567A") and tokens(one) <= 4000
    found = do(world, lambda ask: ask("patent_search", query="turbine", assignee="Siemens", year_from=2015))
    assert found["patents"] and "num_results" in found["more"]
    for patent in found["patents"]:
        assert patent["number"] and patent["url"] and "siemens" in patent["assignee"].lower()
        assert patent["filed"] >= "2015"


def test_a_doctor_looks_for_trials(world: dict[str, str]) -> None:
    """Trials with status, phase and sponsor, how many there are, what is measured and who may take part."""
    found = do(world, lambda ask: ask("clinical_search", condition="seasickness", status="RECRUITING", details=True))
    trial = found["trials"][0]
    assert found["total"] == 6 and trial["primaryOutcomes"] == ["Days without nausea (30 days)"]
    assert trial["eligibility"] == "Inclusion: sailors." and trial["ages"] == "18 Years" and tokens(found) <= 4000
    assert trial["nctId"].startswith("NCT") and trial["status"] == "RECRUITING" and trial["sponsor"]


def test_an_analyst_wants_a_series(world: dict[str, str]) -> None:
    """Ten years of prices: found by words, all months of the range as published, described once, in a usable size."""

    async def job(ask: Ask) -> dict[str, Any]:
        series = (await ask("econ_search", query="consumer prices"))["results"][0]
        return await ask("econ_search", series_id=series["seriesId"], date_from="2016-01", date_to="2025-12")

    found = do(world, job)
    assert len({value["date"] for value in found["results"]}) == found["resultCount"] == found["total"] == 120
    assert all(found["series"][0][name] for name in ("title", "units", "seasonalAdjustment", "record", "url"))
    assert len(json.dumps(found)) / 4 <= 4000


def test_an_analyst_finds_the_annual_report(world: dict[str, str]) -> None:
    """The newest 10-K with its address. Wanted besides: its risk factors as a section of their own."""
    found = do(world, lambda ask: ask("filing_search", ticker="QRRY", form_type="10-K"))
    newest = found["filings"][0]
    assert newest["formType"] == "10-K" and newest["url"].startswith("https://www.sec.gov/")
    assert newest["filingDate"] == max(filing["filingDate"] for filing in found["filings"])


def test_a_lawyer_checks_a_case(world: dict[str, str], internet: Internet) -> None:
    """A case that is held is confirmed; where the courts' database cannot be asked, nothing is said of the case.

    Wanted besides: several citations at once, and wrong pages and years told apart.
    """
    known = do(world, lambda ask: ask("verify_citation", citation="Ferry v. Harbor Board, 401 U.S. 999 (1971)"))
    assert known["exists"] is True
    internet.control("/courtlistener", status=503, body="down")
    unknown = do(world, lambda ask: ask("verify_citation", citation="Ferry v. Harbor Board, 401 U.S. 999 (1971)"))
    assert unknown["exists"] is None and unknown["verificationStatus"] != "not_found"


def test_a_student_exports_a_bibliography(world: dict[str, str]) -> None:
    """Whatever was found in a session is exported as what it is, with journal, volume, pages, court and site."""

    async def job(ask: Ask) -> str:
        begun = await ask(
            "sequential_search", searchStep="Begin", stepNumber=1, researchGoal="Tides", nextStepNeeded=True
        )
        session = begun["sessionId"]
        await ask("academic_search", query="tides", num_results=2, sessionId=session)
        await ask("legal_search", query="tides", num_results=1, sessionId=session)
        await ask("web_search", query="tides", num_results=1, sessionId=session)
        return str((await ask("format_bibliography", sessionId=session, style="bibtex"))["bibliography"])

    written = do(world, job)
    papers = [entry for entry in written.split("\n\n") if entry.startswith("@article")]
    assert len(papers) == 2
    for entry in papers:
        assert all(f"{name} = {{" in entry for name in ("author", "journal", "volume", "pages", "doi", "year")), entry
    (case,) = [entry for entry in written.split("\n\n") if entry.startswith("@jurisdiction")]
    assert "{401}" in case and "U.S." in case and "{999}" in case and "Supreme Court" in case
    assert "howpublished = {127.0.0.1}" in written


def test_news_of_a_given_week_in_march_2022(world: dict[str, str], internet: Internet) -> None:
    """Of that week, the newest first, and nothing else; the usual last week is switched off by saying days."""
    days = ("2026-11-14", "2022-03-06", "2022-03-07", "2022-03-13", "2022-03-14")
    results = [
        {
            "url": f"https://paper.example/{day}",
            "title": f"Of {day}",
            "content": "What happened.",
            "engine": "bing news",
            "publishedDate": f"{day}T12:00:00",
        }
        for day in days
    ]
    internet.control(
        "/searxng",
        status=200,
        headers={"content-type": "application/json"},
        body=json.dumps({"query": "q", "results": results}),
    )
    week = {"date_from": "2022-03-07", "date_to": "2022-03-13"}
    found = do(world, lambda ask: ask("news_search", query="storms", provider="searxng", sort_by="date", **week))
    assert [article["title"] for article in found["articles"]] == ["Of 2022-03-13", "Of 2022-03-07"]
    assert "filtersNotApplied" not in found and tokens(found) <= 4000


def test_a_job_that_cannot_be_done_says_why(world: dict[str, str]) -> None:
    async def refused(app: Application) -> Any:
        return await app.call("news_search", {"query": "storms", "date_from": "last May"})

    answer = with_app(world, refused)
    assert "YYYY-MM-DD" in sentence(answer) and error(answer)["kind"] == "validation"
