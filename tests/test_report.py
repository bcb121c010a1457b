"""The designer's report: every number against brute force on small random games, and on games with known answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import example

import endsight as es
import naive
import strategies
from amounts import examples
from command_line import run
from endsight import CHANCE, Game
from thresholds import reports_examine_few_positions

SMALL = strategies.chance_acyclic(seats=2, max_nodes=8, zero_sum=True)
LINES = strategies.alternating_rewards(max_nodes=8)
NUMBERS = strategies.alternating_acyclic(max_nodes=8, payoffs=strategies.FEW)
PLAIN = strategies.chance_acyclic(seats=2, max_nodes=7, zero_sum=True, rewards=False)
EVEN = Fraction(1, 2)
Mix = Callable[[naive.Oracle, naive.Node], list[Any]]


class Step(NamedTuple):
    """One node of a line of play: who moves, what all its moves bring the mover, and the first one's share there."""

    node: naive.Node
    interests: list[Any]
    share: Fraction


def anything(oracle: naive.Oracle, node: naive.Node) -> list[Any]:
    return oracle.legal(node)


def the_best(oracle: naive.Oracle, node: naive.Node) -> list[Any]:
    interests = interests_of(oracle, node)
    return [move for move, interest in zip(oracle.legal(node), interests, strict=True) if interest == max(interests)]


def the_first(oracle: naive.Oracle, node: naive.Node) -> list[Any]:
    return the_best(oracle, node)[:1]


def interests_of(oracle: naive.Oracle, node: naive.Node) -> list[Any]:
    return [oracle.through(node, move)[node[1]] for move in oracle.legal(node)] if node[1] != CHANCE else []


def ways(oracle: naive.Oracle, node: naive.Node, mix: Mix) -> list[tuple[Fraction, naive.Node]]:
    """What may follow, with its chance."""
    chances = oracle.chances(node)
    if chances is None:
        made = mix(oracle, node)
        chances = [(move, Fraction(1, len(made))) for move in made]
    return [(chance, oracle.after(node, move)) for move, chance in chances]


def share_of(oracle: naive.Oracle, node: naive.Node, mix: Mix) -> Fraction:
    """The first player's mean share of the win; a single player's mean total."""
    if not oracle.legal(node):
        totals = oracle.final(node)
        if len(totals) == 1:
            return Fraction(totals[0])
        return Fraction((totals[0] == max(totals)), totals.count(max(totals)))
    return sum((chance * share_of(oracle, child, mix) for chance, child in ways(oracle, node, mix)), Fraction(0))


def lines(oracle: naive.Oracle, mix: Mix, node: naive.Node | None = None) -> Iterator[tuple[Fraction, list[Step]]]:
    """Every line of play with its chance, one by one; the last step is its end."""
    node = node or oracle.root()
    step = Step(node, interests_of(oracle, node) if oracle.legal(node) else [], share_of(oracle, node, mix))
    if not oracle.legal(node):
        yield Fraction(1), [step]
        return
    for chance, child in ways(oracle, node, mix):
        for rest, steps in lines(oracle, mix, child):
            yield chance * rest, [step, *steps]


def is_turn(step: Step) -> bool:
    return bool(step.interests)


def spread(oracle: naive.Oracle, node: naive.Node, mix: Mix) -> tuple[Fraction, Fraction]:
    """The variance of the result from a node on, in two parts: of chance, and of moves (law of total variance)."""
    if not oracle.legal(node):
        return Fraction(0), Fraction(0)
    drawn = made = Fraction(0)
    here = share_of(oracle, node, mix)
    for chance, child in ways(oracle, node, mix):
        more = chance * (share_of(oracle, child, mix) - here) ** 2
        below = spread(oracle, child, mix)
        drawn += chance * below[0] + (more if node[1] == CHANCE else 0)
        made += chance * below[1] + (0 if node[1] == CHANCE else more)
    return drawn, made


