"""Checks of the settings: what is not understood, and what contradicts each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wellsourced import upstreams
from wellsourced.app import configuration, network
from wellsourced.cli.checks import CheckResult
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.net.client import HttpClient
from wellsourced.search.lenses import Lenses
from wellsourced.settings import Settings, ignored_variables
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.connection import UpstreamConnection
from wellsourced.upstream_client.provider_choice import ProviderChoice

LONGEST_TIMEOUT = 120.0
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
AREA = "settings"


async def check_settings(settings: Settings) -> list[CheckResult]:
    problems = [*settings.problems, *await router_problems(settings), *lens_problems(settings)]
    results = [CheckResult(AREA, "problem", problem) for problem in problems]
    results += conflicts(settings)
    results += [CheckResult(AREA, "note", remark) for remark in ignored_variables()]
    return results or [CheckResult(AREA, "ok", "all are understood, and they go together")]


async def router_problems(settings: Settings) -> list[str]:
    client = HttpClient(network.make_guard(settings), user_agent="wellsourced")
    try:
        return ProviderChoice(UpstreamClient(client, settings), settings).problems
    finally:
        await client.close()


def lens_problems(settings: Settings) -> list[str]:
    return Lenses.load(configuration.path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses")).problems


def conflicts(settings: Settings) -> Iterator[CheckResult]:
    yield from search_conflicts(settings)
    yield from sharing_conflicts(settings)
    yield from offer_conflicts(settings)
    if settings.seconds("TOOL_TIMEOUT") > LONGEST_TIMEOUT:
        yield CheckResult(AREA, "note", "TOOL_TIMEOUT is longer than a call may take.", "Set TOOL_TIMEOUT=120s")
    key, previous = settings.text("CACHE_ENCRYPTION_KEY"), settings.text("CACHE_ENCRYPTION_KEY_PREV")
    if previous and previous == key:
        message = "CACHE_ENCRYPTION_KEY_PREV is the same key as CACHE_ENCRYPTION_KEY."
        yield CheckResult(AREA, "note", message, "Unset CACHE_ENCRYPTION_KEY_PREV")


def search_conflicts(settings: Settings) -> Iterator[CheckResult]:
    name = settings.text("SEARCH_PROVIDER").lower()
    entry = upstreams.all_upstreams().get(name)
    if name and settings.is_set("SEARCH_ROUTING"):
        yield CheckResult(
            AREA, "note", "SEARCH_ROUTING is set, so SEARCH_PROVIDER is not used.", "Unset one of the two"
        )
    if entry and (missing := UpstreamConnection(entry.provider, entry.settings(), settings, CircuitBreaker()).missing):
        message = f"SEARCH_PROVIDER={name} is not configured, so no search can be made."
        yield CheckResult(AREA, "problem", message, f"Set {' and '.join(missing)}, or unset SEARCH_PROVIDER")


def sharing_conflicts(settings: Settings) -> Iterator[CheckResult]:
    if settings.is_set("REDIS_URL") and not settings.is_set("CACHE_ENCRYPTION_KEY"):
        message = "REDIS_URL is set without CACHE_ENCRYPTION_KEY: each instance would have a key of its own."
        yield CheckResult(AREA, "problem", message, "Set CACHE_ENCRYPTION_KEY to the output of: openssl rand -hex 32")
    is_open = settings.text("HOST") not in LOCAL_HOSTS
    if settings.count("PORT") and is_open and not settings.flag("ALLOW_ANONYMOUS_HTTP"):
        message = f"HOST={settings.text('HOST')} can be reached from other machines without sign-in; it will not start."
        yield CheckResult(AREA, "problem", message, "Set HOST=127.0.0.1, or ALLOW_ANONYMOUS_HTTP=true")
    if settings.count("PORT") and is_open and settings.flag("ALLOW_PRIVATE_IPS"):
        message = "ALLOW_PRIVATE_IPS lets everyone who reaches this server read pages of the network it stands in."
        yield CheckResult(AREA, "problem", message, "Unset ALLOW_PRIVATE_IPS")


def offer_conflicts(settings: Settings) -> Iterator[CheckResult]:
    """Names in TOOLS and TOOLSETS that no tool has."""
    from wellsourced.tool import registry

    declared = registry.all_tools()
    for variable, known in (("TOOLS", {t.name for t in declared}), ("TOOLSETS", {t.toolset for t in declared})):
        if unknown := sorted(set(settings.names(variable)) - known):
            message = f"{variable} names {', '.join(unknown)}, which does not exist."
            yield CheckResult(AREA, "problem", message, f"{variable} accepts: {', '.join(sorted(known))}")
