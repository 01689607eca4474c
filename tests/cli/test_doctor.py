"""The doctor names what is wrong and what mends it, changes nothing, and keeps keys to itself."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import all_on_loopback, run
from tests.loopback.run import Internet
from wellsourced.cli.checks import machine
from wellsourced.storage.encrypted_file import open_file

SECRET = "hunter2-very-secret"


def examine(environment: Mapping[str, str], *more: str) -> tuple[int, list[dict[str, Any]]]:
    ran = run(environment, "doctor", "--json", *more)
    report = json.loads(ran.out)
    assert report["healthy"] == (ran.status == 0)
    return ran.status, report["findings"]


def about(findings: list[dict[str, Any]], area: str, state: str) -> str:
    return "\n".join(f"{f['message']} {f.get('fix', '')}" for f in findings if (f["area"], f["state"]) == (area, state))


def test_a_healthy_house_and_nothing_made(quiet_environment: Mapping[str, str]) -> None:
    status, findings = examine({**quiet_environment, "CHROME_PATH": "disabled", "SESSION_DATA_DIR": "/sessions"})
    assert status == 0, findings
    assert "SESSION_DATA_DIR has no effect: sessions are kept in CACHE_DIR" in about(findings, "settings", "note")
    assert "made at the first use" in about(findings, "encryption key", "ok")
    assert "never asked from here, so whether it answers is not known" in about(findings, "provider duckduckgo", "ok")
    assert "Set BRAVE_API_KEY" in about(findings, "provider brave", "note")
    assert not Path(quiet_environment["CACHE_DIR"]).exists()


@pytest.mark.parametrize(
    ("variables", "area", "says"),
    [
        ({"TOOL_TIMEOUT": "soon"}, "settings", "TOOL_TIMEOUT: 'soon' is not understood"),
        ({"SEARCH_ROUTING": "bing"}, "settings", "unknown provider bing"),
        ({"SEARCH_PROVIDER": "brave"}, "settings", "Set BRAVE_API_KEY, or unset SEARCH_PROVIDER"),
        ({"TOOLS": "web_serch"}, "settings", "TOOLS names web_serch"),
        ({"HOST": "0.0.0.0", "PORT": "8765"}, "settings", "ALLOW_ANONYMOUS_HTTP=true"),
        ({"CUSTOM_LENSES_PATH": "/no/such/lenses"}, "settings", "/no/such/lenses"),
        ({"REDIS_URL": f"redis://:{SECRET}@127.0.0.1:1/0"}, "settings", "openssl rand -hex 32"),
        ({"REDIS_URL": f"redis://:{SECRET}@127.0.0.1:1/0"}, "redis", "does not answer"),
        ({"LIBRARY_URL": f"postgresql://u:{SECRET}@127.0.0.1:1/x"}, "postgres", "does not answer"),
        ({"CHROME_PATH": "/no/such/chromium"}, "browser", "/no/such/chromium"),
        ({"CACHE_DIR": "/dev/null"}, "data folder", "is not a folder"),
    ],
)
def test_what_is_wrong_is_told_with_what_helps(
    quiet_environment: Mapping[str, str], variables: dict[str, str], area: str, says: str
) -> None:
    status, findings = examine({**quiet_environment, **variables})
    assert status == 1
    assert says in about(findings, area, "problem")
    assert SECRET not in json.dumps(findings)


def test_a_key_file_that_others_can_read(quiet_environment: Mapping[str, str]) -> None:
    folder = Path(quiet_environment["CACHE_DIR"])
    folder.mkdir()
    path = folder / "key"
    path.write_text("ab" * 32)
    os.chmod(path, 0o644)
    status, findings = examine(quiet_environment)
    assert (status, "0o644" in about(findings, "encryption key", "problem")) == (1, True)
    assert path.stat().st_mode & 0o777 == 0o644
    os.chmod(path, 0o600)
    assert "owner alone" in about(examine(quiet_environment)[1], "encryption key", "ok")
    path.write_text("not a key")
    assert "64 hexadecimal digits" in about(examine(quiet_environment)[1], "encryption key", "problem")


def test_data_that_the_key_does_not_open(quiet_environment: Mapping[str, str]) -> None:
    folder = Path(quiet_environment["CACHE_DIR"])
    one, other = ({**quiet_environment, "CACHE_ENCRYPTION_KEY": digits * 32} for digits in ("ab", "cd"))
    open_file(folder / "wellsourced.db", bytes.fromhex("ab" * 32)).close()
    rotated = {**other, "CACHE_ENCRYPTION_KEY_PREV": one["CACHE_ENCRYPTION_KEY"]}
    for environment, state in ((one, "ok"), (rotated, "ok"), (other, "problem"), (quiet_environment, "problem")):
        assert "wellsourced.db" in about(examine(environment)[1], "kept data", state)
    assert not (folder / "key").exists()
    open_file(folder / "wellsourced.db", bytes.fromhex("ab" * 32)).close()


def test_a_clock_that_cannot_be_right() -> None:
    assert machine.check_clock(0).state == "problem"
    assert machine.check_clock(10_000_000_000).state == "problem"
    assert machine.check_clock().state == "ok"


def test_keys_are_tried_only_online(keyed_environment: dict[str, str], internet: Internet) -> None:
    internet.control("/brave", status=401, body='{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID"}}')
    environment = all_on_loopback({**keyed_environment, "CHROME_PATH": "disabled"}, internet.base)
    assert examine(environment)[0] == 0
    assert internet.requests() == 0
    status, findings = examine(environment, "--online")
    assert status == 1
    assert "Check BRAVE_API_KEY" in about(findings, "online brave", "problem")
    assert "answers" in about(findings, "online searxng", "ok")
    assert environment["BRAVE_API_KEY"] not in json.dumps(findings)
