"""``engines``: the other programs that can play here."""

from __future__ import annotations

import json
from typing import Any

import click

from quintet.cli.entry import main
from quintet.cli.printing import say


@main.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print all that is known, as JSON.")
def engines(names: tuple[str, ...], as_json: bool) -> None:
    """Tell which other programs can play as engine:NAME, and how to install the rest.

    With NAMEs the exit code is 1 if one of them is not there.
    """
    from quintet.bridges.engines.configuration import all_engines, engines_file, find_engine
    from quintet.bridges.engines.finding import facts

    chosen = [find_engine(name) for name in names] or list(all_engines().values())
    known = [facts(engine) for engine in chosen]
    if as_json:
        click.echo(json.dumps(known, indent=2))
    else:
        _print(known)
        say(f"Others can be described in {engines_file()}; see docs/guide/engines.md.")
    if names and not all(one["found"] for one in known):
        click.get_current_context().exit(1)


def _print(known: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from quintet.cli.tables import print_table

    table = Table("engine", "games", "protocol", "settings", "version", box=None, pad_edge=False)
    for one in known:
        settings = [f"{it['name']}={it['default']} ({it['low']} to {it['high']})"
                    for it in one["settings"]]  # fmt: skip
        found = one["version"] or "found"
        state = found if one["found"] else f"not here; {one['install']}"
        table.add_row(
            f"engine:{one['name']}",
            ", ".join(one["games"]),
            one["protocol"],
            ", ".join(settings),
            state,
        )
    print_table(table)
