# Everything happens in a virtual environment of its own, so that a system Python that refuses pip is no obstacle.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint docs kernels sanitize clean

demo: $(VENV)/.installed kernels
	@$(BIN)/python -m ooa demo

test: $(VENV)/.installed-test kernels
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal

lint: $(VENV)/.installed-test
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

docs: $(VENV)/.installed-docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet && echo "open site/index.html"

# The installation compiles the core; this does it again where its sources have changed since, or says what is missing.
kernels: $(VENV)/.installed
	@$(BIN)/python -m ooa.kernels.core_build

# The tests of the kernels with a core that watches memory, arithmetic and threads.
sanitize: $(VENV)/.installed-test
	@$(BIN)/python tests/support/sanitize.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "ooa needs Python 3.10 or newer; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "this Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	@echo "installing ooa and its default solver into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

# What only some tests need, and not every machine gives: pyfim is built from source; pypmml and pyspark need Java to
# run, and the latter is large; the others are engines on which tables live.
MORE = pyfim ortools pypmml pyspark 'ibis-framework[duckdb,sqlite]' 'dask[dataframe,distributed]' 'daft narwhals-daft'

$(VENV)/.installed-test: $(VENV)/bin/python pyproject.toml
	@echo "installing ooa, four solvers, the test tools and what builds the documentation into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev,docs]'
	@for one in $(MORE); do $(BIN)/python -m pip install -q --disable-pip-version-check $$one 2>/dev/null || echo "$$one could not be installed: its tests are skipped"; done
	@touch $@ $(VENV)/.installed $(VENV)/.installed-docs

$(VENV)/.installed-docs: $(VENV)/bin/python pyproject.toml
	@echo "installing ooa and what builds its documentation into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[docs]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) ooa/kernels/_core_* site build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox
