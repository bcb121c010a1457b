"""`repeat_columns`: backward induction over all rewards, in whole numbers over powers of the throws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from endsight.game import Position
from endsight.verifier.checkers import demand
from endsight.verifier.claims import Claim


def repeat_columns(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Expected reward under best play, or under one of the rules `myopic`, `myopic-roll`, `never`.

    From reward E W - N on (mean sum times all throws, less the number of dice) one more throw
    brings no more than it puts at risk, whatever the last sum: there all but `never` stop.
    """
    rule = claim.fixed.get("player")
    demand(claim.utility == "payoff" and rule in (None, "myopic", "myopic-roll", "never"), f"no rule {rule}")
    reward, last, phase = position.state
    given = position.game.values()
    throws, ways = given["sides"] ** given["dice"], _ways(given["sides"], given["dice"])
    total = sum(k * count for k, count in ways.items())
    top = total - given["dice"]
    if phase > 1 or (phase == 0 and reward >= top):
        return (Fraction(reward),)
    if rule == "never":
        return (Fraction(0),)
    # (reward, last sum) -> numerator and power of `throws` below it; what is missing stops.
    worths: dict[tuple[int, int], tuple[int, int]] = {}

    def thrown(have: int, busts: int, gains: int = 1) -> tuple[int, int]:
        """Worth of a throw in the air: any sum but `busts` goes on, scored unless `gains` is 0."""
        then = [(c, worths.get((have + k * gains, k), (have + k * gains, 0))) for k, c in ways.items() if k != busts]
        power = max((own for _, (_, own) in then), default=0)
        return sum(c * part * throws ** (power - own) for c, (part, own) in then), power + 1

    for have in range(top - 1, reward - 1, -1):
        any_sum, power = thrown(have, 0)
        powers = [0, *sorted(worths.get((have + k, k), (0, 0))[1] for k in ways)]
        for k, count in ways.items():
            part, own = worths.get((have + k, k), (have + k, 0))
            # Without the sum that busts a lower power may do; low powers are what makes this quick.
            rest = powers[-2] if own == powers[-1] else powers[-1]
            roll = (any_sum - count * part * throws ** (power - 1 - own)) // throws ** (power - 1 - rest)
            risk = total - count * (have + k)
            if roll > have * throws ** (rest + 1) if rule is None else risk >= (rule == "myopic"):
                worths[have, k] = roll, rest + 1
    scores = int(last > 0 or given["first"] == "scored")
    worth, power = worths.get((reward, last), (reward, 0)) if phase == 0 else thrown(reward, last, scores)
    return (Fraction(worth, throws**power),)


def _ways(sides: int, dice: int) -> Counter[int]:
    ways = Counter({0: 1})
    for _ in range(dice):
        ways = sum((Counter({k + face: n for k, n in ways.items()}) for face in range(1, sides + 1)), Counter())
    return ways
