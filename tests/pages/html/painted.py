"""What a real Chromium paints of a page's marked words, and random pages to ask it about."""

from __future__ import annotations

import json
import math
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias
from unittest import mock

from wellsourced.net.browser import chromium as chromium_program
from wellsourced.net.browser.chromium import start_chromium
from wellsourced.net.browser.devtools import DevTools

MOUSE = "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
NO_PROXY = "127.0.0.1:9"
# Almost as high as wide, so that most pages are seen whole: one that is made larger for a picture is laid out anew.
WIDTH, HEIGHT = 1280, 1270
# Farther out nobody scrolls.
WIDEST, LOWEST = 3000, 60_000
# A word counts as painted where its letters change some colour by this much of 255. Of one that is painted in a colour
# as light as what is behind it, or of which most is cut off or lies on a thin frame alone, nothing is asked: some of it
# is seen, and nobody reads it.
LEAST_DIFFERENCE, LEAST_CONTRAST = 26, 1.3
# Animations that come to an end have come to it before anything is measured, those without one stand at their start.
SETTLE = """(() => document.getAnimations().forEach((each) => {
  const end = each.effect.getComputedTiming().endTime;
  if (end === Infinity) { each.pause(); each.currentTime = 0; }
  else if (each.playState === 'running' && end < 10_000) each.finish(); }))()"""
# Of what a reader can open, or scroll to in a box that is high enough for it, nothing is asked. What is blurred leaves
# a shadow of no letters: it has no place. Nor have words whose letters lie on each other, or run backwards. What is
# skipped has none either: to ask for it would lay it out, which moves all others.
PLACES = """(() => {
  const isBlurred = (node) => { for (let e = node.parentElement; e; e = e.parentElement)
    if (getComputedStyle(e).display !== 'contents'
        && parseFloat(getComputedStyle(e).filter.match(/blur\\(([\\d.]+)px/)?.[1]) >= 8) return true; };
  const isCrowded = (node) => { const style = getComputedStyle(node.parentElement);
    return parseFloat(style.letterSpacing) <= -0.45 * parseFloat(style.fontSize); };
  const isShut = (node) => [...document.querySelectorAll('details:not([open])')].some(
    (shut) => shut.contains(node) && !shut.querySelector(':scope > summary')?.contains(node));
  const UNSKIPPED = /^(inline|contents|table|inline-table|table-(row|column|header|footer).*)$/;
  const found = {}, range = document.createRange();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const box = (r) => [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY];
  const isSkipped = (node) => { for (let e = node.parentElement; e; e = e.parentElement) {
    const style = getComputedStyle(e);
    if (style.contentVisibility === 'hidden' && !UNSKIPPED.test(style.display)) return true; } };
  const SCROLLED = /auto|scroll/, LEAST_HEIGHT = 40;
  const isBelow = (range) => { for (let e = range.startContainer.parentElement; e !== null; e = e.parentElement) {
    const end = e.getBoundingClientRect().top + e.clientTop + e.clientHeight;
    if (e !== document.body && e !== document.documentElement && SCROLLED.test(getComputedStyle(e).overflowY)
        && e.clientHeight >= LEAST_HEIGHT && range.getBoundingClientRect().bottom > end) return true; } };
  for (let node; (node = walker.nextNode());) if (!isShut(node)) for (const match of node.data.matchAll(/word\\d+x/g)) {
    range.setStart(node, match.index); range.setEnd(node, match.index + match[0].length);
    const isNowhere = isBlurred(node) || isCrowded(node) || isSkipped(node);
    if (isNowhere || !isBelow(range)) found[match[0]] = isNowhere ? [] : [...range.getClientRects()].map(box);
  }
  return JSON.stringify(found);
})()"""
# Where a page that is written from right to left can be scrolled to. Pictures begin there.
LEFTMOST = "(() => { scrollTo(-1e9, 0); const left = scrollX; scrollTo(0, 0); return left; })()"
WITHOUT_INK = """(() => {
  const clear = ['color', '-webkit-text-fill-color', 'text-decoration-color', '-webkit-text-stroke-color'];
  const kept = ['background-color', ...['top', 'right', 'bottom', 'left'].map((side) => `border-${side}-color`)];
  const all = [...document.querySelectorAll('*')], styles = all.map((element) => {
    const style = getComputedStyle(element); return kept.map((name) => style.getPropertyValue(name)); });
  // What is important in the first layer wins over all that is important elsewhere.
  const first = document.createElement('style');
  first.textContent = '@layer no-ink { * { text-shadow: none !important; transition: none !important;'
    + clear.map((name) => `${name}: transparent !important`).join(';') + '} }';
  // The background of the outermost element is that of the window, whatever it is cut to.
  const cut = all.map((element) => element !== document.documentElement
    && getComputedStyle(element).backgroundClip.includes('text'));
  for (const [number, element] of all.entries()) {
    kept.forEach((name, place) => element.style.setProperty(name, styles[number][place], 'important'));
    if (cut[number]) element.style.setProperty('background', 'none', 'important');
    for (const name of clear) element.style.setProperty(name, 'transparent', 'important');
    for (const name of ['text-shadow', 'transition'])
      element.style.setProperty(name, 'none', 'important');
  }
  document.head.prepend(first);
})()"""
# Run in a page of its own: for each word whether any of its boxes differs between the two pictures, null where it can
# hardly be seen.
COMPARE = """(async (before, after, places, least, contrast) => {
  const light = (data, at) => [0.2126, 0.7152, 0.0722].reduce((sum, share, c) => {
    const part = data[at + c] / 255;
    return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4); }, 0.05);
  const pixels = async (data) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0); return context.getImageData(0, 0, image.width, image.height); };
  const one = await pixels(before), two = await pixels(after), result = {};
  const differs = ([left, top, right, bottom]) => { let count = 0, clear = 0, from = right, to = left;
    const rows = new Set(), columns = new Set();
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(one.height, bottom); y++)
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(one.width, right); x++) {
        const at = 4 * (y * one.width + x);
        if (Math.max(...[0, 1, 2].map((c) => Math.abs(one.data[at + c] - two.data[at + c]))) < least) continue;
        const ratio = light(one.data, at) / light(two.data, at);
        count++; if (ratio < contrast && ratio > 1 / contrast) continue;
        clear++; from = Math.min(from, x); to = Math.max(to, x); rows.add(y); columns.add(x); }
    const isThin = rows.size < 4 || columns.size < (right - left) / 4;
    return count < 8 ? 0 : clear < 8 || to - from < (right - left) / 2 || isThin ? 1 : 2; };
  for (const [word, boxes] of Object.entries(places))
    result[word] = [false, null, true][Math.max(0, ...boxes.map(differs))];
  return JSON.stringify(result);
})"""


