"""The presentation of games on pages: a name, a short text, kinds, and moves to a telling position for a picture."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from endsight.faces.catalog import parameter_rows
from endsight.game.field_texts import value_text
from endsight.naming.class_names import located

KINDS = ("Two players", "One player", "Dice", "Cards")
"""The filters of the index."""
LONGEST_SETTING = 40


@dataclass(frozen=True)
class Card:
    """A game on a page: `name`, a sentence, its kinds, an example for required parameters, and moves."""

    name: str
    about: str
    kinds: tuple[str, ...] = ()
    example: str = ""
    at: str = ""


_TWO, _ONE, _DICE, _CARDS = KINDS
_BUILT_IN = {
    "battleship": Card("Battleship on a line", "Hide a ship, then shoot.", (_TWO,)),
    "bigpig": Card("Big Pig", "A race with two dice: roll on or hold.", (_TWO, _DICE)),
    "blackjack": Card("Blackjack", "One hand against the dealer.", (_ONE, _CARDS), "", "9 6 10"),
    "blotto": Card("Colonel Blotto", "Share out regiments over fields, both at once.", (_TWO,)),
    "chomp": Card("Chomp", "Bite into the chocolate; leave the poisoned square.", (_TWO,), "", "c3"),
    "connectfour": Card("Connect Four", "Drop discs; four in a row wins.", (_TWO,), "", "4 4 3 5 5"),
    "dodgem": Card("Dodgem", "Drive all your cars off the board.", (_TWO,)),
    "dominoes": Card(
        "Dominoes", "One line, growing at one end; a player who cannot add a tile loses.", (_TWO,), "", "0-1 1-3"
    ),
    "goofspiel": Card("Goofspiel", "Bid cards for prizes, both at once.", (_TWO, _CARDS)),
    "hazardstop": Card("Hazard", "Roll a die with several bad faces, or stop.", (_ONE, _DICE)),
    "hexapawn": Card("Hexapawn", "Get a pawn across, or leave no move.", (_TWO,), "", "b1-b2"),
    "hiddenpots": Card(
        "Hidden pots of gold", "Take pots from the ends; only the ends are open.", (_TWO,), "count=6,max=9", "4 7"
    ),
    "highcard": Card("High card", "Order your cards against a rival’s.", (_ONE, _CARDS), "hand=1-3-5-7,rival=8-x-4-x"),
    "highcardduel": Card("High card duel", "Both order their cards unseen.", (_TWO, _CARDS), "hand=1-3-5,rival=2-x-4"),
    "kuhn": Card("Kuhn poker", "One card each and a single bet.", (_TWO, _CARDS)),
    "leduc": Card("Leduc poker", "One card each, one on the board, two rounds of bets.", (_TWO, _CARDS)),
    "liarsdice": Card("Liar’s dice", "Bid on how many dice show a face.", (_TWO, _DICE)),
    "morra": Card("Morra", "Show fingers at once, and guess how many.", (_TWO,)),
    "nim": Card("Nim", "Take from one heap; the last object wins.", (_TWO,)),
    "phantomtictactoe": Card("Phantom tic-tac-toe", "Tic-tac-toe without seeing the other’s stones.", (_TWO,)),
    "pig": Card("Pig", "Roll on or hold; a 1 loses the turn.", (_TWO, _DICE), "", "roll 4 roll 6"),
    "piglet": Card("Piglet", "Flip a coin on or hold: a race.", (_TWO,)),
    "pigturn": Card(
        "One turn of Pig", "Roll on or hold: one turn for the most points.", (_ONE, _DICE), "", "roll 5 roll 4"
    ),
    "pots": Card("Pots of gold", "Take pots from the ends of a line.", (_TWO,), "4-9-2-7-5-3-8-1"),
    "repeatbust": Card(
        "Roll until a sum repeats",
        "Roll on or stop; the same sum twice in a row busts.",
        (_ONE, _DICE),
        "",
        "4 roll 9 roll 8",
    ),
    "rps": Card("Rock, paper, scissors", "Show a gesture, both at once.", (_TWO,)),
    "rpsbag": Card(
        "Rock, paper, scissors against a bag", "Dice from a bag show the gestures.", (_ONE, _DICE), "100-0-200/0-300-0"
    ),
    "scorecard": Card("Scorecard", "Fill a card of categories with dice.", (_ONE, _DICE)),
    "tictactoe": Card("Tic-tac-toe", "Three in a row wins.", (_TWO,), "", "a1 b2"),
    "twodicepig": Card("Two-dice Pig", "A race in which scores can be lost.", (_TWO, _DICE)),
    "ur": Card("Royal Game of Ur", "Race along the oldest board.", (_TWO, _DICE), "", "2 enter-2 1 enter-1"),
}


def card_of(name: str, about: str = "") -> Card:
    """Return the card of the game or class of that name; `about` is the sentence for one that is not built in."""
    return _BUILT_IN.get(name) or Card(_spaced(name), about)


@dataclass(frozen=True)
class ChanceWords:
    """Chance on a page: the name of its outcomes, of the button that draws one, and of drawing them all."""

    outcomes: str = "Outcomes"
    draw: str = "Draw an outcome"
    drawn: str = "drawn for me"


_DICE_WORDS = ChanceWords("Dice", "Roll", "rolled for me")
_CHANCE_WORDS = {
    "blackjack": ChanceWords("Cards", "Deal a card", "dealt for me"),
    "goofspiel": ChanceWords("Prizes", "Turn a prize", "turned for me"),
    "hiddenpots": ChanceWords("Pots", "Open a pot", "opened for me"),
    "highcard": ChanceWords("Cards", "Turn a card", "turned for me"),
    "piglet": ChanceWords("Flips", "Flip", "flipped for me"),
    "rpsbag": ChanceWords("Draws", "Draw a die"),
}


def chance_words(name: str) -> ChanceWords:
    """Return how a page speaks of chance in the game or class of that name."""
    usual = _DICE_WORDS if _DICE in card_of(name).kinds else ChanceWords()
    return _CHANCE_WORDS.get(name, usual)


def _spaced(name: str) -> str:
    """Write `ThreeHeaps` as `Three heaps`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).split()
    return " ".join([words[0][:1].upper() + words[0][1:], *map(str.lower, words[1:])]) if words else name


