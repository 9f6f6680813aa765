"""What the adjudicator's worklist says: a row for each patient, and why none comes next."""

from collections.abc import Callable

from adjudicator.session import AdjudicationSession
from adjudicator.worklist import AdjudicationTask, AdjudicationWorklist, Stage, changed_words
from shared.widgets.window.worklist_pane import WorkRow


def work_row(
    work: AdjudicationTask, session: AdjudicationSession | None, waiting: Callable[[str], str]
) -> WorkRow:
    """The row of a patient, as `session` has it where that is open.

    `waiting` says which notes on a patient wait for somebody.
    """
    stage, state = work.stage, work.state_words
    if session is not None and work.patient_id == session.patient_id:
        stage, progress = Stage(session.state.value), session.queue.progress
        if stage not in (Stage.DONE, Stage.SKIPPED):
            state = str(progress)
        elif stage is not work.stage:
            state = stage.value
        elif session.is_done and progress.left:
            state = changed_words(stage)
    hint = f"Not finished: {', '.join(work.waits_for)}" if work.waits_for else ""
    if work.changed_by:
        hint = f"Edited after it was done: {', '.join(work.changed_by)}"
    if stage is Stage.SKIPPED and work.reason:
        hint = f"Skipped: {work.reason}"
    is_done, is_left_out = stage is Stage.DONE, stage is Stage.SKIPPED
    notes = waiting(work.patient_id)
    return WorkRow(work.patient_id, state, is_done, hint, stage.value, is_left_out, notes)


def nothing_to_do(worklist: AdjudicationWorklist, done_words: str) -> str:
    """Why no patient comes next, and what does."""
    works = worklist.works
    changed = sum(bool(each.changed_by) for each in works)
    if changed:
        was = "One patient was" if changed == 1 else f"{changed} patients were"
        return f"{was} edited by an annotator after it was done; the list says which."
    if worklist.done < len(works):
        return "No other patient is ready to be adjudicated; open one from the list to see why."
    return (
        f"Every patient is done, {done_words}. Next come the agreement "
        "report (View, Agreement) and the release (View, Release)."
    )
