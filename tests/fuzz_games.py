"""Random small games under random questions: every method and both engines against the oracle of `naive.py`.

    python tests/fuzz_games.py --count 20000 --seed 1

For each game of `game_texts.py`: the value, what every move of `analyze` says (value,
regret, best, category, distance), the bounds told on the way and those told at a stop.
Whatever is answered must be right; what is refused, by a named method, must be refused
for a reason that `docs/reference/methods.md` lists. Every twentieth game is compiled too (`--compiled 1`: every one).
Prints each difference with the seed of its game, and counts at the end.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import endsight as es
import game_texts
import naive
from endsight import CHANCE, Game, Interval, Position
from endsight.errors import EndsightError, LimitReached

ROOT = Path(__file__).resolve().parent.parent
METHODS = ("auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber")
COMPILED = ("auto", "graph", "layers", "search")
SEARCHES = ("search", "minimax", "alphabeta", "proofnumber")
EVERY = 20
"""One game in so many is compiled."""


@dataclass
class Tally:
    """What was tried, and what came of it."""

    games: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    refusals: Counter[tuple[str, str]] = field(default_factory=Counter)
    without_value: int = 0
    differences: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A game, a question about it, and what the oracle says."""

    game: Game
    position: Position
    question: dict[str, Any]
    oracle: naive.Oracle
    is_decided: bool
    distances: naive.Sweeps | None
    is_measured: bool
    rests_on_ties: bool

    def interest(self, mover: int) -> int:
        """Whose value the mover is after."""
        is_shared = self.question["objective"] == "cooperative" and self.question["fixed"].get(mover) != "best"
        return 0 if is_shared else mover


def load(text: str, folder: Path, seed: int) -> Game:
    """The game of that text, from a file of its own."""
    file = folder / f"rules_{seed}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    game: Game = module.Rules()
    return game


def forget(folder: Path, seed: int) -> None:
    """Take a game's file away again."""
    sys.modules.pop(f"rules_{seed}", None)
    (folder / f"rules_{seed}.py").unlink()


# ---------------------------------------------------------------------------- what is right


def random_question(seed: int, made: game_texts.GameText) -> dict[str, Any]:
    """Mostly the plain question."""
    draw = random.Random(f"question {seed}")
    utilities = ("payoff", "payoff", "win", "lead") if made.players > 1 else ("payoff", "payoff")
    if "def par" in made.text:
        utilities = ("payoff", "win")
    fixed: dict[int, Any] = {}
    if draw.random() < 0.3:
        rules = ("best", "worst", "last", *(() if made.has_loops else ("greedy", "lookahead", "random")))
        fixed[draw.randrange(made.players)] = draw.choice(rules)
    objective = "cooperative" if draw.random() < 0.15 else "competitive"
    return {"objective": objective, "utility": draw.choice(utilities), "fixed": fixed}


def random_position(game: Game, seed: int) -> Position:
    """The start, or one that some random moves lead to."""
    draw = random.Random(f"position {seed}")
    position = game.position()
    for _ in range(draw.choice((0, 0, 0, 1, 2, 3))):
        moves = list(position.moves())
        if moves:
            position = position.play(draw.choice(moves))
    return position


def case_of(game: Game, made: game_texts.GameText, question: dict[str, Any], position: Position) -> Case:
    """The oracle that suits the game; its policies are functions of the state."""
    policy = {"last": game.policy_last} if hasattr(game, "policy_last") else {}
    fixed = {player: policy.get(rule, rule) for player, rule in question["fixed"].items()}
    kind = naive.Sweeps if made.has_loops else naive.Recursion
    oracle = kind(game, question["objective"], question["utility"], fixed)
    nodes = reachable(oracle, oracle.root(position))
    decided = _is_decided(oracle, nodes, question, game)
    counts = decided and (question["utility"] != "win" or not game.gives("reward")) and _pays_like_a_win(oracle, nodes)
    distances, is_measured = None, True
    if counts and not game.gives("reward"):
        distances = naive.Sweeps(game, question["objective"], question["utility"], fixed)
        # The oracle also looks at what a policy never comes to.
        is_measured = all(node[1] != CHANCE for node in distances.reachable(distances.root(position)))
    rests_on_ties = False
    if kind is naive.Recursion:
        last = LastOfTheBest(game, question["objective"], question["utility"], fixed)
        rests_on_ties = last.value(position) != oracle.value(position)
    return Case(game, position, question, oracle, decided, distances, is_measured, rests_on_ties)