_SETTINGS = {
    "bigpig": "to {target}",
    "blotto": "{mine} against {yours}, {fields} fields",
    "dominoes": "tiles of {n} values",
    "hiddenpots": "{count} pots of 1 to {max}",
    "nim": "heaps {heaps}",
    "pig": "to {target}",
    "piglet": "to {target}",
    "repeatbust": "{dice} dice of {sides}",
    "scorecard": "{dice} dice of {sides}",
    "twodicepig": "to {target}",
}
"""Settings in words, where their names and numbers do not read well."""


def settings_text(name: str, parameters: str) -> str:
    """Return the settings of a game in a few words: `5 × 4, line of 4`; "" where there are none.

    `parameters` are those given. For built-in games the defaults fill in the others.
    """
    kind = located(name)[0] if name in _BUILT_IN else None
    rows = [] if kind is None else parameter_rows(kind)
    values = _values(rows, parameters)
    wording = _SETTINGS.get(name)
    return _said(values) if wording is None else wording.format_map(defaultdict(lambda: "?", values))


def _values(rows: Sequence[Mapping[str, object]], parameters: str) -> dict[str, str]:
    defaults = {str(row["name"]): row["default"] for row in rows}
    usual = {name: "" if isinstance(value, dict | None) else value_text(value) for name, value in defaults.items()}
    parts = [part.partition("=") for part in parameters.split(",") if part]
    first = next(iter(usual), "")
    given = {key if sign else first: value if sign else key for key, sign, value in parts}
    return {key: value for key, value in {**usual, **given}.items() if value}


def _said(values: dict[str, str]) -> str:
    parts = []
    if "width" in values and "height" in values:
        parts.append(f"{values.pop('width')} × {values.pop('height')}")
    parts += filter(None, map(_one, values, values.values()))
    text = ", ".join(parts)
    return text if len(text) <= LONGEST_SETTING else text[: LONGEST_SETTING - 1].rstrip(", ") + "…"


def _one(key: str, value: str) -> str:
    """Write one setting: numbers with their name before or after, lists and words as they are."""
    if value in ("no", "yes"):
        return key if value == "yes" else ""
    if not value.lstrip("-").isdecimal():
        return value
    if key.endswith("s"):
        return f"{value} {key if value != '1' else key[:-1]}"
    return {"line": f"line of {value}"}.get(key, f"{key} {value}")
