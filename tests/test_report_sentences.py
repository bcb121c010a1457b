"""Every sentence of a report is true: each is read again, and its claim held against all that play can lead to."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import pytest
from hypothesis import Phase, given, settings

import endsight as es
import naive
import small_instances
import strategies
from amounts import examples
from endsight import CHANCE, Game, Position

HALF = Fraction(1, 2)
GAMES = strategies.chance_acyclic(max_nodes=7) | strategies.alternating_rewards(max_nodes=8)
GAMES |= strategies.chance_acyclic(seats=2, max_nodes=7, zero_sum=True)
GAMES |= strategies.alternating_acyclic(max_nodes=10, kind=strategies.DecidedGraph)
BUILT_IN = [
    "tictactoe:width=2,height=3,line=2", "tictactoe:width=3,height=2,line=2", "nim:heaps=1-2-3", "nim:heaps=1-4",
    "nim:heaps=2-2,misere=yes", "pots:4-9-2-7", "pots:1-5-5-1", "pots:8", "pots:3-1-4-1-5", "dominoes:n=2",
    "chomp", "chomp:width=2,height=2", "chomp:width=1,height=1", "hexapawn:width=2,height=3",
    "repeatbust:sides=2,dice=1", "repeatbust:sides=3,dice=1", "scorecard:dice=3,sides=2,rerolls=0",
    "connectfour:width=3,height=3,line=3", "hazardstop:sides=3", "hiddenpots:count=2,max=3",
    "rpsbag:1-1-1", "highcard:hand=2-3,rival=x-x",
]  # fmt: skip
MAY_GO_ROUND = ["pig:target=3", "piglet:target=2", "twodicepig:target=3", "bigpig:target=5"]
MIXED = [*small_instances.AT_ONCE, "kuhn", "liarsdice:sides=2", "battleship:squares=2,shots=1"]


@dataclass
class Play:
    """One way to play a game without loops, as chances over what follows each node."""

    oracle: naive.Oracle
    mix: Callable[[naive.Oracle, naive.Node], list[Any]]

    def ways(self, node: naive.Node) -> list[tuple[Fraction, Any, naive.Node]]:
        if not (legal := self.oracle.legal(node)):
            return []
        if node[1] == CHANCE:
            weights = [self.oracle.game.weight(node[0], move) for move in legal]
            return [
                (Fraction(w, sum(weights)), m, self.oracle.after(node, m)) for w, m in zip(weights, legal, strict=True)
            ]
        made = self.mix(self.oracle, node)
        return [(Fraction(1, len(made)), move, self.oracle.after(node, move)) for move in made]

    @cached_property
    def chances(self) -> dict[naive.Node, Fraction]:
        """How often each node is met on average."""
        seen: dict[naive.Node, Fraction] = {}
        todo = [(self.oracle.root(), Fraction(1))]
        while todo:
            node, chance = todo.pop()
            seen[node] = seen.get(node, Fraction(0)) + chance
            todo += [(child, chance * part) for part, _, child in self.ways(node)]
        return seen

    def ends(self) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Who has won, with the chance of that end; several where the win is shared."""
        for node, chance in self.chances.items():
            if not self.oracle.legal(node):
                totals = self.oracle.final(node)
                yield tuple(seat for seat, own in enumerate(totals) if own == max(totals)), chance

    @cached_property
    def shares(self) -> list[Fraction]:
        told = [Fraction(0)] * self.oracle.players
        for winners, chance in self.ends():
            for seat in winners:
                told[seat] += chance / len(winners)
        return told

    @cached_property
    def drawn(self) -> Fraction:
        return sum((chance for winners, chance in self.ends() if len(winners) > 1), Fraction(0))

    @cached_property
    def lengths(self) -> dict[int, Fraction]:
        told: dict[int, Fraction] = {}
        todo = [(self.oracle.root(), Fraction(1), 0)]
        while todo:
            node, chance, plies = todo.pop()
            if not self.oracle.legal(node):
                told[plies] = told.get(plies, Fraction(0)) + chance
            todo += [(child, chance * part, plies + (node[1] != CHANCE)) for part, _, child in self.ways(node)]
        return told


def anything(oracle: naive.Oracle, node: naive.Node) -> list[Any]:
    return oracle.legal(node)


