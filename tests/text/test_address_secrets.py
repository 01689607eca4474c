"""What is cut out of an address before others see it, and what is not."""

from __future__ import annotations

import pytest

from wellsourced.text.address_secrets import cut_address_secrets, cut_secrets_of_addresses

TOKEN = "q8Zt3LmN0pRs7VwX2yBd"
UUID = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
CUT = (
    f"https://example.org/reset/{TOKEN}",
    f"https://example.org/account/Reset-Password/{TOKEN}/",
    f"https://files.example.org/share/{UUID}/report.pdf",
    f"https://docs.example.org/document/d/{TOKEN}{TOKEN}/edit",
    f"https://example.org/verify/{TOKEN[:10]}%31{TOKEN[10:]}",
    f"https://example.org/view;jsessionid={TOKEN}/page",
    "https://example.org/data/AKIAIOSFODNN7EXAMPLE/x",
    f"https://ada:{TOKEN}@example.org/",
    f"https://example.org/x?X-Amz-Signature={TOKEN}&page=2",
)
LEFT = (
    "https://example.org/reset/password-guide-for-2026",
    "https://example.org/share/how-to-share-files",
    f"https://example.org/articles/{UUID}",
    "https://github.com/python/cpython/commit/4c0b7e0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f",
    "https://doi.org/10.1038/s41586-020-2649-2",
    "https://arxiv.org/abs/2401.00001v2",
    "https://www.legislation.gov.uk/ukpga/1998/42/section/6?view=plain",
)


@pytest.mark.parametrize("url", CUT)
def test_what_lets_its_holder_in_is_cut(url: str) -> None:
    cut = cut_address_secrets(url)
    assert not any(secret in cut for secret in (TOKEN, TOKEN[:10], UUID, "AKIAIOSFODNN7EXAMPLE")), cut
    assert cut_secrets_of_addresses(f"See {url} there.") == f"See {cut} there."
    assert cut_address_secrets(cut) == cut


@pytest.mark.parametrize("url", LEFT)
def test_what_names_a_page_stays(url: str) -> None:
    assert cut_address_secrets(url) == url


def test_two_pages_behind_secrets_stay_two() -> None:
    one, other = (cut_address_secrets(f"https://example.org/share/{TOKEN}{number}") for number in (1, 2))
    assert one != other and TOKEN not in one + other
