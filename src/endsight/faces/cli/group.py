"""The command `endsight` itself: its subcommands, loaded when asked for, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

import endsight as package
from endsight.errors import UsageError
from endsight.faces.cli.command import WithExamples
from endsight.faces.cli.failures import report, tell_warnings
from endsight.faces.cli.streams import flush_answer, silence

__all__ = ["endsight"]

SECTIONS: dict[str, tuple[str, ...]] = {
    "Ask": ("value", "analyze", "line", "table", "dist", "simulate", "exploit", "sweep", "fair", "report"),
    "Play": ("play", "review", "plot", "serve", "page"),
    "Keep": ("solve", "status", "export"),
    "Proof": ("prove", "verify"),
    "Rules": ("games", "check"),
    "Cost": ("estimate", "growth"),
    "Shell": ("doctor", "completion"),
}
"""Commands by section of the help; each is the object of the same name in a module of the same name."""


class Commands(WithExamples, click.Group):
    """Loads a command's module when that command is asked for, and turns every end into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help."""
        return [name for names in SECTIONS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None for an option; `UsageError` where there is no such command."""
        names = self.list_commands(ctx)
        if cmd_name in names:
            return getattr(import_module(f"endsight.faces.cli.{cmd_name}"), cmd_name)  # type: ignore[no-any-return]
        if cmd_name.startswith("-") or ctx.resilient_parsing:
            return None
        raise _no_command(cmd_name, names)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self._short_help(ctx, name)) for name in names])

    def _short_help(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(limit=80)

    def main(
        self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: object, **extra: Any
    ) -> NoReturn:
        """Run a command line, print any error as a message, and leave with the exit code."""
        tell_warnings()
        given = sys.argv[1:] if args is None else list(args)
        self._main_shell_completion(extra, "endsight")
        try:
            with self.make_context(prog_name, list(given), **extra) as context:
                code = self.invoke(context)
                flush_answer()
        except BrokenPipeError:  # a reader that goes away (`| head`) ends the command without a word
            silence()
            code = 0
        except click.exceptions.Exit as end:
            code = end.exit_code
        except BaseException as error:
            code = report(error, debug="--debug" in given)
        sys.exit(code if isinstance(code, int) else 0)


def _no_command(name: str, names: Sequence[str]) -> UsageError:
    close = get_close_matches(name, names, n=1)
    advice = f"endsight {close[0]}" if close else "endsight --help"
    return UsageError(f"there is no command {name!r}", allowed=", ".join(names), advice=advice)


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
@click.version_option(package.__version__, prog_name="endsight", message="%(prog)s %(version)s")
@click.pass_context
def endsight(context: click.Context) -> None:
    """Exact values, best moves and distributions for finite games.

    GAME is NAME[:key=value,...] for a game of `endsight games`, or
    file.py:Class[:key=value,...] for your own rules. `endsight COMMAND --help`
    explains a command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
