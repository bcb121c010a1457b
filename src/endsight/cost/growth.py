"""The growing cost of a game: positions, edges, nodes and time, by parameter and method."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import linear_regression
from typing import Any, Literal, TypeAlias, get_args

from endsight.answers.searching import SEARCHES, search
from endsight.answers.solver import solve
from endsight.answers.source import Source
from endsight.compiler.refusal import CannotCompile
from endsight.engine.entry import solve_compiled
from endsight.errors import EndsightError, LimitReached, ParameterError, QuestionError, RulesError
from endsight.errors.complaints import require_parameter
from endsight.game import Game
from endsight.game.limits import Budget, Limits, Progress
from endsight.game.numbers import Number, are_exact, ends_of
from endsight.game.question import Question, require_all_seen
from endsight.graph.objective import View

Method: TypeAlias = Literal["minimax", "alphabeta", "table", "graph", "symmetry", "theorem", "compiled"]
METHODS: tuple[Method, ...] = ("minimax", "alphabeta", "table", "graph", "symmetry", "theorem")
"""Every line of play; alpha-beta; alpha-beta with a table; every position once; with symmetry; by theorem.

`compiled`, every position once by compiled rules, is not among them because each setting is compiled anew, which takes
seconds. Compiling is not counted.
"""

Quantity: TypeAlias = Literal["positions", "edges", "nodes", "seconds"]
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)

DEFAULT_LIMITS = Limits(seconds=10.0, states=1_000_000)
"""Default limits of every single measurement."""
_SHORTEST = 0.001
"""Shorter times, in seconds, show nothing about growth."""
_QUICK = 2.0
"""A first measurement longer than this, in seconds, contains little loading time."""
_FITTED = 5
"""A fit uses only this many last measurements, as the first ones of a game are not typical."""


@dataclass(frozen=True)
class Measurement:
    """One setting by one method; missing numbers are None, and `message` says why.

    positions  distinct states visited (canonical ones with symmetry); of a theorem, those it examined
    edges      moves at those positions; of searches, moves made
    nodes      all visits of the search, repeated ones included; else the positions
    seconds    computing time
    value      of the whole game at the start, per player
    """

    setting: Any
    method: Method
    status: Literal["exact", "stopped", "refused"]
    positions: int | None = None
    edges: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    value: dict[str, Number] | None = None
    message: str | None = None


@dataclass(frozen=True)
class Fit:
    """The growth of one quantity of a method, by least squares in logarithms.

    exponential  the factor from one setting to the next whole number
    polynomial   the power of the setting; None where settings are not all positive
    residuals    root mean square residuals of the natural logarithm, in that order
    better       the fit with the smaller residual
    count        number of measurements in the fit
    """

    method: Method
    quantity: Quantity
    exponential: float
    polynomial: float | None
    residuals: tuple[float, float | None]
    better: Literal["exponential", "polynomial"]
    count: int


def growth(
    game: Game,
    parameter: str,
    settings: Iterable[Any],
    methods: Sequence[Method] = METHODS,
    question: Question | None = None,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Iterator[Measurement]:
    """Measure `game` with `parameter` set to each of `settings`, by each of `methods`.

    `limits` hold for each measurement separately. A method that a limit has stopped is not tried on later settings.
    Raises `ParameterError` for an unknown parameter, `QuestionError` for an unknown method.
    """
    require_parameter(game, parameter)
    for method in methods:
        if method not in get_args(Method):
            raise QuestionError(f"growth has no method {method!r}", allowed=", ".join(get_args(Method)))
    require_all_seen(game, "a comparison of methods")
    run = _GrowthRun(question or Question(), limits or DEFAULT_LIMITS, progress)
    for setting in settings:
        try:
            grown = type(game)(**{**game.values(), parameter: setting})
        except ParameterError as error:
            for method in methods:
                yield Measurement(setting, method, "refused", message=error.message)
            continue
        for method in methods:
            yield run.measured(grown, setting, method)


class _GrowthRun:
    def __init__(self, question: Question, limits: Limits, progress: Progress | None) -> None:
        self.question = question
        self.limits = limits
        self.progress = progress
        self.stopped: dict[Method, Any] = {}
        self.warm: set[Method] = set()
        Budget().look(0, "warming up")  # imports at the first look should not count for the first row

    def measured(self, game: Game, setting: Any, method: Method) -> Measurement:
        """The measurement; repeated at a method's first use, which also loads what it needs."""
        is_first = method not in self.warm
        self.warm.add(method)
        row = self._measured(game, setting, method)
        is_quick = row.status == "exact" and row.seconds is not None and row.seconds < _QUICK
        return self._measured(game, setting, method) if is_first and is_quick else row

    def _measured(self, game: Game, setting: Any, method: Method) -> Measurement:
        if method in self.stopped:
            return Measurement(setting, method, "stopped", message=f"not tried: stopped at {self.stopped[method]}")
        started = time.process_time()
        try:
            if method == "compiled":
                # Compile unmeasured; a stop will recur.
                lent = {name: getattr(self.limits, name) for name in ("seconds", "memory", "states")}
                warm = Budget(self.limits, self.progress).within(**lent)
                warm.attempt(partial(self._by_compiled_rules, game, warm))
                started = time.process_time()
            positions, edges, nodes, value = self._counts(game, method)
        except LimitReached as error:
            self.stopped[method] = setting
            seconds = time.process_time() - started
            return Measurement(setting, method, "stopped", seconds=seconds, message=error.message)
        except RulesError:
            raise
        except EndsightError as error:
            return Measurement(setting, method, "refused", message=error.message)
        seconds = time.process_time() - started
        return Measurement(setting, method, "exact", positions, edges, nodes, seconds, value)

    def _counts(self, game: Game, method: Method) -> tuple[int, int | None, int, dict[str, Number]]:
        """Positions, edges, nodes and the start value."""
        self.question.check(game)
        source = self._source(game, method)
        values = source.value(game.position())
        if not are_exact(values):
            raise source.left_open("this needs exact values", advice="a smaller game")
        value = {name: end for name, (end, _) in zip(game.player_names, ends_of(values), strict=True)}
        if method in SEARCHES:
            nodes = source.facts(game.position())["nodes"]
            return source.states, nodes - 1, nodes, value
        return source.states, source.edges, source.states, value

    def _source(self, game: Game, method: Any) -> Source:
        """The solved game."""
        if method in SEARCHES:
            return search(self._view(game), game.position(), method, Budget(self.limits, self.progress))
        if method == "compiled":
            return self._by_compiled_rules(game, Budget(self.limits, self.progress))
        if method == "symmetry" and not game.gives("canonical"):
            raise QuestionError(f"the rules of {game.title()} name no symmetry")
        return solve(
            game,
            objective=self.question.objective,
            utility=self.question.utility,
            fixed=dict(self.question.fixed.items()),
            method="theorem" if method == "theorem" else "graph",
            symmetry=method == "symmetry",
            limits=self.limits,
            progress=self.progress,
        ).source

    def _view(self, game: Game) -> View:
        return View(game, self.question, symmetry=False)

    def _by_compiled_rules(self, game: Game, budget: Budget) -> Source:
        try:
            return solve_compiled(self._view(game), game.position(), "layers", budget)
        except CannotCompile as reason:
            raise QuestionError(f"the rules of {game.title()} are not compiled: {reason}") from reason


