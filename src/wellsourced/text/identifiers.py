"""Identifiers of scholarly works: found in text and addresses, and brought to one form.

A DOI is `10.` + registrant + `/` + nearly anything, so where it ends in running text is a matter of judgement: at a
blank, a quotation mark, a comma, a closing bracket that was not opened inside it, or markup. The angle brackets of
old SICI DOIs (`…43:4<613::AID-JBM2>3.0.CO;2-K`) are kept. DOIs are compared in lower case. Every pattern is linear.
"""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from wellsourced.errors import BadInput
from wellsourced.late_pattern import late_pattern

LONGEST_TEXT = 200_000  # characters that are searched; identifiers stand near the beginning
LONGEST_DOI = 300
PREFIX = r"10\.[1-9][0-9]{3,8}(?:\.[0-9]{1,9}){0,3}"
SLASH = r"(?:/|%2[Ff])"
FREE_START = r"(?:(?<![0-9A-Za-z.\-])|(?<=[Dd][Oo][Ii])|(?<=%2[Ff])|(?<=%3[Aa])|(?<=%3[Dd]))"
IN_TEXT = late_pattern(
    rf"{FREE_START}{PREFIX}{SLASH}(?:[0-9A-Za-z\u00c0-\u024f._;()/:<>\[\]+*~=@$!\\-]|%[0-9A-Fa-f]{{2}}){{1,{LONGEST_DOI}}}"
)
WHOLE = late_pattern(rf"{PREFIX}/\S{{1,{LONGEST_DOI}}}")
LEAD = late_pattern(
    r"(?:https?://)?(?:www\.|dx\.)?doi\.org/+|(?:info|urn):doi[:/]|doi\s{0,9}[:=]\s{0,9}|doi\s{1,9}", re.IGNORECASE
)
SICI = late_pattern(r"<[0-9A-Za-z:._-]{1,60}>[0-9]")
BRACKETS = {")": "(", "]": "[", ">": "<"}
TRAILING = ".,;:!?*'\"/\\…。、，；"
VIEWER = late_pattern(
    r"/(?:full|abstract|pdf|epdf|html|meta|references|full-text|fulltext|supplementary|figures|xml|pdfdirect|reader"
    r"|tables|metrics|citations)$"
)
EXTENSION = late_pattern(r"(?:v[0-9]{1,2})?(?:\.full(?:-text)?|\.abstract)?(?:\.pdf(?:\+html)?|\.html?|\.xml)?$")
# Preprint servers whose addresses carry the version behind the DOI, which is not part of it.
VERSIONED_HOSTS = ("biorxiv.org", "medrxiv.org")
# Names under which publishers pass a DOI in the query of an address.
URL_PARAMETERS = ("doi", "id", "article_doi", "rft_id", "uri")
SAFE_IN_PATH = "/:;().,-_~!$&'*+=@"

NEW_ARXIV = r"(?:0[7-9]|[1-9][0-9])(?:0[1-9]|1[0-2])\.[0-9]{4,5}"
ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga"
    "|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph"
    "|q-alg|q-bio|q-fin|quant-ph|solv-int|stat|supr-con"
)
OLD_ARXIV = rf"(?:{ARCHIVES})(?:\.[A-Za-z-]{{2,8}})?/[0-9]{{2}}(?:0[1-9]|1[0-2])[0-9]{{3}}"
ARXIV = rf"((?:{NEW_ARXIV}|{OLD_ARXIV})(?:v[1-9][0-9]?)?)(?![0-9/])"
NAMED_ARXIV = late_pattern(
    rf"(?:\barxiv\s{{0,3}}:\s{{0,3}}|\barxiv\.org/(?:abs|pdf|html|format|e-print)/|\b10\.48550/arxiv\.|\barxiv\s){ARXIV}",
    re.IGNORECASE,
)
BARE_ARXIV = late_pattern(ARXIV)
PMID = late_pattern(
    r"(?:\bpmid\s{0,3}[:=]?\s{0,3}|\bpubmed\.ncbi\.nlm\.nih\.gov/|\bncbi\.nlm\.nih\.gov/pubmed/"
    r"|\bpubmed\s{0,2}(?:id)?\s{0,2}:\s{0,2})([1-9][0-9]{0,8})(?![0-9])",
    re.IGNORECASE,
)
ISBN = late_pattern(r"(?<![0-9A-Za-z-])(?:97[89][ -]?)?[0-9](?:[ -]?[0-9]){8}[ -]?[0-9Xx](?![0-9A-Za-z])")
PMCID = late_pattern(r"\b(?:PMCID:?\s?)?PMC([1-9][0-9]{2,9})\b")
HANDLE = late_pattern(r"\bhdl:\s?([0-9][0-9.]{1,30}/[^\s,;]{1,200})", re.IGNORECASE)
RFC = late_pattern(r"\bRFC[ -]?([1-9][0-9]{0,4})\b")
# An office and a number are one only beside the word, or with the letter that offices put behind the number.
PATENT = late_pattern(
    r"\b(?P<office>U\.?S\.?|EP|WO|DE|GB|JP|CN|KR)(?=[ .0-9])\.?\s?"
    r"(?:(?:Patent|Pat\.)\s?(?:No\.|Nr\.|Application\sNo\.)?\s?(?P<number>[0-9][0-9,/]{4,14})\s?(?P<kind>[A-Z][0-9]?\b)?)"
)
NUMBERED_PATENT = late_pattern(
    r"\b(?P<office>US|EP|WO|DE|GB|JP|CN|KR)\s?(?P<number>[0-9][0-9,/]{4,14})\s?(?P<kind>[ABCU][0-9]?)\b"
)
ISBN_WORD = late_pattern(r"isbn(?:[- ]?1[03])?\s{0,3}:?\s{0,3}$", re.IGNORECASE)


