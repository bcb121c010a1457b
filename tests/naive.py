"""The oracle: slow and obvious answers, straight from the rules, to hold every fast one against.

It shares nothing with the package but the rules protocol. A node is (state, mover,
totals): whose turn it is, and what the moves so far brought each player. Values have
one entry per player and count the whole game. Three ways to find them:

- `Recursion`: backward induction; any number of players, chance, rewards; no loops.
- `Sweeps`: play that is cut off after 0, 1, 2, ... plies, until nothing changes any more;
  loops, no chance, no rewards, constant sum. Also counts the plies of forced wins.
- `Enumeration`: every pair of stationary policies, each solved as a linear system; loops
  and chance, all utilities. Tiny games only. `Judge` says beside it why there may be no value, and
  `Discounted` is the same for rules that discount.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from endsight import CHANCE, Game

Node = tuple[Any, int, tuple]
Policy = str | Callable[[Any], Any]  # a policy that every game has, or a function state -> move


@dataclass(frozen=True)
class Ends:
    """What a node is worth whose value depends on the totals that count: for the least of them, and for the most."""

    lower: Fraction
    upper: Fraction

    def __radd__(self, more: Any) -> "Ends":
        return Ends(self.lower + more, self.upper + more)


class Oracle:
    """A game and what is asked about it; subclasses say `value_of(node)`."""

    MOST_NODES = 3_000

    def __init__(self, game: Game, objective: str = "competitive", utility: str = "payoff", fixed: dict | None = None):
        self.game, self.objective, self.utility = game, objective, utility
        self.fixed: dict[int, Policy] = fixed or {}
        self.players = game.player_count
        self.alternates = not game.gives("to_move")
        self.values: dict[Node, tuple] = {}

    # ---- the game as nodes

    def root(self, position: Any = None) -> Node:
        position = position or self.game.position()
        return (position.state, position.mover, position.so_far)

    def per_player(self, share: Any, mover: int) -> tuple:
        """A payoff or reward with one entry per player."""
        if isinstance(share, tuple):
            return share
        if self.players == 1:
            return (share,)
        if share == 0:
            return (0,) * self.players
        assert self.alternates, "a single number needs alternating players"
        return (share, -share) if mover == 0 else (-share, share)

    def legal(self, node: Node) -> list:
        return list(self.game.moves(node[0]))

    def after(self, node: Node, move: Any) -> Node:
        state, mover, totals = node
        child = self.game.play(state, move)
        gain = self.per_player(self.game.reward(state, move), mover)
        turn = (mover + 1) % self.players if self.alternates else self.game.to_move(child)
        return (child, turn, tuple(a + b for a, b in zip(totals, gain, strict=True)))

    def final(self, node: Node) -> tuple:
        """Everybody's total at the end of the game."""
        state, mover, totals = node
        return tuple(a + b for a, b in zip(totals, self.per_player(self.game.payoff(state), mover), strict=True))

    def reachable(self, root: Node) -> list[Node]:
        nodes = [root]
        seen = {root}
        for node in nodes:
            for move in self.legal(node):
                child = self.after(node, move)
                if child not in seen:
                    seen.add(child)
                    nodes.append(child)
        return nodes

    def endless(self, totals: tuple) -> tuple:
        """Everybody's utility of play that never ends."""
        said = self.game.endless
        paid = said if isinstance(said, tuple) else (said,) * self.players
        return self.worth(tuple(a + b for a, b in zip(totals, paid, strict=True)))

    # ---- the question

    def worth(self, totals: tuple) -> tuple:
        """Everybody's utility of whole-game totals."""
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:i] + totals[i + 1 :]) for i, own in enumerate(totals))
        if self.players == 1:
            par = self.game.par()
            return (Fraction(1) if totals[0] > par else Fraction(1, 2) if totals[0] == par else Fraction(0),)
        winners = [i for i, own in enumerate(totals) if own == max(totals)]
        return tuple(Fraction(1, len(winners)) if i in winners else Fraction(0) for i in range(self.players))

    def interest(self, mover: int, value: tuple) -> Any:
        """What the mover wants as much of as possible."""
        if self.fixed.get(mover) == "worst":
            return -value[mover]
        is_shared = self.objective == "cooperative" and self.fixed.get(mover) != "best"
        return value[0] if is_shared else value[mover]

    def chances(self, node: Node) -> list[tuple[Any, Fraction]] | None:
        """Moves with their probabilities where dice or a random player decide, else None."""
        state, mover, _ = node
        moves = self.legal(node)
        if mover == CHANCE:
            weights = [self.game.weight(state, move) for move in moves]
            return [(move, Fraction(weight, sum(weights))) for move, weight in zip(moves, weights, strict=True)]
        if self.fixed.get(mover) == "random":
            return [(move, Fraction(1, len(moves))) for move in moves]
        return None

    def options(self, node: Node) -> list:
        """The moves a player chooses among: one where a policy is fixed."""
        policy = self.fixed.get(node[1])
        if policy in ("greedy", "lookahead"):
            return [self.foreseen(node, 1 if policy == "greedy" else 2, is_lead=policy == "lookahead")[1]]
        return [policy(node[0])] if callable(policy) else self.legal(node)

    def foreseen(self, node: Node, plies: int, *, is_lead: bool) -> tuple[tuple, Any]:
        """Everybody's mean totals after so many decisions, each for the own total or lead, and the first decision."""
        moves, mover = self.legal(node), node[1]
        if not moves or (plies == 0 and mover != CHANCE):
            return (node[2] if moves else self.final(node)), None
        left = plies if mover == CHANCE else plies - 1
        after = [self.foreseen(self.after(node, move), left, is_lead=is_lead)[0] for move in moves]
        if mover == CHANCE:
            weights = [self.game.weight(node[0], move) for move in moves]
            return mean([(Fraction(w, sum(weights)), totals) for w, totals in zip(weights, after, strict=True)]), None
        gained = [tuple(a - b for a, b in zip(totals, node[2], strict=True)) for totals in after]
        interests = [own[mover] - max(own[:mover] + own[mover + 1 :], default=0) * is_lead for own in gained]
        place = interests.index(max(interests))
        return after[place], moves[place]

    # ---- answers

    def value_of(self, node: Node) -> tuple:
        raise NotImplementedError

    def value(self, position: Any = None) -> tuple:
        return self.value_of(self.root(position))

    def through(self, node: Node, move: Any) -> tuple:
        """Value of making that move."""
        return self.value_of(self.after(node, move))

    def move_values(self, position: Any = None) -> list[tuple[Any, tuple]]:
        """Every legal move with its value, in the order of the rules."""
        node = self.root(position)
        return [(move, self.through(node, move)) for move in self.legal(node)]

    def fewest_moves(self, position: Any = None) -> int | None:
        """How few moves, each of best value, lead to an end; for one player without chance."""
        return self.fewest_from(self.root(position))

    def fewest_from(self, node: Node) -> int | None:
        """The same from a node."""
        nodes = [node]
        seen = {*nodes}
        for moves in range(self.MOST_NODES):
            if not all(map(self.legal, nodes)):
                return moves
            after = {self.after(n, m) for n in nodes for m in self.legal(n) if self.through(n, m) == self.value_of(n)}
            nodes = [*(after - seen)]
            seen |= after
            if not nodes:
                break
        return None

    def best_moves(self, position: Any = None) -> list:
        """All moves of the highest interest of the player to move."""
        mover = self.root(position)[1]
        interests = [(move, self.interest(mover, value)) for move, value in self.move_values(position)]
        return [move for move, interest in interests if interest == max(interest for _, interest in interests)]


