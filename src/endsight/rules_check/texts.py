"""The text forms of states and moves: do they read back?"""

from __future__ import annotations

from itertools import islice
from typing import Any

from endsight.board import Board
from endsight.errors import EndsightError
from endsight.errors.legal_moves import is_move
from endsight.errors.rules_guard import brief, exception_text, pass_on_limit
from endsight.game.equality import equal
from endsight.rules_check.asking import BROKEN
from endsight.rules_check.inspection import Inspector

_NONSENSE = ("", "?", "-", "-1", "0", "1", "999999", "a1", "z99", "x-y-z", "1:1", "99-99", "7:", "é", "²", "½=1", "a=1")
"""Texts that people might type; some are legal somewhere."""


_PICTURES: tuple[tuple[str, type, str], ...] = (
    ("draw", str, "return text"),
    ("svg", str, "return text"),
    ("draw_board", Board, "return a Board of endsight.board"),
    ("draw_after", Board, "return a Board of endsight.board"),
)


class TextForms:
    """Checks `show`, `parse`, `show_move`, `parse_move`, and the methods that draw positions."""

    def __init__(self, inspector: Inspector) -> None:
        self.inspector = inspector
        self.game = inspector.game
        self.looked_at = 0
        self._texts: dict[str, None] = {}

    def check(self, state: Any, moves: tuple[Any, ...]) -> None:
        """Check the texts of one state and of its legal moves."""
        self.looked_at += 1
        self._check_move_texts(state, moves)
        self._check_state_text(state)
        for rule, kind, cure in _PICTURES:
            if rule == "draw" or (self.looked_at <= 50 and callable(getattr(self.game, rule, None))):
                drawn = self.inspector.ask(rule, state, *([()] if rule == "draw_after" else []))
                if drawn is not BROKEN and not isinstance(drawn, kind):
                    self.inspector.fault(rule, state, f"returns {brief(drawn)}", cure)

    def _check_move_texts(self, state: Any, moves: tuple[Any, ...]) -> None:
        texts: dict[str, Any] = {}
        for move in moves[:1_000]:
            text = self.inspector.ask("show_move", state, move)
            if text is BROKEN:
                return
            if not isinstance(text, str) or len(text.split()) != 1 or text != text.strip():
                cure = "a move must be one word, because blanks separate the moves"
                self.inspector.fault("show_move", state, f"returns {brief(text)} for {brief(move)}", cure)
                return
            if text in texts:
                message = f"returns {text!r} for both {brief(texts[text])} and {brief(move)}"
                self.inspector.fault("show_move", state, message, "different moves need different names")
            texts[text] = move
            name = self.inspector.ask("name_move", state, move) if self.game.gives("name_move") else ""
            if name is not BROKEN and not isinstance(name, str):
                self.inspector.fault("name_move", state, f"returns {brief(name)} for {brief(move)}", "return text")
                return
        if self.game.gives("parse_move"):
            self._check_parse_move(state, moves, texts)

    def _check_parse_move(self, state: Any, moves: tuple[Any, ...], texts: dict[str, Any]) -> None:
        for text, move in islice(texts.items(), 100):
            back = self.inspector.ask("parse_move", state, text)
            if back is not BROKEN and not equal(back, move):
                cure = "parse_move(state, show_move(state, move)) must return the same move"
                self.inspector.fault(
                    "parse_move", state, f"returns {brief(back)} for {text!r}, the name of {brief(move)}", cure
                )
        for text in (*_NONSENSE, *self._texts) if self.looked_at <= 50 else ():
            if text not in texts:
                self._check_nonsense_move(state, moves, text)
        if len(self._texts) < 50:
            self._texts.update(dict.fromkeys(list(texts)[:5]))

    def _check_nonsense_move(self, state: Any, moves: tuple[Any, ...], text: str) -> None:
        cure = "return None for a text that stands for no legal move"
        move = self._read_nonsense("parse_move", state, text, cure, state)
        if move is not None and not (is_move(move) and move in moves):
            self.inspector.fault(
                "parse_move", state, f"reads {text!r} as the move {brief(move)}, which is not legal", cure
            )

    def _check_state_text(self, state: Any) -> None:
        text = self.inspector.ask_for(
            "show", lambda text: isinstance(text, str) and "\n" not in text, "return one line of text", state
        )
        if text is BROKEN:
            return
        cure = "parse(show(state)) should return the same state, so that people can set it up"
        try:
            back = self.game.parse(text)
        except EndsightError as error:
            self.inspector.warn("parse", state, f"does not read what show gives: {error.message}", cure)
        except Exception as error:
            pass_on_limit(error)
            self.inspector.fault("parse", state, f"raises {exception_text(error)} for what show gives: {text!r}", cure)
        else:
            if not equal(back, state):
                self.inspector.warn("parse", state, f"returns {brief(back)} for {text!r}", cure)
        if self.looked_at == 1 and self.game.gives("parse"):
            self._check_nonsense_states()

    def _check_nonsense_states(self) -> None:
        cure = "raise endsight.errors.PositionError for a text that is no position"
        for text in _NONSENSE:
            self._read_nonsense("parse", None, text, cure)

    def _read_nonsense(self, rule: str, state: Any, text: str, cure: str, *before: Any) -> Any:
        """What a rule reads in a text, given what comes before it; None where it refuses the text."""
        try:
            return getattr(self.game, rule)(*before, text)
        except EndsightError:
            return None
        except Exception as error:
            pass_on_limit(error)
            self.inspector.fault(rule, state, f"raises {exception_text(error)} for the text {text!r}", cure)
            return None
