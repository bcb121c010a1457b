"""Random games with loops, and everybody who judges them: the same value, or the same reason why there is none.

`python tests/fuzz_judgement.py --count 5000 --seed 1` plays games of one to three players
with loops, chance, rewards on and beside the loops, payoffs opposed or not, under random
questions, and holds `solve`, `check`, `estimate`, the distribution, every move's value,
certificates and both engines against `naive` and against each other. `--swings` draws
games on whose loops totals go up and down, `--shared` games with chance that two players
can keep going for ever together, `--waiting` all of these with rules that pay endless play, `--costs`
games on whose loops one side loses something each time round, `--traps` those with positions from which a total has no
limit, `--hills` games of one player on whose loops some moves cost and others pay, `--bystanders` games of three in
which one decides, or nobody, while the totals of some go up and down, `--unopposed` games whose
equilibria are held against every best reply, `--discount` games with a discount. `--lasting` games have
chance, loops that two opposed players can keep going, and rules that pay it; every one must have a value and a
certificate.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import endsight as es
import naive
from endsight import CHANCE, Game, Interval, Position, Question, check_rules, estimate, open_tablebase
from endsight.errors import LimitReached, NoValue, QuestionError
from layer_runs import anywhere
from ranges import as_range
from strategies import AlternatingRewards, GraphGame, MoverGraph, MoverRewards

AMOUNTS = (-2, -1, 0, 0, 1, 1, 2, Fraction(1, 2))
NAMED = ("graph", "layers", "minimax", "alphabeta", "proofnumber", "search")
SEARCHES = ("alphabeta", "proofnumber", "search")
MOST_PROFILES = 300
"""Pairs of policies that the oracle tries for a game; games with more are left out."""
REASONS = {
    "infinite": "infinitely many values",
    "pays": "go on for ever here and pays on the way",
    "changing": "goes up and down",
    "not opposed": "interests are not opposed",
    "both": "both players together can keep play with chance going",
}


class WithPar(MoverRewards):
    """One player, for whom 1 counts as half a win."""

    def par(self) -> int:
        return 1


class WithParAtTheEnd(MoverGraph):
    """The same without rewards."""

    def par(self) -> int:
        return 1


class Waits(Game):
    """Play that never ends pays something."""

    waiting: tuple = ()

    def setup(self) -> None:
        self.endless = self.waiting


class WaitingGraph(Waits, GraphGame):
    """`GraphGame` where endless play pays."""


class WaitingRewards(Waits, AlternatingRewards):
    """`AlternatingRewards` where endless play pays."""


class WaitingMovers(Waits, MoverGraph):
    """`MoverGraph` where endless play pays."""


class WaitingMoverRewards(Waits, MoverRewards):
    """`MoverRewards` where endless play pays."""


class WaitingWithPar(Waits, WithPar):
    """`WithPar` where endless play pays."""


class WaitingAtTheEnd(Waits, WithParAtTheEnd):
    """`WithParAtTheEnd` where endless play pays."""


WAITING: dict[type[Game], type[Game]] = {kind.__mro__[2]: kind for kind in Waits.__subclasses__()}
ENDLESS = (-1, 0, Fraction(1, 3), 2)


class Discounts(Game):
    """What is to come counts less after every move of a player."""

    counted: tuple = (9, 10)

    def setup(self) -> None:
        self.discount = Fraction(*self.counted)


class DiscountedGraph(Discounts, GraphGame):
    """`GraphGame` with a discount."""


class DiscountedRewards(Discounts, AlternatingRewards):
    """`AlternatingRewards` with a discount."""


class DiscountedMovers(Discounts, MoverGraph):
    """`MoverGraph` with a discount."""


class DiscountedMoverRewards(Discounts, MoverRewards):
    """`MoverRewards` with a discount."""


DISCOUNTED: dict[type[Game], type[Game]] = {kind.__mro__[2]: kind for kind in Discounts.__subclasses__()}

# ---------------------------------------------------------------------- games


def random_game(draw: random.Random) -> Game:
    """Two to six nodes with edges anywhere, and one to three ends."""
    seats = draw.choice((1, 2, 2, 2, 3))
    inner, ends = draw.randint(1, 5), draw.randint(0, 3)
    nodes = inner + ends
    width = draw.choice((2, 2, 3))
    successors = tuple(tuple(draw.randrange(nodes) for _ in range(draw.randint(1, width))) for _ in range(inner))
    successors += ((),) * ends
    payoffs = tuple(_payoffs(draw, seats, nodes))
    takes_turns = seats == 2 and draw.random() < 0.3
    gains = _rewards(draw, seats, successors)
    if takes_turns:
        if gains is None:
            return GraphGame(successors, payoffs, 2)
        return AlternatingRewards(successors, payoffs, 2, gains)
    dice = draw.choice((0, 0, 0.3, 0.5))
    movers = tuple(CHANCE if draw.random() < dice and ways else draw.randrange(seats) for ways in successors)
    weights = tuple(tuple(draw.randint(1, 3) for _ in ways) for ways in successors)
    has_par = seats == 1 and draw.random() < 0.5
    if gains is None:
        return (WithParAtTheEnd if has_par else MoverGraph)(successors, payoffs, seats, movers, weights)
    return (WithPar if has_par else MoverRewards)(successors, payoffs, seats, movers, weights, gains)


def _payoffs(draw: random.Random, seats: int, nodes: int) -> Iterator[tuple]:
    kind = draw.choice(("opposed", "opposed", "shared", "free"))
    for _ in range(nodes):
        if seats == 2 and kind != "free":
            amount = draw.choice(AMOUNTS) if kind == "opposed" else draw.choice((0, 1))
            yield (amount, (0 if kind == "opposed" else 1) - amount)
        else:
            yield tuple(draw.choice(AMOUNTS) for _ in range(seats))


def _rewards(draw: random.Random, seats: int, successors: tuple) -> tuple | None:
    """None; on few edges; the difference of heights, so that no loop brings anything in all; or everywhere."""
    kind = draw.choice(("none", "none", "few", "few", "heights", "alike", "any"))
    if kind == "none":
        return None
    heights = [draw.choice((0, 0, 1)) for _ in successors]

    def gain(node: int, child: int) -> tuple:
        if kind == "heights":
            amount = heights[child] - heights[node]
        elif kind == "alike":
            return (draw.choice((0, 1)),) * seats
        else:
            amount = draw.choice((1, 2, -1)) if draw.random() < (0.2 if kind == "few" else 0.7) else 0
        if seats == 2 and draw.random() < 0.8:
            return (amount, -amount)
        return tuple(amount if player == 0 else 0 for player in range(seats))

    return tuple(tuple(gain(node, child) for child in ways) for node, ways in enumerate(successors))


def shared_game(draw: random.Random) -> Game:
    """Four to eight nodes with chance and loops that two opposed players can keep going together; some payoffs tie."""
    inner, ends = draw.randint(3, 6), draw.randint(1, 3)
    nodes = inner + ends
    away = draw.choice((0.1, 0.2, 0.4))

    def ways() -> tuple:
        width = draw.choice((1, 2, 2, 2, 3))
        return tuple(
            draw.randrange(inner, nodes) if draw.random() < away else draw.randrange(inner) for _ in range(width)
        )

    successors = tuple(ways() for _ in range(inner)) + ((),) * ends
    amounts = draw.choice(((-1, 1), (-1, 0, 1), (1, 2, 3), (-1, -2), AMOUNTS, (1, Fraction(1000001, 1000000), -1)))
    payoffs = tuple((amount, -amount) for amount in (draw.choice(amounts) for _ in range(nodes)))
    dice = draw.choice((0.2, 0.3, 0.5))
    movers = tuple(CHANCE if draw.random() < dice else draw.randrange(2) for _ in range(inner)) + (0,) * ends
    weights = tuple(tuple(draw.choice((1, 1, 2, 1000)) for _ in row) for row in successors)
    return MoverGraph(successors, payoffs, 2, movers, weights)


def unopposed_game(draw: random.Random) -> Game:
    """The same with two or three players who each have their own payoffs."""
    game, seats = shared_game(draw), draw.choice((2, 3))
    payoffs = tuple(tuple(draw.choice((0, 1, 1, 2, -1)) for _ in range(seats)) for _ in game.payoffs)
    movers = tuple(mover if mover == CHANCE else draw.randrange(seats) for mover in game.movers)
    if draw.random() < 0.3:
        movers = tuple(max(mover, 0) for mover in movers)
    return MoverGraph(game.successors, payoffs, seats, movers, game.weights)


def waiting_game(draw: random.Random) -> Game:
    """One of the other kinds, where endless play pays: the opposite to two players, the same to all, or anything."""
    game = draw.choice((random_game, shared_game, shared_game, swinging_game))(draw)
    seats, amount = game.player_count, draw.choice(ENDLESS)
    kinds = [(amount,) * seats, tuple(draw.choice(ENDLESS) for _ in range(seats))]
    if seats == 2:
        kinds += [(amount, 1 - amount), *[(amount, -amount)] * 4]
    return WAITING[type(game)](**game.values(), waiting=draw.choice(kinds))


def lasting_game(draw: random.Random) -> Game:
    """A game with loops that two opposed players can keep going, where that pays one of them what the other loses."""
    game, amount = shared_game(draw), draw.choice(ENDLESS)
    return WAITING[type(game)](**game.values(), waiting=(amount, -amount))


def plain_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """What counts payoffs, without policies."""
    return {"objective": "competitive", "utility": "payoff", "fixed": {}}


def costly_game(draw: random.Random) -> Game:
    """A few nodes with loops that cost one side, or now and then bring something, in all kinds of games.

    Now and then play that comes to the last nodes before the ends never gets away from them.
    """
    seats = draw.choice((1, 2, 2))
    inner, ends = draw.randint(2, 5), draw.randint(1, 2)
    nodes = inner + ends
    away = draw.choice((0.1, 0.3, 0.5))
    successors = tuple(
        tuple(
            draw.randrange(inner, nodes) if draw.random() < away else draw.randrange(inner)
            for _ in range(draw.choice((1, 2, 2, 3)))
        )
        for _ in range(inner)
    )
    if draw.random() < 0.3:
        trap = draw.choice((1, 2))
        traps = [tuple(draw.randrange(inner - trap, inner) for _ in range(draw.choice((1, 2)))) for _ in range(trap)]
        successors = (*successors[: inner - trap], *traps)
    successors += ((),) * ends
    side, free = draw.choice((-1, -1, 1)), draw.choice((0, 0.3, 0.6, 0.9))

    def gain(to_end: bool) -> tuple:
        amount = side * draw.choice((1, 1, 2, Fraction(1, 2))) * (draw.random() >= free)
        amount *= -1 if draw.random() < (0.3 if to_end else 0.02) else 1
        return (amount, -amount)[:seats]

    gains = tuple(tuple(gain(child >= inner) for child in ways) for ways in successors)
    payoffs = tuple((amount, -amount)[:seats] for amount in (draw.choice(AMOUNTS) for _ in range(nodes)))
    if seats == 2 and draw.random() < 0.2:
        return WaitingRewards(successors, payoffs, 2, gains, waiting=(draw.choice(ENDLESS),) * 2)
    dice = draw.choice((0, 0.2, 0.4))
    movers = tuple(CHANCE if draw.random() < dice and ways else draw.randrange(seats) for ways in successors)
    weights = tuple(tuple(draw.randint(1, 3) for _ in ways) for ways in successors)
    amount = draw.choice(ENDLESS)
    return WaitingMoverRewards(successors, payoffs, seats, movers, weights, gains, waiting=(amount, -amount)[:seats])


def alike_game(draw: random.Random) -> Game:
    """One of one player that costs or pays on loops, for two or three who move in turns and are all paid alike."""
    while True:
        game = draw.choice((costly_game, hilly_game))(draw)
        if game.player_count == 1 and type(game) is WaitingMoverRewards:
            break
    values, seats = game.values(), draw.choice((2, 3, 3))
    return WaitingMoverRewards(
        **values
        | {
            "seats": seats,
            "movers": tuple(mover if mover == CHANCE else draw.randrange(seats) for mover in values["movers"]),
            "payoffs": tuple(row * seats for row in values["payoffs"]),
            "rewards": tuple(tuple(row * seats for row in rows) for rows in values["rewards"]),
            "waiting": tuple(values["waiting"]) * seats,
        }
    )


def alike_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """Mostly cooperation; now and then one player draws moves."""
    fixed = {game.player_count - 1: draw.choice(("random", "worst"))} if draw.random() < 0.15 else {}
    objective = "competitive" if draw.random() < 0.2 else "cooperative"
    return {"objective": objective, "utility": "payoff", "fixed": fixed}


def hilly_game(draw: random.Random) -> Game:
    """One player, whose moves cost something, and bring or take what they gain or lose in height; perhaps with chance.

    With chance some outcomes cost or bring more than others, mostly the same in the mean.
    """
    inner, ends = draw.randint(2, 6), draw.randint(1, 2)
    nodes, away, fee = inner + ends, draw.choice((0.1, 0.3, 0.5)), draw.choice((0, 1, 1, Fraction(1, 2)))

    def ways() -> tuple:
        width = draw.choice((1, 2, 2, 3))
        return tuple(
            draw.randrange(inner, nodes) if draw.random() < away else draw.randrange(inner) for _ in range(width)
        )

    successors = tuple(ways() for _ in range(inner)) + ((),) * ends
    heights = [draw.choice((0, 0, 1, 2, Fraction(5, 2))) for _ in range(nodes)]
    gains = tuple(
        tuple((heights[child] - heights[node] - fee * draw.choice((0, 1, 1, 2)),) for child in row)
        for node, row in enumerate(successors)
    )
    payoffs = tuple((draw.choice(AMOUNTS),) for _ in range(nodes))
    dice = draw.choice((0, 0, 0.2, 0.4, 0.6))
    movers = tuple(CHANCE if draw.random() < dice and row else 0 for row in successors)
    weights = tuple(tuple(draw.choice((1, 1, 2)) for _ in row) for row in successors)
    if draw.random() < 0.5:
        gains = tuple(map(partial(_stirred, draw), movers, gains))
    return WaitingMoverRewards(successors, payoffs, 1, movers, weights, gains, waiting=(draw.choice(ENDLESS),))


def _stirred(draw: random.Random, mover: int, row: tuple) -> tuple:
    """The gains of a node; where chance moves, the first and the last are more or less in turn."""
    if mover != CHANCE or len(row) < 2:
        return row
    more = draw.choice((0, 1, 3))
    (first,), *others, (last,) = row
    return ((first + more,), *others, (last - more,))


def trapping_game(draw: random.Random) -> Game:
    """The same, with a value at the start and positions from which a total has no limit."""
    while True:
        game = costly_game(draw)
        found = solved(game, None, {})
        if not isinstance(found, NoValue) and found.source.swings is not None:
            return game


def discounted_game(draw: random.Random) -> Game:
    """One of the other kinds, with loops that pay as they like; with two players mostly opposed."""
    while True:
        game = draw.choice((random_game, random_game, shared_game, unopposed_game))(draw)
        if type(game) in DISCOUNTED:
            break
    values = game.values()
    if values.get("rewards") and draw.random() < 0.5:
        values["rewards"] = tuple(tuple(_shaken(draw, gain) for gain in row) for row in values["rewards"])
    return DISCOUNTED[type(game)](**values, counted=draw.choice(((9, 10), (1, 2), (1, 3), (99, 100))))


def _shaken(draw: random.Random, gain: tuple) -> tuple:
    """Another gain of the same form."""
    amount = draw.choice(AMOUNTS)
    return tuple(-amount if sum(gain) == 0 and player == 1 else amount * (player == 0) for player in range(len(gain)))


def swinging_game(draw: random.Random) -> Game:
    """Three to seven nodes with heights that moves gain or lose, so that totals go up and down on loops."""
    seats = draw.choice((1, 2, 2, 2, 2, 3))
    inner, ends = draw.randint(3, 6), draw.randint(0, 2)
    nodes = inner + ends
    low = draw.choice((0, 0, 1))  # ends are met less often where it is 0
    successors = tuple(
        tuple(draw.randrange(inner if draw.random() < 0.6 - low / 2 else nodes) for _ in range(draw.choice((1, 2, 2))))
        for _ in range(inner)
    )
    successors += ((),) * ends
    heights = [draw.choice((-1, 0, 0, 1)) for _ in range(nodes)]
    gainer = draw.randrange(seats)

    def gain(node: int, child: int) -> tuple:
        amount = heights[child] - heights[node]
        return tuple(amount if player == gainer else 0 for player in range(seats))

    gains = tuple(tuple(gain(node, child) for child in ways) for node, ways in enumerate(successors))
    dice = draw.choice((0, 0, 0.3))
    movers = tuple(CHANCE if draw.random() < dice and ways else draw.randrange(seats) for ways in successors)
    weights = tuple(tuple(draw.randint(1, 3) for _ in ways) for ways in successors)
    kind = WithPar if seats == 1 else MoverRewards
    return kind(successors, tuple(_payoffs(draw, seats, nodes)), seats, movers, weights, gains)


def bystanding_game(draw: random.Random) -> Game:
    """Three players whose totals go up and down on loops, each in their own way; one decides, at first or never."""
    decider, first, last = draw.randrange(3), draw.randint(0, 3), draw.randint(1, 4)
    inner, ends = first + last, draw.randint(0, 2)
    nodes = inner + ends
    dice = draw.choice((0, 0, 0.3))
    movers, successors = [], []
    for node in range(inner):
        is_rolled, is_early = draw.random() < dice, node < first
        movers.append(CHANCE if is_rolled else decider if is_early else draw.randrange(3))
        beyond = 0 if is_early else first  # nobody comes back to a decision
        width = draw.choice((1, 2, 2)) if is_rolled or is_early else 1
        successors.append(tuple(draw.randrange(beyond, inner if draw.random() < 0.8 else nodes) for _ in range(width)))
    successors += [()] * ends
    # Play is often the same for some players all the way.
    heights = [[draw.choice((0, 0, 1, -1)) if moving else 0 for _ in range(nodes)] for moving in _moving(draw)]
    gains = tuple(
        tuple(tuple(height[child] - height[node] for height in heights) for child in ways)
        for node, ways in enumerate(successors)
    )
    weights = tuple(tuple(draw.randint(1, 3) for _ in ways) for ways in successors)
    payoffs = tuple(_payoffs(draw, 3, nodes))
    return MoverRewards(tuple(successors), payoffs, 3, (*movers, *[0] * ends), weights, gains)


def _moving(draw: random.Random) -> list[bool]:
    """Whose totals move: mostly those of one or two."""
    return [draw.random() < 0.5 for _ in range(3)]


def bystanding_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """What counts running totals, mostly of each player for themselves."""
    asked = random_question(draw, game) | {"utility": draw.choice(("win", "lead", "lead"))}
    return asked | {"fixed": {} if draw.random() < 0.7 else asked["fixed"]}


def shared_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """What counts payoffs, or leads."""
    return {"objective": "competitive", "utility": draw.choice(("payoff", "payoff", "lead", "win")), "fixed": {}}


def swinging_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """What counts running totals."""
    asked = random_question(draw, game)
    if game.player_count == 3 and draw.random() < 0.8:
        asked["objective"] = "cooperative"
    return asked | {"utility": draw.choice(("win", "lead")) if game.player_count == 3 else "win"}


def random_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """Objective, utility and fixed players."""
    utilities = ["payoff", "payoff", "win", "lead"] if game.player_count > 1 else ["payoff"]
    if game.gives("par"):
        utilities = ["payoff", "win", "win"]
    fixed = {}
    if draw.random() < 0.25:
        fixed[draw.randrange(game.player_count)] = draw.choice(("random", "worst"))
    objective = "cooperative" if draw.random() < 0.2 else "competitive"
    return {"objective": objective, "utility": draw.choice(utilities), "fixed": fixed}


def discounted_question(draw: random.Random, game: Game) -> dict[str, Any]:
    """What counts payoffs."""
    return random_question(draw, game) | {"utility": "payoff"}


# ---------------------------------------------------------------------- what is right


def oracle_of(game: Game, asked: dict[str, Any]) -> naive.Oracle | None:
    """The oracle that knows the game; None where it has too much to try."""
    oracle = (naive.Judge if game.discount == 1 else naive.Discounted)(game, **asked)
    try:
        nodes = oracle.reachable(oracle.root())
    except naive.Undefined:
        return oracle
    going = [
        node for node in nodes if node in naive.met(node, lambda n: {oracle.after(n, m) for m in oracle.played(n)})
    ]
    if not going and game.discount == 1:
        return naive.Recursion(game, **asked)
    if len(going) > 11 or len(nodes) > 40:
        return None
    profiles = 1
    for node in nodes:
        if oracle.decides(node):
            profiles *= len(oracle.played(node))
    return oracle if profiles <= MOST_PROFILES else None


def truth(oracle: naive.Oracle, position: Any = None) -> tuple | str:
    """The value, or the reason why there is none."""
    try:
        return oracle.value(position)
    except naive.Undefined as reason:
        return str(reason)


# ---------------------------------------------------------------------- what is told


ONE_EQUILIBRIUM = "one equilibrium, perhaps of several: nobody gains by playing otherwise, whatever they remember"
"""What values of games with loops mean where players' interests are not opposed."""


