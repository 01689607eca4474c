"""Where an issuer keeps its keys: read from the document it publishes about itself.

OpenID Connect Discovery puts the document below the issuer's path, RFC 8414 puts the issuer's path behind the
well-known one; issuers without a path look the same in both. The document must name the very issuer we were told.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from wellsourced.errors import AuthRequired, Blocked, Misconfigured, NotFound, UpstreamChanged, WellsourcedError
from wellsourced.net.client import HttpClient, OutgoingRequest

LARGEST_DOCUMENT = 512 * 1024
ANSWER_SECONDS = 5.0
OPENID = "/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server"
NO_DOCUMENT = (AuthRequired, Blocked, Misconfigured, UpstreamChanged)


def document_addresses(issuer: str) -> list[str]:
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    return list(dict.fromkeys([root + path + OPENID, root + OAUTH + path, root + OPENID + path]))


async def find_key_set(client: HttpClient, issuer: str) -> Any:
    """The issuer's key set as it was sent; WellsourcedError says why it is not to be had."""
    document = await find_document(client, issuer)
    address = document.get("jwks_uri")
    if not isinstance(address, str):
        raise UpstreamChanged("its document names no jwks_uri")
    if issuer.startswith("https:") and not address.startswith("https:"):
        raise Misconfigured("its document names a jwks_uri without https")
    return await fetch(client, address, trusted=same_origin(address, issuer))


async def find_document(client: HttpClient, issuer: str) -> dict[str, Any]:
    """Where an issuer keeps no document it may answer with a page of its own, so all places are looked at."""
    problem: WellsourcedError = NotFound("it publishes neither an OpenID Connect nor an OAuth document")
    for address in document_addresses(issuer):
        try:
            return checked(await fetch(client, address, trusted=True), address, issuer)
        except NotFound:
            continue
        except NO_DOCUMENT as found_instead:
            problem = found_instead
    raise Misconfigured(f"{problem.sentence}; check OAUTH_ISSUER_URL")


def checked(document: Any, address: str, issuer: str) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("issuer") != issuer:
        raise Misconfigured(f"the document at {address} names another issuer")
    return document


async def fetch(client: HttpClient, address: str, *, trusted: bool) -> Any:
    """The operator's own issuer may be on a private network; whatever it points to elsewhere goes through the guard."""
    asked = OutgoingRequest(
        "GET",
        address,
        {"Accept": "application/json"},
        timeout=ANSWER_SECONDS,
        max_bytes=LARGEST_DOCUMENT,
        trusted=trusted,
    )
    reply = await client.send(asked)
    if reply.status != 200 and reply.status < 400:
        raise UpstreamChanged(f"HTTP {reply.status} where a document was expected")
    return reply.expect_ok().json()


def same_origin(address: str, issuer: str) -> bool:
    import can_ada

    try:
        return can_ada.parse(address).origin == can_ada.parse(issuer).origin
    except (ValueError, TypeError):
        return False
