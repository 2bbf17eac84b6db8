"""Opening a games file as root without root's rights over what belongs to others.

Invariants: as root, a file is opened as its owner, and created as the owner of its folder. A link that the
owner laid then leads nowhere that the owner may not go, and nothing is left behind that only root can write.
Only a regular file is opened: a pipe would be waited for without end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.errors import StoreError
from firmware_host.i18n import Message


@contextmanager
def acting_as_owner(path: Path) -> Iterator[None]:
    """Act as the owner of the file at `path`, or of the folder it would be in, while the context lasts.

    Without root's rights nothing changes. Belongs to a process of one thread. Raises StoreError for anything
    but a file.
    """
    if os.geteuid() != 0:
        _check_is_file(path)
        yield
        return
    with acting_as(nearest(path).lstat()):
        _check_is_file(path)
        yield


@contextmanager
def acting_as(owner: os.stat_result) -> Iterator[None]:
    """Give up root's rights for those of an owner while the context lasts."""
    groups = os.getgroups()
    os.setgroups([owner.st_gid])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def nearest(path: Path) -> Path:
    """Return `path`, or the nearest of its folders that there is."""
    return next(one for one in (path, *path.absolute().parents) if os.path.lexists(one))


def _check_is_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except OSError:  # there is none, or whoever opens it reports the reason
        return
    if not stat.S_ISREG(mode):
        raise StoreError(Message("fault.store.no-file", {"path": str(path)}))
