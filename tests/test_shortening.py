"""Short rules: the price is exact, and no rule of the kind that was tried is better."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
import thresholds
from command_line import ask, exact, run
from endsight.errors import QuestionError
from naive import Enumeration, Recursion
from test_schemas import validate


def threshold(game: Any, field: str, least: int, above: str, below: str) -> Any:
    def play(state: Any) -> Any:
        wanted = game.parse_move(state, above if getattr(state, field) >= least else below)
        return next(iter(game.moves(state))) if wanted is None else wanted

    return play


def by_recursion(game: Any, policy: Any) -> Fraction:
    return Recursion(game, fixed={0: policy}).value()[0]


@pytest.mark.parametrize("game", [es.games.RepeatBust(sides=4, dice=1), es.games.RepeatBust(sides=3, dice=2)])
def test_no_other_threshold_on_the_reward_is_better(game: Any) -> None:
    found = next(rule for rule in es.short_rules(game) if rule.rule.startswith("stop once reward >="))
    least = int(found.rule.split(">= ")[1].split(",")[0])
    worth = {c: by_recursion(game, threshold(game, "reward", c, "stop", "roll")) for c in range(game.bound + 2)}
    assert found.price.value[0] == worth[least] == max(worth.values())
    assert found.price.loss == Recursion(game).value()[0] - worth[least]


@pytest.mark.parametrize(("sides", "bust"), [(6, 1), (8, 1), (4, 3)])
def test_one_threshold_is_all_that_a_turn_of_pig_needs(sides: int, bust: int) -> None:
    """Hold at the sum of the other faces less one throw's mean: the threshold of one step, which loses nothing."""
    rule = es.short_rules(es.games.PigTurn(sides=sides, bust=bust))[-1]
    assert rule.rule == f"hold once total >= {sides * (sides + 1) // 2 - bust}, else roll"
    assert rule.price.loss == 0
    assert rule.price.worst is None


def test_a_sloped_rule_is_only_given_where_it_is_better() -> None:
    rules = es.short_rules(es.games.RepeatBust(sides=6, dice=1))
    plain, sloped = rules[-2:]
    assert "last" in sloped.rule
    assert sloped.price.loss < plain.price.loss
    assert es.solve(es.games.RepeatBust(sides=6, dice=1)).values()[0] - sloped.price.value[0] == sloped.price.loss


@pytest.mark.parametrize("player", ["first", "second"])
def test_two_players_with_loops_against_every_threshold(player: str) -> None:
    game = es.games.Pig(target=3)
    number = game.player_names.index(player)
    found = es.short_rules(game, player)[-1]
    policy = found.policy
    fixed = {number: lambda state: policy(game, state)}
    assert found.price.value == Enumeration(game, fixed=fixed).value()


def test_policies_on_columns_take_the_moves_of_the_same_policy_on_states(monkeypatch: Any) -> None:
    pytest.importorskip("llvmlite")
    thresholds.compile_small_games(monkeypatch)
    game = es.games.Pig(target=6)
    rule = es.short_rules(game, "second")[-1].policy

    def plainly(game: Any, state: Any) -> Any:
        return rule(game, state)  # type: ignore[operator]

    prices = [es.policy_loss(game, "second", policy, interval=True) for policy in (rule, plainly)]
    assert isinstance(prices[0].value[0], es.Interval)
    assert (prices[0].value, prices[0].loss, prices[0].worst) == (prices[1].value, prices[1].loss, prices[1].worst)
    for wrong in (7, "hold"):
        with pytest.raises(es.errors.RulesError, match="not legal"):
            es.policy_loss(game, "first", lambda _game, _state, wrong=wrong: wrong, interval=True)


@pytest.mark.parametrize("compiled", [False, True])
def test_floats_choose_the_best_threshold_of_all(compiled: bool, monkeypatch: Any) -> None:
    if compiled:
        thresholds.run_loops_in_machine_code(monkeypatch)
    game = es.games.Pig(target=6)
    found = es.short_rules(game)[-1]
    field = found.rule.split()[2]
    policies = [threshold(game, field, least, "hold", "roll") for least in range(7)]
    values = [es.solve(game, fixed={"first": lambda _, state, rule=rule: rule(state)}).values()[0] for rule in policies]
    assert found.price.value[0] == max(values)


