"""Hidden cards that rules deal as if they lay open are noticed, and open dice are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE, Game, check_rules

ENDS = {4: None, 16: -1, 17: None, 7: 1, 8: None}
"""What the first wins at the ends of Kuhn's poker; None where the cards decide."""

EVERYBODY_SEES = "Every player sees everything, outcomes of chance included."


class Kuhn(Game):
    """Kuhn's poker, written as if hands could be hidden by not looking: cards 1 to `cards`, one each.

    `played` has a digit of base 3 for every pass (1) and bet (2); `shown` is a card for all to
    see, dealt after the first action where `public`.
    """

    players: ClassVar[int] = 2
    cards: int = 3
    public: bool = False

    class State(NamedTuple):
        first: int
        second: int
        played: int
        shown: int

    def limits(self) -> Any:
        return self.State(self.cards, self.cards, 27, self.cards)

    def start(self) -> Any:
        return self.State(0, 0, 0, 0)

    def deals(self, state: Any) -> bool:
        return not state.second or (self.public and state.played > 0 and not state.shown)

    def to_move(self, state: Any) -> int:
        return CHANCE if self.deals(state) else int(state.played in (1, 2))

    def moves(self, state: Any) -> Any:
        if self.deals(state):
            yield from (card for card in range(1, self.cards + 1) if card not in (state.first, state.second))
        elif state.played not in ENDS:
            yield from (1, 2)

    def play(self, state: Any, move: int) -> Any:
        if not state.first:
            return state._replace(first=move)
        if not state.second:
            return state._replace(second=move)
        if self.deals(state):
            return state._replace(shown=move)
        return state._replace(played=3 * state.played + move)

    def payoff(self, state: Any) -> tuple[int, int]:
        higher = (1 if state.first > state.second else -1) * (1 if state.played == 4 else 2)
        won = ENDS[state.played]
        return (higher, -higher) if won is None else (won, -won)


class OpenDie(Game):
    """A die is thrown for all to see, and tells how far a token may be moved."""

    players: ClassVar[int] = 2

    class State(NamedTuple):
        die: int
        moved: int

    def limits(self) -> Any:
        return self.State(6, 6)

    def start(self) -> Any:
        return self.State(0, 0)

    def to_move(self, state: Any) -> int:
        return CHANCE if not state.die else 0

    def moves(self, state: Any) -> Any:
        if not state.die:
            yield from range(1, 7)
        elif not state.moved:
            yield from range(1, state.die + 1)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.die, move) if state.die else self.State(move, 0)

    def payoff(self, state: Any) -> tuple[int, int]:
        return (state.moved % 4, -(state.moved % 4))


class PaidAtOnce(OpenDie):
    """The die is paid out as a reward with the move: everybody knows it."""

    def moves(self, state: Any) -> Any:
        if not state.die:
            yield from range(1, 7)
        elif not state.moved:
            yield from (1, 2)

    def reward(self, state: Any, move: int) -> tuple[int, int]:
        return (state.die * move, 0) if state.die else (0, 0)


class WithoutMeaning(PaidAtOnce):
    """What is drawn changes nothing at all."""

    def reward(self, state: Any, move: int) -> tuple[int, int]:
        return (0, 0)


def warned(game: Game) -> list[str]:
    report = check_rules(game)
    assert report.faults == ()
    return [fault.message for fault in report.warnings if fault.rule == "start"]


@pytest.mark.parametrize(
    "game", [Kuhn(), Kuhn(cards=6), Kuhn(cards=5, public=True)], ids=["three cards", "six", "with a card for all"]
)
def test_hidden_cards_are_noticed(game: Game) -> None:
    (message,) = warned(game)
    assert "never the legal moves" in message
    assert "random play" not in message


def test_many_deals_are_sampled_and_that_is_said() -> None:
    (message,) = warned(Kuhn(cards=60))
    assert "as far as random play shows" in message


@pytest.mark.parametrize("game", [OpenDie(), PaidAtOnce(), WithoutMeaning(), es.games.Pig(target=8)], ids=type)
def test_open_dice_are_not(game: Game) -> None:
    assert warned(game) == []
    assert check_rules(game).sight == EVERYBODY_SEES


def test_the_commands_say_who_sees_what(tmp_path: Path) -> None:
    assert EVERYBODY_SEES in run("games", "pig").out
    assert EVERYBODY_SEES not in run("games", "tictactoe").out
    assert EVERYBODY_SEES in run("check", "pig:6").out
    assert run("prove", "pigturn", "-o", str(tmp_path / "turn")).out.splitlines()[0] == EVERYBODY_SEES
    assert EVERYBODY_SEES not in run("prove", "tictactoe", "-o", str(tmp_path / "draw")).out
