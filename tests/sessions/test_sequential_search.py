"""The three session tools through all layers, against the loopback internet."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.app import content, error, sentence, with_app
from wellsourced.app import Application
from wellsourced.identity import Identity
from wellsourced.tool.registry import load

NAMES = ("sequential_search", "get_research_session", "research_export")


async def step(app: Application, number: int, id: str | None = None, **fields: Any) -> dict[str, Any]:
    arguments = {"searchStep": f"step {number}", "stepNumber": number, "nextStepNeeded": True, **fields}
    return content(await app.call("sequential_search", arguments | ({"sessionId": id} if id else {})))


async def recovered(app: Application, id: str, **fields: Any) -> dict[str, Any]:
    return content(await app.call("get_research_session", {"sessionId": id, **fields}))


@pytest.mark.parametrize("name", NAMES)
def test_declarations_keep_the_contract(name: str, shared: Path) -> None:
    contract = json.loads((shared / "contract" / "tools.json").read_text())[name]
    declared = load(name).declaration()
    taken, told = declared["inputSchema"], declared["outputSchema"]
    for field, wanted in contract["input"].items():
        have = taken["properties"][field]
        assert have["type"] == wanted["type"] and have["description"], field
        assert (field in taken.get("required", [])) == wanted["required"], field
        assert set(wanted.get("enum", [])) <= set(have.get("enum", [])), field
        for word in ("default", "minimum"):
            assert have.get(word) == wanted[word] if word in wanted else True, field
    for field, wanted in contract["output"].items():
        assert field in told["properties"], field
        assert not wanted["always"] or field in told["required"], field
    assert declared["annotations"] == contract["annotations"]
    assert load(name).toolset == "sessions" and load(name).cache is None


def test_a_trail_is_kept_and_recovered(environment: dict[str, str]) -> None:
    async def take(app: Application) -> str:
        left_out: dict[str, Any] = {"revisesStep": 0, "branchFromStep": 0, "branchId": ""}
        first = await step(app, 1, researchGoal="Tides", totalStepsEstimate=3, knowledgeGap="Who measured?", **left_out)
        id = first["sessionId"]
        assert first["responseMode"] == "full" and first["researchGoal"] == "Tides"
        assert (first["currentStep"], first["totalStepsEstimate"], first["isComplete"]) == (1, 3, False)
        assert first["steps"] == [{"stepNumber": 1, "oneLiner": "step 1"}]
        assert first["gaps"] == [{"description": "Who measured?", "foundInStep": 1}]
        assert first["trust"] == "untrusted-external-content"
        assert not {"summary", "stepIndex", "coverage", "depth", "warning", "completedAt"} & set(first)
        for number in range(2, 9):
            await step(app, number, id)
        last = await step(app, 9, id, sessionSummary="Mine", nextStepNeeded=False, resolvedGaps=["who measured?"])
        assert last["responseMode"] == "summary" and last["summary"] == "Mine"
        assert len(last["stepIndex"]) == 9 and len(last["lastSteps"]) == 3
        assert last["isComplete"] and last["completedAt"] and last["gaps"] == last["sources"] == []
        return str(id)

    id = with_app(environment, take)

    async def look(app: Application) -> None:
        found = await recovered(app, id)
        assert (found["researchGoal"], found["summary"], found["stepCount"]) == ("Tides", "Mine", 9)
        one = await recovered(app, id, stepId=1)
        assert one["responseMode"] == "step" and one["step"]["knowledgeGap"] == "Who measured?"
        stranger = await app.call("get_research_session", {"sessionId": id}, identity=Identity("default", "eve"))
        assert error(stranger)["kind"] == "session_not_found"
        assert "Sessions last 4 hours" in str(stranger.error_text)
        lost = await app.call("get_research_session", {"sessionId": id, "stepId": 1, "branchId": "nope"})
        assert sentence(lost) == "branchId 'nope' is no branch of this session; it has main."
        assert (await recovered(app, id, stepId=1, branchId="main"))["step"]["stepNumber"] == 1
        missing = await app.call("get_research_session", {"sessionId": id, "stepId": 40})
        assert sentence(missing) == "Step 40 is not in this session; it has steps 1 to 9."

    with_app(environment, look)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"stepNumber": 2}, "Step 2 needs the sessionId"),
        ({"stepNumber": 0}, "stepNumber must be at least 1; got 0."),
        ({"stepNumber": 1, "searchStep": ""}, "searchStep is required"),
        ({"stepNumber": 1, "depth": "deep"}, "depth must be"),
        ({"stepNumber": 1, "confidence": "sure"}, "confidence must be"),
        ({"stepNumber": 1, "branchFromStep": 1}, "It has no steps yet."),
    ],
)
def test_bad_input_is_told_in_words(quiet_environment: Mapping[str, str], arguments: dict[str, Any], says: str) -> None:
    given = {"searchStep": "x", "nextStepNeeded": True, **arguments}
    answer = with_app(quiet_environment, lambda app: app.call("sequential_search", given))
    assert says in str(answer.error_text)


def test_a_repeated_first_step_never_forks(quiet_environment: Mapping[str, str]) -> None:
    async def script(app: Application) -> None:
        id = (await step(app, 1))["sessionId"]
        assert (await step(app, 1, id))["sessionId"] == id
        await step(app, 2, id)
        arguments = {"searchStep": "again", "stepNumber": 1, "nextStepNeeded": True, "sessionId": id}
        assert "the next step is 3" in str((await app.call("sequential_search", arguments)).error_text)
        lost = await app.call("sequential_search", {**arguments, "stepNumber": 3, "sessionId": "gone"})
        assert error(lost)["recoveryHint"] == {"lastKnownStep": 2, "canResume": False}
        assert await app.services.sessions.store.count() == 1

    with_app(quiet_environment, script)


def test_what_other_tools_find_is_recorded_also_from_the_cache(environment: dict[str, str]) -> None:
    async def script(app: Application) -> None:
        one, two = (await step(app, 1))["sessionId"], (await step(app, 1))["sessionId"]
        searches = [app.call("web_search", {"query": "tides", "sessionId": id}) for id in (one, two)]
        for answer in await asyncio.gather(*searches):
            assert not answer.is_error
        cached = await app.call("web_search", {"query": "tides", "sessionId": one})
        assert cached.meta["cached"] is True
        await app.call("news_search", {"query": "moon", "sessionId": two})
        first, second = await recovered(app, one), await recovered(app, two)
        urls = json.loads(cached.body)["urls"]
        assert [source["url"] for source in first["sources"]] == urls
        assert {source["relevance"] for source in first["sources"]} == {"web"}
        assert {source["afterStep"] for source in first["sources"]} == {1}
        assert urls == [source["url"] for source in second["sources"] if source["relevance"] == "web"]
        assert "news" in {source["relevance"] for source in second["sources"]}
        assert second["providerStats"]["searxng"]["successes"] >= 1

    with_app(environment, script)


def test_what_bears_on_a_claim_is_in_the_export(environment: dict[str, str]) -> None:
    async def script(app: Application) -> None:
        claim = "The report counted cases"
        for _ in range(2):
            id = (await step(app, 1))["sessionId"]
            asked = {"query": "tides", "num_results": 1, "claim": claim, "sessionId": id}
            (read,) = content(await app.call("search_and_scrape", {**asked, "inline": True}))["sources"]
            exported = content(await app.call("research_export", {"sessionId": id, "format": "json"}))
            (source,) = exported["document"]["sources"]
            said = [(claim, read["keySentences"][near["keySentence"]], near["link"]) for near in read["evidence"]]
            assert said and [(e["claim"], e["quote"], e["link"]) for e in source["evidence"]] == said
            assert (await recovered(app, id))["sources"][0]["evidenceCount"] == len(said)

    with_app({**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}, script)


def test_failures_are_remembered_and_answers_do_not_depend_on_a_session(environment: dict[str, str]) -> None:
    async def script(app: Application) -> None:
        id = (await step(app, 1))["sessionId"]
        for n in range(3):
            arguments = {"query": f"tides {n}", "sessionId": id, "provider": "no-such-engine"}
            assert (await app.call("web_search", arguments)).is_error
        found = await recovered(app, id)
        assert [(pattern["kind"], pattern["count"]) for pattern in found["errorPatterns"]] == [("config", 3)]
        assert not (await app.call("web_search", {"query": "tides", "sessionId": "unknown"})).is_error

    with_app(environment, script)


def test_depth_tells_coverage_and_searches_further(environment: dict[str, str]) -> None:
    async def script(app: Application) -> None:
        id = (await step(app, 1, researchGoal="tides", knowledgeGap="moon"))["sessionId"]
        plain = await step(app, 2, id, depth="standard")
        assert plain["depth"] == "standard" and plain["coverage"]["sourceCount"] == 0
        assert plain["refinementQueries"] == ["tides moon"] and "refinementResults" not in plain
        deep = await step(app, 3, id, depth="thorough")
        (result,) = deep["refinementResults"]
        assert result["resultCount"] == len(result["results"]) == 5
        assert {"title", "url", "snippet"} <= set(result["results"][0])
        found = await recovered(app, id)
        assert {source["foundInStep"] for source in found["sources"]} == {3}
        again = await step(app, 4, id, depth="standard")
        assert again["coverage"]["sourceCount"] == len(found["sources"]) == again["sourceCount"]

    with_app(environment, script)


def test_export(environment: dict[str, str]) -> None:
    async def script(app: Application) -> None:
        id = (await step(app, 1, researchGoal="Ebbe & Flut"))["sessionId"]
        await app.call("web_search", {"query": "tides", "sessionId": id})
        documents = {}
        for format in ("markdown", "json", "html"):
            answer = await app.call("research_export", {"sessionId": id, "format": format, "verify_links": True})
            told = content(answer)
            assert (told["format"], told["stepCount"], told["sourceCount"]) == (format, 1, 5)
            assert told["tenantId"] == "default" and told["researchGoal"] == "Ebbe & Flut"
            documents[format] = told["document"]
        assert documents["markdown"].startswith("# Ebbe & Flut\n")
        assert len(documents["json"]["sources"]) == 5
        assert "<h1 dir=auto>Ebbe &amp; Flut</h1>" in documents["html"]
        for n in range(2, 60):
            await step(app, n, id, reasoning="because " * 60)
        large = await app.call("research_export", {"sessionId": id})
        assert content(large)["linked"] is True and content(large)["truncated"] is True
        assert 30 < content(large)["document"].count("### Step") < 59
        assert "markdown export has 59 steps and 5 sources" in content(large)["summary"]
        whole = await app.artifacts.fetch(content(large)["resource"].rsplit("/", 1)[1], Identity().owner)
        assert whole is not None and json.loads(whole)["document"].count("### Step") == 59

    with_app(environment, script)