class Reader:
    """Holds the sentences of one report against brute force.

    Best players are those of the docs: they make any move of rank 1, or the first where values rest on that choice.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.report = game, es.report(game)
        self.names = [name.capitalize() for name in game.player_names]
        oracle = naive.Recursion(game)
        solution = es.solve(game)

        def best(_: naive.Oracle, node: naive.Node) -> list[Any]:
            place = Position(game, node[0], node[1], node[2], ())
            if solution.notion is not None:
                return [solution.chosen(place)]
            return [option.move for option in solution.options(place) if option.rank == 1]

        self.oracle, self.best, self.random = oracle, Play(oracle, best), Play(oracle, anything)

    def check(self) -> None:
        """Every section by its own check; a section without one is an error, so that none is forgotten."""
        self.verdict(self.report.verdict)
        for section in self.report.sections:
            getattr(self, section.key)(section.sentence)

    # ---- claims, by section

    def verdict(self, text: str) -> None:
        if self.game.player_count == 1:
            assert text.startswith(("Perfect play brings", "Whoever looks "))
            return
        shares = self.best.shares
        led = re.split(r" (?=If |Nothing that was tried)", text)[0]
        if found := re.match(r"Between perfect players (\w+) always wins\.", led):
            assert shares[self.names.index(found[1])] == 1
        elif found := re.match(r"(.+?) (?:has|have) .*edge: (.+?)% of the wins", led):
            leaders = re.split(r", | and ", found[1])
            assert leaders == [n for n, s in zip(self.names, shares, strict=True) if s == max(shares)]
            assert is_about(found[2], max(shares))
            assert ("a draw counts half" in led or "a shared win is split" in led) == (self.best.drawn > 0)
        else:
            assert len({*shares}) == 1
            is_same = len({*self.oracle.value()}) == 1
            assert led.startswith("The game is even: ") == is_same, led
            assert ("perfect players always draw" in led.lower()) == (self.best.drawn == 1 and len(shares) == 2)

    def seats(self, text: str) -> None:
        if text == "Every game between perfect players is a draw.":
            assert self.best.drawn == 1
            return
        told = re.findall(r"(\w+) wins ((?:less than |more than |just \w+ )?[\d.]+)%", text)
        assert [name for name, _ in told] == self.names
        assert all(is_about(number, share) for (_, number), share in zip(told, self.best.shares, strict=True))

    def value(self, text: str) -> None:
        told = re.findall(r"(?:First|Second|Third|brings) (-?[\d.,]+|less than 0.01|a little less than 0)", text)
        assert len(told) == self.game.player_count
        assert all(is_amount(number.rstrip(".,"), own) for number, own in zip(told, self.oracle.value(), strict=True))

    def evening(self, text: str) -> None:
        told = text.partition(" First's share of the wins after other changes")[0]
        for points, made in re.findall(r"[Ii]f (?:First|Second) gets (.+?) points?, (.+?)[.;]", told):
            halves = points_of(points)
            oracle = naive.Recursion(self.game, utility="win")
            start, behind = self.game.position(), int(self.best_for_win(oracle)[0] > HALF)
            gains = tuple(halves * (seat == behind) for seat in (0, 1))
            node = (start.state, start.mover, tuple(a + b for a, b in zip(start.so_far, gains, strict=True)))
            share = oracle.value_of(node)[0]
            if "First has" not in made:
                assert share == HALF, (text, share)
        assert bool(re.search(r"exactly even[\w ]*\. Nearest", text)) == (
            self.report["evening"].figures["share_first_afterwards"] != HALF
        )

    def best_for_win(self, oracle: naive.Recursion) -> tuple[Any, ...]:
        return oracle.value_of(oracle.root())

    def length(self, text: str) -> None:
        lengths = self.best.lengths
        if found := re.fullmatch(r"Perfect play always takes ([\d.,]+) moves?\.", text):
            assert [*lengths] == [int(found[1])]
            return
        assert len(lengths) > 1
        assert f"at most {max(lengths)}." in text
        low, high = (
            int(end)
            for end in (re.search(r"usually (\d+) to (\d+)", text) or re.search(r"usually ((\d+))", text)).groups()
        )
        assert sum(chance for plies, chance in lengths.items() if low <= plies <= high) >= Fraction(4, 5)

    def choices(self, text: str) -> None:
        forced = costless = real = Fraction(0)
        for node, interests in self.turns():
            count = self.best.chances[node]
            forced += count * (len(interests) == 1)
            costless += count * (len(interests) > 1 == len({*interests}))
            real += count * (len({*interests}) > 1)
        shares = {"offer a real": real, "have only one": forced, "have several moves": costless}
        if text.startswith("Every turn"):
            assert Fraction(1) in [share / (forced + costless + real) for share in shares.values()]
        for number, what in re.findall(r"([\d.]+)% (\w+ \w+ \w+)", text):
            assert is_about(number, shares[what] / (forced + costless + real)) or "just" in text

    def turns(self) -> Iterator[tuple[naive.Node, list[Any]]]:
        """Positions in which best players are to move, with what every move brings the mover."""
        for node in self.best.chances:
            if node[1] != CHANCE and self.oracle.legal(node):
                yield node, [self.oracle.through(node, move)[node[1]] for move in self.oracle.legal(node)]

    def mistakes(self, text: str) -> None:
        wrong = [max(w) - own for _, w in self.turns() for own in w if own < max(w)]
        assert wrong
        if "always turns a win into a loss" in text:
            assert {*wrong} == {2}

    def ladder(self, text: str) -> None:
        figures = self.report["ladder"].figures
        policies = {"two moves ahead": "lookahead", "one move ahead": "greedy", "at random": "random"}
        whole = Fraction(1, self.game.player_count)
        for words, policy in policies.items():
            shares = [self.reply(policy, seat) for seat in range(self.game.player_count)]
            assert figures[policy] == sum(shares) / len(shares)
            assert words in text
        if "an equal share" in text and self.game.player_count > 1:
            level = text[text.index("Against ") :]
            assert all((words in level) == (figures[policy] == whole) for words, policy in policies.items())

    def reply(self, policy: str, seat: int) -> Any:
        if self.game.player_count == 1:
            return naive.Recursion(self.game, fixed={0: policy}).value()[0]
        fixed = {other: policy for other in range(self.game.player_count) if other != seat}
        return naive.Recursion(self.game, utility="win", fixed=fixed).value()[seat]

    def tension(self, text: str) -> None:
        is_open = {
            node for node, _ in self.turns() if len({self.oracle.through(node, m) for m in self.oracle.legal(node)}) > 1
        }
        outcomes = self.outcomes()
        is_open |= {node for node in self.best.chances if len({outcomes[c] for _, _, c in self.best.ways(node)}) > 1}
        mean = sum(plies * chance for plies, chance in self.best.lengths.items())
        closed = sum(
            self.best.chances[node] for node, _ in self.turns() if not any(n in is_open for n in self.below(node))
        )
        if text.startswith("From the first move on, nothing is open"):
            assert closed == mean
        elif text.startswith("Perfect play is open to the very last move"):
            assert not closed
        else:
            number = re.search(r"the last (one|less than 0\.01|[\d.]+)", text)[1]
            assert is_amount("1" if number == "one" else number, closed)
            assert 0 < closed < mean
        has_luck = any(node[1] == CHANCE and self.oracle.legal(node) for node in self.random.chances)
        assert has_luck or "luck" not in text
        is_opposed = es.solve(self.game).notion is None
        assert "a real choice" not in text or is_opposed
        assert "for everybody" not in text or not is_opposed

    def below(self, node: naive.Node) -> Iterator[naive.Node]:
        yield node
        for _, _, child in self.best.ways(node):
            yield from self.below(child)

    def outcomes(self) -> Mapping[naive.Node, tuple[Any, ...]]:
        """What every node is worth to each player, in shares of the win or what a single player is paid."""
        told: dict[naive.Node, tuple[Any, ...]] = {}

        def of(node: naive.Node) -> tuple[Any, ...]:
            if node not in told:
                ways = self.best.ways(node)
                parts = [[chance * own for own in of(child)] for chance, _, child in ways]
                told[node] = tuple(map(sum, zip(*parts, strict=True))) if ways else self.ended(node)
            return told[node]

        of(self.oracle.root())
        return told

    def ended(self, node: naive.Node) -> tuple[Any, ...]:
        totals = self.oracle.final(node)
        top = totals.count(max(totals))
        return totals if len(totals) == 1 else tuple(Fraction(own == max(totals), top) for own in totals)

    def lead(self, text: str) -> None:
        assert text.startswith("When everybody moves at random, the better chances ")

    def luck(self, text: str) -> None:
        has_luck = any(node[1] == CHANCE and self.oracle.legal(node) for node in self.random.chances)
        assert ("There is no luck" in text) == (not has_luck)

    def draws(self, text: str) -> None:
        assert (text in ("There are no draws.", "There are no shared wins.")) == (self.random.drawn == 0)
        assert ("Perfect players always" in text) == (self.best.drawn == 1)
        if "Perfect players never" in text:
            assert self.best.drawn == 0
        if found := re.search(r"move at random (?:draw|share the win in) (.+?)%", text):
            assert is_about(found[1], self.random.drawn)

    def openings(self, text: str) -> None:
        root = self.oracle.root()
        interests = [self.oracle.through(root, move)[root[1]] for move in self.oracle.legal(root)]
        if found := re.match(r"All (\d+) first moves are equally good", text):
            assert (int(found[1]), len({*interests})) == (len(interests), 1)
        elif found := re.match(r"Of (\d+) first moves, (\d+) (?:is|are) best", text):
            assert [int(n) for n in found.groups()] == [len(interests), interests.count(max(interests))]
        else:
            assert len(interests) == 1

    def usage(self, text: str) -> None:
        texts: dict[str, list[bool]] = {}
        for node in self.oracle.reachable(self.oracle.root()):
            if node[1] == CHANCE or not self.oracle.legal(node):
                continue
            interests = [self.oracle.through(node, move)[node[1]] for move in self.oracle.legal(node)]
            for move, interest in zip(self.oracle.legal(node), interests, strict=True):
                told = texts.setdefault(self.game.show_move(node[0], move), [False, False])
                told[0] |= len(interests) > 1
                told[1] |= interest == max(interests)
        made = {self.game.show_move(node[0], move) for node, _ in self.turns() for _, move, _ in self.best.ways(node)}
        never_best = {move for move, (among, good) in texts.items() if among and not good}
        assert ("Never the best choice" in text) == bool(never_best)
        assert ("Perfect players make use of every move" in text) == (not never_best and made == {*texts})
        assert ("Never made by perfect players" in text) == bool({*texts} - made - never_best)


def is_about(text: str, share: Fraction) -> bool:
    """Whether a share is what a text of percents says, rounded."""
    if text in ("less than 1", "more than 99"):
        return 0 < (share if text == "less than 1" else 1 - share) < Fraction(1, 100)
    if text.startswith("just"):
        return 0 < (HALF - share) * (1 if "under" in text else -1) < Fraction(1, 10_000)
    number = Fraction(text)
    room = Fraction(1, 20_000) if "." in text else Fraction(1, 200)
    return abs(share - number / 100) <= room and (number not in (0, 50, 100) or share == number / 100)


def is_amount(text: str, number: Any) -> bool:
    if text == "less than 0.01":
        return 0 < number < Fraction(1, 100)
    if text == "a little less than 0":
        return Fraction(-1, 100) < number < 0
    return abs(Fraction(text.replace(",", "")) - number) <= Fraction(1, 200)


def points_of(text: str) -> Fraction:
    """`half a`, `1/9 of a`, `3 and a half`, `10`."""
    text = text.replace("half a", "1/2").replace(" of a", "").replace(" and a half", ".5")
    return Fraction(text)


@examples(40, 8, GAMES)
def test_every_sentence_is_true_of_random_games(game: Game) -> None:
    Reader(game).check()


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_sentence_is_true_of_built_in_games(name: str) -> None:
    Reader(es.load(name)).check()


@pytest.mark.parametrize("name", MAY_GO_ROUND)
def test_where_play_may_go_round_nothing_is_called_the_longest_game(name: str) -> None:
    found = es.report(name)
    graph = es.solve(name).chain()[1]
    length = {section.key: section.sentence for section in found.sections}.get("length", "without an upper limit")
    assert "without an upper limit" in length or not graph.is_cyclic


@pytest.mark.parametrize("name", MIXED)
def test_mixed_moves_are_not_called_mistakes(name: str) -> None:
    """A report says nothing of choices, mistakes or what is open where no single move is best."""
    found = es.report(name)
    assert not {"choices", "mistakes", "tension", "openings", "usage"} & {section.key for section in found.sections}
    assert {"Choices", "Mistakes", "Tension", "First moves", "Useless moves"} <= {*found.left_out}
    has_luck = es.solve(name).chain()[0].game is not None and "no luck" not in found["luck"].sentence
    assert has_luck == any(map(_is_chance, _positions(es.load(name))))


def _positions(game: Game) -> list[Position]:
    """All positions, in truth."""
    places = [game.position()]
    seen = {places[0].state}
    for place in places:
        for move in [] if place.is_over else place.moves():
            child = place.play(move)
            if child.state not in seen:
                seen.add(child.state)
                places.append(child)
    return places


def _is_chance(place: Position) -> bool:
    return not place.is_over and place.mover == CHANCE


def main() -> None:
    """Read the reports of so many random games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    count = parser.parse_args().count
    check = settings(max_examples=count, deadline=None, phases=[Phase.generate, Phase.shrink])(
        given(GAMES)(lambda game: Reader(game).check())
    )
    check()
    print(f"{count:,} games: every sentence is true")


if __name__ == "__main__":
    main()
