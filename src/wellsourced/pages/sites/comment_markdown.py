"""Comments of Hacker News and Reddit as markdown."""

from __future__ import annotations

from wellsourced.text.plain_text import LONG_NUMBER, strip_invisible

# Comments are far shorter; this bounds the time for anything else.
LONGEST = 60_000


def comment_markdown(markup: str) -> str:
    """Markdown of the few tags that sites allow their users; markup that is cut off or wrong gives its text."""
    # The parser takes tens of milliseconds to load, and this module is read with the list of sites.
    from wellsourced.pages.html import dom
    from wellsourced.pages.html.inline import MarkdownStyle
    from wellsourced.pages.html.markdown import write_whole

    document = dom.parse(LONG_NUMBER.sub("", markup[:LONGEST]))
    style = MarkdownStyle(links="spelled_out", joins_quotes=False)
    return strip_invisible("\n\n".join(write_whole(document, style))).strip()
