"""Whether a WACZ file is whole: every byte of it, every record, every receipt and what it says of its page.

Each problem is a sentence that names the part: the container, a file in it, a capture, a receipt.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from tempfile import TemporaryFile
from typing import Any

from warcio.exceptions import ArchiveLoadFailed

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.evidence.page_quotation import EXACT, locate_quotation
from wellsourced.pages.attempts import Reading
from wellsourced.projects.capture_records import digest_of_bytes, iterate_records, text_digest
from wellsourced.projects.receipts import KEY_PREFIX, canonical_json, chain_problems, receipt_problems, signed_bytes
from wellsourced.projects.receipts import verify_signature as is_signature
from wellsourced.projects.timestamps import timestamp_problems
from wellsourced.projects.wacz_read import WaczFile
from wellsourced.projects.wacz_write import CHUNK, PACKAGE, PACKAGE_DIGEST, PROJECT, write_container

DAMAGE = (
    ArchiveLoadFailed,
    *(LookupError, ValueError, TypeError, AttributeError, OSError, EOFError, zlib.error),
    *(RuntimeError, struct.error, zipfile.BadZipFile),
)
"""What a reader of a damaged file may come across, before its digest is even looked at."""
OWN = (PACKAGE, PACKAGE_DIGEST)
OWN_FOLDER = PROJECT.partition("/")[0]


def wacz_problems(wacz: WaczFile) -> Iterator[str]:
    """What does not hold, each thing once; nothing where all of it does."""
    yield from dict.fromkeys(_all_problems(wacz))


def _all_problems(wacz: WaczFile) -> Iterator[str]:
    steps: tuple[Callable[[WaczFile], Iterator[str]], ...] = (
        file_problems,
        signature_problems,
        record_problems,
        proof_problems,
        container_problems,
    )
    for step in steps:
        try:
            yield from step(wacz)
        except WellsourcedError as problem:
            yield problem.sentence
        except DAMAGE as problem:
            part = step.__name__.removesuffix("_problems")
            yield f"{wacz.name} is damaged: {type(problem).__name__} while each {part} was checked."


def file_problems(wacz: WaczFile) -> Iterator[str]:
    """Files that are missing, not listed, or not what the datapackage says."""
    listed = {each["path"]: each for each in wacz.package["resources"]}
    for path, about in listed.items():
        if path not in wacz.names():
            yield f"{path} is missing."
        elif (len(content := wacz.content(path)), digest_of_bytes(content)) != (about["bytes"], about["hash"]):
            yield f"{path} was changed: it is not what the datapackage says."
    yield from (f"{name} is not listed in the datapackage." for name in wacz.names() if name not in {*listed, *OWN})


def signature_problems(wacz: WaczFile) -> Iterator[str]:
    if PACKAGE_DIGEST not in wacz.names():
        if wacz.project is not None:
            yield f"{PACKAGE_DIGEST} is missing: nobody signed for the file."
        return
    content = wacz.content(PACKAGE_DIGEST)
    signed = json.loads(content)
    if signed["hash"] != digest_of_bytes(wacz.content(PACKAGE)):
        yield f"{PACKAGE} was changed: it does not have the digest that was signed."
    if wacz.project is None:
        return
    key, signature = base64.b64decode(signed["key"].removeprefix(KEY_PREFIX)), base64.b64decode(signed["signature"])
    if content != canonical_json(signed) or not is_signature(key, signature, signed_bytes(signed)):
        yield f"{PACKAGE_DIGEST}: the signature does not fit; something in it was changed, or the key is another."


def record_problems(wacz: WaczFile) -> Iterator[str]:
    """Captures whose records are not those that were exported, or do not have the digests that they name."""
    if wacz.project is None:
        for name in filter(None, wacz.archives):
            yield from _record_damage(wacz.content(name), name)
        return
    for number, (_, _, digest) in wacz.places.items():
        capture = wacz.captures[number]
        records = wacz.records(capture)
        if hashlib.sha256(records).hexdigest() != digest:
            yield f"Capture {number} ({capture.final_url}) was changed: its records are not those that were exported."
            continue
        yield from _record_damage(records, f"Capture {number} ({capture.final_url})")


def _record_damage(records: bytes, name: str) -> Iterator[str]:
    try:
        for record in iterate_records(io.BytesIO(records)):
            record.content_stream().read()
    except DAMAGE as problem:
        yield f"{name} is damaged: {str(problem).splitlines()[0] if str(problem) else 'it cannot be read'}."


def proof_problems(wacz: WaczFile) -> Iterator[str]:
    """Receipts that do not hold: by themselves, in their chain, or against the page that was captured."""
    if wacz.project is None:
        return
    for receipt in wacz.receipts:
        yield from receipt_problems(receipt)
        yield from timestamp_problems(receipt)
        yield from page_problems(receipt, wacz)
    yield from chain_problems(wacz.receipts, wacz.project.get("receiptCount"), wacz.project.get("chain", ""))
    numbers = {receipt["number"] for receipt in wacz.receipts}
    yield from (
        f"Item {item.item} names receipt {item.receipt}, which is not here."
        for item in wacz.items
        if item.receipt and item.receipt not in numbers
    )


def page_problems(receipt: Mapping[str, Any], wacz: WaczFile) -> Iterator[str]:
    """What of a receipt does not fit the capture that it names: body, moment, address, text, place and words."""
    name, captured, quotation = f"Receipt {receipt['number']}", receipt["capture"], receipt["quotation"]
    capture = next((each for each in wacz.captures.values() if each.record == captured["record"]), None)
    if capture is None:
        if not (wacz.project or {}).get("partOf"):
            yield f"{name}: the capture it names is not in {wacz.name}."
        return
    if digest_of_bytes(wacz.reply(capture).body) != captured["bodyDigest"]:
        yield f"{name}: the page that is kept is not the one it names (the digest of the body differs)."
    said = {"url": capture.url, "finalUrl": capture.final_url, "at": capture.captured_at, "status": capture.status}
    yield from (
        f"{name} and its capture do not agree on {field}: {captured[field]} and {value}."
        for field, value in said.items()
        if captured[field] != value
    )
    reading = wacz.reading(capture)
    if reading is None or text_digest(reading) != quotation["textDigest"]:
        yield f"{name}: the text of the page is not the one in which the words were found."
    elif not stands_there(reading, quotation):
        yield f"{name}: the words do not stand at the place that it names."


def stands_there(reading: Reading, quotation: Mapping[str, Any]) -> bool:
    """Whether the words are found where they were found then."""
    found = locate_quotation(quotation["text"], reading.page)
    return found.status in EXACT and (found.start, found.end) == (quotation["start"], quotation["end"])


def container_problems(wacz: WaczFile) -> Iterator[str]:
    """Bytes between the files: the container written again from its contents must be the same."""
    if PACKAGE in wacz.names() and not any(name.startswith(OWN_FOLDER) for name in wacz.names()):
        return  # another tool's
    files = {name: wacz.content(name) for name in wacz.names()}
    with TemporaryFile() as again:
        write_container(again, files)
        again.seek(0)
        wacz.file.seek(0)
        place = 0
        while True:
            ours, theirs = again.read(CHUNK), wacz.file.read(CHUNK)
            if ours != theirs:
                shorter = min(len(ours), len(theirs))
                place += next((n for n in range(shorter) if ours[n] != theirs[n]), shorter)
                yield f"The container was changed at byte {place}, {_part_at(wacz, place)}."
                return
            if not ours:
                return
            place += len(ours)


def _part_at(wacz: WaczFile, place: int) -> str:
    if place >= wacz.container.start_dir:
        return "in the list of contents at its end"
    before = [about for about in wacz.container.infolist() if about.header_offset <= place]
    return f"in or after the head of {before[-1].filename}" if before else "before its first file"


def signer_of(wacz: WaczFile) -> str:
    """The public key that signed the file; "" where nobody did."""
    if PACKAGE_DIGEST not in wacz.names():
        return ""
    try:
        return str(json.loads(wacz.content(PACKAGE_DIGEST)).get("key", ""))
    except (ValueError, AttributeError):
        raise BadInput(f"{PACKAGE_DIGEST} in {wacz.name} is damaged.") from None
