"""Sentences of many languages, their places, and hostile texts in linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.sentences import LONGEST_SENTENCE, cut_text, split_sentences

TEXTS = [
    ["Dr. Smith met J. K. Rowling in the U.S. Senate.", "It cost $3.5 million, e.g. in 1999.", "Done!"],
    ["He lives in the U.S.", "The law changed.", "Apple Inc. announced it.", "Version 2.0 is out."],
    ["See Smith et al. (2020) and Fig. 3, vol. 2.", "The answer is no.", "We like vitamin C.", "The end."],
    ["Wait...", "What?", "Yes!!!", "It goes on… and on."],
    ['"Why?" she asked.', '"No."', "He left (early).", "Really?"],
    ["Am 3. Oktober 1990 war es z. B. so weit.", "Das gilt bzw. galt, d.h. immer.", "Nr. 5 lebt."],
    ["M. Dupont et Mme. Durand sont arrivés.", "C'est tout !", "Voilà."],
    ["El Sr. García llegó.", "¿Qué pasa?", "¡Hola!", "Nada."],
    ["А. С. Пушкин родился в Москве.", "Это правда?", "Да."],
    ["Der Umsatz stieg um 1,5 Mio. Euro.", "Der Gewinn lag bei 2 Mrd.", "Die Firma wuchs."],
    ["هل هذا صحيح؟", "نعم.", "انتهى الأمر۔"],
    ["यह एक वाक्य है।", "डॉ. शर्मा आए।", "तीसरा॥"],
    ["서울은 수도이다.", "사람이 많다."],
    ["All lower case here.", "Next one."],
]
UNSPACED = [
    ["東京は日本の首都です。", "人口は1400万人！", "本当？", "はい"],
    ["他说：“你好。”", "然后走了。", "价格是3.5元。"],
]


@pytest.mark.parametrize("expected", TEXTS)
@pytest.mark.parametrize("between", [" ", "\n", "\r\n\r\n", "\u2028", " \t "])
def test_spaced(expected: list[str], between: str) -> None:
    text = between.join(expected)
    assert [sentence.text for sentence in split_sentences(text)] == expected


@pytest.mark.parametrize("expected", UNSPACED)
def test_unspaced(expected: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences("".join(expected))] == expected


def test_lists_and_lower_case() -> None:
    found = [
        sentence.text
        for sentence in split_sentences("1. First item\n2) Second. More\n  iv. Fourth\nno capitals. none here")
    ]
    assert found == ["1. First item", "2) Second.", "More", "iv. Fourth", "no capitals. none here"]
    assert [s.text for s in split_sentences("no capitals. none here")] == ["no capitals.", "none here"]


@given(
    st.text(alphabet=st.sampled_from(list("aB1 .!?。…'\")\n،؟।é\u0301\u200d")), max_size=300) | st.text(max_size=200)
)
def test_nothing_but_white_space_is_lost(text: str) -> None:
    found = split_sentences(text)
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)
    assert all(sentence.text and sentence.text == sentence.text.strip() for sentence in found)
    assert "".join("".join(s.text for s in found).split()) == "".join(text.split())
    assert [s.start for s in found] == sorted(s.start for s in found)


@pytest.mark.parametrize("unit", ["word ", "w", "é\u0301", "字", "👩\u200d🚀"])
def test_endless_sentences_are_cut_between_characters(unit: str) -> None:
    text = unit * 2000
    found = split_sentences(text)
    assert max(len(sentence.text) for sentence in found) <= LONGEST_SENTENCE
    assert all(sentence.text[0] not in "\u0301\u200d🚀" for sentence in found)
    assert not any(sentence.text.endswith("\u200d") for sentence in found)
    assert "".join(sentence.text for sentence in found).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "limit", "kept"), [("abc", 3, "abc"), ("abcd", 3, "abc"), ("ae\u0301x", 2, "a"), ("", 5, "")]
)
def test_cut(text: str, limit: int, kept: str) -> None:
    assert cut_text(text, limit) == kept


@pytest.mark.parametrize(
    "unit", [".", ". ", "a. ", "U.S. ", "!", "'", ".'", "1.", "1. ", "。", "\u0301", "(", "\n", "... a"]
)
def test_time_is_linear(unit: str) -> None:
    def seconds(count: int) -> float:
        text = unit * count + "a"
        start = time.thread_time()
        split_sentences(text)
        return time.thread_time() - start

    small = min(seconds(5_000) for _ in range(3))
    large = min(seconds(40_000) for _ in range(2))
    assert large < max(0.02, small * 8 * 4)
