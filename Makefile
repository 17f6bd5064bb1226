# What a newcomer and CI call. Everything is made in .venv and target; nothing outside of them.
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow check coverage mutants format bench dist docs figures fuzz sanitize audit clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := $(shell find crates src -type f ! -name '*.pyc' ! -name '*.so' 2>/dev/null) Cargo.toml Cargo.lock pyproject.toml

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

check: setup $(VENV)/.check  ## lint, format, types, and what the tests cover
	cargo fmt --all --check
	cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check src tests benchmarks docs scripts
	$(BIN)/ruff check src tests benchmarks docs scripts
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest truebleu._core
	@$(MAKE) --no-print-directory coverage

coverage: target/coverage/report.txt  ## which lines the tests run, measured anew if they changed
	@cat $<

target/coverage/report.txt: $(INSTALLED) $(VENV)/.check target/tools/bin/cov scripts/coverage $(wildcard tests/*.py)
	@echo "measuring what the tests cover" >&2
	@scripts/coverage

# Reads what LLVM wrote, of the version of LLVM that rustc has: its own tools come with rustup alone.
target/tools/bin/cov:
	@scripts/require-rust
	cargo install --quiet --locked --root target/tools llvm_profparser@0.15.0

target/tools/bin/cargo-mutants:
	@scripts/require-rust
	cargo install --quiet --locked --root target/tools cargo-mutants@27.1.0

mutants: setup $(VENV)/.check target/tools/bin/cargo-mutants  ## which changes to counting and combining no test notices (hours)
	$(BIN)/pip install --quiet --group mutants
	@scripts/mutants

format: $(VENV)/.check  ## format all code
	cargo fmt --all
	$(BIN)/ruff format src tests benchmarks docs scripts
	$(BIN)/ruff check --fix-only --quiet src tests benchmarks docs scripts

bench: setup $(VENV)/.test $(VENV)/.browser  ## measure against the peers
	$(BIN)/python benchmarks/run.py

$(VENV)/.release: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --group release
	@touch $@

dist: setup $(VENV)/.release  ## build and check the archives of a release: wheel and sdist
	@rm -rf dist
	@$(BIN)/maturin sdist --out dist >target/build.log 2>&1 || { cat target/build.log >&2; exit 2; }
	@cp "$$(ls -t target/wheels/truebleu-*.whl | head -1)" dist
	@$(BIN)/twine check --strict dist/*
	@ls -l dist | awk 'NR > 1 { printf "%7d kB  %s\n", $$5 / 1000, $$NF }'

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
	rm -rf $(VENV) target dist
