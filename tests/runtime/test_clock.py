"""The machine's clock: when its date counts, and what becomes of moments before that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.ports import Boot, before, date_of
from firmware_host.runtime.clock import MachineClock, boot_of, is_trusted, kernel_is_synchronised
from tests.support.hardware.clock import NOON_S, ForgetfulPi

NOON_MS = NOON_S * 1000
RTC = "sys/class/rtc/rtc0/since_epoch"
TIMESYNC = "run/systemd/timesync/"
MODEL = "sys/firmware/devicetree/base/model"
PI = "Raspberry Pi 5 Model B Rev 1.0\0"


@pytest.mark.parametrize(
    ("files", "kernel", "is_right"),
    [
        pytest.param({}, False, True, id="a laptop without systemd, a container, or macOS"),
        pytest.param({RTC: str(NOON_S + 2)}, False, True, id="a laptop"),
        pytest.param({TIMESYNC + "x": "", RTC: str(NOON_S + 2)}, False, True, id="one without a network"),
        pytest.param({TIMESYNC + "x": ""}, False, False, id="timesyncd waits"),
        pytest.param({TIMESYNC + "synchronized": ""}, False, True, id="timesyncd is done"),
        pytest.param({MODEL: PI}, False, False, id="a Pi whose kernel denies it"),
        pytest.param({MODEL: PI}, None, True, id="a Pi without timesyncd that can't be asked"),
        pytest.param({MODEL: PI, TIMESYNC + "x": ""}, None, False, id="a Pi's service, and timesyncd waits"),
        pytest.param({MODEL: PI}, True, True, id="a Pi with chrony"),
        pytest.param({MODEL: PI, RTC: "12"}, False, False, id="a Pi 5 without a battery"),
        pytest.param({MODEL: PI, RTC: str(NOON_S - 1)}, False, True, id="a Pi with a clock module"),
        pytest.param({MODEL: PI, RTC: "soon"}, False, False, id="a clock that can't be read"),
        pytest.param({MODEL: "Orange Pi Zero\0"}, False, True, id="nothing speaks against it"),
    ],
)
def test_a_clock_is_trusted_unless_something_speaks_against(
    tmp_path: Path, files: dict[str, str], kernel: bool | None, is_right: bool
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert is_trusted(tmp_path, NOON_S, lambda: kernel) is is_right


def test_the_kernel_of_this_machine_can_be_asked() -> None:
    assert kernel_is_synchronised() in (True, False, None)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A C library that notes who asks it, and a system without filters."""
    found: list[object] = []

    class AskedKernel:
        @staticmethod
        def adjtimex(state: object) -> int:
            found.append(state)
            return -1

    monkeypatch.setattr("ctypes.CDLL", lambda _: AskedKernel())
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/status").write_text("Name:\tpython\nSeccomp:\t0\nSeccomp_filters:\t0\n")
    return found


def test_a_kernel_that_does_not_answer_says_nothing(tmp_path: Path, asked: list[object]) -> None:
    assert kernel_is_synchronised(tmp_path) is None
    assert len(asked) == 1


def test_a_sandbox_that_may_kill_is_not_asked(tmp_path: Path, asked: list[object]) -> None:
    (tmp_path / "proc/self/status").write_text("Name:\tpython\nSeccomp:\t2\nSeccomp_filters:\t3\n")
    assert kernel_is_synchronised(tmp_path) is None
    assert asked == []


def test_a_moment_has_no_date_until_the_clock_is_set(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path, wall_s=NOON_S - 3 * 365 * 86_400)
    early = pi.clock.now()
    assert (date_of(early), pi.clock.is_right, pi.clock.local(), pi.clock.day()) == (
        0,
        False,
        None,
        "undated",
    )
    pi.run_for(5)
    assert pi.clock.age_ms(early) == 5000
    pi.synchronise(NOON_S)
    assert pi.clock.dated(early) == NOON_MS - 6000
    assert pi.clock.now() == NOON_MS
    assert (pi.clock.age_ms(early), pi.clock.age_ms(NOON_MS - 6000)) == (6000, 6000)


def test_a_moment_of_another_boot_never_gets_a_date(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    early = pi.clock.now()
    pi.reboot()
    pi.synchronise(NOON_S)
    assert date_of(pi.clock.dated(early)) == 0
    assert pi.clock.age_ms(early) is None


def test_a_clock_that_is_set_again_is_followed(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S)
    stamp = pi.clock.stamp()
    assert pi.clock.dated(stamp) == NOON_MS
    pi.wall_s += 86_400
    pi.run_for(1)
    assert pi.clock.dated(stamp) == NOON_MS + 86_400_000
    assert pi.clock.age_ms(stamp) == 1000, "the time between two moments doesn't depend on dates"


def test_drift_moves_no_date(tmp_path: Path) -> None:
    pi = ForgetfulPi(tmp_path)
    pi.synchronise(NOON_S)
    stamp, dated = pi.clock.stamp(), pi.clock.now()
    pi.run_for(3600)
    pi.wall_s += 0.5
    assert pi.clock.dated(stamp) == dated


def test_the_kernels_growing_error_unsets_nothing(tmp_path: Path) -> None:
    is_sure = [True]
    clock = MachineClock(
        root=tmp_path, boot=Boot(1), boot_s=lambda: 5.0, wall_s=lambda: NOON_S, kernel=lambda: is_sure[0]
    )
    assert clock.is_right
    is_sure[0] = False
    assert clock.is_right


def test_a_boot_is_known_by_the_systems_number_for_it(tmp_path: Path) -> None:
    file = tmp_path / "proc/sys/kernel/random/boot_id"
    file.parent.mkdir(parents=True)
    file.write_text("74efa523-61f2-4fe6-bec9-6a581a9fa245\n")
    assert boot_of(tmp_path) == boot_of(tmp_path) == Boot(0x74EFA523 % (1 << 22))
    assert boot_of(tmp_path / "nowhere") is None
    assert not MachineClock(root=tmp_path / "nowhere").knows_boot


def test_the_moments_of_boots_are_apart() -> None:
    for number in (0, 1, (1 << 22) - 1):
        boot = Boot(number)
        assert boot.since(boot.moment(0)) == 0
        assert date_of(boot.first) == date_of(boot.last) == 0
        assert Boot(number - 1).since(boot.last) is None
        assert boot.first >= -(1 << 63)
    assert before(Boot(3).moment(50), 20) == Boot(3).moment(30)
    assert before(Boot(3).moment(50), 90) == Boot(3).first
    assert before(NOON_MS, 90) == NOON_MS - 90


def test_the_clock_of_this_machine_runs() -> None:
    clock = MachineClock(root=Path("/"))
    assert clock.since_boot_ms > 0
    assert os.environ.get("TZ", "") or clock.stamp() <= clock.stamp()
