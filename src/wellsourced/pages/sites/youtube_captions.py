"""Caption files as lines with a time: YouTube's json3 events, its `<text start dur>` XML, and WebVTT.

Facts from recorded answers: events without `segs` are window records; texts in the XML are escaped twice and may
be empty; captions made by machine repeat a line break as an event of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from wellsourced.text.plain_text import strip_markup

CaptionLine: TypeAlias = tuple[float, str]

XML_TEXT = re.compile(r'<text\b[^<>]{0,200}?\bstart="([0-9.]{1,12})"[^<>]{0,200}>([^<]{0,5000})</text>')
XML_PARAGRAPH = re.compile(r'<p\b[^<>]{0,200}?\bt="([0-9]{1,12})"[^<>]{0,200}>((?:[^<]|<(?!/?p[\s>])){0,5000}+)</p>')
VTT_TAG = re.compile(r"</?[a-z0-9:.][^<>]{0,80}>|</?[a-z]>")
VTT_TIME = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,]\d{3}\s*-->")


def caption_lines(body: str) -> list[CaptionLine]:
    """The lines of a caption file of any of the known forms; none for a form that is not known."""
    start = body.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        lines: Iterable[CaptionLine] = _json_lines(start)
    elif start.startswith("WEBVTT"):
        lines = _vtt_lines(start)
    else:
        lines = _xml_lines(start)
    return [(seconds, text) for seconds, words in lines if (text := strip_markup(words))]


def write_timed_lines(lines: Iterable[CaptionLine]) -> str:
    """`[1:02] words`, one line each; a line said twice running is written once."""
    written, before = [], ""
    for seconds, text in lines:
        if text != before:
            written.append(f"[{format_clock(seconds)}] {text}")
        before = text
    return "\n".join(written)


def format_clock(seconds: float) -> str:
    """`M:SS`, or `H:MM:SS` from an hour on."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _json_lines(body: str) -> Iterator[CaptionLine]:
    try:
        events = json.loads(body).get("events")
    except (ValueError, RecursionError, AttributeError):
        return
    for event in events if isinstance(events, list) else ():
        parts = event.get("segs") if isinstance(event, dict) else None
        started = event.get("tStartMs", 0) if parts else None
        if isinstance(parts, list) and isinstance(started, int):
            yield started / 1000, "".join(str(part.get("utf8", "")) for part in parts if isinstance(part, dict))


def _xml_lines(body: str) -> Iterator[CaptionLine]:
    for match in XML_TEXT.finditer(body):
        yield _number(match[1]), strip_markup(match[2])
    for match in XML_PARAGRAPH.finditer(body):
        yield int(match[1]) / 1000, match[2]


def _vtt_lines(body: str) -> Iterator[CaptionLine]:
    for cue in re.split(r"\n\s*\n", body.replace("\r\n", "\n")):
        time = VTT_TIME.search(cue[:200])
        if time:
            seconds = int(time[1] or 0) * 3600 + int(time[2]) * 60 + int(time[3])
            yield seconds, VTT_TAG.sub("", " ".join(cue[time.end() :].split("\n")[1:]))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
