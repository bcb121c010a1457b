"""`endsight dist`: the distribution of a player's payoff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import endsight as es
from endsight.errors import UsageError
from endsight.faces.cli.columns import Column
from endsight.faces.cli.command import asking, command, flag, single, stored_option, takes
from endsight.faces.cli.output import Output, is_number
from endsight.faces.cli.render import MOST_ROWS, chance_cells, draw_facts, draw_footer, draw_head, row_limit
from endsight.faces.cli.request import Asked, Request, respond
from endsight.faces.documents import distribution_document, length_document
from endsight.faces.wording import percent
from endsight.game.numbers import Amount, as_interval

_BAR = 40


@command(
    "endsight dist pigturn --at-least",
    "endsight dist repeatbust --fix player=myopic --facts",
    "endsight dist pots:4-9-2-7 --fix second=random --player second",
    "endsight dist pig:target=10 --length --at-most",
)
@takes(
    asking,
    stored_option,
    single("--player", "NAME", "Whose payoff (default the first player's)."),
    flag("--length is_length", "Show how many more moves players make, instead of what they get."),
    flag("--at-least", "Add the chance of at least each payoff (or length)."),
    flag("--at-most", "Add the chance of at most each payoff (or length)."),
    flag("--facts", "Show only the mean, the length and the game's own facts."),
)
def dist(request: Request, player: str | None, is_length: bool, facts: bool, **running: bool) -> int:
    """Show the distribution of a player's payoff, or of the length of play.

    Players follow best play, or the policies of --fix. If play can return to a position,
    lengths are listed until at most 1 in 1000 plays is longer.
    """
    if is_length and player is not None:
        raise UsageError("--length is the same for all players", allowed="--length or --player")
    distribution_of = _lengths if is_length else partial(_payoffs, player=player)
    return respond(
        request,
        document=lambda asked: distribution_of(asked).document(facts_only=facts, **running),
        show=lambda asked: _show(asked, distribution_of(asked), facts, running),
        rows=lambda document: [_facts_of(document)] if facts else document["lengths" if is_length else "outcomes"],
    )


@dataclass(frozen=True)
class _DistAnswer:
    """Payoffs or lengths with their chances, their title and noun, facts, and the function for the document."""

    chances: es.Distribution | es.LengthDistribution
    title: str
    noun: str
    facts: dict[str, Any]
    document: Callable[..., dict[str, Any]]


def _payoffs(asked: Asked, player: str | None) -> _DistAnswer:
    """Find the distribution of a player's payoff."""
    distribution = asked.solution.distribution(player, asked.position)
    facts = {"mean": distribution.mean(), "expected_plies": distribution.expected_plies, **distribution.facts}
    document = partial(distribution_document, asked.solution, distribution, asked.position)
    return _DistAnswer(distribution, f"{distribution.player} gets", "outcome", facts, document)


def _lengths(asked: Asked) -> _DistAnswer:
    """Find the distribution of the number of moves still to come."""
    distribution = asked.solution.length_distribution(asked.position)
    facts = {name: chance for name in ("longer", "endless") if (chance := getattr(distribution, name))}
    document = partial(length_document, asked.solution, distribution, asked.position)
    return _DistAnswer(distribution, "plies", "length", {**facts, "expected_plies": distribution.mean}, document)


def _facts_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers in a distribution's document that are not its outcomes."""
    return {key: value for key, value in document.items() if is_number(value) or key in ("player", "expected_plies")}


def _show(asked: Asked, answer: _DistAnswer, facts_only: bool, running: Mapping[str, bool]) -> None:
    draw_head(asked, at_hand=True)
    if not facts_only and answer.chances:
        _draw_chances(asked.output, answer, running)
    draw_facts(asked.output, answer.facts)
    draw_footer(asked)


def _draw_chances(output: Output, answer: _DistAnswer, running: Mapping[str, bool]) -> None:
    """Draw payoffs or lengths with their chances, and a bar for each in the remaining space."""
    screen, chances = output.screen, answer.chances
    sums = {name.replace("_", " "): getattr(chances, name)() for name, is_given in running.items() if is_given}
    shown: list[tuple[Any, Amount]] = list(islice(chances.items(), MOST_ROWS))
    rows = []
    for amount, chance in shown:
        label = str(amount) if isinstance(amount, int) else output.number(amount)
        rows.append([label, *chance_cells(output, chance), *(percent(each[amount]) for each in sums.values())])
    titles = [answer.title, "", "chance", *sums]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    room = max(5, min(_BAR, screen.width - sum(widths) - 2 * len(widths) - 2))
    sizes = [as_interval(chance).middle for _, chance in shown]
    for row, size in zip(rows, sizes, strict=True):
        row.append("█" * round(room * size / max(sizes)))
    screen.line()
    screen.table([*(Column(title, "right") for title in titles), Column()], rows)
    row_limit(output, len(shown), len(chances), answer.noun)
