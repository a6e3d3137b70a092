# Everything a person needs; each target makes the environment it wants.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
GAMES  ?=
OUT    ?= reports/out
RUN_PIP = PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -q --no-compile

.PHONY: help env dev report test slow verify lint format bench docs notebooks clean

help:
	@echo "make report     play the games and write $(OUT)/index.html (GAMES=n changes the size)"
	@echo "make test       the test suite"
	@echo "make lint       style, types, generated docs"
	@echo "make verify     every check at full size (long)"
	@echo "make bench      speed against C programs and budgets (needs a C compiler)"
	@echo "make notebooks  run the notebooks, write HTML beside the reports, with links from their index"
	@echo "make docs       write the generated pages of docs/ and the README's picture again"

env: $(VENV)/env.stamp
dev: $(VENV)/dev.stamp

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# "compat" is a plain path, which also wins where a folder beside is called simlib
$(VENV)/env.stamp: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(RUN_PIP) --require-hashes -r requirements.lock
	$(RUN_PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/env.stamp
	$(RUN_PIP) --require-hashes -r requirements-dev.lock
	@touch $@

report: env
	$(BIN)/simlib report all --out $(OUT) $(if $(GAMES),--games $(GAMES))

test: dev
	$(BIN)/python -m pytest -n 2 -m "not slow"

slow: dev
	$(BIN)/python -m pytest -n 2 -m slow --slow-share 0.02

verify: dev
	$(BIN)/python -m pytest -n 2 --slow-share 1

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python docs/generate.py --check

docs: dev
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/picture.py

format: dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

notebooks: dev
	$(BIN)/jupyter nbconvert --execute --to html --template page \
	  --TemplateExporter.extra_template_basedirs=notebooks \
	  --output-dir $(OUT)/notebooks notebooks/*.ipynb
	$(BIN)/python -c "from pathlib import Path; from reports.builder import build; build([], Path('$(OUT)'))"
	@echo "$(OUT)/notebooks/"

bench: dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(OUT) build dist *.egg-info
