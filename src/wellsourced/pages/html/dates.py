"""When a page was published, from ordered sources: what it declares, its markup, its address, its byline.

A date is given only where something says that it is the page's own: dates of change, of events and of other pages in a
list are not, so a page that does not say when it was published has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from datetime import UTC as UTC_ZONE
from datetime import date, datetime, timedelta
from urllib.parse import urlsplit

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import Block, Outline
from wellsourced.pages.html.dom import Document, Element, ancestors, attribute, layout_text, select, select_each
from wellsourced.pages.html.headings import places_near_heading
from wellsourced.pages.html.metadata import find_language
from wellsourced.pages.html.structured_data import CONTENT_TYPES, DeclaredData, type_names
from wellsourced.text.dates import find_date, parse_moment

PUBLISHED_META = (
    "article:published_time", "citation_publication_date", "citation_date", "citation_online_date", "og:published_time",
    "datepublished", "date.published", "publish-date", "publish_date", "published_time", "publication_date", "pubdate",
    "publishdate", "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "dc.date.created", "dc.date", "dcterms.date", "date", "article.published", "cxenseparse:recs:publishtime",
    "og:pubdate", "rnews:datepublished", "bt:pubdate", "published-date", "article:post_date", "timestamp", "published",
    "w-published-date", "ms.date", "article_date_original", "article:published", "article:published_date", "pub_date",
    "publication-date", "originalpublicationdate", "prism.publicationdate", "vr:published_time", "datecreated",
    "creation_date", "eprints.date", "bepress_citation_date", "mediator_published_time", "dcsext.articlefirstpublished",
    "shareaholic:article_published_time", "displaydate", "datepublished_time", "date_published", "published_date",
    "publisheddate", "publish_time", "og:publish_date", "og:datepublished", "og:article:published_time",
    "og:question:published_time", "og:regdate", "article:publicationdate", "article.created", "dc.date.publication",
    "dc.created", "dc:created", "dc:date", "dcterms.available", "rbpubdate", "twt-published-at", "dateposted",
    "analyticsattributes.articledate", "content_create_date",
)  # fmt: skip
MARKED = (
    "[itemprop~=datePublished i]", "[itemprop~=dateCreated i]", "[property~='dc:created' i]",
    "[property~='schema:datePublished' i], [property~=datePublished i]", "time[pubdate]", "time.published",
    "time.entry-date", "article header time", "[class*='publish' i] time", "[class*='byline' i] time", "abbr.published",
    "relative-time", "time-ago", "local-time", "faceplate-timeago",
)  # fmt: skip
SAID = 4  # the first of these declare it, the others stand where it most often is, and are of these tags
MARKED_TAGS = ("time", "abbr", "relative-time", "time-ago", "local-time", "faceplate-timeago")
DATED_PLACES = (
    "[class*='publish' i]", "[class*='byline' i]", "[class*='post-meta' i]", "[class*='entry-date' i]",
    "[class*='meta-date' i]", "[class*='post-date' i]", "[class*='posted' i]", "[class*='entry-meta' i]",
    "[class*='timestamp' i]", "[class*='article-meta' i]", "[class*='fecha' i]", "[class*='article_date' i]",
    "[class*='article-date' i]", "[class*='post_date' i]", "[class~='datum' i]",
)  # fmt: skip
# Things that are for sale or listed: the dates beside them are those of offers, reviews and releases.
UNDATED_TYPES = frozenset(("product", "productgroup", "itemlist", "collectionpage", "offercatalog", "videogame"))
AMERICAN = re.compile(r"(?:en(?:-us|-ph)?)?", re.I)
IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2}|[a-z]{3,9})[/-](\d{1,2})(?:/|-|$)", re.I)
PACKED_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})(0[1-9]|1[0-2])([0-3]\d)(?:[/_.-]|$)")
# Letters of both cases first, by which most places are passed over: other letters in any case are tried one by one.
CHANGED = re.compile(
    r"(?=[UuMmEeRrLlAaGgBbOoPpFfОоᲂИиΕεϵCcDdעت更修수업])(?:[Uu](?i:pdat|ppdaterad)"
    r"|[Mm](?i:odif|is à jour|uokattu|ódosít)|[Ee](?i:dited)|[Rr](?i:evis|eview)|[Ll](?i:ast active)"
    r"|[Aa](?i:ktuali|ctuali[sz]a|ggiornat|tualizad|žurira)|[Gg](?i:eändert|üncelle)|[Bb](?i:ijgewerkt)"
    r"|[Oo](?i:ppdatert|pdateret)|[Pp](?i:äivitetty)|[Ff](?i:rissít)|[Ооᲂ](?i:бновл|новлен)|[Ии](?i:змен[её]н)"
    r"|[Εεϵ](?i:νημέρωσ|νημερώ)|[Cc](?i:ập nhật)|[Dd](?i:iperbarui)|עודכן|تحديث|更新|修改|수정|업데이트)"
)
OTHER_DAY = re.compile(
    r"\b(?:release dates?|released|deadline|effective|expires?|valid|joined|member since|founded|received|accepted"
    r"|registered|until|through|starts|begins|copyright|accessed|retrieved|archived|next|events?|webinar|due|apply"
    r"|delivery|ships|version|today)\b|©|\(c\)|#(?!1\b)\d+ ",
    re.I,
)
RANGE = re.compile(r"\d{4}\s*[-–—]\s*(?:\d{1,2}[/.]\d|\d{4}-\d|[A-Z][a-z]{2,8}\.? \d)")
UTC = late_pattern(r"\d{2}:\d{2}(?::[\d.]+)?(?:Z|\+00:?00)$")
MAYBE_UTC = late_pattern(r"\d{2}:\d{2}(?::[\d.]+)?(?:Z|\+00:?00)?$")  # one that names no zone often is
READING_TIME = late_pattern(r"\d{1,3}\W*min(?:ute)?s?\W*read", re.I)
PUBLISHED = late_pattern(
    r"(?<!last )\b(?:published|posted|veröffentlicht|publiée?|publicad[oa]|pubblicat[oa]|gepubliceerd|geplaatst|đăng"
    r"|publicerad|publisert|udgivet|offentliggjort|julkaistu|opublikowan[oy]|zveřejněno|publikováno|megjelent|közzétéve"
    r"|objavljeno|publicat|verfasst|geschrieben|erstellt|mis en ligne|опубликован[оа]?|опубліковано|дата публикации"
    r"|yayınlanma|yayın tarihi|giriş tarihi|δημοσίευση|δημοσιεύθηκε|פורסם|تاريخ النشر|نشر|diterbitkan|dipublikasikan)\b"
    r"|公開日?|掲載|投稿日|发[布表](?:时间|日期|于)?|發[布佈表](?:時間|日期|於)?|입력|등록|게시",
    re.I,
)
DIGITS = re.compile(r"\d{4}")
SHORTEST_TEXT = 60
# A date of which the year has two figures, alone or with a label and a time: others are numbers of sections.
SHORT_YEAR = re.compile(r"((?:[^\W\d]{2,20}:? )?\d{1,2}([./])\d{1,2}\2)(\d{2})(?=(?:[,|]? \d{1,2}[:.h]\d{2}\S{0,3})?$)")
FIRST_BLOCKS = 400
LONGEST_SHORT = 400  # with the blanks of its markup
MOST_WORDS = 14
DAY, WIDEST_ZONE = timedelta(days=1), timedelta(hours=14, minutes=1)
BARS = late_pattern(r"[|·•]|\bat\b")
ZONE = late_pattern(r"\d{2}:\d{2}(?::[\d.]+)? ?[+-](?!00:?00)\d{2}:?\d{2}$")
MOST_STAMPS = 20
STAMPS = ("datetime", "content", "ts", "title")
PAGE_NUMBER = re.compile(r"\b(?:p|id|page_id|article|post|news|story|view)=")
DATELINE = re.compile(r"[^.!?]{4,70}?(?:\)|[–—]|--)|\(?\d{1,2}\. ?\d{1,2}\. ?\d{4}\)")
DATELINE_BLOCKS = 6
# What all of these have in common begins with plain letters, so that a page without any is looked through at once.
MAYBE_IN_SCRIPTS = re.compile(r"ubli(?:sh|cation)[A-Za-z_]{0,9}(?:\\?\"|&quot;)\s?:\s?(?:\\?\"|&quot;)\d{4}-")
# The same again in any case, and what stands before: to begin with single letters is as good as plain ones.
IN_SCRIPTS = late_pattern(
    r"[Uu][Bb][Ll][Ii](?i:(?<=publi)(?:shed_?(?:at|date|on)|sh_?date|cation_?date"
    r"|(?:(?<=datepubli)|(?<=date_publi)|(?<=firstpubli)|(?<=first_publi))shed)"
    r"(?:\\?\"|&quot;)\s?:\s?(?:\\?\"|&quot;)(\d{4}-\d{2}-\d{2}[T\d:.Z+-]{0,25}))"
)


def find_published_date(
    document: Document, declared: DeclaredData, url: str, outline: Outline | None, markup: str = ""
) -> str:
    """The ISO date of publication, "" when nothing says."""
    day_first = AMERICAN.fullmatch(find_language(document, declared)) is None
    page = DatedPage(document, declared, url, outline, day_first, markup)
    return page.declared_date() or page.first(page.marked()) or page.first(page.shown()) or page.date_in_scripts()


@dataclass(slots=True)
class DatedPage:
    document: Document
    declared: DeclaredData
    url: str
    outline: Outline | None
    day_first: bool
    markup: str = ""
    own_texts: dict[int, str] = field(default_factory=dict)

    def find(self, text: str) -> str:
        return find_date(text, day_first=self.day_first)

    def first(self, texts: Iterable[str]) -> str:
        return next((self._in_order(day, text) for text in texts if text and (day := self.find(text))), "")

    def _in_order(self, day: str, text: str) -> str:
        """The day as the page writes it elsewhere, where figures could be read either way."""
        if day in self.markup:
            return day
        other = find_date(text, day_first=not self.day_first)
        return other if other and other in self.markup else day

    def declared_date(self) -> str:
        """What the page's data says, where nothing that a reader sees shows that it is the day of an import."""
        for published, changed in self._declared():
            day = self.find(published)
            if day:
                return self._local_day(published) or self._as_shown(day, published, self.find(changed))
        for thing in self.declared.of_type("webpage"):
            day = self.find(_text(thing.get("datePublished")))
            # One with a headline and an author is an article by another name.
            if day and ((thing.get("headline") and thing.get("author")) or self._is_confirmed(day)):
                return day
        return ""

    def _declared(self) -> Iterator[tuple[str, str]]:
        for thing in self.declared.of_type(*CONTENT_TYPES):
            yield _text(thing.get("datePublished") or thing.get("dateCreated")), _text(thing.get("dateModified"))
        changed = self.declared.first("article:modified_time", "og:updated_time")
        meta = self.declared.meta
        yield from ((meta[name][0], changed) for name in PUBLISHED_META if meta.get(name))

    def _as_shown(self, day: str, published: str, changed: str) -> str:
        """A moment in UTC may be the next day already; one that is that of the last change is not the first, and an
        address is older than an import."""
        addressed = self.find(self.address_date())
        shown = addressed or self.first(self.near_heading())
        if not shown and changed and day >= changed:
            return self._labelled() or day
        if not shown or shown >= day:
            return day
        if addressed and "/" in (IN_ADDRESS.search(self.url) or [""])[0][5:-1]:
            return addressed
        is_next_day = bool(UTC.search(published)) and date.fromisoformat(day) - date.fromisoformat(shown) == DAY
        return shown if is_next_day or day == changed or self._stands_alone(shown) else day

    def _local_day(self, published: str) -> str:
        """The day of the same moment in the zone in which the page shows it."""
        moment = _moment(published) if MAYBE_UTC.search(published) else None
        if not moment:
            return ""
        for element in select(self.document, "time[datetime]")[:MOST_STAMPS]:
            stamp = attribute(element, "datetime")
            if ZONE.search(stamp) and _moment(stamp) == moment:
                return self.find(stamp)
        minute = f":{moment.minute:02}"
        if self.outline and self.outline.text and minute not in self.outline.text:
            return ""
        shown = (text for text in self.short_texts() if minute in text and not CHANGED.search(text))
        clocks = ((text, _moment(BARS.sub(" ", text))) for text in shown)
        return next((self.find(text) for text, clock in clocks if clock and abs(clock - moment) < WIDEST_ZONE), "")

    def _labelled(self) -> str:
        """The one day of which a short text says that it is that of publication."""
        days = {self.find(text) for text in self.short_texts() if PUBLISHED.search(text)} - {""}
        return days.pop() if len(days) == 1 else ""

    def _stands_alone(self, day: str) -> bool:
        """Whether there is little more than the day in the first text below the heading that has one."""
        text = READING_TIME.sub("", next(self.near_heading(), ""))
        return len(text.split()) <= 4 and self.find(text) == day

    def _is_confirmed(self, day: str) -> bool:
        """Every page of a common system has a day on which it was made; those that show it are dated."""
        if day[:7].replace("-", "/") in self.url:
            return True
        return any(self.find(text) == day for text in self.short_texts())

    def address_date(self) -> str:
        match = IN_ADDRESS.search(self.url) or PACKED_IN_ADDRESS.search(self.url)
        if not match:
            return ""
        year, month, number = match.groups()
        return f"{year}-{month}-{number}" if month.isdecimal() else f"{number} {month} {year}"

    def marked(self) -> Iterator[str]:
        for selector in MARKED[:SAID]:
            yield from map(_stamp, select(self.document, selector)[:1])
        yield self.address_date()

    def shown(self) -> Iterator[str]:
        """Dates that a reader sees, nearest to the heading first."""
        if not self.may_show_its_date():
            return
        yield from self.near_heading()
        yield from self.datelines()
        for selector in MARKED[SAID:] if next(self.document.iter_elements(MARKED_TAGS), None) is not None else ():
            yield from map(_stamp, select(self.document, selector)[:1])
        yield from self.bylines()
        yield self._labelled()
        yield from self.only_date()
        yield from self.near_heading(changed=True)

    def may_show_its_date(self) -> bool:
        """A site's front page, a shop's page and a list show the dates of other things."""
        address = urlsplit(self.url)
        if address.path in {"", "/"} and not PAGE_NUMBER.search(address.query):
            return False
        types = {name for thing in self.declared.things for name in type_names(thing)}
        return (
            self.declared.first("og:type") == "article"
            or not types & UNDATED_TYPES
            or bool(types & set(CONTENT_TYPES[:8]))
        )

    def near_heading(self, *, changed: bool = False) -> Iterator[str]:
        """Short texts around the page's heading, the nearest first; those about changes only when asked for."""
        for number in places_near_heading(self.document, self.declared, self.outline):
            text = self._own_text(number)
            own = _about_publication(text) if text else ""
            if (text != own) if changed else own:
                yield text if changed else own

    def datelines(self) -> Iterator[str]:
        """What stands before the dash or in the brackets with which a report begins: "London, 5 March 2024 - "."""
        blocks = self.outline.blocks if self.outline else []
        for number in places_near_heading(self.document, self.declared, self.outline)[:DATELINE_BLOCKS]:
            match = DATELINE.match(blocks[number].text.lstrip()[:90])
            if match and DIGITS.search(match[0]) and not (OTHER_DAY.search(match[0]) or CHANGED.search(match[0])):
                yield match[0]

    def short_texts(self) -> Iterator[str]:
        blocks, years = (self.outline.blocks, self.outline.years) if self.outline else ([], None)
        numbers = range(min(FIRST_BLOCKS, len(blocks)))
        dated = [number for number in numbers if years[number]] if years else numbers
        return (text for number in dated if (text := self._own_text(number)))

    def _own_text(self, number: int) -> str:
        """The block's text if it is short and holds a year, with the label in a block of its own before it."""
        if number not in self.own_texts:
            self.own_texts[number] = self._read_own_text(number)
        return self.own_texts[number]

    def _read_own_text(self, number: int) -> str:
        blocks, years = (self.outline.blocks, self.outline.years) if self.outline else ([], None)
        is_dated = years is None or years[number] or len(blocks[number].text) < SHORTEST_TEXT
        text = _short_text(blocks[number]) if is_dated else ""
        if not text:
            return ""
        before = blocks[number - 1].text.strip() if number else ""
        label = before if before.endswith(":") and len(before) < 40 else ""
        return "" if OTHER_DAY.search(label + text) or RANGE.search(text) else f"{label} {text}"

    def only_date(self) -> Iterator[str]:
        """The one date that the page's short texts mention, if it is the only one and not that of a change."""
        days = {day: text for text in self.short_texts() if (day := self.find(text))}
        if len(days) == 1:
            is_article = self.declared.first("og:type") == "article"
            yield from (text for text in days.values() if is_article or not CHANGED.search(text))

    def date_in_scripts(self) -> str:
        """The one day that the data of the page's scripts gives; where it lists other pages there are several. What
        the page declares was weighed before."""
        is_declared = any("datePublished" in thing for thing in self.declared.things)
        may_be_there = MAYBE_IN_SCRIPTS.search(self.markup) and self.may_show_its_date() and not is_declared
        days = {self.find(stamp) for stamp in IN_SCRIPTS.findall(self.markup)} if may_be_there else set()
        return days.pop() if len(days) == 1 else ""

    def bylines(self) -> Iterator[str]:
        """Short texts in places named after dates, many of which belong to other pages; the first `time` element."""
        for elements in select_each(self.document, DATED_PLACES):
            if 0 < len(elements) <= 4:
                texts = (layout_text(element) for element in elements[:2] if len(element.text) < 300)
                yield from (text for text in texts if not (OTHER_DAY.search(text) or CHANGED.search(text)))
        yield from (_stamp(element) for element in select(self.document, "time")[:1] if not _is_of_change(element))


