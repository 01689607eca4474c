"""The sentence nearest to a claim: whole words, numbers, any script, and nothing where there is nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.claims import CLAIM_LENGTH, near_sentences, signal
from wellsourced.text.sentences import sentences


@pytest.mark.parametrize(
    ("claim", "text", "nearest"),
    [
        (
            "Coffee reduces the risk of liver cancer by 40%",
            "Coffee is popular. Drinking it lowered liver cancer risk by 40 percent, e.g. in Dr. Ito's cohort. Tea.",
            "Drinking it lowered liver cancer risk by 40 percent, e.g. in Dr. Ito's cohort.",
        ),
        (
            "The town has 1,000 inhabitants",
            "The town is an old town of note. It counts 1000 souls. It covers 10,000 hectares.",
            "It counts 1000 souls.",
        ),
        ("organised crime", "Music is nice here. They were organizing crimes.", "They were organizing crimes."),
        ("US tariffs", "It gave us nothing new. The U.S. tariff rose again.", "The U.S. tariff rose again."),
        (
            "東京の人口は1400万人",
            "京都は古い都市です。東京の人口は約1400万人とされる。大阪は商業都市。",
            "東京の人口は約1400万人とされる。",
        ),
        ("الاقتصاد السعودي", "الطقس جميل اليوم. نما الاقتصاد السعودي بسرعة.", "نما الاقتصاد السعودي بسرعة."),
        ("भारत की जनसंख्या", "मौसम अच्छा है आज। भारत की जनसंख्या बढ़ी है।", "भारत की जनसंख्या बढ़ी है।"),
        (
            "Arbeitslosigkeit in der Schweiz",
            "Das Wetter ist schön. Die Schweiz meldet Zahlen.",
            "Die Schweiz meldet Zahlen.",
        ),
        ("économie française", "Il pleut à Paris. L'ECONOMIE FRANCAISE progresse.", "L'ECONOMIE FRANCAISE progresse."),
        ("bees", "First about bees here. Then about bees there.", "First about bees here."),
    ],
)
def test_nearest(claim: str, text: str, nearest: str) -> None:
    assert signal(claim, text) == nearest


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("art", "The party started late in the evening."),
        ("40 percent", "There were 400 guests in 2040."),
        ("the of and is", "The of and is are the stop words of it."),
        ("", "Some text is here."),
        ("!!! ??? …", "Some text is here!!!"),
        ("coffee", ""),
        ("coffee", "Coffee."),
        ("東京の人口は多い", "人口密度は別の話で関係がない。"),
    ],
)
def test_nothing_near(claim: str, text: str) -> None:
    assert signal(claim, text) == ""


def test_order_places_and_terms_are_told() -> None:
    text = "Bees make honey. The sky is blue today.\nHoney bees number 20,000 in a hive."
    found = near_sentences("20000 honey bees", text)
    assert [near.sentence.text for near in found] == ["Bees make honey.", "Honey bees number 20,000 in a hive."]
    assert all(text[near.sentence.start : near.sentence.end] == near.sentence.text for near in found)
    assert [term.text for term in found[1].matched] == ["20000", "honey", "bees"]
    assert found[1].score > found[0].score


@given(st.text(max_size=60), st.text(max_size=300))
def test_the_signal_is_a_sentence_of_the_text(claim: str, text: str) -> None:
    found = signal(claim, text)
    assert found == "" or found in {sentence.text for sentence in sentences(text)}


def test_large_inputs_stay_bounded() -> None:
    claim = "alpha " * 100 + "beta " * 1000
    text = "word " * 100_000 + "alpha 漢字"
    start = time.perf_counter()
    found = signal(claim, text)
    assert time.perf_counter() - start < 5
    assert "alpha" in found
    assert len(found) <= 1000
    assert signal("x" * CLAIM_LENGTH + " alpha", "Only alpha is here now.") == ""