def is_open(oracle: naive.Oracle, node: naive.Node, mix: Mix) -> bool:
    """Whether from here on luck, or a wrong move, may still change something."""
    if not oracle.legal(node):
        return False
    everybody = {oracle.through(node, move) for move in oracle.legal(node)} if node[1] != CHANCE else {}
    here = {share_of(oracle, child, mix) for _, child in ways(oracle, node, mix)}
    return (
        len(everybody) > 1 or len(here) > 1 or any(is_open(oracle, child, mix) for _, child in ways(oracle, node, mix))
    )


@dataclass(frozen=True, eq=False)
class Reported:
    """A report of a game of two, and brute force beside it."""

    game: Game

    @cached_property
    def report(self) -> es.Report:
        return es.report(self.game)

    @cached_property
    def oracle(self) -> naive.Recursion:
        return naive.Recursion(self.game)

    def figure(self, name: str) -> Any:
        return self.report.figures.get(name)

    def check_all(self) -> None:
        """Everything that is told of one game."""
        mix = the_best if self.report.notion is None else the_first
        assert self.figure("seats.share_first") == share_of(self.oracle, self.oracle.root(), mix)
        self.check_play_at_random()
        if es.solve(self.game).category() == "value":  # else winners hasten
            self.check_lengths(mix)
            self.check_tension(mix)
            self.check_choices(mix)
        self.check_ladder()
        self.check_usage(mix)
        self.check_points()

    def check_play_at_random(self) -> None:
        """The lead, luck and draws."""
        oracle, every = self.oracle, list(lines(self.oracle, anything))
        drawn, made = spread(oracle, oracle.root(), anything)
        centre = share_of(oracle, oracle.root(), anything)
        assert drawn + made == sum(chance * (steps[-1].share - centre) ** 2 for chance, steps in every)
        assert self.figure("luck.luck") == (drawn / (drawn + made) if drawn + made else None)
        assert self.figure("lead.beginners") == sum(chance * changes_of_lead(steps) for chance, steps in every)
        assert self.figure("draws.beginners") == sum(chance for chance, steps in every if steps[-1].share == EVEN)

    def check_lengths(self, mix: Mix) -> None:
        plies = [(chance, sum(map(is_turn, steps))) for chance, steps in lines(self.oracle, mix)]
        mean = sum(chance * count for chance, count in plies)
        variance = sum(chance * (count - mean) ** 2 for chance, count in plies)
        assert [self.figure(f"length.{each}") for each in ("mean", "variance")] == [mean, variance]
        assert self.figure("length.shortest") == min(count for _, count in plies)
        assert self.figure("length.longest") == max(count for _, count in plies)
        low, high = self.figure("length.usually_from"), self.figure("length.usually_to")
        for share, usual in ((Fraction(1, 10), low), (Fraction(9, 10), high)):
            assert sum(chance for chance, count in plies if count < usual) < share
            assert sum(chance for chance, count in plies if count <= usual) >= share

    def check_tension(self, mix: Mix) -> None:
        opened = sum(
            chance * sum(is_turn(step) and is_open(self.oracle, step.node, mix) for step in steps)
            for chance, steps in lines(self.oracle, mix)
        )
        mean = self.figure("length.mean")
        assert self.figure("tension.open_until") == (opened if mean else None)
        assert self.figure("tension.share_of_game") == (opened / Fraction(mean) if mean else None)

    def check_choices(self, mix: Mix) -> None:
        turns = [(chance, step) for chance, steps in lines(self.oracle, mix) for step in steps if is_turn(step)]
        total = sum(chance for chance, _ in turns)
        kinds = [self.figure(f"choices.{kind}") for kind in ("forced", "real", "costless")]
        if not total:
            assert kinds == [None] * 3
            return
        assert kinds[0] == sum(chance for chance, step in turns if len(step.interests) == 1) / total
        assert kinds[1] == sum(chance for chance, step in turns if len({*step.interests}) > 1) / total
        assert sum(kinds) == 1
        real = [(chance, step.interests) for chance, step in turns if len({*step.interests}) > 1]
        wrong = [(chance, [max(row) - each for each in row if each < max(row)]) for chance, row in real]
        weight = sum(chance for chance, _ in wrong)
        lost = sum(chance * Fraction(sum(each), len(each)) for chance, each in wrong)
        assert self.figure("mistakes.mistake") == (lost / weight if wrong else None)

    def check_ladder(self) -> None:
        for policy in ("random", "greedy", "lookahead"):
            against = [naive.Recursion(self.game, utility="win", fixed={1 - seat: policy}) for seat in (0, 1)]
            shares = [oracle.value()[seat] for seat, oracle in enumerate(against)]
            assert self.figure(f"ladder.{policy}") == sum(shares) / 2

    def check_usage(self, mix: Mix) -> None:
        """Which moves are never the best, and never made by the best players."""
        legal, among, good = set[str](), set[str](), set[str]()
        for node in self.oracle.reachable(self.oracle.root()):
            for move, interest in zip(
                self.oracle.legal(node), interests := interests_of(self.oracle, node), strict=False
            ):
                legal.add(str(move))
                among |= {str(move)} if len(interests) > 1 else set()
                good |= {str(move)} if interest == max(interests) else set()
        if "usage.moves" not in self.report.figures:
            assert not legal or self.report.left_out["Useless moves"]
            return
        turns = [step.node for _, steps in lines(self.oracle, mix) for step in steps if is_turn(step)]
        made = {str(move) for node in turns for move in mix(self.oracle, node)}
        dominated = among - good
        assert self.figure("usage.moves") == len(legal)
        assert self.figure("usage.dominated") == len(dominated)
        said = dict(part.split(": ") for part in self.report["usage"].sentence.split(".") if ": " in part)
        told = {what.strip(): {*re.findall(r"\d+", moves)} for what, moves in said.items()}
        assert told.get("Never the best choice", set()) == dominated
        if es.solve(self.game).category() == "value":
            assert self.figure("usage.unused") == len(legal - made)
            assert told.get("Never made by perfect players", set()) == legal - made - dominated

    def check_points(self) -> None:
        """Of all half points up to what turns the game round, none comes nearer to even."""
        share = naive.Recursion(self.game, utility="win").value()[0]
        behind = 1 if share > EVEN else 0
        shares = []
        for halves in range(1, 40):
            start = self.game.position()
            bonus = tuple(Fraction(halves, 2) * (seat == behind) for seat in (0, 1))
            shares.append(naive.Recursion(self.game, utility="win").value_of((start.state, start.mover, bonus))[0])
        nearest = min(abs(each - EVEN) for each in shares)
        given, beside = self.figure("evening.share_first_afterwards"), self.figure("evening.share_first_beside")
        if given is None:
            ends = [node for node in self.oracle.reachable(self.oracle.root()) if not self.oracle.legal(node)]
            says_who_won = {own for node in ends for own in self.oracle.final(node)} <= {-1, 0, 1}
            says_who_won &= not self.game.gives("reward")
            assert says_who_won or share == EVEN or nearest >= abs(share - EVEN)
            return
        assert given in shares
        across = [each for each in shares if (each > EVEN) != (given > EVEN)]
        assert (beside is None) == (given == EVEN or not across)
        assert beside is None or abs(beside - EVEN) == min(abs(each - EVEN) for each in across)
        assert abs(given - EVEN) == nearest < abs(share - EVEN)


