"""A position as one player sees it: what may be hidden, and the worth of every move against the other's plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from endsight.algorithms.histories import Histories, History, Likely, histories_of
from endsight.answers.options import Judged, Option, judgement, rank_options
from endsight.base.deferred import deferred
from endsight.errors import IllegalMoveError, QuestionError
from endsight.game import TOGETHER, Game
from endsight.game.joint_moves import part_texts
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, simplest
from endsight.game.position import Position, as_text, move_texts, require_names
from endsight.game.unseen import ANY, distinct, is_chance, is_shown, read_on, running, sight_text, unnoticed

if TYPE_CHECKING:
    from endsight.answers.plans import Planned
    from endsight.answers.solution import Solution

with deferred(__name__):
    from endsight.algorithms.equilibrium_ranges import equilibrium_ranges


_SHOWN = 6


@dataclass(frozen=True)
class Possibility:
    """Something that may be hidden from a player: what another player may see, and its chance.

    player       the name of the other player
    sees         what that player sees, as text
    probability  by chance and the other's plan, given everything that the player asked about has seen
    """

    player: str
    sees: str
    probability: Fraction


@dataclass(frozen=True)
class SeenPosition:
    """A position as one player sees it, where that player is to move.

    player     the player's name
    position   one of the true positions that fit, with the moves as they were given
    sees       what the player sees, as text
    reach      the chance that play by both plans reaches it
    value      of the whole game per player: the player's best move here against the other's plan; None where the
               other's plan never leads here
    options    the player's moves, best first, with the `probability` of the player's plan, and `value` and `regret`
               against the other's plan
    posterior  what may be hidden, likeliest first; empty where the other's plan never leads here
    ranges     by the text of a move, its least and its largest chance over all optimal plans of the player; empty where
               no optimal plan leads here; None where ranges were not asked for
    told       the source of the moves' chances: `plan`; `off the path`, a best reply to the other's play that leads
               here by the fewest mistakes; `best reply` to the other's plan; `never reached`, where nothing is proven
    """

    player: str
    position: Position
    sees: str
    reach: Fraction
    value: tuple[Amount, ...] | None
    options: tuple[Option, ...]
    posterior: tuple[Possibility, ...]
    told: str
    ranges: Mapping[str, tuple[Fraction, Fraction]] | None = None

    @property
    def reached(self) -> bool:
        """Whether play by both plans ever leads there."""
        return self.reach > 0


def seen_by(source: Planned, player: int, moves: str | Iterable[str], *, ranges: bool) -> SeenPosition:
    """The answer for a player who has seen only some of the moves so far, see `turn_seen`.

    Raises what that raises, and `QuestionError` where `ranges` are asked for but cannot be found.
    """
    asked = _Asked(source, player, *turn_seen(source.histories, source.budget, player, moves))
    return replace(asked.answer(), ranges=asked.ranges() if ranges else None)


def turn_seen(
    histories: Histories, budget: Budget, player: int, moves: str | Iterable[str]
) -> tuple[History, tuple[str, ...]]:
    """The first history that fits the moves, and them one by one: `?` stands for a move that the player has not seen.

    `?` may also stand for one part of a move of several players (`3-?`), and `[...]` gives what the player sees next.
    Raises `IllegalMoveError` where no play fits, and `QuestionError` where the plays that fit look different to the
    player, and where the player is not to move.
    """
    texts = tuple(move_texts(moves))
    fitting, own = _told_turns(histories, budget, player, texts, is_strict=False)
    if len({history.eyes[player].view for history in own}) > 1:
        own = _told_turns(histories, budget, player, texts, is_strict=True)[1] or own
    if not own:
        place = fitting[0].position
        raise QuestionError(
            f"{histories.game.player_names[player]} is not to move there",
            found="the game is over" if place.is_over else f"{place.to_move} to move",
            allowed="the moves so far up to a turn of that player",
            advice="leave out --as to see what play yields from the true position",
        )
    views = dict.fromkeys(history.eyes[player].view for history in own)
    if len(views) > 1:
        raise _different_views(histories, player, own)
    return own[0], texts


def judged(source: Planned, history: History, player: int, own: Any) -> Judged:
    """What a player's own move gives away at a true history, averaged over what is hidden from the player.

    Nothing, where the other player's plan never leads here.
    """
    options = _Asked(source, player, history, ()).answer().options
    return judgement(options, own)


class _Asked:
    """One information set, and its numbers under both plans."""

    def __init__(self, source: Planned, player: int, first: History, texts: tuple[str, ...]) -> None:
        self.source, self.player, self.other = source, player, 1 - player
        self.first, self.texts = first, texts
        self.behaviour = source.behaviours[player]
        self.number = self.behaviour.set_of[first.eyes[player].view]
        view = first.eyes[player].view
        followed = histories_of(source.histories, player, view, source.behaviours, source.budget)
        self.likely: Sequence[Likely] = list(followed)
        self.lets = sum((each.chance for each in self.likely), Fraction(0))

    def answer(self) -> SeenPosition:
        game, eyes = self.source.game, self.first.eyes[self.player]
        plan, side = self.behaviour.plan, self.behaviour.side
        own = Fraction(plan.masses[side.parent[self.number]], plan.total)
        options = self._options()
        return SeenPosition(
            player=game.player_names[self.player],
            position=replace(self.first.position, history=self.texts),
            sees=game.show_seen(eyes.seen, self.player),
            reach=self.lets * own,
            value=options[0].value if self.lets else None,
            options=tuple(options),
            posterior=tuple(possible_sights(game, self.player, self.likely)),
            told=self._basis(own > 0),
        )

    def ranges(self) -> dict[str, tuple[Fraction, Fraction]]:
        """The least and the largest chance of every move over all optimal plans; empty where none leads here."""
        source, optimal = self.source, self.source.optimal
        if not optimal.is_exact:
            raise QuestionError(
                "ranges over all optimal plans need the exact value",
                found=f"between {optimal.lower} and {optimal.upper}",
                allowed="games whose value is proven exactly",
            )
        chances = equilibrium_ranges(source.sets, self.player, self.number, optimal.lower, source.budget)
        texts = own_texts(self.first.position, self.player)
        moves = self.behaviour.side.moves[self.number]
        return {} if chances is None else {texts[move]: ends for move, ends in zip(moves, chances, strict=True)}

    def _basis(self, is_own: bool) -> str:
        """The source of the moves' chances; `is_own` says whether the plan itself leads here."""
        if self.lets and is_own:
            return "plan"
        if self.behaviour.is_proven(self.number):
            return "off the path"
        return "best reply" if self.lets else "never reached"

    def _options(self) -> list[Option]:
        """The moves with their chances in the plan, ranked by their worth against the other's plan."""
        side, place = self.behaviour.side, self.first.position
        weights = self.behaviour.weights(self.first.eyes[self.player], side.moves[self.number])
        total = sum(weights.values())
        texts = own_texts(place, self.player)
        made = [
            Option(move, texts[move], self._worth(sequence), probability=Fraction(weights.get(move, 0), total))
            for move, sequence in zip(side.moves[self.number], side.after(self.number), strict=True)
        ]
        return rank_options(made, self.player, 0) if self.lets else made

    def _worth(self, sequence: int) -> tuple[Number, ...]:
        """The worth of a sequence per player against the other's plan, given what was seen; 0 where it never occurs."""
        sets, plan = self.source.sets, self.source.behaviours[self.other].plan
        if not self.lets:
            return ()
        own = Fraction(self.behaviour.reply[sequence], plan.total * sets.scale) / self.lets
        first = simplest(-own if self.player else own)
        return first, simplest(sets.constant - first)


