"""Answers as plain documents: the JSON of the command line, the web page and files.

Every number that is a value, a chance or a fact is `{"exact", "approx"}`; ranks,
distances, faces, counts and thresholds of rewards are whole numbers. The schemas are
in the package's data, as `schemas/*.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import endsight as es
from endsight.base.collector import collector_paused
from endsight.errors import Ends, EndsightError, Stopped
from endsight.game import Game
from endsight.game.numbers import (
    Amount,
    Number,
    amounts_document,
    are_exact,
    is_enclosed,
    number_document,
    simplest,
)
from endsight.game.position import Position, as_text
from endsight.game.question import Question, rule_name
from endsight.game.results import endless_share
from endsight.game.titles import LONGEST_LIST, digest

if TYPE_CHECKING:
    from endsight.answers.explanation import Fairness, Sample


@collector_paused()
def position_document(
    solution: es.Solution, position: Position | None = None, *, moves: bool = True, interval: bool = False
) -> dict[str, Any]:
    """Return `endsight.position/1`: the value of a position and, with `moves`, every move."""
    position = solution.asked(position)
    solution = solution.at(position)
    options = solution.options(position) if moves else None
    values = solution.values(position)
    entries = _unknown(position, _status(values)) | {"category": solution.category(position)}
    entries["distance"] = solution.distance(position) if moves else solution.known_distance(position)
    entries |= _amounts(position, values)
    if interval:
        entries |= {end: entries[end] or entries["value"] for end in ("lower", "upper")}
    entries["facts"] = _facts(solution, position, moves=moves)
    if options is not None:
        entries["moves"] = [_option_document(position, option) for option in options]
    return _solved("position", solution, position, entries)


@collector_paused()
def seen_document(solution: es.Solution, seen: es.SeenPosition) -> dict[str, Any]:
    """Return `endsight.position/1` as one player sees it: `sees`, `reached`, `posterior`, and moves with chances.

    `value` is the one against the other's plan; it is null (with status `unknown`) where that plan never leads here.
    """
    position, value = seen.position, seen.value
    entries = _unknown(position, "unknown" if value is None else _status(value))
    entries["so_far"] = _per_player(position.game, (0,) * len(position.so_far))
    entries |= {} if value is None else _amounts(position, value)
    entries |= {"as": seen.player, "sees": seen.sees, "reached": seen.reached}
    entries |= {"reach": number_document(seen.reach), "told": seen.told}
    entries["posterior"] = [vars(each) | {"probability": number_document(each.probability)} for each in seen.posterior]
    entries["facts"] = _facts(solution, position, moves=False)
    entries["moves"] = [_option_document(position, option) | _range_entry(seen, option) for option in seen.options]
    return _solved("position", solution, position, entries)


def _range_entry(seen: es.SeenPosition, option: es.Option) -> dict[str, Any]:
    """Return the range of a move's chance over all optimal plans, if requested; null where no such plan leads here."""
    if seen.ranges is None:
        return {}
    return {"range": _ends(*seen.ranges[option.text]) if seen.ranges else None}


@collector_paused()
def exploit_document(replies: es.Exploit, *, seconds: float) -> dict[str, Any]:
    """Return `endsight.exploit/1`: what each policy gives away, and the best reply that takes it."""
    document = _head("exploit", replies.position, replies.question)
    document["policies"] = [
        {"player": each.player, "policy": rule_name(each.policy), "against": each.against}
        | {name: amount_document(getattr(each, name)) for name in ("value", "brings", "gives_away")}
        | {"replier": each.replier, "reply": [{"sees": one.sees, "move": one.move} for one in each.reply]}
        for each in replies.players
    ]
    document["largest"] = amount_document(replies.largest)
    return document | {"method": _method_entry("best replies", replies.states, seconds, replies.solved)}