class Difference(AssertionError):
    """Two answers to one question."""


def agrees(told: Any, right: Any) -> bool:
    """Whether a row of values, or of both ends, is right; the oracle has None where it does not know."""
    return len(told) == len(right) and all(b is None or is_right(a, b) for a, b in zip(told, right, strict=True))


def is_right(told: Any, right: Any) -> bool:
    """The same for one value."""
    if isinstance(right, naive.Ends):
        return (as_range(told).lower, as_range(told).upper) == (right.lower, right.upper)
    if abs(right) == naive.INFINITE:
        return told == Interval.without_limit(1 if right > 0 else -1)
    return told == right


def are_exact(values: Any) -> bool:
    """Whether all of them are numbers."""
    return not any(isinstance(value, Interval) for value in values)


def encloses(told: Any, right: Any) -> bool:
    """Whether every value, or both of its ends, lies between what is told of it."""
    pairs = zip(map(as_range, told), right, strict=True)
    return all(b is None or (least_of(b) in a and most_of(b) in a) for a, b in pairs)


def least_of(right: Any) -> Any:
    """A value, or the lower of two ends."""
    return right.lower if isinstance(right, naive.Ends) else right


def most_of(right: Any) -> Any:
    """A value, or the upper of two ends."""
    return right.upper if isinstance(right, naive.Ends) else right


