"""What a position is worth by a theorem, found again from the theorem's words alone.

There is one function a theorem, named after it:

    theorem(position, claim, **witness) -> values

It gives the value of the whole game per player in order of their numbers, in the units of
the claim's utility, from the standard library and the rules of its game, and raises
`Refuted` where the theorem does not apply or the witness does not hold. Each is short
enough to be read in one go beside the page about the theorem.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from inspect import signature
from itertools import pairwise
from math import factorial, perm, prod
from operator import xor
from typing import Any

from endsight.game import Game, Position
from endsight.games import is_built_in
from endsight.verifier.claims import Claim

__all__ = ["CHECKERS", "WITH_CHANCE", "Refuted", "settle"]

Values = tuple[Fraction, ...]


WITH_CHANCE = {"bigger_end", "face_counts", "repeat_columns", "smallest_sufficient"}
"""Theorems about games with chance, in which nobody wins for sure."""


class Refuted(Exception):
    """Evidence does not prove what it is said to prove; the message says where."""


def settle(theorem: str, position: Position, claim: Claim, witness: Mapping[str, Any]) -> Values:
    """What `theorem` says the whole game is worth per player, with the evidence that it asks for."""
    title = position.game.title()
    found = [each for each in CHECKERS.get(title, ()) if each.__name__ == theorem and is_built_in(position.game)]
    demand(len(found) == 1, f"{theorem:.60} is not about {title}")
    try:
        signature(found[0]).bind(position, claim, **witness)
    except TypeError as error:
        raise Refuted(f"the witness of {theorem}: {error}") from None
    values: Values = found[0](position, claim, **witness)
    return values


def demand(holds: bool, otherwise: str) -> None:
    """Raise `Refuted` with that reason unless the condition holds."""
    if not holds:
        raise Refuted(otherwise)


def demand_free_rivals(claim: Claim) -> None:
    """Raise `Refuted` unless the players compete, and nobody plays a named policy."""
    demand(claim.objective == "competitive" and not claim.fixed, "this is about free rivals")


def worth(totals: tuple[Fraction | int, ...], utility: str) -> Values:
    """Whole-game totals of two players in units of the utility."""
    lead = Fraction(totals[0] - totals[1])
    if utility == "lead":
        return lead, -lead
    if utility == "win":
        chance = Fraction((lead > 0) - (lead < 0) + 1, 2)
        return chance, 1 - chance
    return Fraction(totals[0]), Fraction(totals[1])


# ---------------------------------------------------------------------- pots in a line


def stack_reduction(position: Position, claim: Claim) -> Values:
    """Shrinks the line to a valley and takes that apart in falling order: both after their own gold."""
    demand_free_rivals(claim)
    pots = position.game.values()["pots"][position.state.left : position.state.right]
    line: list[int] = []
    for gold in pots:
        line.append(gold)
        while len(line) > 2 and line[-3] <= line[-2] >= line[-1]:
            line[-3:] = [line[-3] - line[-2] + line[-1]]
    valley = sorted(line, reverse=True)
    lead = sum(valley[::2]) - sum(valley[1::2])
    gold = [Fraction(sum(pots) - lead, 2)] * 2
    gold[position.mover] += lead
    return worth((position.so_far[0] + gold[0], position.so_far[1] + gold[1]), claim.utility)


def cooperative_rounds(position: Position, claim: Claim) -> Values:
    """Backward induction over all stretches of the line, one length after the other: both want the first's gold."""
    demand(claim.objective == "cooperative" and not claim.fixed, "this is about players who cooperate freely")
    pots = position.game.values()["pots"][position.state.left : position.state.right]
    count = len(pots)
    # most[i] is the first player's most gold from the `length` pots from number i on.
    most = [0] * (count + 1)
    for length in range(1, count + 1):
        if (count - length) % 2 == position.mover:  # the first player is to move
            ends = zip(pots, pots[length - 1 :], pairwise(most), strict=False)
            most = [max(left + after, right + before) for left, right, (before, after) in ends]
        else:
            most = [max(pair) for pair in pairwise(most)]
    first = position.so_far[0] + most[0]
    return worth((first, sum(position.so_far) + sum(pots) - first), claim.utility)


