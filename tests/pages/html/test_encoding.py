"""Bytes to text: marks, labels that mean something else on the web, labels that lie, no label at all."""

from __future__ import annotations

import unicodedata
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
# The 228 labels of the Encoding standard, section 4.2, by the encoding that each means.
LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": ("csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
    "iso-8859-3": ("csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
    "iso-8859-4": ("csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
    "iso-8859-5": ("csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"),
    "iso-8859-6": (
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
        "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "iso-8859-7": (
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        "iso_8859-7:1987 sun_eu_greek"
    ),
    "iso-8859-8": (
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
        "iso_8859-8 iso_8859-8:1988 visual"
    ),
    "iso-8859-8-i": "csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1252": (
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
        "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"
    ),
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": (
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        "windows-1254 x-cp1254"
    ),
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"
    ),
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
}
NO_LABELS = ("utf-7", "cp037", "klingon", "")
# What a page cannot say of itself: its markup is read in single bytes.
SAID_OF_ITSELF = {"utf-16be": "utf-8", "utf-16le": "utf-8", "x-user-defined": "windows-1252"}
PRESCANNED = {
    "<meta charset=koi8-r>": "koi8-r", "<meta/charset = 'KOI8-R'>": "koi8-r",
    "<META content='a;charset=koi8-r' http-equiv=content-type>": "koi8-r",
    "<meta content='text/html; charset=koi8-r'>": "",
    "<meta http-equiv=content-type content='charset charset=koi8-r'>": "koi8-r",
    "<!-- <meta charset=koi8-r> --><meta charset=x-user-defined>": "windows-1252", "<a b='<meta charset=koi8-r>'>": "",
    "<meta charset=utf-16><meta charset=koi8-r>": "utf-8", "<meta charset=none-such><meta charset=koi8-r>": "koi8-r",
    "<?xml version='1.0' encoding='koi8-r'?><meta charset=gbk>": "gbk", "<!x <meta charset=koi8-r>": "",
    "</meta charset=koi8-r>": "", "</a <meta charset=koi8-r>": "", "</ <meta charset=koi8-r>": "",
    "<meta charset = koi8-r >": "koi8-r", '<meta charset="koi8-r>': "", "<meta charset=koi8-r charset=gbk>": "koi8-r",
    "<META CHARSET=KOI8-R/>": "", "<meta\fcharset=koi8-r>": "koi8-r", "<metax charset=koi8-r>": "", "<meta>": "",
    "< meta charset=koi8-r>": "", "<a x=1 y='>'><meta charset=koi8-r>": "koi8-r",
    "<meta http-equiv=content-type content=\"text/html; charset='koi8-r'\">": "koi8-r",
    "<meta http-equiv=content-type content=\"text/html; charset='koi8-r\">": "",
    "<meta http-equiv=content-type content='text/html; charset = koi8-r; x'>": "koi8-r",
    "<meta http-equiv=content-type content='text/html'><meta charset=gbk>": "gbk",
    "<meta http-equiv=refresh content='charset=koi8-r'>": "", "<meta content='charset=koi8-r' charset=gbk>": "gbk",
    "<!--><meta charset=koi8-r>": "koi8-r", "<!---><meta charset=koi8-r>": "koi8-r",
    "<!-- - -><meta charset=koi8-r>": "", "<? <meta charset=koi8-r>": "", "<?x><meta charset=koi8-r>": "koi8-r",
    "<script>'<meta charset=koi8-r>'</script>": "koi8-r", "<meta charset=iso-2022-kr>": "replacement",
    "<meta http-equiv=content-type content='charset=utf-16be'>": "utf-8",
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
    "meta far down": (
        b"<!--" + b"+" * 9000 + b"-->" + RUSSIAN.encode("koi8-r") + b'<meta charset="koi8-r">', "", RUSSIAN,
    ),
    "http-equiv far down": (
        b"<!--" + b"+" * 9000 + b"--><meta http-equiv='Content-Type' content='a; charset=ibm866'>"
        + "Да".encode("ibm866"), "", "Да",
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
    known = {label: name for name, labels in LABELS.items() for label in labels.split()}
    assert len(known) == 228
    assert {label: encoding.codec_of(f" {label.upper()}\n") for label in known} == known
    said = {label: encoding.declared_codec(f'<meta charset="{label}">'.encode()) for label in known}
    assert said == {label: SAID_OF_ITSELF.get(name, name) for label, name in known.items()}
    assert not any(map(encoding.codec_of, NO_LABELS))
    assert {html: encoding.declared_codec(html.encode()) for html in PRESCANNED} == PRESCANNED


@pytest.mark.parametrize(("body", "content_type", "expected"), CASES.values(), ids=CASES)
def test_decode(body: bytes, content_type: str, expected: str) -> None:
    assert expected in encoding.decode(body, content_type).text


def test_plain_letters_are_called_by_their_label() -> None:
    named = {b"<p>a": "windows-1252", b"<meta charset=iso8859-2>": "iso-8859-2", b"<meta charset=utf8>": "utf-8"}
    assert {body: encoding.decode(body).codec for body in named} == named
    # Only a reader's text can show that a page is not written in what it names.
    unseen = '<meta charset="euc-jp"><!--京--><title>Tea</title>'.encode()
    assert (encoding.decode(unseen).codec, encoding.decode(unseen + "京".encode()).codec) == ("euc-jp", "utf-8")


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


CODECS = {"windows-874": "cp874", "ibm866": "cp866", "x-mac-cyrillic": "mac_cyrillic", "hz-gb-2312": "hz"}
UNDECLARED = [line.split("|") for line in Path(__file__).with_name("undeclared_texts.txt").read_text().splitlines()]
LENGTHS = (100, 200, 400, 1000, 5000)
TONES = "\u0300\u0301\u0303\u0309\u0323"


@pytest.mark.parametrize(
    ("label", "text"),
    [(label, text) for _, labels, text in UNDECLARED for label in labels.split()],
    ids=[f"{language} {label}" for language, labels, _ in UNDECLARED for label in labels.split()],
)
def test_undeclared_texts_of_any_length(label: str, text: str) -> None:
    codec = CODECS.get(label, label)
    for length in LENGTHS:
        written = _as_vietnamese(text) if label == "windows-1258" else text
        shown = (f"{written} " * (length // len(written) + 1))[:length]
        page = f"<html><head><title>x</title></head><body><p>{shown}</p></body></html>".encode(codec, "ignore")
        assert encoding.decode(page).text == page.decode(codec), length


def _as_vietnamese(text: str) -> str:
    """Vowels whole and tones as letters of their own, which is how this encoding writes them."""
    parts = (unicodedata.normalize("NFD", letter) for letter in text)
    return "".join(
        unicodedata.normalize("NFC", "".join(part for part in letter if part not in TONES))
        + "".join(part for part in letter if part in TONES)
        for letter in parts
    )