class Collecting(es.Game):
    """Collect 1 to 4 at a time, or lose all: payoffs are `pays` each, chances almost even; `kept` is a large field."""

    pays: int = 1
    chance: int = 1
    field: int = 0
    players = 1

    class State(NamedTuple):
        total: int = 0
        rolls: int = 0
        over: int = 0
        kept: int = 0

    def limits(self) -> State:
        return self.State(20, 1, 1, 20 * self.field)

    def start(self) -> State:
        return self.State()

    def to_move(self, state: State) -> int:
        return es.CHANCE if state.rolls else 0

    def moves(self, state: State) -> list[int]:
        if state.over or state.total > 15:
            return []
        return [1, 2, 3, 4] if state.rolls else [0, 1]

    def weight(self, state: State, move: int) -> int:
        return self.chance

    def play(self, state: State, move: int) -> State:
        if not state.rolls:
            return state._replace(rolls=move, over=1 - move)
        total = 0 if move == 1 else state.total + move
        return self.State(total, 0, int(move == 1), total * self.field)

    def payoff(self, state: State) -> int:
        return state.total * self.pays


@pytest.mark.parametrize(
    ("pays", "chance", "field"), [(10**14, 1, 0), (10**40 + 7, 1, 0), (1, 10**40, 0), (1, 1, 10**40)]
)
def test_long_numbers_are_guessed_at_by_their_first_digits(pays: int, chance: int, field: int) -> None:
    short, long = es.short_rules(Collecting()), es.short_rules(Collecting(pays, chance, field))
    assert short[0].rule == "0 once total >= 9, else 1"
    assert [rule.rule for rule in long] == [rule.rule for rule in short]
    assert long[0].price.value == (short[0].price.value[0] * pays,)
    assert [rule.price.loss for rule in long] == [0]


def test_states_with_unknown_numbers_have_no_threshold() -> None:
    class Unknown(Collecting):
        class State(NamedTuple):
            total: int = 0
            rolls: int = 0
            over: int = 0
            kept: int | None = 0

        def play(self, state: Any, move: int) -> Any:
            return super().play(state, move)._replace(kept=None)

    with pytest.raises(QuestionError, match="no short rule"):
        es.short_rules(Unknown())


@pytest.mark.slow
def test_large_games_are_priced_by_proven_ends() -> None:
    game = es.games.Pig(target=40)
    rules = {rule.rule.split(" once")[0]: rule for rule in es.short_rules(game)}
    assert set(rules) >= {"hold20", "hold"}
    losses = {name: rule.price.loss for name, rule in rules.items()}
    assert all(isinstance(loss, es.Interval) and loss.width < Fraction(1, 10**12) for loss in losses.values())
    # The best threshold on the pot near the guess is no worse than holding at 20.
    assert losses["hold"].lower <= losses["hold20"].upper


def test_documents_and_what_people_see() -> None:
    document = ask("table", "repeatbust:sides=4,dice=1", "--rule")
    assert validate(document) == "table"
    names = [row["rule"] for row in document["rows"]]
    assert names[:3] == ["myopic", "myopic-roll", "never"]
    best = exact(ask("value", "repeatbust:sides=4,dice=1")["value"]["player"])
    for row in document["rows"]:
        assert exact(row["value"]) + exact(row["loss"]) == best
        assert (row["worst_position"] is None) == (exact(row["loss"]) == 0)
    assert "gives away" in run("table", "repeatbust:sides=4,dice=1", "--rule").out
    plain = run("table", "pots:4-9-2-7", "--rule", "--player", "second", "--plain").out
    assert plain.startswith("player\trule\tvalue\tloss\nsecond\tbigger\t6\t0\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["chomp", "--rule"], "chomp has no short rule"),
        (["pots:1-2", "--player", "first"], "--player needs --rule"),
        (["pots:1-2", "--rule", "--player", "third"], "no player 'third'"),
    ],
)
def test_what_cannot_be_asked(command: list[str], words: str) -> None:
    ending = run("table", *command)
    assert ending.code == 2
    assert words in ending.err
