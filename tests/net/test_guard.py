"""The guard, against every hostile URL on record and against names that lie."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import can_ada
import pytest

from wellsourced.errors import NetworkFailed, Refused
from wellsourced.net.guard import CACHE_SIZE, AddressGuard, CheckedTarget, system_resolve
from wellsourced.text.urls import display_url, require_web_url

PUBLIC_ANSWER = "93.184.215.14"


class LifelikeNames:
    """Answers as the real DNS does for the names in the lists, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        bare = host.rstrip(".")
        if bare.endswith("localtest.me"):
            return ["127.0.0.1", "::1"]
        for wildcard in (".nip.io", ".xip.io", ".sslip.io"):
            if bare.endswith(wildcard):
                return [".".join(bare.removesuffix(wildcard).split(".")[-4:])]
        if "." not in bare:
            raise socket.gaierror(-2, "Name or service not known")
        return [PUBLIC_ANSWER]


def check(url: str, guard: AddressGuard | None = None) -> CheckedTarget:
    return asyncio.run((guard or AddressGuard(resolve=LifelikeNames())).check(url))


def hostile_lines(folder: Path) -> list[str]:
    lines = []
    for file in sorted(folder.rglob("*.txt")):
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("#"):
                continue
            lines += [line, line.replace(r"\t", "\t").replace(r"\n", "\n")]
    return lines


def outcome(line: str, names: LifelikeNames) -> CheckedTarget | Refused | NetworkFailed:
    try:
        return check(line, AddressGuard(resolve=names))
    except (Refused, NetworkFailed) as problem:
        return problem


def test_no_hostile_url_on_record_reaches_anything_but_a_public_address(shared: Path) -> None:
    lines = hostile_lines(shared / "hostile" / "ssrf")
    kinds: Counter[str] = Counter()
    for line in lines:
        names = LifelikeNames()
        result = outcome(line, names)
        kinds[type(result).__name__] += 1
        if isinstance(result, Refused):
            assert result.sentence.startswith("URL rejected for ")
        elif isinstance(result, NetworkFailed):
            assert "." not in names.asked[0].rstrip(".")
        else:
            assert_public(result, line, names)
    assert kinds["Refused"] > 550
    assert kinds["CheckedTarget"] > 100
    assert kinds["NetworkFailed"] < 10


def assert_public(target: CheckedTarget, line: str, names: LifelikeNames) -> None:
    assert target.host == can_ada.parse(line).hostname
    if names.asked:
        assert names.asked == [target.host]
        assert [str(address) for address in target.addresses] == [PUBLIC_ANSWER]
    else:
        (literal,) = target.addresses
        assert target.host.strip("[]") == str(literal)
        assert (getattr(literal, "ipv4_mapped", None) or literal).is_global


REFUSED = {
    "http://127.0.0.1/": "127.0.0.1 is a loopback address. Provide a valid public http(s) URL.",
    "http://2130706433/": "127.0.0.1 is a loopback",
    "http://0x7f.1/": "127.0.0.1 is a loopback",
    "http://0177.0.0.1/": "127.0.0.1 is a loopback",
    "http://①②⑦.⓪.⓪.①/": "127.0.0.1 is a loopback",
    "http://127。0。0。1/": "127.0.0.1 is a loopback",
    "http://%31%32%37.0.0.1/": "127.0.0.1 is a loopback",
    "http:\\\\127.0.0.1\\": "127.0.0.1 is a loopback",
    "\thttp://127.\t0.0.1\n": "127.0.0.1 is a loopback",
    "http://0/": "this very machine",
    "http://[::ffff:7f00:1]/": "127.0.0.1, a loopback",
    "http://[64:ff9b::a9fe:a9fe]/": "169.254.169.254, a cloud metadata",
    "http://127.0.0.1.nip.io/": "127.0.0.1.nip.io leads to 127.0.0.1, which is a loopback",
    "http://169.254.169.254.nip.io/": "a cloud metadata address",
    "http://localtest.me/": "leads to 127.0.0.1",
    "http://LOCALHOST./": "private network",
    "http://loc%61lhost:8080/": "private network",
    "http://x.localhost/": "private network",
    "http://router.home.arpa/": "private network",
    "http://db.internal/": "private network",
    "http://nas.local/": "private network",
    "http://Metadata.Google.Internal./": "metadata",
    "http://kubernetes.default.svc/": "metadata",
    "http://a..b/": "not a name that can exist",
    "http://..../": "names no host",
    "http://" + "a" * 64 + ".com/": "not a name that can exist",
    "http://example.org:25/": "port 25",
    "http://example.org:0/": "port 0",
    "http://[fe80::1%25eth0]/": "well-formed",
    "http://example.org:65536/": "well-formed",
    "http://\ud800.example/": "well-formed",
    "//example.org/": "well-formed",
    "example.org": "well-formed",
    "": "well-formed",
    "http://": "well-formed",
    "file:///etc/passwd": "file: addresses are not fetched",
    "javascript:alert(1)": "javascript: addresses",
    "blob:http://127.0.0.1/x": "blob: addresses",
    "http://example.org/" + "a" * 20_000: "longer than",
}


