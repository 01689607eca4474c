"""What a caller gets by default: twenty questions, each asked of three real pages of which one has the answer."""

from __future__ import annotations

import gzip
import html
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.app import content, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application

MOST_TOKENS = 6_500
LEAST_SHARE = 0.9
LONG_BODY, LONGEST_SMALL_WORD = 6_000, 3
LEAST_TEXT = 200
"""Characters of a source that say something; a page that has fewer gives what it has."""


class Question(NamedTuple):
    """A query, the recorded page that answers it (the beginning of its name), and words of the answer."""

    page: str
    query: str
    gold: str


QUESTIONS = [
    Question("c582d3", "ideal customer in the plan stage of an online business", "Who will your online business"),
    Question("bdb56a", "how do tuft cells recognize parasites", "a small molecule called succinate"),
    Question("e593d7", "does lack of sleep lead to binge eating", "alter the levels of hormones"),
    Question("3d8f34", "how fast does Mary Steenburgen write songs", "how fast we write these things"),
    Question("63db31", "Jedi Fallen Order combat: is there a stamina meter", "You and your enemies all have a block"),
    Question("2f42ef", "gig workers contractors tips no retirement savings", "army of independent contractors"),
    Question("8267ac", "Stadia bandwidth outside big cities Ubisoft", "bandwidth is less of an issue"),
    Question("3cb22b", "Audi e-tron Sportback seats massage", "standard, sport, S sport, and contour seats"),
    Question("abd9d6", "why were detained migrants not given flu vaccinations", "operating a vaccination program"),
    Question("ff0f95", "диета Аткинса индивидуальный уровень углеводов", "ваш индивидуальный уровень углеводов"),
    Question("4823", "lightweight mouse with three switch options", "three switch options included"),
    Question("2891", "wireless earbuds customization only on Pixel phones", "accessible only on Pixel phones"),
    Question("4615", "showing vulnerability in a college essay", "be open to showing vulnerability"),
    Question("0374", "UC San Diego project management workforce funding", "approved training provider"),
    Question("3063", "AirPods Pro 3 hearing aid battery life", "67 percent more battery life"),
    Question("4789", "how heavy a monitor can CHANGEdesk hold", "monitors weighing up to 30lbs"),
    Question("0642", "are delta 8 THC gummies legal in every state", "legal in all fifty states"),
    Question("0567", "Systemback restore points on Ubuntu", "creates one or more restore points"),
    Question(
        "2859",
        "dictConfig disable_existing_loggers default",
        "if not specified explicitly in the dictionary",
    ),
    Question("0666", "itertools tee auxiliary storage", "may require significant auxiliary storage"),
]


def words(text: str) -> str:
    """Without markup: where links lead is no text."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"\]\([^)]*\)", "]", text).casefold()))


def says(text: str, gold: str) -> bool:
    """Whether a text has the words; the broken letters that some pages have between plain words do not count."""
    plain = words(gold).isascii()
    return words(gold) in words(text.encode("ascii", "replace").decode() if plain else text)


def markup(shared: Path, question: Question) -> str:
    found = next((shared / "extraction").glob(f"*/html/{question.page}*.html.gz"))
    return gzip.decompress(found.read_bytes()).decode("utf-8", "replace")


def serve(internet: Internet, shared: Path, questions: list[Question], number: int) -> None:
    """The page that answers and two others, as the search engine would list them."""
    shown = [questions[(number + step) % len(questions)] for step in (7, 0, 13)]
    results: list[dict[str, Any]] = []
    for question in shown:
        path = f"/site/real-{question.page}/page"
        headers = {"content-type": "text/html; charset=utf-8"}
        internet.control(path, status=200, body=markup(shared, question), headers=headers)
        results.append({"url": internet.base + path, "title": "A page", "content": "", "engine": "bing"})
    found = json.dumps({"query": "q", "results": results, "unresponsive_engines": []})
    internet.control("/searxng", status=200, body=found, headers={"content-type": "application/json"})


def mechanical_questions(shared: Path, count: int = 20) -> list[Question]:
    """Long pages, asked by the words of their titles; the gold is the first sentence with two of them that is none."""
    found = []
    for folder in ("open", "page-types"):
        truth = json.loads((shared / "extraction" / folder / "ground-truth.json").read_text("utf-8"))
        for name, about in sorted(truth.items()):
            body = about.get("articleBody") or ""
            title = (about.get("title") or page_title(shared, folder, name)) if len(body) > LONG_BODY else ""
            asked = dict.fromkeys(word for word in words(title).split() if len(word) > LONGEST_SMALL_WORD)
            if len(asked) >= 3 and (gold := gold_sentence(body, title, set(asked))):
                found.append(Question(name, " ".join(list(asked)[:8]), gold))
    return found[:: max(1, len(found) // count)][:count]


def page_title(shared: Path, folder: str, name: str) -> str:
    (file,) = (shared / "extraction" / folder / "html").glob(f"{name}.html.gz")
    match = re.search(rb"<title[^>]*>([^<|]{5,200})", gzip.decompress(file.read_bytes()))
    return html.unescape(match[1].decode("utf-8", "replace")) if match else ""


def gold_sentence(body: str, title: str, asked: set[str]) -> str:
    """Twelve words from the beginning of the sentence; "" where there is none."""
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", body):
        said = words(sentence).split()
        is_title = words(title) in words(sentence) or words(sentence) in words(title)
        if len(said) >= 8 and not is_title and len(asked & set(said)) >= 2:
            return " ".join(said[:12])
    return ""


@pytest.mark.parametrize("chosen", ["written", "mechanical"])
def test_the_answer_is_among_the_text_that_a_caller_gets_by_default(
    environment: dict[str, str], internet: Internet, shared: Path, chosen: str
) -> None:
    if not (shared / "extraction").is_dir():
        pytest.skip("no recorded pages beside the project")
    questions = QUESTIONS if chosen == "written" else mechanical_questions(shared)
    reading = {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    missed, sizes = [], []

    async def script(app: Application) -> None:
        for number, question in enumerate(questions):
            serve(internet, shared, questions, number)
            answer = await app.call("search_and_scrape", {"query": question.query, "provider": "searxng"})
            found = content(answer)
            assert found["summary"]["urlsScraped"] == 3, found.get("scrapeFailures")
            for source in found["sources"]:
                assert len(source["content"]) >= LEAST_TEXT and source["passages"]
            sizes.append(len(answer.body) / 4)
            if not any(says(source["content"], question.gold) for source in found["sources"]):
                missed.append(question.query)

    with_app(reading, script)
    print(f"{len(questions) - len(missed)} of {len(questions)}; tokens: {min(sizes):.0f} to {max(sizes):.0f}; {missed}")
    assert max(sizes) <= MOST_TOKENS
    assert len(missed) <= (1 - LEAST_SHARE) * len(questions), missed
