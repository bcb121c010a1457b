"""Random small games of all classes: every command under every combination of options tells the same, or refuses.

    python tests/fuzz_options.py --count 2000 --seed 1

A case (`option_cases.py`) is a game, a question and a position. What commands say of it without further options is held
against the oracle, and against one another: value, best move, mean of the distribution, end of the line, rows of the
table and of the stored solution, certificate. Then the same commands are asked with random combinations of method,
engine, symmetry, kind of numbers, limits, threads, and stored solutions (in memory, on the disk, with best moves).
Further commands (`option_verbs.py`) are held against these answers too. Every answer must say the same; a refusal must
have an exit code of `docs/reference/exit-codes.md` and a message.
Prints each difference with the seed of its case, and counts at the end.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import fuzz_games
import naive
from command_line import Ending, exact, run
from option_cases import Case, Range, random_case
from option_verbs import QUESTIONS, Asked, exported

METHODS = ("auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber")
SEARCHES = ("search", "minimax", "alphabeta", "proofnumber")
TAKES_ALL = ("auto", "graph", "layers", "search")
"""Methods that accept every game that has a value."""
COMPILED = 12
"""Compiled rules are asked for in one case of so many."""
COMBINATIONS = 14
"""Of options, for each case."""
FROM = ("value", "analyze", "line", "dist", "length", "fair", "table")
POSITIONS = ("value", "analyze")


@dataclass
class Tally:
    """What was tried, and what came of it."""

    cases: int = 0
    judged: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


@dataclass
class How:
    """One combination of options, and what they lead one to expect."""

    method: str = "auto"
    engine: str = "auto"
    symmetry: str = "on"
    numbers: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    is_batch: bool = False

    @property
    def options(self) -> list[str]:
        """As the command line has them; defaults are left out."""
        pairs = {"--method": self.method, "--engine": self.engine, "--symmetry": self.symmetry}
        default = {"--method": "auto", "--engine": "auto", "--symmetry": "on"}
        words = [word for key, value in pairs.items() if value != default[key] for word in (key, value)]
        return [*words, *self.numbers, *self.limits, *self.source]

    @property
    def may_stop(self) -> bool:
        """Whether a limit may stop the work."""
        return "--states" in self.limits


def words_of(verb: str, case: Case) -> list[str]:
    """A command about the case but for its options."""
    name, first = case.name, case.names[0]
    return {
        "length": ["dist", name, "--length"],
        "rule": ["table", name, "--rule"],
        "simulate": ["simulate", name, "--games", "20", "--seed", "1"],
        "exploit": ["exploit", name, *(f"{player}=random" for player in case.names)],
        "loss": ["analyze", name, "--policy", f"{first}=random"],
        "play": ["play", name, "--seed", "1", *(f"--seat={player}=perfect" for player in case.names)],
    }.get(verb, [verb, name])


def ask(verb: str, case: Case, how: How) -> Ending:
    """The answer of a command."""
    words = words_of(verb, case)
    asked = [] if verb == "exploit" else case.asked
    if verb == "exploit":
        asked = case.asked[:4]
    if verb in ("report", "check"):
        return run(*words, *how.limits, "--json")
    if how.is_batch and verb in POSITIONS:
        told = run(*words, *asked, "--at", "-", *how.options, "--jsonl", stdin=f"{case.position.text}\n")
        return told if told.code else Ending(told.command, 0, told.out.splitlines()[0], told.err)
    form = [] if verb == "play" else ["--json"]
    options = replace(how, method="auto", engine="auto", numbers=()).options if verb == "estimate" else how.options
    return run(*words, *asked, *case.place, *options, *form)


# ---------------------------------------------------------------------------- what one document must say


def differs(what: str, told: Any, right: Any) -> Iterator[str]:
    if told != right:
        yield f"{what}: {told}, not {right}"


def values(row: dict[str, Any], case: Case) -> list[Range]:
    """What a document, or a move in it, says of each player."""
    return [Range.told(row, name) for name in case.names]


def of_value(case: Case, document: dict[str, Any]) -> Iterator[str]:
    """The value, and what every move is worth, against the oracle."""
    if case.value is None:
        return
    for name, told, right in zip(case.names, values(document, case), case.value, strict=True):
        if right is not None and not told.holds(Range.of(right)):
            yield f"value of {name}: {told}, not {right}"
    for row in document.get("moves") or [] if case.moves and document["schema"] == "endsight.position/1" else []:
        for name, told, right in zip(case.names, values(row, case), case.moves[row["move"]], strict=True):
            if right is not None and not told.holds(Range.of(right)):
                yield f"move {row['move']}: {told} for {name}, not {right}"
    yield from _judged(case, document)


def _judged(case: Case, document: dict[str, Any]) -> Iterator[str]:
    """Which moves are best and what others give away, against the oracle, also where only bounds are told."""
    mover = document.get("to_move")
    if mover not in case.names or not case.moves or case.hides or case.names.index(mover) in case.question["fixed"]:
        return
    target = 0 if case.question["objective"] == "cooperative" else case.names.index(mover)
    worth = {move: ends[target] for move, ends in case.moves.items()}
    known = all(each is not None and Range.of(each).is_exact for each in worth.values())
    if document["schema"] != "endsight.position/1" or not known:
        return
    best = max(worth.values())
    for row in document.get("moves") or []:
        if row["best"] is not None:
            yield from differs(f"best of {row['move']}", row["best"], worth[row["move"]] == best)
        if row["regret"] is not None and abs(worth[row["move"]]) != naive.INFINITE:
            ends = (row["regret"], row["regret"]) if "exact" in row["regret"] else row["regret"].values()
            low, high = map(exact, ends)
            if not low <= best - worth[row["move"]] <= high:
                yield f"regret of {row['move']}: {row['regret']}, not {best - worth[row['move']]}"


def of_form(case: Case, verb: str, how: How, document: dict[str, Any]) -> Iterator[str]:
    """Whether it says what was asked, and how it was answered."""
    for key in ("objective", "utility"):
        yield from differs(key, document.get(key, case.question[key]), case.question[key])
    method = document.get("method", {})
    engine, refused = method.get("engine"), method.get("refused")
    is_other = how.engine not in ("auto", engine) and engine not in ("none", None) and not refused
    if is_other and not how.may_stop and not (verb == "simulate" and not method["states"]):
        yield f"engine {how.engine} was asked for, and {engine} ran"
    if "was wrong" in (refused or ""):
        yield f"the audit threw a compiled answer away: {refused}"
    if "--exact" in how.numbers and document.get("status") == "enclosed" and not how.may_stop and not _is_open(case):
        yield "bounds, and exact numbers were asked for"


def _is_open(case: Case) -> bool:
    return case.value is None or any(not Range.of(value).is_exact for value in case.value if value is not None)


def alike(how: How, told: dict[str, Any], right: dict[str, Any]) -> Iterator[str]:
    """Whether a document says the same as the one without further options."""
    yield from differs("schema", told["schema"], right["schema"])
    rows, others = ((document.get("rows") or [{}])[0].keys() for document in (told, right))
    if rows == others:  # or one of them has the game's own shape, which rests on a theorem
        yield from _leaves(told, right, "", how)


SKIPPED = {"method", "elapsed", "seconds", "memory", "bytes_per_state", "seconds_per_state", "sampled", "version"}
SKIPPED |= {"engine", "basis", "plans", "judged", "fits", "path", "status", "facts", "unproven_line", "rank", "states"}
SKIPPED |= {"between", "interval", "chance"}
SKIPPED |= {"lower", "upper", "theorem", "edges", "depth", "complete", "notion"}
LOOSE = {"category", "distance", "expected_plies", "length", "lengths", "moves", "back_to", "mean_plies"}
LOOSE |= {"forced", "costless"}
"""What rests on distances, which a search need not know: of two ways to win the short one is not preferred then."""


def _leaves(told: Any, right: Any, path: str, how: How) -> Iterator[str]:
    """Differences between two documents, place by place."""
    if isinstance(right, dict) and isinstance(told, dict):
        if "exact" in right and "approx" in right:
            yield from differs(path, told.get("exact"), right["exact"])
            return
        # A game's own facts rest on its theorems, which other methods and stored solutions do without.
        for key in right.keys() & told.keys() if how.source or how.method != "auto" else right.keys() | told.keys():
            is_loose = key in LOOSE and not (key == "moves" and told.get("schema") == "endsight.position/1")
            is_skipped = key in SKIPPED or (key == "warnings" and how.limits)  # a limited check looks less far
            if is_skipped or (is_loose and how.method in SEARCHES):
                continue
            if key == "value" and (told.get(key) is None or right.get(key) is None):
                yield from _bounds(told, right, f"{path}/{key}")
                continue
            yield from _leaves(told.get(key), right.get(key), f"{path}/{key}", how)
    elif isinstance(right, list) and isinstance(told, list) and len(right) == len(told):
        if path.endswith("/best"):  # which come in the order of their ranks
            told, right = sorted(told), sorted(right)
        if path == "/moves" and right and "value" in right[0]:
            told, right = ([*sorted(rows, key=lambda row: row["move"])] for rows in (told, right))
        for number, (one, other) in enumerate(zip(told, right, strict=True)):
            yield from _leaves(one, other, f"{path}/{number}", how)
    elif told != right and not (path.endswith(("regret", "best", "distance")) and None in (told, right)):
        yield f"{path}: {str(told)[:300]}, not {str(right)[:300]}"


def _bounds(told: dict[str, Any], right: dict[str, Any], path: str) -> Iterator[str]:
    """Two ranges of one number meet."""
    for name in (told.get("value") or told.get("lower") or {}).keys() if isinstance(told.get("lower"), dict) else ():
        one, other = Range.told(told, name), Range.told(right, name)
        if not (one.holds(other) or other.holds(one)):
            yield f"{path}: {one}, and {other}"


# ---------------------------------------------------------------------------- what documents must say together


def total(row: dict[str, Any], case: Case) -> list[Fraction] | None:
    """The exact values in a document, if all are."""
    told = values(row, case)
    return [each.lower for each in told] if all(each.is_exact for each in told) else None


def together(case: Case, said: dict[str, Any]) -> Iterator[str]:
    """What documents of one case, each without further options, say of one another."""
    if "value" not in said:
        return
    value = total(said["value"], case)
    for verb in ("analyze", "line", "fair", "review", "loss"):
        if verb in said and "value" in said[verb]:
            yield from differs(f"value of {verb}", total(said[verb], case), value)
    if value is None:
        return
    if "analyze" in said:
        yield from _best(case, said["analyze"], value)
    yield from _means(case, said, value)
    if "line" in said and "dist" in said and not case.hides:
        yield from _line(case, said["line"], value)
    if "table" in said and "rows" in said["table"]:
        yield from _row(case, said["table"]["rows"], value)


def _best(case: Case, document: dict[str, Any], value: list[Fraction]) -> Iterator[str]:
    rows = document["moves"]
    fixed = case.question["fixed"]
    if not rows or document["to_move"] not in ("chance", *case.names) or case.hides or case.game.discount != 1:
        return
    told = [values(row, case) for row in rows]
    if document["to_move"] == "chance":
        chances = [exact(row["probability"]) for row in rows]
        yield from differs("sum of chances", sum(chances), 1)
        if all(each.is_exact for row in told for each in row):
            means = [sum(c * row[k].lower for c, row in zip(chances, told, strict=True)) for k in range(len(value))]
            yield from differs("mean of the outcomes", means, value)
        return
    mover = case.names.index(document["to_move"])
    if mover in fixed:
        return
    target = 0 if case.question["objective"] == "cooperative" else mover
    if all(row[target].is_exact for row in told):
        yield from differs("best move", max(row[target].lower for row in told), value[target])
        for row, ends in zip(rows, told, strict=True):
            if abs(ends[target].lower) != naive.INFINITE:
                regret = value[target] - ends[target].lower
                yield from differs(f"regret of {row['move']}", exact(row["regret"]), regret)
            yield from differs(f"best of {row['move']}", row["best"], ends[target].lower == value[target])


def _means(case: Case, said: dict[str, Any], value: list[Fraction]) -> Iterator[str]:
    dist = said.get("dist")
    if dist and case.game.discount == 1:
        chances = [exact(row["probability"]) for row in dist["outcomes"] if row["probability"].get("exact")]
        is_whole = len(chances) == len(dist["outcomes"]) and sum(chances) == 1
        if is_whole:
            pays = [Fraction(row["payoff"]) for row in dist["outcomes"]]
            mean = sum(pay * chance for pay, chance in zip(pays, chances, strict=True))
            yield from differs("mean of the distribution", mean, value[0])
            if (simulated := said.get("simulate")) is not None:
                met = {Fraction(row["payoff"]) for row in simulated["outcomes"]}
                yield from differs("simulated payoffs beyond those of the distribution", met - {*pays}, set())
    if said.get("simulate", {}).get("value") is not None:
        yield from differs("value of the simulation", exact(said["simulate"]["value"]), value[0])
    plies = {
        verb: exact(said[verb][key])
        for verb, key in (("dist", "expected_plies"), ("length", "expected_plies"), ("fair", "length"))
        if verb in said and isinstance(said[verb].get(key), dict) and said[verb][key].get("exact", "").lstrip("-")
        and "infinity" not in said[verb][key]["exact"]
    }  # fmt: skip
    if len({*plies.values()}) > 1:
        yield f"expected plies: {plies}"


def _line(case: Case, document: dict[str, Any], value: list[Fraction]) -> Iterator[str]:
    position = case.position
    for step in document["moves"]:
        yield from differs(f"mover at {position.text!r}", step["player"], position.to_move)
        position = position.play(case.game.parse_move(position.state, step["move"]))
    is_sure = all(step["player"] != "chance" for step in document["moves"])
    is_sure = is_sure and "random" not in case.question["fixed"].values()
    if is_sure and document["back_to"] is None and case.question["utility"] == "payoff" and case.game.discount == 1:
        if not position.is_over:
            yield f"the line ends at {position.text!r}, where play goes on"
        elif case.value is not None:
            yield from differs("end of the line", _total(case, position), value)


def _total(case: Case, position: Any) -> list[Any]:
    """What everybody has at the end, past gains too."""
    oracle = naive.Oracle(case.game)
    return list(oracle.final(oracle.root(position)))


def _row(case: Case, rows: list[dict[str, Any]], value: list[Fraction]) -> Iterator[str]:
    if case.hides or not rows or "position" not in rows[0] or "value" not in rows[0]:
        return
    text = case.game.show(case.position.state)
    mover = case.position.to_move
    own = [row for row in rows if row["position"] == text and row["to_move"] == mover]
    if not own:
        yield f"no row for {text} and {mover}"
    elif case.game.gives("reward") and case.has_begun and not case.is_set_up:
        return
    elif value not in [total(row, case) for row in own]:
        yield f"rows of the position: {[total(row, case) for row in own]}, not {value}"


# ---------------------------------------------------------------------------- one case


VERBS = ("value", "analyze", "line", "dist", "length", "fair", "table", "rule", "simulate", "exploit", "loss")
VERBS += ("estimate", "report", "check", "play")
TIME = re.compile(r"\d[\d.]* ?(?:s|ms)\b|--seed \d+")


def run_one(seed: int, folder: Path, tally: Tally, *, compiled: int = COMPILED) -> None:
    """Ask everything about the case of that seed."""
    case = random_case(seed, folder)
    try:
        _Asking(case, folder, tally, is_compiled=seed % compiled == 0).all()
    finally:
        if case.name.startswith(f"{folder}/"):
            fuzz_games.forget(folder, seed)


class _Asking:
    """What is asked about one case."""

    def __init__(self, case: Case, folder: Path, tally: Tally, *, is_compiled: bool) -> None:
        self.case, self.folder, self.tally, self.is_compiled = case, folder, tally, is_compiled
        self.draw = random.Random(f"asked {case.seed}")
        self.plain: dict[str, Ending] = {}

    def all(self) -> None:
        """Everything."""
        self.tally.cases += 1
        self.tally.judged += self.case.value is not None or self.case.reason is not None
        for verb in VERBS:
            if verb not in ("simulate", "play") or not self._is_endless():
                is_slow = verb in ("report", "check") and self.case.seed % 4
                if not is_slow:
                    self.plain[verb] = self.answer(verb, How(), self._first)
        said = {verb: told.document for verb, told in self.plain.items() if not told.code and verb != "play"}
        self.note("all verbs", [], together(self.case, said))
        asked = Asked(self.case, self.plain, self.folder, self.draw)
        for name, question in QUESTIONS.items():
            self.further(name, question, asked)
        self.stored(asked)
        for _ in range(COMBINATIONS):
            self.answer(self.draw.choice([*self.plain]), self.random_how(), self._again)

    def _is_endless(self) -> bool:
        """Whether play may go on for ever: games are simulated for a long time before they are given up."""
        told = self.plain["length"]
        return bool(told.code) or any(told.document[key]["exact"] != "0" for key in ("endless", "longer"))

    def random_how(self) -> How:
        """Options at random, most of them as they are without."""
        draw = self.draw
        engines = ("auto", "plain", "compiled") if self.is_compiled else ("auto", "plain")
        limits: tuple[str, ...] = ()
        if draw.random() < 0.35:
            kinds = (("--states", str(draw.randint(1, 12))), ("--states", "1e6"), ("--time", "100s"))
            limits = draw.choice((*kinds, ("--memory", "2GB"), ("--threads", draw.choice("12"))))
        engine, method = draw.choice(engines), draw.choice(METHODS) if draw.random() < 0.7 else "auto"
        if not self.is_compiled and method in ("layers", "search", "proofnumber"):
            engine = "plain"  # or the rules would be compiled
        numbers = draw.choice(((), (), ("--exact",), ("--interval",), ("--digits", "3")))
        return How(
            method,
            engine,
            draw.choice(("on", "on", "off")),
            numbers,
            limits,
            is_batch=draw.random() < 0.15 and not self.case.is_set_up and self.case.position.text != "-",
        )

    # ---- one answer

    def answer(self, verb: str, how: How, compared: Callable[[str, How, Ending], Iterator[str]]) -> Ending:
        """Ask, and hold the answer against what it must be."""
        told = Ending((), 1, "", "")
        try:
            begun = time.process_time()
            told = ask(verb, self.case, how)
            if time.process_time() - begun > 20:
                self.note(verb, how.options, [f"took {time.process_time() - begun:.0f} s"])
            if told.code:
                said = re.sub(r"\S*rules_\d+\.py\S*", "RULES", told.err.splitlines()[0])
                self.tally.refusals[f"{verb}, exit {told.code}: {said[:100]}"] += 1
            else:
                self.tally.answers[verb] += 1
            self.note(verb, how.options, compared(verb, how, told))
        except Exception as error:
            self.note(verb, how.options, [f"{type(error).__name__}: {str(error)[:1500]}"])
        return told

    def _first(self, verb: str, how: How, told: Ending) -> Iterator[str]:
        yield from self._right(verb, how, told)
        if verb == "value" and not told.code and self.case.reason not in (None, "not opposed"):
            yield f"answered, and there is no value: {self.case.reason}"
        if verb == "value" and told.code and self.case.value is not None:
            yield f"refused, and the value is {self.case.value}: {told.err}"
        is_row = verb == "table" and "infinity" in told.err  # of a position that has no number as its value
        if told.code and verb in ("analyze", "table") and not self.plain["value"].code and not is_row:
            yield f"refused, and there is a value: {told.err}"

    def _right(self, verb: str, how: How, told: Ending) -> Iterator[str]:
        if told.code:
            yield from _refusal(told, how)
            if told.code != 5 or not told.out or verb in ("play", "report", "check", "estimate", "simulate"):
                return
        elif told.err and verb != "play":
            yield f"beside the answer: {told.err}"
        if verb != "play" and told.out.startswith("{"):
            document = fuzz_document(told)
            yield from of_form(self.case, verb, how, document)
            if "value" in document and verb not in ("simulate", "check"):
                yield from of_value(self.case, document)

    def _again(self, verb: str, how: How, told: Ending) -> Iterator[str]:
        yield from self._right(verb, how, told)
        plain = self.plain[verb]
        if told.code and not plain.code:
            if how.method in TAKES_ALL and not how.may_stop and self._must_answer(verb, how, told):
                yield f"refused, and without options it answers: {told.err}"
        elif not told.code and plain.code:
            if how.method not in SEARCHES and not how.source:
                yield f"answers, and without options it refuses: {plain.err}"
        elif not told.code:
            if verb == "play":
                if how.method not in SEARCHES and not how.numbers:
                    yield from differs("play", TIME.sub("", told.out), TIME.sub("", plain.out))
            elif not {"--interval", "--digits"} & {*how.numbers} and not (verb in ("check", "report") and how.limits):
                yield from alike(how, told.document, plain.document)

    def _must_answer(self, verb: str, how: How, told: Ending) -> bool:
        """Whether a refusal is for no reason that the documentation has."""
        if "--interval" in how.numbers and "--exact" in told.err:
            return False  # bounds, which were asked for, do not say which moves are best
        value = self.plain["value"]
        if how.numbers and not value.code and not all(each.is_exact for each in values(value.document, self.case)):
            return False  # there are no exact values
        if how.engine == "compiled" and ("compile" in told.err or "engine" in told.err):
            return False
        if how.method not in ("auto", "graph") and "at once" in told.err:
            return False
        if how.method != "auto" and (self.case.hides or self.case.game.discount != 1):
            return False
        return verb not in ("report", "check") and "without --method" not in told.err

    # ---- stored solutions

    def further(self, name: str, question: Callable[..., Iterator[str]], *asked: Any) -> None:
        """Ask one of the further questions."""
        try:
            self.note(name, [], question(*asked))
        except Exception as error:
            self.note(name, [], [f"{type(error).__name__}: {str(error)[:1500]}"])

    def stored(self, asked: Asked) -> None:
        """Solve into a folder, and ask from there."""
        draw, case = self.draw, self.case
        mode = draw.choice(("auto", "memory", "disk"))
        more = [*draw.choice(((), ("--best",))), *draw.choice(((), (), ("--symmetry", "off")))]
        more += draw.choice(((), (), ("--method", "graph"), ("--engine", "plain")))
        path = self.folder / f"stored_{case.seed}"
        try:
            if mode == "disk" and not self.is_compiled:
                mode = "memory"
            words = ["solve", case.name, *case.asked, *case.place, "-o", str(path), "--mode", mode, *more, "--json"]
            told = run(*words)
            self.tally.answers["solve"] += not told.code
            if told.code:
                self.tally.refusals[f"solve, exit {told.code}: {told.err.splitlines()[0][:90]}"] += 1
                self.note("solve", more, _refusal(told, How()))
                is_known = any(words in told.err for words in ("no key", "only numbers")) or case.hides
                if mode != "disk" and not self.plain["value"].code and not is_known:
                    self.note("solve", [mode, *more], [f"refused, and there is a value: {told.err}"])
                return
            how = How(source=("--from", str(path)))
            for verb in FROM:
                self.answer(verb, how, self._again)
            self._status(path)
            self.further("export", exported, asked, path)
            self._other_question(path)
        except Exception as error:
            self.note("solve", [mode, *more], [f"{type(error).__name__}: {str(error)[:1500]}"])
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def _status(self, path: Path) -> None:
        case = self.case
        told = run("status", str(path), "--check", "--audit", "30", "--game", case.name, "--json")
        self.note("status", [], [told.err] if told.code else [])

    def _other_question(self, path: Path) -> None:
        """A stored solution answers the question that it is of, and no other."""
        case = self.case
        other = {"competitive": "cooperative", "cooperative": "competitive"}[case.question["objective"]]
        asked = ["--objective", other, *case.asked[2:]]
        told = run("value", case.name, *asked, *case.place, "--from", str(path), "--json")
        if not told.code:
            right = run("value", case.name, *asked, *case.place, "--json")
            if right.code:
                self.note("value", ["--from", *asked], [f"answered, and refused without: {right.err}"])
            else:
                self.note(
                    "value", ["--from", *asked], differs("value", told.document["value"], right.document["value"])
                )

    def note(self, verb: str, options: list[str], found: Any) -> None:
        """Keep what is wrong."""
        case = self.case
        for fault in found:
            where = f"seed {case.seed} ({case.kind}), {verb} {' '.join([*case.asked, *case.place, *options])}"
            self.tally.differences.append(f"{where}: {fault}")


def fuzz_document(told: Ending) -> Any:
    """The document on the standard output, whatever the exit code."""
    return Ending(told.command, 0, told.out, "").document


def _refusal(told: Ending, how: How) -> Iterator[str]:
    lines = [line for line in told.err.splitlines() if not line.startswith("h for help")]
    if told.code not in (2, 3, 5) or not lines or not lines[0].startswith("error: ") or "Traceback" in told.err:
        yield f"exit {told.code}: {told.err}"
    elif told.code == 5 and not how.limits and "--interval" not in how.numbers:
        yield f"stopped, and there is no limit: {told.err}"
    if sum(line.startswith("error: ") for line in lines) > 1:
        yield f"several messages: {told.err}"


def run_all(count: int, seed: int, compiled: int = COMPILED, *, verbose: bool = False) -> Tally:
    """Ask about `count` cases; the first has the number `seed` times a million."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed * 1_000_000, seed * 1_000_000 + count):
            before = len(tally.differences)
            run_one(number, Path(folder), tally, compiled=compiled)
            if verbose and tally.cases % 100 == 0:
                print(f"{tally.cases} cases, {tally.answers.total() + tally.refusals.total()} questions", flush=True)
            if verbose:
                for line in tally.differences[before:]:
                    print(line, flush=True)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compiled", type=int, default=COMPILED, help="every so many cases with compiled rules")
    options = parser.parse_args()
    tally = run_all(options.count, options.seed, options.compiled, verbose=True)
    asked = sum(tally.answers.values()) + sum(tally.refusals.values())
    print(f"{tally.cases} cases, {tally.judged} known to the oracle, {asked} questions asked")
    print(f"{len(tally.differences)} differences")
    for what, amount in sorted(tally.answers.items()):
        print(f"  {what}: {amount} answers")
    for what, amount in sorted(tally.refusals.items()):
        print(f"  {what}: {amount} times")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
