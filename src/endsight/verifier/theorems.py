"""The value of a position by a theorem, computed again from the theorem's statement alone.

There is one function per theorem, named after it:

    theorem(view, **witness) -> values

From the position and the rules of its game, it returns the value of the whole game per player, in order of their
numbers and in the units of the claim's utility. It raises `Wrong` where the theorem does not apply or the witness
does not hold. Each function is short enough to read in one go beside the page about the theorem.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import factorial
from operator import xor
from typing import Any

from endsight.base.faults import Wrong
from endsight.game import Game
from endsight.game.exact import Number
from endsight.games import is_built_in
from endsight.verifier.walk import Amounts, Proven, Terms


def by_theorem(view: Terms, evidence: Any) -> Proven:
    """The values that a theorem's checker finds, with the evidence that it asks for."""
    name, title = evidence.theorem, view.game.title()
    checker = CHECKERS.get((title, name)) if is_built_in(view.game) else None
    if checker is None:
        raise Wrong(f"the theorem {name:.60} is not about {title}")
    are_free = not view.claim.fixed and (view.players == 1 or view.claim.objective == "competitive")
    demand(are_free, "this is about free rivals")
    try:
        values = tuple(map(Fraction, checker(view, **evidence.witness)))
    except TypeError as error:
        raise Wrong(f"the witness of {name} does not have the form that its checker needs", found=str(error)) from None
    line = f"theorem {name}: its checker finds the value, with {len(evidence.witness)} items of evidence"
    return Proven({player: (own, own) for player, own in zip(view.names, values, strict=True)}, None, [line])


def demand(holds: bool, otherwise: str) -> None:
    """Raise `Wrong` with that reason unless the condition holds."""
    if not holds:
        raise Wrong("the theorem does not prove the claim", found=otherwise)


# ---------------------------------------------------------------------- pots in a line


def stack_reduction(view: Terms) -> Amounts:
    """Reduce the line to a valley and take that apart in falling order; both players want their own gold."""
    pots = view.game.values()["pots"][view.state.left : view.state.right]
    line = list[int]()
    for gold in pots:
        line.append(gold)
        while len(line) > 2 and line[-3] <= line[-2] >= line[-1]:
            line[-3:] = [line[-3] - line[-2] + line[-1]]
    valley = sorted(line, reverse=True)
    lead = sum(valley[::2]) - sum(valley[1::2])
    gold = [Fraction(sum(pots) - lead, 2)] * 2
    gold[view.mover] += lead
    return view.worth((view.so_far[0] + gold[0], view.so_far[1] + gold[1]))


# ---------------------------------------------------------------------- nim


def nim_sum(view: Terms) -> Amounts:
    """Who wins: the player to move if the sum is not 0; by parity at the end of a game lost by the last object."""
    heaps = view.game.heaps_of(view.state)  # type: ignore[attr-defined]
    wins = reduce(xor, heaps, 0) != 0
    if view.game.values()["misere"] and max(heaps, default=0) < 2:
        wins = sum(heaps) % 2 == 0
    return view.worth((1, -1) if wins == (view.mover == 0) else (-1, 1))


# ---------------------------------------------------------------------- dominoes


def dominoes_openings(view: Terms) -> Amounts:
    """The first player's win from the empty line.

    The first player lays 0-0. Whatever fresh value y the reply 0-y goes to, the answer is y-y.
    Then {0, y} is an even kernel: 0-0, 0-y and y-y are used, so that no unused tile is inside,
    and from every other value both tiles into it are unused.
    """
    demand(view.state.used == 0, "the opening theorem is about the empty line")
    return view.worth((1, -1))


def even_kernel(view: Terms, lost: list[Any], move: str | None = None) -> Amounts:
    """Who wins: the player to move, by `move`, if given; else the other. `lost` shows that the next player loses."""
    demand(view.state.used != 0, "kernels are about a line of at least one tile")
    state, first_wins = view.state, view.mover == 1
    if move is not None:
        state = _after(view.game, state, int(move.partition("-")[2]))
        first_wins = not first_wins
    evidence: Iterator[dict[str, Any]] = iter(lost)
    waiting, shown = [state], set()
    while waiting:
        state = waiting.pop()
        if state not in shown:
            shown.add(state)
            waiting += _followed(view.game, state, next(evidence, {}))
    demand(next(evidence, None) is None, "there is more evidence than positions")
    return view.worth((1, -1) if first_wins else (-1, 1))


