"""Significant terms, stems and numbers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.terms import comparison_keys, significant_terms, stem_word, term_keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S. economy grew 3.5% in 2021", ["us", "economy", "grew", "3.5", "2021"]),
        ("Is it IT or AI in the EU?", ["ai", "eu"]),
        ("1,000,000 jobs, 1.234,50 euros, 1'000 francs", ["1000000", "jobs", "1234.5", "euros", "1000", "francs"]),
        ("COVID-19 in the 1990s, H2O, 10kg", ["covid", "19", "1990s", "h2o", "10kg"]),
        ("Die Zahl der Toten ist hoch und der Krieg war lang", ["zahl", "toten", "hoch", "krieg", "lang"]),
        ("patients die in war", ["patients", "die", "war"]),
        ("Les villes sont grandes dans son pays", ["villes", "grandes", "pays"]),
        ("Los precios del petróleo son más altos", ["precios", "petróleo", "altos"]),
        ("Os preços não são altos para uma família", ["preços", "altos", "família"]),
        ("東京の人口は1400万人", ["東京", "人口", "1400", "万人"]),
        ("水", ["水"]),
        ("서울은 수도", ["서울", "울은", "수도"]),
        ("हिन्दी विज्ञान", ["हिन्दी", "विज्ञान"]),
        ("Cafe\u0301 CAFÉ snake_case snake", ["café", "snake", "case"]),
        ("٣٫٥ مليون", ["3.5", "مليون"]),
        ("version 3.11.7 on 12.05.2020", ["version", "3.11.7", "12.05.2020"]),
        ("the of and", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert significant_terms(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        "organise organises organised organising organize organized",
        "organisation organizations",
        "analyse analysed analyzing",
        "study studies studied studying",
        "increase increases increased increasing",
        "stop stops stopped stopping",
        "process processes processing processed",
        "travel travelled traveled travelling",
        "colour colours coloured color",
        "behaviour behaviours behavior",
        "centre centres center",
        "programme programmes program",
        "city cities city's",
        "die dies died",
        "use uses used",
        "hundred hundreds",
        "fall falls falling",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem_word(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["news new", "string str", "virus viru", "need ne", "art party", "glass gla", "speed spe", "this thi"]
)
def test_different_words_stay_apart(pair: str) -> None:
    one, other = pair.split()
    assert stem_word(one) != stem_word(other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1,000", "1000", True),
        ("1.000", "1,000", True),
        ("1.234", "1234", True),
        ("3.5", "3,5", True),
        ("3.50", "3.5", True),
        ("1’000’000", "1,000,000", True),
        ("３５", "35", True),
        ("0.040", "0.04", True),
        ("1,000", "1", False),
        ("35", "3.5", False),
        ("40", "400", False),
        ("2020", "20", False),
        ("3.11.7", "3.11", False),
    ],
)
def test_numbers_are_compared_as_numbers(one: str, other: str, same: bool) -> None:
    for left, right in ((one, other), (other, one)):
        (term,) = significant_terms(left)
        assert bool(term_keys(term) & comparison_keys(f"about {right} of them")) is same


@given(st.text(max_size=200) | st.text(alphabet=list("aZ09.,'_ ²½Ⅷßİ٣漢かไ한ह\u093f\u0301\u200d"), max_size=30))
def test_every_term_of_a_text_occurs_in_it(text: str) -> None:
    present = comparison_keys(text)
    found = significant_terms(text)
    assert len(found) == len(set(found))
    assert all(term_keys(term) & present for term in found)


@pytest.mark.parametrize("unit", ["a ", "1,", "1", "_", "é\u0301", "漢", "a.", "ไ", "1a", "a.bb", "'", "\u0301"])
def test_time_is_linear(unit: str) -> None:
    def seconds(count: int) -> float:
        start = time.thread_time()
        significant_terms(unit * count)
        comparison_keys(unit * count)
        return time.thread_time() - start

    small = min(seconds(5_000) for _ in range(3))
    assert min(seconds(40_000) for _ in range(2)) < max(0.02, small * 8 * 4)
