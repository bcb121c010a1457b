"""The command `endsight` itself: its subcommands, loaded on demand, and its exit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

import endsight as package
from endsight.base.shortened import did_you_mean
from endsight.base.standard_streams import stdout
from endsight.base.waiting import hear_interrupts
from endsight.errors import UsageError
from endsight.faces.cli.failures import report, tell_warnings
from endsight.faces.cli.streams import answering, flush_answer, silence, terminal_width

SECTIONS: dict[str, dict[str, str]] = {
    "Ask": {
        "value": "Print the value of a position in one line.",
        "analyze": "Draw a position, and show what every move is worth.",
        "line": "Show one line of best play, or a plan for each outcome of chance.",
        "table": "Show the policy as a table.",
        "dist": "Show the distribution of a player's payoff, or of the length of play.",
        "simulate": "Play games at random: a sample mean with a proven interval.",
        "exploit": "Show exactly what a policy gives away against a best reply, and that reply.",
        "sweep": "Show how the value at the start depends on a parameter.",
        "fair": "Show how even the game is, and how many decisions matter.",
        "report": "Is the game fair and fun? A report for designers.",
    },
    "Play": {
        "play": "Play in the terminal; values stay hidden until you ask.",
        "review": "Review a played game: split it exactly into luck and mistakes.",
        "plot": "Draw a chart: values, policy, distribution, history, graph or board.",
        "serve": "Serve a page to play and analyse on, and the same answers as a JSON API.",
        "page": "Write one HTML file that plays the solved game and shows every value.",
    },
    "Keep": {
        "solve": "Solve every reachable position, and store it.",
        "status": "Show what a folder of `endsight solve -o` holds, and its progress.",
        "export": "Write a stored solution in a form that other programs read.",
    },
    "Proof": {
        "prove": "Write a certificate that proves the value of a position.",
        "verify": "Check a certificate against the rules of its game.",
    },
    "Rules": {
        "games": "List the games, or show the rules and moves of one.",
        "check": "Check the rules of a game for errors.",
    },
    "Cost": {
        "estimate": "Estimate states, memory and time before solving, by sampling.",
        "growth": "Measure positions, edges, nodes and time against a parameter, by method.",
    },
    "Shell": {
        "doctor": "Check the installation and suggest fixes.",
        "completion": "Print the completion script of a shell.",
    },
}
"""Commands by section of the help, with their purposes; each is the object of the same name in a module of that name.

The purposes are repeated here, so that the list of commands need not load any of them.
"""
OPTION_GROUPS: dict[str, tuple[str, ...]] = {
    "Position": ("--at", "--position"),
    "Question": ("--objective", "--utility", "--fix"),
    "Method": ("--method", "--engine", "--symmetry", "--distance", "--keep", "--from"),
    "Numbers": ("--exact", "--interval", "--digits"),
    "Limits": ("--time", "--memory", "--states", "--threads"),
    "Output": ("--json", "--jsonl", "--plain", "--color", "--ascii", "--quiet"),
    "Help": ("--debug", "--version", "--help"),
}
"""The options that several commands have, by section of their help."""
PURPOSES = {name: text for commands in SECTIONS.values() for name, text in commands.items()}


class _Context(click.Context):
    """Make help as wide as the terminal, within a readable width; click itself never goes below 50."""

    def make_formatter(self) -> click.HelpFormatter:
        """Return the formatter of help."""
        return click.HelpFormatter(width=max(30, min(terminal_width(stdout()) - 2, 98)))


class WithExamples(click.Command):
    """A command whose help shows examples before the options."""

    context_class = _Context

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.examples = tuple(examples)

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Make the context as usual, but treat the help that this may print as an answer like any other."""
        with answering():
            return super().make_context(*arguments, **settings)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then those that others have too, by what they are about."""
        records: dict[str, list[tuple[str, str]]] = {title: [] for title in ("Options", *OPTION_GROUPS)}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                name = parameter.opts[-1]
                title = next((title for title, names in OPTION_GROUPS.items() if name in names), "Options")
                records[title].append(record)
        for title, rows in records.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text, then the examples, one per line, unwrapped."""
        super().format_help_text(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Commands(WithExamples, click.Group):
    """Loads a command's module on demand, and turns every way to end into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in the order of the help."""
        return list(PURPOSES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None for an option; raise `UsageError` if there is no such command."""
        names = self.list_commands(ctx)
        if cmd_name in names:
            return getattr(import_module(f"endsight.faces.cli.{cmd_name}"), cmd_name)  # type: ignore[no-any-return]
        if cmd_name.startswith("-") or ctx.resilient_parsing:
            return None
        raise _no_command(cmd_name, names)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands without loading any; complete options as usual."""
        matching = [CompletionItem(name, help=text) for name, text in PURPOSES.items() if name.startswith(incomplete)]
        return matching + click.Command.shell_complete(self, ctx, incomplete)

    def main(
        self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: object, **extra: Any
    ) -> NoReturn:
        """Run a command line, print any error as a message, and exit with the exit code."""
        given = sys.argv[1:] if args is None else list(args)
        tell_warnings()
        self._main_shell_completion(extra, "endsight")
        try:
            with self.make_context(prog_name, list(given), **extra) as context:
                code = self.invoke(context)
                flush_answer()
        except BrokenPipeError:  # a reader that closes the pipe (`| head`) ends the command silently
            silence()
            code = 0
        except click.exceptions.Exit as end:
            code = end.exit_code
        except BaseException as error:
            code = report(error, debug="--debug" in given)
        sys.exit(code if isinstance(code, int) else 0)


def _no_command(name: str, names: Sequence[str]) -> UsageError:
    close = next(iter(get_close_matches(name, names, n=1)), None)
    return UsageError(
        f"there is no command {name!r}{did_you_mean(close)}",
        allowed=", ".join(names),
        advice=f"endsight {close or '--help'}",
    )


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    examples=(
        'endsight analyze tictactoe --at "a1 b2"',
        "endsight value repeatbust:sides=6,dice=2",
        "endsight value mygame.py:MyGame --json",
    ),
)
@click.version_option(package.__version__, "-V", "--version", prog_name="endsight", message="%(prog)s %(version)s")
@click.pass_context
def endsight(context: click.Context) -> None:
    """Exact values, best moves and distributions for finite games.

    GAME is NAME[:key=value,...] for a game that `endsight games` lists, or
    file.py:Class[:key=value,...] for your own rules. `endsight COMMAND --help`
    explains a command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(*, may_hear: bool) -> NoReturn:
    """Run the command line of this process; `may_hear` says whether Ctrl-C has Python's default behaviour."""
    if may_hear:
        hear_interrupts()  # from here on Ctrl-C is an exception, so that proven results can be reported
    endsight.main(prog_name="endsight", obj="the process is this command's alone")
