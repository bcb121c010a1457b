"""The contract check: does a game fulfil the contract of `endsight.Game`?

`check` chooses the states, `inspection` calls every rule on one of them, `texts` checks the text forms, `symmetry` and
`loops` judge claims about several states. `asking` records the faults, and notices changes by a rule.
"""
