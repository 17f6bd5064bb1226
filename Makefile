# What newcomers and CI run. Everything is made in .venv and target.
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow tools core-tests check coverage mutants format bench dist docs figures wasm fuzz sanitize aarch64 clean

# Tests start many processes, each of which would compile what it imports.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := $(shell find crates src -type f ! -name '*.pyc' ! -name '*.so' 2>/dev/null) Cargo.toml Cargo.lock pyproject.toml
PYTEST := scripts/with-rust $(BIN)/python -m pytest --quiet --numprocesses auto --dist worksteal
CORE_TESTS := scripts/with-rust cargo test --quiet --locked --profile core-tests --lib \
	--package truebleu-core --target-dir target/core-tests
CODE := src tests benchmarks docs scripts

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: $(INSTALLED)  ## make .venv, build the release wheel and install it

$(INSTALLED): $(SOURCES) | $(VENV)/.made
	@mkdir -p target/wheels
	@echo "building the wheel (about a minute the first time)" >&2
	@scripts/with-rust $(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out target/wheels >target/build.log 2>&1 || { cat target/build.log >&2; exit 2; }
	$(BIN)/pip install --quiet --force-reinstall --no-deps "$$(ls -t target/wheels/truebleu-*.whl | head -1)"
	@touch $@

# uv installs faster than pip, which does the same where there is no uv. An older pip writes a command
# that imports `re`, which takes 10 ms of each run.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "truebleu needs Python 3.11 or later; set PYTHON=/path/to/python3" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --only-binary :all: 'uv>=0.9,<1' 'pip>=25.1,<27' 2>/dev/null || true
	scripts/install build
	@scripts/with-rust true  # installs Rust where it is missing, before two jobs need it
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.made
	nice scripts/install test 'more-peers?' 'browser?'
	@touch $@

$(VENV)/.slow: pyproject.toml | $(VENV)/.test
	scripts/install 'ray?' 'spark?' 'docs?'
	@scripts/install-program java openjdk-17-jre-headless || true
	@touch $@

$(VENV)/.sources: scripts/fetch-tests | $(VENV)/.made
	@nice scripts/fetch-tests
	@touch $@

# The headless shell opens a page in a quarter of the time.
$(VENV)/.chromium:
	@scripts/install-program chromium-headless-shell chromium-headless-shell fonts-liberation 2>/dev/null || scripts/install-program chromium chromium fonts-liberation || true
	@touch $@

# Each in a file of its own, so that one installation never hides another.
$(VENV)/.check $(VENV)/.docs $(VENV)/.mutants $(VENV)/.release: $(VENV)/.%: pyproject.toml | $(VENV)/.made
	scripts/install $*
	@touch $@

demo: setup  ## score an example, compare the example systems, and score both test sets
	@$(BIN)/truebleu score examples/de-en/ref.A.txt -i examples/de-en/hyp.aurora.txt
	@echo
	@$(BIN)/truebleu compare examples/de-en/ref.A.txt -i examples/de-en/hyp.*.txt
	@echo
	@$(BIN)/truebleu campaign examples

# The wheel needs one core for most of its time: what tests need is fetched and compiled beside it,
# and takes what the wheel leaves.
tools: | $(VENV)/.made
	@$(MAKE) --no-print-directory --jobs=5 setup core-tests $(VENV)/.test $(VENV)/.sources $(VENV)/.chromium

core-tests: | $(VENV)/.made
	@nice $(CORE_TESTS) --no-run

test: tools  ## run the tests of Rust and Python
	$(CORE_TESTS)
	$(PYTEST) -m "not slow"

test-slow: tools $(VENV)/.slow  ## run the slow tests too: Ray, Spark, the site, all products of options, more random examples
	$(CORE_TESTS)
	HYPOTHESIS_PROFILE=slow $(PYTEST)

check: setup $(VENV)/.test $(VENV)/.check  ## check format, lint and types
	scripts/with-rust cargo fmt --all --check
	scripts/with-rust cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
	scripts/with-rust cargo clippy --quiet --locked --manifest-path fuzz/Cargo.toml --target-dir target -- -D warnings
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest truebleu._core

coverage: tools $(VENV)/.check  ## measure which lines of Python the tests run
	$(PYTEST) -m "not slow" --cov --cov-report=term

target/tools/bin/cargo-mutants:
	scripts/with-rust cargo install --quiet --locked --root target/tools cargo-mutants@27.1.0

mutants: setup $(VENV)/.test $(VENV)/.mutants target/tools/bin/cargo-mutants  ## change counting and combining, and list the changes that no test notices (hours)
	@scripts/with-rust scripts/mutants

format: $(VENV)/.check  ## format all code
	scripts/with-rust cargo fmt --all
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix-only --quiet $(CODE)

bench: setup $(VENV)/.test $(VENV)/.chromium  ## measure TrueBLEU and its peers
	$(BIN)/python benchmarks/run.py

dist: setup $(VENV)/.release  ## build and check the archives of a release: wheel and sdist
	@rm -rf dist
	@scripts/with-rust $(BIN)/maturin sdist --out dist >target/build.log 2>&1 || { cat target/build.log >&2; exit 2; }
	@cp "$$(ls -t target/wheels/truebleu-*.whl | head -1)" dist
	@$(BIN)/twine check --strict dist/*
	@ls -l dist | awk 'NR > 1 { printf "%7d kB  %s\n", $$5 / 1000, $$NF }'

docs: setup $(VENV)/.docs  ## build the site, target/docs/index.html
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs target/docs
	@echo target/docs/index.html

figures: setup $(VENV)/.test  ## draw the pictures of the docs
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/photograph.py

wasm:  ## build the kernel for web pages, which is kept under version control
	@scripts/with-rust scripts/wasm

SECONDS_EACH ?= 600
fuzz:  ## fuzz the kernel, ten minutes each target (SECONDS_EACH=60: one minute)
	@scripts/fuzz $(SECONDS_EACH)

sanitize: setup $(VENV)/.test  ## run the tests of the kernel under sanitizers
	@scripts/sanitize

aarch64:  ## run the tests of the kernel for 64-bit ARM under qemu, on Debian as root
	@scripts/with-rust scripts/test-aarch64

clean:  ## remove everything that make has made
	rm -rf $(VENV) target dist
