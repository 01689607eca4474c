"""A brand from its own pages, over real ones and over sites that do what sites do."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.loopback.run import Internet
from tests.net.browsing import chromium
from tests.research.brand_sites import Served, Sites, moved, study, with_brand
from wellsourced.desk import Desk
from wellsourced.errors import AuthRequired, BadInput, Blocked, NetworkFailed, NotFound
from wellsourced.model.brand import BrandQuestion, BrandStudy, Font, Logo
from wellsourced.research.branding.brand import Brand
from wellsourced.research.branding.brand_site import site_of
from wellsourced.research.trace import Trace
from wellsourced.tools.brand_research import output

__all__ = ["chromium"]

TEXT = "<p>" + "Acme makes anvils for people who need them to be heavy and on time. " * 12 + "</p>"
HOME = (
    "<html lang=en><head><title>Acme – anvils</title><meta property=og:site_name content=Acme>"
    "<meta name=theme-color content='#E3120B'><link rel=apple-touch-icon sizes=180x180 href=/touch.png>"
    f"<script type=application/ld+json>{json.dumps({'@type': 'Organization', 'name': 'Acme', 'logo': '/logo.svg'})}"
    f"</script></head><body><h1>Anvils</h1>{TEXT}</body></html>"
)
GUIDE = (
    "<html><head><title>Acme brand guidelines</title><style>body{font-family:Georgia}</style></head><body>"
    f"<h1>Brand guidelines</h1>{TEXT}<h2>Colours</h2><h3>Primary</h3>"
    "<div><b>Anvil Red</b><br>#E3120B</div><h3>Secondary</h3><div><b>Iron</b><br>#333A40</div>"
    "<div><b>Spark</b><br>#FFB400</div><h2>Typography</h2><p>Heading font: Forge Sans</p>"
    "<h2>Voice and tone</h2><p>Heavy but never loud, like a good tool.</p></body></html>"
)
JSON = {"Content-Type": "application/manifest+json"}
PDF = {"Content-Type": "application/pdf"}
LOGIN = (
    "<html><head><title>Sign in</title><meta name=robots content=noindex></head><body><h1>Sign in</h1>"
    "<form action=/login><input name=u><input type=password name=p></form></body></html>"
)


@dataclass(frozen=True)
class Recorded:
    """A recorded page as somebody's homepage: what a person finds on it."""

    file: str
    domain: str
    name: str
    fields: str
    primary: str = ""
    extra: dict[str, str] = field(default_factory=dict)


LOGOS = "logos.primary logos.icon logos.favicon"
RECORDED = [
    Recorded(
        "aclu", "aclu.org", "American Civil Liberties Union",
        f"{LOGOS} logos.og_image identity.location social.facebook social.twitter social.youtube colors.primary",
        "#EF404D",
    ),
    Recorded("bluecadet-home", "bluecadet.com", "Bluecadet", f"{LOGOS} social.instagram social.linkedin"),
    Recorded(
        "economist-thinking", "economist.com", "The Economist",
        f"{LOGOS} logos.og_image colors.primary social.facebook social.instagram social.twitter social.linkedin"
        " social.youtube",
        "#E3120B",
    ),
    Recorded(
        "elemento-home", "elemento.cloud", "Elemento",
        f"{LOGOS} logos.og_image identity.founded identity.location colors.primary colors.background colors.text"
        " typography.heading typography.body typography.google_fonts_url social.linkedin social.github"
        " social.facebook social.instagram",
        "#FFA600",
    ),
    Recorded(
        "kikobeats-home", "kikobeats.com", "kikobeats",
        f"{LOGOS} social.twitter social.linkedin social.github identity.description",
    ),
    Recorded(
        "lean-data-home", "leandatainc.com", "LeanData",
        f"{LOGOS} logos.og_image social.facebook social.twitter social.linkedin",
    ),
    Recorded("liuedu-logo-favicon", "liu.edu", "", ""),
    Recorded(
        "sass-datentechnik-home", "sass-ag.de", "SASS DATENTECHNIK AG",
        f"{LOGOS} identity.description social.facebook social.linkedin social.youtube social.instagram",
    ),
    Recorded("segment-home", "segment.com", "Segment Blog", "logos.og_image identity.description"),
    Recorded("the-register", "theregister.com", "The Register", f"{LOGOS} colors.primary", "#FF0000"),
    Recorded("transistor-home", "transistor.fm", "", "logos.icon logos.favicon"),
]  # fmt: skip