def _about_publication(text: str) -> str:
    """What a short text says before it speaks of a change, or behind the word for publishing where that comes later."""
    before, *changed = CHANGED.split(text, maxsplit=1)
    published = PUBLISHED.search(text, len(before)) if changed else None
    if published and not DIGITS.search(before):
        return CHANGED.split(text[published.end() :], maxsplit=1)[0]
    return before


def _moment(stamp: str) -> datetime | None:
    return parse_moment(stamp, datetime.now(UTC_ZONE))


def _is_of_change(element: Element) -> bool:
    around = next(ancestors(element), None)
    text = around.text if around else ""
    return len(text) < 300 and bool(CHANGED.search(text) or OTHER_DAY.search(text))


def _short_text(block: Block) -> str:
    whole = block.text
    if len(whole) > LONGEST_SHORT or len(block.texts) > 30 or not (DIGITS.search(whole) or len(whole) < SHORTEST_TEXT):
        return ""
    words = " ".join(block.texts).split()
    text = " ".join(words)
    if len(words) > MOST_WORDS:
        # To look for the year first is far faster than to look for the word for a change behind it.
        is_likely = len(text) < 200 and DIGITS.search(" ".join(words[:MOST_WORDS]))
        before = CHANGED.split(text, maxsplit=1)[0] if is_likely else text
        return text if len(before.split()) <= MOST_WORDS and DIGITS.search(before) else ""
    if len(text) < SHORTEST_TEXT and (short := SHORT_YEAR.match(text)):
        text = f"{short[1]}20{short[3]}{text[short.end() :]}"
    return text if len(text) < 200 and DIGITS.search(text) else ""


def _text(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else ""


def _stamp(element: Element) -> str:
    return next((value for name in STAMPS if (value := attribute(element, name))), element.text)
