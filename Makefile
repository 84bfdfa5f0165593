# `make demo` shows what g2o does, `make test` tests it. Everything happens in .venv, which is made
# on first use; nothing has to be installed before but Python 3.11, make and a C++ compiler.

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: help demo test test-slow test-torch check lint types layers format golden docs bench clean

help:
	@echo "make demo       translate a CUDA program with its gradient, build, run and check it"
	@echo "make test       the tests that take minutes at most"
	@echo "make test-slow  the others"
	@echo "make test-torch those of the operators of PyTorch, which it installs"
	@echo "make check      style, types and layers"
	@echo "make format     bring the code into style"
	@echo "make golden     rewrite the golden files (look at the diff before you commit it)"
	@echo "make docs       rewrite docs/diagnostics.md"
	@echo "make bench      measure"
	@echo "make clean      remove .venv and caches"

.venv/stamp: pyproject.toml .ci/setup
	@.ci/setup

demo: .venv/stamp
	@$(BIN)/python bench/demo.py

# Compiled once, for all the processes that tests start, even where Python may not write that itself.
# Tests of one file go to one process as long as there are enough: they share what they build.
test: .venv/stamp
	@$(BIN)/python -m compileall -q g2o tests
	$(PYTEST) -n 2 --dist worksteal -m "not slow"

test-slow: .venv/stamp
	$(PYTEST) -n 2 -m slow

# PyTorch is large, and nothing else needs it.
test-torch: .venv/stamp
	$(BIN)/python -m pip install --quiet --editable ".[dev,torch]"
	$(PYTEST) -rs -n 2 tests/interop

check: lint types layers

lint: .venv/stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/stamp
	$(BIN)/pyright --pythonpath $(BIN)/python

layers: .venv/stamp
	$(BIN)/lint-imports

format: .venv/stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: .venv/stamp
	$(PYTEST) -n 2 -m "not slow" --update-golden

docs: .venv/stamp
	$(BIN)/python -m g2o.diagnostics.codes > docs/diagnostics.md

bench: .venv/stamp
	$(BIN)/python bench/run.py

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