@pytest.mark.parametrize("page", RECORDED, ids=lambda page: page.file)
def test_recorded_homepages_tell_what_is_on_them_and_nothing_else(
    quiet_environment: dict[str, str], shared: Path, page: Recorded
) -> None:
    body = (shared / "pages" / "brand" / f"{page.file}.html").read_bytes()
    with Sites({f"{page.domain}/": body}) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url(f"{page.domain}/"), depth="quick"))
    values = found.profile.values
    told = {name for name in values if name not in {"identity.name", "identity.description", "typography.scale"}}
    expected = set(page.fields.split())
    assert told == expected - {"identity.description"}
    assert expected <= set(values)
    assert values.get("identity.name", "") == page.name
    assert values.get("colors.primary", "") == page.primary
    assert_nothing_invented(found, body.decode("utf-8", "replace"))
    assert sites.asked == [("GET", f"{page.domain}/")] or sites.asked[1][1].endswith(("json", "webmanifest"))


def assert_nothing_invented(found: BrandStudy, served: str) -> None:
    """Every colour, font and address of the answer stands in what was served."""
    small = served.replace("\\/", "/").replace("&amp;", "&").casefold()
    for colour in found.profile.palette:
        assert colour.hex.casefold() in small or "rgb" in small or colour.hex in {"#FFFFFF", "#000000"}, colour
        assert colour.name.casefold() in small
    for name, value in found.profile.values.items():
        if isinstance(value, Font):
            assert value.family.casefold() in small.replace("+", " "), value
        elif isinstance(value, Logo) or str(value).startswith("http"):
            address = value.url if isinstance(value, Logo) else str(value)
            assert urlsplit(address).path.strip("/").casefold() in small, (name, address)
    known = {name for each in found.profile.contributions for name in each.fields}
    assert known == set(found.profile.values) | ({"colors.palette"} if found.profile.palette else set())


def test_a_recorded_guidelines_page_is_found_and_read(quiet_environment: dict[str, str], shared: Path) -> None:
    folder = shared / "pages" / "brand"
    home, guide = (folder / "elemento-home.html").read_bytes(), (folder / "elemento-brand-guidelines.html").read_bytes()
    manifest = (folder / "elemento-site.webmanifest").read_bytes()
    pages: dict[str, Served | str | bytes] = {
        "elemento.cloud/": home,
        "elemento.cloud/brand-guidelines": moved("elemento.cloud/brand-guidelines.html"),
        "elemento.cloud/brand-guidelines.html": guide,
        "elemento.cloud/assets/favicon/site.webmanifest": Served(
            manifest, headers={"Content-Type": "application/json"}
        ),
        "elemento.cloud/press": moved("elemento.cloud/"),
    }
    with Sites(pages) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("elemento.cloud/")))
        assert found.guidelines_url == sites.url("elemento.cloud/brand-guidelines.html")
    assert sites.fetched("elemento.cloud/") == 1
    assert len([method for method, _ in sites.asked if method == "HEAD"]) >= 21
    palette = {colour.hex: (colour.name, colour.role) for colour in found.profile.palette}
    assert len(palette) >= 12
    assert palette["#FFA600"] == ("Starter Yellow", "primary")
    assert palette["#16161D"] == ("Void Black", "primary")
    assert palette["#EF4056"] == ("", "secondary")
    families = {name: value.family for name, value in found.profile.values.items() if isinstance(value, Font)}
    assert families == {
        "typography.heading": "Red Hat Display",
        "typography.body": "Red Hat Text",
        "typography.mono": "Red Hat Mono",
    }
    assert found.profile.coverage == {"colors": "full", "logos": "full", "typography": "full", "tone_of_voice": "none"}
    assert_nothing_invented(found, (home + guide + manifest).decode())


