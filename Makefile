# make demo    fabricates patients, runs the whole pipeline on them and opens the windows
# make test    runs the tests
# make check   format, lint, types, import floors, coverage of the core, tests
# make mutants changes the code of the modules on which most rests, and says which changes no test notices
# make fuzz    feeds every reader with spoilt files: MINUTES=10, SEED=7
# make bench   prints how fast things are
# make manual  builds the manual as pages that need no network, in manual/html
# make pictures draws the pictures of the manual and the README anew
# make wheel   builds the wheel, with the manual, and installs it in an environment of its own, .build/installed
# make model   trains the recognizer that a wheel or bundle takes along on fabricated patients; the same bytes each time
# make bundle builds Tandem with all that it needs as a folder, in dist/tandem, tries it, and packs it
# make lock    takes the newest versions of all packages into constraints.txt
# make clean   removes everything that can be made again
#
# Every target sets up what it needs: a virtual environment in .venv and the system libraries of Qt.
# Another Python: make PYTHON=/path/to/python3

BIN := .venv/bin
TESTS ?= tests
WORKERS ?= auto
MINUTES ?= 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
export PYTHON
unexport PYTHONDONTWRITEBYTECODE # tests begin hundreds of processes, and each would compile all of it

.PHONY: demo test test-without-qt check format lint types floors coverage mutants fuzz bench manual wheel model bundle pictures lock clean

demo: .venv/ready-to-run
	$(BIN)/tandem demo tandem-demo

test: .venv/ready-to-develop
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(TESTS)

test-without-qt: .venv/ready-to-develop
	$(BIN)/python -m pytest -q -c /dev/null --rootdir . --confcutdir . -p no:pytest-qt -p tests.without_qt \
	    --import-mode importlib -o pythonpath=. -o filterwarnings=error -o markers=slow -n $(WORKERS) -m "not slow" $(TESTS)

check: format lint types floors coverage test

format: .venv/ready-to-develop
	$(BIN)/ruff format --check .

lint: .venv/ready-to-develop
	$(BIN)/ruff check .

types: .venv/ready-to-develop
	$(BIN)/pyright

floors: .venv/ready-to-develop
	$(BIN)/lint-imports --no-cache

coverage: .venv/ready-to-develop
	$(BIN)/coverage run -m pytest -q tests/shared/model tests/shared/text
	$(BIN)/coverage report --include "shared/model/*.py,shared/text/*.py" --fail-under 100

mutants: .venv/ready-to-develop
	QT_QPA_PLATFORM=offscreen $(BIN)/mutmut run
	$(BIN)/mutmut results

fuzz: .venv/ready-to-develop
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

bench: .venv/ready-to-develop
	@set -e; for each in tests/benchmarks/bench_*.py; do echo "== $$each"; $(BIN)/python $$each; done

manual: .venv/ready-to-develop
	$(BIN)/python manual/making/build.py

wheel: manual
	.ci/install-wheel

model: .venv/ready-to-develop
	$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[neural]'
	$(BIN)/python -m annotator.make_shipped_model

bundle: .venv/ready-to-run
	bundle/build

pictures: .venv/ready-to-develop
	$(BIN)/python manual/making/pictures.py
	$(BIN)/python -m tests.benchmarks.before_and_after manual/pictures/before-and-after.png

lock:
	.ci/lock

clean:
	rm -rf .venv .build build dist mutants *.egg-info tandem-demo manual/html annotator/shipped_models .coverage* .*_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/ready-to-run: pyproject.toml constraints.txt .ci/set-up .ci/qt-libraries
	.ci/set-up run
	@touch $@

.venv/ready-to-develop: pyproject.toml constraints.txt .ci/set-up .ci/qt-libraries
	.ci/set-up develop
	@touch $@ .venv/ready-to-run
