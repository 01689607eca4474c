"""Languages and countries as GDELT spells them: English names in small letters without blanks."""

from __future__ import annotations

LANGUAGES = (
    "af afrikaans sq albanian ar arabic hy armenian az azerbaijani bn bengali bs bosnian bg bulgarian ca catalan zh"
    " chinese hr croatian cs czech da danish nl dutch en english et estonian fi finnish fr french gl galician ka"
    " georgian de german el greek gu gujarati he hebrew hi hindi hu hungarian is icelandic id indonesian it italian ja"
    " japanese kn kannada kk kazakh ko korean lv latvian lt lithuanian mk macedonian ms malay ml malayalam mr marathi"
    " mn mongolian ne nepali nb norwegian nn norwegian no norwegian fa persian pl polish pt portuguese pa punjabi ro"
    " romanian ru russian sr serbian si sinhalese sk slovak sl slovenian so somali es spanish sw swahili sv swedish ta"
    " tamil te telugu th thai bo tibetan tr turkish uk ukrainian ur urdu vi vietnamese"
)
COUNTRIES = (
    "AF afghanistan AL albania DZ algeria AD andorra AO angola AR argentina AM armenia AU australia AT austria AZ"
    " azerbaijan BH bahrain BD bangladesh BB barbados BY belarus BE belgium BZ belize BJ benin BT bhutan BO bolivia BA"
    " bosniaherzegovina BW botswana BR brazil BN brunei BG bulgaria BF burkinafaso BI burundi KH cambodia CM cameroon"
    " CA canada TD chad CL chile CN china CO colombia CR costarica HR croatia CU cuba CY cyprus CZ czechrepublic DK"
    " denmark DJ djibouti DO dominicanrepublic EC ecuador EG egypt SV elsalvador EE estonia ET ethiopia FJ fiji FI"
    " finland FR france GA gabon GE georgia DE germany GH ghana GR greece GT guatemala GN guinea GY guyana HT haiti HN"
    " honduras HK hongkong HU hungary IS iceland IN india ID indonesia IR iran IQ iraq IE ireland IL israel IT italy"
    " JM jamaica JP japan JO jordan KZ kazakhstan KE kenya KW kuwait KG kyrgyzstan LA laos LV latvia LB lebanon LS"
    " lesotho LR liberia LY libya LI liechtenstein LT lithuania LU luxembourg MO macau MK macedonia MG madagascar MW"
    " malawi MY malaysia MV maldives ML mali MT malta MR mauritania MU mauritius MX mexico MD moldova MC monaco MN"
    " mongolia ME montenegro MA morocco MZ mozambique MM myanmar NA namibia NP nepal NL netherlands NZ newzealand NI"
    " nicaragua NE niger NG nigeria KP northkorea NO norway OM oman PK pakistan PA panama PG papuanewguinea PY"
    " paraguay PE peru PH philippines PL poland PT portugal PR puertorico QA qatar RO romania RU russia RW rwanda SA"
    " saudiarabia SN senegal RS serbia SL sierraleone SG singapore SK slovakia SI slovenia SO somalia ZA southafrica"
    " KR southkorea SS southsudan ES spain LK srilanka SD sudan SE sweden CH switzerland SY syria TW taiwan TJ"
    " tajikistan TZ tanzania TH thailand TG togo TT trinidadandtobago TN tunisia TR turkey TM turkmenistan UG uganda"
    " UA ukraine AE unitedarabemirates GB unitedkingdom UK unitedkingdom US unitedstates UY uruguay UZ uzbekistan VE"
    " venezuela VN vietnam YE yemen ZM zambia ZW zimbabwe"
)


def _pairs(words: str) -> dict[str, str]:
    listed = words.split()
    return dict(zip(listed[::2], listed[1::2], strict=True))


LANGUAGE_NAMES, COUNTRY_NAMES = _pairs(LANGUAGES), _pairs(COUNTRIES)
