"""Which site an address stands for."""

from __future__ import annotations

import pytest

from wellsourced.brand.company_site import site_of
from wellsourced.errors import BadInput

ADDRESSES = [
    ("kaltura.com", "kaltura.com", ("https://kaltura.com/", "http://kaltura.com/", "https://www.kaltura.com/")),
    ("https://www.bbc.co.uk/news?x#y", "bbc.co.uk", ("https://www.bbc.co.uk/", "https://www.bbc.co.uk/news?x")),
    ("http://127.0.0.1:8080/site/a/", "127.0.0.1", ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/site/a/")),
    ("bücher.example", "xn--bcher-kva.example", ("https://xn--bcher-kva.example/",)),
]


@pytest.mark.parametrize(("given", "domain", "homes"), ADDRESSES)
def test_an_address_is_a_site(given: str, domain: str, homes: tuple[str, ...]) -> None:
    found = site_of(given)
    assert found.domain == domain
    assert found.homes[: len(homes)] == homes


@pytest.mark.parametrize("given", ["acme brand", "ftp://acme.example", "https://", "\ud800", "mailto:a@b"])
def test_what_is_no_address_is_told(given: str) -> None:
    with pytest.raises(BadInput, match="such as example"):
        site_of(given)
