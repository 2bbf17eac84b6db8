"""Plays episodes on the program of another folder: `python -m tests.fuzz.compare.worker FOLDER`.

Each line in is an episode, and each line out its result. The hands and their judges are those of this folder,
and only `firmware_host`, `hardware` and `sim` come from the other one.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict


def main() -> int:
    """Play what the standard input asks for."""
    sys.path.insert(0, sys.argv[1])
    import firmware_host
    from tests.fuzz.episodes.episode import Episode, play_episode

    assert str(firmware_host.__file__).startswith(sys.argv[1]), f"{firmware_host.__file__} was imported"
    for line in sys.stdin:
        result = play_episode(Episode(**json.loads(line)))
        sys.stdout.write(json.dumps(asdict(result)) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
