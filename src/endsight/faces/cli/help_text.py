"""The help of a command: its purpose and working examples, as wide as is easy to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from endsight.base.standard_streams import stdout
from endsight.faces.cli.streams import answering, terminal_width


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

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text, then the examples, one per line, unwrapped."""
        super().format_help_text(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
