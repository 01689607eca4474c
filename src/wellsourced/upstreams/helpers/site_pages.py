"""Lists of a site's addresses, ordered by the words of a question that stand in them."""

from __future__ import annotations

import re
from urllib.parse import unquote

from wellsourced.text.index_words import fold_text
from wellsourced.text.terms import significant_terms
from wellsourced.upstreams.types.search import Hit

WORD = re.compile(r"[^\W_]+")
ALL_PAGES = frozenset({"all", "page", "pages", "site", "sitemap", "list", "url", "urls", "addresses", "exist"})


def pages_by_words(words: str, pages: list[Hit], title: str) -> tuple[list[Hit], tuple[str, ...]]:
    """The pages whose addresses hold the words, most of them first; all of them where just that is asked for."""
    wanted = {fold_text(term) for term in significant_terms(words)} - ALL_PAGES
    if not wanted:
        return pages, (f"{title} knows addresses only.",) if pages else ()
    scored = [(sum(any(word.startswith(term) for word in _words(page.url)) for term in wanted), page) for page in pages]
    found = [page for score, page in sorted(scored, key=lambda pair: -pair[0]) if score]
    if found or not pages:
        return found, (f"{title} knows addresses only; these hold words of the query.",) if found else ()
    return [], (f'{title} knows {len(pages)} pages there, none with these words in its address; query "all pages".',)


def _words(url: str) -> list[str]:
    """The words of the path; the host is the same for all."""
    return WORD.findall(fold_text(unquote(url.split("://", 1)[-1].partition("/")[2])[:2000]))
