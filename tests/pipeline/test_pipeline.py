"""The layers around a tool, tried with small tools of their own on a real app."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import Field

from tests.app import call, content, error, sentence, with_app
from wellsourced.app import Application
from wellsourced.errors import RateLimited, SessionNotFound
from wellsourced.identity import Identity
from wellsourced.mcp.resources import read_resource
from wellsourced.pipeline.quota import DailyQuota
from wellsourced.pipeline.validate_arguments import is_unicode
from wellsourced.storage.limits.daily_counts import DAY
from wellsourced.storage.limits.rate_limits import LocalRateLimiter, RateLimit
from wellsourced.tool import registry
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.base import Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call


class Input(ToolInput):
    text: str = Field("", description="Anything.")
    inline: bool = Field(False, description="Whole answer.")
    num_results: int = Field(5, ge=1, le=10, description="How many.")


class Output(ToolOutput):
    text: str
    note: str | None = None

    long_text: ClassVar[str] = "text"


Run = Callable[[Input, Call], Awaitable[Output]]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a tool of the test's own on the shelf under the name `probe`."""

    def offer(run: Run, **declared: Any) -> None:
        tool = Tool(
            name="probe", title="Probe", description="", input=Input, output=Output, run=run, toolset="x", **declared
        )
        monkeypatch.setattr(registry, "load", lambda name: tool)

    return offer


async def echo(input: Input, call: Call) -> Output:
    return Output(text=input.text)


Offer = Callable[..., None]


def test_a_mistake_of_ours_is_told_as_such_and_nothing_of_it_leaks(
    quiet_environment: dict[str, str], offered: Offer
) -> None:
    async def broken(input: Input, call: Call) -> Output:
        raise ZeroDivisionError("the password is hunter2")

    offered(broken)
    answer = with_app(quiet_environment, lambda app: app.call("probe", {}))
    assert error(answer)["suggestedAction"] == "report_bug"
    assert "hunter2" not in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ('{"api_key": "hunter2"}', '{"api_key": "[REDACTED]"}'),
        ('key=hunter2"def', 'key=[REDACTED]"def'),
        ('Cookie: a=hunter2"', 'Cookie: [REDACTED]"'),
        (f"{'x' * 280} brave-key-0123456789abcdef", f"{'x' * 280} [REDACTED]"),
        ("said\U000e006f\U000e0062 \u202eno", "said no"),
    ],
)
def test_secrets_and_what_is_hidden_are_taken_out_of_an_error_before_it_is_quoted_or_cut(
    quiet_environment: dict[str, str], offered: Offer, detail: str, told: str
) -> None:
    async def failing(input: Input, call: Call) -> Output:
        raise RateLimited("Not now.", detail=detail)

    offered(failing)
    assert error(call({**quiet_environment, "BRAVE_API_KEY": "brave-key-0123456789abcdef"}, "probe"))["detail"] == told


@pytest.mark.parametrize(("asked", "taken"), [(99, 10), (0, 1), (-3, 1), (7.5, None), (10, 10)])
def test_an_amount_out_of_range_is_taken_as_the_nearest_and_said(
    quiet_environment: dict[str, str], offered: Offer, asked: float, taken: int | None
) -> None:
    async def count(input: Input, call: Call) -> Output:
        return Output(text=str(input.num_results))

    offered(count)
    answer = call(quiet_environment, "probe", num_results=asked)
    if taken is None:
        assert sentence(answer) == "num_results must be a whole number; got 7.5."
        return
    found = content(answer)
    assert found["text"] == str(taken)
    assert found.get("notes") == (None if asked == taken else [f"num_results was {asked}; {taken} was taken instead."])
    assert answer.meta.get("requestedNumResults") == (None if asked == taken else asked)


def test_half_a_character_is_refused_wherever_it_is(quiet_environment: dict[str, str], offered: Offer) -> None:
    offered(echo)
    for value in ("\ud800", "x\udfff"):
        refused = call(quiet_environment, "probe", text=value)
        assert sentence(refused) == f"text must be valid Unicode text; got {value!r}."
        assert error(refused)["kind"] == "validation"
    assert is_unicode({"a": ["😀", {"b": "é"}], "n": 1}) and not is_unicode({"a": [{"\ud83d": 1}]})


def test_a_call_ends_in_time(quiet_environment: dict[str, str], offered: Offer) -> None:
    async def endless(input: Input, call: Call) -> Output:
        await asyncio.sleep(60)
        return Output(text="")

    offered(endless)
    answer = with_app({**quiet_environment, "TOOL_TIMEOUT": "100ms"}, lambda app: app.call("probe", {}))
    assert error(answer)["retryable"] is True
    assert "0.1 seconds" in answer.text
    assert "TOOL_TIMEOUT" in answer.text