def is_open(row: tuple) -> bool:
    """Whether a node has two ends, and no value."""
    return any(isinstance(value, naive.Ends) for value in row)


def is_endless(row: tuple) -> bool:
    """Whether what a node is worth has no limit."""
    return any(not isinstance(value, naive.Ends) and abs(value or 0) == naive.INFINITE for value in row)


def compare(told: Any, right: Any, what: str) -> None:
    """`Difference` where `told`, values or a `NoValue`, is not what is right."""
    if isinstance(told, NoValue) or isinstance(right, str):
        if not (isinstance(told, NoValue) and isinstance(right, str) and REASONS[right] in told.message):
            raise Difference(f"{what}: told {told}, right is {right}")
    elif not agrees(told, right):
        raise Difference(f"{what}: told {told}, right is {right}")


def solved(game: Game, position: Any, asked: dict[str, Any], **more: Any) -> Any:
    """The solution, or the `NoValue`."""
    try:
        found = es.solve(game, position, **asked, **more)
    except NoValue as error:
        return error
    if "was wrong" in (found.source.refusal or ""):
        raise Difference(f"the audit threw a compiled answer away: {found.source.refusal}")
    return found


def told_at(solution: es.Solution, position: es.Position) -> Any:
    """The values at a later position, or the `NoValue`."""
    try:
        return solution.values(position)
    except NoValue as error:
        return error


