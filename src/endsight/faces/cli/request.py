"""From options to a question, and from its answer, or a batch of answers, to the requested form.

The question is the game, the position and the solver's arguments.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import takewhile
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import endsight as es
from endsight.base.deferred import deferred
from endsight.errors import EndsightError, FileError, Interrupted, LimitReached, Stopped, UsageError
from endsight.faces.blaming import blaming_rules
from endsight.faces.cli.failures import refused
from endsight.faces.cli.output import Document, Output, Rows, one_row
from endsight.faces.cli.progress import ProgressLine, progress_line
from endsight.faces.cli.streams import say_if_waiting
from endsight.faces.cli.surroundings import in_first_folder
from endsight.faces.documents import error_document, position_document, stopped_document
from endsight.faces.wording import ends_text
from endsight.game import Game
from endsight.game.limits import Budget, Limits, Progress
from endsight.game.numbers import are_exact, count_text
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.naming.input_files import STANDARD_INPUT, as_moves, is_named, read_text
from endsight.naming.specification import Loaded, load_game, load_policies, position_at

with deferred(__name__):
    from endsight.cost.census import Expecting
    from endsight.storage.tablebase import open_for

T = TypeVar("T")
Failure = EndsightError | Interrupted
Unfinished = Callable[[Position, Stopped], Document]

SOLVES_ALL = ("auto", "graph", "layers")
"""Methods that solve every reachable position."""
MOST_MOVES = 40
"""Longer lists of moves for people are cut, with a note."""
MOST_PLIES_BEFORE = 2
"""The most plies that the first line of a batch may add to the moves that all lines share, to be solved together."""


class Asked(NamedTuple):
    """One position of a request, with its answer."""

    request: Request
    solution: es.Solution
    position: Position

    @property
    def output(self) -> Output:
        """Where and how to write the answer."""
        return self.request.output


@dataclass(frozen=True)
class Request:
    """A question as given by the options; the seconds of its limits begin with the command."""

    game: str
    at: str | None = None
    position: str | None = None
    objective: str = "competitive"
    utility: str = "payoff"
    fix: tuple[str, ...] = ()
    method: str = "auto"
    engine: str = "auto"
    symmetry: str = "on"
    limits: Limits = field(default_factory=lambda: Limits(since=monotonic()))
    distance: bool = False
    keep: Path | None = None
    stored: Path | None = None
    output: Output = field(default_factory=Output)

    def __post_init__(self) -> None:
        if self.at is not None and self.position is not None:
            raise UsageError("--at and --position cannot be combined", allowed="one of them")

    # ---------------------------------------------------------------- the game and its positions

    @cached_property
    def loaded(self) -> Loaded:
        """The named game, read once."""
        if self.at in STANDARD_INPUT and "@-" in self.game:
            raise UsageError("the standard input cannot be both the game and the moves", allowed="one - only")
        if "@-" in self.game:
            say_if_waiting("the game")
        return load_game(self.game)

    def starting_position(self) -> Position:
        """Return the position that `--at` or `--position` names; line ends in a file count as blanks."""
        if self.position is not None:
            with blaming_rules(self.loaded.game):
                return self.loaded.game.position_from(self.position)
        return self.loaded.position if self.at is None else self.position_after(self.at_text)

    def repeated(self) -> list[str]:
        """Return the options that repeat the same question for the same position."""
        at = " ".join(self.at_text.split()) if self.at in STANDARD_INPUT else self.at
        named = {"--at": at if at is None or at == self.at else as_moves(at), "--position": self.position}
        named |= {"--objective": self.objective} if self.objective != "competitive" else {}
        named |= {"--utility": self.utility} if self.utility != "payoff" else {}
        words = [word for option, value in named.items() if value is not None for word in (option, value)]
        return words + [word for policy in self.fix for word in ("--fix", policy)]

    def position_after(self, moves: str) -> Position:
        """Return the position after further moves."""
        return position_at(self.loaded, moves)

    def lines(self) -> list[str]:
        """Return the positions of a batch, one per line; an empty line is the start.

        Raises `UsageError` where `--at` names no file.
        """
        if self.at is None or not is_named(self.at):
            raise UsageError("--jsonl reads one position a line", allowed="--at - or --at @FILE")
        lines = self.at_text.split("\n")
        return [line.strip() for line in (lines if lines[-1].strip() else lines[:-1])]

    @cached_property
    def at_text(self) -> str:
        """The moves of `--at`, from wherever it reads them; "" without that option."""
        return "" if self.at is None else self.text_of(self.at, "--at", self.loaded.position)

    def text_of(self, given: str, option: str, start: Position, what: str = "the moves") -> str:
        """Return the text of an option: the content of the file or standard input that it names, else the option.

        Raises `UsageError` where a move at `start`, where that text begins, has the same name as the input.
        """
        if not is_named(given):
            return given
        with blaming_rules(start.game):
            move = start.game.parse_move(start.state, given.split()[0])
        if move is not None:
            raise UsageError(
                f"{option} {given} may be a move of {start.game.title()}, or name what to read",
                allowed=f"{shlex.quote(as_moves(given))} for the move, with a blank before it; "
                + ("@- for the standard input" if given in STANDARD_INPUT else f"@./{given[1:]} for the file"),
            )
        if given in STANDARD_INPUT:
            say_if_waiting(what)
        return read_text(given.removeprefix("@"))

    # ---------------------------------------------------------------- solving

    @property
    def elapsed(self) -> float:
        """Seconds since the command began."""
        return Budget(self.limits).seconds

    def look(self) -> None:
        """Raise `LimitReached` if the time is up; for use between answers that may be too short to check themselves."""
        Budget(self.limits).look(0, "working")

    def question(self) -> Question:
        """Return the question as the solver will see it."""
        return Question(self.objective, self.utility, load_policies(self.loaded.game, self.fix))  # type: ignore[arg-type]

    def options(self, game: Game, progress: Progress | None = None) -> dict[str, Any]:
        """Return the solver's arguments besides the game and the position."""
        options = {name: getattr(self, name) for name in ("objective", "utility", "method", "engine", "limits")}
        options |= {name: getattr(self.output, name) for name in ("exact", "interval", "digits")}
        options |= {"symmetry": self.symmetry == "on", "progress": progress}
        return options | {"fixed": load_policies(game, self.fix) if self.fix else {}}

    @cached_property
    def tablebase(self) -> es.Tablebase:
        """The stored solution that `--from` names, which must match the game and the question."""
        for option in ("method", "engine", "symmetry"):
            if getattr(self, option) != getattr(type(self), option):
                raise UsageError(f"--{option} says how to solve, but --from does not solve", allowed="one of them")
        assert self.stored is not None
        return open_for(in_first_folder(self.stored), self.loaded.game, self.question())

    def from_file(self, position: Position, progress: Progress | None) -> es.Solution:
        """Return the stored answer for one position."""
        solution = self.tablebase.solution(position, limits=self.limits, progress=progress)
        if self.output.exact and not are_exact(solution.values()):
            raise FileError(
                f"{self.stored} holds only proven bounds here, not the exact value",
                advice=f"endsight solve {self.game} --exact -o with another folder, or the same without --exact",
            )
        return solution

    def solve(self, game: Game, position: Position | None = None, *, progress: Progress | None = None) -> es.Solution:
        """Return the solver's answer for one position (default: the start), or the stored one."""
        if self.stored is not None:
            return self.from_file(position or game.position(), progress)
        keep = None if self.keep is None else in_first_folder(self.keep)
        return es.solve(game, position, distance=self.distance, keep=keep, **self.options(game, progress))

    def expecting(self, line: ProgressLine, position: Position) -> Progress:
        """Return progress for that line, with the estimated range of states once exploring has taken a while."""
        return Expecting(line, position, self.question(), self.symmetry == "on")

    def unfinished(self, position: Position, stop: Stopped, *, moves: bool) -> dict[str, Any]:
        """Return the document of a position at which a limit or Ctrl-C stopped the work."""
        question, seconds = self.question(), self.elapsed
        return stopped_document(position, question, stop, method=self.method, seconds=seconds, moves=moves)

    @contextmanager
    def working(self, game: Game) -> Iterator[ProgressLine | None]:
        """Show the progress of the work inside, and blame the rules for their errors."""
        with blaming_rules(game), progress_line(self.output.quiet) as progress:
            yield progress

    def answer(self, make: Callable[[Asked], T], position: Position | None = None) -> T:
        """Solve a position (default: the one in the question) and make an answer from it.

        Meanwhile a line on standard error shows the progress.
        """
        position = position or self.starting_position()
        with self.working(position.game) as line:
            solution = self.solve(position.game, position, progress=line and self.expecting(line, position))
            with solution.telling(position):
                answer = make(Asked(self, solution, solution.asked(position)))
        if self.keep is not None:
            _say_if_not_kept(solution, self.output)
        return answer

    def _from_common_moves(self, lines: list[str], first: Position, progress: Progress | None) -> es.Solution | None:
        """Return the solution from the moves shared by all lines, if these end just before the first line does."""
        moves = [line.split() for line in lines]
        common = [row[0] for row in takewhile(lambda row: len(set(row)) == 1, zip(*moves, strict=False))]
        if not 0 < len(moves[0]) - len(common) <= MOST_PLIES_BEFORE or self.method not in SOLVES_ALL:
            return None
        lent = Budget(self.limits).within(states=self.limits.states, memory=self.limits.memory)
        return lent.attempt(lambda: self.solve(first.game, self.position_after(" ".join(common)), progress=progress))

    def answers(
        self, make: Callable[[Asked], T], refusal: Callable[[int, Position | None, Failure], T]
    ) -> Iterator[tuple[T, Failure | None]]:
        """Answer every line of a batch, solving as seldom as possible; yield what `make` or `refusal` returns.

        `refusal` gets the number of the line, from 1, its position if it has one, and the reason, which is yielded as
        well. The time limit is for the whole batch: once it is reached, all remaining lines are refused.
        """
        known: es.Solution | None = None
        late: LimitReached | None = None
        lines = self.lines()
        for number, line in enumerate(lines, start=1):
            position = None
            try:
                if late is not None:
                    raise late
                position = self.position_after(line)
                with self.working(position.game) as progress:
                    if known is None:
                        known = self._from_common_moves(lines, position, progress)
                    if known is None or not known.answers(position):
                        known = self.solve(position.game, position, progress=progress)
                    known.budget.progress = progress
                    with known.telling(position):
                        document = make(Asked(self, known, known.asked(position)))
                if number == 1 and self.keep is not None:
                    _say_if_not_kept(known, self.output)
                yield document, None
            except (EndsightError, Interrupted) as error:
                if isinstance(error, LimitReached) and error.limit == "seconds":
                    late = error
                yield refusal(number, position, error), error


