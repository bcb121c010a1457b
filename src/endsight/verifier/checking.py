"""The verdict about a certificate: its game is made again, its evidence checked, its claim compared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import endsight.games as games
from endsight.faults import EndsightError, FileError, RulesError, Wrong
from endsight.game import Game
from endsight.printable import printable
from endsight.verifier.certificate import Certificate, describe
from endsight.verifier.claims import Induction, Witness
from endsight.verifier.evidence import by_bounds, by_induction, by_play, by_theorem
from endsight.verifier.rules import blaming, rules_hash
from endsight.verifier.walk import PolicyFunction, View, Walk

__all__ = ["Verdict", "verify"]


@dataclass(frozen=True)
class Verdict:
    """What a certificate proves: the claim in words, and a line for everything that was checked."""

    claim: str
    checked: tuple[str, ...]


def verify(
    certificate: Certificate | str | Path,
    game: Game | type[Game] | None = None,
    *,
    policies: Mapping[str, PolicyFunction] | None = None,
    seconds: float | None = None,
) -> Verdict:
    """Check a certificate, or the file of that name.

    `game` gives rules that are not built in, as a class or a game; `policies` by player's
    name the functions `function(game, state) -> move` that the claim fixes. Raises `Wrong`
    where the claim is not proven, `FileError` where the certificate is damaged or about
    other rules, `RulesError` where the rules fail, `LimitReached` after so many `seconds`.

    The clock is looked at between two positions. Rules that never return, or eat memory, are
    ended by the options `--time` and `--memory` of the commands `endsight verify` and
    `python -m endsight.verifier`, which work in a process of their own.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.read(certificate)
    made = _game(certificate, game)
    deadline = None if seconds is None else time.monotonic() + seconds
    with blaming(RulesError, f"{made.title()}: the rules do not work", EndsightError):
        checked = _checked(made, certificate, policies or {}, deadline)
    return Verdict(describe(certificate), tuple(checked))


def _game(certificate: Certificate, given: Game | type[Game] | None) -> Game:
    """The game of the certificate: built in, or of the rules that the user names."""
    name = certificate.kind
    if given is None:
        if certificate.own or name not in games.BUILT_IN.values():
            whose = f"the certificate is about rules of your own ({certificate.game!r:.60}), which run only where named"
            raise FileError(whose, advice="endsight verify FILE file.py:Class, in Python verify(certificate, Class)")
        given = getattr(games, name)
    kind = given if isinstance(given, type) else type(given)
    found = rules_hash(kind)
    if (kind.__name__, found) != (name, certificate.rules):
        raise FileError(
            "the certificate is about other rules than those here",
            found=f"{kind.__name__}, SHA-256 {found}",
            allowed=f"{name}, SHA-256 {certificate.rules}",
            advice="endsight prove GAME -o FILE, which proves it anew for the rules here",
        )
    with blaming(FileError, "the certificate's parameters make no game"):
        made = kind(**certificate.parameters)
    if given not in (kind, made):
        raise FileError("the certificate is about other parameters", found=repr(given)[:80], allowed=repr(made)[:80])
    return made


def _checked(
    game: Game, certificate: Certificate, given: Mapping[str, PolicyFunction], deadline: float | None
) -> list[str]:
    claim, evidence = certificate.claim, certificate.evidence
    view = View(game, claim, given)
    position = game.position() if claim.set_up is None else game.position_from(claim.set_up)
    for move in claim.position.split():
        position = position.after(move)
    lines = [f"the rules of {printable(certificate.kind)} are those that the claim is about"]
    shown: list[Walk] = []
    if isinstance(evidence, Witness):
        checked = by_theorem(view, position, claim, evidence)
    elif isinstance(evidence, Induction):
        checked, shown = by_induction(view, position, claim, deadline)
    else:
        checked, shown = by_bounds(view, position, claim, evidence, deadline)
    found = view.category(position.mover, claim.value)
    if claim.category not in (found, "value"):  # which says less
        raise Wrong(f"the category is {found!r}, not {claim.category!r}")
    if claim.outcomes is not None or certificate.play is not None:
        whole = View(game, claim, given, whole=True)
        checked += by_play(whole, position, claim, certificate.play, shown, deadline)
    return lines + checked
