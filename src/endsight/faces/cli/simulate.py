"""`endsight simulate`: games played at random by given policies."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import endsight as es
from endsight.errors import UsageError
from endsight.faces.answer_rows import simulation_rows, simulation_titles
from endsight.faces.cli.columns import DIM, STRONG, Column
from endsight.faces.cli.command import asking, command, option, single, stored_option, takes, whole
from endsight.faces.cli.render import MOST_ROWS, draw_engine, draw_facts, row_limit, seconds_text
from endsight.faces.cli.request import Request
from endsight.faces.documents import simulation_document
from endsight.faces.wording import interval_text, percent
from endsight.game.numbers import Number, count_text

_NO_INTERVAL = "No bounds on the payoff of a game are known, so the mean has no interval: --between LOW..HIGH"
_NUMBER = r"-?\d{1,18}(?:/[1-9]\d{0,17}|\.\d{1,18})?"
_BETWEEN = re.compile(rf"({_NUMBER})\.\.({_NUMBER})", re.ASCII)
_CONFIDENCE = re.compile(r"0?\.\d{1,18}|\d{1,18}/[1-9]\d{0,17}", re.ASCII)


@command(
    "endsight simulate pig --fix first=hold20 --fix second=hold20 --games 1000 --utility win",
    "endsight simulate repeatbust --fix player=myopic --seed 7",
    "endsight simulate connectfour --fix first=random --fix second=random --games 500 --between=-1..1",
)
@takes(
    asking,
    stored_option,
    option("--games", "N", "How many games (default 10 000).", whole(), default=10_000),
    option("--seed", "S", "The same seed plays the same games (default 0).", whole(), default=0),
    single("--player", "NAME", "Whose payoff (default the first player's)."),
    option("--confidence", "P", "Confidence of the interval (default 0.95).", default="0.95"),
    option("--between", "LOW..HIGH", "Bounds on the payoff of a game, if you know them."),
)
def simulate(request: Request, confidence: str, between: str | None, **sampled: Any) -> None:
    """Play games at random: a sample mean with a proven interval.

    Players without --fix follow best play, so the game is solved first. If all players are
    fixed, nothing needs to be solved, and games of any size can be sampled. The interval
    is Hoeffding's: it holds for every number of games, without a normal approximation.
    It needs bounds on the payoff of a game: they are known with --utility win and for
    games small enough to explore; otherwise give them with --between.
    """
    position = request.starting_position()
    game = position.game
    with request.working(game) as progress:
        sampled |= {"confidence": _confidence(confidence), "between": None if between is None else _ends(between)}
        solution = None if request.stored is None else request.solve(game, position, progress=progress)
        simulation = es.simulate(game, position, solution=solution, **sampled, **request.options(game, progress))
    question, seconds = request.question(), request.elapsed
    document = simulation_document(simulation, position, question, seconds=seconds)
    columns = ("player", "games", "seed", "mean", "interval", "value")
    request.output.answer(document, lambda: _show(request, simulation, seconds), columns=columns)


def _confidence(text: str) -> Fraction:
    if not _CONFIDENCE.fullmatch(text.strip()):
        raise UsageError(f"--confidence {text[:40]!r} does not lie between 0 and 1", allowed="0.95, 0.99 or the like")
    return Fraction(text.strip())


def _ends(text: str) -> tuple[Number, Number]:
    match = _BETWEEN.fullmatch(text.strip())
    if not match:
        raise UsageError(f"--between {text[:40]!r} is not a range", allowed="LOW..HIGH, such as --between=-1..1")
    return Fraction(match[1]), Fraction(match[2])


def _show(request: Request, simulation: es.Simulation, seconds: float) -> None:
    output, screen = request.output, request.output.screen
    plays = [text.replace("=", " plays ", 1) for text in request.fix]
    screen.title(request.loaded.title, "".join(f" · {text}" for text in plays or ["best play"]))
    screen.line()
    found, sure = simulation.interval, percent(simulation.confidence)
    ends = "" if found is None else f"; {sure} sure: {interval_text(found, 6)}"
    screen.line(f"{simulation.player} gets {output.number(simulation.mean)} on average{ends}.", STRONG)
    if found is None:
        screen.line(_NO_INTERVAL, DIM)
    screen.line()
    rows = simulation_rows(simulation, output.number, MOST_ROWS)
    screen.table([Column(title, "right") for title in simulation_titles(simulation)], rows)
    row_limit(output, len(rows), len(simulation.counts), "outcome")
    value = {} if simulation.value is None else {"value": simulation.value}
    draw_facts(output, {**value, "mean_plies": simulation.mean_plies})
    screen.line()
    draw_engine(output, simulation.solved)
    games = count_text(simulation.games, "game")
    screen.line(f"{games} · seed {simulation.seed} · Hoeffding's inequality · {seconds_text(seconds)}", DIM)
