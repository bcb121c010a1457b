"""The content of the pages on fairness and experiments: evenness, sweeps, samples, sizes, and losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from endsight.answers.explanation import fairness, sweep
from endsight.answers.policy_pricing import policy_loss
from endsight.answers.simulation import simulate
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.cost.estimate import estimate
from endsight.errors import QuestionError
from endsight.faces import answer_rows
from endsight.faces.advice.readings import names_of, percent_words
from endsight.faces.web.views import View, method_text, number_view
from endsight.faces.wording import capital, interval_text, percent
from endsight.game.numbers import Amount, as_interval, count_text, simplest
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Question, policies_of, rule_name
from endsight.naming.specification import settings

MOST_SETTINGS = 40
MOST_GAMES = 100_000
_USUAL_GAMES = 1_000
MOST_ROWS = 200


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
        "headline": _evenness(names, found.win, found.lose),
        "rows": [{"name": title, "text": text, "exact": number_view(value)} for title, value, text in rows],
        "endless": found.length is None,
        "method": method_text(solution),
    }


def _evenness(names: Sequence[str], win: Amount | None, lose: Amount | None) -> str:
    """Say whom the seats favour; "" for one player."""
    if win is None or lose is None:
        return "One player: there is no seat to favour."
    if win == lose:
        return f"The seats are even: {names[0]} wins as often as the other players."
    is_ahead = as_interval(win).middle > as_interval(lose).middle
    ahead = names[0] if is_ahead else names[1] if len(names) == 2 else "somebody else"
    return f"With best play {ahead} is favoured: {names[0]} wins {percent_words(win)} and loses {percent_words(lose)}."


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
        "rows": answer_rows.simulation_rows(found, _number_text, MOST_ROWS),
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
    question = Question(options["objective"], options["utility"], options["fixed"])
    question.check(game)
    found = estimate(game, trial.position, question, limits=options["limits"])
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
