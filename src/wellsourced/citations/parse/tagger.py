"""Which part of a reference each of its words belongs to: a linear-chain model, learnt from references in CSL styles.

`training/learn_references.py` learns it; it ships as arrays. A feature is known by its checksum, so that no texts need
to be shipped, and the best sequence of parts is found in time linear in the number of words (Viterbi).
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from wellsourced.data import FOLDER

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL = "reference_tagger.npz"
# `A`, `G`, `L` begin a person with the family name, with the given name, or an organisation; small letters go on.
LABELS = tuple("AaGgLl-ETCVIPDBWNKSXUO")
# Letters with the marks that some scripts set behind them; East Asian ones in a row, without the dot between names.
MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0955-\u0963\u0981-\u0dff"
    r"\u0e31-\u0e4e"
)
WORD = rf"(?:[^\W\d_]|[{MARKS}])+"
TOKEN = re.compile(
    r"https?://\S+|www\.\S+|10\.\d{4,9}/\S+|[\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\d+"
    rf"|{WORD}(?:['’ʼ]{WORD})*|\S",
    re.IGNORECASE,
)
EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
ROMAN = re.compile(r"[IVXLC]{1,6}\Z")
QUOTES = frozenset('"“”„«»‘’「」『』')
OPENING, CLOSING = "([（〔", ")]）〕"
# Behind these a point ends no sentence.
SHORT_WORD = 3


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    return [Token(match[0], match.start(), match.end()) for match in TOKEN.finditer(text)]


def tag(text: str) -> list[tuple[Token, str]]:
    """Each token with the label of the part that it belongs to."""
    tokens = tokens_of(text)
    return list(zip(tokens, (LABELS[place] for place in _best_path(_scores(tokens))), strict=True)) if tokens else []


def features_of(tokens: Sequence[Token]) -> list[list[str]]:
    """What is said about each token: itself, its neighbours, and where in the reference it stands."""
    words = [_word(token.text) for token in tokens]
    shapes = [_shape(token.text) for token in tokens]
    glued = ["g" if i and tokens[i - 1].end == token.start else "s" for i, token in enumerate(tokens)]
    frames = _frames(tokens, shapes)
    edge = ["<", "<"]
    w, s = [*edge, *words, ">", ">", ">"], [*edge, *shapes, ">", ">", ">"]
    rows = []
    for i, token in enumerate(tokens):
        j = i + 2
        lower = words[i]
        rows.append([
            "b", f"w={lower}", f"s={s[j]}", f"p={lower[:3]}", f"e={lower[-3:]}", f"n={min(len(token.text), 12)}",
            f"w-1={w[j - 1]}", f"w+1={w[j + 1]}", f"w-2={w[j - 2]}", f"w+2={w[j + 2]}", f"w+3={w[j + 3]}",
            f"s-1={s[j - 1]}", f"s+1={s[j + 1]}", f"s-2={s[j - 2]}", f"s+2={s[j + 2]}",
            f"ss-={s[j - 1]}|{s[j]}", f"ss+={s[j]}|{s[j + 1]}", f"s3={s[j - 1]}|{s[j]}|{s[j + 1]}",
            f"s4={s[j - 2]}|{s[j - 1]}|{s[j]}|{s[j + 1]}", f"s5={s[j]}|{s[j + 1]}|{s[j + 2]}|{s[j + 3]}",
            f"sb={s[j - 2]}|{s[j - 1]}|{s[j]}", f"ww-={w[j - 1]}|{lower}", f"ww+={lower}|{w[j + 1]}",
            f"ws={w[j - 1]}|{s[j]}|{w[j + 1]}", f"g={glued[i]}|{s[j]}|{s[j - 1]}", *frames[i],
        ])  # fmt: skip
    return rows


def _word(text: str) -> str:
    """Small letters; numbers by their length, years as such, addresses as one."""
    if text.isdecimal():
        return "#y" if len(text) == 4 and "1500" <= text <= "2049" else f"#{len(text)}"
    return "#u" if "/" in text and len(text) > 5 else text.casefold()[:14]


def _shape(text: str) -> str:
    if not text[0].isalnum():
        return "q" if text in QUOTES else "-" if text in "-‐‑–—" else text
    if text.isdecimal() or ("/" in text and len(text) > 5):
        return _word(text)
    if EASTERN.match(text):
        return f"E{min(len(text), 5)}"
    if len(text) == 1:
        return "X" if text.isupper() else "x"
    if text.isupper():
        return "XX" if len(text) < 4 else "XXX"
    is_marked = unicodedata.category(text[0]) == "Lo"
    return "o" if is_marked else "Xx" if text[0].isupper() and text[1:].islower() else "xx" if text.islower() else "xX"


def _frames(tokens: Sequence[Token], shapes: Sequence[str]) -> list[list[str]]:
    """Where each token stands: within the whole, the sentence, quotation marks, brackets, before or behind the year."""
    count = len(tokens)
    years = [i for i, shape in enumerate(shapes) if shape == "#y"]
    first = years[0] if years else count
    manner = (
        "none" if not years else f"{'(' if first and shapes[first - 1] in '([' else '.'}{min(first * 5 // count, 4)}"
    )
    quotes = sum(shape == "q" for shape in shapes)
    manner += f"q{min(quotes, 2)}"
    rows: list[list[str]] = []
    sentence = commas = depth = open_quotes = seen = since = 0
    for i, token in enumerate(tokens):
        shape = shapes[i]
        depth = max(0, depth - 1) if token.text in CLOSING else depth
        where = f"{min(sentence, 5)}{'q' if open_quotes % 2 else ''}{'(' if depth else ''}"
        rows.append([
            f"r={i * 8 // count}", f"i={min(i, 12)}", f"k={min(count - 1 - i, 8)}", f"t={where}", f"ts={where}|{shape}",
            f"m={manner}|{where}", f"y={min(seen, 2)}|{min(sentence, 4)}|{shape}", f"c={min(commas, 6)}|{where}",
            f"z={min(since, 6)}|{where}", f"ms={manner}|{shape}|{min(sentence, 3)}",
        ])  # fmt: skip
        since += 1
        depth += token.text in OPENING
        open_quotes += shape == "q"
        seen += shape == "#y"
        if (shape in {".", "?", "!", "。"} and i and len(tokens[i - 1].text) >= SHORT_WORD) or (
            shape == "q" and open_quotes % 2 == 0
        ):
            sentence, commas, since = sentence + 1, 0, 0
        commas += shape in {",", ";", ":"}
    return rows


class Model:
    """The arrays: a row of weights for each known feature, and what one label makes the next one worth."""

    def __init__(self, arrays: Any) -> None:
        self.known: NDArray[Any] = arrays["known"]
        self.weights: NDArray[Any] = arrays["weights"]
        self.steps: NDArray[Any] = arrays["steps"]
        self.scale = float(arrays["scale"])


@cache
def _model() -> Model:
    import numpy as np

    with np.load(FOLDER / MODEL) as arrays:
        return Model(arrays)


def checksum(feature: str) -> int:
    return zlib.crc32(feature.encode())


def _scores(tokens: Sequence[Token]) -> NDArray[Any]:
    """What every label is worth for every token."""
    import numpy as np

    model = _model()
    rows = features_of(tokens)
    sums = np.array([[checksum(feature) for feature in row] for row in rows], dtype=np.uint32)
    places = np.minimum(np.searchsorted(model.known, sums), len(model.known) - 1)
    is_known = model.known[places] == sums
    found = model.weights[places].astype(np.int32) * is_known[:, :, None]
    scores: NDArray[Any] = found.sum(axis=1) * model.scale
    return scores


def _best_path(scores: NDArray[Any]) -> list[int]:
    """The labels whose worth and steps together are worth most."""
    import numpy as np

    steps, best = _model().steps, scores[0]
    behind = []
    for row in scores[1:]:
        ways = best[:, None] + steps
        behind.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    path = [int(np.argmax(best))]
    for came_from in reversed(behind):
        path.append(int(came_from[path[-1]]))
    return path[::-1]
