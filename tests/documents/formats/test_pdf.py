"""PDF: reading order, joining, furniture, limits and refusals, on pages drawn here."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.documents import samples
from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.pdf import read
from wellsourced.documents.pdf_layout.chars import ROOMS, PageChars
from wellsourced.documents.pdf_layout.facts import LONGEST_VALUE
from wellsourced.documents.pdf_layout.paragraphs import _right_edges, clean_text, join_lines
from wellsourced.documents.pdf_layout.pdfium import OpenPdf
from wellsourced.documents.pdf_layout.runs import find_whole_lines
from wellsourced.documents.pdf_layout.words import TextFragment, group_words
from wellsourced.pages.sections import find_section, list_headings

LEFT = [f"left column line number {index} goes on with words" for index in range(12)]
RIGHT = [f"right column line number {index} goes on with more" for index in range(12)]


def columns(interleaved: bool) -> bytes:
    left = [(60.0, 700.0 - 14 * index, 9.0, text) for index, text in enumerate(LEFT)]
    right = [(330.0, 700.0 - 14 * index, 9.0, text) for index, text in enumerate(RIGHT)]
    title = [(100.0, 740.0, 20.0, "A Title Across Both Columns Of The Page")]
    pairs = [line for pair in zip(left, right, strict=True) for line in pair]
    return samples.pdf([title + (pairs if interleaved else left + right)])


@pytest.mark.parametrize("interleaved", [True, False])
def test_columns_are_read_one_after_the_other(interleaved: bool) -> None:
    found = read(columns(interleaved), ReadOptions(max_chars=10_000))
    words = " ".join(found.text.split())
    places = [words.index(line) for line in (*LEFT, *RIGHT)]
    assert places == sorted(places)
    assert words.startswith("# A Title Across Both Columns Of The Page left column line number 0")
    assert found.title == "A Title Across Both Columns Of The Page"


def test_places_are_answered_alike_one_by_one_and_by_the_thousand() -> None:
    document = OpenPdf(columns(interleaved=True))
    page = document.open_page(0)
    assert page
    chars = PageChars(document.pdfium, document.pdfium.FPDFText_LoadPage(page), page, {})
    assert chars.count > ROOMS
    assert chars.edges(range(chars.count)) == [edge for place in range(chars.count) for edge in chars.box(place)]
    drawn = {chars.ask.FPDFText_GetTextObject(next(chars.page), place): place for place in range(chars.count)}
    assert len(drawn) > 10 and chars.faint_objects(drawn) == set()
    document.close_page(page)
    document.close()


def test_the_library_is_called_without_its_bindings_and_found_through_them_where_it_is_elsewhere() -> None:
    script = (
        "import sys; from wellsourced.documents.pdf_layout import pdfium\n"
        "first = pdfium.load_pdfium(); print('pypdfium2_raw' in sys.modules)\n"
        "pdfium.LIBRARIES = {sys.platform: 'another'}; pdfium.load_pdfium.cache_clear()\n"
        f"print(len(pdfium.OpenPdf({samples.pdf([[], []])!r})))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "2"]


def test_aligned_cells_become_a_table() -> None:
    rows = [("Name", "Year", "Price"), ("Apples", "2020", "3.50"), ("Pears", "", "4.00"), ("Plums", "2022", "1.25")]
    lines = [
        (80.0 + 130 * column, 700.0 - 20 * number, 10.0, text)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    ]
    assert (
        "| Apples | 2020 | 3.50 |\n| Pears |  | 4.00 |" in read(samples.pdf([lines]), ReadOptions(max_chars=1000)).text
    )


@pytest.mark.parametrize("spread", ["", "-0.3 Tc ", "2 Tc ", "6 Tw ", "60 Tz ", "3 Ts "])
def test_cells_that_one_operator_draws_are_told_apart_and_words_are_not(spread: str) -> None:
    rows = [("Red apples", "2020", "3.50"), ("Old pears", "2021", "4.00"), ("Wild plums", "2022", "1.25")]
    drawing = "".join(
        f"BT /F1 10 Tf {spread}1 0 0 1 80 {700 - 20 * number} Tm [({' ) -4000 ('.join(row)})] TJ ET\n"
        for number, row in enumerate(rows)
    )
    text = read(samples.pdf([[]], drawing=drawing), ReadOptions(max_chars=1000)).text
    assert text.splitlines()[2:] == ["| Old pears | 2021 | 4.00 |", "| Wild plums | 2022 | 1.25 |"]


@pytest.mark.parametrize(("gap", "is_whole"), [(300, True), (450, True), (880, True), (1100, False), (4000, False)])
@pytest.mark.parametrize("place", [1, 4, 7])
def test_a_line_whose_gaps_are_moves_is_whole_unless_one_is_wide(gap: int, is_whole: bool, place: int) -> None:
    words = ["The", "tide", "rises", "and", "falls", "twice", "a", "day"]
    gaps = [*[300] * (place - 1), gap, *[300] * (len(words) - 1 - place)]
    drawn = "".join(f"({word}) -{gap} " for word, gap in zip(words, [*gaps, 0], strict=True))
    drawing = f"BT /F1 10 Tf 1 0 0 1 80 700 Tm [{drawn}] TJ ET\n"
    document = OpenPdf(samples.pdf([[]], drawing=drawing))
    page = document.open_page(0)
    assert page
    chars = PageChars(document.pdfium, document.pdfium.FPDFText_LoadPage(page), page, {})
    assert chars.text.strip() == " ".join(words)
    fragments, _ = group_words(chars)
    assert (len(fragments) == 1) == is_whole
    if gap < 500:
        assert [line.text for line in find_whole_lines(chars, chars.lines)] == [" ".join(words)]
    document.close_page(page)
    document.close()


def cells(rows: list[tuple[str, str, str]], top: float = 740.0) -> list[samples.Line]:
    return [
        (80.0 + 130 * column, top - 20 * number, 10.0, text)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
    ]


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_two_pages_is_one(repeated: bool) -> None:
    head = [("Name", "Year", "Price")]
    first, second = ([(f"{name} {n}", f"20{n}", f"{n}.50") for n in range(10, 14)] for name in ("Apple", "Pear"))
    pages = [[(72.0, 770.0, 11.0, "Fruit of the year, all of it."), *cells(head + first)]]
    pages += [[*cells(head * repeated + second), (72.0, 500.0, 11.0, "Text behind the table.")]]
    text = read(samples.pdf(pages), ReadOptions(max_chars=5000)).text
    assert "| Apple 13 | 2013 | 13.50 |\n| [Page 2] | | |\n| Pear 10 | 2010 | 10.50 |" in text
    assert text.count("| Name |") == text.count("\n| --- ") == 1


@pytest.mark.parametrize("note", ["Table 1 - continued from previous page", "Table 1: Fruit of the year (cont.)"])
def test_a_long_table_is_one_to_its_last_row(note: str) -> None:
    """As LaTeX and office programs write them: header and caption on each page, and one row left for the last."""
    head = ("Name", "Year", "Price")
    rows = [(f"Apple {n}", f"20{n}", f"{n}.50") for n in range(10, 17)]
    pages = [[*cells([head, *rows[:3]]), (72.0, 500.0, 10.0, "Continued on next page")]]
    pages += [[(72.0, 760.0, 10.0, note), *cells([head, *rows[3:6]]), (72.0, 500.0, 10.0, "Continued on next page")]]
    pages += [[(72.0, 760.0, 10.0, note), *cells([head, *rows[6:]]), (72.0, 500.0, 11.0, "The growth continued.")]]
    text = read(samples.pdf(pages), ReadOptions(max_chars=5000)).text
    table, _, after = text.partition("| Apple 16 | 2016 | 16.50 |")
    assert [line for line in table.splitlines() if "Page" in line] == [
        "[Page 1]",
        "| [Page 2] | | |",
        "| [Page 3] | | |",
    ]
    assert (text.count("| Name |"), table.count("| Apple"), "ontinued" in table) == (1, 6, False)
    assert after.strip() == "The growth continued."


def test_powers_and_marks_of_notes_are_told_from_the_numbers_before_them() -> None:
    lines = [
        (72.0, 700.0, 11.0, "About 10"), (115.86, 704.0, 7.0, "23"), (127.0, 700.0, 11.0, "atoms, he said"),
        (198.5, 704.0, 7.0, "4"), (205.5, 700.0, 11.0, "in 2020, and H"), (278.2, 698.0, 7.0, "2"),
        (282.1, 700.0, 11.0, "O with it."),
        (72.0, 686.0, 11.0, "Every other line has 12 plain words in 1999 or more, as here."),
    ]  # fmt: skip
    text = read(samples.pdf([lines]), ReadOptions(max_chars=1000)).text
    assert "About 10^23 atoms, he said^4 in 2020, and H" in text
    assert "12 plain words in 1999" in text


def test_footnotes_and_their_marks() -> None:
    lines = [
        (72.0, 700.0, 11.0, "Mules carried tea, he said"), (207.0, 704.0, 7.0, "4"),
        (214.0, 700.0, 11.0, "in 2020, over 10"), (297.5, 704.0, 7.0, "4"), (304.0, 700.0, 11.0, "stones."),
        (72.0, 686.0, 11.0, "Nobody ever lost a single bag of it on the long road,"), (340.5, 690.0, 7.0, "5"),
        (348.0, 686.0, 11.0, "they say in town."),
        (72.0, 90.0, 8.0, "4 See the old book of roads, page 12."), (72.0, 79.0, 8.0, "5 Told by the innkeeper."),
    ]  # fmt: skip
    text = read(samples.pdf([lines]), ReadOptions(max_chars=1000)).text
    assert "he said[^4] in 2020, over 10^4 stones." in text
    assert "long road,[^5] they say" in text
    assert text.endswith("[^4]: See the old book of roads, page 12.\n\n[^5]: Told by the innkeeper.")
    # Without its note a mark stays a raised number.
    assert "he said^4 in 2020" in read(samples.pdf([lines[:-2]]), ReadOptions(max_chars=1000)).text


@pytest.mark.parametrize("place", [30.0, 125.0])
def test_running_headers_and_page_numbers_go_but_text_stays(place: float) -> None:
    pages = [
        [
            (72.0, 760.0, 9.0, f"Journal of Tests, volume {number}"),
            (72.0, 690.0, 11.0, "The same first sentence on every page, in the middle."),
            (72.0, 600.0, 11.0, f"Page body {name} is unlike the others."),
            (300.0, place, 9.0, str(number + 16)),
        ]
        for number, name in enumerate(["one", "two", "three", "four"], 1)
    ]
    text = read(samples.pdf(pages), ReadOptions(max_chars=10_000)).text
    assert "Journal" not in text
    assert "\n17" not in text
    assert text.count("The same first sentence") == 4
    assert text.startswith("[Page 1]")
    assert [f"[Page {number}]" in text for number in range(1, 5)] == [True] * 4


def test_the_foot_of_a_column_does_not_stand_in_a_sentence() -> None:
    left = [(72.0, 700.0 - 14 * row, 11.0, f"left line {row} of tea and mules that go") for row in range(20)]
    right = [(320.0, 700.0 - 14 * row, 11.0, f"over the pass in line {row} on the right") for row in range(20)]
    foot = [(72.0, 400.0 - 10 * row, 8.0, f"Copies of line {row} may be made by anyone.") for row in range(3)]
    text = " ".join(read(samples.pdf([left + foot + right]), ReadOptions(max_chars=10_000)).text.split())
    assert "line 19 of tea and mules that go over the pass in line 0" in text
    assert text.endswith("Copies of line 2 may be made by anyone.")


TURNS = {0: (1, 0, 0, 0), 90: (0, 1, 612, 0), 180: (-1, 0, 612, 792), 270: (0, -1, 0, 792)}


def test_the_caption_of_a_picture_beside_the_text_stands_in_no_word() -> None:
    wide = "Across all of the sheet goes a line of the book, which was written down in the camp by night."
    lines = [(72.0, 700.0 - 14 * n, 11.0, wide) for n in range(3)] + [(72.0, 658.0, 11.0, "It ends here.")]
    lines += [(300.0, 640.0 - 14 * n, 11.0, "The balls of lead that fall are found again and") for n in range(3)]
    lines += [
        (300.0, 598.0, 11.0, "and flattened in every conceiva-"),
        (110.0, 584.0, 11.0, "A Sibley Tent."),
    ]
    lines += [(300.0, 584.0, 11.0, "ble shape, and a friend who came to see me"), (72.0, 570.0, 11.0, wide)]
    text = read(samples.pdf([lines]), ReadOptions(max_chars=5000)).text
    assert "in every conceivable shape, and a friend who came to see me Across all" in text
    assert "It ends here.\n\nA Sibley Tent.\n\nThe balls" in text


@pytest.mark.parametrize("sheet", [0, 90, 180, 270])
@pytest.mark.parametrize("writing", [0, 90, 180, 270])
def test_pages_are_read_whichever_way_the_sheet_and_the_writing_are_turned(sheet: int, writing: int) -> None:
    lines = [f"The line with number {number} is as long as all others are" for number in range(4)]
    along, up, right, high = TURNS[writing]
    drawing = "".join(
        f"BT /F1 11 Tf {along} {up} {-up} {along} {72 * along - y * up + right} {72 * up + y * along + high} Tm "
        f"({line}) Tj ET\n"
        for y, line in zip(range(500, 0, -14), lines, strict=False)
    )
    body = samples.pdf([[]], drawing=drawing).replace(b"/Type/Page/", b"/Type/Page/Rotate %d/" % sheet)
    assert read(body, ReadOptions(max_chars=1000)).text == " ".join(lines)


def test_a_white_word_alone_on_its_line_is_left_out() -> None:
    drawing = "1 g BT /F1 11 Tf 1 0 0 1 72 500 Tm (ignore) Tj ET 0 g\n"
    found = read(samples.pdf([[(72.0, 400.0, 11.0, "Seen words.")]], drawing=drawing), ReadOptions(max_chars=1_000))
    assert found.text == "Seen words."
    assert found.notes == ("Left out, being invisible or off the page: 1 line.",)


def test_how_far_lines_reach_is_the_farthest_near_each() -> None:
    chance = random.Random(5)
    for length in (1, 2, 12, 13, 25, 26, 90):
        rights = [chance.choice((-3.0, 10.0, chance.uniform(0, 500))) for _ in range(length)]
        lines = [TextFragment("line", 0.0, right, 0.0, 10.0, 1000.0) for right in rights]
        assert _right_edges(lines) == [max(rights[max(0, place - 12) : place + 13]) for place in range(length)]


@pytest.mark.parametrize(("behind", "seen"), [("", ""), ("0 0 m 300 300 l S\n", "white words\n\nunpainted words\n\n")])
def test_what_nobody_sees_is_left_out_unless_something_may_be_dark_behind_it(behind: str, seen: str) -> None:
    unseen = (
        "1 g BT /F1 11 Tf 1 0 0 1 72 500 Tm (white words) Tj ET 0 g BT 3 Tr 1 0 0 1 72 400 Tm (unpainted words) Tj ET\n"
        "BT 0 Tr 1 0 0 1 72 -90 Tm (below the page) Tj 1 0 0 1 900 500 Tm (beside the page) Tj ET\n"
    )
    drawing = unseen + "BT /F1 11 Tf 1 0 0 1 72 200 Tm ( ) Tj ET\n" * 600 + behind
    found = read(samples.pdf([[(72.0, 300.0, 11.0, "Black words.")]], drawing=drawing), ReadOptions(max_chars=1000))
    assert found.text == f"{seen}Black words."
    assert found.notes == (f"Left out, being invisible or off the page: {2 if seen else 4} lines.",)


@pytest.mark.parametrize("hide", ["1 1 1 rg", "3 Tr"])
@pytest.mark.parametrize(("glue", "after"), [(" ", " and the tide was high."), ("", "")])
def test_what_nobody_sees_within_a_line_is_left_out(hide: str, glue: str, after: str) -> None:
    line = (
        f"BT /F1 11 Tf 72 700 Td (The harbour was busy) Tj {hide} ({glue}obey these words) Tj 0 g 0 Tr ({after}) Tj ET"
    )
    found = read(samples.pdf([[(72.0, 300.0, 11.0, "Below.")]], drawing=line + "\n"), ReadOptions(max_chars=1000))
    assert found.text == f"The harbour was busy{after}\n\nBelow."
    assert found.notes == ("Left out, being invisible or off the page: 1 line.",)


def test_what_was_typed_onto_a_page_is_read() -> None:
    annotation = "<</Type/Annot/Subtype/{}/Rect[72 600 300 640]/DA(0 g /Helv 12 Tf)/Contents({}){}>>"
    listed = [("FreeText", "Typed in a viewer", ""), ("FreeText", "hidden", "/F 2"), ("Text", "a sticky note", "")]
    written = "".join(annotation.format(*item) for item in listed)
    body = samples.pdf([[]]).replace(b"/Type/Page/", f"/Type/Page/Annots[{written}]/".encode())
    assert read(body, ReadOptions(max_chars=1000)).text == "## Typed onto the pages\n\n- Typed in a viewer"
    long = read(body.replace(b"Typed in", b"Typed " + b"at length " * 300 + b"in"), ReadOptions(max_chars=9000)).text
    assert LONGEST_VALUE // 10 - 2 < long.count("at length") <= LONGEST_VALUE // 10


def test_large_numbers_of_a_list_make_no_headings() -> None:
    items = [("1", "one thing of them"), ("2", "another thing, a longer one")]
    lines = [
        line
        for number, (mark, text) in enumerate(items)
        for line in ((72.0, 700.0 - 15 * number, 14.0, mark), (86.0, 700.0 - 15 * number, 10.0, text))
    ]
    body = (72.0, 600.0, 10.0, "Running text in the size that most of the page is written in, as usual.")
    assert read(samples.pdf([[*lines, body]]), ReadOptions(max_chars=1000)).text.startswith(
        "1 one thing of them\n2 another thing, a longer one\n\nRunning"
    )


SENTENCE = "The keeper of the quay shall see to it that all ships are moored safely and in good time."
STANDARD = (
    "Contents", "1 Scope 2", "1.1 General 2", "2 Terms 3", "1 Scope", SENTENCE, "1.1 General", SENTENCE,
    "1. Rope.", "2. Sail.", "1.2 Limits of use", SENTENCE, "2 Terms", SENTENCE, "Article 3", "Duties of the keeper",
    SENTENCE, "Article 3 applies to all quays.", "§ 4 Fees", SENTENCE, "Annex A", SENTENCE,
)  # fmt: skip


def test_numbered_lines_are_headings_where_text_follows_and_numbers_rise() -> None:
    lines = [(72, 740 - 28 * place, 10, text) for place, text in enumerate(STANDARD)]
    text = read(samples.pdf([lines]), ReadOptions(max_chars=100_000)).text
    assert [(h.level, h.title) for h in list_headings(text)] == [
        (2, "1 Scope"), (3, "1.1 General"), (3, "1.2 Limits of use"), (2, "2 Terms"), (3, "Article 3"), (3, "§ 4 Fees"),
        (2, "Annex A"),
    ]  # fmt: skip
    for asked, beginning in (("1.2", "### 1.2 Limits"), ("Article 3", "### Article 3\n\nDuties"), ("§ 4", "### § 4"),
                             ("Annex A", "## Annex A")):  # fmt: skip
        part = find_section(text, asked)
        assert text[part.start : part.end].startswith(beginning)


def test_lines_join_into_paragraphs_and_early_ends_stay() -> None:
    lines = [
        "This paragraph is set over some lines, of which each one but the very last fills the whole widths",
        "of the column, so that the reader can join them into one, and this word will be hyphen-",
        "ated.",
    ]
    page = [(72.0, 700.0 - 13 * index, 10.0, text) for index, text in enumerate(lines)]
    address = [(72.0, 600.0 - 13 * index, 10.0, text) for index, text in enumerate(["12 Long Road", "Smalltown"])]
    text = read(samples.pdf([page + address]), ReadOptions(max_chars=1000)).text
    assert "the whole widths of the column" in text
    assert "will be hyphenated." in text
    assert "12 Long Road\nSmalltown" in text


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["well-\x02", "known"], "well--known"),
        (["state-of-the-", "art thing"], "state-of-the-art thing"),
        (["pre-", "fix"], "prefix"),
        (["Anglo-", "American"], "Anglo-American"),
        (["long-", "term"], "long-term"),
        (["1990-", "ies"], "1990-ies"),
        (["漢字の文は", "続きます"], "漢字の文は続きます"),
        (["a", "b"], "a b"),
    ],
)
def test_hyphens(lines: list[str], joined: str) -> None:
    assert join_lines(lines, frozenset({"long-term"})).replace("\x02", "-") == joined


def test_letters_come_out_as_letters() -> None:
    assert clean_text("ﬁnal eﬀort ﻻ \u00adsoft\u00ad \uf0b7") == "final effort لا soft •"


def test_metadata_and_junk_titles() -> None:
    info = "/Title(On Tests)/Author(Ada)/CreationDate(D:20200102030405+01'00')"
    body = samples.pdf([[(72.0, 700.0, 12.0, "Words")]], info)
    found = read(b"%junk\n" * 3 + body, ReadOptions(max_chars=100))
    assert (found.title, found.author, found.pages) == ("On Tests", "Ada", 1)
    assert found.date is not None
    assert found.date.isoformat() == "2020-01-02T02:04:05+00:00"
    assert (
        read(
            samples.pdf([[(72.0, 700.0, 12.0, "Words")]], "/Title(Microsoft Word - a.doc)"),
            ReadOptions(max_chars=99),
        ).title
        is None
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"%PDF-1.4\nnothing else", "damaged"),
        (samples.pdf([[]]), "empty"),
        (
            samples.pdf([[]], drawing="1 g BT /F1 11 Tf 1 0 0 1 72 500 Tm (white words) Tj ET\n"),
            "white on white",
        ),
        (samples.pdf([[], []], drawing="0 0 m 300 300 l S\n"), "OCR"),
        (samples.pdf([[(1.0, 1.0, 9.0, "x")]]).replace(b"/Contents", b"/Kontents"), "empty"),
    ],
)
def test_refusals(body: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        read(body, ReadOptions(max_chars=100))


def test_missing_header_is_repaired() -> None:
    body = samples.pdf([[(72.0, 700.0, 12.0, "Headless")]]).removeprefix(b"%PDF-1.4")
    assert read(body, ReadOptions(max_chars=100)).text == "Headless"


def test_a_hundred_thousand_pages_stop_at_the_limit() -> None:
    found = read(samples.many_pages(100_000), ReadOptions(max_chars=5_000_000, seconds=10))
    assert found.pages == 100_000
    assert found.truncated
    assert any("Only the first 1500" in note or "took too long" in note for note in found.notes)


def test_text_is_cut_at_the_length_asked_for() -> None:
    found = read(samples.pdf([[(72.0, 700.0, 12.0, "word " * 15)]] * 50), ReadOptions(max_chars=200))
    assert len(found.text) <= 200
    assert found.truncated


def test_time_limit_is_kept() -> None:
    found = read(samples.many_pages(1_000), ReadOptions(max_chars=10**6, seconds=0.02))
    assert found.truncated
    assert "took too long" in found.notes[0]
