"""Random small games under random questions: what every command says beside the value, against `naive.py`.

    python tests/fuzz_verbs.py --count 2000 --seed 1

`dist`, `line`, `fair`, `exploit`, `review`, `simulate`, `table`, `table --rule` and `report` of the games of
`game_texts.py`, asked at the command line from the start, after some moves, and from states
that were set up, under every objective and utility, with policies. Each answer is computed again
from the rules, by a few lines each.
Prints each difference with the seed of its game, and counts at the end.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import fuzz_games
import game_texts
import naive
from command_line import exact, run
from endsight import CHANCE, Position

RULES = ("random", "greedy", "lookahead", "best", "worst")


class Played(naive.Recursion):
    """Backward induction that also knows how a game that is won hastens, and one that is lost delays."""

    def __init__(self, *asked: Any, distances: naive.Sweeps | None = None) -> None:
        super().__init__(*asked)
        self.distances = distances
        self.plies_to_end: dict[naive.Node, int | None] = {}

    def chosen(self, node: naive.Node) -> Any:
        """The first of the best moves; among those, what the winner wins by first, and the loser loses by last."""
        options = self.options(node)
        best = max(self.interest(node[1], self.through(node, move)) for move in options)
        moves = [move for move in options if self.interest(node[1], self.through(node, move)) == best]
        if self.distances is None or len(moves) == 1:
            return moves[0]
        plies = [self.to_the_end(self.after(node, move)) for move in moves]
        if None in plies:
            return moves[0]
        is_shared = self.objective == "cooperative" and self.fixed.get(node[1]) not in ("best", "worst")
        target = 0 if is_shared else node[1]
        is_won = self.through(node, moves[0])[target] > (Fraction(1, 2) if self.utility == "win" else 0)
        if self.fixed.get(node[1]) == "worst":
            return moves[plies.index(max(plies) if is_won else min(plies))]
        return moves[plies.index(min(plies) if is_won else max(plies))]

    def to_the_end(self, node: naive.Node) -> int | None:
        """Plies to a forced win or loss; None for a draw."""
        if node not in self.plies_to_end:
            assert self.distances is not None
            self.distances.values.clear()
            self.distances.value_of(node)
            self.plies_to_end |= self.distances.reached
        return self.plies_to_end[node]

    def visits(self, root: naive.Node) -> dict[naive.Node, Fraction]:
        """How often play comes to each node on average."""
        counts: Counter = Counter()
        queue = [(root, Fraction(1))]
        for node, chance in queue:
            counts[node] += chance
            if self.legal(node):
                ways = self.chances(node) or [(self.chosen(node), Fraction(1))]
                queue += [(self.after(node, move), chance * part) for move, part in ways]
        return dict(counts)


class Asked:
    """A game, where in it, and what is asked; with the oracle and the command line."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, draw = seed, random.Random(f"verbs {seed}")
        self.draw = draw
        self.made = game_texts.random_game(seed)
        self.game = fuzz_games.load(self.made.text, folder, seed)
        self.name = f"{folder}/rules_{seed}.py:Rules"
        players = self.game.player_count
        utilities = ("payoff", "payoff", "win", "lead") if players > 1 else ("payoff",)
        utilities += ("win",) if "def par" in self.made.text else ()
        objective = "cooperative" if draw.random() < 0.3 else "competitive"
        fixed = {player: draw.choice(RULES) for player in range(players) if draw.random() < 0.25}
        self.question: dict[str, Any] = {"objective": objective, "utility": draw.choice(utilities), "fixed": fixed}
        self.position = self.random_position()
        self.names = self.game.player_names
        self.case = fuzz_games.case_of(self.game, self.made, self.question, self.position)
        measured = self.case.distances if self.case.is_measured else None
        self.oracle = Played(self.game, objective, self.question["utility"], fixed, distances=measured)
        self.root = self.oracle.root(self.position)

    def random_position(self) -> Position:
        position = self.game.position()
        for _ in range(self.draw.choice((0, 0, 1, 2, 3))):
            moves = list(position.moves())
            if moves:
                position = position.play(self.draw.choice(moves))
        self.is_set_up = self.draw.random() < 0.2
        return self.game.position_from(self.game.show(position.state)) if self.is_set_up else position

    @property
    def options(self) -> list[str]:
        """The question and the place on the command line."""
        told = ["--objective", self.question["objective"], "--utility", self.question["utility"]]
        for player, rule in self.question["fixed"].items():
            told += ["--fix", f"{self.names[player]}={rule}"]
        if self.is_set_up:
            return [*told, f"--position={self.game.show(self.position.state)}"]
        return [*told, f"--at={self.position.text}"]

    def ask(self, verb: str, *more: str, options: list[str] | None = None) -> Any:
        """The document of that command; None where it refuses, which is counted."""
        flags = [*(self.options if options is None else options), "--json"]
        told = run(verb, *flags, "--", self.name, *more) if verb == "review" else run(verb, self.name, *more, *flags)
        if told.code:
            raise Refused(verb, told.code, told.err)
        return told.document


