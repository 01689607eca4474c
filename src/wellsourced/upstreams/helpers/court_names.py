"""Federal courts of the United States by name or abbreviation, as the ids that CourtListener knows them by."""

from __future__ import annotations

import re

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
NAMED = {
    "dc": "cadc", "federal": "cafc", "district of columbia": "cadc",
}  # fmt: skip
WHOLE = {
    "supreme court": "scotus", "supreme court of the united states": "scotus", "us supreme court": "scotus",
    "united states supreme court": "scotus", "tax court": "tax", "us tax court": "tax", "court of federal claims":
    "uscfc", "fed cl": "uscfc",
    "court of international trade": "cit", "fed cir": "cafc", "dc cir": "cadc", "ddc": "dcd",
}  # fmt: skip
CIRCUIT = re.compile(r"(?:.{0,60}\b)?([a-z]{2,9}|[0-9]{1,2}(?:st|nd|rd|th|d)|district of columbia) cir(?:cuit)?")
# Of several districts in a state, and states by the way courts abbreviate and write them.
DISTRICT = re.compile(
    r"([nsewmc]) ?d ?([a-z ]{2,14})|(?:.{0,60}\b)?(\w{5,8}) district of ([a-z ]{4,20})|d ([a-z ]{2,14})"
)
SIDES = {"northern": "n", "southern": "s", "eastern": "e", "western": "w", "middle": "m", "central": "c"}
STATE_NAMES = """
alabama=al ala=al alaska=ak arizona=az ariz=az arkansas=ar ark=ar california=ca cal=ca colorado=co colo=co
connecticut=ct conn=ct delaware=de del=de florida=fl fla=fl georgia=ga ga=ga hawaii=hi haw=hi idaho=id illinois=il
ill=il indiana=in ind=in iowa=ia kansas=ks kan=ks kentucky=ky ky=ky louisiana=la la=la maine=me me=me maryland=md
md=md massachusetts=ma mass=ma michigan=mi mich=mi minnesota=mn minn=mn mississippi=ms miss=ms missouri=mo mo=mo
montana=mt mont=mt nebraska=ne neb=ne nevada=nv nev=nv newhampshire=nh nh=nh newjersey=nj nj=nj newmexico=nm nm=nm
newyork=ny ny=ny northcarolina=nc nc=nc northdakota=nd nd=nd ohio=oh oklahoma=ok okla=ok oregon=or or=or
pennsylvania=pa pa=pa rhodeisland=ri ri=ri southcarolina=sc sc=sc southdakota=sd sd=sd tennessee=tn tenn=tn texas=tx
tex=tx utah=ut vermont=vt vt=vt virginia=va va=va washington=wa wash=wa westvirginia=wv wisconsin=wi wis=wi wyoming=wy
wyo=wy columbia=dc
"""
STATES = dict(pair.split("=") for pair in STATE_NAMES.split())
# The highest court of a state goes by its abbreviation, the last of its names above; New York's Supreme Court is not
# its highest one.
SUPREME = re.compile(r"supreme court of (?:the state of )?([a-z ]{4,20})|([a-z ]{4,20}) supreme court")
HIGHEST = {code: name for name, code in STATES.items() if code not in {"ny", "dc"}} | {"wv": "wva"}
COURT_WORDS = frozenset({"court", "courts", "district", "circuit", "of", "the", "for", "appeals", "supreme"})


def court_id(name: str) -> str:
    """`ca9` for `9th Cir.` or `Ninth Circuit`, `nysd` for `S.D.N.Y.`; anything else as given, in small letters."""
    plain = " ".join(re.sub(r"[.,']", "", name[:120]).casefold().split())
    if plain in WHOLE:
        return WHOLE[plain]
    if (match := CIRCUIT.fullmatch(plain)) and (number := _circuit(match[1])):
        return number
    if match := SUPREME.fullmatch(plain):
        return HIGHEST.get(STATES.get((match[1] or match[2]).replace(" ", ""), ""), plain)
    if (match := DISTRICT.fullmatch(plain)) and (court := _district(match)):
        return court
    return " ".join(name.split()).casefold()


def is_unknown_name(name: str) -> bool:
    """Whether this is a court's name in words, of which no id is known here."""
    return bool(COURT_WORDS & set(court_id(name).split()))


def _circuit(name: str) -> str:
    digits = re.match(r"[0-9]{1,2}", name)
    number = int(digits[0]) if digits else ORDINALS.index(name) + 1 if name in ORDINALS else 0
    return f"ca{number}" if 1 <= number <= len(ORDINALS) else NAMED.get(name, "")


def _district(match: re.Match[str]) -> str:
    side, state = match[1] or SIDES.get(match[3] or "", ""), match[2] or match[4] or match[5] or ""
    code = STATES.get(state.replace(" ", ""), "")
    is_whole = match[5] is not None
    return f"{code}{side}d" if code and (side or is_whole) else ""
