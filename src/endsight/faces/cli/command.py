"""How commands are declared: their examples and options, and the objects made from these."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click
from click.shell_completion import CompletionItem

from endsight.faces.cli.failures import tell_warnings
from endsight.faces.cli.group import WithExamples
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Request
from endsight.faces.cli.surroundings import at_work
from endsight.game.limits import LARGEST, Limits
from endsight.game.question import Goal, Utility
from endsight.games import BUILT_IN

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def command(*examples: str) -> Callable[[Callable[..., Any]], WithExamples]:
    """Make a function a command; `examples` are whole command lines."""
    return click.command(cls=WithExamples, examples=examples)


def _group(*options: Decorator) -> Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


# ---------------------------------------------------------------------- kinds of options


def option(names: str, metavar: str | None, text: str, kind: Any = None, **settings: Any) -> Decorator:
    """Return an option with a value; `names` are its names, and that of the argument if it differs."""
    return click.option(*names.split(), metavar=metavar, help=text, type=kind, **settings)


def single(names: str, metavar: str, text: str, **settings: Any) -> Decorator:
    """Return an option that refuses a second value, where a reader would expect an answer for each."""
    return option(names, metavar, text, multiple=True, callback=_only_one, **settings)


def _only_one(_context: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.BadParameter(f"it was given {len(values)} times, and a command answers for one")
    return values[0] if values else None


def flag(names: str, text: str, **settings: Any) -> Decorator:
    """Return an option without a value."""
    return click.option(*names.split(), is_flag=True, help=text, **settings)


def choice(name: str, words: Sequence[str], text: str, metavar: str | None = None) -> Decorator:
    """Return an option that takes one of these words; the first is the default."""
    return option(name, metavar, text, click.Choice(words), default=words[0])


def argument(name: str, metavar: str | None, kind: Any = None, **settings: Any) -> Decorator:
    """Return an argument."""
    return click.argument(name, metavar=metavar, type=kind, **settings)


class _Measure(click.ParamType):  # type: ignore[type-arg]
    """A number followed by a unit."""

    number = re.compile(r"(\d+(?:_\d+)*(?:\.\d+)?(?:e\d{1,3})?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)

    def __init__(self, name: str, units: dict[str, float], form: str, limit: str) -> None:
        self.name = name
        self.units = units
        self.form = form
        self.limit = limit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | int:
        """Return the number in the smallest unit; fail with a usage error for anything else."""
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]
        match = self.number.fullmatch(value.strip())
        factor = self.units.get(match[2].lower()) if match else None
        if match is None or factor is None:
            self.fail(f"{value[:40]!r} is not a {self.name}: write it like {self.form}", param, ctx)
        amount = min(float(match[1]) * factor, LARGEST[self.limit])
        if not amount:
            self.fail(f"the {self.name} must be more than {value[:40]}, for example {self.form}", param, ctx)
        return amount if self.limit == "seconds" else max(1, round(amount))


class _WholeNumber(click.types.IntParamType):
    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; fail with a usage error also for digits of other scripts, which Python would read."""
        if isinstance(value, str) and not value.isascii():
            self.fail(f"{value[:40]!r} is not a valid {self.name}", param, ctx)
        return super().convert(value, param, ctx)


class _InRange(_WholeNumber, click.IntRange):
    pass


def whole(least: int | None = None, most: int | None = None) -> click.types.IntParamType:
    """Return the kind of an option that takes whole numbers, in that range if one is given."""
    return _WholeNumber() if least is None else _InRange(least, most)


