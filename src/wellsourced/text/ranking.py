"""One ranking of pieces of text for a question or a claim: the sentences of a page, its passages, kept documents.

Words count by their rarity among the pieces (BM25), in a form without endings; pieces of words (runs of four
characters) stand in for the endings and compounds of all languages and for the names that two languages share. Words
that stand side by side as in the question count on top, words of grammar a little. A sentence that only names its
topic ("we examined whether") falls behind one that states something. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from wellsourced.text.bilingual import translate_word
from wellsourced.text.folded_letters import FIRST_IDEOGRAPH
from wellsourced.text.index_words import RUN, fold_text
from wellsourced.text.languages import detect_language
from wellsourced.text.piece_words import BEGINNING, GRAM, RESPELT, PieceWords, split_words, word_stem
from wellsourced.text.terms import UNSPACED, stop_words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Counts = NDArray[np.int64]

# BM25's constants; sentences differ less in length than documents do, hence the smaller second one.
K1, B = 1.2, 0.4
# A script without spaces: a word has about two ideographs or syllables, and a run of katakana is one word. Pairs of
# characters share what their word weighs with its single ideographs; grammar in hiragana weighs nothing.
CHARACTERS_OF_WORD = 2
IN_PAIRS = 0.6
OKURIGANA = 0.2
ASKED = 0.3
SIDE_BY_SIDE = 0.3
SMALL = 0.5  # a word of grammar: an answer is often built like its question
FARTHEST = 3  # words between two that still stand side by side
BEFORE = 0.25  # what the sentence before holds of the question, and this one lacks
# Only so many of the best are looked at as statements; the others cannot reach the top.
JUDGED = 14
NAMES_TOPIC, STATES = 0.5, 1.35
HAS_FIGURE, NUMBER = 1.5, 1.5  # of a sentence where a figure is asked for; of a number in the question
LAST_QUARTER = 1.1
SHORT_TEXT = range(4, 31)
LONGEST_HEADING = 80
LEAST_WORDS, LEAST_GRAMS = 1.0, 0.35
PART_OF_WORD = 0.9  # one word of two ideographs may be chance
TOLERANCE = 1e-6
TRANSLATED = 0.8
QUERY_LENGTH = 2000
MOST_WORDS = 200

# They ask, and stand in an answer only by chance.
_QUESTION_WORDS = {
    "de": "welche welcher welches welchem welchen wer wem wen wann warum wieso weshalb wieviel viele wo wohin woher",
    "fr": "quel quelle quels quelles quand comment pourquoi combien quoi lequel laquelle lesquels",
    "es": "cuál cuáles quién quiénes cuándo dónde cuánto cuántos cuánta cuántas cómo",
    "it": "quale quali chi quando dove quanto quanti quante perché come cosa",
    "pt": "qual quais quem quando onde quanto quantos quantas",
    "nl": "wie welk welke hoeveel wanneer waar waarom wat",
    "ru": "кто что какой какая какое какие каком какую какого какому где когда сколько почему кого кому",
    "tr": "ne hangi kim kimin nerede nereye kaç neden nasıl nedir kimdir hangisi",
    "ar": "ما ماذا من متى أين كم كيف لماذا أي",
    "hi": "क्या कौन कब कहाँ किस किसने कितने कितना कितनी कैसे क्यों",
}
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
IDEOGRAPHS = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
QUESTION_WORDS = {language: frozenset(fold_text(words).split()) for language, words in _QUESTION_WORDS.items()}
# Grammar and the words of questions, at which a run is cut.
FUNCTION = "\u3040-\u309f何誰的了是在和与吗呢么什谁哪几幾麼嗎"
ASKING_PHRASES = re.compile(
    "[为為]?什[么麼](?:时候|時候|样|樣)?|多少|怎[么麼样樣]样?|如何|何[时時处處]|哪[里裡儿兒些个個]|有多|何と[言呼称]"
)
# What a Japanese question calls the answer it asks for: "the person who …", "the name of …".
ASKED_NOUN = re.compile("(?:人物|[国地]?名|名[前称]|理由|場所|原因|目的|[呼通]称|者)(?=[はを].{0,8}$)")
LOANWORD = re.compile(f"[{KATAKANA}]{{2}}")
WORD_IN_RUN = re.compile(
    rf"(?P<one>[{KATAKANA}]{{2,}})|(?:(?![{FUNCTION}])[{IDEOGRAPHS}])+(?:(?![はがをにとでもへのかやな])[\u3040-\u309f])?"
    rf"|(?:(?![{FUNCTION}{KATAKANA}{IDEOGRAPHS}])[{UNSPACED}])+"
)
# Questions that a figure answers, folded; after the Japanese for "which" comes what is counted.
ASKS_FOR_FIGURE = re.compile(
    r"\b(?:how (?:many|much|old|long|far|tall|high|large|often)|when|(?:what|which) (?:year|date|century|percent\w*)"
    r"|wie ?viele?|wann|wie (?:hoch|gross|lang|alt|weit)|welche[ms] (?:jahr|datum)|combien|quand"
    r"|quel(?:le)? (?:annee|date|siecle|nombre|age|pourcentage)|cuant[oa]s?|cuando|(?:que|cual) (?:ano|fecha|siglo)"
    r"|quant[oiea]s?|quando|che anno|qual ano|hoeveel|wanneer|welk jaar|сколько|когда|каком году|kac|ne zaman)\b"
    r"|كم|متى|कितन|कब|多[少长長大高远遠重深久]|几|幾|(?P<dated>いつ(?![もか])|(?:[年月日]|時期)は\W*$)|いく[つら]"
    rf"|どの(?:[くぐ]らい|程度|ほど)|どれ(?:[くぐ]らい|ほど|だけ)|何(?P<counted>[{IDEOGRAPHS}{KATAKANA}])"
    r"|(?:[数歳齢率額積さ]|人口|割合|距離|標高|身長|体重|温度|価格|期間|世紀)は\W*$"
)
FIGURE = re.compile(
    r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|hundreds?|thousands?|half|zwei|drei|vier|funf|sechs"
    r"|sieben|acht|neun|zehn|hundert|tausend|deux|trois|quatre|cinq|sept|huit|neuf|dix|cents?|mille|dos|tres|cuatro"
    r"|cinco|seis|siete|ocho|nueve|diez|mil|milli\w+)\b|[一二三四五六七八九十百千]"
)
ENDS_A_SENTENCE = re.compile("[.!?…。！？।؟:;][\"'”’»)\\]」』]*$")
_ASK = (
    "determine investigate evaluate assess examine test study explore compare analyze analyse identify clarify describe"
)
_ASKED = "investigated evaluated examined assessed studied sought tested asked compared analyzed analysed"
# Words, and pairs of words, of sentences that name what is asked and not what was found. Folded.
_TOPIC_WORDS = "aim aims objective objectives purpose goal whether ob untersucht untersuchte untersuchten"
TOPIC_WORDS = frozenset(_TOPIC_WORDS.split())
TOPIC_PAIRS = frozenset(
    {("to", verb) for verb in _ASK.split()}
    | {(who, verb) for who in ("we", "study") for verb in _ASKED.split()}
    | {("ziel", "der"), ("ziel", "dieser"), ("find", "out"), ("se", "estudio"), ("se", "evaluo"), ("se", "analizo")}
    # Alone, these are words for anybody's aims.
    | {("objectif", "de"), ("objetivo", "de"), ("obiettivo", "di"), ("doel", "van")}
    | {("avons", "etudie"), ("avons", "examine"), ("avons", "compare")}
)
_STATEMENT_WORDS = (
    "conclude concludes concluded conclusion conclusions suggest suggests suggested suggesting indicate indicates"
    " indicated indicating demonstrate demonstrates demonstrated show shows showed shown found find finds findings"
    " result results reveal reveals revealed therefore thus should may appear appears support supports ergab ergaben"
    " zeigt zeigen zeigte zeigten ergebnis ergebnisse daher montre montrent resultat resultats suggerent donc"
    " resultado resultados muestra muestran demuestra demuestran sugieren mostram risultati mostrano resultaten tonen"
)
STATEMENT_WORDS = frozenset(_STATEMENT_WORDS.split())


class Ranked(NamedTuple):
    """`score` is comparable within one text only; `is_near` says that more than a stray word is shared."""

    score: float
    is_near: bool


@lru_cache(maxsize=4096)  # about a kilobyte each
def character_grams(word: str) -> frozenset[str]:
    """Runs of four characters of a word with its edges marked."""
    marked = f"^{word}$"
    return frozenset(
        () if RUN.match(word) else (marked[at : at + GRAM] for at in range(max(1, len(marked) - GRAM + 1)))
    )


def rank_pieces(
    query: str,
    pieces: Sequence[str],
    *,
    words: PieceWords | None = None,
    in_order: bool = False,
    language: str | None = None,
) -> list[Ranked]:
    """How near each piece is to the question. With `in_order` they are sentences of one text that follow each other.

    `words` are those of the pieces, where the caller has split them already.
    """
    if not pieces:
        return []
    language = language if language is not None else detect_language(" ".join(pieces[:40])) or ""
    features = _features(query[:QUERY_LENGTH], language)
    if not features.weights:
        return [Ranked(0.0, False)] * len(pieces)
    words = words or PieceWords(pieces)
    if not words.may_hold(features.beginnings):  # as where a page is written in another script
        return [Ranked(0.0, False)] * len(pieces)
    counted = _Counted(features, words)
    scores = counted.scores(in_order)
    if in_order:
        _prefer_statements(scores, pieces, words)
        _prefer_figures(scores, pieces, fold_text(query[:QUERY_LENGTH]))
    return list(map(Ranked, scores.tolist(), counted.near().tolist()))


class _Features:
    """What is looked for: the stems of the question's words with their translations, and their runs of characters."""

    def __init__(self, query: str, language: str) -> None:
        words = list(dict.fromkeys(split_words(query)))[:MOST_WORDS]
        asked_in = detect_language(query) or language or "en"
        asking = QUESTION_WORDS.get(asked_in, frozenset())
        small = stop_words_of(query) - asking
        in_runs = _weights_in_runs(fold_text(query))
        kept = [word for word in words if word in in_runs or (word not in small | asking and _is_telling(word))]
        self.language = language
        self.stems: dict[str, set[str]] = {}
        self.weights: list[float] = []
        self.is_run: list[bool] = []
        self.may_be_chance: list[bool] = []
        self.grams: dict[str, None] = {}
        self.is_small: list[bool] = []
        for word in words:
            if word in kept or not kept:
                forms = (word, *translate_word(word, asked_in, language))
                # Without spaces a number has what it counts behind it, which weighs itself.
                own = NUMBER if word.isdecimal() and not in_runs else 1.0
                self._add(word_stem(word, language), in_runs.get(word, own), forms)
            elif word in small:
                self._add(word, SMALL, ())

    @cached_property
    def beginnings(self) -> set[str]:
        """Characters of which some stand in every text that has a feature."""
        stems = {stem for forms in self.stems.values() for stem in forms}
        respelt = {word for word, other in RESPELT if word_stem(other, "en") in stems}
        return {word[:BEGINNING] for word in stems | respelt} | {gram.strip("^$") for gram in self.grams}

    def _add(self, stem: str, weight: float, forms: Sequence[str]) -> None:
        """With the forms in which it is found; a word of grammar has none but itself."""
        if stem in self.stems:
            return
        self.stems[stem] = {stem, *(word_stem(form, self.language) for form in forms)}
        self.weights.append(weight)
        self.is_small.append(not forms)
        self.is_run.append(bool(RUN.match(stem)))
        self.may_be_chance.append(self.is_run[-1] and not LOANWORD.match(stem))
        for form in forms:
            self.grams.update(dict.fromkeys(sorted(character_grams(form))))


