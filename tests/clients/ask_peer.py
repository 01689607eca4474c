"""Calls every tool through the peer's own client, unchanged, and prints for each what the typed answer holds."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from web_researcher_mcp.client import WebResearcherClient  # type: ignore[import-not-found]

WORK = "@article{a, title={Tides and currents}, doi={10.1000/tides.1}}"


def calls(base: str) -> dict[str, dict[str, Any]]:
    return {
        "web_search": {"query": "tides"},
        "image_search": {"query": "tides", "provider": "searxng"},
        "news_search": {"query": "tides"},
        "search_and_scrape": {"query": "tides"},
        "scrape_page": {"url": f"{base}/site/alpha/tides"},
        "academic_search": {"query": "tides"},
        "citation_graph": {"paper": "10.1000/tides.1"},
        "paper_fulltext": {"identifier": f"{base}/site/delta/tides"},
        "patent_search": {"query": "tides"},
        "verify_citation": {"citation": "10.1000/tides.1"},
        "audit_bibliography": {"bibliography": WORK},
        "format_bibliography": {"sources": [{"title": "Tides", "url": "https://alpha.example/tides"}]},
        "verify_recommendation": {"recommendations": [{"title": "Acme", "url": f"{base}/site/alpha/tides"}]},
        "filing_search": {"ticker": "QRRY"},
        "legal_search": {"query": "tides"},
        "econ_search": {"series_id": "KITES"},
        "clinical_search": {"query": "tides"},
        "local_search": {"query": "mill", "near": "Oslo"},
        "sequential_search": {"search_step": "Look", "step_number": 1, "next_step_needed": True},
        "brand_research": {"url": f"{base}/site/alpha/tides"},
    }


async def main(port: int, base: str) -> None:
    told: dict[str, Any] = {}
    async with WebResearcherClient(port=port) as client:
        told["tools"] = len(await client.list_tools())
        for tool, arguments in calls(base).items():
            try:
                answer = await getattr(client, tool)(**arguments)
                told[tool] = sorted(name for name, value in vars(answer).items() if value not in (None, [], {}, ""))
            except Exception as problem:
                told[tool] = f"{type(problem).__name__}: {problem}"[:300]
    print(json.dumps(told))


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
