"""The contract check: does a game fulfil the contract of `endsight.Game`?

`check` chooses the states, `inspection` calls every rule on one of them, `texts` checks the text forms, `memory`
notices changes by a rule, `symmetry` and `loops` judge claims about several states. `faults` holds the findings.
"""

from __future__ import annotations

from endsight.rules_check.check import Report, check_rules
from endsight.rules_check.faults import Fault

__all__ = ["Fault", "Report", "check_rules"]