def compare_game(
    game: Game, asked: dict[str, Any], draw: random.Random, counts: Counter, *, compiled: bool = False
) -> None:
    """Hold everything against everything for one game and one question; `compiled` rules and files too."""
    oracle = oracle_of(game, asked)
    if oracle is None:
        counts["left out"] += 1
        return
    counts["games"] += 1
    right = truth(oracle)
    counts[right if isinstance(right, str) else "valued"] += 1
    counts["valued, with swings"] += isinstance(right, tuple) and getattr(oracle, "swings", False)
    solution = solved(game, None, asked)
    if right == "not opposed" and not isinstance(solution, NoValue):
        _compare_equilibrium(game, asked, solution, counts)
        right = solution.values()
        oracle = None
    compare(solution if isinstance(solution, NoValue) else solution.values(), right, "value")
    _compare_estimate(game, asked, solution)
    if asked == {"objective": "competitive", "utility": "payoff", "fixed": {}}:
        _compare_check(game, solution, counts)
    if compiled:
        _compare_compiled(game, asked, right, counts)
    for method in NAMED:
        told = _named(game, asked, method)
        counts[f"{method} answers"] += told is not None
        # A search may prove its one position where others have no value, and never meet the loop.
        is_lucky = method in SEARCHES and isinstance(right, str) and not isinstance(told, NoValue)
        # Searches look for no equilibrium.
        is_lucky |= oracle is None and method in SEARCHES
        if told is not None and not is_lucky:
            compare(told, right, method)
    if isinstance(solution, NoValue):
        return
    if oracle is None:
        _compare_distribution(game, solution, counts)
        return
    counts["valued, with later positions of none"] += any(map(is_open, getattr(oracle, "values", {}).values()))
    counts["valued, with later positions without limit"] += any(map(is_endless, getattr(oracle, "values", {}).values()))
    _compare_moves(game, asked, solution, oracle, draw, counts)
    _compare_fewest(game, asked, solution, oracle, draw, counts)
    _compare_followed(game, asked, solution, counts)
    _compare_distribution(game, solution, counts)
    _compare_proof(game, solution, right, counts)
    interval = solved(game, None, asked, interval=True).values()
    if not encloses(interval, right):
        raise Difference(f"--interval: told {interval}, right is {right}")


