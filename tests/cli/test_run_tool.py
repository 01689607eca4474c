"""Every command against the loopback internet: exit statuses to rely on, and --json that is the answer itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app import call, content
from tests.cli.running import all_on_loopback, run
from tests.loopback.run import Internet

WITHOUT_BROWSER = {"CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}
STATUSES = [
    (["search", "tides", "-n", "2"], {}, 0, ""),
    (["news", "tides"], {}, 0, ""),
    (["papers", "tides"], {}, 0, ""),
    (["read", "{base}/site/alpha/tides"], {}, 0, ""),
    (["verify", "10.1000/tides.1"], {}, 0, ""),
    (["providers"], {}, 0, ""),
    (["lenses"], {}, 0, ""),
    (["read", "{base}/site/alpha/cut-off"], {}, 1, "cut-off"),
    (["search", "tides", "--since", "decade"], {}, 2, "'decade' is not one of"),
    (["search", "tides", "--lens", "acedemic"], {}, 2, "Did you mean academic?"),
    (["search", "tides", "--engine", "brave"], {}, 2, "BRAVE_API_KEY"),
    (["search", "tides"], {"TOOL_TIMEOUT": "soon"}, 2, "TOOL_TIMEOUT: 'soon' is not understood"),
    (["read", "{base}/site/alpha/tides"], {"ALLOW_PRIVATE_IPS": ""}, 2, "loopback address"),
    (["search"], {}, 2, "QUERY"),
    (["audit", "no-such-file.bib"], {}, 2, "no-such-file.bib cannot be read"),
    (["audit", "-"], {}, 2, "stdin is empty"),
    (["cite"], {}, 2, "one of the two"),
    (["search", "nothing"], {}, 3, "Nothing was found."),
    (["read", "{base}/site/alpha/missing"], {}, 3, "does not exist"),
    (["verify", "10.9999/never.was.1"], {}, 3, ""),
    (["session", "show", "no-such-session"], {}, 3, "Session not found"),
    (["session", "list"], {}, 3, "no research session"),
    (["search", "tides", "--engine", "duckduckgo"], {}, 4, "DuckDuckGo"),
    (["search", "tides", "--engine", "searxng", "--site", "limited.example"], {}, 4, "Rate limited"),
]


@pytest.mark.parametrize(("arguments", "more", "status", "says"), STATUSES)
def test_exit_statuses(
    environment: dict[str, str],
    internet: Internet,
    arguments: list[str],
    more: dict[str, str],
    status: int,
    says: str,
) -> None:
    internet.control("/duckduckgo", block="duckduckgo")
    internet.control("/site/alpha/cut-off", fault="reset")
    if status == 4:
        internet.control("/searxng", status=429, headers={"retry-after": "7"})
    placed = [argument.replace("{base}", internet.base) for argument in arguments]
    ran = run(all_on_loopback({**environment, **WITHOUT_BROWSER, **more}, internet.base), *placed)
    assert ran.status == status, ran
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert bool(ran.out) == (status == 0 or arguments[0] == "verify")


@pytest.mark.parametrize(
    ("arguments", "tool", "asked"),
    [
        (["search", "low", "tides", "-n", "3"], "web_search", {"query": "low tides", "num_results": 3}),
        (["search", "nothing"], "web_search", {"query": "nothing"}),
        (["news", "tides", "--newest"], "news_search", {"query": "tides", "sort_by": "date"}),
        (["papers", "tides", "--from", "2015"], "academic_search", {"query": "tides", "year_from": 2015}),
        (["verify", "10.1000/tides.1"], "verify_citation", {"citation": "10.1000/tides.1"}),
        (["read", "{base}/site/alpha/tides"], "scrape_page", {"url": "{base}/site/alpha/tides"}),
        (
            ["read", "{base}/site/alpha/x.json", "--raw"],
            "scrape_page",
            {"url": "{base}/site/alpha/x.json", "mode": "raw"},
        ),
    ],
)
def test_json_is_the_structured_content(
    environment: dict[str, str], internet: Internet, arguments: list[str], tool: str, asked: dict[str, Any]
) -> None:
    environment = all_on_loopback({**environment, **WITHOUT_BROWSER}, internet.base)
    ran = run(environment, *(argument.replace("{base}", internet.base) for argument in arguments), "--json")
    placed = {name: v.replace("{base}", internet.base) if isinstance(v, str) else v for name, v in asked.items()}
    shown, answered = json.loads(ran.out), content(call(environment, tool, **placed))
    assert shown | {"checkedAt": None} == answered | {"checkedAt": None}
    assert ran.out.count("\n") == 1


def test_a_large_answer_is_never_a_link(environment: dict[str, str], internet: Internet) -> None:
    address = f"{internet.base}/site/alpha/tides"
    ran = run({**environment, **WITHOUT_BROWSER, "LINK_THRESHOLD_BYTES": "1"}, "read", address, "--json")
    assert "tides" in json.loads(ran.out)["content"]


def test_a_failure_with_json_has_its_fields_on_stderr(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/searxng", status=429, headers={"retry-after": "7"})
    ran = run(environment, "search", "tides", "--engine", "searxng", "--json")
    sentence, fields = ran.err.strip().splitlines()
    assert (ran.status, ran.out, "Rate limited" in sentence) == (4, "", True)
    error = json.loads(fields)["error"]
    assert (error["kind"], error["retryable"], error["retryAfterSeconds"]) == ("rate_limited", True, 7)
    assert error["provider"] == "searxng"


def test_what_a_provider_could_not_do_is_told_beside_the_results(keyed_environment: dict[str, str]) -> None:
    ran = run(keyed_environment, "news", "tides", "--engine", "exa")
    assert (ran.status, ran.out[:3]) == (0, "1. ")
    assert ran.err.startswith("Note: With a time range, Exa leaves out pages")
