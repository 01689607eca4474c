"""Conditions of style rules, decided for an ordinary window on a desktop; None where that cannot be known."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_properties import PROPERTIES, WIDE_WORDS
from wellsourced.pages.html.css_syntax import is_known
from wellsourced.pages.html.css_values import (
    DEPTHS,
    WINDOW_HEIGHT,
    WINDOW_WIDTH,
    read_length,
    read_number,
    split_outside,
)

Answer: TypeAlias = bool | None
Test: TypeAlias = Callable[[str], Answer]
Variable: TypeAlias = Callable[[str], str | None]

LONGEST = 500
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
RANGE = late_pattern(r"([^<>=]{1,60}?)\s*(<=|>=|<|>|=)\s*([^<>=]{1,60}?)(?:\s*(<=|>=|<|>|=)\s*([^<>=]{1,60}))?")
NUMBERS = {
    "width": WINDOW_WIDTH, "height": WINDOW_HEIGHT, "device-width": WINDOW_WIDTH, "device-height": WINDOW_HEIGHT,
    "aspect-ratio": WINDOW_WIDTH / WINDOW_HEIGHT, "device-aspect-ratio": WINDOW_WIDTH / WINDOW_HEIGHT, "color": 8.0,
    "color-index": 0.0, "monochrome": 0.0, "resolution": 1.0, "grid": 0.0, "-webkit-device-pixel-ratio": 1.0,
    "-webkit-transform-3d": 1.0,
}  # fmt: skip
WORDS = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "scripting": "enabled",
    "update": "fast", "display-mode": "browser", "forced-colors": "none", "inverted-colors": "none",
    "overflow-block": "scroll", "overflow-inline": "scroll", "dynamic-range": "standard",
}  # fmt: skip
NOTHING = frozenset(("none", "no-preference"))
MEDIA_TYPES = {"all": True, "screen": True, "print": False}
RESOLUTIONS = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
RESOLUTION = late_pattern(r"([\d.]{1,20})(dppx|x|dpi|dpcm)")
RATIO = late_pattern(r"(\d{1,9})\s*/\s*(\d{1,9})")
FOREIGN_FEATURE = late_pattern(
    r"[@$]|\(\s*(?:--|-ms-|-moz-|-o-|(?:min-|max-)?(?:-moz-|-o-)?device-pixel-ratio|(?:min|max)--moz-)"
)
FOREIGN_PREFIXES = ("-moz-", "-ms-", "-o-", "-khtml-")
NOT_ON_DESKTOPS = frozenset(("-webkit-touch-callout", "-webkit-overflow-scrolling"))
_SUPPORTED = (
    "align-items align-content align-self animation appearance -webkit-appearance aspect-ratio backdrop-filter "
    "-webkit-backdrop-filter background-clip -webkit-background-clip border-radius box-shadow columns column-count "
    "contain container-type display fill filter flex flex-wrap float gap grid grid-area grid-gap grid-template-areas "
    "grid-template-columns grid-template-rows height hyphens inset justify-content line-clamp -webkit-line-clamp "
    "margin margin-inline-start mask mask-image -webkit-mask -webkit-mask-image max-height max-width min-height "
    "min-width mix-blend-mode object-fit opacity overflow overscroll-behavior padding perspective pointer-events "
    "position resize scroll-behavior scroll-snap-type scrollbar-color scrollbar-width scrollbar-gutter shape-outside "
    "text-decoration text-wrap text-underline-offset -webkit-text-stroke transform transform-style transition "
    "user-select -webkit-user-select view-transition-name visibility width will-change word-break writing-mode "
    "accent-color anchor-name animation-timeline color background background-color font-variation-settings "
    "-webkit-text-fill-color text-shadow left top right bottom z-index clip clip-path content content-visibility"
)
SUPPORTED = frozenset(_SUPPORTED.split())
# Whole declarations by which pages tell browsers apart, as Chromium answers.
ANSWERED = {
    **dict.fromkeys(("row-gap:1em", "column-gap:1em", "overflow-wrap:anywhere", "text-size-adjust:auto"), True),
    **dict.fromkeys(("place-items:center", "isolation:isolate", "translate:none", "-webkit-font-smoothing:auto"), True),
    **dict.fromkeys(
        ("-webkit-hyphens:none", "margin-trim:inline", "hanging-punctuation:first", "font-display:swap"), False
    ),
    **dict.fromkeys(
        ("-webkit-marquee-repetition:infinite", "-webkit-named-image:i", "-webkit-nbsp-mode:normal"), False
    ),
}
STYLE_TEST = late_pattern(r"style\([^()]*(?:\([^()]*\)[^()]*)*\)")
# What a container must be for a question to be put to it; all elements are containers for questions of style.
NEEDED_TYPES = (
    (late_pattern(r"height|block-size|aspect-ratio|orientation"), frozenset(("size",))),
    (late_pattern(r"width|inline-size"), frozenset(("inline-size", "size"))),
    (late_pattern(r"scroll-state\("), frozenset(("scroll-state",))),
)
VARIABLE_NAME = late_pattern(r"--[\w-]+")
IF = late_pattern(r"(?<![\w-])if\(")
IF_SIGN = late_pattern(r"[():;]")
LONGEST_IF = 5_000


def media_holds(query: str) -> Answer:
    """Whether a list of media queries holds: one of them is enough."""
    if not query.strip():
        return True
    if len(query) > LONGEST:
        return None
    return _media_list(query)


# A sheet asks the same few questions of the window again and again.
@lru_cache(1024)
def _media_list(query: str) -> Answer:
    return _any([_media_query(part.strip().lower()) for part in split_outside(query, ",")])


def supports_holds(condition: str) -> Answer:
    return _decide(condition, _is_supported) if len(condition) <= LONGEST else None


class ContainerQuery(NamedTuple):
    """The name that a container must have, "" for any, the types of which it must be one, and what is asked of it."""

    name: str
    types: frozenset[str]
    condition: str


@lru_cache(1024)
def read_container_query(text: str) -> ContainerQuery:
    condition = text.lower()
    words = split_outside(condition, " ")
    is_named = bool(words) and not words[0].startswith(("(", "not", "style(", "scroll-state("))
    asked = STYLE_TEST.sub("", condition) if "style(" in condition else condition
    types = next((types for asks, types in NEEDED_TYPES if asks.search(asked)), frozenset())
    return ContainerQuery(words[0] if is_named else "", types, " ".join(words[is_named:]))


def container_holds(condition: str, widths: Iterable[float], variable: Variable) -> Answer:
    """Decided only where it is the same for all these widths."""
    if len(condition) > LONGEST:
        return None
    answers = {_decide(condition, _in_container(width, variable)) for width in widths}
    return answers.pop() if len(answers) == 1 else None


def _in_container(width: float, variable: Variable) -> Test:
    """What holds in a container of this width; its height may be anything."""
    sizes = {"width": width, "inline-size": width}
    return lambda text: _style(text, variable) if text.startswith("style(") else _feature(text, sizes, words={})


def _style(text: str, variable: Variable) -> Answer:
    return _term(text[len("style") :], lambda inner: _is_styled(inner, variable))


def _is_styled(text: str, variable: Variable) -> Answer:
    """What is asked of variables; of other properties browsers do not answer."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not name.startswith("--"):
        return None
    if not colon:
        return variable(name) is not None if VARIABLE_NAME.fullmatch(name) else None
    held = variable(name)
    if held is None or value == "initial":
        return held is None and value == "initial"
    one, two = (" ".join(each.lower().split()) for each in (held, value))
    return (
        one == two or (read_length(one) is not None and read_length(one) == read_length(two))
        if "(" not in two
        else None
    )


