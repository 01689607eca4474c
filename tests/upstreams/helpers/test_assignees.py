"""Owners and inventors, however they are written."""

from __future__ import annotations

import pytest

from wellsourced.upstreams.helpers.assignees import bare_company, company_key, is_same_company, is_same_person

BARE = [
    ("Siemens Energy Global GmbH & Co. KG", "Siemens Energy Global"),
    ("Example, Inc.", "Example"),
    ("Samsung Electronics Co., Ltd.", "Samsung Electronics"),
    ("PROGENIKA BIOPHARMA, S.A.", "PROGENIKA BIOPHARMA"),
    ("株式会社東芝", "東芝"),
    ("华为技术有限公司", "华为技术"),
    ("AG", "AG"),
    ("Incyte", "Incyte"),
]


@pytest.mark.parametrize(("name", "expected"), BARE)
def test_the_legal_form_is_dropped(name: str, expected: str) -> None:
    assert bare_company(name) == expected


def test_variants_have_one_key() -> None:
    assert company_key("9SOLUTIONS OY") == company_key("9Solutions Oy")
    assert company_key("Société Générale S.A.") == company_key("SOCIETE GENERALE")


def test_a_name_matches_by_whole_words() -> None:
    assert is_same_company("Google Inc", "GOOGLE LLC")
    assert is_same_company("Siemens", "SIEMENS ENERGY GLOBAL GMBH & CO. KG")
    assert not is_same_company("Apple", "Pineapple Inc")
    assert is_same_person("Andrew Crosby", "CROSBY, Andrew")
    assert is_same_person("A. Crosby", "CROSBY ANDREW")
    assert not is_same_person("Anna Crosby", "CROSBY, Andrew")


@pytest.mark.parametrize(
    ("wanted", "name", "is_same"),
    [
        ("Huawei Technologies Co., Ltd.", "HUAWEI TECH CO LTD", True),
        ("Robert Bosch GmbH", "BOSCH GMBH ROBERT", True),
        ("IBM", "International Business Machines Corporation", True),
        ("TSMC", "Taiwan Semiconductor Manufacturing Company", True),
        ("L'Oréal", "LOREAL SA", True),
        ("Müller", "MUELLER AG", True),
        ("Intel", "INT BUSINESS", False),
        ("Bank of America", "America First Bank of X", False),
        ("General Electric", "GENERAL MOTORS LLC", False),
    ],
)
def test_names_as_registers_cut_and_turn_them(wanted: str, name: str, is_same: bool) -> None:
    assert is_same_company(wanted, name) is is_same


def test_people_are_known_by_either_spelling() -> None:
    assert is_same_person("Jörg Müller", "MUELLER JOERG") and is_same_person("Eirik Børsheim", "BORSHEIM, Eirik")
    assert is_same_person("E Børsheim", "BORSHEIM, Eirik") and not is_same_person("Li Wu", "WANG, Li")
