"""Published dates: every form the engines write, and nothing guessed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.errors import BadInput
from wellsourced.text.dates import find_date, parse_moment, range_start
from wellsourced.text.moments import format_rfc3339

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)

WRITTEN = [
    ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
    ("2024-05-06T07:08:09.123456789+02:00", "2024-05-06T05:08:09Z"),
    ("2024-05-06T07:08:09.000Z", "2024-05-06T07:08:09Z"),
    ("2024-05-06t07:08-0330", "2024-05-06T10:38:00Z"),
    ("2024-05-06 07:08:09", "2024-05-06T07:08:09Z"),
    ("2024-05-06 07:08:09 +0000", "2024-05-06T07:08:09Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
    ("2024-05-06", "2024-05-06T00:00:00Z"),
    ("2024/5/6", "2024-05-06T00:00:00Z"),
    ("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z"),
    ("Mon, 06 May 2024 07:08:09 -0700", "2024-05-06T14:08:09Z"),
    ("06 May 2024 07:08 EST", "2024-05-06T12:08:00Z"),
    ("May 6, 2024", "2024-05-06T00:00:00Z"),
    ("Sept. 6 2024", "2024-09-06T00:00:00Z"),
    ("  December\u00a031st,  2024 ", "2024-12-31T00:00:00Z"),
    ("Monday, May 6, 2024 at 3:04 PM UTC", "2024-05-06T15:04:00Z"),
    ("Monday, May 6, 2024 at 1:04 PM UTC", "2024-05-06T13:04:00Z"),
    ("Monday, May 6, 2024 at 12:04 AM UTC", "2024-05-06T00:04:00Z"),
    ("05/06/2024, 12:30 AM, +0000 UTC", None),
    ("05/06/2024, 12:30 AM", "2024-05-06T00:30:00Z"),
    ("6 May 2024", "2024-05-06T00:00:00Z"),
    ("06-May-2024", "2024-05-06T00:00:00Z"),
    ("05/06/2024", "2024-05-06T00:00:00Z"),
    ("31.12.2024", "2024-12-31T00:00:00Z"),
    ("2024年5月6日", "2024-05-06T00:00:00Z"),
    ("2024년 5월 6일", "2024-05-06T00:00:00Z"),
    ("٢٠٢٤-٠٥-٠٦", "2024-05-06T00:00:00Z"),
    ("15. März 2024", "2024-03-15T00:00:00Z"),
    ("1er août 2024", "2024-08-01T00:00:00Z"),
    ("15 de mar. de 2024", "2024-03-15T00:00:00Z"),
    ("15 марта 2024 г., 10:30", "2024-03-15T10:30:00Z"),
    ("15 नवंबर 2024", "2024-11-15T00:00:00Z"),
    ("15 במרץ 2024", "2024-03-15T00:00:00Z"),
    ("15 มี.ค. 2567", "2024-03-15T00:00:00Z"),
    ("2024. márc. 15.", "2024-03-15T00:00:00Z"),
    ("2024. 3. 15.", "2024-03-15T00:00:00Z"),
    ("15. 3. 2024", "2024-03-15T00:00:00Z"),
    ("15 thg 3, 2024", "2024-03-15T00:00:00Z"),
]
AGES = [
    ("3 hours ago", timedelta(hours=3)),
    ("an hour ago", timedelta(hours=1)),
    ("1 day, 2 hours ago", timedelta(days=1, hours=2)),
    ("5 Mins Ago", timedelta(minutes=5)),
    ("2 months ago", timedelta(days=60)),
    ("yesterday", timedelta(days=1)),
    ("just now", timedelta(0)),
    ("3h", timedelta(hours=3)),
    ("2d ago", timedelta(days=2)),
    ("1w", timedelta(weeks=1)),
    ("5mo", timedelta(days=150)),
    ("5m", timedelta(minutes=5)),
    ("2y", timedelta(days=730)),
    ("45s", timedelta(seconds=45)),
    ("vor 3 Stunden", timedelta(hours=3)),
    ("il y a 2 jours", timedelta(days=2)),
    ("hace una semana", timedelta(weeks=1)),
    ("há 4 meses", timedelta(days=120)),
    ("5 минут назад", timedelta(minutes=5)),
    ("3 小时前", timedelta(hours=3)),
    ("2日前", timedelta(days=2)),
    ("3시간 전", timedelta(hours=3)),
]
UNKNOWN = [
    None,
    "",
    "   ",
    "soon",
    "2024",
    "May 2024",
    "2024-05",
    "13/06/2024",
    "2024-13-01",
    "2023-02-29",
    "2024-05-06T25:00:00Z",
    "2024-05-06T07:08:61Z",
    "13:00 PM May 6, 2024",
    "15 marching 2024",
    "Juneteenth 15, 2024",
    "3 hours",
    "in 3 hours",
    "3 parsecs ago",
    "hours ago",
    "9999 years ago",
    "0001-01-01T00:00:00Z",
    "2026-03-12",
    "2999-01-01T00:00:00Z",
    "2024-05-06T07:08:09+99:00",
    "1700000000",
    "2" * 10_000,
    "9" * 30 + " days ago",
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_written_dates(text: str, expected: str | None) -> None:
    moment = parse_moment(text, NOW)
    assert (moment and format_rfc3339(moment)) == expected


@pytest.mark.parametrize(("text", "passed"), AGES)
def test_ages(text: str, passed: timedelta) -> None:
    assert parse_moment(text, NOW) == NOW - passed


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_not_understood_is_none(text: str | None) -> None:
    assert parse_moment(text, NOW) is None


def test_tomorrow_in_another_zone_is_not_the_far_future() -> None:
    assert parse_moment("2026-03-11", NOW) == datetime(2026, 3, 11, tzinfo=UTC)


@given(st.datetimes(min_value=datetime(1000, 1, 2), max_value=datetime(2026, 3, 1)), st.integers(-840, 840))
def test_what_is_written_is_read_back(naive: datetime, minutes: int) -> None:
    moment = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)), microsecond=0)
    assert parse_moment(format_rfc3339(moment), NOW) == moment
    assert parse_moment(moment.isoformat(), NOW) == moment


@given(st.text(max_size=60) | st.from_regex(r"\A[0-9 :/.+TZ-]{1,30}\Z"))
def test_any_text_gives_an_aware_moment_or_none(text: str) -> None:
    moment = parse_moment(text, NOW)
    assert moment is None or (moment.tzinfo is UTC and moment <= NOW + timedelta(days=1))


def test_since() -> None:
    local = NOW.astimezone(timezone(timedelta(hours=9)))
    starts = {name: NOW - range_start(name, local) for name in ("hour", "day", "week", "month", "year")}
    assert starts == {
        "hour": timedelta(hours=1),
        "day": timedelta(days=1),
        "week": timedelta(days=7),
        "month": timedelta(days=30),
        "year": timedelta(days=365),
    }
    with pytest.raises(BadInput, match=r"decade.*hour, day, week, month, year"):
        range_start("decade", NOW)


DATES_IN_TEXTS = {
    "2020-05-03T23:00:00+02:00": "2020-05-03",
    "May 3rd, 2020": "2020-05-03",
    "3. Mai 2020": "2020-05-03",
    "3 de mayo de 2020": "2020-05-03",
    "le 3 août 2020": "2020-08-03",
    "3 мая 2020": "2020-05-03",
    "2020年5月3日": "2020-05-03",
    "2020년 5월 3일": "2020-05-03",
    "20200503": "2020-05-03",
    "3 maja 2020": "2020-05-03",
    "3. května 2020": "2020-05-03",
    "3 травня 2020": "2020-05-03",
    "2020. május 3.": "2020-05-03",
    "3 مايو 2020": "2020-05-03",
    "۳ مه ۲۰۲۰": "2020-05-03",
    "3 במאי 2020": "2020-05-03",
    "3 मई 2020": "2020-05-03",
    "3 พฤษภาคม 2563": "2020-05-03",
    "3. svibnja 2020.": "2020-05-03",
    "3. listopada 2020.": "2020-10-03",
    "3 listopada 2020": "2020-11-03",
    "3. maj 2020": "2020-05-03",
    "3. септембар 2020.": "2020-09-03",
    "3. novembra 2020.": "2020-11-03",
    "3. avgust 2020": "2020-08-03",
    "3. detsember 2020": "2020-12-03",
    "2020. gada 3. jūnijā": "2020-06-03",
    "2020 m. gegužės 3 d.": "2020-05-03",
    "3 ta’ Mejju 2020": "2020-05-03",
    "3 Bealtaine 2020": "2020-05-03",
    "3. júlí 2020": "2020-07-03",
    "2020. márc. 3.": "2020-03-03",
    "3 Μαΐου 2020": "2020-05-03",
    "1588500000": "2020-05-03",
    "1588500000123": "2020-05-03",
    "03.05.2020": "2020-05-03",
    "05/03/2020": "2020-05-03",
    "25/03/2020": "2020-03-25",
    "Published: Sept. 9, 2021 by us": "2021-09-09",
    "2020-13-45": "",
    "31 February 2020": "",
    "May 3, 2999": "",
    "call 2020-0503-12": "",
    "no date": "",
}


@pytest.mark.parametrize(("text", "expected"), DATES_IN_TEXTS.items())
def test_finding_a_date_in_a_text(text: str, expected: str) -> None:
    assert find_date(text) == expected