def policy_entries(loss: es.PolicyLoss, position: Position) -> dict[str, Any]:
    """Return what `analyze --policy` adds to `endsight.position/1`: `policy`, `loss` and `worst_position`."""
    return {
        "policy": {"player": loss.player, "name": rule_name(loss.policy), **_amounts(position, loss.value)},
        "loss": amount_document(loss.loss),
        "worst_position": _worst_position(loss.worst, position.game),
    }


def _worst_position(worst: es.WorstPosition | None, game: Game) -> dict[str, Any] | None:
    if worst is None:
        return None
    return {
        "position": worst.position.text,
        "state": as_text(game, "show", worst.position.state),
        "move": worst.move,
        "best": list(worst.best),
        "regret": amount_document(worst.regret),
    }


@collector_paused()
def rules_document(solution: es.Solution, rules: Iterable[es.ShortRule], position: Position) -> dict[str, Any]:
    """Return `endsight.table/1` of short rules: each rule in words, its player's value, and what it gives away."""
    rows = [
        {
            "player": rule.price.player,
            "rule": rule.rule,
            "value": amount_document(rule.price.value[position.game.player_names.index(rule.price.player)]),
            "loss": amount_document(rule.price.loss),
            "worst_position": _worst_position(rule.price.worst, position.game),
            "tried": rule.tried,
        }
        for rule in rules
    ]
    return _solved("table", solution, position, {"rows": rows})


def stopped_document(
    position: Position, question: Question, stop: Stopped, *, method: str, seconds: float, moves: bool
) -> dict[str, Any]:
    """Return `endsight.position/1` where a limit or Ctrl-C stopped the work: what was proven by then.

    `unproven_line` is the best line so far. With `moves`, the document lists those with
    proven bounds.
    """
    document = _head("position", position, question)
    status = "exact" if stop.is_settled else "unknown" if stop.lower is None else "enclosed"
    document |= _unknown(position, status)
    if stop.lower is not None and stop.upper is not None:
        document |= _proven_ends(stop.lower, stop.upper)
    document |= {"unproven_line": stop.line, "facts": {}}
    if moves:
        unknown = {"regret": None, "rank": None, "best": None, "category": "value", "distance": None}
        document["moves"] = [{"move": move, **_proven_ends(*ends), **unknown} for move, ends in stop.moves.items()]
    document["method"] = _method_entry(method, stop.states, seconds)
    document["method"] |= {"engine": stop.engine, "refused": stop.refused}
    return document


def _unknown(position: Position, status: str) -> dict[str, Any]:
    """Return the entries on the value of a position as they are where nothing is known yet."""
    entries: dict[str, Any] = {"status": status, "value": None, "so_far": _per_player(position.game, position.so_far)}
    return entries | {"category": "value", "distance": None, "lower": None, "upper": None}


def _proven_ends(lower: Ends, upper: Ends) -> dict[str, Any]:
    """Return `value` if both ends are known and equal, else `lower` and `upper`, null for a player without that end."""
    ends = [
        {name: None if end is None else number_document(simplest(end)) for name, end in side.items()}
        for side in (lower, upper)
    ]
    is_exact = lower == upper and None not in lower.values()
    return {"value": ends[0]} if is_exact else {"value": None, "lower": ends[0], "upper": ends[1]}


def line_document(solution: es.Solution, position: Position | None = None) -> dict[str, Any]:
    """Return `endsight.line/1`: one line of best play, with the player of each move.

    `back_to` is null, except for a line that repeats for ever: then it is the number of its moves that lead to the
    position to which the line returns at its end.
    """
    position = solution.asked(position)
    steps = list(solution.steps(position))
    moves = [{"player": step.player, "move": step.move} for step in steps]
    line = {"moves": moves, "back_to": steps[-1].back_to if steps else None}
    return _solved("line", solution, position, line | _amounts(position, solution.values(position)))


@collector_paused()
def table_document(solution: es.Solution, rows: Iterable[Mapping[str, Any]], position: Position) -> dict[str, Any]:
    """Return `endsight.table/1`: the policy as rows (see `endsight.answers.explanation.table_rows`)."""
    plain = [{key: _plain(value) for key, value in row.items()} for row in rows]
    return _solved("table", solution, position, {"rows": plain})


