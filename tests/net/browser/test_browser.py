"""The headless browser: a real Chromium on pages of a loopback server, some of which mean harm."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import zlib
from pathlib import Path

import pytest

from tests.net.browser.browsing import Web, attack, browse
from tests.net.loopback import MEBIBYTE, endless, say
from tests.net.loopback_guard import SITE, LoopbackGuard
from tests.net.test_client import write_self_signed
from wellsourced.errors import BrowserUnavailable, NetworkFailed, Refused, TimeLimit
from wellsourced.net.browser.browser import Browser
from wellsourced.net.browser.render import RenderedPage
from wellsourced.net.failure_messages import ResponseTooLarge

ABOUT_ITSELF = """<!doctype html><title>Grüße, 世界</title><p id=p>before</p><script>
setTimeout(async () => {
  const answer = await (await fetch('/late')).text();
  document.getElementById('p').textContent = ['after', answer, navigator.userAgent, navigator.webdriver, screen.width,
    innerWidth, innerHeight, String(window.open('/popup')), typeof navigator.serviceWorker, '\\ud83d'].join('|');
}, 200);
alert('stay'); confirm('stay'); prompt('stay');
</script><img src="/picture.png"><link rel=stylesheet href="/style.css">
<style>@font-face{font-family:f;src:url(/font.woff2)} body{font-family:f}</style><video src="/film.mp4"></video>"""


def test_scripts_run_and_the_browser_looks_like_one(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        assert not browser.is_running
        rendered = await browser.render(web.page("/self", ABOUT_ITSELF))
        assert (rendered.url, rendered.status, rendered.title) == (web.url("/self"), 200, "Grüße, 世界")
        assert rendered.refused == ()
        words = rendered.html.partition('<p id="p">')[2].partition("</p>")[0].split("|")
        agent = words.pop(2)
        assert words == ["after", "hello", "false", "1920", "1920", "1080", "null", "undefined", words[-1]]
        assert words[-1].encode()  # half a character in the page is none in the answer
        assert " Chrome/" in agent
        assert "Headless" not in agent
        heard = {entry.line.split()[1]: entry.headers for entry in web.site.heard}
        assert heard["/self"]["user-agent"] == agent
        assert "/style.css" in heard
        assert not {"/picture.png", "/font.woff2", "/film.mp4", "/popup"} & set(heard)
        assert not any("proxy" in name for headers in heard.values() for name in headers)

    browse(chromium, folder, scenario)


def test_the_status_and_the_way_there_are_told(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        missing = await browser.render(web.page("/missing", "<h1>Not here</h1>", status=404))
        assert (missing.status, "Not here" in missing.html) == (404, True)
        web.site.redirect("/old", "/new#part")
        web.page("/new", "<script>location = '/newer'</script>")
        web.page("/newer", '<meta http-equiv=refresh content="0;url=/newest">')
        web.page("/newest", "<h1>Arrived</h1>", status=203)
        moved = await browser.render(web.url("/old"))
        assert (moved.url, moved.status) == (web.url("/newest"), 203)
        assert "Arrived" in moved.html
        with pytest.raises(NetworkFailed, match="not a page that a browser shows"):
            await browser.render(web.page("/file", "x" * 100, "Content-Disposition: attachment; filename=a.bin"))
        with pytest.raises(NetworkFailed, match="closed the connection"):
            await browser.render(web.url("/reset"))
        assert (await browser.render(web.page("/locked", "no", "WWW-Authenticate: Basic", status=401))).status == 401

    browse(chromium, folder, scenario)


def test_https_goes_through_the_proxy_and_its_certificates_are_checked(
    chromium: str, folder: Path, tmp_path: Path
) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    write_self_signed(certificate, key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def scenario(browser: Browser, web: Web) -> None:
        listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
        port = listener.sockets[0].getsockname()[1]
        own = Browser(LoopbackGuard(port), chrome_path=chromium, idle_seconds=60)
        with pytest.raises(NetworkFailed, match="certificate that cannot be trusted"):
            await own.render(f"https://{SITE}:{port}/")
        with pytest.raises(NetworkFailed, match=r"nobody\.test"):
            await own.render("https://nobody.test/")
        await own.close()
        listener.close()

    browse(chromium, folder, scenario)


def test_a_page_gets_nowhere_it_may_not_go_and_its_tries_are_told(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        tries = attack(web)
        listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listening.bind(("127.0.0.1", 0))
        listening.setblocking(False)
        webrtc = f"""<script>const peer = new RTCPeerConnection({{iceServers: [
            {{urls: 'stun:127.0.0.1:{listening.getsockname()[1]}'}}]}});
            peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer));</script>"""
        file = "<iframe src='file:///etc/passwd'></iframe><script>fetch('file:///etc/passwd').catch(() => 0)</script>"
        rendered = await browser.render(
            web.page("/attack", "".join(tries.values()) + webrtc + file + "<p>end"), settle=3
        )
        assert "<p>end" in rendered.html
        assert {attempt.host for attempt in rendered.refused} == set(tries)
        assert all(attempt.reason.startswith("URL rejected for ") for attempt in rendered.refused)
        with pytest.raises(BlockingIOError):
            listening.recv(1)
        listening.close()
        again = await browser.render(web.page("/harmless", "<p>harmless"))
        assert again.refused == ()

    browse(chromium, folder, scenario)


def test_nothing_that_is_fetched_ahead_passes_the_guard(chromium: str, folder: Path) -> None:
    """Speculation rules, link hints and workers: what a browser fetches without the page asking in so many words."""

    async def scenario(browser: Browser, web: Web) -> None:
        hosts = ("127.0.0.1", "localhost", "[::1]", "127.0.0.2", "inner.test")
        places = [f"http://{host}:{web.forbidden.port}/" for host in hosts]
        rules = [{"source": "list", "urls": [web.url("/ahead"), *places], "eagerness": "immediate"}]
        speculation = json.dumps({"prefetch": rules, "prerender": rules})
        hints = "".join(
            f"<link rel='{kind}' href='{place}{kind}'>"
            for kind in ("prefetch", "preload", "preconnect", "dns-prefetch", "modulepreload", "prerender", "manifest")
            for place in places
        )
        sockets = "".join(
            f"try {{ new WebSocket('{place.replace('http', 'ws')}') }} catch (e) {{}};" for place in places
        )
        worker = f"<script>new Worker(URL.createObjectURL(new Blob([`{sockets}`])))</script>"
        allowed = f"<link rel=prefetch href='{web.url('/hinted')}'>"
        web.page("/ahead", "<p>ahead")
        web.page("/hinted", "<p>hinted")
        markup = f"{allowed}{hints}<script type=speculationrules>{speculation}</script>{worker}<p>end"
        rendered = await browser.render(web.page("/speculating", markup), settle=3)
        assert "<p>end" in rendered.html and web.forbidden.connections == 0
        assert any("/hinted" in request.line for request in web.site.heard), "the browser does fetch ahead where it may"

    browse(chromium, folder, scenario)


def test_a_page_that_wants_to_leave_for_a_private_place_stays(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        attack(web)
        inner = f"http://127.0.0.1:{web.forbidden.port}/"
        ways = {
            "/script": f"<h1>Here</h1><script>location = '{inner}'</script>",
            "/meta": f"<meta http-equiv=refresh content='0;url={inner}'><h1>Here</h1>",
            "/twice": "<h1>Here</h1><script>location = '/to-loopback'</script>",
        }
        for path, html in ways.items():
            rendered = await browser.render(web.page(path, html))
            assert (rendered.url, "Here" in rendered.html) == (web.url(path), True), path
            assert [attempt.host for attempt in rendered.refused] == [f"127.0.0.1:{web.forbidden.port}"], path
        for scheme in (
            "file:///etc/passwd",
            "chrome://version",
            "view-source:http://a",
            "data:text/html,x",
            "about:blank",
        ):
            stayed = await browser.render(web.page("/scheme", f"<h1>Here</h1><script>location = '{scheme}'</script>"))
            assert "Here" in stayed.html or stayed.url == "about:blank", scheme
            with pytest.raises(Refused):
                await browser.render(scheme)
        for path, mark in (("/to-loopback", "loopback"), ("/to-metadata", "metadata")):
            with pytest.raises(Refused, match=mark) as caught:
                await browser.render(web.url(path))
            assert web.url(path) in str(caught.value.detail)

    browse(chromium, folder, scenario)


def test_the_first_address_is_refused_without_a_browser(folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        for url in (web.forbidden.url("/"), "http://inner.test/", "file:///etc/passwd", "nonsense"):
            with pytest.raises(Refused):
                await browser.render(url)
        assert not browser.is_running

    browse("disabled", folder, scenario)


def test_two_pages_at_once_and_the_third_waits(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        at_once, most = 0, 0
        both = asyncio.Event()

        async def slow(writer: asyncio.StreamWriter) -> None:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            if at_once == 2:
                both.set()
            await both.wait()
            await asyncio.sleep(1)
            at_once -= 1
            await say(writer, b"<p>slow", "Content-Type: text/html", "Set-Cookie: who=me; Max-Age=9999")

        web.site.routes["/slow"] = slow
        pages = await asyncio.gather(*(browser.render(web.url(f"/slow?{n}")) for n in range(3)))
        assert [page.url for page in pages] == [web.url(f"/slow?{n}") for n in range(3)]
        assert most == 2
        assert not any("cookie" in entry.headers for entry in web.site.heard if "/slow" in entry.line)
        outcomes = await asyncio.gather(
            *(browser.render(web.url("/slow"), timeout=60 if n < 2 else 0.2) for n in range(3)), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [RenderedPage, RenderedPage, TimeLimit]

    browse(chromium, folder, scenario)


async def bomb(writer: asyncio.StreamWriter) -> None:
    """A page of less than a tenth of a megabyte that unfolds to sixty."""
    squeeze = zlib.compressobj(1, zlib.DEFLATED, 31)
    body = b"".join(squeeze.compress(b"x" * MEBIBYTE) for _ in range(60)) + squeeze.flush()
    await say(writer, body, "Content-Type: text/html", "Content-Encoding: gzip")


ENDLESS = {
    "/endless": (NetworkFailed, "beyond|more than|within"),
    "/bomb": (ResponseTooLarge, "is more than the 10,485,760 bytes"),
    "/drip": (NetworkFailed, "within 2 seconds"),
    "/loop": (NetworkFailed, "within 2 seconds"),
    "/growing": (ResponseTooLarge, "grew beyond"),
    "/hoard": (BrowserUnavailable, "crash"),
}


def test_pages_without_end_end_in_time(chromium: str, folder: Path) -> None:
    async def scenario(browser: Browser, web: Web) -> None:
        web.site.routes |= {"/endless": endless, "/bomb": bomb}
        web.page("/loop", "<p>x<script>for (;;);</script>")
        web.page("/growing", "<p id=p><script>document.getElementById('p').textContent = 'x'.repeat(1.1e7)</script>")
        web.page("/hoard", "<script>const hoard = []; for (;;) hoard.push(new Array(1e6).fill(0.5))</script>")
        for path, (kind, words) in ENDLESS.items():
            with pytest.raises(kind, match=words):
                await browser.render(web.url(path), timeout=2 if kind is NetworkFailed else 60)
        assert "still" in (await browser.render(web.page("/still", "<p>still"))).html

    browse(chromium, folder, scenario)