def choose_branch(value: str, variable: Variable) -> str | None:
    """A value with its first `if()` decided: itself where that cannot be, None where no branch of it holds."""
    match = IF.search(value)
    if match is None or len(value) > LONGEST_IF:
        return value
    branches, end = _branches(value, match.end())
    for condition, said in branches:
        holds = True if condition == "else" else _decide(condition, lambda text: _if_test(text, variable))
        if holds is None:
            return value
        if holds:
            return f"{value[: match.start()]}{said}{value[end:]}"
    return None


def _branches(text: str, start: int) -> tuple[list[tuple[str, str]], int]:
    """The conditions of an `if()` that opens before `start`, each with its value, and where it ends."""
    branches, depth, begin, colon = [], 1, start, -1
    for sign in IF_SIGN.finditer(text, start):
        place = sign.start()
        depth += DEPTHS.get(sign[0], 0)
        if depth == 1 and sign[0] == ":" and colon < 0:
            colon = place
        elif depth == 0 or (depth == 1 and sign[0] == ";"):
            if colon >= 0:
                branches.append((text[begin:colon].strip(), text[colon + 1 : place].strip()))
            begin, colon = place + 1, -1
        if depth == 0:
            return branches, place + 1
    return branches, len(text)


def _if_test(text: str, variable: Variable) -> Answer:
    name, _, inner = (part.strip() for part in text.removesuffix(")").partition("("))
    if name == "style":
        return _style(text, variable)
    if name == "media":
        # Of the kind of device browsers do not answer here.
        bare = inner.startswith(("(", "not "))
        return inner not in MEDIA_TYPES and media_holds(inner if bare else f"({inner})")
    return supports_holds(inner if inner.startswith(("(", "not ")) else f"({inner})") if name == "supports" else None


