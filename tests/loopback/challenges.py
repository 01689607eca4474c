"""Pages that ask for a person instead of answering, with the marks that the real ones carry."""

from __future__ import annotations

from html import escape


def duckduckgo_anomaly(query: str = "") -> str:
    action = f"//duckduckgo.com/anomaly.js?sv=html&amp;cc=sre&amp;gk=0&amp;q={escape(query)}"
    tiles = "".join(
        f'<div class="anomaly-modal__box" data-index="{index}"><input type="checkbox" class="anomaly-modal__check" '
        f'name="image-check_{index:032x}"></div>'
        for index in range(9)
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><link rel="canonical" href="https://duckduckgo.com/"><title>DuckDuckGo</title></head>
<body><center id="lite_wrapper"><iframe name="ifr" width="0" height="0"></iframe>
<form id="img-form" action="{action}" target="ifr" method="POST"></form>
<form id="challenge-form" action="{action}" method="POST">
<div class="anomaly-modal__mask"><div class="anomaly-modal__modal is-ie" data-testid="anomaly-modal">
<div class="anomaly-modal__title">Are you a duck or a robot?</div>
<div class="anomaly-modal__description">Mark the squares that show a duck to go on.</div>
<div class="anomaly-modal__puzzle">{tiles}</div>
<button name="challenge-submit" class="btn btn--primary anomaly-modal__submit" form="challenge-form">Go on</button>
</div></div></form></center></body></html>"""


def cloudflare_challenge() -> str:
    return """<!DOCTYPE html>
<html lang="en-US"><head><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2">
<span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div>
<script>(function(){window._cf_chl_opt = {cvId: '3', cZone: '127.0.0.1', cType: 'managed', cRay: '0'};
var a = document.createElement('script');a.src = '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=0';
document.getElementsByTagName('head')[0].appendChild(a);})();</script></body></html>"""


CLOUDFLARE_HEADERS = {"server": "cloudflare", "cf-mitigated": "challenge", "cf-ray": "0-LOOP"}
BLOCKS: dict[str, tuple[int, dict[str, str], str]] = {
    "duckduckgo": (202, {}, duckduckgo_anomaly()),
    "cloudflare": (
        403,
        {"server": "cloudflare", "cf-mitigated": "challenge", "cf-ray": "0-LOOP"},
        cloudflare_challenge(),
    ),
}
