"""Pictures in markdown whose address could carry data to whoever serves it.

A client that shows the answer fetches its pictures by itself. A page, or an instruction hidden in one, can have text of
the conversation written into such an address, and showing it sends the text away. What has no query, fragment,
credentials or long part in its path has little room for that; of the others the alternative text is left.
"""

from __future__ import annotations

import re

from wellsourced.late_pattern import late_pattern

LONGEST_PART = 100
CARRIES_DATA = late_pattern(rf"[?#]|//[^/]*@|[^/]{{{LONGEST_PART},}}")
IMAGE = late_pattern(
    r"!\[((?:[^\[\]\\\n]|\\.){0,500})\]\([ \t]{0,8}<?([^\s()<>]{1,4000})>?(?:[ \t]{1,8}[\"'(][^\n()]{0,300})?\)"
)
REFERENCED = late_pattern(r"!(?=\[(?:[^\[\]\\\n]|\\.){0,500}\]\[)")
TAG = late_pattern(r"<img\b[^<>]{0,4000}>", re.IGNORECASE)
ALT = late_pattern(r"\balt\s{0,8}=\s{0,8}(?:\"([^\"]{0,500})\"|'([^']{0,500})')", re.IGNORECASE)


def carries_data(address: str) -> bool:
    return CARRIES_DATA.search(address) is not None


def leave_alt_texts(markdown: str) -> str:
    """Foreign markdown without pictures that could carry data. One that is named by a reference, whose address stands
    elsewhere, becomes a link; a tag becomes its alternative text."""
    if "![" in markdown:
        markdown = REFERENCED.sub("", IMAGE.sub(_safe_image, markdown))
    return TAG.sub(_alt_of_tag, markdown) if "<img" in markdown.lower() else markdown


def _safe_image(found: re.Match[str]) -> str:
    return found[1] if carries_data(found[2]) else found[0]


def _alt_of_tag(found: re.Match[str]) -> str:
    alt = ALT.search(found[0])
    return (alt[1] or alt[2] or "") if alt else ""
