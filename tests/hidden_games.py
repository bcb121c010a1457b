"""Games in which players see different things, and their oracle: every pair of pure strategies, as one matrix game.

The oracle shares nothing with the package but the rules protocol and matrices, which have tests of their own: it
walks the rules itself, by recursion, and names what a player has seen by the list of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import endsight as es
from at_once import solved_matrix
from endsight import CHANCE, Game

Mixture = dict[Any, dict[int, Fraction]]

MOVERS = (CHANCE, 0, 1, CHANCE, 0, 1, 0, 1)
"""Who moves at which depth of a random game; (0, 1) instead of two in a row where they move at once."""


class Poker(Game):
    """Kuhn's poker (1950): one card each, one bet."""

    cards: int = 3

    class State(NamedTuple):
        first: int  # 0: not dealt yet
        second: int
        told: int  # the moves in base 3: 1 pass, 2 bet

    def start(self) -> State:
        return self.State(0, 0, 0)

    def limits(self) -> State:
        return self.State(self.cards, self.cards, 26)

    def to_move(self, s: State) -> int:
        return CHANCE if s.second == 0 else 0 if s.told in (0, 5) else 1

    def moves(self, s: State) -> Iterator[int]:
        if s.second == 0:
            yield from (card for card in range(1, self.cards + 1) if card != s.first)
        elif s.told in (0, 1, 2, 5):
            yield from (1, 2)

    def play(self, s: State, m: int) -> State:
        if s.second == 0:
            return s._replace(second=m) if s.first else s._replace(first=m)
        return s._replace(told=3 * s.told + m)

    def payoff(self, s: State) -> tuple[int, int]:
        sign = 1 if s.first > s.second else -1
        gain = {4: sign, 7: 1, 8: 2 * sign, 16: -1, 17: 2 * sign}[s.told]
        return (gain, -gain)

    def sees(self, s: State, player: int) -> tuple[int, int]:
        return (s[player] if s.second else 0, s.told)


class Rounds(Game):
    """The first player hides a coin, the second guesses it, and both see it; twice, and each time for one point."""

    class State(NamedTuple):
        coin: int
        told: int
        ahead: int

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, s: State) -> int:
        return s.told % 2

    def moves(self, s: State) -> tuple[int, ...]:
        return (1, 2) if s.told < 4 else ()

    def play(self, s: State, m: int) -> State:
        if s.told % 2 == 0:
            return self.State(m, s.told + 1, s.ahead)
        return self.State(s.coin, s.told + 1, s.ahead + (1 if m != s.coin else -1))

    def payoff(self, s: State) -> tuple[int, int]:
        return (s.ahead, -s.ahead)

    def sees(self, s: State, player: int) -> tuple[int, int, int]:
        return (s.coin if player == 0 or s.told % 2 == 0 else 0, s.told, s.ahead)


class Hidden(Game):
    """A random tree: of every move, a player sees their own ones and, depending on the depth, some of the others.

    Payoffs are up to `small`, plus some of up to 3 / `tiny`; weights of chance up to `heavy`. With `together` the
    players move at once where one would move after the other; with `gains` moves are paid, too.
    """

    seed: int = 0
    depth: int = 4
    wide: int = 2
    small: int = 2
    tiny: int = 0
    heavy: int = 3
    together: bool = False
    gains: bool = False

    class State(NamedTuple):
        path: int
        depth: int

    def setup(self) -> None:
        self.visible = [[self.chosen(depth, player).random() < 0.4 for depth in range(self.depth)] for player in (0, 1)]

    def chosen(self, *about: object) -> random.Random:
        return random.Random(f"{self.seed}/{about}")

    def start(self) -> State:
        return self.State(1, 0)

    def limits(self) -> State:
        return self.State(16 ** (self.depth + 1), self.depth)

    def mover(self, depth: int) -> Any:
        mover = MOVERS[depth % len(MOVERS)]
        return (0, 1) if self.together and mover == 1 else mover

    def to_move(self, s: State) -> Any:
        return self.mover(s.depth)

    def moves(self, s: State) -> Iterator[Any]:
        if s.depth < self.depth:
            own = range(2 + (self.seed + s.depth) % self.wide)
            yield from product(own, own) if self.mover(s.depth) == (0, 1) else own

    def weight(self, s: State, m: int) -> int:
        return 1 + self.chosen(s, m).randrange(self.heavy)

    def play(self, s: State, m: Any) -> State:
        return self.State(s.path * 16 + (4 * m[0] + m[1] if isinstance(m, tuple) else m), s.depth + 1)

    def reward(self, s: State, m: Any) -> tuple[int, int]:
        gain = self.chosen(s, m, "gain").randint(-self.small, self.small) if self.gains else 0
        return (gain, 1 - gain) if gain else (0, 0)

    def payoff(self, s: State) -> tuple[Fraction | int, Fraction | int]:
        gain: Fraction | int = self.chosen(s, "payoff").randint(-self.small, self.small)
        if self.tiny:
            gain += Fraction(self.chosen(s, "tiny").randint(-3, 3), self.tiny)
        return (gain, self.owed(s) - gain)

    def owed(self, s: State) -> int:
        """What makes the sum constant whatever the moves brought."""
        return 5 - sum(bool(self.reward(*step)[0]) for step in self.steps(s)) if self.gains else 5

    def steps(self, s: State) -> Iterator[tuple[State, Any]]:
        for depth in range(self.depth):
            path = s.path >> 4 * (self.depth - depth)
            digit = (s.path >> 4 * (self.depth - depth - 1)) & 15
            yield self.State(path, depth), divmod(digit, 4) if self.mover(depth) == (0, 1) else digit

    def sees(self, s: State, player: int) -> tuple[int, ...]:
        digits = [(s.path >> 4 * (s.depth - 1 - depth)) & 15 for depth in range(s.depth)]
        return tuple(digit if self.visible[player][depth] else 15 for depth, digit in enumerate(digits))


