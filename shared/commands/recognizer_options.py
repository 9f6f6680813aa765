"""What the commands about recognizers share: their options, progress, rows of scores."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.errors import RequestError
from shared.language.known_languages import known_languages

if TYPE_CHECKING:
    from shared.recognition.registry import RecognizerSpec

SCORES = ("type", "precision", "recall", "F1", "count")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="lowest confidence, 0 to 1 (the model's own)"
    )
    parser.add_argument("--recall", action="store_true", help="cover whatever may be PHI")
    parser.add_argument(
        "--locale", choices=known_languages(), help="of the records (default: what they tell)"
    )
    parser.add_argument("--patient", metavar="PATTERN", help="captures the patient in record names")
    add_cores(parser)


def add_cores(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cores", type=one_or_more, metavar="N", help="processes (default: all cores)"
    )


def one_or_more(said: str) -> int:
    """A number from 1 on, as an option has it."""
    if not said.isdecimal() or int(said) < 1:
        raise argparse.ArgumentTypeError("needs a number of 1 or more")
    return int(said)


def share_between(said: str) -> float:
    """A number from 0 to 1, as an option has it."""
    try:
        share = float(said)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("needs a number from 0 to 1")
    return share


def recognizer_spec(arguments: argparse.Namespace) -> "RecognizerSpec":
    from shared.recognition.registry import RecognizerSpec

    without = tuple(getattr(arguments, "without", ()))
    spec = RecognizerSpec(tuple(arguments.model), recall=arguments.recall, without=without)
    return replace(spec, locales=(arguments.locale,)) if arguments.locale else spec


def threshold_of(arguments: argparse.Namespace, spec: "RecognizerSpec") -> float:
    """Return the least confidence of what is written. Raises RequestError."""
    if arguments.threshold is None:
        return 0.0 if arguments.recall else spec.threshold
    if not 0 <= arguments.threshold <= 1:
        raise RequestError("--threshold needs a number from 0 to 1")
    return float(arguments.threshold)


def score_rows(scores: dict[str, dict[str, float]]) -> Iterable[tuple[str, str, str, str, str]]:
    """Yield the rows of a table of strict scores, all together last."""
    for name in sorted(scores, key=lambda name: (name == "all", name)):
        row = scores[name]
        precision, recall, f1 = (f"{row[key]:.4f}" for key in ("precision", "recall", "f1"))
        yield name, precision, recall, f1, str(int(row["count"]))


@contextlib.contextmanager
def progress_bar(what: str) -> Generator[Callable[[float, str], None] | None]:
    """Give a function that shows how much is done, on a terminal; None where there is none."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(total=100, desc=what, delay=0.5, leave=False, file=sys.stderr) as bar:

        def show(done: float, name: str) -> None:
            bar.set_postfix_str(name, refresh=False)
            bar.update(100 * done - bar.n)

        yield show
