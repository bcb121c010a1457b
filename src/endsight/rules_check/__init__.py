"""The contract check: does a game keep to what `endsight.Game` asks of its rules?

`check` chooses the states, `inspection` asks every rule about one of them, `texts` looks
at what is shown and read back, `memory` notices what a rule changes, `symmetry` and
`loops` judge claims about several states. `faults` is what they find.
"""

from __future__ import annotations

from endsight.rules_check.check import Report, check_rules
from endsight.rules_check.faults import Fault

__all__ = ["Fault", "Report", "check_rules"]