class LastOfTheBest(naive.Recursion):
    """Backward induction in which ties go to the last move."""

    def chosen(self, node: naive.Node) -> Any:
        """The last move of the best value."""
        return max(reversed(self.options(node)), key=lambda move: self.interest(node[1], self.through(node, move)))


def reachable(oracle: naive.Oracle, root: naive.Node) -> list[naive.Node]:
    """All nodes that can come up under the question."""
    nodes, seen = [root], {root}
    for node in nodes:
        for move in oracle.options(node) if oracle.legal(node) else ():
            child = oracle.after(node, move)
            if child not in seen:
                seen.add(child)
                nodes.append(child)
    return nodes


def _pays_like_a_win(oracle: naive.Oracle, nodes: list[naive.Node]) -> bool:
    pays = {oracle.per_player(oracle.game.payoff(node[0]), node[1]) for node in nodes if not oracle.legal(node)}
    return pays <= {(1, -1), (-1, 1), (0, 0)}


def _is_decided(oracle: naive.Oracle, nodes: list[naive.Node], question: dict[str, Any], game: Game) -> bool:
    """Whether the game is only won, drawn or lost, and nothing is left to chance."""
    if oracle.players != 2 or any(oracle.legal(node) and oracle.chances(node) is not None for node in nodes):
        return False
    return question["utility"] == "win" or (not game.gives("reward") and _pays_like_a_win(oracle, nodes))


def categories(case: Case, value: Any, mover: int, *, is_search: bool) -> set[str]:
    """What may be told of a position.

    A search may not know that the game is only won, drawn or lost; and it may have shown who
    wins, past all dice, in a game that has some elsewhere.
    """
    known = category(case, value, mover)
    if not is_search:
        return {known}
    has_verdict = case.question["utility"] == "win" and case.game.player_count == 2 and mover != CHANCE
    return {known, "value", *([_verdict(case, value, mover)] if has_verdict else [])}


def category(case: Case, value: Any, mover: int) -> str:
    """Of the player, by what the oracle says."""
    return "value" if not case.is_decided or mover == CHANCE else _verdict(case, value, mover)


def _verdict(case: Case, value: Any, mover: int) -> str:
    draw = Fraction(1, 2) if case.question["utility"] == "win" else 0
    own = value[mover]
    return "win" if own > draw else "loss" if own < draw else "draw"


# ---------------------------------------------------------------------------- what is told


def holds(told: Any, value: Any) -> bool:
    """Whether a number, or proven bounds, agree with the right one."""
    if isinstance(told, Interval):
        return told.lower <= value <= told.upper
    return bool(told == value)


def faults(case: Case, how: dict[str, Any], told: list[es.Underway]) -> Iterator[str]:
    """What is wrong with the answer of one method; raises what the method raises."""
    position = case.position
    solution = es.solve(case.game, position, **case.question, **how, bounds=told.append)
    right = case.oracle.value(position)
    values = solution.values()
    if not all(map(holds, values, right)):
        yield f"value {values}, not {right}"
    if how.get("interval") is None and any(isinstance(value, Interval) for value in values):
        yield f"only ends {values}"
    if case.rests_on_ties and solution.notion is None:
        yield "called the value, and ties decide it"
    is_search = how["method"] in SEARCHES
    allowed = categories(case, right, position.mover, is_search=is_search)
    if solution.category() not in allowed:
        yield f"category {solution.category()}, not {allowed}"
    yield from _distance_faults(case, solution.distance(), case.oracle.root(position), is_search=is_search)
    yield from _faults_of_moves(case, solution, is_search=is_search)


def _distance_faults(case: Case, told: int | None, node: naive.Node, *, is_search: bool, add: int = 0) -> Iterator[str]:
    if not case.is_measured:
        return
    if case.distances is None:
        # One player's fewest moves to the best end are told where play can come back.
        is_alone = case.game.player_count == 1 and not case.question["fixed"]
        fewest = case.oracle.fewest_from(node) if is_alone and told is not None else None
        if told is not None and (fewest is None or told != fewest + add):
            yield f"distance {told} in a game without, or of {fewest}"
        return
    case.distances.value_of(node)
    right = case.distances.reached[node]
    right = None if right is None else right + add
    if told != right and not (is_search and told is None):
        yield f"distance {told}, not {right}"


