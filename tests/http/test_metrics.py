"""/metrics of the real process after real calls, and who may read it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.http.http_server import get, http_server
from tests.http.raw_connection import connect, read_to_end, tool_call
from wellsourced.http.metrics import labels
from wellsourced.pipeline.statistics import OTHER_TENANTS, Statistics

SAMPLE = re.compile(r'([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\S+)')


def samples(text: str) -> dict[str, float]:
    """Every line is a comment or a sample; by name and labels."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            match = SAMPLE.fullmatch(line)
            assert match, line
            found[match[1] + (match[2] or "")] = float(match[3])
    return found


def call(address: str, **arguments: object) -> None:
    with connect(address) as connection:
        connection.sendall(tool_call("web_search", arguments, connection="close"))
        assert b'"id":7' in read_to_end(connection)


def test_calls_errors_and_hits_are_counted_for_those_who_may_know(environment: Mapping[str, str]) -> None:
    with http_server({**environment, "ADMIN_API_KEY": "operator"}) as address:
        for _ in range(2):
            call(address, query="solar panels")
        call(address, query="x", provider="altavista")
        status, headers, body = get(address + "/metrics")
        assert (status, headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
        counted = samples(body.decode())
        for foreign in ({"x-forwarded-for": "203.0.113.7"}, {"host": "evil.example"}, {"via": "1.1 proxy"}):
            assert get(address + "/metrics", foreign)[0] == 401
            assert get(address + "/metrics", {**foreign, "x-admin-key": "wrong"})[0] == 401
            assert get(address + "/metrics", {**foreign, "x-admin-key": "operator"})[0] == 200
    assert counted['mcp_tool_calls_total{tool="web_search"}'] == 3
    assert counted['mcp_tool_errors_total{tool="web_search",error_code="config"}'] == 1
    assert counted['mcp_tool_latency_seconds_bucket{tool="web_search",le="+Inf"}'] == 3
    assert counted['mcp_tool_latency_seconds_count{tool="web_search"}'] == 3
    assert counted['mcp_tenant_calls_total{tenant="default"}'] == 3
    assert counted['mcp_cache_hits_total{layer="memory"}'] >= 1
    assert counted['mcp_cache_misses_total{layer="store"}'] >= 1
    assert counted["mcp_active_connections"] == 1
    names = {key.partition("{")[0] for key in counted}
    assert {f"mcp_audit_{event}_total" for event in ("events_dropped", "events_spilled", "log_rotations")} <= names
    assert "mcp_ratelimit_redis_fallback_total" in names


def test_with_sign_in_the_key_is_needed_on_this_machine_too(environment: Mapping[str, str]) -> None:
    issuer = {"OAUTH_ISSUER_URL": "http://127.0.0.1:9/", "PUBLIC_URL": "http://127.0.0.1:9"}
    with http_server({**environment, **issuer, "ADMIN_API_KEY": "operator"}) as address:
        status, _, body = get(address + "/metrics")
        assert (status, b"X-Admin-Key" in body) == (401, True)
        assert get(address + "/metrics", {"x-admin-key": "operator"})[0] == 200


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "検索", "\ud800"])
def test_any_tenant_makes_a_line_that_can_be_read(name: str) -> None:
    line = f"mcp_tenant_calls_total{labels(tenant=name)} 1"
    assert SAMPLE.fullmatch(line)
    line.encode()


def test_tenants_beyond_the_most_are_counted_together() -> None:
    statistics = Statistics(most_tenants=2)
    for name in ("a", "b", "c", "d", "a"):
        statistics._tenant(name).calls += 1
    assert {name: tally.calls for name, tally in statistics.tenants.items()} == {"a": 2, "b": 1, OTHER_TENANTS: 2}