def test_identical_calls_in_flight_share_one_run(quiet_environment: dict[str, str], offered: Offer) -> None:
    runs = 0

    async def slow(input: Input, call: Call) -> Output:
        nonlocal runs
        runs += 1
        await asyncio.sleep(0.05)
        return Output(text=input.text)

    async def many(app: Application) -> list[ToolAnswer]:
        return await asyncio.gather(*(app.call("probe", {"text": "same"}) for _ in range(16)))

    offered(slow, cache=60)
    assert {answer.body for answer in with_app(quiet_environment, many)} == {b'{"text":"same"}'}
    assert runs == 1


def test_a_large_answer_keeps_its_text_and_gets_a_link_that_serves_the_whole(
    quiet_environment: dict[str, str], offered: Offer
) -> None:
    offered(echo, links_large_answers=True)
    large = "ä" * 20_000

    async def ask(app: Application) -> tuple[ToolAnswer, Any, Any]:
        answer = await app.call("probe", {"text": large}, links=True)
        assert answer.link
        own = await read_resource(app, answer.link.uri, Identity())
        return answer, own, await read_resource(app, answer.link.uri, Identity("another tenant"))

    answer, own, others = with_app(quiet_environment, ask)
    short = json.loads(answer.body)
    assert large.startswith(short["text"][:1000]) and 8_000 < len(short["text"]) < 13_000
    assert short["linked"] is True and short["artifactSummary"]
    assert short["bytes"] == len(own)
    assert datetime.fromisoformat(short["expiresAt"]) > datetime.now(UTC)
    assert json.loads(own)["text"] == large
    assert others is None
    content = answer.result()["content"]
    assert [item["type"] for item in content] == ["text", "resource_link"]
    assert content[1]["uri"] == short["resource"] == answer.link.uri  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("settings", "arguments", "inline"),
    [({}, {"inline": True}, False), ({}, {}, True), ({"LINK_THRESHOLD_BYTES": "0"}, {}, False)],
)
def test_a_caller_or_the_operator_can_ask_for_everything_inline(
    quiet_environment: dict[str, str], offered: Offer, settings: dict[str, str], arguments: dict[str, Any], inline: bool
) -> None:
    offered(echo, links_large_answers=True)
    answer = with_app(
        {**quiet_environment, **settings},
        lambda app: app.call("probe", {"text": "x" * 50_000, **arguments}, inline=inline),
    )
    assert answer.link is None
    assert len(json.loads(answer.body)["text"]) == 50_000


def test_without_a_disk_and_with_little_memory_a_large_answer_stays_inline(
    quiet_environment: dict[str, str], offered: Offer
) -> None:
    offered(echo, links_large_answers=True)
    settings = {**quiet_environment, "CACHE_MAX_DISK_MB": "0", "CACHE_MAX_MEMORY_MB": "0"}
    answer = with_app(settings, lambda app: app.call("probe", {"text": "x" * 50_000}))
    assert answer.link is None
    assert len(json.loads(answer.body)["text"]) == 50_000


def test_a_missing_session_tells_how_far_it_had_come(quiet_environment: dict[str, str], offered: Offer) -> None:
    async def lost(input: Input, call: Call) -> Output:
        raise SessionNotFound("Session not found or expired.", last_known_step=4)

    offered(lost)
    told = error(with_app(quiet_environment, lambda app: app.call("probe", {})))
    assert told["kind"] == "session_not_found"
    assert told["recoveryHint"] == {"lastKnownStep": 4, "canResume": False}


def test_the_daily_limit_counts_users_apart_and_starts_anew_at_midnight(
    quiet_environment: dict[str, str], offered: Offer
) -> None:
    moment = datetime(2026, 11, 15, 23, 59, tzinfo=UTC)
    offered(echo)

    async def ask(app: Application) -> list[bool]:
        nonlocal moment
        limiter = LocalRateLimiter(clock=lambda: moment.timestamp())
        quota = DailyQuota(limiter, RateLimit("MAX_CALLS_PER_DAY", 2, DAY, "calls a day"), now=lambda: moment)
        call = Call(tool=registry.load("probe"), arguments={})
        other = Call(tool=registry.load("probe"), arguments={}, identity=Identity("t", "u"))

        async def allowed(call: Call) -> bool:
            try:
                await quota(call, nothing)
            except RateLimited as refused:
                return refused.retry_after != 60
            return True

        first = [await allowed(call), await allowed(call), await allowed(call), await allowed(other)]
        moment = datetime(2026, 11, 16, tzinfo=UTC)
        return [*first, await allowed(call)]

    assert with_app(quiet_environment, ask) == [True, True, False, True, True]


async def nothing(call: Call) -> ToolAnswer:
    return ToolAnswer(b"{}")


def test_calls_are_written_to_the_audit_log_without_their_queries(
    quiet_environment: dict[str, str], offered: Offer, tmp_path: Path
) -> None:
    offered(echo)
    log = tmp_path / "log" / "audit.jsonl"
    settings = {**quiet_environment, "AUDIT_OUTPUT_PATH": str(log)}
    with_app(settings, lambda app: app.call("probe", {"text": "private matter"}))
    event = json.loads(log.read_text())
    assert (event["event_type"], event["tool_name"], event["success"]) == ("tool_call", "probe", True)
    assert "private matter" not in log.read_text()
