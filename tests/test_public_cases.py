"""Published and independently computed answers, asked through the command line and through Python.

Everything in known/*.json was made by scripts that share nothing with the package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import ask, exact, run


def known(game: str) -> Any:
    return json.loads((Path(__file__).parent / "known" / f"{game}.json").read_text(encoding="utf-8"))


def values(document: Mapping[str, Any]) -> dict[str, Fraction]:
    return {player: exact(number) for player, number in document["value"].items()}


def best(document: Mapping[str, Any]) -> list[str]:
    return [move["move"] for move in document["moves"] if move["best"]]


def by_move(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {move["move"]: move for move in document["moves"]}


def same(number: Fraction, case: Mapping[str, Any]) -> bool:
    """Whether `number` is the known one: given as p/q, or by the SHA-256 of p/q, and in decimals."""
    # Python refuses to write whole numbers of more than 4,300 digits; decimals have no such limit.
    above, below = (format(Decimal(part), "f") for part in number.as_integer_ratio())
    text = above if below == "1" else f"{above}/{below}"
    if "exact" in case and text != case["exact"]:
        return False
    if "sha256" in case and (sha256(text.encode()).hexdigest(), len(text)) != (case["sha256"], case["length"]):
        return False
    places = len(case["decimal"].partition(".")[2]) if "decimal" in case else 0
    # The last places of short decimals may have been cut off rather than rounded.
    close = "decimal" not in case or abs(number - Fraction(case["decimal"])) <= Fraction(1, 10**places)
    return close and ("exact" in case or "sha256" in case)


# ---------------------------------------------------------------------- repeatbust

REPEATBUST = known("repeatbust")
RULES = {"best": [], "myopic": ["--fix", "player=myopic"], "myopic-roll": ["--fix", "player=myopic-roll"]}


def repeatbust(case: Mapping[str, Any], first: str = "ignored") -> str:
    return f"repeatbust:sides={case['sides']},dice={case['dice']},first={first}"


def named(case: Mapping[str, Any]) -> str:
    return f"{case['sides']}x{case['dice']}"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("first", ["ignored", "scored"])
@pytest.mark.parametrize("case", REPEATBUST["cases"], ids=named)
def test_repeatbust_numbers(case: Mapping[str, Any], first: str, rule: str) -> None:
    answers = case[first][rule]
    spec = repeatbust(case, first)
    assert same(values(ask("value", spec, *RULES[rule]))["player"], answers["value"])
    facts = ask("dist", spec, *RULES[rule], "--facts")
    assert same(exact(facts["bust_probability"]), answers["bust_probability"])
    assert same(exact(facts["expected_rolls"]), answers["expected_rolls"])

    game = es.games.RepeatBust(sides=case["sides"], dice=case["dice"], first=first)
    solution = es.solve(game, fixed={} if rule == "best" else {"player": rule})
    assert same(Fraction(solution.value()["player"]), answers["value"])
    spread = solution.distribution()
    assert same(spread.mean(), answers["value"])
    assert sum(spread.outcomes.values()) == 1
    assert same(Fraction(spread.facts["bust_probability"]), answers["bust_probability"])
    assert same(Fraction(spread.facts["expected_rolls"]), answers["expected_rolls"])


@pytest.mark.parametrize("first", ["ignored", "scored"])
@pytest.mark.parametrize("case", REPEATBUST["cases"], ids=named)
def test_repeatbust_thresholds(case: Mapping[str, Any], first: str) -> None:
    rows = ask("table", repeatbust(case, first))["rows"]
    assert {str(row["last"]): row["stop_at"] for row in rows} == case["stop_at"]
    assert {str(row["last"]): row["myopic_stop_at"] for row in rows} == case["myopic_stop_at"]


@pytest.mark.parametrize("case", REPEATBUST["cases"], ids=named)
def test_repeatbust_ties_are_ties(case: Mapping[str, Any]) -> None:
    bound = es.games.RepeatBust(sides=case["sides"], dice=case["dice"]).bound
    for reward, last in case["ties"]:
        document = ask("analyze", repeatbust(case), "--position", f"reward={reward} last={last}")
        # From the bound on, where stopping is best after any sum, rolling is not offered.
        moves = ["stop", "roll"] if reward < bound else ["stop"]
        assert reward <= bound
        assert best(document) == [move["move"] for move in document["moves"]] == moves
        assert all(move["rank"] == 1 for move in document["moves"])
        assert all(exact(move["value"]["player"]) == reward for move in document["moves"])


@pytest.mark.parametrize("case", REPEATBUST["cases"], ids=named)
def test_repeatbust_the_myopic_rule_and_where_it_errs(case: Mapping[str, Any]) -> None:
    loss = exact(ask("analyze", repeatbust(case))["facts"]["myopic_loss"])
    assert (loss == 0) == case["myopic_is_best"]
    if "myopic_errs_at" not in case:
        return
    errs = case["myopic_errs_at"]
    place = f"reward={errs['reward']} last={errs['last']}"
    document = ask("analyze", repeatbust(case), "--position", place)
    assert best(document) == ["roll"]
    assert exact(by_move(document)["stop"]["value"]["player"]) == errs["stop"]
    assert same(exact(by_move(document)["roll"]["value"]["player"]), errs["roll"])
    line = ask("line", repeatbust(case), "--position", place, "--fix", "player=myopic")
    assert [move["move"] for move in line["moves"]] == ["stop"]
    assert values(line)["player"] == errs["stop"]


@pytest.mark.parametrize("case", REPEATBUST["published"]["never, mean rolls"], ids=named)
def test_repeatbust_rolls_of_who_never_stops(case: Mapping[str, Any]) -> None:
    facts = ask("dist", repeatbust(case), "--fix", "player=never", "--facts")
    assert same(exact(facts["expected_rolls"]), case)
    assert exact(facts["bust_probability"]) == 1


def test_repeatbust_published_doubles() -> None:
    for size, double in REPEATBUST["published"]["myopic, first ignored"].items():
        sides, dice = map(int, size.split("x"))
        spec = repeatbust({"sides": sides, "dice": dice})
        found = ask("value", spec, "--fix", "player=myopic")["value"]["player"]
        assert found["approx"] == pytest.approx(double, rel=1e-13)
        assert found["approx"] == float(exact(found))


def test_repeatbust_published_elsewhere() -> None:
    two = REPEATBUST["published"]["Mathematics Stack Exchange 302472: 6x2, first scored"]
    assert same(values(ask("value", "repeatbust:first=scored"))["player"], two)
    one = REPEATBUST["published"]["Mathematics Stack Exchange 4860490: 6x1, first scored"]
    assert same(values(ask("value", "repeatbust:6,dice=1,first=scored"))["player"], one)


# ---------------------------------------------------------------------- pots

POTS = known("pots")
GREEDY = {
    "competitive_unknown_greedy": {"first": "bigger", "second": "bigger"},
    "cooperative_unknown_greedy": {"first": "bigger", "second": "smaller"},
}


def fixes(policies: Mapping[str, str]) -> list[str]:
    return [part for player, policy in policies.items() for part in ("--fix", f"{player}={policy}")]


@pytest.mark.parametrize("case", POTS["cases"], ids=lambda case: case["name"])
def test_pots_known(case: Mapping[str, Any]) -> None:
    spec = "pots:" + "-".join(map(str, case["pots"]))
    for objective in ("competitive", "cooperative"):
        answer = case[f"{objective}_known"]
        document = ask("analyze", spec, "--objective", objective)
        first = answer["first_player_gold"]
        gold = {"first": first, "second": sum(case["pots"]) - first}
        assert answer.get("second_player_gold", gold["second"]) == gold["second"]
        assert values(document) == values(ask("value", spec, "--objective", objective)) == gold
        # A single pot is taken with L; the records have it at both ends.
        moves = answer["optimal_first_moves"] if len(case["pots"]) > 1 else ["L"]
        assert sorted(best(document)) == moves

        solution = es.solve(es.games.Pots(case["pots"]), objective=objective)
        assert solution.value() == gold
        assert sorted(solution.best_moves()) == moves


@pytest.mark.parametrize("reading", GREEDY)
@pytest.mark.parametrize("case", POTS["cases"], ids=lambda case: case["name"])
def test_pots_unknown(case: Mapping[str, Any], reading: str) -> None:
    answer = case[reading]
    gold = {"first": answer["first_player_gold"], "second": answer["second_player_gold"]}
    document = ask("line", "pots:" + "-".join(map(str, case["pots"])), *fixes(GREEDY[reading]))
    moves = "".join(move["move"] for move in document["moves"])
    assert moves == answer["moves"]
    assert values(document) == gold

    solution = es.solve(es.games.Pots(case["pots"]), fixed=GREEDY[reading])
    assert solution.value() == gold
    assert "".join(solution.line()) == moves


@pytest.mark.parametrize("case", POTS["large"], ids=lambda case: case["name"])
def test_pots_many_from_a_file(case: Mapping[str, Any], tmp_path: Path) -> None:
    assert case["pots_formula"] == "pot[i] = (7919*i*i + 104729*i + 3) mod 1000003 for i in 0..999"
    pots = [(7919 * i * i + 104729 * i + 3) % 1000003 for i in range(case["n"])]
    assert sum(pots) == case["total"]
    file = tmp_path / "pots.txt"
    file.write_text("\n".join(map(str, pots)))
    questions = {
        "competitive_known": [],
        "cooperative_known": ["--objective", "cooperative"],
        **{reading: fixes(policies) for reading, policies in GREEDY.items()},
    }
    for reading, options in questions.items():
        gold = values(ask("value", f"pots:@{file}", *options))
        assert gold["first"] == case[reading]["first_player_gold"]
        assert gold["second"] == case[reading].get("second_player_gold", case["total"] - gold["first"])
    competitive = es.solve(es.games.Pots(pots)).value()
    assert competitive["first"] - competitive["second"] == case["competitive_known"]["difference"]


# ---------------------------------------------------------------------- hiddenpots

HIDDENPOTS = known("hiddenpots")["cases"]
BOTH_BIGGER = fixes(GREEDY["competitive_unknown_greedy"])


def hidden_name(case: Mapping[str, Any]) -> str:
    return f"{case['n_pots']} of 1..{case['m']}"


@pytest.mark.parametrize("case", HIDDENPOTS, ids=hidden_name)
def test_hiddenpots_values(case: Mapping[str, Any]) -> None:
    spec = f"hiddenpots:count={case['n_pots']},max={case['m']}"
    gold = values(ask("value", spec))
    assert gold["first"] == Fraction(case["optimal_first_player_expected_gold"])
    assert gold["first"] - gold["second"] == Fraction(case["optimal_expected_difference_first_minus_second"])
    lead = values(ask("value", spec, "--utility", "lead"))
    assert lead["first"] == -lead["second"] == gold["first"] - gold["second"]
    together = values(ask("value", spec, "--objective", "cooperative"))
    assert together["first"] == Fraction(case["cooperative_first_player_expected_gold"])
    win = values(ask("value", spec, "--utility", "win"))
    assert win["first"] == 1 - win["second"] == Fraction(case["win_probability_first_ties_half_both_optimal"])
    greedy = values(ask("value", spec, "--utility", "win", *BOTH_BIGGER))
    assert greedy["first"] == Fraction(case["win_probability_first_ties_half_both_greedy"])
    assert case["greedy_verified_by_enumerating_all_sequences"]
    assert values(ask("value", spec, *BOTH_BIGGER)) == gold

    game = es.games.HiddenPots(count=case["n_pots"], max=case["m"])
    assert es.solve(game).value() == gold
    assert es.solve(game, utility="win").value() == win


@pytest.mark.parametrize(
    ("case", "state"),
    [(case, state) for case in HIDDENPOTS for state in case.get("states", [])],
    ids=lambda item: hidden_name(item) if "m" in item else f"{item['visible_left']} {item['visible_right']}",
)
def test_hiddenpots_both_ends_compared(case: Mapping[str, Any], state: Mapping[str, Any]) -> None:
    left, right, lead = state["visible_left"], state["visible_right"], state["mover_lead_so_far"]
    assert state["remaining_pots"] == case["n_pots"]
    # A mover who is behind is the second player, after the first has taken a pot of as much.
    count = case["n_pots"] + (lead != 0)
    at = f"{left} {right}" if lead == 0 else f"{-lead} {right} L {left}"
    mover, other = ("first", "second") if lead == 0 else ("second", "first")
    spec = f"hiddenpots:count={count},max={case['m']}"

    gold = by_move(ask("analyze", spec, "--at", at))
    wins = by_move(ask("analyze", spec, "--at", at, "--utility", "win"))
    for move, side in (("L", "left"), ("R", "right")):
        value = {player: exact(number) for player, number in gold[move]["value"].items()}
        assert value[mover] - value[other] - lead == Fraction(state[f"value_difference_if_take_{side}"])
        assert exact(wins[move]["value"][mover]) == Fraction(state[f"win_probability_if_take_{side}"])


# ---------------------------------------------------------------------- rpsbag

RPSBAG = known("rpsbag")["cases"]
FACES = ("rock", "paper", "scissors")


def bag(case: Mapping[str, Any]) -> str:
    dice = zip(*(case[face] for face in FACES), strict=True)
    return "rpsbag:" + "/".join("-".join(map(str, die)) for die in dice)


@pytest.mark.parametrize("case", RPSBAG, ids=lambda case: case["name"])
def test_rpsbag_value_and_facts(case: Mapping[str, Any], tmp_path: Path) -> None:
    rows = tmp_path / "dice.txt"
    rows.write_text("".join(" ".join(map(str, case[face])) + "\n" for face in FACES))
    document = ask("analyze", bag(case))
    assert ask("analyze", f"rpsbag:@{rows}")["moves"] == document["moves"]
    assert values(document)["player"] == Fraction(case["value"])
    facts = document["facts"]
    assert exact(facts["best_fixed"]["value"]) == Fraction(case["best_fixed"])
    assert all(exact(share) == 1 for share in facts["posterior"])
    if "per_turn" in case:
        assert [exact(turn) for turn in facts["per_turn"]] == [Fraction(turn) for turn in case["per_turn"]]
    dice = tuple(zip(*(case[face] for face in FACES), strict=True))
    assert es.solve(es.games.RpsBag(dice=dice)).value() == {"player": Fraction(case["value"])}


@pytest.mark.parametrize(
    ("case", "history"),
    [(case, history) for case in RPSBAG for history in case["histories"]],
    ids=lambda item: item.get("name", "after " + " ".join(str(item[face]) for face in FACES) if "rock" in item else ""),
)
def test_rpsbag_after_any_history(case: Mapping[str, Any], history: Mapping[str, Any]) -> None:
    seen = [face for face in FACES for _ in range(history[face])]
    at = " ".join(f"paper {face}" for face in seen)
    worth = {face: Fraction(history["worth"][face]) for face in FACES}
    document = ask("analyze", bag(case), "--at", at)
    assert set(best(document)) == set(history["best"])
    for face, move in by_move(document).items():
        assert exact(move["regret"]) == max(worth.values()) - worth[face]
    # After a gesture chance decides: the outcomes carry the chances of the coming face.
    coming = by_move(ask("analyze", bag(case), "--at", f"{at} rock"))
    for face in FACES:
        found = exact(coming[face]["probability"]) if face in coming else 0
        assert found == Fraction(history["next"][face])
    # A die each has left the bag for every face seen.
    left = len(case["rock"]) - len(seen)
    assert sum(exact(share) for share in document["facts"]["posterior"]) == left


@pytest.mark.parametrize("case", [case for case in RPSBAG if len(case["rock"]) < 10], ids=lambda case: case["name"])
def test_rpsbag_table(case: Mapping[str, Any]) -> None:
    rows = {tuple(row[face] for face in FACES): row for row in ask("table", bag(case))["rows"]}
    for history in case["histories"]:
        row = rows[tuple(history[face] for face in FACES)]
        assert exact(row["probability"]) == Fraction(history["probability"])
        assert set(row["best"]) == set(history["best"])
        for face in FACES:
            assert exact(row["worth"][face]) == Fraction(history["worth"][face])
            assert exact(row["next"][face]) == Fraction(history["next"][face])
    # Turn by turn the chances of all counts add up, and so does the value.
    for turn in range(len(case["rock"])):
        there = [row for counts, row in rows.items() if sum(counts) == turn]
        assert sum(exact(row["probability"]) for row in there) == 1
    total = sum(exact(row["probability"]) * max(map(exact, row["worth"].values())) for row in rows.values())
    assert total == Fraction(case["value"])


# ---------------------------------------------------------------------- highcard

HIGHCARD = known("highcard")["cases"]


def cards(case: Mapping[str, Any], unknown: str = "x") -> str:
    rival = "-".join(unknown if card is None else str(card) for card in case["rival"])
    return f"highcard:hand={'-'.join(map(str, case['hand']))},rival={rival}"


@pytest.mark.parametrize("case", HIGHCARD, ids=lambda case: case["name"])
def test_highcard_value_and_order(case: Mapping[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "cards.txt"
    rival = " ".join("x" if card is None else str(card) for card in case["rival"])
    file.write_text(" ".join(map(str, case["hand"])) + "\n" + rival + "\n")
    for spec in (cards(case), cards(case, "-1"), f"highcard:@{file}"):
        assert values(ask("value", spec)) == {"player": Fraction(case["value"])}
    document = ask("analyze", cards(case))
    assert exact(document["facts"]["sure_wins"]) == case["sure_wins"]

    rows = ask("table", cards(case))["rows"]
    assert [row["rival"] for row in rows] == case["rival"]
    assert {str(row["turn"]): row["card"] for row in rows if row["rival"] is not None} == case["cards"]
    assert sorted(row["card"] for row in rows if row["rival"] is None) == case["kept"]
    assert sum(row["reason"] == "sure win" for row in rows) == case["sure_wins"]
    unknown = set(range(1, 2 * len(case["hand"]) + 1)) - set(case["hand"]) - set(case["rival"])
    assert sorted(unknown) == case["unknown"]

    game = es.games.HighCard(hand=case["hand"], rival=case["rival"])
    assert es.solve(game).value() == {"player": Fraction(case["value"])}


@pytest.mark.parametrize("case", HIGHCARD, ids=lambda case: case["name"])
def test_highcard_distribution(case: Mapping[str, Any]) -> None:
    chances = {int(score): Fraction(chance) for score, chance in case["distribution"].items()}
    document = ask("dist", cards(case), "--at-least", "--at-most")
    assert {int(row["payoff"]): exact(row["probability"]) for row in document["outcomes"]} == chances
    for row in document["outcomes"]:
        score = int(row["payoff"])
        assert exact(row["at_least"]) == sum(chance for other, chance in chances.items() if other >= score)
        assert exact(row["at_most"]) == sum(chance for other, chance in chances.items() if other <= score)
    half = Fraction(len(case["hand"]), 2)
    more = sum(chance for score, chance in chances.items() if score > half) + chances.get(half, 0) / 2
    assert exact(document["more_than_half"]) == sum(chance for score, chance in chances.items() if score > half)
    assert values(ask("value", cards(case), "--utility", "win"))["player"] == more
    game = es.games.HighCard(hand=case["hand"], rival=case["rival"])
    assert dict(es.solve(game).distribution().outcomes) == chances


# ---------------------------------------------------------------------- dominoes

DOMINOES = known("dominoes")


@pytest.mark.parametrize("case", DOMINOES["positions"], ids=lambda case: f"{case['n']}: {case['line']}")
def test_dominoes_positions(case: Mapping[str, Any], tmp_path: Path) -> None:
    spec = f"dominoes:n={case['n']}"
    # Distances are looked for as far as the limit on states allows.
    states = 30_000 if case["n"] < 7 else 100
    limit = ("--states", str(states))
    document = ask("analyze", spec, "--at", case["line"], *limit)
    assert document["to_move"] == case["to_move"]
    assert document["category"] == ("win" if case["winner"] == case["to_move"] else "loss")
    assert values(document)[case["winner"]] == 1
    assert sorted(by_move(document)) == sorted(case["legal"])
    # Where nothing wins, all moves lose and none gives anything away.
    assert sorted(best(document)) == sorted(case["winning"] or case["legal"])
    winning = [move["move"] for move in document["moves"] if move["category"] == "win"]
    assert sorted(winning) == sorted(case["winning"])
    assert document["distance"] == document["moves"][0]["distance"]
    assert (document["distance"] is None) == (case["n"] == 7)

    file = tmp_path / "puzzle.txt"
    file.write_text(case["file"])
    assert run("value", f"dominoes:@{file}", "--verdict").out == case["verdict"] + "\n"
    assert run("value", "dominoes:@-", "--verdict", stdin=case["file"]).out == case["verdict"] + "\n"
    assert ask("analyze", f"dominoes:@{file}", *limit)["moves"] == document["moves"]

    game = es.games.Dominoes(n=case["n"])
    solution = es.solve(game, game.position(case["line"]), limits=es.Limits(states=states))
    assert solution.value()[case["winner"]] == 1
    assert sorted(solution.best_moves()) == sorted(best(document))


@pytest.mark.parametrize("case", DOMINOES["empty"], ids=lambda case: f"n={case['n']}")
def test_dominoes_from_the_empty_line(case: Mapping[str, Any]) -> None:
    spec = f"dominoes:n={case['n']}"
    document = ask("analyze", spec)
    assert document["category"] == "win"
    assert case["winner"] == "first"
    assert sorted(best(document)) == case["winning"]
    assert len(document["moves"]) == case["openings"]
    assert run("value", f"{spec}", "--verdict").out == "Win\n"
    table = ask("table", spec)
    assert [row["opening"] for row in table["rows"] if row["category"] == "win"] == case["winning"]

    # The states met by the general engine are those of the record and the empty line.
    searched = ask("value", spec, "--method", "graph", "--symmetry", "off")
    assert searched["method"]["states"] == case["states"] + 1
    assert searched["value"] == document["value"]
    merged = ask("value", spec, "--method", "graph")
    assert merged["method"]["states"] <= searched["method"]["states"]
    assert merged["distance"] == searched["distance"]


def test_dominoes_sets_of_used_tiles() -> None:
    for case in DOMINOES["empty"]:
        start = es.games.Dominoes(n=case["n"]).position()
        seen, queue = {start.state}, [start]
        for position in queue:
            for move in position.moves():
                after = position.play(move)
                if after.state not in seen:
                    seen.add(after.state)
                    queue.append(after)
        seen.remove(start.state)
        assert len(seen) == case["states"]
        assert len({state._replace(tail=0) for state in seen}) == case["used_sets"]
        assert len(list(start.moves())) == case["openings"]
        assert case["tiles"] == case["n"] * (case["n"] + 1) // 2