@collector_paused()
def distribution_document(
    solution: es.Solution,
    distribution: es.Distribution,
    position: Position,
    *,
    facts_only: bool = False,
    **running: bool,
) -> dict[str, Any]:
    """Return `endsight.distribution/1`: the payoffs of one player with their chances, and facts.

    `at_least=True` and `at_most=True` add the chances of at least and of at most as much.
    """
    entries: dict[str, Any] = {"player": distribution.player}
    if not facts_only:
        entries["outcomes"] = [{"payoff": str(payoff), **row} for payoff, row in _with_chances(distribution, running)]
    entries["expected_plies"] = _known(distribution.expected_plies)
    entries |= {name: number_document(value) for name, value in distribution.facts.items()}
    return _solved("distribution", solution, position, entries)


def review_document(review: es.Review) -> dict[str, Any]:
    """Return `endsight.review/1`: every player's start + luck - mistakes + gifts = final, step by step."""
    position = review.solution.position
    entries: dict[str, Any] = {"finished": review.finished, "reached": review.position.text}
    entries["start"] = _per_player(position.game, review.start)
    entries |= _booked(review.parts, position, review)
    entries |= {"final": _per_player(position.game, review.final), "notion": review.solution.notion}
    entries["steps"] = [
        {"player": step.player, "move": step.move, "best": None if step.best is None else list(step.best)}
        | _at_once(position, step)
        | {"value": _per_player(position.game, step.value), **_booked(review.parts, position, step)}
        for step in review.steps
    ]
    return _solved("review", review.solution, position, entries)


def _at_once(position: Position, step: es.ReviewStep) -> dict[str, Any]:
    """Return the chance of moves made at once, and each mover's own parts that give nothing away."""
    if step.probability is None or step.parts is None:
        return {}
    parts = {position.game.player_names[mover]: list(own) for mover, own in step.parts.items()}
    return {"probability": number_document(step.probability), "parts": parts}


def _booked(parts: Iterable[str], position: Position, booked: es.Review | es.ReviewStep) -> dict[str, Any]:
    """Return the effects of chance, of the player's own choices and of the others', and of the unseen, if any."""
    return {part: _per_player(position.game, getattr(booked, part)) for part in parts}


@collector_paused()
def length_document(
    solution: es.Solution,
    lengths: es.LengthDistribution,
    position: Position,
    *,
    facts_only: bool = False,
    **running: bool,
) -> dict[str, Any]:
    """Return `endsight.length/1`: how many more moves players make, with chances as in `distribution_document`."""
    entries: dict[str, Any] = {}
    if not facts_only:
        entries["lengths"] = [{"plies": plies, **row} for plies, row in _with_chances(lengths, running)]
    entries |= {"longer": number_document(lengths.longer), "endless": number_document(lengths.endless)}
    return _solved("length", solution, position, entries | {"expected_plies": _known(lengths.mean)})


@collector_paused()
def simulation_document(
    simulation: es.Simulation, position: Position, question: Question, *, seconds: float
) -> dict[str, Any]:
    """Return `endsight.simulation/1`: a sample of games, and what it proves."""
    document = _head("simulation", position, question)
    document |= {"player": simulation.player, "games": simulation.games, "seed": simulation.seed}
    document["outcomes"] = [
        {"payoff": str(amount), "count": count, "chance": amount_document(simulation.chances[amount])}
        for amount, count in simulation.counts.items()
    ]
    document["mean"] = number_document(simulation.mean)
    document["confidence"] = number_document(simulation.confidence)
    document["interval"] = _known(simulation.interval)
    document["between"] = None if simulation.between is None else _ends(*simulation.between)
    document["value"] = _known(simulation.value)
    document["mean_plies"] = number_document(simulation.mean_plies)
    return document | {"method": _method_entry("simulation", simulation.states, seconds, simulation.solved)}


