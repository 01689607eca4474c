"""Strips what a terminal would obey from foreign text.

A page, a title or an error may carry control sequences that move the cursor, retitle the window, paste into the
clipboard or reorder what is read. Sequences are ECMA-48 (CSI, OSC, DCS, SOS, PM, APC, in 7-bit and 8-bit form); what
remains of the control characters goes too, except line ends and tabs, and so do the characters that override the
direction of text (Unicode UAX #9). Every pattern is linear.
"""

from __future__ import annotations

import re

# A string sequence that never ends must not swallow the rest of a text.
LONGEST_STRING = 4096
CSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?")
STRINGS = re.compile(
    rf"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x07\x1b\x80-\x9f\n]{{0,{LONGEST_STRING}}}(?:\x07|\x1b\\|\x9c)"
)
ESCAPES = re.compile(r"\x1b[ -/]*[0-~]?")
LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
# JSON escapes C0 controls itself, but lets C1 controls and these two line ends stand.
JSON_CONTROLS = re.compile(r"[\x7f-\x9f\u2028\u2029]")


def strip_control_sequences(text: str) -> str:
    """The text without anything that a terminal would obey."""
    # Strings first: they may contain what looks like another sequence.
    for sequences in (STRINGS, CSI, ESCAPES):
        text = sequences.sub("", text)
    return CONTROLS.sub("", LINE_ENDS.sub("\n", text))


def flatten_line(text: str) -> str:
    return " ".join(strip_control_sequences(text).split())


def escape_control_characters(text: str) -> str:
    """The same JSON value; characters that JSON allows raw in strings and terminals obey are written as escapes."""
    return JSON_CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
