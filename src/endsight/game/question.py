"""A question about a game: the players' goals, and the players with fixed policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from itertools import count
from typing import Any, Literal, TypeAlias, get_args

from endsight.errors import QuestionError
from endsight.errors.complaints import no_move, unsteady_policy
from endsight.game import Game
from endsight.game.arguments import as_kind
from endsight.game.derived import discount_of
from endsight.game.foresight import FORESIGHT
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position, policy_of

Goal: TypeAlias = Literal["competitive", "cooperative"]
Utility: TypeAlias = Literal["payoff", "win", "lead"]
PolicyRule: TypeAlias = "str | Callable[[Game, Any], Any]"
"""A named policy (one of `GENERAL_POLICIES`, or one the game offers) or `function(game, state) -> move`."""

Fixed: TypeAlias = "Mapping[str | int, PolicyRule]"
"""Policies by the names or numbers of their players."""

PERFECT = "perfect"
"""The policy that makes the moves of best play."""
BY_VALUE: Mapping[str, int] = {"best": 1, "worst": -1}
"""Policies that follow their player's value: the sign is 1 to maximize it, -1 to minimize it."""
BLIND = ("random", *BY_VALUE)
"""Policies that never look at a state."""
GENERAL_POLICIES = ("random", *FORESIGHT, *BY_VALUE)
"""Policies that every game has: a uniform move; those of `foresight`; the move of the highest or lowest own value."""


