"""One environment variable: its name, what it accepts and what it is for.

Kept free of imports that cost time: the fast start reads settings before anything else is loaded.
"""

from __future__ import annotations


class Setting:
    """A declared environment variable. `kind` is one of the parsers in `wellsourced.settings`.

    Of a number or a duration, `positive` says that nothing would work with 0, `most` what it may be at most.
    `former` is an older name that is still read.
    """

    __slots__ = ("choices", "default", "former", "help", "kind", "most", "name", "positive", "secret")

    def __init__(
        self,
        name: str,
        help: str,
        *,
        kind: str = "text",
        default: str = "",
        choices: tuple[str, ...] = (),
        secret: bool = False,
        positive: bool = False,
        most: int | None = None,
        former: str = "",
    ) -> None:
        self.name = name
        self.help = help
        self.kind = kind
        self.default = default
        self.choices = choices
        self.secret = secret
        self.positive = positive
        self.most = most
        self.former = former
