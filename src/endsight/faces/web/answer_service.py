"""The work of a worker: load games, keep solutions, answer questions with documents.

`AnswerService.answer` returns a document, or a `failure`: a dictionary that describes the error.
Nothing here knows about requests.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice
from typing import Any, TypeAlias

from endsight.answers.explanation import table_rows
from endsight.answers.reviewing import review
from endsight.answers.seated import best_guess, guesses
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.cost.census import Expecting
from endsight.errors import EndsightError, InputError, LimitReached, QuestionError, Underway, UsageError
from endsight.faces import documents
from endsight.faces.advice import advice_on
from endsight.faces.blaming import blaming_rules
from endsight.faces.catalog import game_document, games_document
from endsight.faces.web import further
from endsight.faces.web.asking import OPTIONS, Ask
from endsight.faces.web.failing import failure_of, fixed_in, found_so_far, question_of
from endsight.faces.web.seats import played
from endsight.faces.web.table_service import TABLE_ANSWERS
from endsight.faces.web.views import board_picture, board_view, course_view, values_view
from endsight.game import Game
from endsight.game.limits import CLOCK, Budget, Limits, Progress
from endsight.game.position import Position, as_text
from endsight.graph.reachable import Ways, reachable
from endsight.naming.specification import load_game
from endsight.proof.prover import prove
from endsight.reporting.report import report

_LOOKED_AT = 2_000
"""The most states examined for something that one player sees and another does not."""


class HiddenPositionError(QuestionError):
    """A position that no player sees in full."""


@lru_cache(maxsize=64)
def hides_something(game: Game) -> bool:
    """Return whether players see different things in one of the first states of the game."""
    if not game.gives("sees") or game.player_count == 1:
        return False
    known: Ways = {}

    def moves(place: Position) -> Iterable[Any]:
        return islice(place.moves(), _LOOKED_AT - len(known))

    places = reachable(game.position(), Budget(Limits()), moves=moves, ways=known)
    views = ([game.sees(place.state, player) for player in range(game.player_count)] for place in places)
    return any(seen.count(seen[0]) < len(seen) for seen in views)


def require_open(opening: Position, position: Position) -> None:
    """Raise `HiddenPositionError` for a position between the start of the game and its end."""
    if position != opening and not position.is_over:
        raise hidden_position(position.game)


def hidden_position(game: Game) -> HiddenPositionError:
    """Return the error that says who may see which positions of such a game."""
    title = game.title()
    return HiddenPositionError(
        f"the players of {title} see different things, so a position in the middle is shown at their seats alone",
        allowed="the start, games that are over, and seats by their own addresses",
        advice="open a table: it gives every player an address",
    )


Document = dict[str, Any]
Answer: TypeAlias = Callable[[Ask, Solution, Position], Document]
Proven: TypeAlias = Callable[[Document], None]
"""Receives an `endsight.position/1` with what is proven so far about the position being solved."""

MOST_GAMES = 64
MOST_SOLUTIONS = 32
_MOMENT = Limits(seconds=1.0, states=500_000)


class AnswerService:
    """Games and solutions of recent questions, and the answers about them.

    `limits` apply to each question separately.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.loaded = lru_cache(MOST_GAMES)(load_game)
        self.too_long: set[Any] = set()
        self.solutions: OrderedDict[Any, list[Solution]] = OrderedDict()
        self.progress: Progress | None = None
        self.proven: Proven | None = None
        self.kinds: dict[str, Callable[[Ask], Document]] = {
            "games": lambda _: games_document(warn=lambda _: None),
            "game": lambda ask: game_document(ask.spec),
            "rules page": lambda ask: game_document(ask.spec),
            "certificate": self._certificate,
            "page": self._page,
            "record": self._record_end,
            "experiments page": self._experiments,
            "proof page": self._proof_page,
            "report page": self._report_page,
        }
        self.kinds |= {kind: partial(self._at_table, make) for kind, make in TABLE_ANSWERS.items()}
        self.kinds |= {kind: partial(self._unsolved, make) for kind, make in _OF_BOARDS.items()}
        self.kinds |= {kind: partial(self._from_solution, self._solved, make) for kind, make in _OF_POSITIONS.items()}
        self.kinds |= {kind: partial(self._from_solution, self._reviewed, make) for kind, make in _OF_RECORDS.items()}

    def answer(self, ask: Ask, progress: Progress | None = None, proven: Proven | None = None) -> Document:
        """Return `{"document": ...}`, or `{"failure": ...}` with an `endsight.error/1` and more.

        From time to time `progress` and `proven` receive the state of the work.
        """
        self.progress, self.proven = progress, proven
        started = CLOCK.now()
        try:
            return {"document": self.kinds[ask.kind](ask)}
        except LimitReached as error:
            # Data kept from earlier questions may have used up memory: a fresh worker has all of it.
            return self._failed(ask, error, started) | {"retire": True}
        except EndsightError as error:
            return self._failed(ask, error, started)
        except MemoryError:
            advice = "a later position, or smaller parameters"
            stopped = LimitReached("stopped: there is no more memory", advice=advice)
            # Any part of the program may have failed to get memory, so this worker should not continue.
            return self._failed(ask, stopped, started) | {"retire": True}

    def _failed(self, ask: Ask, error: EndsightError, started: float) -> Document:
        return failure_of(ask, error, CLOCK.now() - started, self.opening, self.position)

    # ---------------------------------------------------------------- games and positions

    def position(self, ask: Ask) -> Position:
        """Return the position in the question; raise `IllegalMoveError` or `PositionError` if there is none."""
        with blaming_rules(self.loaded(ask.spec).game):
            return self.opening(ask).along(ask.at.split())[-1]

    def opening(self, ask: Ask) -> Position:
        """Return the position where the moves of the question begin."""
        loaded = self.loaded(ask.spec)
        return loaded.position if ask.position is None else loaded.game.position_from(ask.position)

    # ---------------------------------------------------------------- solving

    def known(self, ask: Ask, position: Position) -> Solution | None:
        """Return a solution already held that covers that position."""
        return self._found(ask, lambda solution: solution.position == position or solution.answers(position))

    def _found(self, ask: Ask, fits: Callable[[Solution], bool]) -> Solution | None:
        """Return the first suitable solution held, with the full time limit for this question."""
        solution = next((solution for solution in self.solutions.get(ask.solution_key, ()) if fits(solution)), None)
        if solution is not None:
            self.solutions.move_to_end(ask.solution_key)
            solution.budget.reopen()
            solution.budget.limits, solution.budget.progress = self.limits, self.progress
        return solution

    def solution(self, ask: Ask, position: Position) -> Solution:
        """Return the solver's answer for a position, and keep it."""
        known = self.known(ask, position) or self._from_the_start(ask, position)
        return known if known is not None else self._solved_afresh(ask, position)

    def _expecting(self, ask: Ask, position: Position) -> Progress | None:
        """Return progress with an estimated range of states once exploring takes a while, except with policies."""
        if self.progress is None or ask.fix:
            return self.progress
        return Expecting(self.progress, position, question_of(ask, position), ask.symmetry)

    def _solved_afresh(self, ask: Ask, position: Position, limits: Limits | None = None) -> Solution:
        known = self._found(ask, lambda solution: solution.position == position)
        if known is not None:
            return known
        options: dict[str, Any] = {name: getattr(ask, name) for name in OPTIONS}
        with blaming_rules(position.game):
            fresh = solve(
                position.game,
                position,
                fixed=fixed_in(ask, position.game),
                limits=limits or self.limits,
                progress=self._expecting(ask, position),
                bounds=None if limits else self._bounds(ask, position),
                **options,
            )
        self._keep(ask, fresh)
        return fresh

    def _bounds(self, ask: Ask, position: Position) -> Callable[[Underway], None] | None:
        """Return a function that reports what is proven so far about the position."""
        tell, began = self.proven, CLOCK.now()
        if tell is None:
            return None
        return lambda found: tell(found_so_far(ask, position, found, CLOCK.now() - began))

    def _keep(self, ask: Ask, solution: Solution) -> None:
        """Keep the newest solutions first: a few positions per question, and only the latest questions."""
        kept = self.solutions.setdefault(ask.solution_key, [])
        kept.insert(0, solution)
        del kept[8:]
        self.solutions.move_to_end(ask.solution_key)
        while len(self.solutions) > MOST_SOLUTIONS:
            self.solutions.popitem(last=False)

    # ---------------------------------------------------------------- documents

    def _solved(self, ask: Ask) -> tuple[Solution, Position]:
        position = self._open_position(ask)
        return self.solution(ask, position), position

    def _open_position(self, ask: Ask) -> Position:
        """Return the position in the question; raise `HiddenPositionError` if nobody may see it."""
        position = self.position(ask)
        with blaming_rules(position.game):
            if hides_something(position.game):
                require_open(self.loaded(ask.spec).position, position)
        return position

    def _unsolved(self, make: Callable[[Ask, Position], Document], ask: Ask) -> Document:
        """Make the answer about a position with `make`, from the rules alone."""
        position = self._open_position(ask)
        with blaming_rules(position.game):
            return make(ask, position)

    def _at_table(self, make: Callable[[AnswerService, Ask, Position], Document], ask: Ask) -> Document:
        """Make the answer about a table with `make`, from its true position."""
        position = self.position(ask)
        if ask.extra.get("players", names := list(position.game.player_names)) != names:
            raise QuestionError("the rules have other players today than the table", found=", ".join(names))
        with blaming_rules(position.game):
            return make(self, ask, position)

    def _from_solution(self, solved: Callable[[Ask], tuple[Solution, Position]], make: Answer, ask: Ask) -> Document:
        """Make the answer about a position with `make`, from the solution that `solved` finds for the question."""
        solution, position = solved(ask)
        if solution.source.by_history:
            require_open(self.loaded(ask.spec).position, position)
        with blaming_rules(position.game), solution.telling(position):
            return make(ask, solution, solution.asked(position))

    def _reviewed(self, ask: Ask) -> tuple[Solution, Position]:
        """Take the moves of the question as the record, and solve from where they begin."""
        position, opening = self._open_position(ask), self.opening(ask)
        return self._solved_afresh(ask, opening), position

    def _certificate(self, ask: Ask) -> Document:
        """Return `text`: the certificate as the command `prove` writes it."""
        position = self._open_position(ask)
        # A certificate is about the solved position, so the position itself has to be solved.
        solution = self._solved_afresh(ask, position)
        with blaming_rules(position.game), solution.telling(position):
            certificate = prove(solution, distribution=ask.extra.get("player"), spec=ask.spec)
        return {"text": certificate.to_text()}

    # ---------------------------------------------------------------- pages

    def _page(self, ask: Ask) -> Document:
        """Return the board, with its values if `show` is set; or the moves of seats that play by themselves."""
        position = self.position(ask)
        with blaming_rules(position.game):
            # The start has a table instead, too: from there people would go on to positions that nobody may see.
            if hides_something(position.game) and not position.is_over:
                raise hidden_position(position.game)
            solved = partial(self.solution, ask)
            moves = played(position, ask.extra, solved)
            if moves:
                return {"moves": [*ask.at.split(), *moves]}
            view = board_view(self.opening(ask), position, ask.extra.get("link", ""))
            if ask.extra.get("show"):
                known = solved(position)
                earlier = self._from_the_start(ask) or known
                with known.telling(position):
                    moves = [*ask.at.split(), *ask.extra.get("ahead", ())]
                    course = course_view((earlier, known), self.opening(ask), moves)
                    view["values"] = {**values_view(known, position, ask.extra["link"]), "course": course}
            return view

    def _record_end(self, ask: Ask) -> Document:
        """Return `result`: the outcome of the moves, if the game is over."""
        position = self._open_position(ask)
        if not position.is_over:
            return {"result": ""}
        solution = self.solution(ask, position)
        return {"result": advice_on(solution, position).said.headline}

    def _from_the_start(self, ask: Ask, position: Position | None = None) -> Solution | None:
        """Return a solution for all moves so far, if one is at hand or found in a moment; else None.

        With a `position`, return it only if it covers that position, too.
        """
        opening = self.opening(ask)
        if position == opening:
            return None  # this is the position to be solved, with the full time limit
        known = self.known(ask, opening)
        if known is None and ask.solution_key not in self.too_long:
            short = Budget().within(seconds=_MOMENT.seconds, states=_MOMENT.states, memory=None)
            # What has no answer at the start may have one after some moves, as where play later cannot go on for ever.
            with suppress(UsageError, InputError):
                known = short.attempt(partial(self._solved_afresh, ask, opening, short.limits))
            if known is None:
                self.too_long.add(ask.solution_key)
        return known if known is None or position is None or known.answers(position) else None

    def _proof_page(self, ask: Ask) -> Document:
        text = self._certificate(ask)["text"]
        game = self.loaded(ask.spec).game
        with blaming_rules(game):
            return further.proof_view(game, text)

    def _experiments(self, ask: Ask) -> Document:
        """Return the forms of the page and, with `run`, the result of one of them."""
        position, fields = self._open_position(ask), ask.extra.get("trial", {})
        fixed = fixed_in(ask, position.game)
        view = further.forms_view(position, fixed)
        run = further.TRIALS.get(fields.get("run", ""))
        if run is not None:
            with blaming_rules(position.game):
                options = {"objective": ask.objective, "utility": ask.utility, "fixed": fixed, "limits": self.limits}
                view["found"] = run(further.Trial(position, fields, options))
        return view

    def _report_page(self, ask: Ask) -> Document:
        """Return the report on the game from its start, whatever the position; the limits cover all of the work."""
        game = self.loaded(ask.spec).game
        with blaming_rules(game):
            return documents.report_document(report(game, limits=self.limits, progress=self.progress))