def changes_of_lead(steps: list[Step]) -> int:
    """How often the better chances pass to the other player; at even chances nobody takes them."""
    sides = [side for step in steps if (side := (step.share > EVEN) - (step.share < EVEN))]
    return sum(one != other for one, other in pairwise(sides))


def paid_nothing(game: Game) -> Game:
    """The same moves where nothing is at stake: all of them are best, so the best players move at random."""
    values = game.values()
    return type(game)(**{**values, "payoffs": ((0, 0),) * len(values["payoffs"])})


@examples(60, 4, strategies.stopping_loops(seats=2))
def test_where_play_can_come_back(game: Game) -> None:
    """Lengths, changes of the lead and luck are those of play followed by steps, with values from equations."""
    oracle = naive.Enumeration(game, utility="win", fixed={0: "random", 1: "random"})
    root = oracle.root()
    share = {node: oracle.value_of(node)[0] for node in oracle.reachable(root)}
    sides = {node: (each > EVEN) - (each < EVEN) for node, each in share.items()}
    ways = {node: oracle.chances(node) if oracle.legal(node) else [] for node in share}
    steps = {node: [(float(chance), oracle.after(node, move)) for move, chance in row] for node, row in ways.items()}
    mass, changes, drawn, made = {(root, 0, sides[root]): 1.0}, 0.0, 0.0, 0.0
    ended: dict[int, float] = {}
    for _ in range(2_000):
        after: dict[tuple[naive.Node, int, int], float] = {}
        for (node, plies, side), chance in mass.items():
            if not steps[node]:
                ended[plies] = ended.get(plies, 0.0) + chance
            for likely, child in steps[node]:
                ahead, variance = sides[child] or side, chance * likely * float(share[child] - share[node]) ** 2
                changes += chance * likely * (0 not in (ahead, side) and ahead != side)
                drawn, made = (drawn + variance, made) if node[1] == CHANCE else (drawn, made + variance)
                key = child, plies + (node[1] != CHANCE), ahead
                after[key] = after.get(key, 0.0) + chance * likely
        mass = {key: chance for key, chance in after.items() if chance > 1e-15}
    found, lengths = es.report(game).figures, es.report(paid_nothing(game)).figures
    assert float(found["lead.beginners"]) == pytest.approx(changes, rel=1e-6, abs=1e-9)
    assert found.get("luck.luck", -1) == (pytest.approx(drawn / (drawn + made), rel=1e-6) if drawn + made else -1)
    mean = sum(chance * plies for plies, chance in ended.items())
    square = sum(chance * plies**2 for plies, chance in ended.items())
    assert float(lengths["length.mean"]) == pytest.approx(mean, rel=1e-6, abs=1e-9)
    assert float(lengths["length.variance"]) == pytest.approx(square - mean**2, rel=1e-4, abs=1e-6)
    assert lengths["length.shortest"] == min(ended)
    is_limited = not any(
        node[1] != CHANCE and node in naive.met(node, lambda each: {child for _, child in steps[each]})
        for node in steps
    )
    assert lengths.get("length.longest") == (max(ended) if is_limited else None)
    for share_of_games, usual in ((0.1, lengths["length.usually_from"]), (0.9, lengths["length.usually_to"])):
        assert sum(chance for plies, chance in ended.items() if plies < usual) < share_of_games + 1e-9
        assert sum(chance for plies, chance in ended.items() if plies <= usual) > share_of_games - 1e-9


# Between players who play for points this game is even; between players who play only to win, the first always wins.
ODD = strategies.AlternatingRewards(
    successors=((1, 1), ()), payoffs=((-1, -2),) * 2, seats=2, rewards=(((-2, -1), (-2, -2)), ())
)


def test_a_game_that_is_even_only_for_players_of_points_is_told_so() -> None:
    made = es.report(ODD)
    assert made.figures["seats.share_first"] == made.figures["seats.share_second"] == EVEN
    assert made.verdict == (
        "The game is even: perfect players always draw. Between players who play only to win, First has 100% of the "
        "wins. If Second gets 1 point, every game between players who play only to win is a draw."
    )


# Rules whose text does not say that they pay numbers: the first player loses 10, or may win 6.
LOSES_TEN = strategies.GraphGame(successors=((1,), (2,), (3,), ()), payoffs=(0, 0, 0, 5))
WINS_SIX = strategies.GraphGame(successors=((1, 2), (3,), (4,), (), ()), payoffs=(0, 0, 0, 3, (-3, 3)))
# The first of the best moves ends the game with payoffs that could say who won; another move does not.
ONE_OR_TWO = strategies.MoverGraph(
    successors=((1, 2), (), (3, 4), (), ()),
    payoffs=((0, 0), (1, -1), (0, 0), (1, -1), (2, -2)),
    movers=(0, 0, 1, 0, 0),
    weights=((1, 1), (), (1, 1), (), ()),
)
# Half a point less than what turns this game round leaves it nearer to even.
JUST_BELOW = strategies.MoverGraph(
    successors=((1,), (2, 3, 4), (), (), ()),
    payoffs=((0, 0), (0, 0), (1, -1), (3, -3), (-1, 1)),
    movers=(0, CHANCE, 0, 0, 0),
    weights=((1,), (1, 11, 8), (), (), ()),
)
BY_THOUSANDS = strategies.GraphGame(successors=((1,), ()), payoffs=(0, -20_000))


