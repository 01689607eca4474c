"""Articles that stand only in the data of their page's scripts."""

from __future__ import annotations

import gzip
import json
import random
import re
from html import escape
from pathlib import Path

import pytest

from wellsourced.pages.html.extract import extract

URL = "https://paper.example/tides"
SENTENCES = [
    "The harbour at Cantle fills twice a day, and the boats lie dry for three hours in between.",
    "Its keepers wrote down every tide since 1871, in eleven books that the town has kept.",
    "A storm in the winter of 1953 took the pier, but the books were saved by a schoolteacher.",
    "Now the figures are being typed in again, so that they can be laid beside those of the satellites.",
]
ELSEWHERE = "Sign up for our letter today and you will never miss a story. It is free."
ARTICLE = {"title": "Tides", "paragraphs": [{"children": [{"text": s[:30]}, {"text": s[30:]}]} for s in SENTENCES]}
DATA = {"messages": {"promo": f"{ELSEWHERE} " * 40}, "props": {"teaser": ELSEWHERE, "article": ARTICLE}}
FLIGHT = "".join(
    f"{number}:{json.dumps(['$', 'p', None, {'children': [s[:20], ['$', 'b', None, {'children': s[20:]}]]}])}\n"
    for number, s in enumerate(SENTENCES, 1)
)
NUXT = [["Reactive", 1], {"article": 2}, {"title": 3}, "Tides", *SENTENCES]
QUOTE = '"'
SCRIPTS = {
    "next": f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(DATA)}</script>',
    "nuxt": f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(NUXT)}</script>',
    "state": f"<script>window.__PRELOADED_STATE__ = {json.dumps(DATA)};</script>",
    "parsed": f"<script>window['__APOLLO_STATE__'] = JSON.parse({json.dumps(json.dumps(DATA))});</script>",
    "sveltekit": '<script type="application/json" data-sveltekit-fetched>'
    f"{json.dumps({'status': 200, 'body': json.dumps(DATA)})}</script>",
    "inertia": f'<div id="app" data-page="{escape(json.dumps(DATA))}"></div>',
    "angular": f'<script id="app-state" type="application/json">{json.dumps(DATA).replace(QUOTE, "&q;")}</script>',
    "arc": f'<script>window.F=window.F||{{}};F.arcSite="x";F.globalContent={json.dumps(DATA)};F.end={{}};</script>',
    "single quotes": "<script>window.__STATE__ = JSON.parse('"
    + json.dumps(DATA).replace("\\", "\\\\")
    + "');</script>",
    "astro": f'<astro-island props="{escape(json.dumps({"post": [0, DATA]}))}"></astro-island>',
    "flight": "".join(
        f"<script>self.__next_f.push([1,{json.dumps(part)}])</script>" for part in (FLIGHT[:150], FLIGHT[150:])
    ),
}


def shell(scripts: str, kind: str = "article", head: str = "") -> str:
    meta = f'<meta property="og:type" content="{kind}"><title>Tides</title>{head}'
    return f"<html><head>{meta}</head><body><div id=root></div>{scripts}</body></html>"


@pytest.mark.parametrize("framework", SCRIPTS)
def test_an_article_is_read_from_the_data_and_nothing_else(framework: str) -> None:
    page = extract(shell(SCRIPTS[framework]), URL)
    assert [line for line in page.plain.splitlines() if line] == SENTENCES
    assert "scripts only" in " ".join(page.notes)


def test_what_is_for_subscribers_or_no_article_is_left() -> None:
    sold = {"@type": "NewsArticle", "isAccessibleForFree": False}
    declared = f'<script type="application/ld+json">{json.dumps(sold)}</script>'
    assert extract(shell(SCRIPTS["next"], head=declared), URL).word_count == 0
    assert extract(shell(SCRIPTS["next"], kind="website"), URL).word_count == 0


def test_a_page_that_shows_its_text_is_read_as_it_stands() -> None:
    shown = "".join(f"<p>{sentence.upper()}</p>" for sentence in SENTENCES)
    page = extract(shell(f"<main>{shown}</main>{SCRIPTS['next']}"), URL)
    assert SENTENCES[0].upper() in page.plain
    assert SENTENCES[0] not in page.plain


def test_no_data_breaks_the_reader() -> None:
    chance = random.Random(3)
    broken = ["[" * 5000, "{" * 5000, "null", '"text"', json.dumps({"a": ["$", "p", None, {"children": {}}]})]
    whole = json.dumps(DATA)
    broken += [whole[: chance.randrange(len(whole))] for _ in range(20)]
    for data in broken:
        for scripts in (f'<script type="application/json">{data}</script>', f"<script>window.state={data}</script>"):
            assert extract(shell(scripts), URL).quality == "partial"


def test_real_articles_are_found_in_their_data(shared: Path) -> None:
    """Of pages whose visible body was taken away, so that only their scripts are left."""
    folder = shared / "extraction" / "page-types"
    truths = json.loads((folder / "ground-truth.json").read_text())
    found = wrong = 0
    for name, truth in truths.items():
        if truth["page_type"] != "article":
            continue
        markup = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        if "__NEXT_DATA__" not in markup and "__next_f" not in markup:
            continue
        head, _, body = markup.partition("<body")
        page = extract(f"{head}<body>{''.join(re.findall(r'<script.*?</script>', body, re.S))}</body>", URL)
        wanted, got = set(truth["articleBody"].split()), set(page.plain.split())
        found += len(wanted & got) >= 0.8 * len(wanted)
        wrong += page.word_count > 100 and len(wanted & got) < 0.4 * len(got)
    assert found >= 8
    assert wrong <= 1


@pytest.mark.parametrize("words", [40, 2000])
def test_a_teaser_is_called_one_where_the_data_speaks_of_more(words: int) -> None:
    declared = {"@type": "NewsArticle", "wordCount": words}
    shown = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    head = f'<script type="application/ld+json">{json.dumps(declared)}</script>'
    page = extract(shell(f"<article>{shown}</article>", head=head), URL)
    assert any(f"{words:,} words" in note for note in page.notes) is (words == 2000)


@pytest.mark.parametrize("has_data", [True, False])
def test_a_teaser_is_one_though_its_description_comes_first_and_its_text_last(*, has_data: bool) -> None:
    closed = json.dumps({"@type": "NewsArticle", "isAccessibleForFree": False})
    script = f"<script>window.__STATE__ = {json.dumps({'article': ' '.join(SENTENCES * 20)})};</script>"
    head = f'<meta name="description" content="{SENTENCES[0]}">{script if has_data else ""}'
    head += f'<script type="application/ld+json">{closed}</script>'
    page = extract(shell(f"<article><p>{SENTENCES[0]}</p></article>", head=head), URL)
    assert any("it may show only a part" in note for note in page.notes) is has_data
