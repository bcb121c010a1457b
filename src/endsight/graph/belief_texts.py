"""Positions of a game of beliefs from moves as people write them, and texts for what is seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.base.faults import PositionError, QuestionError
from endsight.game import CHANCE, Game
from endsight.game.numbers import chances_of
from endsight.game.position import Position, as_text
from endsight.game.results import mover_in, moves_of
from endsight.game.unseen import ANY, Sighting, fitting, is_chance, sight_text
from endsight.graph.class_kernels import WORD
from endsight.graph.hidden_states import NOTHING, BeliefMembers

if TYPE_CHECKING:
    from endsight.graph.beliefs import BeliefGame


@dataclass(frozen=True)
class PlayedPosition:
    """A position of the rules that hide something, as its moves describe it."""

    game: BeliefGame
    place: Position

    def position(self) -> Position:
        """What the players know there."""
        last = self.path()[-1]
        return replace(last, history=self._known_moves() if last.mover == CHANCE else self.place.history)

    def path(self) -> list[Position]:
        """All positions of the game of beliefs on the way there, from the start on."""
        game, events, path = self.game, self.events[1:], []
        state = game.start()
        path = [Position(game, state, mover_in(game, state), (0,) * game.player_count, ())]
        is_sure = False
        for kind, thing in events:
            if kind == "did":
                self._ask(path)
                is_sure = game.shows_one(game.moved(path[-1].state.members, thing))
                path.append(path[-1].play(thing))
            elif not is_sure:
                path.append(path[-1].play(self._numbers[thing,]))
            is_sure = is_sure and kind == "did"
        if self.is_asked:
            self._ask(path)
        return path

    def _ask(self, path: list[Position]) -> None:
        """Continue to where somebody is asked to move, or play has ended, if nothing new is seen before."""
        if path[-1].mover == CHANCE and not path[-1].is_over:
            path.append(path[-1].play(NOTHING))

    def _known_moves(self) -> tuple[str, ...]:
        """The moves without the outcomes at their end that nobody has noticed yet."""
        moves = self.place.history
        while moves and {play.events for play in fitting(self.game.rules, moves[:-1])} == {self.events}:
            moves = moves[:-1]
        return moves

    @cached_property
    def plays(self) -> list[Sighting]:
        """The plays that fit the moves."""
        place, rules = self.place, self.game.rules
        plays = [] if place.set_up is not None else fitting(rules, place.history)
        if not any(play.position.state == place.state for play in plays):
            raise PositionError(
                f"{rules.title()}: what players know there depends on the moves that led there",
                found=place.set_up or as_text(rules, "show", place.state),
                advice='the moves from the start on: --at "MOVES", with ? for what nobody has seen',
            )
        if len({play.events for play in plays}) > 1:
            unseen = fitting(rules, place.history, is_strict=True)
            if len({is_chance(play.position) for play in unseen}) == 1:  # else it is open whether somebody is asked
                return unseen
        return plays

    @cached_property
    def events(self) -> tuple[tuple[str, Any], ...]:
        """What was seen and done; without the last move's sight where the moves leave it open."""
        ways = dict.fromkeys(play.events for play in self.plays)
        if len(ways) > 1:
            ways = dict.fromkeys(
                play.events[:-1] if play.is_fresh and play.events[-2][0] == "did" else play.events
                for play in self.plays
            )
        if len(ways) > 1:
            raise self._open()
        return next(iter(ways))

    @property
    def is_asked(self) -> bool:
        """Whether somebody is to move there, or play has ended, and all know it."""
        return all(not is_chance(play.position) and play.events == self.events for play in self.plays)

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {(thing,): number for number, thing in enumerate(self.game.hidden.things) if number != NOTHING}

    def _open(self) -> PositionError:
        title, rules = self.game.title(), self.game.rules
        examples = {play.events: play for play in self.plays}.values()
        lines = [f"{play.position.text}: {rules.show_seen(play.seen, 0)} is seen" for play in islice(examples, 3)]
        return PositionError(
            f"{title}: {self.place.text!r} leaves open what the players have seen",
            found="\n".join(lines),
            advice="say those moves, or what is seen, as in [" + rules.show_seen(self.plays[0].seen, 0) + "]",
        )


def require_known_gains(game: BeliefGame, place: Position) -> None:
    """Raise `QuestionError` where the gains on the way to a position of the game depend on what nobody has seen."""
    if not place.history:
        return
    played = PlayedPosition(game, game.rules.position(place.history))
    first = played.plays[0].position
    alike = fitting(game.rules, _without_outcomes(game.rules, first.history))
    gains = {play.position.so_far for play in (*alike, *played.plays) if play.events == played.events}
    if gains - {place.so_far}:
        raise QuestionError(
            f"{game.title()}: what the moves so far paid depends on what nobody has seen",
            found=f"after {place.text!r}",
            advice="the same at the start",
        )


def _without_outcomes(rules: Game, history: tuple[str, ...]) -> list[str]:
    """The moves of players, and `?` for every outcome of chance."""
    place, texts = rules.position(), []
    for text in history:
        texts.append(ANY if place.mover == CHANCE else text)
        place = place.after(text)
    return texts