def _guess(ask: Ask, position: Position) -> Document:
    """Return `moves` plus a guess, as no proof came in time; guessing takes at most `seconds`."""
    move = best_guess(position, question_of(ask, position), ask.extra["seconds"])
    return {"moves": [*ask.at.split(), as_text(position.game, "show_move", position.state, move)]}


def _guesses(ask: Ask, position: Position) -> Document:
    """Return what random games suggest: `moves` with their results, the `best`, and the number of `games`."""
    question, mover = question_of(ask, position), position.mover
    candidates = guesses(position, question, ask.extra["seconds"])
    names = [as_text(position.game, "show_move", position.state, each.move) for each in candidates]
    results = {name: each.brought for name, each in zip(names, candidates, strict=True)}
    best = max(zip(candidates, names, strict=True), key=lambda pair: pair[0].games)[1] if len(candidates) > 1 else None
    player = position.to_move if mover < 0 else position.game.player_names[question.counted(mover)]
    games, is_share = sum(each.games for each in candidates), all(each.is_share for each in candidates)
    return {"moves": results, "best": best, "games": games, "is_share": is_share, "player": player}


_OF_BOARDS: dict[str, Callable[[Ask, Position], Document]] = {
    "picture": lambda _, position: {"svg": board_picture(position)},
    "guess": _guess,
    "guesses": _guesses,
}
"""Kind -> the answer about a position that needs no solution."""


