"""`endsight analyze`: a drawing of the position, and the value of every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from endsight.errors import UsageError
from endsight.faces.cli.columns import DIM, STRONG, Column
from endsight.faces.cli.command import command
from endsight.faces.cli.options import asking, batch_output_options, distance_option, keep_option, stored_option, takes
from endsight.faces.cli.output import MOVE_COLUMNS, Output
from endsight.faces.cli.render import draw_facts, draw_footer, draw_head, draw_moves, draw_seen
from endsight.faces.cli.request import Asked, Request
from endsight.faces.cli.respond import position_answer, respond
from endsight.faces.documents import policy_entries, seen_document
from endsight.game.position import as_text
from endsight.naming.specification import load_policy

if TYPE_CHECKING:
    from endsight.answers.policy_pricing import PolicyLoss
    from endsight.answers.seen import SeenPosition


@command(
    'endsight analyze tictactoe --at "a1 b2"',
    "endsight analyze pots:4-9-2-7-5-3-8-1",
    'endsight analyze repeatbust --position "reward=35 last=7"',
    "endsight analyze pig:target=10 --policy first=hold20",
    'endsight analyze goofspiel --as first --at "2 3-1 1"',
)
@takes(
    asking,
    distance_option,
    keep_option,
    click.option(
        "--policy",
        metavar="PLAYER=POLICY",
        help="Add what that player loses by following a policy, and its worst decision.",
    ),
    click.option(
        "--as",
        "player",
        metavar="PLAYER",
        help="The position as that player sees it; in --at, ? stands for what the player has not seen.",
    ),
    click.option(
        "--range",
        "has_ranges",
        is_flag=True,
        help="With --as: the least and the largest chance of every move over all optimal plans.",
    ),
    stored_option,
    batch_output_options,
)
def analyze(request: Request, output: Output, policy: str | None, player: str | None, has_ranges: bool) -> int:
    """A position drawn, and what every move is worth.

    Regret is what a move gives away against the best one. ▲ is the best move, ● one
    as good as the best, ▼ a worse one; losing moves are shown with the line that
    refutes them.
    """
    if player is not None:
        if policy is not None:
            raise UsageError("--as and --policy cannot be combined", allowed="endsight exploit prices policies")
        return answer_as(request, output, player, ranges=has_ranges)
    if has_ranges:
        raise UsageError("--range describes one player's moves", allowed="--as PLAYER --range")
    return respond(
        request,
        output,
        document=lambda asked: position_answer(output, asked, moves=True) | _policy_entries(request, asked, policy),
        show=lambda asked: _show(request, output, asked, policy),
        rows=lambda document: document["moves"],
        columns=MOVE_COLUMNS,
        stopped=lambda position, stop: request.unfinished(position, stop, moves=True),
    )


def _policy_entries(request: Request, asked: Asked, policy: str | None) -> dict[str, Any]:
    if policy is None:
        return {}
    return policy_entries(_loss(request, asked, policy), asked.position)


def _loss(request: Request, asked: Asked, policy: str) -> PolicyLoss:
    from endsight.answers.policy_pricing import policy_loss

    game = asked.position.game
    player, rule = load_policy(game, policy)
    options = request.options(game, asked.solution.budget.progress)
    return policy_loss(game, player, rule, asked.position, best=asked.solution, **options)


def _show(request: Request, output: Output, asked: Asked, policy: str | None) -> None:
    screen = output.screen
    loss = None if policy is None else _loss(request, asked, policy)
    draw_head(screen, output, asked, request.loaded.title)
    draw_moves(screen, output, asked)
    draw_facts(screen, output, asked.solution.facts(asked.position))
    if loss is not None:
        _draw_loss(output, asked, str(policy), loss)
    draw_footer(screen, asked)
    if asked.solution.plan is not None:
        screen.line(asked.solution.plan.reason, DIM)


def _draw_loss(output: Output, asked: Asked, policy: str, found: PolicyLoss) -> None:
    """Draw the policy's value, its total loss, and where it gives away most at once."""
    screen, worst = output.screen, found.worst
    names = asked.solution.game.player_names
    brings = ", ".join(f"{name} {output.number(value)}" for name, value in zip(names, found.value, strict=True))
    rows = [("brings", brings if len(names) > 1 else output.number(found.value[0]))]
    rows.append(("gives away in all", output.number(found.loss)))
    if worst is None:
        rows.append(("worst decision", "none gives anything away"))
    else:
        state = as_text(worst.position.game, "show", worst.position.state)
        rows.append(("worst decision", f"{worst.move or 'a random move'}, where {' or '.join(worst.best)} is best"))
        rows.append(("gives away there", output.number(worst.regret)))
        rows.append(("position there", state))
        rows.append(("after", worst.position.text or "no moves"))
    screen.line()
    replies = ", with best replies:" if len(names) > 1 else ":"
    screen.line(policy.replace("=", " playing ", 1) + replies, STRONG)
    screen.table([Column(), Column(fit="wrap")], rows)


def answer_as(request: Request, output: Output, player: str, *, ranges: bool) -> int:
    """Show what that player knows and the values of moves given only that knowledge; return the exit code."""
    if request.position is not None:
        raise UsageError("--as goes by what a player has seen on the way", allowed="--at MOVES, with ? for the unseen")
    if output.form == "jsonl":
        raise UsageError("--as answers one position", allowed="--json")
    start = request.loaded.position
    moves = [*start.history, *request.at_text.split()]

    def seen(asked: Asked) -> SeenPosition:
        return asked.solution.seen_by(player, moves, ranges=ranges)

    def document(asked: Asked) -> dict[str, Any]:
        return seen_document(asked.solution, seen(asked))

    if output.form == "people":
        request.answer(lambda asked: _show_as(request, output, asked, seen(asked)), start)
    elif output.form == "plain":
        output.rows(request.answer(document, start)["moves"], (*MOVE_COLUMNS, *["range"] * ranges))
    else:
        output.document(request.answer(document, start))
    return 0


def _show_as(request: Request, output: Output, asked: Asked, found: SeenPosition) -> None:
    screen, names = output.screen, asked.solution.game.player_names
    after = f" · after {found.position.text}" if found.position.history else ""
    screen.title(request.loaded.title, f"{after} · as {found.player} sees it")
    screen.apart(f"{found.player} sees {found.sees}")
    draw_seen(output, found, names)
    draw_footer(screen, asked)
