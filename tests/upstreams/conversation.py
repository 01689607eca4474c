"""Holding a conversation with a provider without a network: replies go in, requests and the result come out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import parse_qsl

from wellsourced.http_exchange import Reply, Request, Steps

T = TypeVar("T")


def converse(generator: Steps[T], *replies: Reply) -> tuple[list[Request], T]:
    """Answer each request with the next reply. Too few or too many replies fail; the provider's errors pass through."""
    requests = [next(generator)]
    for number, reply in enumerate(replies, start=1):
        try:
            request = generator.send(reply)
        except StopIteration as done:
            assert number == len(replies), f"the conversation ended after {number} of {len(replies)} replies"
            return requests, done.value
        requests.append(request)
    raise AssertionError(f"the conversation wants a further reply to {requests[-1]}")


def first_request(generator: Steps[T]) -> Request:
    """The opening request alone."""
    return next(generator)


def reply(body: object, status: int = 200, **headers: str) -> Reply:
    """A reply with a JSON body, or with the text or bytes given; `retry_after="3"` becomes a header."""
    if isinstance(body, str):
        body = body.encode()
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {name.replace("_", "-").lower(): value for name, value in headers.items()}, raw)


def form(request: Request) -> Mapping[str, str]:
    """The fields of a posted form."""
    return dict(parse_qsl((request.body or b"").decode(), keep_blank_values=True))
