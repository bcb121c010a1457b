"""Checks `even_kernel`: kernels counted tile by tile, at the end of a search with an answer to every move."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from endsight.checkers import Asked, demand, worth
from endsight.game import Game, Position


def settle(position: Position, asked: Asked, lost: list[Any], move: str | None = None) -> tuple[Fraction, ...]:
    """Who wins: with `move` the player to move, by it; else the other. `lost` shows that the next player loses."""
    demand(position.state.used != 0, "kernels are about a line of at least one tile")
    demand(asked.objective == "competitive" and not asked.fixed, "kernels are about free rivals")
    state, first_wins = position.state, position.mover == 1
    if move is not None:
        state = _after(position.game, state, int(move.partition("-")[2]))
        first_wins = not first_wins
    evidence: Iterator[dict[str, Any]] = iter(lost)
    waiting, shown = [state], set()
    while waiting:
        state = waiting.pop()
        if state not in shown:
            shown.add(state)
            waiting += _followed(position.game, state, next(evidence, {}))
    demand(next(evidence, None) is None, "there is more evidence than positions")
    values = (1, -1) if first_wins else (-1, 1)
    return worth(values, asked.utility) if asked.utility != "payoff" else tuple(map(Fraction, values))


def _after(game: Game, state: Any, tail: int) -> Any:
    move = state.tail * game.values()["n"] + tail
    demand(move in set(game.moves(state)), f"no tile leads from {state.tail} to {tail} after {game.show(state)}")
    return game.play(state, move)


def _followed(game: Game, state: Any, evidence: dict[str, Any]) -> list[Any]:
    """Positions that must be lost too for `state` to be: none with a kernel, else one after each move."""
    ((kind, members),) = evidence.items() if len(evidence) == 1 else (("nothing", ()),)
    if kind == "answers":
        afters = [game.play(state, move) for move in game.moves(state)]
        demand(len(afters) == len(members), f"not one answer to each move after {game.show(state)}")
        return [_after(game, after, answer) for after, answer in zip(afters, members, strict=True)]
    demand(kind in ("kernel", "growing kernel"), f"no evidence for {game.show(state)}")
    n, tile = game.values()["n"], game.tile  # type: ignore[attr-defined]
    free = [{b for b in range(n) if not state.used >> tile(a, b) & 1} for a in range(n)]
    kernel, outside = set(members), set(range(n)) - set(members)
    demand(state.tail in kernel and not any(free[v] & kernel for v in kernel), f"{kind}: the tail, and no tile inside")
    odd = {value for value in outside if len(free[value] & kernel) % 2}
    demand(not odd or kind == "growing kernel", f"{kind}: odd values {sorted(odd)[:3]} outside")
    used_doubles = {value for value in outside if value not in free[value]}
    while odd:
        # Everything connected with an odd value outside must have its double.
        part = {value for value in outside if value in odd or free[value] & odd}
        demand(not part & used_doubles, f"{kind}: an odd value is connected with a used double")
        odd = part if part != odd else set()
    return []
