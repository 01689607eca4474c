"""The lines of a RIS file, or of Web of Science's or PubMed's tagged export, as records of tags with their values.

RIS asks for `TY  - `; one blank less or more, a missing blank behind the dash and indentation are forgiven. Lines
without a tag continue the value before them. A record ends with ER, or where the next TY begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TAG = re.compile(r"[ \t\ufeff]{0,4}([A-Z][A-Z0-9])[ \t]{1,3}-(?:[ \t]+(.*)|([^ \t].*)?)")
FIRST_TAG = re.compile(r"^[ \t\ufeff]{0,4}[A-Z][A-Z0-9][ \t]{1,3}-", re.MULTILINE)
WOS_TAG = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?$")
WOS_START = re.compile(r"(?:FN |PT [A-Z]\s)")
RECORD_NUMBER = re.compile(r"\d{1,7}\.?\s*$")
LONGEST_VALUE = 50_000
WOS_TYPES = {"J": "JOUR", "B": "BOOK", "S": "SER", "P": "PAT"}
WOS_TO_RIS = {
    "SO": "T2", "J9": "J2", "DI": "DO", "BP": "SP", "EI": "SN", "BN": "SN", "PU": "PB", "PI": "CY", "AB": "AB",
    "DE": "KW",
    "TI": "TI", "PY": "PY", "PD": "PD", "VL": "VL", "IS": "IS", "EP": "EP", "SN": "SN", "LA": "LA", "SE": "T3",
    "BE": "A2",
    "ED": "A2", "UT": "AN", "AR": "SP", "PM": "PM", "C1": "AD", "DT": "M3", "NV": "NV", "BS": "BS", "CA": "AU",
}  # fmt: skip
MEDLINE_TAG = re.compile(r"([A-Z]{2,4})[ ]{0,2}- (.*)")
MEDLINE_START = re.compile(r"\s*PMID- ?[0-9]")
MEDLINE_TO_RIS = {
    "PMID": "PM", "TI": "TI", "BTI": "TI", "JT": "T2", "TA": "J2", "DP": "PY", "VI": "VL", "IP": "IS", "PG": "SP",
    "AB": "AB", "LA": "LA", "IS": "SN", "OT": "KW", "PB": "PB", "PL": "CY", "FAU": "AU", "CN": "AU",
}  # fmt: skip


@dataclass(slots=True)
class RisRecord:
    """Values by tag in the order of the file; each value keeps its continuation lines apart."""

    line: int
    values: list[tuple[str, list[str]]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    has_end: bool = False
    says_more: bool = False

    def add(self, tag: str, value: str) -> None:
        self.values.append((tag, [value[:LONGEST_VALUE].strip()]))
        self.says_more = self.says_more or tag != "TY"

    def go_on(self, text: str) -> None:
        if self.values and text.strip():
            self.values[-1][1].append(text[:LONGEST_VALUE].strip())


def split_records(text: str) -> Iterator[RisRecord]:
    if MEDLINE_START.match(text):
        yield from _medline_records(text)
        return
    is_wos = WOS_START.match(text) is not None and not FIRST_TAG.search(text[:2_000])
    yield from (_wos_records if is_wos else _ris_records)(text)


def _ris_records(text: str) -> Iterator[RisRecord]:
    record: RisRecord | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = TAG.match(line)
        tag = match[1] if match else ""
        if record is not None and tag == "TY" and record.says_more:
            yield record
            record = None
        if tag and record is None and tag != "ER":
            record = RisRecord(number)
        if record is None:
            continue
        record.raw.append(line)
        if tag == "ER":
            record.has_end = True
            yield record
            record = None
        elif match:
            record.add(tag, match[2] or match[3] or "")
        elif not RECORD_NUMBER.match(line):
            record.go_on(line)
    if record is not None:
        yield record


def _wos_records(text: str) -> Iterator[RisRecord]:
    record: RisRecord | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = WOS_TAG.match(line)
        tag, value = (match[1], match[2] or "") if match else ("", "")
        if tag == "PT":
            record = RisRecord(number)
            record.add("TY", WOS_TYPES.get(value.strip(), "GEN"))
        elif record is not None and tag == "ER":
            record.has_end = True
            yield _as_ris(record)
            record = None
        elif record is not None and tag:
            record.add(tag, value)
        elif record is not None:
            record.go_on(line)
        if record is not None:
            record.raw.append(line)
    if record is not None:
        yield _as_ris(record)


def _as_ris(record: RisRecord) -> RisRecord:
    """Full author names instead of abbreviated ones, and each author a value of its own."""
    full = "AF" if any(tag == "AF" for tag, _ in record.values) else "AU"
    plain = RisRecord(record.line, raw=record.raw, has_end=record.has_end)
    for tag, lines in record.values:
        if tag == full:
            plain.values += [("AU", [line]) for line in lines if line]
        elif tag == "TY" or (tag in WOS_TO_RIS and tag != "AU"):
            plain.values.append((WOS_TO_RIS.get(tag, tag), lines))
        elif tag not in {"AU", "AF", "CR", "FN", "VR"}:
            plain.values.append((f"WOS-{tag}", lines))
    return plain


def _medline_records(text: str) -> Iterator[RisRecord]:
    record: RisRecord | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = MEDLINE_TAG.match(line)
        if match and match[1] == "PMID":
            if record is not None:
                yield _from_medline(record)
            record = RisRecord(number, has_end=True)
        if record is None:
            continue
        record.raw.append(line)
        if match:
            record.add(match[1], match[2])
        elif line.startswith(" "):
            record.go_on(line)
    if record is not None:
        yield _from_medline(record)


def _from_medline(record: RisRecord) -> RisRecord:
    """Full author names where there are any; the DOI stands among other numbers, marked as one."""
    has_full = any(tag == "FAU" for tag, _ in record.values)
    plain = RisRecord(record.line, [("TY", ["JOUR"])], record.raw, has_end=True)
    for tag, lines in record.values:
        if lines[0].endswith(" [doi]"):
            plain.add("DO", lines[0].removesuffix(" [doi]"))
        elif tag in MEDLINE_TO_RIS or (tag == "AU" and not has_full):
            plain.values.append((MEDLINE_TO_RIS.get(tag, tag), lines))
    return plain
