"""Numbers for moves and observations, the same in every play of a game, and agents that use them as policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from endsight.answers.seen import own_texts
from endsight.errors import IllegalMoveError, QuestionError
from endsight.game import CHANCE, Game
from endsight.game.codec import Codec
from endsight.game.position import Position, as_text
from endsight.game.question import require_no_discount
from endsight.game.results import moves_of
from endsight.graph.reachable import random_game

MOST_POSITIONS = 20_000
"""Positions whose moves are listed in full; in games with more positions, random games are examined as well."""
GAMES = 200
_EMPTY = -1
"""Fills the places of an observation that have no item; places where players see -1 or less have one less."""


@dataclass(frozen=True)
class Numbering:
    """The numbering of the moves and observations of one game.

    actions   the texts of all moves, by number
    numbers   text of a move -> its number
    texts     own move of a player -> its text; None where it has several
    empty     at each place of an observation what stands for no item, which is less than all items
    limits    the largest number at each place of an observation
    words     text that players see -> its number
    codec     turns states into numbers, where everything is seen
    """

    game: Game
    actions: tuple[str, ...]
    numbers: dict[str, int]
    texts: dict[Any, str | None]
    empty: tuple[int, ...]
    limits: tuple[int, ...]
    words: dict[str, int]
    codec: Codec | None

    def observation(self, position: Position, player: int) -> Any:
        """Return the player's observation of the position; it has the same length for every position."""
        return self.observed(position.state if self.codec is not None else self.game.sees(position.state, player))

    def observed(self, seen: Any) -> Any:
        """Return an array of the numbers of a state, or of what `sees` gives where the rules define it."""
        import numpy as np

        if self.codec is not None:
            return np.array(self.codec.numbers(seen), np.int64)
        entries = list(_flat(seen, self.words))
        bounds = zip(self.empty, entries, self.limits, strict=False)
        if len(entries) > len(self.limits) or any(not less < one <= most for less, one, most in bounds):
            raise self._unknown("something that players see", "sees")
        return np.array([*entries, *self.empty[len(entries) :]], np.int64)

    def mask(self, legal: Iterable[int]) -> Any:
        """Return an array with 1 for each legal action, and 0 for all others."""
        import numpy as np

        allowed = np.zeros(len(self.actions), np.int8)
        allowed[list(legal)] = 1
        return allowed

    def number(self, text: str) -> int:
        """Return the number of a move; raise `QuestionError` for a move that was not seen when moves were numbered."""
        if text not in self.numbers:
            raise self._unknown(f"the move {text!r}", "moves")
        return self.numbers[text]

    def move(self, legal: Mapping[int, Any], number: int) -> Any:
        """Return the legal move of that number; raise `IllegalMoveError` if there is none."""
        if number not in legal:
            names = ", ".join(f"{each} ({self.actions[each]})" for each in legal)
            raise IllegalMoveError(f"action {number} is not legal here", found=str(number), allowed=names or "reset()")
        return legal[number]

    def _unknown(self, what: str, rule: str) -> QuestionError:
        return QuestionError(
            f"{what} was not seen when {rule} were numbered",
            found=f"{MOST_POSITIONS:,} positions and {GAMES} random games were examined",
            advice="actions=[...] with the texts of all moves" if rule == "moves" else "a smaller game",
        )


def numbering_of(game: Game, actions: Sequence[str] | None = None) -> Numbering:
    """Number the moves of a game in the order in which they appear, or as `actions` lists them.

    Observations are the fields of the state as `limits` bounds them, or what `sees` shows where the rules define it.
    Raises `QuestionError` where the rules discount, because rewards add up to a total, and where nobody ever moves.
    """
    require_no_discount(game, "an environment")
    words: dict[str, int] = {}
    empty: list[int] = []
    most: list[int] = []
    found: dict[str, None] = {}
    texts: dict[Any, str | None] = {}
    hidden = game.gives("sees")
    for position in _visited_positions(game):
        for player in () if position.mover == CHANCE else position.movers:
            for move, text in own_texts(position, player).items():
                found[text] = None
                texts[move] = text if texts.get(move, text) == text else None
        for player in range(game.player_count if hidden else 0):
            _widen(empty, most, list(_flat(game.sees(position.state, player), words)))
    codec = None if hidden else Codec(game)
    limits = tuple(most) if codec is None else tuple(codec.limits)
    empty += [_EMPTY] * (len(limits) - len(empty))
    listed = tuple(found if actions is None else actions)
    if not listed:
        raise QuestionError(
            f"{game.title()} has nothing for an environment to learn",
            found="no player ever moves",
            allowed="games in which a player has moves",
        )
    numbers = {text: number for number, text in enumerate(listed)}
    return Numbering(game, listed, numbers, texts, tuple(empty), limits, _KnownWords(words), codec)


