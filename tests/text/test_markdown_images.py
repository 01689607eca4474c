"""Pictures whose address could carry data."""

from __future__ import annotations

import time

import pytest

from wellsourced.text.markdown_images import leave_alt_texts

CASES = {
    "a plain picture stays": ("a ![cat](https://e.org/cat.png) b", "a ![cat](https://e.org/cat.png) b"),
    "with a title": ('![cat](https://e.org/@ada/cat.png "Cat")', '![cat](https://e.org/@ada/cat.png "Cat")'),
    "a query": ("a ![cat](https://e.org/c.png?d=secret) b", "a cat b"),
    "a fragment": ("![cat](<https://e.org/c.png#secret>)", "cat"),
    "credentials": ("![cat](https://secret@e.org/c.png)", "cat"),
    "a long path": (f"![cat](https://e.org/{'s' * 100}.png)", "cat"),
    "a reference": ("![cat][1]\n\n[1]: https://e.org/?d=secret", "[cat][1]\n\n[1]: https://e.org/?d=secret"),
    "an exclamation stays": ("Stop! [Halt!](https://e.org/?q=1) Now![1]", "Stop! [Halt!](https://e.org/?q=1) Now![1]"),
    "a tag": ("<IMG src='https://e.org/?d=secret' alt='cat'> b", "cat b"),
}


@pytest.mark.parametrize("name", CASES)
def test_only_the_alternative_text_is_left_of_what_could_carry_data(name: str) -> None:
    given, wanted = CASES[name]
    assert leave_alt_texts(given) == wanted


@pytest.mark.parametrize("unit", ["![", "![a](", "<img ", '![a](b "', "![a", "!", "<img alt="])
def test_its_time_is_linear(unit: str) -> None:
    def seconds(length: int) -> float:
        started = time.process_time()
        leave_alt_texts(unit * length)
        return time.process_time() - started

    assert seconds(160_000) < 0.5 + 30 * seconds(16_000)
