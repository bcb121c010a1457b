"""The designer's report: every number against brute force on small random games, and on games with known answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, example

import endsight as es
import naive
import strategies
from amounts import examples
from command_line import run
from endsight import CHANCE, Game
from endsight.base.alarm import alarm_clock, time_given
from endsight.game.limits import Budget
from endsight.reporting.amounts import EVEN, percent
from endsight.reporting.compensation import paid_more
from endsight.reporting.evenness import seats_verdict
from endsight.reporting.findings import Findings
from endsight.reporting.measures import choices, lead_changes, lengths, luck, open_until
from endsight.reporting.played import best_play, random_play

SMALL = strategies.chance_acyclic(seats=2, max_nodes=8, zero_sum=True)
LINES = strategies.alternating_rewards(max_nodes=8)
NUMBERS = strategies.alternating_acyclic(max_nodes=8, payoffs=strategies.FEW)
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


def check_along(game: Game, mix: Mix, played: Any, *, wrong_moves: bool) -> None:
    """Values, lengths, tension, the lead and luck along one way to play."""
    oracle = naive.Recursion(game)
    every = list(lines(oracle, mix))
    root = oracle.root()
    assert played.values[0][0] == share_of(oracle, root, mix)
    plies = [(chance, sum(map(is_turn, steps))) for chance, steps in every]
    mean = sum(chance * count for chance, count in plies)
    found = lengths(played)
    assert found is not None
    assert (found.mean, found.shortest, found.longest) == (mean, min(c for _, c in plies), max(c for _, c in plies))
    assert found.variance == sum(chance * (count - mean) ** 2 for chance, count in plies)
    low, high = found.usually
    assert sum(chance for chance, count in plies if low <= count <= high) >= Fraction(4, 5)
    assert lead_changes(played) == sum(chance * changes_of_lead(steps) for chance, steps in every)
    drawn, made = spread(oracle, root, mix)
    centre = share_of(oracle, root, mix)
    assert drawn + made == sum(chance * (steps[-1].share - centre) ** 2 for chance, steps in every)
    assert luck(played) == (drawn / (drawn + made) if drawn + made else None)
    if wrong_moves:
        opened = sum(
            chance * sum(is_turn(step) and is_open(oracle, step.node, mix) for step in steps) for chance, steps in every
        )
        assert open_until(played) == opened


def changes_of_lead(steps: list[Step]) -> int:
    """How often the better chances pass to the other player; at even chances nobody takes them."""
    sides = [side for step in steps if (side := (step.share > EVEN) - (step.share < EVEN))]
    return sum(one != other for one, other in pairwise(sides))


@examples(60, 15, SMALL)
def test_players_who_move_at_random(game: Game) -> None:
    check_along(game, anything, random_play(game, Budget()), wrong_moves=False)


@examples(60, 15, LINES | SMALL)
def test_best_players(game: Game) -> None:
    solution = es.solve(game)
    assume(not solution.source.is_win_loss)  # there winners hasten, see below
    played = best_play(solution, Budget())
    mix = the_best if solution.notion is None else the_first
    check_along(game, mix, played, wrong_moves=True)
    oracle = naive.Recursion(game)
    turns = [(chance, step) for chance, steps in lines(oracle, mix) for step in steps if is_turn(step)]
    total = sum(chance for chance, _ in turns)
    found = choices(played)
    if not total:
        assert found is None
        return
    assert found is not None
    assert found.forced == sum(chance for chance, step in turns if len(step.interests) == 1) / total
    assert found.real == sum(chance for chance, step in turns if len({*step.interests}) > 1) / total
    assert found.forced + found.costless + found.real == 1
    wrong = [
        (c, [max(s.interests) - w for w in s.interests if w < max(s.interests)])
        for c, s in turns
        if len({*s.interests}) > 1
    ]
    if wrong:
        weight = sum(chance for chance, _ in wrong)
        assert found.mistake == sum(chance * Fraction(sum(lost), len(lost)) for chance, lost in wrong) / weight


@examples(60, 15, strategies.stopping_loops(seats=2))
def test_where_play_can_come_back(game: Game) -> None:
    """Values satisfy their equations exactly; lengths and changes of the lead are those of play followed by steps."""
    played = random_play(game, Budget())
    assert played is not None
    graph, values = played.graph, played.values
    for node in range(len(graph)):
        assert graph.is_end(node) or not sum(chance * changes[0] for chance, changes in played.increments(node))
    turns, sides = {*played.plies()}, [(row[0] > EVEN) - (row[0] < EVEN) for row in values]
    mass, mean, square, changes = {(0, 0, sides[0]): 1.0}, 0.0, 0.0, 0.0
    for _ in range(2_000):
        after: dict[tuple[int, int, int], float] = {}
        for (node, plies, side), chance in mass.items():
            if graph.is_end(node):
                mean, square = mean + chance * plies, square + chance * plies**2
            for edge, share in graph.chances(node):
                child = graph.successors[edge]
                ahead = sides[child] or side
                changes += chance * share * (0 not in (ahead, side) and ahead != side)
                key = child, plies + (node in turns), ahead
                after[key] = after.get(key, 0.0) + chance * float(share)
        mass = {key: chance for key, chance in after.items() if chance > 1e-15}
    found = lengths(played)
    assert found is not None
    assert float(found.mean) == pytest.approx(mean, rel=1e-6, abs=1e-9)
    assert float(found.variance) == pytest.approx(square - mean**2, rel=1e-4, abs=1e-6)
    assert float(lead_changes(played) or 0) == pytest.approx(changes, rel=1e-6, abs=1e-9)


@examples(60, 15, SMALL | LINES)
def test_the_ladder_and_useless_moves(game: Game) -> None:
    found = Findings(game)
    assert found.ladder is not None
    for rung in found.ladder:
        shares = [naive.Recursion(game, utility="win", fixed={1 - seat: rung.policy}).value()[seat] for seat in (0, 1)]
        assert rung.share == sum(shares) / 2
    oracle, best = naive.Recursion(game), {}
    for node in oracle.reachable(oracle.root()):
        for move, interest in zip(oracle.legal(node), interests_of(oracle, node), strict=False):
            told = best.setdefault(str(move), [False, False])
            told[0] |= len(oracle.legal(node)) > 1
            told[1] |= interest == max(interests_of(oracle, node))
    if found.usage is not None:
        assert {*found.usage.moves} == {*best}
        assert {*found.usage.dominated} == {text for text, (among, good) in best.items() if among and not good}


# Between players who play for points this game is even; between players who play only to win, the first always wins.
ODD = strategies.AlternatingRewards(
    successors=((1, 1), ()), payoffs=((-1, -2),) * 2, seats=2, rewards=(((-2, -1), (-2, -2)), ())
)


def test_a_game_that_is_even_only_for_players_of_points_is_told_so() -> None:
    made = Findings(ODD)
    assert made.shares == (EVEN, EVEN)
    assert made.share_for_wins == 1
    assert seats_verdict(made) == (
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


@examples(60, 15, LINES | NUMBERS | SMALL | strategies.chance_acyclic(seats=2, max_nodes=7))
@example(ODD)
@example(LOSES_TEN)
@example(WINS_SIX)
@example(ONE_OR_TWO)
def test_points_make_even_what_they_can(game: Game) -> None:
    """Of all half points up to what turns the game round, none comes nearer to even, in games solved by brute force."""
    found = Findings(game)
    share = naive.Recursion(game, utility="win").value()[0]
    assert found.share_for_wins == share
    points = [each for each in found.evening or [] if each.kind == "points"]
    behind = 1 if share > EVEN else 0
    shares = []
    for halves in range(1, 40):
        start = game.position()
        bonus = tuple(Fraction(halves, 2) * (seat == behind) for seat in (0, 1))
        root = (start.state, start.mover, bonus)
        shares.append(naive.Recursion(game, utility="win").value_of(root)[0])
    if not points:
        oracle = naive.Oracle(game)
        paid = {own for node in oracle.reachable(oracle.root()) if not oracle.legal(node) for own in oracle.final(node)}
        says_who_won = not game.gives("reward") and paid <= {-1, 0, 1}
        assert says_who_won or share == EVEN or min(abs(each - EVEN) for each in shares) >= abs(share - EVEN)
        return
    (given,) = points
    assert given.share in shares
    assert (given.beside is None) == (
        given.share == EVEN or all((each > EVEN) == (given.share > EVEN) for each in shares)
    )
    if given.beside is not None:
        across = [each for each in shares if (each > EVEN) != (given.share > EVEN)]
        assert abs(given.beside.share - EVEN) == min(abs(each - EVEN) for each in across)
    assert abs(given.share - EVEN) == min(abs(each - EVEN) for each in shares) < abs(share - EVEN)


@examples(60, 15, strategies.chance_acyclic(seats=2, max_nodes=7, zero_sum=True, rewards=False))
def test_paid_more_is_what_it_says(game: Game) -> None:
    bonus = (Fraction(1, 2), Fraction(-3))
    more = es.solve(*paid_more(game, bonus), method="graph").values()
    assert more == tuple(value + amount for value, amount in zip(naive.Recursion(game).value(), bonus, strict=True))


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
    monkeypatch.setattr("endsight.reporting.played.MOST", 2_000)
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


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Fraction(1, 2), "50%"),
        (Fraction(1, 1000), "less than 1%"),
        (Fraction(999, 1000), "more than 99%"),
        (1, "100%"),
        (es.Interval(Fraction(1, 2), Fraction(3, 5)), "50 to 60%"),
    ],
)
def test_percents_are_never_more_certain_than_they_are(share: Any, text: str) -> None:
    assert percent(share) == text


def test_time_goes_on_after_a_limit_of_states() -> None:
    """What is proven by then is told in half a second; what comes after it has the time that was left."""
    with alarm_clock(600):
        with pytest.raises(es.LimitReached, match="more than 50 states"):
            es.solve("tictactoe", method="graph", symmetry=False, limits=es.Limits(states=50))
        assert (time_given() or 0) > 300
