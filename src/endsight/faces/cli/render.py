"""The parts common to answers for people: title, drawing, footer, moves with their glyphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeVar

import endsight as es
from endsight.answers.options import is_only_best
from endsight.base.shortened import ending, shortened
from endsight.errors import QuestionError
from endsight.faces import wording
from endsight.faces.cli.columns import BEST, DIM, STRONG, WORSE, Column
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Asked
from endsight.faces.wording import Write
from endsight.game import CHANCE
from endsight.game.numbers import Amount, count_text, exact_text, is_enclosed
from endsight.game.position import as_text, counts_unseen
from endsight.game.question import rule_name

T = TypeVar("T")
MOST_ROWS = 40
"""Longer lists are cut, with a note."""
_REFUTATION = 8
"""Moves of the line that refutes a losing move."""
_LONGEST_HISTORY = 60
_STEP = 12
_NARROW_DIGITS = 4


# ---------------------------------------------------------------------- head and foot


def draw_head(asked: Asked, *, at_hand: bool = False) -> None:
    """Draw the game, the moves so far, the position, and its value (`at_hand`: as known without more work)."""
    position, output = asked.position, asked.output
    screen = output.screen
    screen.title(asked.request.loaded.title, _where(asked))
    screen.line()
    drawing = as_text(position.game, "draw", position.state)
    if drawing.strip():
        screen.block(drawing)
        screen.line()
    is_quick = at_hand and not output.exact
    values = asked.solution.values_at_hand(position) if is_quick else asked.solution.ends(position)
    number = {name: output.number(value) for name, value in zip(position.game.player_names, values, strict=True)}
    screen.line(wording.meaning(asked.solution, position, number), STRONG)
    if any(position.so_far):
        so_far = wording.listed_shares(position.game.player_names, position.so_far, output.number)
        screen.line(f"Of that so far: {so_far}", DIM)
    if counts_unseen(position.game, position):
        screen.line("Rewards that nobody has seen count at their expected size when they were paid.", DIM)


def _where(asked: Asked) -> str:
    """Say who is to move, and after which moves."""
    position = asked.position
    history = ending(position.text, _LONGEST_HISTORY)
    parts = [f"set up as {shortened(position.set_up)}"] if position.set_up is not None else []
    parts += [f"after {history}"] if history else []
    mover = position.to_move
    parts += [] if mover is None else [f"{mover} to move"]
    fixed = asked.solution.question.fixed
    names = position.game.player_names
    parts += [f"{names[player]} plays {rule_name(rule)}" for player, rule in fixed.items()]
    return "".join(f" · {part}" for part in parts)


def draw_footer(asked: Asked) -> None:
    """Draw the method of the answer, and what the answer rests on."""
    solution, screen = asked.solution, asked.output.screen
    screen.line()
    for note in wording.basis(solution.game, solution.notion):
        screen.line(note, DIM)
    if solution.source.swings is not None:
        screen.line(f"{solution.source.swings.note}.", DIM)
    draw_engine(asked.output, solution)
    if solution.theorem is not None:
        screen.line(f"By a theorem: {solution.theorem}.", DIM)
    screen.line(f"{wording.method_text(solution)} · {seconds_text(solution.seconds)}", DIM)


def draw_engine(output: Output, solution: es.Solution | None) -> None:
    """Draw why the rules of a solution were not compiled, or how many positions were looked at again."""
    if solution is not None and solution.source.refusal is not None:
        output.screen.line(f"Not compiled: {solution.source.refusal}.", DIM)
    if solution is not None and solution.source.audited:
        count = count_text(solution.source.audited, "position")
        output.screen.line(f"{count} checked again by the rules in Python.", DIM)


def seconds_text(seconds: float) -> str:
    """Write `1.23 s`."""
    return f"{seconds:.2f} s" if seconds >= 0.01 else "under 0.01 s"


def row_limit(output: Output, shown: int, total: int, noun: str) -> None:
    """Say how many items a long list leaves out."""
    if total > shown:
        output.screen.line(f"  … {count_text(total - shown, f'more {noun}')}; --json or --plain has all", DIM)


# ---------------------------------------------------------------------- moves


def draw_moves(asked: Asked) -> None:
    """Draw every move, best first, with its value and what it gives away."""
    screen, options = asked.output.screen, asked.solution.options(asked.position)
    if not options:
        return
    screen.line()
    shown = options[:MOST_ROWS]
    if options[0].probability is None:
        (_draw_values if any(option.category == "value" for option in options) else _draw_results)(asked, shown)
    elif asked.position.mover == CHANCE:
        _draw_outcomes(asked, shown)
    else:
        draw_mixture(asked.output, shown, asked.solution.game.player_names)
    row_limit(asked.output, len(shown), len(options), "outcome" if options[0].probability is not None else "move")
    note = wording.tie_note(options)
    if note:
        screen.apart(note)


def _draw_results(asked: Asked, options: list[es.Option]) -> None:
    screen = asked.output.screen
    columns = [Column(), Column("move"), Column("result"), Column("regret", "right")]
    columns.append(Column("then" if all(option.category == "loss" for option in options) else "refuted by", fit="cut"))
    rows = []
    for option in options:
        reply = "" if screen.is_narrow or option.category != "loss" else _reply(asked, option)
        rows.append((_glyph(options, option), option.text, wording.result_of(option), str(option.regret), reply))
    screen.table(columns, rows, [_style(option) for option in options])


def _reply(asked: Asked, option: es.Option) -> str:
    """Return the line of best play after a losing move; "" if a search knows none that ends."""
    try:
        steps = [step.move for step in islice(asked.solution.steps(asked.position.play(option.move)), _REFUTATION + 1)]
    except QuestionError:
        return ""
    return " ".join(steps[:_REFUTATION]) + (" …" if len(steps) > _REFUTATION else "")


def _draw_values(asked: Asked, options: list[es.Option]) -> None:
    has_counts = any(option.distance is not None for option in options)
    columns = [Column(), Column("move"), *_value_columns(asked), Column("regret")]
    columns += [Column("moves", "right")] * has_counts

    def cells(option: es.Option, write: Write) -> Sequence[str]:
        count = "" if option.distance is None else str(option.distance)
        return [_glyph(options, option), option.text, *_amounts(option, write), *[count] * has_counts]

    draw_numbers(asked.output, columns, options, cells, list(map(_style, options)))


def _amounts(option: es.Option, write: Write) -> list[str]:
    """Write the values of a move and its regret."""
    return [*map(write, option.value), "" if option.regret is None else write(option.regret)]


def _value_columns(asked: Asked) -> list[Column]:
    names = asked.solution.game.player_names
    return [Column("value")] if len(names) == 1 else [Column(name) for name in names]


def _draw_outcomes(asked: Asked, options: list[es.Option]) -> None:
    columns = [Column("outcome"), Column("", "right"), Column("chance", "right"), *_value_columns(asked)]

    def cells(option: es.Option, write: Write) -> Sequence[str]:
        return [option.text, *chance_cells(asked.output, option.probability), *map(write, option.value)]

    draw_numbers(asked.output, columns, options, cells)


def chance_cells(output: Output, chance: Amount | None) -> tuple[str, str]:
    """Return a chance, exact where there is room, and in percent."""
    return ("", "") if chance is None else (short_exact(output, chance), wording.percent(chance))


def short_exact(output: Output, number: Amount) -> str:
    """Write a number exactly if that is known and short and there is room, else return ""."""
    return "" if output.screen.is_narrow or is_enclosed(number) else exact_text(number, _LONGEST) or ""


def draw_numbers(
    output: Output,
    columns: Sequence[Column],
    items: Sequence[T],
    cells: Callable[[T, Write], Sequence[str]],
    styles: Sequence[str] = (),
) -> None:
    """Draw a table of numbers, a row per item, in as full a form as the terminal allows."""
    output.screen.table(columns, _written(output, columns, items, cells), styles)


def draw_next(
    output: Output, columns: Sequence[Column], item: T, cells: Callable[[T, Write], Sequence[str]], *, is_first: bool
) -> list[Column]:
    """Draw the next row of such a table at once; return the columns for the row after it, which are never narrower."""
    (row,) = _written(output, columns, [item], cells)
    columns = list(map(_widened, columns, row))
    output.screen.next_row(columns, row, is_first=is_first)
    return columns


def _widened(column: Column, cell: str) -> Column:
    """Widen the column for a cell, and by some more, so that this happens seldom."""
    width = max(len(column.title), len(cell))
    return column if column.fit or width <= column.least else replace(column, least=-(-width // _STEP) * _STEP)


def _written(
    output: Output, columns: Sequence[Column], items: Sequence[T], cells: Callable[[T, Write], Sequence[str]]
) -> list[Sequence[str]]:
    """Return the rows, with numbers in as full a form as the terminal allows."""
    ways: list[Write] = [output.number]
    if not (output.exact or output.interval or output.digits is not None):
        ways += [wording.approximate, lambda value: wording.approximate(value, _NARROW_DIGITS)]
    for way in ways:
        table = [cells(item, way) for item in items]
        if output.screen.fits(columns, table):
            break
    return table


def _glyph(options: list[es.Option], option: es.Option) -> str:
    """Return ▲ for best, ● for as good as the best, ▼ for worse; nothing where that is not proven."""
    if not option.best:
        return "" if option.best is None else "▼"
    return "▲" if is_only_best(option, options) else "●"


def _style(option: es.Option) -> str:
    return BEST if option.best else "" if option.best is None else WORSE


# ---------------------------------------------------------------------- facts


def draw_facts(output: Output, facts: Mapping[str, Any]) -> None:
    """Draw named facts beside the values."""
    if facts:
        output.screen.line()
        output.screen.pairs(
            (name.replace("_", " "), wording.fact_text(fact, output.number)) for name, fact in facts.items()
        )


_BAR = 20
_LONGEST = 24
"""Longer fractions are left out, as their decimals are shown anyway."""
_TABLE = 60
"""Columns of a terminal that the rest of the table needs."""


def draw_seen(output: Output, seen: es.SeenPosition, names: Sequence[str]) -> None:
    """Draw the possible states of what a player cannot see, and the player's moves."""
    screen = output.screen
    if seen.posterior:
        screen.line()
        rows = [(f"{each.player} sees {each.sees}", wording.case_text(each.probability)) for each in seen.posterior]
        screen.table([Column(fit="wrap"), Column()], rows)
    screen.line()
    if seen.value is not None:
        screen.line(f"Worth: {wording.listed_shares(names, seen.value, output.number)}.", STRONG)
        screen.line()
    draw_mixture(output, seen.options, names, seen.ranges or {})
    screen.apart(wording.seen_note(seen), DIM)
    if seen.ranges is not None and not seen.ranges:
        screen.line("No optimal plan leads here, so there are no ranges.", DIM)


