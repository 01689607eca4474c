"""Country codes of ISO 3166-1: two letters and three letters. What is in neither list is passed on as it came."""

from __future__ import annotations

from wellsourced.data import read_lines

ROWS = [line.split(maxsplit=2) for line in read_lines("countries.txt")]
THREE_OF_TWO = {two: three for two, three, *_ in ROWS}
TWO_OF_THREE = {three: two for two, three, *_ in ROWS}
NAME_OF_TWO = {row[0]: row[2] for row in ROWS if len(row) == 3}
OTHER_SPELLINGS = {"UK": "GB", "EL": "GR"}


def three_letters(code: str) -> str:
    """`de` and `DEU` become `DEU`; a group such as `EA20` stays."""
    known = code.strip().upper()
    known = OTHER_SPELLINGS.get(known, known)
    return THREE_OF_TWO.get(known, known)


def two_letters(code: str) -> str:
    """`deu` and `DE` become `DE`; a group such as `EA20` stays."""
    known = code.strip().upper()
    known = OTHER_SPELLINGS.get(known, known)
    return TWO_OF_THREE.get(known, known)