@pytest.mark.parametrize(
    ("game", "player", "points"),
    [
        (LOSES_TEN, "First", 10),
        (WINS_SIX, "Second", 6),
        (ONE_OR_TWO, "Second", 2),
        (BY_THOUSANDS, "Second", "40000"),
    ],
)
def test_points_are_found_wherever_a_game_pays_points(game: Game, player: str, points: object) -> None:
    verdict = es.report(game).verdict
    assert verdict.endswith(f"If {player} gets {points} points, every game between perfect players is a draw.")


# The third player, who gets nothing, chooses which of the others wins.
KINGMAKER = strategies.MoverGraph(
    successors=((1, 1), (2, 3), (), ()),
    payoffs=((0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0)),
    seats=3,
    movers=(0, 2, 0, 0),
    weights=((1, 1), (1, 1), (), ()),
)


@cache
def of_tictactoe() -> es.Report:
    return es.report("tictactoe")


def test_a_report_says_which_of_several_equilibria_it_is_about() -> None:
    found = es.report(KINGMAKER)
    assert found.notion == es.solve(KINGMAKER).notion is not None
    assert found["tension"].figures["share_of_game"] == 1
    assert found["tension"].sentence == (
        "Perfect play is open to the very last move: a choice that matters to somebody remains."
    )
    assert of_tictactoe().notion is None
    assert "best replies to the two prove the value" in run("report", "kuhn").out


@examples(60, 6, LINES | NUMBERS | SMALL | PLAIN | strategies.chance_acyclic(seats=2, max_nodes=7))
@example(ODD)
@example(LOSES_TEN)
@example(WINS_SIX)
@example(ONE_OR_TWO)
@example(JUST_BELOW)
def test_small_games(game: Game) -> None:
    Reported(game).check_all()


def test_tictactoe_is_known() -> None:
    found = of_tictactoe()
    figures = found.figures
    assert found.verdict == "The game is even: perfect players always draw."
    assert figures["seats.share_first"] == EVEN
    assert (figures["length.mean"], figures["length.variance"]) == (9, 0)
    assert figures["choices.forced"] == Fraction(1, 9)  # the last move, and no other
    assert figures["draws.beginners"] == Fraction(8, 63)
    assert figures["luck.luck"] == 0
    assert {*figures} >= {f"openings.{column}{row}" for column in "abc" for row in "123"}
    first = es.solve("tictactoe", fixed={"second": "random"}, utility="win").values()[0]
    second = es.solve("tictactoe", fixed={"first": "random"}, utility="win").values()[1]
    assert figures["ladder.random"] == (first + second) / 2


def test_pots_are_made_even_by_the_difference() -> None:
    found = es.report("pots:4-9-2-7")
    assert found.verdict.endswith("If Second gets 10 points, every game between perfect players is a draw.")
    assert found["evening"].figures == {"share_first_afterwards": EVEN}
    assert found["value"].figures == {"value_first": 16, "value_second": 6}


