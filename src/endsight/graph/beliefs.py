"""A game in which all players see the same, as a game of what they know: nothing is hidden in it.

A belief is a set of hidden states with whole weights without a common factor. All players see the same, so all have the
same belief, and know that. A belief says all that the past tells about the future, so equal beliefs are one position
however they came about: sufficient statistics (counts of faces, cards still out) are found, and nobody has to state
them. After a move, chance that nobody sees runs on until something new is seen or somebody is to move; what is seen is
the chance of the game of beliefs, and Bayes' rule gives the weights after it. Astrom, "Optimal control of Markov
processes with incomplete state information" (1965); Smallwood and Sondik (1973).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from endsight.errors import QuestionError, RulesError
from endsight.game import CHANCE, TOGETHER, Game, made_from_rules, mover_in
from endsight.game.numbers import Number, count_text, simplest
from endsight.game.position import Position, as_text
from endsight.game.question import GENERAL_POLICIES, PolicyRule, Question, policy_function
from endsight.graph.belief_texts import Told, outcome_text
from endsight.graph.graph import Graph
from endsight.graph.hidden_states import NOTHING, OVER, Classes, HiddenStates, Sights
from endsight.graph.objective import View
from endsight.graph.played_out import par_of, played_out
from endsight.graph.posterior import posterior
from endsight.graph.unseen_chance import Group, Member, Members, reduced, seen_next

__all__ = ["BeliefGame", "belief_game", "goes_by_states"]

SHOWN = 6
"""How many hidden states of a belief are shown."""


class BeliefGame(Game):
    """The game of beliefs. Its states are beliefs, its chance is what is seen next.

    `rules` is the game that hides something, `hidden` its states. Payoffs and rewards are expectations over what is
    hidden, in units of `means_of`: what nobody has seen counts as it was expected when it was made.
    """

    rules: ClassVar[Game]
    hidden: ClassVar[HiddenStates]

    class State(NamedTuple):
        """A belief; members that show something new are about to be seen."""

        members: Members

    def setup(self) -> None:
        """Nothing is looked up yet."""
        self._grouped: tuple[Any, Mapping[int, Group]] = (None, {})

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """None of its own."""
        return {}

    def values(self) -> dict[str, Any]:
        """Those of the rules."""
        return self.rules.values()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    # ---------------------------------------------------------------- rules

    def start(self) -> State:
        """What is known before anything is seen."""
        return self.settled((Member(NOTHING, 0, 1),))

    def to_move(self, state: State) -> int | tuple[int, ...]:
        """The player who moves in all states of the belief; chance where something may be seen before."""
        if self._is_open(state.members):
            return CHANCE
        return self._mover(state.members[0].state)

    def _mover(self, state: int) -> int | tuple[int, ...]:
        """Who moves in a hidden state; several players at once as the rules name them."""
        mover = self.hidden.movers[state]
        return self.rules.to_move(self.hidden.examples[state]) if mover == TOGETHER else max(0, mover)

    def moves(self, state: State) -> Iterator[Any]:
        """The moves of the rules; of chance, the numbers of what may be seen next."""
        if self._is_open(state.members):
            yield from self.groups(state.members)
        else:
            yield from self._common_moves(state.members)

    def weight(self, state: State, move: int) -> int:
        """How likely it is that this is seen next."""
        return self.groups(state.members)[move].weight

    def play(self, state: State, move: Any) -> State:
        """What is known after that."""
        if self._is_open(state.members):
            return self.settled(self.groups(state.members)[move].members)
        return self.settled(self.moved(state.members, move))

    def reward(self, state: State, move: Any) -> tuple[Number, ...]:
        """What that brings every player, as a mean over what is hidden."""
        if self._is_open(state.members):
            return self.groups(state.members)[move].gain or (0,) * self.player_count
        place = self._common_moves(state.members).index(move)
        return self._expected((self.hidden.steps[member.state][place].gain, member.weight) for member in state.members)

    def payoff(self, state: State) -> tuple[Number, ...]:
        """The mean of what the states of the belief pay."""
        return self._expected((self.hidden.payoffs[member.state], member.weight) for member in state.members)

    def _expected(self, rows: Iterable[tuple[tuple[Number, ...] | None, int]]) -> tuple[Number, ...]:
        """The mean by weight of what every player gets; None is nothing."""
        total, sums = 0, [Fraction(0)] * self.player_count
        for row, weight in rows:
            total += weight
            if row is not None:
                sums = [each + weight * own for each, own in zip(sums, row, strict=True)]
        return tuple(simplest(each / total) for each in sums)

    # ---------------------------------------------------------------- beliefs

    def _is_open(self, members: Members) -> bool:
        """Whether something is about to be seen, or chance still moves somewhere."""
        return any(member.seen != NOTHING or self.hidden.is_chance(member.state) for member in members)

    def _common_moves(self, members: Members) -> tuple[Any, ...]:
        """The moves in all states of a belief; `RulesError` where they differ, or somebody else is to move."""
        hidden, first = self.hidden, members[0].state
        moves = hidden.moves(first)
        for member in members[1:]:
            is_over = hidden.movers[member.state] == OVER
            if is_over != (hidden.movers[first] == OVER) or self._mover(member.state) != self._mover(first):
                raise self._unlike(first, member.state)
            if hidden.moves(member.state) != moves:
                raise self._unlike(first, member.state)
        return moves

    def _unlike(self, *states: int) -> RulesError:
        return RulesError(
            f"{self.title()}: players cannot tell states apart in which different moves may be made",
            found="\n".join(map(self._described, states)),
            advice="let sees tell these states apart, or let the same player have the same moves in both",
        )

    def _described(self, state: int) -> str:
        hidden, rules = self.hidden, self.rules
        example = hidden.examples[state]
        if hidden.movers[state] == OVER:
            return f"{as_text(rules, 'show', example)}: the game is over"
        moves = " ".join(as_text(rules, "show_move", example, move) for move in hidden.moves(state))
        movers = self._mover(state)
        numbers = movers if isinstance(movers, tuple) else (movers,)
        names = " and ".join(self.player_names[number] for number in numbers)
        return f"{as_text(rules, 'show', example)}: {names} {'have' if len(numbers) > 1 else 'has'} {moves}"

    def moved(self, members: Members, move: Any) -> Members:
        """The belief right after a player's move, before anything is seen of it."""
        place, weights = self._common_moves(members).index(move), dict[tuple[int, int], int]()
        for member in members:
            step = self.hidden.steps[member.state][place]
            weights[step.seen, step.after] = weights.get((step.seen, step.after), 0) + member.weight
        return reduced(weights)

    def settled(self, members: Members) -> State:
        """The position of a belief: where only one thing can be seen at once, it is seen, without a step of chance."""
        if self.shows_one(members):
            return self.State(tuple(member._replace(seen=NOTHING) for member in members))
        return self.State(members)

    def shows_one(self, members: Members) -> bool:
        """Whether the same new thing is seen in all states of a belief."""
        return members[0].seen != NOTHING and len({member.seen for member in members}) == 1

    def groups(self, members: Members) -> Mapping[int, Group]:
        """The belief after each thing that may be seen next; after `NOTHING` where somebody moves or play is over."""
        if self._grouped[0] != members:
            self._grouped = members, seen_next(self.rules, self.hidden, members)
        return self._grouped[1]

    # ---------------------------------------------------------------- policies

    def asked(self, question: Question) -> Question:
        """The question about the rules as one about beliefs."""
        fixed = question.fixed.items()
        return replace(question, fixed={p: rule if rule in GENERAL_POLICIES else _known(rule) for p, rule in fixed})

    def agreed(self, rule: PolicyRule, state: State) -> Any:
        """The move of a policy in all states of a belief; `QuestionError` where it depends on what is hidden."""
        policy, examples = policy_function(self.rules, rule), self.hidden.examples
        mover = mover_in(self, state)
        moves = dict.fromkeys(policy(examples[member.state], mover) for member in state.members)
        if len(moves) > 1:
            raise QuestionError(
                f"{self.title()}: a policy goes by what its player does not see",
                found=f"{' and '.join(map(repr, moves))} at {self.show(state)}",
                advice="a policy that gives the same move in all states that look the same",
            )
        return next(iter(moves))

    # ---------------------------------------------------------------- positions and texts

    def position(self, moves: str | Iterable[str] = "") -> Position:
        """What players know after moves of the rules; `?` stands for what nobody has seen."""
        return Told(self, self.rules.position(moves)).position()

    def position_from(self, text: str) -> Position:
        """`PositionError`: what players know depends on the moves."""
        return Told(self, self.rules.position_from(text)).position()

    def position_of(self, place: Position) -> Position | None:
        """What players know at a position of the rules; its moves may say `?` (see `endsight.game.unseen`).

        Raises `PositionError` where that position does not come with its moves, or they leave open what was seen.
        """
        return self.position_after(place) if place.game == self.rules else None

    def position_after(self, place: Position) -> Position:
        """The same for a position that is one of the rules."""
        return Told(self, place).position()

    def positions_along(self, start: Position, texts: Iterable[str]) -> list[Position]:
        """Every step of the game of beliefs on the way along moves of the rules."""
        rules, texts = self.rules, " ".join(texts).split()
        before, after = (Told(self, rules.position(told)).path() for told in (start.history, (*start.history, *texts)))
        return after[len(before) :]

    def facts_at(self, place: Position) -> dict[str, Any]:
        """Which hidden states are possible, with their chances."""
        return posterior(self, place)

    def position_in_truth(self, place: Position) -> Position:
        """The same with the truth beside it, still to be drawn."""
        return played_out(self, place)

    def show_move(self, state: State, move: Any) -> str:
        """The move in the notation of the rules; of chance, what is seen."""
        if self._is_open(state.members):
            return outcome_text(self, state.members, move)
        return as_text(self.rules, "show_move", self.hidden.examples[state.members[0].state], move)

    def show(self, state: State) -> str:
        """The likeliest hidden states with their chances."""
        return " or ".join(self._shown(state, "show"))

    def draw(self, state: State) -> str:
        """The same, drawn one below the other."""
        return "\n".join(self._shown(state, "draw"))

    def _shown(self, state: State, rule: str) -> Iterator[str]:
        """The likeliest states of a belief, or classes of states with the same future, with their chances."""
        total = sum(member.weight for member in state.members)
        ordered = sorted(state.members, key=lambda member: -member.weight)
        for member in ordered[:SHOWN]:
            yield f"{Fraction(member.weight, total)}: {self._named(member.state, rule)}"
        if len(ordered) > SHOWN:
            yield f"{len(ordered) - SHOWN} more"

    def _named(self, state: int, rule: str) -> str:
        """A hidden state; of a class of several no one is named, for what was seen may rule it out."""
        size = self.hidden.sizes[state]
        if size > 1:
            return f"one of {count_text(size, 'state')} with the same future"
        return as_text(self.rules, rule, self.hidden.examples[state])