def pure_value(game: Game) -> Fraction:
    """The value to the first player, from all pairs of pure strategies."""
    choices: tuple[dict[Any, tuple], dict[Any, tuple]] = ({}, {})
    walk(game, lambda player, view, moves: choices[player].setdefault(view, moves) and moves)
    plans = [[dict(zip(own, picked, strict=True)) for picked in product(*own.values())] for own in choices]
    matrix = [[expected(game, (mine, yours)) for yours in plans[1]] for mine in plans[0]]
    return Fraction(solved_matrix(matrix).values()[0])


def strategies(game: Game) -> int:
    """How many pairs of pure strategies there are."""
    choices: tuple[dict[Any, tuple], dict[Any, tuple]] = ({}, {})
    walk(game, lambda player, view, moves: choices[player].setdefault(view, moves) and moves)
    count = 1
    for own in choices:
        for moves in own.values():
            count *= len(moves)
    return count


def expected(game: Game, plans: tuple[dict, dict]) -> Fraction:
    """What the first player gets where both play pure strategies."""
    return walk(game, lambda player, view, moves: (plans[player][view],))


def walk(game: Game, chosen: Callable[[int, Any, tuple], tuple]) -> Fraction:
    """The expected payoff to the first player, every chosen move alike; `chosen` hears player, view and moves."""

    def worth(state: Any, views: list[tuple], gained: Fraction) -> Fraction:
        views = [seen_by(game, state, player, view) for player, view in enumerate(views)]
        moves, mover = tuple(game.moves(state)), game.to_move(state)
        if not moves:
            return gained + game.payoff(state)[0]
        movers = () if mover == CHANCE else mover if isinstance(mover, tuple) else (mover,)
        parts = {player: tuple(dict.fromkeys(part_of(move, player, movers) for move in moves)) for player in movers}
        kept = {player: chosen(player, views[player], own) for player, own in parts.items()}
        weights = {
            move: Fraction(game.weight(state, move))
            if mover == CHANCE
            else Fraction(all(part_of(move, player, movers) in kept[player] for player in movers))
            for move in moves
        }
        total = sum(weights.values())
        found = Fraction(0)
        for move, weight in weights.items():
            if weight:
                child, seen, _, sum_so_far = after(game, state, move, views, weight, gained, movers)
                found += weight / total * worth(child, seen, sum_so_far)
        return found

    return worth(game.start(), [(), ()], Fraction(0))


def gain_of(game: Game, state: Any, move: Any) -> Any:
    """What a move brings the first player at once."""
    reward = game.reward(state, move)
    return reward[0] if isinstance(reward, tuple) else reward


def part_of(move: Any, player: int, movers: tuple[int, ...]) -> Any:
    """A player's own part of a move."""
    return move[movers.index(player)] if len(movers) > 1 else move


