"""What users see of games in which players see different things, or move at once: every command, right or refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import ask, run
from endsight import CHANCE, Game
from endsight.errors import QuestionError, RulesError
from endsight.faces.cli.group import endsight as command
from hidden_games import Hidden, Poker
from shown import Page
from test_schemas import validate

pytest.importorskip("highspy")

POKER = f"{Path(__file__).parent / 'hidden_games.py'}:Poker"
VALUE = Fraction(-1, 18)
"""Kuhn's poker is worth that to the first player (H. W. Kuhn, 1950)."""


class Three(Game):
    """Three players pass a coin that only its owner sees; who guesses last wins one of each."""

    players = 3

    class State(NamedTuple):
        coin: int
        told: tuple[int, ...]

    def start(self) -> State:
        return self.State(0, ())

    def to_move(self, s: State) -> int:
        return CHANCE if not s.coin else min(2, len(s.told))

    def moves(self, s: State) -> Iterator[int]:
        if len(s.told) < 3:
            yield from (1, 2)

    def play(self, s: State, m: int) -> State:
        return s._replace(told=(*s.told, m)) if s.coin else s._replace(coin=m)

    def payoff(self, s: State) -> tuple[int, ...]:
        return tuple(3 * (told == s.coin) - s.told.count(s.coin) for told in s.told)

    def sees(self, s: State, player: int) -> tuple[Any, ...]:
        return (s.coin if player == 0 else 0, s.told)


@pytest.fixture(scope="module")
def poker() -> es.Solution:
    return es.solve(Poker())


# ---------------------------------------------------------------------- values


def test_the_value_is_told_with_what_it_rests_on(poker: es.Solution) -> None:
    assert poker.value() == {"first": VALUE, "second": -VALUE}
    assert run("value", POKER).out == (
        "first -1/18 ≈ -0.055556, second 1/18 ≈ 0.055556 · equilibrium, both sides proven\n"
    )
    document = ask("value", POKER)
    assert (document["status"], document["facts"]["notion"]) == ("exact", "equilibrium")
    assert document["method"]["name"] == "sequence form"
    assert document["method"]["states"] == 58


def test_later_positions_are_worth_what_play_by_the_plans_brings(poker: es.Solution) -> None:
    """Of every history, the average over what may follow, down to what the rules pay."""
    queue, looked = [poker.position], 0
    while queue:
        position = queue.pop()
        looked += 1
        if position.is_over:
            assert tuple(poker.value(position).values()) == poker.game.payoff(position.state)
            continue
        options = poker.options(position)
        assert sum(option.probability for option in options) == 1
        mean = sum(option.probability * option.value[0] for option in options)
        assert mean == poker.value(position)["first"]
        queue += map(position.play, position.moves())
    assert looked == 58
    assert ask("value", POKER, "--at", "3 2")["facts"]["notion"] == "one equilibrium"


def test_positions_without_a_past_are_refused() -> None:
    ending = run("value", POKER, "--position", "first=1 second=2 told=1")
    assert ending.code == 2
    assert "--at" in ending.err
    unseen = run("value", POKER, "--at", "3 ?")
    assert unseen.code == 2
    assert "--as PLAYER" in unseen.err


# ---------------------------------------------------------------------- as a player sees it


def test_a_player_is_told_what_the_other_may_hold(poker: es.Solution) -> None:
    for moves in ("2 ? 1 2", "2 1 1 2", "2 3 1 2"):
        found = poker.seen_by("first", moves)
        assert found.sees == "2,5"
        chances = {each.sees: each.probability for each in found.posterior}
        assert chances == {"3,5": Fraction(3, 4), "1,5": Fraction(1, 4)}
    # In every equilibrium a queen calls with 1/3 more than the chance of a bluff.
    assert {option.text: option.value for option in found.options} == {"1": (-1, 1), "2": (-1, 1)}


