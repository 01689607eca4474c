"""Whether receipts hold: one, the chain of a project, or all in a WACZ file with their pages; for anybody, offline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wellsourced.errors import BadInput
from wellsourced.projects.receipts import Receipt, chain_problems, fingerprint, receipt_problems
from wellsourced.projects.timestamps import timestamp_facts, timestamp_problems

LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class VerifiedReceipts:
    """What holds, as a sentence for each receipt, and what does not; `notes` say what could not be checked."""

    holding: list[str]
    problems: list[str]
    notes: list[str]


def verify_receipts(path: Path, wacz: Path | None = None) -> VerifiedReceipts:
    """A receipt (.json), a list of them (.jsonl) or a WACZ file. With `wacz` the pages are checked too."""
    if path.suffix.lower() == ".wacz":
        return _of_wacz(path)
    receipts = read_receipts(path)
    problems = [
        problem for receipt in receipts for problem in (*receipt_problems(receipt), *timestamp_problems(receipt))
    ]
    problems += chain_problems(receipts) if len(receipts) > 1 else ()
    if not problems and wacz:
        problems += _against_pages(receipts, wacz)
    notes = [] if wacz else ["The page itself is not at hand; --wacz FILE checks that it has these words, too."]
    return VerifiedReceipts([] if problems else [receipt_words(receipt) for receipt in receipts], problems, notes)


def read_receipts(path: Path) -> list[Receipt]:
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}.") from None
    parts = content.splitlines() if path.suffix.lower() == ".jsonl" else [content]
    try:
        receipts = [json.loads(part) for part in parts if part.strip()]
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is not a receipt: it is not JSON, or was cut off.") from None
    if not receipts or not all(isinstance(receipt, dict) for receipt in receipts):
        raise BadInput(f"{path} holds no receipt.")
    return receipts


def receipt_words(receipt: Receipt) -> str:
    """What a receipt that holds says."""
    captured, quotation = receipt["capture"], receipt["quotation"]
    stamped = timestamp_facts(receipt)
    seen = f" Seen at {stamped['at']} by {stamped['authority']}." if stamped else ""
    return (
        f"Receipt {receipt['number']} holds: “{quotation['text']}” stood at {captured['finalUrl']} (HTTP "
        f"{captured['status']}) when it was captured at {captured['at']} by {receipt['tool']}, "
        f"key {fingerprint(receipt['key'])}.{seen}"
    )


def _of_wacz(path: Path) -> VerifiedReceipts:
    from wellsourced.projects.wacz_check import wacz_problems
    from wellsourced.projects.wacz_read import WaczFile

    with WaczFile.open(path) as wacz:
        problems = list(wacz_problems(wacz))
        holding = [] if problems else [receipt_words(receipt) for receipt in wacz.receipts]
    return VerifiedReceipts(holding, problems, [])


def _against_pages(receipts: list[Receipt], path: Path) -> Iterator[str]:
    from wellsourced.projects.wacz_check import page_problems
    from wellsourced.projects.wacz_read import WaczFile

    with WaczFile.open(path) as wacz:
        for receipt in receipts:
            yield from page_problems(receipt, wacz)