def _after(game: Game, state: Any, tail: int) -> Any:
    move = state.tail * game.values()["n"] + tail
    demand(move in set(game.moves(state)), f"no tile leads from {state.tail} to {tail} after {game.show(state)}")
    return game.play(state, move)


def _followed(game: Game, state: Any, evidence: dict[str, Any]) -> list[Any]:
    """Positions that must be lost too for `state` to be lost: none with a kernel, else one after each move."""
    ((kind, members),) = evidence.items() if len(evidence) == 1 else (("nothing", ()),)
    if kind == "answers":
        afters = [game.play(state, move) for move in game.moves(state)]
        demand(len(afters) == len(members), f"not one answer to each move after {game.show(state)}")
        return [_after(game, after, answer) for after, answer in zip(afters, members, strict=True)]
    demand(kind in ("kernel", "growing kernel"), f"no evidence for {game.show(state)}")
    n, tile = game.values()["n"], game.tile  # type: ignore[attr-defined]
    free = [{b for b in range(n) if not state.used >> tile(a, b) & 1} for a in range(n)]
    kernel, outside = set(members), set(range(n)) - set(members)
    demand(state.tail in kernel and not any(free[v] & kernel for v in kernel), f"{kind}: the tail, and no tile inside")
    odd = {value for value in outside if len(free[value] & kernel) % 2}
    demand(not odd or kind == "growing kernel", f"{kind}: odd values {sorted(odd)[:3]} outside")
    used_doubles = {value for value in outside if value not in free[value]}
    while odd:
        # The double of every value connected with an odd value outside must be unused.
        part = {value for value in outside if value in odd or free[value] & odd}
        demand(not part & used_doubles, f"{kind}: an odd value is connected with a used double")
        odd = part if part != odd else set()
    return []


# ---------------------------------------------------------------------- high cards


def smallest_sufficient(view: Terms) -> Amounts:
    """Expected score, or the chance of more than half (exactly half counts 1/2)."""
    demand(view.utility in ("payoff", "win"), "this is about points, or more than half of them")
    view.chance_seen = True
    game, state = view.game, view.state
    known = sorted(card for card in game.values()["rival"][state.turn :] if card is not None)
    hand = sorted(game.in_hand(state))  # type: ignore[attr-defined]
    spare, wins = [], 0
    for card in hand:
        if wins < len(known) and known[wins] < card:
            wins += 1
        else:
            spare.append(card)
    kept = spare[len(known) - wins :] + list(game.queue(state))  # type: ignore[attr-defined]
    hidden = sorted(game.hidden(state))  # type: ignore[attr-defined]
    demand(len(kept) == len(hidden), "every card kept must meet one of the unknown cards")
    worths = [view.worth((view.so_far[0] + wins + more,))[0] for more in range(len(kept) + 1)]
    return (_mean(sorted(bisect_left(hidden, card) for card in kept), worths),)


def _mean(below: list[int], worths: list[Number]) -> Fraction:
    """The mean of `worths` by number of wins, where card number i beats `below[i]` of the cards that it may meet.

    The ways to place k rooks (Kaplansky and Riordan 1946) times (n - k)! count the arrangements with each set of k
    wins. Newton's series gives the worth as a sum of its differences, each times the number of sets of k wins.
    """
    rooks = [1]
    for cells in below:
        rooks = [a + b * (cells + 1 - n) for n, (a, b) in enumerate(zip([*rooks, 0], [0, *rooks], strict=True))]
    total: Number = 0
    for number, count in enumerate(rooks):
        total += worths[0] * count * factorial(len(below) - number)
        worths = [more - less for less, more in pairwise(worths)]
    return Fraction(total, factorial(len(below)))


# ---------------------------------------------------------------------- all of them

CHECKERS: Mapping[tuple[str, str], Callable[..., Amounts]] = {
    ("dominoes", "dominoes_openings"): dominoes_openings,
    ("dominoes", "even_kernel"): even_kernel,
    ("highcard", "smallest_sufficient"): smallest_sufficient,
    ("nim", "nim_sum"): nim_sum,
    ("pots", "stack_reduction"): stack_reduction,
}
"""The theorems with a checker, by built-in game."""