def compare_discounted(
    game: Game, asked: dict[str, Any], draw: random.Random, counts: Counter, *, compiled: bool = False
) -> None:
    """The same for a game with a discount."""
    if game.discount == 1:
        compare_game(game, asked, draw, counts, compiled=compiled)
        return
    counts["games"] += 1
    solution = solved(game, None, asked)
    _compare_estimate(game, asked, solution)
    plain = asked == {"objective": "competitive", "utility": "payoff", "fixed": {}}
    if plain:
        _compare_check(game, solution, counts)
    oracle = oracle_of(game, asked)
    if oracle is None:
        counts["left out"] += 1
        return
    if isinstance(solution, NoValue):
        counts["refused"] += 1
        if _is_opposed(game) and truth(oracle) != "pays":
            raise Difference(f"a discounted game of opposed players is refused: {solution}")
        return
    if compiled:
        found = solved(game, None, asked, engine="compiled")
        if found.values() != solution.values():
            raise Difference(f"compiled: {found.values()}, plain: {solution.values()}")
        solved(game, None, asked, engine="compiled", interval=True)
    if not _is_opposed(game):
        if solution.notion == ONE_EQUILIBRIUM:
            _compare_equilibrium(game, asked, solution, counts)
        return
    counts["valued"] += 1
    interval = solved(game, None, asked, interval=True).values()
    position = game.position()
    for _ in range(4):
        right = oracle.value(position)
        if not agrees(solution.values(position), right):
            raise Difference(f"after {position.text!r}: {solution.values(position)}, right is {right}")
        again = solved(game, position, asked)
        if again.values() != solution.values(position):
            raise Difference(f"asked at {position.text!r}: {again.values()}, right is {right}")
        if position.is_over:
            break
        for option in solution.options(position):
            worth = oracle.through(oracle.root(position), option.move)
            if not agrees(option.value, worth):
                raise Difference(f"move {option.text} after {position.text!r}: {option.value}, right is {worth}")
        position = position.play(draw.choice(list(position.moves())))
    if not encloses(interval, oracle.value()):
        raise Difference(f"--interval: told {interval}, right is {oracle.value()}")


