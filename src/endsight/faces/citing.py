"""A one-line citation of an answer: version, game, value, method, and certificate."""

from __future__ import annotations

from hashlib import sha256

from endsight import __version__
from endsight.answers.solution import Solution
from endsight.errors import UsageError
from endsight.game.arguments import as_kind
from endsight.game.numbers import Amount, Number, exact_text, is_enclosed, short_decimal, simplest
from endsight.proof.claim_text import describe
from endsight.verifier import Certificate

_LONGEST = 60
"""Fractions of more characters are given as decimals."""


def cite(solution: Solution, certificate: Certificate | None = None) -> str:
    """Return a line for papers and reports that lets others reproduce the value of a solution.

    `certificate` is one that `endsight.prove` made from it: the line then has the claim in its words, and the SHA-256
    of its text. Raises `UsageError` for objects of another kind, and for a certificate of another game or position.
    """
    as_kind(solution, Solution, "cite", "solution = endsight.solve(GAME)")
    if certificate is None:
        claimed, proof = _claim(solution), ""
    else:
        as_kind(certificate, Certificate, "cite", "certificate = endsight.prove(solution)")
        _require_same(solution, certificate)
        claimed = describe(certificate)
        proof = f"; certificate with SHA-256 {sha256(certificate.to_text().encode()).hexdigest()}"
    return f"endsight {__version__}; {claimed}; found by {solution.method}{proof}."


def _claim(solution: Solution) -> str:
    place = f"after {solution.position.text!r}" if solution.position.history else "at the start"
    worth = ", ".join(f"{name} {_amount(value)}" for name, value in solution.value().items())
    return f"{solution.game!r} {place}: {worth}"


def _amount(value: Amount) -> str:
    if is_enclosed(value):
        return f"between {_number(value.lower)} and {_number(value.upper)}"
    return _number(value)


def _number(value: Number) -> str:
    text = exact_text(simplest(value))
    return text if text is not None and len(text) <= _LONGEST else short_decimal(value)


def _require_same(solution: Solution, certificate: Certificate) -> None:
    own, other = (
        (type(solution.game).__name__, solution.position.text),
        (certificate.game["class"], certificate.claim.position),
    )
    if own != other:
        raise UsageError(
            "the certificate is not about this solution",
            found=repr(certificate),
            allowed=f"a certificate of {solution!r}",
            advice="endsight.prove(solution)",
        )