def _faults_of_moves(case: Case, solution: es.Solution, *, is_search: bool) -> Iterator[str]:
    position = case.position
    root = case.oracle.root(position)
    if not case.oracle.legal(root):
        return
    options = {option.move: option for option in solution.options()}
    right = dict(case.oracle.move_values(position))
    if set(options) != set(right):
        yield f"moves {sorted(options)}, not {sorted(right)}"
        return
    interest = case.interest(position.mover)
    best = max(value[interest] for value in right.values()) if position.mover != CHANCE else None
    for move, option in options.items():
        if not all(map(holds, option.value, right[move])):
            yield f"move {move}: value {option.value}, not {right[move]}"
        allowed = categories(case, right[move], position.mover, is_search=is_search)
        if option.category not in allowed:
            yield f"move {move}: category {option.category}, not {allowed}"
        if position.mover not in case.question["fixed"]:
            child = case.oracle.after(root, move)
            for fault in _distance_faults(case, option.distance, child, is_search=is_search, add=1):
                yield f"move {move}: {fault}"
        if best is None:
            continue
        regret = best - right[move][interest]
        if option.regret is not None and not holds(option.regret, regret):
            yield f"move {move}: regret {option.regret}, not {regret}"
        if option.best is not None and option.best != (regret == 0):
            yield f"move {move}: best {option.best}"


def faults_of_bounds(case: Case, told: list[Any]) -> Iterator[str]:
    """Bounds that the value, or that of a move, does not lie in."""
    position = case.position
    right = dict(zip(case.game.player_names, case.oracle.value(position), strict=True))
    moves = {}
    if case.oracle.legal(case.oracle.root(position)):
        show = case.game.show_move
        moves = {
            show(position.state, move): dict(zip(case.game.player_names, value, strict=True))
            for move, value in case.oracle.move_values(position)
        }
    for stop in told:
        if stop.lower is not None and stop.upper is not None:
            yield from _outside("value", stop.lower, stop.upper, right)
        for move, (lower, upper) in (stop.moves or {}).items():
            yield from _outside(f"move {move}", lower, upper, moves[move])


def _outside(what: str, lower: Any, upper: Any, right: dict[str, Any]) -> Iterator[str]:
    for name, value in right.items():
        low, high = lower[name], upper[name]
        if (low is not None and low > value) or (high is not None and value > high):
            yield f"{what} of {name}: bounds {low} to {high}, but it is {value}"


def faults_of_texts(case: Case) -> Iterator[str]:
    """States and moves whose text reads back as something else."""
    game = case.game
    for state in {node[0]: None for node in reachable(case.oracle, case.oracle.root(case.position))}:
        text = game.show(state)
        if _told(game.position_from(text).state) != _told(state):
            yield f"{state} is shown as {text!r}, which is read as {game.parse(text)}"
        for move in game.moves(state):
            text = game.show_move(state, move)
            if text.split() != [text] or _told(game.parse_move(state, text)) != _told(move):
                yield f"the move {move!r} is shown as {text!r}"


def _told(value: Any) -> Any:
    """A value with the types of all that is in it."""
    items = sorted(value) if isinstance(value, frozenset) else value
    return type(value), list(map(_told, items)) if isinstance(items, tuple | list) else value


# ---------------------------------------------------------------------------- all methods on one game


def reasons() -> list[re.Pattern[str]]:
    """What the documentation lists as reasons to refuse, as patterns."""
    page = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    table = page.partition("## What named methods refuse")[2]
    rows = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    return [re.compile("^" + re.escape(row).replace("GAME", r"\S+")) for row in rows]


def hows(seed: int, *, is_compiled: bool) -> Iterator[dict[str, Any]]:
    """All that is asked about a game."""
    for number, method in enumerate(METHODS):
        yield {"method": method, "engine": "plain", "symmetry": (seed + number) % 3 > 0}
    yield {"method": "auto", "engine": "plain", "exact": True}
    yield {"method": "auto", "engine": "plain", "interval": True}
    yield {"method": "auto"}
    if is_compiled:
        for method in COMPILED:
            yield {"method": method, "engine": "compiled"}


