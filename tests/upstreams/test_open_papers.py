"""Databases of papers that need no key: requests, recorded answers, and each kind of failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply, Steps
from wellsourced.upstream import Access
from wellsourced.upstreams import (
    biorxiv,
    core,
    datacite,
    doaj,
    doi_org,
    europepmc,
    hal,
    openaire,
    opencitations,
    zenodo,
)
from wellsourced.upstreams.types.paper import EdgeQuery, Paper, PaperId, PaperQuery

ACCESS = Access({})
OWLS = PaperQuery(text='owls: "night birds" -toys AND', count=50, year_from=2019, year_to=2024, sort_by="date")
MODULES: dict[str, Any] = {
    "core": core, "datacite": datacite, "doaj": doaj, "europepmc": europepmc, "hal": hal, "openaire": openaire,
    "zenodo": zenodo,
}  # fmt: skip
EMPTY: dict[str, Any] = {
    "core": {"totalHits": 0, "results": []},
    "datacite": {"data": [], "meta": {"total": 0}},
    "doaj": {"total": 0, "results": []},
    "europepmc": {"hitCount": 0, "resultList": {"result": []}},
    "hal": {"response": {"numFound": 0, "docs": []}},
    "openaire": {"header": {"numFound": 0}, "results": []},
    "zenodo": {"hits": {"hits": [], "total": 0}},
}
# What goes out for the question above: where, in which parameter, and what of it.
SENT = {
    "core": ("q", 'owls "night birds" NOT "toys" AND yearPublished>=2019 AND yearPublished<=2024'),
    "datacite": ("query", 'owls "night birds" NOT "toys" AND publicationYear:[2019 TO 2024]'),
    "doaj": (None, "owls%20%22night%20birds%22%20NOT%20%22toys%22%20AND%20bibjson.year%3A%5B2019%20TO%202024%5D"),
    "europepmc": ("query", '(owls "night birds" NOT "toys") AND PUB_YEAR:[2019 TO 2024]'),
    "hal": ("fq", "publicationDateY_i:[2019 TO 2024]"),
    "openaire": ("fromPublicationDate", "2019-01-01"),
    "zenodo": ("q", 'owls "night birds" NOT "toys" AND publication_date:[2019-01-01 TO 2024-12-31]'),
}
# File, how many works, whether there are more, and of the first: the title's start, year, DOI, first author.
READ = [
    ("europepmc/search-core-attention", 3, True, "Object tracking", 2026, "10.1038/s41598-026-43147-x", "Qiaoling Liu"),
    ("europepmc/search-lite-cancer", 25, True, "Abscopal", 2025, "10.1016/s0140-6736(24)02600-x", "Schoenfeld JD"),
    ("europepmc/search-core-cancer", 6, True, "Abs", 2025, "10.1016/s0140-6736(24)02600-x", "Jonathan D Schoenfeld"),
    ("europepmc/search-lite-size5-next-cursor", 5, True, "A", 2025, "10.1016/s0140-6736(24)02600-x", "Schoenfeld JD"),
    ("europepmc/search-not-retracted-filter", 1, False, "A novel", 2012, "10.1186/1471-2350-13-55", "Torrezan GT"),
    ("doaj/v4-search-articles-attention", 3, True, "Exploring", 2021, "10.3389/fpsyg.2021.700180", "Yongzhong Yang"),
    (
        "doaj/v2-search-articles-license-page1-size2",
        2,
        True,
        "Brain",
        2020,
        "10.1038/s41467-020-15686-y",
        "Stephanie K",
    ),
    ("hal/search-attention", 3, True, "Attention Mechanism, Transformers", 2020, None, "Benyamin Ghojogh"),
    ("zenodo/records-search-attention", 3, True, "News Recomm", 2024, "10.5281/zenodo.10635481", "Tianrui Liu"),
    ("zenodo/records-search-by-doi", 1, False, "CLDF Dataset", 2021, "10.5281/zenodo.5173799", "Simon J. Greenhill"),
    ("zenodo/records-search-keyword-2023", 10, True, "Phlorest", 2023, "10.5281/zenodo.8250015", "Will Chang"),
    ("core/v3-search-works", 1, True, "Speech Emotion", 2019, "10.1109/icassp.2019.8683483", "Seokhyun Byun"),
    ("openaire/graph-researchProducts-page1", 5, True, "Open Sharing", 2020, "10.1089/crispr.2020.0030", "Jennifer Ts"),
]


@pytest.mark.parametrize("name", SENT)
def test_years_and_unwanted_words_are_sent_and_signs_that_break_a_query_are_not(name: str) -> None:
    request = first_request(MODULES[name].papers(OWLS, ACCESS))
    parameter, value = SENT[name]
    assert (request.path if parameter is None else dict(request.params)[parameter]).endswith(value)
    with pytest.raises(errors.BadInput) if name != "openaire" else pytest.MonkeyPatch.context():
        first_request(MODULES[name].papers(PaperQuery(text="?! *"), ACCESS))


@pytest.mark.parametrize("row", READ, ids=[row[0] for row in READ])
def test_recorded_answers(shared: Path, row: tuple[Any, ...]) -> None:
    file, count, more, title, year, doi, author = row
    steps = MODULES[file.partition("/")[0]].papers(PaperQuery(text="x", count=50), ACCESS)
    _, found = converse(steps, recorded(shared, f"more/{file}.json"))
    first = found.items[0]
    assert (len(found.items), found.more_available, first.year, first.doi) == (count, more, year, doi)
    assert first.title.startswith(title) and first.authors[0].startswith(author)
    assert all(paper.title and paper.url.startswith("http") for paper in found.items)


def test_records_by_their_identifier(shared: Path) -> None:
    def record(steps: Steps[Paper], file: str) -> Paper:
        return converse(steps, recorded(shared, f"more/{file}"))[1]

    named = PaperId("doi", "10.5061/DRYAD.8515")
    dryad = record(datacite.record(named, ACCESS), "datacite/doi-dryad-include-client-media.json")
    assert (dryad.title, dryad.date, dryad.type, dryad.publisher, dryad.author_names[0].family) == (
        "Data from: A new malaria agent in African hominids.", "2011-02-01", "dataset", "Dryad", "Ollomo",
    )  # fmt: skip
    brct = record(europepmc.record(PaperId("pmid", "20516115"), ACCESS), "europepmc/search-by-pmid-core.json")
    assert (brct.doi, brct.ids.pmcid, brct.pages) == ("10.1158/0008-5472.can-09-4563", "PMC3040717", "4880-4890")
    by_search = recorded(shared, "more/zenodo/records-search-by-doi.json")
    _, uto = converse(zenodo.record(PaperId("doi", "10.5281/zenodo.5173799"), ACCESS), reply("", 404), by_search)
    assert (uto.year, uto.type) == (2021, "dataset")
    version = record(zenodo.record(PaperId("doi", "10.5281/zenodo.5244404"), ACCESS), "zenodo/record-5244404.json")
    assert version.title == "The Origins of SARS-CoV-2: A Critical Review"
    preprints = biorxiv.parse_collection(recorded(shared, "more/biorxiv/details-biorxiv-2024.json"))
    assert len(preprints) == 100
    assert all(paper.doi and paper.type == "preprint" and paper.author_names for paper in preprints)
    preprint = record(biorxiv.record(PaperId("doi", "10.1101/029900"), ACCESS), "biorxiv/details-biorxiv-2024.json")
    assert (preprint.date, preprint.author_names[0].family, preprint.journal) == ("2024-12-16", "Wright", "bioRxiv")
    agency = recorded(shared, "more/datacite/ra-lookup-doi-org.json")
    _, registered = converse(doi_org.registration("10.5061/dryad.8515", ACCESS), reply({"responseCode": 1}), agency)
    assert registered.agency == "DataCite"
    with pytest.raises(errors.NotFound):
        record(europepmc.record(PaperId("pmid", "1"), ACCESS), "europepmc/search-by-pmid-core.json")
    with pytest.raises(errors.NotFound):
        converse(datacite.record(PaperId("doi", "10.1000/x"), ACCESS), reply({"errors": [{"status": "404"}]}, 404))


def test_citations(shared: Path) -> None:
    links = {
        path: recorded(shared, f"more/opencitations/coci-v1-{path}-of-doi.json") for path in ("citations", "references")
    }
    metadata = recorded(shared, "more/opencitations/coci-v1-metadata-two-dois.json")
    query = EdgeQuery(seed="https://doi.org/10.1108/JD-12-2013-0166", count=3)
    requests, edges = converse(opencitations.citations(query, ACCESS), *links.values(), metadata)
    assert requests[0].path == "/index/v2/citations/doi:10.1108/jd-12-2013-0166"
    assert edges.seed.title == "Setting Our Bibliographic References Free: Towards Open Citation Data"
    assert [paper.doi for paper in edges.cited_by or ()][:2] == ["10.3233/ds-190019", "10.3233/ds-190016"]
    assert (edges.counts.cited_by, edges.counts.references, len(edges.references or ())) == (20, 37, 3)
    assert "lower bounds" in edges.notes[0]
    newer = [{"citing": "omid:br/1 doi:10.1000/a pmid:3", "cited": "omid:br/2", "creation": "2020"}]
    assert opencitations.parse_links(reply(newer), "citing") == ["10.1000/a"]
    assert opencitations.parse_links(reply(newer), "cited") == []
    with pytest.raises(errors.NotFound, match="not by title"):
        converse(opencitations.citations(EdgeQuery(seed="Some title"), ACCESS))
    with pytest.raises(errors.UpstreamChanged):
        opencitations.parse_links(reply({"error": "x"}), "citing")


# Answers to other questions, and forms that are no longer served: not understood, never an empty list.
OTHERS = [
    ("europepmc", "supplementary-not-open-access.xml"),
    ("doaj", "v2-search-journals-heritage.json"), ("doaj", "v2-article-by-id.json"), ("doaj", "v2-journal-by-id.json"),
    ("zenodo", "record-5244404.json"), ("zenodo", "community.json"),
]  # fmt: skip


def test_older_forms_say_the_same(shared: Path) -> None:
    def papers(name: str, file: str) -> tuple[Paper, ...]:
        query = PaperQuery(text="x", count=50)
        found: tuple[Paper, ...] = converse(
            MODULES[name].papers(query, ACCESS), recorded(shared, f"more/{name}/{file}")
        )[1].items
        return found

    assert papers("europepmc", "search-lite-cancer.xml") == papers("europepmc", "search-lite-cancer.json")
    kit = papers("openaire", "legacy-search-publications-doi.json")[0]
    assert (kit.title, kit.doi, kit.authors, kit.date, kit.type, kit.open_access, kit.publisher) == (
        "CCG Starter Data Kit: Liberia", "10.5281/zenodo.4650794", ("Lucy Allington",), "2023-01-16", "dataset",
        True, "Zenodo",
    )  # fmt: skip
    ecology = papers("core", "v2-search-ecology.json")
    assert (len(ecology), ecology[0].title, ecology[0].date) == (10, "Dispatch", "2015-08-22")
    assert ecology[0].authors == ("Rquantitative Ecology Terrestrial", "Fisheries Ecology")
    assert papers("core", "v2-search-no-results.json") == ()


@pytest.mark.parametrize(("name", "file"), OTHERS)
def test_answers_to_other_questions_are_not_taken_for_ours(shared: Path, name: str, file: str) -> None:
    with pytest.raises((errors.UpstreamChanged, KeyError)):
        converse(MODULES[name].papers(PaperQuery(text="x"), ACCESS), recorded(shared, f"more/{name}/{file}"))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_found_is_no_failure(name: str) -> None:
    query = PaperQuery(text="owls", source="nature", open_access=True)
    _, found = converse(MODULES[name].papers(query, ACCESS), reply(EMPTY[name]))
    assert found.items == () and not found.more_available
    assert "source" in found.not_applied


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("", 403), errors.Blocked),
        (reply({"message": "go away"}, 403), errors.Blocked),
        (reply({"message": "slow down"}, 429, retry_after="3"), errors.RateLimited),
        (reply("", 503), errors.UpstreamUnavailable),
        (reply({"message": "bad query"}, 400), errors.UpstreamUnavailable),
        (reply("<html>", 200), errors.UpstreamChanged),
        (reply([]), errors.UpstreamChanged),
    ],
)
def test_each_failure_has_its_kind(name: str, failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(MODULES[name].papers(PaperQuery(text="owls"), ACCESS), failure)
    assert type(caught.value) is kind


@pytest.mark.parametrize("name", MODULES)
def test_an_answer_that_announces_works_and_holds_none_is_no_answer(name: str) -> None:
    lying = {
        "core": {"totalHits": 3, "results": []},
        "datacite": {"data": [], "meta": {"total": 3}},
        "doaj": {"total": 3, "results": []},
        "europepmc": {"hitCount": 3, "resultList": {"result": []}},
        "hal": {"response": {"numFound": 3, "docs": []}},
        "openaire": {"header": {"numFound": 3}, "results": []},
        "zenodo": {"hits": {"hits": [], "total": 3}},
    }
    with pytest.raises(errors.UpstreamChanged):
        converse(MODULES[name].papers(PaperQuery(text="owls"), ACCESS), reply(lying[name]))
