"""`wellsourced completion`: click's own completion scripts."""

from __future__ import annotations

import click

from wellsourced.cli.output import write_stdout
from wellsourced.cli.run_tool import OK
from wellsourced.main import COMPLETION


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    bash: add to ~/.bashrc                    eval "$(wellsourced completion bash)"
    zsh:  add to ~/.zshrc                     eval "$(wellsourced completion zsh)"
    fish: save as completions/wellsourced.fish in ~/.config/fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    write_stdout(made(context.find_root().command, {}, "wellsourced", COMPLETION).source() + "\n")
    return OK