def belief_game(view: View, graph: Graph, sights: Sights, classes: Classes) -> BeliefGame:
    """The game of beliefs of a game in which all players see the same.

    `graph` holds all its states, with the players apart by number, in `view`, whose utility is what the game of
    beliefs pays. States of one of the `classes` must look the same and have the same future.
    """
    rules = view.game
    if graph.unending is not None and graph.is_cyclic:
        raise QuestionError(
            f"{rules.title()} hides something and may never end, and {view.question.utility!r} compares totals",
            allowed="payoff",
        )
    hidden = HiddenStates.of(view, graph, sights, classes)
    given: dict[str, Any] = {"name": rules.title(), "__doc__": type(rules).__doc__, "rules": rules, "hidden": hidden}
    given |= {"players": view.players, "discount": rules.discount}
    given |= {"endless": graph.endless} if any(graph.endless) else {}
    given |= {"means_of": view.question.utility} | (par_of(rules))
    kind: type[BeliefGame] = type(type(rules).__name__, (BeliefGame,), given)
    return kind()


def goes_by_states(question: Question) -> bool:
    """Whether a policy is fixed that looks at states."""
    return any(rule not in GENERAL_POLICIES for rule in question.fixed.values())


def _known(rule: PolicyRule) -> PolicyRule:
    """The policy of rules that hide something as one of what players know."""

    def known(game: Any, state: Any) -> Any:
        return game.agreed(rule, state)

    known.__name__ = rule if isinstance(rule, str) else getattr(rule, "__name__", "function")
    return known


made_from_rules.position_of.register(BeliefGame, BeliefGame.position_of)
made_from_rules.positions_along.register(BeliefGame, BeliefGame.positions_along)
made_from_rules.facts_at.register(BeliefGame, BeliefGame.facts_at)
made_from_rules.position_in_truth.register(BeliefGame, BeliefGame.position_in_truth)
