"""A game in which all players see the same, as a game about their knowledge, in which nothing is hidden.

A belief is a set of hidden states with whole weights without a common factor. As all players see the same, all have the
same belief, and know that. A belief holds everything that the past says about the future, so equal beliefs are one
position however play reached them. So the game itself yields sufficient statistics (counts of faces, cards still out);
nobody has to state them. After a move, unseen chance runs on until something new is seen or somebody is to move; what
is seen is the chance of the game of beliefs, and Bayes' rule gives the weights after it. Astrom, "Optimal control of
Markov processes with incomplete state information" (1965); Smallwood and Sondik (1973).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, NamedTuple

from endsight.errors import QuestionError, RulesError
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game import position as positions
from endsight.game.arguments import takes
from endsight.game.foresight import FORESIGHT
from endsight.game.numbers import Number, average, count_text
from endsight.game.position import Position, as_text
from endsight.game.question import (
    BLIND,
    PolicyRule,
    Question,
    looks_ahead,
    policy_function,
    rule_name,
    sees_too_much,
    steady,
)
from endsight.game.results import mover_in
from endsight.graph.belief_texts import PlayedPosition, outcome_text, posterior
from endsight.graph.class_kernels import OVER, WORD
from endsight.graph.hidden_states import NOTHING, BeliefMembers, Group, HiddenStates, reduced, seen_next
from endsight.graph.played_out import par_of, played_out

SHOWN = 6
"""Number of hidden states shown of a belief."""


class BeliefGame(Game):
    """The game of beliefs. Its states are beliefs, its chance is what is seen next.

    `rules` is the game that hides something, `hidden` its states. Payoffs and rewards are expectations over what is
    hidden, in units of `means_of`: what nobody has seen counts as it was expected when it was made.
    """

    rules: ClassVar[Game]
    hidden: ClassVar[HiddenStates]

    class State(NamedTuple):
        """A belief; members that show something new are about to be seen."""

        members: BeliefMembers

    def setup(self) -> None:
        """Start with empty caches."""
        self._listed: tuple[Any, Mapping[int, int]] = (None, {})
        self._grouped: tuple[Any, Mapping[int, Group]] = (None, {})
        self._policies: dict[PolicyRule, Callable[[Any, int], Any]] = {}

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
        return self.after_chance(BeliefMembers((0,), (1,)))

    def to_move(self, state: State) -> int | tuple[int, ...]:
        """The player who moves in all states of the belief; chance where something may be seen first."""
        if self._is_open(state.members):
            return CHANCE
        return self._mover(state.members.places[0])

    def _mover(self, state: int) -> int | tuple[int, ...]:
        """Who moves in a hidden state; several players at once as the rules name them."""
        mover = self.hidden.mover(state)
        return self.rules.to_move(self.hidden.example(state)) if mover == TOGETHER else max(0, mover)

    def moves(self, state: State) -> Iterator[Any]:
        """The moves of the rules; of chance, the numbers of what may be seen next."""
        if self._is_open(state.members):
            yield from self.groups(state.members)
        else:
            yield from self._common_moves(state.members)

    def weight(self, state: State, move: int) -> int:
        """How likely this is to be seen next."""
        return self.groups(state.members)[move].weight

    def play(self, state: State, move: Any) -> State:
        """What is known after that."""
        if self._is_open(state.members):
            return self.after_chance(self.groups(state.members)[move].members)
        return self.after_chance(self.moved(state.members, move))

    def reward(self, state: State, move: Any) -> tuple[Number, ...]:
        """The reward of that for every player, as a mean over the hidden states."""
        if self._is_open(state.members):
            return self.groups(state.members)[move].gain or (0,) * self.player_count
        if self.hidden.graph.rewards is None:
            return (0,) * self.player_count
        at, begins = self._common_moves(state.members).index(move), self.hidden.found.p_begins
        return self._expected(state.members, lambda place: self.hidden.gain(begins[place] + at))

    def payoff(self, state: State) -> tuple[Number, ...]:
        """The mean payoff over the states of the belief."""
        return self._expected(state.members, self.hidden.payoff)

    def _expected(self, members: BeliefMembers, paid: Callable[[int], tuple[Number, ...] | None]) -> tuple[Number, ...]:
        """The mean by weight of every player's payment in the states of a belief; None counts as nothing."""
        shares: dict[tuple[Number, ...] | None, int] = {}
        for state, weight in zip(*members, strict=True):
            share = paid(state)
            shares[share] = shares.get(share, 0) + weight
        columns = zip(*(share or (0,) * self.player_count for share in shares), strict=True)
        return tuple(average(shares.values(), column) for column in columns)

    # ---------------------------------------------------------------- beliefs

    def _is_open(self, members: BeliefMembers) -> bool:
        """Whether something is about to be seen, or chance still moves somewhere."""
        return not members.shows_nothing or any(map(self.hidden.is_chance, self._menus(members).values()))

    def _menus(self, members: BeliefMembers) -> Mapping[int, int]:
        """A state of a belief for every player and set of moves that occurs in it."""
        known, places = self._listed  # read at once, as other threads may ask about other beliefs
        if known is not members:
            menus = map(self.hidden.found.h_menus.__getitem__, members.places)
            places = dict(zip(menus, members.places, strict=True))
            self._listed = members, places
        return places

    def _common_moves(self, members: BeliefMembers) -> tuple[Any, ...]:
        """The moves in all states of a belief; `RulesError` where they differ, or somebody else is to move."""
        menus, first = self.hidden.found.h_menus, members.places[0]
        # Where several players move together, the rules name them state by state.
        is_together = self.hidden.mover(first) == TOGETHER
        for state in members.places if is_together else self._menus(members).values():
            if menus[state] != menus[first] or (is_together and self._mover(state) != self._mover(first)):
                raise self._unlike(first, state)
        return self.hidden.moves(first)

    def _unlike(self, *states: int) -> RulesError:
        return RulesError(
            f"{self.title()}: players cannot distinguish states that have different moves",
            found="\n".join(map(self._described, states)),
            advice="let sees tell these states apart, or let the same player have the same moves in both",
        )

    def _described(self, state: int) -> str:
        hidden, rules = self.hidden, self.rules
        example = hidden.example(state)
        if hidden.mover(state) == OVER:
            return f"{as_text(rules, 'show', example)}: the game is over"
        moves = " ".join(as_text(rules, "show_move", example, move) for move in hidden.moves(state))
        movers = self._mover(state)
        numbers = movers if isinstance(movers, tuple) else (movers,)
        names = " and ".join(self.player_names[number] for number in numbers)
        return f"{as_text(rules, 'show', example)}: {names} {'have' if len(numbers) > 1 else 'has'} {moves}"

    def moved(self, members: BeliefMembers, move: Any) -> BeliefMembers:
        """The belief right after a player's move, before anything is seen of it."""
        at, weights = self._common_moves(members).index(move), dict[int, int]()
        begins, ways = self.hidden.found.p_begins, self.hidden.found.p_ways
        for state, weight in zip(*members, strict=True):
            way = ways[begins[state] + at]
            weights[way] = weights.get(way, 0) + weight
        return reduced(weights)

    def after_chance(self, members: BeliefMembers) -> State:
        """The position of a belief; if only one thing can be seen next, it is seen without a step of chance."""
        if self.shows_one(members):
            return self.State(members._replace(places=tuple([place % WORD for place in members.places])))
        return self.State(members)

    def shows_one(self, members: BeliefMembers) -> bool:
        """Whether all states of a belief show the same new thing."""
        return members.places[0] // WORD == members.places[-1] // WORD != NOTHING

    def groups(self, members: BeliefMembers) -> Mapping[int, Group]:
        """The belief after each thing that may be seen next; after `NOTHING` where somebody moves or play has ended."""
        known, parts = self._grouped
        if known != members:
            parts = seen_next(self.rules, self.hidden, members)
            self._grouped = members, parts
        return parts

    # ---------------------------------------------------------------- policies

    def asked(self, question: Question) -> Question:
        """The question about the rules as one about beliefs."""
        if question.utility != "payoff" and any(looks_ahead(self.rules, rule) for rule in question.fixed.values()):
            raise QuestionError(
                f"{', '.join(FORESIGHT)} go by payments, and what players know of {self.title()} pays the utility",
                found=question.utility,
                allowed="payoff; or other policies",
            )
        return replace(question, fixed={player: self.policy(rule) for player, rule in question.fixed.items()})

    def policy(self, rule: PolicyRule) -> PolicyRule:
        """A policy of the rules as one of players' knowledge."""
        return rule if rule in BLIND else _known(rule)

    def agreed(self, rule: PolicyRule, state: Any, own: Sequence[Any] | None = None) -> Any:
        """The move of a policy at a belief; `QuestionError` where it depends on what is hidden.

        `own` are the moves of a player who moves at once with another; they may be mixed. A general policy that looks
        ahead foresees what players know, not what is true.
        """
        known = self.State(*state)
        mover = mover_in(self, known)
        if mover == TOGETHER and not callable(rule):
            raise sees_too_much(self.rules, rule)
        if looks_ahead(self.rules, rule):
            return self._policy(self, rule)(known, mover)
        places = dict.fromkeys(place % WORD for place in known.members.places)
        if callable(rule) and takes(rule, 3) and not takes(rule, 2):
            seen = self.rules.sees(self.hidden.example(next(iter(places))), 0)
            asked = steady(self.rules, partial(rule, self.rules), rule_name(rule))
            return asked(seen, tuple(own or self._common_moves(known.members)))
        policy = self._policy(self.rules, rule)
        moves = dict.fromkeys(policy(self.hidden.example(place), mover) for place in places)
        if len(moves) > 1:
            raise QuestionError(
                f"{self.title()}: a policy depends on what its player does not see",
                found=f"{' and '.join(map(repr, moves))} at {self.show(known)}",
                advice="a policy that gives the same move in all states that look the same",
            )
        return next(iter(moves))

    def _policy(self, game: Game, rule: PolicyRule) -> Callable[[Any, int], Any]:
        """The policy as a function, made once, as it remembers its moves."""
        if rule not in self._policies:
            self._policies[rule] = policy_function(game, rule)
        return self._policies[rule]

    # ---------------------------------------------------------------- positions and texts

    def position(self, moves: str | Iterable[str] = "") -> Position:
        """What players know after moves of the rules; `?` stands for what nobody has seen."""
        return PlayedPosition(self, self.rules.position(moves)).position()

    def position_from(self, text: str) -> Position:
        """`PositionError`: what players know depends on the moves."""
        return PlayedPosition(self, self.rules.position_from(text)).position()

    def position_of(self, place: Position) -> Position | None:
        """What players know at a position of the rules; its moves may say `?` (see `endsight.game.unseen`).

        Raises `PositionError` where that position does not come with its moves, or they leave open what was seen.
        """
        return self.position_after(place) if place.game == self.rules else None

    def position_after(self, place: Position) -> Position:
        """The same for a position that is one of the rules."""
        return PlayedPosition(self, place).position()

    def positions_along(self, start: Position, texts: Iterable[str]) -> list[Position]:
        """Every step of the game of beliefs on the way along moves of the rules."""
        rules, texts = self.rules, " ".join(texts).split()
        before, after = (
            PlayedPosition(self, rules.position(moves)).path() for moves in (start.history, (*start.history, *texts))
        )
        return after[len(before) :]

    def facts_at(self, place: Position) -> dict[str, Any]:
        """Which hidden states are possible, with their chances."""
        return posterior(self, place)

    def counts_unseen(self, place: Position) -> bool:
        """Whether the gains so far differ from those of a play that fits the moves."""
        if self.means_of != "payoff" or not place.history:
            return False
        plays = PlayedPosition(self, self.rules.position(place.history)).plays
        return any(play.position.so_far != place.so_far for play in plays)

    def position_in_truth(self, place: Position) -> Position:
        """The same together with the true state, which is still to be drawn."""
        return played_out(self, place)

    def show_move(self, state: State, move: Any) -> str:
        """The move in the notation of the rules; for chance, what is seen."""
        if self._is_open(state.members):
            return outcome_text(self, state.members, move)
        return as_text(self.rules, "show_move", self.hidden.example(state.members.places[0]), move)

    def show(self, state: State) -> str:
        """The likeliest hidden states with their chances."""
        return " or ".join(self._shown(state, "show"))

    def draw(self, state: State) -> str:
        """The same, drawn one below the other."""
        return "\n".join(self._shown(state, "draw"))

    def _shown(self, state: State, rule: str) -> Iterator[str]:
        """The likeliest states of a belief, or classes of states with the same future, with their chances."""
        total = sum(state.members.weights)
        ordered = sorted(state.members.rows(), key=lambda member: -member.weight)
        for member in ordered[:SHOWN]:
            yield f"{Fraction(member.weight, total)}: {self._named(member.state, rule)}"
        if len(ordered) > SHOWN:
            yield f"{len(ordered) - SHOWN} more"

    def _named(self, state: int, rule: str) -> str:
        """A hidden state; a class of several states gets no name, as what was seen may rule out the one named."""
        size = self.hidden.size(state)
        if size > 1:
            return f"one of {count_text(size, 'state')} with the same future"
        return as_text(self.rules, rule, self.hidden.example(state))