def mixtures(game: Game, solution: es.Solution) -> tuple[Mixture, Mixture]:
    """How endsight plays, as its certificate has it: the chances of the own moves by what was seen; else even ones."""
    plans: Any = es.prove(solution).evidence
    assert plans.kind == "plans"
    return mixture(game, 0, plans.first), mixture(game, 1, plans.second)


def mixture(game: Game, player: int, plan: Any) -> Mixture:
    """The masses of a plan as chances: those of the sets with several moves that it comes to, in order of the walk."""
    sets: dict[Any, tuple] = {}
    walk(game, lambda mover, view, moves: moves if mover != player else sets.setdefault(view, moves) and moves)
    masses, arrived, found = iter(plan.masses), dict[Any, int](), {}
    for view, moves in sets.items():
        last = max((number for number, (kind, _) in enumerate(view) if kind == "did"), default=-1)
        mass = plan.total if last < 0 else arrived[view[: last + 1]]
        own = [mass] if len(moves) == 1 else [next(masses) if mass else 0 for _ in moves]
        arrived |= {(*view, ("did", move)): part for move, part in zip(moves, own, strict=True)}
        found[view] = {
            m: Fraction(part, mass) if mass else Fraction(1, len(own)) for m, part in zip(moves, own, strict=True)
        }
    return found


def tabled(game: Game) -> tuple[Mixture, Mixture]:
    """How endsight plays by its table, which tells what to do off the path of play, too."""
    found: tuple[Mixture, Mixture] = ({}, {})
    for row in es.table(game).to_dicts():
        state, views = game.start(), [(), ()]
        for text in row.get("example", "").split():
            move, mover = game.parse_move(state, text), game.to_move(state)
            views = [seen_by(game, state, player, view) for player, view in enumerate(views)]
            movers = () if mover == CHANCE else mover if isinstance(mover, tuple) else (mover,)
            state, views, *_ = after(game, state, move, views, Fraction(0), Fraction(0), movers)
        player = game.player_names.index(row["player"])
        chances = {int(key[5:]): chance for key, chance in row.items() if key[:5] == "plan " and chance is not None}
        found[player][seen_by(game, state, player, views[player])] = chances
    return found


def reply_value(game: Game, player: int, mixed: Callable[[Any], dict[Any, Fraction]]) -> Fraction:
    """What a best reply of `player` is worth to the first player; `mixed`: what the other saw -> chances of moves."""
    best = max if player == 0 else min

    def worth(open_nodes: list[tuple]) -> Fraction:
        """The best of nodes (state, views, weight, gained) that the player cannot tell apart until more is seen."""
        total, sets = Fraction(0), {}
        while open_nodes:
            state, views, weight, gained = open_nodes.pop()
            views = [seen_by(game, state, own, view) for own, view in enumerate(views)]
            moves, mover = tuple(game.moves(state)), game.to_move(state)
            if not moves:
                total += weight * (gained + game.payoff(state)[0])
            elif mover == CHANCE:
                whole = sum(game.weight(state, move) for move in moves)
                open_nodes += [
                    after(game, state, move, views, weight * Fraction(game.weight(state, move), whole), gained, ())
                    for move in moves
                ]
            else:
                movers = mover if isinstance(mover, tuple) else (mover,)
                chances = mixed(views[1 - player]) if 1 - player in movers else {}
                for move in moves:
                    chance = chances[part_of(move, 1 - player, movers)] if 1 - player in movers else Fraction(1)
                    node = after(game, state, move, views, weight * chance, gained, movers)
                    if not chance:
                        continue
                    if player in movers:
                        sets.setdefault(views[player], {}).setdefault(part_of(move, player, movers), []).append(node)
                    else:
                        open_nodes.append(node)
        return total + sum((best(map(worth, choices.values())) for choices in sets.values()), Fraction(0))

    return worth([(game.start(), [(), ()], Fraction(1), Fraction(0))])


def seen_by(game: Game, state: Any, player: int, view: tuple) -> tuple:
    """What a player has seen once the state is looked at, too."""
    seen = ("saw", game.sees(state, player))
    return view if seen == next((thing for thing in reversed(view) if thing[0] == "saw"), None) else (*view, seen)


def after(game: Game, state: Any, move: Any, views: list, weight: Fraction, gained: Fraction, movers: tuple) -> tuple:
    """The node after a move, which its movers remember."""
    kept = [
        (*view, ("did", part_of(move, player, movers))) if player in movers else view
        for player, view in enumerate(views)
    ]
    return game.play(state, move), kept, weight, gained + gain_of(game, state, move)
