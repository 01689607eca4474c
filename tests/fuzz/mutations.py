"""Seeds with pieces taken out, put in and repeated, as a hypothesis strategy."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

LONGEST = 60_000
PIECES = (
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f", "́".encode(), "\u202e".encode(), b"\r", b"\n", b"\\", b'"', b"'",
    b"{", b"}", b"[", b"]", b"<", b">", b"</", b"<!--", b"<div>", b"<b>", b"<table>", b"&#x0;", b"&amp", b"%00",
    b"@", b"#",
    b"://", b"..", b"-", b"0" * 400, b"9" * 30, b"-1", b"1e999", b"NaN", b"null", b"\\ud800", b"{\\", b"  - ", b"and ",
)  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """At a place (0 is the beginning, 1 the end), so many bytes less and so many times a piece more."""

    place: float
    less: int
    piece: bytes
    times: int

    def apply(self, data: bytes) -> bytes:
        at = int(self.place * len(data))
        return (data[:at] + self.piece * self.times + data[at + self.less :])[:LONGEST]


EDITS = st.builds(
    Edit,
    st.floats(0, 1),
    st.sampled_from((0, 0, 1, 2, 9, 80)),
    st.sampled_from(PIECES) | st.binary(max_size=6),
    st.sampled_from((1, 1, 1, 2, 40, 3000)),
)


def mutated(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    def changed(seed: bytes, edits: list[Edit]) -> bytes:
        for edit in edits:
            seed = edit.apply(seed)
        return seed

    return st.builds(changed, st.sampled_from(seeds), st.lists(EDITS, max_size=6))
