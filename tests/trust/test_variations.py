"""Every field is told: wrong ones are seen, right ones are left in peace, in fields and in words."""

from __future__ import annotations

from dataclasses import replace

from tests.trust.variations import cited, measure, papers, written
from wellsourced.citations.match.record_comparison import compare_with_record
from wellsourced.citations.parse.citation import parse_citation

LEAST_IN_FIELDS = {
    "year": 0.9, "journal": 0.9, "co-authors": 0.9, "volume and pages": 0.9, "first author": 0.97,
    "title, or uncertain": 0.97, "one title word": 0.97, "DOI of another work": 0.97,
}  # fmt: skip
LEAST_IN_WORDS = {
    "year": 0.9, "journal": 0.9, "co-authors": 0.85, "volume and pages": 0.9, "first author": 0.95,
    "title, or uncertain": 0.97, "one title word": 0.97, "DOI of another work": 0.97,
}  # fmt: skip


def test_wrong_fields_are_seen_and_right_ones_left_in_peace() -> None:
    wrong, right = measure(papers()[::50])
    accused = [example for name, tally in right.items() if name.endswith("fields") for example in tally.examples]
    assert not accused
    words = [tally for name, tally in right.items() if name.endswith("words")]
    assert sum(tally.of - tally.seen for tally in words) <= 0.005 * sum(tally.of for tally in words)
    assert wrong["invented, words"].share >= 0.995
    for names, manner in ((LEAST_IN_FIELDS, "fields"), (LEAST_IN_WORDS, "words")):
        for name, least in names.items():
            tally = wrong[f"{name}, {manner}"]
            assert tally.share >= least, (name, manner, tally.examples[:3])


def test_each_cited_field_stands_beside_the_recorded_one() -> None:
    paper = next(paper for paper in papers() if paper.title == "Deep learning")
    reference = replace(cited(paper), container="The Lancet", volume="12", pages="5–9")
    for text in written(reference):
        parsed = parse_citation(text)
        checks = {check.field: check for check in compare_with_record(parsed.reference, paper, free_text=True).checks}
        assert (checks["title"].result, checks["year"].result) == ("match", "match"), text
        told = {field for field in ("container", "volume", "pages") if checks.get(field) is not None}
        wrong = {field for field in told if checks[field].result == "differs"}
        assert "container" in wrong and checks["container"].grade == "slip", text
        assert checks["container"].recorded == "Nature" and checks["container"].cited == "The Lancet"
