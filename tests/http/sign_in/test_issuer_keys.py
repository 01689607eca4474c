"""The issuer's keys: found where issuers put them, kept, renewed, and fetched no more often than is reasonable."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import pytest

from tests.http.sign_in.issuer import JWKS, Issuer, jwk, rsa_key
from wellsourced.http.sign_in.discovery import document_addresses
from wellsourced.http.sign_in.issuer_keys import IssuerKeys, IssuerUnavailable
from wellsourced.net.client import HttpClient
from wellsourced.net.guard import AddressGuard

T = TypeVar("T")
REFRESH = 3600.0


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def with_keys(issuer: Issuer, script: Callable[[IssuerKeys, Clock], Awaitable[T]]) -> T:
    async def run() -> T:
        client, clock = HttpClient(AddressGuard(), user_agent="test"), Clock()
        try:
            return await script(IssuerKeys(client, issuer.url, REFRESH, clock), clock)
        finally:
            await client.close()

    return asyncio.run(run())


def test_unknown_keys_cause_at_most_one_more_fetch_a_minute(issuer: Issuer) -> None:
    async def script(keys: IssuerKeys, clock: Clock) -> None:
        async def flood() -> None:
            matches = await asyncio.gather(*(keys.matching(f"made-up-{n}", "RS256") for n in range(300)))
            assert not any(matches)

        await flood()
        await flood()
        assert issuer.asked[JWKS] == 2
        clock.now += 61
        await flood()
        assert issuer.asked[JWKS] == 3
        assert await keys.matching("r1", "RS256")

    with_keys(issuer, script)


def test_rotation_is_picked_up_and_withdrawn_keys_end(issuer: Issuer) -> None:
    async def script(keys: IssuerKeys, clock: Clock) -> None:
        assert await keys.matching("r1", "RS256")
        issuer.keys = [jwk(rsa_key("second"), "r2")]
        assert len(await keys.matching("r2", "RS256")) == 1
        assert not await keys.matching("r1", "RS256")
        issuer.keys = []
        assert await keys.matching("r2", "RS256")
        clock.now += REFRESH
        assert not await keys.matching("r2", "RS256")

    with_keys(issuer, script)


def test_cached_keys_go_on_while_the_issuer_is_down(issuer: Issuer) -> None:
    async def script(keys: IssuerKeys, clock: Clock) -> None:
        issuer.down = True
        for _ in range(20):
            with pytest.raises(IssuerUnavailable):
                await keys.matching("r1", "RS256")
        assert sum(issuer.asked.values()) == 1
        issuer.down = False
        clock.now += 5
        assert await keys.matching("r1", "RS256")
        issuer.down, clock.now = True, clock.now + 10 * REFRESH
        before = sum(issuer.asked.values())
        for _ in range(20):
            assert await keys.matching("r1", "RS256")
        assert sum(issuer.asked.values()) == before + 1
        issuer.keys = [jwk(rsa_key("second"), "r2")]
        for _ in range(20):  # nobody can say that the issuer does not have it
            with pytest.raises(IssuerUnavailable):
                await keys.matching("r2", "RS256")
        assert sum(issuer.asked.values()) == before + 2
        issuer.down, clock.now = False, clock.now + 60
        assert await keys.matching("r2", "RS256")
        assert not await keys.matching("r3", "RS256")

    with_keys(issuer, script)


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("", "/.well-known/openid-configuration"),
        ("/", "/.well-known/openid-configuration"),
        ("", "/.well-known/oauth-authorization-server"),
        ("/a/b", "/a/b/.well-known/openid-configuration"),
        ("/a/b", "/.well-known/oauth-authorization-server/a/b"),
        ("/a/b/", "/.well-known/openid-configuration/a/b"),
    ],
)
@pytest.mark.parametrize("elsewhere", [404, 403, 302, 200])
def test_the_document_is_found_wherever_the_standards_put_it(path: str, document: str, elsewhere: int) -> None:
    with Issuer(path) as issuer:
        issuer.documents, issuer.elsewhere = {document}, elsewhere
        assert with_keys(issuer, lambda keys, clock: keys.matching("e1", "ES256"))
        assert len(document_addresses(issuer.url)) <= 3


@pytest.mark.parametrize("claimed", ["{url}/", "https://elsewhere.example"])
def test_a_document_of_another_issuer_gives_no_keys(issuer: Issuer, claimed: str) -> None:
    issuer.claimed = claimed.format(url=issuer.url)
    with pytest.raises(IssuerUnavailable):
        with_keys(issuer, lambda keys, clock: keys.matching("r1", "RS256"))
    assert issuer.asked[JWKS] == 0


def test_an_issuer_cannot_send_us_to_private_addresses_elsewhere(issuer: Issuer) -> None:
    with Issuer() as other:
        issuer.root = other.root
        with pytest.raises(IssuerUnavailable):
            with_keys(issuer, lambda keys, clock: keys.matching("r1", "RS256"))
        assert not other.asked
