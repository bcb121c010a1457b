"""Dominoes: `dominoes_openings`, and `even_kernel`, which stands at the end of a search with answers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from endsight.game import Game, Position
from endsight.verifier.checkers import demand, demand_free_rivals, worth
from endsight.verifier.claims import Claim


def dominoes_openings(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """The first player's win from the empty line.

    The first player lays 0-0. Whatever fresh value y the reply 0-y goes to, the answer is
    y-y, and {0, y} must be an even kernel: no unused tile inside, and an even number of
    unused tiles into it from every other value. All y look alike, so one is counted.
    """
    n = position.game.values()["n"]
    demand(position.state.used == 0, "the opening theorem is about the empty line")
    demand_free_rivals(claim)
    used = {(0, 0), (0, 1), (1, 1)}
    if n > 1:
        demand({(a, b) for a in (0, 1) for b in (0, 1) if a <= b} <= used, "a tile inside the kernel is unused")
        odd = [x for x in range(2, n) if sum((s, x) not in used for s in (0, 1)) % 2]
        demand(not odd, f"value {odd[:1]} has an odd number of unused tiles into the kernel")
    return worth((1, -1), claim.utility)


def even_kernel(position: Position, claim: Claim, lost: list[Any], move: str | None = None) -> tuple[Fraction, ...]:
    """Who wins: with `move` the player to move, by it; else the other. `lost` shows that the next player loses."""
    demand(position.state.used != 0, "kernels are about a line of at least one tile")
    demand_free_rivals(claim)
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
    return worth((1, -1) if first_wins else (-1, 1), claim.utility)


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
