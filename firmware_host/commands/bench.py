"""The command `millwright bench`: how fast this machine is."""

from __future__ import annotations

import click


@click.command()
@click.option("--quick", is_flag=True, help="A tenth of the measurements: to see that it works.")
@click.option(
    "--page", is_flag=True, help="The page instead: its size, its speed, and what pages and attacks cost."
)
def bench(quick: bool, page: bool) -> None:
    """Measure this machine, in real time on the simulated board; prints JSON."""
    if page:
        from sim.bench import page as bench_page

        click.echo(bench_page.run(quick=quick))
    else:
        from sim.bench import run as front

        click.echo(front.run(quick=quick))
