"""An agent trained in an environment, as a policy that `endsight.exploit` and `endsight.solve` accept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from endsight.errors import QuestionError
from endsight.faces.interop.numbering import Numbering
from endsight.game import Game, moves_of
from endsight.game.position import as_text

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