class Refused(Exception):
    """A command gave no answer."""


def differs(what: str, told: Any, right: Any) -> Iterator[str]:
    if told != right:
        yield f"{what}: {told}, not {right}"


def numbers(row: dict[str, Any]) -> tuple[Fraction, ...]:
    return tuple(exact(number) for number in row.values())


# ---------------------------------------------------------------------------- one function for each command


def dist(asked: Asked) -> Iterator[str]:
    player = asked.draw.randrange(len(asked.names))
    told = asked.ask("dist", "--player", asked.names[player], "--at-least", "--at-most")
    outcomes: Counter = Counter()
    for node, chance in asked.oracle.visits(asked.root).items():
        if not asked.oracle.legal(node):
            outcomes[asked.oracle.worth(asked.oracle.final(node))[player]] += chance
    found = {Fraction(row["payoff"]): exact(row["probability"]) for row in told["outcomes"]}
    yield from differs("outcomes", found, dict(outcomes))
    yield from differs("order", list(found), sorted(found))
    for row in told["outcomes"]:
        payoff = Fraction(row["payoff"])
        yield from differs("at least", exact(row["at_least"]), sum(c for p, c in outcomes.items() if p >= payoff))
        yield from differs("at most", exact(row["at_most"]), sum(c for p, c in outcomes.items() if p <= payoff))
    plies = sum(c for node, c in asked.oracle.visits(asked.root).items() if is_ply(asked, node))
    yield from differs("plies", exact(told["expected_plies"]), plies)
    told = asked.ask("dist", "--length")
    yield from differs("lengths", {r["plies"]: exact(r["probability"]) for r in told["lengths"]}, lengths(asked))


def is_ply(asked: Asked, node: naive.Node) -> bool:
    return node[1] != CHANCE and bool(asked.oracle.legal(node))


def lengths(asked: Asked) -> dict[int, Fraction]:
    counts: Counter = Counter()
    queue = [(asked.root, Fraction(1), 0)]
    for node, chance, plies in queue:
        if not asked.oracle.legal(node):
            counts[plies] += chance
        else:
            ways = asked.oracle.chances(node) or [(asked.oracle.chosen(node), Fraction(1))]
            queue += [(asked.oracle.after(node, m), chance * part, plies + is_ply(asked, node)) for m, part in ways]
    return dict(counts)


def line(asked: Asked) -> Iterator[str]:
    told = asked.ask("line")
    yield from differs("value", numbers(told["value"]), asked.oracle.value_of(asked.root))
    node, state = asked.root, asked.position
    for step in told["moves"]:
        mover = asked.names[node[1]] if node[1] != CHANCE else "chance"
        yield from differs("player", step["player"], mover)
        move = asked.game.parse_move(node[0], step["move"])
        chances = asked.oracle.chances(node)
        if chances is None:
            yield from differs(f"move at {node[0]}", move, asked.oracle.chosen(node))
        else:
            yield from differs("likeliest", move, max(chances, key=lambda pair: pair[1])[0])
        node, state = asked.oracle.after(node, move), state.play(move)
    yield from differs("the end", bool(asked.oracle.legal(node)), False)


