"""Text in any character set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats import read_document
from wellsourced.documents.formats.text import decode

RUSSIAN = "Это обычный русский текст, в котором достаточно слов, чтобы узнать кодировку без ошибки и сомнений."
JAPANESE = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"
CHINESE = "这是一个用来测试字符编码的普通中文句子，里面有足够多的常用汉字。"
TRADITIONAL = "這是一個用來測試字元編碼的普通中文句子，裡面有足夠多的常用漢字。"
KOREAN = "이것은 문자 인코딩을 시험하기 위한 평범한 한국어 문장입니다."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (JAPANESE, "cp932"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (KOREAN, "euc_kr"),
        (JAPANESE, "euc_jp"),
        ("ภาษาไทยเป็นภาษาที่สวยงาม", "cp874"),
        ("שלום עולם, זהו טקסט בעברית", "cp1255"),
        ("Καλημέρα κόσμε, αυτό είναι ελληνικό κείμενο", "cp1253"),
        ("plain and wide", "utf-32"),
        (JAPANESE, "iso2022_jp"),
        ("Größe, Übung und Straße sind deutsche Wörter.", "cp1252"),
        ("plain and 日本語", "utf-16"),
        ("plain and 日本語", "utf-8-sig"),
        ("plain text without a mark", "utf-16-le"),
    ],
)
def test_character_sets(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@given(st.text(min_size=1))
def test_utf8_is_never_doubted(text: str) -> None:
    if "\x00" not in text:
        assert decode(text.encode("utf-8", "replace"))[0].lstrip("\ufeff") == text.encode(
            "utf-8", "replace"
        ).decode().lstrip("\ufeff")


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["text", "csv", "json"]))
def test_any_bytes_give_text_or_a_refusal(body: bytes, kind: str) -> None:
    try:
        assert len(read_document(kind, body, ReadOptions(max_chars=50)).text) <= 62
    except Unreadable as refusal:
        sentence = refusal.sentence
    else:
        return
    assert sentence.endswith(".")


def test_a_declared_character_set_is_believed() -> None:
    assert decode("Добрый".encode("koi8-r"), "koi8-r") == ("Добрый", ())
    assert decode("日本".encode("iso2022_jp"), "iso2022_jp") == ("日本", ())
