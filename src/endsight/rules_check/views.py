"""The players' views along all histories of a game: whether they keep the contract, and how many there are.

A view is everything that a player has seen so far, each thing once for as long as it stays the same, with the player's
own moves between. Positions in which a player moves with the same view are one information set.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from endsight import board as kit
from endsight.algorithms.information_faults import Trail, different_moves
from endsight.algorithms.treeplex import NumberedViews
from endsight.errors.complaints import kind_text
from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, TOGETHER
from endsight.game.natural import is_natural
from endsight.rules_check.asking import BROKEN
from endsight.rules_check.inspection import InspectedState, Inspector

_EXACTLY = "return a whole number, a text, or a (nested) tuple of them: the same whenever it is asked"
_MOST_DRAWN = 50
_SAME_IMAGES = "give states that a player cannot tell apart images that this player cannot tell apart"

_Eyes: TypeAlias = "tuple[KnowledgeNumbers, ...]"


class KnowledgeNumbers(NamedTuple):
    """A player's knowledge: numbers of the view, of the own moves alone, and of the last own move with its view."""

    view: int
    seen: Any
    acts: int
    sequence: int


class _SeenHistory(NamedTuple):
    state: Any
    plies: int
    eyes: _Eyes
    trail: Trail


@dataclass
class _PlayerSide(NumberedViews):
    """The views of one player, also of the own moves alone, and those with which the player, or others, have moved."""

    choices: dict[int, tuple[tuple[Any, ...], Trail, Any]] = field(default_factory=dict)
    idle: set[int] = field(default_factory=set)
    newest: dict[Any, tuple[int, int]] = field(default_factory=dict)
    remembers: bool = True
    sees_own: bool = True

    def compare(self, eyes: KnowledgeNumbers) -> None:
        """Check whether the current observation determines everything seen and done before."""
        view, acts = self.newest.setdefault(eyes.seen, (eyes.view, eyes.acts))
        self.remembers &= view == eyes.view
        self.sees_own &= acts == eyes.acts


