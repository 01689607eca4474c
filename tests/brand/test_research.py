"""A brand from its own pages: real ones, and sites that cannot be read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.brand.acme import ACME, GUIDE, HOME, LOGIN
from tests.brand.brand_sites import Served, Sites, moved, study, with_brand
from wellsourced.app import Application
from wellsourced.brand.research import BrandResearcher
from wellsourced.brand.types import BrandQuestion, BrandStudy, Font, Logo
from wellsourced.errors import AuthRequired, Blocked, NetworkFailed, NotFound
from wellsourced.identity import Identity
from wellsourced.tool.call import Trace

ME, YOU = Identity("t", "me"), Identity("t", "you")


@dataclass(frozen=True)
class Recorded:
    """A recorded page as somebody's homepage: what a person finds on it."""

    file: str
    domain: str
    name: str
    fields: str
    primary: str = ""


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


CHALLENGE = "<title>Just a moment...</title><p>Checking your browser before accessing the site. cf-challenge"
FAILURES: list[tuple[dict[str, Served | str | bytes], str, type[Exception]]] = [
    ({"acme.example/": Served(CHALLENGE.encode(), 403)}, "acme.example/", Blocked),
    ({"acme.example/": CHALLENGE}, "acme.example/", Blocked),
    ({"acme.example/": Served(LOGIN.encode(), 401)}, "acme.example/", AuthRequired),
    ({"acme.example/x": HOME}, "acme.example/", NotFound),
    ({"acme.example/x": HOME}, "nobody.example/", NetworkFailed),
]


@pytest.mark.parametrize(("pages", "asked", "expected"), FAILURES)
def test_a_site_that_cannot_be_read_is_an_error_of_its_kind(
    quiet_environment: dict[str, str], pages: dict[str, Served | str | bytes], asked: str, expected: type[Exception]
) -> None:
    with Sites(pages) as sites:
        with pytest.raises(expected) as raised:
            study(quiet_environment, sites, BrandQuestion(url=sites.url(asked)))
        assert asked.rstrip("/") in str(raised.value)


def test_a_blocked_homepage_does_not_hide_the_guidelines(quiet_environment: dict[str, str]) -> None:
    with Sites({"acme.example/": Served(CHALLENGE.encode(), 403), "acme.example/brand": GUIDE}) as sites:
        found = study(quiet_environment, sites, BrandQuestion(url=sites.url("acme.example/")))
    assert found.profile.coverage["colors"] == "full"


def test_the_kept_text_is_the_portals_and_its_owners(quiet_environment: dict[str, str]) -> None:
    async def ask(brand: BrandResearcher, app: Application) -> list[bytes | None]:
        question = BrandQuestion(url=sites.url("acme.example/"))
        deadline = time.monotonic() + 60
        found = await brand.study(question, tenant="t", owner=ME.owner, trace=Trace(), deadline=deadline)
        identifier = found.portal_resource.rpartition("/")[2]
        return [await app.artifacts.fetch(identifier, who.owner) for who in (ME, YOU)]

    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        mine, yours = with_brand(quiet_environment, sites, ask)
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

    async def ask(brand: BrandResearcher, app: Application) -> list[str]:
        questions = [BrandQuestion(url=sites.url(f"acme{place}.example/")) for place in range(len(files))]
        deadline = time.monotonic() + 100
        studies = [
            await brand.study(question, tenant="t", owner=ME.owner, trace=Trace(), deadline=deadline)
            for question in questions
        ]
        return [file.name for file, found in zip(files, studies, strict=True) if found.guidelines_url]

    with Sites(pages) as sites:
        assert with_brand(quiet_environment, sites, ask) == []