_features = lru_cache(maxsize=16)(_Features)
"""One question is put to several texts."""


def _is_telling(word: str) -> bool:
    return (len(word) > 1 or word.isdecimal()) and not RUN.match(word)


def _weights_in_runs(query: str) -> dict[str, float]:
    """The pairs and single ideographs of a question in a script without spaces, each with its part of a word."""
    weights: dict[str, float] = {}
    for run in RUN.findall(ASKING_PHRASES.sub(" ", query)):
        for match in WORD_IN_RUN.finditer(run):
            whole = 1.0 if match["one"] else len(match[0]) / CHARACTERS_OF_WORD
            if (asked := ASKED_NOUN.match(run, match.start())) and asked.end() == match.end():
                whole *= ASKED
            for part, weight in _parts_of_word(match[0], whole):
                weights[part] = max(weight, weights.get(part, 0.0))
    return weights


def _parts_of_word(word: str, weight: float) -> Iterator[tuple[str, float]]:
    # The ideographs carry the word: what is written behind them in hiragana changes with its form and by habit.
    if word[0] >= FIRST_IDEOGRAPH and "\u3040" <= word[-1] <= "\u309f":
        yield word[-2:], OKURIGANA * weight
        word, weight = word[:-1], (1 - OKURIGANA) * weight
    pairs = list(map(add, word, word[1:]))
    singles = [character for character in word if character >= FIRST_IDEOGRAPH]
    in_pairs = 0.0 if not pairs else IN_PAIRS if singles else 1.0
    yield from ((pair, in_pairs * weight / len(pairs)) for pair in pairs)
    yield from ((single, (1 - in_pairs) * weight / len(singles)) for single in singles)


