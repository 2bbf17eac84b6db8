#!/bin/bash
# Runs in the virtual Pi as root: installs Millwright from files, and plays as a user without any privileges.
set -e
python3 -m venv /opt/millwright
/opt/millwright/bin/pip install --quiet --no-index --find-links /mnt/wheels 'millwright[pi]'
exec runuser --login player --command 'exec /opt/millwright/bin/python -u /mnt/play_game.py'
