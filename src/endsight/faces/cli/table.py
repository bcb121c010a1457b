"""`endsight table`: the policy, where it has a shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import endsight as es
from endsight.answers.explanation import table_rows, telling_columns
from endsight.errors import UsageError
from endsight.faces.cli.columns import Column
from endsight.faces.cli.command import STATES, asking, command, flag, option, single, stored_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.render import draw_footer, draw_head, draw_numbers, row_limit
from endsight.faces.cli.request import Asked, Request, respond
from endsight.faces.documents import rules_document, table_document
from endsight.faces.wording import Write, cell_text
from endsight.game.numbers import count_text
from endsight.game.position import as_text

MOST_ROWS = 100


@command(
    "endsight table repeatbust:sides=6,dice=2",
    "endsight table nim:heaps=1-2 --json",
    "endsight table pigturn:sides=8 --rule",
)
@takes(
    asking,
    flag("--rule is_rule", "Show rules short enough to remember, with their exact price."),
    single("--player", "NAME", "With --rule: whose rule (default the first player's)."),
    option("--rows most", "COUNT", "List up to COUNT positions (default 10 000).", STATES, default=10_000),
    stored_option,
)
def table(request: Request, is_rule: bool, player: str | None, most: int) -> int:
    """Show the policy as a table.

    The table has the game's own shape if there is one (thresholds, openings, an order of
    cards); otherwise it lists every reachable position, up to 10 000 or the number given
    by --rows. With --rule it lists the policies that the game names and the best simple
    thresholds, each with what it gives away.
    """
    if player is not None and not is_rule:
        raise UsageError("--player needs --rule", allowed="--rule --player NAME")
    if is_rule:
        return respond(
            request,
            document=lambda asked: rules_document(asked.solution, _rules(asked, player), asked.position),
            show=lambda asked: _show_rules(asked, player),
            rows=lambda document: document["rows"],
            columns=("player", "rule", "value", "loss"),
        )
    return respond(
        request,
        document=lambda asked: table_document(asked.solution, _rows(asked, most), asked.position),
        show=lambda asked: _show(asked, most),
        rows=lambda document: document["rows"],
    )


def _rules(asked: Asked, player: str | None) -> list[es.ShortRule]:
    game = asked.position.game
    options = asked.request.options(game, asked.solution.budget.progress)
    return es.short_rules(game, player, asked.position, best=asked.solution, **options)


def _show_rules(asked: Asked, player: str | None) -> None:
    screen, game = asked.output.screen, asked.position.game
    rules = _rules(asked, player)
    number = game.player_names.index(rules[0].price.player)
    draw_head(asked, at_hand=True)
    screen.line()
    replies = " against best replies" if game.player_count > 1 else ""
    screen.line(f"What {rules[0].price.player} gets with a short rule{replies}, and what the rule gives away:")
    screen.line()
    columns = [Column("rule", fit="wrap"), Column("value"), Column("gives away"), Column("at once")]

    def cells(rule: es.ShortRule, write: Write) -> Sequence[str]:
        price = rule.price
        at_once = 0 if price.worst is None else price.worst.regret
        return [rule.rule, *map(write, (price.value[number], price.loss, at_once))]

    draw_numbers(asked.output, columns, rules, cells)
    for rule in rules:
        if rule.tried > 1:
            tried = count_text(rule.tried, "such rule")
            screen.apart(f"By rounded numbers, `{rule.rule}` is the best of {tried} that were tried.")
    worst = rules[-1].price.worst
    if worst is not None and worst.move not in worst.best:
        place = as_text(game, "show", worst.position.state)
        screen.apart(
            f"The last rule is at its worst at {place}: {worst.move}, where {' or '.join(worst.best)} is best."
        )
    draw_footer(asked)


def _rows(asked: Asked, most: int) -> list[dict[str, Any]]:
    return table_rows(asked.solution, asked.position, most)


def _show(asked: Asked, most: int) -> None:
    screen, rows = asked.output.screen, _rows(asked, most)
    draw_head(asked, at_hand=True)
    screen.line()
    _draw_rows(asked.output, rows[:MOST_ROWS])
    row_limit(asked.output, min(MOST_ROWS, len(rows)), len(rows), "row")
    draw_footer(asked)


def _draw_rows(output: Output, shown: Sequence[Mapping[str, Any]]) -> None:
    keys, rows = telling_columns(shown)
    columns = [
        Column(
            key.replace("_", " "),
            "right" if _holds(rows, key, int) else "left",
            "wrap" if _holds(rows, key, list) else None,
        )
        for key in keys
    ]
    draw_numbers(output, columns, rows, lambda row, write: [cell_text(row.get(key), write) for key in keys])


def _holds(rows: Sequence[Mapping[str, Any]], key: str, kind: type) -> bool:
    return all(isinstance(row.get(key), kind | None) for row in rows)