def belief_game(hidden: HiddenStates) -> BeliefGame:
    """The game of beliefs of a game in which all players see the same; it pays the utility of the states' view."""
    view, graph, rules = hidden.view, hidden.graph, hidden.view.game
    if graph.unending is not None and graph.is_cyclic:
        raise QuestionError(
            f"{rules.title()} hides something and may never end, and {view.question.utility!r} compares totals",
            allowed="payoff",
        )
    given: dict[str, Any] = {"name": rules.title(), "__doc__": type(rules).__doc__, "rules": rules, "hidden": hidden}
    given |= {"players": view.players, "discount": rules.discount}
    given |= {"endless": graph.endless} if any(graph.endless) else {}
    given |= {"means_of": view.question.utility} | (par_of(rules))
    kind: type[BeliefGame] = type(type(rules).__name__, (BeliefGame,), given)
    return kind()


def goes_by_states(game: Game, question: Question) -> bool:
    """Whether a fixed policy depends on states."""
    return any(rule not in BLIND and not looks_ahead(game, rule) for rule in question.fixed.values())


def _known(rule: PolicyRule) -> PolicyRule:
    """A policy of rules that hide something, as a policy of players' knowledge."""

    def known(game: Any, state: Any, own: Any = None) -> Any:
        return game.agreed(rule, state, own)

    known.__name__ = rule if isinstance(rule, str) else getattr(rule, "__name__", "function")
    return known


positions.position_of.register(BeliefGame, BeliefGame.position_of)
positions.policy_of.register(BeliefGame, BeliefGame.policy)
positions.positions_along.register(BeliefGame, BeliefGame.positions_along)
positions.facts_at.register(BeliefGame, BeliefGame.facts_at)
positions.counts_unseen.register(BeliefGame, BeliefGame.counts_unseen)
positions.position_in_truth.register(BeliefGame, BeliefGame.position_in_truth)
