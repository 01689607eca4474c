"""Logos: what the page declares as one, the icons it gives to browsers, and images that are plainly its own logo.

Pages are full of other companies' logos, so an image counts only in the page's head or beside the brand's own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from wellsourced.brand.page_readers.identity import letters, organisations
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.types import Findings, Logo, Tier, Value
from wellsourced.pages.html.dom import Element, ancestors, attribute, select

FORMATS = frozenset({"svg", "png", "jpg", "jpeg", "webp", "gif", "ico", "avif", "pdf", "eps"})
WORD = re.compile(r"[^\W_]+")
SIZE = re.compile(r"(\d{1,5})x(\d{1,5})", re.IGNORECASE)
LOGO = re.compile(r"logo|wordmark|lockup|логотип|标志|ロゴ|로고", re.IGNORECASE)
OWN_PLACE = re.compile(
    r"(?:^|[\s_-])(?:site|custom|header|navbar|nav|main|brand|masthead)[_-]{0,2}(?:logo|brand)", re.I
)
ON_DARK = re.compile(
    r"(?<![^a-z]on)(?<![^a-z]for)(?:^|[^a-z])(?:white|reversed?|inverse|inverted|negative|knockout"
    r"|(?:on|for|only)[-_ ]dark|dark[-_ ]?(?:mode|theme|bg|background)|dark:(?:block|inline|flex|visible))(?:[^a-z]|$)",
    re.IGNORECASE,
)
MISUSE = re.compile(r"misuse|incorrect|wrong|don'?t|dont|avoid|partner|client|customer|sponsor|investor", re.IGNORECASE)
MOST_IMAGES = 300
LONGEST_LABEL = 60
LAZY = ("data-src", "data-lazy-src", "data-original", "src", "srcset", "data-srcset")


def on_homepage(page: BrandMarkup, name: str) -> Findings:
    values: dict[str, Value] = {}
    _keep(values, "logos.primary", declared_logo(page) or _pictured(page, name))
    _keep(values, "logos.dark", _dark(page, _own_images(page, name), name))
    _keep(values, "logos.icon", _icon(page))
    if favicon := _favicon(page):
        values["logos.favicon"] = favicon
    if preview := page.address(page.declared.first("og:image", "og:image:secure_url", "og:image:url")):
        values["logos.og_image"] = preview
    return Findings(tier="homepage_meta", url=page.url, values=values)


def on_guidelines(page: BrandMarkup, tier: Tier) -> Findings:
    """Logos that a guidelines page presents: the first one, and the first that is meant for dark grounds."""
    values: dict[str, Value] = {}
    images = [image for image in select(page.document, "img")[:MOST_IMAGES] if _presents_logo(image)]
    light = [image for image in images if not _is_for_dark(image)]
    _keep(values, "logos.primary", next(filter(None, (_logo(page, image) for image in light)), None))
    _keep(values, "logos.dark", _dark(page, images))
    return Findings(tier=tier, url=page.url, values=values)


def declared_logo(page: BrandMarkup) -> Logo | None:
    for thing in organisations(page):
        if logo := _from_value(page, thing.get("logo")):
            return logo
    for address in (page.declared.first("og:logo"), *_microdata(page)):
        if full := page.address(address):
            return Logo(url=full, format=format_of(full))
    return None


def icons(page: BrandMarkup) -> list[tuple[str, Logo]]:
    """The icons of the page's head with their relation, as declared."""
    found = []
    for relation in ("apple-touch-icon", "apple-touch-icon-precomposed", "icon"):
        for url, link in page.linked(relation):
            width, height = size_of(attribute(link, "sizes"))
            found.append(
                (relation, Logo(url=url, format=format_of(url, attribute(link, "type")), width=width, height=height))
            )
    return found


def largest(logos: Sequence[Logo]) -> Logo | None:
    """The one with the most pixels; of several without a size the first."""
    return max(logos, key=lambda logo: (logo.width * logo.height, logo.format == "svg"), default=None)


def format_of(url: str, media_type: str = "") -> str:
    kind = media_type.partition("/")[2].partition("+")[0].lower()
    ending = urlsplit(url).path.rpartition(".")[2].lower()
    if ending in FORMATS:
        return "jpeg" if ending == "jpg" else ending
    return {"x-icon": "ico", "vnd.microsoft.icon": "ico"}.get(kind, kind) if kind else ""


def size_of(sizes: str) -> tuple[int, int]:
    """The largest of the sizes an icon declares; (0, 0) for `any` or none."""
    pairs = [(int(found[1]), int(found[2])) for found in SIZE.finditer(sizes[:200])]
    return max(pairs, default=(0, 0))


def _icon(page: BrandMarkup) -> Logo | None:
    declared = icons(page)
    touch = [logo for relation, logo in declared if relation != "icon"]
    return largest(touch) or largest([logo for _, logo in declared])


def _favicon(page: BrandMarkup) -> str:
    """The small icon: an .ico where there is one, else the smallest."""
    small = [logo for relation, logo in icons(page) if relation == "icon"]
    chosen = min(small, key=lambda logo: (logo.format != "ico", logo.width * logo.height or 1 << 30), default=None)
    return chosen.url if chosen else ""