class Views:
    """The histories of a game, breadth first, as its players see them."""

    def __init__(self, inspector: Inspector, look: Callable[[Any], InspectedState | None]) -> None:
        self.inspector, self.game, self.look = inspector, inspector.game, look
        self.players = inspector.players or 0
        self.sides = tuple(_PlayerSide() for _ in range(self.players))
        self.seen: dict[Any, tuple[Any, ...]] = {}
        self.texts: dict[tuple[int, Any], Any] = {}
        self.drawn: set[tuple[int, Any]] = set()
        self.pairs: set[tuple[int, ...]] = set()
        self.alike: dict[tuple[int, ...], set[Any]] = {}
        self.histories = 0
        self.is_complete = self.is_common = False

    def walk(self, start: Any, most: int, is_late: Callable[[], bool]) -> None:
        """Visit up to `most` histories; stops at the first fault."""
        blind = (KnowledgeNumbers(0, None, 0, 0),) * self.players
        queue = deque([_SeenHistory(start, 0, blind, None)])
        faults = len(self.inspector.faults)
        is_cut = False
        while queue and self.histories < most and not is_late():
            after = self._after(queue.popleft())
            room = most - len(queue)  # the others would not be visited anyway
            queue += after[:room]
            is_cut |= len(after) > room
            if len(self.inspector.faults) > faults:
                return
        self.is_complete = not queue and not is_cut
        views = [set(own) for own in zip(*self.alike, strict=True)]
        same = all(len(set(seen)) == 1 for seen in self.seen.values())
        self.is_common = same and all(len(own) == len(self.alike) for own in views)

    @property
    def widest(self) -> int:
        """The largest number of states that no player can distinguish, with a mover or at the end of the game."""
        return max(map(len, self.alike.values()), default=1)

    def compare_images(self, rule: str, image_of: Callable[[Any], Any]) -> None:
        """Record where `canonical` or `exchanged` gives states that look the same images that look different."""
        known: dict[tuple[int, Any], tuple[Any, Any]] = {}
        for state in list(self.seen):
            image = image_of(state)
            for player in range(self.players) if image is not BROKEN else ():
                other = 1 - player if rule == "exchanged" else player
                seen, then = self._sight(state)[player], self._sight(image)[other]
                before, example = known.setdefault((player, seen), (then, state))
                if before != then:
                    also = f"{brief(example)}, which {self.game.player_names[player]} cannot tell from it"
                    message = f"gives an image that can be told from that of {also} (equal views)"
                    self.inspector.fault(rule, state, message, _SAME_IMAGES)
                    return

    # ---------------------------------------------------------------- one history

    def _after(self, history: _SeenHistory) -> list[_SeenHistory]:
        self.histories += 1
        node, sight = self.look(history.state), self._sight(history.state)
        if node is None or not sight:
            return []
        eyes = tuple(
            self._looked(side, own, seen) for side, own, seen in zip(self.sides, history.eyes, sight, strict=True)
        )
        if node.mover != CHANCE or not node.moves:
            self.alike.setdefault(tuple(own.view for own in eyes), set()).add(history.state)
        if not node.moves:
            self.pairs.add(tuple(own.sequence for own in eyes))
            return []
        movers = self._movers(history, node)
        for player, side in enumerate(self.sides):
            if player in movers:
                self._choose(player, eyes[player], _parts(node.moves, movers, player), history)
            elif node.mover != CHANCE:
                side.idle.add(eyes[player].view)
        return [
            _SeenHistory(
                child, history.plies + 1, self._acted(eyes, movers, move), (history.trail, history.state, move)
            )
            for move, child in zip(node.moves, node.children, strict=True)
        ]

    def _sight(self, state: Any) -> tuple[Any, ...]:
        """Every player's observation of a state; nothing where `sees` fails."""
        if state not in self.seen:
            sight = [self.inspector.ask("sees", state, player) for player in range(self.players)]
            known = all(self._is_known(state, player, seen) for player, seen in enumerate(sight))
            self.seen[state] = tuple(sight) if known else ()
        return self.seen[state]

    def _is_known(self, state: Any, player: int, seen: Any) -> bool:
        if seen is not BROKEN and not is_natural(seen):
            what = f"{self.game.player_names[player]} {brief(seen)}, {kind_text(seen)}"
            self.inspector.fault("sees", state, f"shows {what} (seen exactly)", _EXACTLY)
        return seen is not BROKEN and is_natural(seen) and self._is_shown(state, player, seen)

    def _is_shown(self, state: Any, player: int, seen: Any) -> bool:
        """Whether `show_seen` gives each observation its own text."""
        text = self.inspector.ask("show_seen", seen, player)
        if text is not BROKEN and not isinstance(text, str):
            self.inspector.fault("show_seen", state, f"returns {brief(text)}, {kind_text(text)}", "return a text")
        elif text is not BROKEN and self.texts.setdefault((player, text), seen) != seen:
            message = f"returns {text!r} for both {brief(self.texts[player, text])} and {brief(seen)}"
            self.inspector.warn("show_seen", state, message, "different things that are seen need different texts")
        self._try_drawing(state, player, seen)
        return isinstance(text, str)

    def _try_drawing(self, state: Any, player: int, seen: Any) -> None:
        """Check whether `draw_seen` draws a player's observation, for the first one only."""
        if not self.game.gives("draw_seen") or (player, seen) in self.drawn or len(self.drawn) >= _MOST_DRAWN:
            return
        self.drawn.add((player, seen))
        board = self.inspector.ask("draw_seen", seen, player)
        if board is not BROKEN and not isinstance(board, kit.Board):
            self.inspector.fault("draw_seen", state, f"returns {brief(board)}", "return a Board of endsight.board")

    def _looked(self, side: _PlayerSide, eyes: KnowledgeNumbers, seen: Any) -> KnowledgeNumbers:
        if seen == eyes.seen and eyes.view:
            return eyes
        return eyes._replace(view=side.extended(eyes.view, ("saw", seen)), seen=seen)

    def _movers(self, history: _SeenHistory, node: InspectedState) -> tuple[int, ...]:
        if not self.game.gives("to_move"):
            return (history.plies % self.players,)
        if node.mover == TOGETHER:
            return tuple(self.inspector.ask("to_move", history.state))
        return () if node.mover == CHANCE else (node.mover,)

    def _choose(self, player: int, eyes: KnowledgeNumbers, moves: tuple[Any, ...], history: _SeenHistory) -> None:
        """Record a choice, and check that the player has the same moves wherever the view is the same."""
        side = self.sides[player]
        side.compare(eyes)
        known, trail, state = side.choices.setdefault(eyes.view, (moves, history.trail, history.state))
        if frozenset(known) != frozenset(moves):
            places = [(trail, state, known), (history.trail, history.state, moves)]
            error = different_moves(self.game, player, side.seen(eyes.view), places)
            text, places_text = error.message.partition("same moves: ")[2], "; ".join((error.found or "").splitlines())
            message = f"does not tell enough (same moves): {text}: {places_text}"
            self.inspector.fault("sees", history.state, message, error.advice or "")

    def _acted(self, eyes: _Eyes, movers: tuple[int, ...], move: Any) -> _Eyes:
        after = list(eyes)
        for place, player in enumerate(movers):
            side, own = self.sides[player], move[place] if len(movers) > 1 else move
            view = side.extended(eyes[player].view, ("did", own))
            acts = side.extended(eyes[player].acts, ("did alone", own))
            after[player] = eyes[player]._replace(view=view, acts=acts, sequence=view)
        return tuple(after)

    # ---------------------------------------------------------------- what was found

    def facts(self) -> Mapping[str, Any]:
        """See `Report.facts`, `views`."""
        names = self.game.player_names
        return {
            "common": self.is_common,
            "remember": all(side.remembers for side in self.sides),
            "turns_seen": all(side.idle.isdisjoint(side.choices) for side in self.sides),
            "own_moves_seen": all(side.sees_own for side in self.sides),
            "histories": self.histories,
            "sets": {name: len(side.choices) for name, side in zip(names, self.sides, strict=True)},
            "sequences": {name: _sequences(side) for name, side in zip(names, self.sides, strict=True)},
            "payoffs": len(self.pairs),
            "widest_belief": self.widest if self.is_common else None,
            "complete": self.is_complete,
        }


def _parts(moves: tuple[Any, ...], movers: tuple[int, ...], player: int) -> tuple[Any, ...]:
    """The possible moves of that player."""
    place = movers.index(player)
    return tuple(dict.fromkeys(move[place] for move in moves)) if len(movers) > 1 else moves


def _sequences(side: _PlayerSide) -> int:
    return 1 + sum(len(moves) for moves, _, _ in side.choices.values())
