"""`endsight fair`: how even a game is."""

from __future__ import annotations

from endsight.answers.explanation import Fairness, fairness
from endsight.faces.answer_rows import fairness_rows
from endsight.faces.cli.columns import Column
from endsight.faces.cli.command import asking, command, stored_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.render import draw_footer, draw_head, short_exact
from endsight.faces.cli.request import Asked, Request, respond
from endsight.faces.documents import fair_document
from endsight.faces.wording import approximate, percent
from endsight.game.numbers import Amount, is_enclosed

COLUMNS = ("game", "position", "value", "seat_advantage", "win", "draw", "lose", "length", "forced", "costless")


@command(
    "endsight fair pig:target=10",
    "endsight fair tictactoe --fix second=random",
)
@takes(asking, stored_option)
def fair(request: Request) -> int:
    """Show how even the game is, and how many decisions matter.

    The answer has the seat advantage, the chances to win, draw and lose, the expected
    length, and the shares of forced moves and of moves where every choice is equally good.
    """
    return respond(
        request,
        document=lambda asked: fair_document(asked.solution, fairness(asked.solution, asked.position), asked.position),
        show=lambda asked: _show(asked, fairness(asked.solution, asked.position)),
        columns=COLUMNS,
    )


def _show(asked: Asked, fairness: Fairness) -> None:
    first = asked.solution.game.player_names[0]
    screen = asked.output.screen
    draw_head(asked, at_hand=True)
    screen.line()
    # The head already shows the seat advantage: who is ahead, and by how much.
    rows = fairness_rows(fairness, first, percent, approximate)
    cells = [(title, text, _more(asked.output, number)) for title, number, text in rows]
    screen.table([Column(fit="wrap"), Column(align="right"), Column()], cells)
    if fairness.length is None:
        screen.apart("Play may never end, so it has no expected length and no shares of moves.")
    draw_footer(asked)


def _more(output: Output, number: Amount) -> str:
    """Write the number as the options say, else as a fraction where that is short; nothing beside a whole number."""
    if output.screen.is_narrow or getattr(number, "denominator", 0) == 1:
        return ""
    if output.exact or output.interval or output.digits is not None or is_enclosed(number):
        return output.number(number)
    return short_exact(output, number)
