"""Words that say no: whether a sentence speaks against something, in so many words.

Only explicit negation and rebuttal count. Connectives such as "however" or "whereas" set two things side by side
without opposing either and are left out, as are "not only", "not least" and the like.
A cue says that a sentence is worth reading for oneself, nothing more.
"""

from __future__ import annotations

import re

ENGLISH = (
    r"(?:not|no|non-?) significant\w*|contrary to|contradict\w*|disput(?:e|es|ed|ing)\b|refut\w+|disprov\w+|failed to"
    r"|(?:did|does|do|could|would|has|have|had|is|are|was|were|will|can) not\b|cannot|(?:did|does|do|could|would|has"
    r"|have|is|are|was|were|ca|wo)n['’]t\b|no (?:clear |good |strong |conclusive |definitive |scientific |causal )?"
    r"(?:evidence|association|difference|effect|link|proof|conclusions?|correlation|relationship|benefit|increase|change"
    r"|impact)\b|isn['’]t any|rejected|not (?:associated|supported|true|yet|linked|caused)\b|falsely|debunk\w*|hoax\w*"
    r"|unfounded|baseless|discredited|misinformation|fabricated|untrue|lacks evidence|unsupported by|far from the truth"
    r"|a myth\b|is false|are false|patently false|shouldn['’]t|should not|no longer|denie[sd]\b|incorrect"
)
GERMAN = (
    r"nicht\b(?! nur| zuletzt| mehr als)|kein(?:e[nrsm]?)? (?:hinweis\w*|beleg\w*|beweis\w*|zusammenhang|unterschied\w*"
    r"|wirkung|effekt\w*|einfluss)|widerleg\w+|widersp(?:rech|rich|rach|roch)\w*|bestreite\w*|bestritt\w*|dementier\w+"
    r"|falschmeldung\w*|unbegründet\w*|haltlos\w*|entgegen der|im gegensatz zu|frei erfunden"
)
FRENCH = (
    r"\bn(?:e |['’])(?:\w+[ '’-]){1,4}?(?:pas|aucun\w*|jamais|ni|plus|nullement)\b(?! seulement)|aucun\w* (?:preuve\w*"
    r"|lien|effet|différence|association)|contraire(?:ment)? à|contredi\w+|réfut\w+|dément\w*|infox|canular\w*"
    r"|infondé\w*|sans fondement|il est faux"
)
SPANISH = (
    r"\bno (?:hay|se|es|son|fue|fueron|existe\w*|ha|han|está\w*|tiene\w*|muestra\w*|causa\w*|provoca\w*|pudo|pued\w+"
    r"|aument\w+|reduc\w+|encontr\w+)\b|ning[uú]n\w* (?:prueba|evidencia|efecto|relación|diferencia|vínculo)"
    r"|sin (?:pruebas|evidencia|fundamento)|contrari[oa] a|contradi\w+|refut\w+|desm(?:ient|int)\w+|bulo\w*|infundad\w+"
    r"|\bniega\w*|\bnegó\b|rechaz\w+"
)
PORTUGUESE = (
    r"\bnão\b(?! só| apenas| somente)|nenhum\w* (?:prova|evidência|efeito|relação|diferença|ligação)|sem (?:provas"
    r"|evidência\w*|fundamento)|contrári[oa] a|contradi\w+|refut\w+|desment\w+|boato\w*|infundad\w+|rejeit\w+"
)
OTHERS = (
    r"\bnon (?:è|sono|ha|hanno|ci|si|causa\w*|riduce|aumenta)\b|nessun\w* (?:prova|effetto|differenza|legame)"
    r"|smentit\w+|\bniet\b(?! alleen| minder| meer dan)|\bgeen\b|\bnie\b(?! tylko| mniej)|\binte\b(?! bara| mindre)"
    r"|\bikke\b(?! bare| mindre| kun)|\bdeğil\w*|\btidak\b(?! hanya| kurang)|\bkhông\b(?! chỉ| những)"
)
CYRILLIC = (
    r"\bне\b(?! только| лишь| тільки| лише| менее| менш)|опроверг\w+|нет доказательств|немає доказів|вопреки"
    r"|противопоказан\w*"
)
UNSPACED = (
    r"ていません|ていない|ではありません|ではない|なりません|ならない|なかった|ませんでした|否定し|証拠はな|没有(?!不)|沒有(?!不)|并非|並非|并未|並未"
    r"|未能|从未|從未|不再|不会|不會|不能(?!不)|不实|不實|否认|否認|谣言|謠言|지 않|지 못|아니다|사실무근|근거 없"
)
SOUTHERN = r"नहीं|\b(?:لا(?! سيما| يزال| تزال)|لم|لن|ليس\w*|نفى|ينفي)\b|אינו|אינה|\bלא\b(?! רק)"
LIKE_A_CUE = re.compile(
    r"\bnot (?:only|just|merely|least|to mention)\b|\bdon['’]t (?:panic|worry|forget|miss)\b"
    r"|n['o’]t the only\b"
    r"|\bif\b[^,.;]{0,40}\b(?:do(?:es)?|is|are) ?n[o'’]t\b|\bwhether or not\b"
    r"|\bdisputed (?:city|territor\w+|region|area)\b",
    re.IGNORECASE,
)
CUE = re.compile(
    "|".join((ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, OTHERS, CYRILLIC, UNSPACED, SOUTHERN)), re.IGNORECASE
)
# A comma alone may stand in an enumeration; before these words it begins another clause.
CLAUSE_BREAK = re.compile(
    r"[;:–—()；：]|\.\s|\s-\s|\b(?:but|where|who|which|whose|because|although|while|when|if|aber|weil|obwohl|während|mais"
    r"|dont|où|quand|pero|donde|porque|aunque|cuando|mas|onde|embora|quando)\b"
    r"|[,，](?=\s+(?:we|it|they|he|she|i|you|this|that|there|and|so|then|wir|er|sie|es|der|die|das|und|nous|il|elle|ils"
    r"|et|ce|que|y|que|eso|ele|ela|eles|isso|e|o que)\b)",
    re.IGNORECASE,
)
REBUTTAL = re.compile(
    r"contrary|contradict|refut|réfut|disprov|rejected|falsely|debunk|hoax|unfounded|baseless|discredited|untrue"
    r"|not true|is false|are false|widerleg|widersp|dementier|contredi|dément|contradi|desm|опроверг|否定|否认|否認",
    re.IGNORECASE,
)


def cues(sentence: str) -> list[str]:
    """The words of a sentence that say no, in order."""
    return [found[0] for found in CUE.finditer(LIKE_A_CUE.sub(" ", sentence))]


def opposing_clauses(sentence: str, claim: str) -> list[str]:
    """The clauses of a sentence that say no where the claim does not; a claim that says no takes a rebuttal.

    The clause matters: in "X rose by a fifth in states where Y is not allowed" nothing is said against X.
    """
    if not cues(sentence):
        return []
    negative = bool(cues(claim))
    return [clause for clause in _clauses(sentence) if _opposes(cues(clause), claim, negative)]


def _opposes(found: list[str], claim: str, negative: bool) -> bool:
    if not negative:
        return bool(found)
    return any(REBUTTAL.search(cue) for cue in found) and not REBUTTAL.search(claim)


def _clauses(sentence: str) -> list[str]:
    return [clause for clause in CLAUSE_BREAK.split(sentence) if clause.strip()]
