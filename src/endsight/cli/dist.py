"""`endsight dist`: the distribution of what a player gets."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
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
    takes,
)
from endsight.cli.output import Output
from endsight.cli.request import Asked, Request
from endsight.cli.respond import respond

if TYPE_CHECKING:
    from endsight.distribution import Distribution

__all__ = ["dist"]

_BAR = 40


@command(
    "endsight dist pigturn --at-least",
    "endsight dist repeatbust --fix player=myopic --facts",
    "endsight dist pots:4-9-2-7 --fix second=random --player second",
)
@takes(
    game_argument,
    position_options,
    question_options,
    number_options,
    limit_options,
    click.option("--player", metavar="NAME", help="Whose payoff (default the first player's)."),
    click.option("--at-least", is_flag=True, help="Add the chance of each payoff or more."),
    click.option("--at-most", is_flag=True, help="Add the chance of each payoff or less."),
    click.option("--facts", is_flag=True, help="Leave the outcomes out: mean, length and the game's own facts."),
    output_options,
)
def dist(request: Request, output: Output, player: str | None, at_least: bool, at_most: bool, facts: bool) -> int:
    """The distribution of a player's payoff.

    Under best play, or under the policies that --fix gives.
    """

    def document(asked: Asked) -> dict[str, Any]:
        from endsight.documents import distribution_document

        return distribution_document(
            asked.solution,
            asked.solution.distribution(player, asked.position),
            asked.position,
            at_least=at_least,
            at_most=at_most,
            facts_only=facts,
        )

    def show(asked: Asked) -> None:
        cumulative = {"at least": at_least, "at most": at_most}
        _show(request, output, asked, player, [name for name, is_asked in cumulative.items() if is_asked], facts)

    return respond(
        request,
        output,
        document=document,
        show=show,
        rows=lambda found: [_facts_of(found)] if facts else found["outcomes"],
    )


def _facts_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a distribution's document that are not its outcomes."""
    from endsight.cli.plain import is_number

    return {key: value for key, value in document.items() if is_number(value) or key in ("player", "expected_plies")}


def _show(
    request: Request, output: Output, asked: Asked, player: str | None, cumulative: list[str], facts_only: bool
) -> None:
    from endsight.cli.render import MOST_ROWS, draw_facts, draw_footer, draw_head, row_limit

    found = asked.solution.distribution(player, asked.position)
    screen = output.screen
    draw_head(screen, output, asked, request.game)
    if not facts_only:
        screen.line()
        _draw_outcomes(output, found, cumulative, MOST_ROWS)
        row_limit(screen, min(MOST_ROWS, len(found)), len(found), "outcome")
    draw_facts(screen, output, {"mean": found.mean(), "expected_plies": found.expected_plies, **found.facts})
    draw_footer(screen, asked)


def _draw_outcomes(output: Output, found: Distribution, cumulative: list[str], most: int) -> None:
    """Payoffs with their chances, and a bar for each in what room is left."""
    from endsight.cli.screen import Column
    from endsight.wording import percent

    screen = output.screen
    sums = {"at least": found.at_least, "at most": found.at_most}
    running = [sums[name]() for name in cumulative]
    shown = list(found.outcomes.items())[:most]
    rows = []
    for payoff, chance in shown:
        exact = "" if screen.is_narrow else _short_fraction(chance)
        rows.append([output.number(payoff), exact, percent(chance), *(percent(total[payoff]) for total in running)])
    titles = [f"{found.player} gets", "", "chance", *cumulative]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    room = max(5, min(_BAR, screen.width - sum(widths) - 2 * len(widths) - 2))
    top = max(chance for _, chance in shown)
    for row, (_, chance) in zip(rows, shown, strict=True):
        row.append("█" * round(room * chance / top))
    screen.table([*(Column(title, "right") for title in titles), Column()], rows)


def _short_fraction(chance: Fraction, most: int = 24) -> str:
    from endsight.numbers import exact_text

    exact = exact_text(chance)
    return exact if exact is not None and len(exact) <= most else ""