def compare_lasting(
    game: Game, asked: dict[str, Any], draw: random.Random, counts: Counter, *, compiled: bool = False
) -> None:
    """The same for a game that must have a value with a certificate."""
    missing = counts["games"] - counts["certified"]
    compare_game(game, asked, draw, counts, compiled=compiled)
    if counts["games"] - counts["certified"] > missing:
        raise Difference("there is no certificate")


def _is_opposed(game: Game) -> bool:
    """Whether whatever one player gets the other loses, or there is only one."""
    shares = [*game.payoffs, *(gain for row in getattr(game, "rewards", ()) for gain in row)]
    return game.player_count == 1 or (game.player_count == 2 and not any(map(sum, shares)))


def _named(game: Game, asked: dict[str, Any], method: str) -> Any:
    """What a named method tells; None where it does not take the game, whatever the reason."""
    try:
        return es.solve(game, **asked, method=method, engine="plain").values()
    except NoValue as error:
        return error
    except (QuestionError, LimitReached):
        return None


def _compare_compiled(game: Game, asked: dict[str, Any], right: Any, counts: Counter) -> None:
    """The compiled engine, and solves into files: of the whole in memory, and in layers on the disk."""
    for method in ("auto", "layers", "search"):
        found = solved(game, None, asked, engine="compiled", method=method)
        told = found if isinstance(found, NoValue) else found.values()
        # A search may prove its one position where others have no value, and never meet the loop.
        if method != "search" or not isinstance(right, str) or isinstance(told, NoValue):
            compare(told, right, f"compiled, {method}")
    for mode in ("memory", "disk"):
        with tempfile.TemporaryDirectory() as folder:
            try:
                anywhere(Path(folder), game, Question(**asked), mode=mode)
                told: Any = open_tablebase(folder, game).solution().values()
                _compare_stored(folder, game, asked)
            except NoValue as error:
                told = error
            except QuestionError:
                counts[f"not on {mode}"] += 1
                continue
            counts[f"stored, {mode}"] += 1
            if not isinstance(told, NoValue) and not are_exact(told) and encloses(told, right):
                continue  # layers with chance tell proven bounds
            compare(told, right, f"stored, {mode}")


def _compare_stored(folder: str, game: Game, asked: dict[str, Any]) -> None:
    """Positions along first moves: a stored solution has values for the same ones as one in memory."""
    stored, solution, place = open_tablebase(folder, game), solved(game, None, asked), game.position()
    for _ in range(4):
        try:
            kept: Any = stored.solution(place).values()
        except NoValue as error:
            kept = error
        told = told_at(solution, place)
        if isinstance(kept, NoValue) != isinstance(told, NoValue):
            raise Difference(f"two judgements of {place.text!r}: {told}, but stored {kept}")
        if place.is_over:
            return
        place = place.play(next(iter(place.moves())))


def _compare_estimate(game: Game, asked: dict[str, Any], solution: Any) -> None:
    try:
        estimate(game, **asked)
    except NoValue as error:
        if str(error) != str(solution):
            raise Difference(f"estimate: {error}, but value: {solution}") from None
    else:
        if isinstance(solution, NoValue):
            raise Difference(f"estimate refuses nothing, but value: {solution}")


def _compare_check(game: Game, solution: Any, counts: Counter) -> None:
    report = check_rules(game)
    counts["checked"] += 1
    if report.faults:
        raise Difference(f"check calls the rules broken: {report.faults}")
    reason = report.value.reason if report.value else None
    told = None if reason is None else str(reason.error())
    if told != (str(solution) if isinstance(solution, NoValue) else None):
        raise Difference(f"check: {told}, but value: {solution}")


