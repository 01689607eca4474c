"""Taking steps: numbers, revisions, branches, gaps, limits, coverage and looking further."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.storage.records.memory_store import memory_session_store
from wellsourced.errors import BadInput, RateLimited, SessionNotFound
from wellsourced.identity import Identity
from wellsourced.sessions import view
from wellsourced.sessions.coverage import coverage
from wellsourced.sessions.refinement import Searched, gap_query, key_words, refinement_queries
from wellsourced.sessions.session import Gap, RequestOutcome, Session
from wellsourced.sessions.session_store import SessionLimits
from wellsourced.sessions.sessions import Sessions, StepOutcome
from wellsourced.sessions.steps import StepInput, with_step
from wellsourced.tool.sources import FoundSource
from wellsourced.upstreams.types.search import Hit

ANNA, BERT = Identity("t", "anna"), Identity("t", "bert")
NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)


def taken(number: int, text: str = "", **fields: Any) -> StepInput:
    fields.setdefault("next_step_needed", True)
    return StepInput(description=text or f"step {number}", number=number, **fields)


def session_of(*inputs: StepInput) -> Session:
    session = Session(id="s", owner=ANNA, goal="goal", created_at=NOW, last_used=NOW)
    for one in inputs:
        session = with_step(session, one, NOW, 200)
    return session


def refusal(session: Session, wrong: StepInput) -> str:
    with pytest.raises(BadInput) as told:
        with_step(session, wrong, NOW, 200)
    return told.value.sentence


def run(*inputs: StepInput, limits: SessionLimits | None = None) -> list[StepOutcome]:
    """Take the steps one after the other in one session."""

    async def main() -> list[StepOutcome]:
        sessions = Sessions(memory_session_store(limits or SessionLimits()), now=lambda: NOW)
        outcomes: list[StepOutcome] = []
        for one in inputs:
            id = outcomes[0].session.id if outcomes else None
            outcomes.append(await sessions.take_step(ANNA, replace(one, session_id=id)))
        return outcomes

    return asyncio.run(main())


THREE = (taken(1), taken(2), taken(3))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (taken(5), "does not follow: the next step is 4"),
        (taken(2, "something else"), "Step 2 is already recorded; the next step is 4. To correct step 2, send step 4"),
        (taken(1, "once more"), "to begin new research, leave sessionId out"),
        (taken(4, revises_step=9), "revisesStep 9 is not a step of this session. It has steps 1 to 3"),
        (taken(4, branch_id="b", branch_from_step=7), "branchFromStep 7 is not a step"),
        (taken(9, branch_id="b", branch_from_step=2), "the next step on branch 'b' is 3"),
        (taken(4, branch_from_step=2, branch_id="main"), "begins a branch"),
        (taken(4, resolved_gaps=("nothing",)), "None is open"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(wrong: StepInput, says: str) -> None:
    assert says in refusal(session_of(*THREE), wrong)


def test_a_step_sent_again_is_the_same_step() -> None:
    outcomes = run(taken(1), taken(1), taken(2), taken(2), taken(2, next_step_needed=False))
    assert [len(outcome.session.steps) for outcome in outcomes] == [1, 1, 2, 2, 2]
    assert outcomes[1].session.id == outcomes[0].session.id
    assert [outcome.is_complete for outcome in outcomes] == [False] * 4 + [True]
    begun = session_of(taken(1, knowledge_gap="Who paid for it?"), taken(2, resolved_gaps=("who paid",)))
    repeated = with_step(begun, taken(2, resolved_gaps=("step 1",)), NOW, 200)
    assert repeated.steps == begun.steps
    assert "Step 2 is already recorded" in refusal(begun, taken(2))
    assert "Step 2 is already recorded" in refusal(begun, taken(2, resolved_gaps=("something else",)))


def test_revisions_add_and_what_they_replace_is_derived() -> None:
    session = session_of(*THREE, taken(4, is_revision=True, revises_step=2), taken(5, revises_step=2))
    assert [session.superseded_by(step) for step in session.steps] == [None, 5, None, None, None]
    assert [step.is_revision for step in session.steps] == [False, False, False, True, True]
    assert view.step_index(session)[1] == {"stepNumber": 2, "oneLiner": "step 2", "supersededBy": 5}


def test_branches_are_real() -> None:
    session = session_of(
        *THREE,
        taken(2, "b first", branch_id="b", branch_from_step=1),
        taken(3, "b second", branch_id="b", revises_step=2),
        taken(4, "main goes on"),
        taken(4, "unnamed", branch_from_step=3),
        taken(5, "from everything's highest", branch_id="b"),
        taken(4, "c on b", branch_id="c", branch_from_step=3),
        taken(5, "main by its full name", branch_id="Main"),
        taken(3, "d by its number alone", branch_id="d"),
    )
    lines = {name: [step.description for step in session.line(name)] for name in session.branches}
    assert lines == {
        "": ["step 1", "step 2", "step 3", "main goes on", "main by its full name"],
        "b": ["b first", "b second", "from everything's highest"],
        "branch-1": ["unnamed"],
        "c": ["c on b"],
        "d": ["d by its number alone"],
    }
    assert [step.description for step in session.children(1)] == ["step 2", "b first"]
    assert [step.description for step in session.children(2)] == ["step 3", "d by its number alone"]
    assert view.branch_tree(session)[1] == {"branchId": "b", "branchFromStep": 1, "steps": [2, 3, 5]}
    superseded = [step.description for step in session.steps if session.superseded_by(step)]
    assert superseded == ["b first"], "seen from b, step 2 is b's own"
    assert session.find(3, "b") == session.line("b")[1]
    assert session.find(3) == session.line("")[2]
    told = refusal(session, taken(6, branch_id="b", branch_from_step=2))
    assert "began from step 1, not from step 2" in told


def test_gaps_close_and_open_again() -> None:
    session = session_of(
        taken(1, knowledge_gap="Who paid for the study?"),
        taken(2, knowledge_gap="Newer figures"),
        taken(3, resolved_gaps=("who paid  FOR the study?",)),
        taken(4, resolved_gaps=("step 2",), knowledge_gap="Ob es stimmt"),
        taken(5, knowledge_gap="Newer figures"),
    )
    assert session.gaps == [
        Gap(description="Who paid for the study?", found_in_step=1, closed_in_step=3),
        Gap(description="Newer figures", found_in_step=5),
        Gap(description="Ob es stimmt", found_in_step=4),
    ]
    assert "Open: Newer figures; Ob es stimmt" in refusal(session, taken(6, resolved_gaps=("the funding",)))


def test_the_last_step_is_announced_and_one_more_is_not_stored() -> None:
    outcomes = run(*(taken(n) for n in range(1, 5)), limits=SessionLimits(steps=3))
    assert [len(outcome.session.steps) for outcome in outcomes] == [1, 2, 3, 3]
    assert [bool(outcome.warning) for outcome in outcomes] == [False, False, True, True]
    assert "last of 3 steps" in str(outcomes[2].warning)
    assert str(outcomes[3].warning).startswith("session_limit_reached")
    assert [outcome.is_complete for outcome in outcomes] == [False, False, False, True]
    assert outcomes[3].step is None


def test_a_completed_session_can_go_on() -> None:
    outcomes = run(taken(1), taken(2, next_step_needed=False), taken(3), taken(4, next_step_needed=False))
    assert [outcome.is_complete for outcome in outcomes] == [False, True, False, True]


def test_goal_summary_and_mode() -> None:
    long = "Ein\nsehr " + "langer Schritt " * 40
    outcomes = run(taken(1, long), *(taken(n) for n in range(2, 10)), taken(10, summary="Meine Zusammenfassung"))
    first, ninth, last = outcomes[0].session, outcomes[8].session, outcomes[9].session
    assert first.goal.startswith("Ein sehr langer") and len(first.goal) <= 200
    assert view.summary_text(ninth).endswith(". Progress: step 5; step 6; step 7; step 8; step 9")
    assert view.summary_text(last) == "Meine Zusammenfassung"
    assert [view.response_mode(outcome.session, "auto") for outcome in outcomes] == ["full"] * 8 + ["summary"] * 2
    assert view.response_mode(last, "full") == "full" and view.response_mode(first, "summary") == "summary"
    assert len(view.step_index(first)[0]["oneLiner"]) <= 120
    assert [step["stepNumber"] for step in view.last_steps(last)] == [8, 9, 10]


def test_a_later_step_without_or_with_anothers_session() -> None:
    async def main() -> None:
        sessions = Sessions(memory_session_store())
        with pytest.raises(BadInput, match="sessionId that step 1 returned"):
            await sessions.take_step(ANNA, taken(2))
        begun = (await sessions.take_step(ANNA, taken(1))).session
        for owner, id in ((BERT, begun.id), (ANNA, "made-up")):
            with pytest.raises(SessionNotFound, match="not found or expired") as told:
                await sessions.take_step(owner, taken(4, session_id=id))
            assert told.value.last_known_step == 3
        with pytest.raises(SessionNotFound):
            await sessions.take_step(ANNA, taken(1, session_id="made-up"))

    asyncio.run(main())


def test_what_is_recorded_is_seen_by_who_asks_next() -> None:
    async def main() -> None:
        sessions = Sessions(memory_session_store())
        id = (await sessions.take_step(ANNA, taken(1))).session.id
        for n in range(5):
            sessions.record_soon(
                ANNA, id, [FoundSource(url=f"https://e{n}.org")], [RequestOutcome(success=True, provider="p")]
            )
        sessions.record_soon(ANNA, "no such session", [FoundSource(url="https://e.org")])
        sessions.record_soon(BERT, id, [FoundSource(url="https://intruder.org")])
        found = await sessions.fetch(ANNA, id)
        assert sorted(source.url for source in found.sources) == [f"https://e{n}.org" for n in range(5)]
        assert {source.after_step for source in found.sources} == {1}
        assert view.provider_stats(found.outcomes) == {"p": {"attempts": 5, "successes": 5}}
        sessions.record_soon(ANNA, id, [FoundSource(url="https://late.org")])
        store = sessions.store
        await sessions.drain()
        assert (await store.load(ANNA, id)).sources[-1].url == "https://late.org"
        await sessions.close()

    asyncio.run(main())


def test_only_failures_that_recur_are_a_pattern() -> None:
    outcomes = [
        RequestOutcome(success=False, error_kind="blocked", url=f"https://{n}.org", timestamp=NOW) for n in range(7)
    ]
    outcomes += [RequestOutcome(success=False, error_kind="network", url="https://a.org")] * 3
    outcomes += [RequestOutcome(success=False, error_kind="rate_limited")] * 2 + [
        RequestOutcome(success=False, provider="p")
    ] * 9
    blocked, network = view.error_patterns(outcomes)
    assert (blocked["kind"], blocked["count"], len(blocked["affectedUrls"])) == ("blocked", 7, 5)
    assert blocked["lastSeen"] == "2026-05-06T07:08:09Z" and blocked["suggestion"]
    assert (network["kind"], network["affectedUrls"]) == ("network", ["https://a.org"])


def sources(*pairs: tuple[str, str | None]) -> list[FoundSource]:
    return [FoundSource(url=f"https://{host}/{n}", type=kind) for n, (host, kind) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("found", "spread", "dominant", "gaps"),
    [
        ([], 0.0, None, ["No sources"]),
        ([("a.org", "web")], 1.0, None, ["All sources are of one type (web)", "Fewer than 3"]),
        ([("a.org", "web"), ("www.a.org", "news"), ("b.org", None)], 0.67, "a.org", ["Most sources"]),
        ([("a.org", "web"), ("b.org", "news"), ("c.org", None), ("a.org", None)], 0.75, None, []),
        ([("a.org", "web")] * 3 + [("b.org", "web")] * 2, 0.4, None, ["All sources are of one type"]),
    ],
)
def test_coverage(found: Any, spread: float, dominant: str | None, gaps: list[str]) -> None:
    aside = FoundSource(url="https://aside.org", rejected="off topic")
    covered = coverage([*sources(*found), aside])
    assert (covered.source_count, covered.domain_spread, covered.dominant_domain) == (len(found), spread, dominant)
    assert len(covered.gaps) == len(gaps)
    assert all(said.startswith(start) for said, start in zip(covered.gaps, gaps, strict=True))


@pytest.mark.parametrize(
    ("goal", "gap", "query"),
    [
        ("heat pumps", "cost of heat pumps in Norway", "cost heat pumps Norway"),
        ("heat pumps", "figures after 2023", "heat pumps figures after:2023"),
        ("heat pumps", "the heat pumps", "heat pumps"),
        ("热泵 成本", "挪威的补贴", "热泵 成本 挪威的补贴"),
        ("Find out why heat pumps work less well in cold air", "noise", "heat pumps work less well noise"),
        ('"quoted" goal', "we still need evidence of noise", "quoted goal noise"),
    ],
)
def test_a_gap_becomes_a_short_query_of_what_is_missing(goal: str, gap: str, query: str) -> None:
    made = gap_query(key_words(goal, 5), gap)
    assert made == query
    assert len(made.split()) <= 11


def test_queries_are_ordered_and_bounded() -> None:
    covered = coverage(sources(*[("a.org", "academic")] * 4))
    gaps = [Gap(description=f"topic{n}", found_in_step=1) for n in range(2)]
    found = refinement_queries("tides", gaps, covered)
    assert found == ["tides topic0", "tides topic1", "tides -site:a.org", "tides latest news"]
    many = [Gap(description=f"topic{n}", found_in_step=1) for n in range(20)]
    assert len(refinement_queries("tides", many, covered)) == 6


def test_thorough_runs_three_queries_side_by_side() -> None:
    """Each waits for the last: one after the other they would wait for ever."""
    asked: list[str] = []
    all_asked = asyncio.Event()

    async def search(query: str, count: int) -> Searched:
        asked.append(query)
        await all_asked.wait() if len(asked) < 3 else all_asked.set()
        if "gap2" in query:
            raise RateLimited("too many", provider="slow")
        return Searched([Hit(title=query, url=f"https://{len(asked)}.org/{query[-1]}")] * count, "quick")

    async def main() -> None:
        sessions = Sessions(memory_session_store())
        id = (await sessions.take_step(ANNA, taken(1, goal="tides"))).session.id
        for n in range(2, 6):
            await sessions.take_step(ANNA, taken(n, session_id=id, knowledge_gap=f"gap{n}"))
        deep = await sessions.take_step(ANNA, taken(6, session_id=id, depth="thorough"), search)
        assert len(asked) == 3 and len(deep.queries) == 4
        assert deep.refined is not None
        assert [bool(item.error) for item in deep.refined] == [True, False, False]
        assert deep.refinement_note == "4 queries were suggested; the first 3 were run."
        assert deep.refinement_warning == "1 of 3 searches failed."
        found = await sessions.fetch(ANNA, id)
        assert len(found.sources) == 2 and {source.found_in_step for source in found.sources} == {6}
        assert view.provider_stats(found.outcomes) == {
            "quick": {"attempts": 2, "successes": 2},
            "slow": {"attempts": 1, "successes": 0},
        }
        plain = await sessions.take_step(ANNA, taken(7, session_id=id, depth="standard"), search)
        assert plain.refined is None and plain.coverage and len(asked) == 3

    asyncio.run(main())


@pytest.mark.parametrize(
    ("one", "other", "gravest"),
    [
        (None, "correction", "correction"),
        ("retraction", "correction (2024-01-02)", "retraction"),
        ("correction (2024-01-02)", "retraction", "retraction"),
        ("correction", "expression_of_concern", "expression_of_concern"),
        ("retraction", "retraction (2024-01-02)", "retraction (2024-01-02)"),
    ],
)
def test_a_graver_notice_stays(one: str | None, other: str, gravest: str) -> None:
    first, second = (FoundSource(url="https://a.example/", retraction=notice) for notice in (one, other))
    assert first.merge_with(second).retraction == gravest


numbers = st.integers(1, 8)
branches = st.sampled_from([None, "", "a", "b", "main"])
steps = st.builds(
    taken,
    numbers,
    st.sampled_from(["x", "y", "ж"]),
    branch_id=branches,
    branch_from_step=st.none() | numbers,
    revises_step=st.none() | numbers,
    knowledge_gap=st.none() | st.sampled_from(["g", "h"]),
    resolved_gaps=st.sampled_from([(), ("g",), ("h",)]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(steps, max_size=25))
def test_whatever_is_sent_the_trail_is_a_tree(inputs: Sequence[StepInput]) -> None:
    session = session_of(taken(1))
    for one in inputs:
        before = session
        try:
            session = with_step(session, one, NOW, 200)
        except BadInput:
            continue
        assert session.steps[: len(before.steps)] == before.steps
    for position, step in enumerate(session.steps, start=1):
        assert step.position == position
        assert step.parent < position and (step.revises or 0) < position
        assert step.number > 1 or position == 1
    identities = [(step.branch, step.number) for step in session.steps]
    assert len(set(identities)) == len(identities)
    assert sum(len(session.children(position)) for position in range(len(session.steps))) == len(session.steps)
    assert all(gap.is_open or gap.closed_in_step for gap in session.gaps)
