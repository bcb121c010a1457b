"""What is said where a certificate is refused, in several lines and with names that help to go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endsight.base.faults import FileError, Wrong
from endsight.proof.claim_text import ends_text
from endsight.verifier.certificate import Certificate, Ends, Function

__all__ = ["absent_policy", "other_parameters", "other_rules", "other_value", "own_rules"]


def own_rules(certificate: Certificate) -> FileError:
    """A certificate about rules that are not built in, without the rules."""
    text = certificate.game["text"]
    return FileError(
        f"the certificate is about rules of your own ({text!r:.60}), which run only where named",
        advice="endsight verify FILE file.py:Class, in Python verify(certificate, Class)",
    )


def other_rules(certificate: Certificate, name: str, rules: str | None) -> FileError:
    """A certificate about rules of another name or text than `name` and its SHA-256 `rules`."""
    about = certificate.game
    return FileError(
        "the certificate is about other rules than here",
        found=f"{name}, SHA-256 {rules}",
        allowed=f"{about['class']}, SHA-256 {about['rules']}",
        advice="endsight prove GAME -o FILE, which proves it anew for the rules here",
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
