"""The content of a game's further pages: policy, distribution, report, review and proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import islice
from operator import add

from endsight.answers.explanation import table_rows, telling_columns
from endsight.answers.reviewing import Review, ReviewStep, review
from endsight.answers.solution import Solution
from endsight.charts import Chart, distribution, history
from endsight.charts.naming import where
from endsight.charts.policy_shapes import drawn_by
from endsight.errors import Wrong
from endsight.faces.advice.moves import moves_of
from endsight.faces.advice.readings import heading, percent_words
from endsight.faces.web.views import View, board_html, chance_view, course_view, method_text, number_view
from endsight.faces.wording import cell_text, fact_text, percent
from endsight.game import Game
from endsight.game.limits import Budget, Limits
from endsight.game.numbers import as_interval, simplest
from endsight.game.position import Position
from endsight.games import is_built_in
from endsight.graph.reachable import reachable
from endsight.proof.claim_text import describe
from endsight.verifier import Certificate, verify

MOST_ROWS = 500
_WIDE_SCREEN, _NARROW_SCREEN = 1100, 340
"""Widths of charts in units, for wide and narrow screens."""
MOST_SIGNS = 300_000
"""Charts with more characters are left to `endsight plot`."""


def _chart(drawn: Chart) -> View | None:
    """Return the chart as SVG with its title; None where it is too long for a page."""
    wide, narrow = (drawn.svg(width, paper=False) for width in (_WIDE_SCREEN, _NARROW_SCREEN))
    return {"wide": wide, "narrow": narrow, "title": drawn.title} if len(wide) <= MOST_SIGNS else None


# ---------------------------------------------------------------------- policy and distribution


def table_view(solution: Solution, position: Position) -> View:
    """Return the policy as rows of texts under column names, and as a chart if it has a shape."""
    table = table_rows(solution, position)
    keys, rows = telling_columns(table)
    draw = None if solution.game.gives("sees") else drawn_by(table)
    return {
        "columns": [key.replace("_", " ") for key in keys],
        "rows": [[cell_text(row.get(key)) for key in keys] for row in rows[:MOST_ROWS]],
        "more": max(0, len(rows) - MOST_ROWS),
        "chart": None if draw is None else _chart(draw(where(position), table)),
        "method": method_text(solution),
    }


def distribution_view(solution: Solution, position: Position, player: str | None) -> View:
    """Return the payoffs of a player with their chances, also for at least and at most as much."""
    found = solution.distribution(player, position)
    above, below = found.at_least(), found.at_most()
    shown = list(found.outcomes.items())[:MOST_ROWS]
    sizes = [as_interval(chance).middle for _, chance in shown]
    top = max(sizes, default=Fraction(1)) or Fraction(1)
    facts = {"mean": found.mean(), "expected plies": found.expected_plies, **found.facts}
    return {
        "players": list(solution.game.player_names),
        "player": found.player,
        "rows": [
            {
                "payoff": number_view(payoff),
                "chance": chance_view(chance),
                "at_least": percent(above[payoff]),
                "at_most": percent(below[payoff]),
                "share": float(size / top),
            }
            for (payoff, chance), size in zip(shown, sizes, strict=True)
        ],
        "more": max(0, len(found) - MOST_ROWS),
        "chart": _chart(distribution(solution, position, player=player)),
        "facts": [{"name": name.replace("_", " "), "text": fact_text(fact)} for name, fact in facts.items()],
        "method": method_text(solution),
    }


# ---------------------------------------------------------------------- review


def review_view(solution: Solution, position: Position, here: int | None = None) -> View:
    """Return the game so far, split exactly into start, luck and mistakes; and the board after `here` moves."""
    reviewed = review(solution, position)
    moves = position.history[len(solution.position.history) :]
    course = course_view([solution], solution.position, moves)
    shown = solution.position.along(moves[:here])[-1]
    names = solution.game.player_names
    return {
        "players": list(names),
        "finished": reviewed.finished,
        "steps": list(_steps(reviewed)),
        "sums": [
            {
                "player": name,
                **{part: number_view(getattr(reviewed, part)[number]) for part in ("start", "mistakes", "gifts")},
                "luck": number_view(simplest(reviewed.luck[number] + reviewed.hidden[number])),
                "final": number_view(reviewed.final[number]),
            }
            for number, name in enumerate(names)
        ],
        "board": board_html(shown, {}),
        "course": course,
        "chart": _chart(history(reviewed)) if course is None else None,
        "accuracy": [
            row for number, name in enumerate(names) if (row := _accuracy(reviewed, number, name)) is not None
        ],
        "method": method_text(solution),
    }


def _accuracy(reviewed: Review, number: int, name: str) -> View | None:
    """Return the share of a player's decisions that gave nothing away; None without decisions."""
    own = [step for step in reviewed.steps if _decides(step, number, name)]
    if not own:
        return None
    right = sum(not step.mistakes[number] for step in own)
    share = Fraction(right, len(own))
    return {"player": name, "share": float(share), "text": percent_words(share), "right": right, "of": len(own)}