Places: TypeAlias = dict[str, list[list[float]]]
MOST_PICTURES = 4


class Painter:
    """Two tabs: one shows the page, the other compares pictures of it."""

    def __init__(self, devtools: DevTools, page: str, judge: str, frame: str) -> None:
        self._devtools, self._page, self._judge, self._frame = devtools, page, judge, frame

    async def _run(self, script: str, session: str) -> Any:
        params = {"expression": script, "returnByValue": True, "awaitPromise": True}
        reply = await self._devtools.send("Runtime.evaluate", params, session)
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def supports(self, declaration: str) -> bool:
        """What an `@supports` with it comes to."""
        return bool(await self._run(f"CSS.supports({json.dumps(f'({declaration})')})", self._page))

    async def _picture(self, height: float, left: float) -> str:
        clip = {"x": -left, "y": 0, "width": WIDTH, "height": height, "scale": 1}
        params = {"captureBeyondViewport": False, "clip": clip, "optimizeForSpeed": True}
        shot: dict[str, Any] = await self._devtools.send("Page.captureScreenshot", params, self._page)
        return str(shot["data"])

    async def _settled_picture(self, left: float) -> tuple[Places, int, str]:
        """Where the words are, and a picture of them; what is only laid out once it is painted may move the others."""
        places = await self._places()
        for _ in range(MOST_PICTURES):
            lowest = max((box[3] for boxes in places.values() for box in boxes), default=0)
            height = max(1, min(HEIGHT, math.ceil(lowest)))
            picture = await self._picture(height, left)
            before, places = places, await self._places()
            if places == before:
                break
        return {word: boxes for word, boxes in places.items() if boxes == before.get(word)}, height, picture

    async def _places(self) -> Places:
        places: Places = json.loads(await self._run(PLACES, self._page))
        return places

    async def painted_words(self, html: str) -> dict[str, bool]:
        """The marked words that have their place to themselves, and whether each is painted."""
        await self._devtools.send("Page.setDocumentContent", {"frameId": self._frame, "html": html}, self._page)
        await self._run(SETTLE, self._page)
        left: float = await self._run(LEFTMOST, self._page)
        places, height, before = await self._settled_picture(left)
        await self._run(WITHOUT_INK, self._page)
        arguments = (before, await self._picture(height, left), places, LEAST_DIFFERENCE, LEAST_CONTRAST)
        painted: dict[str, bool | None] = json.loads(
            await self._run(f"{COMPARE}({', '.join(map(json.dumps, arguments))})", self._judge)
        )
        return {
            word: shown
            for word, shown in painted.items()
            if shown is not None and not _is_unclear(word, places, max(left, WIDTH - WIDEST))
        }


