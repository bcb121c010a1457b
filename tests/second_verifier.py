"""A second verifier of certificates, written from `docs/reference/certificate-format.md` alone.

It shares the base class of rules with the first one, and nothing else: it calculates with fractions
where the first one uses whole numbers, takes loops apart by strongly connected components, and finds
what a theorem says by plain backward induction. So it is slow, and for small games.

`accepts(text)` says whether a certificate of built-in rules proves its claim.
"""

from __future__ import annotations

import base64
import inspect
import json
import re
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from math import floor, prod
from operator import mul
from pathlib import Path
from typing import Any

import endsight as es
from endsight import CHANCE, Game

SECURED = "secured"
FIRST_BEST = "backward induction, each player taking the first of their best moves"
WHOLE = r"(?:\d{1,4000}|0x[0-9a-f]{1,300000})"


class Refused(Exception):
    """The certificate does not prove its claim."""


def demand(holds: bool, reason: str = "") -> None:
    if not holds:
        raise Refused(reason)


def accepts(text: str, rules: type[Game] | None = None) -> bool:
    """Whether the certificate proves its claim, about rules that are built in or those given."""
    try:
        return check(text, rules)
    except (Refused, es.EndsightError, LookupError, TypeError):  # the last two: rules that fail for these parameters
        return False


# ---------------------------------------------------------------------- the document


def keys(found: Any, /, **kinds: Any) -> list[Any]:
    demand(type(found) is dict and set(found) == {name.rstrip("_") for name in kinds}, "keys")
    for name, kind in kinds.items():
        demand(type(found[name.rstrip("_")]) in (kind if isinstance(kind, tuple) else (kind,)), name)
    return [found[name.rstrip("_")] for name in kinds]


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    demand(len({key for key, _ in pairs}) == len(pairs), "a key twice")
    return dict(pairs)


def no_float(_: str) -> None:
    raise Refused("a number that is not whole")


def whole(word: str) -> int:
    return int(word, 16) if "x" in word else int(word)


def number(text: Any) -> Fraction:
    found = re.fullmatch(rf"(-?{WHOLE})(?:/({WHOLE}))?", text, re.ASCII) if type(text) is str else None
    demand(found is not None and whole(found[2] or "1") > 0, "a number")
    return Fraction(whole(found[1]), whole(found[2] or "1"))


def numbers(text: str) -> list[int]:
    if text.startswith("zlib:"):
        try:
            machine = zlib.decompressobj()
            text = machine.decompress(base64.b64decode(text[5:], validate=True), 1 << 26).decode("ascii")
            demand(machine.eof and not machine.unused_data and not machine.unconsumed_tail, "a list cut off")
        except (ValueError, zlib.error):
            raise Refused("a damaged list") from None
    words = text.split(" ") if text else []
    demand(all(re.fullmatch(f"-?{WHOLE}", word, re.ASCII) for word in words), "a list")
    return [whole(word) for word in words]


def parameter(value: Any) -> Any:
    if type(value) is list:
        return tuple(map(parameter, value))
    if type(value) is dict:
        found = number(*keys(value, number=str))
        return found.numerator if found.denominator == 1 else found
    return value


class Play:
    def __init__(self, document: Any) -> None:
        choices, scale, gaps, values = keys(document, choices=str, scale=list, nodes=str, values=str)
        for pair in scale:
            demand(type(pair) is list and len(pair) == 2 and all(type(each) is int for each in pair), "scale")
            demand(pair[0] >= 2 and pair[1] >= 1, "scale")
        demand(sum(base.bit_length() * power for base, power in scale) <= 1 << 20, "scale")
        self.scale, self.rounds = prod(base**power for base, power in scale), bool(scale)
        self.choices = numbers(choices)
        steps, own = numbers(gaps), numbers(values)
        demand(len(steps) == len(own) and min(steps[1:], default=1) > 0 and min(steps, default=0) >= 0, "nodes")
        places = [sum(steps[: count + 1]) for count in range(len(steps))]
        self.claimed = {place: Fraction(value, self.scale) for place, value in zip(places, own, strict=True)}


# ---------------------------------------------------------------------- the game


