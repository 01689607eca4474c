"""Words as numbers: the same for a word wherever it stands, another for another word."""

from __future__ import annotations

import numpy as np

from wellsourced.text.word_numbers import PART, number_words

WORDS = ["tide", "edit", "harbour", "a", "masons", "mason", "x" * 70]


def test_a_word_has_its_number_wherever_it_stands_in_a_text_of_several_parts() -> None:
    words = [WORDS[place % len(WORDS)] for place in range(3 * PART // 12)]
    letters = np.frombuffer(" ".join(words).encode(), np.uint8).astype(np.uint32)
    is_letter = letters != ord(" ")
    starts = np.flatnonzero(is_letter & ~np.append(False, is_letter[:-1]))
    numbers = number_words(letters * is_letter, starts)
    assert len(letters) > 3 * PART
    assert {(word, int(number)) for word, number in zip(words, numbers, strict=True)} == {
        (word, int(number)) for word, number in zip(WORDS, numbers, strict=False)
    }
    assert len(set(numbers.tolist())) == len(WORDS)


def test_a_text_may_begin_with_blanks_and_have_one_word_longer_than_a_part() -> None:
    letters = np.zeros(4 * PART, np.uint32)
    letters[2 * PART - 5 :] = ord("x")
    assert len(number_words(letters, np.array([2 * PART - 5]))) == 1
    assert len(number_words(letters, np.array([], np.intp))) == 0