def test_what_moves_are_worth_agrees_with_the_posterior(poker: es.Solution) -> None:
    """Bayes' rule and the mean, from the chances at true histories alone."""
    for player, moves in ((0, "1 ?"), (0, "3 ?"), (1, "? 3 1"), (1, "? 1 1"), (0, "2 ? 1 2")):
        found = poker.seen_by(player, moves)
        plays = list(_plays(poker, moves.split()))
        reach = sum(chance for _, chance in plays)
        assert reach == found.reach
        for option in found.options:
            worth = sum(chance * poker.value(position.after(option.text))["first"] for position, chance in plays)
            assert worth == reach * option.value[0]


def _plays(solution: es.Solution, texts: list[str]) -> Iterator[tuple[es.Position, Fraction]]:
    """True positions that fit, with their chances."""
    plays = [(solution.position, Fraction(1))]
    for text in texts:
        plays = [
            (position.play(option.move), chance * option.probability)
            for position, chance in plays
            for option in solution.options(position)
            if text in ("?", option.text)
        ]
    return iter(plays)


def test_ranges_of_all_optimal_plans_are_those_of_the_literature() -> None:
    """In Kuhn poker the first bets with the lowest card up to a third of the time, and with the highest at will."""
    for moves, least, most in (("1 ?", 0, Fraction(1, 3)), ("3 ?", 0, 1)):
        document = ask("analyze", "kuhn", "--as", "first", "--at", moves, "--range")
        assert validate(document) == "position"
        told = {move["move"]: move["range"] for move in document["moves"]}
        assert [Fraction(told["bet"][end]["exact"]) for end in ("lower", "upper")] == [least, most]
    assert "0 to 1/3" in run("analyze", "kuhn", "--as", "first", "--at", "1 ?", "--range").out
    assert run("analyze", "kuhn", "--range").code == 2
    with pytest.raises(QuestionError, match="see the same there"):
        es.solve("rps").seen_by("first", ranges=True)


def test_what_leaves_open_what_was_seen_is_refused(poker: es.Solution) -> None:
    with pytest.raises(QuestionError, match="leave open what first has seen"):
        poker.seen_by("first", "? ?")
    with pytest.raises(QuestionError, match="second is not to move there"):
        poker.seen_by("second", "? 3")
    with pytest.raises(es.IllegalMoveError, match="move 2, '3', fits no play"):
        poker.seen_by("first", "3 3")
    with pytest.raises(QuestionError, match="see the same there"):
        es.solve("tictactoe").seen_by("first")
    with pytest.raises(QuestionError, match="choose their moves together"):
        es.solve("rps", objective="cooperative").seen_by("first")


def test_the_page_refuses_what_it_would_show(poker: es.Solution) -> None:
    for kind in ("position", "line", "page"):
        refusal = Page().failure(kind, "kuhn", "3 2", show=True, link="/?at=")
        assert (refusal["error"], refusal["exit_code"]) == ("HiddenPositionError", 2)
        assert "is shown at their seats alone" in refusal["message"]
        assert refusal == Page().failure(kind, "kuhn", "1 3", show=True, link="/?at="), "it tells nothing of the cards"


def test_sets_that_nobody_lets_come_to_are_told_so(poker: es.Solution) -> None:
    """Every set of both players is of one of three kinds, by the chances of the true histories in it."""
    kinds = Counter()
    for card in "123":
        for player, moves in ((0, f"{card} ?"), (0, f"{card} ? 1 2"), (1, f"? {card} 1"), (1, f"? {card} 2")):
            found = poker.seen_by(player, moves)
            reach = sum(chance for _, chance in _plays(poker, moves.split()))
            assert found.reached == (reach > 0)
            assert found.told == ("plan" if reach else "off the path")
            assert (found.value is None) == (not found.posterior)
            kinds[found.told] += 1
    assert kinds["plan"] >= 9


def test_documents_of_a_players_view(tmp_path: Path) -> None:
    document = ask("analyze", POKER, "--as", "first", "--at", "2 ? 1 2")
    assert validate(document) == "position"
    assert (document["as"], document["sees"], document["reached"]) == ("first", "2,5", True)
    assert document["posterior"][0]["probability"]["exact"] == "3/4"
    assert "second sees 3,5  in 3 of 4 cases" in run("analyze", POKER, "--as", "first", "--at", "2 ? 1 2").out
    assert run("analyze", POKER, "--as", "first", "--at", "2 ? 1 2", "--plain").out.startswith("move\tprobability")