def possible_sights(game: Game, player: int, likely: Sequence[Likely]) -> Iterator[Possibility]:
    """What every other player may see in histories that look alike to a player, likeliest first."""
    total = sum((each.chance for each in likely), Fraction(0))
    for other in range(game.player_count):
        chances = dict[str, Fraction]()
        for history, chance in likely if other != player else ():
            if chance:
                text = game.show_seen(history.eyes[other].seen, other)
                chances[text] = chances.get(text, Fraction(0)) + chance / total
        for text in sorted(chances, key=lambda text: chances[text], reverse=True):
            yield Possibility(game.player_names[other], text, chances[text])


def own_part(place: Position, player: int, move: Any) -> str:
    """The text of a player's part of a move that several players may make at once."""
    text = as_text(place.game, "show_move", place.state, move)
    return text if place.mover != TOGETHER else part_texts(text, move)[place.movers.index(player)]


def own_texts(place: Position, player: int) -> dict[Any, str]:
    """The texts of a player's own moves, by move, including parts of moves of several players.

    Raises `RulesError` where two of them have the same text.
    """
    texts: dict[Any, str] = {}
    for move in place.moves():
        texts.setdefault(Histories.parts(place, move)[player], own_part(place, player, move))
    require_names(place.game, place.state, texts)
    return texts


def seen_at_once(solution: Solution, player: int, position: Position, *, ranges: bool) -> SeenPosition:
    """The position where everybody sees everything, and the player moves at once with another, without `ranges`."""
    if position.mover == TOGETHER and not solution.is_mixed(position):
        raise QuestionError(
            f"all players of {solution.game.title()} choose their moves together there",
            found=f"the objective {solution.question.objective}",
            allowed="competitive, where each moves without knowing what the others do",
            advice="the same without --as",
        )
    if ranges or not solution.is_mixed(position):
        raise QuestionError(
            f"all players of {solution.game.title()} see the same there",
            allowed="games in which players see different things" + ("" if ranges else " or move at once"),
            advice="the same without ranges" if ranges else "the same without --as",
        )
    game, options = position.game, solution.parts(player, position)
    values = solution.exact_values(position)
    reach = _reach(solution, position)
    return SeenPosition(
        game.player_names[player],
        position,
        as_text(game, "show", position.state),
        reach,
        values,
        tuple(options),
        (),
        "plan",
    )


