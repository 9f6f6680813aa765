"""Counts of tags as frames whose rows add up: scores, and what readers covered."""

from collections.abc import Mapping

import pandas as pd

from shared.agreement.score_tables import measured_of_times
from shared.errors import RequestError
from tandem.scores import SCORE_COLUMNS, rows_of_measured
from tandem.tables.jobs import (
    COUNT_COLUMNS,
    PatientRows,
    RiskJob,
    ScoreJob,
    TableJob,
    added_up,
    times_of,
)
from tandem.tables.table_names import NOTES, RECOGNIZER, REFERENCE, ROWS, SECOND, TAGS
from tandem.tag_frames import frame_of


def score_frame(records: pd.DataFrame, tags: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
    """Tags counted against a reference: how many `records` have which counts, by each measure.

    Frames of parts, below each other, are that of the whole; `scores_of_counts` reads them. All
    three need the column `patient`; tags are as `check_frame` reads them. Raises RequestError.
    """
    return _done(ScoreJob(), {NOTES: records, TAGS: tags, REFERENCE: reference})[ROWS]


def scores_of_counts(counts: pd.DataFrame) -> pd.DataFrame:
    """The figures that counts of `score_frame` come to, with SCORE_COLUMNS, however they were cut.

    Macro averages are over records.
    """
    times = times_of(counts[COUNT_COLUMNS].itertuples(index=False, name=None))
    return frame_of(rows_of_measured(measured_of_times(times)), SCORE_COLUMNS)


def risk_frame(
    records: pd.DataFrame,
    gold: pd.DataFrame,
    first: pd.DataFrame,
    second: pd.DataFrame,
    recognizer: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """What two readers, and perhaps a recognizer, covered of the gold standard, by table.

    `rows` has tags by type and by who covered them (`10`: the first and not the second), `whole`
    patients of whom a reader covered all, `sizes` patients by their tags, `outside` suggestions
    where there is no PHI. Frames of parts, below each other, are those of the whole. All need the
    column `patient`. Raises RequestError.
    """
    tables = {NOTES: records, REFERENCE: gold, TAGS: first, SECOND: second}
    return _done(RiskJob(), tables if recognizer is None else {**tables, RECOGNIZER: recognizer})


def _done(job: TableJob, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Do a job for every patient of frames. Raises RequestError where one is not right."""
    for name, frame in tables.items():
        if "patient" not in frame:
            raise RequestError(f"the frame of {name} has no column patient")
    rows = {name: frame.to_dict("records") for name, frame in tables.items()}
    made = {name: list[tuple[object, ...]]() for name in job.columns}
    for patient in PatientRows.by_patient(rows):
        for name, some in job(patient).items():
            made[name] += some
    return {
        name: frame_of(added_up(some) if job.adds_up else some, job.columns[name])
        for name, some in made.items()
    }