def _keep(values: dict[str, Value], name: str, logo: Logo | None) -> None:
    if logo:
        values[name] = logo


def _microdata(page: BrandMarkup) -> Iterator[str]:
    for element in select(page.document, "[itemprop=logo]")[:5]:
        yield attribute(element, "content") or attribute(element, "src") or attribute(element, "href")


def _from_value(page: BrandMarkup, value: Any) -> Logo | None:
    """A JSON-LD logo: an address, an ImageObject, or a list of these."""
    if isinstance(value, list):
        return next(filter(None, (_from_value(page, item) for item in value[:5] if not isinstance(item, list))), None)
    about: Mapping[str, Any] = value if isinstance(value, Mapping) else {"url": value}
    if set(about) == {"@id"}:
        about = next((each for each in page.declared.things if each.get("@id") == about["@id"]), {})
    address = next((about[key] for key in ("url", "contentUrl") if isinstance(about.get(key), str)), "")
    url = page.address(address)
    if not url:
        return None
    return Logo(url=url, format=format_of(url), width=_pixels(about.get("width")), height=_pixels(about.get("height")))


def _pixels(value: Any) -> int:
    if isinstance(value, Mapping):
        value = value.get("value")
    text = str(value).removesuffix("px").strip() if isinstance(value, (int, str)) else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _pictured(page: BrandMarkup, name: str) -> Logo | None:
    light = [image for image in _own_images(page, name) if not _is_for_dark(image, name)]
    return next(filter(None, (_logo(page, image) for image in light)), None)


def _own_images(page: BrandMarkup, name: str) -> list[Element]:
    return [image for image in select(page.document, "img")[:MOST_IMAGES] if _is_own(page, image, letters(name))]


def _is_own(page: BrandMarkup, image: Element, name: str) -> bool:
    """Whether an image is the site's own logo: it leads home or stands in the head, and is called a logo."""
    above = list(zip(range(6), ancestors(image), strict=False))
    around = " ".join(f"{attribute(element, 'class')} {attribute(element, 'id')}" for _, element in above[:3])
    if OWN_PLACE.search(around) or OWN_PLACE.search(f"{attribute(image, 'class')} {attribute(image, 'id')}"):
        return True
    if not LOGO.search(f"{_image_texts(image)} {around}"):
        return False
    leads_home = any(element.tag == "a" and _is_home(page, attribute(element, "href")) for _, element in above)
    return leads_home or bool(name and name in letters(attribute(image, "alt")))


def _is_home(page: BrandMarkup, reference: str) -> bool:
    here, there = urlsplit(page.url), urlsplit(page.address(reference) or "//")
    return (
        bool(reference) and here.hostname == there.hostname and there.path in {"", "/", here.path} and not there.query
    )


def _presents_logo(image: Element) -> bool:
    around = " ".join(attribute(element, "class") for _, element in zip(range(3), ancestors(image), strict=False))
    texts = _image_texts(image)
    is_furniture = any(element.tag in {"header", "footer", "nav"} for element in ancestors(image))
    return bool(LOGO.search(texts)) and not MISUSE.search(f"{texts} {around}") and not is_furniture


def _dark(page: BrandMarkup, images: Sequence[Element], name: str = "") -> Logo | None:
    pictures = {image.parent for image in images}
    for source in select(page.document, "source[media*='prefers-color-scheme'][media*='dark'][srcset]")[:3]:
        url = page.address(_first_of_set(attribute(source, "srcset")))
        if url and (LOGO.search(url) or source.parent in pictures):
            return Logo(url=url, format=format_of(url))
    return next(filter(None, (_logo(page, image) for image in images if _is_for_dark(image, name))), None)


def _is_for_dark(image: Element, name: str = "") -> bool:
    """Whether the image says that it is for dark grounds; a brand whose name has White in it does not say so."""
    words = {word.casefold() for word in WORD.findall(name[:200])}
    return bool(
        ON_DARK.search(WORD.sub(lambda word: "" if word[0].casefold() in words else word[0], _image_texts(image)))
    )


def _image_texts(image: Element) -> str:
    """What the image says of itself: its file, its classes, its description."""
    file = next(_files(image), "").partition("?")[0]
    alt = attribute(image, "alt")
    label = alt if len(alt) <= LONGEST_LABEL else ""
    return " ".join((file[-200:], attribute(image, "class"), attribute(image, "id"), label))


def _files(image: Element) -> Iterator[str]:
    """The files it may be loaded from; a picture written into the page stands in for one that is loaded later."""
    for name in LAZY:
        value = attribute(image, name)
        file = _first_of_set(value) if name.endswith("srcset") else value
        if file and not file.startswith("data:"):
            yield file


def _first_of_set(candidates: str) -> str:
    """The first address of a `srcset`; it ends at a blank, for an address may have commas."""
    return next(iter(candidates.split(None, 1)), "").rstrip(",")


def _logo(page: BrandMarkup, image: Element) -> Logo | None:
    for file in _files(image):
        if url := page.address(file):
            width, height = _pixels(attribute(image, "width")), _pixels(attribute(image, "height"))
            return Logo(url=url, format=format_of(url), width=width, height=height)
    return None
