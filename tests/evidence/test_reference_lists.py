"""Lists of references are found by their heading or their numbers, and only when they hold references."""

from __future__ import annotations

import pytest

from wellsourced.evidence.reference_lists import find_reference_lists

WORKS = "Lee, A. On tea. 2011.\n\nRoe, B. On hills. https://doi.org/10.1000/x\n"


@pytest.mark.parametrize(
    "heading",
    ["References", "## References", "**Literaturverzeichnis**", "7. Bibliographie", "Referências:", "参考文献"],
)
def test_headings(heading: str) -> None:
    text = f"Tea grows.\n\n{heading}\n{WORKS}\n## After\n\nMore of 2011."
    [(start, end)] = find_reference_lists(text)
    assert text[start:].startswith(heading)
    assert text[end:] == "## After\n\nMore of 2011."


def test_numbered_lines() -> None:
    text = "Tea.\n\n[1] Lee 2011.\n[2] Roe 2014.\n\n[3] Poe et al.\n"
    assert [text[start:end] for start, end in find_reference_lists(text)] == [text[6:]]


@pytest.mark.parametrize(
    "text",
    [
        "Sources\n\nTea comes from hills.\n\nCoffee does not.\n",
        "1. Boil water.\n2. Add tea.\n3. Wait.\n",
        "The references are missing here.\n2011 was a good year.\n",
        "2. Lee 2011\n3. Roe 2012\n4. Poe 2013\n",
        "References\n",
        "",
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert find_reference_lists(text) == []
