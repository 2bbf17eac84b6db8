"""Certificates on the command line: made, checked and sealed, with their progress and figures."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import asdict

import click

from firmware_host.commands.engine.table_progress import TableProgress, clear_line, print_json
from firmware_host.engine.certificate import PLAYERS, certificate_bytes
from firmware_host.engine.solving import certifying
from firmware_host.engine.solving.folder import TableFolder, refuse
from firmware_host.engine.solving.promise import seal_of
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import Sector
from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.games.morris.position import MorrisRules

_GAMES = 100
"""The games against random opponents in which each certificate is checked."""


def make_certificates(
    folder: TableFolder, found: Mapping[Sector, SectorTable], progress: TableProgress, memory: int | None
) -> None:
    """Prove the replies of both players, and write them to files; those that are there are kept."""
    there = {one.player for one in folder.certificates() if one.is_whole}
    for player, name in enumerate(PLAYERS):
        began = time.monotonic()
        if player not in there:
            turns = certifying.certify(folder.options, found.get, player, progress.proving(name), memory)
            folder.write_certificate(player, certificate_bytes(folder.options, player, turns))
        _print_certificate(folder, player, round(time.monotonic() - began, 1), progress.as_json)


def _print_certificate(folder: TableFolder, player: int, seconds: float, as_json: bool) -> None:
    one = next(each for each in folder.certificates() if each.player == player)
    if as_json:
        print_json(certificate=PLAYERS[player], entries=list(one.counts), bytes=one.length, seconds=seconds)
    else:
        clear_line()
        size = f"{one.length / 1e6:,.1f} MB"
        click.echo(f"{PLAYERS[player]} player: {one.entries:,} replies, {size}, {seconds:.1f} s")


def check_certificates(
    rules: MorrisRules,
    folder: TableFolder,
    found: Mapping[Sector, SectorTable],
    rng: random.Random,
    progress: TableProgress,
) -> int:
    """Check the certificates, seal them if nothing is wrong, and return the number of faults."""
    certificates, wrong = folder.certificates(), 0
    if not certificates:
        where = folder.path
        raise TableError(f"there are no certificates in {where}; run `millwright tables certificate`")
    known = Tables(refuse)
    known.add(found.values())
    for one in certificates:
        name = PLAYERS[one.player]
        played = certifying.audit_by_rules(rules, known, one, _GAMES, rng)
        findings = certifying.audit(rules.options, found.get, one, progress.walking(name))
        wrong += findings.wrong + len(played)
        _print_findings(name, findings, played, progress.as_json)
    if not wrong and len(certificates) == len(PLAYERS):
        folder.write_seal(seal_of(rules.options, found, certificates))
    return wrong


def _print_findings(name: str, findings: certifying.Findings, played: list[str], as_json: bool) -> None:
    if as_json:
        print_json(certificate=name, **asdict(findings), faults_in_games=len(played))
        return
    clear_line()
    faults = f"{findings.missing:,} missing, {findings.illegal:,} illegal, {findings.lost:,} lost"
    click.echo(
        f"{name} player: {findings.entries:,} positions and {findings.leaves:,} ends of placing checked, "
        f"{faults if findings.wrong else 'none wrong'}"
    )
    for fault in played:
        click.echo(f"{name} player, in a game by the rules: {fault}")
