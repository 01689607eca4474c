"""Operators written into queries, and results judged by them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.upstreams.helpers.search_operators import (
    compose_query,
    contains_excluded,
    matches_exact,
    split_excluded,
)
from wellsourced.upstreams.types.search import WebQuery

FULL = WebQuery(
    text='cats OR "big dogs" filetype:pdf',
    exact_terms='the "long" tail',
    exclude_terms='-fleas "dry food", c++',
    sites=("https://www.Example.com/", "docs.example.org/guide/"),
)


def test_every_filter_becomes_an_operator_and_the_user_is_not_rewritten() -> None:
    suffix = '"the long tail" -fleas -"dry food" -c++ (site:example.com OR site:docs.example.org/guide)'
    assert compose_query(FULL) == f'cats OR "big dogs" filetype:pdf {suffix}'


def test_filters_can_be_left_out_one_by_one() -> None:
    assert compose_query(FULL, sites=False, exact=False, exclude=False) == FULL.text
    assert compose_query(FULL, sites=False, exclude=False) == f'{FULL.text} "the long tail"'
    assert compose_query(FULL, exact=False, sites=False) == f'{FULL.text} -fleas -"dry food" -c++'
    assert compose_query(WebQuery(text=" cats ", sites=("a.example",))) == "cats site:a.example"


def test_the_words_are_cut_and_the_filters_survive() -> None:
    query = WebQuery(text="alpha beta gamma delta", exclude_terms="omega", sites=("example.com",))
    assert compose_query(query, limit=38) == "alpha beta -omega site:example.com"
    assert compose_query(WebQuery(text='one "two three four', exclude_terms="x"), limit=18) == "one -x"
    assert compose_query(WebQuery(text="東京の天気予報は晴れ"), limit=4) == "東京の天"
    assert compose_query(WebQuery(text="नमस्ते"), limit=5) == "नमस्"


@given(
    st.text(max_size=80),
    st.lists(st.from_regex(r"\A[a-z]{1,9}\.example\Z"), max_size=8),
    st.text(max_size=40),
    st.integers(10, 120),
)
def test_the_limit_holds(text: str, sites: list[str], excluded: str, limit: int) -> None:
    query = WebQuery(text=text, sites=tuple(sites), exclude_terms=excluded, exact_terms=excluded)
    assert len(compose_query(query, limit=limit)) <= limit


def test_what_cannot_be_sent_is_left_out() -> None:
    query = WebQuery(text="a\ud800b", exact_terms="c\udfffd", exclude_terms="e\ud800", sites=("x\ud800",))
    assert compose_query(query) == 'ab "cd" -e site:x'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, []),
        ("", []),
        ("a b, c", ["a", "b", "c"]),
        ('"two words" x -y', ["two words", "x", "y"]),
        ("“deux mots”，中文、日本", ["deux mots", "中文", "日本"]),
        ('open "never closed here', ["open", "never", "closed", "here"]),
        ("a, a ,A", ["a", "A"]),
        ('"" - ,', []),
    ],
)
def test_exclude_list(text: str | None, expected: list[str]) -> None:
    assert split_excluded(text) == expected


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Climate  Change", "on climate\nchange, today", True),
        ("art", "the start of it", False),
        ("art", "art-house; startle", True),
        ("don't", "Don’t worry", True),
        ("STRASSE", "die Straße", True),
        ("ｆｕｌｌ width", "full width", True),
        ("北京", "我在北京大学", True),
        ("iPhone", "新iPhone发布", True),
        ("서울", "서울은 크다", True),
        ("ไทย", "ภาษาไทยง่าย", True),
        ("हिन्द", "हिन्दी", False),
        ("हिन्दी", "यह हिन्दी है", True),
        ("кот", "который", False),
        ("aa aa", "xaa aa aa", True),
        ("c++", "learn c++ now", True),
        ("café", "cafe\u0301 noir", True),
        ("", "anything", True),
    ],
)
def test_matches_exact(phrase: str, text: str, expected: bool) -> None:
    assert matches_exact(phrase, "other", text) is expected


def test_contains_excluded() -> None:
    assert contains_excluded('"dry food" fleas', "A title", "about DRY  FOOD")
    assert not contains_excluded("dry food", "drying foods", "")
    assert contains_excluded(["Fleas"], "no fleas")
    assert not contains_excluded(None, "x")
    assert not contains_excluded([" "], "x")


@pytest.mark.parametrize("letter", ["a", "а", "字", "ก"])
def test_hostile_repetition_is_quick(letter: str) -> None:
    started = time.thread_time()
    assert not matches_exact(letter * 400 + "z", letter * 40_000)
    assert time.thread_time() - started < 2
