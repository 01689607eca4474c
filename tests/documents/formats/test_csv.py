"""CSV as programs write it."""

from __future__ import annotations

import pytest

from wellsourced.documents.document import ReadOptions
from wellsourced.documents.formats.csv import read

JAPANESE = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"


def test_csv_as_spreadsheets_write_it() -> None:
    found = read(b"sep=;\na,1;b\n" + b'"' + b"x" * 200_000 + b'";2\n3;4\n', ReadOptions(max_chars=10**6))
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
    assert row in read(text.encode(), ReadOptions(max_chars=1000)).text


def test_columns_left_out_are_told() -> None:
    found = read(",".join(map(str, range(61))).encode(), ReadOptions(max_chars=1000))
    assert found.truncated
    assert found.notes == ("Only the first 60 columns are shown.",)


def test_csv() -> None:
    found = read(JAPANESE.encode("cp932"), ReadOptions(max_chars=1000))
    assert (
        found.text == "| 名前 | 年齢 | 住所 |\n| --- | --- | --- |\n| 佐藤太郎 | 30 | 東京 |\n| 三木英子 | 25 | 大阪 |"
    )
    long = read(b"a;b\n" + b"1;2\n" * 3000, ReadOptions(max_chars=10**6))
    assert long.truncated
    assert long.text.count("\n") == 2000
