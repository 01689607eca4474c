"""When a page was published: the page's own date, and none where it does not say."""

from __future__ import annotations

import pytest

from wellsourced.pages.html import blocks, dates, dom, structured_data


@pytest.mark.parametrize(
    ("language", "expected"),
    [("", "2020-05-03"), ("en-US", "2020-05-03"), ("fr", "2020-03-05"), ("en-GB", "2020-03-05")],
)
def test_the_order_of_figures_is_the_language_s(language: str, expected: str) -> None:
    document = dom.parse(f"<html lang='{language}'><body><h1>T</h1><p>05/03/2020</p></body></html>")
    declared = structured_data.read_structured_data(document)
    assert (
        dates.find_published_date(document, declared, "https://e.example/story", blocks.outline(document)) == expected
    )


PAGES = {
    "declared": (
        '<meta property="article:published_time" content="2020-05-03T10:00:00Z">',
        "<h1>T</h1><p>May 9, 2021</p>",
        "",
        "2020-05-03",
    ),
    "microdata": ("", "<time itemprop=datePublished datetime=2020-05-03>x</time>", "", "2020-05-03"),
    "address": ("", "<p>x</p>", "https://e.example/2020/05/03/story", "2020-05-03"),
    "below the heading": ("", "<h1>T</h1><p>Ada, May 3, 2020</p><p>text</p><p>May 9, 2021</p>", "", "2020-05-03"),
    "change is not publication": (
        "",
        "<h1>T</h1><p>Updated May 9, 2021</p><p>Posted May 3, 2020</p>",
        "",
        "2020-05-03",
    ),
    "a label in a block of its own": ("", "<h1>T</h1><p>Release date:</p><p>May 3, 2020</p>", "", ""),
    "a front page": ("", "<h1>T</h1><p>May 3, 2020</p>", "https://e.example/", ""),
    "a range of days": ("", "<h1>T</h1><p>1/27/2020 - 3/24/2020</p>", "", ""),
    "glued to the author": ("", "<h1>T</h1><p><b>May 3, 2020</b><i>Ada</i></p><p>May 9, 2021</p>", "", "2020-05-03"),
    "published before it was changed": ("", "<h1>T</h1><p>3 May 2020 - Updated May 9, 2021</p>", "", "2020-05-03"),
    "the next day in UTC": (
        '<meta property="article:published_time" content="2020-05-04T02:41:41+00:00">',
        "<h1>T</h1><p>May 3, 2020</p>",
        "",
        "2020-05-03",
    ),
    "the day of the last import": (
        '<script type="application/ld+json">{"@type": "Article", "datePublished": "2021-05-09",'
        '"dateModified": "2021-05-09"}</script>',
        "<h1>T</h1><p>by Ada Byron, May 3, 2020</p>",
        "",
        "2020-05-03",
    ),
    "said to be published": (
        '<meta name="date" content="2021-05-09"><meta property="og:updated_time" content="2021-05-09">',
        "<h1>T</h1><p>Text</p><p>Veröffentlicht am 3. Mai 2020</p>",
        "",
        "2020-05-03",
    ),
    "when a system made the page": (
        '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2020-05-03"}</script>', "<p>x</p>",
        "", "",
    ),
    "when the page that shows it was made": (
        '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2020-05-03"}</script>',
        "<p>x</p><footer>May 3, 2020</footer>", "", "2020-05-03",
    ),
    "a thread below the name of its forum": (
        "<title>Which tea is the best - Forum</title>",
        "<h1>Forum</h1><p>Which tea is the best</p><p>Joined: May 9, 2011</p><p>Ada » May 3, 2020 1:47 am</p>", "",
        "2020-05-03",
    ),
    "month in words in the address": ("", "<p>x</p>", "https://e.example/2020/may/03/story", "2020-05-03"),
    "last modified in a footer": ("", "<p>x</p><footer>Last modified <time>2020-05-03</time></footer>", "", ""),
    "modified is not published": ('<meta property="article:modified_time" content="2020-05-03">', "<p>x</p>", "", ""),
    "dates of other things": ("", "<p>On May 3, 2020</p><p>On May 4, 2020</p>", "", ""),
    "a numbered page": ("", "<h1>T</h1><p>May 3, 2020</p>", "https://e.example/?p=959", "2020-05-03"),
    "the address of an imported page": (
        '<meta property="article:published_time" content="2021-05-09">', "<p>x</p>",
        "https://e.example/blog/2020/5/3/story", "2020-05-03",
    ),
    "the same moment in the page's zone": (
        '<meta property="article:published_time" content="2020-05-03T23:25:38+00:00">',
        "<h1>T</h1><p>Nov 4, 2011</p><time datetime='2020-05-04T04:25:38+0500'>x</time>", "", "2020-05-04",
    ),
    "the same minute on the page's clock": (
        '<script type="application/ld+json">{"@type": "DiscussionForumPosting", "datePublished": "2020-05-04 03:05:48"}'
        "</script>", "<p>x</p><p>May 3, 2020 | 9:05 pm</p><p>May 4, 2020 | 12:41 am</p>", "", "2020-05-03",
    ),
    "an article by another name": (
        '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2020-05-03", "headline": "T",'
        '"author": {"name": "Ada"}}</script>', "<p>x</p>", "", "2020-05-03",
    ),
    "figures in the order of another place": (
        '<link href="/feed?day=2020-05-03">', "<h1>T</h1><time datetime='03-05-2020'>03-05-2020</time>", "",
        "2020-05-03",
    ),
    "an element of the site's own": ("", "<faceplate-timeago ts='2020-05-03T09:47:05+0000'>x</faceplate-timeago>", "",
        "2020-05-03",
    ),
    "in the words of another vocabulary": (
        "", "<span property='dc:date dc:created' content='2020-05-03T10:00:00+02:00'>x</span>", "", "2020-05-03",
    ),
    "a report's first words": (
        "", f"<h1>T</h1><p>London, 3 May 2020 – {'Many words of a report ' * 9} of May 9, 2021.</p>", "", "2020-05-03",
    ),
    "the heading most like the title": (
        "<title>Mules carry tea over the pass | Roads</title>",
        "<h1>Roads for all</h1><p>May 9, 2011</p>" + "<p>x</p>" * 12
        + "<h1>Mules carry tea over the pass Subscribers</h1><p>May 3, 2020</p>", "", "2020-05-03",
    ),
    "the opening post": ("", "<h1>T</h1><p>#2 2020-05-09 06:23</p><p>#1 2020-05-03 15:14</p>", "", "2020-05-03"),
    "a short month between strokes": ("", "<h1>T</h1><p>By Ada on 03-may-2020 5:11</p>", "", "2020-05-03"),
    "data of a script": (
        '<script>{"page":{"publishedAt":"2020-05-03T10:00:00Z"}}</script>', "<h1>T</h1><p>x</p>", "", "2020-05-03",
    ),
    "data of several pages": (
        '<script>{"a":{"publishedAt":"2020-05-03"},"b":{"publishedAt":"2020-05-09"}}</script>', "<p>x</p>", "", "",
    ),
    "running text": ("", f"<p>{'many words of running text ' * 5} on May 3, 2020.</p>", "", ""),
}  # fmt: skip


