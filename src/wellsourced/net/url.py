"""One reading of a URL for every purpose, as browsers read it (the WHATWG URL standard), and the words of a refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellsourced.errors import Refused

if TYPE_CHECKING:
    import can_ada

LONGEST_URL = 16_384
SHOWN_LENGTH = 200
ADVICE = "Provide a valid public http(s) URL."
EXAMPLE = "Give an address such as https://example.org/page."
BEFORE_THE_AT = re.compile(r"//[^/?#\\]*@")


def parse(url: str) -> can_ada.URL:
    """One reading of a URL for every purpose; Refused unless it is http(s), names a host and carries no password."""
    import can_ada

    if len(url) > LONGEST_URL:
        raise refusal(url, f"it is longer than {LONGEST_URL} characters")
    try:
        parsed = can_ada.parse(url)
    except (ValueError, TypeError):
        raise refusal(url, "it is not a complete, well-formed URL", EXAMPLE) from None
    if parsed.protocol not in {"http:", "https:"}:
        raise refusal(url, f"{parsed.protocol} addresses are not fetched", ADVICE)
    if parsed.has_credentials():
        parsed.username = parsed.password = ""
        raise refusal(parsed.href, "it carries a user name or password", "Leave out what stands before the @.")
    return parsed


def refusal(url: str, why: str, advice: str = "") -> Refused:
    return Refused(f"URL rejected for {shown(url)}: {why}. {advice}".rstrip())


def shown(url: str) -> str:
    """A URL fit for a sentence: bounded, on one line, and without what may be a password."""
    public = BEFORE_THE_AT.sub("//", url[:LONGEST_URL])
    start = "".join(character if character.isprintable() else "�" for character in public[:SHOWN_LENGTH])
    return start if len(public) <= SHOWN_LENGTH else start + "…"


def plain_domain(domain: str) -> str:
    """A domain from the settings in the form hosts have: *.Bücher.example → xn--bcher-kva.example."""
    import can_ada

    bare = domain.strip().removeprefix("*").strip(".")
    try:
        return can_ada.parse(bare if "//" in bare else f"http://{bare}/").hostname
    except (ValueError, TypeError):
        return bare.casefold()


def plain_base(url: str) -> str:
    """An address from the settings as browsers and clients write it: https://Bücher.example:443/ is
    https://xn--bcher-kva.example. What is not http(s), such as an extension's origin, is only put in lower case."""
    import can_ada

    try:
        parsed = can_ada.parse(url)
        is_web = parsed.protocol in {"http:", "https:"}
    except (ValueError, TypeError):
        is_web = False
    return (parsed.origin + parsed.pathname).rstrip("/") if is_web else url.strip().rstrip("/").lower()


def plain_host(name: str) -> str:
    """The host, and the port if it is an unusual one, of an address or a bare name from the settings."""
    return plain_base(name if "//" in name else f"http://{name}").partition("//")[2].partition("/")[0]
