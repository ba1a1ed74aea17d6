# The two main commands: `make play` runs the site, `make test` checks it. Both create .venv from
# lock files (the site's, plus the tests' for `make test`). They need only Python 3.11 or newer,
# its venv module, and make.
#
#   make play ARGS="--port 9000"       make test ARGS="-k nomination"
#   make nightly                       everything that `make test` does in small; an hour
#   make bench ARGS="--quick"          measures the live table (Linux, two cores, quiet)
#   make bench ARGS=abuse              measures what a stranger notices of an attack
#   make bench ARGS=archive            measures the pages about 100,000 finished games
#   make secrecy                       10,000 pairs of games, 100,000 mutated requests and frames
#   make long                          ten times as many random games and positions
#   make play PYTHON=python3.13        if python3 is too old
PYTHON ?= python3
PY := .venv/bin/python

# The tests start hundreds of processes. Without bytecode files each would compile the same sources,
# and collecting the tests would take three times as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test nightly tests bench faults drills secrecy long lint style types messages observatory access screens markup lighthouse first-load clean broken

play: .venv/installed
	@$(PY) manage.py play --with-parent $(ARGS)

# mypy has one process and takes a minute, so it runs beside the tests.
test: style
	@+$(MAKE) --no-print-directory -j2 types tests

# Also the tests marked `nightly`, and more cases of others (tests/nightly.py).
nightly: export NIGHTLY = 1
nightly: test

# In parallel, two processes a core: half of the tests wait for servers that they have
# started. PYTEST_XDIST_AUTO_NUM_WORKERS sets another number. A test that hangs, say because its
# browser does, is stopped after some minutes and runs once more.
tests: .venv/for-tests
	@$(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder --durations=20 \
		$(if $(NIGHTLY),,--timeout 400 --timeout-method thread) $(ARGS)

bench: .venv/for-tests
	@$(PY) -m tests.bench.live $(ARGS)

# The long form of the fault tests in `make test`: 500 kills over 200 games, 10,000 races between
# requests and 1,000 clients with faulty connections, on both databases. It also runs every module
# that uses a database again on PostgreSQL. It occupies the machine for an hour and a half. Every
# number can be overridden.
faults: export NIGHTLY = 1
faults: export POSTGRES ?= all
faults: export FUZZ_FIELDS ?= alone
faults: export FAULTS_LONG ?= 1
faults: export FAULTS_KILLS ?= 250
faults: export FAULTS_GAMES ?= 100
faults: export FAULTS_TABLES_AT_ONCE ?= 10
faults: export FAULTS_SECONDS_BETWEEN ?= 2.5
faults: export FAULTS_ROUNDS ?= 10000
faults: export FAULTS_MOVES_TO_THE_LAST ?= 200
faults: export FAULTS_CLOCK_TABLES ?= 60
faults: export FAULTS_CLOCK_SECONDS ?= 60
faults: export FAULTS_CLIENTS ?= 1000
faults: export FAULTS_TABLES ?= 20
faults: export FAULTS_SECONDS ?= 60
faults: .venv/for-tests
	@$(PY) -m pytest -s tests/faults tests/postgres $(ARGS)

# What an operator fears, done on purpose to the real site: about a quarter of an hour. Each drill
# says what was expected and what was seen. ARGS=broker runs one of them.
drills: .venv/for-tests
	@$(PY) -m tests.drills $(ARGS)

# The long form of tests/secrecy, with every method for every actor at every URL, and each wrong
# field in a request of its own. It takes about forty minutes on one core, half of them for the pairs.
secrecy: .venv/for-tests
	@NIGHTLY=1 ACCESS_METHODS=all FUZZ_FIELDS=alone SECRECY_PAIRS=10000 FUZZ_REQUESTS=100000 FUZZ_FRAMES=100000 $(PY) -m pytest tests/secrecy $(ARGS)

lint: style types

style: .venv/for-tests
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) .venv/bin/lint-imports

types: .venv/for-tests
	@$(PY) -m mypy

# Many more random cases than `make test` tries: about ten minutes on one core.
long: export NIGHTLY = 1
long: export EXAMPLES ?= 10
long: export SIMULATED_GAMES ?= 5000
long: export TALK_GAMES ?= 300
long: .venv/for-tests
	@$(PY) -m pytest tests/games/rules tests/games/bots tests/commands/test_simulated_games.py $(ARGS)

# Grades the public form of the site with MDN's HTTP Observatory; needs npm and Node 20.
observatory: .venv/for-tests
	@$(PY) -m tests.hosting.observatory

# These four targets cover every page and phase, in five languages, two themes and two widths:
#   access      accessibility errors found by axe
#   screens     screenshots in screens/
#   markup      HTML errors found by the Nu HTML checker; needs Java and npm
#   lighthouse  Lighthouse's scores; needs npm and Node 20
#   first-load  what the first load of each page takes over the wire; needs Chromium
access: export NIGHTLY = 1
access: export AXE = all
access: .venv/for-tests
	@$(PY) -m pytest -n auto --dist load tests/access/test_axe.py $(ARGS)

screens: export NIGHTLY = 1
screens: .venv/for-tests
	@$(PY) -m pytest -n auto --dist load tests/access/screens.py -k picture $(ARGS)
	@$(PY) -m pytest tests/access/screens.py -k side_by_side

markup: export NIGHTLY = 1
markup: .venv/for-tests
	@$(PY) -m pytest tests/access/markup.py $(ARGS)

lighthouse: .venv/for-tests
	@$(PY) -m tests.access.lighthouse $(ARGS)

first-load: .venv/for-tests
	@$(PY) -m tests.access.first_load $(ARGS)

# Keeps data/, which holds people's games.
clean:
	rm -rf .venv .static .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find locale -name '*.mo' -delete

# This file marks a complete installation. An interrupted installation starts over, and so does one
# whose Python has been removed.
.venv/installed: requirements.lock $(if $(wildcard $(PY)),,broken)
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or name one: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is $$($(PYTHON) --version 2>&1), and 3.11 or newer is needed. Name one: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no venv module (Debian and Ubuntu keep it in the package python3-venv)." >&2; exit 1; }
	@test ! -L .venv || { echo ".venv is a link, and what it leads to would be deleted. Remove the link first." >&2; exit 1; }
	@echo "Making .venv, and downloading the packages of requirements.lock into it. This takes some minutes."
	@$(PYTHON) -m venv --clear .venv
	@$(PY) -m pip install --disable-pip-version-check --no-input --require-hashes -r requirements.lock
	@echo "Compiling the translations and compressing the static files."
	@$(PY) manage.py prepare --files
	@touch $@

.venv/for-tests: tests/requirements.lock .venv/installed
	@echo "Adding what the tests need."
	@$(PY) -m pip install --disable-pip-version-check --no-input --require-hashes -r tests/requirements.lock
	@touch $@

# Updates the message catalogs from the sources; needs GNU gettext.
messages: .venv/installed
	@$(PY) manage.py language update
