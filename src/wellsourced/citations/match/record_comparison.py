"""Whether a citation and a record are about the same work: field by field, and what positively differs.

A difference is named only where no usual way of citing explains it. Free text that could not be taken apart for
certain is never held against anybody: what the record says and the text contains counts as agreeing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from wellsourced.citations.match.differences import MANY_EDITIONS, FieldDifference, find_differences
from wellsourced.citations.match.field_checks import FieldCheck, check_fields
from wellsourced.citations.match.fields import FieldMatches, compare_fields
from wellsourced.citations.match.free_text import credible_parts, soften_fields
from wellsourced.citations.paper_reference import recorded_forms, reference_from_paper, strip_retraction_mark
from wellsourced.citations.reference import Reference
from wellsourced.text.title_languages import are_in_two_languages, may_be_translation
from wellsourced.text.titles import (
    compare_titles,
    content_words,
    have_same_main_title,
    is_main_title,
    simplify_words,
)
from wellsourced.upstreams.types.paper import Paper

TitleMatch: TypeAlias = Literal["match", "mismatch", "not_checked"]

LONG_TITLE = 5
# Where a title of one word was taken for longer than it is: `PaperQA, arXiv`.
BEHIND_A_MARK = re.compile(r"[,.]\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordComparison:
    """`differences` are sentences, one for each field that positively differs; none of them means no objection.
    `checks` tell of every cited field, also of those that agree or could not be compared."""

    fields: FieldMatches
    title_match: TitleMatch
    differences: tuple[str, ...] = ()
    checks: tuple[FieldCheck, ...] = ()
    is_other_work: bool = False

    @property
    def disagrees(self) -> bool:
        return bool(self.differences)

    @property
    def has_strange_title(self) -> bool:
        """Whether both have a title, and nobody can say whether they are the same one."""
        return self.fields.title == "not_comparable"


def compare_with_record(cited: Reference, paper: Paper, *, free_text: bool) -> RecordComparison:
    """`free_text` says that `cited` was read out of running text, and may have been read wrongly."""
    cited = replace(cited, title=strip_retraction_mark(cited.title)) if cited.title else cited
    record, also = reference_from_paper(paper), recorded_forms(paper)
    record = record if paper.type else replace(record, type="document")
    claimed = credible_parts(cited, record) if free_text else cited
    fields = compare_fields(claimed, record, also)
    if free_text:
        fields = soften_fields(fields, claimed, record, also)
    fields = replace(fields, title=_title(fields, claimed, record, paper))
    differences = tuple(find_differences(fields, claimed, record, paper, free_text=free_text))
    return RecordComparison(
        fields=fields,
        title_match=_title_match(fields, differences),
        differences=tuple(difference.sentence for difference in differences),
        checks=tuple(check_fields(fields, claimed, record, differences, free_text=free_text)),
        is_other_work=any(difference.grade == "other_work" for difference in differences),
    )


def is_long_title(title: str | None) -> bool:
    return len(content_words(title or "")) >= LONG_TITLE or len(simplify_words(title or "")) > 40


def _title(
    fields: FieldMatches, cited: Reference, record: Reference, paper: Paper
) -> Literal["match", "partial", "mismatch", "not_given", "not_comparable"]:
    """A title in another language, or that of a part or the whole, cannot be held against the record's; and a book may
    have another subtitle in another country."""
    if fields.title not in {"mismatch", "partial"} or not cited.title or not record.title:
        return fields.title
    if fields.title == "partial":
        return "partial"
    is_book = (paper.type or cited.type) in MANY_EDITIONS
    if is_book and fields.authors != "mismatch" and have_same_main_title(cited.title, record.title):
        return "match"
    same_people = fields.authors in {"match", "partial"} and fields.year in {"match", "partial"}
    begun = BEHIND_A_MARK.split(cited.title, maxsplit=1)[0] if same_people else cited.title
    is_cut = is_main_title(begun, record.title) or is_main_title(record.title, cited.title)
    if is_cut and fields.authors != "mismatch":
        return "match"
    if are_in_two_languages(cited.title, record.title) or (
        same_people and may_be_translation(cited.title, record.title)
    ):
        return "not_comparable"
    related = ((cited.container, record.title), (cited.title, record.container))
    if any(compare_titles(one, other) == "match" for one, other in related):
        return "not_comparable"
    return fields.title


def _title_match(fields: FieldMatches, differences: tuple[FieldDifference, ...]) -> TitleMatch:
    if fields.title == "mismatch" or any(difference.field == "title" for difference in differences):
        return "mismatch"
    return "match" if fields.title in {"match", "partial"} else "not_checked"
