"""Cutting secrets out of addresses: what lets whoever holds the address in, before others may see it.

Cut are the name and password before the host, query parameters that are named like a secret or belong to a signature,
values that look like a token, and a fragment that carries parameters. Of a path, which names the page, only what is a
known kind of key, follows a word such as `reset` or `share` and looks like a token, or is a parameter of a segment
(`;jsessionid=`); a mark that nobody can read it back from takes its place, so that two such pages stay two. What is
left may no longer open the page, and that is the point.
"""

from __future__ import annotations

import hashlib
import re
from urllib.parse import unquote, urlsplit, urlunsplit

from wellsourced.late_pattern import late_pattern
from wellsourced.text.masker import key_shapes

SECRET_NAME = late_pattern(
    r"(?:.*[-_.])?(?:token|apikey|secret|password|passwd|pwd|sig|signature|hmac|authorization|jwt|sessionid|otp"
    r"|credentials?|assertion|e-?mail)|(?:access|auth|id|refresh|csrf|xsrf|api|share|invite|reset|login)(?:token|key|code)"
    r"|.*api[-_]key|.*access[-_]key|key-pair-id|phpsessid|jsessionid|x-(?:amz|goog|oss|ms|cos)-.*|googleaccessid"
    r"|awsaccesskeyid|hdne[a-z]|hdnts",
    re.IGNORECASE,
)
# Names of secrets that are names of much else: a state may be California, a code a paragraph's.
DOUBTFUL_NAME = late_pattern(
    r"(?:.*[-_.])?(?:key|code|state|nonce|session|sid|auth|sign|ticket|pass|policy|hash|user(?:name)?)", re.IGNORECASE
)
# Azure's shared access signatures have short names; next to a signature every one of them is part of it.
SIGNED_PARTS = frozenset({"sv", "se", "sp", "st", "sr", "spr", "sip", "ss", "srt", "skoid", "sktid", "expires", "exp"})
SIGNATURES = frozenset({"sig", "sign", "signature"})
# Behind these a token in the path lets in whoever has the address, with no other sign-in.
BEFORE_TOKEN = late_pattern(
    r"access|activat(?:e|ion)|(?:sso-?)?auth|confirm(?:ation)?|d|hooks|invit(?:e|ation)s?|join|link|login|magic-?(?:link)?"
    r"|one-time|passwordless|(?:re)?set-password|password(?:-reset)?|preview|reset|s|secret|services|sessions?"
    r"|shar(?:ed|es?|ing)|sign-?(?:in|up)|sso|tokens?|unsubscribe|verif(?:y|ication)(?:-email)?|webhooks?"
)
MARK_DIGITS = 8
UUID = late_pattern(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
RUN = late_pattern(r"[A-Za-z0-9+=_]{16,}")
SHORTER_RUN = late_pattern(r"[A-Za-z0-9+=_]{8,}")
ADDRESS = late_pattern(r"https?://[^\s<>\"'()\[\]{}|\\^`]{1,4096}", re.IGNORECASE)
LONGEST_NAME = 100


def cut_address_secrets(url: str) -> str:
    """The address without what would let its reader in as somebody else; unchanged where there is nothing of it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host, path = parts.netloc.rpartition("@")[2], _safe_path(parts.path)
    query = _safe_query(parts.query)
    fragment = "" if "=" in parts.fragment and _safe_query(parts.fragment) != parts.fragment else parts.fragment
    if (host, path, query, fragment) == (parts.netloc, parts.path, parts.query, parts.fragment):
        return url
    return urlunsplit((parts.scheme, host, path, query, fragment))


def cut_secrets_of_addresses(text: str) -> str:
    """The text with every address in it cut likewise."""
    if "://" not in text:
        return text
    return ADDRESS.sub(lambda found: cut_address_secrets(found[0]), text)


def _safe_path(path: str) -> str:
    segments = path.split("/")
    before = ["", *(unquote(segment).lower() for segment in segments)]
    return "/".join(_safe_segment(segment, word) for segment, word in zip(segments, before, strict=False))


def _safe_segment(segment: str, before: str) -> str:
    name, *parameters = segment.split(";")
    value = unquote(name)
    if key_shapes().search(value) or (BEFORE_TOKEN.fullmatch(before) and _looks_like_token(value, RUN)):
        name = f"removed-{hashlib.sha256(value.encode('utf-8', 'replace')).hexdigest()[:MARK_DIGITS]}"
    return ";".join([name, *(each for each in parameters if not _is_secret(each, is_signed=False))])


def _safe_query(query: str) -> str:
    pairs = query.split("&") if query else []
    names = {pair.partition("=")[0].lower() for pair in pairs}
    is_signed = not names.isdisjoint(SIGNATURES)
    return "&".join(pair for pair in pairs if not _is_secret(pair, is_signed))


def _is_secret(pair: str, is_signed: bool) -> bool:
    name, equals, value = pair.partition("=")
    name, value = unquote(name)[:LONGEST_NAME], unquote(value if equals else name)
    if is_signed and name.lower() in SIGNED_PARTS:
        return True
    if not value or (equals and SECRET_NAME.fullmatch(name)):
        return bool(value)
    return _looks_like_token(value, SHORTER_RUN if DOUBTFUL_NAME.fullmatch(name) else RUN)


def _looks_like_token(value: str, run: re.Pattern[str]) -> bool:
    """Whether it is a known kind of key, a UUID, or has a long run in which letters and digits are mixed."""
    if key_shapes().search(value) or UUID.search(value):
        return True
    return any(_is_mixed(found) for found in run.findall(value))


def _is_mixed(run: str) -> bool:
    return any(letter.isdigit() for letter in run) and any(letter.isalpha() for letter in run)
