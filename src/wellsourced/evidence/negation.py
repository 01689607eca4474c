"""Words that say no: whether a sentence speaks against something, in so many words.

Only explicit negation and rebuttal count. Connectives such as "however" or "whereas" set two things side by side
without opposing either and are left out, as are "not only", "not least" and the like.
A cue says that a sentence is worth reading for oneself, nothing more.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wellsourced.evidence.statements import TIGHT_FRAME, Alignment, Statement
from wellsourced.late_pattern import late_pattern
from wellsourced.text.index_words import RUN
from wellsourced.text.languages import detect_language

ENGLISH = (
    r"(?:not|no|non-?) significant\w*|contrary to|contradict\w*|disput(?:e|es|ed|ing)\b|refut\w+|disprov\w+|failed to"
    r"|(?:did|does|do|could|would|has|have|had|is|are|was|were|will|can) not\b|cannot|(?:did|does|do|could|would|has"
    r"|have|is|are|was|were|ca|wo)n['’]t\b|no (?!other |more |small )(?:\w+ ){0,2}?"
    r"(?:evidence|association|difference|effect|link|proof|conclusions?|correlation|relationship|benefit|increase|change"
    r"|impact)\b|isn['’]t any|rejected|not (?:associated|supported|true|yet|linked|caused)\b|falsely|debunk\w*|hoax\w*"
    r"|unfounded|baseless|discredited|misinformation|fabricated|untrue|lacks evidence|unsupported by|far from the truth"
    r"|a myth\b|(?:is|are|was|were) (?:false|wrong)\b|patently false|shouldn['’]t|should not|no longer"
    r"|denie[sd]\b|incorrect"
    r"|\bnever\b(?! (?:before|mind|fail))|\bneither\b|\b(?:nobody|no one|none of|no stud(?:y|ies))\b"
)
GERMAN = (
    r"nicht\b(?! nur| zuletzt| mehr als)|kein(?:e[nrsm]?)? (?:hinweis\w*|beleg\w*|beweis\w*|zusammenhang|unterschied\w*"
    r"|wirkung|effekt\w*|einfluss)|widerleg\w+|widersp(?:rech|rich|rach|roch)\w*|bestreite\w*|bestritt\w*|dementier\w+"
    r"|keineswegs|keinesfalls|mitnichten|niemals|\bweder\b|falschmeldung\w*|unbegründet\w*|haltlos\w*"
    r"|entgegen der|im gegensatz zu|frei erfunden"
)
FRENCH = (
    r"\bn(?:e |['’])(?:\w+[ '’-]){1,4}?(?:pas|aucun\w*|jamais|ni|plus|nullement)\b(?! seulement)"
    r"|aucun\w{0,9} (?:preuve\w*|lien|effet|différence|association)"
    r"|\baucun\w{0,9} \w+ n(?:e\b|['’])|contraire(?:ment)? à|contredi\w+"
    r"|réfut\w+|dément\w*|infox|canular\w*"
    r"|infondé\w*|sans fondement|il est faux"
)
SPANISH = (
    r"\bno (?:hay|se|es|son|fue|fueron|existe\w*|ha|han|está\w*|tiene\w*|muestra\w*|causa\w*|provoca\w*|pudo|pued\w+"
    r"|aument\w+|reduc\w+|encontr\w+|elev\w+|mejor\w+|funciona\w*|contien\w+|previen\w+|afect\w+|produc\w+|cura\w*"
    r"|\w+(?:ó|aron|ieron))\b|\bnunca\b|\bjamás\b"
    r"|ning[uú]n\w{0,9} (?:prueba|evidencia|efecto|relación|diferencia|vínculo)"
    r"|sin (?:pruebas|evidencia|fundamento)|contrari[oa] a|contradi\w+|refut\w+|desm(?:ient|int)\w+|bulo\w*|infundad\w+"
    r"|\bniega\w*|\bnegó\b|rechaz\w+"
)
PORTUGUESE = (
    r"\bnão\b(?! só| apenas| somente)|nenhum\w{0,9} (?:prova|evidência|efeito|relação|diferença|ligação)|sem (?:provas"
    r"|evidência\w*|fundamento)|contrári[oa] a|contradi\w+|refut\w+|desment\w+|boato\w*|infundad\w+|rejeit\w+"
)
OTHERS = (
    r"\bnon (?:è|sono|ha|hanno|ci|si|riduce|\w+(?:a|ano|ono|ò)\b)(?! solo| soltanto)|nessun\w{0,9} (?:prova|effetto"
    r"|differenza|legame)"
    r"|smentit\w+|\bniet\b(?! alleen| minder| meer dan)|\bgeen\b|\bnie\b(?! tylko| mniej)|\binte\b(?! bara| mindre)"
    r"|\bikke\b(?! bare| mindre| kun)|\bdeğil\w*|\btidak\b(?! hanya| kurang)|\bkhông\b(?! chỉ| những)"
    r"|\bei\b(?! vain| ainoastaan)|\bnem\b(?! csak)|\bnu (?:este|sunt|au|are|există|se|crește|poate|pot)\b"
    r"|\bδεν\b(?! μόνο)"
    r"|\b(?:není|nejsou|nebyl\w?|nemá)\b|\b\w{3,}m[ae]z\b|\b\w{2,}m[ıiuü]yor\w*"
)
CYRILLIC = (
    r"\bне\b(?! только| лишь| тільки| лише| менее| менш)|опроверг\w+|нет доказательств|немає доказів|вопреки"
    r"|противопоказан\w*"
)
UNSPACED = (
    r"ていません|ていない|ではありません|ではない|なりません|ならない|なかった|ませんでした|否定し|証拠はな|没有(?!不)|沒有(?!不)|并非|並非|并未|並未"
    r"|未能|从未|從未|不再|不会|不會|不能(?!不)|并不|並不|无法|無法|不可能|未曾|绝非|絕非"
    r"|[かがさたなばまらわえけげせてねべめれ]ない(?!か)|不实|不實|否认|否認|谣言|謠言|지 않|지 못|아니다"
    r"|사실무근|근거 없"
)
SOUTHERN = (
    r"नहीं|ไม่(?!เพียง|ใช่แค่|แต่)|\bنمی|\b(?:نیست|ندارد|نبود)\b"
    r"|\b(?:لا(?! سيما| يزال| تزال)|لم|لن|ليس\w*|نفى|ينفي)\b|אינו|אינה|\bלא\b(?! רק)"
)
LIKE_A_CUE = late_pattern(
    r"\bnot (?:only|just|merely|least|to mention|un(?:common|usual|likely)|surpris\w+|rare(?:ly)?)\b"
    r"|\bdon['’]t (?:panic|worry|forget|miss)\b|n['o’]t the only\b|n['o’]t\b[^,.;]{0,40}\buntil\b"
    r"|\bif\b[^,.;]{0,40}\b(?:do(?:es)?|is|are) ?n[o'’]t\b|\bwhether or not\b"
    r"|\b(?:no|not|cannot|unable|never|unclear|unknown)\b[^,.;]{0,80}\b(?:whether|why|how)\b"
    r"|\bwho (?:do(?:es)?|did|is|are|was|were|ha[sd]|have) ?n[o'’]t\b|rejected the null\b|\bnever been (?:more"
    r"|so|as|\w+er)\b"
    r"|\bcan(?:not|['’]t) be (?:denied|disputed|ignored|overlooked|overstated)|\b(?:nobody|no one) (?:den|doubt"
    r"|disput)\w+"
    r"|\bn[or]\. ?\d|\bdisputed (?:city|territor\w+|region|area)\b"
    r"|nicht (?:umsonst|selten|ungewöhnlich|überrasch\w+|verwunder\w+|zu (?:leugnen|bestreiten|übersehen))"
    r"|n['’]est pas (?:rare|étonnant|surprenant)|\bno (?:cabe|hay) (?:ninguna )?dudas?|\bno\b[^,.;]{0,40}\bhasta\b"
    r"|não (?:há|resta) dúvidas?|\bnon c['’]è (?:alcun )?dubbio|\bnon (?:solo|soltanto|solamente)|geen twijfel"
    r"|nie ma wątpliwości"
    r"|没有(?:疑问|疑問|问题)|沒有(?:疑問|問題)|لا (?:شك|ريب|بد)|かもしれない|なければならない|にほかならない"
)
# With spaces between words a cue begins a word; of other scripts the first letter decides whether to look at all.
CUE = late_pattern(
    rf"\b(?:{'|'.join((ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, OTHERS, CYRILLIC))})"
    rf"|(?=[\u0590-\u1fff\u3000-\ud7af])(?:{UNSPACED}|{SOUTHERN})"
)
# A comma alone may stand in an enumeration; before these words it begins another clause.
CLAUSE_BREAK = late_pattern(
    r"[;:–—()；：]|\.\s|\s-\s|\b(?:but|where|who|which|whose|because|although|while|when|if|aber|weil|obwohl|während|mais"
    r"|dont|où|quand|pero|donde|porque|aunque|cuando|mas|onde|embora|quando|wobei|но|однако|хотя|котор\w+|если|ale|który\w*)\b"
    r"|\b(?:ولكن|لكن|بينما)\b|[,，、](?=但|而|却|卻|不过|不過|因为|因為|所以)|\band (?=(?:did|does|do|is|are"
    r"|was|were|has|have|had) ?n[o'’]t\b)"
    r"|[,，](?=\s+(?:we|it|they|he|she|i|you|this|that|there|and|so|then|the|our|these|no|neither|wir|er|sie|es|der|die|das|was|und|nous|il|elle|ils"
    r"|et|ce|que|y|que|eso|ele|ela|eles|isso|e|o que)\b)",
    re.IGNORECASE,
)
# A cue that names what was not found needs no further word; words that carry another verb say nothing themselves.
FINDING = late_pattern(
    r"evidence|associat|differen|effect|link|proof|correlat|relation|benefit|impact|significan|hinweis|beleg|beweis"
    r"|zusammenhang|unterschied|wirkung|preuve|lien|effet|différence|prueba|evidencia|efecto|diferencia|prov|efeito",
    re.IGNORECASE,
)
CARRIES = late_pattern(
    r"appear|seem|been|show|found|find|tend|likely|able|yet|support|demonstrat|indicat|detect|observ|experienc|significan|always|any|stud|prove|proving"
    r"|gezeigt|zeig|gefunden|immer|unbedingt|etud|montr|prouv|trouv|demuestr|muestr|encontr|estud|mostr|dimostr|aanget"
)
# Languages in which the denied word follows the cue, where any does.
NEGATION_FIRST = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})
# A clause that is put into another, between commas.
WITHIN = late_pattern(r"[,，]\s(?:which|who|whose|qui|dont|die|der|das|que)\b[^,.;]{1,100},", re.IGNORECASE)

# A claim that denies something itself, in words that would be too little to tell of a sentence that it says no.
NEGATIVE = late_pattern(
    r"\b(?:not|no|never|none|nor|neither|nothing|nobody|without|lack(?:s|ed|ing)?|absen(?:t|ce)|un(?:related|able|linked|affected"
    r"|changed|like)|(?:do|does|did|is|are|was|were|has|have|wo|ca|could|would|should)nt|refus\w+|reject\w+|den(?:y|ie[sd])"
    r"|differ(?:s|ed|ing)?|nicht|kein\w*|ohne|nie|niemals|sans|aucun\w*|jamais|sin|nunca|sem|senza|non|без|нет|не)\b"
    r"|n['’]t\b|没有|沒有|不(?![仅僅同断斷少久过過])|ない(?!か)",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def negation_cues(sentence: str) -> list[str]:
    """The words of a sentence that say no, in order and in lower case."""
    return [match[0] for match in CUE.finditer(LIKE_A_CUE.sub(" ", lower_letters(sentence)))]


def lower_letters(text: str) -> str:
    """In lower case, each letter at its place; the patterns are many times faster than where they ignore case."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(map(_lower_letter, text))