def fair(asked: Asked) -> Iterator[str]:
    told = asked.ask("fair")
    oracle, visits = asked.oracle, asked.oracle.visits(asked.root)
    value = oracle.value_of(asked.root)
    yield from differs("value", numbers(told["value"]), value)
    if len(value) > 1:
        yield from differs("seat", exact(told["seat_advantage"]), value[0] - value[1])
        ends = [(oracle.final(node), chance) for node, chance in visits.items() if not oracle.legal(node)]
        for key, sign in (("win", 1), ("draw", 0), ("lose", -1)):
            right = sum(c for total, c in ends if compared(total) == sign)
            yield from differs(key, exact(told[key]), right)
    turns = {node: count for node, count in visits.items() if is_ply(asked, node)}
    total = sum(turns.values())
    yield from differs("length", exact(told["length"]), total)
    if total:
        forced = sum(count for node, count in turns.items() if len(oracle.legal(node)) == 1) / total
        alike = sum(count for node, count in turns.items() if len(oracle.legal(node)) > 1 and is_free(oracle, node))
        yield from differs("forced", exact(told["forced"]), forced)
        yield from differs("costless", exact(told["costless"]), alike / total)


def compared(total: tuple) -> int:
    others = max(total[1:])
    return (total[0] > others) - (total[0] < others)


def is_free(oracle: naive.Recursion, node: naive.Node) -> bool:
    target = 0 if oracle.objective == "cooperative" and oracle.fixed.get(node[1]) != "best" else node[1]
    return len({oracle.through(node, move)[target] for move in oracle.legal(node)}) == 1


def exploit(asked: Asked) -> Iterator[str]:
    given = {player: asked.draw.choice(RULES) for player in range(len(asked.names)) if asked.draw.random() < 0.7}
    goal, utility = asked.question["objective"], asked.question["utility"]
    place = [part for part in asked.options if part.startswith(("--at", "--position"))]
    options = ["--objective", goal, "--utility", utility, *place]
    told = asked.ask("exploit", *(f"{asked.names[p]}={rule}" for p, rule in given.items()), options=options)

    def values(fixed: dict[int, Any]) -> tuple:
        return naive.Recursion(asked.game, goal, utility, fixed).value_of(asked.root)

    for entry in told["policies"]:
        player = asked.names.index(entry["player"])
        target = 0 if goal == "cooperative" else player
        others = {other: rule for other, rule in given.items() if other != player}
        is_profile = entry["against"] == "profile"
        best = values(others) if is_profile else values({})
        followed = values(given) if is_profile else values({player: given[player]})
        yield from differs(f"best of {player}", exact(entry["value"]), best[target])
        yield from differs(f"brings of {player}", exact(entry["brings"]), followed[target])
        yield from differs("given away", exact(entry["gives_away"]), best[target] - followed[target])
        if exact(entry["gives_away"]) < 0:
            yield f"{entry} gives away less than nothing"


def review(asked: Asked) -> Iterator[str]:
    position, moves = asked.position, []
    while legal := list(position.moves()):
        moves.append(position.game.show_move(position.state, move := asked.draw.choice(legal)))
        position = position.play(move)
        if asked.draw.random() < 0.1:
            break
    told = asked.ask("review", " ".join(moves))
    oracle, node = asked.oracle, asked.root
    yield from differs("start", numbers(told["start"]), oracle.value_of(node))
    count = len(asked.names)
    sums = {key: [Fraction(0)] * count for key in ("luck", "mistakes", "gifts")}
    for step in told["steps"]:
        before, mover = oracle.value_of(node), node[1]
        target = 0 if oracle.objective == "cooperative" and oracle.fixed.get(mover) != "best" else mover
        best = max((oracle.through(node, m)[target] for m in oracle.legal(node)), default=0)
        node = oracle.after(node, asked.game.parse_move(node[0], step["move"]))
        change = [b - a for a, b in zip(before, oracle.value_of(node), strict=True)]
        yield from differs("value of step", numbers(step["value"]), oracle.value_of(node))
        parts = {key: list(numbers(step[key])) for key in sums}
        if mover == CHANCE or mover in oracle.fixed:
            yield from differs("luck", parts["luck"], change)
        else:
            lost = best - oracle.value_of(node)[target]
            yield from differs("mistake", parts["mistakes"], [lost if p == mover else 0 for p in range(count)])
            yield from differs("no luck", parts["luck"], [0] * count)
        booked = [lucky - lost + given for lucky, lost, given in zip(*(parts[key] for key in sums), strict=True)]
        yield from differs("change", booked, change)
        for key, row in sums.items():
            sums[key] = [a + b for a, b in zip(row, parts[key], strict=True)]
    for key, row in sums.items():
        yield from differs(f"sum of {key}", list(numbers(told[key])), row)
    yield from differs("final", numbers(told["final"]), oracle.value_of(node))
    yield from differs("finished", told["finished"], not oracle.legal(node))