@pytest.mark.parametrize(("url", "words"), REFUSED.items(), ids=lambda value: ascii(value)[:40])
def test_the_reason_of_a_refusal_is_told(url: str, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        check(url)
    assert words in refusal.value.sentence
    assert len(refusal.value.sentence) < 500
    assert "\n" not in refusal.value.sentence


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@example.org/",
        "https://hunter2@example.org/",
        "ftp://u:hunter2@example.org/",
        "https://u:hunter2@exa mple/@x",
        "http://u:" + "hunter2" * 200 + "@[bad/",
    ],
)
def test_passwords_in_urls_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(Refused) as refusal:
        check(url)
    assert "hunter2" not in refusal.value.sentence


def test_one_bad_address_among_good_ones_refuses_all() -> None:
    async def mixed(host: str, port: int) -> Sequence[str]:
        return ["93.184.215.14", "2606:4700::1", "10.0.0.7"]

    with pytest.raises(Refused, match=r"leads to 10\.0\.0\.7"):
        check("https://mixed.example/", AddressGuard(resolve=mixed))


def test_a_public_url_is_normalised_and_pinned() -> None:
    target = check("HTTPS://Bücher.Example:8443/ä?q=ü#ö")
    assert target.url == "https://xn--bcher-kva.example:8443/%C3%A4?q=%C3%BC#%C3%B6"
    assert (target.scheme, target.host, target.port) == ("https", "xn--bcher-kva.example", 8443)
    assert target.addresses == (ip_address(PUBLIC_ANSWER),)
    assert check("http://example.org").port == 80


def test_allowing_private_addresses_never_opens_metadata() -> None:
    guard = AddressGuard(allow_private=True, resolve=LifelikeNames())
    assert check("http://127.0.0.1:8000/", guard).port == 8000
    assert check("http://printer.local/", guard).host == "printer.local"
    for url in (
        "http://169.254.169.254/",
        "http://[::ffff:169.254.169.254]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://169.254.169.254.nip.io/",
        "http://metadata.google.internal/",
        "http://x.svc.cluster.local/",
        "http://168.63.129.16/",
    ):
        for attempt in (guard.check(url), guard.check_trusted(url)):
            with pytest.raises(Refused, match="metadata"):
                asyncio.run(attempt)


def test_an_operators_address_may_be_private_where_pages_may_not() -> None:
    guard = AddressGuard(allowed_domains=["example.org"], resolve=LifelikeNames())
    assert asyncio.run(guard.check_trusted("http://127.0.0.1:9999/search")).port == 9999
    with pytest.raises(Refused):
        check("http://127.0.0.1:9999/search", guard)
    with pytest.raises(Refused, match="user name or password"):
        asyncio.run(guard.check_trusted("http://me:pw@127.0.0.1/"))


def test_allowed_domains_are_bounded_by_dots() -> None:
    guard = AddressGuard(allowed_domains=["*.Example.org", "https://bücher.example/x"], resolve=LifelikeNames())
    for url in ("https://example.org/", "https://a.b.example.org./", "https://bücher.example"):
        check(url, guard)
    for url in ("https://notexample.org/", "https://example.org.evil.net/", "https://evil.net/?example.org"):
        with pytest.raises(Refused, match="allowed domains"):
            check(url, guard)


def test_a_name_nobody_knows_is_a_network_failure() -> None:
    with pytest.raises(NetworkFailed, match="No server is known by the name nosuchhost"):
        check("http://nosuchhost/")

    async def silent(host: str, port: int) -> Sequence[str]:
        raise TimeoutError

    with pytest.raises(NetworkFailed, match="in time"):
        check("http://slow.example/", AddressGuard(resolve=silent))


def test_answers_are_remembered_for_a_while_and_not_without_bound() -> None:
    now, names = [0.0], LifelikeNames()
    guard = AddressGuard(resolve=names, clock=lambda: now[0])

    async def visit() -> None:
        await guard.check("https://a.example/1")
        await guard.check("https://a.example/2")
        assert names.asked == ["a.example"]
        now[0] = 31
        await guard.check("https://a.example/3")
        assert names.asked == ["a.example"] * 2
        for number in range(CACHE_SIZE + 10):
            await guard.check(f"https://n{number}.example/")
        names.asked.clear()
        await guard.check("https://a.example/4")
        await guard.check(f"https://n{CACHE_SIZE}.example/")
        assert names.asked == ["a.example"]

    asyncio.run(visit())


def test_the_systems_resolver_answers_with_addresses() -> None:
    answers = asyncio.run(system_resolve("localhost", 80))
    assert all(ip_address(answer).is_loopback for answer in answers)


def test_urls_are_shown_short_and_on_one_line() -> None:
    assert display_url("https://medium.com/@someone") == "https://medium.com/@someone"
    assert display_url("a\r\nb\u202e") == "a��b�"
    assert len(display_url("日" * 5000)) == 201
    assert require_web_url("https://example.org/@x").href == "https://example.org/@x"