_SECONDS = {"": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_BYTES = {"": 1, "b": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12}
_BYTES |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
DURATION = _Measure("time", _SECONDS, "30s, 2m or 1.5h", "seconds")
MEMORY = _Measure("memory size", _BYTES, "2GB or 500MB", "memory")
STATES = _Measure("number of states", {"": 1}, "1000000 or 1e7", "states")
COUNT = whole(1)
PATH = click.Path(path_type=Path)
FILE_PATH = click.Path(dir_okay=False, path_type=Path)
METHODS = ("auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber")


def complete_game(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete built-in games and those of installed packages, else files."""
    names = [name for name in sorted(BUILT_IN) if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


# ---------------------------------------------------------------------- options of several commands

game_argument = argument("game", "GAME", shell_complete=complete_game)
rules_option = option("--game spec", "GAME", "The game, if its rules are not built in.")

position_options = _group(
    option("--at", "MOVES", "The moves so far, with chance outcomes; - reads stdin, @FILE a file."),
    option("--position", "TEXT", "Set up a state directly, in the game's own text form."),
)

question_options = _group(
    choice("--objective", get_args(Goal), "Each player for themselves (default), or all for the first player."),
    choice(
        "--utility",
        get_args(Utility),
        "What players maximise: payoff (default), the chance to have the most, or the lead.",
    ),
    option(
        "--fix",
        "PLAYER=POLICY",
        "Fix the policy of a player: a name that `endsight games GAME` lists, or file.py:function.",
        multiple=True,
    ),
    choice("--method", METHODS, f"How to solve: auto (default), {', '.join(METHODS[1:])}.", "NAME"),
    choice("--engine", ("auto", "plain", "compiled"), "How to run the rules: auto (default), plain, compiled.", "NAME"),
    choice("--symmetry", ("on", "off"), "Merge states that the rules declare equivalent (default on)."),
)

vary_option = single("--vary", "KEY=VALUES", "The parameter and its values: 2..20, 2..20:2 or 3,5,8.", required=True)
stored_option = option(
    "--from stored", "PATH", "Answer from a folder that `endsight solve -o PATH` wrote, without solving again.", PATH
)
distance_option = flag("--distance", "Also search for the number of moves to the end where only the winner is known.")
keep_option = option(
    "--keep", "FILE", "Save what a search proves in FILE, and continue from there next time.", FILE_PATH
)

cost_options = _group(
    option("--time seconds", "TIME", "Stop after TIME: 30s, 2m.", DURATION),
    option("--memory", "SIZE", "Stop when memory use exceeds SIZE: 2GB (default: 3/4 of free memory).", MEMORY),
)
limit_options = _group(
    cost_options,
    option("--states", "COUNT", "Stop after COUNT states: 1e7.", STATES),
    option(
        "--threads", "N", "Threads for large games, solved by layers or search (default: one per processor).", COUNT
    ),
)

number_options = _group(
    flag("--exact", "Print exact numbers, however long."),
    flag("--interval", "Print proven bounds: [low, high]."),
    option("--digits", "N", "Print decimals to N places, all proven.", whole(0, 1_000_000)),
)

asking = _group(game_argument, position_options, question_options, number_options, limit_options)
"""The options of most commands: a game, its position, the question, the precision, and the limits."""
asking_fully = _group(asking, distance_option, keep_option, stored_option)
"""The options of commands whose answer may be searched for, kept or stored."""
varying = _group(game_argument, vary_option, question_options, limit_options)
"""The options of commands about a parameter that varies."""
placed = _group(game_argument, position_options, question_options, limit_options)
"""The same for answers that are no number, and so need no precision."""

debug_option = _group(
    flag("-q --quiet quiet", "Print no progress, notes or warnings."),
    flag("--debug", "Show the traceback of an error.", expose_value=False),
)
color_options = _group(
    choice("--color", ("auto", "always", "never"), "Colour: auto (default; NO_COLOR is honoured), always, never."),
    flag("--ascii ascii_only", "Use ASCII characters only."),
    debug_option,
)

_json = flag("--json as_json", "Print one JSON document.")
_jsonl = flag("--jsonl as_jsonl", "Read one position per line (--at - or @FILE) and write one JSON document per line.")
_plain = flag("--plain as_plain", "Print tab-separated text with a header.")
output_options = _group(_json, _plain, color_options)
batch_output_options = _group(_json, _jsonl, _plain, color_options)


# ---------------------------------------------------------------------- commands with options


def takes(*options: Decorator, output: Decorator = output_options) -> Decorator:
    """Add options to a command, which gets a `request` if one of them names a game, else an `output`.

    Options that belong to neither remain separate arguments; those of `output` come last. Every command declared with
    this respects the limits in its options `seconds` and `memory`.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(**given: Any) -> Any:
            since = time.monotonic()
            with at_work(given, since=since):
                given["output"] = _made(Output, given)
                tell_warnings(is_quiet=given["output"].quiet)
                if "game" in given:
                    given["since"] = since
                    given["limits"] = _made(Limits, given)
                    given["request"] = _made(Request, given)
                return command(**given)

        return _group(*options, output)(run)

    return decorate


def _made(kind: type[Any], options: dict[str, Any]) -> Any:
    """Make an object of `kind` from those `options` that are its fields, and remove them."""
    return kind(**{field.name: options.pop(field.name) for field in fields(kind) if field.name in options})
