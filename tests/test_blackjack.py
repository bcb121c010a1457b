"""`blackjack` against an independent recursion over cards, and published numbers to stand at."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import endsight as es

CARDS = {**dict.fromkeys(range(1, 10), Fraction(1, 13)), 10: Fraction(4, 13)}
STAKE = Fraction(1)


def total(cards: tuple[int, ...]) -> int:
    """The best total of a list of cards."""
    return sum(cards) + (10 if 1 in cards and sum(cards) <= 11 else 0)


def natural(cards: tuple[int, ...]) -> bool:
    return sorted(cards) == [1, 10]


@cache
def dealt(cards: tuple[int, ...]) -> dict[int, Fraction]:
    """Chance of each final total of the dealer: 22 for more than 21, 23 for a natural."""
    if total(cards) >= 17:
        return {23 if natural(cards) else min(total(cards), 22): Fraction(1)}
    ends: dict[int, Fraction] = {}
    for card, chance in CARDS.items():
        for end, later in dealt(tuple(sorted((*cards, card)))).items():
            ends[end] = ends.get(end, Fraction(0)) + chance * later
    return ends


def stand(own: int, up: int) -> Fraction:
    pays = {end: STAKE if end == 22 or end < own else -STAKE if end > own else Fraction(0) for end in range(17, 24)}
    return sum((chance * pays[end] for end, chance in dealt((up,)).items()), Fraction(0))


@cache
def hit(cards: tuple[int, ...], up: int, again: bool = True) -> Fraction:
    worth = Fraction(0)
    for card, chance in CARDS.items():
        after = tuple(sorted((*cards, card)))
        worth += chance * (-STAKE if total(after) > 21 else best(after, up) if again else stand(total(after), up))
    return worth


@cache
def best(cards: tuple[int, ...], up: int) -> Fraction:
    """Worth of more than two cards, or of two without doubling."""
    return stand(21, up) if total(cards) == 21 else max(stand(total(cards), up), hit(cards, up))


@cache
def hand() -> Fraction:
    """Worth of the whole hand, in stakes."""
    worth = Fraction(0)
    for one, first in CARDS.items():
        for two, second in CARDS.items():
            for up, third in CARDS.items():
                pair = tuple(sorted((one, two)))
                if natural(pair):
                    end = (1 - dealt((up,)).get(23, Fraction(0))) * Fraction(3, 2)
                else:
                    end = max(best(pair, up), 2 * hit(pair, up, again=False))
                worth += first * second * third * end
    return worth


@cache
def solved() -> es.Solution:
    """The game as it is by default, which several tests ask."""
    return es.solve(es.games.Blackjack())


@pytest.mark.parametrize(("engine", "stake"), [("plain", 2), ("compiled", 10)])
def test_the_whole_hand_is_worth_what_a_recursion_over_cards_says(engine: str, stake: int) -> None:
    assert es.solve(es.games.Blackjack(stake=stake), engine=engine).values() == (stake * hand(),)


def test_all_chances_add_up() -> None:
    ends = solved().distribution()
    assert sum(ends.outcomes.values()) == 1
    assert set(ends.outcomes) == {-4, -2, 0, 2, 3, 4}
    assert ends.mean() == 2 * hand()


def test_every_decision_with_two_cards() -> None:
    solution = solved()
    for one in range(1, 11):
        for two in range(one, 11):
            for up in range(1, 11):
                if natural((one, two)):
                    continue
                cards = [("ace" if card == 1 else str(card)) for card in (one, two, up)]
                options = solution.options(solution.game.position(cards))
                found = {option.text: option.value[0] / 2 for option in options}
                assert found == {
                    "hit": hit((one, two), up),
                    "stand": stand(total((one, two)), up),
                    "double": 2 * hit((one, two), up, again=False),
                }


# Least hard totals to stand at by the dealer's card; R. R. Baldwin, W. E. Cantey, H. Maisel and
# J. P. McDermott, "The optimum strategy in blackjack" (Journal of the American Statistical Association 51, 1956).
STAND_AT = {2: 13, 3: 13, 4: 12, 5: 12, 6: 12, 7: 17, 8: 17, 9: 17, 10: 17, 11: 17}


@pytest.mark.parametrize("up", STAND_AT)
def test_published_numbers_to_stand_at(up: int) -> None:
    game = es.games.Blackjack()
    dealer = "ace" if up == 11 else str(up)
    for own in range(12, 21):
        place = game.position_from(f"hand={own} dealer={dealer} phase=deciding")
        wanted = "stand" if own >= STAND_AT[up] else "hit"
        assert es.solve(game, place).best_moves(place) == [wanted]


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("", "hand=0 dealer=0 phase=first-card"),
        ("ace", "hand=ace dealer=0 phase=second-card"),
        ("ace 10", "hand=natural dealer=0 phase=upcard"),
        ("ace 10 ace", "hand=natural dealer=ace phase=hole"),
        ("ace 6 9", "hand=soft-17 dealer=9"),
        ("ace 6 9 hit 8", "hand=15 dealer=9 phase=deciding"),
        ("6 5 9 double", "hand=11 dealer=9 doubled=yes phase=double"),
        ("6 5 9 double 10 7", "hand=21 dealer=16 doubled=yes phase=dealer"),
        ("10 6 10 hit 10", "hand=bust dealer=0 phase=over"),
        ("10 10 ace stand 10", "hand=20 dealer=natural phase=over"),
        ("10 6 ace stand 5 10 10", "hand=16 dealer=bust phase=over"),
    ],
)
def test_positions_read_as_they_are_shown(moves: str, text: str) -> None:
    game = es.games.Blackjack()
    place = game.position(moves)
    assert game.show(place.state) == text
    assert game.parse(text) == place.state
    assert "hand" not in game.draw(place.state)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hand=16",
        "hand=16 dealer=12",
        "hand=soft-9 dealer=2",
        "hand=16 dealer=10 doubled=yes",
        "hand=16 dealer=10 doubled=maybe",
        "hand=22 dealer=10",
        "hand=16 dealer=10 phase=asleep",
        "hand=bust dealer=18 phase=over",
        "hand=soft-16 dealer=18 phase=over",
        "hand=natural dealer=10",
    ],
)
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(es.PositionError, match="no such position"):
        es.games.Blackjack().position_from(text)


@pytest.mark.parametrize("stake", [-2, 0, 1, 3])
def test_stakes_that_cannot_pay_a_natural(stake: int) -> None:
    with pytest.raises(es.ParameterError, match="stake must be even"):
        es.games.Blackjack(stake=stake)


def test_rules_keep_the_contract() -> None:
    assert not es.check_rules(es.games.Blackjack()).faults
