"""Random rules as source text whose helpers change the lists that they are handed, on some ways and in loops."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

TOP, CELLS, HELPERS = 3, 3, 3
_HEAD = f"""
from typing import NamedTuple
from endsight import Game

class Rules(Game):
    players = 1
    class State(NamedTuple):
        cells: tuple[int, ...]
    def limits(self): return self.State({TOP})
    def start(self): return self.State((0,) * {CELLS})
    def moves(self, state): yield from range({CELLS})
    def payoff(self, state): return 0
"""
_TAIL = f"        return self.State(tuple(abs(x) % {TOP + 1} for x in xs))\n"


class Writer:
    """What writes the rules of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def rules(self) -> str:
        """A class of rules."""
        text = _HEAD
        for number in range(HELPERS):
            text += f"    def help{number}(self, xs, k):\n        a, b = k, xs[k % {CELLS}]\n"
            text += "".join(self.statements("        ", number, 0))
        text += "    def play(self, state, k):\n        xs = list(state.cells)\n        a, b = k, xs[0]\n"
        return text + "".join(self.statements("        ", HELPERS, 0)) + self.helped("        ", HELPERS) + _TAIL

    def number(self, deep: int = 0) -> str:
        """A whole number."""
        forms = [str(self.random.randint(0, TOP)), *"abk", *["xs[{i}]"] * 3]
        if deep < 2:
            forms += [
                "({n} + {n})",
                "({n} - {n})",
                "({n} * {n})",
                "({n} % 3)",
                "max({n}, {n})",
                "({n} if {t} else {n})",
            ]
        return self._filled(self.random.choice(forms), deep + 1)

    def test(self, deep: int = 0) -> str:
        """A truth value."""
        forms = ["{n} < {n}", "{n} == {n}", "{n} != {n}", "{n} in xs"]
        if deep < 2:
            forms += ["({t} and {t})", "({t} or {t})", "not ({t})"]
        return self._filled(self.random.choice(forms), deep + 1)

    def statements(self, indent: str, helpers: int, deep: int) -> Iterator[str]:
        """Some statements, which may call so many helpers."""
        for _ in range(self.random.randint(1, 3)):
            form = self.random.choice(
                ["xs[{i}] = {n} % 4", "a, b = b, {n}", "b = {n}", "if {t}:", "if {t}:", "", "loop"]
            )
            if form == "if {t}:" and deep < 3:
                yield self._filled(f"{indent}{form}\n", 0)
                yield from self.statements(indent + "    ", helpers, deep + 1)
                if self.random.random() < 0.5:
                    yield f"{indent}else:\n"
                    yield from self.statements(indent + "    ", helpers, deep + 1)
            elif form == "loop" and deep < 2:
                yield self._filled(f"{indent}for k in range({self.random.choice(['2', 'len(xs)', 'xs[0]'])}):\n", 0)
                yield from self.statements(indent + "    ", helpers, deep + 2)
            elif form == "" and helpers:
                yield self.helped(indent, helpers)
            else:
                yield self._filled(f"{indent}xs[{{i}}], xs[0] = xs[0], {{n}}\n" if deep else f"{indent}a = {{n}}\n", 0)

    def helped(self, indent: str, helpers: int) -> str:
        """A call of one of so many helpers."""
        return self._filled(f"{indent}self.help{self.random.randrange(helpers)}(xs, {{n}} % {CELLS})\n", 0)

    def _filled(self, form: str, deep: int) -> str:
        """A form with numbers, tests and indices in their places."""
        text = ""
        for part in form.replace("{", "}").split("}"):
            text += {"n": self.number, "t": self.test, "i": self._index}.get(part, lambda _, part=part: part)(deep)
        return text

    def _index(self, _: int) -> str:
        return self.random.choice(["0", "1", "-1", f"k % {CELLS}", f"a % {CELLS}"])
