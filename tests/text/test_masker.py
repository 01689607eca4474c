"""Secrets leave no trace; other text stays as it was."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.masker import MASKED, Masker, mask

SECRET = "zQ7" + "x9Kd" * 8
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
HEX = "0123456789abcdef" * 4
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"

HIDDEN = [
    ("key AIza" + "b" * 35 + ".", f"key {MASKED}."),
    (f"used sk-{SECRET}", f"used {MASKED}"),
    (f"BSA{SECRET}, next", f"{MASKED}, next"),
    (f"tvly-dev-{SECRET}", MASKED),
    (f"ghp_{SECRET} github_pat_11AA_{SECRET}", f"{MASKED} {MASKED}"),
    (f"token {JWT}!", f"token {MASKED}!"),
    (f"digest {HEX}.", f"digest {MASKED}."),
    (f"bearer {SECRET}; rest", f"bearer {MASKED}; rest"),
    ("Authorization: LOW abcd1234:efgh5678\nHost: x", f"Authorization: LOW {MASKED}\nHost: x"),
    ("sent LOW abcd1234:efgh5678 ok", f"sent LOW {MASKED} ok"),
    ("authorization=Basic dXNlcjpwYXNz", f"authorization=Basic {MASKED}"),
    ('{"X-Api-Key": "short"}', f'{{"X-Api-Key": "{MASKED}"}}'),
    ("X-Subscription-Token: abc", f"X-Subscription-Token: {MASKED}"),
    ("Cookie: a=b; c=d\nnext", f"Cookie: {MASKED}\nnext"),
    ("https://x.test/?q=cats&key=abc&cx=1", f"https://x.test/?q=cats&key={MASKED}&cx=1"),
    ("https://x.test/?consumer_secret=a%20b#f", f"https://x.test/?consumer_secret={MASKED}#f"),
    ("rejected for https://x.test/?token=a:b.c: why.", f"rejected for https://x.test/?token={MASKED}: why."),
    ("BRAVE_API_KEY=abc next", f"BRAVE_API_KEY={MASKED} next"),
    ('{"password":"a\\"b","user":"u"}', f'{{"password":"{MASKED}","user":"u"}}'),
    ("password: hunter2", f"password: {MASKED}"),
    ("redis://user:p4ss@host:6379/0", f"redis://{MASKED}@host:6379/0"),
    ("https://user@host/path", f"https://{MASKED}@host/path"),
    (f"exa {UUID}", f"exa {MASKED}"),
    (f"the API key is {UUID}", f"the API key is {MASKED}"),
    (f"Invalid API key: {SECRET}.", f"Invalid API key: {MASKED}."),
    (f"token '{SECRET}' is unknown", f"token '{MASKED}' is unknown"),
    ("X-Admin-Key: a1\nOcp-Apim-Subscription-Key: b2", f"X-Admin-Key: {MASKED}\nOcp-Apim-Subscription-Key: {MASKED}"),
    ('{\\"api_key\\": \\"short\\", \\"q\\": 1}', f'{{\\"api_key\\": \\"{MASKED}\\", \\"q\\": 1}}'),
    ("TAVILY_API_KEY='ab cd' token = \"x\"", f"TAVILY_API_KEY='{MASKED}' token = \"{MASKED}\""),
    ("https://x.test/blob?sv=2&sig=a%2Fb", f"https://x.test/blob?sv=2&sig={MASKED}"),
    (f"hf_{SECRET} sk_live_{SECRET} ya29.{SECRET} ASIA{'A1' * 8}", f"{MASKED} {MASKED} {MASKED} {MASKED}"),
    (
        f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n{SECRET}\n-----END RSA PRIVATE KEY-----",
        f"{MASKED}-----END RSA PRIVATE KEY-----",
    ),
]
KEPT = [
    "The monkey=banana stays? no: key-shaped words such as keyboard and tokens do.",
    "risk-assessment-of-the-united-nations-programme",
    f"request {UUID} took 3 ms",
    "https://medium.com/@someone/story",
    "mail someone@example.com about Basic research and basic arithmetic",
    "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "The key to success: patience. Monkey business, low 12:30 tide.",
    "Schlüssel 鍵 ключ مفتاح",
    "No entry has the key 'vaswani2017attention'.",
    "The keys: internationalisation-and-localisation, https://x.test/keys/2024-annual-report-of-the-bank",
    "URL rejected for file:///etc/passwd: file: addresses are not fetched.",
    "",
]


@pytest.mark.parametrize(("text", "expected"), HIDDEN)
def test_secrets_are_masked(text: str, expected: str) -> None:
    assert mask(text) == expected
    assert mask(expected) == expected


@pytest.mark.parametrize("text", KEPT)
def test_the_rest_stays(text: str) -> None:
    assert mask(text) == text


def test_configured_values_are_masked_wherever_and_however_they_occur() -> None:
    masker = Masker(["pa ss/wörd", "user:geheim99", "X-Token: value123, Authorization: Bearer zzz999yyy", "abc", ""])
    coded = base64.b64encode(b"user:geheim99").decode()
    for text in ("pa ss/wörd", "pa%20ss%2Fw%C3%B6rd", "pa+ss%2Fw%C3%B6rd", coded.rstrip("="), "geheim99", "value123"):
        assert masker.mask(f"x{text}y") == f"x{MASKED}y"
    assert masker.mask("zzz999yyy") == MASKED
    masker = Masker(["abc", "postgresql://ann:wort%2Fpass@db.test/x"])
    assert masker.mask("user ann, wort%2Fpass, wort/pass") == f"user ann, {MASKED}, {MASKED}"
    assert masker.mask("abc user Authorization") == "abc user Authorization"
    assert Masker([]).mask("plain") == "plain"


@given(st.text())
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask(mask(text)) == mask(text)


@pytest.mark.parametrize(
    "hostile",
    [
        "eyJ",
        "eyJaaaaa.",
        "sk-",
        "a-",
        "key",
        "key=",
        "key=:",
        '"key":"',
        "://",
        "bearer ",
        "basic ",
        "f",
        "cookie:",
        "exa ",
        "key a-",
        "-----BEGIN PRIVATE KEY-----",
        "\\",
    ],
)
def test_hostile_repetition_is_linear(hostile: str) -> None:
    started = time.thread_time()
    mask(hostile * (300_000 // len(hostile)))
    assert time.thread_time() - started < 3
