"""Messages for refused certificates, in several lines and with names that help the user to continue."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from endsight.base.faults import FileError, Wrong
from endsight.game.exact import late
from endsight.proof.claim_text import ends_text

if TYPE_CHECKING:
    from endsight.verifier.certificate import Certificate, Ends, Fixed


def unreadable(file: str, found: str, schema: str) -> FileError:
    """The error for a text, or a file of that name, that is no certificate of this schema, with what is wrong in it."""
    return FileError(
        f"{file or 'the certificate'} is not a certificate that can be read",
        found=found,
        allowed=f"a file of the kind {schema}",
        advice=f"{shlex.join(['endsight', 'prove', 'GAME', '-o', file or 'FILE'])}, with the name of the game",
    )


def own_rules(certificate: Certificate) -> FileError:
    """The error for a certificate about rules that are not built in, where the rules are missing."""
    text, kind = certificate.game["text"], certificate.game["class"]
    rules = late("naming.class_names").file_in_front(text)
    named = f"{rules}:{kind}" if rules is not None else text if set(text) & set(".:/") else f"file.py:{kind}"
    command = shlex.join(["endsight", "verify", certificate.file, named])
    return FileError(
        f"the certificate is about rules of your own ({text!r:.60}), which run only if you name them",
        advice=f"{command}, in Python " * bool(certificate.file) + f"endsight.verify(certificate, {kind})",
    )


def other_rules(certificate: Certificate, name: str, rules: str | None) -> FileError:
    """The error for a certificate about rules other than `name` with the SHA-256 `rules`."""
    about = certificate.game
    command = ["endsight", "prove", about["text"], "-o", certificate.file or "FILE"]
    return FileError(
        "the certificate is about different rules from those here",
        found=f"{name}, SHA-256 {rules}",
        allowed=f"{about['class']}, SHA-256 {about['rules']}",
        advice=f"{shlex.join(command)}, which proves it anew for the rules here",
    )


def other_parameters(certificate: Certificate, values: Mapping[str, Any]) -> FileError:
    """The error for a certificate about a game with parameters other than `values`."""
    return FileError(
        "the certificate is about different parameters",
        found=f"{certificate.game['parameters']}"[:80],
        allowed=f"{values}"[:80],
    )


def absent_policy(name: str, rule: str | Fixed) -> FileError:
    """The error for a player's policy that is neither in the rules nor given by the user."""
    function = rule if isinstance(rule, str) else rule["function"]
    return FileError(
        f"{name} plays {function!r}, a policy that was not given",
        advice=f"--fix {name}=file.py:{function}, the file used for the proof: policies run only if you name them",
    )


def other_value(name: str, proven: Ends, claimed: Ends) -> Wrong:
    """The error where more is claimed of a player than is proven."""
    found = f"proven {ends_text(proven)}, claimed {ends_text(claimed)}"
    return Wrong(f"the value of {name} is not as claimed", found=found)