def greedy_ends(position: Position, claim: Claim) -> Values:
    """Plays the one line that both are bound to; `bigger` takes the right end of equal ones, `smaller` the left."""
    rules = [claim.fixed.get(name) for name in position.game.player_names]
    demand(all(rule in ("bigger", "smaller") for rule in rules), "both must be bound to the bigger or the smaller end")
    pots = position.game.values()["pots"]
    left, right = position.state
    gold, mover = list(position.so_far), position.mover
    while left < right:
        takes_right = (pots[right - 1] >= pots[left]) == (rules[mover] == "bigger")
        gold[mover] += pots[right - 1] if takes_right else pots[left]
        left, right = (left, right - 1) if takes_right else (left + 1, right)
        mover = 1 - mover
    return worth((gold[0], gold[1]), claim.utility)


# ---------------------------------------------------------------------- nim


def nim_sum(position: Position, claim: Claim) -> Values:
    """Who wins: the player to move where the sum is not 0; at the end of a game lost by the last object, by parity."""
    demand_free_rivals(claim)
    heaps = position.game.heaps_of(position.state)  # type: ignore[attr-defined]
    wins = reduce(xor, heaps, 0) != 0
    if position.game.values()["misere"] and max(heaps, default=0) < 2:
        wins = sum(heaps) % 2 == 0
    return worth((1, -1) if wins == (position.mover == 0) else (-1, 1), claim.utility)


# ---------------------------------------------------------------------- dominoes


def dominoes_openings(position: Position, claim: Claim) -> Values:
    """The first player's win from the empty line.

    The first player lays 0-0. Whatever fresh value y the reply 0-y goes to, the answer is
    y-y, and {0, y} must be an even kernel: no unused tile inside, and an even number of
    unused tiles into it from every other value. All y look alike, so one is counted.
    """
    n = position.game.values()["n"]
    demand(position.state.used == 0, "the opening theorem is about the empty line")
    demand_free_rivals(claim)
    used = {(0, 0), (0, 1), (1, 1)}
    if n > 1:
        demand({(a, b) for a in (0, 1) for b in (0, 1) if a <= b} <= used, "a tile inside the kernel is unused")
        odd = [x for x in range(2, n) if sum((s, x) not in used for s in (0, 1)) % 2]
        demand(not odd, f"value {odd[:1]} has an odd number of unused tiles into the kernel")
    return worth((1, -1), claim.utility)


def even_kernel(position: Position, claim: Claim, lost: list[Any], move: str | None = None) -> Values:
    """Who wins: with `move` the player to move, by it; else the other. `lost` shows that the next player loses."""
    demand(position.state.used != 0, "kernels are about a line of at least one tile")
    demand_free_rivals(claim)
    state, first_wins = position.state, position.mover == 1
    if move is not None:
        state = _after(position.game, state, int(move.partition("-")[2]))
        first_wins = not first_wins
    evidence: Iterator[dict[str, Any]] = iter(lost)
    waiting, shown = [state], set()
    while waiting:
        state = waiting.pop()
        if state not in shown:
            shown.add(state)
            waiting += _followed(position.game, state, next(evidence, {}))
    demand(next(evidence, None) is None, "there is more evidence than positions")
    return worth((1, -1) if first_wins else (-1, 1), claim.utility)


def _after(game: Game, state: Any, tail: int) -> Any:
    move = state.tail * game.values()["n"] + tail
    demand(move in set(game.moves(state)), f"no tile leads from {state.tail} to {tail} after {game.show(state)}")
    return game.play(state, move)


def _followed(game: Game, state: Any, evidence: dict[str, Any]) -> list[Any]:
    """Positions that must be lost too for `state` to be: none with a kernel, else one after each move."""
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
        # Everything connected with an odd value outside must have its double.
        part = {value for value in outside if value in odd or free[value] & odd}
        demand(not part & used_doubles, f"{kind}: an odd value is connected with a used double")
        odd = part if part != odd else set()
    return []


# ---------------------------------------------------------------------- hidden pots


def bigger_end(position: Position, claim: Claim) -> Values:
    """Value of the whole game per player."""
    demand_free_rivals(claim)
    most = position.game.values()["max"]
    left, right, hidden = position.state
    sign = 1 if position.game.turn(position.state) == 0 else -1  # type: ignore[attr-defined]
    ahead = position.so_far[0] - position.so_far[1]
    if claim.utility == "win":
        sides = [(ahead + sign * lead, count) for lead, count in _leads(left, right, hidden, most).items()]
        halves = sum(count * (1 + (lead > 0) - (lead < 0)) for lead, count in sides)
        return (chance := Fraction(halves, 2 * sum(count for _, count in sides))), 1 - chance
    lead = ahead + sign * _expected(left, right, hidden, most)
    total = sum(position.so_far) + left + right + Fraction(hidden * (most + 1), 2)
    return (lead, -lead) if claim.utility == "lead" else ((total + lead) / 2, (total - lead) / 2)


