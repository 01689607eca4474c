"""Kinds of works that say themselves what they are: standards and patents by their number, data and programs by a mark.

What says so is taken out of the reference before its words are labelled, since it looks like a volume or a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

BODIES = (
    r"(?:ISO|IEC|IEEE|ANSI|DIN|BSI?|EN|NF|UNE|UNI|[ÖO]NORM|SN|ASTM|ASME|SAE|UL|JIS|AS/NZS|CSA|NFPA|"
    r"ITU-T|ETSI|NIST|FIPS|(?:STD [0-9]{1,3}, )?RFC|GB/T|GB|ГОСТ(?: Р)?|GOST(?: R)?)"
)
# `ISO/IEC 27001:2022`, `DIN EN ISO 9001:2015-11`, `IEEE Std 754-2019`, `NIST SP 800-53 Rev. 5`, `ASTM D638-14`.
STANDARD = re.compile(
    rf"[(\[]?(?<![\w-])(?P<number>{BODIES}(?:[ /-](?:{BODIES}|Std\.?|SP|TS|TR|PUB|NISTIR))*"
    r"[ -]?(?:[A-Z]{0,3}\.?[0-9](?:[0-9.]{0,12}[0-9])?(?:[-–/][0-9]{1,6}){0,3})"
    r"(?::(?P<year>(?:19|20)[0-9]{2})(?:-[0-9]{2})?)?"
    r"(?:\s(?:Rev|Ed|Amd)\.?\s?[0-9]{1,2})?)[)\]]?"
)
PATENT = re.compile(
    r"[(\[]?\b(?P<number>(?:U\.?S\.?|EP|WO|GB|DE|JP|CN|European|German)\s(?:Patent|Pat\.)"
    r"(?:\sApplication|\sAppl\.)?(?:\sNos?\.?)?\s?[0-9][0-9,./ ]{4,14}[0-9](?:\s?[A-C][0-9]?)?)\b[)\]]?"
)
# Laws name themselves by code and section, number or year, and stand in no catalogue of papers.
LAW = re.compile(
    r"\A(?:(?:title )?[0-9]{1,3}\s?(?:U\.\s?S\.\s?C|USC|C\.\s?F\.\s?R|CFR)\b|(?:U\.\s?S\.|[A-Z][a-z.]{1,12}) Const\.|"
    r"Pub(?:lic|\.) L(?:aw|\.) |§{1,2}\s?[0-9]|"
    r"Art(?:icle|ikel|\.) [0-9]{1,4}[a-z]? .{0,40}(?:GG|BGB|StGB|GDPR|DSGVO)\b|"
    r"(?:(?:Council|Commission|Implementing|Delegated) ){0,2}"
    r"(?:Directive|Regulation|Decision|Richtlinie|Verordnung|Directiva|Règlement) "
    r"(?:\((?:EU|EC|EEC|EG|UE|CE)\) )?(?:No\.? |Nr\. )?[0-9]{2,4}/[0-9]{1,4}\b|"
    r"[A-Z][^.“\"]{3,120} (?:Act|Code|Ordinance|Regulations|Rules|Order) (?:of )?(?:1[2-9]|20)[0-9]{2}\b"
    r"(?=\W{0,3}\Z|,? \(?(?:s|ss|c|ch|cl|sch|arts?|reg|pt|UK|Cth|NSW|Vic)\b)|"
    r"Федеральный закон|Loi n|Ley [0-9]|Legge [0-9])"
)
MARKS = (
    ("dataset", re.compile(r"\s?[\[(](?:data ?sets?|jeu de données|datensatz)[^\])]{0,30}[\])]", re.IGNORECASE)),
    ("software", re.compile(r"(?i)\s?[\[(](?:(?:computer )?software|computer program|source code)[^\])]{0,20}[\])]")),
    ("report", re.compile(r"(?i)\s?\((?:(?:technical|research) )?report no\.?\s?(?P<number>[\w./-]{1,20})\)")),
    ("report", re.compile(
        r"\s?\((?P<number>Law Com(?: CP| DP)? No\.? ?[0-9]{1,4}),? ?(?P<year>(?:19|20)[0-9]{2})\)"
        r"(?:,? paras? [0-9.–-]{1,12})?")),
    ("thesis", re.compile(
        r"\s?[:.]\s(?:автореф(?:ерат|\.)\s)?дисс?\.\s?(?:…|\.{3})?\s?[^:/–—]{0,60}?наук\b"
        r"(?:\s?:\s?[0-9][0-9.]{4,12})?(?:\s?/\s?[^–—/]{3,60}?(?=\.\s))?")),
)  # fmt: skip
# The marks of GB/T 7714: `[J]`, `[M]`, `[EB/OL]`.
CHINESE_MARK = re.compile(r"\s?\[(?P<mark>EB|DB|CP|[JMDSCRPN])(?:/(?:OL|CD|MT|DK))?\]")
CHINESE_TYPES = {
    "J": "article-journal", "M": "book", "D": "thesis", "S": "standard", "C": "paper-conference", "R": "report",
    "P": "patent", "N": "article-newspaper", "EB": "webpage", "DB": "dataset", "CP": "software",
}  # fmt: skip
VERSION = re.compile(r"\s?[(\[](?:version|ver\.|v)\s?(?P<version>[0-9][\w.-]{0,15})[)\]]", re.IGNORECASE)
REPORT = re.compile(
    r"\b(?:(?:technical|research|policy) (?:report|paper)|(?:working|discussion) paper|tech\. ?rep|white paper)\b",
    re.IGNORECASE,
)
# Where a number may stand in an article about the standard, it does not make it one.
SENTENCE = re.compile(r"(?P<title>.{3,300}?)(?:[.,;]?\s\(?[12][0-9]{3}\)?\.?\s*\Z|\.\s|\.?\s*\Z)")


@dataclass(frozen=True, slots=True)
class Kind:
    """`text` is the reference without what said its kind; `type` is None where nothing did."""

    text: str
    type: str | None = None
    year: int | None = None
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str | None:
        """What stands first in a reference that has no authors."""
        match = SENTENCE.match(self.text)
        return match["title"].strip(" .,:–—-") or None if match else None


def find_kind(text: str) -> Kind:
    if LAW.match(text):
        return Kind(text, "legislation")
    if (match := CHINESE_MARK.search(text)) is not None:
        return Kind(f"{text[: match.start()]}[{match['mark']}]{text[match.end() :]}", CHINESE_TYPES[match["mark"]])
    for kind, mark in MARKS:
        if (match := mark.search(text)) is not None:
            version = VERSION.search(text)
            named = match.groupdict()
            year = int(named.pop("year", "") or "0") or None
            extra = {name: value for name, value in named.items() if value}
            extra |= {"version": version["version"]} if version else {}
            rest = mark.sub(f" ({year})" if year else "", text)
            return Kind(VERSION.sub("", rest), kind, year, extra)
    for kind, number in (("patent", PATENT), ("standard", STANDARD)):
        if (match := number.search(text)) is not None and _is_set_apart(text, match):
            said = match.groupdict().get("year")
            rest = f"{text[: match.start()].rstrip(' ,;')}{text[match.end() :]}".strip(" ,;:.–—-")
            return Kind(" ".join(rest.split()), kind, int(said) if said else None, {"number": match["number"]})
    return Kind(text)


def _is_set_apart(text: str, match: re.Match[str]) -> bool:
    """Between marks, not in the middle of a title: `Implementing ISO 9001 in small firms` is about a standard."""
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    opens = match[0][0] in "([" and match[0][-1] in ")]"
    return opens or ((not before or before[-1] in '.,;:”"’—–') and (not after or after[0] in ".,;:–—-("))
