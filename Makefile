# Each word sets up what it needs: a virtual environment in .venv, from this
# project's own files, with the versions of constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test test-slow check bench clean

run: .venv/run
	@$(BIN)/quintet demo

test: .venv/test check
	$(BIN)/python -m pytest

test-slow: .venv/test
	$(BIN)/python -m pytest -m slow -n 2

check: .venv/test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: .venv/bench
	$(BIN)/python -m bench

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache

.venv/run: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	@echo "Installing Quintet into .venv (once; about a minute) ..."
	$(PIP) install --constraint constraints.txt --editable ".[web]"
	@touch $@

.venv/test: .venv/run
	@echo "Installing what the tests need ..."
	$(PIP) install --constraint constraints.txt --editable ".[test]"
	@sh tests/system_packages.sh
	@touch $@

.venv/bench: .venv/run
	@echo "Installing the peers that the benchmarks run against ..."
	$(PIP) install --constraint constraints.txt --editable ".[bench]"
	@touch $@
