"""Lists of authors and editors, written by the rule of a style."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wellsourced.citations.person_names import initials
from wellsourced.citations.reference import Name
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

Turned: TypeAlias = Literal["all", "first", "none"]
JOINED_INITIALS = late_pattern(r"(?<=\b[^\W\d_])\.(?=[^\W\d_])")
# Particles that are written together with the name, and family names that stand first in every list.
JOINED_PARTICLE = late_pattern(r"(d['’]|al-)(.+)")
EASTERN = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
BARE_INITIAL = late_pattern(r"(?<![^\W_])([^\W\d_])(?=\s|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    """`initial` is what stands behind each initial; None writes given names in full. `comma` stands between family
    name and initials, `and_two` between two names, `and_more` before the last of several. Of more than `most` names,
    the first `shown` are written and `et_al` follows.
    `particle_last` moves `van` behind the given name, `point_initials` sets the points that whole names lack."""

    turned: Turned = "all"
    initial: str | None = ". "
    comma: str = ", "
    and_two: str = " and "
    and_more: str = ", and "
    most: int = 1000
    shown: int = 1
    et_al: str = " et al."
    particle_last: bool = False
    point_initials: bool = True


def write_names(people: tuple[Name, ...], rule: NameRule, et_al: bool = False) -> str:
    """All the names, or the first of them where the rule or the reference itself leaves some out."""
    cut = rule.shown if len(people) > rule.most else len(people)
    written = [write_name(name, rule, is_first=place == 0) for place, name in enumerate(people[:cut])]
    if cut < len(people) or (et_al and written):
        return f"{', '.join(written)}{rule.et_al if len(written) == 1 or rule.et_al[0] == ',' else ',' + rule.et_al}"
    if len(written) < 3:
        # Before an organisation there is no comma.
        is_plain = bool(people and people[-1].literal) and rule.and_two != ", "
        return (rule.and_two.removeprefix(",") if is_plain else rule.and_two).join(written)
    return f"{', '.join(written[:-1])}{rule.and_more}{written[-1]}"


def write_name(name: Name, rule: NameRule, *, is_first: bool = True) -> str:
    if name.literal:
        return name.literal
    if EASTERN.match(name.family):
        return f"{name.surname}{name.given}"
    given = _given(name.given, rule)
    if rule.turned == "none" or (rule.turned == "first" and not is_first):
        front = " ".join(part for part in (given, name.surname) if part)
        return f"{front} {name.suffix}".strip()
    if rule.particle_last and given:
        joined = JOINED_PARTICLE.match(name.family)
        particle, family = (joined[1], joined[2]) if joined else (name.particle, name.family)
        given = f"{given} {particle}".strip()
    else:
        family = name.surname
    suffix = name.suffix.rstrip(".") if rule.comma == " " else name.suffix
    return rule.comma.join(part for part in (family, given, suffix) if part)


def _given(given: str, rule: NameRule) -> str:
    if rule.initial is None and not rule.point_initials:
        return given
    if rule.initial is None:
        return BARE_INITIAL.sub(r"\1.", JOINED_INITIALS.sub(". ", given))
    if rule.initial == "":
        return initials(given, dots=False, spaced=False)
    return initials(given, spaced=rule.initial == ". ")
