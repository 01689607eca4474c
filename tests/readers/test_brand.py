"""Pages on brands: what is on them is found under its own name, what is not on them is not told."""

from __future__ import annotations

import time

import pytest

from wellsourced.model.brand import Font, Voice
from wellsourced.readers.brand import colours, fonts, head, logos, social, voice
from wellsourced.readers.brand.css import parse, resolved
from wellsourced.readers.brand.page import BrandMarkup

URL = "https://acme.example/brand"


def page(body: str, head: str = "") -> BrandMarkup:
    return BrandMarkup(f"<html><head><title>Acme</title>{head}</head><body>{body}</body></html>", URL)


SWATCHES = [
    ("<h3>Primary</h3><div><b>Sun</b><br><code>#FFA600</code></div>", [("#FFA600", "Sun", "primary")]),
    (
        "<h3>Secondary palette</h3><ul><li><p>Night</p><p>HEX 16161D</p><p>RGB 22, 22, 29</p><p>PMS Black 6</p></li>"
        "<li><p>Snow</p><p>HEX F8F8FF</p></li></ul>",
        [("#16161D", "Night", "secondary"), ("#F8F8FF", "Snow", "secondary")],
    ),
    ("<p>Our inks are Sun Yellow #FFA600, and Deep Night (#16161D).</p>",
     [("#FFA600", "Sun Yellow", ""), ("#16161D", "Deep Night", "")]),
    ("<table><tr><td>Akzentfarbe</td><td>#E3120B</td></tr><tr><td>Grau</td><td>#CCCCCC</td></tr></table>",
     [("#E3120B", "Akzentfarbe", "accent"), ("#CCCCCC", "Grau", "")]),
    ("<div class=grid><div><i class=swatch style='background:#EF4056'></i>Coral Red</div>"
     "<div><i class=swatch style='background-color: rgb(17 138 203)'></i>Sky</div></div>",
     [("#EF4056", "Coral Red", ""), ("#118ACB", "Sky", "")]),
    ("<div><button data-clipboard-text='#118acb' aria-label='Sky Blue'></button></div>", [("#118ACB", "Sky Blue", "")]),
    ("<h2>品牌主色</h2><div><p>朱红</p><p>#E3120B</p></div>", [("#E3120B", "朱红", "primary")]),
    ("<div>RGB: 255, 166, 0<br>Amber</div>", [("#FFA600", "Amber", "")]),
    ("<p style='display:none'>#123456</p><style>.x{color:#ABCDEF}</style><p>Order #4711 of 2020</p>", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), SWATCHES)
def test_swatches_have_the_names_and_roles_the_page_gives_them(body: str, expected: list[tuple[str, str, str]]) -> None:
    found = colours.swatches(page(body), "brand_page").palette
    assert [(each.hex, each.name, each.role) for each in found] == expected


PROPERTIES = [
    ("--primary", "primary"),
    ("--color-primary", "primary"),
    ("--brand", "primary"),
    ("--brandPrimary", "primary"),
    ("--color-text-muted", "text_secondary"),
    ("--bg", "background"),
    ("--primary-hover", ""),
    ("--bs-primary", ""),
    ("--wp--preset--color--primary", ""),
    ("--color", ""),
]


@pytest.mark.parametrize(("name", "role"), PROPERTIES)
def test_a_custom_property_has_the_role_its_whole_name_states(name: str, role: str) -> None:
    assert colours.property_role(name) == role


def test_styles_tell_what_a_visitor_sees_first() -> None:
    sheet = parse(
        "/* a { */ @import 'x'; :root{--brand:#E3120B;--text:var(--ink, #111);--a:var(--b);--b:var(--a)}"
        "@media (prefers-color-scheme: dark){:root{--background:#000}} .dark{--surface:#111}"
        "@layer base{:root{--background:oklch(1 0 0)} body{font-family:var(--f),serif} h1,h2{font-family:'Foo Sans'}}"
        "@font-face{font-family:'Foo Sans';font-weight:700;src:url(data:x;y)} i{font-family:FontAwesome}"
        ":root{--f:'Bar Text'} code{font-family:monospace} :root{--primary:#0d6efd}",
        URL,
    )
    (found,) = colours.styled([sheet], "brand_page")
    assert {colour.role: colour.hex for colour in found.palette} == {
        "primary": "#E3120B", "text": "#111111", "background": "#FFFFFF",
    }  # fmt: skip
    known = fonts.served(page(""), [sheet])
    (styled,) = fonts.styled([sheet], known, "brand_page")
    assert styled.values == {
        "typography.body": Font(family="Bar Text"),
        "typography.heading": Font(family="Foo Sans", weights=(700,), origin="self_hosted"),
    }
    assert resolved("var(--a)", [sheet]) == ""


GOOGLE = (
    "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Foo+Display:wght@400;700&family=Foo+Text'>"
)
STATEMENTS = [
    ("<h2>Typography</h2><p>Headings use <b>Foo Display</b>. Body copy is set in Foo Text.</p>",
     {"heading": "Foo Display", "body": "Foo Text"}),
    ("<h2>Fonts</h2><h3>Foo Display</h3><p>For titles only.</p><h3>Foo Text</h3><p>Paragraphs and captions.</p>",
     {"heading": "Foo Display", "body": "Foo Text"}),
    ("<h2>Typeface</h2><p>Heading font: Helvetica Neue</p><p>Body: Georgia</p>",
     {"heading": "Helvetica Neue", "body": "Georgia"}),
    ("<h2>Schrift</h2><p>Überschriften stehen in Foo Display.</p>", {"heading": "Foo Display"}),
    ("<h2>News</h2><p>Headings use Foo Display.</p>", {}),
    ("<h2>Typography</h2><p>We love good headings.</p>", {}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), STATEMENTS)
