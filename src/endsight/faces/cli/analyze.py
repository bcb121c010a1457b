"""`endsight analyze`: a drawing of the position, and the value of every move."""

from __future__ import annotations

from typing import Any

import endsight as es
from endsight.errors import UsageError
from endsight.faces.answer_rows import loss_rows
from endsight.faces.cli.columns import DIM, STRONG
from endsight.faces.cli.command import asking_fully, batch_output_options, command, flag, option, single, takes
from endsight.faces.cli.output import MOVE_COLUMNS
from endsight.faces.cli.render import draw_facts, draw_footer, draw_head, draw_moves, draw_seen
from endsight.faces.cli.request import Asked, Request, position_answer, respond
from endsight.faces.documents import policy_entries, seen_document
from endsight.naming.specification import load_policy


@command(
    'endsight analyze tictactoe --at "a1 b2"',
    "endsight analyze pots:4-9-2-7-5-3-8-1",
    'endsight analyze repeatbust --position "reward=35 last=7"',
    "endsight analyze pig:target=10 --policy first=hold20",
    'endsight analyze goofspiel --as first --at "2 3-1 1"',
)
@takes(
    asking_fully,
    single("--policy", "PLAYER=POLICY", "Add what that player loses by following a policy, and its worst decision."),
    option(
        "--as player",
        "PLAYER",
        "Show the position as that player sees it; in --at, ? stands for what the player has not seen.",
    ),
    flag("--range ranges", "With --as: the smallest and the largest chance of every move over all optimal plans."),
    output=batch_output_options,
)
def analyze(request: Request, policy: str | None, player: str | None, ranges: bool) -> int:
    """Draw a position, and show what every move is worth.

    Regret is what a move gives away compared with the best one. ▲ marks the only best
    move, ● one of several best moves, ▼ a worse one. Losing moves come with the line
    that refutes them.
    """
    if player is not None:
        if policy is not None:
            raise UsageError(
                "--as and --policy cannot be combined", allowed="endsight exploit, which evaluates policies"
            )
        return _answer_as(request, player, ranges=ranges)
    if ranges:
        raise UsageError("--range describes one player's moves", allowed="--as PLAYER --range")
    return respond(
        request,
        document=lambda asked: (
            position_answer(asked, moves=True)
            | ({} if policy is None else policy_entries(_loss(asked, policy), asked.position))
        ),
        show=lambda asked: _show(asked, policy),
        rows=lambda document: document["moves"],
        columns=MOVE_COLUMNS,
        stopped=lambda position, stop: request.unfinished(position, stop, moves=True),
    )


def _loss(asked: Asked, policy: str) -> es.PolicyLoss:
    game = asked.position.game
    player, rule = load_policy(asked.request.loaded.game, policy)
    options = asked.request.options(game, asked.solution.budget.progress)
    return es.policy_loss(game, player, rule, asked.position, best=asked.solution, **options)


def _show(asked: Asked, policy: str | None) -> None:
    draw_head(asked)
    draw_moves(asked)
    draw_facts(asked.output, asked.solution.facts(asked.position))
    if policy is not None:
        _draw_loss(asked, policy, _loss(asked, policy))
    draw_footer(asked)
    if asked.solution.plan is not None:
        asked.output.screen.line(asked.solution.plan.reason, DIM)


def _draw_loss(asked: Asked, policy: str, loss: es.PolicyLoss) -> None:
    output, names = asked.output, asked.solution.game.player_names
    replies = ", with best replies:" if len(names) > 1 else ":"
    output.screen.apart(policy.replace("=", " playing ", 1) + replies, STRONG)
    output.screen.pairs(loss_rows(loss, names, output.number))


def _answer_as(request: Request, player: str, *, ranges: bool) -> int:
    """Show what that player knows and the values of moves given only that knowledge; return the exit code."""
    if request.position is not None:
        raise UsageError("--as needs the moves that led to the position", allowed="--at MOVES, with ? for the unseen")
    output, start = request.output, request.loaded.position
    if output.form == "jsonl":
        raise UsageError("--as answers one position", allowed="--json")
    moves = [*start.history, *request.at_text.split()]

    def seen(asked: Asked) -> es.SeenPosition:
        return asked.solution.seen_by(player, moves, ranges=ranges)

    def document(asked: Asked) -> dict[str, Any]:
        return seen_document(asked.solution, seen(asked))

    if output.form == "people":
        request.answer(lambda asked: _show_as(asked, seen(asked)), start)
    else:
        columns = (*MOVE_COLUMNS, *["range"] * ranges)
        output.write(request.answer(document, start), lambda document: document["moves"], columns)
    return 0


def _show_as(asked: Asked, seen: es.SeenPosition) -> None:
    screen = asked.output.screen
    after = f" · after {seen.position.text}" if seen.position.history else ""
    screen.title(asked.request.loaded.title, f"{after} · as {seen.player} sees it")
    screen.apart(f"{seen.player} sees {seen.sees}")
    draw_seen(asked.output, seen, asked.solution.game.player_names)
    draw_footer(asked)
