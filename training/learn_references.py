"""Learn which part of a reference each word is, and write the arrays of `wellsourced.citations.parse.tagger`.

    python -m training.reference_records ITEMS.json PUBMED.xml.gz... BIBLIOGRAPHY.bib...
    node training/render_references.js ITEMS.json RENDERED.jsonl STYLES_FOLDER LOCALES_FOLDER
    python -m training.learn_references ITEMS.json RENDERED.jsonl [ITEMS RENDERED]... [--journals J.tsv]
        [--average EARLIER.npz] [--write]

The labels come from the records: each rendered part stands between marks that name it. Every eighth record is kept
aside, and the share of its tokens that are labelled rightly is printed. Needs python-crfsuite, at training time only.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite

from wellsourced.citations.parse.tagger import LABELS, MODEL, Token, checksum, features_of, tokens_of

SEED = 22
MARKS = re.compile("\ue000([^\ue001]*)\ue001|\ue002")
NAMES = frozenset(
    [
        "author",
        "editor",
        "composer",
        "collection-editor",
        "container-author",
        "editorial-director",
        "translator",
        "director",
    ]
)
PARTS = {
    "title": "T", "title-short": "T", "container-title": "C", "container-title-short": "C", "journalAbbreviation": "C",
    "volume": "V", "issue": "I", "page": "P", "page-first": "P", "issued": "D", "year-suffix": "D", "publisher": "B",
    "publisher-place": "W", "event-place": "W", "edition": "N", "genre": "K", "number": "K", "medium": "K",
    "collection-title": "S", "collection-number": "S", "accessed": "X", "URL": "U", "DOI": "U", "version": "K",
}  # fmt: skip
NUMBERS, CLOSED = frozenset("VIP"), frozenset("TCBWSDNXK")
Labelled = tuple[list[str], list[str]]
LEAST_SEEN, LARGEST, ROUNDS = 5, 127, 12
# Share of the largest weight below which a feature is left out.
NEGLIGIBLE = 0.012
# Manners that no CSL style has: {F} `Doe, Jane; Roe, Jon`, {f} `Doe J, Roe J`, {i} `J. Doe, J. Roe`,
# {n} `Doe, J., Roe, J.`, {g} `Jane Doe and Jon Roe`, {e} `Doe et al.`
MANNERS = """\
{i}, {title}, {journal} {volume} ({year}) {pages}
{i}, {title}, {journal}, {volume} {pages} ({year})
{n} {title}, {journal}, {volume}, {pages}, {year}.
{n} {year}. {title}. {journal}, {volume}: {pages}
{f}. {title}. {journal} {volume}, {pages} ({year}).
{f} ({year}) {title}. {journal} {volume}:{pages}
{F}. {title}. In: {journal} {volume} ({year}), S. {pages}.
{F}: {title}. In: {journal} {volume} ({year}) H. {issue}, S. {pages}
{F}: {title}. In: {journal} Bd. {volume} ({year}), Nr. {issue}, S. {pages}
{n}: {title}. In: {journal} Jg. {volume}, H. {issue}, {year}, S. {pages}.
{F}: {title}, {place}: {publisher} {year}.
{F}: {title}. {publisher}, {place} {year}
{F}. {title}. {place}, {publisher}, {year}.
{g}. {title}. {journal}, {volume}({issue}):{pages}, {year}.
{g}. {year}. {title}. {journal} {volume}, {issue} ({year}), {pages}.
{g}. {year}. {title}. {publisher}, {place}.
{g}. {title}. {publisher}, {year}.
{g}, {title}, {journal}, vol. {volume}, {year}, pp. {pages}.
{g}, {title} ({place}: {publisher}, {year}), {pages}.
{g}, {title}, {volume} {journal} {first} ({year}).
{g}, ‘{title}’ ({year}) {volume} {journal} {first}
{f}, ‘{title}’ ({year}) {volume}({issue}) {journal} {first}
{g}, {title} ({publisher} {year}) {first}.
{g}, “{title},” {journal} {volume} ({year}): {pages}.
{F}, “{title},” {journal} {volume}, no. {issue} ({year}): {pages}.
{g} ({year}): {title}, {journal} {volume}, S. {pages}.
“{title}” by {g}, published in {journal} ({year})
{title}, {journal}, {volume} {pages} ({year})
{title}. {f}. {journal}. {year};{volume}({issue}):{pages}.
{title}. {f}. {journal}. {year};{volume}:{pages}. PMID: 12345678.
{title}. {i}. {journal} {year}; {volume}: {pages}.
{n} “{title}.” {journal}.
{F}. “{title}.” {journal}, {year}.
{F} "{title}", {journal}, {year}.
{g}. {year}. {title}. {journal}. {volume}, {issue} (July {year}), {pages}.
{title}. {journal}, {year}.
{title}, {g}, {year}
{e} ({year}). {title}.
{e}, {journal} {volume}, {pages} ({year})
{i}, {journal} {volume}, {pages} ({year})
{f}. {journal} {year};{volume}:{pages}.
{title}
{title} ({year})
{e} {year} {title}
{F}. {title} // {journal}. – {year}. – Т. {volume}. – № {issue}. – С. {pages}.
{n} {title} / {i} // {journal}. {year}. Vol. {volume}, no. {issue}. P. {pages}.
{F}. {title}[J]. {journal}, {year}, {volume}({issue}): {pages}.
{f}. {title}[M]. {place}: {publisher}, {year}.
{g}. {title}. {publisher}, {place}, {year}.
{n} ({year}) {title}, {place}, {publisher}.
{F} ({year}), {title}, {publisher}, {place}
{g}: {title}, in: {journal} {volume} ({year}), S. {pages}.
{g}, {title}, in {journal}, {publisher}, {place} {year}, p. {pages}.
{n} {title}. {genre}, {publisher}, {year}.
{F}. {title}. Diss. {publisher}, {year}.
{f}. {title}. {place}: {publisher}; {year}.
{i}, “{title},” in {journal}, {year}, pp. {pages}.
{i}. {title}. In Proc. {journal}, pages {pages}, {year}.
{i}. {title}. arXiv preprint arXiv:1706.03762, {year}.
{n} {title}. ({place}, {publisher}, {year}).
{F}, eds. {title}. {place}: {publisher}, {year}.
{F} (Hrsg.): {title}. {place}: {publisher} {year}.
{n} (eds.) {year}. {title}. {place}: {publisher}.
{title}. {place}: {publisher}, {year}.""".splitlines()
OWN_MANNERS = 0.36
PLACES = {"journal": "container-title", "place": "publisher-place", "pages": "page"}


def labelled_text(marked: str, item: dict[str, Any]) -> list[tuple[str, str]]:
    """Each letter with the label of the innermost part it stands in."""
    letters: list[tuple[str, str]] = []
    stack, position = ["O"], 0
    for match in MARKS.finditer(marked):
        letters += [(letter, stack[-1]) for letter in marked[position : match.start()]]
        position = match.end()
        if match[1] is None:
            stack = stack[:-1] or ["O"]
        else:
            stack.append(_part(match[1].split("+"), marked[position:].split("\ue002")[0], item) or stack[-1])
    return letters + [(letter, "O") for letter in marked[position:]]


def _part(names: list[str], text: str, item: dict[str, Any]) -> str | None:
    if NAMES.isdisjoint(names):
        return PARTS.get(names[0])
    if names == ["editor"] and "editor" not in item:  # a manner of our own
        return "E"
    is_editor = "editor" in item and (not item.get("author") or _names_one(item["editor"], text))
    return "@" if _names_one(item.get("author", ()), text) or not is_editor else "E"


def _names_one(people: Any, text: str) -> bool:
    return any(_simple(one.get("family") or one.get("literal") or "\0") in _simple(text) for one in people)


def _simple(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(c))


def by_manner(item: dict[str, Any], chance: random.Random, journals: list[tuple[str, str]]) -> str:
    """The record in one of the manners above, marked like the rendered ones; "" where it lacks a part."""
    manner = chance.choice(MANNERS)
    people = [one for one in item.get("author", ()) if "family" in one][:6]
    if journals and item["type"] == "article-journal" and chance.random() < 0.6:
        name, short = chance.choice(journals)
        item = item | {"container-title": name, "container-title-short": short}
    first = str(item.get("page", "")).split("-")[0]
    told = {
        "first": _marked("page", first) if first else "",
        "year": _marked("issued", str(item["issued"]["date-parts"][0][0])) if item.get("issued") else "",
    }
    for name in ("title", "journal", "volume", "issue", "pages", "place", "publisher", "genre"):
        variable = PLACES.get(name, name)
        short = item.get("container-title-short") if name == "journal" and chance.random() < 0.4 else None
        told[name] = _marked(variable, short or item[variable]) if item.get(variable) else ""
    role = "editor" if "eds." in manner or "Hrsg." in manner else "author"
    told |= {key: _marked(role, text) if people else "" for key, text in _people(people, chance).items()}
    used = re.findall(r"{(\w+)}", manner)
    return manner.format(**told) if all(told[name] for name in used) else ""


def _marked(name: str, text: str) -> str:
    return f"\ue000{name}\ue001{text}\ue002"


def _people(people: list[dict[str, str]], chance: random.Random) -> dict[str, str]:
    def initials(one: dict[str, str], mark: str) -> str:
        return mark.join(word[0] for word in one.get("given", "").split() if word) + mark.strip()

    last = chance.choice((" and ", ", and ", " & ", ", ", " und ", " et "))
    whole = [f"{one.get('given', '')} {one['family']}".strip() for one in people]
    turned = [f"{one['family']}, {one.get('given', '')}".strip(" ,") for one in people]
    pointed = [f"{initials(one, '. ')} {one['family']}".strip() for one in people]
    return {
        "F": chance.choice(("; ", " / ", " ; ")).join(turned),
        "f": ", ".join(f"{one['family']} {initials(one, '')}".strip() for one in people),
        "n": ", ".join(f"{one['family']}, {initials(one, '. ')}".strip(" ,") for one in people),
        "i": ", ".join(pointed[:-1]) + (last if len(pointed) > 1 else "") + "".join(pointed[-1:]),
        "g": ", ".join(whole[:-1]) + (last if len(whole) > 1 else "") + "".join(whole[-1:]),
        "e": f"{people[0]['family']} et al." if people else "",
    }  # fmt: skip


def spoil(letters: list[tuple[str, str]], chance: random.Random) -> list[tuple[str, str]]:
    """As references come: other quotation marks and dashes, lost blanks and accents, capitals, broken lines."""
    if chance.random() < 0.55:
        letters = [pair for pair in letters if pair[1] != "U"]
    swaps = {}
    if chance.random() < 0.5:
        swaps |= dict.fromkeys("“”", chance.choice('""\'')) | dict.fromkeys("‘’", "'")
    if chance.random() < 0.6:
        swaps |= {"–": "-", "‑": "-"}
    upper = set()
    upper |= {"@"} if chance.random() < 0.05 else set()
    upper |= {"T"} if chance.random() < 0.04 else set()
    bare, loses = chance.random() < 0.05, chance.random() < 0.04
    made: list[tuple[str, str]] = []
    for place, (letter, label) in enumerate(letters):
        letter = swaps.get(letter, letter)
        letter = letter.upper() if label in upper and len(letter.upper()) == 1 else letter
        letter = (
            (_simple(letter) if letter.islower() else _simple(letter).upper()) if bare and letter.isalpha() else letter
        )
        if loses and letter == " " and place and letters[place - 1][0] in ",.;:" and chance.random() < 0.3:
            continue
        if label in "TC" and letter.islower() and chance.random() < 0.0006:
            made += [(letter, label), ("-", label), (" ", label)]
            continue
        made += [(one, label) for one in letter]
    if chance.random() < 0.2 and made[-1][0] == ".":
        made.pop()
    return made


def token_labels(letters: list[tuple[str, str]], item: dict[str, Any]) -> tuple[list[Token], list[str]]:
    text = "".join(letter for letter, _ in letters)
    tokens = tokens_of(text)
    labels = [letters[token.start][1] for token in tokens]
    labels = [
        "O" if label in NUMBERS and not _is_numeral(tokens, place) else label for place, label in enumerate(labels)
    ]
    _tell_people(tokens, labels, item.get("author", []))
    _trim(tokens, labels)
    return tokens, labels


def _is_numeral(tokens: list[Token], place: int) -> bool:
    """A number, a dash, a Roman numeral, or a letter that touches a number: `e12`, but not the `p` of `p. 12`."""
    text = tokens[place].text
    if any(c.isdigit() for c in text) or text in "-‑–—/.":
        return True
    before, after = tokens[max(0, place - 1)], tokens[min(place + 1, len(tokens) - 1)]
    touches = (after.start == tokens[place].end and after.text[0].isdigit()) or (
        before.end == tokens[place].start and before.text[-1].isdigit()
    )
    return (text.isalpha() and touches) or bool(re.fullmatch("[ivxlcIVXLC]{2,7}", text)) or text == "Suppl"


def _trim(tokens: list[Token], labels: list[str]) -> None:
    """Marks at the edges of a part belong to the style, not to the part."""
    for step in (1, -1):
        places = range(len(tokens)) if step > 0 else range(len(tokens) - 1, -1, -1)
        before = "O"
        for place in places:
            label = labels[place]
            is_mark = not tokens[place].text[0].isalnum() and tokens[place].text not in "?!)" + (
                "([" if step > 0 else ""
            )
            if label in CLOSED | NUMBERS and before != label and is_mark:
                labels[place] = "O"
            before = labels[place]


def _tell_people(tokens: list[Token], labels: list[str], people: list[dict[str, str]]) -> None:
    """Within the names: who begins where, with the family name, the given name or as an organisation."""
    sought = [
        (_words(one.get("family") or one.get("literal") or ""), _words(one.get("given", "")), "literal" in one)
        for one in people
    ]
    person, seen = -1, ""
    for place, label in enumerate(labels):
        if label != "@":
            continue
        word = _simple(tokens[place].text)
        labels[place] = "-"
        if not word[0].isalnum():
            continue
        for number in range(max(person, 0), min(len(sought), max(person, 0) + 60)):
            families, givens, is_group = sought[number]
            part = (
                "l"
                if is_group and word in families
                else "a"
                if word in families
                else "g"
                if _is_given(word, givens)
                else ""
            )
            if not part or (number == person and part not in seen[-1:] and part in seen):
                continue
            is_new = number != person
            labels[place] = part.upper() if is_new else part
            person, seen = number, part if is_new else seen + part
            break


def _words(text: str) -> list[str]:
    return [_simple(token.text) for token in tokens_of(text)]


def _is_given(word: str, givens: list[str]) -> bool:
    initials = "".join(given[0] for given in givens)
    return word in givens or (len(word) == 1 and word in initials) or (1 < len(word) <= 4 and initials.startswith(word))


def examples(sources: list[Path], most: int, journals: list[tuple[str, str]], kept: bool) -> Iterator[Labelled]:
    for items, rendered in zip(sources[::2], sources[1::2], strict=True):
        records = {item["id"]: item for item in json.loads(items.read_text("utf-8"))}
        yield from _examples(records, rendered, most, journals, kept)


def _examples(
    items: dict[str, dict[str, Any]], path: Path, most: int, journals: list[tuple[str, str]], kept: bool
) -> Iterator[Labelled]:
    chance = random.Random(SEED)
    lines = path.read_text("utf-8").splitlines()
    chance.shuffle(lines)
    for line in lines[:most]:
        row = json.loads(line)
        if (int(row["id"]) % 8 == 0) != kept:
            continue
        item = items[row["id"]]
        text = (by_manner(item, chance, journals) if chance.random() < OWN_MANNERS else "") or row["text"]
        tokens, labels = token_labels(spoil(labelled_text(text, item), chance), item)
        if 2 < len(tokens) < 400:
            yield features_of(tokens), labels  # type: ignore[misc]


def learn(data: Iterator[Labelled], target: str) -> pycrfsuite.Tagger:
    # An averaged perceptron: as good here as a conditional random field, and learnt in a tenth of the time.
    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=True)
    for rows, labels in data:
        trainer.append(rows, labels)
    trainer.set_params({"max_iterations": ROUNDS, "feature.minfreq": LEAST_SEEN})
    trainer.train(target)
    tagger = pycrfsuite.Tagger()
    tagger.open(target)
    return tagger


def arrays_of(tagger: pycrfsuite.Tagger) -> dict[str, Any]:
    """Rows of small integers, sorted by the checksum of their feature."""
    place = {label: number for number, label in enumerate(LABELS)}
    info = tagger.info()
    rows: dict[int, Any] = {}
    for (feature, label), weight in info.state_features.items():
        rows.setdefault(checksum(feature), np.zeros(len(LABELS)))[place[label]] += weight
    most = max(np.abs(row).max() for row in rows.values())
    rows = {key: row for key, row in rows.items() if np.abs(row).max() > most * NEGLIGIBLE}
    known = np.array(sorted(rows), dtype=np.uint32)
    table = np.array([rows[key] for key in sorted(rows)])
    steps = np.full((len(LABELS), len(LABELS)), -most, dtype=np.float32)
    for (one, other), weight in info.transitions.items():
        steps[place[one], place[other]] = weight
    scale = most / LARGEST
    weights = np.clip(np.rint(table / scale), -LARGEST, LARGEST).astype(np.int8)
    return {"known": known, "weights": weights, "steps": steps, "scale": np.float32(scale)}


def average(arrays: dict[str, Any], path: Path) -> dict[str, Any]:
    """With an earlier model, both brought to one scale: it is smaller, and better at styles neither was shown."""
    tables = []
    for model, part in ((arrays, 0.6), (np.load(path), 0.4)):
        weights = model["weights"].astype(float) * float(model["scale"])
        factor = part / np.abs(weights).mean()
        tables.append((model["known"], weights * factor, model["steps"] * factor))
    known = np.union1d(tables[0][0], tables[1][0])
    table = np.zeros((len(known), len(LABELS)))
    for own, weights, _ in tables:
        table[np.searchsorted(known, own)] += weights
    most = np.abs(table).max()
    kept = np.abs(table).max(axis=1) > most * NEGLIGIBLE
    scale = most / LARGEST
    return {
        "known": known[kept].astype(np.uint32), "weights": np.rint(table[kept] / scale).astype(np.int8),
        "steps": (tables[0][2] + tables[1][2]).astype(np.float32), "scale": np.float32(scale),
    }  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("sources", type=Path, nargs="+")
    options.add_argument("--most", type=int, default=25_000)
    options.add_argument("--write", action="store_true")
    options.add_argument("--average", type=Path, help="An earlier model to average with.")
    options.add_argument("--journals", type=Path, help="Lines of a journal's name, a tab and its abbreviation.")
    given = options.parse_args()
    lines = given.journals.read_text("utf-8").splitlines() if given.journals else []
    journals = [(name, short) for name, _, short in (line.partition("\t") for line in lines)]
    tagger = learn(
        examples(given.sources, given.most, journals, kept=False), str(given.sources[-1].with_suffix(".crf"))
    )
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for rows, labels in examples(given.sources, min(given.most, 3000), journals, kept=True):
        for label, said in zip(labels, tagger.tag(rows), strict=True):
            total[label] += 1
            right[label] += label == said
    print({label: round(right[label] / total[label], 4) for label in total}, right.total() / total.total())
    if given.write:
        arrays = average(arrays_of(tagger), given.average) if given.average else arrays_of(tagger)
        print(len(arrays["known"]), "features")
        np.savez_compressed(Path(__file__).parent.parent / "src/wellsourced/data" / MODEL, **arrays)


if __name__ == "__main__":
    main()
