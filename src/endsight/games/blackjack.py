"""Blackjack: one hand against a dealer who draws by a fixed rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.throws import choices

FIRST_CARD, SECOND_CARD, UPCARD, TWO_CARDS, DECIDING, HITTING, DOUBLING, HOLE, DEALER, OVER = range(10)
PHASES = ("first-card", "second-card", "upcard", "two-cards", "deciding", "hit", "double", "hole", "dealer", "over")
DEALT_TO_DEALER = (UPCARD, HOLE, DEALER)
HIT, STAND, DOUBLE = 0, 1, 2
ACE, TEN = 1, 10
GOAL, DEALER_STANDS = 21, 17
# More than any hand of cards: how some hands end.
BUST, NATURAL = 22, 23
WORDS = {(11, 1): "ace", (BUST, 0): "bust", (NATURAL, 0): "natural"}


class Blackjack(Game):
    """Blackjack, one hand for the largest expected gain.

    Cards come from an infinite deck: ace to nine, and ten four times as often. An ace
    counts 11, or 1 where 11 would be too much. The player is dealt two cards, the dealer
    one, open. Then the player may `hit` (take a card), `stand`, or with two cards
    `double`: twice the stake for one last card. More than 21 loses at once, 21 stands.
    Then the dealer draws up to 17 or more, and stands on soft 17 too.

    The hand nearer to 21 wins the stake. An ace and a ten dealt are a natural: it beats
    all other hands and wins 3/2 of the stake; two naturals bring nothing. A natural of
    the dealer takes doubled stakes whole. Hands are not split. `stake` is in chips, as
    payoffs are, and even.

    A position is `hand=16 dealer=10`, with two cards to be played; `hand=soft-17` has an
    ace that counts 11. `phase=deciding` after more than two cards.
    """

    players = 1
    stake: int = 2

    class State(NamedTuple):
        """Totals of player and dealer, each with 1 where an ace counts 11, stakes doubled (0, 1), one of `PHASES`."""

        total: int
        soft: int
        dealer: int
        dealer_soft: int
        doubled: int
        phase: int

    def setup(self) -> None:
        """Check the stake."""
        if self.stake < 2 or self.stake % 2:
            raise ParameterError("blackjack: stake must be even", found=str(self.stake), allowed="2, 4, 6, ...")

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(NATURAL, 1, NATURAL, 1, 1, OVER)

    def start(self) -> State:
        """No card is dealt."""
        return self.State(0, 0, 0, 0, 0, FIRST_CARD)

    def to_move(self, state: State) -> int:
        """The player where there is a decision, else the deck."""
        return 0 if state.phase in (TWO_CARDS, DECIDING, OVER) else CHANCE

    def moves(self, state: State) -> Iterator[int]:
        """`hit`, `stand`, and with two cards `double`; ace to ten where a card is drawn."""
        if state.phase in (TWO_CARDS, DECIDING):
            yield HIT
            yield STAND
            if state.phase == TWO_CARDS:
                yield DOUBLE
        elif state.phase != OVER:
            yield from range(ACE, TEN + 1)

    def weight(self, state: State, move: int) -> int:
        """Ten, jack, queen and king count ten."""
        return 4 if move == TEN else 1

    def drawn(self, total: int, soft: int, card: int) -> int:
        """Twice the total with one card more, plus 1 where an ace counts 11."""
        total += card
        if card == ACE and soft == 0 and total + 10 <= GOAL:
            return 2 * (total + 10) + 1
        if soft == 1 and total > GOAL:
            return 2 * (total - 10)
        return 2 * min(total, BUST) + soft

    def play(self, state: State, move: int) -> State:
        """Decide, or draw a card for the player or the dealer."""
        total, soft, up, up_soft, doubled, phase = state
        if phase in (TWO_CARDS, DECIDING):
            if move == STAND:
                return self.State(total, 0, up, up_soft, 0, HOLE)
            return self.State(total, soft, up, up_soft, move // DOUBLE, HITTING if move == HIT else DOUBLING)
        if phase == UPCARD or phase >= HOLE:
            return self._for_dealer(state, self.drawn(up, up_soft, move))
        hand = self.drawn(total, soft, move)
        total, soft = hand // 2, hand % 2
        if phase == SECOND_CARD and total == GOAL:
            total, soft = NATURAL, 0
        if phase <= SECOND_CARD:
            return self.State(total, soft, 0, 0, 0, phase + 1)
        if total == BUST:
            return self.State(BUST, 0, 0, 0, doubled, OVER)
        if phase == DOUBLING or total == GOAL:
            return self.State(total, 0, up, up_soft, doubled, HOLE)
        return self.State(total, soft, up, up_soft, 0, DECIDING)

    def _for_dealer(self, state: State, hand: int) -> State:
        total, soft, doubled = state.total, state.soft, state.doubled
        if state.phase == UPCARD:
            return self.State(total, soft, hand // 2, hand % 2, 0, HOLE if total == NATURAL else TWO_CARDS)
        if state.phase == HOLE and hand // 2 == GOAL:
            return self.State(total, 0, NATURAL, 0, doubled, OVER)
        if hand // 2 >= DEALER_STANDS:
            return self.State(total, 0, hand // 2, 0, doubled, OVER)
        return self.State(total, 0, hand // 2, hand % 2, doubled, DEALER)

    def payoff(self, state: State) -> int:
        """Chips won or lost."""
        stake = 2 * self.stake if state.doubled == 1 else self.stake
        if state.total == NATURAL:
            return 0 if state.dealer == NATURAL else stake // 2 * 3
        if state.total == BUST or (state.total < state.dealer and state.dealer != BUST):
            return -stake
        return 0 if state.total == state.dealer else stake

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`hand=soft-17 dealer=10`, with `doubled=yes` and the phase where they matter."""
        text = f"hand={_words(state.total, state.soft)} dealer={_words(state.dealer, state.dealer_soft)}"
        text += " doubled=yes" if state.doubled else ""
        return text if state.phase == TWO_CARDS else f"{text} phase={PHASES[state.phase]}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        given = dict(item.partition("=")[::2] for item in text.split())
        given = {"doubled": "no", "phase": "two-cards"} | given
        if set(given) == {"hand", "dealer", "doubled", "phase"} and given["phase"] in PHASES:
            doubled = ("no", "yes").index(given["doubled"]) if given["doubled"] in ("no", "yes") else 2
            state = self.State(*_hand(given["hand"]), *_hand(given["dealer"]), doubled, PHASES.index(given["phase"]))
            if self._fits(state):
                return state
        raise PositionError(
            f"no such position: {text}",
            allowed=f"hand=16 dealer=10, hand=soft-17, dealer=ace; doubled=yes; phase={'|'.join(PHASES)}",
        )

    def _fits(self, state: State) -> bool:
        """Whether the fields go together."""
        total, soft, up, up_soft, doubled, phase = state
        low, high = {FIRST_CARD: (0, 0), SECOND_CARD: (2, 11)}.get(phase, (4, GOAL))
        player = low <= total <= high or (total == NATURAL and phase in (UPCARD, HOLE, DEALER, OVER))
        low, high = {DEALER: (3, DEALER_STANDS - 1), OVER: (DEALER_STANDS, NATURAL)}.get(phase, (2, 11))
        dealer = up == 0 if phase <= UPCARD else low <= up <= high
        if phase == OVER and total == BUST:
            player, dealer = True, up == 0
        aces = soft <= (11 <= total <= GOAL and phase <= DOUBLING) and up_soft <= (11 <= up <= GOAL and phase != OVER)
        return player and dealer and aces and doubled <= (phase >= DOUBLING)

    def show_move(self, state: State, move: int) -> str:
        """`hit`, `stand`, `double`, or the card: `ace`, `2` to `10`."""
        if self.to_move(state) == CHANCE:
            return "ace" if move == ACE else str(move)
        return ("hit", "stand", "double")[move]

    def draw(self, state: State) -> str:
        """Both hands and what happens next."""
        hands = f"player {_words(state.total, state.soft)}, dealer {_words(state.dealer, state.dealer_soft)}"
        return f"{hands}{', stake doubled' if state.doubled else ''} ({PHASES[state.phase]})"

    # ---------------------------------------------------------------- pictures

    def draw_after(self, state: State, history: Sequence[str]) -> kit.Board:
        """Both totals, and the cards where the hand was played from the start."""
        cards = self._cards(state, history)
        parts: list[kit.Part] = []
        totals = ((state.dealer, state.dealer_soft), (state.total, state.soft))
        for name, hand, (total, soft) in zip(("Dealer", "Player"), cards, totals, strict=True):
            label = kit.Slot(kit.figure(_words(total, soft) if total else "–", name), 62)
            parts.append(kit.Row((label, *(kit.Slot(kit.card(rank), 84) for rank in hand)), ground="well"))
        texts = [self.show_move(state, move) for move in self.moves(state)]
        if state.phase == OVER:
            parts.append(kit.Row((kit.Slot(kit.word(f"The hand pays {self.payoff(state)} chips"), 27),)))
        elif self.to_move(state) == CHANCE:
            dealt = [kit.Slot(kit.card("A" if text == "ace" else text), 72, text) for text in texts]
            parts.append(kit.Row(tuple(dealt), f"{'Dealer' if state.phase in DEALT_TO_DEALER else 'Player'} is dealt"))
        else:
            parts.append(choices(texts))
        return kit.Board("Blackjack", tuple(parts))

    def _cards(self, state: State, history: Sequence[str]) -> tuple[list[str], list[str]]:
        """The cards of dealer and player; none where the moves so far do not lead from the start to the state."""
        here, dealer, player = self.start(), list[str](), list[str]()
        for text in history:
            move = self.parse_move(here, text)
            if move is None:
                return [], []
            if self.to_move(here) == CHANCE:
                (dealer if here.phase in DEALT_TO_DEALER else player).append("A" if text == "ace" else text)
            here = self.play(here, move)
        return (dealer, player) if here == state else ([], [])


def _words(total: int, soft: int) -> str:
    """`16`, `soft-17`, or the word for a total."""
    return WORDS.get((total, soft)) or ("soft-" if soft else "") + str(total)


def _hand(text: str) -> tuple[int, int]:
    """The total and whether an ace counts 11; what `_words` does not write is -1."""
    hands = {_words(total, soft): (total, soft) for soft in (0, 1) for total in range(NATURAL + 1)}
    return hands.get(text, (-1, 0))
