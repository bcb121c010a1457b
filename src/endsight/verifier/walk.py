"""All positions that play can reach from a given one, enumerated again from the rules in plain Python."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import add
from typing import Any, NamedTuple, TypeAlias

from endsight.base.faults import FileError, IllegalMoveError, PositionError, RulesError, Wrong
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.exact import Number, late
from endsight.game.results import absolute, alternates, endless_share, mover_in, moves_of, opening
from endsight.verifier.certificate import Claim, Ends, Fixed
from endsight.verifier.rules import policy_entry
from endsight.verifier.words import SIGHT

Amounts: TypeAlias = tuple[Number, ...]
Edge: TypeAlias = tuple[int, Amounts | None]
Policy: TypeAlias = Callable[[Game, Any], Any]
Policies: TypeAlias = Mapping[str, Policy]
Pick: TypeAlias = "Callable[[Walk, Any, list[Any]], int]"
"""The number of the chosen move of several at a node; where players move at once, the weight of an own move."""

MORE, LESS, EVERYBODY, NOBODY = 1, -1, 2, 0
"""The movers whose moves a play names: those who want more of the bounded amount, those who want less, all, none."""
MOST_PLIES = 10_000
"""Plies of a history after which play counts as endless, where something is hidden."""
_SAME: Any = {kind.__eq__ for kind in (object, tuple, frozenset, int, str, Fraction)}
_OUTCOMES = {(1, -1), (-1, 1), (0, 0)}


def is_plain(value: Any) -> bool:
    """Whether a state, or a value in one, equals only what holds the same: nodes are looked up by comparison."""
    return type(value).__eq__ in _SAME and (not isinstance(value, tuple | frozenset) or all(map(is_plain, value)))


def classes(value: Any) -> Any:
    """The classes of the tuples in a value: equal ones may have different classes, which rules can tell apart."""
    if isinstance(value, frozenset):
        return {each: classes(each) for each in value}
    return [type(value), *map(classes, value)] if isinstance(value, tuple) else None


class Terms:
    """A game as a claim sees it: where play begins, whose turn it is, what each player wants, and which amounts count.

    A node is (state, mover, totals). `totals` are the gains of the moves so far, where the amounts depend
    on them, else empty; with `whole` they are kept in full. `state`, `mover` and `so_far` are the position
    that the claim is about. Walks raise `LimitReached` past the `deadline`.
    """

    def __init__(self, game: Game, claim: Claim, given: Policies, deadline: float | None = None, whole: bool = False):
        self.game, self.claim, self.deadline = game, claim, deadline
        self.names, self.utility = game.player_names, claim.utility
        self.players = len(self.names)
        self.told, self.pays = game.gives("to_move"), game.gives("reward")
        self.whole = whole or self.players == 1
        self.tracks = self.pays and (whole or self.utility == "win" or (self.utility == "lead" and self.players > 2))
        self.share = partial(absolute, players=self.players, alternating=alternates(game))
        self.policies = dict[int, Callable[[Any, int], Any]]()
        self.random = set[int]()
        self.interests = [(0 if claim.objective == "cooperative" else player, 1) for player in range(self.players)]
        if game.discount != 1:
            raise RulesError("rules that discount have no certificates", found=f"discount = {game.discount!r:.60}")
        for name, rule in claim.fixed.items():
            self._fix(name, rule, given.get(name))
        # The player whose amount is bounded; whether some interest counted as the opposite of that player's.
        self.subject, self.opposed, self.chance_seen = 0, False, False
        self.ends_seen = set[Amounts]()
        self.state, self.mover = opening(game, claim.set_up)
        if claim.set_up is not None and not claim.set_up.endswith(game.show(self.state)):
            raise PositionError(f"{claim.set_up!r:.60} is not how {game.title()} shows that position")
        self.so_far: Amounts = (0,) * self.players
        for text in claim.position.split():
            moves = {move for move in moves_of(game, self.state) if game.show_move(self.state, move) == text}
            if len(moves) != 1:
                raise IllegalMoveError(f"{game.title()}: the claim's move {text!r:.60} is not legal, or is ambiguous")
            self.state, self.mover, gain = self._played(self.state, self.mover, *moves)
            self.so_far = tuple(map(add, self.so_far, gain))

    def _fix(self, name: str, rule: str | Fixed, given: Policy | None) -> None:
        """Note how a player plays."""
        if name not in self.names:
            raise FileError(f"the certificate fixes {name[:40]!r}, who is no player")
        player = self.names.index(name)
        if rule == "random":
            self.random.add(player)
        elif rule in ("best", "worst"):
            self.interests[player] = (player, 1 if rule == "best" else -1)
        else:
            self.policies[player] = self._policy(name, rule, given)

    def _policy(self, name: str, rule: str | Fixed, given: Policy | None) -> Callable[[Any, int], Any]:
        """The function that gives a player's move at a state: a rule of the game, or `given` if that is claimed."""
        if isinstance(rule, str):
            if own := getattr(self.game, "policy_" + rule.replace("-", "_"), None):
                return lambda state, _: own(state)
            if policy := late("game.foresight").FORESIGHT.get(rule):
                return partial(policy, self.game)
        elif given is not None and policy_entry(given) == rule:
            return lambda state, _: given(self.game, state)
        raise late("proof.refusals").absent_policy(name, rule)

    def look_at_clock(self) -> None:
        """Raise `LimitReached` past the deadline."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise late("errors").LimitReached("stopped: the time is up", advice="more --time")

    def root(self) -> Any:
        """The node of the position."""
        return self.node(self.state, self.mover, self.so_far)

    def node(self, state: Any, mover: int, totals: Amounts) -> Any:
        """The node of a state."""
        if not self.tracks:
            return state, mover, ()
        # Only differences matter.
        least = 0 if self.whole else min(totals)
        return state, mover, tuple([total - least for total in totals])

    def _played(self, state: Any, mover: int, move: Any) -> tuple[Any, int, Amounts]:
        """The state after a move, who moves there, and the move's gains for every player."""
        gain = self.share(self.game.reward(state, move), mover) if self.pays else (0,) * self.players
        child = self.game.play(state, move)
        if not is_plain((state, child)):
            raise RulesError("a state defines __eq__")
        return child, mover_in(self.game, child) if self.told else (mover + 1) % self.players, gain

    def after(self, node: Any, move: Any) -> tuple[Any, Amounts | None]:
        """The node after a move, and the move's gains (None for none, or where totals hold them)."""
        child, mover, gain = self._played(node[0], node[1], move)
        if self.tracks:
            return self.node(child, mover, tuple(map(add, node[2], gain))), None
        return (child, mover, ()), own if any(own := self.worth(gain) if self.utility == "lead" else gain) else None

    def options(self, node: Any) -> tuple[list[Any], list[int] | None]:
        """The legal moves, and their weights where dice, cards or a random player decide."""
        state, mover, _ = node
        is_group = mover == TOGETHER and late("verifier.at_once").is_group(self, self.game.to_move(state))
        if not is_group and not CHANCE <= mover < self.players:
            raise RulesError("to_move returns a player who does not exist", found=repr(mover))
        moves = list(moves_of(self.game, state))
        if moves and mover in self.policies:
            move = self.policies[mover](state, mover)
            if move not in moves:
                raise RulesError("a fixed policy chose an illegal move", found=f"{move!r:.60}")
            return [move], None
        if mover != CHANCE and mover not in self.random:
            return moves, None
        weights = [self.game.weight(state, move) if mover == CHANCE else 1 for move in moves]
        if any(type(weight) is not int or weight < 1 for weight in weights):
            raise RulesError("a weight is not a whole number from 1 up", found=f"{weights!r:.60}")
        return moves, weights

    def side(self, mover: int) -> int:
        """Whether a mover wants `MORE` or `LESS` of the subject's amount."""
        target, sign = self.interests[mover]
        if target != self.subject and self.players > 2:
            raise Wrong("bounds prove nothing where three or more players have interests of their own")
        self.opposed = self.opposed or target != self.subject
        return sign if target == self.subject else -sign

    def final(self, node: Any) -> Amounts:
        """The worth of the end of the game to every player."""
        share = self.share(self.game.payoff(node[0]), node[1])
        self.ends_seen.add(share)
        return self.worth(tuple(map(add, share, node[2])) if self.tracks else share)

    def endless(self, node: Any) -> Amounts:
        """The worth of play that never leaves the node's loop: what the rules say, beyond earlier gains."""
        return self.worth(tuple(map(add, endless_share(self.game), node[2] or (0,) * self.players)))

    def worth(self, totals: Amounts) -> Amounts:
        """Totals under the utility."""
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:i] + totals[i + 1 :]) for i, own in enumerate(totals))
        if self.players == 1:
            par = self.game.par()  # type: ignore[attr-defined]
            return (Fraction((totals[0] > par) + (totals[0] >= par), 2),)
        return tuple(Fraction(own == max(totals), totals.count(max(totals))) for own in totals)

    def carried(self) -> Amounts:
        """Earlier gains, where the nodes do not hold them."""
        return (0,) * self.players if self.tracks or self.utility == "win" else self.worth(self.so_far)

    def meant(self, notion: str | None) -> str | None:
        """The full notion of values proven in that sense, including what players see where the rules say it."""
        return "; ".join(part for part in (notion, SIGHT * self.game.gives("sees")) if part) or None

    def category(self, value: Mapping[str, Ends]) -> str:
        """Win, draw or loss of the player to move, where the walks met nothing else; otherwise `value`."""
        is_plain = self.utility == "win" or (not self.pays and self.ends_seen | {endless_share(self.game)} <= _OUTCOMES)
        if self.players != 2 or self.chance_seen or not is_plain:
            return "value"
        draw, (low, high) = self.worth((0, 0))[self.mover], value[self.names[self.mover]]
        if low is not None and low > draw:
            return "win"
        return "loss" if high is not None and high < draw else "draw" if low == high == draw else "value"


