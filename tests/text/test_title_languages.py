"""Titles in two languages are not held against each other, unless a translation would share a word with them."""

from __future__ import annotations

import pytest

from wellsourced.text.title_languages import are_in_two_languages, may_be_translation, title_language

TITLES = {
    "en": "Attention is all you need", "de": "Sein und Zeit", "fr": "Les mots et les choses",
    "es": "Cien años de soledad", "nl": "De invloed van sociale media op jongeren",
    "cs": "Příčiny a důsledky první světové války",
    "it": "La diagnostica delle infezioni batteriche delle vie urinarie",
    "pl": "Zastosowanie metody elementów skończonych w analizie konstrukcji",
}  # fmt: skip


@pytest.mark.parametrize(("language", "title"), TITLES.items())
def test_short_titles_tell_their_language(language: str, title: str) -> None:
    assert title_language(title) == language


@pytest.mark.parametrize(
    ("cited", "recorded", "may_be"),
    [
        ("Social inequality in the mirror of housing: findings from four cities",
         "Soziale Ungleichheit im Spiegel des Wohnens: Befunde aus vier Städten", True),
        ("Diagnosis of bacterial infections of the urinary tract", TITLES["it"], True),
        ("Thermal fatigue of welded joints in district heating pipes", TITLES["it"], False),
        ("Die Auswirkung von Stress auf den Schlaf", "Soziale Ungleichheit im Spiegel des Wohnens", False),
        ("Thermal fatigue of welded joints in district heating pipes",
         "Soziale Ungleichheit im Spiegel des Wohnens: Befunde aus vier Städten", False),
        ("Inheritance law and the compulsory portion: disputes in the distribution of estates",
         "Erbrecht und Pflichtteil: Streitfragen der Nachlassverteilung", True),
        ("When workers vote for the right: an inquiry in a medium-sized town",
         "Quand les ouvriers votent à droite: enquête dans une ville moyenne", True),
        ("Insulin receptors", "Insulinrezeptoren", True),
        ("Seasonal variation of plankton in brackish lagoons", "Sjukdomar", False),
        ("Deep learning", "Attention is all you need", False),
        ("Editorial", "Seasonal variation of plankton in brackish lagoons", False),
    ],
)  # fmt: skip
def test_translations(cited: str, recorded: str, may_be: bool) -> None:
    assert may_be_translation(cited, recorded) is may_be
    assert may_be or not are_in_two_languages(cited, recorded)
