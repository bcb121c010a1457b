"""`endsight dist`: the distribution of what a player gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from endsight.cli.command import command
from endsight.cli.options import (
    game_argument,
    limit_options,
    number_options,
    output_options,
    position_options,
    question_options,
    stored_option,
    takes,
)
from endsight.cli.output import Output
from endsight.cli.request import Asked, Request
from endsight.cli.respond import respond
from endsight.errors import UsageError

if TYPE_CHECKING:
    from endsight.numbers import Amount, Number

__all__ = ["dist"]

_BAR = 40


@command(
    "endsight dist pigturn --at-least",
    "endsight dist repeatbust --fix player=myopic --facts",
    "endsight dist pots:4-9-2-7 --fix second=random --player second",
    "endsight dist pig:target=10 --length --at-most",
)
@takes(
    game_argument,
    position_options,
    question_options,
    number_options,
    limit_options,
    stored_option,
    click.option("--player", metavar="NAME", help="Whose payoff (default the first player's)."),
    click.option("--length", "is_length", is_flag=True, help="How many moves players still make, not what they get."),
    click.option("--at-least", is_flag=True, help="Add the chance of each payoff (or length) or more."),
    click.option("--at-most", is_flag=True, help="Add the chance of each payoff (or length) or less."),
    click.option("--facts", is_flag=True, help="Leave the outcomes out: mean, length and the game's own facts."),
    output_options,
)
def dist(request: Request, output: Output, player: str | None, is_length: bool, **columns: bool) -> int:
    """The distribution of a player's payoff, or of the length of play.

    Under best play, or under the policies that --fix gives. Where play can come back to a
    position, lengths are listed until at most 1 in 1000 plays is longer.
    """
    if is_length and player is not None:
        raise UsageError("--length is the same for all players", allowed="--length or --player")
    wanted = _Wanted(**columns)
    kind: type[_Payoffs] | type[_Lengths] = _Lengths if is_length else _Payoffs
    return respond(
        request,
        output,
        document=lambda asked: kind(asked, player).document(wanted),
        show=lambda asked: _show(request, output, asked, kind(asked, player), wanted),
        rows=lambda found: [_facts_of(found)] if wanted.facts else found[kind.key],
    )


@dataclass(frozen=True)
class _Wanted:
    """Which columns are asked for, or only the facts."""

    at_least: bool
    at_most: bool
    facts: bool


class _Payoffs:
    """What a player gets."""

    key = "outcomes"
    noun = "outcome"

    def __init__(self, asked: Asked, player: str | None) -> None:
        self.asked = asked
        self.found = asked.solution.distribution(player, asked.position)
        self.title = f"{self.found.player} gets"

    def document(self, wanted: _Wanted) -> dict[str, Any]:
        """`endsight.distribution/1`."""
        from endsight.documents import distribution_document

        return distribution_document(
            self.asked.solution,
            self.found,
            self.asked.position,
            at_least=wanted.at_least,
            at_most=wanted.at_most,
            facts_only=wanted.facts,
        )

    def facts(self) -> dict[str, Any]:
        """Named numbers beside the list."""
        return {"mean": self.found.mean(), "expected_plies": self.found.expected_plies, **self.found.facts}


class _Lengths:
    """How many moves players still make."""

    key = "lengths"
    noun = "length"
    title = "plies"

    def __init__(self, asked: Asked, _player: str | None) -> None:
        self.asked = asked
        self.found = asked.solution.length_distribution(asked.position)

    def document(self, wanted: _Wanted) -> dict[str, Any]:
        """`endsight.length/1`."""
        from endsight.documents import length_document

        return length_document(
            self.asked.solution,
            self.found,
            self.asked.position,
            at_least=wanted.at_least,
            at_most=wanted.at_most,
            facts_only=wanted.facts,
        )

    def facts(self) -> dict[str, Any]:
        """Named numbers beside the list."""
        found = self.found
        return {
            **({"longer": found.longer} if found.longer else {}),
            **({"endless": found.endless} if found.endless else {}),
            "expected_plies": found.mean,
        }


def _facts_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a distribution's document that are not its outcomes."""
    from endsight.cli.plain import is_number

    return {key: value for key, value in document.items() if is_number(value) or key in ("player", "expected_plies")}


def _show(request: Request, output: Output, asked: Asked, kind: _Payoffs | _Lengths, wanted: _Wanted) -> None:
    from endsight.cli.render import MOST_ROWS, draw_facts, draw_footer, draw_head, row_limit

    screen = output.screen
    draw_head(screen, output, asked, request.loaded.title, at_hand=True)
    if not wanted.facts:
        screen.line()
        _draw_chances(output, kind, wanted, MOST_ROWS)
        row_limit(screen, min(MOST_ROWS, len(kind.found)), len(kind.found), kind.noun)
    draw_facts(screen, output, kind.facts())
    draw_footer(screen, asked)


def _draw_chances(output: Output, kind: _Payoffs | _Lengths, wanted: _Wanted, most: int) -> None:
    """Payoffs or lengths with their chances, and a bar for each in what room is left."""
    from endsight.cli.screen import Column
    from endsight.numbers import as_interval
    from endsight.wording import percent

    screen = output.screen
    found: Mapping[Any, Amount] = kind.found
    running: dict[str, Mapping[Any, Amount]] = {}
    if wanted.at_least:
        running["at least"] = kind.found.at_least()
    if wanted.at_most:
        running["at most"] = kind.found.at_most()
    shown = list(islice(found.items(), most))
    if not shown:
        return
    rows = []
    for amount, chance in shown:
        exact = "" if screen.is_narrow else _short_fraction(chance)
        sums = (percent(total[amount]) for total in running.values())
        rows.append([_label(output, amount), exact, percent(chance), *sums])
    titles = [kind.title, "", "chance", *running]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    room = max(5, min(_BAR, screen.width - sum(widths) - 2 * len(widths) - 2))
    sizes = [as_interval(chance).middle for _, chance in shown]
    for row, size in zip(rows, sizes, strict=True):
        row.append("█" * round(room * size / max(sizes)))
    screen.table([*(Column(title, "right") for title in titles), Column()], rows)


def _label(output: Output, amount: Number) -> str:
    """What is paid is known, also where chances are only enclosed."""
    return str(amount) if isinstance(amount, int) else output.number(amount)


def _short_fraction(chance: Amount, most: int = 24) -> str:
    from endsight.numbers import Interval, exact_text

    exact = None if isinstance(chance, Interval) else exact_text(chance)
    return exact if exact is not None and len(exact) <= most else ""
