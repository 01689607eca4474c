"""Quotations: found word for word, with marked changes, altered with each word named, attributed, or not found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.evidence.claims import find_evidence
from wellsourced.evidence.quotations import find_quotation

# Lincoln at Gettysburg, 1863; Kant, 1784.
TEXT = (
    "The president spoke for two minutes. “Four score and seven years ago our fathers brought forth on this continent, "
    "a new nation, conceived in Lib-\nerty, and dedicated to the proposition that all men are created equal,” said "
    "Abraham Lincoln at Gettysburg. The crowd was silent.\n\n"
    "„Aufklärung ist der Ausgang des Menschen aus seiner selbst verschuldeten Unmündigkeit“, schrieb Immanuel Kant."
)
WORDS = "Aufklärung ist der Ausgang des Menschen aus seiner selbst verschuldeten Unmündigkeit"


@pytest.mark.parametrize(
    ("passage", "status"),
    [
        ("our fathers brought forth on this continent", "word_for_word"),
        ("Our fathers brought forth on this continent a new nation", "marked_changes"),
        ("a new nation, conceived in Liberty", "marked_changes"),
        ("Four score and seven years ago … all men are created equal", "marked_changes"),
        ("[The] fathers brought forth [...] a new nation", "marked_changes"),
        ("our fathers carried forth on this continent", "altered"),
        ("dedicated to the proposition that all people are created equal", "altered"),
        ("the Ausgang der Menschheit aus ihrer Not", "not_found"),
        ("ask not what your country can do for you", "not_found"),
    ],
)
def test_status(passage: str, status: str) -> None:
    assert find_quotation(passage, TEXT).status == status


def test_each_altered_word_is_named_with_its_place() -> None:
    found = find_quotation("Four score and eight years ago our fathers brought out on this continent", TEXT)
    assert [(each.claim, each.source) for each in found.differences] == [("eight", "seven"), ("out", "forth")]
    assert TEXT[found.start : found.end] == "Four score and seven years ago our fathers brought forth on this continent"


@pytest.mark.parametrize("place", range(0, 10, 2))
def test_one_altered_word_is_always_named(place: int) -> None:
    words = WORDS.split()
    altered = [*words[:place], "Weltwunder", *words[place + 1 :]]
    found = find_quotation(" ".join(altered), TEXT)
    assert [(each.kind, each.claim, each.source) for each in found.differences] == [
        ("quotation", "Weltwunder", words[place])
    ]


def test_a_claim_in_quotation_marks_is_held_against_the_page() -> None:
    true = find_evidence("Lincoln said “all men are created equal”", TEXT)
    assert (true.coverage, true.contrast) == ("addressed", False)
    altered = find_evidence("Lincoln said “all men are born equal”", TEXT)
    assert (altered.coverage, altered.contrast) == ("partially_addressed", True)
    assert [(each.claim, each.source) for each in altered.differences] == [("born", "created")]
    missing = find_evidence("Lincoln said “a house divided against itself cannot stand”", TEXT)
    assert (missing.coverage, missing.contrast) == ("partially_addressed", False)
    assert missing.quotation is not None
    assert missing.quotation.status == "not_found"


def test_another_speaker_is_named() -> None:
    found = find_evidence("In 1863 Jefferson Davis said “all men are created equal”", TEXT)
    assert [(each.kind, each.claim, each.source) for each in found.differences] == [
        ("attribution", "Jefferson Davis", "Abraham Lincoln")
    ]


@given(st.text(max_size=80), st.text(max_size=300))
def test_places_are_in_the_text(passage: str, text: str) -> None:
    found = find_quotation(passage, text)
    assert 0 <= found.start <= found.end <= len(text)
