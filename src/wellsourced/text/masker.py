"""Taking secrets out of text that leaves the application: logs, errors, audit lines.

Known key shapes, credentials in headers, addresses and query strings, and (through `Masker`) the configured values
themselves become `[REDACTED]`; everything else stays. Every pattern is anchored or bounded, so time is linear;
a pattern is tried only where one of its words occurs.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from functools import cache
from urllib.parse import quote, quote_plus, unquote

MASKED = "[REDACTED]"
SHORTEST_SECRET = 6  # shorter values would mask ordinary words
PASSWORD = re.compile(r"://[^/?#@:]*:([^/?#]+)@")

NAMES = (
    r"(?:api[_-]?key|access[_-]?token|refresh[_-]?token|client[_-]?secret|consumer[_-]?(?:secret|key)"
    r"|subscription[_-]?(?:key|token)|auth[_-]?token|api[_-]?token|token|secret|password|passwd|pwd|sig(?:nature)?|key)"
)
PLAIN_NAMES = r"(?:api[_-]?key|access[_-]?token|client[_-]?secret|consumer[_-]?secret|password|passwd)"
HEADERS = r"(?:(?:api|admin|access|auth|subscription)-(?:key|token)|authorization)"
SCHEME = r"(?:(?:bearer|basic|digest|token|apikey|low)[ \t]{1,8})?"
UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
START = r"(?<![A-Za-z0-9])"

NAME_WORDS = ("key", "token", "secret", "passw", "pwd", "sig")
KEPT_PREFIXES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("://",), r"://", r"[^\s/?#\"'<>]{1,256}(?=@)"),
    (("cookie",), r"(?:set-)?cookie[\"']?[ \t]{0,8}:[ \t]{0,8}[\"']?", r"[^\r\n\"']+"),
    (
        ("key", "token", "authorization"),
        rf"{START}{HEADERS}[\"']?\s{{0,8}}[:=]\s{{0,8}}[\"']?{SCHEME}",
        r"[^\s\"',;&]+",
    ),
    (("bearer",), rf"{START}bearer[ \t]{{1,8}}", r"[A-Za-z0-9._~+/=-]{4,}"),
    (("low",), rf"{START}low[ \t]{{1,8}}", r"[A-Za-z0-9]{4,64}:[A-Za-z0-9]{4,64}"),
    (("basic",), rf"{START}basic[ \t]{{1,8}}", r"(?=[a-z+/]{0,64}[0-9=])[a-z0-9+/]{8,}={0,2}"),
    (NAME_WORDS, rf"{START}{NAMES}(?:=|%3d)", r"[^\s&\"'<>#;]*[^\s&\"'<>#;:.,]"),
    (NAME_WORDS, rf"{START}{NAMES}[ \t]{{0,8}}=[ \t]{{0,8}}[\"']", r"[^\r\n\"']+"),
    (NAME_WORDS, rf"{START}{NAMES}\\{{1,3}}[\"']\s{{0,8}}:\s{{0,8}}\\{{1,3}}[\"']", r"[^\r\n\"'\\]+"),
    (NAME_WORDS, rf"{START}{NAMES}\"\s{{0,8}}:\s{{0,8}}\"", r"(?:[^\"\\]|\\.)++"),
    (NAME_WORDS, rf"{START}{NAMES}'\s{{0,8}}:\s{{0,8}}'", r"(?:[^'\\]|\\.)++"),
    (NAME_WORDS, rf"{START}(?<!/etc/){PLAIN_NAMES}\s{{0,8}}:\s{{1,8}}", r"[^\s\"',;]+"),
    (
        ("exa", "credential", *NAME_WORDS),
        rf"{START}(?:exa|keys?|tokens?|secrets?|credentials?)\b[^\w\r\n]{{1,8}}(?:is[^\w\r\n]{{1,3}})?",
        UUID,
    ),
    (
        ("credential", *NAME_WORDS),
        rf"{START}(?:keys?|tokens?|secrets?|credentials?)[ \t:'\"(,]{{1,8}}(?:is[ \t:'\"]{{1,4}})?",
        r"(?=[a-z_-]*+[0-9])[a-z0-9_-]{24,}",
    ),
)
KEY_SHAPES = (
    rf"{START}(?:AIza[0-9A-Za-z_-]{{35}}|sk-[A-Za-z0-9_-]{{20,}}|BSA[A-Za-z0-9_-]{{20,}}|tvly-[A-Za-z0-9_-]{{8,}}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}"
    r"|(?:jina|hf|gsk|npm|[prs]k_live|[prs]k_test)_[A-Za-z0-9]{20,}|(?:pplx|xai)-[A-Za-z0-9]{20,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|A[KS]IA[0-9A-Z]{16})"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*+"
    r"|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?"
    r"|(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])"
)


@cache
def kept_prefixes() -> list[tuple[tuple[str, ...], re.Pattern[str]]]:
    """Made when something is first masked, which most processes never do."""
    return [(words, re.compile(f"(?P<kept>{kept}){secret}", re.IGNORECASE)) for words, kept, secret in KEPT_PREFIXES]


@cache
def key_shapes() -> re.Pattern[str]:
    return re.compile(KEY_SHAPES)


def mask(text: str) -> str:
    """The text without anything that looks like a secret."""
    masked = key_shapes().sub(MASKED, text)
    lowered = masked.lower()
    for words, pattern in kept_prefixes():
        if any(word in lowered for word in words):
            masked = pattern.sub(rf"\g<kept>{MASKED}", masked)
    return masked


class Masker:
    """Masks the configured secrets as well, also where they were encoded for an address or a Basic header."""

    def __init__(self, secrets: Iterable[str]) -> None:
        spellings = {spelling for secret in secrets for spelling in _encoded_spellings(secret.strip())}
        longest_first = sorted((s for s in spellings if len(s) >= SHORTEST_SECRET), key=lambda s: (-len(s), s))
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def mask(self, text: str) -> str:
        return mask(self.without_known(text))

    def without_known(self, text: str) -> str:
        """Only the configured values are taken out, so that what else the text says can still be read."""
        return self._known.sub(MASKED, text) if self._known else text


def _encoded_spellings(secret: str) -> Iterator[str]:
    for value in {secret, *_secret_parts(secret)}:
        raw = value.encode("utf-8", "surrogatepass")
        yield from (value, quote(raw, safe=""), quote_plus(raw))
        if ":" in value:
            yield base64.b64encode(raw).decode().rstrip("=")


def _secret_parts(secret: str) -> Iterator[str]:
    """The passwords in `user:password`, in `Name: value, Name: value` and in `scheme://user:password@host`."""
    if in_address := PASSWORD.search(secret):
        yield from (in_address[1], unquote(in_address[1]))
    for piece in secret.split(","):
        value = piece.partition(":")[2].strip()
        if value and not value.startswith("//"):
            yield value
            yield value.rpartition(" ")[2]
