"""The forest is evaluated as its trees say, and blocks are chosen for the best expected F1."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.saved_pages import label
from wellsourced.pages.html import blocks, dom, features, network, repairs, scorer, short_texts, signals


def test_forest_follows_its_trees() -> None:
    """Two conditions, three leaves: x0 <= 1 -> a; else x1 <= 5 -> b; else c."""
    forest = scorer.Forest(
        feature=np.array([[0, 1]], dtype=np.intp),
        threshold=np.array([[1.0, 5.0]], dtype=np.float32),
        survivors=np.array([[0b110, 0b101]], dtype=np.uint8),
        values=np.array([[-2.0, 0.0, 3.0] + [0.0] * 5], dtype=np.float32),
    )
    rows = np.array([[1, 9], [2, 5], [2, 6], [0, 0]], dtype=np.float32)
    expected = np.array([-2.0, 0.0, 3.0, -2.0])
    np.testing.assert_allclose(forest.score(rows.T), expected, rtol=1e-5)
    np.testing.assert_allclose(forest.score(np.tile(rows, (300, 1)).T), np.tile(expected, 300), rtol=1e-5)


def test_network_hands_on_what_it_makes_of_blocks() -> None:
    """Against the plain sums, on a page of three blocks and one whose products are taken in pieces."""
    chance = np.random.default_rng(7)
    weights = chance.normal(size=(60, 48)).astype(np.float32)
    for size in (3, 200):
        rows = chance.normal(size=(size, 60)).astype(np.float32)
        np.testing.assert_allclose(network.multiply(rows, weights), rows @ weights, rtol=1e-3, atol=1e-4)
        groups, cuts = chance.integers(0, 4, (2, size)), np.array([[0] * size, [size] * size])
        frame = features.Frame(np.tile(cuts[0], (3, 1)), np.tile(cuts[1], (3, 1)), None, groups, None)
        means = network.means_over(rows, list(network.ranges_of(frame))).reshape(size, -1, 60)
        expected = [rows[groups[0] == group].mean(axis=0) for group in groups[0]]
        np.testing.assert_allclose(means[:, 0], expected, atol=1e-4)
        np.testing.assert_allclose(means[:, -1], np.tile(rows.mean(axis=0), (size, 1)), atol=1e-4)
        beside = network.with_neighbours(rows, 4).reshape(size, 3, 60)
        padded = np.pad(rows, ((4, 4), (0, 0)))
        np.testing.assert_array_equal(beside, np.stack([padded[:size], rows, padded[8:]], axis=1))


def test_choice_maximises_expected_f1() -> None:
    """Against every subset there is."""
    likely = np.array([0.95, 0.02, 0.9, 0.45, 0.1, 0.38])
    words = np.array([100.0, 400.0, 80.0, 30.0, 50.0, 20.0])
    kept, expected = scorer.choose(likely, words, 1.0)

    def f1(chosen: tuple[bool, ...]) -> float:
        inside = np.array(chosen)
        return float(2 * (likely * words)[inside].sum() / (words[inside].sum() + (likely * words).sum()))

    best = max(product([False, True], repeat=6), key=f1)
    assert tuple(kept) == best
    assert abs(expected - f1(best)) < 0.001


KIND_OF_NONE = dict.fromkeys(scorer.KINDS, 0.0)


def test_articles_are_cut_more_carefully_than_collections() -> None:
    likely, words = np.array([0.97, 0.55, 0.02]), np.array([300.0, 40.0, 100.0])
    article, collection = (scorer.strictness({**KIND_OF_NONE, kind: 0.9}) for kind in ("article", "collection"))
    assert scorer.choose(likely, words, collection)[0] == [True, True, False]
    assert scorer.choose(likely, words, article)[0] == [True, False, False]


def test_comments_are_content_of_a_forum_and_not_of_an_article() -> None:
    likely, words = np.array([0.9, 0.8, 0.8]), np.array([300.0, 90.0, 100.0])
    in_comments = np.array([False, True, True])
    cases: tuple[tuple[dict[str, float], list[float]], ...] = (
        ({"article": 0.8}, [0.9, 0.16, 0.16]),
        ({"article": 0.8, "forum": 0.7}, [0.9, 0.8, 0.8]),
        ({}, [0.9, 0.8, 0.8]),
    )
    for kinds, expected in cases:
        found = scorer.without_comments(likely, words, in_comments, {**KIND_OF_NONE, **kinds})
        np.testing.assert_allclose(found, expected)
    alone = scorer.without_comments(likely, words, np.array([True] * 3), {**KIND_OF_NONE, "article": 0.8})
    np.testing.assert_allclose(alone, likely)


def test_dialogs_feet_and_forms_count_less_unless_they_are_the_page() -> None:
    said = "<p>What the page is about.</p>"
    cases: dict[str, list[float]] = {
        f"{said}<div role=dialog>Take a look</div>": [0.9, 0.18],
        f"{said}<footer>All of it is ours</footer>": [0.9, 0.18],
        f"<main>{said}<footer>By one of us</footer></main>": [0.9, 0.9],
        f"{said}<form>Your name</form>": [0.9, 0.27],
        f"<p>Home</p><form>{said}</form>": [0.9, 0.9],
        f"<div role=dialog>{said}</div>": [0.9],
    }
    names = signals.Names({name: place for place, name in enumerate(scorer.NEEDED_NAMES)})
    for markup, expected in cases.items():
        frame, outline = walked(markup)
        columns = features.build(outline, features.PageFacts(), names, {}, frame)
        found = scorer.without_surroundings(np.full(len(expected), 0.9, np.float32), columns, names)
        np.testing.assert_allclose(found, expected, rtol=1e-5, err_msg=markup)


def test_the_model_knows_the_names_that_rules_ask_for() -> None:
    assert set(scorer.NEEDED_NAMES) <= set(scorer.load_scorer().judges.names.places)


def test_captions_belong_to_the_pictures_of_an_article() -> None:
    _, outline = walked("<p>text</p><figure><figcaption>a pass</figcaption></figure><div class=caption><p>b</p></div>")
    likely = np.array([0.9, 0.9, 0.9])
    article = scorer.without_captions(likely, outline, {**KIND_OF_NONE, "article": 0.9})
    np.testing.assert_allclose(article, [0.9, 0.36, 0.36])
    unsure = scorer.without_captions(likely, outline, {**KIND_OF_NONE, "article": 0.7})
    np.testing.assert_allclose(unsure, likely)


def test_known_content_is_given_out_once_and_in_any_order() -> None:
    """A quoted post is content in one place, a price that stands elsewhere in the truth too, a chance word nowhere."""
    post = "The cooler is loud, and the fan of the second case is louder still."
    _, outline = walked(f"<p>19 euros</p><p>{post}</p><blockquote>{post}</blockquote><p>Case</p><p>Not said at all</p>")
    assert label(outline, f"{post}\n19 euros\nThat is all.") == pytest.approx([1, 1, 0, 0, 0], abs=0.3)


CHARACTERS = "abc XYZ 129870.!?,;:\n日本語ไทย…é Ñ\u00a0🙂"


@given(st.lists(st.text(CHARACTERS, min_size=1, max_size=40), min_size=1, max_size=6))
def test_characters_are_counted_as_the_patterns_would(drawn: list[str]) -> None:
    texts = [text.strip() or "x" for text in drawn]
    lengths, counts, closed, opened, tidy, years = signals._count_characters(texts, "".join(texts))
    for place, text in enumerate(texts):
        expected = [len(text.split()), *(len(pattern.findall(text)) for pattern in signals.CLASSES[1:])]
        assert (lengths[place], counts[:, place].tolist()) == (len(text), expected)
        assert bool(closed[place]) == bool(signals.CLASSES[signals.END].match(text[-1]))
        assert bool(opened[place]) == bool(signals.CLASSES[signals.CAPITAL].match(text[0]))
        assert years[place] or not re.search(r"\d{4}", text)
        assert tidy[place] == (text == " ".join(text.split()))


def test_an_unlikely_page_still_gives_its_best_block() -> None:
    kept, expected = scorer.choose(np.array([0.01, 0.02]), np.array([10.0, 10.0]), 1.0)
    assert any(kept)
    assert expected < 0.1


CARDS = "<main><p>One.</p></main><ul>" + "<li class=card><div><p>Two words</p></div></li>" * 3 + "</ul>"


@pytest.mark.parametrize("left_in_memory", [0.0, 7e30, np.nan])
def test_only_features_that_were_written_are_judged(left_in_memory: float, monkeypatch: pytest.MonkeyPatch) -> None:
    model, (frame, outline) = scorer.load_scorer(), walked("<h1>Tea</h1><p>One of the oldest drinks.<p>Reply")
    monkeypatch.setattr(np, "empty", lambda shape, kind=float: np.full(shape, left_in_memory).astype(kind))
    columns = features.build(outline, features.PageFacts(), model.judges.names, model.weights, frame)
    monkeypatch.undo()
    plain = features.build(outline, features.PageFacts(), model.judges.names, model.weights, frame)
    assert np.array_equal(features.page_row(columns), features.page_row(plain))


def walked(markup: str) -> tuple[features.Frame, blocks.Outline]:
    outline = blocks.outline(dom.parse(markup))
    assert outline is not None
    return features.frame_of(outline), outline


WEIGHTS = {"low": 0.5, "low.": -1.0, "more": -2.0, "three.": 3.0}


def measured(outline: blocks.Outline, title: str) -> features.Matrix:
    rows = np.empty((len(signals.BLOCK_MEASURES), len(outline.blocks)), np.float32)
    signals.measure(outline, title, WEIGHTS, rows)
    return rows


def test_what_is_measured_of_a_block() -> None:
    """Where two measures change places, the forest goes on and chooses other blocks."""
    text = "<p>The <b>tide</b> is low, at 7. <a href=/x>Read more</a></p>"
    _, outline = walked(f"<main><h1>Low Tides</h1>{text}<p>Low.</p><p>Low.</p></main>")
    heading, paragraph, _, again = measured(outline, "Low tides").T.tolist()
    codes = [signals.TAG_CODES["h1"], signals.TAG_CODES["p"]]
    assert heading == [2, 9, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, codes[0], 2, 1, 3, 1, 1, 0, 0.5]
    assert paragraph == [8, 32, 2, 1, 1, 1, 1, 1, 2, 0, 1, 0, codes[1], 2, 4, pytest.approx(32 / 9), 0, 0, 0, -2]
    assert again == [1, 4, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, codes[1], 2, 1, 2, 0, 0, 1, -1]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=6), st.text())
def test_words_of_short_blocks_are_those_of_each_alone(drawn: list[str], title: str) -> None:
    texts = [text.strip() or "x" for text in [*drawn, "Low more", "low " * 41]]
    short = short_texts.ShortTexts(texts, np.array([len(text.split()) for text in texts]))
    few = [text.lower().split() if len(text.split()) <= short_texts.MOST_WORDS else [] for text in texts]
    assert short.wording(WEIGHTS).tolist() == [sum(WEIGHTS.get(word, 0.0) for word in words) for words in few]
    of_title = set(re.findall(r"\w+", f"{title} low".lower()))
    for words, of_block, shared in zip(few, *short.likeness(f"{title} low").tolist(), strict=True):
        own = set(re.findall(r"\w+", " ".join(words))) if not of_title.isdisjoint(words) else {""}
        assert (of_block, shared) == (len(own & of_title) / len(own), len(own & of_title) / len(of_title))


def test_where_no_word_is_known_only_the_form_counts() -> None:
    """The same page in words of which none is known has the same measures as for a model that knows none."""
    model = scorer.load_scorer()
    outlines = [walked("<main><h2>Qwxz</h2><p>Zzyx vvwq.</p></main><ul><li>Xqqz<li>Wvvx</ul>") for _ in range(2)]
    known, unknown = (
        features.build(outline, features.PageFacts(), model.judges.names, weights, frame)[: features.MEASURED]
        for (frame, outline), weights in zip(outlines, (model.weights, {}), strict=True)
    )
    np.testing.assert_array_equal(known, unknown)


def test_the_model_knows_what_buttons_say() -> None:
    weights = scorer.load_scorer().weights
    assert max(weights[word] for word in ("reply", "cart", "login", "share", "subscribe")) < 0


def test_repeated_siblings_are_counted_through_their_wrappers() -> None:
    frame, _ = walked(CARDS)
    assert frame.alike[0].tolist() == [1, 3, 3, 3]


def test_what_surrounds_a_block_is_told_from_the_nearest_outwards() -> None:
    """Of the first paragraph: itself, the part around it, the page; then how much of each the one before holds."""
    frame, outline = walked("<main><p>One two.</p><p>Three.</p></main><aside><p>Four five six.</p></aside>")
    around = np.empty((53, len(outline.blocks)), np.float32)
    features._around(frame, features._running_sums(measured(outline, "")), around)
    rows = around[:, 0].tolist()
    words, blocks_held, a_block = rows[0:24:8], rows[1:24:8], rows[2:24:8]
    assert (words, blocks_held, a_block) == ([2, 3, 6], [1, 2, 3], [2, 1.5, 2])
    assert rows[5:24:8] == pytest.approx([2 / 6, 3 / 6, 1], rel=1e-4)
    assert rows[7:24:8] == [0, 1.5, 1]
    assert rows[48:50] == pytest.approx([2 / 3, 3 / 6], rel=1e-4)


def test_unsure_blocks_outside_the_main_part_of_an_article_go() -> None:
    markup = "<div><p>teaser</p></div><main><p>first words</p><p>more</p><p>a list</p></main><div><p>aside</p></div>"
    frame, outline = walked(f"<body>{markup}</body>")
    spans, parts = frame.spans, outline.parts
    likely, words = np.array([0.6, 0.95, 0.9, 0.5, 0.9]), np.array([1.0, 300.0, 200.0, 2.0, 2.0])
    assert scorer.within_main_part([True] * 5, likely, words, spans, parts) == [False, True, True, True, True]
    in_parts = np.array([220.0, 300.0, 200.0, 2.0, 2.0])
    assert scorer.within_main_part([True] * 5, likely, in_parts, spans, parts) == [True] * 5
    ticker = walked(f"<body>{markup.replace('<div>', '<aside>', 1).replace('</div>', '</aside>', 1)}</body>")[1].parts
    assert scorer.within_main_part([True] * 5, likely, in_parts, spans, ticker) == [False, True, True, True, True]


def test_unsure_paragraphs_of_an_article_go_with_their_like() -> None:
    texts = ("Unsure.", "Sure.", "Unsure.", "<a href=/x>Unsure.</a>", "<b>Unlikely.</b>")
    markup = "".join(f"<p>{text}</p>" for text in texts)
    _, outline = walked(f"<main>{markup}<p class=tag>Unsure.</p></main><aside><p>Unsure.</p></aside>")
    likely = np.array([0.5, 0.9, 0.45, 0.5, 0.3, 0.5, 0.5])
    kept = scorer.with_siblings([False, True, *[False] * 5], likely, outline.blocks)
    assert kept == [False, True, True, False, False, False, False]


POINTERS = {
    "Related: <a href=/x>Another story</a>": False,
    "[READ MORE – <a href=/x>Another story</a>]": False,
    "<a href=/x>Lesen Sie auch: Noch etwas</a>": False,
    "あわせて読みたい：<a href=/x>別の記事</a>": False,
    "<a href=/x>FOUR WORDS OF NEWS</a>": False,
    "Related: a story that has a <a href=/x>link</a>": True,
    "Read more about <a href=/x>the moon and its tides</a>": True,
    "See also: <a href=/x>Marbury v. Madison</a>": True,
    "Related: no link": True,
    "Read more:": False,
    "<a href=/x>FIVE WORDS OF OTHER NEWS</a>": False,
    "Related:": True,
    "A line that is kept.": True,
    "Lesen Sie auch:": False,
}


def test_lines_that_only_point_to_other_articles_go() -> None:
    _, outline = walked("".join(f"<p>{line}</p>" for line in POINTERS))
    kept = [True] * len(POINTERS)
    repairs.leave_out_pointers(outline, kept)
    assert dict(zip(POINTERS, kept, strict=True)) == POINTERS


def test_parts_named_as_no_content_go_unless_they_are_the_page() -> None:
    beside = "<div class='post-newsletter'><b>Join us.</b></div><p class=Signature>My motto.</p>"
    outline = walked(f"<p>What the page is about.</p>{beside}")[1]
    for kind, expected in (("article", [True, False, True]), ("forum", [True, False, False])):
        kept = [True] * 3
        repairs.leave_out_asides(outline, kept, kind)
        assert kept == expected
    kept = [False, True, False]
    repairs.leave_out_asides(outline, kept, "article")
    assert kept == [False, True, False]


def test_code_is_kept_where_it_is_not_unlikely() -> None:
    frame, outline = walked("<p>All that is said here.</p><pre>x = 1</pre><p>menu</p><pre>advert</pre>")
    names = signals.Names({"comment": 0})
    columns = features.build(outline, features.PageFacts(), names, {}, frame)
    likely = np.array([0.95, 0.2, 0.2, 0.1], np.float32)
    kinds = {**KIND_OF_NONE, "documentation": 0.9}
    choice = scorer.first_choice(likely, columns, names, kinds, outline)
    assert scorer.mended(choice, columns, kinds, outline, frame.spans) == [True, True, False, False]


SAID = "Two boats lay dry in the harbour until the tide came back."
REPEATED = {
    "the same part": (f"<div><p>{SAID}</p><p>{SAID}</p></div>", [True, True]),
    "another part": (f"<div><p>{SAID}</p></div><div><p>{SAID}</p></div>", [True, False]),
    "not kept before": (f"<nav><p>{SAID}</p></nav><div><p>{SAID}</p></div>", [False, True]),
    "a label": ("<div><p>Add to cart</p></div><div><p>Add to cart</p></div>", [True, True]),
    "every card": (f"<div><p>{SAID}</p></div>" * 4, [True] * 4),
    "among other things": (
        f"<div><p>{SAID}</p></div><div><p>{SAID}</p><p>Another: {SAID} {SAID}</p></div>",
        [True] * 3,
    ),
    "an item": (f"<div><p>{SAID}</p></div><ul><li>{SAID}</li></ul>", [True, True]),
    "a quotation": (f"<div><p>{SAID}</p></div><blockquote><p>{SAID}</p></blockquote>", [True, True]),
    "below its own heading": (
        f"<h2>Harbour</h2><div><p>{SAID}</p></div><h2>Boats</h2><div><p>{SAID}</p></div>",
        [True] * 4,
    ),
    "below the same heading": (
        f"<h2>Boats</h2><div><p>{SAID}</p></div><h2>Boats</h2><div><p>{SAID}</p></div>",
        [True, True, True, False],
    ),
    "a heading": (f"<div><h3>{SAID}</h3></div><div><h3>{SAID}</h3></div>", [True, True]),
    "code": (f"<div><pre>{SAID}</pre></div><section><pre>{SAID}</pre></section>", [True, True]),
}


@pytest.mark.parametrize(("markup", "expected"), REPEATED.values(), ids=REPEATED)
def test_what_is_kept_already_in_another_part_goes(markup: str, expected: list[bool]) -> None:
    frame, outline = walked(markup)
    features.build(outline, features.PageFacts(), signals.Names({"comment": 0}), {}, frame)
    chosen = [block.container.parent is None or block.container.parent.tag != "nav" for block in outline.blocks]
    assert repairs.repair_choice(outline, chosen) == expected
