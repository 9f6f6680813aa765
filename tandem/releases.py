"""Surrogates in place of PHI, from data frames, without a person who looks at doubts."""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeVar

import pandas as pd

from adjudicator.release.doubt import DoubtRule, DoubtSettings
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.unattended import make_unattended, schema_of_records
from shared.errors import RequestError
from shared.formats.corpus import Corpus
from shared.surrogates.surrogate_kinds import ReleaseMode
from tandem.tag_frames import frame_of, records_frame, records_of, tags_frame

_Kind = TypeVar("_Kind", bound=StrEnum)

HELD_BACK_COLUMNS = ["patient", "record", "reason"]


class FrameRelease(NamedTuple):
    """What may go out (`records`, `tags` at their new places), and what was held back, and why.

    PHI that is not tagged, and that no check finds, is still there: no person has looked.
    """

    records: pd.DataFrame
    tags: pd.DataFrame
    held_back: pd.DataFrame


def surrogate_frame(  # noqa: PLR0913  how a release is made
    records: pd.DataFrame,
    tags: pd.DataFrame,
    *,
    mode: str = "surrogate",
    doubtful: str = "hold-back",
    language: str = "",
    key: str | Path | None = None,
    seed: int | None = None,
    cores: int = 1,
) -> FrameRelease:
    """Put surrogates in place of what is tagged, as `tandem surrogate --doubtful` does.

    `doubtful` says what becomes of what a person would have to look at: `hold-back` leaves the
    record out unless only a surrogate or the form of a tag is in doubt, `mask` puts a placeholder
    there. `mode` is surrogate, tags, keyed (with `key`, a file or `env:NAME`) or safe-harbor;
    `language` a code, by default that of the records. A `seed` draws the same surrogates again, for
    tests: who knows it can take them back. Raises RequestError where frames or options do not fit.
    """
    rule, how = _one_of(DoubtRule, doubtful, "doubtful"), _one_of(ReleaseMode, mode, "mode")
    if rule is DoubtRule.KEEP_LIST:
        raise RequestError("doubtful=keep-list needs a file of places: use tandem surrogate")
    if (how is ReleaseMode.KEYED) != (key is not None):
        raise RequestError("mode keyed and a key go together; give both")
    tagged = tuple(records_of(records, tags))
    options = SurrogateOptions(
        language=language, mode=how, key=Path(key) if key else None, seed=seed
    )
    made = make_unattended(
        Corpus(tagged), schema_of_records(tagged), options, DoubtSettings(rule), cores=cores
    )
    held = [
        (patient_id, record_id, "; ".join(reasons))
        for (patient_id, record_id), reasons in made.held.items()
    ]
    by_record = {each.document.record_id: each.document.patient_id for each in tagged}
    held += [(by_record.get(each.name, ""), each.name, each.reason) for each in made.failures]
    released = made.draft.surrogates
    return FrameRelease(
        records_frame(document for each in released for document in each.documents),
        tags_frame(
            (document, each.layers[document.record_id].tags)
            for each in released
            for document in each.documents
        ),
        frame_of(held, HELD_BACK_COLUMNS),
    )


def _one_of(kinds: type[_Kind], said: str, option: str) -> _Kind:
    try:
        return kinds(said)
    except ValueError:
        raise RequestError(f"{option}: there is no {said}; there are {', '.join(kinds)}") from None
