"""What a citation needs is kept with a source, whichever version wrote the session."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wellsourced.citations.webpage_citation import reference_from_source
from wellsourced.sessions.session_json import source_from, source_json
from wellsourced.tool.sources import FoundSource, WorkDetails

texts = st.none() | st.text(min_size=1, max_size=20)
details = st.builds(WorkDetails, **dict.fromkeys(WorkDetails.__slots__, texts))


@given(details)
def test_details_are_read_back_as_they_were_written(work: WorkDetails) -> None:
    source = FoundSource(url="https://a.example/", title="T", work=work)
    assert source_from(source_json(source)) == source


def test_a_session_of_an_earlier_or_a_later_version_opens() -> None:
    assert source_from({"url": "https://a.example/"}).work == WorkDetails()
    later = source_from({"url": "https://a.example/", "work": {"volume": "7", "not yet known": "x"}})
    assert later.work == WorkDetails(volume="7")


def test_a_case_is_cited_by_its_reporter() -> None:
    work = WorkDetails(kind="legal_case", court="Supreme Court of the United States", reporter="401 U.S. 999")
    found = reference_from_source(FoundSource(url="https://c.example/", title="Ferry v. Harbor Board", work=work))
    assert (found.type, found.volume, found.container, found.pages) == ("legal_case", "401", "U.S.", "999")
    assert found.extra["authority"] == work.court
