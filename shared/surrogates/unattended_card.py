"""What a data card says of a release that no person has looked at."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from shared.text.blocks import counted

_LEFT_OUT = (
    "The rule: a placeholder that names the type, such as [DATE], stands where a surrogate could "
    "not be made well, and where a tag breaks a rule of tagging and nothing outside of it is "
    "concerned; a record with another doubtful place is left out"
)
HEADING = "## Made without a person"
READ_BY_NOBODY = (
    "What a computer program tagged as PHI in these records was replaced; no person has read them."
)


@dataclass(frozen=True, slots=True)
class UnattendedFacts:
    """How doubts were settled by `rule`, and how often.

    `confidence` is 0 where none was asked for, `certainty` how sure the check had to be of a find.
    `kept` are places left in the clear because a list says that they were reviewed and are no PHI,
    `untagged_records` released records without any tag, `without_confidence` tags of which the
    recognizer did not say how sure it was.
    """

    rule: str
    confidence: float
    certainty: float
    masked: int
    held_records: int
    held_patients: int
    not_read: int
    kept: int
    untagged_records: int
    without_confidence: int

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def unattended_as_markdown(facts: UnattendedFacts | None) -> str:
    """The section of the card, "" where people saw to the release."""
    if facts is None:
        return ""
    return "\n\n".join((HEADING, "\n".join(f"- {each}" for each in _sentences(facts))))


def _sentences(facts: UnattendedFacts) -> Iterator[str]:
    yield (
        "**No person has read these records.** What is replaced was tagged by a computer program, "
        "a recognizer, before; what was doubtful was settled by a rule."
    )
    yield (
        "A place is doubtful where something may be PHI that is not tagged, where tags contradict "
        "each other, where something of what was replaced is left, or where a surrogate could not "
        f"be made well. Of what may be PHI, what the check was at least {facts.certainty * 100:g} "
        "% sure of was looked at."
    )
    yield (
        "The rule: a placeholder that names the type, such as [DATE], stands over every doubtful "
        "place; a record in which that was not possible is left out."
        if facts.rule == "mask"
        else f"{_LEFT_OUT}, unless a person reviewed the place before and listed it as no PHI."
        if facts.rule == "keep-list"
        else f"{_LEFT_OUT}."
    )
    yield f"Places with a placeholder instead of a surrogate: {facts.masked}."
    yield (
        f"Left out: {counted(facts.held_records, 'record')} for doubtful places, with them all of "
        f"{counted(facts.held_patients, 'patient')}, and {facts.not_read} that could not be read."
    )
    if facts.kept or facts.rule == "keep-list":
        yield f"Places left as they are because a person listed them as no PHI: {facts.kept}."
    yield from _about_confidence(facts)
    if facts.untagged_records:
        yield f"Records released in which the recognizer tagged nothing: {facts.untagged_records}."
    yield (
        "**What no check can know**: a name, date or number that the recognizer did not tag, that "
        "nothing else in the patient's records repeats and that does not look like PHI stands in "
        "these records as it was. A date among them tells by how many days the other dates of the "
        "patient were moved. Nobody has counted how often that is. Have a sample read by a person "
        "before the records are used."
    )


def _about_confidence(facts: UnattendedFacts) -> Iterator[str]:
    if not facts.confidence:
        yield "How sure the recognizer was of a tag was not looked at: all were taken as they are."
        return
    yield (
        f"A tag of which the recognizer was less than {facts.confidence * 100:g} % sure is "
        "doubtful too."
    )
    if facts.without_confidence:
        yield (
            f"Tags without a word on how sure the recognizer was, taken as they are: "
            f"{facts.without_confidence}."
        )
