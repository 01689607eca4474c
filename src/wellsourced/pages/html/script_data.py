"""The text of a page that stands only in its own data: JSON that its scripts would show (Next, Nuxt, Apollo, …).

Only the data is read, nothing is run. Of everything in it the part is taken that holds most of the sentences, and of
that part the part that holds most of it, and so on: menus, translations and settings are left outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from html import escape, unescape
from operator import itemgetter, or_
from typing import Any, TypeAlias

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.dom import Document, attribute, select

Json: TypeAlias = Any

MOST_CHARACTERS = 4_000_000
MOST_NODES = 200_000
DEEPEST = 60
# A part with so much of the words around it is gone into.
MOST_OF_IT = 0.7
FEWEST_WORDS = 8
ASSIGNMENT = late_pattern(r"(?<=[\w$\]\s])=\s{0,5}(?=[{\[]|JSON\.parse\()")
MOST_ASSIGNMENTS = 40
PARSED = late_pattern(r"JSON\.parse\(\s*(?=[\"'])")
SINGLE_QUOTED = late_pattern(r"'((?:[^'\\]|\\.)*+)'", re.S)
ESCAPE = late_pattern(r"\\x(?=[0-9a-fA-F]{2})|\\.|\"", re.S)
DOUBLE_QUOTED = {"\\'": "'", '"': '\\"', "\\x": "\\u00"}
# Angular's own escapes, and attributes in which Inertia, Astro and Rails hand their data over.
ANGULAR = (("&q;", '"'), ("&s;", "'"), ("&l;", "<"), ("&g;", ">"), ("&a;", "&"))
DATA_ATTRIBUTES = ("data-page", "data-props", "data-react-props", "data-state", "props")
FLIGHT = late_pattern(r"self\.__next_f\.push\(\[1,\s*(?=\")")
FLIGHT_ROW = late_pattern(r"^[0-9a-f]{1,6}:(?:T([0-9a-f]{1,6}),)?", re.M)
MARKUP = late_pattern(r"</(?:p|li|h[1-6]|blockquote|td)>|<br\s*/?>", re.I)
INLINE_MARKUP = late_pattern(r"</(?:a|em|strong|b|i|u|span|sup|sub|code|cite|mark|small)>", re.I)
CODE = late_pattern(r"\A\s*[;{<@#.]|\bfunction\s*\(|\bwindow\.|\|\||=>|[{};]\s*\Z")
# Texts of the site, not of the page.
OF_THE_SITE = late_pattern(
    r"lang|locale|i18n|intl|translat|messages|settings|config|footer|header|menu|nav|cookie", re.I
)
TAG = late_pattern(r"<[^<>]{0,2000}>")
WORD = late_pattern(r"\w{4,}")
SENTENCE = late_pattern(r"[.!?…。！？][\"'”’)\]]*(?:\s|\Z)")
INLINE_KEYS = ("text", "value")
BLOCK_TAGS = frozenset({"p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "td", "th", "dt", "dd", "pre"})
decoder = json.JSONDecoder(strict=False)


def script_text(document: Document) -> str:
    """As markup; "" where the data holds no sentences."""
    best = PartWords(None)
    for data in _data_of(document):
        found = PartWords(data)
        if found.total > best.total:
            best = found
    paragraphs = list(dict.fromkeys(_paragraphs(best.main_part())))
    return "".join(paragraphs)


def fuller_text(document: Document, probes: Sequence[str]) -> str:
    """The part of the data that holds what these pieces of a page's text are from, as markup; "" where none does."""
    texts = [
        "".join(dict.fromkeys(_paragraphs(part)))
        for data in _data_of(document)
        # Lists around everything would hold other articles too.
        for whole in (_parts(data) if isinstance(data, dict | list) else ())
        if (part := _part_around(whole, probes)) is not None
    ]
    return max(texts, key=len, default="")


def _part_around(data: Json, probes: Sequence[str]) -> Json | None:
    """The smallest part with as many of the pieces as the whole; of several the longest."""
    held = HeldPieces(probes)
    most = held.count(data)
    if 2 * most < len(probes):
        return None
    while not _is_text(data):
        inner = [(held.size(part), part) for part in _parts(data) if held.count(part) == most]
        if not inner:
            break
        data = max(inner, key=itemgetter(0))[1]
    return data