class Recursion(Oracle):
    """Backward induction. Ties go to the first move, which matters to the others' values only."""

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self.values[node] = self._value_of(node)
        return self.values[node]

    def _value_of(self, node: Node) -> tuple:
        if not self.legal(node):
            return self.worth(self.final(node))
        chances = self.chances(node)
        if chances is None:
            return self.through(node, self.chosen(node))
        return mean([(chance, self.through(node, move)) for move, chance in chances])

    def chosen(self, node: Node) -> Any:
        """The first move of the best value (a game won or lost may have a shorter way: see `Sweeps`)."""
        return max(self.options(node), key=lambda move: self.interest(node[1], self.through(node, move)))

    def outcomes(self, node: Node | None = None) -> dict[tuple, Fraction]:
        """Everybody's totals with their probabilities when every choice is the first best move."""
        node = node or self.root()
        if not self.legal(node):
            return {self.final(node): Fraction(1)}
        result: dict[tuple, Fraction] = {}
        for move, chance in self.chances(node) or [(self.chosen(node), Fraction(1))]:
            for totals, rest in self.outcomes(self.after(node, move)).items():
                result[totals] = result.get(totals, Fraction(0)) + chance * rest
        return result

    def distribution(self, player: int = 0, position: Any = None) -> dict:
        """What one player gets with which probability, in increasing order."""
        outcomes = self.outcomes(self.root(position))
        amounts = sorted({totals[player] for totals in outcomes})
        return {amount: sum(chance for t, chance in outcomes.items() if t[player] == amount) for amount in amounts}

    def plies(self, node: Node | None = None) -> Fraction:
        """Mean number of moves that players make (chance outcomes are not counted)."""
        node = node or self.root()
        if not self.legal(node):
            return Fraction(0)
        own = 0 if node[1] == CHANCE else 1
        ways = self.chances(node) or [(self.chosen(node), Fraction(1))]
        return own + sum(chance * self.plies(self.after(node, move)) for move, chance in ways)