def _say_if_not_kept(solution: es.Solution, output: Output) -> None:
    """Print a note if the options name a file for proofs of a search, but another method answered."""
    if solution.source.kept_in is None:
        rest = "and proofs are saved only where --method search runs compiled rules"
        output.note(f"--keep saved nothing: {solution.method} answered, {rest}")


# ---------------------------------------------------------------------- answers in the requested form


def respond(
    request: Request,
    *,
    document: Callable[[Asked], Document],
    show: Callable[[Asked], None],
    rows: Rows = one_row,
    columns: Sequence[str] = (),
    stopped: Unfinished | None = None,
    is_drawn: bool = True,
) -> int:
    """Answer `request` and return the exit code.

    `document` makes the JSON, `show` draws for people, and `rows` and `columns` are those of `Output.write`. `stopped`
    makes the document of a position whose work was stopped; by default that is the JSON of `value`, and nothing for
    `--plain`. `is_drawn` says whether `show` uses the screen, which takes long to load.
    """
    output, unfinished = request.output, stopped or partial(request.unfinished, moves=False)
    if output.form == "jsonl":
        return _respond_to_batch(request, document, unfinished)
    position = request.starting_position()
    try:
        if output.form == "people":
            with output.screen.all_or_nothing() if is_drawn else nullcontext():
                request.answer(show, position)
        else:
            output.write(request.answer(document, position), rows, columns)
    except (LimitReached, Interrupted) as stop:
        if output.form == "people":
            _show_unfinished(output, stop)
        elif stopped is not None or output.form == "json":
            output.write(unfinished(position, stop), rows, columns)
        return refused(stop)
    return 0


