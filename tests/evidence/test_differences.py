"""Claims beside pages in four languages, of our own sentences and of public-domain works: what was changed is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wellsourced.evidence.claims import ClaimEvidence, find_evidence

FOLDER = Path(__file__).parent


def _judge(name: str) -> list[tuple[dict[str, str], ClaimEvidence]]:
    data: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    pages = {language: " ".join(sentences) for language, sentences in data["pages"].items()}
    return [(row, find_evidence(row["claim"], pages[row["language"]])) for row in data["pairs"]]


@pytest.fixture(scope="module")
def judged() -> list[tuple[dict[str, str], ClaimEvidence]]:
    return _judge("differences_gold.json")


def test_claims_about_laws_ships_and_farms_are_told_apart() -> None:
    judged = _judge("differences_gold_2.json")
    changed = [found for row, found in judged if row["kind"] != "true"]
    assert sum(found.contrast for found in changed) >= 0.9 * len(changed)
    assert sum(found.coverage == "addressed" for found in changed) <= 0.03 * len(changed)
    assert [row["claim"] for row, found in judged if row["kind"] == "true" and found.contrast] == []


def test_a_changed_claim_is_marked(judged: list[tuple[dict[str, str], ClaimEvidence]]) -> None:
    changed = [found for row, found in judged if row["kind"] != "true"]
    assert sum(found.contrast for found in changed) >= 0.95 * len(changed)
    assert sum(found.coverage == "addressed" for found in changed) <= 0.02 * len(changed)


def test_a_true_claim_is_not(judged: list[tuple[dict[str, str], ClaimEvidence]]) -> None:
    true = [(row, found) for row, found in judged if row["kind"] == "true"]
    assert [(row["claim"], found.differences) for row, found in true if found.contrast] == []
    assert sum(found.coverage == "addressed" for _, found in true) >= 0.95 * len(true)


def test_every_altered_quotation_is_named(judged: list[tuple[dict[str, str], ClaimEvidence]]) -> None:
    altered = [(row["claim"], found) for row, found in judged if row["kind"] == "quotation"]
    assert [claim for claim, found in altered if not found.differences or found.coverage == "addressed"] == []


def test_the_kind_is_named(judged: list[tuple[dict[str, str], ClaimEvidence]]) -> None:
    told = [(row["kind"], found.differences[0].kind) for row, found in judged if found.differences]
    assert sum(kind == named for kind, named in told) >= 0.9 * len(told)


@pytest.mark.parametrize(
    ("claim", "text", "difference"),
    [
        (
            "Facebook acquired WhatsApp for $90 billion",
            "Facebook acquired WhatsApp for $19 billion in cash and shares.",
            ("figure", "$90 billion", "$19 billion"),
        ),
        (
            "Aspirin raises the risk of stroke.",
            "Aspirin lowered the risk of stroke in all groups.",
            ("direction", "raises", "lowered"),
        ),
        ("The bridge opened in 1932", "The bridge was opened in 1957 by the queen.", ("year", "1932", "1957")),
        (
            "The probe was launched in the second half of 2020",
            "The probe was launched in the first half of 2020.",
            ("figure", "second", "first"),
        ),
        (
            "Wages rose from 18 to 37 pounds",
            "Wages rose from 18 to 27 pounds.",
            ("figure", "18 to 37 pounds", "18 to 27 pounds"),
        ),
        (
            "Not more than 40 miners were trapped in the shaft at Lens",
            "More than 40 miners were trapped in the shaft at Lens.",
            ("figure", "40", "40"),
        ),
    ],
)
def test_both_wordings_are_given(claim: str, text: str, difference: tuple[str, str, str]) -> None:
    found = find_evidence(claim, text).differences
    assert [(each.kind, each.claim, each.source) for each in found] == [difference]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The town grew by 5 percent in 2019", "In 2020 the town grew by 7 percent."),
        ("France exported 300 tonnes of truffles", "Italy exported 90 tonnes of truffles."),
        ("About 20 people saw the comet in Oslo", "In Oslo 19 people saw the comet."),
        ("The trail is 5 miles long", "The trail is 8 kilometres long."),
        ("Between 10 and 20 ships sank off Malta", "Off Malta 14 ships sank."),
        ("The price fell", "The price did not rise. It fell."),
    ],
)
def test_what_is_about_something_else_or_the_same_does_not_differ(claim: str, text: str) -> None:
    assert find_evidence(claim, text).differences == ()


def test_each_sentence_says_which_way_it_points() -> None:
    text = "The dam was finished in 1936. The dam was finished in 1935, wrote a visitor. Boulder lies near the dam."
    found = find_evidence("The dam was finished in 1936", text).key_sentences
    assert [near.stance for near in found] == ["states", "near", "near"]
    (differing,) = find_evidence("The dam was finished in 1931", "The dam was finished in 1936.").key_sentences
    assert (differing.stance, differing.differences[0].source) == ("differs", "1936")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Мост открыли в 1932 году", "Мост открыли в 1957 году у реки."),
        ("Köprü İstanbul'da 1932 yılında açıldı", "Köprü İstanbul'da 1957 yılında açıldı ve çok büyük bir yapıdır."),
        ("افتتح الجسر عام 1932", "افتتح الجسر عام 1957 قرب النهر."),
        ("पुल 1932 में खोला गया", "पुल 1957 में नदी के पास खोला गया।"),
        ("大桥于1932年通车", "大桥于1957年在河边通车。"),
        ("橋は1932年に開通した", "橋は1957年に川のそばで開通した。"),
    ],
)
def test_other_languages_say_that_only_words_were_compared(claim: str, text: str) -> None:
    assert "Only the words" in find_evidence(claim, text).note


def test_what_could_not_be_compared_is_said() -> None:
    german = "Die Brücke wurde 1932 nicht eröffnet und der Verkehr ist gering."
    assert "different languages" in find_evidence("The bridge opened in 1932", german).note
    assert find_evidence("The bridge opened in 1932", "The bridge was opened in 1932.").note == ""


# Sentences that agree with the claim although words of denial, other figures or opposite words stand in them.
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Smoking causes lung cancer", "Although no single survey proves it, smoking causes lung cancer."),
        ("Deaths from measles fell in 1968", "Deaths from measles fell in 1968, no change was seen for mumps."),
        ("Iron supplements raise haemoglobin in women", "Iron supplements raise haemoglobin in women, 12."),
        (
            "The survey counted 1.3 million herons",
            "The survey counted 1·3 million herons, of which 40 000 (38 000–42 000) bred.",
        ),
        (
            "Older patients have similar survival after surgery",
            "No study had enough patients to determine whether older patients have similar survival after surgery.",
        ),
        ("The film “The Long Way Home” was shown in Oslo", "In Oslo the film The Long Road Home was shown twice."),
    ],
)
def test_words_of_denial_elsewhere_are_no_contrast(claim: str, text: str) -> None:
    assert find_evidence(claim, text).differences == ()