class Sweeps(Oracle):
    """Play that is cut off after k plies pays like endless play; k grows until nothing changes."""

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self._sweep(node)
        return self.values[node]

    def distance(self, position: Any = None) -> int | None:
        """Plies to a forced win or loss; None for a draw. For games only won, drawn or lost."""
        node = self.root(position)
        self.value_of(node)
        return self.reached[node]

    def _sweep(self, root: Node) -> None:
        """Values of all nodes from the root on, into `values`, and how many plies they took, into `reached`."""
        nodes = self.reachable(root)
        assert all(node[1] != CHANCE and not any(node[2]) for node in nodes), "no chance, no rewards"
        endless = self.endless((0,) * self.players)
        values = {node: endless if self.legal(node) else self.worth(self.final(node)) for node in nodes}
        self.reached = {node: 0 if values[node] != endless else None for node in nodes}
        for plies in range(1, len(nodes) + 1):
            longer = {node: self._one_ply(node, values) for node in nodes}
            for node in nodes:
                if longer[node] != values[node]:
                    self.reached[node] = plies
            if longer == values:
                break
            values = longer
        assert longer == values, "a forced win never visits a node twice"
        self.values.update(values)

    def _one_ply(self, node: Node, values: dict) -> tuple:
        """The value of a node where play is cut off one ply later than for `values`."""
        if not self.legal(node):
            return values[node]
        return max(
            (values[self.after(node, move)] for move in self.options(node)), key=lambda v: self.interest(node[1], v)
        )


INFINITE = float("inf")


class Undefined(Exception):
    """No value: the first entry of `args` says why."""


class NoLoops(Exception):
    """Play always ends."""


