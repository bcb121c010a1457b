"""The questions of the command line as functions, with the same names and terms, for Python and notebooks.

Each takes a game or its name and, where it asks about a position, a position or the moves that lead there. `options`
are those of `endsight.solve`. Each raises whatever `endsight.solve` raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

import endsight as es
from endsight.answers import explanation
from endsight.answers.explanation import Fairness
from endsight.answers.records import Records, Tabular, records_of
from endsight.charts import Chart, chart
from endsight.cost import estimate as estimating
from endsight.cost import growth as growing
from endsight.cost.estimate import Estimate
from endsight.faces.board_chart import board_chart
from endsight.game.arguments import as_kind, as_path
from endsight.game.limits import Limits, in_time
from endsight.game.numbers import Amount, Number, exact_text, is_enclosed, short_decimal, simplest
from endsight.game.question import Goal, PolicyRule, Utility, question_about
from endsight.naming.arguments import as_asked, as_game, as_whole_game
from endsight.naming.specification import settings
from endsight.proof.claim_text import describe
from endsight.storage.export import FORMS, write_export

Asked: TypeAlias = "es.Game | str"
Place: TypeAlias = "es.Position | str | None"
Vary: TypeAlias = "str | Mapping[str, Iterable[Any]]"


@dataclass(frozen=True)
class Analysis(Tabular):
    """A position and the value of every move there; as a table, one row per move."""

    solution: es.Solution
    position: es.Position

    @property
    def value(self) -> dict[str, Any]:
        """The value of the whole game from here, by player."""
        return self.solution.value(self.position)

    @property
    def moves(self) -> list[es.Option]:
        """The moves, best first; outcomes of chance keep the order of the rules."""
        return self.solution.options(self.position)

    @property
    def best_moves(self) -> list[str]:
        """The texts of all moves with regret 0."""
        return self.solution.best_moves(self.position)

    @property
    def facts(self) -> Mapping[str, Any]:
        """Named facts about the position, such as the chance of a bust."""
        return self.solution.facts(self.position)

    def records(self) -> Records:
        """Return one row per move: value, regret, rank, distance."""
        return self.solution.move_table(self.position)

    def __repr__(self) -> str:
        return f"<Analysis of {self.position!r}>"


def analyze(game: Asked, position: Place = None, **options: Any) -> Analysis:
    """Return the position and the value of every move for every player."""
    game, asked = as_asked(game, position, "analyze")
    return Analysis(es.solve(game, asked, **options), asked)


def fair(game: Asked, position: Place = None, **options: Any) -> Fairness:
    """Return how even the game is: seat advantage, chances, length, and how many decisions matter.

    Also raises `QuestionError` where `Fairness` has no answer: play goes round for ever and pays.
    """
    game, asked = as_asked(game, position, "fair")
    return explanation.fairness(es.solve(game, asked, **options), asked)


def table(game: Asked, position: Place = None, *, rows: int = explanation.MOST_ROWS, **options: Any) -> Records:
    """Return the policy as rows: in the game's own shape where it has one, else every reachable position.

    Also raises `QuestionError` where there is no shape and there are more than `rows` positions.
    """
    game, asked = as_asked(game, position, "table")
    solution = es.solve(game, asked, **options)
    names, listed = explanation.telling_columns(explanation.table_rows(solution, asked, rows))
    return records_of(f"table of {game.title()}", names, listed)


def sweep(game: Asked, vary: Vary, **options: Any) -> Records:
    """Return the value at the start against a parameter, one row per setting: `sweep("repeatbust", "sides=2..8")`.

    `vary` is as on the command line, or `{"sides": range(2, 9)}`. `message` says why a setting has no value. Also
    raises `ParameterError` for a parameter that does not exist.
    """
    game = as_whole_game(game, "sweep")
    key, values = _settings(game, vary, "sweep")
    samples = list(explanation.sweep(game, key, values, partial(es.solve, **options)))
    names = game.player_names
    columns = [key, *(f"value_{name}" if len(names) > 1 else "value" for name in names), "message"]
    found = ((None,) * len(names) if each.solution is None else each.solution.values() for each in samples)
    rows = [[each.setting, *own, each.message] for each, own in zip(samples, found, strict=True)]
    return records_of(f"{game.title()} against {key}", columns, (dict(zip(columns, row, strict=True)) for row in rows))


def _settings(game: es.Game, vary: Vary, asker: str) -> tuple[str, list[Any]]:
    if isinstance(vary, str):
        return settings(game, vary)
    as_kind(vary, Mapping, asker, f"{asker}(game, 'KEY=2..8'), or {{'KEY': range(2, 9)}}")
    if len(vary) != 1:
        raise es.UsageError(f"{asker} varies one parameter", found=", ".join(map(str, vary)) or "none")
    [(key, values)] = vary.items()
    return key, list(values)


@in_time
def estimate(
    game: Asked,
    position: Place = None,
    *,
    objective: Goal = "competitive",
    utility: Utility = "payoff",
    fixed: Mapping[str | int, PolicyRule] | None = None,
    symmetry: bool = True,
    limits: Limits | None = None,
) -> Estimate:
    """Estimate states, memory and time before solving, by counting or sampling; `limits` bound the estimate itself."""
    game, asked = as_asked(game, position, "estimate")
    question = question_about(game, objective, utility, fixed)
    return estimating.estimate(game, asked, question, symmetry=symmetry, limits=limits)


@in_time
def growth(
    game: Asked,
    vary: Vary,
    methods: Iterable[str] = growing.METHODS,
    *,
    objective: Goal = "competitive",
    utility: Utility = "payoff",
    limits: Limits | None = None,
) -> Records:
    """Return positions, edges, nodes and seconds against a parameter, by method; `limits` apply to each row alone."""
    game = as_whole_game(game, "growth")
    key, values = _settings(game, vary, "growth")
    chosen: Any = [methods] if isinstance(methods, str) else list(methods)
    question = question_about(game, objective, utility)
    rows = [asdict(row) for row in growing.growth(game, key, values, chosen, question, limits=limits)]
    columns = [key, "method", "status", "positions", "edges", "nodes", "seconds", "message"]
    return records_of(f"growth of {game.title()}", columns, (row | {key: row["setting"]} for row in rows))


def plot(game: Asked, kind: str, position: Place = None, *, player: str | None = None, **options: Any) -> Chart:
    """Return a chart of that kind: `values`, `policy`, `distribution`, `history`, `graph`, or `board` (SVG only).

    A `history` shows the moves that lead to the position. Also raises `QuestionError` where there is nothing to draw.
    """
    game, asked = as_asked(game, position, "plot")
    begun = as_asked(game, None, "plot")[1] if kind == "history" else asked
    solution = es.solve(game, begun, **options)
    return board_chart(solution, asked) if kind == "board" else chart(solution, kind, asked, player=player)


def export(
    path: str | Path,
    to: Literal["csv", "jsonl", "parquet", "dot"],
    target: str | Path,
    *,
    game: Asked | None = None,
    fields: bool = False,
) -> None:
    """Write the stored solution at `path` into the file `target`, one row per position; `dot` draws a small graph.

    `game` is needed if its rules are not built in. `fields` writes the fields of the state instead of the position as
    text. Raises `UsageError` for another form, and `FileError`.
    """
    if to not in FORMS:
        raise es.UsageError(f"export writes no {to!r}", allowed=", ".join(FORMS))
    rules = None if game is None else as_game(game, "export")
    with es.open_tablebase(as_path(path, "export"), rules) as stored:
        write_export(stored, to, as_path(target, "export"), fields=fields)


# ---------------------------------------------------------------------- citing

_LONGEST = 60
"""Fractions of more characters are given as decimals."""


def cite(solution: es.Solution, certificate: es.Certificate | None = None) -> str:
    """Return a line for papers and reports that lets others reproduce the value of a solution.

    `certificate` is one that `endsight.prove` made from it: the line then has the claim in its words, and the SHA-256
    of its text. Raises `UsageError` for objects of another kind, and for a certificate of another game or position.
    """
    as_kind(solution, es.Solution, "cite", "solution = endsight.solve(GAME)")
    if certificate is None:
        claimed, proof = _claim(solution), ""
    else:
        as_kind(certificate, es.Certificate, "cite", "certificate = endsight.prove(solution)")
        _require_same(solution, certificate)
        claimed = describe(certificate)
        proof = f"; certificate with SHA-256 {sha256(certificate.to_text().encode()).hexdigest()}"
    return f"endsight {es.__version__}; {claimed}; found by {solution.method}{proof}."


def _claim(solution: es.Solution) -> str:
    place = f"after {solution.position.text!r}" if solution.position.history else "at the start"
    worth = ", ".join(f"{name} {_amount(value)}" for name, value in solution.value().items())
    return f"{solution.game!r} {place}: {worth}"


def _amount(value: Amount) -> str:
    if is_enclosed(value):
        return f"between {_number(value.lower)} and {_number(value.upper)}"
    return _number(value)


def _number(value: Number) -> str:
    return exact_text(simplest(value), _LONGEST) or short_decimal(value)


def _require_same(solution: es.Solution, certificate: es.Certificate) -> None:
    own, other = (
        (type(solution.game).__name__, solution.position.text),
        (certificate.game["class"], certificate.claim.position),
    )
    if own != other:
        raise es.UsageError(
            "the certificate is not about this solution",
            found=repr(certificate),
            allowed=f"a certificate of {solution!r}",
            advice="endsight.prove(solution)",
        )
