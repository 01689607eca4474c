"""What kind of citation a text is: an identifier, an address, a decision of a court, or a reference in free text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.parse.references import parse_reference
from wellsourced.citations.reference import Reference
from wellsourced.errors import BadInput
from wellsourced.evidence.host_types import source_type_of
from wellsourced.text.identifiers import (
    address_of_number,
    doi_from_url,
    doi_url,
    find_all_isbns,
    find_arxiv_id,
    find_pmcid,
    find_pmid,
    is_isbn,
    normalise_doi,
)
from wellsourced.text.urls import host_of
from wellsourced.upstreams.types.paper import PaperId

CitationKind: TypeAlias = Literal["doi", "url", "arxiv", "pmid", "pmcid", "isbn", "case", "reference"]

ADDRESS = re.compile(r"https?://\S{1,4000}", re.IGNORECASE)
IN_FIELD = re.compile(r"(https?://[^<>\"{}\\]{1,4000}?)(?:[;,]? (?=https?://|[(\[])|[<>\"{}\\]|\Z)", re.IGNORECASE)
WITHOUT_SCHEME = re.compile(r"www\.[^\s/.]{1,63}\.[^\s]{2,2000}", re.IGNORECASE)
# One entry out of a reference manager, in place of a reference in words.
PASTED = re.compile(r"@\w{2,30}\s{0,5}[{(]|TY\s{1,3}-\s|[{\[]\s{0,20}[{\"]")

# Hosts whose paths are DOIs and nothing else.
RESOLVERS = ("doi.org", "dx.doi.org", "www.doi.org")
NAMED_ISBN = re.compile(r"\bisbn(?:[- ]?1[03])?\s{0,3}:?\s{0,3}((?:[0-9][ -]?){9,12}[0-9Xx])(?![0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCitation:
    """`free_text` says that the reference was read out of running text; `work` names one work exactly."""

    kind: CitationKind
    reference: Reference
    work: PaperId | None = None
    url: str | None = None
    free_text: bool = True
    broken_isbn: str | None = None


def parse_citation(text: str) -> ParsedCitation:
    text = text.strip()
    if not any(character.isalnum() for character in text):
        raise BadInput(
            "The citation is empty; give a DOI, an address, or a reference such as “Doe, J. (2020). Title. Journal”."
        )
    if ADDRESS.fullmatch(text):
        return _address(text)
    # People paste the entry of a reference manager where a reference is asked for.
    if PASTED.match(text) and (pasted := read_bibliography(text).entries):
        return citation_from_reference(pasted[0])
    reference = parse_reference(text)
    return citation_from_reference(replace(reference, url=reference.url or address_of_number(text)), free_text=True)


def citation_from_reference(reference: Reference, *, free_text: bool = False) -> ParsedCitation:
    """By the most exact thing that the reference says."""
    reference = replace(reference, url=first_address(reference.url or "") or reference.url)
    work = paper_id_of(reference)
    url = reference.url if reference.url and not is_doi_resolver(reference.url) else None
    return ParsedCitation(
        kind=_kind(reference, work, url), reference=reference, work=work, url=url, free_text=free_text,
        broken_isbn=_broken_isbn(f"ISBN {reference.isbn}" if reference.isbn else reference.raw or ""),
    )  # fmt: skip


def paper_id_of(reference: Reference) -> PaperId | None:
    doi = normalise_doi(reference.doi or "") or _doi_in(reference.url or "")
    if doi:
        return PaperId("doi", doi)
    if reference.arxiv and (arxiv := find_arxiv_id(reference.arxiv)):
        return PaperId("arxiv", arxiv)
    if reference.pmid and reference.pmid.strip().isdecimal():
        return PaperId("pmid", reference.pmid.strip())
    if central := find_pmcid(
        reference.extra.get("PMCID", "") or (reference.raw or "" if reference.is_from_text else "")
    ):
        return PaperId("pmcid", central)
    return None


def first_address(field: str) -> str | None:
    """The first address of a field, where people also put brackets, a second address, or when they looked; a name
    without `https://` is completed, and a bare DOI becomes its address."""
    field = " ".join(field.split())
    if (match := IN_FIELD.search(field)) is not None:
        return match[1].rstrip(",;")
    if (doi := normalise_doi(field)) and " " not in field.strip():
        return doi_url(doi)
    return f"https://{field.strip()}" if WITHOUT_SCHEME.fullmatch(field.strip()) else None


def is_doi_resolver(url: str) -> bool:
    return host_of(url) in RESOLVERS


def _doi_in(url: str) -> str:
    """The DOI that an address names, where the host is one that names works so."""
    is_trusted = bool(url) and (is_doi_resolver(url) or source_type_of(url) == "peer_reviewed")
    return doi_from_url(url) or "" if is_trusted else ""


def _kind(reference: Reference, work: PaperId | None, url: str | None) -> CitationKind:
    if work:
        return work.scheme
    if reference.type == "legal_case":
        return "case"
    if reference.isbn:
        return "isbn"
    return "url" if url and not reference.title else "reference"


def _address(url: str) -> ParsedCitation:
    """An address of the DOI system is a DOI; others are addresses, and may name a work besides."""
    reference = Reference(type="webpage", url=url, raw=url)
    if is_doi_resolver(url) and (doi := doi_from_url(url)):
        return ParsedCitation(kind="doi", reference=replace(reference, doi=doi), work=PaperId("doi", doi))
    number = find_pmid(url)
    arxiv = find_arxiv_id(url) if "arxiv.org" in host_of(url) else None
    # The address stays an address, with its link checked; the paper it names is checked as well.
    named = PaperId("arxiv", arxiv) if arxiv else PaperId("pmid", number) if number else None
    return ParsedCitation(kind="url", reference=reference, work=named, url=url)


def _broken_isbn(text: str) -> str | None:
    """A number that is called an ISBN and cannot be one: its check digit is wrong."""
    match = NAMED_ISBN.search(text[:4000])
    digits = re.sub(r"[ -]", "", match[1]).upper() if match else ""
    return match[1] if match and not is_isbn(digits) and not find_all_isbns(text) else None
