"""Pages on brands: what is on them is found under its own name, what is not on them is not told."""

from __future__ import annotations

import json
import time

import pytest

from wellsourced.brand.page_readers import colours, fonts, head, logos, social, voice
from wellsourced.brand.page_readers.css import parse, resolved
from wellsourced.brand.page_readers.identity import identity
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.types import Font, Logo, Voice

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
    ("<dl><dt>Feuer</dt><dd><b>HEX:</b> FF4500</dd>\n<dt>Coral</dt><dd>#F76</dd></dl><h4>Night</h4><p>#000</p>"
     "<table><tr><td>123456</td><td>Ticket #123, #bad</td></tr></table>",
     [("#FF4500", "Feuer", ""), ("#FF7766", "Coral", ""), ("#000000", "Night", "")]),
    ("<pre>:root { --brand-primary: #5A31F4; --color-accent:#00C2A8 }</pre>",
     [("#5A31F4", "", "primary"), ("#00C2A8", "", "accent")]),
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


def test_the_last_rule_holds_and_a_font_has_its_own_name_and_origin() -> None:
    markup = page(
        "",
        "<style>@import url('//fonts.googleapis.com/css2?family=Lora:wght@700');"
        ":root{--primary:#0d6efd;--accent: 37 99 235} body{font-family:'Open Sans'} h1{font-family:'Lora'}</style>"
        "<style>body{font:400 1rem/1.5 __Fira_Sans_1a2b3c,sans-serif} :root{--primary:light-dark(#E3120B,#000)}"
        "code{font-family:dc8ebcd096d8d65d80200bbe8e045d86-subset}</style>",
    )
    kit = parse("@font-face{font-family:'fira sans';font-weight:400}", "https://use.typekit.net/abc1def.css")
    sheets = [*markup.sheets, kit]
    palette = [(each.hex, each.role) for found in colours.styled(sheets, "brand_page") for each in found.palette]
    assert palette == [("#E3120B", "primary"), ("#2563EB", "accent")]
    told: dict[str, object] = {}
    for found in fonts.styled(sheets, fonts.served(markup, sheets), "brand_page"):
        told = {**found.values, **told}
    assert told == {
        "typography.body": Font(family="fira sans", weights=(400,), origin="adobe_fonts", origin_id="abc1def"),
        "typography.heading": Font(family="Lora", weights=(700,), origin="google_fonts", origin_id="Lora"),
    }
    assert fonts.google_stylesheet(markup, sheets) == "https://fonts.googleapis.com/css2?family=Lora:wght@700"


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
    ("<h2>Typographie</h2><p>Titres : Montserrat SemiBold</p><p>Corps : Georgia</p>",
     {"heading": "Montserrat", "body": "Georgia"}),
    ("<h2>Typography</h2><p>Headings: use them sparingly.</p><p>Titles: Title Case</p><p>Headlines: Bold</p>", {}),
    ("<h2>News</h2><p>Headings use Foo Display.</p>", {}),
    ("<h2>Typography</h2><p>We love good headings.</p>", {}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), STATEMENTS)
