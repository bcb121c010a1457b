"""Errors for games whose information sets allow no plans: moves that differ, payoffs that do not add up, loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from endsight.errors import NoValue, QuestionError, RulesError
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.numbers import Number, full_text
from endsight.game.position import as_text

Trail: TypeAlias = "tuple[Trail, Any, Any] | None"
"""How a history came about: (trail before, state, move); None at the start."""

_SHOWN = 12
"""Most moves and sights that a message lists."""


def two_players(game: Game) -> QuestionError:
    """The error for any number of players other than two."""
    return QuestionError(
        f"{game.title()}: plans over information sets need two opposed players",
        found=f"players: {', '.join(game.player_names)}",
        allowed="two players whose payoffs add up to a constant",
    )


def different_moves(
    game: Game, player: int, seen: Sequence[tuple[str, Any]], places: Sequence[tuple[Trail, Any, Sequence[Any]]]
) -> RulesError:
    """Two positions, (trail, state, moves) each, that a player cannot tell apart and that have different moves."""
    name = game.player_names[player]
    rows = [f"{_history(game, trail)}: {_listed(moves)}" for trail, state, moves in places]
    return RulesError(
        f"{game.title()}: same moves: {name} has seen the same in two positions, but has different moves there",
        found="\n".join([*rows, f"{name} has seen: {_view(seen)}"]),
        allowed="the same moves wherever a player has seen the same",
        advice="let sees show what makes the moves different, or yield the same moves in both",
    )


def no_discount(game: Game) -> QuestionError:
    """The error for rules that discount."""
    return QuestionError(
        f"{game.title()}: plans over information sets do not allow a discount",
        found=f"discount = {game.discount}",
        allowed="rules without discount, where players see different things",
    )


def no_combinations(game: Game, trail: Trail, legal: Sequence[Any]) -> RulesError:
    """The error for moves at once that are not all combinations of what each player may do."""
    return RulesError(
        f"{game.title()}: moves at once: the moves are not all combinations of what each player may do",
        found=f"{_listed(legal)} {_history(game, trail)}",
        allowed="one tuple per combination, with one part for each player who moves",
        advice="yield from itertools.product(moves of the first, moves of the second)",
    )


def not_constant(game: Game, ends: Sequence[tuple[Trail, Any, tuple[Number, ...]]]) -> QuestionError:
    """Two ends, (trail, state, payoffs) each, at which the payoffs add up to different amounts."""
    rows = [f"{_paid(worth)} {_history(game, trail)}" for trail, state, worth in ends]
    return QuestionError(
        f"{game.title()}: constant sum: the two players' payoffs do not have the same sum at every end",
        found="\n".join(rows),
        allowed="payoffs with the same sum at every end, where players see different things or move at once",
        advice="the utility lead, which makes the two opposed; or exploit, which evaluates given policies",
    )


def play_goes_round(game: Game, trail: Trail, state: Any) -> NoValue:
    """The error for a state that repeats in one history."""
    return NoValue(
        f"{game.title()}: play may never end, so its plans have no finite length",
        found=f"{as_text(game, 'show', state)} comes again {_history(game, trail)}",
        allowed="games that end, where players see different things",
        advice="count the moves in the state, and end the game after a fixed number",
    )


def _history(game: Game, trail: Trail) -> str:
    """`after 'a b c'`, or `at the start`; the end of it where it is long."""
    texts: list[str] = []
    while trail is not None:
        trail, before, move = trail
        texts.append(as_text(game, "show_move", before, move))
    if not texts:
        return "at the start"
    shown = " ".join(texts[: 4 * _SHOWN][::-1])
    return f"after '{'... ' if len(texts) > 4 * _SHOWN else ''}{shown}'"


def _view(seen: Sequence[tuple[str, Any]]) -> str:
    return ", ".join(f"{'did ' if kind == 'did' else ''}{brief(thing)}" for kind, thing in seen[-_SHOWN:])


def _listed(moves: Sequence[Any]) -> str:
    return f"moves {', '.join(map(brief, moves[:_SHOWN]))}{', ...' if len(moves) > _SHOWN else ''}"


def _paid(worth: tuple[Number, ...]) -> str:
    return f"{' + '.join(map(full_text, worth))} = {full_text(sum(worth))}"
