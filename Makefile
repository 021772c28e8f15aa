# Everything here also stands in README.md as plain commands.
LOCK := patches/make-weakref/requirements.txt
PYTHON ?= python3

.PHONY: demo test lint bench mutate

.venv/installed: pyproject.toml $(LOCK)
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --editable '.[proof,github,dev]' --constraint $(LOCK)
	touch $@

demo: .venv/installed
	.venv/bin/upstream-bot demo

test: .venv/installed
	.venv/bin/python -m pytest

lint: .venv/installed
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/zizmor --offline .github
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

bench: .venv/installed
	.venv/bin/python -m tests.bench

mutate: .venv/installed
	.venv/bin/python -m tests.mutate