class _KnownWords(dict[str, int]):
    """Words that already have a number; the number of any other word is larger than all of these."""

    def setdefault(self, word: str, default: int = 0) -> int:
        return self.get(word, len(self))


def _widen(empty: list[int], most: list[int], entries: Sequence[int]) -> None:
    for bounds in (empty, most):
        bounds.extend([_EMPTY] * (len(entries) - len(bounds)))
    empty[: len(entries)] = (min(less, one - 1) for less, one in zip(empty, entries, strict=False))
    most[: len(entries)] = map(max, most, entries)


def _flat(seen: Any, words: dict[str, int]) -> Iterator[int]:
    """Yield the whole numbers in an observation, in order; texts and other names by their numbers."""
    if isinstance(seen, bool | int):
        yield int(seen)
    elif isinstance(seen, tuple):
        yield len(seen)
        for item in seen:
            yield from _flat(item, words)
    elif isinstance(seen, frozenset):
        yield from _flat(tuple(sorted(seen)), words)
    else:
        text = str(seen)
        yield words.setdefault(text, len(words))


def _visited_positions(game: Game) -> Iterator[Position]:
    """Yield positions from the start on, each once; and those of random games where there are too many."""
    start = game.position()
    visited, waiting = {(start.state, start.mover)}, [start]
    while waiting and len(visited) < MOST_POSITIONS:
        position = waiting.pop()
        yield position
        for after in map(position.play, islice(position.moves(), MOST_POSITIONS)):
            if (after.state, after.mover) not in visited:
                visited.add((after.state, after.mover))
                waiting.append(after)
    yield from waiting
    if waiting:
        random = Random(1)
        for _ in range(GAMES):
            yield from islice(random_game(start, random), MOST_POSITIONS)


# ---------------------------------------------------------------------- agents as policies

Agent: TypeAlias = Callable[[Any, Any], Any]
"""`agent(observation, action_mask)`: the number of an action, or a mapping of numbers to whole weights."""


def policy_of(numbering: Numbering, agent: Agent) -> Callable[..., Any]:
    """Return the policy of an agent, which gets the observation and the mask that the environment would give it.

    The policy raises `IllegalMoveError` where the agent takes an illegal action.
    """

    def policy(game: Game, seen: Any, moves: Sequence[Any] | None = None) -> Any:
        legal = _at_state(numbering, game, seen) if moves is None else _among(numbering, moves)
        chosen = agent(numbering.observed(seen), numbering.mask(legal))
        if isinstance(chosen, Mapping):
            return {numbering.move(legal, int(number)): weight for number, weight in chosen.items()}
        return numbering.move(legal, int(chosen))

    policy.__name__ = getattr(agent, "__name__", "agent")
    return policy


def _at_state(numbering: Numbering, game: Game, state: Any) -> dict[int, Any]:
    """Return the legal moves by number."""
    return {numbering.number(as_text(game, "show_move", state, move)): move for move in moves_of(game, state)}


def _among(numbering: Numbering, moves: Sequence[Any]) -> dict[int, Any]:
    """Return a player's own moves by number, where the policy does not get the state."""
    texts = [numbering.texts.get(move) for move in moves]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        raise QuestionError(
            f"what an agent does in {numbering.game.title()} cannot be computed without the state",
            found="a move that has several texts, or was not seen when moves were numbered",
            allowed="def function(game, seen, moves) as a policy",
        )
    return {numbering.number(text): move for text, move in zip(known, moves, strict=True)}
