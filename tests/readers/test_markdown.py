"""Structure of a page in markdown, every block kept, so that only the renderer is tested."""

from __future__ import annotations

import pytest

from wellsourced.readers import blocks, dom, markdown

STRUCTURES = {
    "heading levels": ("<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"),
    "paragraphs": ("<p>a\n  b</p><p>c</p>", "a b\n\nc"),
    "bare text beside blocks": ("<div>lead<p>para</p>tail</div>", "lead\n\npara\n\ntail"),
    "double breaks part paragraphs": ("<div>one<br><br>two</div>", "one\n\ntwo"),
    "single break": ("<p>one<br>two</p>", "one  \ntwo"),
    "emphasis": ("<p>a <b>bold </b>and <em>soft</em></p>", "a **bold** and *soft*"),
    "relative link": ('<p>see <a href="../b?q=1">there</a></p>', "see [there](https://site.example/b?q=1)"),
    "link around a heading": ('<a href="/x"><h2>Card</h2><p>Text</p></a>', "## [Card](https://site.example/x)\n\nText"),
    "fragment link is text": ('<p><a href="#n">note</a></p>', "note"),
    "script link is text": ('<p><a href="javascript:go()">go</a></p>', "go"),
    "image": ('<p>x <img src="/i.png" alt="A cat"> y</p>', "x ![A cat](https://site.example/i.png) y"),
    "nested list": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
    "numbered list": ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"),
    "numbers within bullets": ("<ul><li>a<ol><li>b</li></ol></li></ul>", "- a\n  1. b"),
    "item with two paragraphs": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    "code keeps indentation": (
        "<pre><code class='language-python'>def f():\n    if x:\n        return 1\n</code></pre>",
        "```python\ndef f():\n    if x:\n        return 1\n```",
    ),
    "highlighted code": (
        "<div class='highlight-rust'><pre><span>fn</span> main() {\n    <b>x</b>;\n}</pre></div>",
        "```rust\nfn main() {\n    x;\n}\n```",
    ),
    "code that holds a fence": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    "code about CSS": ("<pre>.a { display: none }</pre>", "```\n.a { display: none }\n```"),
    "inline code with backtick": ("<p><code>a`b</code></p>", "``a`b``"),
    "quote": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    "table": (
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>",
        "| A | B |\n| --- | --- |\n| 1\\|2 | x y |",
    ),
    "table without header": (
        "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>",
        "| Column 1 | Column 2 |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |",
    ),
    "table with head and spans": (
        "<table><thead><tr><td colspan=2>A</td><td>B</td></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>",
        "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
    ),
    "single column is text": ("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", "a\n\nb"),
    "nested table is text": (
        "<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
        "a\n\n| Column 1 | Column 2 |\n| --- | --- |\n| b | c |",
    ),
    "definitions": ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "**Term**\n\nMeaning"),
    "text never becomes markup": (
        "<p>![x](https://e.example/?q=1) [c](javascript:1) *a* `b` &lt;script&gt;</p>",
        "![x\\](https://e.example/?q=1) [c\\](javascript:1) \\*a\\* \\`b\\` \\<script>",
    ),
    "line starts stay text": (
        "<p># no heading</p><p>1. no item</p><p>- dash</p>",
        "\\# no heading\n\n1\\. no item\n\n\\- dash",
    ),
}


@pytest.mark.parametrize(("html", "expected"), STRUCTURES.values(), ids=STRUCTURES)
def test_structure(html: str, expected: str) -> None:
    outline = blocks.outline(dom.parse(f"<body>{html}</body>"))
    assert outline is not None
    rendered = markdown.render(outline, [True] * len(outline.blocks), "https://site.example/a/")
    assert rendered.markdown == expected


def test_only_kept_blocks_are_written() -> None:
    outline = blocks.outline(dom.parse("<ol><li>a</li><li>b <b>c</b></li><li>d</li></ol><p>e <a href=/x>f</a></p>"))
    assert outline is not None
    rendered = markdown.render(outline, [False, True, False, True], "https://site.example/")
    assert rendered.markdown == "2. b **c**\n\ne [f](https://site.example/x)"
    assert rendered.plain == "b c\n\ne f"
    assert rendered.links == 1
