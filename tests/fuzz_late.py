"""Random games under random questions: one position has one answer, whoever is asked.

    python tests/fuzz_late.py --count 2000 --seed 1

Some positions of each game of `game_texts.py` are asked about alone (`analyze --at`), and of a solution of the whole
game: by `Solution`, by the JSON API, from a stored folder, in a line, in its rows. Value, category, distance, notion,
and rank, category and distance of each move must be the same, and category and distance those of `naive.py`.
Prints each difference with the seed of its game, and counts at the end.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import endsight as es
import fuzz_games
import game_texts
from command_line import Ending, exact, run
from endsight import Game, Position
from endsight.errors import EndsightError

POSITIONS = 3
EVERY = 40
"""One game in so many is compiled and solved by layers."""


@dataclass
class Tally:
    """What was tried, and what came of it."""

    positions: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    apart: int = 0
    differences: list[str] = field(default_factory=list)


class Whole:
    """A game, what is asked, and solutions of all of it."""

    def __init__(
        self, game: Game, spec: str, question: Mapping[str, Any], folder: Path, how: Mapping[str, str]
    ) -> None:
        self.game, self.spec, self.question, self.folder, self.how = game, spec, question, folder, how
        names = game.player_names
        self.fixed = tuple(f"{names[player]}={rule}" for player, rule in question["fixed"].items())
        self.options = ["--objective", question["objective"], "--utility", question["utility"]]
        self.options += [part for fixed in self.fixed for part in ("--fix", fixed)]

    @cached_property
    def solution(self) -> es.Solution:
        """The whole game solved in Python."""
        return es.solve(self.game, **self.question, **self.how)

    @cached_property
    def stored(self) -> Ending:
        """How storing the whole game ended."""
        how = [part for name, value in self.how.items() for part in (f"--{name}", value)]
        return run("solve", self.spec, "-o", str(self.folder), *self.options, *how)

    def answers(self, position: Position) -> Iterator[tuple[str, Any]]:
        """By the way it was asked: the facts of the position, or the refusal."""
        at = f"--at={position.text}"
        yield "alone", facts_of(run("analyze", self.spec, *self.options, at, "--json"))
        yield "value alone", facts_of(run("value", self.spec, *self.options, at, "--json"))
        yield "python", self._python(position)
        batch = run("analyze", self.spec, *self.options, "--at", "-", "--jsonl", stdin=f"\n{position.text}\n")
        yield "batch", batch.err or facts_of_document(json.loads(batch.out.splitlines()[1]))
        if not self.stored.code and self._is_stored(position):
            told = run("analyze", self.spec, *self.options, at, "--json", "--from", str(self.folder))
            yield "stored", facts_of(told)
            told = run("value", self.spec, *self.options, at, "--json", "--from", str(self.folder))
            yield "value stored", facts_of(told)

    def _is_stored(self, position: Position) -> bool:
        """Whether policies ever lead there."""
        with es.open_tablebase(self.folder, self.game, fixed=self.question["fixed"]) as table:
            return position in table

    def _python(self, position: Position) -> Any:
        solution = self.solution
        rows = {o.text: [o.rank, o.best, o.category, o.distance] for o in solution.options(position)}
        return {
            "value": list(solution.values(position)),
            "category": solution.category(position),
            "distance": solution.distance(position),
            "moves": rows,
        }


def facts_of(told: Ending) -> Any:
    """What a command says of the position."""
    return told.err if told.code else facts_of_document(told.document)


def facts_of_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The facts in a document of a position."""
    facts = {key: document[key] for key in ("category", "distance", "status")}
    facts |= {"notion": document["facts"].get("notion"), "value": list(map(exact, document["value"].values()))}
    keys = ("rank", "best", "category", "distance")
    if "moves" in document:
        facts["moves"] = {row["move"]: [row[key] for key in keys] for row in document["moves"]}
    return facts


def differences(whole: Whole, position: Position, tally: Tally) -> Iterator[str]:
    """Where two ways to ask say different things of the position."""
    answers = dict(whole.answers(position))
    right = answers.pop("alone")
    if isinstance(right, str):
        tally.refused[right.splitlines()[0][:60]] += 1
        return
    for way, told in answers.items():
        tally.asked[way] += 1
        if isinstance(told, str):
            yield f"{way} refuses: {told[:100]}"
        else:
            yield from (f"{way}: {key} {each}, not {right[key]}" for key, each in told.items() if each != right[key])
    tally.apart += right["category"] != whole.solution.category()
    yield from _of_line(whole, position, right)
    yield from _of_row(whole, position, right)


def _of_line(whole: Whole, position: Position, right: Mapping[str, Any]) -> Iterator[str]:
    """Best play from the whole solution takes the first move of rank 1 there, unless that leads round for ever."""
    line = whole.solution.line(position)
    first = [move for move, (rank, *_) in right["moves"].items() if rank == 1]
    is_free = position.mover not in whole.question["fixed"]
    if is_free and line and first and line[0] not in first:
        yield f"the line takes {line[0]}, not one of {first}"
    if is_free and right["distance"] is not None and len(line) != right["distance"]:
        yield f"the line has {len(line)} plies, not {right['distance']}"


def _of_row(whole: Whole, position: Position, right: Mapping[str, Any]) -> Iterator[str]:
    """The row of the position in the stored solution."""
    if whole.stored.code:
        return
    with es.open_tablebase(whole.folder, whole.game, fixed=whole.question["fixed"]) as table:
        entry = table.get(position)
    if entry is not None and (entry.category, entry.distance) != (right["category"], right["distance"]):
        yield f"the row says {entry.category} in {entry.distance}, not {right['category']} in {right['distance']}"


def random_positions(game: Game, seed: int) -> list[Position]:
    """Positions that random moves lead to, the start among them at times."""
    draw = random.Random(f"late {seed}")
    found: dict[Any, Position] = {}
    for _ in range(POSITIONS):
        position = game.position()
        for _ in range(draw.choice((0, 1, 2, 3, 4, 6))):
            if moves := list(position.moves()):
                position = position.play(draw.choice(moves))
        found.setdefault((position.state, position.mover), position)
    return [position for position in found.values() if position.text != "-"]  # which would name the standard input


def run_one(seed: int, folder: Path, tally: Tally, every: int = EVERY) -> None:
    """Compare all answers about some positions of the game of that seed."""
    made = game_texts.random_game(seed)
    game = fuzz_games.load(made.text, folder, seed)
    how = {"method": "graph"} if seed % every else {"method": "layers", "engine": "compiled"}
    question = fuzz_games.random_question(seed, made)
    whole = Whole(game, f"{folder}/rules_{seed}.py:Rules", question, folder / f"stored_{seed}", how)
    try:
        _ = whole.solution
    except EndsightError as error:
        tally.refused[str(error).splitlines()[0][:60]] += 1
    else:
        for position in random_positions(game, seed):
            tally.positions += 1
            found = list(differences(whole, position, tally))
            tally.differences += [f"seed {seed} at {position.text!r}, {question}: {each}" for each in found]
    finally:
        fuzz_games.forget(folder, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=EVERY)
    asked = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.seed, asked.seed + asked.count):
            before = len(tally.differences)
            run_one(seed, Path(folder), tally, asked.every)
            print(*tally.differences[before:], sep="\n", end="\n" * (len(tally.differences) > before))
    print(f"{tally.positions} positions, {tally.apart} with a category of their own")
    print(dict(tally.asked), dict(tally.refused), sep="\n")
    sys.exit(bool(tally.differences))


if __name__ == "__main__":
    main()
