"""A day's calls are counted once, whichever instance they reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.many_users.server import CALLS_A_DAY, INSTANCES, TENANT_CALLS_A_DAY, Person, Servers, ToolResponse

AT_ONCE = 12
TOO_MANY = 8


def crowd(servers: Servers, people: Sequence[Person], calls: int) -> list[ToolResponse]:
    """So many calls in all, from several at once, by turns at both instances."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(
            pool.map(
                lambda n: servers.call(people[n % len(people)], n // len(people) % 2, "memory_recall"), range(calls)
            )
        )


def counted_alone(servers: Servers) -> int:
    """How often an instance had to decide without Redis."""
    return sum(servers.metric(instance, "mcp_ratelimit_redis_fallback_total") for instance in INSTANCES)


@pytest.mark.parametrize(("users", "most"), [(1, CALLS_A_DAY), (3, TENANT_CALLS_A_DAY)], ids=["user", "tenant"])
def test_exactly_a_days_calls_pass_over_both_instances(servers: Servers, users: int, most: int) -> None:
    tenant = servers.people()[0].tenant
    people = [servers.person(tenant, f"user-{number}") for number in range(users)]
    responses = crowd(servers, people, most + TOO_MANY)
    assert counted_alone(servers) == 0
    outcomes = Counter((answer.status, answer.is_error) for answer in responses)
    assert outcomes == {(200, False): most, (200 if users == 1 else 429, True): TOO_MANY}
    for answer in responses:
        if answer.is_error and users == 1:
            assert "MAX_CALLS_PER_DAY" in answer.text and "rate_limited" in answer.text
        elif answer.is_error:
            assert answer.message["limit"] == "DAILY_QUOTA_PER_TENANT"
            assert 0 < int(answer.headers["retry-after"]) == answer.message["retryAfterSeconds"] <= 86_400
    stranger = servers.people()[2]
    assert not any(servers.call(stranger, instance, "memory_recall").is_error for instance in INSTANCES)
    check_reported_usage(servers, people[0], users, most)


def check_reported_usage(servers: Servers, who: Person, users: int, most: int) -> None:
    for instance in INSTANCES:
        shown = servers.read(who, instance, "stats://rate-limits").text
        assert f'\\"dailyUsed\\":{most},\\"dailyRemaining\\":0' in shown, shown
