"""Words that point opposite ways, words of quantity and of possibility, and words that say no, in seven languages.

The opposites are in `opposite_words.txt`: a row is `one side | the other side`, or the members of a
set that exclude each other; a `*` stands for any ending. Words are
written folded: lower case, without accents.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from wellsourced.data import read_lines

QUANTIFIERS = {
    "all": "all every each always entire whole alle jeder jede jedes jeden samtliche immer tous toutes toute"
    " tout chaque toujours todos todas cada siempre tutti tutte ogni sempre todo toda elke iedere altijd",
    "some": "some several certain sometimes partly einige manche mehrere teilweise manchmal certains certaines"
    " quelques plusieurs algunos algunas varios varias alcuni alcune alguns algumas sommige enkele",
    "most": "most majority mostly largely meisten mehrheit meist plupart majorite mayoria maggioranza maioria meeste",
    "few": "few hardly scarcely wenige kaum peu pocos pocas pochi poche poucos poucas weinig",
    "only": "only solely exclusively nur ausschliesslich lediglich seulement uniquement solo solamente unicamente"
    " soltanto apenas somente alleen slechts",
    "half": "half halfte halb moitie mitad meta metade helft",
}
QUANTIFIER_OF = {word: kind for kind, words in QUANTIFIERS.items() for word in words.split()}

MODALS = {
    "may": "may might could possibly perhaps konnte konnten moglicherweise vielleicht pourrait pourraient pourra"
    " pourront peut peuvent puede pueden podra podran podria podrian quizas puo possono potra potranno potrebbe"
    " potrebbero forse pode podem podera poderao poderia poderiam talvez misschien zou possible probably posible"
    " posiblemente probablemente wahrscheinlich vermutlich moglich possiblement probablement possibile possibilmente"
    " probabilmente possivel possivelmente provavelmente mogelijk waarschijnlijk",
    "must": "must shall muss mussen doit doivent devra devront debe deben debera deberan deve devono dovra dovranno"
    " devem devera deverao moet moeten",
    "will": "will would wird werden sera seront seran sara saranno serao zal zullen",
    "should": "should sollte sollten devrait devraient deberia deberian dovrebbe dovrebbero deveria deveriam",
}
MODAL_OF = {word: kind for kind, words in MODALS.items() for word in words.split()}

# By number; a form of several languages stands once.
ORDINALS = (
    "first 1st erste ersten erster erstes premier premiere primer primero primera primo primi primeiro primeira eerste",
    "second 2nd zweite zweiten zweiter zweites deuxieme seconde segundo segunda secondo seconda tweede",
    "third 3rd dritte dritten dritter drittes troisieme tercer tercero tercera terzo terza terceiro terceira derde",
    "fourth 4th vierte vierten vierter viertes quatrieme cuarto cuarta quarto quarta vierde",
    "fifth 5th funfte funften funfter funftes cinquieme quinto quinta vijfde",
    "sixth 6th sechste sechsten sechster sixieme sexto sexta sesto sesta zesde",
    "seventh 7th siebte siebten siebter septieme septimo septima settimo settima setimo setima zevende",
    "eighth 8th achte achten achter huitieme octavo octava ottavo ottava oitavo oitava achtste",
    "ninth 9th neunte neunten neunter neuvieme noveno novena nono nona negende",
    "tenth 10th zehnte zehnten zehnter dixieme decimo decima tiende",
)
ORDINAL_OF = {word: number for number, words in enumerate(ORDINALS, start=1) for word in words.split()}

# Articles and the words that link one noun to another.
_SMALL_WORDS = (
    "of the these those them its their our a an and der den die das des dem ein eine einer einem einen von unter diese"
    " dieser und ces les des de d du le la l un une et el los las una y il lo i gli dei delle degli della del e o os as"
    " um uma do da dos das het een van en other andere autres otros"
)
SMALL_WORDS = frozenset(_SMALL_WORDS.split())

_NEGATIONS = (
    "not no never none nor neither nothing nobody cannot without dont doesnt didnt isnt arent wasnt werent hasnt"
    " havent hadnt wont wouldnt couldnt cant shouldnt unable nicht kein keine keinen keiner keines keinem nie"
    " niemals niemand niemanden niemandem nichts nirgends weder ohne keineswegs pas aucun aucune jamais ni sans rien"
    " nul nulle nullement ne n nunca jamas nadie nada ningun ninguna"
    " ninguno tampoco sin non nessun nessuna nessuno niente mai senza nao nem nenhum nenhuma ninguem sem niet geen"
    " nooit noch niets zonder"
)
NEGATIONS = frozenset(_NEGATIONS.split())
_NO_WORDS = (
    "no none kein keine keinen keinem keiner keines aucun aucune ningun ninguno ninguna nessun nessuno nessuna nenhum"
    " nenhuma geen"
)
NO_WORDS = frozenset(_NO_WORDS.split())
SPEECH = re.compile(
    r"\b(?:said|says|stated?|states|declared?|announced?|wrote|argued?|claimed?|told|according to|sagte|sagt"
    r"|reported by|erklarte|schrieb|laut|zufolge|behauptete|a dit|a declare|a ecrit|declare|selon|d'apres|dijo|declaro"
    r"|escribio|segun|afirmo|disse|ha detto|secondo|segundo|afirmou|zei|volgens)\b"
)
_CONDITIONS = {
    "en": "if unless provided",
    "de": "sofern wenn falls",
    "fr": "si sauf",
    "es": "si salvo",
    "it": "se salvo purche",
    "pt": "salvo",
    "nl": "mits indien tenzij",
}
CONDITIONS = {language: frozenset(words.split()) for language, words in _CONDITIONS.items()}


Side = tuple[int, int]
Sides = dict[str, set[Side]]


@cache
def _read_table() -> dict[str, tuple[Sides, Sides]]:
    """For each language the whole words and the beginnings of words, with their rows and sides."""
    tables: dict[str, tuple[Sides, Sides]] = {}
    language = ""
    for row, line in enumerate(read_lines("opposite_words.txt")):
        if line.startswith("["):
            language = line.strip("[]")
            tables[language] = ({}, {})
            continue
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                table = tables[language][word.endswith("*")]
                table.setdefault(word.rstrip("*"), set()).add((row, side))
    return tables


@lru_cache(maxsize=8192)
def sides_of(word: str, language: str) -> frozenset[Side]:
    """The rows of opposites that a folded word stands in, each with its side."""
    whole, beginnings = _read_table().get(language, ({}, {}))
    by_beginning = (beginnings.get(word[:length], ()) for length in range(2, len(word) + 1))
    return frozenset(whole.get(word, ())).union(*by_beginning)


def opposed_sides(sides: frozenset[Side]) -> frozenset[Side]:
    """All other sides of the same rows; months and days of the week have more than one."""
    return frozenset((row, other) for row, side in sides for other in range(_side_counts()[row]) if other != side)


def points_a_way(sides: frozenset[Side]) -> bool:
    """Not one of many that exclude each other, such as months."""
    return bool(sides) and len(opposed_sides(sides)) == len(sides)


@cache
def _side_counts() -> list[int]:
    return [line.count("|") + 1 for line in read_lines("opposite_words.txt")]


_PREFIXES = {
    "en": "un in im il ir dis",
    "de": "un miss",
    "fr": "in im il ir des mal",
    "es": "in im des",
    "it": "in im il ir dis",
    "pt": "in im des",
    "nl": "on",
}
PREFIXES = {language: frozenset(prefixes.split()) for language, prefixes in _PREFIXES.items()}
SHORTEST_BEHIND_PREFIX = 5


def are_opposed_by_prefix(one: str, other: str, language: str) -> bool:
    """Whether one is the other with a denying beginning; not of short words, which begin so by chance."""
    short, long = sorted((one, other), key=len)
    is_long_enough = len(short) >= SHORTEST_BEHIND_PREFIX and long.endswith(short)
    return is_long_enough and long.removesuffix(short) in PREFIXES.get(language, ())