def test_a_part_of_moves_at_once_may_be_unseen() -> None:
    hidden = Hidden(seed=3, together=True)
    solution = es.solve(hidden)
    position = next(_at_once(solution.position))
    seen = solution.seen_by("first", position.history)
    assert sum(option.probability for option in seen.options) == 1
    at_once = es.solve("goofspiel:cards=3").seen_by("second", "2 3-1 1")
    assert [option.text for option in at_once.options] == ["2", "3"]


def _at_once(position: es.Position) -> Iterator[es.Position]:
    if len(position.movers) > 1:
        yield position
    for move in position.moves():
        yield from _at_once(position.play(move))


# ---------------------------------------------------------------------- play


def test_distributions_and_samples_are_those_of_the_plans(poker: es.Solution) -> None:
    found = poker.distribution()
    assert sum(found.outcomes.values()) == 1
    assert found.mean() == VALUE
    sample = es.simulate(Poker(), games=200, seed=1)
    assert sample.value == VALUE
    assert set(sample.counts) <= set(found.outcomes)


def test_a_review_adds_up_and_moves_of_the_plan_are_no_mistakes(poker: es.Solution) -> None:
    draws = random.Random(5)
    for _ in range(20):
        position = poker.position
        while not position.is_over:
            position = position.play(draws.choice(list(position.moves())))
        found = es.review(poker, position)
        for player in (0, 1):
            parts = found.start[player] + found.luck[player] + found.hidden[player]
            assert parts - found.mistakes[player] + found.gifts[player] == found.final[player]
        place = poker.position
        for step in found.steps:
            option = next(each for each in poker.options(place) if each.text == step.move)
            assert not (step.is_mistake and option.probability)
            place = place.after(step.move)


def test_hidden_luck_is_nothing_on_average(poker: es.Solution) -> None:
    """Over all that chance and both plans may bring."""
    totals, queue = [Fraction(0)] * 3, [(poker.position, Fraction(1))]
    while queue:
        position, chance = queue.pop()
        if position.is_over:
            found = es.review(poker, position)
            for place, part in enumerate((found.luck, found.hidden, found.mistakes)):
                totals[place] += chance * part[0]
            continue
        options = poker.options(position)
        queue += [(position.play(each.move), chance * each.probability) for each in options if each.probability]
    assert totals == [0, 0, 0]


def test_the_terminal_hides_what_the_seat_has_not_seen() -> None:
    for seed in range(4):
        ending = run("play", POKER, "--seed", str(seed), stdin="1\n1\n1\n")
        assert ending.code == 0, ending
        before = ending.out.partition("The game is over")[0].rpartition("\n\n")[0]
        assert "second=" not in before.rpartition("first sees")[0]
        assert "chance:" not in before
    assert run("play", POKER, "--seat", "second=human").code == 2
    assert run("play", POKER, "--quiz").code == 2


# ---------------------------------------------------------------------- policies


def test_uniform_play_of_poker_is_exploited_by_what_is_known() -> None:
    """The two best replies to uniform play bring 11/12 in all, as other programs measure it."""
    found = es.exploit(Poker(), "random")
    assert sum(each.gives_away for each in found.players) == Fraction(11, 12)
    assert [each.against for each in found.players] == ["best reply", "best reply"]
    assert validate(ask("exploit", POKER, "random")) == "exploit"


def test_a_best_reply_is_the_best_of_all_pure_plans() -> None:
    """Every pure plan of the second player, one by one, against a mixed policy of the first."""
    game = Poker()

    def first(game: Game, seen: tuple[int, int], moves: tuple[int, ...]) -> dict[int, int]:
        return {1: seen[0], 2: 1}

    views = [(card, told) for card in (1, 2, 3) for told in (1, 2)]
    brought = []
    for number in range(2 ** len(views)):
        plan = {view: 1 + (number >> place & 1) for place, view in enumerate(views)}
        brought.append(_expected(game, game.position(), first, lambda seen, plan=plan: plan[seen]))
    (entry,) = es.exploit(game, {"first": first}).players
    assert entry.brings == min(brought)
    replied = {tuple(map(int, each.sees.split(","))): int(each.move) for each in entry.reply}
    assert _expected(game, game.position(), first, lambda seen: replied[seen]) == min(brought)


