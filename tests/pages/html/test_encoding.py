"""Bytes to text: marks, labels that mean something else on the web, labels that lie, no label at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.pages.html import encoding

RUSSIAN = "Надежды на разрешение кризиса с транзитом газа в Европу, по словам министра, остаются."
JAPANESE = "衆院議院運営委員会は午後の理事会で、本会議を開き、補正予算案と関連法案を採決することを決めた。"
FRENCH = "Les élèves travaillent à l’école, où l’été a déjà commencé – c’est très agréable."
HUNGARIAN = "Az első magyar nyelvű könyv és a legújabb hírek: a miniszter azt mondta, hogy nem lesz több ilyen ülés. "
MAC_RUSSIAN = "Я думаю, что эта история ясна для всех, и сегодняшняя встреча являет собой начало. "
CHINESE = "中国政府宣布了新的经济政策，专家认为这将影响市场。"
# What the standard makes of labels that few know.
LABELS = {
    "x-cp1251": "windows-1251", "iso88592": "iso-8859-2", "visual": "iso-8859-8", "logical": "iso-8859-8-i",
    "x-user-defined": "x-user-defined", "dos-874": "windows-874", "sun_eu_greek": "iso-8859-7",
    "asmo-708": "iso-8859-6",
    "csisolatin6": "iso-8859-10", "l9": "iso-8859-15", "koi8-ru": "koi8-u", "x-mac-ukrainian": "x-mac-cyrillic",
    "ibm866": "ibm866", "csunicode": "utf-16le", "unicodefffe": "utf-16be", "hz-gb-2312": "replacement",
    "iso-2022-kr": "replacement", "csiso2022jp": "iso-2022-jp", "x-sjis": "shift_jis", "big5-hkscs": "big5",
    "unicode20utf8": "utf-8", " LATIN1\n": "windows-1252", "utf-7": "", "cp037": "", "klingon": "",
}  # fmt: skip
PRESCANNED = {
    "<meta charset=koi8-r>": "koi8-r", "<meta/charset = 'KOI8-R'>": "koi8-r",
    "<META content='a;charset=koi8-r' http-equiv=content-type>": "koi8-r",
    "<meta content='text/html; charset=koi8-r'>": "",
    "<meta http-equiv=content-type content='charset charset=koi8-r'>": "koi8-r",
    "<!-- <meta charset=koi8-r> --><meta charset=x-user-defined>": "windows-1252", "<a b='<meta charset=koi8-r>'>": "",
    "<meta charset=utf-16><meta charset=koi8-r>": "utf-8", "<meta charset=none-such><meta charset=koi8-r>": "koi8-r",
    "<?xml version='1.0' encoding='koi8-r'?><meta charset=gbk>": "gbk", "<!x <meta charset=koi8-r>": "",
    "</meta charset=koi8-r>": "",
}  # fmt: skip
CASES = {
    "undeclared Hungarian": ((HUNGARIAN * 4).encode("cp1250"), "", HUNGARIAN),
    "undeclared Macintosh Cyrillic": ((MAC_RUSSIAN * 4).encode("mac-cyrillic"), "", MAC_RUSSIAN),
    "undeclared iso-2022-jp": (JAPANESE.encode("iso2022_jp"), "", JAPANESE),
    "undeclared HZ": (CHINESE.encode("hz"), "", CHINESE), "HZ": (CHINESE.encode("hz"), "charset=hz-gb-2312", CHINESE),
    "user-defined": (b"a\x80\xff", "text/html; charset=x-user-defined", "a\uf780\uf7ff"),
    "replacement": (b"abc", "text/html; charset=iso-2022-cn", "\ufffd"),
    "utf-8 mark": (b"\xef\xbb\xbf" + FRENCH.encode(), "text/html; charset=latin1", FRENCH),
    "utf-16 mark": (b"\xff\xfe" + FRENCH.encode("utf-16-le"), "", FRENCH),
    "utf-16 without mark": (b"".join(f"<p>{FRENCH}</p>".encode("utf-16-le") for _ in "x"), "", FRENCH),
    "header": (RUSSIAN.encode("koi8-r"), "text/html; charset=KOI8-R", RUSSIAN),
    "header before meta": (
        b'<meta charset="utf-8">' + RUSSIAN.encode("cp1251"), "text/html;charset=windows-1251", RUSSIAN,
    ),
    "meta": (b'<meta charset="windows-1251">' + RUSSIAN.encode("cp1251"), "", RUSSIAN),
    "http-equiv": (
        b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">' + JAPANESE.encode("cp932"),
        "", JAPANESE,
    ),
    "meta in a comment does not count": (b'<!-- <meta charset="koi8-r"> -->' + FRENCH.encode(), "", FRENCH),
    "xml declaration": (b'<?xml version="1.0" encoding="EUC-JP"?><p>' + JAPANESE.encode("euc-jp"), "", JAPANESE),
    "latin1 is windows-1252": (FRENCH.encode("cp1252"), "text/html; charset=ISO-8859-1", FRENCH),
    "gb2312 is gb18030": ("镕𠀀中文".encode("gb18030"), "text/html; charset=gb2312", "镕𠀀中文"),
    "euc-kr is windows-949": ("똠방각하 햏".encode("cp949"), "text/html; charset=euc-kr", "똠방각하 햏"),
    "declared utf-8, written in windows-1252": (
        b'<meta charset="utf-8"><p>' + (FRENCH * 4).encode("cp1252"), "", FRENCH,
    ),
    "declared latin1, written in utf-8": (b'<meta charset="iso-8859-1">' + FRENCH.encode(), "", FRENCH),
    "utf-8 with a stray byte": (FRENCH.encode() * 3 + b" caf\xe9", "text/html; charset=utf-8", "café"),
    "undeclared": ((RUSSIAN * 3).encode("cp1251"), "", RUSSIAN),
    "a label that only Python knows": (RUSSIAN.encode("cp1251") * 3, "text/html; charset=undefined", RUSSIAN),
    "a label that reads escapes": (b"+ADw-b+AD4-", "text/html; charset=utf-7", "+ADw-b+AD4-"),
    "unknown label": (FRENCH.encode(), "text/html; charset=klingon", FRENCH),
}  # fmt: skip

RECORDED = {
    "missing-charset-big5.html": "台北看守所", "missing-charset-gb18030.html": "中国制造的领军者",
    "feed-tis-620.xml": "งานบริการ",
    "missing-charset-iso-8859-7-greek.html": "ομιλία", "missing-charset-shift_jis.html": "衆院議院運営委員会",
    "missing-charset-utf-8.html": "麦蒂的天赋极高", "missing-charset-windows-1251.html": "РИА Новости",
    "feed-euc-kr.xml": "블로그",
    "missing-charset-windows-1255-hebrew.html": "הקבינט", "gbk-declared-utf8-xinhuanet.html": "新华网河北频道",
    "iso-8859-1-next2games.html": "öglichkeit", "utf8-declared-but-broken-maescot.html": "Mäscot",
    "utf-16le-no-bom.html": "𐌓𐌀𐌔𐌍𐌀",
    "feed-koi8-r.xml": "Почти все о греческом", "feed-windows-1251.xml": "Здоровье", "feed-shift_jis.xml": "アメリカで",
    "feed-euc-jp.xml": "オタク文化", "feed-gb2312.xml": "日子如流沙",
}  # fmt: skip


def test_labels_and_declarations() -> None:
    assert {label: encoding.codec_of(label) for label in LABELS} == LABELS
    assert {html: encoding.declared_codec(html.encode()) for html in PRESCANNED} == PRESCANNED


@pytest.mark.parametrize(("body", "content_type", "expected"), CASES.values(), ids=CASES)
def test_decode(body: bytes, content_type: str, expected: str) -> None:
    assert expected in encoding.decode(body, content_type).text


def test_a_false_label_is_told() -> None:
    assert encoding.decode(b'<meta charset="iso-8859-1">' + FRENCH.encode()).overruled
    assert not encoding.decode(FRENCH.encode(), "text/html; charset=utf-8").overruled


def test_recorded_pages(shared: Path) -> None:
    for name, expected in RECORDED.items():
        decoded = encoding.decode((shared / "pages" / "charset" / name).read_bytes())
        assert expected in decoded.text, name
        assert "\ufffd" not in decoded.text, name


@given(st.text(max_size=9), st.sampled_from("aé語😀"), st.integers(0, 3))
def test_a_cut_costs_at_most_one_character(text: str, last: str, torn: int) -> None:
    whole, end = text.encode("utf-8", "ignore"), last.encode()
    cut = end[: min(torn, len(end) - 1)]
    assert encoding.without_torn_end(whole + cut) == whole
    assert encoding.without_torn_end(whole + end) == whole + end


@given(st.binary(max_size=600), st.text(max_size=40))
def test_any_bytes_give_text(body: bytes, label: str) -> None:
    encoding.decode(body, f"text/html; charset={label}").text.encode("utf-8", "surrogatepass")


@given(st.text(min_size=1, max_size=400))
def test_utf8_is_always_read_as_such(text: str) -> None:
    clean = text.replace("\ufeff", "").replace("\x00", "")
    if clean.isascii():
        clean += "é"
    assert encoding.decode(("x" * 600 + clean).encode("utf-8", "ignore")).text.endswith(
        clean.encode("utf-8", "ignore").decode()
    )
