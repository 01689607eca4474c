"""robots.txt as RFC 9309 has it: which paths a program may fetch, how often, and where the sitemaps are.

Groups are chosen by the longest product name that begins ours, else `*`; several groups of one name count as one. Of
the rules that match a path the longest decides, and `Allow` of two equally long. `*` stands for anything and `$` for
the end. Patterns are matched piece by piece, so that no file makes it slow. A web page in place of the file has no
rules.
"""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

from wellsourced.late_dataclass import dataclass

MOST_CHARACTERS = 500 * 1024  # of a file; RFC 9309 wants at least that
MOST_PIECES = 20  # between stars of one pattern
LONGEST_DELAY = 60.0


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one file for one program; without any, everything is allowed."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()

    def allows(self, url: str) -> bool:
        """Whether an address may be fetched."""
        parts = urlsplit(url)
        path = _normal_path((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        matching = ((len(pattern), allowed) for pattern, allowed in self.rules if _matches(pattern, path))
        return max(matching, default=(0, True))[1] or path == "/robots.txt"


def parse_robots(text: str, agent: str) -> RobotsRules:
    """The rules for the program with this product name."""
    text = text[:MOST_CHARACTERS].lstrip("\ufeff")
    if text.lstrip().startswith("<"):
        return RobotsRules()
    groups: dict[str, list[tuple[str, str]]] = {}
    sitemaps: list[str] = []
    names: list[str] = []
    has_rules = False
    for field, value in _lines(text):
        if field == "sitemap":
            sitemaps.append(value)
        elif field == "user-agent":
            names = [] if has_rules else names
            has_rules = False
            names.append(value.lower())
            groups.setdefault(value.lower(), [])
        elif field in {"allow", "disallow", "crawl-delay"}:
            has_rules = True
            for name in names:
                groups[name].append((field, value))
    own = max((name for name in groups if name != "*" and agent.lower().startswith(name)), key=len, default="*")
    lines = groups.get(own, [])
    rules = [(_normal_path(value), field == "allow") for field, value in lines if field != "crawl-delay" and value]
    delays = [delay for field, value in lines if field == "crawl-delay" and (delay := _seconds(value)) is not None]
    return RobotsRules(tuple(rules), max(delays, default=None), tuple(dict.fromkeys(sitemaps)))


def _lines(text: str) -> list[tuple[str, str]]:
    fields = (line.partition("#")[0].partition(":") for line in text.replace("\r", "\n").split("\n"))
    return [(name.strip().lower(), value.strip()) for name, colon, value in fields if colon]


def _seconds(text: str) -> float | None:
    number = text.replace(".", "", 1)
    return min(float(text), LONGEST_DELAY) if number.isascii() and number.isdigit() and len(text) < 12 else None


def _normal_path(path: str) -> str:
    """Escapes made equal: `%3c` and `<` are the same path."""
    return quote(unquote(path, errors="replace"), safe="/?&=:@!$'()*+,;~-._%#[]", errors="replace")


def _matches(pattern: str, path: str) -> bool:
    """Each piece between stars at its first place after the one before: the earliest place leaves the most room."""
    is_whole = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*", MOST_PIECES)
    if not path.startswith(first):
        return False
    place = len(first)
    for number, piece in enumerate(others):
        if is_whole and number == len(others) - 1:
            return path.endswith(piece) and len(path) - len(piece) >= place
        found = path.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return not is_whole or place == len(path)
