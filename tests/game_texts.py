"""Small games as random source text: payoffs of all kinds, written in all ways that Python has for saying a number.

A game is a table of nodes; a state is the number of one. What the tables say is what the
rules pay, whatever the text of `payoff` looks like: some texts show other numbers than
those that Python arrives at (decorated, replaced in `setup`, shadowed, inherited). So a
guard that reads text is found out, and `tests/naive.py`, which only calls the rules, is not. Half of the
games write states and moves as texts, Enums, tuples, sets (`natural_forms.py`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from natural_forms import naturalised

__all__ = ["WAYS", "GameText", "random_game"]

CHANCE = -1
FAMILIES: dict[str, tuple[Any, ...]] = {
    "won, drawn or lost": (-1, 0, 1),
    "won or lost": (-1, 1),
    "one and five": (1, 5),
    "one, five and loss": (-1, 1, 5),
    "nothing": (0,),
    "negative": (-4, -3, -1),
    "scores": (-3, -1, 0, 1, 2, 5),
    "fractions": (Fraction(-1, 2), 0, Fraction(1, 3), 1, Fraction(5, 2)),
    "huge": (-(10**12), -1, 0, 1, 10**12),
    "beyond words": (-(2**70), -1, 1, 2**70),
}
_HEAD = """
import functools
from fractions import Fraction
from typing import NamedTuple

from endsight.game import CHANCE, Game

SUCCESSORS = {successors!r}
PAYS = {pays!r}
"""
_CLASS = """
class Rules({base}):
    players = {players}

    class State(NamedTuple):
        number: int
        twin: int

    def limits(self): return self.State({last}, 1)
    def start(self): return self.State(0, 0)
    def moves(self, state): yield from range(len(SUCCESSORS[state.number]))
    def play(self, state, move): return self.State(SUCCESSORS[state.number][move], move % 2)
    def policy_last(self, state): return len(SUCCESSORS[state.number]) - 1
"""


@dataclass(frozen=True)
class GameText:
    """The source of one rules class, `Rules`, and what it was made of."""

    seed: int
    text: str
    way: str
    family: str
    has_loops: bool
    has_chance: bool
    has_rewards: bool
    players: int
    is_natural: bool


def _cases(pays: list[Any], *, of: Any = repr) -> str:
    """Nested conditional expressions."""
    text = of(pays[-1])
    for number, pay in enumerate(pays[:-1]):
        text = f"{of(pay)} if state.number == {number} else {text}"
    return text


def _by_table(pays: list[Any]) -> str:
    return "    def payoff(self, state): return PAYS[state.number]\n"


def _by_branches(pays: list[Any]) -> str:
    lines = [f"        if state.number == {number}: return {pay!r}" for number, pay in enumerate(pays[:-1])]
    return "\n".join(["    def payoff(self, state):", *lines, f"        return {pays[-1]!r}\n"])


def _by_expression(pays: list[Any]) -> str:
    return f"    def payoff(self, state): return {_cases(pays)}\n"


def _by_attributes(pays: list[Any]) -> str:
    values = [f"    pay_{number} = {pay!r}" for number, pay in enumerate(pays)]
    names = iter(range(len(pays)))
    text = _cases(pays, of=lambda _: f"self.pay_{next(names)}")
    return "\n".join([*values, f"    def payoff(self, state): return {text}\n"])


def _by_helper(pays: list[Any]) -> str:
    return f"    def payoff(self, state): return self.worth(state)\n    def worth(self, state): return {_cases(pays)}\n"


def _by_setup(pays: list[Any]) -> str:
    return f"    def setup(self): self.table = {pays!r}\n    def payoff(self, state): return self.table[state.number]\n"


def _by_local(pays: list[Any]) -> str:
    return "    def payoff(self, state):\n        pay = PAYS[state.number]\n        return pay\n"


def _by_opposites(pays: list[Any]) -> str:
    if not all(isinstance(pay, tuple) and len(pay) == 2 and sum(pay) == 0 for pay in pays):
        return _by_local(pays)
    return "    def payoff(self, state):\n        lead = PAYS[state.number][0]\n        return (lead, -lead)\n"


def _by_shadowed_global(pays: list[Any]) -> str:
    return """    def payoff(self, state):
        for ONE in (PAYS[state.number],):
            pass
        return ONE

