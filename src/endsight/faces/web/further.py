"""The content of a game's further pages: policy, distribution, report, review, proof, fairness and experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from operator import add
from typing import Any

from endsight.answers.explanation import Fairness, fairness, sweep, table_rows, telling_columns
from endsight.answers.policy_pricing import policy_loss
from endsight.answers.reviewing import Review, ReviewStep, review
from endsight.answers.simulation import simulate
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.charts import Chart, distribution, history
from endsight.charts.naming import where
from endsight.charts.policy_shapes import shape_of
from endsight.cost.estimate import estimate
from endsight.errors import QuestionError, Wrong
from endsight.faces import answer_rows
from endsight.faces.advice.moves import moves_of
from endsight.faces.advice.readings import heading, names_of, percent_words
from endsight.faces.web.views import View, board_html, chance_view, course_view, number_view
from endsight.faces.wording import capital, cell_text, fact_text, interval_text, method_text, percent
from endsight.game import Game
from endsight.game.limits import Budget, Limits
from endsight.game.numbers import Amount, as_interval, count_text, simplest
from endsight.game.position import Position
from endsight.game.question import PolicyRule, policies_of, question_about, rule_name
from endsight.games import is_built_in
from endsight.graph.reachable import reachable
from endsight.naming.specification import settings
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
    draw = None if solution.game.gives("sees") else shape_of(table)
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


# ---------------------------------------------------------------------- explorer

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


# ---------------------------------------------------------------------- fairness and experiments

MOST_SETTINGS = 40
MOST_GAMES = 100_000
_USUAL_GAMES = 1_000
MOST_SAMPLES = 200


@dataclass(frozen=True)
class Trial:
    """An experiment: the position where it begins, the fields of its form, and the options of `endsight.solve`."""

    position: Position
    fields: Mapping[str, str]
    options: Mapping[str, Any]


def fair_view(solution: Solution, position: Position) -> View:
    """Return how even the game is, row by row below a plain sentence."""
    found = fairness(solution, position)
    names = names_of(solution)
    rows = answer_rows.fairness_rows(found, names[0], percent_words, _decimal)
    if found.seat_advantage is not None:
        rows.insert(0, ("seat advantage", found.seat_advantage, _decimal(found.seat_advantage)))
    return {
        "headline": _evenness(names, found),
        "rows": [{"name": title, "text": text, "exact": number_view(value)} for title, value, text in rows],
        "endless": found.length is None,
        "method": method_text(solution),
    }


def _evenness(names: Sequence[str], found: Fairness) -> str:
    """Say whom the seats favour."""
    win, lose, advantage = found.win, found.lose, found.seat_advantage
    if win is None or lose is None or advantage is None:
        return "One player: there is no seat to favour."
    shares = f"{names[0]} wins {percent_words(win)} and loses {percent_words(lose)}"
    if len(names) > 2:
        even = percent_words(Fraction(1, len(names)))
        return f"With best play {shares}; an even share of {count_text(len(names), 'player')} is {even}."
    if win == lose:
        is_even = f"The seats are even: {names[0]} wins as often as {names[1]}."
        return is_even if advantage == 0 else f"{names[0]} wins as often as {names[1]}, but their values differ."
    ahead = names[as_interval(win).middle < as_interval(lose).middle]
    return f"With best play {ahead} is favoured: {shares}."


def _decimal(value: Amount) -> str:
    return str(number_view(value)["decimal"])


# ---------------------------------------------------------------------- experiments


def forms_view(position: Position, fixed: Mapping[int, PolicyRule]) -> View:
    """Return the choices: whole-number parameters, players and policies, and how players usually play."""
    game = position.game
    numbers = [key for key, kind in game.parameters().items() if kind is int]
    return {
        "numbers": [{"name": key, "now": getattr(game, key)} for key in numbers],
        "usual": {name: rule_name(fixed.get(number, "best")) for number, name in enumerate(game.player_names)},
        "policies": list(policies_of(game)),
    }


def _sweep_view(trial: Trial) -> View:
    """Return the value against a parameter."""
    game, fields = trial.position.game, trial.fields
    low, high = (_count(fields.get(end, ""), 1, 10**6) for end in ("from", "to"))
    if not 0 <= high - low < MOST_SETTINGS:
        raise QuestionError(f"there is no such range: {low} to {high}", allowed=f"1 to {MOST_SETTINGS} settings")
    key, chosen = settings(game, f"{fields.get('vary', '')}={low}..{high}")
    names = [capital(name) for name in game.player_names]
    rows = [
        [str(sample.setting), *_sample_cells(sample.solution, sample.message, len(names))]
        for sample in sweep(game, key, chosen, partial(solve, **trial.options))
    ]
    heads = names if len(names) > 1 else ["Value"]
    return {"caption": f"The value at the start against {key}", "columns": [key, *heads], "rows": rows, "facts": []}


def _sample_cells(solution: Solution | None, message: str | None, players: int) -> list[str]:
    if solution is None:
        return [message or "", *[""] * (players - 1)]
    return [_number_text(value) for value in solution.values()]


def _number_text(value: Amount) -> str:
    found = number_view(simplest(value))
    exact, decimal = found["exact"], found["decimal"]
    return decimal if exact is None or exact == decimal else f"{exact} {decimal}"


def _simulate_view(trial: Trial) -> View:
    """Return a sample of games in which everybody plays as the form says."""
    position, fields = trial.position, trial.fields
    games = _count(fields.get("games", ""), _USUAL_GAMES, MOST_GAMES)
    options = {**trial.options, "fixed": {**trial.options["fixed"], **_fixed(position, fields)}}
    seed = _count(fields.get("seed", ""), 1, 10**6)
    found = simulate(position.game, position, games=games, seed=seed, **options)
    facts = [("Average", _number_text(found.mean)), ("Moves in a game", _number_text(found.mean_plies))]
    if found.interval is not None:
        facts.append((f"{percent(found.confidence)} confidence interval", interval_text(found.interval, 4)))
    if found.value is not None:
        facts.append(("Exact value", _number_text(found.value)))
    return {
        "caption": f"{count_text(found.games, 'game')}, at random",
        "columns": answer_rows.simulation_titles(found),
        "rows": answer_rows.simulation_rows(found, _number_text, MOST_SAMPLES),
        "facts": facts,
    }


def _fixed(position: Position, fields: Mapping[str, str]) -> dict[int, str]:
    """Return the policies of the form; players without one play as the question says."""
    names = enumerate(position.game.player_names)
    return {number: text for number, name in names if (text := fields.get(f"policy-{name}", ""))}


def _count(text: str, usual: int, most: int) -> int:
    if not text:
        return usual
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not 1 <= int(text) <= most:
        raise QuestionError(f"{text[:40]!r} is no number of that kind", allowed=f"1 to {most:,}")
    return int(text)


def _estimate_view(trial: Trial) -> View:
    """Return the size of the game from here on."""
    game, options = trial.position.game, trial.options
    found = estimate(game, trial.position, question_about(game, **options), limits=options["limits"])
    facts = answer_rows.estimate_rows(found)
    if found.theorem is not None:
        facts.append(("To solve it", f"none of this is needed: {found.theorem} solves it"))
    return {"caption": "Size of the game from here on", "columns": [], "rows": [], "facts": facts}


def _loss_view(trial: Trial) -> View:
    """Return what a policy gives away against best replies, and where it gives away most."""
    player, policy = (trial.fields.get(name, "") for name in ("subject", "policy"))
    found = policy_loss(trial.position.game, player or 0, policy, trial.position, **trial.options)
    facts = answer_rows.loss_rows(found, trial.position.game.player_names, _number_text)
    return {"caption": f"{capital(found.player)} plays {policy}", "columns": [], "rows": [], "facts": facts}


TRIALS: dict[str, Callable[[Trial], View]] = {
    "sweep": _sweep_view,
    "simulate": _simulate_view,
    "estimate": _estimate_view,
    "loss": _loss_view,
}
"""Name in an address -> the experiment."""