def _position(ask: Ask, solution: Solution, position: Position) -> Document:
    return documents.position_document(solution, position, moves=ask.extra.get("moves", True), interval=ask.interval)


def _distribution(ask: Ask, solution: Solution, position: Position) -> Document:
    return documents.distribution_document(
        solution,
        solution.distribution(ask.extra.get("player"), position),
        position,
        facts_only=ask.extra.get("facts", False),
        **{name: ask.extra.get(name, False) for name in ("at_least", "at_most")},
    )


_OF_POSITIONS: dict[str, Answer] = {
    "position": _position,
    "line": lambda _, solution, position: documents.line_document(solution, position),
    "table": lambda _, solution, position: documents.table_document(solution, table_rows(solution, position), position),
    "dist": _distribution,
    "table page": lambda _, solution, position: further.table_view(solution, position),
    "fairness page": lambda _, solution, position: further.fair_view(solution, position),
    "dist page": lambda ask, solution, position: further.distribution_view(solution, position, ask.extra.get("player")),
}
"""Kind -> the answer about a position."""
_OF_RECORDS: dict[str, Answer] = {
    "review": lambda _, solution, position: documents.review_document(review(solution, position)),
    "explorer page": lambda ask, solution, position: further.explorer_view(solution, position, ask.extra.get("here")),
    "review page": lambda ask, solution, position: further.review_view(solution, position, ask.extra.get("here")),
}
"""Kind -> the answer about the moves played, from a solution of the position where they begin."""