ONE = 1
"""


def _by_rebound_globals(pays: list[Any]) -> str:
    names = iter(range(len(pays)))
    text = _cases(pays, of=lambda _: f"GLOBAL_{next(names)}")
    lies = "".join(f"GLOBAL_{number} = 1\n" for number in range(len(pays)))
    truth = "".join(f"GLOBAL_{number} = {pay!r}\n" for number, pay in enumerate(pays))
    return f"    def payoff(self, state): return {text}\n\n{lies}{truth}"


def _by_decorated(pays: list[Any]) -> str:
    return """    def looked_up(function):
        @functools.wraps(function)
        def inner(self, state):
            function(self, state)
            return PAYS[state.number]
        return inner

    @looked_up
    def payoff(self, state): return 1 if state.number % 2 else -1
"""


def _by_chosen_in_setup(pays: list[Any]) -> str:
    return """    def setup(self): self.payoff = self.other
    def other(self, state): return PAYS[state.number]
    def payoff(self, state): return 1 if state.number % 2 else -1
"""


def _by_lambda_in_setup(pays: list[Any]) -> str:
    return """    def setup(self): self.payoff = lambda state: PAYS[state.number]
    def payoff(self, state): return 0
"""


def _by_lambda(pays: list[Any]) -> str:
    return "    payoff = lambda self, state: PAYS[state.number]\n"


def _by_property(pays: list[Any]) -> str:
    return """    won = 1
    def __getattribute__(self, name):
        if name == "payoff":
            return lambda state: PAYS[state.number]
        return super().__getattribute__(name)
    def payoff(self, state): return 1 if state.number % 2 else -1
"""


def _by_replaced_code(pays: list[Any]) -> str:
    return """    def payoff(self, state): return 1 if state.number % 2 else -1

def truth(self, state): return PAYS[state.number]
Rules.payoff.__code__ = truth.__code__
"""


def _by_set_on_class(pays: list[Any]) -> str:
    return """    def payoff(self, state): return 1 if state.number % 2 else -1

Rules.payoff = lambda self, state: PAYS[state.number]
"""


def _by_arithmetic(pays: list[Any]) -> str:
    if any(not isinstance(pay, int) for pay in pays):
        return _by_expression(pays)
    return f"    def payoff(self, state): return 2 * ({_cases(pays)}) - ({_cases(pays)})\n"


def _by_nested(pays: list[Any]) -> str:
    return f"""    def payoff(self, state):
        def lie(): return 1
        pick = lambda: {_cases(pays)}
        return pick() if lie() else 0
"""


def _by_inherited(pays: list[Any]) -> str:
    return ""


WAYS = {
    "a table": _by_table,
    "branches": _by_branches,
    "an expression": _by_expression,
    "attributes": _by_attributes,
    "a helper": _by_helper,
    "a table of setup": _by_setup,
    "a local name": _by_local,
    "opposites": _by_opposites,
    "a shadowed name": _by_shadowed_global,
    "globals bound twice": _by_rebound_globals,
    "decorated": _by_decorated,
    "chosen in setup": _by_chosen_in_setup,
    "a lambda of setup": _by_lambda_in_setup,
    "a lambda": _by_lambda,
    "looked up otherwise": _by_property,
    "other code": _by_replaced_code,
    "set on the class": _by_set_on_class,
    "arithmetic": _by_arithmetic,
    "nested functions": _by_nested,
    "inherited": _by_inherited,
}
PROVABLE = ("branches", "an expression", "a helper", "arithmetic", "opposites")
"""Ways that prove something of payoffs that are not met."""
_BASE = """
class Lying(Game):
    def payoff(self, state): return 1 if state.number % 2 else -1


