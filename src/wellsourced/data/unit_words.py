"""Units, currencies and words of comparison in English, German, French, Spanish, Italian, Portuguese and Dutch."""

from __future__ import annotations

import re

# Dimension, factor to its base unit, and the words.
_TABLE: tuple[tuple[str, float, str], ...] = (
    ("percent", 1, "%|percent|per cent|pct|prozent|pour cent|pour-cent|por ciento|por cento|per cento|procent"),
    ("points", 1, "percentage points|percentage point|prozentpunkte|prozentpunkten|prozentpunkt|points de pourcentage"
     "|puntos porcentuales|punti percentuali|pontos percentuais|procentpunten|basis points"),
    ("length", 0.001, "mm|millimetres|millimeters|millimetre|millimeter|millimètres|milímetros"),
    ("length", 0.01, "cm|centimetres|centimeters|centimetre|centimeter|zentimeter|centimètres|centímetros|centimetri"),
    ("length", 1, "m|metres|meters|metre|meter|metern|mètres|mètre|metros|metro|metri"),
    ("length", 1000, "km|kilometres|kilometers|kilometre|kilometer|kilometern|kilomètres|kilomètre|kilómetros|kilómetro"
     "|chilometri|quilômetros|quilómetros"),
    ("length", 1609.34, "miles|mile|meilen|milles|millas|miglia|milhas|mijl"),
    ("length", 0.3048, "ft|feet|foot|fuß|pieds|pies|piedi|voet"),
    ("length", 0.0254, "inches|inch|zoll|pouces|pulgadas|pollici"),
    ("length", 0.9144, "yards|yard|yds"),
    ("mass", 1e-6, "mg|milligrams|milligram|milligramm|milligrammes|miligramos"),
    ("mass", 0.001, "g|grams|gram|grammes|gramme|gramm|gramos|grammi"),
    ("mass", 1, "kg|kilograms|kilogram|kilogramm|kilogrammes|kilos|kilo|kilogramos|chili"),
    ("mass", 1000, "tonnes|tonne|tons|ton|tonnen|toneladas|tonnellate"),
    ("mass", 0.4536, "lb|lbs|pfund"),
    ("mass", 0.02835, "oz|ounces|ounce|unzen|onces|onzas"),
    ("area", 1, "m²|square metres|square meters|quadratmeter|mètres carrés|metros cuadrados"),
    ("area", 1e6, "km²|square kilometres|square kilometers|quadratkilometer|kilomètres carrés|kilómetros cuadrados"),
    ("area", 2.59e6, "square miles|quadratmeilen|milles carrés|millas cuadradas"),
    ("area", 1e4, "hectares|hectare|hektar|hectáreas|ettari|ha"),
    ("area", 4046.86, "acres|acre"),
    ("volume", 1, "l|litres|liters|litre|liter|litros|litri"),
    ("volume", 0.001, "ml|millilitres|milliliters|milliliter|mililitros"),
    ("volume", 3.785, "gallons|gallon|gallonen"),
    ("volume", 159, "barrels|barrel|barils|barriles"),
    ("time", 1, "seconds|second|sekunden|sekunde|secondes|segundos|secondi|seconden"),
    ("time", 60, "minutes|minute|minuten|minutos|minuti|minuut"),
    ("time", 3600, "hours|hour|stunden|stunde|heures|heure|horas|hora|ore|uur"),
    ("time", 86400, "days|day|tage|tagen|tag|jours|jour|días|día|giorni|dias|dagen"),
    ("time", 604800, "weeks|week|wochen|woche|semaines|semaine|semanas|semana|settimane|weken"),
    ("time", 2629800, "months|month|monate|monaten|monat|mois|meses|mesi|maanden"),
    ("time", 31557600, "years|year|jahre|jahren|jahr|ans|an|années|année|años|año|anni|anos|ano|jaar"),
    ("celsius", 1, "°c|degrees celsius|grad celsius|degrés celsius|grados celsius|° c"),
    ("fahrenheit", 1, "°f|degrees fahrenheit|grad fahrenheit"),
    ("speed", 1, "km/h|kilometres per hour|kilometers per hour|kmh|stundenkilometer"),
    ("speed", 1.609, "mph|miles per hour"),
    ("power", 1, "w|watts|watt"),
    ("power", 1e3, "kw|kilowatts|kilowatt"),
    ("power", 1e6, "mw|megawatts|megawatt|mégawatts"),
    ("power", 1e9, "gw|gigawatts|gigawatt"),
    ("energy", 1, "kwh|kilowatt hours|kilowattstunden"),
    ("energy", 1e3, "mwh|megawatt hours|megawattstunden"),
    ("energy", 1e6, "gwh|gigawatt hours|gigawattstunden"),
    ("energy", 1e9, "twh|terawatt hours|terawattstunden"),
)  # fmt: skip
UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, factor) for dimension, factor, words in _TABLE for word in words.split("|")
}
_MONEY = {
    "$": "us$|usd|$|dollars|dollar|dólares|dollari|us-dollar|u.s. dollars",
    "€": "eur|€|euros|euro",
    "£": "gbp|£|pounds|pound|pfund sterling|livres sterling|libras|livres",
    "¥": "jpy|¥|yen",
    "cny": "rmb|yuan|cny",
    "₹": "₹|rupees|rupee|inr|rs.",
    "chf": "chf|francs|franc|franken|francos",
    "mark": "marks|mark|dm|reichsmark",
    "rub": "rubles|roubles|rubel|rublos",
    "pts": "pesetas|peseta",
}
CURRENCIES: dict[str, str] = {word: sign for sign, words in _MONEY.items() for word in words.split("|")}

# Asked in this order: "not more than" is no "more than".
COMPARISONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?:{words})\s*(?:(?:the|a|de|von)\s)?\s*$"), kind)
    for words, kind in (
        (
            r"no(?:t)? (?:more|greater|higher) than|at (?:the )?most|up to|maximum of|höchstens|maximal|nicht mehr als"
            r"|bis zu|au plus|jusqu['’]à|pas plus de|como máximo|a lo sumo|hasta|no más de|al massimo|fino a|no máximo"
            r"|até|hoogstens",
            "most",
        ),
        (
            r"no(?:t)? (?:less|fewer) than|at least|minimum of|mindestens|wenigstens|nicht weniger als|au moins"
            r"|pas moins de|al menos|por lo menos|como mínimo|no menos de|almeno|pelo menos|ten minste|minstens",
            "least",
        ),
        (
            r"more than|over|above|exceed(?:s|ed|ing)?|greater than|mehr als|über|plus d[e']|más de|oltre|più di"
            r"|mais de|meer dan|>",
            "more",
        ),
        (r"less than|fewer than|under|below|weniger als|unter|moins d[e']|menos de|meno di|minder dan|<", "less"),
        (
            r"about|around|approximately|nearly|almost|some|roughly|circa|ca\.?|c\.|etwa|rund|ungefähr|fast|knapp"
            r"|environ|près de|quelque|presque|unos|unas|cerca de|aproximadamente|alrededor de|casi|quasi|quase"
            r"|ongeveer|bijna|~",
            "about",
        ),
    )
)  # fmt: skip