def _reach(solution: Solution, position: Position) -> Fraction:
    """The chance that play under this solution leads from its start to a position."""
    place, chance = solution.position, Fraction(1)
    for text in position.history[len(place.history) :]:
        move = position.game.parse_move(place.state, text)
        chance *= solution.chance_of(place, move)
        place = place.play(move)
    return chance


# ---------------------------------------------------------------------- what was told


def _different_views(histories: Histories, player: int, others: Sequence[History]) -> QuestionError:
    game = histories.game
    name = game.player_names[player]
    seen = dict.fromkeys(
        f"after {each.position.text!r} {name} sees {game.show_seen(each.eyes[player].seen, player)}" for each in others
    )
    rest = ["..."] * (len(seen) > _SHOWN)
    return QuestionError(
        f"the moves given leave open what {name} has seen",
        found="\n".join([*list(seen)[:_SHOWN], *rest]),
        allowed=f"{ANY} only for what {name} has not seen",
        advice="give every move and outcome that the player has seen or made",
    )


_MOST_NAMED = 24


def _told_turns(
    histories: Histories, budget: Budget, player: int, texts: Sequence[str], *, is_strict: bool
) -> tuple[list[History], list[History]]:
    """All histories that fit, and those of them in which the player is to move."""
    fitting = told_plays(histories, player, texts, budget, is_strict=is_strict)
    return fitting, [each for each in fitting if player in each.position.movers and not each.position.is_over]


def told_plays(
    histories: Histories, player: int, texts: Sequence[str], budget: Budget, *, is_strict: bool = False
) -> list[History]:
    """All histories that fit a player's account of the moves; histories that nobody will ever distinguish count as one.

    A text is a move, or what `endsight.game.unseen` reads in its place. Chance moves on its own up to what is seen, and
    wherever it shows the player nothing. Raises `IllegalMoveError` where no play fits. Where `is_strict`, `?` is
    `unnoticed`, and none may be left.
    """
    plays = [_FittingHistory(histories, histories.start(), player, budget)]
    for number, (text, following) in enumerate(pairwise((*texts, ""))):
        then = read_on(plays, text)
        then = _run_on(then) if is_shown(plays, text) else then
        then = unnoticed(then, text, following) if is_strict else then
        if not then and is_strict:
            return []
        if not then:
            raise _nothing_fits(plays, texts, number)
        plays = then
        budget.spend(len(plays), _LOOKING)
    return [play.history for play in plays]


_LOOKING = "looking for what may be hidden"


@dataclass(frozen=True)
class _FittingHistory:
    """A history that fits a player's account (see `endsight.game.unseen.TruePlay`)."""

    histories: Histories
    history: History
    player: int
    budget: Budget
    is_fresh: bool = False
    is_own: bool = False

    @property
    def position(self) -> Position:
        return self.history.position

    @property
    def key(self) -> Any:
        return self.history.key, self.is_fresh, self.is_own

    @property
    def seen(self) -> Any:
        return self.history.eyes[self.player].seen

    @property
    def sight(self) -> str:
        return sight_text(self.histories.game, self.seen, self.player)

    def known(self) -> _FittingHistory:
        return replace(self, is_fresh=False)

    def after(self, move: Any) -> _FittingHistory:
        self.budget.glance(self.budget.states, _LOOKING)
        own = self.player in self.position.movers
        then = replace(self, history=self.histories.after(self.history, move), is_own=own)
        return replace(then, is_fresh=then.seen != self.seen)


def _run_on(plays: Sequence[_FittingHistory]) -> list[_FittingHistory]:
    """The plays after all chance moves that show the player nothing."""
    done, visited = list[_FittingHistory](), set[Any]()
    while plays:
        visited |= {play.key for play in plays}
        then: list[_FittingHistory] = []
        for play in plays:
            outcomes = [play.after(move) for move in play.position.moves()] if is_chance(play.position) else []
            is_silent = outcomes and not any(outcome.is_fresh for outcome in outcomes)
            then, done = (then + outcomes, done) if is_silent else (then, [*done, play.known()])
        plays = [play for play in distinct(then) if play.key not in visited]
    return distinct(done)


def _nothing_fits(plays: Sequence[_FittingHistory], texts: Sequence[str], number: int) -> IllegalMoveError:
    first = plays[0].position
    before = f" after {' '.join(texts[:number])!r}" if number else " at the start"
    named = [*dict.fromkeys(as_text(first.game, "show_move", first.state, move) for move in first.moves()), ANY]
    if texts[number].startswith("["):
        shown = (play for here in running(plays) for play in here if play.is_fresh)
        named = [*dict.fromkeys(f"[{play.sight}]" for play in shown), "[]"]
    named = [*named[:_MOST_NAMED], *["..."] * (len(named) > _MOST_NAMED)]
    return IllegalMoveError(
        f"{first.game.title()}: move {number + 1}, {texts[number]!r}, fits no play{before}",
        allowed="nothing more" if first.is_over else " ".join(named),
    )
