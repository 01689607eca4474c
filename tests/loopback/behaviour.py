"""Behaviour on demand: which requests are answered differently, and what was counted.

A rule holds for the paths that begin with its `prefix`; the longest prefix wins, then the newest rule. It can set
`latency_ms`; replace the answer by `status`, `body` and `headers`; `block` it with a challenge page (`duckduckgo`,
`cloudflare`); `redirect` it to an address, or `loop`; or end it with a `fault` (`faults.py`), whose `size` in bytes
matters to the big ones. `times` limits it to that many requests.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from starlette.types import Scope

from tests.loopback.challenges import BLOCKS
from tests.loopback.faults import FAULTS

REMEMBERED = 500
ALL = "*"


@dataclass
class Rule:
    """How one part of the loopback behaves."""

    prefix: str
    latency_ms: float = 0
    status: int | None = None
    body: str | None = None
    encoding: str = "utf-8"  # `latin-1` for a body of bytes
    headers: dict[str, str] = field(default_factory=dict)
    block: str | None = None
    redirect: str | None = None
    fault: str | None = None
    size: int = 200 * 1024 * 1024
    times: int | None = None

    def __post_init__(self) -> None:
        if self.block is not None and self.block not in BLOCKS:
            raise ValueError(f"block is one of {', '.join(BLOCKS)}; {self.block!r} is not known.")
        if self.fault is not None and self.fault not in FAULTS:
            raise ValueError(f"fault is one of {', '.join(FAULTS)}; {self.fault!r} is not known.")


def read_rule(wanted: Mapping[str, Any]) -> Rule:
    known = {known.name for known in fields(Rule)}
    if unknown := sorted(wanted.keys() - known):
        raise ValueError(f"{', '.join(unknown)} cannot be set; these can: {', '.join(sorted(known))}.")
    if not str(wanted.get("prefix", "")).startswith("/"):
        raise ValueError("prefix is missing: it is the beginning of a path, such as /searxng.")
    return Rule(**wanted)


@dataclass(frozen=True)
class Seen:
    """A request that arrived."""

    method: str
    path: str
    query: str
    headers: dict[str, str]


def group_of(path: str) -> str:
    """What a path is counted under: its upstream, or its site."""
    parts = path.split("/")
    return "/".join(parts[:3]) if parts[1] == "site" else f"/{parts[1]}"


class Behaviour:
    """The rules in force and the counters."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.rules: list[Rule] = []
        self._requests: Counter[str] = Counter()
        self._most: Counter[str] = Counter()
        self._seen: deque[Seen] = deque(maxlen=REMEMBERED)
        self._in_flight: Counter[str] = Counter()

    def take(self, path: str) -> Rule | None:
        """The rule for this request, which uses up one of its times."""
        fitting = [rule for rule in self.rules if path.startswith(rule.prefix) and rule.times != 0]
        if not fitting:
            return None
        rule = max(reversed(fitting), key=lambda rule: len(rule.prefix))
        if rule.times is not None:
            rule.times -= 1
        return rule

    def begin(self, scope: Scope) -> Counter[str]:
        """Count a request in; what is returned is handed to `end`, which may come after a reset."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._seen.append(Seen(scope["method"], scope["path"], scope["query_string"].decode("latin-1"), headers))
        for name in (group_of(scope["path"]), ALL):
            self._requests[name] += 1
            self._in_flight[name] += 1
            self._most[name] = max(self._most[name], self._in_flight[name])
        return self._in_flight

    def end(self, scope: Scope, in_flight: Counter[str]) -> None:
        for name in (group_of(scope["path"]), ALL):
            in_flight[name] -= 1

    def stats(self) -> dict[str, Any]:
        return {
            "requests": dict(self._requests),
            "most_in_flight": dict(self._most),
            "in_flight": dict(+self._in_flight),
            "seen": [asdict(seen) for seen in self._seen],
        }