def find_doi(text: str) -> str | None:
    """The first DOI in running text, in normal form."""
    text = text[:LONGEST_TEXT]
    if "&" in text:
        text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&#60;", "<").replace("&#62;", ">")
    for match in IN_TEXT.finditer(text):
        doi = _cut_doi(_percent_decode(match[0]))
        if doi:
            return doi
    return None


def normalise_doi(doi: str) -> str:
    """A DOI as it was handed over, without prefix or decoration, in lower case; "" when it is none."""
    text = _percent_decode(html.unescape(doi[: LONGEST_DOI * 2]).strip().strip("\"'“”‘’<> "))
    for _ in range(3):  # prefixes are stacked, as in `https://doi.org/doi:10.…`
        text = text[match.end() :].strip() if (match := LEAD.match(text)) else text
    whole = WHOLE.match(text)
    return _cut_doi(whole[0]) if whole else ""


def doi_from_url(url: str) -> str | None:
    """The DOI that an address names: in its path, in a parameter, or by a rule of the publisher."""
    try:
        parts = urlsplit(url[:4000].strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = _percent_decode(parts.path)
    return _doi_in_path(host, path) or _doi_in_parameters(parts.query) or _doi_by_publisher_rule(host, path)


def find_arxiv_id(text: str) -> str | None:
    """An arXiv id (with its version, if written) named as one in the text, or standing alone."""
    text = text[:LONGEST_TEXT]
    match = NAMED_ARXIV.search(text) or BARE_ARXIV.fullmatch(text.strip())
    return match[1] if match else None


def without_arxiv_version(arxiv: str) -> str:
    """`1706.03762` of `1706.03762v7`."""
    return re.sub(r"v[0-9]{1,3}$", "", arxiv)


def find_pmid(text: str) -> str | None:
    """A PubMed id named as one; a bare number is not."""
    match = PMID.search(text[:LONGEST_TEXT])
    return match[1] if match else None


def find_pmcid(text: str) -> str | None:
    match = PMCID.search(text[:LONGEST_TEXT])
    return f"PMC{match[1]}" if match else None


def address_of_number(text: str) -> str | None:
    """Where a work is found that is named by a handle, or by the number of a patent or an RFC."""
    text = text[:LONGEST_TEXT]
    if (match := HANDLE.search(text)) is not None:
        return f"https://hdl.handle.net/{match[1].rstrip(TRAILING)}"
    if (match := PATENT.search(text) or NUMBERED_PATENT.search(text)) is not None:
        number = re.sub(r"[^0-9]", "", match["number"])
        return f"https://patents.google.com/patent/{match['office'].replace('.', '')}{number}{match['kind'] or ''}"
    match = RFC.search(text)
    return f"https://www.rfc-editor.org/rfc/rfc{int(match[1])}" if match else None


def find_isbn(text: str) -> str | None:
    """The first ISBN whose checksum is right, without hyphens. Ten bare digits need the word ISBN or hyphens."""
    text = text[:LONGEST_TEXT]
    for match in ISBN.finditer(text):
        digits = match[0].replace("-", "").replace(" ", "").upper()
        announced = ISBN_WORD.search(text[max(0, match.start() - 20) : match.start()])
        alone = match[0] == text.strip()
        if is_isbn(digits) and (len(digits) == 13 or announced or alone or match[0].count("-") == 3):
            return digits
    return None


def is_isbn(digits: str) -> bool:
    """Whether thirteen or ten characters are an ISBN with the right checksum."""
    if len(digits) == 13 and digits.isascii() and digits.isdigit():
        return digits.startswith(("978", "979")) and sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
    if len(digits) != 10 or not (digits.isascii() and digits[:9].isdigit() and digits[9] in "0123456789X"):
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - i) for i, value in enumerate(values)) % 11 == 0


