"""`open_tablebase`: a stored solution that answers by position, without solving the game again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from endsight.answers.solution import Solution
from endsight.base.deferred import deferred
from endsight.errors import FileError, NotStored
from endsight.game import Game
from endsight.game.arguments import as_path
from endsight.game.limits import Budget, Limits, Progress
from endsight.game.numbers import Amount, count_text
from endsight.game.position import Position, as_text
from endsight.game.question import PolicyRule, Question
from endsight.identity.watch import Watch
from endsight.naming.arguments import as_position
from endsight.storage.checkpoint import read_partial
from endsight.storage.identity import Identity, game_of, require_steady
from endsight.storage.manifest import Manifest, no_solution, read_manifest
from endsight.storage.source import StoredSource

with deferred(__name__):
    from endsight.answers.graph_values import require_value
    from endsight.answers.options import Category, Option
    from endsight.answers.solver import solve
    from endsight.answers.source import Row
    from endsight.graph.soundness import require_alike

ASKED = ("game", "params", "rules", "surroundings", "objective", "utility", "fixed")
"""The parts of an identity that must agree for a stored solution to answer a question."""


@dataclass(frozen=True)
class Entry:
    """The stored facts about a position.

    values    of the whole game per player, in order of their numbers; exact or enclosed
    distance  plies to the end under best play; None for draws, scores and chance
    category  win, draw or loss of the player to move, else `value`
    """

    values: tuple[Amount, ...]
    distance: int | None
    category: Category


class Tablebase(Mapping[Position, Entry]):
    """A stored solution, opened lazily: blocks are read and verified when they are first needed.

    A mapping from positions to `Entry`: `probe` (or `table[position]`) raises `NotStored`, `get` gives a default.
    `solution()` answers all questions, and `value`, `distance`, `best_moves` and `options` are shortcuts to it. Every
    method raises `FileError` where the files have changed. A context manager.
    """

    def __init__(self, source: StoredSource, position: Position, path: Path) -> None:
        self.source = source
        self.path = path
        self.position = position
        self._watch = Watch(position.game, source.view.question.fixed)

    @property
    def manifest(self) -> Manifest:
        """The description of the solution: game, question, counts, files."""
        return self.source.manifest

    @property
    def game(self) -> Game:
        """The game of the solution."""
        return self.position.game

    # ---------------------------------------------------------------- one position

    def probe(self, position: Position) -> Entry:
        """The stored facts about a position; raises `NotStored`."""
        entry: Entry | None = self.get(position)
        if entry is None:
            raise self._lacking(position)
        return entry

    def get(self, position: Position, default: Any = None) -> Any:
        """The stored facts about a position, else `default`."""
        self._require_alike(position)
        row = self.source.row(position)
        return default if row is None else self.entry(position, row)

    def _require_alike(self, position: Position) -> None:
        """Raise `RulesError` where a position has the row of a state that is not equivalent."""
        place = self.source.place(position) if self.source.exchanges else None
        is_merged = self.source.merges and self.game.canonical(position.state) != position.state
        is_turned = self.source.exchanges and (place is None or place.turned)
        require_alike(self.position, position, merges=is_merged, exchanges=is_turned)

    def entry(self, position: Position, row: Row) -> Entry:
        """The facts about a position with that row."""
        told = self.told_at(position)
        distance = row[1] if told.source is self.source else told.distance(position)
        return Entry(row[0], distance, told.category_of(row[0], position.mover))

    def told_at(self, position: Position) -> Solution:
        """The solution whose facts hold at a stored position: see `Solution.at`."""
        return self._whole.at(position)

    __getitem__ = probe

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and self.source.covers(position)

    def __len__(self) -> int:
        return self.manifest.rows

    def __iter__(self) -> Iterator[Position]:
        return map(self.source.keys.position, self.source.nodes())

    def _lacking(self, position: Position) -> NotStored:
        return NotStored(
            f"{self.path} does not hold that position",
            found=as_text(self.game, "show", position.state),
            allowed=f"the {count_text(self.manifest.states, 'state')} reachable from "
            + (f"{self.position.text!r}" if self.position.text else "its start"),
            advice="the same question without --from",
        )

    # ---------------------------------------------------------------- all questions

    def solution(
        self, position: Position | str | None = None, *, limits: Limits | None = None, progress: Progress | None = None
    ) -> Solution:
        """The stored answers as a `Solution` from a position on (default: the solved one).

        Raises `NotStored`, and `NoValue` for a position that has none (docs/theory/endless-play.md).
        """
        self._watch.require_same()
        position = self.position if position is None else as_position(position, self.position.game, "a tablebase")
        self._require_alike(position)
        if position not in self:
            raise self._lacking(position)
        budget = Budget(limits, progress)
        budget.engine = "none"
        require_value(self.source, position, self.source.view, budget)
        question = self.source.view.question

        def elsewhere(place: Position) -> Solution:
            if question.fixed and place not in self:
                # Only positions that the policies reach are stored; other moves are solved to be compared.
                return solve(
                    place.game,
                    place,
                    objective=question.objective,
                    utility=question.utility,
                    fixed=dict(question.fixed.items()),
                    limits=limits,
                    progress=progress,
                )
            return self.solution(place, limits=limits, progress=progress)

        asked = self.game, position, question, self.source
        found = Solution(*asked, 0.0, elsewhere, lambda: None, budget, begin=self.position)
        return replace(found, require_same=self._watch.require_same, require_alike=self._require_alike)

    def value(self, position: Position | str | None = None) -> dict[str, Any]:
        """Value of the whole game per player, by name."""
        return self.solution(position).value()

    def distance(self, position: Position | str | None = None) -> int | None:
        """Plies to the end under best play."""
        return self.solution(position).distance()

    def options(self, position: Position | str | None = None) -> list[Option]:
        """Every legal move with its worth, best first."""
        return self.solution(position).options()

    def best_moves(self, position: Position | str | None = None) -> list[str]:
        """All moves with regret 0, as text."""
        return self.solution(position).best_moves()

    @cached_property
    def _whole(self) -> Solution:
        return self.solution()

    def close(self) -> None:
        """Close the files."""
        self.source.close()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_tablebase(
    path: str | PathLike[str], game: Game | None = None, *, fixed: Mapping[int, PolicyRule] | None = None
) -> Tablebase:
    """The stored solution in the folder `path`.

    Built-in games are found by their name; rules from outside are never run unless `game` gives them. `fixed` gives the
    policies (by player number) of a solution with user functions as policies. Raises `FileError` where the folder is no
    complete solution, is damaged, or belongs to another game or other rules than `game`.
    """
    path = as_path(path, "open_tablebase")
    manifest = existing_manifest(path)
    identity = manifest.identity
    if game is None:
        game = game_of(identity, path)
    question = Question(identity.objective, identity.utility, fixed or _policies(identity, game, path))  # type: ignore[arg-type]
    return open_for(path, game, question)


def open_for(path: Path, game: Game, question: Question) -> Tablebase:
    """The same for a known game and question; `FileError` where the solution is of something else."""
    manifest = existing_manifest(path)
    asked = Identity.of(game.position(), question)
    if manifest.identity.differences(asked, only=("rules",)):
        require_steady(game)
    manifest.identity.require(asked, path, only=ASKED)
    source = StoredSource(path, manifest, game, question)
    return Tablebase(source, position_of(manifest.identity, game), path)


def existing_manifest(path: Path) -> Manifest:
    """The manifest of a complete solution; `FileError` where there is none."""
    if not path.is_dir():
        raise no_solution(path)
    manifest = read_manifest(path)
    if manifest is not None:
        return manifest
    if read_partial(path) is not None:
        raise FileError(
            f"{path} holds a solution that is not finished",
            advice=f"the same endsight solve ... -o {path} continues it; endsight status {path} shows its progress",
        )
    raise no_solution(path)


def _policies(identity: Identity, game: Game, path: Path) -> dict[int, PolicyRule]:
    fixed: dict[int, PolicyRule] = {}
    for player, policy in identity.fixed.items():
        if " " in policy:
            raise FileError(
                f"{path} was solved with a custom policy for {player}",
                found=policy,
                advice=f"--fix {player}=file.py:function (in Python: fixed=)",
            )
        fixed[game.player_names.index(player)] = policy
    return fixed


def position_of(identity: Identity, game: Game) -> Position:
    """The position that was solved."""
    moves = (identity.position["moves"] or "").split()
    set_up, to_move = identity.position["set_up"], identity.position["to_move"]
    if set_up is not None and to_move in game.player_names and not (game.gives("to_move") or game.gives("seat")):
        # The text of a state does not show whose turn it is.
        first = (game.player_names.index(to_move) - len(moves)) % game.player_count
        set_up = f"{game.player_names[first]}: {set_up}"
    position = game.position() if set_up is None else game.position_from(set_up)
    for move in moves:
        position = position.after(move)
    return position
