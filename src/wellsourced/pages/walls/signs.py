"""What walls are made of: scripts and fields in their markup, and the words of their titles and sentences.

The markers come from pages that people recorded (Cloudflare, DataDome, HUMAN, Imperva, Akamai, AWS, Anubis and
others); the sentences are what such pages say in the languages most sites are written in. The lists are in
`data/wall_signs.txt`; phrases are compared as `normalise_speech` writes them.
"""

from __future__ import annotations

import re

from wellsourced.data import read_sections
from wellsourced.late_pattern import late_pattern

NOT_WORDS = late_pattern(r"[^\w']+")
SECTIONS = read_sections("wall_signs.txt")


def normalise_speech(text: str) -> str:
    """Words alone, so that punctuation and case make no difference when phrases are compared."""
    return NOT_WORDS.sub(" ", text.replace("’", "'").casefold()).strip()


def load_signs(section: str) -> tuple[str, ...]:
    return tuple(sign for line in SECTIONS[section].splitlines() for sign in line.split("·"))


def load_phrases(section: str) -> tuple[str, ...]:
    return tuple(normalise_speech(phrase) for phrase in load_signs(section))


def phrase_stems(section: str) -> re.Pattern[str]:
    """Beginnings of words; in scripts that put articles before a word or no blanks between words, parts of them."""
    return re.compile("|".join(rf"\b{word}" if word < "\u0590" else word for word in load_signs(section)))


# Only a challenge or a refusal carries these.
CHALLENGE_MARKUP = load_signs("challenge_markup")

# Cloudflare's own refusals; with a status of 500 and more they mean that the site behind does not answer.
REFUSAL_MARKUP = "cf-error-details"

# Good pages carry these too: a beacon, a widget in a form. They only add to other evidence.
WIDGET_MARKUP = load_signs("widget_markup")

# Cloudflare's measuring script stands on most pages behind it; on a page with nothing else it is the check itself.
BEACON_MARKUP = ("__cf$cv$params", "/cdn-cgi/bm/")

# Pages that are meant to be found and shared carry these.
SELF_DESCRIPTION = ('rel="canonical"', 'property="og:', 'name="description"', '"@type"')

# What an article says of the thing that its heading names: `404 Not Found is the status …`.
DEFINES = (
    r"(?:(?: \w+){0,2} (?:is|was|are|were|means|refers|ist|war|sind|est|était|es|era|fue|é|foi|è|är|er|jest"
    r"|это|является|adalah|là) | ?(?:とは|は|是|이란))"
)

# Headings that name nothing: `Sorry, this page is not available` does not say what a sorry is.
APOLOGIES = load_phrases("apologies")

CHALLENGE_ADDRESS = late_pattern(
    r"/sorry/(?:index)?(?:[?#]|$)|/showcaptcha|/errors/validatecaptcha|/splashui/(?:challenge|captcha)|_____tmd_____"
    r"|/(?:\.well-known|cdn-cgi|_sec|__qrator)/|[/.](?:captcha|human-?verif\w{1,9}|bot-?check|robot-?check|px-?captcha)"
    r"(?:[/.?#]|$)|^https?://(?:validate|captcha)\.",
    re.I,
)

CHALLENGE_TITLES = load_phrases("challenge_titles")

CHALLENGE_SENTENCES = load_phrases("challenge_sentences")


# A word from each of these on a page of a few lines: it wants to know what its visitor is.
VISITOR_WORDS = phrase_stems("visitor_words")
PROOF_WORDS = phrase_stems("proof_words")

LOGIN_SEGMENT = late_pattern(
    r"(?:^|/)(?:log-?in|log-?on|sign-?in|signon|sso|auth|authenticate|authentication|authorize|oauth2?|openid"
    r"|session/new|sessions/new|users/sign_in|account/login|accounts/login|wp-login\.php|login\.\w{2,4}|servicelogin"
    r"|authwall|checkpoint/login|saml2?|cas/login|adfs|anmelden|anmeldung|connexion|se-connecter|iniciar-sesion"
    r"|acceder|entrar|accedi|inloggen|logowanie|zaloguj|prihlaseni|giris|kirjaudu|logga-in)(?:[/.;]|$)",
    re.I,
)
LOGIN_HOST = late_pattern(r"^(?:login|signin|sso|auth|accounts?|idp|identity|passport|wayf)\.", re.I)

LOGIN_TITLES = load_phrases("login_titles")

LOGIN_SENTENCES = load_phrases("login_sentences")

CONSENT_ADDRESS = late_pattern(
    r"^https?://(?:consent|guce|cmp|cookiewall|privacy-gate|privacygate|myprivacy|zustimmung|cookieconsent)[.\-]"
    r"|^https?://[^/?#]{1,250}/(?:[^?#]{0,200}/)?(?:consent|collectconsent|cookie-?consent|cookie-?wall|cookiewall"
    r"|privacy-?gate|privacy-?wall|zustimmung|gdpr-consent|consent-management)(?:[/?#.]|$)",
    re.I,
)

CONSENT_TITLES = load_phrases("consent_titles")

ACCEPT_WORDS = phrase_stems("accept_words")

COOKIE_WORDS = load_signs("cookie_words")

PAYWALL_SENTENCES = load_phrases("paywall_sentences")
# What any newspaper says somewhere; it counts on a page that calls itself not free.
OFFER_WORDS = phrase_stems("offer_words")
PAYWALL_MARKUP = load_signs("paywall_markup")

NOT_FOUND_PHRASES = load_phrases("not_found_phrases")
NOT_FOUND_SENTENCES = (
    *(phrase for phrase in NOT_FOUND_PHRASES if not phrase.isdigit()),
    *load_phrases("gone_sentences"),
)
# Those that say what it is that is missing: they need not make up the most of a heading.
NOT_FOUND_NAMED = tuple(phrase for phrase in NOT_FOUND_PHRASES if phrase.count(" ") > 1)
# A name without a site behind it: nothing that was once there can be read.
PARKED_MARKUP = load_signs("parked_markup")
PARKED_SENTENCES = load_phrases("parked_sentences")

NOT_FOUND_ADDRESS = late_pattern(
    r"/(?:error[/_-]?)?404(?:[/.?]|[_-](?:error|not|page)|$)|/(?:page-?)?not-?found(?:[/.?]|$)|/errors?/(?:not|404)",
    re.I,
)

APP_ROOTS = load_signs("app_roots")
SCRIPT_SENTENCES = load_phrases("script_sentences")

# What a site says in a few lines when it will not show a page just now, or not here, or not to the young. Good pages
# speak of all of this too; these phrases count only where they head a page of a few lines.
TOO_OFTEN = load_phrases("too_often")
ELSEWHERE = load_phrases("elsewhere")
AGE = load_phrases("age")
OUT_OF_ORDER = load_phrases("out_of_order")
