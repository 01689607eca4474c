"""Which passages of `data/prompts.md` a prompt consists of, by the choices that its arguments make."""

from __future__ import annotations

from collections.abc import Mapping

from wellsourced.data import read_sections

Values = Mapping[str, str]

TEXTS = read_sections("prompts.md")
RULES = TEXTS["rules"]
USE_CASES = {key.removeprefix("use case "): text for key, text in TEXTS.items() if key.startswith("use case ")}
FOCUSES = {key.removeprefix("focus "): text for key, text in TEXTS.items() if key.startswith("focus ")}
RESEARCH_STEPS = {"quick": 2, "standard": 3, "deep": 6}
SESSION_DEPTHS = {"quick": "quick", "standard": "standard", "deep": "thorough"}
PHASES_AT_DEPTH = {"quick": (1, 6, 8, 9), "standard": (1, 2, 3, 4, 6, 7, 8, 9), "deep": tuple(range(1, 10))}


def brand_guidelines(values: Values) -> str:
    named = "url" if "." in values["company"] and " " not in values["company"] else "company_name"
    tokens = ", include_design_tokens=true" if values["use_case"] == "design_tokens" else ""
    use_case = USE_CASES[values["use_case"]]
    return TEXTS["brand-guidelines"].format(named=named, tokens=tokens, depth=values["depth"], use_case=use_case)


def comprehensive_research(values: Values) -> str:
    narrowed = "\n   Narrow the searches to the lens in the inputs: `web_search(query=…, lens=…)`."
    return TEXTS["comprehensive-research"].format(
        count=RESEARCH_STEPS[values["depth"]],
        depth=SESSION_DEPTHS[values["depth"]],
        lens=narrowed if values["lens"] else "",
    )


def fact_check(values: Values) -> str:
    context = "\nThe inputs also say where the claim comes from; check it as it is meant there."
    return TEXTS["fact-check"].format(context=context if values["context"] else "")


def competitive_analysis(values: Values) -> str:
    market = "the market in the inputs" if values["market"] else "the market that you find it is in"
    return TEXTS["competitive-analysis"].format(market=market)


def literature_review(values: Values) -> str:
    years = "".join(f", {name}={values[name]}" for name in ("year_from", "year_to") if values[name])
    return TEXTS["literature-review"].format(years=years)


def company_recon(values: Values) -> str:
    phases = "\n".join(f"{number}. {TEXTS[f'phase {number}']}" for number in PHASES_AT_DEPTH[values["depth"]])
    focus = f"Weigh most: {FOCUSES[values['focus']]}.\n" if values["focus"] else ""
    return TEXTS["company-recon"].format(phases=phases, focus=focus)