def test_fonts_are_what_the_page_says_they_are_for(body: str, expected: dict[str, str]) -> None:
    markup = page(body, GOOGLE)
    values = fonts.named(markup, fonts.served(markup, []), "brand_page").values
    found = {name.partition(".")[2]: value.family for name, value in values.items() if isinstance(value, Font)}
    assert found == expected
    if "heading" in expected and expected["heading"] == "Foo Display":
        assert values["typography.heading"] == Font(
            family="Foo Display", weights=(400, 700), origin="google_fonts", origin_id="Foo Display"
        )


def test_voice_is_read_from_its_own_section() -> None:
    markup = page(
        "<h1>Brand</h1><p>Welcome to the brand of Acme.</p><h2>Tone of voice</h2><p>We sound like a good neighbour.</p>"
        "<ul><li><b>Plain</b> – short words</li><li><b>Warm:</b> never cold</li></ul>"
        "<h3>Do</h3><ul><li>Say you</li></ul><h3>Don’t</h3><ul><li>Shout</li></ul><h2>Logo</h2><p>Not about voice.</p>"
    )
    assert voice.voice(markup, "brand_page").values["tone_of_voice"] == Voice(
        summary="We sound like a good neighbour.", attributes=("Plain", "Warm"), dos=("Say you",), donts=("Shout",)
    )
    assert not voice.voice(page("<h2>Voice over</h2><p>A film with a fine voice over it.</p>"), "brand_page")


LINKS = [
    ("<footer><a href='https://x.com/acme'>X</a></footer>", {"twitter": "https://x.com/acme"}),
    ("<p><a href='https://www.linkedin.com/company/acme-inc/'>in</a></p>",
     {"linkedin": "https://www.linkedin.com/company/acme-inc/"}),
    ("<footer><a href='https://twitter.com/intent/tweet?url=x'>t</a><a href='https://facebook.com/sharer.php?u='>f</a>"
     "<a href='https://www.youtube.com/watch?v=1'>y</a><a href='https://github.com/acme/repo'>g</a></footer>", {}),
    ("<article><footer><a href='https://twitter.com/jane'>Jane</a></footer></article>", {}),
    ("<p><a href='https://github.com/someone'>thanks</a></p>", {}),
    ("<a href='https://faceb00k.com/acme'>f</a><a href='https://evil.example/twitter.com/acme'>t</a>", {}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), LINKS)
def test_only_the_brands_own_profiles_count(body: str, expected: dict[str, str]) -> None:
    found = social.profiles(page(body), "Acme", "acme.example").values
    assert {name.partition(".")[2]: url for name, url in found.items()} == expected


def test_a_grey_theme_is_not_called_the_brands_colour() -> None:
    head_of = "<meta name=theme-color content='#fff'><link rel=mask-icon href=/m.svg color='#ef404d'>"
    found = head.head_colours(page("", head_of)).palette
    assert [(each.hex, each.role) for each in found] == [("#FFFFFF", "theme"), ("#EF404D", "primary")]


def test_other_companies_logos_are_not_ours() -> None:
    ours = "<header><a href='/'><img src='/img/acme-logo.svg' alt='Acme'></a></header>"
    theirs = "<section class=clients><img src='/img/other-logo.png' alt='Other logo'></section>"
    assert "logos.primary" not in logos.on_homepage(page(theirs), "Acme").values
    found = logos.on_homepage(page(theirs + ours), "Acme").values["logos.primary"]
    assert getattr(found, "url", "") == "https://acme.example/img/acme-logo.svg"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"icons": [{"src": "javascript:x"}, 3], "theme_color": 5}', "[" * 9999]
)
def test_a_manifest_that_is_none_tells_nothing(text: str) -> None:
    assert not head.manifest(text, "https://acme.example/m.json")


HOSTILE = {
    "nested": "<div>" * 20_000 + "#FFA600",
    "colours": "<p>#FFA600 #123456 " * 20_000,
    "swatches": "<div class=swatch style='background:#FFA600'>" * 5_000,
    "braces": f"<style>{'{' * 200_000}</style><style>{'/*' * 100_000}</style>",
    "variables": f"<style>{':root{--a:var(--a' * 20_000}</style>",
    "links": "<a href='https://x.com/acme'>x</a>" * 20_000,
    "names": "<h2>Fonts</h2>" + "<p>heading font heading font " * 10_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_cost_little(name: str) -> None:
    start = time.process_time()
    markup = page(HOSTILE[name], GOOGLE)
    known = fonts.served(markup, markup.sheets)
    assert len(colours.swatches(markup, "brand_page").palette) < 3
    list(colours.styled(markup.sheets, "brand_page"))
    fonts.named(markup, known, "brand_page")
    voice.voice(markup, "brand_page")
    social.profiles(markup, "Acme", "acme.example")
    logos.on_guidelines(markup, "brand_page")
    assert time.process_time() - start < 8