ACME = {"acme.example/": HOME}
PORTALS: list[tuple[str, dict[str, Served | str | bytes], str]] = [
    ("a path", {"acme.example/brand": GUIDE}, "acme.example/brand"),
    ("a subdomain before a path", {"acme.example/brand": GUIDE, "brand.acme.example/": GUIDE + "!"},
     "brand.acme.example/"),
    ("led to a page below", {"acme.example/press": moved("acme.example/en/press"), "acme.example/en/press": GUIDE},
     "acme.example/en/press"),
    ("a server without HEAD", {"acme.example/brandbook": Served(GUIDE.encode(), knows_head=False)},
     "acme.example/brandbook"),
    ("linked from the homepage", {
        "acme.example/": HOME.replace("</body>", "<a href=/company/look>Brand guidelines</a></body>"),
        "acme.example/company/look": GUIDE}, "acme.example/company/look"),
    ("www", {"acme.example/": moved("www.acme.example/"), "www.acme.example/": HOME,
             "www.acme.example/brand": GUIDE}, "www.acme.example/brand"),
    ("its own portal elsewhere", {"brand.acme.example/": moved("acme.frontify.com/d/1"),
                                  "acme.frontify.com/d/1": GUIDE}, "acme.frontify.com/d/1"),
    ("led home", {"acme.example/brand": moved("acme.example/")}, ""),
    ("led home in a language", {"acme.example/brand": moved("acme.example/en/"), "acme.example/en/": HOME + "!"}, ""),
    ("led to another site", {"acme.example/brand": moved("other.example/brand"), "other.example/brand": GUIDE}, ""),
    ("another's portal", {"acme.example/brand": moved("rival.frontify.com/d/1"), "rival.frontify.com/d/1": GUIDE}, ""),
    ("a subdomain that is the homepage", {"press.acme.example/": HOME}, ""),
    ("the homepage for every path", {f"acme.example/{path}": HOME for path in ("brand", "press", "design")}, ""),
    ("a page on something else", {"acme.example/media": f"<title>Our hedge</title><h1>Hedges</h1>{TEXT}"}, ""),
    ("a missing page with status 200", {
        "acme.example/brand": "<title>Page not found</title><h1>Page not found</h1><p>Sorry. Brand guidelines"}, ""),
    ("a login", {"acme.example/brand": LOGIN}, ""),
    ("a brochure", {"acme.example/brand": Served(b"%PDF-1.4 brand guidelines", headers=PDF)}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("pages", "expected"), [case[1:] for case in PORTALS], ids=[case[0] for case in PORTALS])
def test_guidelines_are_where_they_are_and_nowhere_else(
    quiet_environment: dict[str, str], pages: dict[str, Served | str | bytes], expected: str
) -> None:
    with Sites({**ACME, **pages}) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
        assert found.guidelines_url == (sites.url(expected) if expected else "")
    if expected:
        assert [colour.name for colour in found.profile.palette] == ["Anvil Red", "Iron", "Spark"]
        assert found.profile.values["typography.heading"] == Font(family="Forge Sans")
        assert found.profile.coverage["tone_of_voice"] == "found"
        assert found.suggestion == ""
        assert found.portal_resource.startswith("research://artifact/")
    else:
        assert [colour.hex for colour in found.profile.palette] == ["#E3120B"]
        assert "No brand portal" in found.suggestion
        assert "acme.example" in found.suggestion
        assert found.portal_resource == ""


def test_all_twenty_six_places_are_asked_and_the_homepage_once(quiet_environment: dict[str, str]) -> None:
    hosts = {f"{name}.acme.example/nowhere": "" for name in ("brand", "press", "newsroom", "media", "design")}
    with Sites({**ACME, **hosts}) as sites:
        study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
    asked = [address for method, address in sites.asked if method == "HEAD"]
    assert len(asked) == len(set(asked)) == 26
    assert [address for method, address in sites.asked if method == "GET"] == ["acme.example/"]


def test_linked_styles_of_the_site_are_read_and_no_others(quiet_environment: dict[str, str]) -> None:
    linked = "<link rel=stylesheet href=/a.css><link rel=stylesheet href=http://other.example/b.css>"
    css = Served(b":root{--accent:#0A7}h1{font-family:'Forge Sans'}", headers={"Content-Type": "text/css"})
    pages: dict[str, Served | str | bytes] = {
        "acme.example/": HOME.replace("</head>", f"{linked}</head>"),
        "acme.example/a.css": css,
    }
    with Sites({**pages, "other.example/b.css": css}) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
        (source,) = [each for each in found.profile.contributions if "typography.heading" in each.fields]
        assert (source.tier, source.url) == ("homepage_meta", sites.url("acme.example/a.css"))
    assert found.profile.values["colors.accent"] == "#00AA77"
    assert sites.fetched("other.example/b.css") == 0


SHELL = (
    "<html><head><title>Acme brand portal</title></head><body><div id=root></div><script>"
    "const pages = {'/': `%s`, '/colours': `%s`};"
    "document.getElementById('root').innerHTML = pages[location.pathname];</script></body></html>"
)


def portal() -> dict[str, Served | str | bytes]:
    first = f"<nav><a href='/colours'>Colour palette</a></nav><h1>Brand portal</h1>{TEXT}"
    colours = GUIDE.partition("<body>")[2].partition("</body>")[0]
    shell = SHELL % (first, colours)
    return {**ACME, "brand.acme.example/": shell, "brand.acme.example/colours": shell}


def test_a_portal_built_by_scripts_is_rendered_and_its_menu_followed(
    quiet_environment: dict[str, str], chromium: str
) -> None:
    with Sites(portal()) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")), chrome=chromium)
        assert found.guidelines_url == sites.url("brand.acme.example/")
        places = {each.url for each in found.profile.contributions if each.tier == "brand_page"}
        assert sites.url("brand.acme.example/colours") in places
    assert [colour.name for colour in found.profile.palette] == ["Anvil Red", "Iron", "Spark"]


def test_without_a_browser_such_a_portal_is_named_and_said_to_be_unread(quiet_environment: dict[str, str]) -> None:
    with Sites(portal()) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
        assert found.guidelines_url == sites.url("brand.acme.example/")
        assert f"scrape_page with url={sites.url('brand.acme.example/')}" in found.suggestion
    assert found.profile.coverage["typography"] == "extraction_blocked"
    assert found.portal_resource == ""


def answer_with(internet: Internet, *hits: tuple[str, str]) -> None:
    results = [{"url": url, "title": title, "content": title, "engine": "bing"} for title, url in hits]
    body = json.dumps({"query": "", "results": results, "unresponsive_engines": []})
    internet.control("/searxng", status=200, body=body, headers={"content-type": "application/json"})


def test_depth_full_also_reads_portals_that_a_search_finds(environment: dict[str, str], internet: Internet) -> None:
    pages = {**ACME, "acme.frontify.com/d/1": GUIDE, "rival.frontify.com/d/2": GUIDE.replace("Anvil", "Rival")}
    with Sites(pages) as sites:
        answer_with(
            internet,
            ("Rival portal", sites.url("rival.frontify.com/d/2")),
            ("Acme portal", sites.url("acme.frontify.com/d/1")),
            ("Acme fans", "https://github.com/fans/acme"),
        )
        found = study(environment, sites, BrandQuestion(url=sites.url("acme.example/"), depth="full"))
        assert found.guidelines_url == sites.url("acme.frontify.com/d/1")
        assert {each.url for each in found.profile.contributions if each.tier == "web_search"} == {found.guidelines_url}
    assert [colour.name for colour in found.profile.palette] == ["Anvil Red", "Iron", "Spark"]
    assert internet.requests("/searxng") == 3
    assert sites.fetched("rival.frontify.com/d/2") == 0


def test_a_search_that_fails_is_told_and_spoils_nothing(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/", status=500, body="down")
    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        found = study(environment, sites, BrandQuestion(url=sites.url("acme.example/"), depth="full"))
    assert found.profile.coverage["colors"] == "full"
    assert "not searched in full" in found.suggestion


def test_a_company_is_found_by_its_name(environment: dict[str, str], internet: Internet) -> None:
    with Sites({**ACME, "news.example/acme": GUIDE}) as sites:
        answer_with(
            internet,
            ("Acme – Wikipedia", "https://en.wikipedia.org/wiki/Acme"),
            ("Acme makes news", sites.url("news.example/acme")),
            ("Anvils", sites.url("acme.example/products")),
        )
        found = study(environment, sites, BrandQuestion(company_name="Acme", depth="quick"))
        assert found.profile.domain == "acme.example"
        answer_with(internet, ("Acme – Wikipedia", "https://en.wikipedia.org/wiki/Acme"))
        with pytest.raises(NotFound, match="Give its address"):
            study(environment, sites, BrandQuestion(company_name="Acme Anvil Works", depth="quick"))


CHALLENGE = "<title>Just a moment...</title><p>Checking your browser before accessing the site. cf-challenge"
FAILURES: list[tuple[dict[str, Served | str | bytes], str, type[Exception]]] = [
    ({"acme.example/": Served(CHALLENGE.encode(), 403)}, "acme.example/", Blocked),
    ({"acme.example/": Served(LOGIN.encode(), 401)}, "acme.example/", AuthRequired),
    ({"acme.example/x": HOME}, "acme.example/", NotFound),
    ({"acme.example/x": HOME}, "nobody.example/", NetworkFailed),
]


@pytest.mark.parametrize(("pages", "asked", "expected"), FAILURES)
def test_a_site_that_cannot_be_read_is_an_error_of_its_kind(
    quiet_environment: dict[str, str], pages: dict[str, Served | str | bytes], asked: str, expected: type[Exception]
) -> None:
    with Sites(pages) as sites, pytest.raises(expected):
        study(quiet_environment, sites, BrandQuestion(url=sites.url(asked)))


def test_a_blocked_homepage_does_not_hide_the_guidelines(quiet_environment: dict[str, str]) -> None:
    with Sites({"acme.example/": Served(CHALLENGE.encode(), 403), "acme.example/brand": GUIDE}) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
    assert found.profile.coverage["colors"] == "full"


ADDRESSES = [
    ("kaltura.com", "kaltura.com", ("https://kaltura.com/", "http://kaltura.com/", "https://www.kaltura.com/")),
    ("https://www.bbc.co.uk/news?x#y", "bbc.co.uk", ("https://www.bbc.co.uk/", "https://www.bbc.co.uk/news?x")),
    ("http://127.0.0.1:8080/site/a/", "127.0.0.1", ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/site/a/")),
    ("bücher.example", "xn--bcher-kva.example", ("https://xn--bcher-kva.example/",)),
]


@pytest.mark.parametrize(("given", "domain", "homes"), ADDRESSES)
def test_an_address_is_a_site(given: str, domain: str, homes: tuple[str, ...]) -> None:
    found = site_of(given)
    assert found.domain == domain
    assert found.homes[: len(homes)] == homes


@pytest.mark.parametrize("given", ["acme brand", "ftp://acme.example", "https://", "\ud800", "mailto:a@b"])
def test_what_is_no_address_is_told(given: str) -> None:
    with pytest.raises(BadInput, match="such as example"):
        site_of(given)


def test_the_kept_text_is_the_portals_and_its_owners(quiet_environment: dict[str, str]) -> None:
    async def ask(brand: Brand, desk: Desk) -> tuple[bytes | None, bytes | None, str]:
        question = BrandQuestion(url=sites.url("acme.example/"))
        deadline = time.monotonic() + 60
        found = await brand.study(question, tenant="t", owner="me", trace=Trace(), deadline=deadline)
        identifier = found.portal_resource.rpartition("/")[2]
        kept = await asyncio.gather(desk.artifacts.fetch(identifier, "me"), desk.artifacts.fetch(identifier, "you"))
        return kept[0], kept[1], output(found, with_tokens=True).to_json().decode()

    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        mine, yours, _ = with_brand(quiet_environment, sites, ask)
    assert mine is not None
    assert yours is None
    assert b"Heavy but never loud" in mine
    assert b"<" not in mine


def test_no_recorded_wall_shell_or_stray_page_passes_for_guidelines(
    quiet_environment: dict[str, str], shared: Path
) -> None:
    folders = ("soft404", "wall", "botwall", "spa", "forum", "scholarly")
    files = [file for folder in folders for file in sorted((shared / "pages" / folder).glob("*.html"))]
    assert len(files) > 10
    pages: dict[str, Served | str | bytes] = {}
    for place, file in enumerate(files):
        pages |= {f"acme{place}.example/": HOME, f"acme{place}.example/brand": file.read_bytes()}

    async def ask(brand: Brand, desk: Desk) -> list[str]:
        questions = [BrandQuestion(url=sites.url(f"acme{place}.example/")) for place in range(len(files))]
        deadline = time.monotonic() + 100
        studies = [
            await brand.study(question, tenant="t", owner="o", trace=Trace(), deadline=deadline)
            for question in questions
        ]
        return [file.name for file, found in zip(files, studies, strict=True) if found.guidelines_url]

    with Sites(pages) as sites:
        assert with_brand(quiet_environment, sites, ask) == []