def sweep_document(game: Game, question: Question, parameter: str, samples: Iterable[Sample]) -> dict[str, Any]:
    """Return `endsight.sweep/1`: the value at the start against one parameter."""
    rows = [sweep_row(parameter, sample) for sample in samples]
    return game_head("sweep", game, question) | {"vary": parameter, "rows": rows}


def fair_document(solution: es.Solution, fair: Fairness, position: Position) -> dict[str, Any]:
    """Return `endsight.fair/1`: how even the game is under the chosen play."""
    measures = ("seat_advantage", "win", "draw", "lose", "length", "forced", "costless")
    entries: dict[str, Any] = {"value": {name: amount_document(value) for name, value in fair.values.items()}}
    return _solved("fair", solution, position, entries | {name: _known(getattr(fair, name)) for name in measures})


def report_document(report: es.Report) -> dict[str, Any]:
    """Return `endsight.report/1`: the verdict, sections with sentences and numbers, and the other version beside it."""
    document = _named("report", report.game) | {
        "players": list(report.game.player_names),
        "verdict": report.verdict,
        "sections": [
            vars(section) | {"figures": {name: amount_document(number) for name, number in section.figures.items()}}
            for section in report.sections
        ],
        "left_out": [{"title": title, "reason": reason} for title, reason in report.left_out.items()],
        "notion": report.notion,
    }
    return document if report.against is None else document | {"against": report_document(report.against)}


def error_document(error: EndsightError) -> dict[str, Any]:
    """Return `endsight.error/1`: an error, for batches."""
    parts = ("exit_code", "message", "found", "allowed", "advice")
    head = {"schema": "endsight.error/1", "error": type(error).__name__}
    return head | {part: getattr(error, part) for part in parts}


def parameters_document(game: Game) -> dict[str, Any]:
    """Return the parameters as JSON; long lists as `{"count", "sha256"}` of their JSON text without blanks."""
    return {key: parameter_document(value) for key, value in game.values().items()}


def parameter_document(value: Any) -> Any:
    """Return a parameter's value in a form that JSON can hold."""
    if isinstance(value, tuple):
        return digest(value) if len(value) > LONGEST_LIST else [parameter_document(item) for item in value]
    return number_document(value) if isinstance(value, Fraction) else value


def game_head(kind: str, game: Game, question: Question) -> dict[str, Any]:
    """Return the first entries of a document about a game as a whole."""
    return _named(kind, game) | _asked(game, question)


def _named(kind: str, game: Game) -> dict[str, Any]:
    return {"schema": f"endsight.{kind}/1", "game": game.title(), "params": parameters_document(game)}


