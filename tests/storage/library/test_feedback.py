"""The second look at what was found: documents that speak as the best do come forward, and nothing is lost."""

from __future__ import annotations

from wellsourced.storage.library.feedback import reorder
from wellsourced.storage.library.query import build_queries
from wellsourced.storage.library.rows import packed
from wellsourced.storage.library.store import LibraryDocument, RankedDocument

PUMPS = "Heat pumps draw warmth from the ground; the compressor and the refrigerant decide the efficiency."
OTHERS = "The pump of the village was painted green in the year of the great flood by the mayor."


def document(number: int, score: float) -> RankedDocument:
    about = LibraryDocument.__new__(LibraryDocument)
    object.__setattr__(about, "title", "")
    return RankedDocument(about=about, body=number, sketch=b"", score=score)


def test_a_document_in_the_words_of_the_best_comes_forward() -> None:
    texts = {number: PUMPS if number in (0, 1, 2, 6) else f"{OTHERS} {number}" for number in range(8)}
    found = [document(number, 10 - number / 20) for number in texts]
    order = [
        each.body
        for each in reorder(
            found, {number: packed(text) for number, text in texts.items()}, frozenset({"heat", "pump"})
        )
    ]
    assert order[:4] == [0, 1, 2, 6]
    assert sorted(order) == sorted(texts)


def test_marks_in_a_pasted_passage_are_no_operators() -> None:
    passage = "The author says that “cocitation” maps -roughly- a field. " * 12
    assert all(not way.required and not way.excluded for way in build_queries(passage)[-1:])
    assert build_queries("maps “cocitation” -field")[-1].excluded
