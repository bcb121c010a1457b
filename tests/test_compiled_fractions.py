"""Rules that pay fractions are compiled, and pay what they pay in Python, on every way to an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite.binding")

from both_engines import Refused, by_core, by_machine, by_python, refusal
from command_line import run
from endsight import open_tablebase, prove, save, solve, verify, write_certificate
from endsight.errors import QuestionError
from interpreted import FaultError
from test_compiled_meaning import require_same, rules_of

FRAME = """
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
class Point(NamedTuple):
    x: int
    y: int
class Rules(Steps):
    shares = (Fraction(1, 2), Fraction(-2, 3), 4, Fraction(5, 7), 0, Fraction(1, 8), 1)
    pays = {0: HALF, 1: -THIRD}
    def setup(self): self.bonus = Fraction(self.size, 4)
    def share(self, x, by=HALF): return x * by
    def some(self, x):
        if x > 5: return 0
        return Fraction(x, 9)
    def deep(self, x): return Fraction(0) if x <= 0 else HALF + self.deep(x - 1)
    def parts(self, x):
        for each in range(3): yield Fraction(each + x, 5)
    def payoff(self, state):
        n, m = state.steps, state.last
        xs, t = [n, m, 3], (n, m, 7)
"""

SAME = {
    "constant": "return HALF",
    "one of them": "return 1 if m else THIRD",
    "ways": "if m: return HALF\nif n > 7: return 2\nreturn THIRD - 1",
    "sum": "return n + HALF - m * THIRD",
    "sums of three": "return Fraction(n, 6) + Fraction(m, 4) - Fraction(1, 10)",
    "setup": "return self.bonus * n",
    "signs": "return abs(-HALF * n + m) + -Fraction(m, 3) + +THIRD",
    "table": "return self.shares[n % 7]",
    "table of both": "return self.shares[n % 7] * 2 + self.shares[m]",
    "dictionary": "return self.pays[m] + self.pays.get(n % 3, HALF)",
    "call": "return self.share(n) + self.share(m, THIRD) + self.share(m, by=n)",
    "some of a call": "return self.some(n) + 1",
    "recursion": "return self.deep(n % 4)",
    "yields": "return sum(self.parts(n))",
    "comparison": "return int(HALF * n > m + THIRD) + 2 * int(Fraction(n, 2) == 4) + 4 * (3 <= Fraction(n, 2) < 4)",
    "comparison of tuples": "return int((HALF * n, m) < (HALF * 8, 1))",
    "truth": "return (3 if Fraction(n - 8, 3) else 5) + (not HALF * m) + (Fraction(m, 2) or 7) + (HALF * m and 1)",
    "least": "return min(Fraction(n, 3), Fraction(5, 2), 3) + max(HALF, m) + max([Fraction(x, 4) for x in xs])",
    "least by key": "return min(xs, key=lambda x: abs(x - Fraction(9, 2)))",
    "sorted": "return sorted([THIRD * x for x in xs], reverse=True)[0] + sorted(xs, key=lambda x: -Fraction(x, 2))[0]",
    "sorted by tuples": "return sorted([(Fraction(m, 2), Fraction(n)), (HALF, THIRD * m)])[0][0]",
    "folds": "return sum(THIRD * x for x in xs) + sum([HALF * x for x in t], start=1) + sum([THIRD, Fraction(n, 9)])",
    "loop": "total = 0\nfor x in xs: total += Fraction(x, 5)\nreturn total",
    "loop that may not turn": "total = 0\nfor x in range(m): total += HALF\nreturn total",
    "while": "total = n\nwhile total > HALF * 3: total -= THIRD\nreturn total",
    "names of both": "x = 0\nif m: x = Fraction(n, 3)\nreturn x - 1",
    "another name later": "x = n\nx = Fraction(x, 3)\nreturn x",
    "constants of both": "x = HALF if m else THIRD\nif n == 8: x = 2\nreturn x * 3",
    "denominator by count": "return Fraction(n, 1 + t.count(m))",
    "denominator by field": "return Fraction(3, min(state.steps, 9))",
    "denominator by length": "best = max(t)\nfirst = [x for x in t if x == best]\nreturn Fraction(n, len(first))",
    "denominator by sum": "return Fraction(1, 1 + sum(1 for x in t if x > m)) + Fraction(m, 1 + sum(x > 1 for x in t))",
    "denominator by rest": "return Fraction(m, n % 5 + 1)",
    "denominator below 0": "return Fraction(n, -4) + Fraction(-n, 6)",
    "numerator": "return Fraction(HALF * n, 3) + Fraction(m) + Fraction(True, 2) + Fraction(n > 7, 3) + Fraction('2')",
    "by a fraction": "return n / Fraction(3, 2) + m / THIRD + Fraction(n, HALF) + HALF / 3",
    "by a constant twice": "x = Fraction(n, 2) * THIRD\nreturn x * Fraction(3, 5)",
    "known": "return n * (HALF ** 3 + THIRD // 1 + Fraction(7, 2) % 2)",
    "numerators of constants": "return n * self.bonus.numerator + self.bonus.denominator",
    "in": "return int(Fraction(n, 2) in (HALF, 4, Fraction(9, 2))) + [Fraction(x, 2) for x in t].count(4)",
    "lists": "ys = [HALF, n]\nys.append(Fraction(m, 4))\nys[0] = THIRD\nreturn ys[0] + ys[m]",
    "tuples": "a, (b, c) = HALF * n, (m, Fraction(n, 7))\nreturn (a, b, c)[0] + c",
    "named tuples": "p = Point(HALF * n, m)\nreturn p.x + p.y",
    "dictionaries": "d = {n: Fraction(m, 2), 50: HALF}\nreturn d[n] + sum(d.values())",
    "lambda": "f = lambda x, y=HALF: x * y\nreturn f(n) + f(m, THIRD)",
    "whole": "return Fraction(n) + Fraction(4, 2)",
    "zip": "return sum(a * b for a, b in zip([HALF, THIRD, HALF * 3], xs))",
    "unpacked": "return sum([*[Fraction(x, 3) for x in t], HALF])",
    "reduce": "return functools.reduce(lambda a, x: a + x, [Fraction(x, 3) for x in t])",
    "next": "return next((Fraction(x, 3) for x in xs if x > 3), HALF)",
}  # fmt: skip

TRUTH = "a truth value stands where others are fractions: write int(...) around it"
REFUSED = {
    "return HALF * n * (HALF * m)": "a product of two fractions cannot be compiled: "
    "work with whole numbers, and make a Fraction of the result",
    "return HALF * n / 2": "division of a fraction cannot be compiled: write * Fraction(1, n)",
    "return n / 2 + HALF": "true division gives no whole numbers: write //",
    "return HALF / n": "division of a fraction cannot be compiled: write * Fraction(1, n)",
    "return HALF * n // 1": "this operator cannot be compiled for fractions: "
    "work with whole numbers, and make a Fraction of the result",
    "return Fraction(n, n * n)": "the denominator may be any number: let it be at most 22, as in min(n, 12), or take "
    "the fraction from a table",
    "return int(HALF * n)": "a whole number is needed here, not a fraction",
    "return xs[HALF * n]": "an index is a whole number, not a fraction",
    "return len(HALF * n)": "a fraction has no length",
    "return t * HALF": "a number is needed here, not a tuple of 3",
    "return sum(HALF * n)": "a loop over a fraction cannot be compiled",
    "return (HALF * n).numerator": "(HALF * n).numerator does not stand for whole numbers",
    "return Fraction(n, 10**6 + 3) + Fraction(m, 10**6 + 7)":
        "the fractions of these rules have no common denominator below 2^30",
    "return (HALF * n) and True": TRUTH,
    "return (m > 1) or HALF * n": TRUTH,
    "return [HALF * n, True][m % 2]": TRUTH,
    "return [HALF, HALF * n, m > 1][m % 3]": TRUTH,
    "return max(HALF * n, m > 1)": TRUTH,
    "return sum([HALF * n, HALF][m % 3:], True)": TRUTH,
    "return sorted([HALF * n, m > 1])[0]": TRUTH,
    "return (lambda part: part and True)(HALF * n)": TRUTH,
    "return True if m else HALF": TRUTH,
    "return (HALF * n).limit_denominator(3)":
        "the call of (HALF * n).limit_denominator cannot be compiled: write what it does",
}  # fmt: skip


def game_of(body: str, name: str, folder: Path) -> Any:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return rules_of(f"fraction-{name.replace(' ', '-')}", FRAME + lines, folder)()


@pytest.mark.parametrize("name", SAME)
def test_the_core_means_what_python_means(name: str, tmp_path: Path) -> None:
    game = game_of(SAME[name], name, tmp_path)
    require_same(by_python(game), by_core(game), name)


MACHINE = (*list(SAME)[::9], "denominator by count")


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[] if each in MACHINE else [pytest.mark.slow]) for each in SAME]
)
def test_machine_code_means_what_python_means(name: str, tmp_path: Path) -> None:
    game = game_of(SAME[name], name, tmp_path)
    require_same(by_python(game), by_machine(game), name)


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_not_exact_or_not_known_is_refused_by_line(number: int, tmp_path: Path) -> None:
    body, said = list(REFUSED.items())[number]
    found = refusal(game_of(body, f"refused {number}", tmp_path))
    assert found is not None
    assert (found.reason, found.line is None) == (said, False)


def test_a_denominator_that_was_not_expected_is_left_to_python(tmp_path: Path) -> None:
    game = game_of("x = Fraction(n, 2)\nfor _ in range(3): x = x * HALF\nreturn x", "deeper", tmp_path)
    with pytest.raises(FaultError, match="a fraction is smaller than the denominators told"):
        by_core(game)
    with pytest.raises(Refused, match="smaller than the denominators told"):
        by_machine(game, tracks_mover=False)
    solution = solve(game, engine="auto")
    assert solution.value() == solve(game, engine="plain").value()


def test_a_sum_that_leaves_the_word_is_left_to_python(tmp_path: Path) -> None:
    game = game_of("return HALF * (n * 2**58) + Fraction(m, 1000)", "large", tmp_path)
    with pytest.raises(FaultError):
        by_core(game)
    assert solve(game, engine="auto").value() == solve(game, engine="plain").value()


PATHS = """
class Rules(Steps):
    players = {players}
    def payoff(self, state):
        n, m = state.steps, state.last
        return {pays}