def _exactly(output: Output, chance: Fraction) -> str:
    """Write a chance exactly if that is short, else in percent."""
    return next(filter(None, chance_cells(output, chance)))


def draw_mixture(
    output: Output,
    options: Sequence[es.Option],
    names: Sequence[str],
    ranges: Mapping[str, tuple[Fraction, Fraction]] = MappingProxyType({}),
) -> None:
    """Draw a table of moves with their chances and, where known, their values and what each gives away."""
    room = max(5, min(_BAR, output.screen.width - _TABLE))
    has_values = all(option.value for option in options)
    judged = any(option.regret is not None for option in options)
    columns = [Column("move"), Column("", "right"), Column("chance", "right"), Column()]
    columns += [*map(Column, names)] * has_values + [Column("regret")] * judged
    columns += [Column("in all plans")] * bool(ranges)

    def cells(option: es.Option, write: Write) -> Sequence[str]:
        bar = "█" * round(room * (option.probability or 0))
        plans = [" to ".join(_exactly(output, end) for end in ranges[option.text])] if ranges else []
        amounts = _amounts(option, write)[: None if judged else -1]
        return [option.text, *chance_cells(output, option.probability), bar, *amounts, *plans]

    draw_numbers(output, columns, options, cells, [BEST if option.probability else "" for option in options])
