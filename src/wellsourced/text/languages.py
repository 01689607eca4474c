"""Which language a text is in, as far as that shows in a few of its words; and its words without their endings.

Only what comparing needs: a guess from function words that are hardly ever used in another of the languages, and None
where they do not say. The endings are inflections; what is left need not be a word, only the same for every form.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from wellsourced.late_pattern import late_pattern

SAMPLE = 3000  # characters that decide about the language
SHORTEST_ROOT = 4

SCRIPTS = (
    ("ja", late_pattern(r"[\u3040-\u30ff]+")),
    ("ko", late_pattern(r"[\uac00-\ud7af]+")),
    ("zh", late_pattern(r"[\u3400-\u9fff]+")),
    ("ru", late_pattern(r"[\u0400-\u04ff]+")),
    ("ar", late_pattern(r"[\u0600-\u06ff]+")),
    ("hi", late_pattern(r"[\u0900-\u097f]+")),
    ("el", late_pattern(r"[\u0370-\u03ff]+")),
    ("he", late_pattern(r"[\u0590-\u05ff]+")),
    ("th", late_pattern(r"[\u0e00-\u0e7f]+")),
)
LATIN = late_pattern(r"[A-Za-z\u00c0-\u024f]+")
# Holds all of them, and names what it leaves out, since a class of these is slow to compile.
OTHER_SCRIPT = late_pattern(r"[^\x00-\u036f\u0e80-\u303f]")

FUNCTION_WORDS = {
    "en": "the of and is are was were with that this from which by has have had than their its been will would for"
    " because among after they you on at",
    "de": "der das und ist nicht ein eine einer einen dem den des mit für auf von zu im wird wurde wurden sind sich"
    " auch werden wegen nach bei aus gegen",
    "fr": "les des est une du au aux dans pour par sur avec qui que ce cette ont été sont pas ne et il elle leur contre"
    " après",
    "es": "el los las del y una por con para que se es su sus fue son más pero como está hay según al lo desde muy",
    "pt": "os uma não com do da dos das em no na ao são foi pela pelo mais mas também você seu sua isso como para",
    "it": "il gli di della del dei delle che una è per sono nel nella alla con non più dello anche ha dal",
    "nl": "het een van en niet met zijn voor dat wordt door ook maar bij",
    "tr": "ve bir bu için ile olarak olan daha çok ise gibi kadar sonra tarafından ancak yılında olduğu değil",
    "pl": "się nie jest oraz przez został była był ale jako które który od po dla tego",
    "sv": "och är inte som på av för har den till från också efter eller ett",
    "da": "og er ikke som på af for har den til fra også efter eller et blev",
    "cs": "se je na který která byl byla jako ale jsou podle také pro není",
    "ro": "și este în care pentru din cu pe sunt fost mai dar după nu",
    "hu": "és az egy hogy nem volt ez meg után mint volna vagy",
    "fi": "ja on ei oli että mutta sekä joka myös ovat kuin",
}
LANGUAGES_OF_HINT: dict[str, tuple[str, ...]] = {
    word: tuple(language for language, words in FUNCTION_WORDS.items() if word in words.split())
    for word in " ".join(FUNCTION_WORDS.values()).split()
}

ENDINGS = {
    "de": "ungen ung isches ischen ische isch liche licher lichen lich erinnen innen ern em en er es te ten est et"
    " st e n s t",
    "fr": "issements issement ations ation atrices atrice ateurs ateur ements ement issent issait aient euses euse eurs"
    " eur ives ive ifs if elles elle els el aux ales ale al antes ante ants ant ees ee er ez ent ait ais ons ir is it"
    " es e s x",
    "es": "aciones acion amientos amiento mente idades idad ados adas idos idas ado ada ido ida ando iendo aron ieron"
    " aban aba cion ciones ar er ir an en as es os a e o s",
    "pt": "acoes acao amentos amento mente idades idade ados adas idos idas ado ada ido ida ando endo indo aram eram"
    " iram ava coes cao oes ar er ir am em as es os ais a e o m s",
    "it": "azioni azione zioni zione amenti amento mente ati ata ato ate iti ita ito are ere ire ano ono a e i o",
    "ru": "иями ями ами ого его ому ему ыми ими ается ают ает ить ать ится ения ение ений ях ах ия ие ий ый ой ая ое"
    " ые ов ев ей ам ям ом ем ет ит а е и о у ы ь я ю й",
}
ENDINGS_OF = {language: tuple(sorted(words.split(), key=len, reverse=True)) for language, words in ENDINGS.items()}


def detect_language(text: str) -> str | None:
    """A language code, or None where the words do not tell."""
    return _detect_in_sample(text[:SAMPLE])


@lru_cache(maxsize=64)
def _detect_in_sample(sample: str) -> str | None:
    if not sample.isascii() and OTHER_SCRIPT.search(sample):
        latin = _count_letters(LATIN, sample)
        for language, script in SCRIPTS:
            if 2 * _count_letters(script, sample) > latin:
                return language
    words = _words(sample.lower())
    counts = Counter(words)
    times = dict.fromkeys(FUNCTION_WORDS, 0)
    for word in counts.keys() & LANGUAGES_OF_HINT.keys():
        for language in LANGUAGES_OF_HINT[word]:
            times[language] += counts[word]
    (second, _), (first, language) = sorted((count, language) for language, count in times.items())[-2:]
    return language if first > second and first >= min(3, 1 + len(words) // 12) else None


def _words(text: str) -> list[str]:
    """All runs of letters. The few signs between them are replaced in half of the time that a pattern takes."""
    blanked = {ord(sign): sign if sign.isalnum() and not sign.isdecimal() else " " for sign in set(text)}
    return text.translate(blanked).split()


def _count_letters(script: re.Pattern[str], text: str) -> int:
    return sum(map(len, script.findall(text)))


@lru_cache(maxsize=16384)
def word_root(key: str, language: str) -> str:
    """A word's key without the endings of its language; unchanged where too little would be left."""
    for ending in ENDINGS_OF.get(language, ()):
        if key.endswith(ending) and len(key) - len(ending) >= SHORTEST_ROOT:
            return key[: -len(ending)]
    return key
