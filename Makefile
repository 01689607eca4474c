PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Only files whose hash is listed; the project itself is built with what was installed so.
LOCKED := $(PIP) --require-hashes -r requirements
# Wherever Python is told to keep no compiled files, every process of the tests would compile them all again.
export PYTHONDONTWRITEBYTECODE :=
CHECKS := $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports \
	&& $(BIN)/python scripts/generate.py --check

.PHONY: run test check generate test-parts trust bench bench-library dist docs locks licences reliability fuzz soak kill-rounds clean

run: $(VENV)/.run
	@set -a; if [ -f .env ]; then . ./.env; fi; exec $(BIN)/wellsourced serve --http

# What waits for the network is fetched side by side, and the checks run beside the tests; what they say comes last.
test:
	$(MAKE) --no-print-directory -j 2 $(VENV)/.collected test-parts
	$(BIN)/ruff check .
	($(CHECKS)) > $(VENV)/check.log 2>&1 & checks=$$!; \
	$(BIN)/python -m pytest -n 4 --dist worksteal; status=$$?; \
	wait $$checks || status=1; cat $(VENV)/check.log; exit $$status

check: $(VENV)/.dev
	$(CHECKS)

generate: $(VENV)/.dev
	$(BIN)/python scripts/generate.py

trust: $(VENV)/.dev
	$(BIN)/python -m tests.trust.score

bench: $(VENV)/.dev
	$(BIN)/python -m bench.run $(BENCH)

bench-library: $(VENV)/.dev
	$(BIN)/python bench/library.py --documents 500000
	$(BIN)/python bench/library.py --documents 1000000 --postgres own

dist: $(VENV)/.dist
	$(BIN)/python scripts/dist.py $(DIST)

# The theme advertises its successor on every run unless it is told not to.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

# What each package may be installed from, and for which systems it is ready-made.
locks: $(VENV)/.dist $(VENV)/.docs
	$(BIN)/python scripts/lock.py
	$(BIN)/python scripts/wheels.py

licences: $(VENV)/.dev
	$(BIN)/python scripts/licences.py

reliability: $(VENV)/.dev test-parts
	DRILLS=record $(BIN)/python -m pytest tests/drills
	$(BIN)/python scripts/generate.py

fuzz: $(VENV)/.dev
	$(PIP) -c constraints.txt 'atheris>=3'
	$(BIN)/python -m tests.fuzz.run --seconds 60

soak: $(VENV)/.dev
	$(BIN)/python -m scripts.soak --minutes 30

kill-rounds: $(VENV)/.dev
	$(BIN)/python -m scripts.kill_rounds --rounds 200

test-parts:
	@bash scripts/test-parts.sh

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.venv pyproject.toml requirements/run.txt
	$(LOCKED)/run.txt
	$(PIP) --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/server.txt requirements/dev.txt
	$(LOCKED)/dev.txt
	@touch $@

# Compiles the tests once, for all processes that are about to run them.
$(VENV)/.collected: $(VENV)/.dev
	$(BIN)/python -m pytest --collect-only -qq > $(VENV)/collect.log || (cat $(VENV)/collect.log; exit 1)
	@touch $@

$(VENV)/.dist: $(VENV)/.dev requirements/dist.txt
	$(LOCKED)/dist.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.venv requirements/docs.txt
	$(LOCKED)/docs.txt
	@touch $@

clean:
	rm -rf $(VENV) .tools dist build
