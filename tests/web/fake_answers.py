"""Answers of tools that the loopback internet does not play, or not at this size, put in the page's own hands."""

from __future__ import annotations

import json
from typing import Any

IMAGES = {
    "images": [
        {"title": f"A mill in the wind, number {n}", "link": f"https://pictures.example/{n}.jpg", "width": 800,
         "displayLink": "pictures.example", "contextLink": f"https://pictures.example/mills/{n}"}
        for n in range(9)
    ],
    "query": "mills", "resultCount": 9,
}  # fmt: skip
BRAND = {
    "identity": {"name": "Harbour Kites", "domain": "kites.example", "tagline": "Kites that fly in any wind"},
    "colors": {"primary": "#1f5c57", "background": "#fbf9f4", "palette": [{"hex": "#9c2a24", "name": "red"}]},
    "logos": {"primary": {"url": "https://kites.example/logo.svg"}},
    "typography": {"heading": {"family": "Georgia", "weights": [400, 700]}},
    "tone_of_voice": {"summary": "Plain and warm.", "attributes": ["plain", "warm"]},
    "social": {"github": "https://github.com/kites"},
    "sources": [{"name": "homepage", "url": "https://kites.example/", "fields": ["identity", "colors"]}],
}
PATENTS = {
    "patents": [
        {"title": "Kite with two lines", "number": "US1234567B2", "url": "https://patents.example/US1234567B2",
         "abstract": "A kite that is held by two lines.", "assignee": "Harbour Kites", "filed": "2019-03-04",
         "granted": "2021-05-06", "claims": ["A kite.", "The kite of claim 1 with two lines."]}
    ],
    "query": "kite", "resultCount": 1,
}  # fmt: skip


def citation_graph(works: int) -> dict[str, Any]:
    """A paper with so many works around it, one in forty of them retracted."""
    around = [
        {
            **{"title": f"Work {n} on the tides of harbours", "url": f"https://doi.org/10.1000/w.{n}"},
            **{"doi": f"10.1000/w.{n}", "year": 1980 + n % 44, "citationCount": n * 7 % 900, "source": "test"},
            **({"retractionStatus": {"retracted": True, "kind": "retraction"}} if n % 40 == 0 else {}),
        }
        for n in range(works - 1)
    ]
    seed = {"title": "Tides", "doi": "10.1000/tides", "url": "https://doi.org/10.1000/tides", "year": 2005}
    half = len(around) // 2
    return {"seed": "Tides", "seedPaper": seed, "citedBy": around[:half], "references": around[half:]}


def series(values: int) -> dict[str, Any]:
    rows = [
        {"seriesId": "TIDE", "date": f"{1200 + n // 12}-{n % 12 + 1:02}", "value": str(n % 97)} for n in range(values)
    ]
    about = {"seriesId": "TIDE", "title": "Height of the tide", "units": "Centimetres"}
    return {"mode": "observations", "results": rows, "series": [about], "resultCount": values, "query": "tide"}


def answering(contents: dict[str, dict[str, Any]]) -> str:
    """A script after which these tools answer with these contents; everything else is asked of the server."""
    return f"""(() => {{
      const contents = {json.dumps(contents)};
      const real = window.fetch;
      window.fetch = async (path, options) => {{
        const tool = path === '/api/stream' ? JSON.parse(options.body).tool : null;
        if (!(tool in contents)) return real(path, options);
        return new Response(`event: answer\\ndata: ${{JSON.stringify({{ content: contents[tool] }})}}\\n\\n`);
      }};
    }})()"""
