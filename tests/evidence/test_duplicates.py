"""Repeated words: given once, never at the price of a source, and copies of one text are marked."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from wellsourced.evidence.duplicates import SourceText, deduplicate_texts

LONG = "The river rose by two metres in one night and took the old bridge with it."
OTHER = "Engineers say that a new bridge would cost more than the town can spend in years."
THIRD = "Nobody was hurt, since the road had been closed in the evening by the police."


def test_a_repeated_paragraph_is_given_once() -> None:
    first = SourceText("https://a.example/1", f"{LONG}\n\n{OTHER}")
    second = SourceText("https://b.example/2", f"# Flood\n\n{LONG.upper().replace(' ', '  ')}\n\n{THIRD}\n\nShare this")
    found = deduplicate_texts([first, second])
    assert [source.content for source in found] == [first.content, f"# Flood\n\n{THIRD}\n\nShare this"]
    assert [source.removed for source in found] == [0, 1]
    assert all(source.is_independent for source in found)


def test_short_paragraphs_stay() -> None:
    found = deduplicate_texts(
        [SourceText("https://a.example/", "Share this\n\nOne."), SourceText("https://b.example/", "Share this\n\nTwo.")]
    )
    assert found[1].content == "Share this\n\nTwo."


def test_a_source_that_would_lose_everything_is_marked_instead() -> None:
    first = SourceText("https://a.example/", f"{LONG}\n\n{OTHER}\n\n{THIRD}")
    copy = SourceText("https://b.example/", f"# Flood\n\n{OTHER}")
    found = deduplicate_texts([first, copy])
    assert found[1].content == copy.content
    assert (found[1].removed, found[1].same_text_as, found[1].is_independent) == (0, first.url, False)


def test_repeats_within_one_source_go() -> None:
    found = deduplicate_texts([SourceText("https://a.example/", f"{LONG}\n\n{OTHER}\n\n{LONG}")])
    assert found[0].content == f"{LONG}\n\n{OTHER}"
    assert found[0].same_text_as is None


def test_one_agency_report_in_two_papers() -> None:
    report = f"{LONG} {OTHER} {THIRD}"
    found = deduplicate_texts(
        [
            SourceText("https://a.example/", f"Our own words lead in. {report}"),
            SourceText(
                "https://b.example/", report.replace("two metres", "2 m") + " Read more on the flood in our ticker."
            ),
            SourceText(
                "https://c.example/", "A different story about the harvest of tea in the hills above the town. " * 3
            ),
        ]
    )
    assert [source.same_text_as for source in found] == [None, "https://a.example/", None]


def test_copies_in_scripts_without_spaces() -> None:
    text = (
        "昨夜の大雨で川の水位が二メートル上昇し、古い橋が流された。警察は道路を閉鎖していたため、けが人はいなかった。"
    )
    other = "今年の茶の収穫は例年より多く、農家は喜んでいる。山の上の畑では、来週から二番茶の摘み取りが始まる予定だ。"
    texts = [SourceText(f"https://{n}.example/", each) for n, each in enumerate((text, "速報：" + text, other))]
    assert [source.same_text_as for source in deduplicate_texts(texts)] == [None, "https://0.example/", None]


def test_one_publisher() -> None:
    urls = [
        "https://news.bbc.co.uk/1",
        "https://other.co.uk/",
        "https://www.bbc.co.uk/2",
        "https://a.github.io/",
        "https://b.github.io/",
    ]
    found = deduplicate_texts([SourceText(url, f"{LONG} {url}") for url in urls])
    assert [source.same_publisher_as for source in found] == [None, None, urls[0], None, None]


PARAGRAPHS = st.lists(st.sampled_from([LONG, OTHER, THIRD, "Short.", "語" * 12, ""]), max_size=6).map("\n\n".join)


@given(st.lists(PARAGRAPHS, max_size=5))
def test_no_source_is_emptied(contents: list[str]) -> None:
    sources = [SourceText(f"https://s{number}.example/", content) for number, content in enumerate(contents)]
    found = deduplicate_texts(sources)
    given = "\n\n".join(source.content for source in found)
    for before, after in zip(sources, found, strict=True):
        assert bool(after.content.strip()) == bool(before.content.strip())
        assert all(paragraph in given for paragraph in before.content.split("\n\n"))
        assert after.same_text_as != after.url


def test_ten_large_sources_are_quick() -> None:
    chance = random.Random(7)
    words = [f"w{number}" for number in range(5000)]
    paragraphs = [" ".join(chance.choices(words, k=60)) for _ in range(9000)]
    sources = [
        SourceText(f"https://s{number}.example/", "\n\n".join(paragraphs[number * 900 : number * 900 + 930]))
        for number in range(10)
    ]
    assert sum(len(source.content) for source in sources) > 2_500_000
    start = time.process_time()
    found = deduplicate_texts(sources)
    assert time.process_time() - start < 15
    assert sum(source.removed for source in found) == 9 * 30
