"""The two search programs as processes, against the loopback's Brave and Google."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.loopback.run import Internet
from tests.programs.conftest import Keep
from tests.programs.running import run

KEYS = {
    "brave": {"BRAVE_API_KEY": "good-key"},
    "google": {"GOOGLE_SEARCH_API_KEY": "good-key", "GOOGLE_SEARCH_ENGINE_ID": "engine-1"},
}
FILES = {
    "brave": {"web_search": {"brave": {"api_key": "good-key"}}},
    "google": {"web_search": {"google": {"api_key": "good-key", "engine_id": "engine-1"}}},
}
COUNT = {"brave": "count", "google": "num"}
BOTH = pytest.mark.parametrize("program", ["brave", "google"])
JSON = {"content-type": "application/json"}


def asked(internet: Internet, program: str) -> dict[str, str]:
    """The parameters of the one request the engine saw."""
    (seen,) = [each for each in internet.stats()["seen"] if each["path"].startswith(f"/{program}")]
    return {name: values[0] for name, values in parse_qs(seen["query"]).items()}


def rows(program: str, urls: list[str]) -> str:
    """An engine's answer in its leanest form."""
    if program == "brave":
        results = [{"title": f"t{n}", "url": url, "description": f"d{n}"} for n, url in enumerate(urls)]
        return json.dumps({"type": "search", "web": {"results": results}})
    items = [{"title": f"t{n}", "link": url, "snippet": f"d{n}"} for n, url in enumerate(urls)]
    return json.dumps({"kind": "customsearch#search", "items": items})


@BOTH
def test_results_have_title_url_and_snippet(program: str, surroundings: dict[str, str], internet: Internet) -> None:
    answer = run(program, {"query": "solar panels", COUNT[program]: 4}, {**surroundings, **KEYS[program]}).success
    assert list(answer) == ["success", "results", "count"]
    assert answer["count"] == 4 == len(answer["results"])
    assert all(list(result) == ["title", "url", "snippet"] for result in answer["results"])
    assert answer["results"][0]["title"] == "solar panels 1"
    assert answer["results"][0]["url"].startswith(internet.base)
    assert "findings" in answer["results"][0]["snippet"]


def test_brave_is_asked_as_the_contract_maps_it(surroundings: dict[str, str], internet: Internet) -> None:
    request = {"query": "größe", "count": 7, "offset": 2}
    assert run("brave", request, {**surroundings, **KEYS["brave"]}).success["success"]
    sent = asked(internet, "brave")
    assert (sent["q"], sent["count"], sent["offset"]) == ("größe", "7", "2")
    headers = internet.stats()["seen"][0]["headers"]
    assert headers["x-subscription-token"] == "good-key"


GOOGLE_REQUESTS: list[tuple[dict[str, Any], dict[str, str | None]]] = [
    ({}, {"q": "tides", "num": "10", "start": "1", "siteSearch": None}),
    ({"num": 3, "start": 11}, {"num": "3", "start": "11"}),
    ({"count": 3, "offset": 10}, {"num": "3", "start": "11"}),
    (
        {"allowed_domains": ["https://Example.com:443/x"]},
        {"q": "tides", "siteSearch": "example.com", "siteSearchFilter": "i"},
    ),
    (
        {"allowed_domains": ["a.org", "b.org"]},
        {"q": "tides (site:a.org OR site:b.org)", "siteSearch": None, "siteSearchFilter": None},
    ),
    ({"blocked_domains": ["spam.com"]}, {"q": "tides", "siteSearch": "spam.com", "siteSearchFilter": "e"}),
    ({"blocked_domains": ["a.com", "b.com"]}, {"q": "tides -site:a.com -site:b.com", "siteSearch": None}),
    (
        {"allowed_domains": ["a.org"], "blocked_domains": ["b.a.org"]},
        {"q": "tides -site:b.a.org", "siteSearch": "a.org", "siteSearchFilter": "i"},
    ),
]


@pytest.mark.parametrize(("more", "expected"), GOOGLE_REQUESTS)
def test_google_is_asked_as_the_contract_maps_it(
    surroundings: dict[str, str], internet: Internet, more: dict[str, Any], expected: dict[str, str | None]
) -> None:
    assert run("google", {"query": "tides", **more}, {**surroundings, **KEYS["google"]}).success["success"]
    sent = asked(internet, "google")
    assert {name: sent.get(name) for name in expected} == expected
    assert (sent["key"], sent["cx"]) == ("good-key", "engine-1")