"""
ONE = "Fraction(n * 3 % 7, 6) - Fraction(m, 4)"
OPPOSED = f"({ONE}, -({ONE}))"
APART = "(Fraction(n * 3 % 7, 6), Fraction(m * 5 + n, 4))"
VERDICTS = "(Fraction(0), 0) if n % 3 else (Fraction(1, 2) * 2, -1) if m else (Fraction(-2, 2), Fraction(7, 7))"
REWARDED = """
    def reward(self, state, move): return (Fraction(move, 3), -Fraction(move, 3))
"""
CHANCE = """
    def to_move(self, state): return -1 if state.steps % 3 == 1 else state.steps % 2
    def weight(self, state, move): return 1 + move
"""
ALONE = """
    def to_move(self, state): return -1 if state.steps % 3 == 1 else 0
"""
DICE = """
    def to_move(self, state): return -1
    def weight(self, state, move): return 1 + 2 * move
"""
MOVER = """
    def to_move(self, state): return state.steps % 2
"""
LOOP = """
    def moves(self, state):
        if state.steps < 7:
            yield 0
            yield 1
    def play(self, state, move):
        return self.State(state.steps + 1 if move else max(state.steps - 1, 0), move)
"""
GAMES = {
    "one player": (1, ONE, ""),
    "single numbers": (2, ONE, ""),
    "opposed": (2, OPPOSED, MOVER),
    "apart": (2, APART, MOVER),
    "apart, by plies": (2, APART, ""),
    "rewards": (2, OPPOSED, REWARDED + MOVER),
    "won, drawn or lost": (2, VERDICTS, MOVER),
    "won, drawn or lost, by plies": (2, VERDICTS, ""),
    "chance": (2, OPPOSED, CHANCE),
    "chance for one": (1, ONE, ALONE),
    "loops": (2, OPPOSED, LOOP + MOVER),
    "loops and chance": (2, OPPOSED, LOOP + DICE),
}
QUESTIONS = ("payoff", "win", "lead")


def positions(game: Any) -> list[Any]:
    waiting, met = [game.position()], {}
    while waiting:
        place = waiting.pop()
        if place.state not in met:
            met[place.state] = place
            waiting += [place.play(move) for move in place.moves()]
    return list(met.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_path_gives_the_values_of_python(name: str, tmp_path: Path) -> None:
    players, pays, more = GAMES[name]
    game = rules_of(
        f"path-{name.replace(' ', '-').replace(',', '')}", PATHS.format(players=players, pays=pays) + more, tmp_path
    )()
    compiled_ways = 0
    for utility in QUESTIONS[: 1 if players == 1 else 3]:
        plain = solve(game, utility=utility, engine="plain", method="graph")
        for method in ("graph", "layers"):
            try:
                found = solve(game, utility=utility, engine="compiled", method=method)
            except QuestionError:
                continue
            compiled_ways += 1
            for place in positions(game):
                assert found.values(place) == plain.values(place), (utility, method, place)
                assert found.distance(place) == plain.distance(place), (utility, method, place)
    assert compiled_ways >= (1 if players == 1 else 3)


@pytest.mark.parametrize("name", ["opposed", "apart", "won, drawn or lost", "rewards"])
def test_stored_solutions_hold_the_values_of_python(name: str, tmp_path: Path) -> None:
    players, pays, more = GAMES[name]
    game = rules_of(f"stored-{name.split(',')[0]}", PATHS.format(players=players, pays=pays) + more, tmp_path)()
    plain = solve(game, engine="plain", method="graph")
    for method in ("graph", "layers"):
        folder = tmp_path / method
        save(solve(game, method=method, engine="compiled"), folder, best=True)
        stored = open_tablebase(folder, game)
        for place in positions(game):
            assert stored.value(place) == plain.value(place), (method, place)


@pytest.mark.parametrize("name", GAMES)
def test_certificates_are_those_of_python(name: str, tmp_path: Path) -> None:
    players, pays, more = GAMES[name]
    game = rules_of("proved", PATHS.format(players=players, pays=pays) + more, tmp_path)()
    written = []
    for engine in ("plain", "compiled"):
        certificate = prove(solve(game, engine=engine, method="graph"))
        write_certificate(certificate, tmp_path / engine)
        verify(tmp_path / engine, game)
        written.append((tmp_path / engine).read_bytes())
    assert written[0] == written[1]
    assert b"/" in written[0] or name == "loops"


@pytest.mark.parametrize("name", ["opposed", "apart", "rewards", "chance"])
def test_exports_are_those_of_python(name: str, tmp_path: Path) -> None:
    players, pays, more = GAMES[name]
    game = rules_of("exported", PATHS.format(players=players, pays=pays) + more, tmp_path)()
    told = []
    for engine in ("plain", "compiled"):
        folder = tmp_path / engine
        save(solve(game, method="graph", engine=engine), folder, best=True)
        for form in ("csv", "jsonl"):
            done = run("export", str(folder), "--to", form, "--game", f"{tmp_path / 'meaning_exported.py'}:Rules")
            assert done.code == 0, done
            told.append(sorted(done.out.splitlines()))
    assert told[:2] == told[2:]
    assert any("/" in line for line in told[0])


def test_what_keeps_whole_numbers_refuses_fractions(tmp_path: Path) -> None:
    game = rules_of("whole", PATHS.format(players=2, pays=OPPOSED) + MOVER, tmp_path)()
    asked = ("solve", f"{tmp_path / 'meaning_whole.py'}:Rules", "--mode", "disk", "-o", str(tmp_path / "it"))
    said = " ".join(run(*asked).err.split())
    assert "the mode disk cannot answer this" in said
    assert "and payoffs are fractions: pay whole numbers, 12 times as large" in said
    assert solve(game, method="search", engine="compiled").value() == solve(game, engine="plain").value()
