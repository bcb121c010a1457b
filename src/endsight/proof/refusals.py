"""What is said where a certificate is refused, in several lines and with names that help to go on."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from endsight.base.faults import FileError, Wrong
from endsight.game import late
from endsight.proof.claim_text import ends_text
from endsight.verifier.certificate import SCHEMA, Certificate, Ends, Function


def unreadable(file: str, found: str) -> FileError:
    """A text, or a file of that name, that is no certificate, with what is wrong in it."""
    return FileError(
        f"{file or 'the certificate'} is not a certificate that can be read",
        found=found,
        allowed=f"a file of the kind {SCHEMA}",
        advice=f"{shlex.join(['endsight', 'prove', 'GAME', '-o', file or 'FILE'])}, with the name of the game",
    )


def own_rules(certificate: Certificate) -> FileError:
    """A certificate about rules that are not built in, without the rules."""
    text, kind = certificate.game["text"], certificate.game["class"]
    rules = late("naming.class_names").file_in_front(text)
    named = f"{rules}:{kind}" if rules is not None else text if set(text) & set(".:/") else f"file.py:{kind}"
    command = shlex.join(["endsight", "verify", certificate.file, named])
    return FileError(
        f"the certificate is about rules of your own ({text!r:.60}), which run only where named",
        advice=f"{command}, in Python " * bool(certificate.file) + f"endsight.verify(certificate, {kind})",
    )


def other_rules(certificate: Certificate, name: str, rules: str | None) -> FileError:
    """A certificate about rules of another name or text than `name` and its SHA-256 `rules`."""
    about = certificate.game
    command = ["endsight", "prove", about["text"], "-o", certificate.file or "FILE"]
    return FileError(
        "the certificate is about other rules than here",
        found=f"{name}, SHA-256 {rules}",
        allowed=f"{about['class']}, SHA-256 {about['rules']}",
        advice=f"{shlex.join(command)}, which proves it anew for the rules here",
    )


def other_parameters(certificate: Certificate, values: Mapping[str, Any]) -> FileError:
    """A certificate about a game with other parameters than `values`."""
    return FileError(
        "the certificate is about other parameters",
        found=f"{certificate.game['parameters']}"[:80],
        allowed=f"{values}"[:80],
    )


def absent_policy(name: str, rule: str | Function) -> FileError:
    """A player follows a policy that neither the rules have nor anybody has given."""
    function = rule if isinstance(rule, str) else rule["function"]
    return FileError(
        f"{name} plays {function!r}, a policy that is not here",
        advice=f"--fix {name}=file.py:{function}, the file that was proven: policies run only where named",
    )


def other_value(name: str, proven: Ends, claimed: Ends) -> Wrong:
    """More is claimed of a player than is proven."""
    found = f"proven {ends_text(proven)}, claimed {ends_text(claimed)}"
    return Wrong(f"the value of {name} is not as claimed", found=found)