def simulate(asked: Asked) -> Iterator[str]:
    player = asked.draw.randrange(len(asked.names))
    told = asked.ask("simulate", "--games", "60", "--player", asked.names[player], "--seed", str(asked.seed))
    oracle, visits = asked.oracle, asked.oracle.visits(asked.root)
    ends = {oracle.worth(oracle.final(node))[player] for node in visits if not oracle.legal(node)}
    if told["value"] is not None:
        yield from differs("value", exact(told["value"]), oracle.value_of(asked.root)[player])
    found = {Fraction(row["payoff"]): row["count"] for row in told["outcomes"]}
    if not found.keys() <= ends:
        yield f"outcomes {found}, of {ends}"
    yield from differs("games", sum(found.values()), 60)
    yield from differs("mean", exact(told["mean"]), sum(p * c for p, c in found.items()) / 60)
    counts = lengths(asked)
    if not min(counts) <= exact(told["mean_plies"]) <= max(counts):
        yield f"{told['mean_plies']} plies, of {counts}"
    if told["between"] is not None:
        low, high = (exact(told["between"][key]) for key in ("lower", "upper"))
        if not low <= min(ends) <= max(ends) <= high:
            yield f"between {low} and {high}, of {ends}"


def table(asked: Asked) -> Iterator[str]:
    told = asked.ask("table")
    oracle = asked.oracle
    nodes = naive.Oracle.reachable(oracle, asked.root)
    carries = oracle.utility == "win" or (oracle.utility == "lead" and len(asked.names) > 2)
    keeps = carries and asked.game.gives("reward")
    right: dict[Any, list] = {}
    for node in nodes:
        value = oracle.value_of(node)
        if not keeps:
            bare = (node[0], node[1], (0,) * len(asked.names))
            value = oracle.value_of(bare)
        mover = "chance" if node[1] == CHANCE else asked.names[node[1]]
        best = []
        if oracle.legal(node) and node[1] != CHANCE:
            target = 0 if oracle.objective == "cooperative" and oracle.fixed.get(node[1]) != "best" else node[1]
            of_moves = {m: oracle.through(node, m)[target] for m in oracle.legal(node)}
            best = [asked.game.show_move(node[0], m) for m, v in of_moves.items() if v == max(of_moves.values())]
        row = (mover if oracle.legal(node) else None, value, tuple(sorted(best)))
        right.setdefault(asked.game.show(node[0]), []).append(row)
    found: dict[Any, list] = {}
    for row in told["rows"]:
        made = (row["to_move"], numbers(row["value"]), tuple(sorted(row["best"])))
        found.setdefault(row["position"], []).append(made)
    yield from differs("positions", {*found}, {*right})
    for key in found.keys() & right.keys():
        yield from differs(f"rows of {key}", {*found[key]}, {*right[key]})


def report(asked: Asked) -> Iterator[str]:
    """The whole game, each for themselves: only the start is asked about."""
    told = asked.ask("report", options=[])
    figures = {
        f"{section['key']}.{name}": amount
        for section in told["sections"]
        for name, amount in section["figures"].items()
    }
    players = range(len(asked.names))
    best = Best(asked.game)
    yield from values_of_report(figures, best, asked)
    if "length.mean" in figures:
        yield from differs("mean length", exact(figures["length.mean"]), best.mean(lambda line: line.plies))
        own = Counter({line.plies: Fraction(0) for line in best.lines})
        for line in best.lines:
            own[line.plies] += line.chance
        square = sum(plies * plies * chance for plies, chance in own.items()) - best.mean(lambda line: line.plies) ** 2
        yield from differs("variance", exact(figures["length.variance"]), square)
        yield from differs("ends of length", [exact(figures[f"length.{k}"]) for k in ("shortest", "longest")],
                           [min(own), max(own)])  # fmt: skip
        low, high = (exact(figures[f"length.usually_{k}"]) for k in ("from", "to"))
        if sum(chance for plies, chance in own.items() if low <= plies <= high) < Fraction(4, 5):
            yield f"usually {low} to {high}: {own}"
    beginners = naive.Recursion(asked.game, "competitive", "payoff", dict.fromkeys(players, "random"))
    lines = list(lines_of(beginners))
    if "draws.beginners" in figures:
        shared = sum(line.chance for line in lines if line.totals.count(max(line.totals)) > 1)
        yield from differs("draws of beginners", exact(figures["draws.beginners"]), shared)
    if "lead.beginners" in figures:
        yield from differs("lead", exact(figures["lead.beginners"]), leads(asked, lines))
    if "luck.luck" in figures:
        yield from differs("luck", exact(figures["luck.luck"]), luck(asked))


