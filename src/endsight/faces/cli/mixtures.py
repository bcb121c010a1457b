"""Moves that play mixes: each with its chance, a bar as long, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from endsight.faces.cli.output import Output
from endsight.faces.cli.render import chance_cells, draw_numbers
from endsight.faces.cli.screen import BEST, DIM, STRONG, Column
from endsight.faces.wording import case_text, listed_shares, percent, seen_note
from endsight.game.numbers import Amount, simplest

if TYPE_CHECKING:
    from endsight.answers.seen import SeenPosition
    from endsight.answers.solution import Option

__all__ = ["draw_mixture", "draw_seen"]

_BAR = 20
_LONGEST = 24
"""Longer fractions are left out: their decimals stand beside them."""
_TABLE = 60
"""Columns of a terminal that the rest of the table needs."""


def draw_seen(output: Output, found: SeenPosition, names: Sequence[str]) -> None:
    """What may be hidden from a player, and the player's moves."""
    screen = output.screen
    if found.posterior:
        screen.line()
        rows = [(f"{each.player} sees {each.sees}", case_text(each.probability)) for each in found.posterior]
        screen.table([Column(fit="wrap"), Column()], rows)
    screen.line()
    if found.value is not None:
        screen.line(f"Worth: {listed_shares(names, found.value, output.number)}.", STRONG)
        screen.line()
    draw_mixture(output, found.options, names, found.ranges or {})
    screen.line()
    screen.line(seen_note(found), DIM)
    if found.ranges is not None and not found.ranges:
        screen.line("No optimal plan leads here, so there are no ranges.", DIM)


def exactly(chance: Fraction) -> str:
    """A chance, exact where that is short, else in percent."""
    text = str(simplest(chance))
    return text if len(text) <= _LONGEST else percent(chance)


def draw_mixture(
    output: Output,
    options: Sequence[Option],
    names: Sequence[str],
    ranges: Mapping[str, tuple[Fraction, Fraction]] = MappingProxyType({}),
) -> None:
    """A table of moves with chances, values (where they are known) and what each gives away (where that is known)."""
    screen = output.screen
    room = max(5, min(_BAR, screen.width - _TABLE))
    has_values = all(option.value for option in options)
    judged = any(option.regret is not None for option in options)
    columns = [Column("move"), Column("", "right"), Column("chance", "right"), Column()]
    columns += [*map(Column, names)] * has_values + [Column("regret")] * judged
    columns += [Column("in all plans")] * bool(ranges)

    def rows(write: Callable[[Amount], str]) -> list[Sequence[str]]:
        return [_cells(option, write) for option in options]

    def _cells(option: Option, write: Callable[[Amount], str]) -> Sequence[str]:
        bar = "█" * round(room * (option.probability or 0))
        regret = "" if option.regret is None else write(option.regret)
        told = [" to ".join(map(exactly, ranges[option.text]))] if ranges else []
        chance = chance_cells(screen, option)
        exact = chance[0] if len(chance[0]) <= _LONGEST else ""
        return [option.text, exact, chance[1], bar, *map(write, option.value), *[regret] * judged, *told]

    draw_numbers(screen, output, columns, rows, [BEST if option.probability else "" for option in options])
