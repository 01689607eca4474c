"""Country codes of two and three letters."""

from __future__ import annotations

from wellsourced.upstreams.helpers.countries import three_letters, two_letters


def test_country_codes() -> None:
    assert [three_letters(code) for code in ("de", "DEU", "UK", "el", "EA20", "wld")] == [
        *("DEU", "DEU", "GBR", "GRC", "EA20", "WLD")
    ]
    assert [two_letters(code) for code in ("deu", "DE", "gbr", "EA20")] == ["DE", "DE", "GB", "EA20"]