def _is_unclear(word: str, places: Places, leftmost: float) -> bool:
    """Whether no picture tells if it is seen: another word is in its place, or one must scroll to some of it."""
    boxes = places[word]
    if any(
        (left < WIDEST and right > WIDTH) or leftmost < left < 0 or (top < LOWEST and bottom > HEIGHT)
        for left, top, right, bottom in boxes
    ):
        return True
    others = [box for other, its_boxes in places.items() if other != word for box in its_boxes]
    return any(
        left < box[2] and box[0] < right and top < box[3] and box[1] < bottom
        for left, top, right, bottom in boxes
        for box in others
    )


@asynccontextmanager
async def painter(program: str) -> AsyncIterator[Painter]:
    # A desktop has a mouse, which a browser without a screen does not believe.
    with mock.patch.object(chromium_program, "FLAGS", (*chromium_program.FLAGS, MOUSE)):
        chromium = await start_chromium(program, proxy=NO_PROXY)
    try:
        devtools = chromium.devtools
        sessions = []
        for _ in range(2):
            target = await devtools.send("Target.createTarget", {"url": "about:blank", "newWindow": True})
            attached = await devtools.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
            sessions.append(attached["sessionId"])
        tree = await devtools.send("Page.getFrameTree", {}, sessions[1])
        window = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        await devtools.send("Emulation.setDeviceMetricsOverride", window, sessions[1])
        # Only the window in front is painted.
        await devtools.send("Page.bringToFront", {}, sessions[1])
        yield Painter(devtools, sessions[1], sessions[0], tree["frameTree"]["frame"]["id"])
    finally:
        await chromium.close()


