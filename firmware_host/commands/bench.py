"""The command `millwright bench`: the speed of this machine."""

from __future__ import annotations

import click


@click.command()
@click.option("--quick", is_flag=True, help="Take a tenth of the measurements, to see that it works.")
@click.option(
    "--page",
    is_flag=True,
    help="Measure the page instead: its size, its speed, and the cost of pages and attacks.",
)
def bench(quick: bool, page: bool) -> None:
    """Measure this machine with the simulated board in real time, and print JSON."""
    if page:
        from sim.bench import page as bench_page

        click.echo(bench_page.run(quick=quick))
    else:
        from sim.bench import run as front

        click.echo(front.run(quick=quick))