class Question:
    """Who moves, wants and gets what."""

    def __init__(self, game: Game, objective: str, utility: str, fixed: dict[str, Any], whole: bool = False) -> None:
        self.game, self.utility, self.count = game, utility, game.player_count
        demand(utility != "lead" or self.count > 1, "nobody to lead")
        demand(utility != "win" or self.count > 1 or hasattr(game, "par"), "nothing to beat")
        self.told, self.pays = game.gives("to_move"), game.gives("reward")
        self.keeps = self.pays and (whole or utility == "win" or (utility == "lead" and self.count > 2))
        endless = game.endless
        self.unended = endless if isinstance(endless, tuple) else (endless,) * self.count
        self.reduces = self.keeps and not whole and self.count > 1
        self.interests = [(0 if objective == "cooperative" else seat, 1) for seat in range(self.count)]
        self.policies: dict[int, Callable[[Any, int], Any]] = {}
        self.random = set()
        self.subject = 0
        for name, rule in fixed.items():
            demand(name in game.player_names and type(rule) is str, "a fixed player")
            seat = game.player_names.index(name)
            if rule in ("best", "worst"):
                self.interests[seat] = (seat, {"best": 1, "worst": -1}[rule])
            elif rule == "random":
                self.random.add(seat)
            else:
                own = getattr(game, "policy_" + rule.replace("-", "_"), None)
                demand(own is not None or rule in ("greedy", "lookahead"), "a policy")
                self.policies[seat] = (lambda state, _, own=own: own(state)) if own else self.greedy
                if own is None and rule == "lookahead":
                    self.policies[seat] = self.lookahead

    def greedy(self, state: Any, mover: int) -> Any:
        return self.foreseen(state, mover, 1, lambda amounts, seat: amounts[seat])[1]

    def lookahead(self, state: Any, mover: int) -> Any:
        def lead(amounts: tuple[Any, ...], seat: int) -> Any:
            return amounts[seat] - max((each for other, each in enumerate(amounts) if other != seat), default=0)

        return self.foreseen(state, mover, 2, lead)[1]

    def foreseen(self, state: Any, mover: int, plies: int, interest: Any) -> tuple[tuple[Any, ...], Any]:
        """What play brings within so many decisions, on average, and the first of them."""
        nothing = tuple([Fraction(0)] * self.count)
        moves = list(self.game.moves(state))
        if not moves:
            return self.shares(self.game.payoff(state), mover), None
        if plies == 0 and mover != CHANCE:
            return nothing, None
        brought = []
        for move in moves:
            child = self.game.play(state, move)
            turn = self.game.to_move(child) if self.told else (mover + 1) % self.count
            rest = self.foreseen(child, turn, plies - (mover != CHANCE), interest)[0]
            gain = self.shares(self.game.reward(state, move), mover) if self.pays else nothing
            brought.append(tuple(map(sum, zip(gain, rest, strict=True))))
        if mover == CHANCE:
            weights = [self.game.weight(state, move) for move in moves]
            columns = zip(*brought, strict=True)
            return tuple(sum(map(mul, weights, column), Fraction(0)) / sum(weights) for column in columns), None
        place = max(range(len(moves)), key=lambda each: interest(brought[each], mover))
        return brought[place], moves[place]

    def shares(self, own: Any, mover: int) -> tuple[Any, ...]:
        if isinstance(own, tuple):
            demand(len(own) == self.count, "a number each")
            return own
        if self.count == 1 or own == 0:
            return (own,) * self.count
        demand(self.count == 2 and not self.told, "whose number this is")
        return (own, -own) if mover == 0 else (-own, own)

    def worth(self, totals: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:seat] + totals[seat + 1 :]) for seat, own in enumerate(totals))
        if self.count == 1:
            par = self.game.par()
            return (Fraction(2 * (totals[0] > par) + (totals[0] == par), 2),)
        return tuple(Fraction(own == max(totals), totals.count(max(totals))) for own in totals)

    def node(self, state: Any, mover: int, totals: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.reduces:
            totals = tuple(own - min(totals) for own in totals)
        return state, mover, tuple(map(Fraction, totals)) if self.keeps else None

    def steps(self, node: Any) -> list[tuple[int, Any, tuple[Any, ...] | None]]:
        """Weight, next node and what is gained, for every move that may be played."""
        state, mover, totals = node
        moves = list(self.game.moves(state))
        if moves and mover in self.policies:
            move = self.policies[mover](state, mover)
            demand(move in moves, "a policy's move")
            moves = [move]
        found = []
        for move in moves:
            weight = self.game.weight(state, move) if mover == CHANCE else 1
            gain = self.shares(self.game.reward(state, move), mover) if self.pays else (0,) * self.count
            after = self.game.play(state, move)
            then = self.game.to_move(after) if self.told else (mover + 1) % self.count
            if self.keeps:
                found.append((weight, self.node(after, then, tuple(map(sum, zip(totals, gain, strict=True)))), None))
            else:
                own = self.worth(gain) if self.utility == "lead" else gain
                found.append((weight, self.node(after, then, ()), own if any(own) else None))
        return found

    def is_dice(self, node: Any) -> bool:
        return node[1] == CHANCE or node[1] in self.random

    def side(self, mover: int) -> int:
        target, sign = self.interests[mover]
        demand(target == self.subject or self.count == 2, "several interests")
        return sign if target == self.subject else -sign


class Walk:
    """All nodes along a play, in order of discovery; `side` 1 and -1, 2 for everybody, 0 for nobody."""

    def __init__(self, asked: Question, start: Any, side: int, choices: list[int]) -> None:
        self.asked, self.side, self.nodes = asked, side, [start]
        self.place = {start: 0}
        self.edges: list[list[tuple[int, int, Any]]] = []
        self.chosen: dict[int, Any] = {}
        self.sizes: dict[int, int] = {}
        self.opposed, left = False, iter(choices)
        for node in self.nodes:
            steps, mover = asked.steps(node), node[1]
            both = mover == (0, 1) and len(steps) > 0
            demand(
                type(mover) is int or not steps or (both and not asked.policies and not asked.random), "moves at once"
            )
            mover = 0 if both else mover
            if both and asked.interests[0] != asked.interests[1]:
                steps = self.mixed(node, steps, left)
            elif len(steps) > 1 and side and not asked.is_dice(node):
                own = side == 2 or asked.side(mover) == side
                self.opposed |= side != 2 and asked.interests[mover][0] != asked.subject
                if own:
                    choice = next(left, -1)
                    demand(0 <= choice < len(steps), "a choice")
                    self.chosen[len(self.edges)] = choice
                    steps = [steps[choice]]
            self.edges.append([])
            for weight, after, gain in steps:
                if after not in self.place:
                    self.place[after] = len(self.nodes)
                    self.nodes.append(after)
                self.edges[-1].append((weight, self.place[after], gain))
        demand(next(left, None) is None, "choices are left")
        self.numbers = range(len(self.nodes))
        self.dice = {place for place in self.numbers if self.edges[place] and asked.is_dice(self.nodes[place])}
        self.ends = {place for place in self.numbers if not self.edges[place]}
        self.has_gains = any(gain is not None for edges in self.edges for _, _, gain in edges)

    def mixed(self, node: Any, steps: list[Any], left: Iterator[int]) -> list[Any]:
        """The pairs that our weights leave, in groups by the other's move."""
        ours = [seat for seat in (0, 1) if self.asked.side(seat) == self.side]
        demand(len(ours) == 1, "two rivals")
        self.opposed = True
        moves = list(self.asked.game.moves(node[0]))
        mine, yours = (list(dict.fromkeys(move[seat] for move in moves)) for seat in (ours[0], 1 - ours[0]))
        demand(len(moves) == len(set(moves)) == len(mine) * len(yours), "all combinations")
        weights = [next(left, -1) for _ in mine]
        demand(min(weights) >= 0 and max(weights) > 0, "a mixture")
        by_pair = {(move[ours[0]], move[1 - ours[0]]): step for move, step in zip(moves, steps, strict=True)}
        place = len(self.edges)
        self.sizes[place], self.chosen[place] = sum(map(bool, weights)), None
        return [(w, *by_pair[own, other][1:]) for other in yours for own, w in zip(mine, weights, strict=True) if w]

    def groups(self, place: int) -> list[list[Any]]:
        """Edges of which one is drawn, for everything that the others may do."""
        edges = self.edges[place]
        size = len(edges) if place in self.dice else self.sizes.get(place, 1)
        return [edges[start : start + size] for start in range(0, len(edges), size or 1)]

    def next(self, place: int) -> list[int]:
        return [child for _, child, _ in self.edges[place]]

    def amounts(self, place: int) -> tuple[Any, ...]:
        state, mover, totals = self.nodes[place]
        shares = self.asked.shares(self.asked.game.payoff(state), mover)
        return self.asked.worth(tuple(map(sum, zip(shares, totals, strict=True))) if self.asked.keeps else shares)

    def endless(self, place: int) -> tuple[Any, ...]:
        shares, totals = self.asked.unended, self.nodes[place][2]
        return self.asked.worth(tuple(map(sum, zip(shares, totals, strict=True))) if self.asked.keeps else shares)

    def backwards(self, cut: Any = ()) -> list[int]:
        """All nodes, those they lead to first, but for what the nodes `cut` lead to."""
        done, order = set(cut), list(cut)
        waiting = [place for place in self.numbers if place not in done]
        while waiting:
            ready = [place for place in waiting if done.issuperset(self.next(place))]
            demand(bool(ready), "a loop without a claimed node")
            done.update(ready)
            order += ready
            waiting = [place for place in waiting if place not in done]
        return order

    def may_go_on(self) -> bool:
        """Whether the other side can, from some node, keep play from its end for sure."""
        left = set(self.numbers) - self.ends
        while True:
            kept = {p for p in left if any(inner(group, left) for group in self.groups(p))}
            if kept == left:
                return bool(left)
            left = kept

    def components(self, inside: set[int], groups: Callable[[int], list[Any]] | None = None) -> Iterator[set[int]]:
        """Strongly connected sets with an edge, of the graph restricted to some nodes (and groups inside)."""
        reach = {
            place: {child for group in (groups or self.edges_alone)(place) for child in inner(group, inside)}
            for place in inside
        }
        for via in inside:
            for place in inside:
                if via in reach[place]:
                    reach[place] |= reach[via]
        seen: set[int] = set()
        for place in inside:
            if place not in seen and place in reach[place]:
                yield (found := {other for other in reach[place] if place in reach[other]})
                seen |= found

    def edges_alone(self, place: int) -> list[list[Any]]:
        """Every edge as a group of its own."""
        return [[edge] for edge in self.edges[place]]

    def stays(self, groups: Callable[[int], list[Any]], inside: set[int] | None = None) -> list[set[int]]:
        """The largest sets that the other side can stay in for ever and go about in, by these groups of edges."""
        found = []
        for component in self.components(set(self.numbers) if inside is None else inside, groups):
            kept = {p for p in component if any(inner(group, component) for group in groups(p))}
            found += [component] if kept == component else self.stays(groups, kept)
        return found


def inner(group: list[Any], inside: set[int]) -> set[int]:
    """Where a group of edges leads that stays inside; nowhere if it does not."""
    ahead = {child for _, child, _ in group}
    return ahead if ahead <= inside else set()


# ---------------------------------------------------------------------- rules of inference


def secured(walk: Walk, play: Play) -> tuple[Fraction, Any]:
    """What a play secures, times its side; what both players get together (None where that differs)."""
    side, subject = walk.side, walk.asked.subject
    has_loops = any(True for _ in walk.components(set(walk.numbers)))
    staying: set[int] = set()
    if not walk.dice and not walk.sizes and not walk.has_gains and not play.claimed:
        if has_loops:
            staying = between_loops(walk)
        low = min(side * Fraction(own[subject]) for own in [*map(walk.amounts, walk.ends), *map(walk.endless, staying)])
        return low, common_sum(walk, staying)
    demand(all(place in walk.numbers for place in play.claimed), "a node")
    lows = {place: side * own for place, own in play.claimed.items()}

    def down(amount: Any) -> Fraction:
        return Fraction(floor(amount * play.scale), play.scale) if play.rounds else Fraction(amount)

    for place in walk.backwards(play.claimed):
        if place in lows:
            continue
        lows[place] = kept(walk, place, lows, down)
    demand(all(own <= kept(walk, place, lows, down) for place, own in lows.items()), "a bound")
    if play.claimed and walk.may_go_on():
        for stay in walk.stays(lambda place: level(walk, place, lows)):
            groups = [group for place in stay for group in level(walk, place, lows) if inner(group, stay)]
            gains = [gain for group in groups for _, _, gain in group]
            demand(not any(gain is not None and gain[subject] for gain in gains), "gains or losses without end")
            paid = {place: side * Fraction(walk.endless(place)[subject]) for place in stay}
            demand(all(lows[place] <= paid[place] for place in stay), "endless play")
        staying = between_loops(walk)
    return lows[0], common_sum(walk, staying)


def kept(walk: Walk, place: int, lows: dict[int, Fraction], down: Callable[[Any], Fraction]) -> Fraction:
    """The bound that the moves from a node keep."""
    subject = walk.asked.subject
    if place in walk.ends:
        return down(walk.side * Fraction(walk.amounts(place)[subject]))
    means = []
    for group in walk.groups(place):
        parts = [
            own * (lows[child] + (down(walk.side * Fraction(gain[subject])) if gain else 0))
            for own, child, gain in group
        ]
        means.append(down(sum(parts) / sum(weight for weight, _, _ in group)))
    return min(means)


def level(walk: Walk, place: int, lows: dict[int, Fraction]) -> list[Any]:
    """The groups of edges that keep just the bound of a node in the mean, with nothing rounded."""
    subject = walk.asked.subject

    def mean(group: list[Any]) -> Fraction:
        parts = [w * (lows[child] + (walk.side * Fraction(gain[subject]) if gain else 0)) for w, child, gain in group]
        return sum(parts) / sum(weight for weight, _, _ in group)

    return [group for group in walk.groups(place) if mean(group) == lows[place]]


def between_loops(walk: Walk) -> set[int]:
    """Nodes on loops and on ways from loop to loop; one node where nothing is paid."""
    if not walk.asked.pays:
        return {0}
    on = set().union(*walk.components(set(walk.numbers)))
    ahead, behind = set(on), set(on)
    for _ in walk.numbers:
        ahead |= {child for place in ahead for child in walk.next(place)}
        behind |= {place for place in walk.numbers if behind.intersection(walk.next(place))}
    return ahead & behind


def common_sum(walk: Walk, staying: set[int]) -> Any:
    before = {0: Fraction(0)}
    for place in walk.numbers:
        for _, child, gain in walk.edges[place]:
            total = before[place] + (sum(gain) if gain else 0)
            if walk.asked.pays and before.setdefault(child, total) != total:
                return None
            before.setdefault(child, total)
    sums = {sum(walk.amounts(place)) + before[place] for place in walk.ends}
    sums |= {sum(walk.endless(place)) + before[place] for place in staying}
    return sums.pop() if len(sums) == 1 else None


def by_bounds(asked: Question, start: Any, carried: Any, plays: list[Any]) -> tuple[list[Any], Any, list[Walk]]:
    walks, ends, totals = [], [None, None], set()
    for place, (side, document) in enumerate(zip((1, -1), plays, strict=True)):
        if document is not None:
            play = Play(document)
            walk = Walk(asked, start, side, play.choices)
            low, total = secured(walk, play)
            ends[place] = carried[asked.subject] + side * low
            totals.add(total)
            walks.append(walk)
    demand(bool(walks), "no play")
    values: list[Any] = [tuple(ends) if seat == asked.subject else (None, None) for seat in range(asked.count)]
    total = totals.pop() if len(totals) == 1 and asked.count == 2 else None
    is_whole = any(not walk.chosen for walk in walks)
    rivals = asked.interests in ([(0, 1), (1, 1)], [(0, -1), (1, -1)]) and not asked.policies and not asked.random
    if total is not None and (is_whole or rivals):
        rest = total + sum(carried)
        values[1 - asked.subject] = tuple(None if own is None else rest - own for own in reversed(ends))
        return values, None if is_whole else SECURED, walks if ends[0] == ends[1] else []
    demand(not any(walk.opposed for walk in walks), "no common sum")
    return values, None, walks if ends[0] == ends[1] else []


def by_induction(walk: Walk, carried: Any) -> tuple[list[Any], Any, dict[int, set[int]]]:
    values: dict[int, tuple[Fraction, ...]] = {}
    best: dict[int, set[int]] = {}
    count, free, even = walk.asked.count, True, True
    for place in walk.backwards():
        edges = walk.edges[place]
        ahead = [tuple(map(sum, zip(values[child], gain or (0,) * count, strict=True))) for _, child, gain in edges]
        if place in walk.ends:
            values[place] = walk.amounts(place)
        elif place in walk.dice:
            total = sum(weight for weight, _, _ in edges)
            parts = [sum(edge[0] * own[seat] for edge, own in zip(edges, ahead, strict=True)) for seat in range(count)]
            values[place] = tuple(Fraction(part) / total for part in parts)
        else:
            target, sign = walk.asked.interests[walk.nodes[place][1]]
            top = max(sign * own[target] for own in ahead)
            values[place] = next(own for own in ahead if sign * own[target] == top)
            best[place] = {choice for choice, own in enumerate(ahead) if own == values[place]}
            free, even = free and len(ahead) == 1, even and len({sum(own) for own in ahead}) == 1
    whole = [(own + more,) * 2 for own, more in zip(values[0], carried, strict=True)]
    return whole, None if count == 1 or free or (even and count == 2) else FIRST_BEST, best


def outcomes_of(walk: Walk, play: Play, seat: int) -> list[tuple[Fraction, Fraction]]:
    """Amounts with their chances along the moves of everybody."""
    demand(all(place in walk.numbers for place in play.claimed), "a node")
    walk.backwards(play.claimed)  # every loop has a node with a claim
    demand(not walk.may_go_on(), "play need not end")
    # Visits solve: visits = start + what leads here; forwards, as claimed visits cut every loop.
    visits = dict(play.claimed)
    leads: dict[int, list[tuple[int, Fraction]]] = {place: [] for place in walk.numbers}
    for place in walk.numbers:
        total = sum(weight for weight, _, _ in walk.edges[place])
        for weight, child, _ in walk.edges[place]:
            leads[child].append((place, Fraction(weight, total)))

    def arriving(place: int) -> Fraction:
        return (place == 0) + sum((visits[before] * chance for before, chance in leads[place]), Fraction(0))

    for place in reversed(walk.backwards(play.claimed)):
        if place not in visits:
            visits[place] = arriving(place)
    demand(all(arriving(place) == own for place, own in play.claimed.items()), "visits")
    found: dict[Any, Fraction] = {}
    for place in walk.ends:
        amount = Fraction(walk.amounts(place)[seat])
        found[amount] = found.get(amount, Fraction(0)) + visits[place]
    return sorted(found.items())


# ---------------------------------------------------------------------- plans


class Sets:
    """One player's information sets, and the plan: by view the moves, by sequence (view and move) its mass."""

    def __init__(self, document: Any) -> None:
        total, listed = keys(document, total=str, masses=str)
        demand(re.fullmatch(f"-?{WHOLE}", total, re.ASCII) is not None and 0 < whole(total) < 1 << (1 << 20), "a total")
        self.total, self.listed = whole(total), iter(numbers(listed))
        self.moves: dict[Any, list[Any]] = {}
        self.before: dict[Any, Any] = {}
        self.mass: dict[Any, int] = {None: self.total}

    def meet(self, view: Any, before: Any, moves: list[Any]) -> None:
        if view in self.moves:
            demand(sorted(map(repr, self.moves[view])) == sorted(map(repr, moves)), "same moves")
            return
        self.moves[view], self.before[view] = moves, before
        arrives = self.mass[before]
        given = (
            [0] * len(moves)
            if not arrives
            else [arrives]
            if len(moves) == 1
            else [next(self.listed, -1) for _ in moves]
        )
        demand(min(given) >= 0 and sum(given) == arrives, "masses")
        self.mass |= {(view, move): mass for move, mass in zip(moves, given, strict=True)}

    def reply(self, own: dict[Any, Fraction], best: Callable[..., Fraction]) -> Fraction:
        for view in reversed(list(self.moves)):
            there = best(own.get((view, move), Fraction(0)) for move in self.moves[view])
            own[self.before[view]] = own.get(self.before[view], Fraction(0)) + there
        return own.get(None, Fraction(0))


def by_plans(asked: Question, claim: dict[str, Any], path: list[Any], documents: list[Any]) -> list[Any]:
    demand(asked.count == 2 and claim["objective"] == "competitive" and not claim["fixed"], "two rivals")
    demand(claim["set_up"] is None, "moves from the start")
    sides = [Sets(document) for document in documents]
    elsewhere: list[set[Any]] = [set(), set()]
    ends = list(ends_of(asked, sides, path, elsewhere))
    demand(all(side.moves.keys().isdisjoint(views) for side, views in zip(sides, elsewhere, strict=True)), "a subgame")
    demand(all(next(side.listed, None) is None for side in sides), "masses are left")
    sums = {sum(amounts) for _, _, amounts in ends}
    demand(len(sums) == 1, "a common sum")
    found = []
    for own, best in ((1, min), (0, max)):
        worth: dict[Any, Fraction] = {}
        for chance, last, amounts in ends:
            part = chance * sides[1 - own].mass[last[1 - own]] * amounts[0]
            worth[last[own]] = worth.get(last[own], Fraction(0)) + part
        found.append(sides[own].reply(worth, best) / sides[1 - own].total)
    low, high = found
    return [(low, high), (sums.copy().pop() - high, sums.pop() - low)]


def ends_of(
    asked: Question, sides: list[Sets], path: list[Any], elsewhere: list[set[Any]]
) -> Iterator[tuple[Fraction, list[Any], tuple[Any, ...]]]:
    """The chance of dice from a path on, the last sequences and the amounts of every end after it.

    What players see who decide before or beside the path is put into `elsewhere`.
    """
    game = asked.game
    place = game.position()
    waiting: list[Any] = [(place.state, place.mover, Fraction(1), (0, 0), [(), ()], [None, None], 0, True)]
    while waiting:
        state, mover, chance, totals, views, last, count, is_on_path = waiting.pop()
        demand(count <= 10_000, "play goes on")
        moves = list(game.moves(state))
        is_own = is_on_path and count >= len(path)
        if is_own and count == len(path):
            chance, last = Fraction(1), [None, None]
        if not moves and not is_own:
            continue
        if not moves:
            shares = asked.shares(game.payoff(state), mover)
            yield chance, last, asked.worth(tuple(map(sum, zip(totals, shares, strict=True))))
            continue
        movers = game.to_move(state) if asked.told else mover
        demand(movers in (CHANCE, 0, 1, (0, 1)), "who moves")
        views = [looked(game, state, seat, view) for seat, view in enumerate(views)]
        own = {} if movers == CHANCE else {0: 0, 1: 1} if movers == (0, 1) else {movers: None}
        demand(len(set(moves)) == len(moves), "a move twice")
        for seat, part in own.items():
            parts = list(dict.fromkeys(move if part is None else move[part] for move in moves))
            if is_own:
                sides[seat].meet(views[seat], last[seat], parts)
            else:
                elsewhere[seat].add(views[seat])
        if len(own) == 2:
            sizes = [len({move[part] for move in moves}) for part in own.values()]
            demand(len(moves) == prod(sizes), "all combinations")
        weights = [game.weight(state, move) if movers == CHANCE else 1 for move in moves]
        children = []
        for move, weight in zip(moves, weights, strict=True):
            gain = asked.shares(game.reward(state, move), mover) if asked.pays else (0, 0)
            seen, sequences = list(views), list(last)
            for seat, part in own.items():
                mine = move if part is None else move[part]
                sequences[seat] = (views[seat], mine)
                seen[seat] = (*views[seat], ("did", mine))
            chances = chance * weight / sum(weights) if movers == CHANCE else chance
            after = game.play(state, move)
            then = game.to_move(after) if asked.told else 1 - mover
            stays = is_on_path and (is_own or move == path[count])
            got = tuple(map(sum, zip(totals, gain, strict=True)))
            children.append((after, then, chances, got, seen, sequences, count + 1, stays))
        waiting += reversed(children)


def looked(game: Game, state: Any, seat: int, view: Any) -> Any:
    now, before = game.sees(state, seat), [thing for kind, thing in view if kind == "saw"]
    return view if now == (before[-1] if before else None) else (*view, ("saw", now))


# ---------------------------------------------------------------------- a certificate


def check(text: str, rules: type[Game] | None = None) -> bool:
    try:
        document = json.loads(text, object_pairs_hook=unique, parse_float=no_float, parse_constant=no_float)
    except (ValueError, RecursionError):
        raise Refused("no JSON") from None
    maybe = (dict, type(None))
    schema, _, about, claim, evidence, play = keys(
        document, schema=str, version=str, game=dict, claim=dict, evidence=dict, play=maybe
    )
    demand(schema == "endsight.certificate/2", "another format")
    game = make(about, rules)
    position, set_up, objective, utility, fixed, value, category, notion, player, outcomes = keys(
        claim, position=str, set_up=(str, type(None)), objective=str, utility=str, fixed=dict, value=dict,
        category=str, notion=(str, type(None)), player=(str, type(None)), outcomes=(list, type(None)),
    )  # fmt: skip
    demand(objective in ("competitive", "cooperative") and utility in ("payoff", "win", "lead"), "a question")
    demand(category in ("win", "draw", "loss", "value") and (player is None) == (outcomes is None), "a claim")
    place, path = game.position() if set_up is None else game.position_from(set_up), []
    demand(set_up is None or set_up.endswith(game.show(place.state)), "not as it is shown")
    for move in position.split():
        named = [each for each in place.moves() if game.show_move(place.state, each) == move]
        demand(all(each == named[0] for each in named), "several moves of one name")
        place, path = place.after(move), [*path, named[0]]
    demand(game.discount == 1, "a discount")
    asked = Question(game, objective, utility, fixed)
    mover = game.to_move(place.state) if asked.told else place.mover
    start = asked.node(place.state, mover, place.so_far)
    carried = asked.worth(place.so_far) if not asked.keeps and utility != "win" else (0,) * asked.count
    told = [seat for seat, name in enumerate(game.player_names) if value.get(name) != [None, None]]
    if evidence.get("kind") == "bounds" and len(told) == 1:
        asked.subject = told[0]
    if evidence.get("kind") == "plans":
        _, *plans = keys(evidence, kind=str, first=dict, second=dict)
        demand(category == "value" and play is None and player is None, "plans tell of values")
        return compare(game, value, notion, by_plans(asked, claim, path, plans), with_sight(game, SECURED))
    demand(not game.gives("sees"), "players need not see all")
    proven, meaning, best, seen = prove(asked, start, carried, evidence)
    compare(game, value, notion, proven, meaning)
    rolls = evidence.get("theorem") == "smallest_sufficient"
    demand(category == "value" or (not rolls and category == category_of(asked, place.mover, value, seen)), "category")
    if player is not None or play is not None:
        demand(player in game.player_names and outcomes is not None and play is not None, "a distribution")
        claimed = Play(play)
        whole = Question(game, objective, utility, fixed, whole=True)
        walk = Walk(whole, whole.node(place.state, mover, place.so_far), 2, claimed.choices)
        for number_, choice in walk.chosen.items():
            there = asked.node(*walk.nodes[number_][:2], walk.nodes[number_][2] or ())
            demand(any(choice in found.get(there, ()) for found in best), "a move that is not shown to be best")
        rows = [tuple(map(number, row)) for row in outcomes if demand(type(row) is list and len(row) == 2) is None]
        demand(rows == outcomes_of(walk, claimed, game.player_names.index(player)), "outcomes")
    return True


def make(about: Any, given: type[Game] | None) -> Game:
    _, name, own, parameters, rules = keys(about, text=str, class_=str, own=bool, parameters=dict, rules=str)
    if given is None:
        demand(not own and name in es.games.BUILT_IN.values(), "rules of somebody's own")
    kind = given or getattr(es.games, name)
    demand(kind.__name__ == name, "another class")
    files: list[str] = []
    for base in reversed(kind.__mro__):
        if base is not Game and issubclass(base, Game):
            text = Path(inspect.getfile(base)).read_text(encoding="utf-8")
            files.append("\n".join(line.rstrip() for line in text.splitlines()))
    files = list(dict.fromkeys(files))
    demand(rules == sha256("\0".join(files).encode()).hexdigest(), "other rules")
    given = {key: parameter(own) for key, own in parameters.items()}
    try:
        made = kind(**given)
    except Exception as error:
        raise Refused("parameters") from error
    demand(made.values() == given, "all parameters")
    return made


def prove(asked: Question, start: Any, carried: Any, evidence: Any) -> tuple[list[Any], Any, list[Any], list[Walk]]:
    """Proven bounds of every player, what they mean, moves shown to be best by node, the walks."""
    kind = evidence.get("kind")
    if kind == "bounds":
        maybe = (dict, type(None))
        _, *plays = keys(evidence, kind=str, at_least=maybe, at_most=maybe)
        proven, meaning, walks = by_bounds(asked, start, carried, plays)
        shown = [{walk.nodes[place]: {choice} for place, choice in walk.chosen.items()} for walk in walks]
        met = [Walk(asked, start, side, Play(play).choices) for side, play in zip((1, -1), plays, strict=True) if play]
        return proven, meaning, shown, met
    walk = Walk(asked, start, 0, [])
    proven, meaning, best = by_induction(walk, carried)
    if kind == "induction":
        keys(evidence, kind=str)
        return proven, meaning, [{walk.nodes[place]: choices for place, choices in best.items()}], [walk]
    demand(kind == "theorem", "evidence")
    keys(evidence, kind=str, theorem=str, witness=dict)
    return proven, None, [], []


def with_sight(game: Game, meaning: str) -> str:
    return f"{meaning}; every player sees what `sees` gives" if game.gives("sees") else meaning


def compare(game: Game, value: Any, notion: Any, proven: list[Any], meaning: Any) -> bool:
    demand(list(value) == list(game.player_names) and notion == meaning, "who, or what")
    ends = {}
    for name, own in value.items():
        demand(type(own) in (str, list) and (type(own) is str or len(own) == 2), "two ends")
        pair = [own, own] if type(own) is str else own
        ends[name] = [None if end is None else number(end) for end in pair]
    demand(any(end is not None for pair in ends.values() for end in pair), "nothing is claimed")
    for (low, high), (least, most) in zip(ends.values(), proven, strict=True):
        demand(low is None or high is None or low <= high, "ends")
        demand(low is None or (least is not None and low <= least), "at least")
        demand(high is None or (most is not None and most <= high), "at most")
    return True


def category_of(asked: Question, mover: int, value: Any, walks: list[Walk]) -> str:
    shares = {
        asked.shares(asked.game.payoff(walk.nodes[place][0]), walk.nodes[place][1])
        for walk in walks
        for place in walk.ends
    }
    plain = asked.utility == "win" or (not asked.pays and shares | {asked.unended} <= {(1, -1), (-1, 1), (0, 0)})
    if asked.count != 2 or mover == CHANCE or any(walk.dice or walk.sizes for walk in walks) or not plain:
        return "value"
    draw = asked.worth((0, 0))[mover]
    own = value[asked.game.player_names[mover]]
    low, high = (None if end is None else number(end) for end in ([own, own] if type(own) is str else own))
    if low is not None and low > draw:
        return "win"
    return "loss" if high is not None and high < draw else "draw" if low == high == draw else "value"
