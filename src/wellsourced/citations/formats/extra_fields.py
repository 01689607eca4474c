"""Fields of bibliographies that the model has no place for: their CSL name, their biblatex name and their RIS tag.

Facts: the CSL 1.0.2 variables, the biblatex manual, and the RIS tags as EndNote and Zotero write them.
"""

from __future__ import annotations

from wellsourced.late_pattern import late_pattern

TABLE: tuple[tuple[str, str, str], ...] = (
    ("abstract", "abstract", "AB"),
    ("collection-title", "series", "T3"),
    ("container-title-short", "shortjournal", "J2"),
    ("title-short", "shorttitle", "ST"),
    ("original-title", "origtitle", "OP"),
    ("call-number", "library", "CN"),
    ("archive", "database", "DB"),
    ("source", "source", "DP"),
    ("genre", "type", "M3"),
    ("number", "number", "M1"),
    ("number-of-volumes", "volumes", "NV"),
    ("section", "section", "SE"),
    ("reviewed-title", "reviewedtitle", "RI"),
    ("author-address", "affiliation", "AD"),
    ("PMCID", "pmcid", "C2"),
    ("custom1", "custom1", "C1"),
)
CSL_OF_BIBTEX = {bibtex: csl for csl, bibtex, _ in TABLE}
CSL_OF_RIS = {tag: csl for csl, _, tag in TABLE}
BIBTEX_OF_CSL = {csl: bibtex for csl, bibtex, _ in TABLE}
RIS_OF_CSL = {csl: tag for csl, _, tag in TABLE}
# Reference managers add dozens of private fields; a hostile file could add millions.
MOST_EXTRAS = 80
LONGEST_EXTRA = 20_000

PAGE_DASH = late_pattern(r"(?<=[0-9A-Za-z])\s{0,5}[-\u2010-\u2015\u2212]{1,5}\s{0,5}(?=[A-Za-z]{0,3}[0-9])")


def page_range(text: str) -> str:
    """With an en dash between the two ends, whatever dash was written."""
    return PAGE_DASH.sub("–", text.strip()[:200])
