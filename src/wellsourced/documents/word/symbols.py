"""Characters of the symbol fonts, which park them in the private-use area from U+F020 on.

Symbol: the encoding of the PostScript font of that name (ISO 32000-1, annex D.5). Wingdings: the signs met in lists
and forms.
"""

from __future__ import annotations

PRIVATE = 0xF000
SYMBOL = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥",
    **dict(enumerate("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", 0x41)),
    **dict(enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ", 0x61)),
    **dict(enumerate("ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…", 0xA1)),
    **dict(enumerate("ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑", 0xC0)),
    0xF1: "〉", 0xF2: "∫",
}  # fmt: skip
WINGDINGS = {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x75: "◆", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "□",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
FONTS = {"symbol": SYMBOL, "wingdings": WINGDINGS}


def symbol(font: str, code: str) -> str:
    """The character behind a hexadecimal code of a font; nothing where the font's own signs are not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if PRIVATE <= number <= PRIVATE + 0xFF:
        number -= PRIVATE
        known = FONTS.get(font.strip().lower(), {0xB7: "•"} | WINGDINGS)
        return known.get(number, chr(number) if known is SYMBOL and 0x20 <= number < 0x7F else "")
    return chr(number) if 0 < number < 0xD800 else ""