def rule(asked: Asked) -> Iterator[str]:
    """`table --rule` and `analyze --policy`: what a policy costs where everybody else answers best."""
    player, question = asked.draw.randrange(len(asked.names)), asked.question
    name, target = asked.names[player], 0 if question["objective"] == "cooperative" else player

    def values(fixed: dict[int, Any]) -> tuple:
        return naive.Recursion(asked.game, question["objective"], question["utility"], fixed).value_of(asked.root)

    best = values(question["fixed"])
    told = asked.ask("analyze", "--policy", f"{name}=random")
    followed = values({**question["fixed"], player: "random"})
    yield from differs("value of the policy", numbers(told["policy"]["value"]), followed)
    yield from differs("loss", exact(told["loss"]), best[target] - followed[target])
    for row in asked.ask("table", "--rule", "--player", name)["rows"]:
        if row["rule"] == "last":
            followed = values({**question["fixed"], player: asked.game.policy_last})
            yield from differs("loss of the rule", exact(row["loss"]), best[target] - followed[target])


class Line:
    """One way that play may go: nodes, chance, totals at the end, moves of players."""

    def __init__(self, nodes: list[naive.Node], chance: Fraction, oracle: naive.Oracle) -> None:
        self.nodes, self.chance, self.totals = nodes, chance, oracle.final(nodes[-1])
        self.plies = sum(node[1] != CHANCE for node in nodes[:-1])
        top = max(self.totals)
        self.shares = [Fraction(own == top, self.totals.count(top)) for own in self.totals]


def lines_of(oracle: naive.Oracle) -> Iterator[Line]:
    """All that play may lead to."""
    waiting = [([oracle.root()], Fraction(1))]
    for nodes, chance in waiting:
        node = nodes[-1]
        if not oracle.legal(node):
            yield Line(nodes, chance, oracle)
            continue
        ways = oracle.chances(node) or oracle.ways(node)
        waiting += [([*nodes, oracle.after(node, move)], chance * part) for move, part in ways]