class _Counted:
    """How often each piece has each feature: first the stems, then the runs of characters; kept where it is not 0."""

    def __init__(self, features: _Features, words: PieceWords) -> None:
        import numpy as np

        self._features = features
        self._stems = len(features.weights)
        self._lengths = words.lengths.astype(float)
        self._width = self._stems + len(features.grams)
        # Where the words of the question stand: the piece, the place, the number of the word.
        self._places = words.find(list(features.stems.values()), (features.language or "en",))
        found = (self._places[:, ::2], words.find_runs(list(features.grams)) + np.array((0, self._stems)))
        pieces, numbers = np.concatenate(found).T
        times = np.bincount(pieces * self._width + numbers, minlength=len(words) * self._width)
        self._cells = np.flatnonzero(times)
        self._times = times[self._cells]
        self._pieces, self._numbers = np.divmod(self._cells, self._width)

    def scores(self, in_order: bool) -> Numbers:
        import numpy as np

        count, weights = len(self._lengths), self._weights()
        length = 1 - B + B * self._lengths / max(1.0, self._lengths.mean())
        present = self._times * (K1 + 1) / (self._times + K1 * length[self._pieces])
        scores = self._sum(present * weights[self._numbers])
        if in_order and count > 1:
            all_present = np.zeros((count + 1) * self._width)
            all_present[self._cells] = present
            lacking = np.maximum(present - all_present[self._cells + self._width], 0)
            before = self._sum(lacking * weights[self._numbers])[:-1]
            scores[1:] += BEFORE * before * np.minimum(1, 4 * scores[1:] / max(1e-9, scores.max()))
        for piece, first, second in self._side_by_side():
            scores[piece] += SIDE_BY_SIDE * min(weights[first], weights[second])
        return scores

    def _sum(self, values: Numbers) -> Numbers:
        """The sum of a value of each cell, by piece."""
        import numpy as np

        return np.bincount(self._pieces, values, len(self._lengths)).astype(float, copy=False)

    def near(self) -> NDArray[np.bool_]:
        """Whether a piece shares a whole word or more, or a good part of the runs of characters."""
        import numpy as np

        weights = np.zeros(self._width)
        weights[: self._stems] = self._features.weights
        weights[: self._stems][self._features.may_be_chance] *= PART_OF_WORD
        weights[: self._stems][self._features.is_small] = 0
        held = self._sum(weights[self._numbers]) + TOLERANCE
        runs = self._sum((self._numbers >= self._stems).astype(float))
        least = min(LEAST_WORDS, float(weights.sum()))
        result: NDArray[np.bool_] = (held >= least) | (runs >= max(2, LEAST_GRAMS * len(self._features.grams)))
        return result

    def _weights(self) -> Numbers:
        """By rarity; all the runs of a word together weigh as much as the word."""
        import numpy as np

        holding = np.bincount(self._numbers, minlength=self._width)
        rarity = np.log(1 + (len(self._lengths) - holding + 0.5) / (holding + 0.5))
        runs = len(self._features.grams)
        own = np.array(self._features.weights)
        share = own[~np.array(self._features.is_run)].sum() / max(1, runs)
        weights: Numbers = rarity * np.append(own, np.full(runs, share))
        return weights

    def _side_by_side(self) -> set[tuple[int, int, int]]:
        """The pairs of words that are neighbours in the question and in a piece."""
        import numpy as np

        pieces, places, numbers = self._places.T
        apart, step = np.diff(places), np.diff(numbers)
        is_beside = (np.diff(pieces) == 0) & (apart <= FARTHEST) & (step > 0) & (step <= 2)
        rows = np.stack((pieces[1:], numbers[:-1], numbers[1:]), axis=1)[is_beside]
        return {(piece, first, second) for piece, first, second in rows.tolist()}


