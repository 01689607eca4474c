"""What the settings mean for the whole application: which exist, where data goes, which contradict each other."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

from wellsourced import upstreams
from wellsourced.errors import Misconfigured
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.identity import ANONYMOUS, Identity
from wellsourced.pages import sites
from wellsourced.settings import Settings, environment_variable
from wellsourced.settings.setting import Setting
from wellsourced.settings.variables import VARIABLES

POSTGRES_SCHEMES = ("postgresql://", "postgres://")
# As strict as a file name: the name is shown in messages and audit lines.
LOCAL_NAME = re.compile(r"[A-Za-z0-9._@-]{1,128}")


def declared_settings() -> list[Setting]:
    """Every environment variable that the application, a provider or a site reads, each once."""
    declared = (*VARIABLES, *upstreams.upstream_settings(), *sites.settings())
    return list({setting.name: setting for setting in reversed(declared)}.values())[::-1]


def secrets_of(settings: Settings) -> list[str]:
    return [
        settings.text(setting.name)
        for setting in declared_settings()
        if setting.secret and settings.is_set(setting.name)
    ]


def data_folder(settings: Settings) -> Path:
    """Return CACHE_DIR, else the platform's folder for a user's data."""
    if settings.is_set("CACHE_DIR"):
        return Path(settings.text("CACHE_DIR"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wellsourced"
    if sys.platform == "win32":
        local = environment_variable("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "wellsourced"
    root = environment_variable("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "wellsourced"


def path_or_none(settings: Settings, name: str) -> Path | None:
    return Path(settings.text(name)) if settings.is_set(name) else None


def local_user(settings: Settings, problems: list[str]) -> Identity:
    """Return the caller where there is no sign-in: on stdio, at the command line, from Python."""
    name = settings.text("STDIO_USER_ID")
    if name and (not LOCAL_NAME.fullmatch(name) or name == ANONYMOUS):
        problems.append(
            "STDIO_USER_ID: a name has 1 to 128 letters, digits or . _ @ - and is not anonymous; until it is corrected "
            "the local user has none."
        )
        name = ""
    return Identity(user=name or ANONYMOUS)


def is_one_person(settings: Settings) -> bool:
    """Whether only the local user can have read anything: nobody signs in, and nobody else was let in."""
    if settings.is_set("OAUTH_ISSUER_URL"):
        return False
    callers = settings.text("ANONYMOUS_CALLERS")
    return callers == "one" or (callers == "auto" and not settings.flag("ALLOW_ANONYMOUS_HTTP"))


def load_reputation(settings: Settings, problems: list[str]) -> ReputationTable:
    try:
        return ReputationTable.load(path_or_none(settings, "REPUTATION_PATH"))
    except Misconfigured as problem:
        problems.append(problem.sentence)
        return ReputationTable.load(None)


def conflicts(settings: Settings) -> list[str]:
    """Sentences on settings that are valid by themselves and wrong together."""
    problems = []
    if settings.is_set("REDIS_URL") and not settings.is_set("CACHE_ENCRYPTION_KEY"):
        problems.append(
            "REDIS_URL: instances that share Redis need the same key; set CACHE_ENCRYPTION_KEY (64 hexadecimal digits)."
        )
    if settings.is_set("REDIS_URL") and find_spec("redis") is None:
        problems.append("REDIS_URL: the package redis is missing; install it with: pip install 'wellsourced[redis]'")
    if settings.is_set("REDIS_URL") and not settings.text("REDIS_URL").startswith(("redis://", "rediss://", "unix://")):
        problems.append("REDIS_URL: it is not understood; it accepts an address such as redis://:password@host:6379/0.")
    if settings.is_set("LIBRARY_URL") and not settings.text("LIBRARY_URL").startswith(POSTGRES_SCHEMES):
        problems.append(
            "LIBRARY_URL: it is not understood; it accepts an address such as postgresql://user:password@host/database."
        )
    problems += browser_problems(settings)
    webhook = settings.text("AUDIT_WEBHOOK_URL")
    if webhook and not webhook.startswith(("http://", "https://")):
        problems.append("AUDIT_WEBHOOK_URL: it must be an http:// or https:// address.")
    if webhook and not settings.is_set("AUDIT_OUTPUT_PATH"):
        problems.append("AUDIT_WEBHOOK_URL: lines are sent as they are written; set AUDIT_OUTPUT_PATH to a file, too.")
    return problems


def is_program(name: str) -> bool:
    from shutil import which

    return which(name) is not None


def browser_problems(settings: Settings) -> list[str]:
    problems = []
    chrome, pool = settings.text("CHROME_PATH"), settings.text("BROWSER_CDP_URL")
    if chrome and chrome.lower() != "disabled" and not is_program(chrome):
        problems.append(
            f"CHROME_PATH: {chrome[:200]!r} is not a program that can be run; it accepts the path of Chromium, or "
            "disabled."
        )
    if pool and not pool.startswith(("http://", "https://", "ws://", "wss://")):
        problems.append("BROWSER_CDP_URL: it is not understood; it accepts an address such as http://browser:9222.")
    elif pool and not settings.flag("ALLOW_UNCHECKED_BROWSER"):
        problems.append(
            "BROWSER_CDP_URL: it is not used. What a browser elsewhere fetches cannot all be checked from here: a page "
            "can make it reach its own network. Give it a network from which nothing private can be reached, then set "
            "ALLOW_UNCHECKED_BROWSER=true."
        )
    return problems
