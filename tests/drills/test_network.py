"""Engines and sites that stall, break off, lie and lead astray: one call fails in words, and the next one works."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.app import content, error, with_app
from tests.drills.outcome import note, user_message
from tests.loopback.run import Internet
from tests.net.loopback import serving
from tests.net.test_client import write_self_signed
from wellsourced.app import Application
from wellsourced.net import address_ranges, guard
from wellsourced.net.address_ranges import Address
from wellsourced.tool.answer import ToolAnswer

IMPATIENT = {"TOOL_TIMEOUT": "1s"}
THIS_CALL = "the answer to this call"

ENGINE_FAULTS: list[tuple[str, str, str, str]] = [
    ("engine-stalls", "silence", "upstream_unavailable", "did not finish within 1 second."),
    ("engine-drips", "drip", "upstream_unavailable", "did not finish within 1 second."),
    ("engine-resets", "reset", "network", "closed the connection"),
    ("engine-half-body", "half-body", "network", "broke off before its end"),
    ("engine-not-http", "garbage", "network", "did not answer in HTTP"),
]


@pytest.fixture
def calling(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "SEARCH_PROVIDER": "searxng", "CHROME_PATH": "disabled", "ALLOW_PRIVATE_IPS": "true"}


def hurried(calling: dict[str, str], internet: Internet) -> dict[str, str]:
    """With little time for a call; what takes long when it is first done in a process is done before."""
    with_app(calling, lambda app: reads(app, f"{internet.base}/site/charlie/tides"))
    return {**calling, **IMPATIENT}


@pytest.mark.parametrize(("drill", "fault", "kind", "words"), ENGINE_FAULTS, ids=[row[0] for row in ENGINE_FAULTS])
def test_engine(calling: dict[str, str], internet: Internet, drill: str, fault: str, kind: str, words: str) -> None:
    hasty = hurried(calling, internet) if fault in ("silence", "drip") else calling

    async def script(app: Application) -> None:
        internet.control("/searxng", fault=fault)
        failed = await app.call("web_search", {"query": "tides"})
        assert error(failed)["kind"] == kind
        assert words in user_message(failed)
        internet.reset()
        assert content(await app.call("web_search", {"query": "tides"}))["resultCount"] > 0
        note(drill, sees=user_message(failed), lost=THIS_CALL)

    with_app(hasty, script)


def test_engine_falls_over(calling: dict[str, str], internet: Internet) -> None:
    async def script(app: Application) -> None:
        internet.control("/searxng", fault="reset")
        answer = await app.call("web_search", {"query": "tides"})
        assert (answer.meta["routing"]["provider_used"], content(answer)["resultCount"]) == ("duckduckgo", 5)
        (beside,) = content(answer)["notes"]
        note("engine-falls-over", sees=f"the results, and beside them: {beside}", lost="nothing")

    with_app({**calling, "SEARCH_PROVIDER": "", "SEARCH_ROUTING": "searxng,duckduckgo"}, script)


PAGE_FAULTS: list[tuple[str, dict[str, object], str, str]] = [
    ("page-stalls", {"fault": "silence"}, "upstream_unavailable", "did not finish within 1 second."),
    ("page-drips", {"fault": "drip"}, "upstream_unavailable", "did not finish within 1 second."),
    ("page-resets", {"fault": "reset"}, "network", "closed the connection"),
    ("page-half-body", {"fault": "half-body"}, "network", "broke off before its end"),
    ("page-redirects-in-circles", {"redirect": "loop"}, "network", "redirects more than 10 times"),
    (
        "page-unpacks-to-gigabytes",
        {"fault": "gzip-bomb", "size": 2**30},
        "network",
        "holds more than the 52,428,800 bytes",
    ),
]


@pytest.mark.parametrize(("drill", "rule", "kind", "words"), PAGE_FAULTS, ids=[row[0] for row in PAGE_FAULTS])
def test_page(
    calling: dict[str, str], internet: Internet, drill: str, rule: Mapping[str, object], kind: str, words: str
) -> None:
    hasty = hurried(calling, internet) if rule.get("fault") in ("silence", "drip") else calling

    async def script(app: Application) -> None:
        internet.control("/site/alpha/tides", **rule)
        failed = await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"})
        assert error(failed)["kind"] == kind
        assert words in user_message(failed)
        await reads(app, f"{internet.base}/site/bravo/tides")
        note(drill, sees=user_message(failed), lost=THIS_CALL)

    with_app(hasty, script)


async def reads(app: Application, url: str) -> ToolAnswer:
    answer = await app.call("scrape_page", {"url": url})
    assert "the report on tides" in content(answer)["content"]
    return answer


def test_page_wrong_length(calling: dict[str, str], internet: Internet) -> None:
    async def script(app: Application) -> None:
        internet.control("/site/alpha/tides", fault="wrong-length")
        found = content(await app.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"}))
        assert found["content"].startswith("This page ends too early.")
        note("page-wrong-length", sees="the page as far as it was announced", lost="what the site sent beyond that")

    with_app(calling, script)


def test_page_self_signed(calling: dict[str, str], tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    write_self_signed(certificate, key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def script(app: Application) -> None:
        async with serving(tls=context) as secure:
            failed = await app.call("scrape_page", {"url": f"https://127.0.0.1:{secure.port}/"})
            assert not secure.heard
        assert error(failed)["kind"] == "network"
        assert "certificate that cannot be trusted" in user_message(failed)
        note("page-self-signed", sees=user_message(failed), lost=THIS_CALL)

    with_app(calling, script)


def test_name_rebinds(calling: dict[str, str], internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 stands for the public address: it is the only one that a test may connect to."""

    async def rebinding(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.7" if internet.requests("/site/alpha") else "127.0.0.1"]

    def public_but_private(address: Address) -> str | None:
        return None if str(address) == "127.0.0.1" else judged(address)

    judged = address_ranges.blocked_reason
    monkeypatch.setattr(address_ranges, "blocked_reason", public_but_private)
    address = f"http://rebinding.example:{internet.base.rpartition(':')[2]}/site/alpha/tides"

    async def script(app: Application) -> None:
        monkeypatch.setattr(app.page_client._guard, "_resolve", rebinding)
        monkeypatch.setattr(guard, "CACHE_SECONDS", 0.0)
        internet.control("/site/alpha/tides", redirect=f"{address}-again")
        failed = await app.call("scrape_page", {"url": address})
        assert error(failed)["kind"] == "validation"
        assert "10.0.0.7, which is" in user_message(failed)
        note(
            "name-rebinds",
            sees=user_message(failed).replace(address.split("/")[2], "rebinding.example"),
            lost="nothing",
        )

    with_app({**calling, "ALLOW_PRIVATE_IPS": ""}, script)
    assert internet.requests("/site/alpha") == 1


def test_no_fault_is_left_behind(internet: Internet) -> None:
    """The drills above end with their connections closed: nobody is still being dripped at."""

    async def settle() -> None:
        for _ in range(50):
            if not internet.stats()["in_flight"]:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(internet.stats()["in_flight"])

    asyncio.run(settle())
