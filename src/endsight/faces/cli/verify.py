"""`endsight verify`: is the claim of a certificate true?"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from endsight.errors import UsageError, Wrong
from endsight.faces.cli.command import argument, command, cost_options, option, takes
from endsight.faces.cli.output import Output
from endsight.naming.specification import rules_named
from endsight.proof.claim_text import describe, verdict_text
from endsight.verifier import Certificate, load
from endsight.verifier import verify as checked


@command(
    "endsight verify draw.cert",
    "endsight verify mine.cert mygame.py:MyGame",
    "endsight verify bold.cert --fix player=policies.py:bold",
)
@takes(
    argument("file", "FILE"),
    argument("rules", "[FILE.py:Class]", required=False),
    option("--fix", "PLAYER=FILE.py:FUNCTION", "The file with the policy that the claim names.", multiple=True),
    cost_options,
)
def verify(
    output: Output, file: str, rules: str | None, fix: tuple[str, ...], seconds: float | None, **_memory: object
) -> int:
    """Check a certificate against the rules of its game.

    The states are enumerated again from the rules in plain Python, without any part of the
    solver. Rules and policies that are not part of endsight run only if you name them. The
    exit code is 0 if the claim is proven, 4 if it is not, and 3 if the certificate cannot
    be read or is about different rules.
    """
    certificate = Certificate.read(file)
    claim = describe(certificate)
    lines: tuple[str, ...] = ()
    reason = None
    try:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            # Output of rules and policies is not part of the verdict.
            kind, policies = rules_named(rules) if rules else None, dict(_policies(fix))
            lines = checked(certificate, kind, policies=policies, seconds=seconds).checked
    except Wrong as error:
        reason = str(error)
    document: dict[str, Any] = {"schema": "endsight.verdict/1", "claim": claim, "checked": list(lines)}
    document |= {"verdict": "proven" if reason is None else "wrong", "reason": reason}

    def draw() -> None:
        for line in verdict_text(claim, lines, reason).splitlines():
            output.screen.line(line, hanging=2)

    output.answer(document, draw, lambda document: [document | {"checked": "; ".join(lines)}])
    return 0 if reason is None else Wrong.exit_code


def _policies(texts: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for text in texts:
        player, equals, spec = text.partition("=")
        if not equals or ".py:" not in spec:
            raise UsageError(f"{text[:80]!r} does not say who plays how", allowed="PLAYER=file.py:function")
        yield player.strip(), load(spec.strip())
