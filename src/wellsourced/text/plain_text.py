"""Titles and snippets as plain text: tags out, entities decoded once, nothing invisible left.

Only real HTML tags are taken out, so that `vector<int>` in an unmarked snippet survives. All patterns are
possessive or bounded: the time is linear in the length of the text, whatever the text.
"""

from __future__ import annotations

import re

from wellsourced.late_pattern import late_pattern

INLINE = (
    "a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strike"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
BLOCK = (
    "article|aside|blockquote|br|center|dd|div|dl|dt|figcaption|figure|footer|form|h1|h2|h3|h4|h5|h6|header|hr"
    "|iframe|li|main|nav|ol|option|p|picture|pre|section|select|svg|table|tbody|td|tfoot|th|thead|title|tr|ul|video"
)
ATTRIBUTES = r"""(?:[\s/](?:[^<>"']++|"[^"]{0,1000}"|'[^']{0,1000}'){0,30}+)?+>"""
INLINE_TAG = late_pattern(rf"</?(?:{INLINE}){ATTRIBUTES}", re.IGNORECASE)
BLOCK_TAG = late_pattern(rf"</?(?:{BLOCK}){ATTRIBUTES}", re.IGNORECASE)
# Browsers show nothing of what stands between these.
UNSEEN = (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"), ("<![cdata[", "]]>"))

COMMENT_OR_FENCE = late_pattern(
    r"(?P<fenced>^[ \t>]{0,12}(`{3,}+|~{3,}+)[^\n`]*\n.*?(?:^[ \t>]{0,12}\2|\Z))|<!--.*?(?:-->|\Z)", re.M | re.S
)
HIDING = (
    r"\shidden(?=[\s=/>])|display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}0(?![.\d])"
)
HIDES = late_pattern(HIDING, re.I)
HIDDEN_OR_CODE = late_pattern(
    rf"(?:^[ \t>]{{0,12}}(`{{3,}}+|~{{3,}}+)[^\n`]*\n.*?(?:^[ \t>]{{0,12}}\1|\Z))|`[^`\n]{{1,500}}`"
    rf"|<(?P<tag>{INLINE}|{BLOCK})(?=\s)(?=[^<>]{{0,500}}?(?:{HIDING}))[^<>]{{0,1000}}>",
    re.I | re.M | re.S,
)
LONG_NUMBER = late_pattern(r"&#([0-9]{8,})")
CONTROLS = late_pattern(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
PLAIN_ASCII = bytes([*range(0x09, 0x0E), *range(0x1C, 0x7F)])
# Joiners between ASCII characters or blanks have no use but to hide or split words.
STRAY_JOINERS = late_pattern("(?<![^\x00-\x7f\\s])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f\\s\u200c\u200d])")
# One variation selector is legitimate; a run of them can carry hidden data.
SELECTOR_RUNS = late_pattern("([\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")


PRINTABLE_MARKS = late_pattern("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def strip_markup(html_fragment: str) -> str:
    """One line of readable text."""
    text = _without_invisible_spans(html_fragment) if "<" in html_fragment else html_fragment
    if "<" in text:
        text = INLINE_TAG.sub("", BLOCK_TAG.sub(" ", text))
    if "&" in text:
        from html import unescape

        text = unescape(LONG_NUMBER.sub(_shorten_number, text))
    return one_line(text)


def single_spaced(text: str) -> str:
    """The text with single blanks between its words; most texts have them, which is far faster to see than to do."""
    return text.strip() if "  " not in text and text.isprintable() else " ".join(text.split())


def one_line(text: str) -> str:
    """Text that was never markup, or is no longer, on one line and without invisible characters."""
    if "  " not in text and text.isprintable() and (text.isascii() or not PRINTABLE_MARKS.search(text)):
        return text.strip()  # as most titles and snippets are
    return " ".join(strip_invisible(text).split())


def strip_invisible(text: str) -> str:
    """Without control, zero-width and direction characters and lone surrogates.

    Joiners stay between letters of the scripts that are written with them, and in emoji.
    """
    unusual = without_ascii(text, PLAIN_ASCII)
    if unusual.isprintable() and not PRINTABLE_MARKS.search(unusual):  # the other marks count as not printable
        return text
    return SELECTOR_RUNS.sub(r"\1", STRAY_JOINERS.sub("", CONTROLS.sub("", text)))


def without_ascii(text: str, characters: bytes) -> str:
    """The text without these characters of ASCII, at the speed of copying: of most texts little is left to look at."""
    return text.encode("utf-8", "surrogatepass").translate(None, characters).decode("utf-8", "surrogatepass")


def as_rendered(markdown: str) -> str:
    """Markdown as a reader sees it rendered: visible characters, no hidden elements, and no comments but those in
    code samples."""
    text = _without_hidden(strip_invisible(markdown))
    end = text.rfind("-->") + 3
    return COMMENT_OR_FENCE.sub(lambda match: match["fenced"] or "", text[:end]) + text[end:] if end > 2 else text


def _without_hidden(text: str) -> str:
    """Elements of HTML in markdown that say of themselves that they are hidden, up to the next end of their kind."""
    if not HIDES.search(text):
        return text
    kept, position, unclosed = [], 0, set()
    for match in HIDDEN_OR_CODE.finditer(text):
        tag = (match["tag"] or "").lower()
        if not tag or tag in unclosed or match.start() < position:
            continue
        if closing := re.compile(rf"</{tag}\s{{0,20}}>", re.I).search(text, match.end()):
            kept.append(text[position : match.start()])
            position = closing.end()
        else:
            unclosed.add(tag)
    return "".join([*kept, text[position:]])


def _shorten_number(match: re.Match[str]) -> str:
    """A number of thousands of digits would make the decoder raise; beyond seven it names no character anyway."""
    return f"&#{match[1].lstrip('0')[:8] or '0'}"


def _without_invisible_spans(text: str) -> str:
    for opening, closing in UNSEEN:
        text = _without_spans(text, opening, closing)
    return text


def _without_spans(text: str, opening: str, closing: str) -> str:
    # A few letters change their number in lower case, which would shift every position.
    lowered = text.lower() if len(text.lower()) == len(text) else text
    kept, position = [], 0
    while (start := lowered.find(opening, position)) >= 0:
        end = lowered.find(closing, start)
        if end < 0:
            break
        kept.append(text[position:start])
        position = end + len(closing)
    return " ".join([*kept, text[position:]]) if kept else text[position:]