class Enumeration(Oracle):
    """The best over all stationary policies of one side of the worst over all of the other.

    Play that never ends pays 0 on top of what was gained. Everybody must be after more, or
    less, of one player's amount, and have a value: see `Judge`. Values have None for players
    whose amount is not told by the one that counts.

    amount  the player whose amount counts
    last    which total counts, of those that endless play comes by again and again: `min` or `max`
    tracks  whether nodes keep totals, because the utility is no sum of what moves bring
    rounds  what last loops that pay bring that player each time round, in the mean
    """

    last: Any = min

    def __init__(self, *asked: Any, **more: Any):
        super().__init__(*asked, **more)
        pays = self.game.gives("reward")
        self.tracks = pays and (self.utility == "win" or (self.utility == "lead" and self.players > 2))
        self.amount = 0
        self.rounds: set[Fraction] = set()

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self._enumerate(node)
        return self.values[node]

    # ---- nodes: totals are kept only where they count, and as far as they do

    def root(self, position: Any = None) -> Node:
        state, mover, totals = super().root(position)
        return (state, mover, self.kept(totals))

    def kept(self, totals: tuple) -> tuple:
        """The totals as far as they count: with several players, only how far each is ahead of the last."""
        if not self.tracks:
            return (0,) * self.players
        return totals if self.players == 1 else tuple(each - min(totals) for each in totals)

    def after(self, node: Node, move: Any) -> Node:
        state, mover, totals = super().after(node, move)
        return (state, mover, self.kept(totals))

    def gain(self, node: Node, move: Any) -> tuple:
        """What a move adds to the values of what follows."""
        if self.tracks:
            return (0,) * self.players
        gained = self.per_player(self.game.reward(node[0], move), node[1])
        return self.worth(gained) if self.utility == "lead" else gained

    def through(self, node: Node, move: Any) -> tuple:
        return added(self.gain(node, move), super().through(node, move))

    def played(self, node: Node) -> list:
        """The moves that play may make at a node: one where a policy is fixed."""
        return self.options(node) if self.legal(node) and self.chances(node) is None else self.legal(node)

    def reachable(self, root: Node) -> list[Node]:
        nodes = [root]
        seen = {root}
        for node in nodes:
            for child in (self.after(node, move) for move in self.played(node)):
                if child not in seen:
                    seen.add(child)
                    nodes.append(child)
            if len(nodes) > self.MOST_NODES:
                raise Undefined("infinite")
        return nodes

    # ---- sides

    def decides(self, node: Node) -> bool:
        """Whether the mover has a choice there."""
        return self.chances(node) is None and len(self.played(node)) > 1

    def target(self, node: Node) -> int:
        """The player whose amount the mover is after."""
        return 0 if self.objective == "cooperative" and self.fixed.get(node[1]) not in ("best", "worst") else node[1]

    def side(self, node: Node) -> int:
        """+1 for more of the amount, -1 for less."""
        direction = -1 if self.fixed.get(node[1]) == "worst" else 1
        return direction if self.target(node) == self.amount else -direction

    def total(self, nodes: list[Node]) -> Any:
        """What all get together wherever play ends."""
        sums = [sum(self.worth(self.final(node))) for node in nodes if not self.legal(node)]
        return (sums or [sum(self.endless((0,) * self.players))])[0]

    # ---- values

    def _enumerate(self, root: Node) -> None:
        """Values of all nodes from the root on, into `values`."""
        nodes = self.reachable(root)
        choosing = [node for node in nodes if self.legal(node) and self.chances(node) is None]
        up = [node for node in choosing if not self.decides(node) or self.side(node) == 1]
        down = [node for node in choosing if node not in up]
        best: dict[Node, Any] = {}
        for mine in product(*map(self.options, up)):
            worst: dict[Node, Any] = {}
            for theirs in product(*map(self.options, down)):
                policy = dict(zip(up + down, mine + theirs, strict=True))
                for node, value in self._evaluate(nodes, policy).items():
                    worst[node] = min(value, worst.get(node, value))
            for node, value in worst.items():
                best[node] = max(value, best.get(node, value))
        total = self.total(nodes)
        self.values.update({node: self._row(value, total) for node, value in best.items()})

    def _row(self, value: Fraction, total: Any) -> tuple:
        """Everybody's value, from the amount that counts and what all get together."""
        if self.players == 2 and total is not None:
            return (value, total - value) if self.amount == 0 else (total - value, value)
        return tuple(value if player == self.amount else None for player in range(self.players))

    def _evaluate(self, nodes: list[Node], policy: dict) -> dict[Node, Fraction]:
        """The amount that counts, at every node when all moves are fixed."""
        known = {n: Fraction(self.worth(self.final(n))[self.amount]) for n in nodes if not self.legal(n)}
        steps = {
            node: [
                (chance, self.after(node, move), self.gain(node, move)[self.amount])
                for move, chance in self.chances(node) or [(policy[node], Fraction(1))]
            ]
            for node in nodes
            if node not in known
        }
        finishing = set(known)
        while more := {n for n in steps if n not in finishing and any(c in finishing for _, c, _ in steps[n])}:
            finishing |= more
        for node in steps.keys() - finishing:
            # No end can be reached; play that comes back from wherever it gets to is on its last loop.
            around = met(node, lambda n: {child for _, child, _ in steps[n]})
            if all(node in met(other, lambda n: {child for _, child, _ in steps[n]}) for other in around):
                known[node] = self.last(Fraction(self.endless(other[2])[self.amount]) for other in around)
                if any(gain for other in around for _, _, gain in steps[other]):
                    first, *rest = sorted(around, key=str)
                    gain = solve({other: steps[other] for other in rest} | {None: steps[first]}, {first: Fraction(0)})
                    self.rounds.add(gain[None])
                    known[node] = INFINITE if gain[None] > 0 else -INFINITE
        infinite = {node: value for node, value in known.items() if abs(value) == INFINITE}
        while more := {n: infinite[c] for n in steps for _, c, _ in steps[n] if n not in infinite and c in infinite}:
            infinite |= more
        known |= infinite
        return known | solve({node: row for node, row in steps.items() if node not in known}, known)


