"""Pages of a company that makes anvils, and the login page that some put in their place."""

from __future__ import annotations

import json

from tests.brand.brand_sites import Served

TEXT = "<p>" + "Acme makes anvils for people who need them to be heavy and on time. " * 12 + "</p>"
HOME = (
    "<html lang=en><head><title>Acme – anvils</title><meta property=og:site_name content=Acme>"
    "<meta name=theme-color content='#E3120B'><link rel=apple-touch-icon sizes=180x180 href=/touch.png>"
    f"<script type=application/ld+json>{json.dumps({'@type': 'Organization', 'name': 'Acme', 'logo': '/logo.svg'})}"
    f"</script></head><body><h1>Anvils</h1>{TEXT}</body></html>"
)
GUIDE = (
    "<html><head><title>Acme brand guidelines</title><style>body{font-family:Georgia}</style></head><body>"
    f"<h1>Brand guidelines</h1>{TEXT}<h2>Colours</h2><h3>Primary</h3>"
    "<div><b>Anvil Red</b><br>#E3120B</div><h3>Secondary</h3><div><b>Iron</b><br>#333A40</div>"
    "<div><b>Spark</b><br>#FFB400</div><h2>Typography</h2><p>Heading font: Forge Sans</p>"
    "<h2>Voice and tone</h2><p>Heavy but never loud, like a good tool.</p></body></html>"
)
LOGIN = (
    "<html><head><title>Sign in</title><meta name=robots content=noindex></head><body><h1>Sign in</h1>"
    "<form action=/login><input name=u><input type=password name=p></form></body></html>"
)
ACME: dict[str, Served | str | bytes] = {"acme.example/": HOME}
