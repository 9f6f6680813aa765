"""Tags measured against a reference, in counts that add up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from shared.agreement.folder_comparison import SkippedRecord, compare_folders
from shared.agreement.measures import STRICT, MeasureKey, count_matches
from shared.agreement.score_tables import Measured, measured_of
from shared.errors import FileError
from shared.formats.registry import TAGGED
from shared.metrics.counts import MatchCounts, added
from shared.model.i2b2_2014 import I2B2_2014
from tandem.corpora import reading_of
from tandem.tag_frames import frame_of
from tandem.tag_rows import Row

SCORE_COLUMNS = [
    *("measure", "types", "precision", "recall", "f1"),
    *("macro_precision", "macro_recall", "macro_f1", "tp", "fp", "fn"),
]
_HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """The counts of every measure for each record that both sides have with the same text.

    Two scores added up are the score of all their records together, macro averages too.
    """

    _by_record: tuple[dict[MeasureKey, MatchCounts], ...] = ()
    _left_out: tuple[SkippedRecord, ...] = ()
    problems: tuple[FileError, ...] = ()

    def __len__(self) -> int:
        """How many records were compared."""
        return len(self._by_record)

    def __add__(self, other: "CorpusScore") -> "CorpusScore":
        return CorpusScore(
            self._by_record + other._by_record,
            self._left_out + other._left_out,
            self.problems + other.problems,
        )

    @property
    def left_out(self) -> dict[str, str]:
        """The records that enter no number, and why."""
        return {each.record_id: each.reason for each in self._left_out}

    def frame(self) -> pd.DataFrame:
        """One row for each measure (`strict`, `binary_token` ...), of all types and of HIPAA's."""
        return frame_of(rows_of_measured(measured_of(self._by_record)), SCORE_COLUMNS)

    @property
    def f1(self) -> float:
        """Strict micro F1 over all types; 1 where nothing is on either side."""
        return added(each[MeasureKey(STRICT)] for each in self._by_record).f1


def score(
    candidate: str | Path,
    reference: str | Path,
    format: str | None = None,  # noqa: A002  as pandas and others call it
    *,
    options: Mapping[str, str] | None = None,
    encoding: str = "",
) -> CorpusScore:
    """Measure the tags of a folder, or file, of records against those of another.

    Records are paired by their names; both sides are read as `tandem.read` does. Raises FileError
    where a folder cannot be read, RequestError where no record is on both sides with the same text,
    or where the format holds no tags.
    """
    found = compare_folders(
        Path(candidate), Path(reference), *reading_of(format, options, encoding, TAGGED)
    )
    counts = tuple(dict(count_matches(each, _HIPAA.__contains__)) for each in found.comparisons)
    return CorpusScore(counts, found.left_out, (*found.problems, *found.unread))


def rows_of_measured(measured: Measured) -> Iterator[Row]:
    """Yield a row with SCORE_COLUMNS for each measure and kind of types."""
    for name, by_types in measured.items():
        for types, scores in by_types.items():
            ratios = (*scores.micro.ratios.cells, *scores.macro.cells)
            yield (name, types, *ratios, scores.micro.tp, scores.micro.fp, scores.micro.fn)