def _decides(step: ReviewStep, number: int, name: str) -> bool:
    """Return whether that player had a choice at a step."""
    return number in step.parts if step.parts else step.player == name and step.best is not None


def _steps(reviewed: Review) -> Iterable[View]:
    names = reviewed.solution.game.player_names
    for number, step in enumerate(reviewed.steps, start=1):
        movers = step.parts or [place for place, name in enumerate(names) if name == step.player]
        luck = tuple(map(add, step.luck, step.hidden))
        yield {
            "number": number,
            "player": step.player,
            "move": step.move,
            "is_mistake": step.is_mistake,
            "is_drawn": step.best is None,
            "given": [number_view(step.mistakes[mover]) for mover in movers],
            "luck": [number_view(share) for share in luck] if any(luck) else None,
            "better": reviewed.better(step),
            "values": [number_view(value) for value in step.value],
        }


# ---------------------------------------------------------------------- proof


def proof_view(game: Game, text: str) -> View:
    """Return the claim of a certificate, and whether the checker accepts it."""
    certificate = Certificate.from_text(text)
    rules = None if is_built_in(game) else type(game)
    try:
        lines, reason = list(verify(certificate, rules).checked), None
    except Wrong as error:
        lines, reason = [], str(error)
    return {
        "claim": describe(certificate),
        "lines": lines,
        "reason": reason,
        "size": len(text.encode()),
    }


MOST_REPLIES = 60
"""The most moves in a column."""
MOST_COUNTED = 500
"""The most positions counted after a move."""
_MOST_COUNTS = 12
"""Positions are counted only after columns of at most this many moves."""


def explorer_view(solution: Solution, position: Position, here: int | None = None) -> View:
    """Return columns from the start of the solution to the position after `here` moves, and its board."""
    moves = position.history[len(solution.position.history) :]
    places = solution.position.along(moves[:here])
    columns = [_column(solution, place, moves[number : number + 1]) for number, place in enumerate(places)]
    return {
        "columns": columns,
        "over": places[-1].is_over,
        "counts": _counts(places[-1]),
        "most": MOST_COUNTED,
        "board": board_html(places[-1], {}),
        "method": method_text(solution),
    }


def _column(solution: Solution, place: Position, chosen: Sequence[str]) -> View:
    reading, rows = moves_of(solution, place)
    return {
        "mover": place.to_move or "",
        "heading": heading(reading) if rows else "",
        "more": max(0, len(rows) - MOST_REPLIES),
        "rows": [{**asdict(row), "here": row.move in chosen} for row in rows[:MOST_REPLIES]],
    }


def _counts(place: Position) -> dict[str, View]:
    """For every move, return the number of replies and of positions that can follow, up to `MOST_COUNTED`."""
    options = list(place.moves())
    if len(options) > _MOST_COUNTS:
        return {}
    after = [place.play(move) for move in options]
    return {
        then.history[-1]: {"replies": sum(1 for _ in then.moves()), "positions": _following(then)} for then in after
    }


def _following(place: Position) -> int:
    """Count the different positions from there on, including itself, up to `MOST_COUNTED` + 1."""
    return sum(1 for _ in islice(reachable(place, Budget(Limits())), MOST_COUNTED + 1))
