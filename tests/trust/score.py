"""Scores the gold set and prints a table: `python -m tests.trust.score`. Ends with 1 when a promise is broken."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence

from tests.loopback.run import Internet
from tests.trust.gold import cases
from tests.trust.judge import Played, falsely_accused, play, rates
from tests.trust.recorded import recorded_cases

EXACT = ("exists", "does not exist", "retracted", "concern or correction")
LEAST_RECALL_OF_MISMATCHES = 0.9


def broken(played: Sequence[Played]) -> list[str]:
    """The promises that were not kept."""
    found = rates(played)
    said = [
        f"{name}: precision and recall are not both 1.00" for name in EXACT if found[name].right != found[name].said
    ]
    said += [f"{name}: recall is {found[name].recall:.2f}" for name in EXACT if found[name].recall < 1]
    if found["mismatch"].recall < LEAST_RECALL_OF_MISMATCHES:
        said.append(f"mismatch: recall is {found['mismatch'].recall:.2f}")
    return said + [f"{one.case.id} is accused though nothing is wrong" for one in falsely_accused(played)]


def table(played: Sequence[Played]) -> str:
    groups = Counter(one.case.group for one in played)
    right = Counter(one.case.group for one in played if not one.wrong)
    lines = [f"{'group':<24}{'cases':>8}{'right':>8}"]
    lines += [f"{group:<24}{count:>8}{right[group]:>8}" for group, count in groups.items()]
    lines += ["", f"{'finding':<24}{'due':>8}{'said':>8}{'right':>8}{'precision':>11}{'recall':>8}"]
    for name, rate in rates(played).items():
        counts = f"{rate.due:>8}{rate.said:>8}{rate.right:>8}"
        lines.append(f"{name:<24}{counts}{rate.precision:>11.2f}{rate.recall:>8.2f}")
    lines += ["", f"falsely accused: {len(falsely_accused(played))}"]
    for one in played:
        if one.wrong:
            lines.append(f"  {one.case.id} ({one.case.why}): {', '.join(one.wrong)}")
            lines += [f"      {said}" for said in one.found.differences]
    return "\n".join(lines)


def main() -> int:
    failed = False
    with Internet() as internet, tempfile.TemporaryDirectory() as folder:
        for name, wanted in (("gold set", cases()), ("recorded answers", recorded_cases())):
            if not wanted:
                continue
            internet.reset()
            played = play(wanted, internet, {"CACHE_DIR": f"{folder}/{name}"})
            print(f"== {name}\n{table(played)}\n")
            problems = broken(played)
            print("\n".join(problems) or "every promise kept", end="\n\n")
            failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
