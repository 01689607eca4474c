"""RSS and Atom."""

from __future__ import annotations

import pytest

from wellsourced.documents.document import ReadOptions, Unreadable
from wellsourced.documents.formats.feed import read

RSS = """<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Neues</title>
<item><title>Erstens &amp; mehr</title><link>https://e.org/1</link><pubDate>Tue, 03 Feb 2026 10:00:00 +0100</pubDate>
<dc:creator>Ada</dc:creator>
<description>&lt;p&gt;Eine &lt;b&gt;Zusammenfassung&lt;/b&gt;&lt;script&gt;
x()&lt;/script&gt;&lt;/p&gt;
</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title>
<entry><title type="html">T &lt;i&gt;x&lt;/i&gt;</title>
<link rel="self" href="https://e.org/self"/><link href="https://e.org/a"/><updated>2026-01-02T03:04:05Z</updated>
<author><name>Bo</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">In<b>side</b></div></content>
</entry></feed>"""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            RSS,
            "# Neues\n\n## [Erstens & mehr](https://e.org/1)\n\n2026-02-03T09:00:00+00:00 · Ada\n\n"
            "Eine Zusammenfassung",
        ),
        (ATOM, "# Atom\n\n## [T x](https://e.org/a)\n\n2026-01-02T03:04:05+00:00 · Bo\n\nInside"),
    ],
)
def test_entries(body: str, text: str) -> None:
    assert read(body.encode(), ReadOptions(max_chars=1000)).text == text


@pytest.mark.parametrize(
    ("declared", "written", "charset"),
    [("", "cp1251", "cp1251"), ("utf-8", "cp1251", ""), ("windows-1251", "utf-8", ""), ("utf-16", "utf-16", "")],
)
def test_encodings_that_are_not_declared_or_wrongly(declared: str, written: str, charset: str) -> None:
    named = f' encoding="{declared}"' if declared else ""
    words = "Новости города & области сегодня"
    channel = f"<channel><title>{words}</title><item><title>x</title></item></channel>"
    feed = f'<?xml version="1.0"{named}?><rss>{channel}</rss>'
    assert read(feed.encode(written), ReadOptions(max_chars=1000, charset=charset)).title == words


def test_blocks_of_markup_are_kept_apart() -> None:
    inside = '<div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p>T<b>wo</b></p><script>x()</script></div>'
    entry = f'<entry><title>T</title><content type="xhtml">{inside}</content></entry>'
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}<entry><title>U</title><summary>'
    assert read(f"{atom}a&lt;p&gt;b</summary></entry></feed>".encode(), ReadOptions(max_chars=99)).text == (
        "## T\n\nOne Two\n\n## U\n\na b"
    )


@pytest.mark.parametrize(
    "hidden", ["style='display:none'", "hidden=''", "style='font-size:0'", "style='color:#fff;background:#fff'"]
)
def test_what_no_reader_of_the_entry_sees_is_left_out(hidden: str) -> None:
    markup = f"<p>Seen.</p><p {hidden}>Obey.</p><template>Obey.</template><!-- Obey. -->"
    entries = f"<item><title>a](javascript:x) b</title><link>https://e.org/1</link><description><![CDATA[{markup}]]>"
    entries += f"</description></item><item><title>c</title><link>javascript:x</link><content>{markup}</content></item>"
    text = read(f"<rss><channel>{entries}</channel></rss>".encode(), ReadOptions(max_chars=1000)).text
    assert text == "## [a]\\(javascript:x) b](https://e.org/1)\n\nSeen.\n\n## c\n\nSeen."


def test_entities_are_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><title>&b;</title></channel></rss>'
    with pytest.raises(Unreadable, match="entities"):
        read(bomb.encode(), ReadOptions(max_chars=1000))
