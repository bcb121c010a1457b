"""Fractions in random rules: made, added, compared, chosen, and what is refused of them."""

from __future__ import annotations

from program_writer import EXPRESSIONS, FRACTIONS, Scope, Writer, drawn

_CONSTANTS = ("Fraction(1, 2)", "Fraction(-2, 3)", "Fraction(3, 4)", "Fraction(5)", "Fraction(-1, 6)", "Fraction(0)")


@drawn(FRACTIONS, "fractions")
def share_of(w: Writer, scope: Scope, depth: int) -> str:
    """An expression for a fraction, or here and there a whole number in its place."""
    number = lambda most: f"({w.number(scope, 1)}) % {most}"  # noqa: E731
    if depth <= 0:
        return w.one(
            *_CONSTANTS,
            f"Fraction({number(29)} - 9, {w.random.randint(1, 9)})",
            f"{w.one(*_CONSTANTS)} * ({number(50)})",
        )
    inner = lambda: f"({share_of(w, scope, depth - 1)})"  # noqa: E731
    if w.is_trapped("fraction", 0.08):
        w.tags.add("fraction")
        return w.one(
            *(f"{inner()} * {inner()}", f"{inner()} / 2", f"{inner()} // 2", f"{inner()} and True"),
            *(f"[{inner()}, {w.test(scope, 1)}][{number(2)}]", f"max({inner()}, {w.test(scope, 1)})"),
            *(f"sum([{inner()}][{number(2)}:], True)", f"sorted([{w.test(scope, 1)}, {inner()}])[0]"),
        )
    one, other, third = inner(), inner(), inner()
    return w.one(
        f"{one} {w.one('+', '-')} {other}",
        f"{one} * {w.one('Fraction(1, 3)', '2', number(7), 'Fraction(-3, 2)')}",
        f"{w.one('min', 'max')}({one}, {other}, {w.one(third, number(7), '1')})",
        f"{w.one('abs', '-', '+', 'Fraction')}({one})",
        f"({one} if {w.test(scope, 1)} else {w.one(other, number(5), '0')})",
        f"({one} {w.one('or', 'and')} {w.one(other, number(5))})",
        f"({w.one(*_CONSTANTS)}, {w.one(*_CONSTANTS, '2')}, {w.one(*_CONSTANTS, '1')})[{number(3)}]",
        f"sum(Fraction(part, {w.random.randint(1, 5)}) for part in ({number(5)}, {number(7)}))",
        f"sum([{one}, {other}], {w.one('1', 'Fraction(1, 2)')})",
        f"sorted([{one}, {other}, {third}], reverse={w.one('True', 'False')})[{w.one('0', '1', '-1')}]",
        f"Fraction({number(9)}, 1 + ({number(3)}, {number(3)}, 1).count({w.one('0', '1')}))",
        f"Fraction({number(19)}, {number(6)} + 1)",
        f"Fraction({number(19)}, min({number(9)}, 5))" if w.is_trapped("fraction by 0", 0.5) else one,
        f"[{one}, {other}][{number(2)}]",
        f"(lambda part: part * 2 + {one})({other})",
    )


@drawn(EXPRESSIONS, "comparison of fractions", 0.5)
def compared(w: Writer, scope: Scope, depth: int) -> str:
    sign = w.one("<", ">", "<=", ">=", "==", "!=")
    w.imports.append("from fractions import Fraction")
    return f"int({share_of(w, scope, 1)} {sign} {w.one(share_of(w, scope, 1), w.number(scope, depth))})"
