"""The command `endsight` itself: its subcommands, loaded when asked for, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

import endsight as package
from endsight.cli.command import WithExamples
from endsight.cli.failures import report, tell_warnings
from endsight.cli.streams import flush_answer, silence, terminal_width
from endsight.standard_streams import stdout

__all__ = ["endsight"]

SECTIONS: dict[str, tuple[str, ...]] = {
    "Ask": ("value", "analyze", "line", "table", "dist", "simulate", "sweep", "fair"),
    "Play": ("play", "review", "plot", "serve"),
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
        """The command of that name, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = getattr(import_module(f"endsight.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As usual, but an unknown name is answered with the nearest one."""
        name = args[0]
        names = self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            from endsight.errors import UsageError

            close = get_close_matches(name, names, n=1)
            advice = f"endsight {close[0]}" if close else "endsight --help"
            raise UsageError(f"there is no command {name!r}", allowed=", ".join(names), advice=advice)
        return super().resolve_command(ctx, args)

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
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, print any error as a message, and exit (unless not `standalone_mode`)."""

        def run() -> Any:
            return super(Commands, self).main(args, prog_name, complete_var, standalone_mode=False, **extra)

        if not standalone_mode:
            return run()
        tell_warnings()
        given = sys.argv[1:] if args is None else list(args)
        sys.exit(_exit_code(run, debug="--debug" in given))

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """As usual; but `--help` may meet a reader that has gone away."""
        with _quiet_end():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand."""
        with _quiet_end():
            try:
                code = super().invoke(ctx)
            except (KeyboardInterrupt, EOFError) as error:  # click would write an empty line, and lose what it was
                return report(error, debug=False)
            flush_answer()
            return code


def _exit_code(run: Callable[[], Any], *, debug: bool) -> int:
    try:
        code = run()
        return code if isinstance(code, int) else 0
    except BaseException as error:
        return report(error, debug=debug)


@contextmanager
def _quiet_end() -> Iterator[None]:
    """A reader that goes away (`| head`) ends the command without a word."""
    try:
        yield
    except BrokenPipeError:
        silence()
        raise click.exceptions.Exit(0) from None


def _help_width() -> int:
    """As wide as the terminal, within what reads well; click itself never goes below 50."""
    return max(30, min(terminal_width(stdout()) - 2, 98))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": _help_width()},
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
