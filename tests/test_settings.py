"""Settings: what is accepted, and what is said of what is not."""

from __future__ import annotations

import pytest

from wellsourced.model.setting import Setting
from wellsourced.settings import Settings, parse_duration
from wellsourced.wiring import declared_settings


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
    ],
)
def test_a_bad_value_names_the_variable_and_what_it_accepts(name: str, value: str, says: str) -> None:
    settings = Settings({name: value}, declared_settings())
    (problem,) = settings.problems
    assert problem.startswith(f"{name}: ")
    assert repr(value) in problem
    assert says in problem


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
