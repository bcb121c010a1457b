"""`endsight value`: the value of a position, in one line."""

from __future__ import annotations

from endsight.errors import QuestionError, UsageError
from endsight.faces.cli.command import asking_fully, batch_output_options, command, flag, takes
from endsight.faces.cli.output import VALUE_COLUMNS
from endsight.faces.cli.request import Asked, Request, position_answer, respond
from endsight.faces.wording import listed_values, standing, verdict
from endsight.graph.plan import ONE_EQUILIBRIUM


@command(
    "endsight value pots:4-9-2-7",
    'endsight value repeatbust --at "7 roll 5" --json',
    "endsight value dominoes:@FILE --verdict",
    "endsight value tictactoe --at @positions.txt --jsonl",
)
@takes(
    asking_fully,
    flag("--verdict", "Print only Win, Lose or Draw, for the player who moves first in the game."),
    output=batch_output_options,
)
def value(request: Request, verdict: bool) -> int:
    """Print the value of a position in one line.

    Values count the whole game: what has been paid so far and what is still to
    come. For games that are only won, drawn or lost, the answer is the winner and
    the number of moves to the end.
    """
    if verdict and request.output.form != "people":
        raise UsageError("--verdict prints one word", allowed="no --json, --jsonl or --plain with it")
    return respond(
        request,
        document=lambda asked: position_answer(asked, moves=False),
        show=lambda asked: _say(asked, _verdict_word(asked) if verdict else _line(asked)),
        columns=VALUE_COLUMNS,
        stopped=lambda position, stop: request.unfinished(position, stop, moves=False),
        is_drawn=False,
    )


def _say(asked: Asked, text: str) -> None:
    asked.output.say(text)
    notion = ONE_EQUILIBRIUM if asked.solution.notion == ONE_EQUILIBRIUM else ""
    refusal = asked.solution.source.refusal
    uncompiled = refusal and f"the rules were not compiled: {refusal}"
    for note in filter(None, (notion, asked.solution.game.rests_on, uncompiled)):
        asked.output.note(note)


def _line(asked: Asked) -> str:
    if (result := verdict(asked.solution, asked.position)) is not None:
        return str(result)
    values = listed_values(asked.solution, asked.position, asked.output.number)
    return " · ".join(filter(None, (values, standing(asked.solution))))


def _verdict_word(asked: Asked) -> str:
    """Return `Win` if the player who moved first wins, even if it is another player's turn."""
    result = verdict(asked.solution, asked.position)
    if result is None:
        raise QuestionError(
            f"{asked.solution.game.title()} is not a game that is only won, drawn or lost",
            found=f"a value of {_line(asked)}",
            advice="the same without --verdict",
        )
    if result.winner is None:
        return "Draw"
    return "Win" if result.winner == asked.solution.game.player_names[0] else "Lose"