class HeldPieces:
    """How many of the pieces each part of the data holds, and how much text."""

    def __init__(self, probes: Sequence[str]) -> None:
        self._probes = probes
        self._found: dict[int, tuple[int, int]] = {}

    def count(self, data: Json) -> int:
        return self._look(data)[0].bit_count()

    def size(self, data: Json) -> int:
        return self._look(data)[1]

    def _look(self, data: Json, depth: int = 0) -> tuple[int, int]:
        """The pieces as bits, and the length of the text."""
        if id(data) in self._found:
            return self._found[id(data)]
        if _is_text(data):
            text = plain_words(" ".join(_paragraphs(data)))
            return sum(1 << n for n, probe in enumerate(self._probes) if probe in text), len(text)
        if not isinstance(data, dict | list) or depth > DEEPEST or len(self._found) > MOST_NODES:
            return 0, 0
        inner = [self._look(part, depth + 1) for part in _parts(data)]
        found = self._found[id(data)] = reduce(or_, (bits for bits, _ in inner), 0), sum(size for _, size in inner)
        return found


def plain_words(markup: str) -> str:
    return " ".join(unescape(TAG.sub("", markup)).split())


def _is_text(data: Json) -> bool:
    return isinstance(data, str) or bool(_block_tag(data)) or _is_run(data)


def _data_of(document: Document) -> Iterator[Json]:
    unread = MOST_CHARACTERS
    flight: list[str] = []
    for script in select(document, "script:not([src])"):
        text = script.text
        unread -= len(text)
        if unread < 0:
            break
        kind = attribute(script, "type").lower()
        if "json" in kind:
            if "ld+json" not in kind:
                yield _fetched(_decoded(_plain_quotes(text.strip()), 0))
        elif found := FLIGHT.match(text.lstrip()):
            part = _decoded(text.lstrip(), found.end())
            flight.append(part if isinstance(part, str) else "")
        else:
            yield from _assigned_values(text)
    if flight:
        yield list(_flight_rows("".join(flight)))
    yield from _attribute_data(document)


def _attribute_data(document: Document) -> Iterator[Json]:
    for name in DATA_ATTRIBUTES:
        for element in select(document, f"[{name}]")[:MOST_ASSIGNMENTS]:
            value = attribute(element, name)
            if value[:1] in {"{", "["} and len(value) < MOST_CHARACTERS:
                yield _decoded(value, 0)


def _plain_quotes(text: str) -> str:
    if text.startswith("{&q;"):
        for written, meant in ANGULAR:
            text = text.replace(written, meant)
    return text


def _fetched(data: Json) -> Json:
    """What SvelteKit fetched for the page is kept as an answer with a body."""
    body = data.get("body") if isinstance(data, dict) else None
    return _decoded(body, 0) or data if isinstance(body, str) and body[:1] in {"{", "["} else data


def _assigned_values(text: str) -> Iterator[Json]:
    """The data that a script's first statements set; each is tried once."""
    start = 0
    for _ in range(MOST_ASSIGNMENTS):
        assigned = ASSIGNMENT.search(text, start)
        if not assigned:
            return
        value, start = _assigned_value(text, assigned.end())
        yield value


def _assigned_value(text: str, start: int) -> tuple[Json, int]:
    """The value and where it ends; nothing where the script goes on as one."""
    parsed = PARSED.match(text, start)
    if not parsed:
        return _decoded_until(text, start)
    quoted = SINGLE_QUOTED.match(text, parsed.end())
    if quoted:
        inner = ESCAPE.sub(lambda sign: DOUBLE_QUOTED.get(sign[0], sign[0]), quoted[1])
        value, end = _decoded(f'"{inner}"', 0), quoted.end()
    else:
        value, end = _decoded_until(text, parsed.end())
    return (_decoded(value, 0) if isinstance(value, str) else None), end


def _decoded(text: str, start: int) -> Json:
    return _decoded_until(text, start)[0]


def _decoded_until(text: str, start: int) -> tuple[Json, int]:
    try:
        return decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1


def _flight_rows(text: str) -> Iterator[Json]:
    """The rows of React's own format: numbered, each JSON or a text of so many bytes."""
    for row in FLIGHT_ROW.finditer(text):
        if row[1]:
            yield text[row.end() : row.end() + int(row[1], 16)]
        elif text[row.end() : row.end() + 1] in {"[", "{"}:
            yield _decoded(text, row.end())


