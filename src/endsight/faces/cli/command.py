"""How a command is declared: its help begins with what it does and examples that work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from endsight.base.standard_streams import stdout
from endsight.faces.cli.streams import answering, terminal_width


class _Context(click.Context):
    """Help as wide as the terminal, within what reads well; click itself never goes below 50."""

    def make_formatter(self) -> click.HelpFormatter:
        """What writes help."""
        return click.HelpFormatter(width=max(30, min(terminal_width(stdout()) - 2, 98)))


class WithExamples(click.Command):
    """A command whose help shows examples before the options."""

    context_class = _Context

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.examples = tuple(examples)

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """As usual; but the help that this may print is an answer as any other."""
        with answering():
            return super().make_context(*arguments, **settings)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The text, then the examples, one a line as they stand."""
        super().format_help_text(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def command(*examples: str) -> Callable[[Callable[..., Any]], WithExamples]:
    """Make a function a command; `examples` are whole command lines."""
    return click.command(cls=WithExamples, examples=examples)
