"""Options shared by several commands, and the objects made from them: a `Request` and an `Output`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any

import click
from click.shell_completion import CompletionItem

from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Request
from endsight.faces.cli.surroundings import at_work
from endsight.games import BUILT_IN

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def takes(*groups: Decorator) -> Decorator:
    """Add groups of options, and pass them to the command as `request` and `output`.

    Options that belong to neither remain separate arguments. Every command declared with this
    respects the limits in its options `seconds` and `memory`.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(**options: Any) -> Any:
            since = time.monotonic()
            options.pop("debug", None)
            with at_work(options, since=since):
                return command(**_with_objects(options, since))

        return _group(*groups)(run)

    return decorate


def _with_objects(options: dict[str, Any], since: float) -> dict[str, Any]:
    """Replace the options that make an `output` and, where a game is named, a `request` by these objects."""
    # The wanted form of numbers affects the work as well as the output.
    numbers: dict[str, Any] = {name: options[name] for name in ("exact", "interval", "digits") if name in options}
    made: dict[str, Any] = {"output": _made(Output, options)}
    if "game" in options:
        options |= numbers | {"opened": since}
        made["request"] = _made(Request, options)
    return made | options


def _made(kind: type[Any], options: dict[str, Any]) -> Any:
    """Make an object of `kind` from those `options` that are its fields, and remove them."""
    return kind(**{field.name: options.pop(field.name) for field in fields(kind) if field.name in options})


def choice(name: str, words: Sequence[str], text: str, metavar: str | None = None) -> Decorator:
    """Return an option that takes one of these words; the first is the default."""
    return click.option(name, type=click.Choice(words), default=words[0], metavar=metavar, help=text)


def _group(*options: Decorator) -> Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


# ---------------------------------------------------------------------- kinds of values


class _Measure(click.ParamType):  # type: ignore[type-arg]
    """A number followed by a unit."""

    number = re.compile(r"(\d+(?:_\d+)*(?:\.\d+)?(?:e\d{1,3})?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)

    def __init__(self, name: str, units: dict[str, float], form: str, *, whole: bool) -> None:
        self.name = name
        self.units = units
        self.form = form
        self.whole = whole

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | int:
        """Return the number in the smallest unit; fail with a usage error for anything else."""
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]
        found = self.number.fullmatch(value.strip())
        factor = self.units.get(found[2].lower()) if found else None
        if found is None or factor is None or (amount := float(found[1]) * factor) >= 1e300:
            self.fail(f"{value[:40]!r} is not a {self.name}: write it like {self.form}", param, ctx)
        if not amount:
            self.fail(f"the {self.name} must be more than {value[:40]}, for example {self.form}", param, ctx)
        return max(1, round(amount)) if self.whole else amount


DURATION = _Measure(
    "time", {"": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}, "30s, 2m or 1.5h", whole=False
)
_BYTES = {"b": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12}
MEMORY = _Measure(
    "size of memory",
    {"": 1, **_BYTES, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40},
    "2GB or 500MB",
    whole=True,
)
STATES = _Measure("number of states", {"": 1}, "1000000 or 1e7", whole=True)
OBJECTIVES, UTILITIES = ("competitive", "cooperative"), ("payoff", "win", "lead")
ENGINES, COLORS = ("auto", "plain", "compiled"), ("auto", "always", "never")
METHODS = ("auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber")


# ---------------------------------------------------------------------- completion


def game_complete(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete built-in games and those of installed packages, else files."""
    names = [name for name in sorted(BUILT_IN) if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


# ---------------------------------------------------------------------- groups


game_argument = click.argument("game", metavar="GAME", shell_complete=game_complete)

position_options = _group(
    click.option("--at", metavar="MOVES", help="The moves so far, chance outcomes included; - is stdin, @FILE a file."),
    click.option("--position", metavar="TEXT", help="Set a state up directly, in the game's own text form."),
)

question_options = _group(
    choice("--objective", OBJECTIVES, "Everybody for themselves (default), or all for the first player."),
    choice("--utility", UTILITIES, "What players maximise: payoff (default), the chance to have most, or the lead."),
    click.option(
        "--fix",
        multiple=True,
        metavar="PLAYER=POLICY",
        help="That player plays by a policy: a name of `endsight games GAME`, or file.py:function.",
    ),
    choice("--method", METHODS, f"How to solve: auto (default), {', '.join(METHODS[1:])}.", "NAME"),
    choice("--engine", ENGINES, "What runs the rules: auto (default), plain, compiled.", "NAME"),
    choice("--symmetry", ("on", "off"), "Merge states that the rules call equivalent (default on)."),
)

stored_option = click.option(
    "--from",
    "stored",
    metavar="PATH",
    type=click.Path(),
    help="Answer from a folder that `endsight solve -o PATH` made, without solving.",
)

distance_option = click.option(
    "--distance", is_flag=True, help="Search for the number of moves to the end as well, if only the winner is known."
)

keep_option = click.option(
    "--keep",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Keep what a search proves in FILE, and go on from there the next time.",
)

cost_options = _group(
    click.option("--time", "seconds", type=DURATION, metavar="TIME", help="Stop after TIME: 30s, 2m."),
    click.option(
        "--memory",
        type=MEMORY,
        metavar="SIZE",
        help="Stop when memory use exceeds SIZE: 2GB (default: 3/4 of free memory).",
    ),
)
limit_options = _group(
    cost_options,
    click.option("--states", type=STATES, metavar="COUNT", help="Stop after COUNT states: 1e7."),
    click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Threads for large games, layered or searched (default: one per processor).",
    ),
)

number_options = _group(
    click.option("--exact", is_flag=True, help="Print exact numbers, however long."),
    click.option("--interval", is_flag=True, help="Print proven bounds: [low, high]."),
    click.option("--digits", type=click.IntRange(0, 1_000_000), metavar="N", help="Decimals to N places, all proven."),
)

asking = _group(game_argument, position_options, question_options, number_options, limit_options)
"""The options of most commands: a game, its position, the question, the precision, and the limits."""

debug_option = click.option("--debug", is_flag=True, help="Show the traceback of an error.")
color_options = _group(
    choice("--color", COLORS, "Colour: auto (default; NO_COLOR is honoured), always, never."),
    click.option("--ascii", "ascii_only", is_flag=True, help="Use ASCII characters only."),
    debug_option,
)

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
jsonl_option = click.option(
    "--jsonl",
    "as_jsonl",
    is_flag=True,
    help="Read one position per line (--at - or @FILE) and write one JSON document per line.",
)
plain_option = click.option("--plain", "as_plain", is_flag=True, help="Tab-separated text with a header.")

output_options = _group(json_option, plain_option, color_options)
batch_output_options = _group(json_option, jsonl_option, plain_option, color_options)