def _show_unfinished(output: Output, stop: Stopped) -> None:
    """Show people what was proven by then: bounds on the value and on moves, and the best line so far."""
    if isinstance(stop, LimitReached) and stop.limit is None:
        return
    if stop.lower is not None and stop.upper is not None:
        output.say(f"Proven so far: {ends_text(output.number, stop.lower, stop.upper)}.")
    for number, (move, ends) in enumerate(stop.moves.items()):
        if number == MOST_MOVES:
            output.say(f"  … {count_text(len(stop.moves) - number, 'more move')}; --json has all")
            break
        output.say(f"  {move}: {ends_text(output.number, *ends)}")
    if stop.line:
        output.say(f"Best line so far (not proven): {' '.join(stop.line)}")


def position_answer(asked: Asked, *, moves: bool) -> Document:
    """Return the position's document; `--interval` adds proven bounds, which are equal where the value is exact."""
    return position_document(asked.solution, asked.position, moves=moves, interval=asked.output.interval)


def _respond_to_batch(request: Request, document: Callable[[Asked], Document], stopped: Unfinished) -> int:
    """Print one document per line, in the order of the lines; return the exit code of the first refusal."""

    def refusal(line: int, position: Position | None, error: Failure) -> Document:
        """Return a document in place of an answer, so that input and output lines match."""
        if position is not None and isinstance(error, Stopped):
            return stopped(position, error)
        if isinstance(error, Interrupted):
            raise error
        return error_document(error) | {"line": line}

    code = 0
    for number, (answer, error) in enumerate(request.answers(document, refusal), start=1):
        request.output.document(answer)
        if error is not None:
            refused_with = refused(error, place=f"line {number}")
            if isinstance(error, Interrupted):
                return refused_with
            code = code or refused_with
    return code
