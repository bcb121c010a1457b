"""One player's best reply to the policies of all others, where players see different things or move at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

import at_once
import command_line
import endsight as es
from endsight import Game
from endsight.errors import NoValue, QuestionError
from hidden_plans import Plain, random_tree
from places import reachable
from test_hidden_faces import Three

PATH = "best reply"


def drawn_policy(seed: int) -> Callable[[Game, Any, Sequence[Any]], Mapping[Any, int]]:
    """Weights drawn for everything that may be seen, some of them 0."""

    def policy(game: Game, seen: Any, moves: Sequence[Any]) -> Mapping[Any, int]:
        draw = Random(f"{seed} {seen!r} {len(moves)}")
        weights = [draw.choice((0, 1, 1, 2)) for _ in moves]
        return dict(zip(moves, weights if any(weights) else [1] * len(moves), strict=True))

    return policy


def by_view(policy: Any, game: Game) -> Callable[[int, tuple[Any, ...], Sequence[Any]], Sequence[int]]:
    """The same as the oracle asks: by all that was seen, of which the policy takes the last."""

    def weights(player: int, view: tuple[Any, ...], moves: Sequence[Any]) -> Sequence[int]:
        seen = next(thing for kind, thing in reversed(view) if kind == "saw")
        return list(policy(game, seen, tuple(moves)).values())

    return weights


def replying(game: Any, policy: Any, player: int) -> es.Solution:
    """The question with the other of two players fixed."""
    return es.solve(game, fixed={1 - player: policy})


@pytest.mark.parametrize("seed", range(60))
def test_values_against_plain_recursion(seed: int) -> None:
    """Two oracles: folding from the last sets, and where there are few replies, trying all of them."""
    tree, policy, compared = random_tree(Random(seed)), drawn_policy(seed), 0
    for player in (0, 1):
        solution = replying(tree, policy, player)
        if solution.plan is None or solution.plan.path != PATH:
            continue
        plain, behaviour = Plain(tree), by_view(policy, tree)
        first = plain.replied(player, behaviour)
        assert solution.values() == (first, 1 - first)
        assert (solution.source.proven(solution.position), solution.notion) == (((first,) * 2, (1 - first,) * 2), None)
        sets = plain.sets()[player]
        if sum(len(moves) - 1 for moves in sets.values()) < 9:
            assert plain.best_reply(player, behaviour) == first
            compared += 1
    assert compared or seed


def test_most_trees_take_the_path() -> None:
    taken = [replying(random_tree(Random(seed)), "random", 0).plan for seed in range(30)]
    assert sum(row is not None and row.path == PATH for row in taken) > 15


@pytest.mark.parametrize("seed", range(25))
def test_what_moves_bring_by_two_ways(seed: int) -> None:
    """Regrets of a review are folded from the last sets; those that `seen_by` shows are means of play from there."""
    tree, policy = random_tree(Random(seed), depth=3), drawn_policy(seed)
    solution = replying(tree, policy, seed % 2)
    if solution.plan is None or solution.plan.path != PATH:
        pytest.skip("all see the same, or nobody moves at once soon")
    me, queue = tree.player_names[seed % 2], [tree.position()]
    for place in queue:
        for option in solution.options(place) if not place.is_over else ():
            after = place.play(option.move)
            queue.append(after)
            review = es.review(solution, after)
            shares = zip(
                review.start, review.luck, review.hidden, review.mistakes, review.gifts, review.final, strict=True
            )
            assert all(own + luck + hid - lost + given == end for own, luck, hid, lost, given, end in shares)
            if seed % 2 in place.movers:
                seen = solution.seen_by(me, place.history)
                made = dict(zip(place.movers, option.move, strict=True)) if len(place.movers) > 1 else {}
                own = made.get(seed % 2, option.move)
                regret = next(each.regret for each in seen.options if each.move == own)
                assert review.steps[-1].mistakes[seed % 2] == regret
                assert sum(each.probability for each in seen.options) == 1


@pytest.mark.parametrize("name", ["kuhn", "rps", "goofspiel:cards=3", "liarsdice:sides=2", "leduc:ranks=2,suits=2"])
def test_exploit_lists_the_same_reply(name: str) -> None:
    for policy in ("random", drawn_policy(3)):
        found = es.exploit(name, policy)
        for player, each in enumerate(found.players):
            solution = replying(es.load(name), policy, player=1 - player)
            assert solution.values()[player] == each.brings
            law = solution.distribution(found.game.player_names[player])
            assert sum(amount * chance for amount, chance in law.items()) == each.brings


@pytest.mark.parametrize("player", range(3))
def test_three_players(player: int) -> None:
    """One of three replies to the two others: no plan of all that the player may see brings more."""
    game, policies = Three(), [drawn_policy(number) for number in range(3)]
    fixed = {other: policies[other] for other in range(3) if other != player}
    solution = es.solve(game, fixed=fixed)
    seen = dict[Any, tuple[Any, ...]]()
    queue = [game.position()]
    for place in queue:
        if player in place.movers and not place.is_over:
            moves = [move[place.movers.index(player)] if len(place.movers) > 1 else move for move in place.moves()]
            seen.setdefault(game.sees(place.state, player), tuple(dict.fromkeys(moves)))
        queue += [place.play(move) for move in place.moves()]
    worths = []
    for chosen in product(*seen.values()):
        picked = dict(zip(seen, chosen, strict=True))
        rules = {**fixed, player: lambda game, sight, moves, picked=picked: picked[sight]}
        worths.append(es.solve(game, fixed=rules).values()[player])
    assert solution.values()[player] == max(worths)
    made = game.position()
    while not made.is_over:
        made = made.play(solution.options(made)[-1].move)
    assert all(step.gifts == (0, 0, 0) for step in es.review(solution, made).steps)
    assert solution.plan is not None
    assert (solution.plan.path, "first of several" in str(solution.notion)) == (PATH, True)


def passes(game: Game, seen: Any, moves: Sequence[Any]) -> Any:
    return moves[0]


def test_where_the_policies_never_lead_nothing_is_said() -> None:
    solution = es.solve("kuhn", fixed={"second": passes})
    with pytest.raises(QuestionError, match="the fixed policies never lead there") as caught:
        solution.value("1 2 pass bet")
    assert str(caught.value.found) == "move 4, 'bet', of second"
    seen = solution.seen_by("first", "1 ? pass bet")
    assert (seen.told, seen.value, seen.reached) == ("never reached", None, False)
    rows = command_line.ask("table", "kuhn", "--fix", f"second={__file__}:passes")["rows"]
    plans = [{move: chance["exact"] for move, chance in row["plan"].items()} for row in rows]
    assert plans[-6:] == [{"pass": "1", "bet": "0"}] * 6
    assert [option.text for option in solution.options("1 2 pass")] == ["pass"]


def test_ranges_and_certificates_are_refused() -> None:
    solution = es.solve("kuhn", fixed={"second": "random"})
    with pytest.raises(QuestionError, match="ranges are over all optimal plans"):
        solution.seen_by("first", "1 ?", ranges=True)
    with pytest.raises(QuestionError, match="have no certificate"):
        es.prove(solution)
    with pytest.raises(QuestionError, match="the policy 'best' sees the whole position"):
        es.solve("kuhn", fixed={"second": "best"})
    with pytest.raises(QuestionError, match="only for two opposed players"):
        es.solve("kuhn", objective="cooperative", fixed={"second": "random"})


LOOPED = [
    game
    for game in (at_once.random_game(Random(seed), loops=True) for seed in range(30))
    if any(len(place.movers) > 1 for place in reachable(game.position()))
]


def test_moves_at_once_that_may_go_on_for_ever_are_refused() -> None:
    refused = 0
    for game in LOOPED:
        try:
            solution = es.solve(game, fixed={"second": "random"})
        except NoValue:
            refused += 1
        else:
            assert solution.plan is not None
    assert refused > len(LOOPED) // 2


def test_what_users_read() -> None:
    fixed = ("--fix", "second=random")
    assert command_line.run("value", "kuhn", *fixed).out == "first 1/2 = 0.5, second -1/2 = -0.5\n"
    said = command_line.run("line", "goofspiel:cards=3", *fixed).out
    assert "Players see different things or move at once, so play is a plan for each of them" in said
    seen = command_line.ask("analyze", "kuhn", *fixed, "--as", "first", "--at", "1 ?")
    assert [each["move"] for each in seen["moves"]] == ["bet", "pass"]
    assert seen["moves"][1]["regret"]["exact"] == "1/2"
