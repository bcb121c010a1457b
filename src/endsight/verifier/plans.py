"""What two players secure who see different things, or move at once: two plans, checked against best replies.

A plan spreads a whole number, its total, over the player's ways to play: the mass that reaches an information set is
shared among the moves there. The verifier finds information sets again, by a walk of all histories with a stack, and
calculates in whole numbers. The proof is in `docs/reference/certificate-format.md`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from endsight.base.faults import Wrong
from endsight.game.exact import Number
from endsight.game.results import opening
from endsight.verifier.at_once import own_moves
from endsight.verifier.walk import MOST_PLIES, Proven, Terms
from endsight.verifier.words import SECURED


class _Point(NamedTuple):
    """A point of play: a node, its chance, and for either player (view, last thing seen, last sequence)."""

    node: Any
    chance: Fraction
    standing: Sequence[tuple[int, Any, int]]
    plies: int


class _Side:
    """What a walk finds of one player: views, information sets, the masses of the plan, and the worth of replies.

    A sequence is an own move at an information set; number 0 stands for none. `sets` has by view (the sequence
    before, the sequences by move), and `around` the sets that hold histories outside of the subgame; `replies` has by
    (sequence, denominator) what the ends after it pay the first player, weighted by chance and the other's masses.
    """

    def __init__(self, total: int, masses: Sequence[int], around: _Side | None = None) -> None:
        self.masses, self.given = [total], iter(masses)
        self.views: dict[Any, int] = around.views if around else {}
        self.around = around.sets if around else {}
        self.sets: dict[int, tuple[int, dict[Any, int]]] = {}
        self.replies: dict[tuple[int, int], int] = defaultdict(int)

    def view(self, before: int, kind: str, thing: Any) -> int:
        """The number of the view after something was seen or done."""
        return self.views.setdefault((before, kind, thing), len(self.views) + 1)

    def asked(self, view: int, sequence: int, moves: list[Any]) -> dict[Any, int]:
        """The sequences of a view's information set; its masses are read at the first visit."""
        if view in self.around:
            raise Wrong("the position starts no subgame: an information set extends outside it")
        if view not in self.sets:
            arriving = self.masses[sequence]
            takes = arriving > 0 and len(moves) > 1
            masses = [next(self.given, -1) if takes else arriving for _ in moves]
            if min(masses) < 0 or (takes and sum(masses) != arriving):
                raise Wrong(f"a plan's masses at information set {len(self.sets)} do not add up to what arrives there")
            self.sets[view] = sequence, {move: len(self.masses) + place for place, move in enumerate(moves)}
            self.masses += masses
        if self.sets[view][1].keys() != set(moves):
            raise Wrong("a player who has seen and done the same has different moves")
        return self.sets[view][1]

    def best(self, choose: Callable[[Iterable[int]], int]) -> Fraction:
        """The first player's payoff under this player's best reply, times the total of the other's plan."""
        unit = lcm(*(below for _, below in self.replies))
        worth = [0] * len(self.masses)
        for (sequence, below), amount in self.replies.items():
            worth[sequence] += amount * (unit // below)
        for before, own in reversed(self.sets.values()):
            worth[before] += choose([worth[sequence] for sequence in own.values()])
        return Fraction(worth[0], unit)


def by_plans(view: Terms, plans: Any) -> Proven:
    """What each of two plans secures against a best reply."""
    claim = view.claim
    if view.players != 2 or claim.objective != "competitive" or claim.fixed:
        raise Wrong("plans need two rivals without fixed policies")
    if claim.set_up is not None or claim.outcomes is not None:
        raise Wrong("plans are for positions after moves from the start, and prove no outcomes")
    whole, around = Terms(view.game, claim, {}, view.deadline, whole=True), (_Side(0, ()), _Side(0, ()))
    here, (one, other) = _position(whole, around), (plans.first, plans.second)
    sides = _Side(one.total, one.masses, around[0]), _Side(other.total, other.masses, around[1])
    sums = Counter(map(sum, _ends(whole, sides, [here])))
    if len(sums) != 1:
        raise Wrong("the two players do not get the same sum at every end")
    if any(next(side.given, None) is not None for side in sides):
        raise Wrong("a plan has more masses than its information sets need")
    low, high = sides[1].best(min) / plans.first.total, sides[0].best(max) / plans.second.total
    ((total, ends),), (first, second) = sums.items(), view.names
    counts = " and ".join(f"{len(side.sets):,}" for side in sides)
    line = f"plans: {ends:,} ends, {counts} information sets, a best reply to each plan"
    # A player who mixes need not win.
    view.chance_seen = True
    return Proven({first: (low, high), second: (total - high, total - low)}, SECURED, [line])


def _position(view: Terms, around: tuple[_Side, _Side]) -> _Point:
    """The history of the claim's moves, as the start of a game; `around` collects all histories outside of that."""
    here = _Point(view.node(*opening(view.game), (0, 0)), Fraction(1), ((0, None, 0), (0, None, 0)), 0)
    for text in view.claim.position.split():
        moves, weights = view.options(here.node)
        further = _further(view, around, here, moves, weights)
        here = further.pop(moves.index(view.game.parse_move(here.node[0], text)))
        for _ in _ends(view, around, further):
            pass
    return here._replace(chance=Fraction(1), standing=[(number, seen, 0) for number, seen, _ in here.standing])


def _ends(view: Terms, sides: tuple[_Side, _Side], waiting: list[_Point]) -> Iterator[Sequence[Number]]:
    """The payoff of every end, in the order of the rules; the walk also finds all information sets and replies."""
    while waiting:
        view.look_at_clock()
        here = waiting.pop()
        if here.plies > MOST_PLIES:
            raise Wrong(f"play does not end within {MOST_PLIES:,} plies")
        moves, weights = view.options(here.node)
        if moves:
            waiting += reversed(_further(view, sides, here, moves, weights))
            continue
        yield (amounts := view.final(here.node))
        sequences = [sequence for _, _, sequence in here.standing]
        for own, other in ((0, 1), (1, 0)):
            if mass := sides[other].masses[sequences[other]]:
                worth = here.chance * mass * amounts[0]
                sides[own].replies[sequences[own], worth.denominator] += worth.numerator


def _further(
    view: Terms, sides: tuple[_Side, _Side], here: _Point, moves: list[Any], weights: list[int] | None
) -> list[_Point]:
    """The histories after each outcome of chance, or each move of one player, or of both at once."""
    standing = list(here.standing)
    for player, (side, (number, last, sequence)) in enumerate(zip(sides, here.standing, strict=True)):
        if (seen := view.game.sees(here.node[0], player)) != last:
            standing[player] = side.view(number, "saw", seen), seen, sequence
    parts = {} if weights else own_moves(here.node, moves)
    asked = {who: sides[who].asked(standing[who][0], standing[who][2], each) for who, each in parts.items()}
    found = []
    for move, weight in zip(moves, weights or [1] * len(moves), strict=True):
        then = list(standing)
        # Nobody, where chance draws.
        for who, part in zip(asked, move if len(asked) > 1 else (move,), strict=False):
            number, seen, _ = standing[who]
            then[who] = sides[who].view(number, "did", part), seen, asked[who][part]
        chance = here.chance * Fraction(weight, sum(weights)) if weights else here.chance
        found.append(_Point(view.after(here.node, move)[0], chance, then, here.plies + 1))
    return found
