"""All positions that play can reach from one, found again from the rules in plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import endsight
from endsight.exact import Number, simplest
from endsight.faults import FileError, RulesError, Wrong
from endsight.game import CHANCE, Game, Position, absolute, moves_of
from endsight.verifier.claims import Claim, Ends
from endsight.verifier.rules import policy_entry

__all__ = ["EVERYBODY", "LESS", "MORE", "NOBODY", "View", "Walk"]

Amounts = tuple[Number, ...]
Pick = Callable[["Walk", Any, list[Any]], int]
PolicyFunction = Callable[[Game, Any], Any]

MORE, LESS, EVERYBODY, NOBODY = 1, -1, 2, 0
"""Whose moves a play names: movers who want more of the first player's amount, or less, all, none."""
_OUTCOMES = {(1, -1), (-1, 1), (0, 0)}


class View:
    """A game as a claim sees it: whose turn, whose wish, which amounts.

    A node is (state, mover, totals). `totals` are what the moves so far brought, where the
    amounts depend on them, else empty; with `whole` they are kept in full.
    """

    def __init__(self, game: Game, claim: Claim, given: Mapping[str, PolicyFunction], whole: bool = False) -> None:
        self.game, self.names, self.utility = game, game.player_names, claim.utility
        self.players = len(self.names)
        self.told, self.pays = game.gives("to_move"), game.gives("reward")
        self.whole = whole or self.players == 1
        self.tracks = self.pays and (whole or self.utility == "win" or (self.utility == "lead" and self.players > 2))
        self.share = partial(absolute, players=self.players, alternating=not self.told and self.players == 2)
        self.policies: dict[int, Callable[[Any], Any]] = {}
        self.random: set[int] = set()
        self.wishes = [(0 if claim.objective == "cooperative" else player, 1) for player in range(self.players)]
        for name, rule in claim.fixed.items():
            if name not in self.names:
                raise FileError(f"the certificate fixes {name[:40]!r}, who does not play {game.title()}")
            self._fix(self.names.index(name), rule, given.get(name))
        self.opposed = False  # whether a wish was taken for the opposite of the first player's
        self.chance_seen = False
        self.ends_seen: set[Amounts] = set()

    def _fix(self, player: int, rule: str | Mapping[str, str], given: PolicyFunction | None) -> None:
        if not isinstance(rule, str):
            name, function = self.names[player], rule["function"]
            if given is None:
                what = f"{name} plays {function!r}; policies from outside run only where named"
                raise FileError(what, advice=f"--fix {name}=file.py:{function}")
            if (found := policy_entry(given)) != rule:
                raise FileError("the certificate is about another policy", found=str(found), allowed=str(rule))
            self.policies[player] = partial(given, self.game)
        elif rule == "worst":
            self.wishes[player] = (player, -1)
        elif rule == "random":
            self.random.add(player)
        elif policy := getattr(self.game, "policy_" + rule.replace("-", "_"), None):
            self.policies[player] = policy
        else:
            raise FileError(f"{self.game.title()} has no policy {rule[:40]!r}")

    def node(self, state: Any, mover: int, totals: Amounts) -> Any:
        """The node of a state."""
        if self.tracks and not self.whole:  # only differences count
            least = min(totals)
            totals = tuple([simplest(total - least) for total in totals])
        return state, mover, totals if self.tracks else ()

    def after(self, node: Any, move: Any) -> tuple[Any, Amounts | None]:
        """The node after a move, and what the move brings (None for nothing, or where totals hold it)."""
        state, mover, totals = node
        gain: Amounts | None = None
        if self.pays:
            gain = self.share(self.game.reward(state, move), mover)
            if self.tracks:
                totals = tuple([simplest(a + b) for a, b in zip(totals, gain, strict=True)])
            gain = None if self.tracks or not any(gain) else self.worth(gain) if self.utility == "lead" else gain
        child = self.game.play(state, move)
        return self.node(child, self.game.to_move(child) if self.told else (mover + 1) % self.players, totals), gain

    def moves(self, state: Any, mover: int) -> list[Any]:
        """The moves that may be played: all that are legal, or the one of a fixed policy."""
        moves = list(moves_of(self.game, state))
        if not moves or mover not in self.policies:
            return moves
        move = self.policies[mover](state)
        if move not in moves:
            raise RulesError("a fixed policy chose a move that is not legal", found=f"{move!r:.60}")
        return [move]

    def weights(self, state: Any, mover: int, moves: list[Any]) -> list[int] | None:
        """Weights of the moves where dice, cards or a random player decide, else None."""
        if not CHANCE <= mover < self.players:
            raise RulesError("to_move names a player who is not there", found=repr(mover))
        if mover != CHANCE and mover not in self.random:
            return None
        self.chance_seen = True
        weights = [self.game.weight(state, move) if mover == CHANCE else 1 for move in moves]
        if any(type(weight) is not int or weight < 1 for weight in weights):
            raise RulesError("a weight is not a whole number from 1 up", found=f"{weights!r:.60}")
        return weights

    def side(self, mover: int) -> int:
        """Whether a mover wants `MORE` or `LESS` of the first player's amount."""
        target, sign = self.wishes[mover]
        if target and self.players > 2:
            raise Wrong("bounds prove nothing where three or more players have wishes of their own")
        self.opposed = self.opposed or target > 0
        return -sign if target else sign

    def final(self, node: Any) -> Amounts:
        """What the end of the game is worth to every player."""
        state, mover, totals = node
        share = self.share(self.game.payoff(state), mover)
        self.ends_seen.add(share)
        return self.worth(tuple(a + b for a, b in zip(share, totals, strict=True)) if self.tracks else share)

    def endless(self, node: Any) -> Amounts:
        """What play that never leaves the node's loop is worth: nothing beyond what was gained."""
        return self.worth(node[2] or (0,) * self.players)

    def worth(self, totals: Amounts) -> Amounts:
        """Totals under the utility."""
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:i] + totals[i + 1 :]) for i, own in enumerate(totals))
        if self.players == 1:
            par = self.game.par()  # type: ignore[attr-defined]
            return (Fraction((totals[0] > par) + (totals[0] >= par), 2),)
        best = max(totals)
        return tuple(Fraction(own == best, totals.count(best)) for own in totals)

    def carried(self, so_far: Amounts) -> Amounts:
        """What was gained before, where the nodes do not hold it."""
        return (0,) * self.players if self.tracks or self.utility == "win" else self.worth(so_far)

    def category(self, mover: int, value: Mapping[str, Ends]) -> str:
        """Win, draw or loss of that mover, where nothing else was met; else `value`."""
        is_plain = self.utility == "win" or (not self.pays and self.ends_seen <= _OUTCOMES)
        if self.players != 2 or mover == CHANCE or self.chance_seen or not is_plain:
            return "value"
        draw = self.worth((0, 0))[mover]
        low, high = value.get(self.names[mover], (None, None))
        if low is not None and low > draw:
            return "win"
        return "loss" if high is not None and high < draw else "draw" if low == high == draw else "value"


