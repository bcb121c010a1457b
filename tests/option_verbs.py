"""Further commands about a case of `option_cases.py`, each held against the plain answers, or against the oracle.

A played game reviewed, batches of its positions, certificates and false ones, kept searches, policies, the report,
the rows of stored solutions and of tables, and the Python face.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import endsight as es
from command_line import Ending, exact, run
from option_cases import INFINITE, Case, Range, named_policies


@dataclass
class Asked:
    """A case, what the commands say of it without further options, and a folder for files."""

    case: Case
    plain: dict[str, Ending]
    folder: Path
    draw: random.Random

    @property
    def value(self) -> list[Range] | None:
        """The value that `value` tells, if it does."""
        told = self.plain["value"]
        return None if told.code else ranges(told.document, self.case)

    def ask(self, verb: str, *more: str, place: list[str] | None = None, stdin: str = "") -> Ending:
        """A command about the case."""
        case = self.case
        return run(verb, case.name, *case.asked, *(case.place if place is None else place), *more, stdin=stdin)


def ranges(row: dict[str, Any], case: Case) -> list[Range]:
    """What a document, or a row of it, says of each player."""
    return [Range.told(row, name) for name in case.names]


def differs(what: str, told: Any, right: Any) -> Iterator[str]:
    if told != right:
        yield f"{what}: {told}, not {right}"


def meets(what: str, told: list[Range], right: list[Range]) -> Iterator[str]:
    """Two lists of values, each exact or enclosed, are of the same numbers."""
    if not all(max(a.lower, b.lower) <= min(a.upper, b.upper) for a, b in zip(told, right, strict=True)):
        yield f"{what}: {told}, not {right}"


def refused(what: str, told: Ending) -> Iterator[str]:
    """A refusal has a message, and the code of a bad question, of bad input or of a limit."""
    if told.code not in (2, 3, 5) or not told.err.startswith("error: "):
        yield f"{what}: exit {told.code}: {told.err}"


# ---------------------------------------------------------------------------- a played game


def review(asked: Asked) -> Iterator[str]:
    """A game played at random: its parts add up, and its values are those that `value` tells of all its positions."""
    case, moves, places = asked.case, list[str](), [asked.case.position]
    while (legal := list(places[-1].moves())) and len(moves) < 7:
        places.append(places[-1].play(asked.draw.choice(legal)))
        moves.append(places[-1].history[-1])
    if not moves:
        return
    told = run("review", *case.asked, *case.place, "--json", "--", case.name, " ".join(moves))
    if told.code:
        yield from refused("review", told)
        return
    document = told.document
    keys = ("start", "luck", "gifts", *(("hidden",) if "hidden" in document else ()))
    start, final, mistakes = (_numbers(document[key]) for key in ("start", "final", "mistakes"))
    booked = [sum(parts) for parts in zip(*(_numbers(document[key]) for key in keys), strict=True)]
    yield from differs("final", final, [one - lost for one, lost in zip(booked, mistakes, strict=True)])
    if asked.value is not None:
        yield from meets("start", [Range.of(number) for number in start], asked.value)
    if not case.hides:  # else what nobody saw is told by what was seen
        yield from differs("moves", [step["move"] for step in document["steps"]], moves)
    rows = [Range.told(step, name) for step in document["steps"] for name in case.names]
    if not case.is_set_up and case.game.discount == 1 and not case.hides:
        yield from _batch(asked, [place.text for place in places[1:]], rows)


def _numbers(row: dict[str, Any]) -> list[Fraction]:
    return [exact(number) for number in row.values()]


def _batch(asked: Asked, texts: list[str], right: list[Range]) -> Iterator[str]:
    """Positions in a file, one a line: the values, and the same line by line as alone."""
    file = asked.folder / f"positions_{asked.case.seed}.txt"
    file.write_text("".join(f"{text}\n" for text in texts))
    told = asked.ask("value", "--jsonl", place=["--at", f"@{file}"])
    file.unlink()
    rows = [json.loads(line) for line in told.out.splitlines()]
    yield from differs("exit code of a batch", told.code, 0)
    if not told.code:
        yield from differs("positions", [row["position"] for row in rows], texts)
        yield from meets("batch", [each for row in rows for each in ranges(row, asked.case)], right)
        number = asked.draw.randrange(len(rows))
        alone = asked.ask("value", "--json", place=[f"--at={texts[number]}"]).document
        for key in ("category", "distance", "status", "value", "to_move", "so_far"):
            yield from differs(f"{key} of {texts[number]} in a batch", rows[number][key], alone[key])


# ---------------------------------------------------------------------------- certificates


def prove(asked: Asked) -> Iterator[str]:
    """What is proven is accepted and says the value; the same with another value is not accepted."""
    case, file = asked.case, asked.folder / f"proof_{asked.case.seed}.cert"
    more = asked.draw.choice(((), (), ("--dist", asked.draw.choice(case.names)), ("--symmetry", "off")))
    told = asked.ask("prove", "-o", str(file), *more, "--json")
    if told.code:
        yield from refused(f"prove {more}", told)
        return
    words = ["verify", str(file), *([":".join(case.name.split(":")[:2])] if ".py:" in case.name else [])]
    verdict = run(*words, "--json")
    yield from differs(f"verdict on prove {more}", (verdict.code, verdict.err), (0, ""))
    if verdict.code:
        return
    text = json.loads(file.read_text())
    claim = text["claim"]
    if asked.value is not None:
        yield from meets("claim", _claimed(claim, case), asked.value)
    for changed in _false(claim, asked):
        file.write_text(json.dumps(text | {"claim": changed}))
        verdict = run(*words, "--json")
        if verdict.code not in (3, 4):
            yield f"verify, exit {verdict.code}, of {changed} in place of {claim}: {verdict.out} {verdict.err}"
    file.unlink()


def _claimed(claim: dict[str, Any], case: Case) -> list[Range]:
    """The values of a claim: each a text, or two ends."""
    told = []
    for name in case.names:
        number = claim["value"][name]
        low, high = number if isinstance(number, list) else [number, number]
        told.append(Range(-INFINITE if low is None else Fraction(low), INFINITE if high is None else Fraction(high)))
    return told


def _false(claim: dict[str, Any], asked: Asked) -> Iterator[dict[str, Any]]:
    """Claims that contradict a claim of exact values."""
    values = claim["value"]
    if not all(isinstance(value, str) for value in values.values()):
        return
    step = asked.draw.choice((Fraction(1), Fraction(-1), Fraction(1, 1000)))
    first, *others = values
    moved = values | {first: str(Fraction(values[first]) + step)}
    yield claim | {"value": moved}
    if others:
        yield claim | {"value": moved | {others[0]: str(Fraction(values[others[0]]) - step)}}
    if claim["category"] in ("win", "loss", "draw"):
        yield claim | {"category": {"win": "loss", "loss": "draw", "draw": "win"}[claim["category"]]}
    if claim.get("outcomes"):
        (payoff, chance), *rest = claim["outcomes"]
        yield claim | {"outcomes": [[str(Fraction(payoff) + 1), chance], *rest]}


# ---------------------------------------------------------------------------- policies, kept searches, reports


def exploit(asked: Asked) -> Iterator[str]:
    """What a policy brings is the value where it is fixed, and nothing gives away less than nothing."""
    case = asked.case
    if case.question["fixed"]:
        return
    policy = asked.draw.choice(("random", "greedy", "best", *named_policies(case.game)))
    told = run("exploit", case.name, *(f"{name}={policy}" for name in case.names), *case.asked, *case.place, "--json")
    if told.code:
        yield from refused("exploit", told)
        return
    for row in told.document["policies"]:
        if any(row[key] is None or "exact" not in row[key] for key in ("value", "brings", "gives_away")):
            continue
        best, brings, lost = (exact(row[key]) for key in ("value", "brings", "gives_away"))
        yield from differs(f"given away by {row['player']}", lost, best - brings)
        if lost < 0:
            yield f"{row['player']} gives away {lost}"
        target = case.names[0] if case.question["objective"] == "cooperative" else row["player"]
        fixed = case.names if row["against"] == "profile" else (row["player"],)
        followed = asked.ask("value", *(f"--fix={name}={policy}" for name in fixed), "--json")
        if not followed.code:
            told_value = Range.told(followed.document, target)
            yield from meets(f"{policy} for {fixed} brings {target}", [told_value], [Range.of(brings)])
        if row["against"] != "profile" and asked.value is not None:
            own = asked.value[case.names.index(target)]
            yield from meets(f"best play of {row['player']}", [own], [Range.of(best)])


def kept(asked: Asked) -> Iterator[str]:
    """A search that is stopped, resumed from what it kept, and asked again, tells the same value as without.

    So does a search for something else that finds the same file.
    """
    case, file = asked.case, asked.folder / f"kept_{asked.case.seed}"
    for more in (("--states", "4"), (), ("--utility", "win"), ("--objective", "cooperative"), ()):
        right = asked.ask("value", *more, "--json") if len(more) and "--states" not in more else asked.plain["value"]
        told = asked.ask("value", "--method", "search", "--keep", str(file), *more, "--json")
        if told.code not in (0, 5):
            yield from refused("keep", told)
        elif told.out and not right.code:
            document = Ending(told.command, 0, told.out, "").document
            yield from meets(f"keep {more}", ranges(document, case), ranges(right.document, case))
    file.unlink(missing_ok=True)


def report(asked: Asked) -> Iterator[str]:
    """The figures of a report are those of other commands."""
    case = asked.case
    if not case.is_plain or "report" not in asked.plain or asked.plain["report"].code:
        return
    sections = {each["key"]: each["figures"] for each in asked.plain["report"].document["sections"]}
    fair = asked.plain["fair"]
    if not fair.code and "choices" in sections and (fair.document["costless"] or {}).get("exact") == "0":
        # Else several moves are best, and a report has each of them made equally often.
        yield from differs("report, forced", sections["choices"]["forced"], fair.document["forced"])
    if "seats" in sections and len(case.names) > 1:
        told = run("value", case.name, "--utility", "win", "--json")
        for name in case.names:
            share = sections["seats"].get(f"share_{name}")
            if share is not None and "exact" in share and not told.code:
                own = Range.told(told.document, name)
                if len(case.names) == 2 and asked.plain["value"].document["category"] != "value":
                    yield from meets(f"report, share of {name}", [Range.of(exact(share))], [own])


def players(asked: Asked) -> Iterator[str]:
    """The mean of every player's distribution is the player's value, and all take as many plies."""
    case, plies = asked.case, set[str]()
    if asked.value is None:
        return
    for name, value in zip(case.names, asked.value, strict=True):
        told = asked.ask("dist", "--player", name, "--json")
        if told.code or "outcomes" not in told.document:
            continue
        rows, expected = told.document["outcomes"], told.document["expected_plies"]
        plies.add(str(expected and expected.get("exact")))
        if all("exact" in row["probability"] for row in rows) and case.game.discount == 1:
            chances = [exact(row["probability"]) for row in rows]
            if sum(chances) == 1:
                mean = sum(Fraction(row["payoff"]) * chance for row, chance in zip(rows, chances, strict=True))
                yield from meets(f"mean of {name}", [Range.of(mean)], [value])
    if len(plies) > 1:
        yield f"expected plies: {plies}"


def later(asked: Asked) -> Iterator[str]:
    """What `analyze` says of a move is what `value` says of the position after it."""
    case, told = asked.case, asked.plain["analyze"]
    if told.code or case.hides or case.is_set_up or case.game.discount != 1 or not told.document["moves"]:
        return
    mover = told.document["to_move"]
    for row in asked.draw.sample(told.document["moves"], min(2, len(told.document["moves"]))):
        text = f"{case.position.text} {row['move']}"  # a blank before a lone - says that it is a move
        there = asked.ask("value", "--json", place=[f"--at={text}"])
        if there.code:
            if row.get("value") is not None:
                yield f"value after {text}: {there.err}"
            continue
        document = there.document
        yield from meets(f"value after {text}", ranges(document, case), ranges(row, case))
        if None not in (row["distance"], document["distance"]):
            yield from differs(f"distance of {text}", row["distance"], document["distance"] + (mover != "chance"))


# ---------------------------------------------------------------------------- rows, and the Python face


def rows(asked: Asked) -> Iterator[str]:
    """Rows of the table say what `analyze` says of their positions."""
    case, told = asked.case, asked.plain["table"]
    if told.code or case.hides or not told.document["rows"] or "position" not in told.document["rows"][0]:
        return
    listed = [row for row in told.document["rows"] if row["to_move"] is not None]
    for row in asked.draw.sample(listed, min(3, len(listed))):
        there = asked.ask("analyze", "--json", place=[f"--position={row['position']}"])
        if there.code:
            yield from refused(f"analyze {row['position']}", there)
        elif there.document["to_move"] == row["to_move"] and not _counts_totals(case):
            document = there.document
            yield from meets(f"row {row['position']}", ranges(row, case), ranges(document, case))
            for key in ("category", "distance"):
                if key in row and None not in (row[key], document[key]):
                    yield from differs(f"{key} of {row['position']}", row[key], document[key])
            best = sorted(move["move"] for move in document["moves"] if move["best"])
            if row.get("best") is not None and row["to_move"] != "chance" and document["status"] == "exact":
                yield from differs(f"best of {row['position']}", sorted(row["best"]), best)


def _counts_totals(case: Case) -> bool:
    """Whether a row of a table counts what was gained before it."""
    return bool(case.game.gives("reward"))


def exported(asked: Asked, path: Path) -> Iterator[str]:
    """Rows of an exported solution say what `value` says of their positions."""
    case = asked.case
    told = run("export", str(path), "--to", "csv", "--game", case.name)
    if told.code:
        yield f"export: {told.err}"
        return
    listed = list(csv.DictReader(io.StringIO(told.out)))
    jsonl = run("export", str(path), "--to", "jsonl", "--game", case.name).out.splitlines()
    texts = [{key: "" if value is None else str(value) for key, value in json.loads(row).items()} for row in jsonl]
    yield from differs("rows of csv and jsonl", listed, texts)
    if case.question["utility"] != "payoff" and case.game.gives("reward"):
        return
    for row in asked.draw.sample(listed, min(4, len(listed))):
        there = asked.ask("value", "--json", place=[f"--position={row['position']}"])
        if there.code:
            if "no such position" not in there.err:  # one that stands for equivalent ones may be none that play allows
                yield f"value of the exported {row['position']}: {there.err}"
            continue
        document = there.document
        if (document["to_move"] or case.names[0]) != row["to_move"]:
            continue  # at ends, whose mover play alone knows, and where players alternate
        own = [_of_row(row, name) for name in case.names]
        yield from meets(f"exported {row['position']}", own, ranges(document, case))
        yield from differs(f"category of {row['position']}", row["category"], document["category"])
        if row["distance"] and document["distance"] is not None:
            yield from differs(f"distance of {row['position']}", int(row["distance"]), document["distance"])


def _of_row(row: dict[str, str], name: str) -> Range:
    texts = [row[f"value_{name}"]] * 2 if f"value_{name}" in row else [row[f"lower_{name}"], row[f"upper_{name}"]]
    return Range(*(float(text.replace("infinity", "inf")) if "inf" in text else Fraction(text) for text in texts))


def python(asked: Asked) -> Iterator[str]:
    """What `solve` says in Python is what the commands say."""
    case, plain = asked.case, asked.plain
    fixed = {case.names[player]: rule for player, rule in case.question["fixed"].items()}
    question = {"objective": case.question["objective"], "utility": case.question["utility"], "fixed": fixed}
    try:
        solution = es.solve(case.game, case.position, **question)
        value = solution.value()
    except es.EndsightError as error:
        if not plain["value"].code:
            yield f"refused in Python: {error}"
        return
    if plain["value"].code:
        yield f"answered in Python: {value}, and refused by the command: {plain['value'].err}"
        return
    document = plain["value"].document
    told = [Range(n.lower, n.upper) if isinstance(n, es.Interval) else Range.of(n) for n in value.values()]
    yield from differs("value in Python", told, ranges(document, case))
    yield from differs("category in Python", solution.category(), document["category"])
    if document["distance"] is not None:
        yield from differs("distance in Python", solution.distance(), document["distance"])
    if not plain["analyze"].code and not case.hides:
        best = [move["move"] for move in plain["analyze"].document["moves"] if move["best"]]
        yield from differs("best moves in Python", solution.best_moves(), best)
    if not plain["line"].code and "moves" in plain["line"].document:
        moves = [step["move"] for step in plain["line"].document["moves"]]
        yield from differs("line in Python", solution.line(), moves)
    if not plain["dist"].code and "outcomes" in plain["dist"].document:
        outcomes = solution.distribution().outcomes
        rows = plain["dist"].document["outcomes"]
        yield from differs("payoffs in Python", [str(payoff) for payoff in outcomes], [row["payoff"] for row in rows])
        if all("exact" in row["probability"] for row in rows):
            right = [exact(row["probability"]) for row in rows]
            yield from differs("chances in Python", [*outcomes.values()], right)


QUESTIONS: dict[str, Callable[[Asked], Iterator[str]]] = {
    "review": review,
    "prove": prove,
    "exploit": exploit,
    "kept": kept,
    "report": report,
    "players": players,
    "later": later,
    "rows": rows,
    "python": python,
}
