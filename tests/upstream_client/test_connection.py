"""The connection to one upstream: its failures give no key away."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from wellsourced.app.configuration import declared_settings
from wellsourced.errors import NetworkFailed, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.net.client import HttpClient, OutgoingRequest
from wellsourced.settings import Settings
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.search import WebQuery

KEY = "zQ7x9KdxQ4m2Vw8Yb3Nc"
HIDDEN = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")


class Repeating:
    """An upstream that repeats the key it was sent, and hides something between the words."""

    def __init__(self, status: int, filler: int) -> None:
        self._status = status
        self._filler = filler

    async def send(self, request: OutgoingRequest) -> Reply:
        key = request.headers.get("X-Subscription-Token", "")
        if not self._status:
            silent = NetworkFailed(f"{request.url}&key={key} did not answer.", detail=f"sent {key}")
            silent.retryable = False
            raise silent
        return Reply(self._status, {}, f"{'x' * self._filler} the key {key}{HIDDEN} is wrong".encode())


@pytest.mark.parametrize("status", [0, 400, 403, 429, 501])
@pytest.mark.parametrize("filler", [0, 180])
def test_an_upstream_that_repeats_our_key_does_not_get_it_told(status: int, filler: int) -> None:
    settings = Settings({"BRAVE_API_KEY": KEY}, declared_settings())
    upstreams = UpstreamClient(cast("HttpClient", Repeating(status, filler)), settings)
    with pytest.raises(WellsourcedError) as failed:
        asyncio.run(upstreams.ask("brave", Kind.WEB, WebQuery(text="cats")))
    message = f"{failed.value} {failed.value.sentence} {failed.value.detail}"
    assert KEY[:4] not in message
    assert HIDDEN[0] not in message and "REDACTED" in message
