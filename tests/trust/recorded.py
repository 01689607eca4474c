"""Citations of works that real registries answered about; what is expected is what those answers prove."""

from __future__ import annotations

from tests.trust.gold import RECORDED, Case, Expected

NOTICE = "10.1371/journal.pone.0129989"
TABLE: tuple[tuple[str, bool | None, str | None, bool], ...] = (
    ("10.1177/0956797614520714", True, "retraction", False),
    ("Evil genius? How dishonesty can lead to greater creativity. 10.1177/0956797614520714", True, "retraction", False),
    ("Sleep and memory consolidation in juvenile songbirds, 10.1177/0956797614520714", True, "retraction", True),
    ("10.1103/physrevb.98.104436", True, "correction", False),
    (NOTICE, True, None, False),
    ("10.1101/2024.04.01.587366", True, None, False),
    ("10.1371/journal.pone.0033693", True, "correction", False),
    ("https://doi.org/10.1371/notarealdoi", False, None, False),
    ("doi:10.1126/foo", False, None, False),
    ("PMID: 35649368", True, "correction", False),
    ("PMID: 37909814", False, None, False),
    ("askldjrq3rjaw938h", None, None, False),
    ("SF Districts in the style of Andy Warhol, with Math", None, None, False),
)


def recorded_cases() -> list[Case]:
    if not RECORDED.is_dir():
        return []
    return [
        Case(
            id=f"recorded-{number:02}",
            group="fabricated" if mismatch or exists is False else "hurt" if against else "real",
            why=text[:60],
            text=text,
            expect=Expected(exists=exists, retracted=against == "retraction", against=against, mismatch=mismatch),
        )
        for number, (text, exists, against, mismatch) in enumerate(TABLE, start=1)
    ]
