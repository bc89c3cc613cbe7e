# The commands of this project. Each first sees to .venv (devtools/environment.py), which is instant when nothing changed.

PYTHON ?= python3
# For `make demo`: ONCE=1 asks a second question, of live data, and ends, POLICY=name-or-path picks a policy.
ONCE ?=
POLICY ?=
# For the tests: more options for pytest, as in ARGS='-k ledger -x'.
ARGS ?=
# For `make migration`: what it does, in a few words.
NAME ?=

BIN := .venv/bin
NODE_MODULES := node_modules
# What npm writes last: there, and newer than the lock, means that all of it is installed.
NODE_STAMP := $(NODE_MODULES)/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help environment demo test test-slow check bench format contracts screenshots migration lock clean

help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 22

environment: ## .venv, as the lock files say
	@$(PYTHON) -IS devtools/environment.py

$(NODE_STAMP): package-lock.json | environment
	$(BIN)/npm ci --silent
	@touch $@

demo: environment ## the service with all it needs, a first answer, then serving until Ctrl-C (ONCE=1, POLICY=…)
	@exec $(BIN)/python -m devtools.demo $(if $(ONCE),--once) $(if $(POLICY),--policy '$(POLICY)')

test: environment ## everything but the slow suites
	$(BIN)/python -m pytest -n 2 -m "not slow" $(ARGS)

test-slow: environment $(NODE_STAMP) ## the slow suites: a browser, several processes, minutes
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m slow $(ARGS)

check: environment $(NODE_STAMP) ## format, lint, types, layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/node $(NODE_MODULES)/typescript/lib/tsc.js -p .

bench: environment ## the targets of speed and size, measured; writes bench/out/latest.json
	$(BIN)/python -m bench

format: environment ## put the code into its format, and fix what can be fixed
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format --quiet

contracts: environment ## openapi.yaml and contracts/*.schema.json from the code
	$(BIN)/python -m devtools.contracts

screenshots: environment ## docs/pictures, of the running demo in Chromium
	$(BIN)/python -m devtools.screenshots

migration: environment ## a migration to today's tables, to be read and mended: NAME='what it does'
	$(BIN)/python -m devtools.migration '$(NAME)'

lock: environment ## the lock files from pyproject.toml
	$(BIN)/uv lock --quiet
	$(BIN)/uv export --quiet --format requirements-txt --no-emit-project > requirements-dev.lock
	$(BIN)/uv export --quiet --format requirements-txt --no-emit-project --no-dev > requirements.lock
	$(BIN)/uv export --quiet --format requirements-txt --no-emit-project --no-dev --extra embeddings > requirements-embeddings.lock
	$(BIN)/uv export --quiet --format requirements-txt --no-emit-project --only-group build > requirements-build.lock

clean: ## .venv and every cache
	rm -rf .venv node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
