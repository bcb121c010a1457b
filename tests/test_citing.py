"""Values as they are shown, and the line that an answer is cited by."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256

import pytest

import endsight as es
from endsight.answers.amounts_by_player import AmountsByPlayer


def test_short_values_look_like_a_dictionary() -> None:
    value = es.solve("pots:4-9-2-7").value()
    assert value == {"first": 16, "second": 6}
    assert repr(value) == "{'first': Fraction(16, 1), 'second': Fraction(6, 1)}" == repr(dict(value))


def test_long_fractions_are_shown_as_decimals_with_their_bits() -> None:
    value = es.solve("repeatbust").value()
    bits = value["player"].numerator.bit_length() + value["player"].denominator.bit_length()
    assert repr(value) == f"{{'player': ≈ 22.588601 (a fraction of {bits:,} bits)}}"
    assert str(value["player"]).startswith("26129553156314723589806717104")


@pytest.mark.parametrize(
    ("amount", "typeset"),
    [
        (Fraction(16), "16"),
        (Fraction(-1, 18), r"-\tfrac{1}{18}"),
        (Fraction(1, 3**60), r"\tfrac{1}{42391158275216203514294433201}"),
        (Fraction(2**190, 3**119), r"\approx 2.619810"),
        (es.Interval(Fraction(1, 3), Fraction(1, 2)), r"[\tfrac{1}{3}, \tfrac{1}{2}]"),
        (es.Interval.without_limit(-1), r"[-\infty, -\infty]"),
    ],
)
def test_latex(amount: Fraction | es.Interval, typeset: str) -> None:
    assert AmountsByPlayer({"first": amount})._repr_latex_() == rf"$\text{{first}}\colon {typeset}$"


def test_latex_of_names_that_tex_would_read_as_commands() -> None:
    shown = AmountsByPlayer({r"a_b\input{x}$": Fraction(1), "c": Fraction(2)})._repr_latex_()
    assert shown == r"$\text{a\_binput\{x\}\$}\colon 1,\quad \text{c}\colon 2$"


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
