"""Random single changes of certificates: none may be accepted that makes a false claim.

    python tests/mutate_certificates.py --count 10000 --seed 1

Prints how many changes were refused as unreadable, found wrong, or accepted: because the
claim was not touched, or because the new claim is true too, which a fresh solve decides.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import endsight as es
from certificate_texts import text_of_numbers
from endsight import Certificate
from endsight.verifier.certificate import Ends
from endsight.verifier.certificate import _numbers as unpack
from ranges import as_range
from small_instances import Instance

Document = dict[str, Any]

BASES = (
    Instance("tictactoe", "b2 a1"),
    Instance("tictactoe:width=2,height=3,line=2"),
    Instance("nim:heaps=3-4-5"),
    Instance("nim:heaps=1-2-3", options={"method": "graph"}),
    Instance("chomp:width=3,height=2"),
    Instance("hexapawn:width=2,height=3"),
    Instance("dodgem:size=2"),
    Instance("dominoes:n=3"),
    Instance("pots:4-9-2-7"),
    Instance("pots:3-1-4-1-5", options={"objective": "cooperative"}),
    Instance("pots:4-9-2-7", options={"utility": "win"}),
    Instance("pots:4-9-2-7", "L", options={"fixed": {"second": "smaller"}}),
    Instance("hiddenpots:count=3,max=2"),
    Instance("rpsbag:2-1-0/0-2-1/1-0-2"),
    Instance("highcard:hand=1-3-5,rival=6-x-x"),
    Instance("repeatbust:sides=3,dice=1"),
    Instance("repeatbust:sides=3,dice=1", options={"fixed": {"player": "myopic"}}),
    Instance("pigturn:sides=3"),
    Instance("pig:target=2"),
    Instance("pig:target=3", options={"interval": True}),
    Instance("pig:target=4", "roll 3"),
    Instance("pig:target=3", options={"fixed": {"first": "random"}}),
    Instance("pig:target=25", options={"exact": True}),
    Instance("rps"),
    Instance("goofspiel:cards=2"),
    Instance("goofspiel:cards=3"),
    Instance("kuhn"),
    Instance("kuhn", options={"utility": "lead"}),
    Instance("liarsdice:sides=2"),
)
DISTRIBUTIONS = (
    Instance("pigturn:sides=3"),
    Instance("rpsbag:1-2-3/3-2-1"),
    Instance("pots:4-9-2-7"),
    Instance("pig:target=4"),
)


@dataclass(frozen=True)
class Outcome:
    """What became of one change: `refused`, `wrong`, `same claim`, `true claim` or `FALSE CLAIM`."""

    kind: str
    change: str
    text: str


def bases() -> list[str]:
    """The texts that are changed."""
    texts = [es.prove(instance.solution()).to_text() for instance in BASES]
    for instance in DISTRIBUTIONS:
        solution = instance.solution()
        texts.append(es.prove(solution, distribution=solution.game.player_names[0]).to_text())
    return texts


def outcome(before: str, after: str, change: str) -> Outcome:
    """What the verifier says of a changed text, and whether it may."""
    try:
        certificate = Certificate.from_text(after)
        es.verify(certificate)
    except es.Wrong:
        return Outcome("wrong", change, after)
    except es.EndsightError:
        return Outcome("refused", change, after)
    if _asked(json.loads(before)) == _asked(json.loads(after)):
        return Outcome("same claim", change, after)
    return Outcome("true claim" if is_true(certificate) else "FALSE CLAIM", change, after)


def _asked(document: Document) -> Any:
    """All that a claim says; the text of the game and the version are for people."""
    game = {key: value for key, value in document["game"].items() if key != "text"}
    return game, document["claim"]


def is_true(certificate: Certificate) -> bool:
    """Whether the claim holds, by solving the game afresh."""
    claim = certificate.claim
    solution = _solved(
        certificate.game["class"],
        tuple(certificate.game["parameters"].items()),
        claim.set_up,
        claim.position,
        claim.objective,
        claim.utility,
        tuple(claim.fixed.items()),
    )
    value = dict(zip(solution.game.player_names, solution.values(), strict=True))
    if not all(_holds(ends, as_range(value[name])) for name, ends in claim.value.items()):
        return False
    # In a small part of a game there may be only wins and losses, so `value` may be a category there.
    if claim.category != solution.category() and "value" not in (claim.category, solution.category()):
        return False
    return claim.outcomes is None or dict(claim.outcomes) == {
        Fraction(amount): chance for amount, chance in solution.distribution(claim.player).outcomes.items() if chance
    }


def _holds(ends: Ends, known: es.Interval) -> bool:
    low, high = ends
    return (low is None or low <= known.upper) and (high is None or known.lower <= high)


@cache
def _solved(kind: str, parameters: Any, set_up: Any, at: str, objective: Any, utility: Any, fixed: Any) -> es.Solution:
    game = getattr(es.games, kind)(**dict(parameters))
    position = game.position() if set_up is None else game.position_from(set_up)
    for move in at.split():
        position = position.after(move)
    asked: dict[str, Any] = {"objective": objective, "utility": utility, "fixed": dict(fixed), "exact": True}
    return es.solve(game, position, **asked)


# ---------------------------------------------------------------------- changes


def changed(
    text: str, chance: random.Random, change: Callable[[Any, random.Random], Any] | None = None
) -> tuple[str, str]:
    """The text with one random change (or with that one), and what that was."""
    change = change or chance.choice(CHANGES)
    if change is _letter:
        return _letter(text, chance), "letter"
    document = json.loads(text)
    change(document, chance)
    return json.dumps(document, separators=(",", ":")) + "\n", change.__name__.strip("_")


def _letter(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    return (
        text[:place]
        + chance.choice(["", chance.choice('0123456789-/",:{}[]abcxz'), text[place] * 2])
        + text[place + 1 :]
    )


def _plays(document: Document) -> list[Document]:
    evidence = document["evidence"]
    held = [evidence.get(key) for key in ("at_least", "at_most", "first", "second")]
    return [play for play in (*held, document["play"]) if play]


def _list(key: str) -> Callable[[Document, random.Random], None]:
    """A change of one list of numbers in a play: an entry changed, dropped, doubled, or two swapped."""

    def change(document: Document, chance: random.Random) -> None:
        plays = [play for play in _plays(document) if play.get(key)]
        if not plays:
            return _value(document, chance)
        play = chance.choice(plays)
        numbers = list(unpack(play[key]))
        place = chance.randrange(len(numbers))
        kind = chance.randrange(4)
        if kind == 0:
            numbers[place] += chance.choice([-1, 1])
        elif kind == 1:
            del numbers[place]
        elif kind == 2:
            numbers.insert(place, numbers[place])
        else:
            other = chance.randrange(len(numbers))
            numbers[place], numbers[other] = numbers[other], numbers[place]
        play[key] = text_of_numbers(numbers)
        return None

    change.__name__ = key
    return change


def _scale(document: Document, chance: random.Random) -> None:
    plays = [play for play in _plays(document) if play.get("scale")]
    if not plays:
        return _value(document, chance)
    pair = chance.choice(chance.choice(plays)["scale"])
    pair[chance.randrange(2)] += chance.choice([-1, 1])
    return None


def _total(document: Document, chance: random.Random) -> None:
    plans = [plan for plan in _plays(document) if plan.get("total")]
    if not plans:
        return _value(document, chance)
    plan = chance.choice(plans)
    plan["total"] = str(chance.choice([0, 1, -1, 2]) + int(plan["total"]) * chance.choice([1, 1, 2]))
    return None


def _swap_plays(document: Document, chance: random.Random) -> None:
    evidence = document["evidence"]
    if evidence["kind"] == "plans":
        evidence["first"], evidence["second"] = evidence["second"], evidence["first"]
        return None
    if evidence["kind"] != "bounds":
        return _value(document, chance)
    kind = chance.randrange(3)
    if kind == 0:
        evidence["at_least"], evidence["at_most"] = evidence["at_most"], evidence["at_least"]
    else:
        evidence["at_least" if kind == 1 else "at_most"] = None
    return None


def _nudged(text: str | None, chance: random.Random) -> str:
    """A number a unit in its last place away, or another number altogether."""
    number = Fraction(text) if text is not None else Fraction(0)
    unit = Fraction(1, number.denominator)
    return str(chance.choice([number + unit, number - unit, number + 1, -number, Fraction(chance.randint(-9, 9), 2)]))


def _value(document: Document, chance: random.Random) -> None:
    values = document["claim"]["value"]
    name = chance.choice(list(values))
    if chance.randrange(8) == 0:
        del values[name]
    elif isinstance(values[name], list):
        end = chance.randrange(2)
        values[name][end] = chance.choice([None, _nudged(values[name][end], chance)])
    else:
        own = values[name]
        values[name] = chance.choice([_nudged(own, chance), [own, None], [None, own], [_nudged(own, chance), own]])


def _category(document: Document, chance: random.Random) -> None:
    document["claim"]["category"] = chance.choice(["win", "draw", "loss", "value"])


def _notion(document: Document, chance: random.Random) -> None:
    document["claim"]["notion"] = chance.choice([None, "", "any", document["claim"]["notion"]])


def _question(document: Document, chance: random.Random) -> None:
    claim = document["claim"]
    kind = chance.randrange(3)
    if kind == 0:
        claim["objective"] = chance.choice(["competitive", "cooperative", "fair"])
    elif kind == 1:
        claim["utility"] = chance.choice(["payoff", "win", "lead"])
    else:
        name = chance.choice([*claim["value"], "nobody"])
        rule = chance.choice(["random", "worst", "bigger", "smaller", "myopic", "never", "hold20", "nothing", None])
        claim["fixed"] = {} if rule is None else {name: rule}


def _position(document: Document, chance: random.Random) -> None:
    claim = document["claim"]
    moves = claim["position"].split()
    more = chance.choice(["a1", "L", "R", "1:1", "roll", "1", "2", "hold", "stop", "rock", "0-0", "1 roll"])
    kind = chance.randrange(3)
    claim["position"] = " ".join(moves[:-1] if kind == 0 else [*moves, more])
    if kind == 2:
        claim["set_up"] = chance.choice(["", "left=1 right=3", "first=1 second=0 pot=0 turn=second", "reward=1 last=2"])


def _parameters(document: Document, chance: random.Random) -> None:
    game = document["game"]
    key = chance.choice(list(game["parameters"]))
    value = game["parameters"][key]
    if isinstance(value, bool | str):
        game["parameters"][key] = not value
    elif isinstance(value, int):
        game["parameters"][key] = max(1, value + chance.choice([-1, 1]))
    elif value:
        place = chance.randrange(len(value))
        value[place] = value[place] + 1 if type(value[place]) is int else value[place - 1]


def _game(document: Document, chance: random.Random) -> None:
    game = document["game"]
    kind = chance.randrange(4)
    if kind == 0:
        game["class"] = chance.choice(["Pots", "Nim", "Pig", "Dominoes", "Nothing"])
    elif kind == 1:
        game["rules"] = game["rules"][1:] + game["rules"][0]
    elif kind == 2:
        game["own"] = not game["own"]
    else:
        document["evidence"] = chance.choice(
            [{"kind": "induction"}, {"kind": "theorem", "theorem": "nim_sum", "witness": {}}]
        )


def _outcomes(document: Document, chance: random.Random) -> None:
    claim = document["claim"]
    rows = claim["outcomes"]
    if not rows:
        return _value(document, chance)
    kind = chance.randrange(4)
    row = chance.choice(rows)
    if kind == 0:
        rows.remove(row)
    elif kind == 1:
        claim["player"] = chance.choice(["first", "second", "player", "nobody"])
    elif kind == 2:
        row[chance.randrange(2)] = _nudged(row[0], chance)
    else:
        document["play"] = None
    return None


def _keys(document: Document, chance: random.Random) -> None:
    place = chance.choice([document, document["game"], document["claim"], document["evidence"], *_plays(document)])
    key = chance.choice(list(place))
    kind = chance.randrange(3)
    if kind == 0:
        del place[key]
    elif kind == 1:
        place[chance.choice(["more", key + "x"])] = place[key]
    else:
        place[key] = chance.choice([None, 0, True, "", [], {}, 1 << 70])


CHANGES: tuple[Callable[[Any, random.Random], Any], ...] = (
    _letter, _list("choices"), _list("choices"), _list("nodes"), _list("values"), _list("values"), _scale, _swap_plays,
    _list("masses"), _list("masses"), _total,
    _value, _value, _value, _category, _notion, _question, _position, _parameters, _game, _outcomes, _outcomes, _keys,
)  # fmt: skip


CHANGES_OF_PLANS: tuple[Callable[[Any, random.Random], Any], ...] = (
    _letter, _list("masses"), _list("masses"), _list("masses"), _total, _swap_plays, _value, _value, _category,
    _notion, _question, _keys,
)  # fmt: skip


def outcomes(count: int, seed: int) -> list[Outcome]:
    """What became of so many changes."""
    chance = random.Random(seed)
    texts = bases()
    found = []
    for _ in range(count):
        before = chance.choice(texts)
        after, change = changed(before, chance)
        found.append(outcome(before, after, change))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Change certificates at random, and see what the verifier says.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = outcomes(given.count, given.seed)
    counts = Counter(each.kind for each in found)
    print(
        f"{given.count:,} changes, seed {given.seed}: " + ", ".join(f"{n:,} {kind}" for kind, n in counts.most_common())
    )
    for each in found:
        if each.kind == "FALSE CLAIM":
            print(each.change, each.text)
    return 1 if counts["FALSE CLAIM"] else 0


if __name__ == "__main__":
    sys.exit(main())
