"""Training rounds: patients with a gold standard, feedback after each, before real work begins.

What came of a patient is a line in the annotator's journal of it, before anything of the gold
standard is shown; the first counts, whatever is edited later:

{"op": "trained", "at": …, "right": 41, "own": 44, "gold": 45, "missed": 3, "extra": 2, …}
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError, RequestError
from shared.project.journal import read_journal

TRAINED = "trained"


@dataclass(frozen=True, slots=True)
class TrainingRound:
    """Patients with a gold standard on whom an annotator trains before real work.

    Passed where the F1 of all of them is `pass_mark`, from 0 to 1, or more; or `ended` by the lead.
    """

    patients: tuple[str, ...]
    pass_mark: float
    ended: bool = False


def training_to_table(rounds: Mapping[str, Sequence[TrainingRound]]) -> dict[str, Any]:
    """Return the table `training`, with a line for each round of each annotator."""
    return {
        name: [
            {
                "patients": list(each.patients),
                "pass_mark": each.pass_mark,
                **({"ended": True} if each.ended else {}),
            }
            for each in theirs
        ]
        for name, theirs in rounds.items()
    }


def training_from_table(
    table: Mapping[str, Any], annotators: tuple[str, ...]
) -> dict[str, tuple[TrainingRound, ...]]:
    """Read the table `training`. Raises RequestError."""
    try:
        found = {name: tuple(map(_training_round, table[name])) for name in table}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise RequestError("training is not what it should be; restore it") from None
    for name in found:
        if name not in annotators:
            raise RequestError(f"training: {name} must be an annotator")
    return found


def _training_round(table: Any) -> TrainingRound:  # noqa: ANN401
    patients, mark, ended = table["patients"], table["pass_mark"], table.get("ended", False)
    if not isinstance(patients, list) or not isinstance(ended, bool) or not 0 <= mark <= 1:
        raise ValueError
    return TrainingRound(tuple(map(str, cast("list[object]", patients))), float(mark), ended)


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """A patient's tags held against the gold standard: how many there are, and how many are right.

    Right is the same span with the same type. The others by what is wrong with them, in places:
    `missed` and `extra` by one side only, wrong `type`, wrong `extent`, both, `split` differently.
    """

    right: int
    own: int
    gold: int
    missed: int = 0
    extra: int = 0
    type: int = 0
    extent: int = 0
    type_and_extent: int = 0
    split: int = 0

    def to_entry(self) -> dict[str, Any]:
        """The line of the journal, without its time."""
        return {"op": TRAINED, **asdict(self)}

    @classmethod
    def from_journal(
        cls, entries: Iterable[Mapping[str, Any]], path: Path
    ) -> "TrainingResult | None":
        """What the journal of a patient at `path` tells, None where none was finished.

        Raises FileFormatError.
        """
        for entry in entries:
            if entry.get("op") == TRAINED:
                found = {each: entry.get(each) for each in cls.__dataclass_fields__}
                if not all(type(each) is int and each >= 0 for each in found.values()):
                    raise FileFormatError(path, "holds an entry that Tandem cannot read")
                return cls(**cast("dict[str, int]", found))
        return None


def f1_of(results: Iterable[TrainingResult]) -> float:
    """F1 of all tags of some patients together; 1 where neither side has any."""
    some = list(results)
    both = sum(each.own + each.gold for each in some)
    return 2 * sum(each.right for each in some) / both if both else 1.0


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far an annotator is with a round."""

    round: TrainingRound
    results: Mapping[str, TrainingResult]
    """By patient, of those that are finished."""

    @classmethod
    def read(cls, one: TrainingRound, journal_path: Callable[[str], Path]) -> "TrainingProgress":
        """Read from the journals of the patients, by their paths. Raises FileError."""
        found = {
            each: TrainingResult.from_journal(read_journal(path), path)
            for each in one.patients
            for path in [journal_path(each)]
        }
        return cls(one, {name: each for name, each in found.items() if each is not None})

    @property
    def is_finished(self) -> bool:
        return len(self.results) == len(self.round.patients)

    @property
    def f1(self) -> float | None:
        """Of the patients that are finished, None before the first."""
        return f1_of(self.results.values()) if self.results else None

    @property
    def is_passed(self) -> bool:
        return self.is_finished and f1_of(self.results.values()) >= self.round.pass_mark

    @property
    def lets_work(self) -> bool:
        """Whether real work may begin."""
        return self.round.ended or self.is_passed


def unfinished_round(
    rounds: Sequence[TrainingRound], journal_path: Callable[[str], Path]
) -> tuple[str, ...] | None:
    """The patients of the last round where it has to be passed before real work, None else.

    Raises FileError.
    """
    if not rounds or TrainingProgress.read(rounds[-1], journal_path).lets_work:
        return None
    return rounds[-1].patients