class Best(Played):
    """Best play by all, which makes all best moves of two opposed players or of one, else the first."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        nodes = naive.Oracle.reachable(self, self.root())
        ends = [self.final(node) for node in nodes if not self.legal(node)]
        self.is_opposed = self.players == 1 or (self.players == 2 and len({sum(total) for total in ends}) == 1)
        pays = {self.per_player(game.payoff(node[0]), node[1]) for node in nodes if not self.legal(node)}
        is_decided = not game.gives("reward") and self.players == 2 and pays <= {(1, -1), (-1, 1), (0, 0)}
        if is_decided and all(node[1] != CHANCE for node in nodes if self.legal(node)):
            self.distances = naive.Sweeps(game)
        if self.distances is not None and any(node[1] == CHANCE for node in nodes):
            raise Refused("report", 0, "the oracle counts no plies to ends of chance")
        self.lines = list(lines_of(self))

    def ways(self, node: naive.Node) -> list[tuple[Any, Fraction]]:
        first = self.chosen(node)
        if not self.is_opposed:
            return [(first, Fraction(1))]
        rank = self.ranked(node, first)
        equal = [move for move in self.legal(node) if self.ranked(node, move) == rank]
        return [(move, Fraction(1, len(equal))) for move in equal]

    def ranked(self, node: naive.Node, move: Any) -> tuple:
        plies = None if self.distances is None else self.to_the_end(self.after(node, move))
        return self.through(node, move)[node[1]], plies

    def mean(self, of: Any) -> Fraction:
        return sum((line.chance * of(line) for line in self.lines), Fraction(0))


def values_of_report(figures: dict[str, Any], best: Best, asked: Asked) -> Iterator[str]:
    for player, name in enumerate(asked.names):
        if f"value.value_{name}" in figures:
            yield from differs(name, exact(figures[f"value.value_{name}"]), best.value_of(best.root())[player])
            mean = sum(line.chance * line.totals[player] for line in best.lines)
            yield from differs(f"mean {name}", mean, best.value()[player])
        if f"seats.share_{name}" in figures:
            share = sum(line.chance * line.shares[player] for line in best.lines)
            yield from differs(f"share of {name}", exact(figures[f"seats.share_{name}"]), share)
    if "draws.best" in figures:
        shared = best.mean(lambda line: line.totals.count(max(line.totals)) > 1)
        yield from differs("draws", exact(figures["draws.best"]), shared)
    if "choices.real" in figures:
        turns = Counter()
        for line in best.lines:
            for node in line.nodes[:-1]:
                if node[1] != CHANCE:
                    turns[kind_of_turn(best, node)] += line.chance
        total = sum(turns.values())
        for key in ("real", "forced", "costless"):
            yield from differs(key, exact(figures[f"choices.{key}"]), turns[key] / total)
    if "mistakes.mistake" in figures:
        cost = turns_ = Fraction(0)
        for line in best.lines:
            for node in line.nodes[:-1]:
                if node[1] != CHANCE and kind_of_turn(best, node) == "real":
                    own = [best.through(node, move)[node[1]] for move in best.legal(node)]
                    wrong = [max(own) - value for value in own if value != max(own)]
                    cost += line.chance * sum(wrong) / len(wrong)
                    turns_ += line.chance
        yield from differs("mistake", exact(figures["mistakes.mistake"]), cost / turns_)


def kind_of_turn(oracle: naive.Recursion, node: naive.Node) -> str:
    if len(oracle.legal(node)) == 1:
        return "forced"
    return "costless" if is_free(oracle, node) else "real"


def leads(asked: Asked, lines: list[Line]) -> Fraction:
    """How often the better chances change hands when all move at random."""
    players = range(len(asked.names))
    oracle = naive.Recursion(asked.game, "competitive", "win", dict.fromkeys(players, "random"))
    changes = Fraction(0)
    for line in lines:
        leader = None
        for node in line.nodes:
            values = oracle.value_of(node)
            if values.count(max(values)) == 1:
                changes += line.chance * (leader is not None and leader != values.index(max(values)))
                leader = values.index(max(values))
    return changes


def luck(asked: Asked) -> Fraction:
    players = range(len(asked.names))
    utility = "win" if len(players) > 1 else "payoff"
    oracle = Played(asked.game, "competitive", utility, dict.fromkeys(players, "random"))
    drawn = made = Fraction(0)
    for node, count in oracle.visits(oracle.root()).items():
        here = oracle.value_of(node)
        for move, chance in (oracle.chances(node) or []) if oracle.legal(node) else []:
            there = oracle.through(node, move)
            spread = count * chance * sum((a - b) ** 2 for a, b in zip(there, here, strict=True))
            drawn, made = (drawn + spread, made) if node[1] == CHANCE else (drawn, made + spread)
    return drawn / (drawn + made)


VERBS = (report, rule, dist, line, fair, exploit, review, simulate, table)


def run_one(seed: int, folder: Path, tally: Counter, differences: list[str]) -> None:
    if game_texts.random_game(seed).has_loops:
        tally["with loops, left out"] += 1
        return
    try:
        asked = Asked(seed, folder)
        for verb in VERBS:
            try:
                found = list(verb(asked))
                tally[verb.__name__] += 1
            except Refused as refusal:
                name, code, message = refusal.args
                first = re.sub(r"\S*rules_\d+\.py\S*", "RULES", message.splitlines()[0])
                tally[f"{name} refused, exit {code}: {first}"] += 1
                found = [message] if code in (1, 4) else []
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            differences += [f"seed {seed}, {verb.__name__} {' '.join(asked.options)}: {fault}" for fault in found]
    finally:
        fuzz_games.forget(folder, seed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tally: Counter = Counter()
    differences: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.seed * 1_000_000, options.seed * 1_000_000 + options.count):
            run_one(number, Path(folder), tally, differences)
    print(*differences[:100], sep="\n")
    print(f"{len(differences)} differences")
    for what, count in sorted(tally.items()):
        print(f"  {what}: {count}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