HIDING = (
    "display:none", "visibility:hidden", "visibility:collapse", "opacity:0", "opacity:1%", "opacity:calc(0)",
    "font-size:0", "font:0px/1 serif", "position:absolute;left:-9999px", "position:fixed;top:-100em",
    "position:absolute;left:99999px", "position:absolute;inset:auto auto auto -9999px", "text-indent:-9999px",
    "margin-left:-5000px", "transform:scale(0)", "scale:0", "translate:-9999px", "transform:translateX(-9999px)",
    "transform:rotateY(90deg)", "transform:matrix(0,0,0,0,0,0)", "clip-path:inset(100%)", "clip-path:circle(0)",
    "clip-path:polygon(0 0,0 0,0 0)", "clip:rect(0,0,0,0);position:absolute", "height:0;overflow:hidden",
    "max-height:0;overflow:hidden", "width:1px;height:1px;overflow:hidden;position:absolute", "color:#fff",
    "color:transparent", "color:rgb(255 255 255)", "color:hsl(0 0% 99%)", "color:oklch(1 0 0)", "color:hwb(0 99% 0%)",
    "color:color-mix(in srgb, white, white)", "color:rgba(0,0,0,.01)", "-webkit-text-fill-color:transparent",
    "color:#000;background:#000", "background:black;color:#010101", "content-visibility:hidden", "filter:opacity(0)",
    "display:var(--gone)", "color:var(--pale)", "left:var(--far);position:absolute",
    "mask-image:linear-gradient(transparent,transparent)", "animation:vanish 0s forwards", "zoom:.01",
    "line-height:0;overflow:hidden", "color:light-dark(#fff,#000)", "color:color-mix(in oklab, white 98%, black)",
    "clip-path:ellipse(0 0)", "clip-path:rect(0 0 0 0)", "clip-path:xywh(0 0 0 0)",
    "clip-path:polygon(0 0,1px 0,0 1px)",
    "clip-path:path('M0 0')", "text-indent:calc(-1 * 9999px)", "font-size:.01px", "font-size:calc(0 * 1px)",
    "font-size:max(0px, 0em)", "opacity:min(0, 1)", "opacity:clamp(0, 0, 1)", "opacity:var(--none-such, 0)",
    "opacity:calc(1 - 1)", "opacity:round(.4, 1)", "opacity:calc(infinity * -1)", "opacity:sin(0)", "scale:1 0",
    "rotate:y 90deg", "transform:translate(-200vw)", "translate:0 -9999px", "transform:skewX(90deg)",
    "position:absolute;inset-inline-start:-9999px", "position:fixed;inset-block-start:-9999px",
    "margin-inline-start:-5000px", "inline-size:0;overflow:clip;white-space:nowrap", "block-size:0;overflow:hidden",
    "max-block-size:0;overflow:clip", "contain:strict", "contain:size paint", "display:table-column",
    "display:table-column-group", "mask:linear-gradient(#0000,#0000)",
    "-webkit-mask-image:linear-gradient(transparent,transparent)", "filter:blur(40px)",
    "filter:opacity(1%)", "color:rgb(from black r g b / 0)", "color:lab(100 0 0)", "color:color(srgb 1 1 1)",
    "color:Canvas", "color:hsl(none none 100%)", "color:#00000003",
    "background-clip:text;color:transparent", "-webkit-text-fill-color:#fff",
    "position:absolute;left:calc(-100vw - 500px)", "position:absolute;right:99999px", "position:relative;left:-200vw",
    "position:absolute;left:anchor(--no left,-9999px)",
    "width:0;overflow:hidden;white-space:nowrap", "display:var(--loop, none)", "left:var(--typed);position:absolute",
    "opacity:attr(data-none type(<number>), 0)", "display:--none()",
    "opacity:calc(sibling-index() - sibling-index())", "animation:vanish 1ms both",
    "transform:skew(90deg)", "transform:skewY(90deg)", "filter:invert(1)", "background:linear-gradient(#000,#000)",
    "background:linear-gradient(#000,#111);color:#000", "background:currentColor",
    "color:white;background:currentcolor",
    "all:unset", "all:initial", "all:revert", "display:if(media(print): block; else: none)",
    "color:if(media(width > 600px): white; else: black)", "display:if(style(--gone:none): none; else: block)",
    "opacity:if(media(width < 300px): 1; supports(display:grid) and style(--far): 0; else: 1)",
    "height:0;overflow:scroll", "max-width:0;overflow:hidden;white-space:nowrap", "float:left;width:0;overflow:hidden",
    "position:absolute;clip:rect(1px,1px,1px,1px)", "transform:translateY(-9999px)", "transform:scaleY(0)",
    "transform:translate3d(-9999px,0,0)", "transform:rotateX(90deg)", "clip-path:inset(0 100% 0 0)",
    "clip-path:inset(50%)", "clip-path:circle(0 at 50% 50%)", "position:absolute;top:-9999px",
    "position:fixed;left:-100%", "position:relative;top:-9999px", "inset:-9999px auto auto -9999px;position:fixed",
    "max-height:1px;overflow:hidden", "display:contents;visibility:hidden", "display:flex;height:0;overflow:clip",
    "overflow:hidden;width:0;height:0", "display:grid;max-height:0;overflow:hidden", "animation:leave 1ms forwards",
    "filter:brightness(0) invert(1)", "filter:contrast(0)", "filter:brightness(9)", "filter:invert(.5)",
    "filter:opacity(.2)", "opacity:.3", "opacity:.15", "mix-blend-mode:screen", "mix-blend-mode:difference",
    "mix-blend-mode:color", "backdrop-filter:invert(1)", "backdrop-filter:brightness(0)", "color-scheme:dark",
    "color:transparent;text-shadow:0 0 0 #fff", "color:transparent;text-shadow:0 0 0 #000",
    "background:#fff;background-clip:text;color:transparent", "background:#000", "background:#888;color:#808080",
    "background:linear-gradient(#000,#222);background-clip:text;color:transparent",
    "color:transparent;-webkit-text-stroke:1px #fff", "background:linear-gradient(#fff,#fff0);color:#fff",
    "height:3px;overflow:hidden", "width:0;contain:paint", "transform:scale(.05)", "rotate:0 1 0 90deg",
    "transform:rotate3d(1,1,0,90deg)", "transform:rotateY(180deg);backface-visibility:hidden",
    "transform:perspective(1px) translateZ(2px)", "offset-path:path('M-999 -999h1')",
    "text-indent:100%;white-space:nowrap;overflow:hidden", "letter-spacing:-1em", "font-size-adjust:0",
    "clip-path:circle(10px at -50px -50px)", "clip-path:xywh(-100px 0 50px 50px)", "content:url(a.png)",
    "mask:linear-gradient(#000,#000) 0 0/0 0 no-repeat", "color:hsl(from black h s 100%)",
    "color:oklch(from black 1 c h)", "color:contrast-color(black)", "color:attr(data-none type(*), white)",
    "background:linear-gradient(#000,#000) 0 0/0 0;color:#fff", "box-shadow:inset 0 0 0 99px #000",
    "animation:bleach 1ms forwards", "animation:vanish 1s infinite alternate", "animation:rise 9999s",
    "-webkit-text-stroke:20px #fff", "max-height:20px;overflow:hidden", "position:relative;z-index:-1",
)  # fmt: skip
HARMLESS = (
    "display:block", "display:flex", "visibility:visible", "opacity:.8", "opacity:1", "color:#222", "color:navy",
    "color:#c00", "background:#fff", "background:#eef", "background:#024;color:#fff", "font-size:16px",
    "font-size:1.1em", "margin:4px", "padding:9px", "position:relative", "position:static", "left:3px", "width:300px",
    "overflow:hidden", "text-indent:2em", "transform:none", "display:none-such", "color:nonsense", "visibility:shown",
    "opacity:lots", "display:inline-block", "clip-path:none", "max-height:none", "font-weight:bold",
    "transition:none", "float:left", "display:var(--none-such)", "animation:none", "background:none",
    "color:light-dark(#000,#fff)", "color:color-mix(in srgb, black, navy)", "clip-path:circle(5000px)",
    "content-visibility:auto", "content-visibility:visible", "letter-spacing:2px",
    "letter-spacing:-.5px", "display:grid", "display:grid;grid-template-columns:subgrid",
    "display:flow-root", "display:list-item", "display:contents", "display:table", "color:inherit",
    "display:revert", "display:unset", "visibility:inherit", "opacity:revert", "contain:layout",
    "interactivity:inert", "anchor-name:--a", "position-anchor:--a", "filter:none", "filter:grayscale(1)",
    "scale:1", "rotate:.2deg", "translate:3px 2px", "mask:none",
    "text-indent:-1em;padding-left:1em", "text-wrap:balance",
    "background:linear-gradient(#fff,#eee)", "line-height:2", "--gone:block", "--far:3px", "--pale:#222",
    "container-type:inline-size", "container-name:none-such", "position:sticky;top:0", "columns:2",
    "writing-mode:vertical-rl", "zoom:1.5", "contain:paint", "contain:style",
    "position:absolute;top:anchor(--a bottom)",
    "clip-path:url(#none-such)", "clip-path:margin-box", "direction:rtl", "overflow:auto", "overflow:clip",
    "aspect-ratio:9/1", "display:inline-flex", "display:table-cell", "transform:rotate(1deg)", "max-width:400px",
    "position:sticky;left:-9999px", "float:right;clear:both", "display:if(style(--gone:block): flex; else: block)",
    "grid-column:1 / -1", "min-height:40px", "display:inline", "text-align:right", "user-select:none",
    "mix-blend-mode:multiply", "mix-blend-mode:normal",
    "isolation:isolate", "text-shadow:1px 1px 2px #888", "filter:drop-shadow(0 0 2px #888)", "opacity:.6",
    "backdrop-filter:blur(4px)", "color-scheme:light dark", "filter:sepia(.5)", "filter:brightness(.8)",
    "box-shadow:inset 0 0 0 2px #000", "box-shadow:0 2px 9px #888", "animation:rise 1ms both", "flex:1", "flex:none",
    "background:linear-gradient(#000,#000) 0 100%/100% 2px no-repeat", "color:oklch(from navy l c h)",
    "backface-visibility:hidden", "transform-origin:0 0", "word-spacing:2px", "perspective:900px",
    "letter-spacing:normal",
)  # fmt: skip
TAGS = (
    "div", "div", "p", "section", "span", "b", "ul", "x-card", "article", "h2", "blockquote", "details", "dialog",
    "table", "figure", "pre", "em", "li",
)  # fmt: skip
CONDITIONS = (
    "", "", "", "", "@media screen", "@media print", "@media (min-width:0)", "@media (max-width:500px)",
    "@media (width > 900px)", "@media not print", "@supports (display:grid)", "@supports not (display:grid)",
    "@layer low", "@layer high", "@layer", "@media screen and (orientation:landscape)", "@supports selector(:has(a))",
    "@scope (.a)", "@scope (.a) to (.b)", "@container (min-width:100px)",
    "@container none-such (min-width:0)",
    "@media (prefers-color-scheme:dark)", "@media (prefers-reduced-motion:no-preference)",
    "@media (aspect-ratio > 1/1)", "@media (scripting:none)", "@media (min-width:calc(1px + 1em))",
    "@supports (color:light-dark(#000,#fff))", "@supports (display:none-such)", "@layer low.inner", "@media (color)",
    "@supports (clip-path:inset(1px)) and (not (display:masonry-such))", "@media (400px <= width <= 2000px)",
    "@container (min-width:700px)", "@container (orientation:landscape)", "@container style(--gone:none)",
    "@container style(--none-such)", "@container not style(--gone:none)", "@container (width > 400px) and style(--far)",
    "@starting-style", "@media (hover)", "@media (hover:none)", "@media (any-pointer:coarse)", "@media (pointer:fine)",
    "@scope (.c) to (:scope > .d)", "@scope", "@layer high.inner", "@supports not selector(:no-such-thing)",
)  # fmt: skip
# Of selectors; `one` and `two` are classes.
COMPOUNDS = (
    ".{one}", ".{one}", ".{one}", ".{one}.{two}", "span", "x-card", "[data-k={key}]", "p", "[id]",
    ":is(.{one}, section)",
    ".{one}:not(.{two})", "div:nth-child({step})", "b:first-of-type", "#i{number}", ":where(.c)", ".{one}:has(b)",
    "h2:hover", ".\\{code} ", "p:only-child", "div:last-child", ":nth-child(2 of .{one})", ":nth-last-child(1)",
    "[class^={one}]", "[class*={two} i]", "[class~={one}]", ":not(:has(*))", ":has(> .{two})", ":has(+ p)",
    "x-card:not(:defined)", ":nth-of-type(2n+1)", ":-webkit-any(.{one})", ":empty", ":popover-open", ":root .{one}",
    "b:is(:first-child, :last-child)", "[inert]", ":nth-last-child(2 of :is(.{one}, .{two}))", ":where(.{one}) > *",
    ":is(:has(> b), .{two})", ":not(.{one}, .{two}, div)", ".{one}:not(.{two} *)", ":nth-last-of-type(2)", "p + *",
    "span:only-of-type", "html .{one}", ":root:not(.{one}) .{two}", "[class={one}]", "[data-k|={key}]", "summary",
    "td", "details[open]", "dialog", "details:open", ":is(h2, p):is(.{one}, .{two})", ".{one}:nth-child(odd of .{one})",
    "li:first-child", ":not(:not(.{one}))", ".{one}:has(~ .{two})", "[open]", ".{one}:is(:hover, .{two})",
)  # fmt: skip
KINDS = frozenset((*HIDING, *HARMLESS, *CONDITIONS, *COMPOUNDS))


