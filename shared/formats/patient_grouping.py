"""Which records are of one patient, where no file says so: told from their names."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from shared.errors import RequestError
from shared.processes import PipedProcess

_I2B2_NAME = re.compile(r"\d+-\d+")
_RARE = 10
"""Patients with a second record are rare where they are not one in so many."""
WHOLE_NAME = ".*"
"""What makes every record a patient of its own."""
_SHOWN = 3
LONGEST = 3.0
"""Seconds that a pattern of somebody's own may take for all names."""
USUAL_PATTERN = "(.*)-"
"""What is followed where names have a `-` and nobody gives another."""
_SIGNS = (("-", "-"), ("_", "_"), (r"\.", "full stop"), (" ", "blank"))
_CANDIDATES = (
    *((f"(.*){sign}", f"before the last {said}") for sign, said in _SIGNS),
    *((f"(.*?){sign}", f"before the first {said}") for sign, said in _SIGNS),
    (r"\d+", "the first number"),
    (WHOLE_NAME, "the whole name"),
)
"""Patterns that are common in names of records, and what they take of a name, in words."""
_KNOWN = frozenset(pattern for pattern, _ in _CANDIDATES)


@dataclass(frozen=True, slots=True)
class PatientGroup:
    """A patient with the names of the records that are about them, in order."""

    patient_id: str
    record_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupingProposal:
    """A pattern that fits every name, what it takes of a name, and how many patients that makes."""

    pattern: str
    words: str
    patients: int


class PatientPattern:
    """What captures the patient in the name of a record.

    Without a pattern it is the part before the last `-`, or all of a name that has none. Raises
    RequestError where the pattern is no regular expression.
    """

    def __init__(self, pattern: str | None = None) -> None:
        try:
            self._compiled = re.compile(pattern) if pattern else None
        except (re.error, RecursionError, OverflowError) as error:
            said = f"the patient pattern is not a regular expression: {error}"
            raise RequestError(said) from None

    def patients_of(self, record_ids: Iterable[str]) -> list[str]:
        """The patients of records, as `patient_of` tells them.

        Raises RequestError where that takes too long: there are patterns that try more ways than
        anybody could wait for, and while they do nothing else of the program runs. So one that is
        none of those proposed is tried in a process of its own.
        """
        names = list(record_ids)
        if self._compiled is None or self._compiled.pattern in _KNOWN:
            return [self.patient_of(name) for name in names]
        trial = PipedProcess(_try_pattern, self._compiled.pattern, names)
        try:
            pipe = trial.pipe()
            pipe.recv()  # it runs
            if pipe.poll(LONGEST):
                return list(pipe.recv())
        except EOFError:
            pass
        finally:
            trial.close()
        raise RequestError(
            "the patient pattern takes too long on names such as these; write a simpler one"
        )

    def patient_of(self, record_id: str) -> str:
        """The patient of a record; "" where its name tells none that could be a folder."""
        if self._compiled is None:
            patient_id = record_id.rpartition("-")[0] or record_id
        else:
            found = self._compiled.search(record_id)
            patient_id = (found[1] if found.re.groups else found[0]) or "" if found else ""
        return patient_id if patient_id.strip(". ") else ""


def _try_pattern(pipe: Connection, pattern: str, names: Sequence[str]) -> None:
    pipe.send(None)
    of = PatientPattern(pattern).patient_of
    pipe.send([of(name) for name in names])


def usual_pattern(record_ids: Iterable[str]) -> str:
    """The pattern where nobody gives one: "", or the whole name where patients recur too seldom.

    In a corpus of longitudinal records most patients have several; names as of the i2b2 corpora
    (`110-02`) always mean that. Where next to no patient would have a second record, the number
    behind the `-` counts something else.
    """
    groups = Counter(
        name.rpartition("-")[0] for name in record_ids if not _I2B2_NAME.fullmatch(name)
    )
    several = sum(count > 1 for count in groups.values())
    return WHOLE_NAME if 0 < several * _RARE <= len(groups) else ""


def followed_pattern(record_ids: Iterable[str]) -> str:
    """The pattern that comes to what is done with these names where nobody gives one."""
    names = list(record_ids)
    has_sign = any("-" in name for name in names)
    return usual_pattern(names) or (USUAL_PATTERN if has_sign else WHOLE_NAME)


def patient_groups(named: Iterable[tuple[str, str]]) -> list[PatientGroup]:
    """Return the patients of records, each given with its patient, as the first of each comes."""
    groups: dict[str, list[str]] = {}
    for patient_id, record_id in named:
        groups.setdefault(patient_id, []).append(record_id)
    return [PatientGroup(each, tuple(names)) for each, names in groups.items()]


def grouping_proposals(record_ids: Iterable[str]) -> list[GroupingProposal]:
    """Return the ways to tell patients that fit every name, each grouping once.

    Those by which every record, or all of them together, would be a patient come last.
    """
    names = list(record_ids)
    found: dict[tuple[int, ...], GroupingProposal] = {}
    for pattern, words in _CANDIDATES if names else ():
        of = PatientPattern(pattern).patient_of
        patients: dict[str, int] = {}
        grouped = tuple(patients.setdefault(of(name), len(patients)) for name in names)
        if "" not in patients:
            found.setdefault(grouped, GroupingProposal(pattern, words, len(patients)))
    return sorted(found.values(), key=lambda each: each.patients in (1, len(names)))


def doubt_about(groups: Sequence[PatientGroup]) -> str:
    """Say in a sentence why patients may not be told rightly; "" where nothing speaks for that."""
    records = sum(len(each.record_ids) for each in groups)
    if records < 2:
        return ""
    if len(groups) == records:
        return f"{records:,} records of {records:,} patients: every record is a patient of its own"
    if len(groups) == 1:
        return f"all {records:,} records are taken to be of one patient"
    return ""


def grouping_in_words(groups: Sequence[PatientGroup]) -> str:
    """Say how many records the patients have, with the first of them by name."""
    most = max((len(each.record_ids) for each in groups), default=0)
    least = min((len(each.record_ids) for each in groups), default=0)
    each_has = f"{most}" if least == most else f"{least} to {most}"
    shown = "; ".join(
        f"{each.patient_id} ({listed_names(each.record_ids)})" for each in groups[:_SHOWN]
    )
    more = "; …" if len(groups) > _SHOWN else ""
    return f"records of each patient: {each_has}, as {shown}{more}"


def listed_names(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
