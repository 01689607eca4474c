"""Wellsourced as a library: typed answers, errors with fields, settings by keyword, and the twin without await."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import wellsourced
from tests.loopback.run import Internet
from wellsourced.api import ResearchClient, SyncResearchClient, ToolFailed, settings_from
from wellsourced.errors import Misconfigured, WellsourcedError
from wellsourced.pages import scrape_page
from wellsourced.search import web_search
from wellsourced.tool import registry

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def settings(internet: Internet, tmp_path: Path) -> dict[str, object]:
    """Keyword arguments of `open` whose world is the loopback internet."""
    here = {name.lower(): value for name, value in internet.environment().items()}
    return {**here, "cache_dir": tmp_path / "data", "allow_private_ips": True, "chrome_path": "disabled"}


@pytest.fixture
def research(settings: dict[str, object]) -> Iterator[SyncResearchClient]:
    with wellsourced.open_sync(**settings) as opened:
        yield opened


def test_an_answer_has_its_type(settings: dict[str, object]) -> None:
    async def script() -> tuple[web_search.WebSearchOutput, scrape_page.ScrapePageOutput]:
        async with wellsourced.open(**settings) as research:
            answer = await research.web_search("tides", num_results=3)
            return answer, await research.scrape_page(answer.results[0].url)

    answer, page = asyncio.run(script())
    assert [type(answer), type(page)] == [web_search.WebSearchOutput, scrape_page.ScrapePageOutput]
    assert [result.title for result in answer.results] == ["tides 1", "tides 2", "tides 3"]
    assert page.content.startswith("This is part 1 of the report on tides 1.")


def test_calls_run_side_by_side(settings: dict[str, object], internet: Internet) -> None:
    internet.control("/searxng", latency_ms=200)

    async def script() -> list[int]:
        async with wellsourced.open(**settings) as research:
            asked = (research.web_search(f"tides {number}", provider="searxng") for number in range(4))
            return [answer.result_count for answer in await asyncio.gather(*asked)]

    assert asyncio.run(script()) == [5, 5, 5, 5]
    assert internet.stats()["most_in_flight"]["/searxng"] > 1


def test_a_failure_has_fields(research: SyncResearchClient, internet: Internet) -> None:
    internet.control("/searxng", status=429, headers={"retry-after": "7"})
    with pytest.raises(ToolFailed, match="Rate limited") as caught:
        research.web_search("tides", provider="searxng")
    problem = caught.value
    assert isinstance(problem, WellsourcedError)
    assert (problem.tool, problem.kind, problem.retryable, problem.retry_after, problem.provider) == (
        *("web_search", "rate_limited", True, 7, "searxng"),
    )


def test_bad_arguments(research: SyncResearchClient) -> None:
    with pytest.raises(ToolFailed, match="num_results must be a whole number; got 'x'") as caught:
        research.web_search("tides", num_results="x")  # type: ignore[arg-type]
    assert (caught.value.kind, caught.value.retryable) == ("validation", False)
    with pytest.raises(TypeError, match="numresults"):
        research.web_search("tides", numresults=3)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="web_serch"):
        research.web_serch("tides")  # type: ignore[attr-defined]
    with pytest.raises(ToolFailed, match="There is no tool 'web_serch'"):
        research.call("web_serch", query="tides")


def test_an_answer_that_found_nothing_is_no_failure(research: SyncResearchClient) -> None:
    answer = research.web_search("nothing")
    assert (answer.is_empty, answer.results) == (True, [])
    assert answer.hints is not None


def test_nested_arguments_are_plain_data(research: SyncResearchClient) -> None:
    written = research.format_bibliography(
        style="mla", sources=[{"title": "On Tides", "author": "Doe, Jane", "date": "2001"}]
    )
    assert (written.entry_count, written.bibliography[:10]) == (1, "Doe, Jane.")


def test_a_large_answer_is_whole(settings: dict[str, object], internet: Internet) -> None:
    with wellsourced.open_sync(**settings, link_threshold_bytes=1) as research:
        assert "tides" in research.scrape_page(f"{internet.base}/site/alpha/tides").content


def test_the_twin_works_inside_a_running_loop_and_closes_twice(settings: dict[str, object]) -> None:
    async def notebook() -> int:
        with wellsourced.open_sync(**settings) as research:
            count = research.news_search("tides").result_count
        research.close()
        with pytest.raises(RuntimeError, match="closed"):
            research.news_search("tides")
        return count

    assert asyncio.run(notebook()) == 5


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"brave_apikey": "x"}, "Did you mean brave_api_key"),
        ({"tool_timeout": "soon"}, "TOOL_TIMEOUT: 'soon' is not understood"),
        ({"cache_max_disk_mb": -1}, "CACHE_MAX_DISK_MB"),
    ],
)
def test_settings_that_are_wrong(given: dict[str, object], says: str) -> None:
    with pytest.raises(Misconfigured, match=says), wellsourced.open_sync(**given):
        pass


def test_keywords_go_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_TIMEOUT", "30s")
    monkeypatch.setenv("SEARCH_FUSION", "true")
    made = settings_from({"tool_timeout": "5s", "TOOLS": ["web_search", "answer"], "cache_dir": Path("/x")})
    assert (made.seconds("TOOL_TIMEOUT"), made.flag("SEARCH_FUSION")) == (5.0, True)
    assert (made.names("TOOLS"), made.text("CACHE_DIR")) == (("web_search", "answer"), "/x")
    assert settings_from({"search_fusion": None}).flag("SEARCH_FUSION") is False


def test_every_tool_is_a_method_with_its_signature() -> None:
    research = ResearchClient({})
    assert set(registry.names()) <= set(dir(research))
    for tool in registry.all_tools():
        method = getattr(research, tool.name)
        shape = inspect.signature(method)
        assert list(shape.parameters) == list(tool.input.model_fields)
        assert shape.return_annotation is tool.output
        assert tool.description in (method.__doc__ or "")


def test_the_stub_is_current() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from python_stub import methods_stub  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    stub = (ROOT / "src" / "wellsourced" / "api_methods.pyi").read_text("utf-8")
    assert stub == methods_stub(), "run `make generate`"
    compile(stub, "api_methods.pyi", "exec")


def test_importing_the_package_costs_nothing(quiet_environment: Mapping[str, str]) -> None:
    code = "import sys; before = set(sys.modules); import wellsourced; print(*(set(sys.modules) - before))"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, env=dict(quiet_environment)
    )
    assert ran.stdout.split() == ["wellsourced"]
    assert {"open", "open_sync", "ToolFailed"} <= set(dir(wellsourced))
    with pytest.raises(AttributeError, match="opne"):
        wellsourced.opne  # type: ignore[attr-defined]  # noqa: B018
