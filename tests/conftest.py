"""What every test can count on: no display, no settings of the user's, no surprise unnoticed."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("PYTHONUNBUFFERED", None)  # programs that tests start buffer as a user's do

import gc
import logging
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from shared.processes import preload

_USUAL = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=10, **_USUAL)
settings.register_profile("usual", max_examples=50, **_USUAL)
settings.register_profile("ci", max_examples=50, derandomize=True, print_blob=True, **_USUAL)
settings.register_profile("thorough", max_examples=1000, **_USUAL)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "usual"))


gc.set_threshold(10_000, 10, 100)  # else a tenth of the time goes into looking for garbage

_WAIT_MS = 60_000
"""Before the time limit of a test, so that it says what it has waited for."""


def _set_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))


@pytest.fixture(autouse=True, scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Path]]:
    """Keep the settings of whoever runs the tests out of them, and the tests out of those."""
    above = tmp_path_factory.mktemp("homes")
    with pytest.MonkeyPatch.context() as patch:
        _set_home(patch, above)
        yield (above / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_settings(_homes: Iterator[Path]) -> Iterator[None]:
    """Keep the settings that one test leaves out of the others."""
    with pytest.MonkeyPatch.context() as patch:
        _set_home(patch, next(_homes))
        yield


def _wait(wait: Callable[..., object], *what: object, timeout: int = 0, **more: object) -> object:
    expected = more.get("raising", True)  # else one waits to see that nothing comes
    return wait(*what, timeout=max(timeout, _WAIT_MS) if expected else timeout, **more)


@pytest.fixture(autouse=True, scope="session")
def _cheap_keys() -> Iterator[None]:
    """Make keys of passphrases in a millisecond; what they cost a user is a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shared.encryption._COST", {"n": 2**8, "r": 8, "p": 1})
        yield


@pytest.fixture(autouse=True, scope="session")
def _helpers() -> None:
    """Let all helpers be copies of one process that is ready, which begins when one is needed."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        multiprocessing.get_context("forkserver").set_forkserver_preload(["tests.preloaded"])


@pytest.fixture(scope="session")
def _begun_helpers(_helpers: None) -> None:
    """Let it begin before a window has it read less."""
    preload("tests.preloaded")


@pytest.fixture
def qtbot(qtbot: Any, _begun_helpers: None) -> Iterator[Any]:
    """Wait for what comes as long as a test may take, whoever else needs the processors.

    What is added stays until the end of the test: a window of which nobody holds more than Qt does
    may be collected while it paints, and the process dies.
    """
    kept: list[object] = []
    add = qtbot.addWidget

    def add_widget(widget: object, **more: object) -> None:
        kept.append(widget)
        add(widget, **more)

    qtbot.addWidget = add_widget
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
        setattr(qtbot, name, partial(_wait, getattr(qtbot, name)))
    yield qtbot
    kept.clear()


class _Surprises(logging.Handler):
    """Keeps what is logged at WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(f"{record.name}: {record.levelname}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def _no_unexpected_log_records(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail on a record of WARNING or above, except in tests that look at the log themselves."""
    handler = _Surprises()
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    if handler.seen and "caplog" not in request.fixturenames:
        pytest.fail("logged without being expected:\n" + "\n".join(handler.seen), pytrace=False)


@pytest.fixture(autouse=True)
def _no_leftover_windows() -> Iterator[None]:
    """Fail where a test leaves a window on the screen; without Qt there is nothing to look at."""
    yield
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return
    left = [each for each in widgets.QApplication.topLevelWidgets() if each.isVisible()]
    names = [f"{type(each).__name__} {each.objectName()}".strip() for each in left]
    for each in left:
        each.close()
    core = sys.modules["PySide6.QtCore"]  # what was closed goes before another thread collects it
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
    if names:
        pytest.fail(f"left on the screen: {', '.join(names)}", pytrace=False)


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Let nothing be collected that something still refers to, be it in a circle."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