DOMAINS: list[tuple[dict[str, list[str]], list[str]]] = [
    ({"allowed_domains": ["example.com"]}, ["https://example.com/1", "https://www.EXAMPLE.com/2"]),
    ({"allowed_domains": ["example.com", "other.org"]}, ["https://example.com/1", "https://www.EXAMPLE.com/2", "https://other.org/"]),
    ({"blocked_domains": ["example.com", "other.org"]}, ["https://notexample.com/3", "https://example.com.fake/4"]),
    ({"allowed_domains": ["example.com"], "blocked_domains": ["www.example.com"]}, ["https://example.com/1"]),
    ({"allowed_domains": ["nowhere.net"]}, []),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(("lists", "expected"), DOMAINS)
def test_domains_hold_whatever_the_engine_does(
    program: str, surroundings: dict[str, str], internet: Internet, lists: dict[str, list[str]], expected: list[str]
) -> None:
    urls = ["https://example.com/1", "https://www.EXAMPLE.com/2", "https://notexample.com/3"]
    urls += ["https://example.com.fake/4", "https://other.org/", "https://other.org/"]
    internet.control(f"/{program}", status=200, headers=JSON, body=rows(program, urls))
    answer = run(program, {"query": "tides", **lists}, {**surroundings, **KEYS[program]}).success
    assert [result["url"] for result in answer["results"]] == expected
    assert answer["count"] == len(expected)


@BOTH
def test_nothing_found_is_success(program: str, surroundings: dict[str, str], internet: Internet) -> None:
    answer = run(program, {"query": "nothing"}, {**surroundings, **KEYS[program]}).success
    assert answer == {"success": True, "results": [], "count": 0}
    bare = {
        "brave": ('{"type": "search"}', '{"type": "search", "web": {"type": "search", "results": null}}'),
        "google": ('{"kind": "customsearch#search"}', '{"kind": "customsearch#search", "items": null}'),
    }
    for body in bare[program]:
        internet.control(f"/{program}", status=200, headers=JSON, body=body)
        assert run(program, {"query": "tides"}, {**surroundings, **KEYS[program]}).success["count"] == 0


@BOTH
def test_rows_without_title_or_address_are_left_out(
    program: str, surroundings: dict[str, str], internet: Internet
) -> None:
    body = json.loads(rows(program, ["https://a.org/", "https://b.org/", "https://c.org/", "https://d.org/"]))
    items = body["web"]["results"] if program == "brave" else body["items"]
    del items[0]["title"]
    items[1]["url" if program == "brave" else "link"] = None
    del items[2]["description" if program == "brave" else "snippet"]
    items[3]["title"] = "Tom &amp; <strong>Jerry</strong>"
    internet.control(f"/{program}", status=200, headers=JSON, body=json.dumps(body))
    answer = run(program, {"query": "tides"}, {**surroundings, **KEYS[program]}).success
    assert answer["results"] == [
        {"title": "t2", "url": "https://c.org/", "snippet": ""},
        {"title": "Tom & Jerry", "url": "https://d.org/", "snippet": "d3"},
    ]


@BOTH
def test_credentials_come_from_the_environment_first_then_from_the_file(
    program: str, surroundings: dict[str, str], internet: Internet, keep_credentials: Keep
) -> None:
    keep_credentials(FILES[program])
    assert run(program, {"query": "tides"}, surroundings).success["count"] == 10
    blank = dict.fromkeys(KEYS[program], "")
    assert run(program, {"query": "tides"}, {**surroundings, **blank}).success["count"] == 10
    bad = dict.fromkeys(KEYS[program], "bad-key")
    assert run(program, {"query": "tides"}, {**surroundings, **bad}).failure["error_code"] == "AUTH_INVALID"


def test_each_of_googles_values_is_looked_for_by_itself(
    surroundings: dict[str, str], internet: Internet, keep_credentials: Keep
) -> None:
    keep_credentials({"web_search": {"google": {"engine_id": "from-file"}}})
    assert run("google", {"query": "tides"}, {**surroundings, "GOOGLE_SEARCH_API_KEY": "from-environment"}).success[
        "success"
    ]
    sent = asked(internet, "google")
    assert (sent["key"], sent["cx"]) == ("from-environment", "from-file")


BROKEN_FILES: list[Any] = [
    "{not json",
    "[]",
    {"web_search": []},
    {"web_search": {"brave": {"api_key": 5}, "google": 1}},
]


@BOTH
@pytest.mark.parametrize("content", [None, *BROKEN_FILES])
def test_missing_credentials_are_told_on_both_streams(
    program: str, surroundings: dict[str, str], internet: Internet, keep_credentials: Keep, content: Any
) -> None:
    if content is not None:
        keep_credentials(content)
    ran = run(program, {"query": "tides"}, surroundings)
    assert ran.failure["error_code"] == "AUTH_MISSING"
    assert ran.failure["error"].startswith("Web search requires API key configuration.\n\n")
    assert f"web_search.{program}.api_key" in ran.failure["error"]
    event = json.loads(ran.stderr)
    assert list(event) == ["kind", "content", "data_json"] and event["kind"] == "config_required"
    assert event["content"].startswith("⚠ Configuration Required\n\n")
    data = json.loads(event["data_json"])
    assert data["tool"] == f"web_search_{program}"
    expected = ["api_key", "engine_id"] if program == "google" else "api_key"
    assert data.get("credentials", data.get("credential")) == expected
    assert internet.requests() == 0


def test_half_of_googles_credentials_is_none(surroundings: dict[str, str]) -> None:
    ran = run("google", {"query": "tides"}, {**surroundings, "GOOGLE_SEARCH_API_KEY": "key"})
    assert ran.failure["error_code"] == "AUTH_MISSING"
    assert json.loads(json.loads(ran.stderr)["data_json"])["credentials"] == ["api_key", "engine_id"]


def google_error(status: int, reason: str, state: str = "") -> dict[str, Any]:
    error = {"code": status, "message": "said", "errors": [{"reason": reason}], "status": state}
    return {"status": status, "headers": JSON, "body": json.dumps({"error": error})}


def brave_error(status: int, code: str) -> dict[str, Any]:
    error = {"status": status, "code": code, "detail": "said", "meta": {}}
    return {"status": status, "headers": JSON, "body": json.dumps({"type": "ErrorResponse", "error": error})}


ERRORS: list[tuple[str, Mapping[str, Any], str, str]] = [
    ("brave", {"status": 429, "body": "slow down"}, "RATE_LIMIT", "(2,000/month)"),
    ("brave", brave_error(429, "RATE_LIMITED"), "RATE_LIMIT", "(2,000/month)"),
    ("brave", brave_error(402, "QUOTA"), "RATE_LIMIT", "(2,000/month)"),
    ("brave", brave_error(422, "SUBSCRIPTION_TOKEN_INVALID"), "AUTH_INVALID", "key"),
    ("brave", {"status": 401, "body": "no"}, "AUTH_INVALID", "key"),
    ("brave", {"status": 403, "headers": JSON, "body": "{}"}, "AUTH_INVALID", "key"),
    ("brave", {"status": 403, "body": "<html>Attention Required! | Cloudflare</html>"}, "API_ERROR", "web page"),
    ("brave", brave_error(422, "VALIDATION"), "API_ERROR", "said"),
    ("brave", {"status": 500, "body": "oops"}, "API_ERROR", "500"),
    ("brave", {"status": 200, "body": "<html>hello</html>"}, "API_ERROR", "JSON"),
    ("brave", {"status": 200, "body": "[]"}, "API_ERROR", "object"),
    ("brave", {"status": 200, "body": '{"web": {"results": "many"}}'}, "API_ERROR", "not understood"),
    ("brave", {"status": 200, "body": '{"web": {"results": [{"name": 1}]}}'}, "API_ERROR", "not understood"),
    ("brave", {"status": 200, "body": '{"unexpected": true}'}, "API_ERROR", "not understood"),
    ("brave", {"fault": "reset"}, "NETWORK_ERROR", "connection"),
    ("brave", {"fault": "garbage"}, "NETWORK_ERROR", "HTTP"),
    ("brave", {"fault": "huge-json", "size": 36_000_000}, "NETWORK_ERROR", "bytes"),
    ("google", google_error(403, "dailyLimitExceeded"), "RATE_LIMIT", "(100/day)"),
    ("google", google_error(403, "quotaExceeded"), "RATE_LIMIT", "(100/day)"),
    ("google", google_error(403, "userRateLimitExceeded"), "RATE_LIMIT", "(100/day)"),
    ("google", google_error(429, "rateLimitExceeded", "RESOURCE_EXHAUSTED"), "RATE_LIMIT", "(100/day)"),
    ("google", google_error(400, "keyInvalid"), "AUTH_INVALID", "key"),
    ("google", google_error(401, "authError"), "AUTH_INVALID", "key"),
    ("google", google_error(403, "accessNotConfigured"), "AUTH_INVALID", "key"),
    ("google", google_error(400, "invalid", "INVALID_ARGUMENT"), "API_ERROR", "said"),
    ("google", {"status": 503, "body": "oops"}, "API_ERROR", "503"),
    ("google", {"status": 200, "body": "not json"}, "API_ERROR", "JSON"),
    ("google", {"status": 200, "body": '{"items": {}}'}, "API_ERROR", "not understood"),
    ("google", {"status": 200, "body": '{"unexpected": true}'}, "API_ERROR", "not understood"),
    ("google", {"fault": "reset"}, "NETWORK_ERROR", "connection"),
    ("google", {"latency_ms": 60_000}, "NETWORK_ERROR", "seconds"),
]


@pytest.mark.parametrize(("program", "behaviour", "code", "says"), ERRORS)
def test_every_failure_has_its_code_and_a_status(
    surroundings: dict[str, str], internet: Internet, program: str, behaviour: Mapping[str, Any], code: str, says: str
) -> None:
    internet.control(f"/{program}", **behaviour)
    ran = run(program, {"query": "tides"}, {**surroundings, **KEYS[program]})
    assert ran.failure["error_code"] == code, ran.failure
    assert says in ran.failure["error"]
    assert "good-key" not in ran.stdout + ran.stderr
    assert ran.stderr == ""


BAD_REQUESTS: list[tuple[object, str]] = [
    (b"", "stdin"),
    (b"  \n", "stdin"),
    (b"{query: tides}", "not valid JSON"),
    (b"\xff\xfe\x00", "not valid JSON"),
    (b"[" * 100_000, "not valid JSON"),
    (b"[]", "JSON object"),
    (b" " * 1_100_000 + b"{}", "stdin"),
    (b'{"query": "' + b"x" * 1_100_000 + b'"}', "longer than"),
    ({}, "query is required"),
    ({"query": 5}, "query is required"),
    ({"query": "x"}, "at least 2"),
    ({"query": "   "}, "at least 2"),
    ({"query": "tides", "COUNT": 0}, "between 1 and"),
    ({"query": "tides", "COUNT": 21}, "between 1 and"),
    ({"query": "tides", "COUNT": "5"}, "whole number"),
    ({"query": "tides", "COUNT": True}, "whole number"),
    ({"query": "tides", "offset": -1}, "offset must be"),
    ({"query": "tides", "start": 0}, "start must be"),
    ({"query": "tides", "allowed_domains": "example.com"}, "allowed_domains must be a list"),
    ({"query": "tides", "blocked_domains": [1]}, "blocked_domains must be a list"),
    ({"query": "tides", "blocked_domains": ["exa mple"]}, "not a domain"),
]


@BOTH
@pytest.mark.parametrize(("request_", "says"), BAD_REQUESTS)
def test_a_bad_request_is_told_apart(program: str, surroundings: dict[str, str], request_: object, says: str) -> None:
    if isinstance(request_, dict):
        request_ = {COUNT[program] if name == "COUNT" else name: value for name, value in request_.items()}
    ran = run(program, request_, {**surroundings, **KEYS[program]})
    assert (ran.status, ran.failure["error_code"]) == (1, "API_ERROR")
    assert says in ran.failure["error"], ran.failure


def test_an_address_that_is_none_is_told_and_nobody_is_asked(surroundings: dict[str, str]) -> None:
    failure = run("brave", {"query": "tides"}, {**surroundings, **KEYS["brave"], "BRAVE_BASE_URL": "my proxy"}).failure
    assert "BRAVE_BASE_URL" in failure["error"]


def test_the_most_google_gives_is_the_ninety_first(surroundings: dict[str, str], internet: Internet) -> None:
    assert "between 1 and 91" in run("google", {"query": "tides", "start": 92}, surroundings).failure["error"]
    assert run("google", {"query": "nothing", "start": 91}, {**surroundings, **KEYS["google"]}).success["count"] == 0