def outcome_text(game: BeliefGame, members: BeliefMembers, seen: int) -> str:
    """What is seen, as text that positions are read from: the outcome where it alone shows that, else `[...]`.

    The outcome is given, with `?` for each one before it, where all states of the belief are equally far from it.
    """
    ways = _ways(game, members)
    counts = {count for group in ways.values() for count, _ in group}
    if len(counts) == 1 and counts != {0}:
        count, names = counts.pop(), {name for _, name in ways[seen]}
        others = {name for other, group in ways.items() if other != seen for _, name in group}
        if not others and seen == NOTHING:
            return " ".join([ANY] * count)
        if len(names) == 1 and not {*names, None} & others and None not in names:
            return " ".join([*[ANY] * (count - 1), *(name for name in names if name is not None)])
    return "[]" if seen == NOTHING else f"[{sight_text(game.rules, game.hidden.things[seen], 0)}]"


def _ways(game: BeliefGame, members: BeliefMembers) -> dict[int, set[tuple[int, str | None]]]:
    """By what is seen next: the number of outcomes before it, and the text of the last one where that shows it."""
    hidden, ways = game.hidden, defaultdict[int, set[tuple[int, str | None]]](set)
    here: set[tuple[int, int, str | None]] = {(*divmod(place, WORD), None) for place in members.places}
    for count in range(len(hidden) + 1):
        running = {state for seen, state, _ in here if seen == NOTHING and hidden.is_chance(state)}
        for seen, state, name in here:
            if seen != NOTHING or state not in running:
                ways[seen].add((count, name))
        here = {
            (step.seen, step.after, None if step.seen == NOTHING else _name(game, state, step.move))
            for state in running
            for step in hidden.steps(state)
        }
        if not here:
            break
    return ways


def _name(game: BeliefGame, state: int, move: Any) -> str:
    example = game.hidden.example(state)
    # Compiled rules give the number of a member of an IntEnum, which is equal to the member and has another text.
    own = next(each for each in moves_of(game.rules, example) if each == move)
    return as_text(game.rules, "show_move", example, own)


# The hidden states that players think possible at a position, each with its exact chance: Bayes' rule, state by state.
# Beliefs merge states that make no difference to the future. Users want the states themselves, so the rules alone
# replay the moves.


MOST_LISTED = 100
"""Number of hidden states up to which all are listed."""
Chances: TypeAlias = "Mapping[Any, Fraction]"


def posterior(game: BeliefGame, place: Position) -> dict[str, Any]:
    """`hidden_states`: how many there are at a position of the game; `posterior`: the chances of their texts.

    Nothing where only one state is possible, and for positions without the moves that led there.
    """
    played = PlayedPosition(game, game.rules.position(place.history))
    if played.position().state != place.state:
        return {}
    chances = _Filter(game.rules, played).chances()
    total = sum(chances.values())
    if len(chances) == 1:
        return {}
    texts = defaultdict[str, Fraction](Fraction)
    for state, chance in chances.items():
        texts[as_text(game.rules, "show", state)] += chance / total
    return {"hidden_states": len(chances)} | ({"posterior": dict(texts)} if len(chances) <= MOST_LISTED else {})


@dataclass(frozen=True)
class _Filter:
    """What was seen and done, and the rules, which say how likely it was."""

    rules: Game
    played: PlayedPosition

    def chances(self) -> Chances:
        """The chance of every state, together with everything that was seen before."""
        chances: Chances = {self.rules.start(): Fraction(1)}
        shown = self.played.events[0][1]
        for kind, thing in self.played.events[1:]:
            if kind == "saw":
                chances, shown = self._showing(chances, shown, thing), thing
            else:
                chances = self._moved(self._showing(chances, shown, shown), thing)
        return self._showing(chances, shown, shown) if self.played.is_asked else chances

    def _moved(self, chances: Chances, move: Any) -> Chances:
        sums = defaultdict[Any, Fraction](Fraction)
        for state, chance in chances.items():
            sums[self.rules.play(state, move)] += chance
        return sums

    def _showing(self, chances: Chances, shown: Any, seen: Any) -> Chances:
        """The states in which `seen` is seen next after `shown`; if both are equal, those where chance has stopped."""
        masses, running = defaultdict[Any, Fraction](Fraction), chances
        while running:
            after = defaultdict[Any, Fraction](Fraction)
            for state, chance in running.items():
                sight = self.rules.sees(state, 0)
                steps = self._steps(state) if sight == shown else []
                for move, share in steps:
                    after[self.rules.play(state, move)] += chance * share
                if sight == seen and not steps:
                    masses[state] += chance
            running = after
        return masses

    def _steps(self, state: Any) -> list[tuple[Any, Fraction]]:
        """The outcomes of chance with their chances, where chance is to move."""
        moves = list(moves_of(self.rules, state)) if mover_in(self.rules, state) == CHANCE else []
        chances = chances_of([self.rules.weight(state, move) for move in moves])
        return list(zip(moves, chances, strict=True))
