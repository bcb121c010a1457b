"""Values as they are shown, and the line that an answer is cited by."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

import pytest

import endsight as es


def test_short_values_look_like_a_dictionary() -> None:
    value = es.solve("pots:4-9-2-7").value()
    assert value == {"first": 16, "second": 6}
    assert repr(value) == "{'first': Fraction(16, 1), 'second': Fraction(6, 1)}" == repr(dict(value))


def test_long_fractions_are_shown_as_decimals_with_their_bits() -> None:
    value = es.solve("repeatbust").value()
    bits = value["player"].numerator.bit_length() + value["player"].denominator.bit_length()
    assert repr(value) == f"{{'player': ≈ 22.588601 (a fraction of {bits:,} bits)}}"
    assert str(value["player"]).startswith("26129553156314723589806717104")


class Paying(es.Game):
    """One move, and an amount is paid."""

    player_names = (r"a_b\input{x}$", "c")
    amount: Fraction = Fraction(1)

    class State(NamedTuple):
        is_over: bool

    def limits(self) -> State:
        return self.State(True)

    def start(self) -> State:
        return self.State(False)

    def moves(self, state: State) -> list[int]:
        return [] if state.is_over else [0]

    def play(self, state: State, move: int) -> State:
        return self.State(True)

    def payoff(self, state: State) -> tuple[Fraction, int]:
        return self.amount, 2


@pytest.mark.parametrize(
    ("amount", "typeset"),
    [
        (Fraction(16), "16"),
        (Fraction(-1, 18), r"-\tfrac{1}{18}"),
        (Fraction(1, 3**60), r"\tfrac{1}{42391158275216203514294433201}"),
        (Fraction(2**190, 3**119), r"\approx 2.619810"),
    ],
)
def test_latex_also_of_names_that_tex_would_read_as_commands(amount: Fraction, typeset: str) -> None:
    shown = es.solve(Paying(amount)).value()._repr_latex_()
    assert shown == rf"$\text{{a\_binput\{{x\}}\$}}\colon {typeset},\quad \text{{c}}\colon 2$"


def test_latex_of_proven_bounds() -> None:
    value = es.solve("pig:target=10", interval=True).value()
    for name, ends in value.items():
        low, high = (str(end).replace("-", "").partition("/") for end in (ends.lower, ends.upper))
        sign = "-" * (ends.upper < 0)
        shown = rf"\text{{{name}}}\colon [{sign}\tfrac{{{low[0]}}}{{{low[2]}}}, {sign}\tfrac{{{high[0]}}}{{{high[2]}}}]"
        assert shown in value._repr_latex_()


def test_a_line_to_cite() -> None:
    line = es.cite(es.solve("kuhn"))
    assert line == (
        f"endsight {es.__version__}; Kuhn(cards=3) at the start: first -1/18, second 1/18; found by sequence form."
    )


def test_a_line_to_cite_with_a_certificate() -> None:
    solution = es.solve("pots:4-9-2-7", "L")
    certificate = es.prove(solution)
    line = es.cite(solution, certificate)
    assert "Pots(pots=[4,9,2,7]) after 'L': first 11, second 11; found by" in line
    assert line.endswith(f"certificate with SHA-256 {sha256(certificate.to_text().encode()).hexdigest()}.")


def test_a_certificate_of_something_else_is_not_cited() -> None:
    certificate = es.prove(es.solve("pots:4-9-2-7"))
    for solution in (es.solve("pots:4-9-2-7", "L"), es.solve("nim")):
        with pytest.raises(es.UsageError, match="not about this solution"):
            es.cite(solution, certificate)
    with pytest.raises(es.UsageError, match="cite takes"):
        es.cite("pots:4-9-2-7")  # type: ignore[arg-type]
