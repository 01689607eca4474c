"""Guidelines are looked for where companies put them, and what is found there is told from what is not."""

from __future__ import annotations

import pytest

from tests.brand.acme import ACME, GUIDE, HOME, LOGIN, TEXT
from tests.brand.brand_sites import Served, Sites, moved, study
from tests.net.browser.browsing import chromium
from wellsourced.brand.types import BrandQuestion, Font

__all__ = ["chromium"]

PDF = {"Content-Type": "application/pdf"}
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
        assert found.portal_resource.startswith("research://artifact/") and "Anvil Red" in found.portal_text
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
