"""Answers from one player's best reply to the policies of all others, where these go by what they see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

from endsight.algorithms.best_response import Response, best_response
from endsight.algorithms.constant_sum import constant_sum
from endsight.algorithms.histories import Behaviour, Histories, History, Likely, SeenSoFar, histories_of
from endsight.answers.options import Judged, Option, judgement, rank_options
from endsight.answers.plans import PlayedByHistory, by_policy
from endsight.answers.seen import SeenPosition, own_texts, possible_sights, turn_seen
from endsight.errors import QuestionError
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, simplest
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Question
from endsight.graph.plan import FIRST_REPLY


@dataclass(frozen=True)
class FollowsReply:
    """Play by a best reply; where the others never lead, nothing is known, and all moves are alike."""

    response: Response
    name = "of the best reply"
    """Its name in messages."""

    def weights(self, eyes: SeenSoFar, moves: Sequence[Any]) -> Mapping[Any, int]:
        """The best move there, with the weight 1."""
        number = self.response.numbers.get(eyes.view)
        return dict.fromkeys(moves, 1) if number is None else {self.response.best(number): 1}


class Replied(PlayedByHistory):
    """Play in which all players but one follow policies by what they see, and that one replies best.

    Positions to which these policies never lead have no answer.
    """

    method = "best reply"

    def __init__(self, game: Game, question: Question, budget: Budget) -> None:
        super().__init__(game, question.utility, Histories(game), budget)
        (self.player,) = set(range(game.player_count)) - question.fixed.keys()
        rules: Mapping[int, PolicyRule] = {self.player: "random", **question.fixed}
        behaviours: list[Behaviour] = [by_policy(game, rules[player]) for player in range(game.player_count)]
        self.response = best_response(self.histories, self.player, behaviours, question.utility, budget)
        self.states = self.response.walked
        behaviours[self.player] = FollowsReply(self.response)
        self.behaviours = behaviours
        is_opposed = game.player_count == 2 and constant_sum(game, question.utility, budget) is not None
        # What others get may depend on which of several best moves is made.
        self.notion = None if is_opposed else FIRST_REPLY

    def seen_at(self, position: Position) -> History:
        """The history that led to a position; `QuestionError` where a policy gives a move on the way no chance."""
        history = self.histories.start()
        for number, text in enumerate(position.history, 1):
            place = history.position
            move = self.game.parse_move(place.state, text)
            if move not in self._possible(history):
                raise QuestionError(
                    f"{self.game.title()}: the fixed policies never lead there, so nothing is known of a reply",
                    found=f"move {number}, {text!r}, of {place.to_move}",
                    allowed="moves that the policies make",
                )
            history = self.histories.after(history, move)
        return history

    def _possible(self, history: History) -> list[Any]:
        """The moves and outcomes that the policies of the others allow."""
        found = self.histories.against(history, self.player, self.behaviours, self.budget)
        return [move for move, chance in found if chance]

    def move_values(self, position: Position) -> Mapping[Any, tuple[Amount, ...]]:
        """The value after every move that the policies of the others allow."""
        return {move: self.value(position.play(move)) for move in self._possible(self.seen_at(position))}

    def regrets(self, position: Position, move: Any) -> Mapping[int, Judged]:
        """What the player who replies gave away by an own move, judged by what that player had seen."""
        if self.player not in position.movers:
            return {}
        history = self.seen_at(position)
        worths = self.response.worths(self.response.numbers[history.eyes[self.player].view])
        texts = own_texts(position, self.player)
        options = [Option(own, texts[own], (worth,)) for own, worth in worths.items()]
        own = self.histories.parts(position, move)[self.player]
        return {self.player: judgement(rank_options(options, 0, None), own)}

    def seen_by(self, player: int, moves: str | Iterable[str], *, ranges: bool) -> SeenPosition:
        """A position as seen by the player to move there; raises what `seen.turn_seen` raises."""
        if ranges:
            raise QuestionError(
                "ranges are over all optimal plans, and here players follow policies",
                allowed="two opposed players without policies",
                advice="the same without ranges",
            )
        first, texts = turn_seen(self.histories, self.budget, player, moves)
        view = first.eyes[player].view
        likely = [
            each for each in histories_of(self.histories, player, view, self.behaviours, self.budget) if each.chance
        ]
        lets = sum((each.chance for each in likely), Fraction(0))
        options, own = self._options(player, first, likely), self._own_chance(player, first.position)
        return SeenPosition(
            player=self.game.player_names[player],
            position=replace(first.position, history=texts),
            sees=self.game.show_seen(first.eyes[player].seen, player),
            reach=lets * own,
            value=options[0].value if lets else None,
            options=tuple(options),
            posterior=tuple(possible_sights(self.game, player, likely)),
            told="never reached" if not lets else "plan" if own else "best reply",
        )

    def _options(self, player: int, first: History, likely: Sequence[Likely]) -> list[Option]:
        """The moves there with their chances, ranked by what they bring where everybody goes on as before."""
        weights = self.histories.shares(first, player, self.behaviours[player])
        total, texts = sum(weights.values()), own_texts(first.position, player)
        made = [
            Option(own, texts[own], self._worth(player, own, likely), probability=Fraction(weights.get(own, 0), total))
            for own in texts
        ]
        return rank_options(made, player, 0) if likely else made

    def _worth(self, player: int, own: Any, likely: Sequence[Likely]) -> tuple[Number, ...]:
        """The mean over what may be hidden of what a move brings to each player; () where nothing leads there."""
        chances, rows = list[Fraction](), list[Any]()
        for each in likely:
            for move, chance in self.histories.against(each.history, player, self.behaviours, self.budget):
                if chance and self.histories.parts(each.history.position, move)[player] == own:
                    chances.append(each.chance * chance)
                    rows.append(self.brings(self.histories.after(each.history, move)))
        total = sum(chances, Fraction(0))
        columns = zip(*rows, strict=True)
        return tuple(simplest(sum(map(mul, chances, column), Fraction(0)) / total) for column in columns)

    def _own_chance(self, player: int, position: Position) -> Fraction:
        """The chance that the player's own behaviour gives the moves that led to a position."""
        history, chance = self.histories.start(), Fraction(1)
        for text in position.history:
            move = self.game.parse_move(history.position.state, text)
            if player in history.position.movers:
                weights = self.histories.shares(history, player, self.behaviours[player])
                own = self.histories.parts(history.position, move)[player]
                chance *= Fraction(weights.get(own, 0), sum(weights.values()))
            history = self.histories.after(history, move)
        return chance
