"""`endsight play`: a game in the terminal, against perfect play or anybody else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random, SystemRandom

from endsight.errors import UsageError
from endsight.faces.blaming import blaming_rules
from endsight.faces.cli.command import asking, choice, color_options, command, flag, option, stored_option, takes, whole
from endsight.faces.cli.request import Asked, Request
from endsight.faces.cli.session import HUMAN, Seat, Session, VeiledSession
from endsight.faces.cli.streams import say_error
from endsight.game import Game
from endsight.game.question import PERFECT, PolicyRule, require_no_discount, rule_name
from endsight.naming.input_files import STANDARD_INPUT
from endsight.naming.specification import load_policy


@command(
    "endsight play tictactoe",
    "endsight play pots:4-9-2-7-5-3 --quiz",
    "endsight play pig:target=20 --seat second=random --seed 7",
)
@takes(
    option(
        "--seat seating",
        "PLAYER=WHO",
        "human, perfect, or a policy as in --fix (default: as --fix says; else the first human, others perfect).",
        multiple=True,
    ),
    flag("--quiz", "Guess the best move before it is shown; `= VALUE` guesses the value."),
    flag("--show", "Show what every move is worth, on every turn."),
    choice("--roll", ("random", "by-hand"), "Draw chance at random (default), or type what dice and cards show."),
    option("--seed", "N", "Seed of the draws: the same seed repeats them.", whole()),
    asking,
    stored_option,
    output=color_options,
)
def play(request: Request, seating: tuple[str, ...], quiz: bool, show: bool, roll: str, seed: int | None) -> int:
    """Play in the terminal; values stay hidden until you ask.

    Type a move, `?` to see what every move is worth, `u` to take a move back, `h` for the
    rest. The game is reviewed at the end. Moves can also come from a pipe, one per line.
    """
    if request.at in STANDARD_INPUT or "@-" in request.game:
        raise UsageError("play reads the moves from the standard input", allowed="--at MOVES, or @FILE")
    if quiz and show:
        raise UsageError("--quiz and --show cannot be combined", allowed="one of them")
    game = request.loaded.game
    require_no_discount(game, "the review of play")
    seats = _named_seats(game, seating, request.question().fixed)
    asked: Asked = request.answer(lambda asked: asked)
    seed = SystemRandom().randrange(10**6) if seed is None else seed
    is_veiled = asked.solution.game.gives("sees") or asked.solution.source.moves_at_once
    if is_veiled:
        _require_veil(seats, sees=asked.solution.game.gives("sees"), quiz=quiz, by_hand=roll == "by-hand")
    kind = VeiledSession if is_veiled else Session
    session = kind(asked, seats, Random(seed), roll == "by-hand", show, quiz)
    names = (f"{name} is {seat.name}" for name, seat in zip(game.player_names, seats, strict=True))
    request.output.screen.title(request.loaded.title, "".join(f" · {name}" for name in names))
    say_error(f"h for help, q to quit; --seed {seed} repeats these draws")
    with blaming_rules(game):
        try:
            session.run()
        except KeyboardInterrupt:
            say_error("", "the moves so far: " + session.position.text)
            raise
        session.close()
    return 0


def _named_seats(game: Game, texts: Iterable[str], fixed: Mapping[int, PolicyRule]) -> list[Seat]:
    """Return the seats, one per player, from `PLAYER=human|perfect|POLICY`, several separated by commas.

    By default players in `fixed` follow their policies; of the others the first is a person, and the rest play
    perfectly. Raises `UsageError`.
    """
    seats = [Seat(PERFECT, PERFECT)] * game.player_count
    for player, rule in fixed.items():
        seats[player] = Seat(rule_name(rule), rule)
    person = next((player for player in range(game.player_count) if player not in fixed), None)
    if person is not None:
        seats[person] = HUMAN
    named = set()
    for part in (part for text in texts for part in text.split(",")):
        player, rule = load_policy(game, part, more=(HUMAN.name, PERFECT))
        if player in named:
            raise UsageError(f"--seat was given twice for {game.player_names[player]}", allowed="one seat per player")
        named.add(player)
        seats[player] = HUMAN if rule == HUMAN.name else Seat(part.partition("=")[2].strip(), rule)
    return seats


def _require_veil(seats: list[Seat], *, sees: bool, quiz: bool, by_hand: bool) -> None:
    """Raise `UsageError` for options that would show people at one terminal what is hidden from them.

    `sees`: players see different things, and not only each other's moves too late.
    """
    if sees and sum(seat.is_human for seat in seats) > 1:
        raise UsageError(
            "players see different things in this game, and two people at one terminal would see both sides",
            allowed="one person against perfect play or policies",
            advice="endsight serve, where every seat has its own address",
        )
    if sees and by_hand:
        raise UsageError(
            "--roll by-hand would reveal what is hidden from players in this game", allowed="the same without it"
        )
    if quiz:
        raise UsageError(
            "--quiz asks for the best move, but in this game the best play may mix several",
            allowed="the same without it; `?` shows what every move is worth",
        )