class Judge(Enumeration):
    """The same, after all subsets of nodes were tried for loops: raises `Undefined` where there is no value.

    `swings` says whether totals go up and down on a loop, so that they must be told not to matter.
    """

    swings = False

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            reason = self.why(node)
            if reason:
                raise Undefined(reason)
        return super().value_of(node)

    def why(self, root: Node) -> str | None:
        """`infinite`, `pays`, `changing`, `not opposed`, `both`; None where there is a value."""
        try:
            nodes = self.reachable(root)
        except Undefined as reason:
            return str(reason)
        ways = {node: {self.after(node, move) for move in self.played(node)} for node in nodes}
        going = [node for node in nodes if node in met(node, ways.__getitem__)]
        if not going:
            raise NoLoops("ask Recursion about games without loops")
        loops = list(self.loops(going, ways))
        if self._pays_for_ever(root, going, ways, loops):
            return "pays"
        self.swings = any(len({self.endless(node[2]) for node in loop}) > 1 for loop in loops)
        self.sum = self.constant(nodes, loops)
        deciding = [node for node in nodes if self.decides(node)]
        targets = set(map(self.target, deciding))
        opposed = self.players == 2 and self.sum is not None
        if len(targets) > 1 and not opposed:
            return "not opposed"
        self.amount = targets.pop() if len(targets) == 1 and not opposed and self.players > 1 else 0
        has_chance = any(self.legal(node) and self.chances(node) for node in nodes)
        for loop in loops:
            sides = {self.side(node) for node in loop if node in deciding}
            if has_chance and len(sides) > 1 and len({self.endless(node[2]) for node in loop}) > 1:
                return "both"
        # Where nobody decides anything, nobody's amount comes first.
        amounts = [self.amount] if deciding or opposed else [*range(self.players)]
        return "changing" if self.swings and self._hinges(root, amounts) else None

    def _pays_for_ever(self, root: Node, going: list[Node], ways: dict, loops: list) -> bool:
        """Whether loops that pay leave the root without a finite value, or pay now this side, now that.

        Other nodes may be worth an infinite amount, if none is worth the opposite.
        """
        gains: dict[Node, set] = {node: set() for node in going}
        for loop in loops:
            for node in loop:
                gains[node] |= {self.gain(node, m) for m in self.played(node) if self.after(node, m) in loop}
        if not any(any(map(any, gained)) for gained in gains.values()):
            return False
        self.sum = self.constant([*ways], loops)
        if self.players > 1 and (self.players > 2 or self.sum is None) and not self._are_paid_alike([*ways], loops):
            return True
        mixed = False
        for node in going:
            around = [other for other in met(node, ways.__getitem__) if node in met(other, ways.__getitem__)]
            amounts = [gained[0] for other in around for gained in gains[other]]
            is_mixed = min(amounts, default=0) < 0 < max(amounts, default=0)
            if is_mixed and not self._is_alone([*ways]):
                return True
            mixed = mixed or is_mixed
        self._enumerate(root)
        sides = [self.side(node) for node in ways if self.decides(node)] or [1]
        if mixed and any(sides[0] * gain >= 0 for gain in self.rounds):
            return True
        amounts = {row[self.amount] for row in self.values.values()}
        if abs(self.values[root][self.amount]) == INFINITE or {INFINITE, -INFINITE} <= amounts:
            self.values.clear()
            return True
        return False

    def _are_paid_alike(self, nodes: list[Node], loops: list) -> bool:
        """Whether all players get the same, whatever happens, and all who decide want more of it."""
        rows = {self.worth(self.final(node)) for node in nodes if not self.legal(node)}
        rows |= {self.endless(node[2]) for loop in loops for node in loop} | {self.endless(nodes[0][2])}
        rows |= {tuple(self.gain(node, move)) for node in nodes for move in self.played(node)}
        deciding = [node for node in nodes if self.decides(node)]
        targets, is_worst = {*map(self.target, deciding)}, any(self.fixed.get(node[1]) == "worst" for node in deciding)
        if len(targets) > 1 or is_worst or any(len({*row}) > 1 for row in rows):
            return False
        self.amount = max(targets, default=0)
        return True

    def _is_alone(self, nodes: list[Node]) -> bool:
        """Whether one side decides all, and all that is told is one amount."""
        return len({self.side(node) for node in nodes if self.decides(node)}) < 2

    def _hinges(self, root: Node, amounts: list[int]) -> bool:
        """Whether all these amounts of the root depend on which total counts of those that endless play comes by.

        Solved for the least of them that comes again and again, and for the most. Both are games in which positional
        policies are best (Maitra and Sudderth 1996; Gimbert and Zielonka 2004), so trying those is enough.
        Nodes whose value depends on it keep both as the ends of an interval.
        """
        rows: dict[Node, tuple] = {}
        for self.amount in amounts:
            found = []
            for self.last in (min, max):
                self.values = {}
                self._enumerate(root)
                found.append(self.values)
            least, most = found
            for node, row in least.items():
                ends = tuple(map(spanned, row, most[node]))
                rows[node] = tuple(b if a is None else a for a, b in zip(rows.get(node, ends), ends, strict=True))
        self.values = rows
        return all(isinstance(rows[root][amount], Ends) for amount in amounts)

    def total(self, nodes: list[Node]) -> Any:
        return self.sum

    def loops(self, going: list[Node], ways: dict) -> Any:
        """Every set of nodes in which play can be kept for ever, and go about: all subsets are tried."""
        assert len(going) <= 13, "too many subsets"
        for chosen in product((False, True), repeat=len(going)):
            loop = {node for node, is_in in zip(going, chosen, strict=True) if is_in}
            stays = all((ways[node] <= loop) if self.chances(node) else (ways[node] & loop) for node in loop)
            if loop and stays and all(met(node, lambda n, loop=loop: ways[n] & loop) == loop for node in loop):
                yield loop

    def constant(self, nodes: list[Node], loops: list) -> Any:
        """What all get together, whatever happens; None where that depends on it."""
        sums = {sum(self.worth(self.final(node))) for node in nodes if not self.legal(node)}
        sums |= {sum(self.endless(node[2])) for loop in loops for node in loop}
        gains = {sum(self.gain(node, move)) for node in nodes for move in self.played(node)}
        return sums.pop() if len(sums) == 1 and gains <= {0} else None


