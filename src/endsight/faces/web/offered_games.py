"""The games that a request may name: a request can never name a path or code.

Requests can name built-in games and those of installed packages, with parameters.
Anything else (files, modules, `@FILE`) must have been named when the server was
started, and a request names it by its number or by that exact text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from endsight.base.shortened import did_you_mean, shortened
from endsight.errors import UnknownGameError, UsageError
from endsight.faces.gallery import Card, ChanceWords, card_of, chance_words, settings_text
from endsight.naming.class_names import game_names, nearest

LONGEST_SPEC = 4000
# A slash may only separate the rows of a list: nothing that could be a path.
_PARAMETERS = re.compile(r"(?:[\w=,.+ \-]|(?<=\d)/(?=[\d-]))*", re.ASCII)

# `path/file.py:Class` or `package.module:Class`.
_OWN_RULES = re.compile(r".*?\.py(?::[A-Za-z_][\w.]*(?![\w.]*=))?(?=:|\Z)|[A-Za-z_][\w.]*:[A-Z]\w*(?=:|\Z)")


@dataclass(frozen=True)
class NamedGame:
    """A game as the page names it: `slug` in addresses, `spec` for the worker."""

    slug: str
    spec: str

    @property
    def base(self) -> str:
        """The rules without their parameters."""
        own = _OWN_RULES.match(self.spec)
        return own[0] if own else self.spec.partition(":")[0]

    @property
    def class_name(self) -> str:
        """The name of the class if given, else of the file or the game."""
        own = self.base.rpartition(":")[2]
        return own.replace("\\", "/").rpartition("/")[2].removesuffix(".py")

    @property
    def card(self) -> Card:
        """How pages present the game."""
        return card_of(self.class_name)

    @property
    def chance(self) -> ChanceWords:
        """How pages speak of chance in it."""
        return chance_words(self.class_name)

    @property
    def settings(self) -> str:
        """Its settings in a few words."""
        return settings_text(self.base, self.spec.removeprefix(self.base).removeprefix(":"))

    @property
    def stem(self) -> str:
        """The text before the parameters in addresses: a number for somebody's own rules."""
        return self.slug.partition(":")[0] if _OWN_RULES.match(self.spec) else self.base


class OfferedGames:
    """The games that a server offers; `specs` are those given at its start."""

    def __init__(self, specs: Sequence[str] = ()) -> None:
        for spec in specs:
            if "@-" in spec.removeprefix(NamedGame("", spec).base):
                raise UsageError(
                    "the standard input cannot be a game of the page", found=spec, advice="save it as a file: @FILE"
                )
        self.specs = tuple(specs)

    def named(self) -> list[NamedGame]:
        """The games given at the server's start, in that order."""
        return [NamedGame(str(number), spec) for number, spec in enumerate(self.specs, start=1)]

    def find(self, text: str) -> NamedGame:
        """Return the game that a request names; raise `UnknownGameError` if there is none of that name."""
        for named in self.named():
            if text in (named.slug, named.spec):
                return named
        head, colon, parameters = text.partition(":")
        for named in self.named():
            if head == named.slug and colon and _is_harmless(parameters):
                return NamedGame(text, f"{named.base}:{parameters}")
        if head in game_names() and len(text) <= LONGEST_SPEC and _is_harmless(parameters):
            return NamedGame(text, text)
        meant = nearest(head, game_names())
        raise UnknownGameError(
            f"there is no game called {shortened(head)!r} here{did_you_mean(meant)}" if head else "no game is named",
            allowed=", ".join([*(named.slug for named in self.named()), *sorted(game_names())]),
            advice=meant or "games of your own are named when the server is started",
        )


def _is_harmless(parameters: str) -> bool:
    """Return whether the text can only be parameters."""
    return (
        _PARAMETERS.fullmatch(parameters) is not None
        and ".py" not in parameters.lower()
        and ".." not in parameters
        and len(parameters) <= LONGEST_SPEC
    )
