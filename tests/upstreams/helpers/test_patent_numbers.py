"""Patent numbers as people write them, and what their kind codes say."""

from __future__ import annotations

import pytest

from wellsourced.upstreams.helpers.patent_numbers import is_grant, is_same_document, patent_number

WRITTEN = [
    ("US 10,165,245 B2", "US10165245B2"),
    ("us10165245b2", "US10165245B2"),
    ("10165245", "US10165245"),
    ("EP 1 000 000 A1", "EP1000000A1"),
    ("WO 2020/123456", "WO2020123456"),
    ("US 2019-0095759 A1", "US20190095759A1"),
    ("US2023418876A1", "US20230418876A1"),
    ("https://patents.google.com/patent/US10165245B2/en", "US10165245B2"),
    ("patent/US10165245B2/en", "US10165245B2"),
    ("USD987654S1", "USD987654S1"),
    ("https://patents.google.com/?q=solar", None),
    ("solar panel", None),
    ("COVID-19", None),
    ("2024", None),
    ("US" + "1" * 50, None),
    ("", None),
    ("JP S61-23456 A", "JPS6123456A"),
    ("https://patents.google.com/patent/RS12345B1/en", "RS12345B1"),
]
KINDS = [
    ("US10165245B2", True),
    ("US20230418876A1", False),
    ("US5000000A", True),
    ("USRE49000E1", True),
    ("US20030012345P1", False),
    ("USPP12345P2", True),
    ("USH1234H1", False),
    ("EP2533477B1", True),
    ("EP2533477A1", False),
    ("CN101234567C", True),
    ("DK3740998T3", None),
    ("US10165245", None),
]


@pytest.mark.parametrize(("text", "number"), WRITTEN)
def test_a_number_comes_to_one_form(text: str, number: str | None) -> None:
    assert patent_number(text) == number


@pytest.mark.parametrize(("number", "expected"), KINDS)
def test_the_kind_code_tells_a_grant(number: str, expected: bool | None) -> None:
    assert is_grant(number) is expected


def test_documents_are_compared_by_office_and_digits() -> None:
    assert is_same_document("US10165245", "US10165245B2")
    assert is_same_document("US2023418876A1", "US20230418876A1")
    assert not is_same_document("EP2533477A1", "EP2533477B1")
    assert not is_same_document("EP1000000A1", "US1000000A")