def _expected(left: int, right: int, hidden: int, most: int) -> Fraction:
    """Expected lead of the player who takes next; `worth[s]` counts it over all ways, with one end of s gold."""
    worth, ways = list(range(most + 1)), 1
    for _ in range(hidden - (left == right == 0 < hidden)):
        below, above, more = 0, ways * most * (most + 1) // 2, [0]
        for s in range(1, most + 1):
            below, above = below + worth[s], above - ways * s
            more.append(ways * s * s - below + above - (most - s) * worth[s])
        worth, ways = more, ways * most
    low, high = sorted((left, right))
    if hidden and high == 0:
        return Fraction(sum(worth), ways * most)
    return high - Fraction(worth[low], ways) if low else Fraction(worth[high], ways)


def _leads(left: int, right: int, hidden: int, most: int) -> Counter[int]:
    """The same as a distribution: ways to fill the hidden pots by lead."""
    leads: list[Counter[int]] = [Counter({s: 1}) for s in range(most + 1)]
    for _ in range(hidden - (left == right == 0 < hidden)):
        leads = [_merged((max(s, u), leads[min(s, u)]) for u in range(1, most + 1)) for s in range(most + 1)]
    if hidden and left == right == 0:
        return _merged((0, {-lead: count for lead, count in one.items()}) for one in leads[1:])
    return _merged([(max(left, right), leads[min(left, right)])]) if left and right else leads[left + right]


def _merged(taken: Any) -> Counter[int]:
    """Ways by lead, of taking that much gold before the rival leads by the other."""
    total: Counter[int] = Counter()
    for gold, then in taken:
        total.update({gold - lead: count for lead, count in then.items()})
    return total


# ---------------------------------------------------------------------- dice from a bag


GESTURES = ("rock", "paper", "scissors")


def face_counts(position: Position, claim: Claim) -> Values:
    """Expected points of the whole game.

    With c the coefficients of prod (w_i + r_i x + p_i y + s_i z), the faces a still to be
    seen after k have the weights a_f = (k_f + 1) c(k + f), which sum to (n - |k|) c(k); and
    counts k + d follow k with a chance in proportion to c(k + d) times prod (k + d)! / d!.
    """
    gesture = claim.fixed.get("player")
    demand(claim.utility == "payoff" and gesture in (None, *GESTURES), f"not a gesture: {gesture}")
    dice = position.game.values()["dice"]
    seen, ways, points = position.state[:3], _coefficients(dice), Fraction(position.so_far[0])
    always = None if gesture is None else GESTURES.index(gesture)
    for turn in range(len(dice) - sum(seen)):
        shown = position.state.gesture - 1 if turn == 0 and position.state.gesture else always
        gained = total = 0
        for rock, paper in [(r, p) for r in range(turn + 1) for p in range(turn + 1 - r)]:
            counts = (seen[0] + rock, seen[1] + paper, seen[2] + turn - rock - paper)
            orders = prod(map(perm, counts, seen))
            gained += orders * _best(ways, counts, shown)
            total += orders * ways[counts]
        points += Fraction(gained, (len(dice) - sum(seen) - turn) * total)
    return (points,)


def _best(ways: Counter[Any], counts: Any, shown: int | None) -> Any:
    """Points of the coming turn, times the weights of the faces: 3 for the beaten face, 1 for the same."""
    faces = [(counts[f] + 1) * ways[_with(counts, f)] for f in range(3)]
    return max(faces[sign] + 3 * faces[sign - 1] for sign in range(3) if shown in (None, sign))


def _with(counts: Any, face: int) -> Any:
    return counts[0] + (face == 0), counts[1] + (face == 1), counts[2] + (face == 2)


def _coefficients(dice: tuple[tuple[int, ...], ...]) -> Counter[Any]:
    ways = Counter[Any]({(0, 0, 0): 1})
    for die in dice:
        more = Counter[Any]()
        for counts, count in ways.items():
            more[counts] += sum(die) * count
            for face, weight in enumerate(die):
                more[_with(counts, face)] += weight * count
        ways = more
    return ways


# ---------------------------------------------------------------------- repeat and bust


