"""The command `millwright dark`: turns the LEDs off, and the buzzer."""

from __future__ import annotations

import click

from firmware_host.config.paths import CONFIG_HELP


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def dark(given: str | None) -> None:
    """Turn off the LEDs and the buzzer, for example after the board's program was killed."""
    from firmware_host.config.found import configured
    from firmware_host.config.gpio import strip_backend
    from firmware_host.config.loader import Config
    from firmware_host.errors import ConfigError
    from firmware_host.settings import NO_LINE
    from hardware.electronics import PiElectronics

    try:
        config = configured(given)
    except ConfigError as error:
        click.echo(f"{error}\nUsing the default settings of the strip.", err=True)
        config = Config.default()
    electronics = PiElectronics()
    try:
        if strip_backend(config.sensors, config.strip) == "serial":
            click.echo(
                "A board on a serial line goes dark by itself when it hears nothing for three seconds."
            )
        else:
            electronics.open_leds(config.strip).close()
    finally:
        if config.sound.buzzer != NO_LINE:
            electronics.open_buzzer(config.sound).close()
