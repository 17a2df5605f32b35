# Every target makes the virtual environment and installs what it needs; the second time it is quick.

PYTHON  ?= python3
VENV    ?= .venv
WORKERS ?= 2
ARGS    ?=

BIN     := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Under CI (the variable CI is set and not empty) output carries no colours; tests/conftest.py makes the random search repeatable.
ifneq ($(strip $(CI)),)
export NO_COLOR := 1
PYTEST_COLOR := --color=no
endif

# Several test processes share the cores, so that each may use one for its matrix products. Each takes its tests in one
# piece, and a part of another's when it is done. So what the tests of a file share (a wheel, say) is rarely made twice.
# Tests start hundreds of processes that import the package. Python keeps its bytecode, also where it is told not to
# (PYTHONDONTWRITEBYTECODE), or each of them would compile it again: half a second.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal $(PYTEST_COLOR)

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow mutants lint stubs docs check bench bench-compile bench-peers bench-kinds bench-against wheel clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## Print this help
	@echo "make TARGET   (PYTHON=$(PYTHON)  VENV=$(VENV)  WORKERS=$(WORKERS)  ARGS=more arguments)"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

demo: $(VENV)/.installed-examples ## Train a small network on handwritten digits
	@$(BIN)/python examples/digits.py $(ARGS)

test: $(VENV)/.installed-dev $(VENV)/.installed-examples ## Run the tests, the slow ones left out
	@$(PYTEST) $(ARGS)

test-slow: $(VENV)/.installed-dev $(VENV)/.installed-examples ## Run the slow tests, and random searches for long
	@HYPOTHESIS_PROFILE=long $(PYTEST) -m "slow or hypothesis or types" $(ARGS)

mutants: $(VENV)/.installed-dev $(VENV)/.installed-examples $(VENV)/.installed-mutants ## Change the code at random, and show what no test notices
	@$(BIN)/python tests/mutants.py $(ARGS)

# mypy takes a package's name from its directory, and the root may be cloned under any. It would also check a stub in
# place of the source beside it. So it gets links to the sources under the name mycel, without stubs.
lint: $(VENV)/.installed-dev ## Check style, formatting and types, also those that a user's program gets
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check .
	@$(BIN)/python tools/stubs.py --link $(VENV)/sources
	@MYPYPATH=$(VENV)/sources $(BIN)/mypy -p mycel
	@$(BIN)/python -m pytest -q -m types -k "not pyright" $(PYTEST_COLOR) tests/system/test_types.py

stubs: $(VENV)/.installed-dev ## Write the type stubs and docs/support.md again, after a change of public names or signatures
	@$(BIN)/python tools/index.py
	@$(BIN)/python tools/stubs.py
	@$(BIN)/python tools/support.py

docs: $(VENV)/.installed-docs ## Build the site of the documentation into build/site
	@$(BIN)/python tools/site.py $(ARGS)

check: lint test ## Do what a change must pass: lint, then test

bench: $(VENV)/.installed-bench ## Measure graph mode against eager mode
	@$(BIN)/python benchmarks/run.py $(ARGS)

bench-compile: $(VENV)/.installed-bench ## Measure how compile time grows with the size of programs
	@$(BIN)/python benchmarks/compile_time.py $(ARGS)

bench-peers: $(VENV)/.installed-bench ## Measure against the MindSpore, JAX and PyTorch that MYCEL_PEERS and MYCEL_MINDSPORE have
	@$(BIN)/python benchmarks/peers.py $(ARGS)

bench-kinds: $(VENV)/.installed-bench ## Measure against them on small programs of many kinds; ARGS="--kind loops" for one kind
	@$(BIN)/python benchmarks/peers.py $(if $(findstring --kind,$(ARGS)),,--kind all) --out bench/kinds $(ARGS)

bench-against: $(VENV)/.installed-bench ## Measure against a commit of mycel, run by run in turn: make bench-against BASE=COMMIT
	@$(BIN)/python benchmarks/against.py $(BASE) $(ARGS)

bench-distributed: $(VENV)/.installed-bench ## Measure data parallel steps in 1, 2 and 4 processes, beside PyTorch DDP if MYCEL_PEERS has it
	@$(BIN)/python benchmarks/distributed.py $(ARGS)

wheel: $(VENV)/.installed-wheel ## Build the wheel into dist/
	@$(BIN)/python -m pip wheel -qq --no-deps --no-build-isolation --wheel-dir dist .
	@ls -l dist/*.whl

clean: ## Remove the virtual environment, caches and built files
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp comes last, so that an interrupted creation is done again.
$(VENV)/.created:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 10) and "mycel needs Python 3.10 or later, $(PYTHON) is %d.%d; name another: make PYTHON=..." % v[:2])'
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# One stamp per extra, redone when the project's dependencies may have changed.
$(VENV)/.installed-%: $(VENV)/.created pyproject.toml setup.py
	@$(BIN)/python -m pip install -qq --editable '.[$*]'
	@touch $@

.PRECIOUS: $(VENV)/.created $(VENV)/.installed-%
