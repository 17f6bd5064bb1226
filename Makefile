# What a newcomer and CI call. Everything is made in .venv and target; nothing outside of them.
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow check format bench docs figures fuzz sanitize audit clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := $(shell find crates src truebleu.data -type f ! -name '*.pyc' ! -name '*.so' 2>/dev/null) Cargo.toml Cargo.lock pyproject.toml

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(INSTALLED)  ## make .venv, build the release wheel and install it

$(INSTALLED): $(SOURCES) | $(VENV)/.made
	@scripts/require-rust
	@mkdir -p target/wheels
	@echo "building the wheel (about a minute the first time)" >&2
	@$(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out target/wheels >target/build.log 2>&1 || { cat target/build.log >&2; exit 2; }
	$(BIN)/pip install --quiet --force-reinstall --no-deps "$$(ls -t target/wheels/truebleu-*.whl | head -1)"
	@touch $@

$(VENV)/.made:
	@scripts/require-rust
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "truebleu needs Python 3.11 or later; set PYTHON=/path/to/python3" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1,<27' 'maturin>=1.9,<2' 'numpy>=1.26,<3'
	@touch $@

# The wheel of NLTK lacks its unit tests, so the tests of its drop-in read the sources.
$(VENV)/.test: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --group test
	-$(BIN)/pip download --quiet --no-deps --no-binary nltk --dest $(VENV)/sources nltk==$$($(BIN)/python -c 'import nltk; print(nltk.__version__)')
	-$(BIN)/pip install --quiet --group more-peers 2>/dev/null || echo "some peers cannot be had here; their tests are skipped" >&2
	-$(BIN)/pip install --quiet --group browser 2>/dev/null || echo "playwright cannot be had here; the tests of the report page are skipped" >&2
	-$(BIN)/pip install --quiet --group engines 2>/dev/null || echo "Ray or Spark cannot be had here; their tests are skipped" >&2
	-$(BIN)/pip install --quiet --group docs 2>/dev/null || echo "Sphinx cannot be had here; the tests of the site are skipped" >&2
	-@scripts/install-java
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --group docs
	@touch $@

$(VENV)/.browser: scripts/install-browser | $(VENV)/.test
	@scripts/install-browser
	@touch $@

# Left out without a network; the tests that need it are skipped then.
$(VENV)/sacrebleu-2.6.0: | $(VENV)/.test
	@scripts/fetch-sacrebleu-tests $(BIN)/pip $(VENV)

$(VENV)/.check: pyproject.toml | $(VENV)/.test
	$(BIN)/pip install --quiet --group check
	@touch $@

demo: setup  ## score the example systems
	@$(BIN)/truebleu score examples/de-en/ref.A.txt examples/de-en/ref.B.txt -i examples/de-en/hyp.*.txt
	@echo
	@$(BIN)/truebleu score examples/en-zh/ref.A.txt examples/en-zh/ref.B.txt -tok zh -i examples/en-zh/hyp.*.txt

test: setup $(VENV)/.test $(VENV)/.browser $(VENV)/sacrebleu-2.6.0  ## run every test, Rust and Python
	cargo test --quiet --locked --release --package truebleu-core
	$(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal -m "not slow"

test-slow: setup $(VENV)/.test $(VENV)/.browser $(VENV)/sacrebleu-2.6.0  ## run the long property tests too
	cargo test --quiet --locked --release --package truebleu-core
	HYPOTHESIS_PROFILE=slow $(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal

check: setup $(VENV)/.check  ## lint, format and types
	cargo fmt --all --check
	cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest truebleu._core

format: $(VENV)/.check  ## format all code
	cargo fmt --all
	$(BIN)/ruff format src tests benchmarks docs
	$(BIN)/ruff check --fix-only --quiet src tests benchmarks docs

bench: setup $(VENV)/.test $(VENV)/.browser  ## measure against the peers
	$(BIN)/python benchmarks/run.py

docs: setup $(VENV)/.docs  ## build the site, target/docs/index.html
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs target/docs
	@echo target/docs/index.html

figures: setup $(VENV)/.test  ## draw the pictures of the tutorial
	$(BIN)/python docs/draw.py

SECONDS_EACH ?= 600
fuzz: setup $(VENV)/.test  ## fuzz each target for ten minutes (SECONDS_EACH=60: for one)
	-$(BIN)/pip install --quiet --group fuzz
	@scripts/fuzz $(SECONDS_EACH)

sanitize: setup $(VENV)/.test  ## the kernel and its boundary under sanitizers
	@scripts/sanitize

audit:  ## licenses and sources of all crates (ADVISORIES=FOLDER: known vulnerabilities too)
	@scripts/audit $(ADVISORIES)

clean:  ## remove all that make has made
	rm -rf $(VENV) target
