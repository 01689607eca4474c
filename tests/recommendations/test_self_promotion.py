"""Lists that put their own publisher first are reported; everything that only looks like one is not."""

from __future__ import annotations

import time

import pytest

from wellsourced.recommendations.self_promotion import SelfPromotion, find_self_promotion, without_place

APPS = ["Acme Books", "Zeta", "Ledgerly", "Countify", "Sumup"]


def _listed(names: list[str], form: str = "## {n}. {name}") -> str:
    return "\n\nIt is good.\n\n".join(form.format(n=n, name=name) for n, name in enumerate(names, start=1))


@pytest.mark.parametrize(
    "form", ["## {n}. {name}", "{n}) **{name}** – our pick", "### #{n}. [{name}](https://a.example)"]
)
def test_the_own_brand_at_the_top(form: str) -> None:
    found = find_self_promotion("https://blog.acmebooks.com/x", "The 5 best invoicing apps", _listed(APPS, form))
    assert found == SelfPromotion("acmebooks.com", "acmebooks", 1, "high")


def test_other_languages_and_the_heading() -> None:
    text = "# Die besten Rechnungsprogramme\n\n" + _listed(["Müllersoft Pro", "Zeta", "Ledgerly"])
    found = find_self_promotion("https://www.muellersoft.de/", "Blog", text.replace("Müllersoft", "Muellersoft"))
    assert found is not None
    assert (found.brand_token, found.confidence) == ("muellersoft", "medium")


@pytest.mark.parametrize(
    ("url", "title", "names"),
    [
        ("https://independent.example/", "The 5 best invoicing apps", APPS),
        ("https://acmebooks.com/", "The 5 best invoicing apps", [*APPS[1:], APPS[0]]),
        ("https://acmebooks.com/", "How to invoice in 5 steps: the best guide", APPS),
        ("https://acmebooks.com/", "Invoicing for beginners", APPS),
        ("https://acmebooks.com/", "The 5 best invoicing apps", APPS[:2]),
        ("https://acmebooks.com/", "Our best products", ["Acme Books One", "Acme Books Two", "Acme Books Three"]),
        ("https://acme.com/", "The 5 best invoicing apps", ["Acmeville Ledger", "Zeta", "Ledgerly"]),
        ("https://best.com/", "The 5 best invoicing apps", ["Best Ledger", "Zeta", "Ledgerly"]),
        ("https://hp.com/", "The 5 best printers", ["HP One", "Canon", "Epson"]),
        ("https://nature.com.evil.com/", "Top 3 journals", ["Nature", "Science", "Cell"]),
        ("not a url", "Top 3 journals", ["Nature", "Science", "Cell"]),
    ],
)
def test_nothing_is_said_of_others(url: str, title: str, names: list[str]) -> None:
    assert find_self_promotion(url, title, _listed(names)) is None


def test_a_countdown_ends_with_the_first_place() -> None:
    text = "\n".join(f"{number}. {name}" for number, name in zip(range(5, 0, -1), reversed(APPS), strict=True))
    assert find_self_promotion("https://acmebooks.com/", "Top 5 apps", text) is not None


def test_hostile_lists_are_quick() -> None:
    start = time.process_time()
    find_self_promotion("https://acmebooks.com/", "Top apps", "1. a\n2. b\n" * 40_000)
    find_self_promotion("https://acmebooks.com/", "Top apps", "#" * 300_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("sign", ["1. ", "#1 ", "#1: ", "No. 1 ", "1) "])
def test_a_copied_number_does_not_hide_the_brand(sign: str) -> None:
    rest = "\n".join(f"{number}. Platform {number}" for number in range(2, 7))
    listed = f"{sign}Shopify\n{rest}"
    found = find_self_promotion("https://www.shopify.com/blog/best", "The best shop platforms", listed)
    assert found is not None and (found.brand_token, found.rank_position) == ("shopify", 1)
    assert without_place(f"{sign}Shopify") == "Shopify" and without_place("7 Up") == "7 Up"