def _compare_moves(
    game: Game, asked: dict[str, Any], solution: Any, oracle: naive.Oracle, draw: random.Random, counts: Counter
) -> None:
    position = game.position()
    for _ in range(3):
        if position.is_over:
            return
        row = getattr(oracle, "move_values", None)
        for option, (move, right) in zip(
            sorted(solution.options(position), key=lambda option: option.move), row(position), strict=True
        ):
            carried = _carried(oracle, position)
            if not agrees(option.value, naive.added(carried, right)):
                raise Difference(f"move {move} after {position.text!r}: {option.value}, right is {carried} + {right}")
        position = position.play(draw.choice(list(position.moves())))
        value = solution.ends(position)
        if not agrees(value, naive.added(_carried(oracle, position), oracle.value(position))):
            raise Difference(f"after {position.text!r}: {value}, right is {oracle.value(position)}")
        again, told = solved(game, position, asked), told_at(solution, position)
        if isinstance(told, NoValue) != isinstance(again, NoValue):
            raise Difference(f"two judgements of {position.text!r}: {told} from the start, {again} from there")
        if getattr(oracle, "swings", False):
            _compare_afresh(game, asked, position, (told, again), counts)
        if is_endless(oracle.value(position)):
            compare(again if isinstance(again, NoValue) else again.values(), "pays", f"asked at {position.text!r}")
        if isinstance(again, NoValue):
            return  # moves are not compared where there is no value
        if are_exact(value) and not agrees(
            again.values(), [a if b is not None else None for a, b in zip(value, oracle.value(position), strict=True)]
        ):
            raise Difference(f"asked at {position.text!r}: {again.values()}, and from the start {value}")


def _compare_afresh(
    game: Game, asked: dict[str, Any], position: Position, answers: tuple[Any, Any], counts: Counter
) -> None:
    """What the oracle says of a later position alone, whose loops are all that matters there."""
    oracle = naive.Judge(game, **asked)
    try:
        right: Any = oracle.value(position)
    except naive.Undefined as reason:
        right = str(reason)
    except naive.NoLoops:
        return
    if not isinstance(right, str):
        right = naive.added(_carried(oracle, position), right)
    told, again = answers
    for answer in (told, again if isinstance(again, NoValue) else again.values()):
        compare(answer, right, f"judged at {position.text!r}")
    if not isinstance(right, str):
        counts["judged afresh"] += 1
        _compare_proof(game, again, right, counts)


def _may_come_back(position: Any) -> bool:
    """Whether play from there can come to a state twice: moves are counted only then, as all ways are as good else."""
    after: dict[Any, list[Any]] = {}
    waiting = [position]
    for place in waiting:
        if place.state not in after:
            later = [place.play(move) for move in place.moves()]
            after[place.state] = [each.state for each in later]
            waiting += later
    while ends := [state for state, others in after.items() if not any(other in after for other in others)]:
        for state in ends:
            del after[state]
    return bool(after)


def _compare_fewest(
    game: Game, asked: dict[str, Any], solution: Any, oracle: naive.Oracle, draw: random.Random, counts: Counter
) -> None:
    """The distances of a game of one player, and the lengths of lines, against moves of best value one by one."""
    chance = CHANCE in getattr(game, "movers", ())
    if game.player_count > 1 or chance or asked["fixed"] or (asked["utility"] == "win" and game.gives("reward")):
        return
    if isinstance(oracle, naive.Recursion):
        return  # without loops all ways are as good
    counts["moves counted"] += 1
    position = game.position()
    for _ in range(4):
        is_open = is_endless(oracle.value(position)) or not _may_come_back(position)
        right = None if is_open else oracle.fewest_moves(position)
        if solution.distance(position) != right:
            raise Difference(f"distance after {position.text!r}: {solution.distance(position)}, right is {right}")
        if right is not None and len(solution.line(position)) != right:
            raise Difference(f"the line after {position.text!r} is {solution.line(position)}, not {right} moves")
        if position.is_over:
            return
        position = position.play(draw.choice(list(position.moves())))


def _compare_equilibrium(game: Game, asked: dict[str, Any], solution: Any, counts: Counter) -> None:
    """Nobody gains by playing otherwise: the oracle's best reply of each player to the others is worth the same."""
    if solution.notion != ONE_EQUILIBRIUM:
        raise Difference(f"a value is told of players who are not opposed: {solution.values()}, {solution.notion}")

    if "worst" in asked["fixed"].values():
        return  # the oracle does not know games of two who choose and a third who is fixed

    def follows(player: int) -> Any:
        nothing = (0,) * game.player_count
        return lambda state: solution.chosen(Position(game, state, player, nothing, ()))

    for player, value in enumerate(solution.values()):
        if asked["fixed"].get(player) in ("random", "worst"):
            continue
        others = {other: follows(other) for other in range(game.player_count) if other != player} | asked["fixed"]
        oracle = oracle_of(game, asked | {"fixed": others})
        reply = None if oracle is None else oracle.value()[player]
        if reply is not None and reply != value:
            raise Difference(f"no equilibrium: {solution.values()}, but player {player} can have {reply}")
    counts["equilibria"] += 1


def _carried(oracle: naive.Oracle, position: Any) -> tuple:
    """What was gained before, where the oracle's values leave it out."""
    if isinstance(oracle, naive.Recursion) or oracle.tracks:
        return (0,) * oracle.players
    return oracle.worth(position.so_far) if oracle.utility == "lead" else position.so_far