def find_all_isbns(field: str) -> frozenset[str]:
    """Every ISBN in a field that holds nothing else of ten digits, each with thirteen."""
    match = (number[0].replace("-", "").replace(" ", "").upper() for number in ISBN.finditer(field[:1000]))
    return frozenset(_as_isbn_13(digits) for digits in match if is_isbn(digits))


def _as_isbn_13(number: str) -> str:
    if len(number) == 13:
        return number
    digits = f"978{number[:9]}"
    return f"{digits}{-sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10}"


def doi_url(doi: str) -> str:
    """The address at which a DOI resolves."""
    return f"https://doi.org/{quote(doi, safe=SAFE_IN_PATH)}"


def doi_path(doi: str) -> str:
    """A DOI for the path of a request. What is none, or would lead elsewhere in the path, is refused."""
    normal = normalise_doi(doi)
    if not normal or any(part in {"", ".", ".."} for part in normal.split("/")):
        raise BadInput(f"{doi[:80]!r} is not a DOI; one looks like 10.1038/nature12373.")
    return quote(normal, safe=SAFE_IN_PATH)


def _percent_decode(text: str) -> str:
    return unquote(text) if re.search(r"%[0-9A-Fa-f]{2}", text) else text


def _cut_doi(raw: str) -> str:
    """Cut where the DOI ends, in lower case; "" when nothing that identifies is left."""
    raw = raw.replace("\\_", "_").replace("\\-", "-")
    prefix, _, suffix = raw.partition("/")
    suffix = _cut_at_unbalanced_bracket(_without_markup(suffix.split("\\")[0])).rstrip(TRAILING)
    suffix = suffix.rstrip("([<").rstrip(TRAILING)
    has_letter_or_digit = any(character.isalnum() for character in suffix)
    return f"{prefix}/{suffix}".lower() if has_letter_or_digit else ""


def _without_markup(suffix: str) -> str:
    opening = suffix.find("<")
    while opening >= 0:
        sici = SICI.match(suffix, opening)
        if sici is None:
            return suffix[:opening]
        opening = suffix.find("<", sici.end())
    return suffix


def _cut_at_unbalanced_bracket(suffix: str) -> str:
    """Up to the first closing bracket that was not opened, and without an opening one that is never closed."""
    opened: list[tuple[str, int]] = []
    for position, character in enumerate(suffix):
        if character in BRACKETS.values():
            opened.append((character, position))
        elif character in BRACKETS:
            if not opened or opened[-1][0] != BRACKETS[character]:
                return suffix[: opened[0][1] if opened else position]
            opened.pop()
    return suffix[: opened[0][1]] if opened else suffix


def _doi_in_path(host: str, path: str) -> str | None:
    match = IN_TEXT.search(path)
    doi = _cut_doi(match[0]) if match else ""
    if not doi:
        return None
    if host in {"doi.org", "dx.doi.org"}:
        return doi
    return _without_viewer(doi, host)


def _without_viewer(doi: str, host: str) -> str:
    """The DOI without what publishers append to it in their addresses."""
    while (shorter := VIEWER.sub("", doi)) != doi and "/" in shorter:
        doi = shorter
    ending = EXTENSION.search(doi)
    marks = ending[0] if ending else ""
    _, dot, rest = marks.partition(".")
    doi = doi.removesuffix(marks if host.endswith(VERSIONED_HOSTS) else dot + rest)
    parts = doi.split("/")
    is_oxford_number = host.endswith("oup.com") and len(parts) > 3 and parts[-1].isdigit()
    return "/".join(parts[:-1]) if is_oxford_number else doi


def _doi_in_parameters(query: str) -> str | None:
    try:
        pairs = parse_qsl(query, max_num_fields=100)
    except ValueError:
        return None
    wanted = [value for name, value in pairs if name.lower() in URL_PARAMETERS]
    return next((doi for value in wanted if (doi := normalise_doi(value))), None)


def _doi_by_publisher_rule(host: str, path: str) -> str | None:
    if host.endswith("arxiv.org") and (match := find_arxiv_id(f"{host}{path}")):
        return f"10.48550/arxiv.{without_arxiv_version(match)}".lower()
    article = re.fullmatch(
        r"/articles/([a-z0-9][a-z0-9.-]{3,40})(?:/[a-z]{4,10}(?:/[0-9]{1,3})?)?/?", path.removesuffix(".pdf")
    )
    if host == "nature.com" and article:
        return f"10.1038/{article[1]}"
    return None