def test_pig_gets_a_head_start_that_holds() -> None:
    found = es.report("pig:target=7")
    game = es.load("pig:target=7")
    given = next(number for number in range(1, 10) if f"Second starts with {number} instead of 0" in found.verdict)
    after = es.solve(game, game.position_from(f"first=0 second={given} pot=0 turn=first"), utility="win").values()[0]
    before = es.solve(game, utility="win").values()[0]
    assert found["evening"].figures["share_first_afterwards"] == after
    assert abs(after - EVEN) < abs(before - EVEN)
    assert "Nothing that was tried makes it exactly even" in found.verdict


def test_long_fractions_are_rounded_in_sentences_and_exact_in_figures() -> None:
    found = es.report("leduc")
    assert "First gets about 0.1712 points in every game" in found.verdict
    first, second = es.solve("leduc").values()
    assert found["evening"].figures["points"] == second - first


def test_why_sections_are_left_out_of_reports_of_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if fewer positions were examined: solving a game of more than 20,000 in all these ways takes long."""
    reports_examine_few_positions(monkeypatch)
    found = es.report("connectfour:width=4,height=3")
    assert found.left_out["Luck and skill"] == "more than 20,000 positions would have to be examined"
    titles = {"Points", "Seats", "Evening it out", "Length", "Choices", "Mistakes", "Skill ladder", "Tension"}
    titles |= {"Lead changes", "Luck and skill", "Draws", "First moves", "Useless moves"}
    assert {section.title for section in found.sections} | {*found.left_out} == titles - {"Points"}


def test_kuhn_is_made_even_by_its_value() -> None:
    found = es.report("kuhn")
    assert found["evening"].figures == {"lead_first_afterwards": 0, "points": Fraction(1, 9)}
    assert "First gets 1/9 of a point in every game, both get the same on average" in found.verdict
    assert found.left_out["Choices"].startswith("players mix their moves")


def test_one_player_has_no_seats() -> None:
    found = es.report("repeatbust:sides=4,dice=1")
    assert {"Seats", "Evening it out", "Lead changes", "Draws"} <= {*found.left_out}
    assert found.verdict == "Whoever looks two moves ahead gets more than 99% of what perfect play brings."
    assert found["value"].sentence == "Perfect play brings 3.29 points on average."
    assert found["ladder"].figures["greedy"] == 0


class Grab(Game):
    """Take 1 or 2 once."""

    class State(NamedTuple):
        """What was taken."""

        taken: int

    players = 1

    def start(self) -> Any:
        return self.State(0)

    def limits(self) -> Any:
        return self.State(2)

    def moves(self, state: Any) -> tuple[int, ...]:
        return () if state.taken else (1, 2)

    def play(self, state: Any, move: int) -> Any:
        return self.State(move)

    def payoff(self, state: Any) -> int:
        return int(state.taken)


def test_a_player_looks_no_further_ahead_than_it_takes() -> None:
    assert es.report(Grab()).verdict == "Whoever looks one move ahead plays as well as possible."


def test_other_versions_stand_beside() -> None:
    found = es.report("nim:heaps=1-2", against="nim:heaps=1-2-3")
    row = next(row for row in found.to_dicts() if (row["section"], row["figure"]) == ("seats", "share_first"))
    assert (row["value"], row["against"]) == (1, 0)
    assert "Nim(heaps=(1, 2, 3), misere=False)" in found._repr_html_()


def test_percents_are_never_more_certain_than_they_are() -> None:
    for wins, first, second in ((1, "50%", "50%"), (999, "more than 99%", "less than 1%"), (0, "0%", "100%")):
        rolled = {"movers": (CHANCE, 0, 0), "weights": ((max(1, wins), 1), (), ())}
        game = strategies.MoverGraph(((1, 2), (), ()), ((0, 0), (1, -1) if wins else (-1, 1), (-1, 1)), 2, **rolled)
        assert (
            es.report(game)["seats"].sentence == f"Between perfect players First wins {first} and Second wins {second}."
        )
    bounded = es.report("pig:target=3", interval=True)
    assert isinstance(bounded.figures["ladder.greedy"], es.Interval)
    assert "just under 50 to just over 50% against somebody who looks one move ahead" in bounded["ladder"].sentence
