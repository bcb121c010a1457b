"""`python -m endsight.verifier FILE [file.py:Class]`: 0 the claim is proven, 4 it is not, 3 unreadable."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from endsight.faults import EndsightError, UsageError, Wrong
from endsight.verifier.certificate import Certificate, describe
from endsight.verifier.checking import verify
from endsight.verifier.rules import load
from endsight.verifier.words import verdict_document, verdict_text

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Check the file that the arguments name, say what was checked, and give the exit code."""
    checked: tuple[str, ...] = ()
    reason = None
    try:
        if not 1 <= len(arguments) <= 2:
            raise UsageError("one certificate is checked at a time", allowed="FILE, or FILE file.py:Class")
        certificate = Certificate.read(arguments[0])
        checked = verify(certificate, load(arguments[1]) if len(arguments) == 2 else None).checked
    except Wrong as error:
        reason = str(error)
    except EndsightError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    print(verdict_text(verdict_document(describe(certificate), checked, reason)))
    return 0 if reason is None else Wrong.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
