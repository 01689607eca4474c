"""A group of commands whose modules are imported when one of them runs, so that `--help` stays light."""

from __future__ import annotations

import importlib

import click


class LazyGroup(click.Group):
    """`later` maps a command's name to its help line; the module of that name in this package holds `command`."""

    def __init__(self, *arguments: object, later: dict[str, str] | None = None, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.later = later or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.later, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.later:
            return super().get_command(ctx, cmd_name)
        module = cmd_name.replace("-", "_")
        command: click.Command = importlib.import_module(f"wellsourced.cli.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._help_line(ctx, name, formatter)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _help_line(self, ctx: click.Context, name: str, formatter: click.HelpFormatter) -> str:
        if name in self.later:
            return self.later[name]
        known = super().get_command(ctx, name)
        return known.get_short_help_str(formatter.width) if known else ""