def _expected(game: Game, position: es.Position, first: Any, second: Any) -> Fraction:
    """What play brings the first player."""
    state = position.state
    if position.is_over:
        return Fraction(game.payoff(state)[0])
    if position.mover == CHANCE:
        weights = {move: game.weight(state, move) for move in position.moves()}
    elif position.mover == 0:
        weights = first(game, game.sees(state, 0), tuple(position.moves()))
    else:
        weights = {second(game.sees(state, 1)): 1}
    worth = sum(weight * _expected(game, position.play(move), first, second) for move, weight in weights.items())
    return worth / sum(weights.values())


def test_three_players_are_told_the_regret_of_their_policies() -> None:
    """Who sees nothing guesses right half of the time; the first sees the coin and gains by telling it."""
    found = es.exploit(Three(), "random")
    assert [each.against for each in found.players] == ["profile"] * 3
    assert [each.brings for each in found.players] == [0, 0, 0]
    assert [each.gives_away for each in found.players] == [1, 0, 0]
    assert found.largest == 1
    with pytest.raises(QuestionError, match="values only for two opposed players"):
        es.solve(Three())
    with pytest.raises(QuestionError, match="every player needs a policy"):
        es.exploit(Three(), {"first": "random"})


def test_games_without_secrets_are_priced_by_solving_them() -> None:
    loss = es.policy_loss("pots:4-9-2-7", "first", "smaller")
    (entry,) = es.exploit("pots:4-9-2-7", {"first": "smaller"}).players
    assert (entry.gives_away, entry.brings) == (loss.loss, loss.value[0])
    assert es.exploit("pigturn", "random").players[0].gives_away == es.policy_loss("pigturn", 0, "random").loss


class LateCoin(es.Game):
    """A long way on which nobody has a choice; then the first player sees a coin, and the second guesses it."""

    players = 2
    way: int = 600

    class State(NamedTuple):
        step: int
        coin: int
        guess: int

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return 0 if state.step < self.way else 1 if state.coin else CHANCE

    def moves(self, state: State) -> list[int]:
        return [1] if state.step < self.way else [] if state.guess else [1, 2]

    def play(self, state: State, move: int) -> State:
        if state.step < self.way:
            return state._replace(step=state.step + 1)
        return state._replace(guess=move) if state.coin else state._replace(coin=move)

    def payoff(self, state: State) -> tuple[int, int]:
        return (-1, 1) if state.guess == state.coin else (1, -1)

    def sees(self, state: State, player: int) -> tuple[int, int, int]:
        return (state.step, state.guess, state.coin if player == 0 else 0)


def test_policies_are_priced_where_players_see_different_things_late_in_the_game_alone() -> None:
    entry = es.exploit(LateCoin(), {"second": lambda game, seen, moves: {1: 3, 2: 1} if len(moves) > 1 else 1}).players[
        0
    ]
    assert (entry.brings, entry.gives_away, len(entry.reply)) == (0, 0, 600)


def test_policies_that_go_by_what_is_hidden_are_refused() -> None:
    with pytest.raises(QuestionError, match="sees the whole position"):
        es.exploit(Poker(), {"first": lambda game, state: 1})
    with pytest.raises(RulesError, match="not legal"):
        es.exploit(Poker(), {"first": lambda game, seen, moves: 7})
    with pytest.raises(RulesError, match="not probabilities"):
        es.exploit(Poker(), {"first": lambda game, seen, moves: {1: -1, 2: 2}})
    with pytest.raises(QuestionError, match="only for two opposed players"):
        es.solve(Poker(), objective="cooperative", fixed={"first": "random"})


# ---------------------------------------------------------------------- every command