class Discounted(Enumeration):
    """The same where rules discount; values count from the node on, and moves of players lead to less."""

    def _enumerate(self, root: Node) -> None:
        targets = {self.target(node) for node in self.reachable(root) if self.decides(node)}
        self.amount = targets.pop() if len(targets) == 1 else 0
        super()._enumerate(root)

    def total(self, nodes: list[Node]) -> Any:
        sums = {sum(self.worth(self.final(node))) for node in nodes if not self.legal(node)}
        sums |= {sum(self.gain(node, move)) for node in nodes for move in self.played(node)}
        return 0 if self.players == 2 and sums <= {0} else None

    def through(self, node: Node, move: Any) -> tuple:
        rate = 1 if node[1] == CHANCE else self.game.discount
        return tuple(
            None if value is None else gain + rate * value
            for gain, value in zip(self.gain(node, move), self.value_of(self.after(node, move)), strict=True)
        )

    def _evaluate(self, nodes: list[Node], policy: dict) -> dict[Node, Fraction]:
        known = {n: Fraction(self.worth(self.final(n))[self.amount]) for n in nodes if not self.legal(n)}
        steps: dict[Node, list] = {}
        for node in nodes:
            rate = 1 if node[1] == CHANCE else self.game.discount
            for move, chance in [] if node in known else self.chances(node) or [(policy[node], Fraction(1))]:
                gain = Fraction(self.gain(node, move)[self.amount]) / rate
                steps.setdefault(node, []).append((chance * rate, self.after(node, move), gain))
        finishing = known.keys() | {node for node in steps if node[1] != CHANCE}
        while more := {n for n in steps if n not in finishing and any(c in finishing for _, c, _ in steps[n])}:
            finishing |= more
        reached = {node: met(node, lambda n: {child for _, child, _ in steps[n]}) for node in steps.keys() - finishing}
        # Chance alone goes round for ever where everything that follows a node leads back to it.
        going = {node for node, after in reached.items() if all(node in reached[child] for child in after)}
        if any(gain for node in going for _, _, gain in steps[node]):
            raise Undefined("pays")
        known |= dict.fromkeys(going, Fraction(0))
        return known | solve({node: row for node, row in steps.items() if node not in known}, known)


