"""Links to passages: what a browser finds first for them is the passage meant."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.text.sentences import split_sentences
from wellsourced.text.text_fragments import passage_link, text_directive


def _found_by_browser(text: str, written: str) -> tuple[int, int] | None:
    """A plain reading of the draft, by words: prefix, start, end, suffix; the first match counts."""
    parts = written.removeprefix("text=").split(",")
    prefix = unquote(parts.pop(0)[:-1]) if parts[0].endswith("-") else ""
    suffix = unquote(parts.pop()[1:]) if parts[-1].startswith("-") else ""
    start, end = unquote(parts[0]), unquote(parts[1]) if len(parts) > 1 else ""

    def pattern(words: str) -> str:
        return r"\s+".join(re.escape(word) for word in words.split())

    before = rf"{pattern(prefix)}\s+" if prefix else ""
    after = rf"(?=\s+{pattern(suffix)})" if suffix else ""
    middle = rf"{pattern(start)}(?:.*?{pattern(end)})" if end else pattern(start)
    found = re.search(rf"{before}({middle}){after}", text, re.IGNORECASE | re.DOTALL)
    return found.span(1) if found else None


@pytest.mark.parametrize(
    ("text", "passage", "written"),
    [
        ("One. Tea is hot. Three.", "Tea is hot.", "text=Tea%20is%20hot."),
        ("A b-c, d & e 100% here.", "A b-c, d & e 100% here.", "text=A%20b%2Dc%2C%20d%20%26%20e%20100%25%20here."),
        ("東京は大きい。京都は古い。", "京都は古い。", "text=%E4%BA%AC%E9%83%BD%E3%81%AF%E5%8F%A4%E3%81%84%E3%80%82"),
    ],
)
def test_directive(text: str, passage: str, written: str) -> None:
    start = text.index(passage)
    assert text_directive(text, start, start + len(passage)) == written


def test_a_repeated_sentence_is_told_by_its_neighbours() -> None:
    text = "First comes this. It is so. Then comes that. It is so. The end."
    second = text.rindex("It is so.")
    written = text_directive(text, second, second + 9)
    assert "-," in written
    assert _found_by_browser(text, written) == (second, second + 9)


def test_a_part_of_a_longer_word_is_no_place_to_stop_at() -> None:
    text = "A party was held. The art was new."
    start = text.index("art was")
    assert text_directive(text, start, start + 3) == "text=art"


def test_a_long_passage_is_given_by_its_ends() -> None:
    passage = " ".join(f"word{number}" for number in range(60)) + "."
    text = f"Before it. {passage} After it."
    written = text_directive(text, 11, 11 + len(passage))
    assert written == "text=word0%20word1%20word2%20word3,word56%20word57%20word58%20word59."


def test_a_long_passage_without_spaces_is_given_by_its_clauses() -> None:
    passage = "".join(f"第{number}号の測候所では、太陽電池が{number}時間働いた。" for number in range(20))
    text = f"測候所の話。{passage}それで終わり。"
    written = text_directive(text, 6, 6 + len(passage))
    assert unquote(written) == "text=第0号の測候所では、,太陽電池が19時間働いた。"
    assert _found_by_browser(text, written) == (6, 6 + len(passage))


def test_what_cannot_be_told_gets_no_directive() -> None:
    text = "So it is. " * 60
    start = text.rindex("So it is.")
    assert text_directive(text, start, start + 9) == ""
    assert text_directive(text, 3, 3) == ""


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://a.org/p", "https://a.org/p#:~:text=Tea"),
        ("https://a.org/p#part", "https://a.org/p#part:~:text=Tea"),
        ("https://a.org/p#:~:text=old", "https://a.org/p#:~:text=Tea"),
    ],
)
def test_link(url: str, linked: str) -> None:
    assert passage_link(url, "Tea", 0, 3) == linked


@given(st.lists(st.sampled_from(["tea", "is", "hot", "Tea", "so,", "it-is", "new.", "Old!", "\n", "é"]), max_size=60))
def test_a_browser_finds_the_very_sentence(words: list[str]) -> None:
    text = " ".join(words)
    for sentence in split_sentences(text)[:5]:
        written = text_directive(text, sentence.start, sentence.end)
        assert not written or _found_by_browser(text, written) == (sentence.start, sentence.end)
