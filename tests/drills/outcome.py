"""What a drill saw, compared with what is kept, or kept anew when `DRILLS=record` is set."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tests.drills.catalogue import CATALOGUE
from wellsourced.tool.answer import ToolAnswer

KEPT = Path(__file__).with_name("outcomes.json")
IS_RECORDING = os.environ.get("DRILLS") == "record"
LOOPBACK = re.compile(r"127\.0\.0\.1(:\d+)?")
STORED = re.compile(r"/[^ ]*/(?=wellsourced\.db|key\b)")


def note(drill: str, *, sees: str, lost: str) -> None:
    """`sees` is what the user was shown, `lost` what the drill has found missing afterwards."""
    assert drill in CATALOGUE, f"{drill} is not in the catalogue of drills"
    outcome = {"sees": without_this_machine(sees), "lost": lost}
    kept: dict[str, dict[str, str]] = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    if IS_RECORDING:
        kept[drill] = outcome
        ordered = {name: kept[name] for name in CATALOGUE if name in kept}
        KEPT.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", "utf-8")
    assert kept.get(drill) == outcome, f"{drill}: {outcome}; docs/reliability.md says otherwise; run `make reliability`"


def without_this_machine(text: str) -> str:
    """The same words wherever the drill was run."""
    return STORED.sub("CACHE_DIR/", LOOPBACK.sub("site.example", text))


def user_message(answer: ToolAnswer) -> str:
    """An error as its reader meets it: the sentence, and the kind that programs branch on."""
    assert answer.error_text is not None, answer.body[:300]
    return shown_error(answer.error_text)


def error_text_on_wire(response: dict[str, Any]) -> str:
    """The same from a JSON-RPC response."""
    result = response["result"]
    assert result["isError"], result
    return shown_error(result["content"][0]["text"])


def shown_error(text: str) -> str:
    sentence, _, tail = text.partition("\n\n")
    kind = json.loads(tail)["error"]["kind"]
    return f"{sentence} ({kind})"
