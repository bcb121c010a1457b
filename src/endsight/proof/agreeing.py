"""The claim of a certificate: what can be proven of what was solved."""

from __future__ import annotations

from fractions import Fraction

from endsight.errors import Wrong
from endsight.game.numbers import Interval
from endsight.proof.claim_text import ends_text
from endsight.verifier.certificate import Ends


def agreed(name: str, proven: Ends, solved: Interval) -> Ends:
    """The bounds to claim: the solved bounds if proven, else the proven ones; `Wrong` if the two contradict."""
    low, high = proven
    if (low is not None and low > solved.upper) or (high is not None and high < solved.lower):
        texts = ends_text(proven), ends_text((solved.lower, solved.upper))
        raise Wrong(
            "the proven value differs from the solved one", found=f"{name}: proven {texts[0]}, solved {texts[1]}"
        )
    return (
        None if low is None else Fraction(min(low, solved.lower)),
        None if high is None else Fraction(max(high, solved.upper)),
    )
