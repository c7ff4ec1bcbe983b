# MemoFS. `make demo` shows the main job, `make test` runs every check; both set up what they need.

PYTHON ?= $(shell .ci/find-python)
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TOOLS  := tests/tools/node_modules/.ready
VSCODE := tests/editors/vscode

.PHONY: help demo test check lint types layers unit bench quality anchors vscode vscode-bench vscode-pictures format clean

help:
	@echo "make demo    set up, and show what MemoFS does on a sample workspace"
	@echo "make test    set up, and run every check (what CI runs)"
	@echo "make check   the fast part: lint, types, layers, unit and golden tests"
	@echo "make bench   print the benchmarks (nothing is asserted)"
	@echo "make quality print how well recall finds, by words and meaning (the first time half an hour of embedding)"
	@echo "make anchors print how well anchors find code again (downloads packages the first time; some ten minutes)"
	@echo "make vscode  set up the real VS Code, build its extension and test it without an editor"
	@echo "make vscode-bench  print what the extension costs, in the real VS Code"
	@echo "make vscode-pictures  take the extension's pictures from what its tests saw"
	@echo "make format  put the code into its one format"
	@echo "make clean   remove what the above made"

$(READY): pyproject.toml constraints.txt
	@.ci/system-packages
	@.ci/editor-packages
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(TOOLS): tests/tools/package.json tests/tools/package-lock.json | $(READY)
	@tests/tools/install

demo: $(READY)
	@tests/demo.sh

test: $(READY) $(TOOLS) lint types layers vscode
	@$(BIN)/pytest -n auto --dist loadfile tests

vscode: $(READY)
	@$(VSCODE)/setup
	@$(VSCODE)/build
	@cd clients/vscode && ../../.ci/npm run --silent typecheck && ../../.ci/npm run --silent lint && ../../.ci/npm test --silent

vscode-bench: vscode
	@$(BIN)/python tests/bench/vscode.py

vscode-pictures:
	@$(VSCODE)/pictures

check: $(READY) lint types layers
	@$(BIN)/pytest -n auto tests/unit tests/golden tests/contract

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/basedpyright

layers: $(READY)
	@$(BIN)/lint-imports

format: $(READY)
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

bench: $(READY)
	@for bench in recall engine store embed quality_words briefing graph anchor_store shape daemon neovim mcp; do echo "== $$bench"; $(BIN)/python tests/bench/$$bench.py || exit 1; done

quality: $(READY)
	@$(BIN)/python tests/bench/quality.py

anchors: $(READY)
	@$(BIN)/python tests/bench/anchors.py

clean:
	rm -rf $(VENV) tests/tools/node_modules $(VSCODE)/node_modules clients/vscode/node_modules clients/vscode/dist build dist .hypothesis .ruff_cache .pytest_cache .import_linter_cache
