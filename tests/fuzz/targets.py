"""What is fuzzed, by name: each takes bytes and returns, whatever they are. Anything raised here is a finding."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, get_args

from wellsourced.citations.formats.bibliography import Format, decode_bibliography, read_bibliography
from wellsourced.citations.styles.bibliography import Style, format_bibliography
from wellsourced.documents.formats import known_formats
from wellsourced.errors import NetworkFailed, Refused, WellsourcedError
from wellsourced.mcp.json_rpc import ProtocolError, check_envelope, error_line, parse_line
from wellsourced.net import address_ranges
from wellsourced.net.guard import AddressGuard
from wellsourced.pages.html.extract import extract
from wellsourced.sandbox import reading
from wellsourced.text import urls
from wellsourced.text.urls import is_web_url, parse_url, parse_web_url

Target: TypeAlias = Callable[[bytes], None]

PAGE = "https://site.example/folder/page?q=1"
MOST_CHARACTERS = 20_000
DOCUMENT_KINDS = sorted(known_formats())


def fuzz_html(data: bytes) -> None:
    page = extract(data, PAGE)
    for text in (page.markdown, page.plain, page.title or "", page.author or ""):
        text.encode("utf-8")
    assert "\0" not in page.markdown


def fuzz_document(kind: str, data: bytes) -> None:
    with contextlib.suppress(WellsourcedError):
        document = reading.parse_document(kind, data, max_chars=MOST_CHARACTERS, seconds=5)
        document.text.encode("utf-8")
        assert len(document.text) <= MOST_CHARACTERS


def fuzz_pdf(data: bytes) -> None:
    fuzz_document("pdf", data)


def fuzz_docx(data: bytes) -> None:
    fuzz_document("docx", data)


def fuzz_any_document(data: bytes) -> None:
    """The first byte says as what the rest is read."""
    fuzz_document(DOCUMENT_KINDS[(data[0] if data else 0) % len(DOCUMENT_KINDS)], data[1:])


def fuzz_bibliography(format: Format, data: bytes) -> None:
    """From a file or out of a request; whatever is read can be written in every style."""
    for text in {decode_bibliography(data), decoded(data)}:
        read = read_bibliography(text, format)
        for style in get_args(Style):
            format_bibliography(read.entries, style).encode("utf-8")


def fuzz_bibtex(data: bytes) -> None:
    fuzz_bibliography("bibtex", data)


def fuzz_ris(data: bytes) -> None:
    fuzz_bibliography("ris", data)


def fuzz_csl_json(data: bytes) -> None:
    fuzz_bibliography("csl-json", data)


def fuzz_url(data: bytes) -> None:
    text = decoded(data)
    for read in (urls.url_comparison_key, urls.host_of, urls.display_host, parse_url, is_web_url, parse_web_url):
        read(text)
    assert urls.canonical_url(urls.canonical_url(text)) == urls.canonical_url(text)
    urls.is_within_site(text, text)
    with contextlib.suppress(Refused, NetworkFailed):
        target = asyncio.run(AddressGuard(resolve=one_public_address).check(text))
        assert target.addresses
        assert not any(address_ranges.blocked_reason(address) for address in target.addresses)


def decoded(data: bytes) -> str:
    """Text of any script; lone surrogates, which a JSON escape can bring in, stay what they are."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


async def one_public_address(host: str, port: int) -> Sequence[str]:
    return ["93.184.215.14"]


def fuzz_rpc(data: bytes) -> None:
    """A line is a message or gets an error line that any JSON parser reads."""
    try:
        message = parse_line(data)
        if message is not None and message.is_modern:
            check_envelope(message)
    except ProtocolError as error:
        answer = error_line(error)
        assert answer.count(b"\n") == 1
        assert json.loads(answer, parse_constant=not_json)["error"]["code"] < 0


def not_json(word: str) -> Any:
    raise AssertionError(f"{word} is not JSON")


TARGETS: dict[str, Target] = {
    "html": fuzz_html,
    "pdf": fuzz_pdf,
    "docx": fuzz_docx,
    "any-document": fuzz_any_document,
    "bibtex": fuzz_bibtex,
    "ris": fuzz_ris,
    "csl-json": fuzz_csl_json,
    "url": fuzz_url,
    "rpc": fuzz_rpc,
}