class Base(Lying):
    def payoff(self, state): return PAYS[state.number]

"""


def random_game(seed: int) -> GameText:
    """The game of a seed: always the same."""
    draw = random.Random(seed)
    players = draw.choice((1, 2, 2, 2, 2, 2, 3))
    told = draw.random() < (0.5 if players == 2 else 0.8)
    has_chance = told and draw.random() < 0.3
    has_rewards = draw.random() < 0.2
    family = "won, drawn or lost" if draw.random() < 0.25 else draw.choice(list(FAMILIES))
    form = _form(draw, players, told=told)
    has_loops = draw.random() < 0.15 and not has_chance and not has_rewards and form in ("single", "opposed")
    nodes = draw.randint(1, 9) if draw.random() < 0.85 else draw.randint(10, 18)
    successors = tuple(_children(draw, node, nodes, has_loops=has_loops) for node in range(nodes))
    pays = [_share(draw, family, form, players) for _ in range(nodes)]
    way = draw.choice(PROVABLE) if draw.random() < 0.25 else draw.choice(list(WAYS))
    text = _HEAD.format(successors=successors, pays=tuple(pays))
    base = "Base" if way == "inherited" else "Game"
    text += _BASE if base == "Base" else ""
    text += _CLASS.format(base=base, last=nodes - 1, players=players)
    if told:
        text += _movers(draw, nodes, players, successors, has_chance=has_chance)
    if has_rewards:
        gains = tuple(tuple(_share(draw, family, form, players) for _ in ways) for ways in successors)
        text += f"    def reward(self, state, move): return {gains!r}[state.number][move]\n"
    if draw.random() < 0.3:
        text += "    def canonical(self, state): return self.State(state.number, 0)\n"
    if players == 1 and draw.random() < 0.3:
        text += "    def par(self): return 1\n"
    text += WAYS[way](pays)
    is_natural = random.Random(f"kind {seed}").random() < 0.5
    if is_natural:
        text = naturalised(text, seed, nodes)
    return GameText(seed, text, way, family, has_loops, has_chance, has_rewards, players, is_natural)


def _form(draw: random.Random, players: int, *, told: bool) -> str:
    """How payoffs are given: one number, one per player and opposed, of any sums, or now so and now so."""
    if players == 1:
        return draw.choice(("single", "any"))
    if players == 2 and not told:
        return draw.choice(("single", "single", "single", "opposed", "any", "mixed"))
    return draw.choice(("opposed", "any")) if players == 2 else "any"


def _share(draw: random.Random, family: str, form: str, players: int) -> Any:
    numbers = FAMILIES[family]
    one = draw.choice(numbers)
    if form == "mixed":
        form = draw.choice(("single", "any"))
    if form == "single":
        return one
    if form == "opposed":
        return (one, -one)
    return (one, *(draw.choice(numbers) for _ in range(players - 1)))


def _children(draw: random.Random, node: int, nodes: int, *, has_loops: bool) -> tuple[int, ...]:
    least = 1 if node == 0 and nodes > 1 else 0
    count = draw.randint(least, 3)
    if has_loops:
        return tuple(draw.randrange(nodes) for _ in range(count)) if node != nodes - 1 else ()
    if node == nodes - 1:
        return ()
    return tuple(draw.randint(node + 1, nodes - 1) for _ in range(count))


def _movers(
    draw: random.Random, nodes: int, players: int, successors: tuple[tuple[int, ...], ...], *, has_chance: bool
) -> str:
    movers = tuple(draw.randint(CHANCE if has_chance else 0, players - 1) for _ in range(nodes))
    text = f"    def to_move(self, state): return {movers!r}[state.number]\n"
    if has_chance and draw.random() < 0.7:
        weights = tuple(tuple(draw.randint(1, 4) for _ in ways) for ways in successors)
        text += f"    def weight(self, state, move): return {weights!r}[state.number][move]\n"
    return text
