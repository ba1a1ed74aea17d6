# Two commands: `make play` runs the site, `make test` checks it. Both make .venv from
# locks (the site's, and the tests' on top), with nothing there but Python 3.11 or newer, its
# venv module, and make.
#
#   make play ARGS="--port 9000"       make test ARGS="-k nomination"
#   make bench ARGS="--quick"          measures the live table (Linux, two cores, quiet)
#   make secrecy                       10,000 pairs of games, 100,000 mutated requests and frames
#   make play PYTHON=python3.13        where python3 is older
PYTHON ?= python3
PY := .venv/bin/python

.PHONY: play test bench faults secrecy lint messages observatory access screens markup lighthouse clean broken

play: .venv/installed
	@$(PY) manage.py play --with-parent $(ARGS)

# Side by side, as many as there are cores: half of the tests wait for servers that they started.
test: lint
	@$(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

bench: .venv/for-tests
	@$(PY) -m tests.bench.live $(ARGS)

# What `make test` does in small: 500 kills over 200 games, 10,000 contests, 1,000 clients whose
# connections suffer, on both databases; and every module with a database once more on PostgreSQL.
# Takes the machine for an hour and a half; any number can be set.
faults: export POSTGRES ?= all
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

# The long form of tests/secrecy, with every method by every actor at every address: some forty
# minutes of one core, about half of them for the pairs.
secrecy: .venv/for-tests
	@ACCESS_METHODS=all SECRECY_PAIRS=10000 FUZZ_REQUESTS=100000 FUZZ_FRAMES=100000 $(PY) -m pytest tests/secrecy $(ARGS)

lint: .venv/for-tests
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) .venv/bin/lint-imports

# How MDN's HTTP Observatory grades the site as the public has it; needs npm and Node 20.
observatory: .venv/for-tests
	@$(PY) -m tests.hosting.observatory

# Every page and phase, in five languages, two themes and two widths: what axe finds; pictures in
# screens/; what the Nu HTML checker finds (Java and npm); and what Lighthouse gives (npm, Node 20).
access: export AXE = all
access: .venv/for-tests
	@$(PY) -m pytest -n auto --dist load tests/access/test_axe.py $(ARGS)

screens: .venv/for-tests
	@$(PY) -m pytest -n auto --dist load tests/access/screens.py -k picture $(ARGS)
	@$(PY) -m pytest tests/access/screens.py -k side_by_side

markup: .venv/for-tests
	@$(PY) -m pytest tests/access/markup.py $(ARGS)

lighthouse: .venv/for-tests
	@$(PY) -m tests.access.lighthouse

# Leaves data/ alone: people's games are in there.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find locale -name '*.mo' -delete

# The file says that the installation came to its end: an interrupted one starts anew, and
# so does one whose Python has gone since.
.venv/installed: requirements.lock $(if $(wildcard $(PY)),,broken)
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or name one: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is $$($(PYTHON) --version 2>&1), and 3.11 or newer is needed. Name one: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no venv module (Debian and Ubuntu keep it in the package python3-venv)." >&2; exit 1; }
	@echo "Making .venv from requirements.lock"
	@$(PYTHON) -m venv --clear .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements.lock
	@touch $@

.venv/for-tests: tests/requirements.lock .venv/installed
	@echo "Adding what the tests need"
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r tests/requirements.lock
	@touch $@

# Brings the catalogs up to date with the sources; needs GNU gettext.
messages: .venv/installed
	@$(PY) manage.py language update