@dataclass(frozen=True)
class Question:
    """Objective, utility and fixed policies.

    `objective`: `competitive`, every player maximises their own utility; `cooperative`,
    every player maximises the first player's.
    `utility`: `payoff`, their own payoff; `win`, 1 for more than every other, shared
    equally among the best; `lead`, their own payoff less the best other's.
    `fixed`: player number -> policy; those players do not choose.
    """

    objective: Goal = "competitive"
    utility: Utility = "payoff"
    fixed: Mapping[int, PolicyRule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kinds in (("objective", Goal), ("utility", Utility)):
            if getattr(self, name) not in get_args(kinds):
                found = getattr(self, name)
                raise QuestionError(f"there is no {name} called {found!r}", allowed=", ".join(get_args(kinds)))

    @property
    def is_plain(self) -> bool:
        """Whether every player maximises their own payoff and none is fixed."""
        return self.objective == "competitive" and self.utility == "payoff" and not self.fixed

    def counted(self, player: int) -> int:
        """The player whose value counts for `player`: the first one where all play for the first."""
        return 0 if self.objective == "cooperative" else player

    def check(self, game: Game) -> Question:
        """The question itself; raises `QuestionError` where it makes no sense for `game`."""
        if self.utility != "payoff":
            _check_compared(game, self.utility)
        for player, rule in self.fixed.items():
            _check_policy(game, player, rule)
        return self


def _check_compared(game: Game, utility: Utility) -> None:
    if game.player_count == 1 and not (utility == "win" and game.gives("par")):
        found = f"{game.title()} has only one"
        raise QuestionError(f"the utility {utility!r} compares players, and {found}", allowed="payoff")
    require_no_discount(game, f"the utility {utility!r}")


def _check_policy(game: Game, player: int, rule: PolicyRule) -> None:
    if not 0 <= player < game.player_count:
        raise QuestionError(f"{game.title()} has no player number {player}", allowed=", ".join(game.player_names))
    if not callable(rule) and rule not in policies_of(game):
        allowed = ", ".join((*policies_of(game), "or a function(game, state) that returns a move"))
        raise QuestionError(f"{game.title()} has no policy called {rule!r}", allowed=allowed)


def require_no_discount(game: Game, what: str) -> None:
    """Raise `QuestionError` where the rules discount, because `what` adds up payoffs of play."""
    if game.discount != 1:
        raise QuestionError(
            f"{what} does not allow a discount, and {game.title()} has one",
            found=f"discount = {discount_of(game)}",
            advice="value, analyze and line answer such games; or rules without discount",
        )


def require_all_seen(game: Game, what: str) -> None:
    """Raise `QuestionError` where players do not see everything, because `what` assumes that they do."""
    if game.gives("sees"):
        raise QuestionError(
            f"{what} assumes that players see everything, but {game.title()} hides something from players",
            found="rules that give `sees`",
            allowed="games in which everybody sees everything",
            advice="endsight value, table, or analyze --as PLAYER without --method: they answer for what players see",
        )


def require_utility(game: Game, utility: str) -> None:
    """Raise `QuestionError` where a game was made for one utility and the question names another."""
    if game.means_of not in (None, utility):
        raise QuestionError(
            f"what players know of {game.title()} was asked for the utility {game.means_of!r}",
            found=utility,
            advice="the same question with that utility from the start",
        )


def rule_name(rule: PolicyRule) -> str:
    """A policy's name."""
    return rule if isinstance(rule, str) else str(getattr(rule, "__name__", "function"))


def player_number(game: Game, player: str | int) -> int:
    """The number of a player given by name or number; `QuestionError` where there is none."""
    names = game.player_names
    number = names.index(player) if player in names else player
    if not isinstance(number, int) or not 0 <= number < len(names):
        raise QuestionError(f"{game.title()} has no player {player!r}", allowed=", ".join(names))
    return number


def question_about(
    game: Game, objective: Goal = "competitive", utility: Utility = "payoff", fixed: Fixed | None = None, **_: object
) -> Question:
    """The question of the options of `endsight.solve`; raises what `Question.check` and `player_numbers` raise."""
    return Question(objective, utility, player_numbers(game, fixed) if fixed else {}).check(game)


def player_numbers(game: Game, fixed: Fixed) -> dict[int, PolicyRule]:
    """Policies by player number; raises `QuestionError` for an unknown player, and for one with two policies."""
    as_kind(fixed, Mapping, "fixed", f"fixed={{{game.player_names[-1]!r}: 'random'}}")
    numbers = {player: player_number(game, player) for player in fixed}
    policies = {numbers[player]: rule for player, rule in fixed.items()}
    if len(policies) < len(numbers):
        raise QuestionError("a player has two policies", found=repr(dict(fixed)), allowed="one policy per player")
    return policies


_REMEMBERED = 1 << 16
"""The most states whose move a policy that looks ahead remembers."""
_CALLS, _FIRST_QUESTIONS = 8, 16
"""How often a user's policy is called for each of the first questions, and how many these are."""


def policies_of(game: Game) -> tuple[str, ...]:
    """Names of the policies that `--fix PLAYER=NAME` knows for `game`."""
    own = sorted(name.removeprefix("policy_").replace("_", "-") for name in dir(game) if name.startswith("policy_"))
    return tuple(dict.fromkeys((*own, *GENERAL_POLICIES)))


def looks_ahead(game: Game, rule: PolicyRule) -> bool:
    """Whether a policy is one of `FORESIGHT`, and not one of that name that the rules of `game` give."""
    return isinstance(rule, str) and rule in FORESIGHT and own_policy(game, rule) is None


def own_policy(game: Game, name: str) -> Callable[[Any], Any] | None:
    """The policy of that name that the rules give, if they do."""
    return getattr(game, "policy_" + name.replace("-", "_"), None)


def policy_function(game: Game, rule: PolicyRule) -> Callable[[Any, int], Any]:
    """The deterministic policy `rule` as a function of a state and its mover that gives a move.

    A method `policy_greedy` or `policy_lookahead` of the rules takes precedence over the general policy of that name. A
    user's function or method is called repeatedly (see `steady`).
    """
    if callable(rule):
        asked = steady(game, partial(rule, game), rule_name(rule))
    elif own := own_policy(game, rule):
        asked = steady(game, own, rule)
    else:
        return lru_cache(_REMEMBERED)(partial(FORESIGHT[rule], game))  # simulated games visit the same states
    return lambda state, _: asked(state)


def steady(game: Game, policy: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A user's policy, a function of what a player of `game` knows, as one that is tried out.

    It is called eight times for each of the first 16 questions, and then twice, as one that draws its moves by chance
    may draw the same one; raises `RulesError` where two moves differ.
    """
    questions = count()

    def move(*given: Any) -> Any:
        times = _CALLS if next(questions) < _FIRST_QUESTIONS else 2
        first, *others = (policy(*given) for _ in range(times))
        for other in others:
            if repr(other) != repr(first):
                raise unsteady_policy(game, name, (first, other), given)
        return first

    return move


def policy_move(position: Position, rule: PolicyRule) -> Any:
    """The move that a policy makes at a position; `RulesError` where it is not legal.

    Raises `QuestionError` for a true position that its player does not see.
    """
    game, legal = position.game, list(position.moves())
    if game.gives("sees"):
        raise sees_too_much(game, rule)
    rule = policy_of(game, rule)
    # In play, a user's function may draw its moves by chance.
    move = rule(game, position.state) if callable(rule) else policy_function(game, rule)(position.state, position.mover)
    return offered(game, rule, move, position.state, legal)


def bound_move(position: Position, rule: PolicyRule) -> Any:
    """The move that a policy makes for a player whom the question binds to it; `RulesError` where it is not legal."""
    game, state = position.game, position.state
    return offered(game, rule, policy_function(game, rule)(state, position.mover), state, list(position.moves()))


def offered(game: Game, rule: object, move: Any, state: Any, legal: list[Any]) -> Any:
    """The legal move that equals a policy's, which may be `True` or numpy's 1 for 1; `RulesError` where none does."""
    if move in legal:
        return legal[legal.index(move)]
    raise no_move(game, rule, move, state, legal)


def sees_too_much(game: Game, rule: PolicyRule) -> QuestionError:
    """The error for a policy that goes by the whole position where players do not see it."""
    hidden = "hides some of it from players" if game.gives("sees") else "lets players move at once"
    return QuestionError(
        f"the policy {rule_name(rule)!r} sees the whole position, and {game.title()} {hidden}",
        allowed="random, file.py:function",
        advice="def function(game, seen, moves) that returns a move, or a dict of moves to whole weights",
    )


def utility_of(totals: tuple[Number, ...], utility: Utility) -> tuple[Number, ...]:
    """The utility of several players' whole-game totals to each of them."""
    if utility == "payoff":
        return totals
    return _leads(totals) if utility == "lead" else _shares(totals)


def _leads(totals: tuple[Number, ...]) -> tuple[Number, ...]:
    """Each player's lead over the best of the others."""
    return tuple(simplest(own - max(totals[:i] + totals[i + 1 :])) for i, own in enumerate(totals))


def _shares(totals: tuple[Number, ...]) -> tuple[Number, ...]:
    """Each player's share of the win, which the highest totals split."""
    best = max(totals)
    share = simplest(Fraction(1, totals.count(best)))
    return tuple(share if own == best else 0 for own in totals)
