# Everything is made in .venv, from pyproject.toml alone; `make help` lists what there is.

.DEFAULT_GOAL := help
SHELL := /bin/sh

# The first of these that is new enough makes the venv; name another with `make PYTHON=...`.
PYTHON ?=
PYTHONS := $(if $(PYTHON),$(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed-to-run
DEV_STAMP := $(VENV)/.installed-to-test
NPM_STAMP := tests/web/node_modules/.package-lock.json
NPM_BIN := tests/web/node_modules/.bin
ARGS ?=

# Tests share the cores, as tests/conftest.py says. Bytecode is kept even if the environment forbids it:
# otherwise each worker, and each program that a test starts, would compile Millwright again.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n auto --maxprocesses 8 --dist loadgroup

# What the page looks like: axe-core, text that is cut, and contrast in pixels.
LOOKS := $(addprefix tests/web/,page/appearance/test_states.py page/appearance/test_accessibility.py \
    page/appearance/test_lights.py words/test_page_layout.py)

define FIND_PYTHON
found=; seen=; \
for name in $(PYTHONS); do \
    command -v "$$name" >/dev/null 2>&1 || continue; \
    seen="$$seen $$name"; \
    if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$name; break; fi; \
done; \
if [ -z "$$seen" ]; then \
    echo "Millwright needs Python 3.11 or later, and there is no $(firstword $(PYTHONS)) here." >&2; \
    echo "On Debian or Raspberry Pi OS: apt install python3 python3-venv" >&2; exit 1; \
fi; \
if [ -z "$$found" ]; then \
    echo "Millwright needs Python 3.11 or later, and found only:" >&2; \
    for name in $$seen; do echo "  $$name is $$($$name --version 2>&1)" >&2; done; \
    echo "Install a newer one (Debian 12 and later: apt install python3 python3-venv)," >&2; \
    echo "or name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; \
fi; \
if ! "$$found" -c 'import venv, ensurepip' 2>/dev/null; then \
    echo "Millwright needs Python's venv and ensurepip modules, and $$found has them not." >&2; \
    echo "On Debian or Raspberry Pi OS: apt install python3-venv" >&2; exit 1; \
fi
endef

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: sim
sim: $(RUN_STAMP) ## play on the simulated board in the browser (ARGS="--rules lasker" for more)
	@$(BIN)/millwright sim $(ARGS)

.PHONY: test
test: $(DEV_STAMP) npm ## run the tests that a change can break easily (two minutes on two cores)
	$(PYTEST) $(ARGS)

.PHONY: test-ci
test-ci: $(DEV_STAMP) npm ## run the tests that CI runs, also those that cost much (some minutes on two cores)
	$(PYTEST) -m "not long and not style" $(ARGS)

.PHONY: check
check: $(DEV_STAMP) ## run the tests that the changed files reach (seconds; DEPTH=1 or more reaches further)
	@PYTHONDONTWRITEBYTECODE= DEPTH=$(DEPTH) $(BIN)/python -m tests.check $(ARGS)

.PHONY: npm
npm: ## fetch the npm packages that check the page, if npm is installed
	@[ $(NPM_STAMP) -nt tests/web/package-lock.json ] || ! command -v npm >/dev/null || \
	    { npm ci --prefix tests/web --no-audit --no-fund --loglevel=error && touch $(NPM_STAMP); } || \
	    echo "The npm packages that check the page could not be fetched: their checks are skipped." >&2

.PHONY: test-long
test-long: $(DEV_STAMP) npm home-assistant ## run the long random tests, and all others with more examples (about an hour)
	$(BIN)/python -m pytest -q -m "long or hypothesis" --hypothesis-profile=many $(ARGS)

# The packages that its MQTT component imports come with it in its container only.
.PHONY: home-assistant
home-assistant: ## install Home Assistant for the tests of its schemas, if a Python of its own fits
	@[ -x build/homeassistant/bin/python ] || for name in python3.14 python3.13 python3.12 python3; do \
	    $$name -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || continue; \
	    rm -rf build/homeassistant; \
	    $$name -m venv build/homeassistant && build/homeassistant/bin/pip install --quiet \
	        --disable-pip-version-check 'homeassistant>=2024.11' paho-mqtt SQLAlchemy fnv-hash-fast \
	        psutil-home-assistant && break; \
	    rm -rf build/homeassistant; \
	done
	@[ -x build/homeassistant/bin/python ] || \
	    echo "Home Assistant isn't installable here (it needs Python 3.12 or later): its tests are skipped." >&2

.PHONY: soak
soak: $(DEV_STAMP) ## play 30 days in virtual time while things break (a quarter of an hour; ARGS="DAYS SEED")
	$(BIN)/python -m tests.soak.month $(or $(ARGS),30 1)

.PHONY: test-attacks
test-attacks: $(DEV_STAMP) ## attack a running board over a network of its own (root on Linux; ARGS="--seconds 60")
	$(BIN)/python -m tests.attacks $(ARGS)

.PHONY: test-virtual-pi
test-virtual-pi: $(DEV_STAMP) ## try drivers, service and power cuts in a virtual Pi (root on Debian 12; ARGS=package)
	tests/virtual_pi/test.sh $(BIN)/python $(ARGS)

.PHONY: generated
generated: $(DEV_STAMP) ## write the files that repeat settings, messages and markup: schema, example, declarations
	$(BIN)/python -m tests.web.types.generate

.PHONY: lint
lint: $(DEV_STAMP) lint-page ## check style, language, types and which module imports which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/mypy --strict systemd/lock.py
	$(BIN)/mypy --strict systemd/deb/papers.py
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -q -m style tests/test_language.py tests/test_structure.py

.PHONY: lint-page
lint-page: npm ## check types and style of the page's JavaScript, if npm is installed
	@if [ -x $(NPM_BIN)/tsc ] && [ -x $(NPM_BIN)/eslint ]; then \
	    set -x; $(NPM_BIN)/tsc --project tests/web && \
	    $(NPM_BIN)/eslint --config tests/web/eslint.config.mjs firmware_host/web/static; \
	else \
	    echo "npm packages are missing: the page's JavaScript was not checked." >&2; \
	    [ -z "$$MILLWRIGHT_NPM_REQUIRED" ]; \
	fi

.PHONY: wheel
wheel: $(DEV_STAMP) ## build the wheel into dist/
	$(BIN)/python -m build --wheel $(ARGS)

.PHONY: platform-wheels
platform-wheels: $(DEV_STAMP) ## build a wheel for each platform into dist/, with Zig (100 MB; ARGS="arm64 all" for some)
	systemd/wheels.sh $(BIN)/python dist $(ARGS)

.PHONY: firmware
firmware: ## build the firmware for a board with its own Nano into build/firmware
	@$(MAKE) --no-print-directory -C hardware/firmware BUILD=$(CURDIR)/build/firmware $(ARGS)

# Without .venv, which belongs to the user who runs `make sim`, and not to root.
.PHONY: install
install: ## install the board as a service, or update it (root; ARGS=--dry-run, WHEELS=folder)
	@systemd/install.sh install $(ARGS)

.PHONY: uninstall
uninstall: ## remove the service, but not its games (root; with PURGE=1 also its games; ARGS=--dry-run)
	@systemd/install.sh uninstall $(ARGS)

.PHONY: wheels
wheels: $(DEV_STAMP) ## gather in dist/wheels what `make install WHEELS=dist/wheels` needs (ARGS="3.11 arm64")
	systemd/gather.sh $(BIN)/python dist/wheels $(ARGS)

.PHONY: lock
lock: $(DEV_STAMP) ## write the locks of what the service needs, after a change in pyproject.toml (ARGS=--upgrade)
	$(BIN)/python systemd/lock.py renew $(ARGS)

.PHONY: deb
deb: $(DEV_STAMP) ## build the Debian packages into dist/, with Zig (100 MB; ARGS="arm64 all" for some)
	systemd/deb/build.sh $(BIN)/python dist $(ARGS)

.PHONY: release
release: $(DEV_STAMP) ## build all that a release hands out into dist/, twice, and compare (Zig, avr-gcc; ARGS="arm64 all")
	systemd/release.sh $(BIN)/python dist $(ARGS)

.PHONY: test-releases
test-releases: test-trixie ## install in Debian 12 and 13 without a network, after `make test-trixie`
	tests/systemd/releases.sh $(BIN)/python

.PHONY: test-trixie
test-trixie: $(DEV_STAMP) ## run the tests under Debian 13's Python 3.13 (root on Debian, with mmdebstrap; ARGS)
	tests/trixie.sh $(BIN)/python $(ARGS)

.PHONY: screenshots
screenshots: $(DEV_STAMP) ## play in a browser and take the pictures of the page that README shows
	$(BIN)/python -m tests.support.web.take_screenshots firmware_host/web/pictures

.PHONY: test-looks
test-looks: $(DEV_STAMP) npm ## check every state of the page in all sizes, schemes and languages (minutes)
	$(BIN)/python -m pytest -q -m "" $(LOOKS) $(ARGS)

.PHONY: states
states: $(DEV_STAMP) ## take pictures of every state of the page, to be looked at (ARGS: languages)
	$(BIN)/python -m tests.support.web.take_states build/states $(ARGS)

.PHONY: movies
movies: $(DEV_STAMP) ## play in a browser and take the moving pictures that README shows
	$(BIN)/python -m tests.support.web.take_movies firmware_host/web/pictures

# KiCad's own Python has its module; the tracks of unchanged boards are kept in build/boards.
KICAD_PYTHON ?= python3

.PHONY: boards
boards: $(DEV_STAMP) ## make the circuit boards' files with KiCad 9 or later, and compare them (ARGS=--take keeps them)
	$(BIN)/python -m hardware.pcb build/boards
	$(KICAD_PYTHON) hardware/pcb/kicad/make.py build/boards/inputs.json build/boards
	$(BIN)/python -m tests.support.pcb.compare build/boards $(ARGS)

.PHONY: drawings
drawings: $(RUN_STAMP) ## draw the builder's guide's pictures, from the code that draws the wiring
	$(BIN)/python -m hardware.drawing

.PHONY: clean
clean: ## remove all that was made here
	rm -rf $(VENV) tests/web/node_modules build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# pip's own words are kept only for when it fails; half a venv has no stamp and is made again. The
# distribution was called millwright before it was millwright-board: both in one venv would own the same files.
define INSTALL
@$(FIND_PYTHON); \
echo "Installing Millwright $(2)into $(VENV) (the first time takes a minute) ..."; \
"$$found" -m venv $(VENV) && \
$(BIN)/python -m pip uninstall -qqq --yes --disable-pip-version-check millwright && \
$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '$(1)' && \
touch $@
endef

# With what `wall` and `link` need, which is small: whoever tries the page may want to play with another board next.
$(RUN_STAMP): pyproject.toml
	$(call INSTALL,.[link],)

$(DEV_STAMP): pyproject.toml
	$(call INSTALL,.[dev],and what its tests need )
	@touch $(RUN_STAMP)