def run_one(seed: int, folder: Path, tally: Tally, known: list[re.Pattern[str]], compiled: int = EVERY) -> None:
    """Ask everything about the game of that seed; compiled, too, where the seed is a multiple of `compiled`."""
    is_compiled = seed % compiled == 0
    made = game_texts.random_game(seed)
    game = load(made.text, folder, seed)
    question = random_question(seed, made)
    tally.games += 1
    try:
        case = case_of(game, made, question, random_position(game, seed))
        has_value = not _lacks_value(case)
        if not has_value:
            tally.without_value += 1
            return
        for how in hows(seed, is_compiled=is_compiled):
            _ask(case, how, seed, tally, known)
        _stop(case, seed, tally, is_compiled=is_compiled)
        _note(case, "texts", seed, list(faults_of_texts(case)), tally)
    finally:
        forget(folder, seed)


def _lacks_value(case: Case) -> bool:
    """Whether play may go on for ever between players whose interests are not opposed: no value is defined then."""
    if not isinstance(case.oracle, naive.Sweeps):
        return False
    nodes = reachable(case.oracle, case.oracle.root(case.position))
    sums = {sum(case.oracle.worth(case.oracle.final(node))) for node in nodes if not case.oracle.legal(node)}
    return case.game.player_count > 1 and len(sums | {sum(case.oracle.worth((0,) * case.game.player_count))}) > 1


def method_name(how: dict[str, Any]) -> str:
    """What is asked, as text; whether symmetry counts is not told."""
    return " ".join(f"{key}={value}" for key, value in how.items() if key != "symmetry")


def _ask(case: Case, how: dict[str, Any], seed: int, tally: Tally, known: list[re.Pattern[str]]) -> None:
    name = method_name(how)
    told: list[es.Underway] = []
    try:
        found = list(faults(case, how, told))
    except EndsightError as refusal:
        message = str(refusal)
        if how["method"] != "auto" and not any(reason.search(message) for reason in known):
            found = [f"refused for a reason that is not listed: {message}"]
        else:
            found = []
        tally.refusals[name, refusal.message] += 1
    except Exception as error:
        found = [f"{type(error).__name__}: {error}"]
    else:
        tally.answers[name] += 1
    found += faults_of_bounds(case, told)
    _note(case, name, seed, found, tally)


def _stop(case: Case, seed: int, tally: Tally, *, is_compiled: bool) -> None:
    """Stop a method after a few states: what is told then must be true."""
    draw = random.Random(f"stop {seed}")
    engine = "compiled" if is_compiled else "plain"
    how = {"method": draw.choice(METHODS), "engine": engine, "limits": es.Limits(states=draw.randint(1, 6))}
    try:
        es.solve(case.game, case.position, **case.question, **how).options()
    except LimitReached as stop:
        _note(case, f"stopped {how}", seed, list(faults_of_bounds(case, [stop])), tally)
    except EndsightError:
        pass


def _note(case: Case, name: str, seed: int, found: list[str], tally: Tally) -> None:
    for fault in found:
        tally.differences.append(f"seed {seed}, {case.question}, {name}: {fault}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compiled", type=int, default=EVERY, help="every so many games with compiled rules")
    parser.add_argument("--show", action="store_true", help="print the text of each game that differs")
    options = parser.parse_args()
    tally = run(options.count, options.seed, options.compiled)
    for line in tally.differences[:200]:
        print(line)
        if options.show:
            print(game_texts.random_game(int(line.split()[1].rstrip(","))).text)
    report(tally)
    return 1 if tally.differences else 0


def run(count: int, seed: int, compiled: int = EVERY) -> Tally:
    """Ask about `count` games; the first has the number `seed` times a million."""
    tally, known = Tally(), reasons()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed * 1_000_000, seed * 1_000_000 + count):
            run_one(number, Path(folder), tally, known, compiled)
    return tally


def report(tally: Tally) -> None:
    """Counts: games, answers, refusals, differences."""
    print(f"{tally.games} games, {tally.without_value} of them without a value, {len(tally.differences)} differences")
    for name, count in sorted(tally.answers.items()):
        print(f"  {name}: {count} answers")
    for (name, message), count in sorted(tally.refusals.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"  {name}: {count} times refused: {message}")


if __name__ == "__main__":
    sys.exit(main())