def _media_query(query: str) -> Answer:
    if FOREIGN_FEATURE.search(query) and " or " not in query:
        # What a browser does not know makes the whole query fail, even under a `not`.
        return False
    words = split_outside(query.replace(")and ", ") and "), " ")
    if not words:
        return False
    if words[0] == "only":
        words = words[1:]
    if words[0] == "not" and len(words) > 1 and not words[1].startswith("("):
        return _not(_media_query(" ".join(words[1:])))
    if words and not words[0].startswith(("(", "not")):
        if not MEDIA_TYPES.get(words[0]):
            return False
        return _decide(" ".join(words[2:]), _media_feature) if len(words) > 2 else True
    return _decide(" ".join(words), _media_feature)


def _decide(condition: str, test: Test) -> Answer:
    """`not`, `and`, `or` and brackets around single tests."""
    words = split_outside(condition.strip(), " ")
    if not words:
        return None
    if words[0] == "not":
        return _not(_decide(" ".join(words[1:]), test))
    answers = [_term(word, test) for word in words[::2]]
    joints = set(words[1::2])
    return _all(answers) if joints <= {"and"} else _any(answers) if joints == {"or"} else None


def _term(word: str, test: Test) -> Answer:
    if not (word.startswith("(") and word.endswith(")")):
        return test(word)
    inner = word[1:-1].strip()
    return _decide(inner, test) if inner.startswith(("(", "not ", "selector(", "style(")) else test(inner)


def _not(answer: Answer) -> Answer:
    return None if answer is None else not answer


def _all(answers: Sequence[Answer]) -> Answer:
    return False if False in answers else None if None in answers else True


def _any(answers: Sequence[Answer]) -> Answer:
    return True if True in answers else None if None in answers else False


def _media_feature(text: str) -> Answer:
    return _feature(text, NUMBERS)


def _feature(text: str, numbers: dict[str, float], words: dict[str, str] = WORDS) -> Answer:
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon:
        return _in_range(text, numbers) if set("<>=") & set(text) else _is_present(name, numbers, words)
    if "\\" in value:
        return False
    if name in words:
        return words[name] == value
    sign = {"min": ">=", "max": "<="}.get(prefix := name.removeprefix("-webkit-")[:3], "=")
    bare = name.replace(f"{prefix}-", "", 1) if sign != "=" else name
    return _compare(numbers.get(bare), sign, _measure(value))


def _is_present(name: str, numbers: dict[str, float], words: dict[str, str]) -> Answer:
    if name in words:
        return words[name] not in NOTHING
    return numbers[name] != 0 if name in numbers else None


def _in_range(text: str, numbers: dict[str, float]) -> Answer:
    match = RANGE.fullmatch(text)
    if match is None:
        return None
    first, second, third = (numbers.get(side, _measure(side)) if side else None for side in match.group(1, 3, 5))
    answer = _compare(first, match[2], second)
    return _all([answer, _compare(second, match[4], third)]) if match[4] else answer


def _measure(value: str) -> float | None:
    if match := RESOLUTION.fullmatch(value):
        return float(match[1]) * RESOLUTIONS[match[2]] if match[1].count(".") < 2 else None
    if match := RATIO.fullmatch(value):
        return int(match[1]) / int(match[2]) if int(match[2]) else None
    length = read_length(value)
    return length if length is not None else read_number(value)


def _compare(one: float | None, sign: str, two: float | None) -> Answer:
    return COMPARISONS[sign](one, two) if one is not None and two is not None else None


def _is_supported(text: str) -> Answer:
    name, colon, value = (part.strip().lower() for part in text.partition(":"))
    if text.startswith("selector("):
        return is_known(text.removesuffix(")").partition("(")[2].strip())
    if not colon:
        return None
    if f"{name}:{value}" in ANSWERED:
        return ANSWERED[f"{name}:{value}"]
    if name.startswith(FOREIGN_PREFIXES) or name in NOT_ON_DESKTOPS:
        return False
    if name in PROPERTIES and "(" not in value:
        return value in WIDE_WORDS or PROPERTIES[name][0](value)
    return True if name in SUPPORTED or name.startswith("--") else None
