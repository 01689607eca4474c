"""Caption files of every form give the same lines; anything else gives none, and quickly."""

from __future__ import annotations

import time

import pytest

from wellsourced.pages.sites.youtube_captions import caption_lines, format_clock, write_timed_lines

FORMS = {
    "json3": """{"events":[{"tStartMs":0,"id":1},{"tStartMs":61500,"segs":[{"utf8":"Grüße, "},{"utf8":"港"}]},
        {"tStartMs":3661000,"segs":[{"utf8":"a < b"}]}]}""",
    "xml": """<?xml version="1.0"?><transcript><text start="61.5" dur="2">Grüße,
        港</text><text start="70" dur="1"></text><text start="3661" dur="1">a &amp;lt; b</text></transcript>""",
    "srv3": """<timedtext><body><p t="61500" d="9"><s>Grüße, </s><s t="5">港</s></p>
        <p t="3661000">a &lt; b</p></body></timedtext>""",
    "vtt": """WEBVTT\nKind: captions\n\n01:01.500 --> 01:05.000 align:start\n<c>Grüße,</c><00:01:02.000>\n港\n
01:01:01.000 --> 01:01:03.000\na &lt; b\n""",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form: str) -> None:
    assert write_timed_lines(caption_lines(FORMS[form])) == "[1:01] Grüße, 港\n[1:01:01] a < b"


def test_repeated_lines_are_written_once_and_clocks_count_hours() -> None:
    assert write_timed_lines([(0, "a"), (1, "a"), (2, "b")]) == "[0:00] a\n[0:02] b"
    assert [format_clock(seconds) for seconds in (0, 59.9, 60, 3599, 36000)] == [
        "0:00",
        "0:59",
        "1:00",
        "59:59",
        "10:00:00",
    ]


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"events":5}', '{"events":[1,{"segs":"x"}]}', "<html>", "WEBVTT", "null"]
)
def test_nothing_is_made_of_nothing(body: str) -> None:
    assert caption_lines(body) == []


@pytest.mark.parametrize("piece", ['<p t="1">', '<text start="1">', "\n \n", "<p ", "01:01.500 --> ", "<s>"])
def test_hostile_captions_take_no_time(piece: str) -> None:
    started = time.process_time()
    caption_lines(piece * (400_000 // len(piece)))
    caption_lines("WEBVTT\n" + piece * (400_000 // len(piece)))
    assert time.process_time() - started < 2