class PartWords:
    """The words of sentences in each part of the data; a text that stands in it twice is counted once."""

    def __init__(self, data: Json) -> None:
        self._data = data
        self._counts: dict[int, int] = {}
        self._seen: set[str] = set()
        self.total = self._count(data)

    def main_part(self) -> Json:
        data = self._data
        while isinstance(data, dict | list):
            parts = sorted(_parts(data), key=self._words_of, reverse=True)
            if not parts or not (self._is_most(parts[0], data) or self._is_said_by(parts[0], parts[1:2])):
                return data
            data = parts[0]
        return data

    def _count(self, data: Json, depth: int = 0) -> int:
        if isinstance(data, str):
            return self._count_once(data)
        if not isinstance(data, dict | list) or depth > DEEPEST or len(self._counts) > MOST_NODES:
            return 0
        words = sum(self._count(part, depth + 1) for part in _parts(data))
        self._counts[id(data)] = words
        return words

    def _count_once(self, text: str) -> int:
        if text in self._seen or not _is_prose(text):
            return 0
        self._seen.add(text)
        return len(text.split())

    def _words_of(self, part: Json) -> int:
        if isinstance(part, str):
            return len(part.split()) if _is_prose(part) else 0
        return self._counts.get(id(part), 0)

    def _is_most(self, part: Json, whole: Json) -> bool:
        return self._words_of(part) >= max(1.0, MOST_OF_IT * self._words_of(whole))

    def _is_said_by(self, part: Json, others: list[Json]) -> bool:
        """Whether the next largest part says the same in another form, as markdown or as markup."""
        if not others or self._words_of(others[0]) < 0.5 * self._words_of(part):
            return False
        own, other = (_vocabulary(each) for each in (part, others[0]))
        return len(own & other) >= MOST_OF_IT * max(len(other), 1)


def _vocabulary(part: Json) -> set[str]:
    return set(WORD.findall(TAG.sub(" ", " ".join(_paragraphs(part)))))


def _parts(data: Json) -> Iterator[Json]:
    if isinstance(data, list):
        yield from data
    else:
        yield from (part for name, part in data.items() if not OF_THE_SITE.search(name))


def _is_prose(text: str) -> bool:
    if MARKUP.search(text, 0, 20_000):
        return True
    if len(text) < 4 * FEWEST_WORDS or CODE.search(text[:400]):
        return False
    return len(text.split(maxsplit=FEWEST_WORDS)) >= FEWEST_WORDS and SENTENCE.search(text) is not None


def _paragraphs(data: Json, depth: int = 0) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(data, str):
        if _is_prose(data):
            yield data if MARKUP.search(data) else "".join(map(_paragraph, data.splitlines()))
    elif tag := _block_tag(data):
        yield f"<{tag}>{escape(''.join(_strings(data[3])))}</{tag}>"
    elif _is_run(data):
        yield f"<p>{escape(''.join(map(_leaf, data)))}</p>"
    elif isinstance(data, dict | list):
        for part in _parts(data):
            yield from _paragraphs(part, depth + 1)


def _paragraph(line: str) -> str:
    return f"<p>{line if INLINE_MARKUP.search(line) else escape(line)}</p>"


def _block_tag(data: Json) -> str:
    """Of an element in React's own format: ["$", "p", key, {"children": …}]."""
    is_element = isinstance(data, list) and len(data) > 3 and data[0] == "$" and isinstance(data[3], dict)
    return data[1] if is_element and data[1] in BLOCK_TAGS else ""


def _strings(data: Json, depth: int = 0) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from _strings(data.get("children"), depth + 1)
    elif isinstance(data, list) and depth < DEEPEST:
        is_element = len(data) > 3 and data[0] == "$"
        for part in data[3:4] if is_element else data:
            yield from _strings(part, depth + 1)


def _is_run(data: Json) -> bool:
    """The pieces of one paragraph, each with marks of its own, as editors keep them."""
    return isinstance(data, list) and len(data) > 0 and all(isinstance(part, dict) and _leaf(part) for part in data)


def _leaf(part: dict[str, Json]) -> str:
    return next((part[key] for key in INLINE_KEYS if isinstance(part.get(key), str)), "")