class Walk:
    """All nodes that play can reach when `pick` chooses the moves of one side, in order of discovery.

    Node i has the edges edges[i], none at an end: (next node, the move's gains or None).
    `amounts` are those of ends, `dice` the weights of the edges of chance nodes, and of mixtures of moves at once,
    where the edges stand together for every move of the other side. `gains` says whether any edge has gains,
    `picked` holds the results of `pick`, and `best` the moves at decisions that the evidence shows to be best.
    """

    is_whole = True

    def __init__(self, view: Terms, side: int, pick: Pick) -> None:
        self.view, self.side = view, side
        self.nodes = [view.root()]
        self.numbers = {self.nodes[0]: 0}
        self.edges = list[list[Edge]]()
        self.amounts = dict[int, Amounts]()
        self.dice = dict[int, list[int]]()
        self.gains = False
        self.picked = list[int]()
        self.best = dict[int, set[int]]()
        self._go_on(self.nodes, pick)

    def __len__(self) -> int:
        return len(self.nodes)

    def _go_on(self, nodes: list[Any], pick: Pick) -> None:
        """Add the edges of these nodes, and of the nodes found on the way."""
        for node in nodes:
            self.view.look_at_clock()
            self.edges.append([])
            for move in self._left(node, pick):
                child, gain = self.view.after(node, move)
                place = self.numbers.setdefault(child, len(self.nodes))
                if place == len(self.nodes):
                    self.nodes.append(child)
                elif classes(child) != classes(self.nodes[place]):
                    raise RulesError("equal states of two classes")
                self.gains = self.gains or gain is not None
                self.edges[-1].append((place, gain))

    def _left(self, node: Any, pick: Pick) -> list[Any]:
        """The moves that our side's choices leave at the next node."""
        view, number = self.view, len(self.edges) - 1
        moves, weights = view.options(node)
        view.chance_seen = view.chance_seen or weights is not None or node[1] == TOGETHER
        if not moves:
            self.amounts[number] = view.final(node)
        elif weights:
            self.dice[number] = weights
        elif node[1] == TOGETHER and late("verifier.at_once").are_at_odds(view):
            return list(late("verifier.at_once").mixed(self, node, moves, pick))
        elif len(moves) > 1 and self.side and (self.side == EVERYBODY or view.side(node[1]) == self.side):
            self.picked.append(choice := pick(self, node, moves))
            if not 0 <= choice < len(moves):
                raise Wrong("a choice is missing, or names a move that does not exist")
            self.best[number] = {choice}
            return [moves[choice]]
        return moves

    def drawn(self, node: int, items: list[Any]) -> list[list[Any]]:
        """The items of a node's edges, in one part for every move of the other side; one of each part is drawn."""
        size = len(self.dice.get(node, (1,)))
        return [items[place : place + size] for place in range(0, len(items), size)]

    def line(self) -> str:
        """The size of the walk in words."""
        return f"{len(self):,} states, {sum(map(len, self.edges)):,} moves, {len(self.best):,} choices"

    def after(self, node: int) -> list[int]:
        """The nodes that a node leads to."""
        return [child for child, _ in self.edges[node]]

    def order(self, cut: tuple[int, ...] = ()) -> list[int] | None:
        """All nodes, each before its successors except for the nodes `cut`; None where the walk has other loops."""
        if cut and cut[-1] >= len(self):
            raise Wrong(f"something is claimed about state {cut[-1]} of {len(self)}")
        held = set(cut)
        waiting = Counter(child for edges in self.edges for child, _ in edges if child not in held)
        order = [node for node in dict.fromkeys((0, *cut)) if waiting[node] == 0]
        for node in order:
            for child in self.after(node):
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        return order if len(order) == len(self) else None

    def rounds(self) -> set[int]:
        """Nodes where play may last for ever: all on loops or between loops; one, where nothing is paid on the way."""
        on, left = set(range(len(self))), -1
        while self.view.pays and left != (left := len(on)):
            ahead = {child for node in on for child in self.after(node)}
            on = {node for node in on & ahead if not on.isdisjoint(self.after(node))}
        return on if self.view.pays else {0}

    def endless(self, rounds: Iterable[int]) -> list[Number]:
        """The worth, times the side, of play that never leaves `rounds`."""
        return [self.gained(self.view.endless(self.nodes[node])) for node in rounds]

    def common_sum(self, rounds: set[int]) -> Number | None:
        """What the players get together at every end, and for ever in `rounds`; None where that is not constant."""
        # Sums of all gains on the way: the first edge into a node comes from a node with a lower number.
        sums: dict[int, Number] = {0: 0}
        for node, edges in enumerate(self.edges):
            for child, gain in edges:
                total = sums[node] + sum(gain or ())
                if sums.setdefault(child, total) != total:
                    return None
        totals = {sum(amounts) + sums[node] for node, amounts in self.amounts.items()}
        totals |= {sum(self.view.endless(self.nodes[node])) + sums[node] for node in rounds}
        return totals.pop() if len(totals) == 1 else None

    def kept(self, ways: list[list[list[Edge]]]) -> set[int]:
        """The largest set of nodes in which the other side can certainly stay by these ways of every node."""
        inside, left = set(range(len(self))), -1
        while left != (left := len(inside)):
            # Mostly successors come first.
            for node in sorted(inside, reverse=True):
                if not any(inside.issuperset([child for child, _ in way]) for way in ways[node]):
                    inside.remove(node)
        return inside

    def gained(self, gain: Amounts | None) -> Number:
        """The gain of an edge for the subject, times the side."""
        return self.side * gain[self.view.subject] if gain else 0

    def ends(self) -> bool:
        """Whether play ends with some chance, whatever the other side does."""
        return not self.kept([self.drawn(node, edges) for node, edges in enumerate(self.edges)])

    def may_last(self, ways: list[list[list[Edge]]], is_met: Callable[[int], bool]) -> bool:
        """Whether the other side can keep reaching gains, losses, or nodes where `is_met` holds, by these ways."""
        while True:
            alive = self.kept(ways)
            ahead = {n: [e for way in ways[n] if alive.issuperset([c for c, _ in way]) for e in way] for n in alive}
            near = {node for node, edges in ahead.items() if is_met(node) or any(self.gained(g) for _, g in edges)}
            had = -1
            while had != (had := len(near)):
                near |= {node for node, edges in ahead.items() if any(child in near for child, _ in edges)}
            if near == alive:
                return bool(alive)
            ways = [each if node in near else [] for node, each in enumerate(ways)]


