"""Settings: what is accepted, and what is said of what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellsourced.app.configuration import conflicts, declared_settings
from wellsourced.app.network import browser_maker, make_guard
from wellsourced.mcp.listings import Listings
from wellsourced.net.browser import browser
from wellsourced.settings import Settings
from wellsourced.settings.setting import Setting, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("5m", 300), ("1h30m", 5400), ("250ms", 0.25), ("1.5h", 5400), ("90d", 7_776_000), ("45", 45)],
)
def test_durations_as_go_writes_them(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "5x", "-5m", "five", "1h30", "h1"])
def test_other_durations_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ALLOW_PRIVATE_IPS", "perhaps", "true or false"),
        ("CACHE_MAX_MEMORY_MB", "-1", "a whole number, 0 or more"),
        ("TOOL_TIMEOUT", "soon", "30s, 5m or 1h30m"),
        ("LOG_LEVEL", "loud", "debug or info or warn or error"),
        ("SEARXNG_URL", "searx.example", "http:// or https://"),
        ("PORT", "65536", "a whole number, 0 to 65535"),
        ("MAX_REQUEST_BODY_BYTES", "0", "a whole number, 1 or more"),
        ("SESSION_TTL", "0s", "more than 0"),
        ("LIBRARY_RETENTION", "99999999d", "30s, 5m or 1h30m"),
    ],
)
def test_a_bad_value_names_the_variable_and_what_it_accepts(name: str, value: str, says: str) -> None:
    settings = Settings({name: value}, declared_settings())
    (problem,) = settings.problems
    assert problem.startswith(f"{name}: ")
    assert repr(value) in problem
    assert says in problem


def test_an_older_name_is_read_where_the_newer_is_not_set() -> None:
    older = {"CACHE_ADMIN_KEY": "older"}
    assert [Settings(given).text("ADMIN_API_KEY") for given in (older, {**older, "ADMIN_API_KEY": "newer"})] == [
        "older",
        "newer",
    ]


def test_quotes_and_blanks_around_a_value_are_no_part_of_it() -> None:
    given = {"PORT": ' "8080" ', "ALLOW_PRIVATE_IPS": "'true'", "HTTP_CSP": "'a' b 'c'", "CACHE_DIR": '"~/kept"'}
    settings = Settings(given)
    assert settings.problems == []
    assert (settings.count("PORT"), settings.flag("ALLOW_PRIVATE_IPS")) == (8080, True)
    assert settings.text("HTTP_CSP") == "'a' b 'c'"
    assert settings.text("CACHE_DIR") == str(Path.home() / "kept")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LIBRARY_URL", "mysql://x"),
        ("CHROME_PATH", "/no/such/program"),
        ("BROWSER_CDP_URL", "browser:9222"),
        ("BROWSER_CDP_URL", "http://browser:9222"),
    ],
)
def test_what_cannot_work_is_named_at_the_start(name: str, value: str) -> None:
    (problem,) = conflicts(Settings({name: value}))
    assert problem.startswith(f"{name}: ")


@pytest.mark.parametrize("allowed", ["false", "true"])
def test_a_browser_elsewhere_is_asked_only_where_the_operator_says_so(
    monkeypatch: pytest.MonkeyPatch, allowed: str
) -> None:
    """Not all that it fetches can be checked from here."""
    asked: list[str] = []
    monkeypatch.setattr(browser, "Browser", lambda guard, *, cdp_url, **more: asked.append(cdp_url))
    settings = Settings({"BROWSER_CDP_URL": "http://browser:9222", "ALLOW_UNCHECKED_BROWSER": allowed})
    make = browser_maker(settings, make_guard(settings))
    assert make is not None
    make()
    assert asked == ["http://browser:9222" if allowed == "true" else ""]
    assert bool(conflicts(settings)) == (allowed == "false")


def test_tools_and_toolsets_that_do_not_exist_are_named() -> None:
    listings = Listings(Settings({"TOOLSETS": "core,nonsense", "TOOLS": "web-search"}))
    about_toolsets, about_tools = listings.problems
    assert about_toolsets.startswith("TOOLSETS: there is no 'nonsense'; it accepts academic, ")
    assert about_tools.startswith("TOOLS: there is no 'web-search'; ")
    assert Listings(Settings({"TOOLSETS": "core", "TOOLS": "web_search"})).problems == []


def test_a_secret_is_never_shown_and_an_empty_value_is_no_value() -> None:
    settings = Settings({"CACHE_ENCRYPTION_KEY": "hunter2", "PORT": "  "})
    assert "hunter2" not in " ".join(settings.problems)
    assert settings.count("PORT") == 0
    assert not settings.is_set("PORT")


def test_every_variable_is_declared_once_and_every_secret_is_marked() -> None:
    declared = declared_settings()
    names = [setting.name for setting in declared]
    assert len(names) == len(set(names))
    unmarked = [s.name for s in declared if s.name.endswith(("_KEY", "_TOKEN", "_SECRET")) and not s.secret]
    assert unmarked == []
    assert all(isinstance(setting, Setting) and setting.help.endswith((".", ")")) for setting in declared)