def test_a_table_has_a_row_for_all_that_players_see(poker: es.Solution) -> None:
    rows = ask("table", POKER)["rows"]
    assert Counter(row["player"] for row in rows) == {"first": 6, "second": 6}
    for row in rows:
        assert sum(Fraction(chance["exact"]) for chance in row["plan"].values()) == 1
        found = poker.seen_by(row["player"], row["example"])
        assert (found.sees, found.reached) == (row["sees"], row["reached"])
        assert {each.text: str(each.probability) for each in found.options} == {
            move: chance["exact"] for move, chance in row["plan"].items()
        }


def test_what_takes_all_for_seen_is_refused_by_name(poker: es.Solution, tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="hides something, but a stored solution is looked up by states"):
        es.save(poker, tmp_path / "stored")
    with pytest.raises(QuestionError, match="a picture of the whole game assumes that players see everything"):
        es.plot(poker.game, "graph")
    with pytest.raises(QuestionError, match="a picture of the policy assumes that players see everything"):
        es.plot(poker.game, "policy")
    with pytest.raises(QuestionError, match="a policy by positions assumes that players see everything"):
        list(poker.policy.rows())
    with pytest.raises(QuestionError, match="assumes that players see everything"):
        es.solve(Poker(), method="graph")


AT_ONCE = "rps"
COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "value": ([], []),
    "analyze": ([], []),
    "line": ([], []),
    "table": ([], []),
    "dist": ([], []),
    "simulate": (["--games", "20"], ["--games", "20"]),
    "exploit": (["random"], ["random"]),
    "sweep": (["--vary", "cards=3..4"], ["--vary", "over=1..2"]),
    "fair": ([], []),
    "report": ([], []),
    "play": (["--seed", "1", "--seat", "first=random"], ["--seed", "1", "--seat", "first=random"]),
    "review": (["3 2 1 1"], ["rock-paper"]),
    "plot": (["values"], ["values"]),
    "page": ([], []),
    "solve": ([], []),
    "status": ([], []),
    "export": ([], []),
    "prove": ([], []),
    "check": ([], []),
    "estimate": ([], []),
    "growth": (["--vary", "cards=3..4"], ["--vary", "over=1..2"]),
    "games": ([], []),
}
"""What follows the game in a question to each command: in hidden poker, and in a game of moves at once."""
REFUSED = {"hidden": {"solve", "status", "export", "growth"}, "at once": {"status", "export"}}
"""Commands that have no answer there; `status` and `export` have no folder to look into."""
WITHOUT_A_GAME = {"verify", "doctor", "completion", "serve"}


def test_every_command_is_asked_about_such_games() -> None:
    names = command.list_commands(None)  # type: ignore[arg-type]
    assert {*names} == set(COMMANDS) | WITHOUT_A_GAME


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize("kind", ["hidden", "at once"])
def test_every_command_is_right_or_refuses_by_name(name: str, kind: str, tmp_path: Path) -> None:
    game, rest = (POKER, COMMANDS[name][0]) if kind == "hidden" else (AT_ONCE, COMMANDS[name][1])
    files = {
        "plot": [f"{tmp_path}/a.svg"],
        "page": [f"{tmp_path}/a.html"],
        "solve": [f"{tmp_path}/a"],
        "export": [],
        "prove": [f"{tmp_path}/a.cert"],
    }
    target = [str(tmp_path)] if name in ("status", "export") else [game]
    output = ["-o", *files[name]] if files.get(name) else []
    ending = run(name, *target, *rest, *output)
    assert ending.code in (0, 2, 3), (ending.code, ending.out, ending.err)
    assert "Traceback" not in ending.err
    assert "bug" not in ending.err, ending.err
    assert (ending.code > 0) == (name in REFUSED[kind]), ending
    if ending.code:
        assert ending.err.startswith("error: ")
        assert not ending.out.strip()
    else:
        assert ending.out.strip()


def test_line_says_why_there_is_none_where_players_see_different_things() -> None:
    told = " ".join(run("line", "kuhn").out.split())
    assert "play is a plan for each of them and not one line: endsight analyze --as PLAYER shows" in told
    assert "not one line" not in run("line", "kuhn", "--at", "1 2 pass pass").out