def _lower_letter(letter: str) -> str:
    return lowered if len(lowered := letter.lower()) == 1 else letter


def opposing_clauses(sentence: str, claim: str) -> list[str]:
    """The clauses of a sentence that say no where the claim does not.

    The clause matters: in "X rose by a fifth in states where Y is not allowed" nothing is said against X.
    """
    if not negation_cues(sentence) or negation_cues(claim) or _denies(claim):
        return []
    return [clause for clause in _clauses(sentence) if negation_cues(clause)]


def says_no_to(beside: Alignment) -> bool:
    """Whether what a clause denies is of the claim: the denied word stands there, or most of it and it is a finding."""
    clause = beside.sentence
    said = {word.stem for word in beside.claim.words if word.is_content}
    blanked = LIKE_A_CUE.sub(lambda match: " " * len(match[0]), lower_letters(clause.text))
    return any(
        beside.is_close(TIGHT_FRAME) if FINDING.search(cue[0]) else not said.isdisjoint(_denied_words(clause, cue))
        for cue in CUE.finditer(blanked)
    )


def denies_otherwise(claim: str, sentence: str) -> bool:
    """Whether a claim denies something in words that the sentence has not."""
    return any(match[0].lower() not in sentence.lower() for match in NEGATIVE.finditer(claim))


def only_carries(key: str) -> bool:
    """Whether a word between a cue and what it denies says nothing itself: "no study shows", "not significantly"."""
    return bool(CARRIES.match(key) or FINDING.match(key)) or key.endswith(("ly", "mente"))


def _denied_words(clause: Statement, cue: re.Match[str]) -> list[str]:
    """The word that a cue denies, those that only carry a verb passed over; the one before where none follows."""
    content = [word for word in clause.words if word.is_content]
    ahead = [word.stem for word in content if word.end <= cue.start()][-1:]
    behind = [word.stem for word in content if word.start >= cue.end() and not only_carries(word.key)]
    if clause.language not in NEGATION_FIRST or RUN.search(cue[0]):
        return [*ahead, *behind[:2]]
    return behind[:1] or ahead


def _denies(claim: str) -> bool:
    """In Portuguese `no` is a preposition."""
    return any(match[0].casefold() != "no" or detect_language(claim) != "pt" for match in NEGATIVE.finditer(claim))


def _clauses(sentence: str) -> list[str]:
    parted = WITHIN.sub(lambda match: f";{match[0][1:-1]};", sentence)
    return [clause for clause in CLAUSE_BREAK.split(parted) if clause.strip()]
