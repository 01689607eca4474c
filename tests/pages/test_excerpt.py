"""Headings of a page's markdown, and parts of it."""

from __future__ import annotations

import time

import pytest

from wellsourced.pages.excerpt import take_excerpt
from wellsourced.pages.page import Page
from wellsourced.pages.sections import list_headings
from wellsourced.text.budget import MARKER

MARKDOWN = """# C#

## [Install](https://a.example/x) *now*: `x_y`, a\\_b ##

````
```
# no
```
# no
````

# 2 * 3

~~~
# never closed"""


def test_headings_are_words_and_code_holds_none() -> None:
    found = [(heading.level, heading.title) for heading in list_headings(MARKDOWN)]
    assert found == [(1, "C#"), (2, "Install now: x_y, a_b"), (1, "2 * 3")]
    assert all(MARKDOWN[heading.offset] == "#" for heading in list_headings(MARKDOWN))


def test_a_section_is_found_by_the_words_a_reader_sees() -> None:
    page = Page(url="https://a.example/", markdown=MARKDOWN)
    assert take_excerpt(page, limit=1000, section="install now").text.startswith("## [Install]")
    assert take_excerpt(page, limit=1000, section="C#", query="install").text.startswith("## [Install]")
    assert take_excerpt(page, limit=1000, offset=3, query="install").notes


@pytest.mark.parametrize("hostile", ["# a" + " #" * 50_000 + "x", "# a\n\n```\nx\n```\n\n" * 6000, "# " + "[" * 99_999])
def test_headings_are_found_in_linear_time(hostile: str) -> None:
    started = time.thread_time()
    list_headings(hostile)
    assert time.thread_time() - started < 3


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"word{number}" for number in range(900)),
        "水道は町を潤す。" * 400,
        "abc" * 2000,
        "# A\n\nOne. Two.\n\n" * 300,
    ],
)
def test_whoever_reads_on_misses_nothing(text: str) -> None:
    page, read, offset = Page(url="https://a.example/", markdown=text), "", 0
    for _ in range(len(text)):
        part = take_excerpt(page, 300, offset)
        read += part.text.removesuffix(MARKER)
        if part.next_offset is None:
            break
        assert part.next_offset > offset
        offset = part.next_offset
    assert read.split() == text.split() if " " in text else read == text