def test_fonts_are_what_the_page_says_they_are_for(body: str, expected: dict[str, str]) -> None:
    markup = page(body, GOOGLE)
    values = fonts.named(markup, [], fonts.served(markup, []), "brand_page").values
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
    columns = page(
        "<h2>Ton de voix</h2><table><tr><th>À faire</th><th>À éviter</th></tr>"
        "<tr><td>Tutoyer les gens tout de suite</td><td>Le jargon</td></tr><tr><td>Être bref</td><td>Crier</td></tr>"
        "</table>"
    )
    assert voice.voice(columns, "brand_page").values["tone_of_voice"] == Voice(
        dos=("Tutoyer les gens tout de suite", "Être bref"), donts=("Le jargon", "Crier")
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
    ("<footer><a href='https://www.linkedin.com/in/jane/'>Jane</a><a href='https://de.linkedin.com/company/acme'>in</a>"
     "<a href='https://docs.github.com/en'>d</a><a href='https://www.youtube.com/subscription_center?add_user=acme'>y</a>"
     "</footer>", {"linkedin": "https://de.linkedin.com/company/acme"}),
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


ACME: dict[str, object] = {"@type": "Organization", "name": "ACME GmbH &amp; Co. KG", "logo": {"@id": "#logo"}}
AGENCY: dict[str, object] = {
    "@type": "Organization",
    "name": "Webworks",
    "url": "https://webworks.example/",
    "foundingDate": "2008",
}
OWNERS: list[tuple[list[dict[str, object]], dict[str, str]]] = [
    ([AGENCY, ACME, {"@type": "LocalBusiness", "address": {"addressLocality": "Köln"}}],
     {"name": "ACME GmbH & Co. KG", "location": "Köln"}),
    ([{"@type": "Organization", "name": "Anvil advice"}, ACME], {"name": "ACME GmbH & Co. KG"}),
    ([AGENCY], {"name": "Acme"}),
    ([AGENCY | {"name": "Acme"}], {"name": "Acme", "founded": "2008"}),
    ([AGENCY | {"url": "https://www.acme.example/"}], {"name": "Webworks", "founded": "2008"}),
    ([ACME | {"description": "<p>Iron</p> &amp; more"}], {"name": "ACME GmbH & Co. KG", "description": "Iron & more"}),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "expected"), OWNERS)
def test_the_page_belongs_to_whom_the_site_is_named_after(
    declared: list[dict[str, object]], expected: dict[str, str]
) -> None:
    logo = {"@type": "ImageObject", "@id": "#logo", "url": "/logo.svg"}
    text = json.dumps({"@graph": [*declared, logo]})
    markup = page("", f"<base href='https://cdn.example/a/'><script type=application/ld+json>{text}</script>")
    found = identity(markup, "acme.example")
    assert {name.partition(".")[2]: value for name, value in found.values.items()} == expected
    assert found.url == URL
    primary = logos.on_homepage(markup, "Acme").values.get("logos.primary")
    assert primary == (
        Logo(url="https://cdn.example/logo.svg", format="svg") if ACME["logo"] in map(_logo, declared) else None
    )


def _logo(thing: dict[str, object]) -> object:
    return thing.get("logo")


IMAGES = [
    ("<img class='block dark:hidden' src=/l.svg><img class='hidden dark:block' src=/d.svg>", "Acme", "l.svg", "d.svg"),
    ("<picture><source media='(prefers-color-scheme: dark)' srcset='/d.svg 1x, /d2.svg 2x'><img src=/l.svg></picture>",
     "Acme", "l.svg", "d.svg"),
    ("<img src='data:image/gif;base64,x' srcset='/w_9,h_9/l.png 9w, /b.png 18w'>", "Acme", "w_9,h_9/l.png", ""),
    ("<img src=/farm.svg alt='White Farm logo'>", "White Farm", "farm.svg", ""),
    ("<img src=/acme-on-white.svg><img src=/acme-white.svg>", "Acme", "acme-on-white.svg", "acme-white.svg"),
]  # fmt: skip


@pytest.mark.parametrize(("images", "name", "light", "dark"), IMAGES)
def test_a_logo_for_dark_grounds_is_told_from_the_other(images: str, name: str, light: str, dark: str) -> None:
    found = logos.on_homepage(page(f"<header><a href=/ class=logo>{images}</a></header>"), name).values
    told = [getattr(found.get(f"logos.{variant}"), "url", "") for variant in ("primary", "dark")]
    assert told == [f"https://acme.example/{file}" if file else "" for file in (light, dark)]


def test_a_caption_is_no_logos_label() -> None:
    photo = "<img src=/doctor.webp alt='A doctor in a white coat beside a sign that has the logo of Acme on its left'>"
    assert not logos.on_homepage(page(photo), "Acme").values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"icons": [{"src": "/m.png", "sizes": "512x512", "purpose": "monochrome"}]}',
        '{"icons": [{"src": "javascript:x"}, 3], "theme_color": 5}',
        "[" * 9999,
    ],
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
    fonts.named(markup, markup.sheets, known, "brand_page")
    voice.voice(markup, "brand_page")
    social.profiles(markup, "Acme", "acme.example")
    logos.on_guidelines(markup, "brand_page")
    assert time.process_time() - start < 8