def _asked(game: Game, question: Question, to_move: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    goals = {"objective": question.objective, "utility": question.utility}
    return {"players": list(game.player_names), **to_move, **goals}


def _head(kind: str, position: Position, question: Question) -> dict[str, Any]:
    """Return the first entries of a document about a position."""
    game = position.game
    set_up = {} if position.set_up is None else {"set_up": position.set_up}
    document = _named(kind, game) | {"position": position.text} | set_up
    document |= _asked(game, question, {"to_move": position.to_move})
    if question.fixed:
        document["fixed"] = {game.player_names[player]: rule_name(rule) for player, rule in question.fixed.items()}
    return document


def _solved(kind: str, solution: es.Solution, position: Position, entries: dict[str, Any]) -> dict[str, Any]:
    """Return a document about a position: its head, these entries, and the method."""
    return _head(kind, position, solution.question) | entries | {"method": _method(solution)}


def _per_player(game: Game, values: Iterable[Number]) -> dict[str, Any]:
    return {name: number_document(value) for name, value in zip(game.player_names, values, strict=True)}


def _status(values: Iterable[Amount]) -> str:
    return "exact" if are_exact(values) else "enclosed"


def _amounts(position: Position, values: tuple[Amount, ...]) -> dict[str, Any]:
    return amounts_document(dict(zip(position.game.player_names, values, strict=True)))


def amount_document(value: Amount) -> dict[str, Any]:
    """Return a number, or `lower` and `upper` where it is only enclosed."""
    return _ends(value.lower, value.upper) if is_enclosed(value) else number_document(value)


def _known(value: Amount | None) -> dict[str, Any] | None:
    """Return the amount, or null if unknown."""
    return None if value is None else amount_document(value)


def _ends(lower: Number, upper: Number) -> dict[str, Any]:
    return {"lower": number_document(simplest(lower)), "upper": number_document(simplest(upper))}


def endless_document(game: Game) -> dict[str, Any]:
    """Return each player's payoff for play that never ends."""
    return _per_player(game, endless_share(game))


def _facts(solution: es.Solution, position: Position, *, moves: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if moves:
        facts = {name: _plain(fact, integers=True) for name, fact in solution.facts(position).items()}
    if solution.notion is not None:
        facts["notion"] = solution.notion
    if solution.game.rests_on:
        facts["rests_on"] = solution.game.rests_on
    if solution.game.gives("endless"):
        facts["endless"] = endless_document(solution.game)
    if solution.game.discount != 1:
        facts["discount"] = number_document(solution.game.discount)
    return facts


def _option_document(position: Position, option: es.Option) -> dict[str, Any]:
    document: dict[str, Any] = {"move": option.text}
    if option.probability is not None:
        document["probability"] = number_document(option.probability)
    document |= _amounts(position, option.value) if option.value else {"value": None}
    document["regret"] = _known(option.regret)
    document |= {"rank": option.rank, "best": option.best}
    document |= {"category": option.category, "distance": option.distance}
    return document


def _with_chances(
    distribution: es.Distribution | es.LengthDistribution, running: Mapping[str, bool]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield every payoff or length with its chance, and with the chances of at least or at most as much."""
    chances: Mapping[Any, Amount] = distribution
    columns = {"probability": chances} | {
        name: getattr(distribution, name)() for name, given in running.items() if given
    }
    for each in chances:
        yield each, {name: amount_document(column[each]) for name, column in columns.items()}


def sweep_row(parameter: str, sample: Sample) -> dict[str, Any]:
    """Return one row of `sweep_document`."""
    solution = sample.solution
    row: dict[str, Any] = {parameter: parameter_document(sample.setting), "status": "unknown"}
    if solution is None:
        return row | {"value": None, "message": sample.message}
    values = solution.values()
    row["status"] = _status(values)
    return row | _amounts(solution.position, values) | {"method": _method(solution)}


def _plain(value: Any, *, integers: bool = False) -> Any:
    """Turn data with exact numbers into JSON; whole numbers stay plain unless `integers` is true."""
    if isinstance(value, Fraction) or (integers and isinstance(value, int) and not isinstance(value, bool)):
        return number_document(value)
    if is_enclosed(value):
        return amount_document(value)
    if isinstance(value, dict | Mapping):
        return {str(key): _plain(item, integers=integers) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, integers=integers) for item in value]
    return value


def _method(solution: es.Solution) -> dict[str, Any]:
    reason = None if solution.plan is None else solution.plan.reason
    entry = _method_entry(solution.method, solution.states, solution.seconds, solution)
    return entry | {"reason": reason, "theorem": solution.theorem}


def _method_entry(name: str, states: int, seconds: float, ran: es.Solution | None = None) -> dict[str, Any]:
    """Return how an answer was found, and what ran the rules in the solution for it, if any."""
    source = None if ran is None else ran.source
    return {
        "name": name,
        "reason": None,
        "theorem": None,
        "states": states,
        "seconds": round(seconds, 6),
        "version": es.__version__,
        "engine": "plain" if source is None else source.engine,
        "refused": None if source is None else source.refusal,
        "audited": 0 if source is None else source.audited,
    }
