"""Dates in fields of JSON, some without day or month."""

from __future__ import annotations

from typing import Any

import pytest

from wellsourced.upstreams.helpers.json_fields import iso_from_citation, iso_from_date_parts, iso_from_text, partial_iso


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ({"date-parts": [[2010, 2, 6]]}, "2010-02-06"),
        ({"date-parts": [["2010", "2"]]}, "2010-02"),
        ({"date-parts": [[2020]]}, "2020"),
        ({"date-parts": [[2021, 2, 31]]}, "2021-02"),
        ({"date-parts": [[2021, 13]]}, "2021"),
        ({"date-parts": [[None]]}, None),
        ({"date-parts": []}, None),
        ({"date-parts": [[10**30]]}, None),
        ({"date-parts": 5}, None),
        ("2010", None),
        (None, None),
    ],
)
def test_parts(value: Any, date: str | None) -> None:
    assert iso_from_date_parts(value) == date


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2014-02-18", "2014-02-18"),
        ("1998/02/28 00:00", "1998-02-28"),
        ("2016-05-26T17:59:46Z", "2016-05-26"),
        ("2014-02", "2014-02"),
        ("2014", "2014"),
        ("soon", None),
        ("20145", None),
        (2014, None),
    ],
)
def test_text(value: Any, date: str | None) -> None:
    assert iso_from_text(value) == date


def test_citations_and_names() -> None:
    assert iso_from_citation("Lancet. 2010 Feb 6;375(9713):445") == "2010-02-06"
    assert iso_from_citation("Cell Rep. 2022 Jun;39(13):111044. doi: 10.1016/j.celrep.2022.111044.") == "2022-06"
    assert iso_from_citation("somewhere") is None
    assert partial_iso("1979", "Feb", "") == "1979-02"
    assert partial_iso("1979", "Summer") == "1979"
    assert partial_iso("", "Feb") is None
