"""A reply is read as what it is: declared character sets count, and a site in trouble is not a wall."""

from __future__ import annotations

import asyncio

import pytest

from tests.documents import samples
from wellsourced.errors import NetworkFailed
from wellsourced.http_exchange import Reply
from wellsourced.pages.page import Page
from wellsourced.pages.read_reply import read_reply
from wellsourced.sandbox.pool import WorkerPool

URL = "https://site.example/x"
HEADING = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>The harbour</w:t></w:r></w:p>'
HEADED = samples.docx(HEADING + "<w:p><w:r><w:t>Deep.</w:t></w:r></w:p>")
GATEWAY = b"<title>502: Bad gateway</title><div id=cf-error-details><h1>Bad gateway</h1></div>"
FEED = '<?xml version="1.0"?><rss><channel><title>Новости</title></channel></rss>'.encode("koi8-r")


def pages(*replies: Reply) -> list[Page]:
    async def read() -> list[Page]:
        async with WorkerPool(count=1) as workers:
            return [(await read_reply(reply, URL, "stealth", workers, 10**6)).page for reply in replies]

    return asyncio.run(read())


def test_documents_with_what_the_header_and_the_text_say() -> None:
    table, feed, document = pages(
        Reply(200, {"content-type": "text/csv; charset=koi8-r"}, "Имя;Город\nЯ;Уфа".encode("koi8-r"), URL),
        Reply(200, {"content-type": "text/xml; charset=koi8-r"}, FEED, URL),
        Reply(200, {"content-type": "application/octet-stream"}, HEADED, URL),
    )
    assert (table.markdown, table.notes) == ("| Имя | Город |\n| --- | --- |\n| Я | Уфа |", ())
    assert feed.title == "Новости"
    assert document.title == "The harbour"


def test_a_site_in_trouble_is_no_wall() -> None:
    with pytest.raises(NetworkFailed, match="502") as raised:
        pages(Reply(502, {"content-type": "text/html", "retry-after": "30"}, GATEWAY, URL))
    assert raised.value.retry_after == 30