def _prefer_statements(scores: Numbers, pieces: Sequence[str], words: PieceWords) -> None:
    """Sentences that name a topic fall back, those that state a result and those that end a short text come forward."""
    import numpy as np

    for number in np.argsort(-scores)[:JUDGED]:
        piece, own = pieces[number].strip(), words.spaced_words_of(number)
        if _names_topic(piece, own):
            scores[number] *= NAMES_TOPIC
        elif not STATEMENT_WORDS.isdisjoint(own):
            scores[number] *= STATES
        if len(pieces) in SHORT_TEXT and number >= 0.75 * len(pieces):
            scores[number] *= LAST_QUARTER


def _prefer_figures(scores: Numbers, pieces: Sequence[str], question: str) -> None:
    """Sentences with a figure of their own come forward where the question asks for one."""
    import numpy as np

    asks = ASKS_FOR_FIGURE.search(question)
    if not asks or not (question.rstrip().endswith(("?", "؟")) or RUN.match(asks[0])):
        return
    counted = asks["counted"] or ("[年月日世]" if asks["dated"] else "")
    figure = re.compile(f"(?:{FIGURE.pattern}){counted}")
    given = set(figure.findall(question))
    for number in np.argsort(-scores)[:JUDGED]:
        if set(figure.findall(fold_text(pieces[number]))) - given:
            scores[number] *= HAS_FIGURE


def _names_topic(piece: str, words: Sequence[str]) -> bool:
    """A question, a heading, or a sentence on what was looked for."""
    if piece.endswith(("?", "？", "؟")) or piece.startswith("#"):
        return True
    if len(piece) < LONGEST_HEADING and not ENDS_A_SENTENCE.search(piece):
        return True
    return not (TOPIC_WORDS.isdisjoint(words) and TOPIC_PAIRS.isdisjoint(pairwise(words)))
