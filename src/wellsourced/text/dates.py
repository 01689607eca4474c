"""Dates and ages in any writing, parsed to a moment in UTC or to a day; None or "" where the text does not say.

- `parse_moment`: a whole text that is a date or an age, as search engines print them.
- `find_date`: the first date inside a short text of a page.

Dates that may lack day or month are in `partial_dates`; what only one file format writes is parsed where that format
is read. Never guessed: a moment without a zone is taken as UTC, and an impossible or future date is no date.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache

from wellsourced.data import read_lines
from wellsourced.errors import BadInput
from wellsourced.late_pattern import late_pattern
from wellsourced.text.moments import to_utc

MONTH_TABLE = [line.split("|") for line in read_lines("months.txt")]
MONTHS = {name: number for number, (_, names) in enumerate(MONTH_TABLE, start=1) for name in names.split()}
MONTH_STEMS = tuple(tuple(stems.split()) for stems, _ in MONTH_TABLE)
ENGLISH_MONTHS = tuple(names.strip()[:3] for _, names in MONTH_TABLE)
BUDDHIST_ERA, BUDDHIST_YEARS = 2400, 543  # Thai dates count from the Buddha's death
# The one name that means two months: Croatian puts a dot behind the day, Polish none.
LISTOPADA = late_pattern(r"(?<=\d)(\.?)\s+listopada\b", re.I)

LONGEST = 80  # characters of a text that is nothing but a date
EARLIEST_YEAR = 1000
FUTURE_TOLERANCE = timedelta(days=1)
RANGES = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
ZONES = {"z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300}
ZONES |= {"mst": -420, "mdt": -360, "pst": -480, "pdt": -420}

MONTH_NAME = r"(?P<name>[^\W\d_][^\d\s,/-]{1,15})"
DAY_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
YEAR_NUMBER = r"(?P<year>\d{4})(?: [гр]\.?)?"
TIME = (
    r"(?:(?:t|,? at |,? )(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
    r" ?(?P<half>[ap]\.?m\.?)? ?\(?(?P<zone>z|ut|utc|gmt|[ecmp][sd]t|[+-]\d{2}:?\d{2})?\)?)?"
)
WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,? )?"
FORMS = (
    r"(?P<year>\d{4})([-/.]) ?(?P<month>\d{1,2})\2 ?(?P<day>\d{1,2})\.?",
    r"(?P<year>\d{4}) ?[年년] ?(?P<month>\d{1,2}) ?[月월] ?(?P<day>\d{1,2}) ?[日일]",
    rf"{WEEKDAY}{DAY_NUMBER}[ -](?:de |d['’]|of )?{MONTH_NAME}[ ,-]{{1,2}}(?:del? )?{YEAR_NUMBER}",
    rf"{WEEKDAY}{MONTH_NAME} {DAY_NUMBER},? (?:del? )?{YEAR_NUMBER}",
    rf"(?P<year>\d{{4}})\.? {MONTH_NAME} {DAY_NUMBER}",
    r"(?P<day>\d{1,2}) th(?:g|áng) (?P<month>\d{1,2}),? (?:năm )?(?P<year>\d{4})",
    r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})",
)

MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 60, 3600, 86400, 604800, 30 * 86400, 365 * 86400

COMPACT_UNITS = {"s": 1, "m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "mo": MONTH, "y": YEAR}
COMPACT_AGE = late_pattern(r"(\d{1,4}) ?(s|min|mo|m|h|d|w|y)(?: ago)?")

UNIT_WORDS: dict[int, str] = {
    1: "second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi seconden"
    " секунду секунды секунд saniye detik giây",
    MINUTE: "minute minutes min mins minuten minuto minutos minuti minuut минуту минуты минут dakika menit phút",
    HOUR: "hour hours hr hrs stunde stunden std heure heures hora horas ora ore uur час часа часов saat jam giờ",
    DAY: "day days tag tagen jour jours día días dia dias giorno giorni dag dagen день дня дней gün hari ngày",
    WEEK: "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken"
    " неделю недели недель hafta minggu tuần",
    MONTH: "month months monat monaten mois mes meses mês mese mesi maand maanden месяц месяца месяцев ay bulan tháng",
    YEAR: "year years yr yrs jahr jahren an ans année années año años ano anos anno anni jaar"
    " год года лет yıl tahun năm",
}
UNIT_SECONDS = {word: seconds for seconds, words in UNIT_WORDS.items() for word in words.split()}
WORDS_FOR_ONE = frozenset(
    ["a", "an", "one", "ein", "eine", "einem", "einer", "un", "une", "una", "um", "uma", "uno", "een", "bir"]
)
AGO_BEFORE = ("vor ", "il y a ", "hace ", "há ", "ha ")
AGO_AFTER = (" ago", " fa", " geleden", " назад", " önce", " lalu", " yang lalu", " atrás", " trước")

UNSPACED_UNITS: dict[str, int] = {
    "秒": 1, "秒鐘": 1, "秒钟": 1, "초": 1, "分": MINUTE, "分钟": MINUTE, "分鐘": MINUTE, "분": MINUTE,
    "小时": HOUR, "小時": HOUR, "個小時": HOUR, "个小时": HOUR, "時間": HOUR, "시간": HOUR,
    "天": DAY, "日": DAY, "일": DAY, "周": WEEK, "週": WEEK, "週間": WEEK, "주": WEEK,
    "个月": MONTH, "個月": MONTH, "か月": MONTH, "ヶ月": MONTH, "カ月": MONTH, "개월": MONTH, "년": YEAR, "年": YEAR,
}  # fmt: skip
UNSPACED_AGE = late_pattern(r"(\d{1,4}) ?([^\W\d]{1,3}?) ?(?:前|전|以前)")

NAMED_DAYS = {
    "just now": 0, "now": 0, "today": 0, "yesterday": DAY, "heute": 0, "gestern": DAY, "aujourd'hui": 0, "hier": DAY,
    "hoy": 0, "ayer": DAY, "hoje": 0, "ontem": DAY, "oggi": 0, "ieri": DAY, "vandaag": 0, "gisteren": DAY,
    "сегодня": 0, "вчера": DAY, "今天": 0, "昨天": DAY, "今日": 0, "昨日": DAY, "오늘": 0, "어제": DAY,
}  # fmt: skip

# Dates anywhere in a text, with the order of their groups. A word is looked up afterwards, since an expression with
# all names of months takes long to compile and to try.
WORD = r"([^\W\d_][^\s\d,/-]{1,11}?)"
DATES_IN_TEXT = (
    (late_pattern(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)"), "ymd"),
    (late_pattern(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]"), "ymd"),
    (late_pattern(rf"\b{WORD}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})(?!\d)", re.I), "mdy"),
    (
        late_pattern(
            r"\b(\d{1,2})(?:st|nd|rd|th|er|\.)?(?:\s+|-)(?:de\s+|d['’]|of\s+|ta['’]\s*|t['’]|ב)?"
            rf"{WORD}\.?,?(?:\s+|-)(?:de\s+|del\s+)?(\d{{4}})(?!\d)",
            re.I,
        ),
        "dmy",
    ),
    (late_pattern(rf"\b(\d{{4}})\.?\s+(?:m\.\s+)?{WORD}\.?\s+(\d{{1,2}})\b", re.I), "ymd"),
    (late_pattern(rf"\b(\d{{4}})\.\s+gada\s+(\d{{1,2}})\.\s+{WORD}\b", re.I), "ydm"),  # Latvian
    (late_pattern(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)"), "ymd"),
)
FOUR_DIGITS = late_pattern(r"\d{4}")
NUMERIC = late_pattern(r"(?<!\d)(\d{1,2})([./-])(?:(?<=\.) )?(\d{1,2})\2(?:(?<=\.) )?(\d{4})(?!\d)")
SECONDS_SINCE_1970 = late_pattern(r"(1\d{9})(?:\d{3})?")
EARLIEST_PAGE_YEAR = 1990


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form + TIME) for form in FORMS)


def parse_moment(text: str | None, now: datetime) -> datetime | None:
    """The moment in UTC; None for anything not understood, impossible, or more than a day in the future."""
    words = " ".join((text or "")[: LONGEST * 4].split()).lower()
    if not words or len(words) > LONGEST:
        return None
    try:
        moment = _parse_written_date(_settle_listopada(words)) or _subtract_age(now, words)
    except (ValueError, OverflowError):
        return None
    if moment is None or moment.year < EARLIEST_YEAR or moment > to_utc(now) + FUTURE_TOLERANCE:
        return None
    return moment


def range_start(time_range: str, now: datetime) -> datetime:
    """The moment at which a range such as `week` begins; months count 30 days and years 365."""
    if time_range not in RANGES:
        raise BadInput(f"time_range {time_range!r} is not known; it is one of {', '.join(RANGES)}.")
    return to_utc(now) - RANGES[time_range]


def _subtract_age(now: datetime, words: str) -> datetime | None:
    passed = parse_age(words)
    return None if passed is None else to_utc(now) - passed


def _parse_written_date(words: str) -> datetime | None:
    for form in _forms():
        if match := form.fullmatch(words):
            return _build_moment(match.groupdict())
    return None


def _build_moment(part: dict[str, str | None]) -> datetime:
    name = part.get("name")
    month = _month_number(name) if name else int(part["month"] or 0)
    second = 59 if part["second"] == "60" else int(part["second"] or 0)
    micro = int((part["fraction"] or "0").ljust(6, "0")[:6])
    hour = _hour_of_day(int(part["hour"] or 0), part["half"])
    minute, day = int(part["minute"] or 0), int(part["day"] or 0)
    year = _common_year(int(part["year"] or 0)) if name else int(part["year"] or 0)
    return datetime(year, month, day, hour, minute, second, micro, _time_zone(part["zone"])).astimezone(UTC)


def _month_number(name: str) -> int:
    """Zero, which no date has, for a word that is no month; Hebrew writes "in" and the month as one word."""
    bare = name.rstrip(".")
    return MONTHS.get(bare) or MONTHS.get(bare.removeprefix("ב"), 0)


def _hour_of_day(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + (12 if half.startswith("p") else 0)


def _time_zone(name: str | None) -> timezone:
    if not name or name in ZONES:
        return timezone(timedelta(minutes=ZONES[name] if name else 0))
    minutes = int(name[1:3]) * 60 + int(name[-2:])
    return timezone(timedelta(minutes=-minutes if name[0] == "-" else minutes))


def parse_age(words: str) -> timedelta | None:
    """How long ago, for text in lower case with single spaces; None when it is not an age."""
    if words in NAMED_DAYS:
        return timedelta(seconds=NAMED_DAYS[words])
    if match := COMPACT_AGE.fullmatch(words):
        return timedelta(seconds=int(match[1]) * COMPACT_UNITS[match[2]])
    if match := UNSPACED_AGE.fullmatch(words):
        unit = UNSPACED_UNITS.get(match[2])
        return timedelta(seconds=int(match[1]) * unit) if unit else None
    span = _without_ago(words)
    return _parse_spelled_age(span) if span else None


def _without_ago(words: str) -> str | None:
    for start in AGO_BEFORE:
        if words.startswith(start):
            return words.removeprefix(start)
    for end in sorted(AGO_AFTER, key=len, reverse=True):
        if words.endswith(end):
            return words.removesuffix(end)
    return None


def _parse_spelled_age(span: str) -> timedelta | None:
    """`3 hours`, `an hour`, or the two together: `1 hour 20 minutes`, `1 day, 2 hours`."""
    parts = [part for part in re.split(r"[ ,]+", span) if part not in {"and", "und", "et", "y", "e"}]
    if not parts or len(parts) % 2 or len(parts) > 4:
        return None
    total = 0
    for number, unit in zip(parts[::2], parts[1::2], strict=True):
        count = 1 if number in WORDS_FOR_ONE else int(number) if number.isdecimal() and len(number) < 5 else None
        seconds = UNIT_SECONDS.get(unit.rstrip("."))
        if count is None or seconds is None:
            return None
        total += count * seconds
    return timedelta(seconds=total)


def find_date(text: str, *, day_first: bool = False) -> str:
    """The first plausible date in a short text, as ISO; "" when there is none."""
    text = text.strip()[:400]
    if not FOUR_DIGITS.search(text):  # none of the forms below is without a year
        return ""
    text = _settle_listopada(text)
    if seconds := SECONDS_SINCE_1970.fullmatch(text):
        return datetime.fromtimestamp(int(seconds[1]), UTC).date().isoformat()
    for pattern, order in DATES_IN_TEXT:
        parts = _first_with_month(pattern, order, text)
        if parts and (day := _plausible_date(parts)):
            return day
    return _find_numeric(text, day_first=day_first)


def _first_with_month(pattern: re.Pattern[str], order: str, text: str) -> dict[str, str] | None:
    """The groups of the first match in which a word for a month is one."""
    match = pattern.search(text)
    while match:
        parts = dict(zip(order, match.groups(), strict=True))
        if parts["m"].isdecimal() or parts["m"].lower() in MONTHS:
            return parts
        match = pattern.search(text, match.start() + 1)
    return None


def _find_numeric(text: str, *, day_first: bool) -> str:
    """Day and month in figures: distinguished by size, else by custom; in America only dots put the day first."""
    match = NUMERIC.search(text)
    if not match:
        return ""
    first, separator, second, year = match.groups()
    day_first = int(first) > 12 or ((separator == "." or day_first) and int(second) <= 12)
    day, month = (first, second) if day_first else (second, first)
    return _plausible_date({"y": year, "m": month, "d": day})


def _plausible_date(parts: dict[str, str]) -> str:
    month = MONTHS.get(parts["m"].lower()) or (int(parts["m"]) if parts["m"].isdecimal() else 0)
    try:
        day = date(_common_year(int(parts["y"])), month, int(parts["d"]))
    except ValueError:
        return ""
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    return day.isoformat() if day.year >= EARLIEST_PAGE_YEAR and day <= tomorrow else ""


def _settle_listopada(text: str) -> str:
    """The text with Croatian October and Polish November under names that no other language shares."""
    if "listopada" not in text.lower():
        return text
    return LISTOPADA.sub(lambda match: " oktobra" if match[1] else " novembra", text)


def _common_year(year: int) -> int:
    """A Thai year such as 2567 as everybody else counts it."""
    return year - BUDDHIST_YEARS * (year > BUDDHIST_ERA)
