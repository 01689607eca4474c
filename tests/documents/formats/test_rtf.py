"""Rich text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.rtf import read


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"{\rtf1\ansi\ansicpg1252 {\fonttbl{\f0 Arial;}}{\info{\title T}}"
         rb"Caf\'e9 \u26085?\u26412?!\par Two\line three}",
         "Café 日本!\n\nTwo\nthree"),
        (rb"{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b{\*\generator X;}{\v hidden}\{\}}", "日本{}"),
        (rb"{\rtf1 a\cell b\cell\row c\cell d\cell\row after\par}", "| a | b |\n| --- | --- |\n| c | d |\n\nafter"),
        (rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fnil\fcharset204{\*\panose 02}B;}"
         rb"{\f2\fcharset128 C;}}\f0 caf\'e9 \f1\'cf\'f0\'e8{\f2 \'93\'fa\'96\'7b}\'e2 \plain\'e9}", "café При日本в é"),
        (rb"{\rtf1\mac caf\'8e{\deleted gone}{\pict\bin5 {{{{}} end}", "café end"),
        (rb"{\rtf1{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt Boxed\par}}{\shprslt Boxed\par}}"
         rb"{\pntext 1.\tab}Text{\super\chftn{\footnote \pard {\super\chftn}A note\par of two.}} goes on.}",
         "Boxed\n\n1. Text[^1] goes on.\n\n[^1]: A note of two."),
        (rb"{\rtf1\trowd\intbl a\par b {\itap2 in\nestcell{\nonesttables\par}side\nestcell{\*\nesttableprops\nestrow}"
         rb"}\cell c\cell\row\pard after\par}", "| a<br>b in / side | c |\n| --- | --- |\n\nafter"),
        (rb"{\rtf1\uc2 \u-10179??\u-8704?? ok}", "😀 ok"),
    ],
)  # fmt: skip
def test_text(body: bytes, text: str) -> None:
    assert read(body, ReadOptions(max_chars=1000)).text == text


def test_what_it_says_of_itself() -> None:
    found = read(
        rb"{\rtf1\ansicpg1251{\info{\title \'cf\'f0 \u8364?}{\author Ada}{\creatim\yr2024\mo3\dy5\hr1}}x}",
        ReadOptions(max_chars=9),
    )
    assert (found.title, found.author, found.text) == ("Пр €", "Ada", "x")
    assert found.date == datetime(2024, 3, 5, tzinfo=UTC)


def test_deep_groups_are_refused() -> None:
    with pytest.raises(Unreadable, match="nested"):
        read(b"{\\rtf1 " + b"{" * 100_000, ReadOptions(max_chars=1000))