# ---------------------------------------------------------------------- laws of growth


def fits_of(measurements: Iterable[Measurement]) -> list[Fit]:
    """The growth of each method's quantities, where three or more whole-number settings were measured."""
    rows = [row for row in measurements if row.status == "exact" and type(row.setting) is int]
    fits = []
    for method in dict.fromkeys(row.method for row in rows):
        for quantity in QUANTITIES:
            least = _SHORTEST if quantity == "seconds" else 1
            points = [
                (row.setting, amount)
                for row in rows
                if row.method == method and (amount := getattr(row, quantity)) is not None and amount >= least
            ]
            if len({setting for setting, _ in points}) >= 3:
                fits.append(_fit(method, quantity, sorted(points)[-_FITTED:]))
    return fits


def _fit(method: Method, quantity: Quantity, points: list[tuple[int, float]]) -> Fit:
    factor, rough = _line(points, float)
    power, smooth = _line(points, math.log) if points[0][0] > 0 else (None, None)
    is_power = smooth is not None and smooth < rough
    return Fit(
        method,
        quantity,
        exponential=math.exp(min(factor, 700.0)),
        polynomial=power,
        residuals=(rough, smooth),
        better="polynomial" if is_power else "exponential",
        count=len(points),
    )


def _line(points: list[tuple[int, float]], scale: Callable[[int], float]) -> tuple[float, float]:
    """Slope of the logarithm against the scaled setting, and the root mean square residual."""
    xs = [scale(setting) for setting, _ in points]
    ys = [math.log(amount) for _, amount in points]
    slope, begin = linear_regression(xs, ys)
    left = [y - begin - slope * x for x, y in zip(xs, ys, strict=True)]
    return slope, math.sqrt(sum(rest * rest for rest in left) / len(left))