def _compare_followed(game: Game, asked: dict[str, Any], solution: Any, counts: Counter) -> None:
    """Where what others get goes up and down: the least and the most on the loop that chosen play comes to."""
    if are_exact(solution.values()) or CHANCE in getattr(game, "movers", ()) or "random" in asked["fixed"].values():
        return
    oracle, position, path = naive.Judge(game, **asked), game.position(), {}
    while (node := (position.state, position.mover, oracle.endless(position.so_far))) not in path:
        path[node] = len(path)
        position = position.play(solution.chosen(position))
    loop = list(path)[path[node] :]
    ends = zip(*(node[2] for node in loop), strict=True)
    right = tuple(naive.spanned(min(totals), max(totals)) for totals in ends)
    counts["followed"] += 1
    if not agrees(solution.values(), right):
        raise Difference(f"along best play: told {solution.values()}, right is {right}")


def _compare_distribution(game: Game, solution: Any, counts: Counter) -> None:
    for name, value in zip(game.player_names, solution.values(), strict=True):
        try:
            found = solution.distribution(name)
        except (LimitReached, NoValue):
            counts["without distribution"] += 1
            if are_exact(solution.values()):
                raise
            return
        except QuestionError as refused:
            counts["without distribution"] += 1
            if "no final total" not in str(refused) or are_exact([value]):
                raise Difference(f"distribution: {refused}") from None
            continue
        arrived = sum(as_range(chance).lower for chance in found.outcomes.values())
        if arrived + found.rest != 1 or found.mean() != value:
            raise Difference(f"distribution of {name}: {dict(found)}, value {value}")


def _compare_proof(game: Game, solution: Any, right: Any, counts: Counter) -> None:
    try:
        certificate = es.prove(solution)
    except QuestionError:
        counts["without certificate"] += 1
        return
    verdict = es.verify(certificate, type(game))
    if not verdict.claim:
        raise Difference(f"the certificate is refused: {verdict}")
    counts["certified"] += 1
    for name, value in zip(game.player_names, right, strict=True):
        ends = certificate.claim.value.get(name)
        if ends is None or value is None:
            continue
        low, high = ends
        if (low is not None and low > least_of(value)) or (high is not None and high < most_of(value)):
            raise Difference(f"the certificate claims {name} {low} to {high}, right is {value}")


# ---------------------------------------------------------------------- running

KINDS = {
    "random": (random_game, random_question),
    "swings": (swinging_game, swinging_question),
    "shared": (shared_game, shared_question),
    "waiting": (waiting_game, random_question),
    "costs": (costly_game, random_question),
    "hills": (hilly_game, plain_question),
    "traps": (trapping_game, plain_question),
    "bystanders": (bystanding_game, bystanding_question),
    "alike": (alike_game, alike_question),
    "unopposed": (unopposed_game, shared_question),
    "discount": (discounted_game, discounted_question),
    "lasting": (lasting_game, plain_question),
}


def run(seeds: range, *, verbose: bool = False, compiled: int = 0, kind: str = "random") -> tuple[Counter, list[str]]:
    """The games of those seeds, every `compiled`-th with compiled rules; what was met, and the differences.

    `kind` is one of `KINDS`.
    """
    draw_game, draw_question = KINDS[kind]
    compare_one = {"discount": compare_discounted, "lasting": compare_lasting}.get(kind, compare_game)
    counts: Counter = Counter()
    wrong = []
    for number in seeds:
        draw = random.Random(number)
        game = draw_game(draw)
        asked = draw_question(draw, game)
        try:
            compare_one(game, asked, draw, counts, compiled=bool(compiled) and number % compiled == 0)
        except (AssertionError, Exception) as error:
            wrong.append(f"seed {number}: {game!r} {asked}: {type(error).__name__}: {error}")
            if verbose:
                print(wrong[-1], flush=True)
        if verbose and (number - seeds.start + 1) % 500 == 0:
            print(number - seeds.start + 1, dict(counts), flush=True)
    return counts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiled", type=int, default=0, help="every so many games with compiled rules, and in files")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--swings", action="store_true", help="games on whose loops totals go up and down")
    kinds.add_argument("--shared", action="store_true", help="games with chance that both players can keep going")
    kinds.add_argument("--waiting", action="store_true", help="any of these, where endless play pays")
    kinds.add_argument("--costs", action="store_true", help="games on whose loops one side loses something")
    kinds.add_argument("--alike", action="store_true", help="the same, and hills, for several who are paid alike")
    kinds.add_argument("--traps", action="store_true", help="the same, with positions that nobody gets away from")
    kinds.add_argument("--hills", action="store_true", help="games of one player on whose loops some moves pay")
    kinds.add_argument("--bystanders", action="store_true", help="totals go up and down, and hardly anybody decides")
    kinds.add_argument("--unopposed", action="store_true", help="games on whose loops players are not opposed")
    kinds.add_argument("--discount", action="store_true", help="games with a discount")
    kinds.add_argument("--lasting", action="store_true", help="games both players can keep going, which pays")
    given = parser.parse_args()
    kind = next((kind for kind in KINDS if getattr(given, kind, False)), "random")
    counts, wrong = run(range(given.seed, given.seed + given.count), verbose=True, compiled=given.compiled, kind=kind)
    print(f"{given.count} games from seed {given.seed}: {len(wrong)} differences; {dict(counts)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
