"""`endsight completion`: the script with which a shell completes our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from endsight.faces.cli.command import argument, command
from endsight.faces.cli.streams import say_file


@command(
    'eval "$(endsight completion bash)"',
    "endsight completion fish > ~/.config/fish/completions/endsight.fish",
)
@argument("shell", None, click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    say_file([kind(context.find_root().command, {}, "endsight", "_ENDSIGHT_COMPLETE").source(), "\n"])
