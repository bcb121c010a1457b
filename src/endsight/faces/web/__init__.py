"""The local page and its JSON API: what `endsight serve` runs. Needs the extra `[web]`.

One process answers requests and never solves anything (`server`, `guard`, `api`,
`pages`); worker processes load rules, solve and prepare answers (`worker`, `answer_service`), so
that each can be limited, cancelled and replaced (`pool`).
"""