START = (
    "@layer low, high; :root{--gone:none;--pale:#fefefe;--far:-9999px;--loop:var(--loop)}"
    "body{container-type:inline-size;min-width:600px}dialog{position:static}"
    "@property --typed{syntax:'<length>';inherits:false;initial-value:-9999px}"
    "@function --none(){result:none}@keyframes vanish{to{opacity:0}}"
    "@keyframes bleach{to{color:#fff}}@keyframes rise{from{opacity:0}}"
    "@keyframes leave{100%{left:-9999px;position:absolute}}"
)


class PageMaker:
    """Random markup and random rules over it; every text holds a word of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = 0
        self.used: set[str] = set()
        """What of `KINDS` stands in the page."""

    def made_of(self) -> set[str]:
        self.page()
        return self.used

    def pick(self, kinds: tuple[str, ...]) -> str:
        chosen = self.random.choice(kinds)
        self.used.add(chosen)
        return chosen

    def page(self) -> str:
        rules = "\n".join(self.rule() for _ in range(self.random.randrange(3, 14)))
        body = "".join(self.element(0) for _ in range(self.random.randrange(4, 9)))
        style = f"<style>{START}\n{rules}</style>"
        return f"<!doctype html><html><head>{style}</head><body><p>{self.word()}</p>{body}</body></html>"

    def word(self) -> str:
        self.words += 1
        return f"word{self.words}x"

    def element(self, depth: int) -> str:
        pick = self.random
        tag = pick.choice(TAGS if depth < 3 else ("p", "span", "b", "i"))
        inner = self.word()
        if depth < 4 and tag not in {"p", "h2", "pre"}:
            below = " ".join(self.element(depth + 1) for _ in range(pick.randrange(0, 3)))
            inner = f"{inner} {below} {self.word() if pick.random() < 0.5 else ''}"
        if tag == "details":
            inner = f"<summary{self.attributes()}>{self.word()}</summary>{inner}"
        elif tag == "table":
            inner = f"<tr{self.attributes()}><td{self.attributes()}>{inner}</td><td>{self.word()}</td></tr>"
        return f"<{tag}{self.attributes()}{' open' if pick.random() < 0.5 else ''}>{inner}</{tag}>"

    def attributes(self) -> str:
        pick = self.random
        offered = {
            f"id=i{self.words}": 0.15,
            f"data-k={pick.choice('uv')}": 0.15,
            "hidden": 0.02,
            "hidden=until-found": 0.01,
            "popover": 0.01,
            "inert": 0.04,
            "dir=rtl": 0.04,
            "aria-hidden=true": 0.05,
        }
        chosen = [name for name, share in offered.items() if pick.random() < share]
        if pick.random() < 0.6:
            chosen.append(f'class="{" ".join(pick.sample("abcdef", pick.randrange(1, 3)))}"')
        if pick.random() < 0.12:
            chosen.append(f'style="{self.declarations()}"')
        return "".join(f" {name}" for name in chosen)

    def declarations(self) -> str:
        pick = self.random
        chosen = [self.pick(HIDING if pick.random() < 0.3 else HARMLESS) for _ in range(pick.randrange(1, 4))]
        return ";".join(f"{each} !important" if ";" not in each and pick.random() < 0.12 else each for each in chosen)

    def compound(self) -> str:
        pick = self.random
        one, two, code = pick.choice("abcdef"), pick.choice("abcdef"), pick.choice("abcdef")
        return self.pick(COMPOUNDS).format(
            one=one, two=two, code=f"{ord(code):x}", key=pick.choice("uv"), number=pick.randrange(1, 20),
            step=pick.choice(("2", "3n", "odd")),
        )  # fmt: skip

    def selector(self) -> str:
        parts = [self.compound()]
        while self.random.random() < 0.3:
            parts += [self.random.choice((" ", " > ", " + ", " ~ ")), self.compound()]
        return "".join(parts)

    def rule(self) -> str:
        pick = self.random
        selectors = ", ".join(self.selector() for _ in range(pick.choice((1, 1, 2))))
        if pick.random() < 0.05:
            selectors += ", p:no-such-thing"
        nested = f" {pick.choice(('&', '> ', ''))}{self.compound()} {{ {self.declarations()} }}"
        nested = nested if pick.random() < 0.15 else ""
        rule = f"{selectors} {{ /* }} */ {self.declarations()};{nested} }}"
        for condition in (self.pick(CONDITIONS), self.pick(CONDITIONS) if pick.random() < 0.1 else ""):
            rule = f"{condition} {{ {rule} }}" if condition else rule
        return rule