def met(start: Any, ways: Callable[[Any], set]) -> set:
    """All that can be got to in one step or more."""
    found: set = set()
    queue = [start]
    for node in queue:
        new = ways(node) - found
        found |= new
        queue += new
    return found


def spanned(one: Any, other: Any) -> Any:
    """One number, or two of them as ends."""
    return one if one == other else Ends(min(one, other), max(one, other))


def added(one: tuple, other: tuple) -> tuple:
    return tuple(None if b is None else a + b for a, b in zip(one, other, strict=True))


def mean(weighted: list[tuple[Fraction, tuple]]) -> tuple:
    """Entry by entry."""
    return tuple(sum(chance * value[i] for chance, value in weighted) for i in range(len(weighted[0][1])))


def solve(steps: dict, known: dict) -> dict[Any, Fraction]:
    """v(node) = sum of chance * (gain + v(child)), by Gaussian elimination on exact fractions."""
    unknown = list(steps)
    column = {node: i for i, node in enumerate(unknown)}
    rows = []
    for node in unknown:
        row = [Fraction(0)] * (len(unknown) + 1)
        row[column[node]] += 1
        for chance, child, gain in steps[node]:
            row[-1] += chance * gain
            if child in known:
                row[-1] += chance * known[child]
            else:
                row[column[child]] -= chance
        rows.append(row)
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i] != 0:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return {node: rows[column[node]][-1] for node in unknown}
