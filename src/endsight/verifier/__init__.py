"""Checks a certificate against the rules of its game, and trusts nothing else.

It uses the standard library alone, and of the package only what rules are written with: `endsight.game`,
`endsight.game.exact` and `endsight.base.faults`. It enumerates states again from the rules in plain
Python. The files, in reading order:

certificate  the format: what is claimed, and the evidence, as plain data
rules        which text a certificate is about
walk         all positions that play can reach
checking     what evidence proves, and the verdict

and, each loaded only for evidence that needs it:

theorems     a checker for each theorem
plans        what two players with different views can secure
beliefs      what players know who share one view but do not see everything

`python -m endsight.verifier FILE [file.py:Class]` is a command of its own. Exit codes: 0 the claim is
proven, 4 it is not, 3 the certificate or the rules cannot be read, 5 a limit was passed (`--time`, `--memory`).
"""

from __future__ import annotations

from endsight.verifier.certificate import SCHEMA, Certificate
from endsight.verifier.checking import Verdict, verify
from endsight.verifier.rules import load

__all__ = ["SCHEMA", "Certificate", "Verdict", "load", "verify"]
