#!/bin/bash
# Runs in the virtual Pi's file system before it boots, since an emulated machine takes minutes over it:
# installs Millwright from files, as its README says, and beside it, for the user's own Python path, what tests need.
# Among that is lgpio, with which our driver is compared.
set -euo pipefail
cd /opt/brought
python3 -m venv /opt/millwright
install() { /opt/millwright/bin/pip install --quiet --disable-pip-version-check --no-index --find-links wheels "$@"; }
install millwright-board
install --target /opt/brought/tools pytest hypothesis jsonschema lgpio