class PlyWalk(Walk):
    """A compact walk: a root, and one end for every amount, in place of all nodes; only two plies are in memory.

    It agrees with the whole walk where that has no chance, no gains, and no node twice except in the same ply:
    `is_whole` says whether that holds. Earlier nodes are known by their hashes: if no hash repeats, no node does, so
    choices are needed in the same order as in a whole walk, and there are no loops. `best` is empty where nothing was
    chosen. While it runs, its length is that of the whole walk so far.
    """

    def __len__(self) -> int:
        return self.passed + len(self.nodes)

    def _go_on(self, nodes: list[Any], pick: Pick) -> None:
        self.passed = self.moves = 0
        root, ends, behind = nodes[0], set[Amounts](), set[int]()
        while nodes and not (self.dice or self.gains) and behind.isdisjoint(map(hash, nodes)):
            behind.update(map(hash, nodes))
            self.passed += len(nodes)
            self.nodes, self.numbers, self.edges, self.amounts = [], {}, [], {}
            super()._go_on(nodes, pick)
            self.moves += sum(map(len, self.edges))
            ends.update(self.amounts.values())
            self.best.clear()
            nodes = self.nodes
        self.is_whole = not (nodes or self.dice or self.gains)
        self.states, self.passed = self.passed, 0
        self.nodes, self.amounts = [root] * (1 + len(ends)), dict(enumerate(ends, start=1))
        self.edges = [[(end, None) for end in self.amounts], *([] for _ in ends)]
        self.best = {0: set(self.picked[:1])} if self.picked else {}

    def line(self) -> str:
        """The size of the whole walk in words."""
        return f"{self.states:,} states, {self.moves:,} moves, {len(self.picked):,} choices"


class Proven(NamedTuple):
    """Bounds of the value by player's name, their notion, what was checked, and the walks that show best moves."""

    value: Mapping[str, Ends]
    notion: str | None
    lines: list[str]
    shown: Sequence[Walk] = ()
