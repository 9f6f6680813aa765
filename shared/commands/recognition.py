"""What the commands about recognizers share: reading examples, progress, rows of scores."""

import contextlib
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import print_problems
from shared.errors import RequestError

if TYPE_CHECKING:
    from shared.recognition.example import Example

SCORES = ("type", "precision", "recall", "F1", "count")


def examples_of(folders: Sequence[Path], patient: str | None = None) -> "list[Example]":
    """Return the XML records below the folders with their tags.

    Raises RequestError where a record cannot be read, after saying which on standard error, or is
    there twice.
    """
    from shared.formats.record_folder import read_folder
    from shared.recognition.example import Example

    examples: dict[str, Example] = {}
    for folder in folders:
        found = read_folder(folder, patient, endings=(".xml",))
        print_problems(found.problems)
        if found.problems:
            raise RequestError(
                f"{len(found.problems)} records of {folder} could not be read; mend or remove them"
            )
        for record in found.records:
            record_id = record.document.record_id
            if record_id in examples:
                raise RequestError(f"the record {record_id} is there twice; give each but once")
            examples[record_id] = Example(record.document, record.tags)
    return list(examples.values())


def score_rows(scores: dict[str, dict[str, float]]) -> Iterable[tuple[str, str, str, str, str]]:
    """Yield the rows of a table of strict scores, all together last."""
    for name in sorted(scores, key=lambda name: (name == "all", name)):
        row = scores[name]
        precision, recall, f1 = (f"{row[key]:.4f}" for key in ("precision", "recall", "f1"))
        yield name, precision, recall, f1, str(int(row["count"]))


@contextlib.contextmanager
def telling(what: str) -> Generator[Callable[[float, str], None] | None]:
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
