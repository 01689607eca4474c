"""Structure of a page in markdown, every block kept, so that only the renderer is tested."""

from __future__ import annotations

import pytest

from wellsourced.pages.html import blocks, dom, markdown, repairs

STRUCTURES = {
    "heading levels": ("<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"),
    "paragraphs": ("<p>a\n  b</p><p>c</p>", "a b\n\nc"),
    "bare text beside blocks": ("<div>lead<p>para</p>tail</div>", "lead\n\npara\n\ntail"),
    "double breaks part paragraphs": ("<div>one<br><br>two</div>", "one\n\ntwo"),
    "single break": ("<p>one<br>two</p>", "one  \ntwo"),
    "numbers that the page writes itself": (
        "<ol><li><span>1.</span><p>Ada</p></li><li><span>2.</span><p>Eva</p></li></ol>",
        "1. Ada\n2. Eva",
    ),
    "emphasis": ("<p>a <b>bold </b>and <em>soft</em></p>", "a **bold** and *soft*"),
    "relative link": ('<p>see <a href="../b?q=1">there</a></p>', "see [there](https://site.example/b?q=1)"),
    "link around a heading": ('<a href="/x"><h2>Card</h2><p>Text</p></a>', "## [Card](https://site.example/x)\n\nText"),
    "fragment link is text": ('<p><a href="#n">note</a></p>', "note"),
    "script link is text": ('<p><a href="javascript:go()">go</a></p>', "go"),
    "pictures that come later": (
        "<p>x <img src=/blank.gif data-src=/a.png alt=A> <img srcset='/b.png 1x, /c.png 2x' alt=B></p>",
        "x ![A](https://site.example/a.png) ![B](https://site.example/b.png)",
    ),
    "link around picture and words": (
        "<p><a href=/x><img src=/i.png alt=I> more</a></p><a href=/y><img src=/j.png alt=J><h3>C# 9</h3></a>",
        "![I](https://site.example/i.png) [more](https://site.example/x)\n\n![J](https://site.example/j.png)\n\n"
        "### [C# 9](https://site.example/y)",
    ),
    "signs of a place are no words": ("<h2><a href='#a'>#</a> Top<a href='#a'>¶</a></h2>", "## Top"),
    "brackets in a link": ("<p><a href=/x>a]b</a></p>", "[a\\]b](https://site.example/x)"),
    "neighbours in bold": (
        "<p><b>a</b><b>b</b></p><details><summary>m <b>n</b></summary>o</details>",
        "**ab**\n\nm **n**\n\no",
    ),
    "raised numbers": (
        "<p>10<sup>-5</sup> m<sup>2</sup> in 1999<sup><a href='#n'>1</a></sup>, the 19<sup>th</sup></p>",
        "10^-5 m^2 in 1999[1], the 19th",
    ),
    "formula": (
        "<p>so <math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo>"
        "<msub><mi>b</mi><mi>i</mi></msub></mrow></mfrac><msqrt><mn>2</mn></msqrt><annotation>obey</annotation></math></p>",
        r"so $x=\frac{1}{a+b_i}\sqrt{2}$",
    ),
    "binomials, roots, limits": (
        "<p><math display=block><mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo><mo>=</mo>"
        "<mroot><mn>8</mn><mn>3</mn></mroot><munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>"
        "<mover><mi>α</mi><mo>¯</mo></mover></math></p>",
        r"$$\binom{n}{k}=\sqrt[3]{8}\lim_{x\to\infty}\bar{\alpha}$$",
    ),
    "matrices": (
        "<p><math><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>"
        "<mtd><mi>a</mi></mtd></mtr></mtable><mo>]</mo></math></p>",
        r"$\begin{bmatrix} 1 & 0 \\ 0 & a \end{bmatrix}$",
    ),
    "formula as a picture": ("<p>so <img class=latex src=/f.png alt='E=mc^2'></p>", "so $E=mc^2$"),
    "readings and quotation marks": ("<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby> <q>a</q></p>", "漢(かん)字(じ) “a”"),
    "image": ('<p>x <img src="/i.png" alt="A cat"> y</p>', "x ![A cat](https://site.example/i.png) y"),
    "image_with_data": ('<p>x <img src="/i.png?d=secret" alt="A *cat*"> y</p>', "x ![A \\*cat\\*]() y"),
    "brackets in the text of an image": (
        '<p>x <img src="/i.png" alt="A [cat](b) [c"> y</p>',
        "x ![A \\[cat\\](b) \\[c](https://site.example/i.png) y",
    ),
    "nested list": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
    "numbered list": ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"),
    "numbers that fall, and odd ones": (
        "<ol reversed><li>a</li><li>b</li></ol><p>x</p><ol start=-1><li>c</li><li value='7 '>d</li><li>e</li></ol>",
        "2. a\n1. b\n\nx\n\n-1. c\n7. d\n8. e",
    ),
    "tasks": (
        "<ul><li><input type=checkbox checked> a<ul><li>c</li></ul></li><li><p><input type=checkbox> b</p></li></ul>",
        "- [x] a\n  - c\n- [ ] b",
    ),
    "item with a year": ("<ul><li><p>a</p><p>2024 was dry</p></li></ul>", "- a\n\n  2024 was dry"),
    "letters and roman numerals": (
        "<ol><li>x<ol type=a start=2><li>y<p>z</p><ol style='list-style-type: lower-roman'><li>u</li><li value=4>v</li>"
        "</ol></li></ol></li></ol>",
        "1. x\n   - b. y\n\n     z\n     - i. u\n     - iv. v",
    ),
    "numbers within bullets": ("<ul><li>a<ol><li>b</li></ol></li></ul>", "- a\n  1. b"),
    "item with two paragraphs": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    "code keeps indentation": (
        "<pre><code class='language-python'>def f():\n    if x:\n        return 1\n</code></pre>",
        "```python\ndef f():\n    if x:\n        return 1\n```",
    ),
    "blanks between highlighted words": (
        "<div class='highlight-python'><div class='highlight'><pre>    <b>def</b> <i>f</i>():\n"
        "        <b>pass</b>\n\n\n<i>x</i>\n</pre></div></div>",
        "```python\n    def f():\n        pass\n\n\nx\n```",
    ),
    "line numbers are no code": (
        "<table><tr><td class=gutter><pre>1\n2</pre></td><td><pre><code class='hljs go'>a\n  b</code></pre></td></tr>"
        "</table><pre><span class=lineno>7 </span>c<br><span class=lineno>8 </span>  d</pre><pre>42</pre>",
        "```go\na\n  b\n```\n\n```\nc\n  d\n```\n\n```\n42\n```",
    ),
    "a line an element": (
        "<pre><code><span class=line>a</span><span class=line>  b</span></code><button>Copy</button></pre>",
        "```\na\n  b\n```",
    ),
    "broken code in a line": ("<p><code>a<br>b</code></p>", "```\na\nb\n```"),
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
        "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |",
    ),
    "table with head and spans": (
        "<table><thead><tr><td colspan=2>A</td><td>B</td></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>",
        "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
    ),
    "cells stay in their columns": (
        "<table><tr><td></td><th>A</th><th>B</th><th></th></tr><tfoot><tr><td>sum</td><td>3</td></tr></tfoot>"
        "<tr><td rowspan=2>x</td><td></td><td>1</td><td></td></tr><tr><td>2</td></tr></table>",
        "|  | A | B |\n| --- | --- | --- |\n| x |  | 1 |\n| x | 2 |  |\n| sum | 3 |  |",
    ),
    "single column is text": ("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", "a\n\nb"),
    "nested table is text": (
        "<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
        "a\n\n|  |  |\n| --- | --- |\n| b | c |",
    ),
    "definitions": ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "**Term**\n\nMeaning"),
    "text never becomes markup": (
        "<p>![x](https://e.example/?q=1) [c](javascript:1) *a* `b` &lt;script&gt;</p>",
        "![x\\](https://e.example/?q=1) [c\\](javascript:1) \\*a\\* \\`b\\` \\<script>",
    ),
    "runs of signs stay text": (
        "<p>___</p><p>__init__ a__b c__ _ ~~d</p>",
        "\\_\\_\\_\n\n\\_\\_init\\_\\_ a__b c\\_\\_ _ \\~\\~d",
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
    rendered = markdown.write_kept(outline, [True] * len(outline.blocks), "https://site.example/a/")
    assert rendered.markdown == expected


@pytest.mark.parametrize("tag", ["blockquote", "ul><li", "b", "math><mrow"])
def test_depth_is_survived(tag: str) -> None:
    outline = blocks.outline(dom.parse(f"<{tag}>" * 3000 + "deep"))
    assert outline is not None
    assert "deep" in markdown.write_kept(outline, [True] * len(outline.blocks), "https://site.example/").plain


def test_only_kept_blocks_are_written() -> None:
    outline = blocks.outline(dom.parse("<ol><li>a</li><li>b <b>c</b></li><li>d</li></ol><p>e <a href=/x>f</a></p>"))
    assert outline is not None
    rendered = markdown.write_kept(outline, [False, True, False, True], "https://site.example/")
    assert rendered.markdown == "2. b **c**\n\ne [f](https://site.example/x)"
    assert rendered.plain == "b c\n\ne f"
    assert rendered.links == 1


STRAY = {
    "terms stay with their definitions": (
        "<dl><dt>a</dt><dt>b</dt><dd>+c</dd><dt>d</dt><dd>e</dd><dt>f</dt></dl><p>+g</p>", "a b c g",
    ),
    "a question with its answer": ("<details><summary>a</summary><p>+b</p></details><p>d</p>", "a b"),
    "a card with its name": ("<nav>a</nav><div><h3>b</h3><p>+c</p></div><div><h3>d</h3><p>e</p></div>", "b c"),
    "code after its text": ("<div><p>+a</p><pre>b</pre></div><p>c</p><pre>d</pre>", "a b"),
    "a formula between": ("<p>+a</p><div>$$b$$</div><div><math><mi>c</mi></math></div><p>+d</p><p>e</p>", "a b c d"),
    "no stray item of a list": ("<p>+a long text</p><ul><li>+b</li><li>c d</li><li>e f</li></ul>", "a long text"),
    "the posts of a thread": ("<p>+a</p><ul><li>+a post</li><li>how to post here</li></ul>", "a a post"),
    "no heading above teasers": (
        "<p>+a</p><h4>b</h4><h5><a href=/1>c</a></h5><h5><a href=/2>d</a></h5><h4>e</h4><p>+f</p>"
        "<div class=related-news><h3>g</h3></div><p>+h</p>", "a e f h",
    ),
    "a post behind the caption of a picture": (
        "<p>+a</p><figure><figcaption>b</figcaption></figure><blockquote class=twitter-tweet>c</blockquote><p>+d</p>",
        "a c d",
    ),
    "an indented line between": ("<p>+a</p><dl><dd>b</dd></dl><p>+c</p>", "a b c"),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "expected"), STRAY.values(), ids=STRAY)
def test_what_belongs_to_kept_text_is_kept(markup: str, expected: str) -> None:
    """The scorer has kept what begins with a plus."""
    outline = blocks.outline(dom.parse(f"<body>{markup}</body>"))
    assert outline is not None
    texts = [block.text for block in outline.blocks]
    mended = repairs.repair_choice(outline, [text.startswith("+") for text in texts])
    assert " ".join(text.strip("+$") for text, keep in zip(texts, mended, strict=True) if keep) == expected
