"""Ages such as "3 hours ago", `2d`, "vor 5 Minuten" or 「3 時間前」: how long ago something was.

The words are those that search engines print in their result lists, in the languages that they are most often
asked in. A number and a unit alone count only in the compact form; words need something that says "ago".
"""

from __future__ import annotations

import re
from datetime import timedelta

MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 60, 3600, 86400, 604800, 30 * 86400, 365 * 86400

COMPACT = {"s": 1, "m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "mo": MONTH, "y": YEAR}
COMPACT_FORM = re.compile(r"(\d{1,4}) ?(s|min|mo|m|h|d|w|y)(?: ago)?")

WORDS: dict[int, str] = {
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
SECONDS = {word: seconds for seconds, words in WORDS.items() for word in words.split()}
ONE = {"a", "an", "one", "ein", "eine", "einem", "einer", "un", "une", "una", "um", "uma", "uno", "een", "bir"}
BEFORE = ("vor ", "il y a ", "hace ", "há ", "ha ")
AFTER = (" ago", " fa", " geleden", " назад", " önce", " lalu", " yang lalu", " atrás", " trước")

UNSPACED: dict[str, int] = {
    "秒": 1, "秒鐘": 1, "秒钟": 1, "초": 1, "分": MINUTE, "分钟": MINUTE, "分鐘": MINUTE, "분": MINUTE,
    "小时": HOUR, "小時": HOUR, "個小時": HOUR, "个小时": HOUR, "時間": HOUR, "시간": HOUR,
    "天": DAY, "日": DAY, "일": DAY, "周": WEEK, "週": WEEK, "週間": WEEK, "주": WEEK,
    "个月": MONTH, "個月": MONTH, "か月": MONTH, "ヶ月": MONTH, "カ月": MONTH, "개월": MONTH, "년": YEAR, "年": YEAR,
}  # fmt: skip
UNSPACED_FORM = re.compile(r"(\d{1,4}) ?([^\W\d]{1,3}?) ?(?:前|전|以前)")

NAMED = {
    "just now": 0, "now": 0, "today": 0, "yesterday": DAY, "heute": 0, "gestern": DAY, "aujourd'hui": 0, "hier": DAY,
    "hoy": 0, "ayer": DAY, "hoje": 0, "ontem": DAY, "oggi": 0, "ieri": DAY, "vandaag": 0, "gisteren": DAY,
    "сегодня": 0, "вчера": DAY, "今天": 0, "昨天": DAY, "今日": 0, "昨日": DAY, "오늘": 0, "어제": DAY,
}  # fmt: skip


def age(words: str) -> timedelta | None:
    """How long ago, for text in lower case with single spaces; None when it is not an age."""
    if words in NAMED:
        return timedelta(seconds=NAMED[words])
    if found := COMPACT_FORM.fullmatch(words):
        return timedelta(seconds=int(found[1]) * COMPACT[found[2]])
    if found := UNSPACED_FORM.fullmatch(words):
        unit = UNSPACED.get(found[2])
        return timedelta(seconds=int(found[1]) * unit) if unit else None
    span = _without_ago(words)
    return _spelt(span) if span else None


def _without_ago(words: str) -> str | None:
    for start in BEFORE:
        if words.startswith(start):
            return words.removeprefix(start)
    for end in sorted(AFTER, key=len, reverse=True):
        if words.endswith(end):
            return words.removesuffix(end)
    return None


def _spelt(span: str) -> timedelta | None:
    """`3 hours`, `an hour`, or the two together: `1 hour 20 minutes`, `1 day, 2 hours`."""
    parts = [part for part in re.split(r"[ ,]+", span) if part not in {"and", "und", "et", "y", "e"}]
    if not parts or len(parts) % 2 or len(parts) > 4:
        return None
    total = 0
    for number, unit in zip(parts[::2], parts[1::2], strict=True):
        count = 1 if number in ONE else int(number) if number.isdecimal() and len(number) < 5 else None
        seconds = SECONDS.get(unit.rstrip("."))
        if count is None or seconds is None:
            return None
        total += count * seconds
    return timedelta(seconds=total)