def repeat_columns(position: Position, claim: Claim) -> Values:
    """Expected reward under best play, or under one of the rules `myopic`, `myopic-roll`, `never`.

    From reward E W - N on (mean sum times all throws, less the number of dice) one more throw
    brings no more than it puts at risk, whatever the last sum: there all but `never` stop.
    """
    rule = claim.fixed.get("player")
    demand(claim.utility == "payoff" and rule in (None, "myopic", "myopic-roll", "never"), f"no rule {rule}")
    reward, last, phase = position.state
    given = position.game.values()
    throws, ways = given["sides"] ** given["dice"], _sums(given["sides"], given["dice"])
    total = sum(k * count for k, count in ways.items())
    top = total - given["dice"]
    if phase > 1 or (phase == 0 and reward >= top):
        return (Fraction(reward),)
    if rule == "never":
        return (Fraction(0),)
    # (reward, last sum) -> numerator and power of `throws` below it; what is missing stops.
    worths: dict[tuple[int, int], tuple[int, int]] = {}

    def thrown(have: int, busts: int, gains: int = 1) -> tuple[int, int]:
        """Worth of a throw in the air: any sum but `busts` goes on, scored unless `gains` is 0."""
        then = [(c, worths.get((have + k * gains, k), (have + k * gains, 0))) for k, c in ways.items() if k != busts]
        power = max((own for _, (_, own) in then), default=0)
        return sum(c * part * throws ** (power - own) for c, (part, own) in then), power + 1

    for have in range(top - 1, reward - 1, -1):
        any_sum, power = thrown(have, 0)
        powers = [0, *sorted(worths.get((have + k, k), (0, 0))[1] for k in ways)]
        for k, count in ways.items():
            part, own = worths.get((have + k, k), (have + k, 0))
            # Without the sum that busts a lower power may do; low powers are what makes this quick.
            rest = powers[-2] if own == powers[-1] else powers[-1]
            roll = (any_sum - count * part * throws ** (power - 1 - own)) // throws ** (power - 1 - rest)
            risk = total - count * (have + k)
            if roll > have * throws ** (rest + 1) if rule is None else risk >= (rule == "myopic"):
                worths[have, k] = roll, rest + 1
    scores = int(last > 0 or given["first"] == "scored")
    worth, power = worths.get((reward, last), (reward, 0)) if phase == 0 else thrown(reward, last, scores)
    return (Fraction(worth, throws**power),)


def _sums(sides: int, dice: int) -> Counter[int]:
    ways = Counter({0: 1})
    for _ in range(dice):
        ways = sum((Counter({k + face: n for k, n in ways.items()}) for face in range(1, sides + 1)), Counter())
    return ways


# ---------------------------------------------------------------------- high cards


def smallest_sufficient(position: Position, claim: Claim) -> Values:
    """Expected score, or the chance of more than half (exactly half counts 1/2)."""
    demand(not claim.fixed and claim.utility in ("payoff", "win"), "the player must be free to choose")
    game, state = position.game, position.state
    rival = game.values()["rival"][state.turn :]
    known = sorted(card for card in rival if card is not None)
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
    below = sorted(bisect_left(hidden, card) for card in kept)
    sure = position.so_far[0] + wins
    if claim.utility == "payoff":
        return (sure + Fraction(sum(below), len(hidden) or 1),)
    half = Fraction(len(game.values()["hand"]), 2)
    hits = _hits(below)
    good = sum(count * (2 * (sure + more > half) + (sure + more == half)) for more, count in enumerate(hits))
    return (Fraction(good, 2 * sum(hits)),)


def _hits(below: list[int]) -> list[int]:
    """Arrangements by number of wins, from the ways to place rooks (Kaplansky and Riordan 1946)."""
    rooks = [1]
    for cells in below:
        placed = [0, *(count * (cells - number) for number, count in enumerate(rooks))]
        rooks = [a + b for a, b in zip([*rooks, 0], placed, strict=True)]
    hits = [0] * len(rooks)
    for number, count in reversed(list(enumerate(rooks))):
        # Horner's rule in x - 1.
        hits = [a - b for a, b in zip([0, *hits[:-1]], hits, strict=True)]
        hits[0] += count * factorial(len(below) - number)
    return hits


# ---------------------------------------------------------------------- all of them

CHECKERS: Mapping[str, tuple[Any, ...]] = {
    "dominoes": (dominoes_openings, even_kernel),
    "hiddenpots": (bigger_end,),
    "highcard": (smallest_sufficient,),
    "nim": (nim_sum,),
    "pots": (cooperative_rounds, greedy_ends, stack_reduction),
    "repeatbust": (repeat_columns,),
    "rpsbag": (face_counts,),
}
"""The theorems that are checked, by built-in game."""
