"""Text in any character set, CSV and JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.documents.document import Document
from wellsourced.documents.plain import decode, read
from wellsourced.documents.unreadable import Unreadable

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
        assert len(read(body, kind=kind, max_chars=50).text) <= 62
    except Unreadable as refusal:
        told = refusal.sentence
    else:
        return
    assert told.endswith(".")


def test_a_declared_character_set_is_believed() -> None:
    assert decode("Добрый".encode("koi8-r"), "koi8-r") == ("Добрый", ())
    assert decode("日本".encode("iso2022_jp"), "iso2022_jp") == ("日本", ())


def test_csv_as_spreadsheets_write_it() -> None:
    found = read(b"sep=;\na,1;b\n" + b'"' + b"x" * 200_000 + b'";2\n3;4\n', kind="csv", max_chars=10**6)
    assert found.text.startswith("| a,1 | b |")
    assert found.text.endswith("| 3 | 4 |")


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Sales of the year\n\nname;price\nApples;1,50\nPears;2,25\n", "| Apples | 1,50 |"),
        ("a, b and c in one title\nx\ty\n1\t2,5\n3\t4\n", "| 1 | 2,5 |"),
        ('name,said\nAda,"x; y; z"\nBob,no\n', "| Ada | x; y; z |"),
    ],
)
def test_the_delimiter_is_the_one_most_lines_agree_on(text: str, row: str) -> None:
    assert row in read(text.encode(), kind="csv", max_chars=1000).text


def test_columns_left_out_are_told() -> None:
    found = read(",".join(map(str, range(61))).encode(), kind="csv", max_chars=1000)
    assert found.truncated
    assert found.notes == ("Only the first 60 columns are shown.",)


def test_csv() -> None:
    found = read(JAPANESE.encode("cp932"), kind="csv", max_chars=1000)
    assert (
        found.text == "| 名前 | 年齢 | 住所 |\n| --- | --- | --- |\n| 佐藤太郎 | 30 | 東京 |\n| 三木英子 | 25 | 大阪 |"
    )
    long = read(b"a;b\n" + b"1;2\n" * 3000, kind="csv", max_chars=10**6)
    assert long.truncated
    assert long.text.count("\n") == 2000


def test_json_is_indented_and_bounded() -> None:
    found = read('{"é":[1,{"a":null}]}'.encode(), kind="json", max_chars=1000)
    assert json.loads(found.text.removeprefix("```json\n").removesuffix("\n```")) == {"é": [1, {"a": None}]}
    lines = '{"a":1}\n\n{"b":"\\n"}'
    assert read(lines.encode(), kind="json", max_chars=99) == Document(
        text=f"```json\n{lines}\n```", content_type="json"
    )
    assert read(b'{"n":\n' + b"9" * 5_000 + b"}", kind="json", max_chars=9_999).notes == ()
    assert read(b'["\\ud83d"]', kind="json", max_chars=99).text.encode().decode() == '```json\n[\n  "\ufffd"\n]\n```'
    deep = read(b"[" * 100_000, kind="json", max_chars=10**6)
    assert "not valid" in deep.notes[0]
