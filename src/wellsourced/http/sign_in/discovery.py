"""Finds an issuer's key set through the metadata document it publishes about itself.

OpenID Connect Discovery puts the document below the issuer's path, RFC 8414 puts the issuer's path behind the
well-known one; for issuers without a path both are the same. The document must name the configured issuer.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from wellsourced.errors import AuthRequired, Blocked, Misconfigured, NotFound, UpstreamChanged, WellsourcedError
from wellsourced.net.client import HttpClient, OutgoingRequest

LARGEST_DOCUMENT = 512 * 1024
TIMEOUT_SECONDS = 5.0
OPENID = "/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server"
NO_DOCUMENT = (AuthRequired, Blocked, Misconfigured, UpstreamChanged)


def document_addresses(issuer: str) -> list[str]:
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    return list(dict.fromkeys([root + path + OPENID, root + OAUTH + path, root + OPENID + path]))


async def fetch_key_set(client: HttpClient, issuer: str) -> Any:
    """The issuer's key set as it was sent; WellsourcedError says why it cannot be fetched."""
    document = await fetch_document(client, issuer)
    address = document.get("jwks_uri")
    if not isinstance(address, str):
        raise UpstreamChanged("its document names no jwks_uri")
    if issuer.startswith("https:") and not address.startswith("https:"):
        raise Misconfigured("its document names a jwks_uri without https")
    return await fetch_json(client, address, trusted=is_same_origin(address, issuer))


async def fetch_document(client: HttpClient, issuer: str) -> dict[str, Any]:
    """The metadata document. An issuer may answer with an error page where it has none, so all places are tried."""
    problem: WellsourcedError = NotFound("it publishes neither an OpenID Connect nor an OAuth document")
    for address in document_addresses(issuer):
        try:
            return check_issuer(await fetch_json(client, address, trusted=True), address, issuer)
        except NotFound:
            continue
        except NO_DOCUMENT as other:
            problem = other
    raise Misconfigured(f"{problem.sentence}; check OAUTH_ISSUER_URL")


def check_issuer(document: Any, address: str, issuer: str) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("issuer") != issuer:
        raise Misconfigured(f"the document at {address} names another issuer")
    return document


async def fetch_json(client: HttpClient, address: str, *, trusted: bool) -> Any:
    """The operator's own issuer may be on a private network; whatever it points to elsewhere goes through the guard."""
    request = OutgoingRequest(
        "GET",
        address,
        {"Accept": "application/json"},
        timeout=TIMEOUT_SECONDS,
        max_bytes=LARGEST_DOCUMENT,
        trusted=trusted,
    )
    reply = await client.send(request)
    if reply.status != 200 and reply.status < 400:
        raise UpstreamChanged(f"HTTP {reply.status} where a document was expected")
    return reply.expect_ok().json()


def is_same_origin(address: str, issuer: str) -> bool:
    import can_ada

    try:
        return can_ada.parse(address).origin == can_ada.parse(issuer).origin
    except (ValueError, TypeError):
        return False