@pytest.mark.parametrize(("head", "body", "url", "expected"), PAGES.values(), ids=PAGES)
def test_published(head: str, body: str, url: str, expected: str) -> None:
    document = dom.parse(f"<head>{head}</head><body>{body}</body>")
    declared = structured_data.read_structured_data(document)
    address, outline = url or "https://e.example/story", blocks.outline(document)
    assert dates.find_published_date(document, declared, address, outline, head) == expected


# What stands below a headline that was published on 3 May 2020, in the words of each language.
SAID = (
    "de|03.05.20", "de|Stand: 03.05.2020, 14:05 Uhr", "de|Aktualisiert: 9. Mai 2021 - Veröffentlicht: 3. Mai 2020",
    "fr|Publié le dimanche 3 mai 2020 à 10h15, mis à jour le 9 mai 2021",
    "fr|Mis à jour le 09/05/2021 à 10:11 - Publié le 03/05/2020 à 09:11",
    "es|Actualizado a 09/05/2021 10:00. Publicado: 03/05/2020", "pt-BR|03/05/2020 às 10h11 - Atualizado em 09/05/2021",
    "nl|Geplaatst op zondag 3 mei 2020", "no|Publisert 3. mai 2020 kl. 10:11. Oppdatert 9. mai 2021",
    "fi|Julkaistu 3.5.2020 klo 10.11", "pl|aktualizacja: 09.05.2021, opublikowano: 03.05.2020", "cs|Neděle, 3. 5. 2020",
    "hu|2020. május 3., vasárnap 10:11", "ru|03 мая 2020 г., обновлено 9 мая 2021", "uk|3 травня 2020 р.",
    "tr|Son güncelleme: 09.05.2021 Giriş tarihi: 03.05.2020", "el|Κυριακή, 3 Μαΐου 2020", "he|פורסם: 03.05.20",
    "ja|更新日：2021.05.09 公開日：2020.05.03", "zh|发布时间：2020-05-03 10:11:12 来源：新华网",
    "ko|입력 2020.05.03 10:11 수정 2021.05.09", "en|Updated 9 May 2021, first published 3 May 2020", "en|5/3/20",
    "en|Sunday 3 May 2020 10.15 BST Last modified on Mon 4 May 2020 11.00 BST",
)  # fmt: skip


@pytest.mark.parametrize("said", SAID)
def test_dates_in_the_words_of_their_language(said: str) -> None:
    language, _, text = said.partition("|")
    body = f"<h1>Tea over the pass</h1><div>{text}</div><p>{'Many words of a report. ' * 9}</p>"
    document = dom.parse(f"<html lang={language}><body>{body}</body></html>")
    declared = structured_data.read_structured_data(document)
    url, outline = "https://e.example/story", blocks.outline(document)
    assert dates.find_published_date(document, declared, url, outline) == "2020-05-03"


@pytest.mark.parametrize("text", ["14.11.12 Conditions", "Version 1.2.20", "Update note: published 2017, see below"])
def test_figures_that_are_no_dates(text: str) -> None:
    document = dom.parse(f"<h1>Tea over the pass</h1><div>{text}</div>")
    declared = structured_data.read_structured_data(document)
    assert not dates.find_published_date(document, declared, "https://e.example/story", blocks.outline(document))
