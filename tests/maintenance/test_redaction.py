"""Texts that leave the machine have no personal details."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.maintenance.report import Redactor, log_text

REDACTOR = Redactor(["wilhelmina", "mill-parlour", "mill-parlour.example", "pi", "/srv/my games/w.db"])

NAMES = st.sampled_from(["wilhelmina", "Wilhelmina", "MILL-PARLOUR"])
AROUND = st.text(st.sampled_from(" /:,.-()'\"\n=@"), max_size=4)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("held by wilhelmina, Wilhelmina's", "held by <name>, <name>'s"),
        ("/home/wilhelmina/board/millwright.toml:4 timing", "<path>:4 timing"),
        ("/media/other/stick and ~/notes", "<path> and <path>"),
        ("in /srv/my games/w.db, gone", "in <name>, gone"),
        ("at 192.168.7.23 port 8765", "at <address> port 8765"),
        ("at fe80::1ff:fe23:4567:890a%wlan0", "at <address>"),
        ("b8:27:eb:12:34:56 is its MAC", "<address> is its MAC"),
        ("see http://mill-parlour.example:8765/?x=1 now", "see <address> now"),
        ("write to w.b@example.org", "write to <mail>"),
        ("/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0: busy", "/dev/serial/by-id/<port>: busy"),
    ],
)
def test_names_addresses_and_private_paths_are_replaced(text, clean):
    assert REDACTOR.text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "Raspberry Pi 4 Model B Rev 1.4",
        "GPIO 24 (header pin 18): 3.3 V, 0.5 ms, 1/3 of it, lgpio 0.2.2.0-1",
        "/dev/spidev0.0 and /boot/firmware/config.txt, /etc/millwright/millwright.toml",
        "`sudo raspi-config nonint do_spi 0`, then pi starts again; see and/or",
        "6.12.25+rpt-rpi-v8",
    ],
)
def test_facts_stay_as_they_are(text):
    assert REDACTOR.text(text) == text


@given(AROUND, NAMES, AROUND)
def test_a_name_never_survives_whatever_stands_around_it(before, name, after):
    assert name.lower() not in REDACTOR.text(f"{before}{name}{after}").lower()


def test_keys_and_nested_values_are_cleaned_and_numbers_kept():
    found = REDACTOR.value({"wilhelmina": [{"at": ("10.0.0.7", 5, None, True)}]})
    assert found == {"<name>": [{"at": ["<address>", 5, None, True]}]}


def test_nobodys_names_are_no_names():
    assert Redactor(["", "root", "a"]).text("root has a board") == "root has a board"


def test_this_machine_knows_its_user_and_host(monkeypatch):
    monkeypatch.setenv("SUDO_USER", "wilhelmina")
    monkeypatch.setattr("socket.gethostname", lambda: "parlour.example")
    assert Redactor.of_this_machine("herbert").text("wilhelmina herbert parlour") == "<name> <name> <name>"


@pytest.mark.parametrize(
    ("line", "clean"),
    [
        ("play after entering the code 1234 5678 (valid", "play after entering the code <code> (valid"),
        ("a wrong code was entered from 192.168.1.20", "a wrong code was entered from <address>"),
        ('settings: /x:3 link.broker: "a:secret@host"', "link.broker: has a fault, which is left out"),
        ('workshop: /x:3 store.path: "secret" is not', "store.path: has a fault, which is left out"),
        ("settings: timing.debounce_ms: 500 is out of range", "timing.debounce_ms: 500 is out of range"),
        ("white: d6-d5xa1", "white: d6-d5xa1"),
    ],
)
def test_a_log_has_no_codes_addresses_and_private_settings(line, clean):
    text = log_text([("2026-11-30 00:08:31", line)], Redactor)
    assert text.startswith("2026-11-30 00:08:31 ")
    assert clean in text
    assert "secret" not in text
