"""What is found in the letters of many pieces at once is what each piece has by its words."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.piece_words import PieceWords, split_words, word_stem
from wellsourced.text.ranking import character_grams
from wellsourced.text.terms import STOP_WORDS

WORDS = (
    "Gray tyres grey the The U.K. studies study 1,830 17 3 Löhne Lohn Maße ﬁne e\u0301t\u00e9 İzmir köprü мост Мосты",
    "جسر كُتُب पुल हिन्दी 港の潮位を観測 カード ｶﾞﾗｽ 大桥于1932年 の 語 다리가 ภาษา x_y _ \x00 \U00020000 👩\u200d🚀 ½",
)
SINGLE = st.sampled_from([word for words in WORDS for word in words.split(" ")]) | st.text(max_size=6)
PIECES = st.lists(st.lists(SINGLE, max_size=8).map(" ".join), max_size=5)


@given(PIECES)
def test_the_words_of_a_piece_are_those_of_its_text(pieces: list[str]) -> None:
    words = PieceWords(pieces)
    split = [split_words(piece) for piece in pieces]
    assert [words.words_of(number) for number in range(len(words))] == split
    assert words.lengths.tolist() == list(map(len, split))


@given(PIECES, st.sampled_from(["en", "de", "ru"]))
def test_words_are_found_by_their_stems_in_order(pieces: list[str], language: str) -> None:
    split = [split_words(piece) for piece in pieces]
    stems = sorted({word_stem(word, language) for words in split for word in words})
    placed = enumerate((number, word) for number, words in enumerate(split) for word in words)
    expected = {
        (number, place, stems.index(form))
        for place, (number, word) in placed
        for form in {word, word_stem(word, language)} & set(stems)
    }
    found = PieceWords(pieces).find([[stem] for stem in stems], (language,)).tolist()
    assert sorted(map(tuple, found)) == sorted(expected)
    assert [place for _, place, _ in found] == sorted(place for _, place, _ in found)


@given(PIECES)
def test_runs_of_characters_are_counted_where_they_stand(pieces: list[str]) -> None:
    split = [[word for word in split_words(piece) if word not in STOP_WORDS] for piece in pieces]
    runs = sorted({run for words in split for word in words for run in character_grams(word)})
    expected = Counter(
        (number, runs.index(run))
        for number, words in enumerate(split)
        for word in words
        if character_grams(word)
        for run in _runs(word)
    )
    assert Counter(map(tuple, PieceWords(pieces).find_runs(runs).tolist())) == expected


def _runs(word: str) -> list[str]:
    marked = f"^{word}$"
    return [marked[at : at + 4] for at in range(max(1, len(marked) - 3))]