class Walk:
    """All nodes that play can reach, when `pick` chooses the moves of one side; in order of discovery.

    Node i has the edges offsets[i] .. offsets[i+1]-1, none at an end. `amounts` are those of
    ends, `gains` of edges that bring something, `dice` the sums of weights at chance nodes,
    `sums` of all gains on the way to a node (None where that depends on the way), `best` the
    moves at decisions that the evidence shows to be best.
    """

    def __init__(self, view: View, position: Position, side: int, pick: Pick, deadline: float | None) -> None:
        self.view, self.side = view, side
        self.nodes = [view.node(position.state, position.mover, position.so_far)]
        self.numbers = {self.nodes[0]: 0}
        self.offsets, self.successors, self.weights = [0], list[int](), list[int]()
        self.amounts: dict[int, Amounts] = {}
        self.gains: dict[int, Amounts] = {}
        self.dice: dict[int, int] = {}
        self.sums: dict[int, Number] | None = {0: 0}
        self.choices = 0
        self.best: dict[int, set[int]] = {}
        for node in self.nodes:
            if deadline is not None and time.monotonic() > deadline:
                raise endsight.errors.LimitReached("stopped: the time is over", advice="more --time")
            self._explore(node, pick)

    def __len__(self) -> int:
        return len(self.nodes)

    def _explore(self, node: Any, pick: Pick) -> None:
        """Add the edges of the next node."""
        view, number = self.view, len(self.offsets) - 1
        state, mover, _ = node
        moves = view.moves(state, mover)
        weights = view.weights(state, mover, moves)
        if not moves:
            self.amounts[number] = view.final(node)
        elif weights:
            self.dice[number] = sum(weights)
        elif len(moves) > 1 and self.side and (self.side == EVERYBODY or view.side(mover) == self.side):
            choice = pick(self, node, moves)
            if not 0 <= choice < len(moves):
                raise Wrong("a choice is missing, or names a move that is not there")
            moves = [moves[choice]]
            self.best[number] = {choice}
            self.choices += 1
        self.weights += weights or [1] * len(moves)
        for move in moves:
            child, gain = view.after(node, move)
            place = self.numbers.setdefault(child, len(self.nodes))
            if place == len(self.nodes):
                self.nodes.append(child)
            if gain is not None:
                self.gains[len(self.successors)] = gain
            if self.sums is not None and view.pays:
                total = self.sums[number] + (sum(gain) if gain else 0)
                if self.sums.setdefault(place, total) != total:
                    self.sums = None
            self.successors.append(place)
        self.offsets.append(len(self.successors))

    def line(self) -> str:
        """How large it is, in words."""
        return f"{len(self):,} states, {len(self.successors):,} moves, {self.choices:,} choices"

    def edges(self, node: int) -> range:
        """The edges that leave a node."""
        return range(self.offsets[node], self.offsets[node + 1])

    def after(self, node: int) -> list[int]:
        """The nodes that a node leads to."""
        return self.successors[self.offsets[node] : self.offsets[node + 1]]

    def order(self, cut: tuple[int, ...] = ()) -> list[int] | None:
        """All nodes, each before those it leads to but for the nodes `cut`; None where they lead round."""
        waiting = [0] * len(self)
        for child in self.successors:
            waiting[child] += 1
        if cut and cut[-1] >= len(self):
            raise Wrong(f"something is claimed of state {cut[-1]} of {len(self)}")
        for node in cut:
            waiting[node] = 0
        order = [node for node in dict.fromkeys((0, *cut)) if waiting[node] == 0]
        for node in order:
            for child in self.after(node):
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        return order if len(order) == len(self) else None

    def rounds(self) -> set[int]:
        """Nodes where play may go on for ever: all on loops or between loops; one, where nothing is paid on the way."""
        on, left = set(range(len(self))), -1
        while self.view.pays and left != (left := len(on)):
            ahead = {child for node in on for child in self.after(node)}
            on = {node for node in on & ahead if not on.isdisjoint(self.after(node))}
        return on if self.view.pays else {0}

    def endless(self, rounds: set[int]) -> list[Number]:
        """What play is worth, times the side, that never leaves `rounds`: it pays 0 on top of what was gained."""
        return [self.side * self.view.endless(self.nodes[node])[0] for node in rounds]

    def common_sum(self, rounds: set[int]) -> Number | None:
        """What the players get together at every end, and for ever in `rounds`; None where that differs."""
        if self.sums is None:
            return None
        totals = {simplest(sum(amounts) + self.sums.get(node, 0)) for node, amounts in self.amounts.items()}
        totals |= {simplest(sum(self.view.endless(self.nodes[node])) + self.sums[node]) for node in rounds}
        return totals.pop() if len(totals) == 1 else None

    def may_gain_for_ever(self) -> bool:
        """Whether the other side can come to gains again and again, with some chance without end."""
        alive = set(range(len(self)))
        while alive:
            keeps = [n for n in alive if (all if n in self.dice else any)(map(alive.__contains__, self.after(n)))]
            near = {n for n in keeps if any(self.successors[e] in alive for e in self.edges(n) if e in self.gains)}
            found = -1
            while found != (found := len(near)):
                near |= {n for n in keeps if not near.isdisjoint(self.after(n))}
            if near == alive:
                return True
            alive = near
        return False

    def rests(self, order: list[int], is_rest: Callable[[int], bool]) -> bool:
        """Whether from every node, whatever the other side does, play comes to rest with some chance."""
        rests = bytearray(map(is_rest, range(len(self))))
        found = -1
        while found != (found := sum(rests)):
            for node in reversed(order):
                if not rests[node]:
                    some = any if node in self.dice else all
                    rests[node] = some(rests[child] for child in self.after(node))
        return found == len(self)
